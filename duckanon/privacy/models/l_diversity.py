"""l-diversity: every class has l well-represented sensitive values (Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam 2007).

NULL is a sensitive value like any other; models of a column with missing values must also hold without these (`sql/privacy/evaluated.jinja`).
"""

from collections.abc import Mapping
from math import ceil
from typing import Annotated, Any, Literal

from pydantic import Field

from duckanon.privacy.base import Parameter, SensitiveModel

NEARLY = 1e-9
"""Entropies that differ by no more than this are compared exactly."""

_Values = Annotated[int, Field(ge=1, le=1_000_000)]


class DistinctLDiversity(SensitiveModel):
    """At least l different values; monotone under generalization and under suppression."""

    SQL = "distinct_l_diversity"
    MEANING = "at least l different values in each class"
    NAMES = {"distinct-l": {"variant": "distinct"}}
    UNREQUESTED = ({"l": 1},)
    PARAMETERS = ("l",)
    VARIETY = ("variant",)
    WORST = "least"
    UNDER_SUPPRESSION = True

    model: Literal["l-diversity"] = "l-diversity"
    variant: Literal["distinct"] = "distinct"
    l: _Values  # noqa: E741

    @property
    def least_rows(self) -> int:
        return self.l

    @property
    def least_values(self) -> int:
        return self.l

    @property
    def reason(self) -> str:
        return f"fewer than {self.l} values of {self.column}"


class EntropyLDiversity(SensitiveModel):
    """The entropy is at least that of l equally frequent values; monotone under generalization, not under suppression."""

    SQL = "entropy_l_diversity"
    MEANING = "the values of each class are at least as hard to guess as l equally frequent ones"
    NAMES = {"entropy-l": {"variant": "entropy"}}
    UNREQUESTED = ({"variant": "entropy", "l": 1},)
    PARAMETERS = ("l",)
    VARIETY = ("variant",)
    BOUNDS_ROWS = True
    WORST = "least"
    IS_DOUBTFUL = True

    model: Literal["l-diversity"] = "l-diversity"
    variant: Literal["entropy"]
    l: Annotated[Parameter, Field(ge=1)]  # noqa: E741

    @property
    def figures(self) -> Mapping[str, Any]:
        return {"l": f"{self.l.normalize():f}", "nearly": NEARLY}

    @property
    def least_rows(self) -> int:
        return ceil(self.l)

    @property
    def least_values(self) -> int:
        return ceil(self.l)

    @property
    def reason(self) -> str:
        return f"the entropy of {self.column} below that of {self.l} values"


class RecursiveCLDiversity(SensitiveModel):
    """The most frequent value has fewer rows than c times the l-th and all less frequent ones; monotone under generalization only."""

    SQL = "recursive_cl_diversity"
    MEANING = "the most frequent value is not too frequent beside the rarer ones"
    NAMES = {"recursive-cl": {"variant": "recursive"}}
    UNREQUESTED = ({"variant": "recursive", "c": 1, "l": 2}, {"variant": "recursive", "c": 1, "l": 3})
    PARAMETERS = ("c", "l")
    VARIETY = ("variant",)
    BOUNDS_ROWS = True
    WORST = "most"

    model: Literal["l-diversity"] = "l-diversity"
    variant: Literal["recursive"]
    c: Annotated[Parameter, Field(gt=0)]
    l: _Values  # noqa: E741

    @property
    def least_rows(self) -> int:
        return self.l

    @property
    def least_values(self) -> int:
        return self.l

    @property
    def reason(self) -> str:
        return f"{self.column} not recursively ({self.c}, {self.l})-diverse"
