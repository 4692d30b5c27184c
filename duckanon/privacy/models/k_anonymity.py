"""k-anonymity: every class holds at least k rows (Samarati 2001; Sweeney 2002).

Two variants: each record asks for its own k, and its class for the largest of them (Xiao, Tao 2006
call it personalized); or a class counts distinct persons instead of rows.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from duckanon.privacy.base import PrivacyModel

_MOST = 2**62
"""Above every number of rows, and within the database's whole numbers."""


class KAnonymity(PrivacyModel):
    """Fails a class of fewer than k rows, or persons, or fewer than the largest k of its records.

    Monotone under generalization: whatever fails above holds something that fails below. Monotone under
    suppression of failing classes too, so that a node suppresses at least what a node above it does, but
    for each record's own k: a class of 2 that passes with k = 2 may merge with one of 1 that fails with k = 5.
    """

    SQL = "k_anonymity"
    PARAMETERS = ("k",)
    WORST = "least"

    model: Literal["k-anonymity"] = "k-anonymity"
    k: Annotated[int, Field(ge=1)] = 1
    k_column: str | None = None
    """The column of each record's own k; `k` holds beside it."""
    entity: str | None = None
    """The column that tells persons apart; without one every row is a person."""

    @property
    def under_suppression(self) -> bool:
        return self.k_column is None

    @property
    def figures(self) -> Mapping[str, Any]:
        return {"k": self.bounded_k, "own_k": self.k_column is not None, "persons": self.entity is not None}

    @property
    def bounded_k(self) -> int:
        """k, as far as the database's whole numbers reach."""
        return min(self.k, _MOST)

    @property
    def least_rows(self) -> int:
        return max(1, self.k)

    @property
    def by_rows(self) -> "KAnonymity":
        """What can be judged by the rows of a class alone."""
        return KAnonymity(k=self.k)

    @property
    def reason(self) -> str:
        what = "rows" if self.entity is None else "persons"
        return f"fewer than {self.k} {what}" if self.k_column is None else f"fewer {what} than a record of it asks for"
