"""One run of a checked job: its output, its observer, and the duration of its steps."""

from dataclasses import dataclass, field
from pathlib import Path

from duckanon.dataset.destination import Destination
from duckanon.engine.protocol import Engine
from duckanon.errors import JobError
from duckanon.job import deidentification
from duckanon.job.deidentification import Key
from duckanon.job.options import Run
from duckanon.job.prepare import Prepared
from duckanon.observers import Observer, Remembering, Silent
from duckanon.release import placement
from duckanon.reports.files import Reports
from duckanon.workflows.clock import Clock


@dataclass(frozen=True)
class Task:
    """A run of a checked job; nothing is opened yet."""

    prepared: Prepared
    run: Run
    place: Destination
    """The place of the release."""
    reports: Reports
    key: Key | None
    """The key of pseudonyms and shifted dates."""
    observer: Remembering
    clock: Clock = field(default_factory=Clock)

    @property
    def shared_folder(self) -> Path:
        """A folder that the workers of a cluster can access; the release is written there."""
        return (self.place.path or Path()).absolute().parent

    def restrict(self, engine: Engine) -> None:
        """Allow the database to open only the files that the run reads and writes."""
        path = self.place.path
        if path is not None and not self.run.dry_run:
            engine.scratch.staging_folder_for(path, is_beside=self.place.form.has_parts)
        register = self.run.register
        engine.restrict([*self.prepared.files, *([] if path is None else [path]), *([] if register is None else [register])])


def task_of(prepared: Prepared, output: Path | str | None, run: Run, observer: Observer | None) -> Task:
    """The task of a checked job; raises `JobError` or `OutputError` if an output file cannot be written."""
    if prepared.job.policy is not None and (expiry := prepared.job.policy.expiry):
        raise JobError(expiry)
    place = placement.place(prepared, output, run)
    reports = Reports(run.report, run.public_report, prepared.public_manifest)
    if reports and run.dry_run:
        raise JobError("a report or a public manifest needs a release, and --dry-run makes none; leave out one of them")
    reports.check(prepared, place.path, [run.settings.workspace, run.register], overwrite=run.overwrite)
    listener = Remembering(observer or Silent())
    key = None if run.dry_run else deidentification.key_of(prepared.job, run.key_file, listener)
    return Task(prepared, run, place, reports, key, listener)
