"""Check a job and find its input, before any data is read but the first bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from duckanon.dataset.destination import TABLE_MARK
from duckanon.dataset.file_format import LABELS
from duckanon.dataset.location import STANDARD_INPUT, Source
from duckanon.dataset.opening import find_population, named_source
from duckanon.dataset.types import Notations
from duckanon.engine.protocol import Column
from duckanon.errors import DuckanonError, JobError, OutputError
from duckanon.hierarchy.base import ListedHierarchy
from duckanon.hierarchy.sets import HierarchySet
from duckanon.hierarchy.spec import files_of
from duckanon.job import file as job_file
from duckanon.job.merge import merged, without_assumed, without_removed
from duckanon.job.model import Job
from duckanon.job.options import Options
from duckanon.job.options import Run as Run
from duckanon.job.quasi_identifiers import parted
from duckanon.observers import Caution

_NO_CODE = "none"
"""The token that turns the detection of codes of missing values off."""


@dataclass(frozen=True)
class Prepared:
    """A checked job and its input, before the input is opened."""

    job: Job
    source: Source
    hierarchies: Sequence[str]
    base: Path
    """The folder for relative paths in the job file."""
    population: Source | None = None
    """The table that the input is a sample of, if given."""
    file: Path | None = None
    """The job file, if given."""
    key_file: Path | None = None
    is_applied: bool = False
    """Whether a saved recoding is applied to data other than those of its search."""
    keeps_rows: bool = False
    """Whether rows stay whose values a saved recoding does not cover, without these values."""
    lost_before: Sequence[str] | None = None
    """The dropped columns that the release of a saved recoding counts as lost."""
    opened: Sequence[Column] = ()
    """The columns of the input, if an earlier count of this run has opened it."""
    isolated: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Set if records are left out that the release would isolate: the relations that hold them as text (`isolated`, `isolated_<column>`), and the columns of the input that each has."""
    cautions: Sequence[Caution] = ()
    """Warnings about the job file."""
    public_manifest: Path | None = None
    """The manifest to be published, if the job or an option names one."""
    names_missing: bool = False
    """Whether an option names missing values; a job file may name some that only other inputs hold."""
    names_release: bool = False
    """Whether an option names the release of pseudonyms and shifted dates, not only the job."""

    @property
    def files(self) -> list[Path]:
        """The named files that the run reads: records, population, and hierarchies or their folders."""
        population = self.population.files if self.population is not None else ()
        return [*self.source.files, *population, *(path for path in self._hierarchy_files() if path.exists())]

    def read_as(self, path: Path) -> str | None:
        """What the run reads at a path, or None if it reads nothing there."""
        if self.source.files and self.source.covers(path):
            return "is the input itself" if path.is_file() else "is inside the input"
        if self.population is not None and self.population.covers(path):
            return "is the population" if path.is_file() else "is inside the population"
        # only a file that exists can be lost, and finding those that hierarchies name means reading them
        named = chain.from_iterable(map(files_of, self._hierarchy_files())) if path.exists() else self._hierarchy_files()
        if any(path.resolve() == file.resolve() for file in named):
            return "is a hierarchy of the job"
        policy = self.job.policy
        if policy is not None and policy.file is not None and path.resolve() == policy.file.resolve():
            return "is the policy of the job"
        if self.key_file is not None and path.resolve() == self.key_file.resolve():
            return "is the key file"
        return "is the job itself" if self.file is not None and path.resolve() == self.file.resolve() else None

    def _hierarchy_files(self) -> list[Path]:
        """The named hierarchy files, and those in named folders for the columns of the job."""
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
    is_replayed: bool = False,
) -> Prepared:
    """The checked job with its options, and its input; reads only the first bytes of the files. `is_replayed`: as it made a release."""
    base = job.parent if isinstance(job, Path) else Path()
    content, cautions = job_file.read(job) if isinstance(job, Path) else job or {}, tuple[Caution, ...]()
    content = without_removed(content, made_release=is_replayed or is_applied)
    if not is_replayed:
        content, cautions = without_assumed(content, options)
    checked = merged(content, options, base, is_replayed=is_replayed, columns_of=partial(_columns_of, source, base))
    source = None if source == "" else source
    if source is None and checked.source is None:
        raise JobError("no input: name a Parquet, CSV or JSON file, or give the job a `source`; `duckanon demo` makes one")
    if not isinstance(source, Source):
        names = checked.names if source is None or options.names_key("names") else None
        source = named_source(str(source) if source is not None else _from_job(str(checked.source), base), names)
    missing = checked.missing
    detects_missing = not (checked.of_role("quasi-identifier") or missing.tokens or missing.columns or run.settings.is_cluster)
    if missing.tokens == [_NO_CODE]:
        checked = checked.model_copy(update={"missing": missing.model_copy(update={"tokens": []})})
    source = replace(
        source,
        notations=Notations(checked.dates, checked.decimal),
        missing=missing.columns,
        detects_missing=detects_missing,
        encoding=checked.encoding,
        reads_missing_tokens=not missing.tokens,
        drops_malformed=checked.malformed == "drop",
    )
    population = checked.population
    if population is not None and options.population is None:
        population = str(job_file.resolved(population, base))
    if checked.recoding.partitions is not None:
        cuts = str(job_file.resolved(checked.recoding.partitions, base))
        checked = checked.model_copy(update={"recoding": checked.recoding.model_copy(update={"partitions": cuts})})
    opened = (
        replace(
            find_population(population),
            notations=source.notations,
            reads_missing_tokens=source.reads_missing_tokens,
            encoding=source.encoding,
            drops_malformed=source.drops_malformed,
        )
        if population is not None
        else None
    )
    file, public = job if isinstance(job, Path) else None, checked.output.public_manifest
    prepared = Prepared(
        checked,
        source,
        options.hierarchies,
        base,
        opened,
        file,
        run.key_file,
        is_applied=is_applied,
        cautions=cautions,
        public_manifest=None if public is None else Path(public) if "output.public-manifest" in options.set else base / public,
        names_release=options.release is not None or options.names_key("release"),
        names_missing=bool(options.missing) or "missing.tokens" in options.set,
    )
    if run.key_file is not None and run.key_file.resolve() in (path.resolve() for path in prepared.files):
        raise JobError(
            f"key file {str(run.key_file)!r} is also read as data; make a separate key: openssl rand -hex 32 > duckanon.key"
        )
    if run.settings.is_cluster:
        _check_for_a_cluster(prepared)
    return prepared


def _check_for_a_cluster(prepared: Prepared) -> None:
    """Raise `JobError` for a job that only DuckDB can run."""
    for source, what in ((prepared.source, "input"), (prepared.population, "population")):
        if source is not None and source.kind != "parquet":
            raise JobError(
                f"a cluster reads only Parquet, but the {what} is {LABELS[source.kind]}; write it as Parquet first, or use --engine duckdb"
            )
    for name in prepared.job.output.partition_by:
        if name not in prepared.job.columns or prepared.job.columns[name].role != "quasi-identifier":
            raise JobError(
                f"a cluster can partition a release only by quasi-identifiers, because it verifies their labels, and {name!r} is not one; leave it out of output.partition-by"
            )
    requested = [prepared.job.output.ranges, *(plan.ranges for plan in prepared.job.columns.values())]
    if ranges := next((ranges for ranges in requested if ranges not in (None, "text")), None):
        raise JobError(f"--ranges {ranges} works with --engine duckdb only; leave it out, or use --engine duckdb")
    for name, plan in prepared.job.columns.items():
        if plan.pseudonym is not None or plan.mask is not None or plan.shift is not None or plan.text is not None:
            raise JobError(
                f"column {name!r} has a pseudonym, a mask, a shift or a text treatment, which only --engine duckdb supports; use --engine duckdb, or drop the column"
            )
        if plan.microaggregate is not None:
            raise JobError(
                f"column {name!r} is microaggregated, which only --engine duckdb supports; use --engine duckdb, or leave --microaggregate out"
            )


def check_unread(prepared: Prepared, path: Path, what: str) -> None:
    """Raise `OutputError` if the file to be written would replace a file that the run reads."""
    if read := prepared.read_as(path):
        raise OutputError(f"{what} {read}; name another file")


def _columns_of(source: Path | str | Source | None, base: Path, job: Mapping[str, Any]) -> list[str]:
    """The columns of the input of a job that is not checked yet; none if it has no input that can be opened."""
    from duckanon.dataset.opening import open_source
    from duckanon.engine.duckdb import DuckDBEngine

    try:
        if not isinstance(source, Source):
            source = named_source(str(source) if source else _from_job(str(job.get("source", "")), base), None)
        if source.name == STANDARD_INPUT:
            return []
        with DuckDBEngine() as engine:
            return [column.name for column in open_source(engine, source)]
    except DuckanonError:
        return []


def _from_job(name: str, base: Path) -> str:
    """The input of a job: relative to the folder of the job or, if only that exists, to the working folder."""
    if "://" in name or name == STANDARD_INPUT:
        return name
    file, mark, table = name.rpartition(TABLE_MARK)
    return f"{job_file.resolved(file, base)}{mark}{table}" if mark else str(job_file.resolved(name, base))
