"""The steps of a run, in order: count, search, write, verify."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from duckanon import combinations, infeasible, job_file, manifest, release, workspace
from duckanon.algorithms import optimal, samarati
from duckanon.algorithms.base import Outcome, Search
from duckanon.algorithms.evaluate import Evaluator
from duckanon.clock import Clock
from duckanon.combinations import Attribute
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column, Engine, Settings
from duckanon.errors import Infeasible, JobError, OutputError, VerificationFailed
from duckanon.interrupts import undisturbed
from duckanon.job import Job
from duckanon.lattice import Lattice, Node
from duckanon.manifest import Manifest
from duckanon.metrics.figures import Marginals
from duckanon.metrics.objective import objective
from duckanon.observer import Observer, Remembering, Silent, staged
from duckanon.options import Options, laid_over
from duckanon.plan import Plan, chosen_node, settle
from duckanon.privacy.k_anonymity import KAnonymity
from duckanon.release import Output, Recoding
from duckanon.source import Source, locate, open_source
from duckanon.templates import render

_SEARCHES: dict[str, Search] = {"optimal": optimal.search, "samarati": samarati.search}
_MOST_NODES = 100_000


@dataclass(frozen=True)
class Run:
    """How a job is carried out; nothing here decides what is released."""

    settings: Settings = field(default_factory=Settings)
    columns: tuple[str, ...] | None = None
    """Names for a CSV file without a header."""
    all_nodes: bool = False
    overwrite: bool = False
    dry_run: bool = False


@dataclass(frozen=True)
class Prepared:
    """A checked job and its input, before the input is opened."""

    job: Job
    source: Source
    hierarchies: Sequence[str]
    base: Path
    """The folder that the job file's own paths start from."""


@dataclass(frozen=True)
class Counted:
    """What the count pass left for the search."""

    columns: list[Column]
    plan: Plan
    attributes: list[Attribute]
    marginals: list[Marginals]
    read: int
    rows: int


@dataclass(frozen=True)
class Searched:
    """What the search settled on; `node` is the answer, or the one that came closest."""

    evaluator: Evaluator
    lattice: Lattice
    outcome: Outcome
    node: Node


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

    Gives the manifest. Raises `Infeasible` where no recoding keeps within the limits,
    `VerificationFailed` where the written file does not keep the promise (it is removed), and
    another `DuckanonError` for what is wrong with the job, the input or the output.
    """
    run, listener, clock = run or Run(), Remembering(observer or Silent()), Clock()
    prepared = prepare(source, job, options or Options(), run)
    place = _output(prepared, output, run)
    with DuckDBEngine(run.settings, listener) as engine:
        with clock.of("count"):
            counted = _count(engine, prepared, listener)
        with clock.of("search"):
            searched = _search(engine, prepared.job, counted, all_nodes=run.all_nodes)

        def document(status: str) -> Manifest:
            return _document(status, prepared.job, counted, searched, clock, listener)

        def kept(told: Manifest) -> Manifest:
            if run.settings.workspace is not None:
                _keep(engine, run, counted, searched, told)
            return told

        if searched.outcome.node is None:
            raise Infeasible(infeasible.advice(searched.evaluator, counted.attributes), kept(document("infeasible")))
        recoding = Recoding(tuple(counted.attributes), searched.node, searched.evaluator.requirement, counted.plan.released)
        for statement in release.class_statements(recoding):
            engine.create_table(statement)
        if run.dry_run:
            return kept(document("dry-run"))

        draft, document_draft = release.draft_path(place.path), release.draft_path(manifest.path_for(place.path))
        try:
            figures = searched.evaluator.figures(searched.node)
            with clock.of("write"):
                release.write(engine, recoding, draft, place, suppresses=figures.suppressed > 0)
            with clock.of("verify"):
                totals = release.verify(engine, recoding, draft, place.format, figures.released)
            fingerprint = {"path": str(place.path), "sha256": release.settle(draft)}
            released = manifest.as_written(document("released"), totals) | {"output": fingerprint}
            with undisturbed():
                document_draft.write_text(manifest.dumps(released) + "\n", encoding="utf-8")
                release.publish(draft, place.path, overwrite=run.overwrite)
                document_draft.replace(manifest.path_for(place.path))
                engine.create_view(release.file_statement(recoding, place.path, place.format))
                return kept(released)
        except VerificationFailed as failure:
            failure.manifest = kept(document("verification-failed"))
            raise
        finally:
            release.discard(draft)
            release.discard(document_draft)


def prepare(source: Path | str | None, job: Path | Mapping[str, Any] | None, options: Options, run: Run) -> Prepared:
    """The job with its options, checked, and the input, found; opens nothing."""
    base = job.parent if isinstance(job, Path) else Path()
    checked = laid_over(job_file.read(job) if isinstance(job, Path) else job or {}, options)
    if source is None and checked.source is None:
        raise JobError("no input: name a Parquet or CSV file, or give the job a `source`")
    return Prepared(
        checked, locate(Path(source or job_file.resolved(str(checked.source), base)), run.columns), options.hierarchies, base
    )


def output_path(prepared: Prepared, output: Path | str | None) -> Path:
    """Where the release goes: as said, as the job says, or beside the input."""
    source = prepared.source.path
    if output is not None:
        return Path(output)
    planned = prepared.job.output.path
    return prepared.base / planned if planned else source.with_name(f"{source.stem}.anonymized.parquet")


def _output(prepared: Prepared, output: Path | str | None, run: Run) -> Output:
    source = prepared.source.path
    path = output_path(prepared, output)
    format = release.check_output(path, source, overwrite=run.overwrite or run.dry_run)
    if manifest.path_for(path).is_dir():
        raise OutputError(
            f"the manifest's place {str(manifest.path_for(path))!r} is a folder; move it away, or name another output"
        )
    return Output(path, format, prepared.job.output.shuffle)


def _count(engine: Engine, prepared: Prepared, listener: Observer) -> Counted:
    columns = open_source(engine, prepared.source)
    plan = settle(prepared.job, columns, prepared.hierarchies, prepared.base, listener)
    engine.create_view(combinations.records_statement(columns, plan.missing))
    combinations.read_values(engine, [qi.column for qi in plan.quasi_identifiers], plan.missing)
    attributes = combinations.build_hierarchies(engine, plan.quasi_identifiers)
    rows = combinations.count(engine, attributes)
    marginals = combinations.read_marginals(engine, attributes)
    # only rows that were dropped need a second look; Parquet answers it from its footer
    read = int(engine.query(render("source/source_rows"))[0][0]) if plan.missing.policy == "drop" else rows
    return Counted(columns, plan, attributes, marginals, read, rows)


def _search(engine: Engine, job: Job, counted: Counted, *, all_nodes: bool) -> Searched:
    requirement, recoding = KAnonymity(job.k), job.recoding
    target = objective(recoding.objective, recoding.aggregate, counted.marginals, counted.rows, requirement.least_rows)
    evaluator = Evaluator(engine, counted.attributes, requirement, target, counted.rows, job.limit.of(counted.rows))
    lattice = combinations.lattice_of(counted.attributes)
    chosen = chosen_node(job, counted.attributes)
    if all_nodes and len(lattice) > _MOST_NODES:
        raise JobError(
            f"--all-nodes would decide {len(lattice):,} nodes, more than {_MOST_NODES:,}; leave it out, or narrow the lattice with max-level"
        )
    with staged(engine.observer, "searching the lattice", len(lattice)):
        if all_nodes:
            for node in lattice.nodes():
                evaluator.figures(node)
        if chosen is None:
            outcome = _SEARCHES[recoding.algorithm](evaluator, lattice)
        else:
            outcome = Outcome(chosen if evaluator.satisfies(chosen) else None, target.floor(lattice.bottom), proven=False)
    return Searched(evaluator, lattice, outcome, outcome.node or chosen or infeasible.closest(evaluator))


def _document(status: str, job: Job, counted: Counted, searched: Searched, clock: Clock, listener: Remembering) -> Manifest:
    return manifest.compose(
        status=status,
        evaluator=searched.evaluator,
        outcome=searched.outcome,
        node=searched.node,
        algorithm="levels" if job.recoding.levels else job.recoding.algorithm,
        attributes=counted.attributes,
        marginals=counted.marginals,
        lattice=searched.lattice,
        limit=job.suppression.limit,
        read=counted.read,
        roles=counted.plan.roles,
        is_guessed=counted.plan.is_guessed,
        seconds=clock.seconds,
        warnings=listener.warnings,
        about=job.about,
    )


def _keep(engine: Engine, run: Run, counted: Counted, searched: Searched, document: Manifest) -> None:
    """Completes the workspace with what was decided outside the database."""
    workspace.load_profile(engine, counted.columns, counted.plan)
    workspace.load_lattice(
        engine, counted.attributes, counted.marginals, searched.evaluator, searched.node, all_losses=run.all_nodes
    )
    workspace.load_document(engine, document)
    known = {"source": counted.read, "records": counted.rows, "release": document["rows"]["released"]}
    workspace.load_log(engine, [attribute.name for attribute in counted.attributes], known)
    engine.keep()
    engine.observer.note(
        f"the workspace {str(run.settings.workspace)!r} holds original values: keep it where the input may lie"
    )
