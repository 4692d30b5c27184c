"""The rows on which retained columns are judged: all rows, or a sample of about 300,000, read once for all checks."""

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from duckanon.dataset.values import ROW_SAMPLE
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.job.column import Treatments

STAGE = "checking the retained columns"
_RELATION = "sampled_records"
_MOST_ROWS = 300_000


def as_they_are(columns: Iterable[Column]) -> list[dict[str, Any]]:
    """Columns as `Sample.take` and the templates of a sample read them, neither as numbers nor in bins."""
    return [
        {"name": c.name, "is_text": c.is_text, "is_nested": c.is_nested, "bins": None, "holds_numbers": False} for c in columns
    ]


class Sample:
    """The relation `sampled_records`; the same input always gives the same sample."""

    def __init__(self, engine: Engine, rows: int, treatments: Treatments | None = None, *, most: int | None = None) -> None:
        most = min(most or _MOST_ROWS, _MOST_ROWS)
        self.engine, self.rows = engine, rows
        self._treatments = treatments or {}
        self.looked_at = min(rows, most)
        """The approximate number of rows in the sample."""
        self.is_estimate = rows > most
        self._kept: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.engine.drop(_RELATION)

    def take(self, kept: Sequence[Mapping[str, Any]], quasi_identifiers: Sequence[str], *, all_rows: bool = False) -> None:
        """Rebuild the sample with these columns, as `_retained_<number>` and `_value_<number>`; perhaps from all rows.

        Masked columns have their released values; dates are shifted with another key than in the release. A sample is random:
        the rows of a file are often in an order, and its first rows are those of a place or a year.
        """
        rows = self._row_sample() if self.is_estimate and not all_rows else "records"
        of = self.rows if rows == "records" else _MOST_ROWS
        percent = None if all_rows or self.looked_at >= of else f"{100 * self.looked_at / of:.6f}"
        # a pseudonym distinguishes persons like the values of its column
        shown = {name: treatment for name, treatment in self._treatments.items() if treatment.kind != "pseudonym"}
        treated = [{**column, "treatment": shown.get(column["name"])} for column in kept]
        about = {"kept": treated, "quasi_identifiers": list(quasi_identifiers), "percent": percent, "rows": rows}
        statement = render("dataset/sampled_records", **about)
        self.engine.create_table(statement, STAGE)
        self._kept = [str(column["name"]) for column in kept]

    def _row_sample(self) -> str:
        """The relation of which a sample is taken: one pass over many rows serves all samples; a cluster has no such relation."""
        if self.rows <= _MOST_ROWS or self.engine.is_remote("records"):
            return "records"
        if ROW_SAMPLE not in self.engine.names:
            statement = render(f"dataset/{ROW_SAMPLE}", percent=f"{100 * _MOST_ROWS / self.rows:.6f}")
            self.engine.create_table(statement, STAGE)
        return ROW_SAMPLE

    def is_moved(self, name: str) -> bool:
        """Whether the dates of a column are shifted: the release then shows only the approximate date."""
        return name in self._treatments and self._treatments[name].kind == "shift"

    @property
    def kept(self) -> dict[str, int]:
        """The columns of the sample, with their numbers."""
        return {name: number for number, name in reversed(list(enumerate(self._kept)))}
