"""The steps of a run, in order: count, search, write, verify."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon.dataset import destination
from duckanon.dataset.destination import Destination
from duckanon.engine.opening import open_engine
from duckanon.engine.protocol import Engine, Step
from duckanon.engine.staging import Drafts
from duckanon.errors import Infeasible, JobError, VerificationFailed
from duckanon.formatting import in_rows
from duckanon.job import deidentification, export, prepare
from duckanon.job.model import ROWS
from duckanon.job.options import Options
from duckanon.job.prepare import Prepared, Run
from duckanon.observers import Observer, Remembering, Silent
from duckanon.release import (
    earlier_releases,
    linkage,
    manifest,
    manifest_content,
    placement,
    retained_columns,
    saved_recoding,
    similar_values,
    verify,
    workspace,
    write,
)
from duckanon.release.manifest import Manifest
from duckanon.release.placement import JOB_ENDING, RECODING_ENDING
from duckanon.release.recoding.base import Recoding
from duckanon.release.recoding.build import recoding_of
from duckanon.release.risk_summary import exposure, with_file
from duckanon.release.suppressed_values import Losses, refuse_unprotected, suppressed_values
from duckanon.release.written_columns import written_columns
from duckanon.reports.document.document import Accounted, account
from duckanon.reports.files import Reports, command
from duckanon.search import count, result
from duckanon.search.count import Counted
from duckanon.search.remedies import remedies
from duckanon.search.result import Decided
from duckanon.signals import undisturbed
from duckanon.workflows.clock import Clock
from duckanon.workflows.replay import visits_in


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    manifest: Manifest
    place: Destination
    """Where the release lies, unless nothing was to be written."""
    columns: Sequence[str]
    """The released ones, in the order of the file."""
    steps: Sequence[Step]
    """The statements that ran, in order."""


def anonymize(
    source: Path | str | None = None,
    output: Path | str | None = None,
    *,
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
) -> Manifest:
    """Writes a release of `source` that keeps what the job asks for, verified on the written file.

    Where no quasi-identifier is named, the columns are profiled, every role is guessed, and the job
    file is written beside the output. Gives the manifest. Raises `Infeasible` where no recoding
    keeps within the limits, `VerificationFailed` where the written file does not keep the promise
    (it is removed), and another `DuckanonError` for what is wrong with the job, the input or the output.
    """
    run = run or Run()
    return carry_out(prepare.prepare(source, job, options or Options(), run), output, run, observer).manifest


def apply(
    manifest_path: Path | str,
    source: Path | str,
    output: Path | str | None = None,
    *,
    options: Options | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
) -> Manifest:
    """Writes a release of other data by the frozen recoding of an earlier one; raises as `anonymize` does.

    Levels and hierarchies are the same; which classes are suppressed is decided anew. Rows with a
    value that the recoding does not cover are left out and told as `drift`.
    """
    run = run or Run()
    prepared = prepare.prepare(source, saved_recoding.find(Path(manifest_path)), options or Options(), run)
    return carry_out(prepared, output, run, observer, is_frozen=True).manifest


def carry_out(
    prepared: Prepared, output: Path | str | None, run: Run, observer: Observer | None = None, *, is_frozen: bool = False
) -> Outcome:
    """Carries a checked job out; `is_frozen`: on other data than those that it was decided on."""
    return _Pipeline(prepared, output, run, observer, is_frozen=is_frozen).outcome()


class _Pipeline:
    """One run, from a checked job to a manifest."""

    def __init__(
        self,
        prepared: Prepared,
        output: Path | str | None,
        run: Run,
        observer: Observer | None,
        *,
        is_frozen: bool,
    ) -> None:
        self._prepared, self._run, self._is_frozen = prepared, run, is_frozen
        self._listener, self._clock = Remembering(observer or Silent()), Clock()
        self._place = placement.place(prepared, output, run)
        self._reports = Reports(run.report, run.public_report, run.public_manifest)
        if self._reports and run.dry_run:
            raise JobError("a report or a public manifest tells of a release, and --dry-run makes none; leave out one of them")
        self._reports.check(prepared, self._place.path, run.settings.workspace, overwrite=run.overwrite)
        self._risk: dict[str, Any] = {}
        self._withheld: dict[str, Any] = {}
        self._losses: Losses | None = None
        self._columns: Sequence[str] = ()
        self._key = None if run.dry_run else deidentification.key_of(prepared.job, run.key_file, self._listener)

    def outcome(self) -> Outcome:
        with open_engine(self._run.settings, self._listener, self._shared()) as engine:
            told = self._carried_out(engine)
            return Outcome(told, self._place, self._columns, engine.steps)

    def _carried_out(self, engine: Engine) -> Manifest:
        self._confine(engine)
        with self._clock.of("count"):
            counted = count.count(engine, self._prepared, self._listener, is_frozen=self._is_frozen)
            deidentification.check(engine, counted.job, counted.plan.treatments, counted.columns, self._listener)
            if self._is_frozen and counted.job.is_keyed and not self._prepared.names_release:
                self._listener.warn(
                    f"pseudonyms and shifted dates are made for {counted.job.release!r} again: who has the earlier release too joins the two by them; "
                    "where this is no further table of it, name another with --release"
                )
        retained_columns.refuse_lookalikes(engine, counted)
        similar_values.warn_of_spellings(engine, counted, self._listener)
        if self._reports.has_pages and engine.is_away("combinations"):
            raise JobError(
                "a report is made of the combinations at home, and they are more than --collect-limit lets come; raise it, or leave the report out"
            )
        with self._clock.of("search"):
            decided = result.decide(engine, counted, all_nodes=self._run.all_nodes)
        if not decided.is_found:
            self._risk = exposure(engine, counted, decided)
            reason = decided.advice(counted.outside, is_frozen=self._is_frozen)
            ways = remedies(engine, counted, decided, is_frozen=self._is_frozen)
            told = self._kept(engine, counted, decided, self._document("infeasible", counted, decided))
            raise Infeasible(f"{reason}; {ways}", told)
        with self._clock.of("search"):
            try:
                retained_columns.refuse_undetermined(engine, counted, is_frozen=self._is_frozen)
                counted = retained_columns.without_giveaways(
                    engine, counted, decided, self._listener, named=self._prepared.job.columns, is_frozen=self._is_frozen
                )
            except Infeasible as failure:
                failure.manifest = self._kept(engine, counted, decided, self._document("infeasible", counted, decided))
                raise
        recoding = recoding_of(decided, counted)
        listed = recoding.listed_statements() if self._run.settings.workspace is not None else []
        for statement in [*recoding.class_statements(), *listed]:
            engine.create_table(statement)
        with self._clock.of("search"):
            self._risk = exposure(engine, counted, decided)
        for statement in [] if self._run.dry_run else recoding.aggregate_statements():
            engine.create_table(statement, stage="aggregating by class")
        if recoding.aggregates and not self._run.dry_run:
            self._withheld = self._read_withheld(engine, recoding)
        if self._run.dry_run:
            self._look_at_losses(engine, counted, decided, recoding)
            return self._kept(engine, counted, decided, self._document("dry-run", counted, decided))
        self._warn_of_other_recodings(counted, decided)
        return self._released(engine, counted, decided, recoding)

    def _read_withheld(self, engine: Engine, recoding: Recoding) -> dict[str, Any]:
        """The classes that show no figure of a column, and their rows, by the name of the column; warns of them."""
        [counts] = engine.query(recoding.withheld_statement)
        k = recoding.requirement.k
        fewer = f"fewer than {k.k:,}" if k.k_column is None else "too few"
        who = "rows" if k.entity is None else "persons"
        found = {}
        for aggregate, classes, rows in zip(recoding.aggregates, counts[::2], counts[1::2], strict=True):
            if classes:
                found[aggregate.name] = {"classes": classes, "rows": rows}
                self._listener.warn(
                    f"{aggregate.name!r} shows no {aggregate.function} in {classes:,} of the classes ({in_rows(rows)}): {fewer} {who} of each have a value"
                )
        return found

    def _look_at_losses(self, engine: Engine, counted: Counted, decided: Decided, recoding: Recoding) -> None:
        self._losses = suppressed_values(engine, counted, decided, recoding)
        refuse_unprotected(self._losses)
        self._losses.warn(self._listener)

    def _warn_of_other_recodings(self, counted: Counted, decided: Decided) -> None:
        if self._place.path is None:
            return
        beside = earlier_releases.releases_beside(self._place.path, manifest_content.input_of("", counted)["fingerprint"])
        if beside and (
            line := earlier_releases.caution(beside, self._document("released", counted, decided), is_frozen=self._is_frozen)
        ):
            self._listener.warn(line)

    def _shared(self) -> Path:
        """A folder that the workers of a cluster see: the release is written there."""
        return (self._place.path or Path()).absolute().parent

    def _confine(self, engine: Engine) -> None:
        """Lets the database open what the run reads and writes, and nothing else that a file might name."""
        path = self._place.path
        if path is not None and not self._run.dry_run:
            engine.scratch.home_for(path, is_beside=self._place.form.has_parts)
        engine.confine([*self._prepared.files, *([] if path is None else [path])])

    def _released(self, engine: Engine, counted: Counted, decided: Decided, recoding: Recoding) -> Manifest:
        place, overwrite = self._place, self._run.overwrite
        figures = decided.figures
        self._columns = [column.name for column in recoding.columns]
        with Drafts(engine.scratch) as drafts:
            path = place.path
            draft = (
                engine.scratch.path / "release.csv"
                if path is None
                else drafts.of(path, overwrite=overwrite, is_beside=place.form.has_parts)
            )
            bound = deidentification.bound(counted.plan.treatments, self._key, counted.job.release)
            with self._clock.of("write"):
                write.write(
                    engine,
                    recoding,
                    draft,
                    place,
                    suppresses=figures.suppressed > 0,
                    shuffle=counted.job.output.shuffle,
                    bound=bound,
                )
            try:
                with self._clock.of("verify"):
                    rows = figures.rows if recoding.stars else figures.released
                    totals = verify.verify(engine, recoding, draft, place.form, rows, bound=bound)
                    k = counted.plan.requirement.k.k
                    linked = linkage.linkages(engine, recoding, k)
                    if not counted.job.linkable:
                        linkage.refuse_linked(linked, k)
                    similar_values.warn_of_numbers(engine, counted, recoding, self._listener)
                    self._look_at_losses(engine, counted, decided, recoding)
                    written = written_columns(engine, counted, recoding, totals)
                    written.warn(self._listener)
            except VerificationFailed as failure:
                failure.manifest = self._kept(engine, counted, decided, self._document("verification-failed", counted, decided))
                raise
            self._risk = with_file(engine, counted, self._risk)
            released = manifest_content.with_totals(self._document("released", counted, decided), totals)
            released = manifest_content.with_linkages(released, linked, k) | {"written": written.told()}
            released["output"] = {"path": place.name, "sha256": destination.settle(draft)}
            if path is None:
                return self._passed_on(engine, counted, decided, draft, released)
            folder = destination.beside(path, RECODING_ENDING)
            frozen_draft = drafts.of(folder, overwrite=True)
            fingerprint = saved_recoding.write(engine, frozen_draft, counted, decided, self._prepared.source, folder)
            released["frozen"] = {"path": folder.name, "sha256": fingerprint}
            if counted.proposal is not None:
                drafts.write(
                    destination.beside(path, JOB_ENDING),
                    self._explicit_job(counted, path),
                    overwrite=overwrite,
                    is_private=True,
                )
                released["job"] = f"{path.name}{JOB_ENDING}"
            released = manifest.sealed(released)
            self._reports.write_manifest(released, drafts, overwrite=overwrite)
            if self._reports.has_pages:
                run = self._accounted(counted, decided, recoding, released, frozen_draft)
                is_kept = self._run.settings.workspace is not None
                self._reports.draw(
                    account(engine, run, may_search=not (is_kept and recoding.is_regional)), drafts, overwrite=overwrite
                )
            with undisturbed():
                drafts.write(manifest.path_for(path), manifest.dumps(released) + "\n", overwrite=True, is_private=True)
                engine.detach(write.DATABASE)
                drafts.publish()
                if self._run.settings.workspace is not None:
                    write.open_release(engine, recoding, path, place.form)
                return self._kept(engine, counted, decided, released)

    def _accounted(self, counted: Counted, decided: Decided, recoding: Recoding, released: Manifest, folder: Path) -> Accounted:
        """What the reports are made of; `folder` is that of the frozen recoding."""
        visits = visits_in(folder)
        job = (folder / saved_recoding.ASKED_JOB).read_text(encoding="utf-8")
        return Accounted(counted, decided, recoding, released, visits, job, command(released))

    def _passed_on(self, engine: Engine, counted: Counted, decided: Decided, draft: Path, released: Manifest) -> Manifest:
        """Standard output gets the verified release, and nothing beside it."""
        if self._run.standard_output is not None:
            with draft.open("rb") as file:
                shutil.copyfileobj(file, self._run.standard_output)
            self._run.standard_output.flush()
        return self._kept(engine, counted, decided, released)

    def _explicit_job(self, counted: Counted, output: Path) -> str:
        return export.text(
            counted.job.model_copy(update={"entity": counted.job.entity or ROWS}),
            manifest_content.reasons(counted),
            self._prepared.source,
            output.parent,
            output=self._place.name.removeprefix(f"{output.parent}/"),
            chosen=[qi for qi in counted.plan.quasi_identifiers if counted.job.columns[qi.name].hierarchy is None],
        )

    def _document(self, status: str, counted: Counted, decided: Decided) -> Manifest:
        told = manifest_content.compose(
            status, counted, decided, self._clock.seconds, self._listener.warnings, self._risk, self._withheld, self._losses
        )
        return told | {"input": manifest_content.input_of(self._prepared.source.name, counted)}

    def _kept(self, engine: Engine, counted: Counted, decided: Decided, told: Manifest) -> Manifest:
        """Completes the workspace, where one is kept, with what was decided outside the database."""
        if self._run.settings.workspace is None:
            return told
        workspace.load(engine, counted, decided, told, all_losses=self._run.all_nodes)
        engine.keep()
        self._listener.note(
            f"the workspace {str(self._run.settings.workspace)!r} holds original values: keep it where the input may lie"
        )
        return told
