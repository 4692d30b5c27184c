"""Before anything is opened: the job checked, the input found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon.dataset.destination import TABLE_MARK
from duckanon.dataset.location import STANDARD_INPUT, Source, label
from duckanon.dataset.opening import named_source
from duckanon.dataset.population import find_population
from duckanon.errors import JobError, OutputError
from duckanon.hierarchy.listed import ListedHierarchy
from duckanon.hierarchy.sets import HierarchySet
from duckanon.job import file as job_file
from duckanon.job.hierarchy_resolver import parted
from duckanon.job.merge import merged
from duckanon.job.model import Job
from duckanon.job.options import Options
from duckanon.job.options import Run as Run


@dataclass(frozen=True)
class Prepared:
    """A checked job and its input, before the input is opened."""

    job: Job
    source: Source
    hierarchies: Sequence[str]
    base: Path
    """The folder that the job file's own paths start from."""
    population: Source | None = None
    """The table that the input was taken from, where one is named."""
    file: Path | None = None
    """The job's own file."""
    key_file: Path | None = None
    is_applied: bool = False
    """Whether a saved recoding is applied to other data than those that it was found on."""
    names_release: bool = False
    """Whether the run says what pseudonyms and shifted dates are made for, and not its job alone."""

    @property
    def files(self) -> list[Path]:
        """What is read, as far as it is named: the records, and hierarchies or folders of them."""
        population = self.population.files if self.population is not None else ()
        return [*self.source.files, *population, *(path for path in self._hierarchy_files() if path.exists())]

    def read_as(self, path: Path) -> str | None:
        """What the run reads at a path, or None where it reads nothing there."""
        if self.source.files and self.source.covers(path):
            return "is the input itself" if path.is_file() else "lies in the input"
        if self.population is not None and self.population.covers(path):
            return "is the population" if path.is_file() else "lies in the population"
        if any(path.resolve() == file.resolve() for file in self._hierarchy_files()):
            return "is a hierarchy of the job"
        if self.key_file is not None and path.resolve() == self.key_file.resolve():
            return "is the key"
        return "is the job itself" if self.file is not None and path.resolve() == self.file.resolve() else None

    def _hierarchy_files(self) -> list[Path]:
        """Those that are named, and those that a folder has for the job's columns."""
        references = [(text, parted(text, self.job.columns)) for text in self.hierarchies]
        named = [Path(text if parts is None else parts[1]) for text, parts in references]
        for plan in self.job.columns.values():
            match plan.hierarchy:
                case str(name):
                    named.append(job_file.resolved(name, self.base))
                case ListedHierarchy(file=Path() as file):
                    named.append(job_file.resolved(str(file), self.base))
        folders = [HierarchySet(str(path), path) for path in named if path.is_dir()]
        return [*named, *(path for folder in folders for name in self.job.columns for path in folder.files_for(name))]


def prepare(
    source: Path | str | Source | None,
    job: Path | Mapping[str, Any] | None,
    options: Options,
    run: Run,
    *,
    is_applied: bool = False,
) -> Prepared:
    """The job with its options, checked, and the input, found; opens nothing."""
    base = job.parent if isinstance(job, Path) else Path()
    checked = merged(job_file.read(job) if isinstance(job, Path) else job or {}, options)
    source = None if source == "" else source
    if source is None and checked.source is None:
        raise JobError("no input: name a Parquet, CSV or JSON file, or give the job a `source`; `duckanon demo` makes one")
    if not isinstance(source, Source):
        names = run.columns or (checked.names if source is None else None)
        source = named_source(str(source) if source is not None else _from_job(str(checked.source), base), names)
    population = checked.population
    if population is not None and options.population is None:
        population = str(job_file.resolved(population, base))
    if checked.recoding.partitions is not None:
        cuts = str(job_file.resolved(checked.recoding.partitions, base))
        checked = checked.model_copy(update={"recoding": checked.recoding.model_copy(update={"partitions": cuts})})
    opened = find_population(population) if population is not None else None
    file = job if isinstance(job, Path) else None
    prepared = Prepared(
        checked,
        source,
        options.hierarchies,
        base,
        opened,
        file,
        run.key_file,
        is_applied=is_applied,
        names_release=options.release is not None,
    )
    if run.key_file is not None and run.key_file.resolve() in (path.resolve() for path in prepared.files):
        raise JobError(
            f"key file {str(run.key_file)!r} is read as data too; make a key of its own: openssl rand -hex 32 > duckanon.key"
        )
    if run.settings.is_cluster:
        _check_for_a_cluster(prepared)
    return prepared


def _check_for_a_cluster(prepared: Prepared) -> None:
    """Raises `JobError` for what is done by DuckDB only."""
    for source, what in ((prepared.source, "input"), (prepared.population, "population")):
        if source is not None and source.kind != "parquet":
            raise JobError(
                f"a cluster reads Parquet, and the {what} is {label(source.kind)}; write it as Parquet first, or use --engine duckdb"
            )
    for name in prepared.job.output.partition_by:
        if name not in prepared.job.columns or prepared.job.columns[name].role != "quasi-identifier":
            raise JobError(
                f"a cluster parts a release by quasi-identifiers, whose labels are verified, and {name!r} is none; leave it out of --partition-by"
            )
    for name, plan in prepared.job.columns.items():
        if plan.pseudonym is not None or plan.mask is not None or plan.shift is not None:
            raise JobError(
                f"column {name!r} is to be released in another form, and a cluster is sent no key; use --engine duckdb, or drop the column"
            )
        if plan.microaggregate is not None:
            raise JobError(
                f"column {name!r} is to be aggregated, and aggregates of classes are made by --engine duckdb; leave one out"
            )


def check_unread(prepared: Prepared, path: Path, what: str) -> None:
    """Raises `OutputError` where what is written, called so, would take the place of something that is read."""
    if read := prepared.read_as(path):
        raise OutputError(f"{what} {read}; name another file")


def _from_job(name: str, base: Path) -> str:
    """An input that a job names: from the job's own folder, or else from the working folder."""
    if "://" in name or name == STANDARD_INPUT:
        return name
    file, mark, table = name.rpartition(TABLE_MARK)
    return f"{job_file.resolved(file, base)}{mark}{table}" if mark else str(job_file.resolved(name, base))
