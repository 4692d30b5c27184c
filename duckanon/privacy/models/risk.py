"""Thresholds on the risk that a record is told apart: 1 / class size, at the most or on average.

The average over all records is classes / rows (El Emam, Dankar 2008, the prosecutor's risk; 0.09 and 0.05 are thresholds
of health data's practice).
"""

from fractions import Fraction
from math import ceil
from typing import Annotated, Literal

from pydantic import Field

from duckanon.privacy.base import Parameter, PrivacyModel

_Risk = Annotated[Parameter, Field(gt=0, le=1)]


class AverageRisk(PrivacyModel):
    """Classes over rows at most so much: judged last, the smallest classes going first until it holds.

    Monotone under generalization and under suppression by that rule.
    """

    SQL = "average_risk"
    NAMES = {"average-risk": {}}
    PARAMETERS = ("risk",)
    WORST = "most"
    UNDER_SUPPRESSION = True

    model: Literal["average-risk"] = "average-risk"
    risk: _Risk

    @property
    def reason(self) -> str:
        return f"among the smallest, for an average risk of {self.risk}"


class HighestRisk(PrivacyModel):
    """1 / class size at most so much: k-anonymity with the k that gives it."""

    SQL = "k_anonymity"
    NAMES = {"highest-risk": {}}
    PARAMETERS = ("risk",)
    WORST = "least"
    UNDER_SUPPRESSION = True

    model: Literal["highest-risk"] = "highest-risk"
    risk: _Risk

    @property
    def k(self) -> int:
        """The least class size whose risk is no higher."""
        return ceil(1 / Fraction(self.risk))

    @property
    def least_rows(self) -> int:
        return self.k

    @property
    def reason(self) -> str:
        return f"fewer than {self.k} rows, for a risk of at most {self.risk}"
