"""delta-presence: bounds on the probability that a person of the population is in the table (Nergiz, Atzori, Clifton 2007)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from duckanon.privacy.base import Parameter, PrivacyModel, Worst, exact


class DeltaPresence(PrivacyModel):
    """Bounds a class's share of the population rows with the same values. Judged as two models, one for each bound."""

    SQL = "delta_presence"
    MEANING = "the share of the population that is in the table"
    NAMES = {"delta-presence": {}}
    UNREQUESTED: ClassVar[Sequence[Mapping[str, Any]]] = ({"low": 0, "high": 1},)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("low", "high")
    WORST: ClassVar[Worst] = "most"
    MEASURES = ("population",)

    model: Literal["delta-presence"] = "delta-presence"
    low: Annotated[Parameter, Field(ge=0, le=1)]
    high: Annotated[Parameter, Field(ge=0, le=1)]

    @model_validator(mode="after")
    def _ordered(self) -> "DeltaPresence":
        if self.low > self.high:
            raise ValueError(f"the lower bound {self.low} exceeds the upper bound {self.high}")
        return self

    @property
    def parts(self) -> tuple["DeltaPresence", ...]:
        return LeastPresence(low=self.low, high=self.high), MostPresence(low=self.low, high=self.high)

    @property
    def figures(self) -> Mapping[str, Any]:
        return {"bound": exact(next(iter(self.parameters.values()))), "is_lower": isinstance(self, LeastPresence)}


class LeastPresence(DeltaPresence):
    """The lower bound. Not monotone unless it is 0, because population rows without rows of the table may merge into a class.

    It bounds every person of the population: a class of the population without a released row has presence 0, so nothing may be suppressed.
    """

    PARAMETERS = ("low",)
    WORST = "least"
    REASON = "less than {low} of the population's rows"

    @property
    def under_generalization(self) -> bool:
        return self.low == 0

    @property
    def bounds_presence(self) -> bool:
        return self.low > 0

    @property
    def variety(self) -> Mapping[str, str]:
        return {"bound": "low"}


class MostPresence(DeltaPresence):
    """The upper bound: monotone under generalization, not under suppression."""

    PARAMETERS = ("high",)
    REASON = "more than {high} of the population's rows"

    @property
    def variety(self) -> Mapping[str, str]:
        return {"bound": "high"}
