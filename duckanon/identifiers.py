"""Columns that identify directly and are not dropped: what becomes of each, and the key that it takes."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from duckanon.engine.protocol import Column, Engine
from duckanon.errors import JobError
from duckanon.job import Job
from duckanon.keys import Key, read_key
from duckanon.observer import Observer
from duckanon.source.names import find_column
from duckanon.templates import render
from duckanon.treatments import Treatment

_REPEATED = 0.9
"""Values by rows, below which a pseudonym is said to link rows: the count is an estimate."""


def treatments_of(job: Job, columns: Sequence[Column]) -> dict[str, Treatment]:
    """What becomes of each treated column; raises `JobError` where that cannot be done to its type, or nobody is named."""
    found = {}
    for number, (name, plan) in enumerate(job.columns.items()):
        if plan.pseudonym is None and plan.mask is None and plan.shift is None:
            continue
        column = find_column(columns, name, "column")
        if column.is_nested or column.type == "BLOB":
            raise JobError(
                f"column {name!r} is {column.type}, which has no pseudonym, mask or shift; drop it, or unnest it first"
            )
        if plan.pseudonym is not None:
            found[name] = Treatment("pseudonym", column, number, domain=plan.pseudonym.domain or name)
        elif plan.mask is not None:
            found[name] = Treatment("mask", column, number, first=plan.mask.first, last=plan.mask.last)
        elif plan.shift is not None:
            found[name] = Treatment(
                "shift", column, number, days=plan.shift.days, by=_person(job, columns, name, plan.shift.by)
            )
            if not column.is_date:
                raise JobError(f"column {name!r} is {column.type}, and dates are shifted; write it as DATE or TIMESTAMP first")
    return found


def _person(job: Job, columns: Sequence[Column], name: str, by: str | None) -> str:
    """The column by which the dates of one person are told from another's."""
    by = by or job.entity
    if by is None:
        raise JobError(
            f"the dates of {name!r} are shifted by person, and no column tells persons apart; name it with --shift-by"
        )
    column = find_column(columns, by, "column")
    role = job.columns[by].role if by in job.columns else None
    if role in ("quasi-identifier", "sensitive") or column.is_nested:
        raise JobError(f"the dates of {name!r} cannot be shifted by {by!r}, which is {role or column.type}; name an identifier")
    return by


def key_of(job: Job, file: Path | None, observer: Observer) -> Key | None:
    """The key that a job's pseudonyms and shifted dates take; None where it has none. Raises `JobError`."""
    if not job.is_keyed:
        return None
    return read_key(file, observer)


def bound(treatments: Mapping[str, Treatment], key: Key | None, release: str | None) -> dict[str, bytes]:
    """What is bound to the parameters of the statement that writes: two pads a keyed column, never a part of its text."""
    found: dict[str, bytes] = {}
    for treatment in treatments.values():
        if key is not None and treatment.is_keyed:
            purpose = "date shift" if treatment.kind == "shift" else "pseudonym"
            pads = key.pads(purpose, release or "", treatment.domain)
            found |= {f"inner_{treatment.number}": pads.inner, f"outer_{treatment.number}": pads.outer}
    return found


def check(engine: Engine, job: Job, treatments: Mapping[str, Treatment], rows: int, observer: Observer) -> None:
    """Warns of values that have no pseudonym or no person; raises `JobError` where a shift may leave the column's type."""
    for name, treatment in treatments.items():
        if treatment.kind == "mask":
            continue
        [(empty, nobodys, far, about)] = engine.query(
            render("release/untreatable", treatment=treatment), stage="looking at what identifies directly"
        )
        if far:
            raise JobError(
                f"dates of {name!r} cannot be shifted by up to {treatment.days:,} days: {_in_rows(far)} might leave the range of "
                f"{treatment.column.type}; mend those dates, or take fewer days"
            )
        if treatment.kind == "pseudonym" and empty:
            observer.warn(f"{_in_rows(empty)} of {name!r} have no value, and get no pseudonym: they stay empty")
        if nobodys:
            observer.warn(
                f"{_in_rows(nobodys)} of {name!r} have a date and nobody in {treatment.by!r} whose it is: the date is left empty"
            )
        if treatment.kind == "pseudonym" and job.entity is None and about < _REPEATED * (rows - empty):
            observer.warn(
                f"the pseudonyms of {name!r} link the rows of one person, whose classes together tell more than each; "
                f"count persons instead of rows with --entity {name}"
            )


def _in_rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"
