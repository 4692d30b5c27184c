"""The steps of a run, in order: count, search, write, verify."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from duckanon import combinations, manifest, release, workspace
from duckanon import job as jobs
from duckanon.algorithms import optimal, samarati
from duckanon.algorithms.base import Outcome, Search
from duckanon.algorithms.evaluate import Evaluator
from duckanon.combinations import Attribute
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Engine, Settings
from duckanon.errors import Infeasible, JobError, VerificationFailed, did_you_mean
from duckanon.job import Job
from duckanon.lattice import Lattice, Node
from duckanon.manifest import Manifest
from duckanon.metrics.objective import objective
from duckanon.observer import Observer, Silent, staged
from duckanon.options import Options, laid_over
from duckanon.plan import Plan, settle
from duckanon.privacy.k_anonymity import KAnonymity
from duckanon.release import Output, Recoding
from duckanon.source import locate, open_source
from duckanon.templates import Statement, render

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


def anonymize(
    source: Path | None = None,
    output: Path | None = None,
    *,
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
) -> Manifest:
    """Writes a release of `source` that keeps what the job asks for, verified on the written file.

    Gives the manifest. Raises `Infeasible` where no recoding keeps within the limits,
    `VerificationFailed` where the written file does not, and `DuckanonError` for everything else.
    """
    options, run, listener = options or Options(), run or Run(), _Listener(observer or Silent())
    checked, base = _job(job, options)
    table = locate(_source_path(source, checked, base), run.columns)
    target = output or checked.output.path or table.path.with_name(f"{table.path.stem}.anonymized.parquet")
    format = release.check_output(target, table.path, overwrite=run.overwrite or run.dry_run)
    clock = _Clock()
    with DuckDBEngine(run.settings, listener) as engine:
        # count
        with clock.of("count"):
            columns = open_source(engine, table)
            plan = settle(checked, columns, options.hierarchies, base, listener)
            _check_levels(checked, plan)
            engine.create_view(combinations.records_statement(columns, plan.missing))
            combinations.read_values(engine, [qi.column for qi in plan.quasi_identifiers], plan.missing)
            attributes = combinations.build_hierarchies(engine, plan.quasi_identifiers)
            rows = combinations.count(engine, attributes)
            marginals = combinations.read_marginals(engine, attributes)
            [(read,)] = engine.query(render("source/source_rows"))

        # search
        with clock.of("search"):
            requirement = KAnonymity(checked.k)
            target_function = objective(
                checked.recoding.objective, checked.recoding.aggregate, marginals, rows, requirement.least_rows
            )
            limit = checked.limit.of(rows)
            evaluator = Evaluator(engine, attributes, requirement, target_function, rows, limit)
            lattice = combinations.lattice_of(attributes)
            outcome = _searched(engine, evaluator, lattice, checked, attributes, all_nodes=run.all_nodes)

        def document(status: str, node: Node) -> Manifest:
            return manifest.compose(
                status=status,
                evaluator=evaluator,
                outcome=outcome,
                node=node,
                algorithm="levels" if checked.recoding.levels else checked.recoding.algorithm,
                attributes=attributes,
                marginals=marginals,
                lattice=lattice,
                read=int(read),
                roles=plan.roles,
                is_guessed=plan.is_guessed,
                seconds=clock.seconds,
                warnings=listener.warnings,
                about=checked.about,
            )

        def keep(document: Manifest, node: Node) -> None:
            if run.settings.workspace is None:
                return
            workspace.load_profile(engine, columns, plan)
            workspace.load_lattice(engine, attributes, marginals, evaluator, node, rows, all_losses=run.all_nodes)
            workspace.load_document(engine, document)
            known = {"source": int(read), "records": rows, "release": document["rows"]["released"]}
            workspace.load_log(engine, [attribute.name for attribute in attributes], known)
            listener.note(f"the workspace {str(run.settings.workspace)!r} holds original values: keep it where the input may lie")

        if outcome.node is None:
            closest = _closest(evaluator)
            failed = document("infeasible", closest)
            keep(failed, closest)
            raise Infeasible(_advice(evaluator, closest, attributes, rows, limit), failed)
        recoding = Recoding(tuple(attributes), outcome.node, requirement, plan.released)
        for statement in release.class_statements(recoding):
            engine.create_table(statement)
        if run.dry_run:
            dry = document("dry-run", outcome.node)
            keep(dry, outcome.node)
            return dry

        # write and verify
        figures = evaluator.figures(outcome.node)
        place = Output(target, format, run.overwrite, checked.output.shuffle)
        draft = release.draft_path(target)
        try:
            with clock.of("write"):
                release.write(engine, recoding, draft, place, suppresses=figures.suppressed > 0)
            with clock.of("verify"):
                totals = release.verify(engine, recoding, draft, format, figures.released)
            fingerprint = release.sha256(draft)
            release.publish(draft, target, overwrite=run.overwrite)
        except VerificationFailed as failure:
            failure.manifest = document("verification-failed", outcome.node)
            raise
        finally:
            release.discard(draft)
        released = document("released", outcome.node)
        released["classes"] |= {"count": totals.classes, "smallest": totals.smallest, "largest": totals.largest}
        released["privacy"][0] |= {"achieved": totals.smallest}
        released["output"] = {"path": str(target), "sha256": fingerprint}
        manifest.save(released, manifest.path_for(target))
        if run.settings.workspace is not None:
            engine.create_view(release.written_statement(target, format, "release"))
        keep(released, outcome.node)
        return released


def statements(
    source: Path | None = None,
    *,
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
) -> list[Statement]:
    """The statements of a run for the node of `levels`, or the bottom node; reads the schema of the input and no row."""
    options, run, listener = options or Options(), run or Run(), observer or Silent()
    checked, base = _job(job, options)
    table = locate(_source_path(source, checked, base), run.columns)
    with DuckDBEngine(Settings(), listener) as engine:
        columns = open_source(engine, table)
        plan = settle(checked, columns, options.hierarchies, base, listener)
        _check_levels(checked, plan)
        hierarchies, attributes = combinations.preview_statements(plan.quasi_identifiers, engine)
        node = _chosen(checked, attributes) or combinations.lattice_of(attributes).bottom
        recoding = Recoding(tuple(attributes), node, KAnonymity(checked.k), plan.released)
        keys = {"keys": list(recoding.keys.values()), **recoding.requirement.parameters}
        return [
            combinations.records_statement(columns, plan.missing),
            *combinations.value_statements([qi.column for qi in plan.quasi_identifiers], plan.missing, "uinteger"),
            *hierarchies,
            *combinations.count_statements(attributes),
            render("lattice/node", **keys),
            render("lattice/failing_labels", **keys),
            *release.class_statements(recoding),
            release.release_statement(recoding, suppresses=True, shuffle=checked.output.shuffle),
            *release.verification_statements(recoding),
            *release.violation_statements(recoding),
        ]


def demo(path: Path, rows: int = 30_000, *, overwrite: bool = False, observer: Observer | None = None) -> int:
    """Writes a made-up file in the columns of UCI Adult; the same rows for the same number, on any machine."""
    if rows < 1:
        raise JobError(f"--rows {rows} makes no file; ask for at least 1")
    format = release.check_output(path, None, overwrite=overwrite)
    draft = release.draft_path(path)
    with DuckDBEngine(Settings(), observer) as engine:
        try:
            written = engine.write(render("demo/adult", rows=rows), draft, format, stage="making people up")
            release.publish(draft, path, overwrite=overwrite)
        finally:
            release.discard(draft)
    return written


class _Listener:
    """Passes on what it hears, and remembers the warnings for the manifest."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self.warnings: list[str] = []
        self.stage = observer.stage
        self.advance = observer.advance
        self.finish = observer.finish
        self.note = observer.note

    def warn(self, message: str) -> None:
        self.warnings.append(message)
        self._observer.warn(message)


class _Clock:
    """Seconds of each part of a run, and in total."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._parts = dict.fromkeys(("count", "search", "write", "verify"), 0.0)

    @contextmanager
    def of(self, part: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self._parts[part] += time.perf_counter() - started

    @property
    def seconds(self) -> dict[str, float]:
        return {**self._parts, "total": time.perf_counter() - self._started}


def _job(job: Path | Mapping[str, Any] | None, options: Options) -> tuple[Job, Path]:
    """The checked job, and the folder that its paths start from."""
    if isinstance(job, Path):
        return laid_over(jobs.read(job), options), job.parent
    return laid_over(job or {}, options), Path()


def _source_path(source: Path | None, job: Job, base: Path) -> Path:
    if source is not None:
        return source
    if job.source is None:
        raise JobError("no input: name a Parquet or CSV file, or give the job a `source`")
    return base / job.source


def _check_levels(job: Job, plan: Plan) -> None:
    names = [qi.name for qi in plan.quasi_identifiers]
    for name in job.recoding.levels or {}:
        if name not in names:
            raise JobError(f"--levels names {name!r}, which is not a quasi-identifier{did_you_mean(name, names)}")


def _chosen(job: Job, attributes: list[Attribute]) -> Node | None:
    """The node of `levels`, attributes left out at their least level; None where the job searches."""
    if not job.recoding.levels:
        return None
    node = tuple(job.recoding.levels.get(attribute.name, attribute.min_level) for attribute in attributes)
    for attribute, level in zip(attributes, node, strict=True):
        if not attribute.min_level <= level <= attribute.max_level:
            raise JobError(f"level {level} of {attribute.name!r} lies outside {attribute.min_level} to {attribute.max_level}")
    return node


def _searched(
    engine: Engine, evaluator: Evaluator, lattice: Lattice, job: Job, attributes: list[Attribute], *, all_nodes: bool
) -> Outcome:
    chosen = _chosen(job, attributes)
    if all_nodes and len(lattice) > _MOST_NODES:
        raise JobError(
            f"--all-nodes would decide {len(lattice):,} nodes, more than {_MOST_NODES:,}; leave it out, or narrow the lattice with max-level"
        )
    with staged(engine.observer, "searching the lattice", len(lattice)):
        if all_nodes:
            for node in lattice.nodes():
                evaluator.lost(node)
        if chosen is None:
            return _SEARCHES[job.recoding.algorithm](evaluator, lattice)
        bound = evaluator.objective.floor(lattice.bottom)
        return Outcome(chosen if evaluator.satisfies(chosen) else None, bound, proven=False)


def _closest(evaluator: Evaluator) -> Node:
    """The visited node that suppresses least; ties by height, then lexicographically."""
    return min(evaluator.visited, key=lambda node: (evaluator.figures(node).suppressed, sum(node), node))


def _advice(evaluator: Evaluator, closest: Node, attributes: list[Attribute], rows: int, limit: int) -> str:
    k = evaluator.requirement.k
    if k > rows:
        return f"infeasible: k = {k:,} is above the {rows:,} rows that take part; lower --k to at most {rows:,}"
    suppressed = evaluator.figures(closest).suppressed
    node = ", ".join(f"{name}={level}" for name, level in manifest.levels_of(attributes, closest).items())
    bounded = any(attribute.max_level < attribute.height for attribute in attributes)
    ways = [f"raise --max-suppression to {suppressed:,}"] if suppressed < rows else []
    ways += ["lower --k"] + (["raise max-level"] if bounded else [])
    return (
        f"infeasible: k = {k:,} with at most {limit:,} of {rows:,} rows suppressed; "
        f"the best node found ({node}) suppresses {suppressed:,}: {', or '.join(ways)}"
    )
