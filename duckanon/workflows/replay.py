"""A release whose manifest is opened again: with its input counted anew, and its recoding decided as it was."""

from dataclasses import dataclass, replace
from pathlib import Path

from duckanon.dataset import destination
from duckanon.dataset.destination import Destination
from duckanon.dataset.location import Source
from duckanon.engine.protocol import Engine
from duckanon.errors import HierarchyError, Infeasible, InputError, JobError, VerificationFailed
from duckanon.job import file as job_file
from duckanon.job import prepare
from duckanon.job.model import Job
from duckanon.job.options import Options, Run
from duckanon.job.prepare import Prepared
from duckanon.observers import Silent
from duckanon.release import manifest, manifest_content, saved_recoding
from duckanon.release.manifest_model.document import ReleaseManifest
from duckanon.release.recoding.base import Recoding
from duckanon.release.recoding.build import recoding_of
from duckanon.release.verify import verify
from duckanon.search import count, result
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult
from duckanon.search.trace import Visit, read_visits


@dataclass(frozen=True)
class Reopened:
    """What stands of a release."""

    path: Path
    """Of the manifest."""
    manifest: ReleaseManifest
    release: Path
    folder: Path
    """Of the frozen recoding."""
    requested: Prepared
    """The job as it was asked for, with its input."""
    frozen: Job
    """The same with its recoding fixed."""

    @property
    def place(self) -> Destination:
        """The release as it was written: a file, a folder, a table."""
        parts, ending = self.requested.job.output.partition_by, self.requested.source.ending
        return destination.destination(
            f"{self.release}{self.manifest.output.table}", parts, has_parts=self.release.is_dir(), ending=ending
        )


def reopen(path: Path, source: str | Source | None, run: Run) -> Reopened:
    """What a manifest tells of, unchanged: itself, the release, the recoding; `source` names the input where it has moved.

    Raises `JobError` or `InputError` where one of them is not as it was written, or the input is not named.
    """
    release_manifest = manifest.read(path, ReleaseManifest)
    release = manifest.released_file(path, release_manifest.output)
    fixed = saved_recoding.find(path)
    asked_job = fixed.with_name(saved_recoding.ASKED_JOB)
    if source is None and "source" not in job_file.read(asked_job):
        raise JobError("the input came in on standard input, or from a program, and is not kept; name its file with --input")
    try:
        requested = prepare.prepare(source, asked_job, Options(), run)
    except InputError as error:
        raise InputError(f"the input of {str(path)!r} is not where it was ({error}); name it with --input") from error
    job = prepare.prepare(requested.source, fixed, Options(), run).job
    return Reopened(path, release_manifest, release, fixed.parent, requested, job)


def recount(engine: Engine, reopened: Reopened) -> tuple[Counted, SearchResult, Recoding]:
    """The input counted, and decided as it was; the release verified against it once more, and kept as the view `release`.

    Raises `InputError` where the input is another one now. The run has given its warnings.
    """
    release_manifest = reopened.manifest
    engine.confine([*reopened.requested.files, reopened.release])
    try:
        counted = count.count(engine, replace(reopened.requested, is_applied=release_manifest.drift is not None), Silent())
    except (HierarchyError, Infeasible) as error:
        raise _changed(reopened, "it holds values that its recoding does not cover") from error
    if manifest_content.input_of("", counted).fingerprint != release_manifest.input.fingerprint:
        raise _changed(reopened, "its columns, their types or the number of its rows differ")
    job = counted.job.model_copy(update={"recoding": reopened.frozen.recoding})
    decided = result.decide(engine, replace(counted, job=job), all_nodes=False)
    recoding = recoding_of(decided, counted)
    for statement in [*recoding.class_statements(), *recoding.aggregate_statements()]:
        engine.create_table(statement)
    figures, place = decided.figures, reopened.place
    try:
        verify(engine, recoding, reopened.release, place.form, figures.rows if recoding.stars else figures.released)
    except VerificationFailed as failure:
        raise _changed(reopened, "its rows are others, or lie in other classes") from failure
    return counted, decided, recoding


def visits_in(folder: Path) -> list[Visit]:
    """The nodes that the search of a release visited, from the folder of its recoding; none where it recodes regions apart."""
    file = folder / saved_recoding.LATTICE
    return read_visits(file) if file.exists() else []


def _changed(reopened: Reopened, how: str) -> InputError:
    return InputError(
        f"input {reopened.requested.source.name!r} changed since {str(reopened.release)!r} was made of it ({how}); "
        "bring back the one of the run, or run the job again"
    )
