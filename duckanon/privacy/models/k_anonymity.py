"""k-anonymity: every class has at least k rows (Samarati 2001; Sweeney 2002).

In one variant each record has its own k, and its class needs the largest of them (personalized privacy, Xiao, Tao 2006).
In another, a class counts distinct persons instead of rows.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from duckanon.privacy.base import PrivacyModel

_MOST = 2**62
"""Larger than every number of rows, and within the database's whole numbers."""


class KAnonymity(PrivacyModel):
    """Fails a class with fewer than k rows or persons, or with fewer than the largest k of its records.

    Monotone under generalization: every failing class above contains a failing class below. Also monotone under suppression of
    failing classes, so that a node suppresses at least as much as a node above it, except with each record's own k: a class of 2
    that passes with k = 2 may merge with one of 1 that fails with k = 5.
    """

    SQL = "k_anonymity"
    PARAMETERS = ("k",)
    WORST = "least"

    model: Literal["k-anonymity"] = "k-anonymity"
    k: Annotated[int, Field(ge=1)] = 1
    k_column: str | None = None
    """The column with each record's own k; `k` applies in addition."""
    entities: tuple[str, ...] = ()
    """The columns that identify persons: a class has at least k values of each. Without one, every row is a person."""

    @property
    def under_suppression(self) -> bool:
        return self.k_column is None

    @property
    def figures(self) -> Mapping[str, Any]:
        return {"k": self.bounded_k, "own_k": self.k_column is not None, "persons": len(self.entities)}

    @property
    def entity(self) -> str | None:
        """The first column that identifies persons: it has the most values, and models of sensitive columns count by it."""
        return next(iter(self.entities), None)

    @property
    def of(self) -> str:
        """What a class counts: `rows`, or the columns of persons."""
        return " and ".join(self.entities) or "rows"

    @property
    def bounded_k(self) -> int:
        """k, limited to the database's whole numbers."""
        return min(self.k, _MOST)

    @property
    def least_rows(self) -> int:
        return max(1, self.k)

    @property
    def by_rows(self) -> "KAnonymity":
        """The part that can be judged by the rows of a class only."""
        return KAnonymity(k=self.k)

    @property
    def reason(self) -> str:
        what = "rows" if not self.entities else "persons" if len(self.entities) == 1 else f"values of {self.of}"
        return f"fewer than {self.k} {what}" if self.k_column is None else f"fewer {what} than one of its records requires"
