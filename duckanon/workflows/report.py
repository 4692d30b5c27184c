"""Write the report of a release from the files beside it, and sign an attestation."""

import json
from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.staging import StagedFiles
from duckanon.errors import JobError, OutputError
from duckanon.job.merge import ASSUMED_ANY
from duckanon.job.options import Run
from duckanon.observers import Observer, Silent
from duckanon.release import attestation, manifest, saved_recoding
from duckanon.release.manifest_model.document import ReleaseManifest
from duckanon.release.placement import companions
from duckanon.release.saved_recoding import ASKED_JOB
from duckanon.release.suppressed_values import suppressed_values
from duckanon.reports.document import ReportedRun, report_document
from duckanon.reports.files import Reports, check_place, command
from duckanon.reports.publication import public_manifest
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


def accounted(reopened: Reopened, run: Run, observer: Observer, *, may_search: bool = True) -> dict[str, Any]:
    """The report document of a reopened release; see `report_document`."""
    with DuckDBEngine(run.settings, observer) as engine:
        counted, decided, recoding = replay.recount(engine, reopened)
        losses = suppressed_values(engine, counted, decided, recoding)
        visits = replay.visits_in(reopened.folder)
        job = (reopened.folder / ASKED_JOB).read_text(encoding="utf-8")
        reported = ReportedRun(counted, decided, recoding, losses, reopened.manifest, visits, job, command(reopened.manifest))
        return report_document(engine, reported, may_search=may_search)


def attest(manifest_path: Path | str, key: Path | str, output: Path | str | None = None, *, overwrite: bool = False) -> Path:
    """Write a signed attestation of a release: what was required, and that the file was verified. Returns its path.

    `key` is an Ed25519 private key in PEM, which only its owner can read. Without a name the attestation is
    OUTPUT.attestation.json beside the release. Raises `JobError` or `InputError` if the manifest or the release was changed, or
    the policy of the release has expired. Needs `pip install 'duckanon[attest]'`.
    """
    path, key = manifest.located(manifest_path), Path(key)
    released = manifest.read(path, ReleaseManifest)
    release = manifest.released_file(path, released.output)
    if saved_recoding.assumes_any(released, path):
        raise JobError(ASSUMED_ANY.partition(", or accept")[0])
    if released.policy_file is not None and (expiry := released.policy_file.expiry) is not None:
        raise JobError(expiry)
    target = attestation.path_for(released, path) if output is None else Path(output)
    taken = {file.resolve() for file in (*companions(release), path, key)}
    if taken & {target.resolve(), *target.resolve().parents}:
        raise OutputError(f"attestation {str(target)!r} is a file of the release or the key; name another file")
    check_place(target, overwrite=overwrite)
    about = attestation.statement(released, public_manifest(released.document()), path.read_bytes())
    envelope = attestation.signed(about, key)
    with StagedFiles() as staged:
        staged.write(target, manifest.dumps(envelope) + "\n", overwrite=overwrite)
        staged.publish()
    return target
