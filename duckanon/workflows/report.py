"""Write the report of a release from the files beside it."""

import json
from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.staging import StagedFiles
from duckanon.errors import JobError
from duckanon.job.options import Run
from duckanon.observers import Observer, Silent
from duckanon.release import manifest
from duckanon.release.saved_recoding import ASKED_JOB
from duckanon.release.suppressed_values import suppressed_values
from duckanon.reports.document import ReportedRun, report_document
from duckanon.reports.files import Reports, command
from duckanon.workflows import replay
from duckanon.workflows.replay import Reopened


def report(
    manifest_path: Path | str,
    output: Path | str | None = None,
    *,
    public: Path | str | None = None,
    public_manifest: Path | str | None = None,
    source: str | Source | None = None,
    comparison: Path | str | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
) -> list[Path]:
    """Write the report of a release, and the public report and manifest if `public` and `public_manifest` name files.

    Returns the written files. Without a name the report is OUTPUT.report.html beside the release. `comparison` is a file with
    the document of `compare`; the report then shows its trade-off. The input is counted again; `source` names it if it has
    moved. Raises `JobError` or `InputError` if the manifest, the release or the input was changed.
    """
    run = run or Run()
    output, public, public_manifest, comparison = map(_path, (output, public, public_manifest, comparison))
    reopened = replay.reopen(manifest.located(manifest_path), source, run)
    if output is None and public is None and public_manifest is None:
        output = reopened.release.with_name(f"{reopened.release.name}.report.html")
    reports = Reports(output, public, public_manifest)
    reports.check(reopened.requested, reopened.release, [comparison], overwrite=run.overwrite)
    compared = None if comparison is None else _compared(comparison)
    document = accounted(reopened, run, observer or Silent()) | {"comparison": compared} if reports.has_pages else {}
    with StagedFiles(root=run.settings.temp_directory) as staged:
        reports.write_manifest(reopened.manifest, staged, overwrite=run.overwrite)
        reports.draw(document, staged, overwrite=run.overwrite)
        staged.publish()
    return reports.paths


def _path(given: Path | str | None) -> Path | None:
    return None if given is None else Path(given)


def _compared(path: Path) -> dict[str, Any]:
    """The document of `duckanon compare --json`."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        is_comparison = isinstance(document, dict) and {"runs", "columns", "rows", "source"} <= document.keys()
    except FileNotFoundError as error:
        raise JobError(f"no such comparison: {str(path)!r}; write one with duckanon compare --json > {path.name}") from error
    except (OSError, ValueError):
        is_comparison = False
    if not is_comparison:
        raise JobError(f"{str(path)!r} is not a comparison; write one with duckanon compare --json > {path.name}")
    return dict(document)


def accounted(reopened: Reopened, run: Run, observer: Observer) -> dict[str, Any]:
    """The report document of a reopened release."""
    with DuckDBEngine(run.settings, observer) as engine:
        counted, decided, recoding = replay.recount(engine, reopened)
        losses = suppressed_values(engine, counted, decided, recoding)
        visits = replay.visits_in(reopened.folder)
        job = (reopened.folder / ASKED_JOB).read_text(encoding="utf-8")
        reported = ReportedRun(counted, decided, recoding, losses, reopened.manifest, visits, job, command(reopened.manifest))
        return report_document(engine, reported)
