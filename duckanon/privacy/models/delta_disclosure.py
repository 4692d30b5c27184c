"""delta-disclosure privacy: the shares of sensitive values in a class are close to those in the table (Brickell, Shmatikov 2008)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from duckanon.privacy.base import Parameter, SensitiveModel

_MOST_POWER = 30


class DeltaDisclosure(SensitiveModel):
    """abs(log2(share in the class / share in the table)) < delta for every value of the table, or only for the values of the class.

    Monotone under generalization if all values count, but not under suppression. If only the values of the class count, the model
    is not monotone, because a merged class has values that one of its parts lacks. But its upper half is: no value is 2^delta times
    as frequent as in the table. Classes that fail it bound the rows that pass, as in beta-likeness.
    """

    SQL = "delta_disclosure"
    MEANING = "the share of each value in a class is within a factor of 2^delta of its share in the table"
    NAMES = {"delta": {"values": "all"}, "delta-present": {"values": "present"}}
    UNREQUESTED = ({"values": "all", "delta": 1}, {"values": "present", "delta": 1})
    PARAMETERS = ("delta",)
    NEEDS_WHOLE = True
    VARIETY = ("values",)
    BOUNDS_ROWS = True
    WORST = "most"
    REASON = "the share of a value of {column} not within 2^{delta} of its share in the whole table"

    model: Literal["delta-disclosure"] = "delta-disclosure"
    values: Literal["all", "present"] = "all"
    delta: Annotated[Parameter, Field(gt=0)]

    @property
    def under_generalization(self) -> bool:
        return self.values == "all"

    @property
    def figures(self) -> Mapping[str, Any]:
        # a power of two with a whole exponent is compared in whole numbers; no ratio of counts equals any other power of two
        is_whole = self.delta == self.delta.to_integral_value() and self.delta <= _MOST_POWER
        return {
            "delta": f"{self.delta:f}",
            "power": 2 ** int(self.delta) if is_whole else None,
            "whole": self.values == "all",
        }
