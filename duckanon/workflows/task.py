"""One run of a checked job: its output, its observer, the duration of its steps, and their results."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from duckanon.dataset.destination import Destination
from duckanon.engine.protocol import Engine
from duckanon.errors import JobError
from duckanon.job.deidentification import Key, read_key
from duckanon.job.options import Run
from duckanon.job.prepare import Prepared
from duckanon.observers import Observer, Remembering, Silent
from duckanon.release import placement
from duckanon.release.manifest_model.files import LinkedPersons, WrittenColumns
from duckanon.release.recoding import Recoding
from duckanon.release.suppressed_values import Losses
from duckanon.release.verify import Totals
from duckanon.reports.files import Reports
from duckanon.search.count import Counted
from duckanon.search.possible_values import PossibleValues
from duckanon.search.result import SearchResult

PARTS = ("count", "search", "write", "verify")


class Clock:
    """Wall-clock seconds of each part of a run, and in total since the creation of this object."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self._started = time.perf_counter()
        self._parts = dict.fromkeys(PARTS, 0.0)

    @contextmanager
    def of(self, part: str) -> Iterator[None]:
        """Add the duration of the block to a part."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self._parts[part] += time.perf_counter() - started

    @property
    def seconds(self) -> dict[str, float]:
        """The parts so far, and `total`."""
        return {**self._parts, "total": time.perf_counter() - self._started}


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
    key = read_key(run.key_file, listener) if prepared.job.is_keyed and not run.dry_run else None
    return Task(prepared, run, place, reports, key, listener)


@dataclass(frozen=True)
class Choice:
    """The result of the search, and the recoding that implements it."""

    counted: Counted
    result: SearchResult
    recoding: Recoding
    risk: dict[str, Any]
    withheld: dict[str, Any]
    """The classes without a figure of a microaggregated column, and their rows, by column."""
    keys: Mapping[str, LinkedPersons]
    """The retained columns that link the rows of persons."""


@dataclass(frozen=True)
class Written:
    """The release in a draft, not verified yet."""

    draft: Path
    bound: Mapping[str, bytes]
    """The values derived from the key, by the parameter names of the statement."""


@dataclass(frozen=True)
class Verified:
    """The figures that the verification read from the file."""

    totals: Totals
    linkages: Mapping[str, LinkedPersons]
    losses: Losses
    columns: WrittenColumns
    risk: dict[str, Any]
    possible: PossibleValues | None
    """The sensitive values that remain possible for persons in several classes; None if no sensitive column is constant for persons."""
