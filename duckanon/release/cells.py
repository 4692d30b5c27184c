"""The cells of a release that its labels do not hold, as the verification compares them: by fingerprints of whole rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from duckanon.engine.protocol import Column, Form
from duckanon.job.treatments import Treatment
from duckanon.release.recoding.base import Recoding

_EXACT = ("VARCHAR", "DECIMAL", "BOOLEAN", "DATE", "TIME", "TIMESTAMP", "UUID", "BLOB")
"""What the names of types begin with of which two values have the same hash only where they are written alike."""

Comparison = Literal["value", "sign", "text"]


@dataclass(frozen=True)
class Cell:
    """A released column of which the verification compares every cell with the source."""

    name: str
    number: int
    """Of the column in the release, from 1."""
    shows: str
    """As `Recoding.shows` says."""
    cast: str | None
    """The type that a column's own values are turned into before they are written."""
    leader: str | None
    leader_number: int | None
    aggregate: int | None
    """The number of the figure, where every row of a class shows the same."""
    starred: bool
    """Whether masked records show a star."""
    treatment: Treatment | None
    labels: Sequence[str]
    """The quasi-identifiers, whose labels a pseudonym of a class is made with."""
    compared: Comparison
    """What is hashed: the value, the value and its sign, or the text of the value."""
    is_nested: bool


def compared_cells(recoding: Recoding, form: Form, *, has_keys: bool) -> list[Cell]:
    """The columns to compare; those of labels are compared as classes, and keyed columns only where the keys are known.

    CSV files and the names of folders hold text, so it is the text of a value that is compared with theirs.
    """
    cells = []
    for number, (column, cell) in enumerate(zip(recoding.columns, recoding.cells(None), strict=False), start=1):
        written = Column(column.name, recoding.type_of(column))
        treatment = recoding.treatments.get(column.name)
        if column.name in recoding.names and not written.is_floating:
            continue
        if treatment is not None and treatment.is_keyed and not has_keys:
            continue
        is_text = form.format == "csv" or column.name in form.partition_by
        cells.append(
            Cell(
                name=column.name,
                number=number,
                shows=cell["shows"],
                cast=cell["cast"],
                leader=cell["leader"],
                leader_number=cell["leader_number"],
                aggregate=cell["number"],
                starred=recoding.stars and cell["leader"] is not None,
                treatment=treatment,
                labels=recoding.names,
                compared="text" if is_text else _comparison(written),
                is_nested=written.is_nested and not is_text,
            )
        )
    return cells


def _comparison(column: Column) -> Comparison:
    if column.is_floating:
        return "sign"
    return "value" if column.is_whole or (column.type.startswith(_EXACT) and not column.is_nested) else "text"


def sums(fingerprints: Sequence[Sequence[Cell]]) -> list[str]:
    """The columns that hold the fingerprints of these sets of cells: two sums each."""
    return [f"{name}_{number}" for number in range(1, len(fingerprints) + 1) for name in ("_sum", "_salted_sum")]
