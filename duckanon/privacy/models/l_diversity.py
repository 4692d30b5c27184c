"""l-diversity: every class has l well-represented sensitive values (Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam 2007).

NULL is a sensitive value like any other; models of a column with missing values must also hold without these (`sql/privacy/evaluated.jinja`).
"""

from collections.abc import Mapping
from math import ceil
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from duckanon.privacy.base import Parameter, SensitiveModel

NEARLY = 1e-9
"""Entropies that differ by no more than this are compared exactly."""

_Values = Annotated[int, Field(ge=1, le=1_000_000)]


class _LDiversity(SensitiveModel):
    PARAMETERS: ClassVar[tuple[str, ...]] = ("l",)
    VARIETY = ("variant",)

    model: Literal["l-diversity"] = "l-diversity"

    @property
    def least_values(self) -> int:
        return ceil(self.parameters["l"])

    @property
    def least_rows(self) -> int:
        return self.least_values


class DistinctLDiversity(_LDiversity):
    """At least l different values; monotone under generalization and under suppression."""

    SQL = "distinct_l_diversity"
    MEANING = "at least l different values in each class"
    NAMES = {"distinct-l": {"variant": "distinct"}}
    UNREQUESTED = ({"l": 1},)
    WORST = "least"
    REASON = "fewer than {l} values of {column}"
    UNDER_SUPPRESSION = True

    variant: Literal["distinct"] = "distinct"
    l: _Values  # noqa: E741


class EntropyLDiversity(_LDiversity):
    """The entropy is at least that of l equally frequent values; monotone under generalization, not under suppression."""

    SQL = "entropy_l_diversity"
    MEANING = "the values of each class are at least as hard to guess as l equally frequent ones"
    NAMES = {"entropy-l": {"variant": "entropy"}}
    UNREQUESTED = ({"variant": "entropy", "l": 1},)
    BOUNDS_ROWS = True
    WORST = "least"
    REASON = "the entropy of {column} below that of {l} values"
    IS_DOUBTFUL = True

    variant: Literal["entropy"]
    l: Annotated[Parameter, Field(ge=1)]  # noqa: E741

    @property
    def figures(self) -> Mapping[str, Any]:
        return {"l": f"{self.l.normalize():f}", "nearly": NEARLY}


class RecursiveCLDiversity(_LDiversity):
    """The most frequent value has fewer rows than c times the l-th and all less frequent ones; monotone under generalization only."""

    SQL = "recursive_cl_diversity"
    MEANING = "the most frequent value is not too frequent beside the rarer ones"
    NAMES = {"recursive-cl": {"variant": "recursive"}}
    UNREQUESTED = ({"variant": "recursive", "c": 1, "l": 2}, {"variant": "recursive", "c": 1, "l": 3})
    PARAMETERS = ("c", "l")
    BOUNDS_ROWS = True
    WORST = "most"
    REASON = "{column} not recursively ({c}, {l})-diverse"

    variant: Literal["recursive"]
    c: Annotated[Parameter, Field(gt=0)]
    l: _Values  # noqa: E741
