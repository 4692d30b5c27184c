"""(alpha, k)-anonymity: each class has at least k rows, and no sensitive value in more than a share alpha of them
(Wong, Li, Fu, Wang 2006).
"""

from typing import Annotated, Literal

from pydantic import Field

from duckanon.privacy.base import Parameter, SensitiveModel


class AlphaKAnonymity(SensitiveModel):
    """Monotone under generalization, not under suppression. Its k is also required as k-anonymity, which is monotone under both."""

    SQL = "alpha_k_anonymity"
    MEANING = "at least k rows, and no value with a share above alpha"
    NAMES = {"alpha-k": {}}
    UNREQUESTED = ({"alpha": 1, "k": 1},)
    PARAMETERS = ("alpha", "k")
    BOUNDS_ROWS = True
    WORST = "most"
    REASON = "fewer than {k} rows, or one value of {column} in more than {alpha} of its rows"

    model: Literal["alpha-k-anonymity"] = "alpha-k-anonymity"
    alpha: Annotated[Parameter, Field(gt=0, le=1)]
    k: Annotated[int, Field(ge=1, le=2**62)]

    @property
    def least_rows(self) -> int:
        return self.k
