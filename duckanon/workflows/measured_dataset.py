"""Open a file to measure it. NULL is a value like any other; the file is not changed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from duckanon.dataset import values
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.names import find_column, no_quasi_identifiers
from duckanon.dataset.opening import open_source
from duckanon.dataset.population import create_population, open_population
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.row_count import row_count
from duckanon.errors import JobError
from duckanon.job.model import Job
from duckanon.job.persons import with_persons
from duckanon.job.prepare import Prepared
from duckanon.observers import Observer
from duckanon.search.unnamed_persons import warn_of_unnamed_persons


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
        warn_of_unnamed_persons(
            engine, job, columns, persons, row_count(engine, "records", stage="counting the rows"), observer
        )
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
