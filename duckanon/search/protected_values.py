"""Protected columns: no value loses a larger share of its rows to suppression than the limit allows for all rows.

A limit for all rows does not protect small groups: a study may lose all its deaths within the limit. If a failing class holds only
classes that fail (k-anonymity), each value loses no more rows at a higher node. So the searches can draw the same conclusions from
these losses as from the suppressed rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement, render
from duckanon.privacy.evaluation import Evaluation


@dataclass(frozen=True)
class Protected:
    """A protected column with the rows of each value; the keys are the codes of `protected_<column>`."""

    name: str
    rows: Mapping[int, int]


@dataclass(frozen=True)
class Loss:
    """The largest share of its rows that a value of a protected column loses; the value itself is not stored."""

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

    def at_node(self, engine: Engine, evaluated: Evaluation) -> Loss | None:
        """The largest loss at a node; None if no row is lost."""
        return self._largest(engine, render("lattice/protected_losses", protected=self.names, **evaluated))

    def of_regions(self, engine: Engine, lowest: Mapping[str, str]) -> Loss | None:
        """The same for the regions in `region_assignments` and `class_results`; `lowest` maps quasi-identifiers to the columns of their lowest labels."""
        about = {"are_evaluated": True, "class_keys": ["_class_number"], "lowest": lowest}
        return self._largest(engine, render("lattice/protected_losses", protected=self.names, **about))

    def allows(self, loss: Loss | None) -> bool:
        """Whether the largest loss is within the limit; rows are whole, so the limit of each value is rounded down."""
        return loss is None or loss.share <= self.share

    def _largest(self, engine: Engine, statement: Statement) -> Loss | None:
        losses = [
            Loss(self.columns[int(number)].name, self.columns[int(number)].rows[int(value)], int(lost))
            for number, value, lost in engine.query(statement)
        ]
        return max(losses, key=lambda loss: loss.share, default=None)


def read_protected(engine: Engine, names: Iterable[str]) -> tuple[Protected, ...]:
    """Read the protected columns from `protected_<column>`."""
    return tuple(Protected(name, _rows(engine.query(render("lattice/protected_rows", column=name)))) for name in names)


def _rows(counted: Sequence[Sequence[int]]) -> dict[int, int]:
    return {int(value): int(rows) for value, rows in counted}
