"""Open a file to measure it, and check its columns. NULL is a value like any other; the file is not changed."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from duckanon.dataset import values
from duckanon.dataset.direct_identifiers import identifier_matches
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.names import find_column, no_quasi_identifiers
from duckanon.dataset.opening import create_population, open_population, open_source
from duckanon.dataset.text_identifiers import text_identifiers
from duckanon.engine.protocol import Column, Engine, row_count
from duckanon.errors import JobError
from duckanon.formatting import first_of
from duckanon.job import accepted
from duckanon.job.column import ColumnPlan
from duckanon.job.keys import accepting
from duckanon.job.model import Job
from duckanon.job.options import Options
from duckanon.job.persons import with_persons
from duckanon.job.prepare import Prepared
from duckanon.observers import Caution, Observer
from duckanon.search.unnamed_persons import warn_of_unnamed_persons

_UNRELEASED = "unreleased-columns"


@dataclass(frozen=True)
class RuleCheck:
    """Whether a file satisfies a rule that is no privacy model."""

    rule: str
    passed: bool | None
    """None if the file alone does not show it."""
    message: str
    columns: Sequence[str] | None = None
    """The columns that break it, if it is about columns."""

    def document(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "columns" or value is not None}


@dataclass(frozen=True)
class MeasuredDataset:
    """An opened file."""

    columns: list[Column]
    quasi_identifiers: list[Column]
    has_population: bool
    job: Job
    """The job, with the column that identifies persons."""

    @property
    def names(self) -> list[str]:
        """The names of the quasi-identifiers."""
        return [column.name for column in self.quasi_identifiers]


def open_dataset(engine: Engine, prepared: Prepared, observer: Observer) -> MeasuredDataset:
    """Create `records`, and `population` if the job names one; raises `JobError` if no quasi-identifier is named."""
    for line in prepared.cautions:
        observer.warn(line)
    if prepared.job.policy is not None and prepared.job.policy.unsaid is not None:
        observer.note(prepared.job.policy.unsaid)
    engine.restrict(prepared.files)
    population = open_population(engine, prepared.population) if prepared.population is not None else None
    columns = open_source(engine, replace(prepared.source, as_written=True))
    quasi_identifiers = _quasi_identifiers(prepared.job, columns)
    values.create_records(engine, values.records_statement(columns, MissingRule()))
    job = prepared.job
    if population is None or job.entity is not None:
        job, persons = with_persons(engine, job, columns)
        persons.tell(observer)
        rows = row_count(engine, "records", stage="counting the rows")
        warn_of_unnamed_persons(engine, job, columns, persons, rows, observer)
    if population is not None:
        create_population(engine, population, quasi_identifiers, MissingRule())
    return MeasuredDataset(columns, quasi_identifiers, population is not None, job)


def _quasi_identifiers(job: Job, columns: Sequence[Column]) -> list[Column]:
    """The columns whose values define the classes."""
    quasi_identifiers = [find_column(columns, name, "quasi-identifier") for name in job.of_role("quasi-identifier")]
    if not quasi_identifiers:
        raise no_quasi_identifiers(columns)
    for column in quasi_identifiers:
        if column.is_nested or column.type == "BLOB":
            raise JobError(f"column {column.name!r} is {column.type} and cannot be a quasi-identifier; unnest it first")
    return quasi_identifiers


def check_columns(job: Job, columns: Sequence[Column], options: Options) -> RuleCheck:
    """Whether the file has only columns that the job releases, or that are accepted; the options name columns for this check."""
    for case, name in map(accepted.parsed, job.accept):
        if case == _UNRELEASED and name is not None:
            find_column(columns, name, "accepted column")
    known = {*_released(job), options.entity, *(job.entities if options.names_key("entity") else ())}
    known |= {job.k_column} if options.names_key("privacy") else set()
    # with `others: keep` only the columns that the job drops
    dropped = {job.k_column, *job.entities, *(name for name, plan in job.columns.items() if not _is_released(plan))}
    unknown = [name for column in columns if (name := column.name) not in known and (job.others == "drop" or name in dropped)]
    refused = [name for name in unknown if not job.accepts(_UNRELEASED, name)]
    message = "no column that the job does not release"
    if refused:
        origin = "the job" if job.policy is None else f"the job or policy {job.policy.name!r}"
        ending, them, column = ("", "it", refused[0]) if len(refused) == 1 else ("s", "them", None)
        named = first_of([*map(repr, refused)])
        message = f"{origin} does not release the column{ending} {named}; drop {them}, or accept {them} with {accepting(_UNRELEASED, column)}"
    return RuleCheck(_UNRELEASED, not refused, message, refused)


def direct_identifiers(engine: Engine, job: Job, columns: Sequence[Column]) -> Iterator[Caution]:
    """Yield a warning for each column whose values look like direct identifiers, or hold them inside text, except pseudonyms and masks."""
    shown = [column for column in columns if (plan := job.columns.get(column.name)) is None or plan.role != "identifying"]
    released = [column for column in shown if (plan := job.columns.get(column.name)) is None or plan.role != "quasi-identifier"]
    for name, looks in {**text_identifiers(engine, released), **identifier_matches(engine, shown)}.items():
        if not job.accepts("direct-identifiers", name):
            text = f"column {name!r}: {looks}; drop it, or accept it with {accepting('direct-identifiers', name)}"
            yield Caution("direct-identifiers", text, name)


def _is_released(plan: ColumnPlan) -> bool:
    return plan.role != "identifying" or plan.pseudonym is not None or plan.mask is not None


def _released(job: Job) -> Iterator[str]:
    """The names of the columns that a job releases; ranges may be written as two columns."""
    for name, plan in job.columns.items():
        if _is_released(plan):
            yield name
            if plan.role == "quasi-identifier" and job.ranges_of(name) == "bounds":
                yield from (f"{name}_min", f"{name}_max")
