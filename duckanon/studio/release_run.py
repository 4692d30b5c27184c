"""The run that writes the release, in a thread of its own, and the progress of an engine, for the page."""

import shlex
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread
from typing import Any

from duckanon.errors import DuckanonError, internal_error
from duckanon.formatting import check_name
from duckanon.job.options import Run
from duckanon.job.prepare import Prepared
from duckanon.release import manifest
from duckanon.reports.summary import files, summary
from duckanon.workflows.anonymize import RunOutcome, carry_out

Show = Callable[[str, float | None], None]
"""Takes the title of a stage, empty after its end, and the share that is done, None if it is unknown."""

_SECONDS_BETWEEN = 0.1
_MOST_NOTES = 50


class Stopped(Exception):
    """The user stopped a run."""


class Progress:
    """An observer that shows stages, some times a second, and keeps notes and warnings."""

    def __init__(self, show: Show) -> None:
        self._show = show
        self._title = ""
        self._total: int | None = None
        self._last = 0.0
        self.notes: deque[str] = deque(maxlen=_MOST_NOTES)
        """The last notes and warnings, without details."""
        self.is_stopping = False

    def stage(self, title: str, total: int | None = None) -> None:
        self._stop_if_wanted()
        self._title, self._total = title, total
        self._now(title, 0.0)

    def advance(self, done: float) -> None:
        self._stop_if_wanted()
        if time.monotonic() - self._last >= _SECONDS_BETWEEN:
            self._now(self._title, min(done / self._total, 1.0) if self._total else done)

    def finish(self) -> None:
        self._now("", None)

    def step(self, relation: str, rows: int | None, seconds: float) -> None:
        pass

    def warn(self, message: str) -> None:
        self.notes.append(message)

    def note(self, message: str, *, is_detail: bool = False) -> None:
        if not is_detail:
            self.notes.append(message)

    def _now(self, title: str, share: float | None) -> None:
        self._last = time.monotonic()
        self._show(title, share)

    def _stop_if_wanted(self) -> None:
        """Raise `Stopped`, which undoes a run; a run asks here before and during each pass over the rows."""
        if self.is_stopping:
            raise Stopped


class ReleaseRun:
    """The last run: `none`, `running`, `done`, `failed` or `stopped`. `changed` is called at each change, `ended` at the end, in the thread of the run."""

    def __init__(self, changed: Callable[[dict[str, Any]], None], ended: Callable[[str], None]) -> None:
        self._changed = changed
        self._ended = ended
        self._thread: Thread | None = None
        self._progress = Progress(self._show)
        self._result: dict[str, Any] = {}
        self._share: float | None = None
        self._stage = ""
        self.status = "none"
        self.report: Path | None = None
        """The report of a run that is done."""
        self.manifest: Path | None = None

    def start(self, prepared: Prepared, output: str, run: Run) -> None:
        """Begin a run; the last one must have ended."""
        self.status, self.report, self.manifest, self._result = "running", None, None, {"output": output}
        self._progress = Progress(self._show)
        self._thread = Thread(target=self._carry_out, args=(prepared, output, run), name="run")
        self._thread.start()

    def stop(self) -> None:
        """Stop the run at its next step; what it wrote is removed."""
        self._progress.is_stopping = True

    def join(self) -> None:
        """Wait until the run has ended."""
        if self._thread is not None:
            self._thread.join()

    def document(self) -> dict[str, Any]:
        """The run as the page reads it."""
        about: dict[str, Any] = {
            "status": self.status,
            "stage": self._stage,
            "share": self._share,
            "message": "",
            "warnings": [],
            "summary": [],
        }
        return {**about, "manifest": None, "output": None, **self._result, "report": None if self.report is None else "/report"}

    def _carry_out(self, prepared: Prepared, output: str, run: Run) -> None:
        try:
            outcome = carry_out(prepared, output, run, self._progress)
        except (Stopped, KeyboardInterrupt):
            self._end("stopped", message="stopped; nothing was written")
        except DuckanonError as error:
            self._end("failed", message="\n".join(error.lines))
        except Exception as error:
            self._end("failed", message=internal_error(error))
        else:
            self._release(outcome, run)

    def _release(self, outcome: RunOutcome, run: Run) -> None:
        path = outcome.place.path
        self.report = run.report
        self.manifest = None if path is None else manifest.path_for(path)
        document = outcome.manifest.document()
        self._end(
            "done",
            output=outcome.place.name,
            manifest=str(self.manifest),
            checks=[_check(check) for check in document["privacy"]],
            warnings=document["warnings"],
            summary=[*summary(outcome.manifest), *files(outcome.manifest, run)],
        )

    def _end(self, status: str, **result: Any) -> None:
        self._result |= result
        self._stage, self._share, self.status = "", None, status
        self._changed(self.document())
        self._ended(result.get("message") or f"{result['output']}: released and verified")

    def _show(self, stage: str, share: float | None) -> None:
        self._stage, self._share = stage, share
        self._changed(self.document())


def _check(check: Mapping[str, Any]) -> dict[str, Any]:
    """A verified requirement of a manifest, for the page."""
    return {"model": check_name(check), **{key: check.get(key) for key in ("column", "required", "achieved", "passed")}}


def command(source: str, job: str, output: str, run: Run) -> str:
    """The shell command that writes the same release."""
    options = [("--job", job), ("-o", output), ("--key-file", run.key_file), ("--register", run.register)]
    named = [word for option, value in options if value is not None for word in (option, str(value))]
    return shlex.join(["duckanon", "anonymize", source, *named])
