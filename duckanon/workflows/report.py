"""The report of a release, drawn again from what stands beside it."""

import json
from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.staging import Drafts
from duckanon.errors import JobError
from duckanon.job.options import Run
from duckanon.observers import Observer, Silent
from duckanon.release import manifest
from duckanon.release.saved_recoding import ASKED_JOB
from duckanon.reports.document.document import Accounted, account
from duckanon.reports.files import Reports, command
from duckanon.workflows import replay
from duckanon.workflows.replay import Reopened


def report(
    manifest_path: Path | str,
    output: Path | None = None,
    *,
    public: Path | None = None,
    public_manifest: Path | None = None,
    source: str | Source | None = None,
    comparison: Path | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
) -> list[Path]:
    """Writes the report of a release, and what may be published where `public` and `public_manifest` name it; gives what was written.

    Without a name the report stands beside the release, as OUTPUT.report.html. `comparison` is a file with the document of
    `compare`, whose trade-off the report then shows. The input is counted anew; `source` names it where it has moved. Raises
    `JobError` or `InputError` where the manifest, the release or the input is not what it was.
    """
    run = run or Run()
    reopened = replay.reopen(manifest.located(manifest_path), source, run)
    if output is None and public is None and public_manifest is None:
        output = reopened.release.with_name(f"{reopened.release.name}.report.html")
    reports = Reports(output, public, public_manifest)
    reports.check(reopened.requested, reopened.release, None, overwrite=run.overwrite)
    compared = None if comparison is None else _compared(comparison)
    document = accounted(reopened, run, observer or Silent()) | {"comparison": compared} if reports.has_pages else {}
    with Drafts(root=run.settings.temp_directory) as drafts:
        reports.write_manifest(reopened.manifest, drafts, overwrite=run.overwrite)
        reports.draw(document, drafts, overwrite=run.overwrite)
        drafts.publish()
    return reports.paths


def _compared(path: Path) -> dict[str, Any]:
    """The document of `duckanon compare --json`."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        is_one = isinstance(document, dict) and {"runs", "columns", "rows", "source"} <= document.keys()
    except FileNotFoundError as error:
        raise JobError(f"no such comparison: {str(path)!r}; write one with duckanon compare --json > {path.name}") from error
    except (OSError, ValueError):
        is_one = False
    if not is_one:
        raise JobError(f"{str(path)!r} is no comparison; write one with duckanon compare --json > {path.name}")
    return dict(document)


def accounted(reopened: Reopened, run: Run, observer: Observer) -> dict[str, Any]:
    """The account of a release that was opened again."""
    with DuckDBEngine(run.settings, observer) as engine:
        counted, decided, recoding = replay.recount(engine, reopened)
        visits = replay.visits_in(reopened.folder)
        job = (reopened.folder / ASKED_JOB).read_text(encoding="utf-8")
        run_again = command(reopened.manifest)
        return account(engine, Accounted(counted, decided, recoding, reopened.manifest, visits, job, run_again))
