"""delta-presence: nobody learns how likely a person of the population is in the table (Nergiz, Atzori, Clifton 2007)."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, model_validator

from duckanon.privacy.base import Parameter, PrivacyModel


class DeltaPresence(PrivacyModel):
    """Bounds the share that a class has of the rows of the population that are like it.

    Not monotone under suppression, and under generalization only without a lower bound: what merges in
    may be rows of the population alone.
    """

    TEMPLATE = "privacy/models/delta_presence.sql"
    WORST = "most"
    MEASURES = ("population",)

    model: Literal["delta-presence"] = "delta-presence"
    low: Annotated[Parameter, Field(ge=0, le=1)]
    high: Annotated[Parameter, Field(ge=0, le=1)]

    @model_validator(mode="after")
    def _ordered(self) -> "DeltaPresence":
        if self.low > self.high:
            raise ValueError(f"the lower bound {self.low} lies above the upper bound {self.high}")
        return self

    @property
    def under_generalization(self) -> bool:
        return self.low == 0

    @property
    def asked(self) -> Mapping[str, Decimal | int]:
        return {"high": self.high, "low": self.low}

    @property
    def reason(self) -> str:
        return f"not between {self.low} and {self.high} of the population's rows"
