"""The section Run: the release, its report, its attestation, the job file, and the equivalent command line."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from duckanon.dataset.destination import STANDARD_OUTPUT, beside
from duckanon.dataset.location import Source
from duckanon.engine.staging import StagedFiles
from duckanon.errors import JobError, OutputError
from duckanon.job import export
from duckanon.job.column import ColumnPlan
from duckanon.job.deidentification import MAKE_SIGNING_KEY
from duckanon.job.model import Job
from duckanon.job.prepare import Prepared, check_unread
from duckanon.job.roles import Proposal
from duckanon.release.placement import intended_place
from duckanon.studio.release_run import command
from duckanon.studio.security import REPORT_POLICY, body
from duckanon.studio.session import Studio
from duckanon.workflows.report import attest

_REPORT_ENDING = ".report.html"


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


def _text(studio: Studio, prepared: Prepared, folder: Path) -> str:
    if studio.proposal is None:
        raise JobError("the input is not open yet")
    return job_text(prepared.job, studio.proposal, studio.prepared.source, folder)


def _places(studio: Studio) -> dict[str, Any]:
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


ROUTES = [
    Route("/api/run", _show),
    Route("/api/run", _start, methods=["POST"]),
    Route("/api/run/stop", _stop, methods=["POST"]),
    Route("/report", _report),
    Route("/api/sign", _sign, methods=["POST"]),
    Route("/api/job/save", _save, methods=["POST"]),
    Route("/api/command", _command, methods=["POST"]),
]


_CHOSEN = "chosen in the studio"


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
        return plan.model_copy(update={"hierarchy": _from(hierarchy, folder)})
    file = getattr(hierarchy, "file", None)
    return (
        plan
        if file is None
        else plan.model_copy(update={"hierarchy": hierarchy.model_copy(update={"file": Path(_relative(file, folder))})})
    )


def _from(name: str | None, folder: Path) -> str | None:
    """An absolute path as it is named from a folder; other names stay."""
    return _relative(name, folder) if name is not None and Path(name).is_absolute() else name


def _relative(path: Path | str, folder: Path) -> str:
    return os.path.relpath(path, folder)
