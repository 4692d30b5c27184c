"""The application that all routes share: the input with the first job, the engine and its thread, the events of the page, and when it ends."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from duckanon.dataset.location import Source, locate
from duckanon.dataset.opening import open_source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column
from duckanon.errors import DataError, DuckanonError, InputError, internal_error
from duckanon.hierarchy import sets
from duckanon.hierarchy.spec import content_of
from duckanon.job import file
from duckanon.job.column import ColumnPlan
from duckanon.job.export import explicit, named_role
from duckanon.job.model import ROWS, Job
from duckanon.job.options import Run
from duckanon.job.persons import with_persons
from duckanon.job.prepare import Prepared
from duckanon.job.quasi_identifiers import given_hierarchies, references
from duckanon.job.resolve import create_records, missing_rule
from duckanon.job.roles import Proposal, with_hierarchies
from duckanon.observers import Observer
from duckanon.search.unnamed_persons import proposed_roles
from duckanon.studio.release import Progress, ReleaseRun
from duckanon.studio.state import State, checked

T = TypeVar("T")

_EXPLORED = 9
"""The most quasi-identifiers whose lattice can be explored; with more, `auto` decides as on the command line."""


@dataclass(frozen=True)
class OpenedInput:
    """The input of a studio, whose relation `records` the engine keeps."""

    columns: Sequence[Column]
    proposal: Proposal
    job: Job
    """Every role and hierarchy is named, and every path is absolute."""

    @property
    def rows(self) -> int:
        return self.proposal.columns[0].profile.rows

    def described(self) -> list[dict[str, Any]]:
        """By column in the order of the input: name, type, counts, and the proposed role with its reason."""
        proposed = {column.name: column for column in self.proposal.columns}
        return [
            {
                "name": column.name,
                "type": column.type,
                "proposed": named_role(known),
                "reason": known.reason,
                "distinct": known.profile.distinct,
                "is_exact": known.profile.is_exact,
                "missing": known.profile.missing,
            }
            for column in self.columns
            for known in [proposed[column.name]]
        ]


def open_input(engine: DuckDBEngine, prepared: Prepared, observer: Observer) -> OpenedInput:
    """Open and profile the input of a checked job; raises `InputError`, `JobError` or `HierarchyError`.

    Without a declared quasi-identifier, the job takes the proposed roles; there may be none.
    """
    engine.restrict(prepared.files)
    columns = open_source(engine, prepared.source)
    job = prepared.job
    create_records(engine, columns, job)
    named = {name: plan.role for name, plan in job.columns.items()}
    has_roles = bool(job.of_role("quasi-identifier"))
    given = () if has_roles else given_hierarchies(columns, prepared.hierarchies)
    proposal = proposed_roles(engine, columns, missing_rule(job), dict.fromkeys(given, "quasi-identifier") | named, job.k)
    job = _kept(job, columns) if has_roles else explicit(job, proposal)
    if "algorithm" not in prepared.job.recoding.model_fields_set and len(job.of_role("quasi-identifier")) <= _EXPLORED:
        # the page explores the lattice, in which `optimal` searches; one of more columns is too large for that
        job = job.model_copy(update={"recoding": job.recoding.model_copy(update={"algorithm": "optimal"})})
    job, _ = with_persons(engine, job, columns, proposal.looks)
    job = job.model_copy(update={"entity": job.entity or ROWS})
    job = with_hierarchies(engine, job, columns, prepared.hierarchies, prepared.base, observer)
    return OpenedInput(columns, proposal, _anywhere(job, prepared))


def _kept(job: Job, columns: Sequence[Column]) -> Job:
    """The job with a role for each column that it keeps without naming it."""
    if job.others == "drop":
        return job
    others = {column.name: ColumnPlan(role="insensitive") for column in columns if column.name not in job.columns}
    return job.model_copy(update={"columns": {**job.columns, **others}, "others": "drop"})


def _anywhere(job: Job, prepared: Prepared) -> Job:
    """The job with the hierarchies of the command line, and with paths that hold whatever the folder of the job file is."""
    declared = {name: job.columns[name] for name in job.of_role("quasi-identifier")}
    chosen = references(declared, prepared.hierarchies, prepared.base, job.of_role("sensitive"))
    plans = dict(job.columns)
    for name, reference in chosen.items():
        if not _is_bundled(reference.label):
            content = content_of(reference.spec)
            if "file" in content:
                content["file"] = str(Path(content["file"]).absolute())
            plans[name] = ColumnPlan.model_validate({**plans[name].model_dump(exclude_unset=True), "hierarchy": content})
        elif reference.label != plans[name].hierarchy:
            plans[name] = plans[name].model_copy(update={"hierarchy": reference.label})
    for name in job.of_role("sensitive"):
        hierarchy = plans[name].hierarchy
        if isinstance(hierarchy, str) and not _is_bundled(hierarchy):
            plans[name] = plans[name].model_copy(update={"hierarchy": str(file.resolved(hierarchy, prepared.base).absolute())})
    recoding = job.recoding
    if recoding.partitions is not None:
        recoding = recoding.model_copy(update={"partitions": str(Path(recoding.partitions).absolute())})
    population = None if prepared.population is None else str(prepared.population.anywhere().name)
    return job.model_copy(update={"columns": plans, "recoding": recoding, "population": population})


def _is_bundled(reference: str) -> bool:
    """Whether a name is that of a bundled hierarchy, and not of a file."""
    return not Path(reference).exists() and any(reference.startswith(f"{bundled.name}/") for bundled in sets.bundled())


def prepared_for(prepared: Prepared, job: Job) -> Prepared:
    """The input of the studio with the job of the page."""
    missing = job.missing
    detects = not (job.of_role("quasi-identifier") or missing.tokens or missing.columns)
    source = replace(prepared.source, missing=missing.columns, detects_missing=detects)
    return replace(prepared, job=job, source=source, hierarchies=(), base=Path())


_Identity = dict[Path, tuple[int, int, int]]
"""By file: inode, size in bytes, time of the last change in nanoseconds."""


class InputFiles:
    """The files of an input as they were at first."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._first = _files_now(source)

    def check(self) -> None:
        """Raise `InputError` if a file is gone, new or changed."""
        name = self._source.name
        try:
            now = _files_now(locate(name))
        except (DuckanonError, OSError):
            raise InputError(f"{name!r} no longer exists; put it back, or start the studio with another file") from None
        if now != self._first:
            raise InputError(f"{name!r} has changed since the studio opened it; save the job, and start the studio again")


def _files_now(source: Source) -> _Identity:
    statuses = {path: path.stat() for path in source.files}
    return {path: (status.st_ino, status.st_size, status.st_mtime_ns) for path, status in statuses.items()}


class Studio:
    """One input, one job, one engine. Its methods belong to the event loop, except `publish`."""

    def __init__(self, prepared: Prepared, run: Run, note: Callable[[str], None] = lambda _: None) -> None:
        self.prepared = prepared
        self.run = run
        self.state = State({"name": prepared.source.name})
        self.columns: list[Column] = []
        """The columns of the input, once it is open."""
        self.proposal: Proposal | None = None
        self.observer = Progress(lambda stage, share: self.publish("progress", {"stage": stage, "share": share}))
        self.failure: DuckanonError | None = None
        """Why the input could not be opened."""
        self.release = ReleaseRun(lambda document: self.publish("run", document), self._run_ended)
        self.job_file = prepared.file
        """The job file that was opened or saved last."""
        self._note = note
        self.files = InputFiles(prepared.source)
        self._engine: DuckDBEngine | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._streams: set[asyncio.Queue[str | None]] = set()
        self._is_closed = False
        self.at_end: list[Callable[[], None]] = []
        """What parts of the studio do when it ends, before the engine closes."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when a page opens or closes, and when a run ends."""

    async def open(self) -> None:
        """Open the input and show the first job, or the reason why that fails."""
        self._loop = asyncio.get_running_loop()
        try:
            opened = await self._on_thread(lambda: open_input(self._started(), self.prepared, self.observer))
        except Exception as error:
            self.failure = error if isinstance(error, DuckanonError) else DataError(internal_error(error))
            self.state.fail("\n".join(self.failure.lines))
        else:
            self.columns, self.proposal = list(opened.columns), opened.proposal
            self.state.open(opened.job, opened.described(), opened.rows, list(self.observer.notes))
        self.publish("state", {"revision": self.state.revision})

    async def in_engine(self, work: Callable[[DuckDBEngine], T]) -> T:
        """The result of `work` on the thread that owns the engine; raises what it raises, and `DataError` if it was stopped."""
        return await self._on_thread(lambda: work(self._started()))

    def prepared_job(self, job: Mapping[str, Any]) -> Prepared:
        """The input with a job of the page; raises `JobError`."""
        return prepared_for(self.prepared, checked(job))

    def publish(self, event: str, document: Mapping[str, Any]) -> None:
        """Send an event to every open page, from any thread."""
        text = f"event: {event}\ndata: {json.dumps(document)}\n\n"
        if self._loop is not None and not self._is_closed:
            self._loop.call_soon_threadsafe(self._send, text)

    async def events(self) -> AsyncIterator[str]:
        """The events for one page, until it closes or the studio ends."""
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._streams.add(queue)
        self.on_change()
        try:
            yield f"event: state\ndata: {json.dumps({'revision': self.state.revision})}\n\n"
            while (text := await queue.get()) is not None:
                yield text
        finally:
            self._streams.discard(queue)
            self.on_change()

    @property
    def is_busy(self) -> bool:
        """Whether a page is open or a run is under way."""
        return bool(self._streams) or self.release.status == "running"

    def end_streams(self) -> None:
        """End the stream of every page."""
        self._send(None)

    def stop(self) -> None:
        """Stop what runs, and end the stream of every page."""
        if self._engine is not None:
            self._engine.interrupt()
        self.release.stop()
        self.end_streams()

    def close(self) -> None:
        """Stop what the engine does, and remove its private folder."""
        self._is_closed = True
        for end in self.at_end:
            end()
        if self._engine is not None:
            self._engine.interrupt()
        self.release.join()
        self._thread.shutdown(cancel_futures=True)
        if self._engine is not None:
            self._engine.close()

    def _run_ended(self, line: str) -> None:
        self._note(line)
        if self._loop is not None and not self._is_closed:
            self._loop.call_soon_threadsafe(self.on_change)

    def _started(self) -> DuckDBEngine:
        if self._engine is None:
            self._engine = DuckDBEngine(self.run.settings, self.observer)
            # what the engine says of its own folder does not concern the input
            self.observer.notes.clear()
        return self._engine

    async def _on_thread(self, work: Callable[[], T]) -> T:
        def guarded() -> T:
            try:
                return work()
            except KeyboardInterrupt:
                # an interrupted statement must not end the event loop
                raise DataError("stopped") from None

        return await asyncio.get_running_loop().run_in_executor(self._thread, guarded)

    def _send(self, text: str | None) -> None:
        for queue in self._streams:
            queue.put_nowait(text)


GRACE = 5.0
"""Seconds without a page until the end; a reload takes less."""


class Lifetime:
    """Calls `end` once no page is open any more. A studio whose page was never opened waits for it, unless its input cannot be opened."""

    def __init__(self, studio: Studio, end: Callable[[], None], grace: float = GRACE) -> None:
        self._studio = studio
        self._end = end
        self._grace = grace
        self._waiting: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        studio.on_change = self.look

    async def open(self) -> None:
        """Open the input, and end if that fails without a page that could show why."""
        await self._studio.open()
        if self._studio.failure is not None:
            self.look()

    def look(self) -> None:
        """Start to wait for the end if nothing keeps the studio open, else stop waiting."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        if not self._studio.is_busy:
            self._waiting = self._loop.call_later(self._grace, self._end)
