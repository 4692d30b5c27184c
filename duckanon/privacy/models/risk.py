"""Thresholds on the re-identification risk, 1 / class size: the highest or the average over all records.

The average is the mean over the rows of 1 / size of their class (the prosecutor's risk of El Emam, Dankar 2008): classes / rows if
rows are counted. 0.09 and 0.05 are common thresholds for health data.
"""

from fractions import Fraction
from math import ceil
from typing import Annotated, Literal

from pydantic import Field

from duckanon.privacy.base import Parameter, PrivacyModel

RISK_UNIT = 232_792_560
"""The unit of rows / persons of a class, so that a sum of them is a whole number: the least common multiple of 1 to 20."""

_Risk = Annotated[Parameter, Field(gt=0, le=1)]


class AverageRisk(PrivacyModel):
    """Bounds the average risk, the mean over the rows of 1 / class size. Judged last: the smallest classes are suppressed until the bound holds.

    Monotone under generalization, and under suppression by this rule; if persons are counted, under generalization only.
    """

    SQL = "average_risk"
    MEANING = "mean over the rows of 1 / class size"
    NAMES = {"average-risk": {}}
    PARAMETERS = ("risk",)
    WORST = "most"
    REASON = "among the smallest, for an average risk of {risk}"
    UNDER_SUPPRESSION = True

    model: Literal["average-risk"] = "average-risk"
    risk: _Risk


class HighestRisk(PrivacyModel):
    """Bounds 1 / class size: k-anonymity with the corresponding k."""

    SQL = "k_anonymity"
    MEANING = "1 divided by the smallest class"
    NAMES = {"highest-risk": {}}
    PARAMETERS = ("risk",)
    WORST = "least"
    UNDER_SUPPRESSION = True

    model: Literal["highest-risk"] = "highest-risk"
    risk: _Risk

    @property
    def k(self) -> int:
        """The smallest class size whose risk does not exceed the threshold."""
        return ceil(1 / Fraction(self.risk))

    @property
    def least_rows(self) -> int:
        return self.k

    @property
    def reason(self) -> str:
        return f"fewer than {self.k} rows, for a risk of at most {self.risk}"
