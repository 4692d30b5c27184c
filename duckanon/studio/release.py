"""The section Run: the run that writes the release, in a thread of its own, its report, its attestation, the job file, and the equivalent command line."""

import asyncio
import os
import shlex
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from duckanon.dataset.destination import STANDARD_OUTPUT, beside
from duckanon.dataset.location import Source
from duckanon.engine.staging import StagedFiles
from duckanon.errors import DuckanonError, JobError, OutputError, internal_error
from duckanon.formatting import check_name
from duckanon.job import export
from duckanon.job.column import ColumnPlan
from duckanon.job.deidentification import MAKE_SIGNING_KEY
from duckanon.job.model import Job
from duckanon.job.options import Run
from duckanon.job.prepare import Prepared, check_unread
from duckanon.job.roles import Proposal
from duckanon.release import manifest
from duckanon.release.placement import intended_place
from duckanon.reports.summary import alternatives, files, summary
from duckanon.studio.security import REPORT_POLICY, body
from duckanon.workflows.anonymize import RunOutcome, carry_out
from duckanon.workflows.report import attest

if TYPE_CHECKING:
    from duckanon.studio.session import Studio


Show = Callable[[str, float | None], None]
"""Takes the title of a stage, empty after its end, and the share that is done, None if it is unknown."""

_SECONDS_BETWEEN = 0.1
_MOST_NOTES = 50
_REPORT_ENDING = ".report.html"
_CHOSEN = "chosen in the studio"


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
            summary=[*summary(outcome.manifest), *files(outcome.manifest, run), *alternatives(outcome.manifest)],
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


async def _show(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    return JSONResponse({**studio.release.document(), "places": _places(studio)})


async def _start(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    content = await body(request, output=str, report=bool, overwrite=bool)
    output = content["output"].strip()
    if studio.release.status == "running":
        raise JobError("a run is under way; wait for its end, or stop it")
    if output in ("", STANDARD_OUTPUT):
        raise JobError("the release needs a file; name a Parquet or CSV file")
    studio.files.check()
    prepared = studio.prepared_job(studio.state.job)
    if not prepared.job.of_role("quasi-identifier"):
        raise JobError("no column is a quasi-identifier; give at least one column this role in the section Table")
    place = intended_place(prepared, output)
    report = beside(place.path, _REPORT_ENDING) if content["report"] and place.path is not None else None
    for path in (place.path, report):
        if path is not None:
            _check_free(path, overwrite=content["overwrite"])
    studio.release.start(prepared, output, replace(studio.run, report=report, overwrite=content["overwrite"]))
    return JSONResponse(studio.release.document())


async def _stop(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    studio.release.stop()
    return JSONResponse(studio.release.document())


async def _report(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    path = studio.release.report
    if path is None or not path.is_file():
        raise JobError("the studio has no report; run with a report first")
    return HTMLResponse(path.read_text(encoding="utf-8"), headers={"Content-Security-Policy": REPORT_POLICY})


async def _sign(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    content = await body(request, key=str, overwrite=bool)
    if studio.release.manifest is None:
        raise JobError("there is no release to sign; run first")
    if not content["key"].strip():
        raise JobError(f"name the file of an Ed25519 private key in PEM; make one with: {MAKE_SIGNING_KEY}")
    sign = partial(attest, studio.release.manifest, Path(content["key"].strip()).expanduser(), overwrite=content["overwrite"])
    return JSONResponse({"attestation": str(await asyncio.to_thread(sign))})


async def _save(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    content = await body(request, path=str, overwrite=bool)
    if not content["path"].strip():
        raise JobError("name the job file, such as job.yaml")
    path = Path(content["path"].strip()).expanduser()
    prepared = studio.prepared_job(studio.state.job)
    if path.suffix not in (".yaml", ".yml"):
        raise JobError(f"job file {str(path)!r} is no YAML file by its name; end it in .yaml")
    if not path.absolute().parent.is_dir() or path.is_dir():
        raise OutputError(
            f"job file {str(path)!r} is a folder, or its folder does not exist; name a file in a folder that exists"
        )
    # a job file that the studio began with may be replaced by its own next version
    check_unread(replace(prepared, file=None), path, f"job file {str(path)!r}")
    _check_free(path, overwrite=content["overwrite"])
    text = _text(studio, prepared, path.absolute().parent)
    with StagedFiles(root=studio.run.settings.temp_directory) as staged:
        staged.write(path, text, overwrite=content["overwrite"], is_private=True)
        staged.publish()
    studio.job_file = path
    return JSONResponse(
        {"path": str(path), "command": command(prepared.source.name, str(path), _places(studio)["output"], studio.run)}
    )


async def _command(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    content = await body(request, job=dict, output=str)
    prepared = studio.prepared_job(content["job"])
    places = _places(studio)
    output = content["output"].strip() or places["output"]
    line = command(prepared.source.name, places["job"], output, studio.run)
    return JSONResponse({"command": line, "yaml": _text(studio, prepared, Path().absolute())})


def _text(studio: "Studio", prepared: Prepared, folder: Path) -> str:
    if studio.proposal is None:
        raise JobError("the input is not open yet")
    return job_text(prepared.job, studio.proposal, studio.prepared.source, folder)


def _places(studio: "Studio") -> dict[str, Any]:
    """The usual names of the release and of the job file, and the folder that names start from."""
    try:
        output = intended_place(studio.prepared, None).name
    except JobError:
        # several files together have no name of their own
        output = f"release{studio.prepared.source.ending}"
    job = studio.job_file or Path(output).with_name(f"{studio.prepared.source.stem or 'release'}.job.yaml")
    return {"output": output, "job": str(job), "folder": str(Path().absolute())}


def _check_free(path: Path, *, overwrite: bool) -> None:
    """Raise `OutputError` if a file exists that may not be replaced."""
    if path.exists() and not overwrite:
        raise OutputError(f"{str(path)!r} exists; choose to replace it, or name another file")


def job_text(job: Job, proposal: Proposal, source: Source, folder: Path) -> str:
    """The text of the job file in a folder. The comment of a column says why it has its role."""
    plans = {name: _moved(plan, folder) for name, plan in job.columns.items()}
    recoding = job.recoding.model_copy(update={"partitions": _from(job.recoding.partitions, folder)})
    moved = job.model_copy(update={"columns": plans, "recoding": recoding, "population": _from(job.population, folder)})
    return export.text(moved, export.comments(proposal, _reasons(job, proposal), {}), source, folder)


def _reasons(job: Job, proposal: Proposal) -> Mapping[str, str]:
    """The reasons of roles that differ from the proposal."""
    roles = {name: plan.role for name, plan in job.columns.items()}
    return {
        column.name: _CHOSEN for column in proposal.columns if roles.get(column.name, "dropped") != export.named_role(column)
    }


def _moved(plan: ColumnPlan, folder: Path) -> ColumnPlan:
    """The plan, with its hierarchy named from a folder if it is a file."""
    hierarchy: Any = plan.hierarchy
    if isinstance(hierarchy, str):
        hierarchy = _from(hierarchy, folder)
    elif (file := getattr(hierarchy, "file", None)) is not None:
        hierarchy = hierarchy.model_copy(update={"file": Path(os.path.relpath(file, folder))})
    return plan.model_copy(update={"hierarchy": hierarchy})


def _from(name: str | None, folder: Path) -> str | None:
    """An absolute path as it is named from a folder; other names stay."""
    return os.path.relpath(name, folder) if name is not None and Path(name).is_absolute() else name


ROUTES = [
    Route("/api/run", _show),
    Route("/api/run", _start, methods=["POST"]),
    Route("/api/run/stop", _stop, methods=["POST"]),
    Route("/report", _report),
    Route("/api/sign", _sign, methods=["POST"]),
    Route("/api/job/save", _save, methods=["POST"]),
    Route("/api/command", _command, methods=["POST"]),
]
