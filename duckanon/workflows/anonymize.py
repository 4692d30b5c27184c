"""`anonymize` and `apply`: count, search, write, verify."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from duckanon.dataset.destination import Destination
from duckanon.engine.duckdb import open_engine
from duckanon.engine.portable import Parsed
from duckanon.engine.protocol import Engine, Step
from duckanon.engine.staging import StagedFiles
from duckanon.engine.templates import render, rendered_for
from duckanon.errors import Infeasible, JobError, VerificationFailed
from duckanon.job import deidentification
from duckanon.job.options import Run
from duckanon.job.prepare import Prepared
from duckanon.observers import Caution, Observer, Remembering, Silent
from duckanon.release import linkage, ranges, retained_columns, similar_values
from duckanon.release import verify as release_verify
from duckanon.release import write as release_write
from duckanon.release.label_types import with_types
from duckanon.release.manifest_model.document import Manifest
from duckanon.release.microaggregation import aggregate
from duckanon.release.recoding import recoding_of
from duckanon.release.risk_summary import risk_summary, with_file
from duckanon.release.suppressed_values import refuse_unprotected, suppressed_values
from duckanon.release.written_columns import spared_columns, written_columns
from duckanon.reports import summary
from duckanon.search import automatic, local_recoding
from duckanon.search.count import Counted
from duckanon.search.count import count as count_records
from duckanon.search.nodes import evaluated_at
from duckanon.search.remedies import advice, remedies
from duckanon.search.result import SearchResult, decide
from duckanon.search.shown_shares import shown_shares, warn_of_bias
from duckanon.search.variants import without
from duckanon.workflows import registration
from duckanon.workflows.publication import document, keep, publish, warn_of_other_recodings
from duckanon.workflows.task import Choice, Task, Verified, Written, task_of


@dataclass(frozen=True)
class RunOutcome:
    """The result of a run."""

    manifest: Manifest
    place: Destination
    """The place of the release, unless the run writes nothing."""
    columns: Sequence[str]
    """The released columns, in the order of the file."""
    steps: Sequence[Step]
    """The statements that ran, in order."""


def carry_out(prepared: Prepared, output: Path | str | None, run: Run, observer: Observer | None = None) -> RunOutcome:
    """Write a release that satisfies the requirements of a checked job; verify the file, then move it into place.

    Raises `Infeasible` if no recoding satisfies the requirements within the limits, `VerificationFailed` if the written file
    does not satisfy them (it is removed), and another `DuckanonError` for faults of the job, the input or the output.
    """
    task = task_of(prepared, output, run, observer)
    with open_engine(run.settings, task.observer, task.shared_folder) as engine:
        task.restrict(engine)
        with registration.opened(engine, task) as register:
            admission = registration.admitted(engine, task, register, choose(engine, task), partial(choose, engine))
            choice = admission.choice
            linkage.refuse_keys(choice.keys, choice.counted, task.observer)
            if run.dry_run:
                return RunOutcome(admission.described(dry_run(engine, task, choice)), task.place, (), engine.steps)
            warn_of_other_recodings(task, choice, admission.registered_paths)
            with StagedFiles(engine.scratch) as staged:
                written = write(engine, task, choice, staged)
                verified = verify(engine, task, choice, written)
                manifest = publish(engine, task, admission, written, verified, staged)
        return RunOutcome(manifest, task.place, [column.name for column in choice.recoding.file_columns], engine.steps)


def choose(engine: Engine, task: Task) -> Choice:
    """Count and search."""
    return search(engine, task, count(engine, task))


def count(engine: Engine, task: Task) -> Counted:
    """Count the combinations of quasi-identifier values; raises if a column cannot be released as declared."""
    with task.clock.of("count"):
        counted = count_records(engine, task.prepared, task.observer)
        if (seconds := counted.job.recoding.time_limit) is not None:
            counted = replace(counted, deadline=task.clock.started + seconds)
        deidentification.check(engine, counted.job, counted.plan.treatments, counted.columns, task.observer)
        if counted.is_applied and counted.job.is_keyed and not task.prepared.names_release:
            task.observer.warn(
                Caution(
                    "linked-releases",
                    f"pseudonyms and shifted dates match the earlier release {counted.job.release!r}, so the two can be linked; "
                    "name another with --release, unless this is a further table of that release",
                )
            )
    counted = replace(counted, spared=spared_columns(engine, counted, task.prepared.lost_before))
    ranges.refuse_collisions(counted)
    retained_columns.refuse_direct_identifiers(engine, counted, task.observer)
    similar_values.warn_of_spellings(engine, counted, task.observer)
    if engine.is_remote("combinations"):
        _refuse_remote(counted)
    if task.reports.has_pages and engine.is_remote("combinations"):
        raise JobError(
            "a report needs the combinations locally, and their number exceeds --collect-limit; raise it, or leave the report out"
        )
    return counted


def _refuse_remote(counted: Counted) -> None:
    """Raise `JobError` for a requirement that a cluster cannot judge, if the combinations are there."""
    requirement, top = counted.plan.requirement, tuple(attribute.max_level for attribute in counted.attributes)
    needs = "--any" if counted.job.any is not None else "an adversary" if requirement.adversaries else None
    average = requirement.average_risk
    for model in (*requirement.others, *([average] if average is not None else [])):
        others, risk = ((), average) if model is average else ((model,), None)
        evaluated = evaluated_at(
            replace(requirement, others=others, average_risk=risk),
            counted.attributes,
            top,
            keep_suppressed_rows=counted.job.keep_suppressed_rows,
        )
        if needs is None and Parsed(rendered_for("spark", render("lattice/node", **evaluated))).unsupported_node is not None:
            needs = " ".join(word for word in (*model.variety.values(), model.model) if word != "all")
    if needs is not None:
        raise JobError(
            f"{needs} needs the combinations locally, and their number exceeds --collect-limit; raise it, set min-level in the job, "
            "or leave this requirement out"
        )


def search(engine: Engine, task: Task, counted: Counted) -> Choice:
    """Find the recoding with the least information loss that satisfies the requirement; raises `Infeasible` with remedies."""
    with task.clock.of("search"):
        all_nodes = task.prepared.job.recoding.all_nodes
        result = decide(engine, counted, all_nodes=all_nodes)
        if counted.job.recoding.algorithm == "auto" and task.run.register is None and not all_nodes:
            result = automatic.with_alternatives(engine, result, counted)
        counted = result.counted
    if not result.is_feasible:
        risk = risk_summary(engine, counted, result)
        instead = "".join(f"; {summary.alternative(other)}" for other in counted.alternatives)
        message = f"{advice(result)}; {remedies(engine, counted, result)}{instead}"
        failed = keep(engine, task, counted, result, document("infeasible", task, counted, result, risk=risk))
        raise Infeasible(message, failed.document())
    named = {*task.prepared.job.columns, *counted.plan.requirement.sensitive, *filter(None, [counted.job.target])}
    with task.clock.of("search"):
        try:
            retained_columns.refuse_undetermined(engine, counted)
            first = Remembering(Silent())
            try:
                evaluated = _without_harmful_columns(engine, counted, result, first, named)
            except JobError:
                if (uniform := local_recoding.uniform(engine, result)) is None:
                    raise
                result, first = uniform, Remembering(Silent())
                evaluated = _without_harmful_columns(engine, counted, result, first, named)
        except Infeasible as failure:
            failed = keep(engine, task, counted, result, document("infeasible", task, counted, result))
            failure.manifest = failed.document()
            raise
        for line in first.warnings:
            task.observer.warn(line)
        counted = evaluated
        retained_columns.warn_of_shown_text(engine, counted, result, task.observer)
    recoding = recoding_of(result, counted)
    if task.run.settings.workspace is not None:
        engine.create_view(recoding.explained_statement())
    with task.clock.of("search"):
        keys = linkage.key_columns(engine, counted, recoding, task.observer)
        if dropped := retained_columns.dropped_keys(counted, keys, task.observer, named=named):
            counted = without(counted, dropped)
            recoding, keys = recoding_of(result, counted), {name: keys[name] for name in keys if name not in dropped}
    recoding = with_types(engine, ranges.with_ranges(engine, counted, recoding, task.observer))
    with task.clock.of("search"):
        risk = risk_summary(engine, counted, result)
    withheld = {} if task.run.dry_run else aggregate(engine, recoding, task.observer)
    return Choice(counted, result, recoding, risk, withheld, keys)


def _without_harmful_columns(
    engine: Engine, counted: Counted, result: SearchResult, observer: Observer, named: Collection[str]
) -> Counted:
    """Drop the retained columns that must not stand beside the labels; raises if the user named one."""
    recoding = recoding_of(result, counted)
    for statement in recoding.class_statements():
        engine.create_table(statement)
    counted = retained_columns.without_disclosing_columns(engine, counted, result, recoding, observer, named=named)
    recoding = recoding_of(result, counted)
    suppresses = result.figures.suppressed > 0
    return retained_columns.without_determined_columns(engine, counted, recoding, observer, named=named, suppresses=suppresses)


def dry_run(engine: Engine, task: Task, choice: Choice) -> Manifest:
    """Describe the release without writing it."""
    counted, result = choice.counted, choice.result
    losses = suppressed_values(engine, counted, result, choice.recoding)
    refuse_unprotected(losses)
    losses.warn(task.observer)
    return keep(engine, task, counted, result, document("dry-run", task, counted, result, risk=choice.risk, losses=losses))


def write(engine: Engine, task: Task, choice: Choice, staged: StagedFiles) -> Written:
    """Write the recoded rows to a draft of the file."""
    place, counted = task.place, choice.counted
    draft = (
        engine.scratch.path / "release.csv"
        if place.path is None
        else staged.of(place.path, overwrite=task.run.overwrite, is_beside=place.form.has_parts)
    )
    bound = deidentification.bound(counted.plan.treatments, task.key, counted.job.release)
    suppresses = choice.result.figures.suppressed > 0
    with task.clock.of("write"):
        release_write.write(
            engine, choice.recoding, draft, place, suppresses=suppresses, shuffle=counted.job.output.shuffle, bound=bound
        )
    return Written(draft, bound)


def verify(engine: Engine, task: Task, choice: Choice, written: Written) -> Verified:
    """Read the draft again and compare it with the source; raises `VerificationFailed`."""
    counted, recoding, figures = choice.counted, choice.recoding, choice.result.figures
    losses = None
    try:
        with task.clock.of("verify"):
            rows = figures.rows if recoding.keep_suppressed_rows else figures.released
            totals = release_verify.verify(engine, recoding, written.draft, task.place.form, rows, bound=written.bound)
            linkages = linkage.linkages(engine, recoding)
            linkage.refuse_linked(
                {name: linked for name, linked in linkages.items() if not counted.job.accepts("linked-rows", name)}
            )
            possible = linkage.written_possible_values(engine, counted, recoding)
            similar_values.warn_of_numbers(engine, counted, recoding, task.observer)
            losses = suppressed_values(engine, counted, choice.result, recoding, task.place.form)
            refuse_unprotected(losses)
            losses.warn(task.observer, has_report=task.reports.has_pages)
            shares = shown_shares(engine, counted, recoding.levels, recoding.class_columns, without=recoding.ranged_names)
            warn_of_bias(shares, task.observer)
            columns = written_columns(engine, counted, recoding, totals, task.observer)
    except VerificationFailed as failure:
        failed = document(
            "verification-failed", task, counted, choice.result, risk=choice.risk, withheld=choice.withheld, losses=losses
        )
        failure.manifest = keep(engine, task, counted, choice.result, failed).document()
        raise
    return Verified(totals, linkages, losses, columns, with_file(engine, counted, recoding, choice.risk), possible)
