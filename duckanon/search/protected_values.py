"""Protected columns: no value of one loses a larger share of its rows to suppression than the limit allows of all rows.

A limit for all rows says nothing about who they are: all deaths of a study may be within it. Where a class that fails holds only what fails (k-anonymity),
each value loses no more rows on a higher node, so that the searches conclude as they do from the suppressed rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement, render


@dataclass(frozen=True)
class Protected:
    """A protected column, with the rows of each of its values, by the codes of `protected_<column>`."""

    name: str
    rows: Mapping[int, int]


@dataclass(frozen=True)
class Loss:
    """The value of a protected column that loses the largest share of its rows; which it is, is not said."""

    column: str
    rows: int
    suppressed: int

    @property
    def share(self) -> Fraction:
        return Fraction(self.suppressed, self.rows)


@dataclass(frozen=True)
class Protection:
    """The protected columns of a run, and the share of its rows that each value may lose."""

    columns: tuple[Protected, ...]
    share: Fraction

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def at_node(self, engine: Engine, judged: Mapping[str, Any]) -> Loss | None:
        """The largest loss at a node, from what its templates need; None if nothing is lost."""
        return self._largest(engine, render("lattice/protected_losses", protected=self.names, **judged))

    def of_regions(self, engine: Engine, keys: Mapping[str, str]) -> Loss | None:
        """The same of the regions that `placements` and `verdicts` hold; `keys` are the columns of least labels by quasi-identifier."""
        return self._largest(engine, render("local_recoding/protected_losses", protected=self.names, keys=keys))

    def allows(self, loss: Loss | None) -> bool:
        """Whether the largest loss keeps within the limit; rows are whole, so that this rounds the limit of each value down."""
        return loss is None or loss.share <= self.share

    def _largest(self, engine: Engine, statement: Statement) -> Loss | None:
        losses = [
            Loss(self.columns[int(number)].name, self.columns[int(number)].rows[int(value)], int(lost))
            for number, value, lost in engine.query(statement)
        ]
        return max(losses, key=lambda loss: loss.share, default=None)


def read_protected(engine: Engine, names: Iterable[str]) -> tuple[Protected, ...]:
    """The protected columns, from `protected_<column>`."""
    return tuple(Protected(name, _rows(engine.query(render("lattice/protected_rows", column=name)))) for name in names)


def _rows(counted: Sequence[Sequence[int]]) -> dict[int, int]:
    return {int(value): int(rows) for value, rows in counted}
