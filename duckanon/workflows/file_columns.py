"""The columns of a file that a job or policy does not release, and columns whose values look like direct identifiers."""

from collections.abc import Iterator, Sequence
from typing import Any

from duckanon.dataset.direct_identifiers import identifier_matches
from duckanon.dataset.names import find_column
from duckanon.engine.protocol import Column, Engine
from duckanon.formatting import first_of
from duckanon.job import accepted
from duckanon.job.column import ColumnPlan
from duckanon.job.keys import accepting
from duckanon.job.model import Job
from duckanon.job.options import Options

UNRELEASED = "unreleased-columns"


def check(job: Job, columns: Sequence[Column], options: Options) -> dict[str, Any]:
    """Whether the file has only columns that the job releases, or that are accepted; the options name columns for this check."""
    for case, name in map(accepted.parsed, job.accept):
        if case == UNRELEASED and name is not None:
            find_column(columns, name, "accepted column")
    known = {*_released(job), options.entity, *(job.entities if options.names_key("entity") else ())}
    known |= {job.k_column} if options.names_key("privacy") else set()
    # with `others: keep` only the columns that the job drops
    dropped = {job.k_column, *job.entities, *(name for name, plan in job.columns.items() if not _is_released(plan))}
    unknown = [name for column in columns if (name := column.name) not in known and (job.others == "drop" or name in dropped)]
    refused = [name for name in unknown if not job.accepts(UNRELEASED, name)]
    message = "no column that the job does not release"
    if refused:
        origin, what = (
            "the job" if job.policy is None else f"the job or policy {job.policy.name!r}",
            "s" if len(refused) > 1 else "",
        )
        message = (
            f"{origin} does not release the column{what} {first_of([*map(repr, refused)])}; drop {'them' if what else 'it'}, or accept "
            f"{'them' if what else 'it'} with {accepting(UNRELEASED, None if what else refused[0])}"
        )
    return {"rule": UNRELEASED, "passed": not refused, "message": message, "columns": refused}


def direct_identifiers(engine: Engine, job: Job, columns: Sequence[Column]) -> Iterator[str]:
    """Yield a warning for each column whose values look like direct identifiers, except pseudonyms and masks."""
    shown = [column for column in columns if (plan := job.columns.get(column.name)) is None or plan.role != "identifying"]
    for name, looks in identifier_matches(engine, shown).items():
        if not job.accepts("direct-identifiers", name):
            yield f"column {name!r}: {looks}; drop it, or accept it with {accepting('direct-identifiers', name)}"


def _is_released(plan: ColumnPlan) -> bool:
    return plan.role != "identifying" or plan.pseudonym is not None or plan.mask is not None


def _released(job: Job) -> Iterator[str]:
    """The names of the columns that a job releases; ranges may be written as two columns."""
    for name, plan in job.columns.items():
        if _is_released(plan):
            yield name
            if plan.role == "quasi-identifier" and job.ranges_of(name) == "bounds":
                yield from (f"{name}_min", f"{name}_max")
