"""Open the manifest of a release, count its input again, and repeat its recoding."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from duckanon.dataset import destination
from duckanon.dataset.destination import Destination
from duckanon.dataset.location import Source
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import HierarchyError, Infeasible, InputError, JobError, VerificationFailed
from duckanon.job import file as job_file
from duckanon.job import prepare
from duckanon.job.model import ROWS, Job
from duckanon.job.options import Options, Run
from duckanon.job.prepare import Prepared
from duckanon.observers import Silent
from duckanon.release import manifest, manifest_content, ranges, saved_recoding
from duckanon.release.label_types import with_types
from duckanon.release.manifest_model.document import ReleaseManifest
from duckanon.release.microaggregation import create_figures
from duckanon.release.recoding import Recoding, recoding_of
from duckanon.release.verify import verify
from duckanon.release.write import file_statement, open_release
from duckanon.search import count, result
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult
from duckanon.search.trace import Visit, read_visits


@dataclass(frozen=True)
class Reopened:
    """The files of a release."""

    path: Path
    """The manifest file."""
    manifest: ReleaseManifest
    release: Path
    folder: Path
    """The folder of the saved recoding."""
    requested: Prepared
    """The requested job, with its input."""
    fixed_job: Job
    """The same job with fixed levels."""

    @property
    def place(self) -> Destination:
        """The release as it was written: a file, a folder, a table."""
        parts, ending = self.requested.job.output.partition_by, self.requested.source.ending
        return destination.destination(
            f"{self.release}{self.manifest.output.table}", parts, has_parts=self.release.is_dir(), ending=ending
        )


def reopen(path: Path, source: str | Source | None, run: Run) -> Reopened:
    """Check and open the manifest, the release and the saved recoding; `source` names the input if it has moved.

    Raises `JobError` or `InputError` if one of them was changed, or the input is unknown.
    """
    release_manifest = manifest.read(path, ReleaseManifest)
    release = manifest.released_file(path, release_manifest.output)
    fixed = saved_recoding.find(path)
    asked_job = fixed.with_name(saved_recoding.ASKED_JOB)
    if source is None and "source" not in job_file.read(asked_job):
        raise JobError(
            "the input came from standard input or from a program, and duckanon keeps no copy; name its file with --input"
        )
    try:
        requested = prepare.prepare(source, asked_job, Options(), run, is_replayed=True)
    except InputError as error:
        raise InputError(f"the input of {str(path)!r} has moved ({error}); name it with --input") from error
    requested = replace(requested, source=_shortly_named(requested.source))
    counted = release_manifest.persons
    if requested.job.entity is None and (counted is None or counted.caution is not None):
        # version 0.1 counted rows unless the job named the entity, version 0.2 knew fewer columns of persons; none must be detected now
        requested = replace(requested, job=requested.job.model_copy(update={"entity": ROWS}))
    job = prepare.prepare(requested.source, fixed, Options(), run, is_replayed=True).job
    requested = replace(requested, job=requested.job.model_copy(update={"determined": job.determined}))
    return Reopened(path, release_manifest, release, fixed.parent, requested, job)


def _shortly_named(source: Source) -> Source:
    """The input without `folder/..` in its name, unless `folder` is a link to elsewhere."""
    name, short = source.name, os.path.normpath(source.name)
    is_same = ".." in Path(name).parts and "://" not in name and Path(short).resolve() == Path(name).resolve()
    return replace(source, name=short) if is_same else source


def recount(engine: Engine, reopened: Reopened) -> tuple[Counted, SearchResult, Recoding]:
    """Count the input and repeat the search result; verify the release against it and open it as the view `release`.

    Raises `InputError` if the input was changed. Gives no warnings; the run has already given them.
    """
    release_manifest = reopened.manifest
    engine.restrict([*reopened.requested.files, reopened.release])
    isolated = _isolated(engine, reopened)
    try:
        requested = replace(reopened.requested, is_applied=release_manifest.drift is not None, isolated=isolated)
        counted = count.count(engine, requested, Silent())
    except (HierarchyError, Infeasible) as error:
        raise _changed(reopened, "it has values that its recoding does not cover") from error
    if manifest_content.input_of("", counted).fingerprint != release_manifest.input.fingerprint:
        raise _changed(reopened, "its columns, their types or the number of its rows differ")
    job = counted.job.model_copy(update={"recoding": reopened.fixed_job.recoding})
    decided = result.decide(engine, replace(counted, job=job), all_nodes=False)
    recoding = recoding_of(decided, counted)
    for statement in recoding.class_statements():
        engine.create_table(statement)
    create_figures(engine, recoding)
    recoding, figures, place = ranges.with_ranges(engine, counted, recoding, Silent()), decided.figures, reopened.place
    open_release(engine, recoding, reopened.release, place.form)
    written = {column.name: column.type for column in engine.describe(file_statement(recoding, reopened.release, place.form))}
    recoding = with_types(engine, recoding, written)
    try:
        verify(
            engine, recoding, reopened.release, place.form, figures.rows if recoding.keep_suppressed_rows else figures.released
        )
    except VerificationFailed as failure:
        raise _changed(reopened, "its rows or their classes differ") from failure
    return counted, decided, recoding


def _isolated(engine: Engine, reopened: Reopened) -> dict[str, list[str]]:
    """Read the records that the release left out because it would isolate them; see `Prepared.isolated`."""
    relations, persons = {}, reopened.manifest.persons
    for file in reopened.folder.glob(saved_recoding.ISOLATED):
        about = {"path": str(engine.allow(file)), "renamed": None}
        names = [column.name for column in engine.describe(render("release/saved_relation", **about))]
        if "_person" in names and persons is not None:
            # a recoding of version 0.2
            about["renamed"], names = persons.column, [str(persons.column)]
        relation = "isolated" if "_rows" in names else f"isolated_{names[0]}"
        engine.create_table(render("release/saved_relation", relation, **about))
        relations[relation] = [name for name in names if name != "_rows"]
    return relations


def visits_in(folder: Path) -> list[Visit]:
    """The nodes that the search of a release visited, from the folder of its recoding; empty for local recoding."""
    file = folder / saved_recoding.LATTICE
    return read_visits(file) if file.exists() else []


def _changed(reopened: Reopened, how: str) -> InputError:
    return InputError(
        f"input {reopened.requested.source.name!r} changed since {str(reopened.release)!r} was made from it ({how}); "
        "bring back the original input, or run the job again"
    )
