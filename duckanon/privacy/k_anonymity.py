"""k-anonymity: every class holds at least k rows (Samarati 2001; Sweeney 2002)."""

from dataclasses import dataclass
from typing import Any

_MOST = 2**62
"""Above every number of rows, and within the database's whole numbers."""


@dataclass(frozen=True)
class KAnonymity:
    """Fails a class of fewer than k rows.

    Monotone under generalization, and under suppression of failing classes: a failing class of a
    node lies inside the classes that contain it above, so whatever fails above fails below.
    """

    k: int

    name = "k-anonymity"
    template = "privacy/k_anonymity.sql"
    monotone = True

    @property
    def parameters(self) -> dict[str, Any]:
        """What the templates need to judge a class."""
        return {"model_template": self.template, "k": self.bounded_k}

    @property
    def bounded_k(self) -> int:
        """k, as far as the database's whole numbers reach."""
        return min(self.k, _MOST)

    @property
    def least_rows(self) -> int:
        """No class with fewer rows passes."""
        return max(1, self.k)

    @property
    def reason(self) -> str:
        """Why a class that fails is removed."""
        return f"fewer than {self.k} rows"
