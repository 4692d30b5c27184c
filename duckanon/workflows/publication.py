"""The end of a run: its manifest, its companions and its reports, which get their names together with the release."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duckanon.dataset import destination
from duckanon.engine.protocol import Engine
from duckanon.engine.staging import Drafts
from duckanon.job import export
from duckanon.job.model import ROWS
from duckanon.release import earlier_releases, manifest, manifest_content, saved_recoding, workspace
from duckanon.release import write as release_write
from duckanon.release.manifest_model.document import Manifest
from duckanon.release.manifest_model.files import OutputFile, SavedFolder
from duckanon.release.placement import JOB_ENDING, RECODING_ENDING
from duckanon.release.suppressed_values import Losses
from duckanon.reports.document.document import Accounted, account
from duckanon.reports.files import command
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult
from duckanon.signals import undisturbed
from duckanon.workflows.replay import visits_in
from duckanon.workflows.step_results import Choice, Verified, Written
from duckanon.workflows.task import Task


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
    """The manifest of a run as far as it has come."""
    source = task.prepared.source.name
    return manifest_content.compose(
        status, source, counted, result, task.clock.seconds, task.observer.warnings, risk, withheld, losses
    )


def keep(engine: Engine, task: Task, counted: Counted, result: SearchResult, content: Manifest) -> Manifest:
    """Complete the workspace, where one is kept, with what was decided outside the database."""
    path = task.run.settings.workspace
    if path is not None:
        workspace.load(engine, counted, result, content, all_losses=task.run.all_nodes)
        engine.keep()
        task.observer.note(f"the workspace {str(path)!r} holds original values: keep it where the input may lie")
    return content


def warn_of_other_recodings(task: Task, choice: Choice) -> None:
    """Warn where an earlier release of the same input, in the same folder, is recoded in another way."""
    if task.place.path is None:
        return
    fingerprint = manifest_content.input_of("", choice.counted).fingerprint
    if beside := earlier_releases.releases_beside(task.place.path, fingerprint):
        content = document("released", task, choice.counted, choice.result, risk=choice.risk, withheld=choice.withheld)
        if line := earlier_releases.caution(beside, content, is_applied=choice.counted.is_applied):
            task.observer.warn(line)


def publish(engine: Engine, task: Task, choice: Choice, written: Written, verified: Verified, drafts: Drafts) -> Manifest:
    """Give the verified release its name, together with its manifest, saved recoding, job file and reports; gives the manifest."""
    counted, result, recoding = choice.counted, choice.result, choice.recoding
    path, overwrite, has_workspace = task.place.path, task.run.overwrite, task.run.settings.workspace is not None
    content = _released(task, choice, written, verified)
    if path is None:
        _pass_on(task, written.draft)
        return keep(engine, task, counted, result, content)
    folder = destination.beside(path, RECODING_ENDING)
    recoding_draft = drafts.of(folder, overwrite=True)
    fingerprint = saved_recoding.write(engine, recoding_draft, counted, result, task.prepared.source, folder)
    content = content.having(frozen=SavedFolder(path=folder.name, sha256=fingerprint))
    if counted.proposal is not None:
        job_path = destination.beside(path, JOB_ENDING)
        drafts.write(job_path, _explicit_job(task, counted, path), overwrite=overwrite, is_private=True)
        content = content.having(job=job_path.name)
    sealed = manifest.sealed_release(content)
    task.reports.write_manifest(sealed, drafts, overwrite=overwrite)
    if task.reports.has_pages:
        requested_job = (recoding_draft / saved_recoding.ASKED_JOB).read_text(encoding="utf-8")
        run = Accounted(counted, result, recoding, sealed, visits_in(recoding_draft), requested_job, command(sealed))
        # a search for other requirements would make the kept relations of regions anew
        may_search = not (has_workspace and recoding.is_regional)
        task.reports.draw(account(engine, run, may_search=may_search), drafts, overwrite=overwrite)
    with undisturbed():
        drafts.write(manifest.path_for(path), manifest.dumps(sealed.document()) + "\n", overwrite=True, is_private=True)
        engine.detach(release_write.DATABASE)
        drafts.publish()
        if has_workspace:
            release_write.open_release(engine, recoding, path, task.place.form)
        return keep(engine, task, counted, result, sealed)


def _released(task: Task, choice: Choice, written: Written, verified: Verified) -> Manifest:
    """The manifest of a verified release, with the figures of the file."""
    counted = choice.counted
    content = document(
        "released", task, counted, choice.result, risk=verified.risk, withheld=choice.withheld, losses=verified.losses
    )
    content = manifest_content.with_linkages(manifest_content.with_totals(content, verified.totals), verified.linkages)
    output = OutputFile(path=task.place.name, sha256=destination.settle(written.draft))
    return content.having(written=verified.columns, output=output)


def _pass_on(task: Task, draft: Path) -> None:
    """Standard output gets the verified release, and nothing beside it."""
    if task.run.standard_output is not None:
        with draft.open("rb") as file:
            shutil.copyfileobj(file, task.run.standard_output)
        task.run.standard_output.flush()


def _explicit_job(task: Task, counted: Counted, output: Path) -> str:
    return export.text(
        counted.job.model_copy(update={"entity": counted.job.entity or ROWS}),
        manifest_content.reasons(counted),
        task.prepared.source,
        output.parent,
        output=task.place.name.removeprefix(f"{output.parent}/"),
        chosen=[qi for qi in counted.plan.quasi_identifiers if counted.job.columns[qi.name].hierarchy is None],
    )
