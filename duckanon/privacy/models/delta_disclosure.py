"""delta-disclosure privacy: what a class tells of sensitive values is little news (Brickell, Shmatikov 2008)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from duckanon.privacy.base import Parameter, SensitiveModel

_MOST_POWER = 30


class DeltaDisclosure(SensitiveModel):
    """abs(log2(share in the class / share in the table)) < delta for every value of the table, or for the class's own.

    Monotone under generalization where every value counts, and not under suppression; where only the
    class's own values count, a merged class has values that a part of it lacked, so that nothing is monotone.
    """

    SQL = "delta_disclosure"
    NAMES = {"delta": {"values": "all"}, "delta-present": {"values": "present"}}
    UNREQUESTED = ({"values": "all", "delta": 1}, {"values": "present", "delta": 1})
    PARAMETERS = ("delta",)
    NEEDS_WHOLE = True
    VARIETY = ("values",)
    WORST = "most"

    model: Literal["delta-disclosure"] = "delta-disclosure"
    values: Literal["all", "present"] = "all"
    delta: Annotated[Parameter, Field(gt=0)]

    @property
    def under_generalization(self) -> bool:
        return self.values == "all"

    @property
    def bounds_rows(self) -> bool:
        return self.values == "all"

    @property
    def figures(self) -> Mapping[str, Any]:
        # a power of two with a whole exponent is compared in whole numbers; with any other no ratio equals it
        is_whole = self.delta == self.delta.to_integral_value() and self.delta <= _MOST_POWER
        return {
            "delta": f"{self.delta:f}",
            "power": 2 ** int(self.delta) if is_whole else None,
            "whole": self.values == "all",
        }

    @property
    def reason(self) -> str:
        return f"the share of a value of {self.column} not within 2^{self.delta} of its share in the whole table"
