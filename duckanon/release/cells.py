"""The cells of columns other than the labels. The verification compares them with the source by fingerprints of whole rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from duckanon.engine.protocol import Column, Form
from duckanon.job.treatments import Treatment
from duckanon.release.recoding.base import Recoding

_EXACT = ("VARCHAR", "DECIMAL", "BOOLEAN", "DATE", "TIME", "TIMESTAMP", "UUID", "BLOB")
"""Prefixes of the names of types whose values have the same hash only if they have the same text."""

Comparison = Literal["value", "sign", "text"]


@dataclass(frozen=True)
class Cell:
    """A released column. The verification compares each of its cells with the source."""

    name: str
    number: int
    """The position of the column in the release, from 1."""
    shows: str
    """The result of `Recoding.shows`."""
    cast: str | None
    """The type to which the values are cast before they are written."""
    leader: str | None
    leader_number: int | None
    aggregate: int | None
    """The number of the aggregate, if all rows of a class show the same figure."""
    masked: bool
    """Whether the column is `*` in masked records."""
    treatment: Treatment | None
    labels: Sequence[str]
    """The quasi-identifiers. Their labels are part of the input of a pseudonym with the scope `class`."""
    compared: Comparison
    """The input of the hash: the value, the value and its sign, or the text of the value."""
    is_nested: bool


def compared_cells(recoding: Recoding, form: Form, *, has_keys: bool) -> list[Cell]:
    """The columns to compare. Labels are compared as equivalence classes; columns that need a key are compared only if the key is known.

    CSV files and the names of folders contain text, so the text of the values is compared.
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
                masked=recoding.stars and cell["leader"] is not None,
                treatment=treatment,
                labels=recoding.treated_labels,
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
    """The names of the columns with the fingerprints of these sets of cells: two sums for each set."""
    return [f"{name}_{number}" for number in range(1, len(fingerprints) + 1) for name in ("_sum", "_salted_sum")]
