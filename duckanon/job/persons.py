"""The unit that equivalence classes count: rows, or the persons that one or several columns identify."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from duckanon.dataset.column_names import hint, identifies_persons, is_part_of_name
from duckanon.dataset.column_profile import FEW_RECORDS, MANY_VALUES
from duckanon.dataset.direct_identifiers import IdentifierMatch, looked_at
from duckanon.dataset.names import find_column
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import batches, render
from duckanon.errors import JobError
from duckanon.formatting import in_rows, shortened
from duckanon.job.model import ROWS, Job
from duckanon.observers import Caution, Message, Observer, together

FEW_ROWS, MANY_ROWS = FEW_RECORDS, 1_000
"""So many values are persons, unless the median value has more than so many rows."""
_MOST = 8
"""The maximum number of columns to count; also of columns to look at in one statement, which needs memory for all their values."""


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
    few: int = 0
    some: int = 0
    """Persons with at most `FEW_ROWS` and at most `MANY_ROWS` rows. Medians do not depend on one person with very many rows."""
    others: tuple["Persons", ...] = ()
    """Further columns, if several are counted: a class has at least k values of each. This one has the most values."""
    unsure: tuple["Persons", ...] = ()
    """Columns that may be persons or groups of persons; they are not counted."""
    looks: Mapping[str, IdentifierMatch] | None = None
    """What the values of the columns without a role look like; None if they were not read."""

    @property
    def is_unique(self) -> bool:
        """Whether each row has a different value."""
        return self.persons == self.rows

    @property
    def repeats(self) -> bool:
        """Whether a person has several rows."""
        return self.persons < self.rows - self.without

    @property
    def columns(self) -> list[str]:
        """All counted columns."""
        return [] if self.column is None else [self.column, *(str(other.column) for other in self.others)]

    @property
    def notes(self) -> list[str]:
        """Notes for the user about the counted persons."""
        if self.column is None:
            return []
        notes = []
        if self.others:
            each = ", ".join(f"{counts.column!r} ({counts.persons:,} values)" for counts in (self, *self.others))
            way = f"; --entity COLUMN counts one of them, --entity {ROWS} rows" if self.origin == "detected" else ""
            notes.append(f"{each} identify persons and repeat in {in_rows(self.rows)}: a class has at least k of each{way}")
        elif self.origin == "detected":
            notes.append(
                f"{self.column!r} identifies persons and repeats: {self.persons:,} persons in {in_rows(self.rows)}; equivalence classes "
                "count persons (--entity none counts rows)"
            )
        elif self.is_unique:
            notes.append(f"{self.column!r} has a different value in every row: each row is a person")
        notes += [
            f"{in_rows(counts.without)} have no value in {counts.column!r}: in every equivalence class they count as one person"
            for counts in (self, *self.others)
            if counts.without
        ]
        return notes

    @property
    def warnings(self) -> list[Caution]:
        """A warning for each column that may be one of persons."""
        otherwise = self.column or ROWS
        return [
            Caution(
                "persons",
                f"{counts.column!r} identifies and repeats ({counts.persons:,} {'value' if counts.persons == 1 else 'values'} in {in_rows(counts.rows)}), but its values may be groups rather than persons, "
                f"so classes do not count it: give --entity {counts.column} to count it, --entity {otherwise} if it is no person, or another role",
                counts.column,
            )
            for counts in self.unsure
        ]

    def tell(self, observer: Observer) -> None:
        """Give the notes and the warnings."""
        for line in self.notes:
            # the summary shows how many persons are counted, and by which columns
            observer.note(Message(line, "" if self.origin == "detected" else None))
        names = [str(counts.column) for counts in self.unsure]
        brief = f"{shortened(names)} identify and repeat, but may be groups rather than persons: count those of persons (--entity COLUMN), or give another role"
        for line in together(self.warnings, brief):
            observer.warn(line)

    def document(self) -> dict[str, Any]:
        """The entry in the manifest."""
        if self.column is None:
            return {"unit": "rows", "columns": [], "chosen": self.origin}
        return {
            "unit": "persons",
            "column": self.column,
            "columns": self.columns,
            "chosen": self.origin,
            "persons": self.persons,
            "rows": self.rows,
            "rows_without": self.without,
        }


def with_persons(
    engine: Engine, job: Job, columns: Sequence[Column], looks: Mapping[str, IdentifierMatch] | None = None
) -> tuple[Job, Persons]:
    """The job with its `entity`: the columns whose distinct values are counted, or None for rows; reads `records`.

    Without an `entity`, every column that identifies (by its role, or detected by its name or values) and repeats is one. Of columns that
    determine each other, one is counted. `looks` are the detected kinds of values, if they are known already.
    Raises `JobError` if `others` would release such a column, or if the job requires something that counts only rows.
    """
    if job.entity == ROWS:
        return job.model_copy(update={"entity": None}), Persons(origin="named")
    if job.entities:
        named = [find_column(columns, name, "column") for name in job.entities]
        return job, _together(_counted(engine, named, "named"))
    open_to = [
        column
        for column in columns
        if not column.is_nested and (column.name not in job.columns or job.columns[column.name].role == "identifying")
    ]
    looks = looked_at(engine, open_to)[0] if looks is None else looks
    candidates = _candidates(job, open_to, looks)
    counted = {counts.column: counts for counts in _counted(engine, list(candidates), "detected")}
    repeated = [(column, counted[column.name]) for column in candidates if counted[column.name].repeats]
    sure = [counts for column, counts in repeated if _are_persons(counts, job.k, is_person=candidates[column])]
    unsure = [
        counts
        for column, counts in repeated
        if counts not in sure and (counts.persons > 2 or candidates[column] or column.name in job.columns)
    ]
    # several persons share a first name; it identifies them only if nothing else does
    whole = [counts for counts in sure if not is_part_of_name(str(counts.column))]
    has_key = any(counted[column.name].is_unique for column, is_person in candidates.items() if is_person)
    sure = whole if whole or has_key else sure
    sure = _without_twins(engine, sorted(sure, key=lambda counts: -counts.persons))
    sure, unsure = sure[:_MOST], [*unsure, *sure[_MOST:]]
    is_kept = {counts.column for counts in (*sure, *unsure) if job.others == "keep" and counts.column not in job.columns}
    unsure = [counts for counts in unsure if counts.column not in is_kept]
    if not sure:
        return job, Persons(unsure=tuple(unsure), looks=looks)
    for counts in sure:
        if counts.column in is_kept:
            raise JobError(
                f"column {counts.column!r} has no role, identifies persons and repeats ({counts.persons:,} persons in {in_rows(counts.rows)}), but "
                f"--others keep would release it; name it with --identifying (dropped; persons are counted), --pseudonym or --keep {counts.column}"
            )
    if job.keep_suppressed_rows or job.population is not None:
        option = "suppression.style=star" if job.keep_suppressed_rows else "--population"
        raise JobError(
            f"{sure[0].column!r} identifies persons and repeats ({sure[0].persons:,} persons in {in_rows(sure[0].rows)}), but {option} counts "
            "rows; leave that out, or give --entity none, which allows a class of one person"
        )
    chosen = replace(_together(sure), unsure=tuple(unsure), looks=looks)
    return job.model_copy(update={"entity": chosen.column if len(sure) == 1 else chosen.columns}), chosen


def _candidates(job: Job, open_to: Sequence[Column], looks: Mapping[str, IdentifierMatch]) -> dict[Column, bool]:
    """The columns that identify by their role, or without one by their name or values; and whether each value is known to be a person."""
    candidates = {}
    for column in open_to:
        has_role = column.name in job.columns
        # another check refuses a retained column that looks like an identifier
        look = None if job.others == "keep" and not has_role else looks.get(column.name)
        look = look if look is not None and look.is_sure else None
        if has_role or look is not None or hint(column.name) == "identifying":
            candidates[column] = identifies_persons(column.name) or (look is not None and look.is_of_persons)
    return candidates


def _are_persons(counts: Persons, k: int, *, is_person: bool) -> bool:
    """Whether the values of a column are persons: known to be, or enough values with few rows each."""
    if is_person:
        return counts.persons > 1
    return may_be_persons(counts.persons, counts.few, counts.some, k) and 2 * counts.without <= counts.rows


def may_be_persons(values: int, few: int, some: int, k: int) -> bool:
    """Whether there are at least k values, and the median value has few rows, or not too many for so many values."""
    return values >= max(k, 2) and (2 * few >= values or (values >= MANY_VALUES and 2 * some >= values))


def _without_twins(engine: Engine, counted: Sequence[Persons]) -> list[Persons]:
    """The columns, without those that determine an earlier one and are determined by it."""
    kept: list[Persons] = []
    for counts in counted:
        alike = [other for other in kept if (other.persons, other.without) == (counts.persons, counts.without)]
        if not any(_pairs(engine, str(counts.column), str(other.column)) == counts.persons for other in alike):
            kept.append(counts)
    return kept


def _pairs(engine: Engine, first: str, second: str) -> int:
    """The number of pairs of values of two columns, without those of two missing values."""
    [(pairs,)] = engine.query(render("dataset/person_pairs", first=first, second=second), stage="comparing columns of persons")
    return int(pairs)


def _together(counted: Sequence[Persons]) -> Persons:
    """The first column, with the others."""
    first, *others = counted
    return replace(first, others=tuple(others))


def _counted(engine: Engine, columns: Sequence[Column], origin: Literal["named", "detected"]) -> list[Persons]:
    counted = []
    for some in batches(columns, _MOST):
        statement = render("dataset/person_counts", columns=[column.name for column in some], few=FEW_ROWS, many=MANY_ROWS)
        for number, rows, filled, persons, few, many in sorted(engine.query(statement, stage="counting persons")):
            name, rows, filled = some[int(number)].name, int(rows or 0), int(filled or 0)
            counted.append(Persons(name, origin, int(rows), int(persons), int(rows) - filled, int(few), int(many)))
    return counted
