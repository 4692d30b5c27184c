"""Rows that kept columns are judged on: all of them, or about 300,000, read once for every question."""

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.job.treatments import Treatments

STAGE = "looking at the kept columns"
_RELATION = "sampled_records"
_MOST_ROWS = 300_000


class Sample:
    """`sampled_records` while it stands; the same rows whenever the rows are the same."""

    def __init__(self, engine: Engine, rows: int, treatments: Treatments | None = None) -> None:
        self.engine, self.rows = engine, rows
        self._treatments = treatments or {}
        self.looked_at = min(rows, _MOST_ROWS)
        """About how many are in it."""
        self.is_estimate = rows > _MOST_ROWS
        self._kept: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.engine.drop(_RELATION)

    def take(self, kept: Sequence[Mapping[str, Any]], quasi_identifiers: Sequence[str]) -> None:
        """Makes it anew, of these columns: `_kept_<number>` and `_value_<number>`; without quasi-identifiers of the first rows.

        Masked columns and shifted dates are as they are released, the dates under another key.

        Rows drawn from all over the table cost a pass, which is made where generalized quasi-identifiers ask for it alone.
        """
        percent = f"{100 * _MOST_ROWS / self.rows:.6f}" if self.is_estimate and quasi_identifiers else None
        most = _MOST_ROWS if self.is_estimate and not quasi_identifiers else None
        treated = [{**column, "treatment": self._treatments.get(column["name"])} for column in kept]
        about = {"kept": treated, "quasi_identifiers": list(quasi_identifiers), "percent": percent, "most": most}
        statement = render("dataset/sampled_records", **about)
        self.engine.create_table(statement, STAGE)
        self._kept = [str(column["name"]) for column in kept]

    def is_moved(self, name: str) -> bool:
        """Whether a column's dates are shifted, so that no value of it is known, and only about when it lies."""
        return name in self._treatments and self._treatments[name].kind == "shift"

    @property
    def kept(self) -> dict[str, int]:
        """The columns that it was made of last, with the numbers that they have in it."""
        return {name: number for number, name in reversed(list(enumerate(self._kept)))}
