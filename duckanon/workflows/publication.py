"""The end of a run: move the release, its manifest, its saved recoding and its reports into place together."""

import shutil
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from duckanon.checks import policy
from duckanon.dataset import destination
from duckanon.engine.protocol import Engine
from duckanon.engine.staging import StagedFiles
from duckanon.errors import DuckanonError, OutputError
from duckanon.job import export
from duckanon.job.model import ROWS
from duckanon.job.roles import Proposal
from duckanon.release import earlier_releases, manifest, manifest_content, saved_recoding, workspace
from duckanon.release import write as release_write
from duckanon.release.manifest_model.document import Manifest, ReleaseManifest
from duckanon.release.manifest_model.files import OutputFile, SavedFolder
from duckanon.release.placement import JOB_ENDING, RECODING_ENDING
from duckanon.release.suppressed_values import Losses
from duckanon.reports.document import ReportedRun, report_document
from duckanon.reports.files import command
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult
from duckanon.signals import block_signals
from duckanon.workflows.registration import Admission
from duckanon.workflows.replay import visits_in
from duckanon.workflows.task import Choice, Task, Verified, Written


def document(
    status: str,
    task: Task,
    counted: Counted,
    result: SearchResult,
    *,
    risk: Mapping[str, Any] | None = None,
    withheld: Mapping[str, Any] | None = None,
    losses: Losses | None = None,
) -> Manifest:
    """The manifest of a run at its current step."""
    source = task.prepared.source.name
    return manifest_content.compose(
        status, source, counted, result, task.clock.seconds, task.observer.warnings, risk, withheld, losses
    )


def keep(engine: Engine, task: Task, counted: Counted, result: SearchResult, content: Manifest) -> Manifest:
    """Add the results from outside the database to the workspace, if the run keeps one."""
    path = task.run.settings.workspace
    if path is not None:
        workspace.load(engine, counted, result, content, all_losses=task.prepared.job.recoding.all_nodes)
        engine.keep()
        task.observer.note(f"the workspace {str(path)!r} contains original values: keep it as safe as the input")
    return content


def warn_of_other_recodings(task: Task, choice: Choice, registered: Collection[Path]) -> None:
    """Warn if an earlier release of the same input, in the same folder, uses another recoding and is not registered."""
    if task.place.path is None:
        return
    fingerprint = manifest_content.input_of("", choice.counted).fingerprint
    beside = earlier_releases.releases_beside(task.place.path, fingerprint)
    folder = task.place.path.absolute().parent
    beside = {name: release for name, release in beside.items() if folder / name not in registered}
    if beside:
        content = document("released", task, choice.counted, choice.result, risk=choice.risk, withheld=choice.withheld)
        if line := earlier_releases.caution(beside, content, is_applied=choice.counted.is_applied):
            task.observer.warn(line)


def publish(
    engine: Engine, task: Task, admission: Admission, written: Written, verified: Verified, staged: StagedFiles
) -> Manifest:
    """Move the verified release, its manifest, saved recoding, job file and reports into place; return the manifest."""
    choice = admission.choice
    counted, result, recoding = choice.counted, choice.result, choice.recoding
    path, overwrite, has_workspace = task.place.path, task.run.overwrite, task.run.settings.workspace is not None
    content = admission.described(_released(task, choice, written, verified))
    if counted.job.policy is not None:
        policy.refuse(counted.job.policy, content, [column.name for column in recoding.file_columns])
    if path is None:
        _pass_on(task, written.draft)
        return keep(engine, task, counted, result, content)
    folder = destination.beside(path, RECODING_ENDING)
    recoding_draft = staged.of(folder, overwrite=True)
    fingerprint = saved_recoding.write(engine, recoding_draft, counted, result, task.prepared.source, folder, recoding.ranged)
    content = content.having(saved_recoding=SavedFolder(path=folder.name, sha256=fingerprint))
    if counted.proposal is not None:
        job_path = destination.beside(path, JOB_ENDING)
        staged.write(
            job_path, _explicit_job(task, counted, counted.proposal, path, verified), overwrite=overwrite, is_private=True
        )
        content = content.having(job=job_path.name)
    sealed = manifest.of_release(content)
    task.reports.write_manifest(sealed, staged, overwrite=overwrite)
    failure = _draw_reports(engine, task, choice, verified, sealed, staged, recoding_draft) if task.reports.has_pages else None
    admission.keep(engine, recoding_draft)
    with block_signals():
        staged.write(manifest.path_for(path), manifest.dumps(sealed.document()) + "\n", overwrite=True, is_private=True)
        engine.detach(release_write.DATABASE)
        with admission.registered(task, sealed, manifest.path_for(path)):
            staged.publish()
        if has_workspace:
            release_write.open_release(engine, recoding, path, task.place.form)
        kept = keep(engine, task, counted, result, sealed)
    if failure is not None:
        reason = failure if isinstance(failure, DuckanonError) else type(failure).__name__
        raise OutputError(
            f"release {str(path)!r} is verified and written, but its report could not be made ({reason}); "
            f"make it with: {task.reports.command(manifest.path_for(path), overwrite=overwrite)}"
        ) from failure
    return kept


def _draw_reports(
    engine: Engine, task: Task, choice: Choice, verified: Verified, sealed: ReleaseManifest, staged: StagedFiles, folder: Path
) -> Exception | None:
    """Stage the reports; return the error if this fails, because the verified release must not be lost."""
    recoding, has_workspace = choice.recoding, task.run.settings.workspace is not None
    try:
        job = (folder / saved_recoding.ASKED_JOB).read_text(encoding="utf-8")
        visits, again = visits_in(folder), command(sealed)
        run = ReportedRun(choice.counted, choice.result, recoding, verified.losses, sealed, visits, job, again)
        # a search for other requirements would overwrite the relations of regions in the workspace
        document = report_document(engine, run, may_search=not (has_workspace and recoding.is_regional))
        task.reports.draw(document, staged, overwrite=task.run.overwrite)
    except Exception as failure:
        return failure
    return None


def _released(task: Task, choice: Choice, written: Written, verified: Verified) -> Manifest:
    """The manifest of a verified release, with the figures of the file."""
    counted = choice.counted
    content = document(
        "released", task, counted, choice.result, risk=verified.risk, withheld=choice.withheld, losses=verified.losses
    )
    content = manifest_content.with_linkages(manifest_content.with_totals(content, verified.totals), verified.linkages)
    content = manifest_content.with_possible(content, verified.possible)
    output = OutputFile(path=task.place.name, sha256=destination.file_sha256(written.draft))
    ranges = {column.name: column.document() for column in choice.recoding.ranged}
    return content.having(written=verified.columns, output=output, **({"ranges": ranges} if ranges else {}))


def _pass_on(task: Task, draft: Path) -> None:
    """Write the verified release, without other files, to standard output."""
    if task.run.standard_output is not None:
        with draft.open("rb") as file:
            shutil.copyfileobj(file, task.run.standard_output)
        task.run.standard_output.flush()


def _explicit_job(task: Task, counted: Counted, proposal: Proposal, output: Path, verified: Verified) -> str:
    return export.text(
        counted.job.model_copy(update={"entity": counted.job.entity or ROWS}),
        export.comments(
            proposal,
            manifest_content.reasons(counted),
            {name: some[:2] for name, some in (verified.columns.labels or {}).items()},
        ),
        task.prepared.source,
        output.parent,
        output=task.place.name.removeprefix(f"{output.parent}/"),
        chosen=[qi for qi in counted.plan.quasi_identifiers if counted.job.columns[qi.name].hierarchy is None],
    )
