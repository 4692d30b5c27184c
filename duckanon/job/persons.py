"""The unit that equivalence classes count: rows, or the persons that a column identifies."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from duckanon.dataset.column_names import identifies_persons
from duckanon.dataset.direct_identifiers import IdentifierMatch, identifier_matches
from duckanon.dataset.names import find_column
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError
from duckanon.formatting import in_rows
from duckanon.job.model import ROWS, Job

_MOST_ROWS_EACH = 1_000
"""The maximum average number of rows per person, for a column that only its role marks as one of persons."""
_MOST = 8
"""The maximum number of columns to count: each needs memory for all its distinct values."""


@dataclass(frozen=True)
class Persons:
    """The column whose distinct values are counted, or None if every row is a person."""

    column: str | None = None
    origin: Literal["named", "detected"] | None = None
    """Whether the user named the entity (or `none`), or it was detected; None if no column identifies persons and repeats."""
    rows: int = 0
    persons: int = 0
    without: int = 0
    """Rows without a value in the column: every class counts them as one person."""

    @property
    def is_unique(self) -> bool:
        """Whether each row has a different value."""
        return self.persons == self.rows

    @property
    def repeats(self) -> bool:
        """Whether a person has several rows."""
        return self.persons < self.rows - self.without

    @property
    def notes(self) -> list[str]:
        """Notes for the user about the counted persons."""
        if self.column is None:
            return []
        notes = []
        if self.origin == "detected":
            notes.append(
                f"{self.column!r} identifies persons and repeats: {self.persons:,} persons in {in_rows(self.rows)}; equivalence classes "
                "count persons (--entity none counts rows)"
            )
        elif self.is_unique:
            notes.append(f"{self.column!r} has a different value in every row: each row is a person")
        if self.without:
            notes.append(
                f"{in_rows(self.without)} have no value in {self.column!r}: in every equivalence class they count as one person"
            )
        return notes

    def document(self) -> dict[str, Any]:
        """The entry in the manifest."""
        if self.column is None:
            return {"counted": "rows", "chosen": self.origin}
        return {
            "counted": "persons",
            "column": self.column,
            "chosen": self.origin,
            "persons": self.persons,
            "rows": self.rows,
            "rows_without": self.without,
        }


def with_persons(
    engine: Engine,
    job: Job,
    columns: Sequence[Column],
    named: Collection[str],
    looks: Mapping[str, IdentifierMatch] | None = None,
) -> tuple[Job, Persons]:
    """The job with its `entity`: the column whose distinct values are counted, or None for rows; reads `records`.

    Without an `entity`, a column that identifies persons (identifying by its role, or detected by its name or values) and
    repeats becomes the entity. If there are several, the one with the most distinct values does. Rows are counted if a
    detected column (other than `id`) has a different value in every row. `named` contains the columns to which the user gave a role, and `looks`
    the detected kinds of values, if they are known already. Raises `JobError` if `others` would release such a column, or if
    the job requires something that counts only rows.
    """
    if job.entity == ROWS:
        return job.model_copy(update={"entity": None}), Persons(origin="named")
    if job.entity is not None:
        column = find_column(columns, job.entity, "column")
        [persons] = _counted(engine, [column], "named")
        return job, persons
    detected, others = _candidates(engine, job, columns, named, looks)
    candidates = _counted(engine, [*detected, *others][:_MOST], "detected") if detected or others else []
    names = {column.name for column in detected}
    repeated = [
        candidate
        for candidate in candidates
        if candidate.repeats and _may_be_persons(candidate, is_detected=candidate.column in names)
    ]
    rows_are_persons = {candidate.column for candidate in candidates if candidate.is_unique} & {
        column.name for column in detected if column.name.casefold() != "id"
    }
    if not repeated or rows_are_persons:
        return job, Persons()
    kept = [candidate for candidate in repeated if job.others == "keep" and candidate.column not in job.columns]
    if kept:
        raise JobError(
            f"column {kept[0].column!r} has no role, identifies persons and repeats ({kept[0].persons:,} persons in {in_rows(kept[0].rows)}), but "
            f"--others keep would release it; name it with --identifying (dropped; persons are counted), --pseudonym or --keep {kept[0].column}"
        )
    chosen = max(repeated, key=lambda candidate: candidate.persons)
    if job.stars or job.population is not None:
        option = "--suppress star" if job.stars else "--population"
        raise JobError(
            f"{chosen.column!r} identifies persons and repeats ({chosen.persons:,} persons in {in_rows(chosen.rows)}), but {option} counts "
            "rows; leave that out, or give --entity none, which allows a class of one person"
        )
    return job.model_copy(update={"entity": chosen.column}), chosen


def _candidates(
    engine: Engine, job: Job, columns: Sequence[Column], named: Collection[str], looks: Mapping[str, IdentifierMatch] | None
) -> tuple[list[Column], list[Column]]:
    """The candidates for the entity: columns detected as columns of persons, and other columns that the user named as identifying."""
    flat = [column for column in columns if not column.is_nested]
    open_to = [column for column in flat if column.name not in job.columns or job.columns[column.name].role == "identifying"]
    if looks is None:
        looks = identifier_matches(engine, open_to)
    is_kept = {column.name for column in open_to if job.others == "keep" and column.name not in job.columns}
    detected = [
        column
        for column in open_to
        if identifies_persons(column.name)
        # another check refuses a retained column that looks like an identifier
        or (column.name in looks and looks[column.name].is_of_persons and column.name not in is_kept)
    ]
    return detected, [column for column in open_to if column.name in named and column not in detected]


def _may_be_persons(counted: Persons, *, is_detected: bool) -> bool:
    """Whether the values of a column may be persons: more than one value and, if the column was not detected, not so few that they look like groups."""
    return counted.persons > 1 and (is_detected or counted.persons * _MOST_ROWS_EACH >= counted.rows)


def _counted(engine: Engine, columns: Sequence[Column], origin: Literal["named", "detected"]) -> list[Persons]:
    statement = render("dataset/person_counts", columns=[column.name for column in columns])
    [(rows, *counts)] = engine.query(statement, stage="counting persons")
    return [
        Persons(column.name, origin, int(rows), int(persons), int(rows - filled))
        for column, filled, persons in zip(columns, counts[::2], counts[1::2], strict=True)
    ]
