"""Explain a release: its generalization levels and its information loss, why rows and classes were suppressed, and what would keep them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from numbers import Integral
from pathlib import Path
from typing import Any

from duckanon import __version__
from duckanon.dataset.location import Source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.owner import aside
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError, did_you_mean
from duckanon.hierarchy.attributes import Attribute, levels_of
from duckanon.job.options import Run, joined
from duckanon.job.resolve import missing_rule
from duckanon.lattice import Node, is_above
from duckanon.observers import Observer, Silent
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.release import manifest
from duckanon.release.manifest_model.document import ReleaseManifest
from duckanon.release.recoding import recoding_of
from duckanon.search.alternatives import alternatives, columns, decide, may_ask, runners_up
from duckanon.search.count import Counted
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.nodes import evaluated_at
from duckanon.search.result import SearchResult
from duckanon.search.trace import Visit
from duckanon.search.variants import variant
from duckanon.workflows import replay
from duckanon.workflows.replay import Reopened

_LEAST_SECONDS, _PATIENCE, _LEAST_NODES = 1.0, 1.5, 60
"""Searches for other requirements may visit the nodes that the search of the release would have visited in these seconds, or in
this multiple of its own, and always so many. A limit of nodes gives the same explanation each time."""


def explain(
    manifest_path: Path | str,
    *,
    source: str | Source | None = None,
    row: int | None = None,
    labels: Mapping[str, str] | Sequence[str] = (),
    run: Run | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Explain the generalization levels and the suppressed classes of a release, and describe the nearest other releases.

    With `row` (a position in the input, from 1) or `labels` (of a class, by column, or as COLUMN=LABEL) explain only that row or
    class: whether it is released, the requirements that it fails, and the changes that would keep it, with the least loss first.
    The document then has the keys `release` and `row` or `class`. The input is counted again; nothing is written.
    `source` names the input if it has moved. Raises `JobError` or `InputError` if the manifest, the release or the input was
    changed.
    """
    run, observer = run or Run(), observer or Silent()
    if row is not None and labels:
        raise JobError("--row and --class cannot be combined; give one of them")
    if row is not None and not isinstance(row, Integral):
        raise JobError(f"row needs a whole number, not {type(row).__name__}")
    reopened = replay.reopen(manifest.located(manifest_path), source, run)
    if row is not None and not 1 <= row <= reopened.manifest.rows.read:
        raise JobError(f"row {row:,} does not exist: the input has rows 1 to {reopened.manifest.rows.read:,}")
    with DuckDBEngine(run.settings, observer) as engine:
        counted, decided, recoding = replay.recount(engine, reopened)
        release = reopened.manifest.output.path
        if row is not None:
            return {"release": release, "row": {"row": row, **outcome_of_row(engine, counted, decided, row).document()}}
        if labels:
            names = [attribute.name for attribute in counted.attributes]
            class_labels = labels if isinstance(labels, Mapping) else parsed_labels(labels, names)
            return {"release": release, "class": outcome_of_class(engine, counted, decided, class_labels).document()}
        engine.create_view(recoding.explained_statement())
        visits = replay.visits_in(reopened.folder)
        document = _document(engine, reopened, counted, decided, visits)
        document["alternatives"] = alternatives(
            engine, counted, decided, document["runners_up"], _most_nodes(reopened.manifest)
        )
        return document


def _most_nodes(content: ReleaseManifest) -> int:
    """The nodes that all searches for other requirements may visit, by the manifest."""
    seconds = max(content.seconds.search, 0.001)
    visited = content.recoding.document().get("visited", 1)
    return max(_LEAST_NODES, int(visited * max(_LEAST_SECONDS / seconds, _PATIENCE)))


def _document(
    engine: Engine, reopened: Reopened, counted: Counted, decided: SearchResult, visits: Sequence[Visit]
) -> dict[str, Any]:
    content = reopened.manifest
    return {
        "duckanon": __version__,
        "release": content.output.path,
        "recoding": content.recoding.document(),
        "loss": content.metrics.loss,
        "loss_with_dropped": content.metrics.loss_with_dropped,
        "lost_columns": content.lost_columns or [],
        "rows": content.rows.document(),
        "runners_up": runners_up(decided, visits),
        "columns": columns(engine, counted, decided),
        "suppressed": suppressed(engine),
    }


def suppressed(engine: Engine) -> list[dict[str, Any]]:
    """The reasons for suppressed classes, with the numbers of classes and rows, from the relation `suppressed`."""
    rows = engine.query(render("release/suppressed_by_reason"))
    return [{"reason": reason, "classes": int(classes), "rows": int(count)} for reason, classes, count in rows]


_MOST_NODES = 400
_MOST_LATTICE = 200_000

Codes = Mapping[str, int]
"""The label codes of a record, by the columns of `combinations`: one for each quasi-identifier and level."""


@dataclass(frozen=True)
class FailedRule:
    """A requirement that a class fails; without figures if none of its own suppresses it."""

    rule: str
    achieved: float | None = None
    required: float | None = None


@dataclass(frozen=True)
class ReleaseChange:
    """A change of the release that would keep a class, with its options, its information loss and its suppressed rows."""

    change: str
    option: str
    loss: float
    suppressed: int


@dataclass(frozen=True)
class RecordOutcome:
    """The outcome of a class: its labels, its status, the requirements that it fails, and the changes that would keep it."""

    status: str
    """`released`, `suppressed`, `missing` (left out for missing values), `outside` (values that the recoding does not cover) or
    `isolated` (the release would isolate the record, alone or together with registered ones)."""
    labels: Mapping[str, str | None] = field(default_factory=dict)
    rows: int = 0
    rules: Sequence[FailedRule] = ()
    changes: Sequence[ReleaseChange] = ()
    """Changes with the least information loss first."""
    is_searched: bool = True
    """Whether the search visited every node that could have less loss than the best node."""

    def document(self) -> dict[str, Any]:
        """The outcome, as `explain` describes it."""
        changes = [asdict(change) for change in self.changes]
        return {
            "status": self.status,
            "class": dict(self.labels),
            "rows": self.rows,
            "rules": [asdict(rule) for rule in self.rules],
            "changes": changes,
            "cheapest": changes[0] if changes else None,
            **({} if self.is_searched else {"note": "the search for changes stopped at its limit; other levels might keep it"}),
        }


def outcome_of_row(engine: Engine, counted: Counted, decided: SearchResult, row: int) -> RecordOutcome:
    """The outcome of the row at a position of the input, from 1; reads only this row."""
    attributes = [
        {"name": attribute.name, "min_level": attribute.min_level, "max_level": attribute.max_level}
        for attribute in counted.attributes
    ]
    if counted.isolated and engine.query(render("register/isolated_row", isolated=counted.isolated_by, offset=row - 1)):
        return RecordOutcome("isolated")
    dropped = missing_rule(counted.job).dropping(counted.columns)
    row_codes = engine.query(render("dataset/row_codes", attributes=attributes, offset=row - 1, dropped=dropped))
    if not row_codes:
        return RecordOutcome("outside" if counted.drift is not None else "missing")
    return _Judged(
        engine, counted, decided, dict(zip(_keys(counted.attributes), map(int, row_codes[0]), strict=True))
    ).outcome()


def outcome_of_class(engine: Engine, counted: Counted, decided: SearchResult, labels: Mapping[str, str]) -> RecordOutcome:
    """The outcome of the class with these labels at the released levels; raises `JobError` if there is no such class."""
    if decided.full_domain is None:
        raise JobError("--class needs one level for each column, and this release uses local recoding; name a --row")
    names = [attribute.name for attribute in counted.attributes]
    for name in labels:
        if name not in names:
            raise JobError(f"--class names {name!r}, which is not a quasi-identifier{did_you_mean(name, names)}")
    if lacking := [name for name in names if name not in labels]:
        raise JobError(f"--class has no label of {', '.join(lacking)}; a class has a label of every quasi-identifier")
    chosen = {}
    for attribute, level in zip(counted.attributes, decided.full_domain.node, strict=True):
        about = {"column": attribute.name, "level": level, "chosen": {"label": labels[attribute.name]}}
        label_codes = engine.query(render("lattice/labels_at", **about))
        if not label_codes:
            raise JobError(f"{attribute.name!r} has no label {labels[attribute.name]!r} on its released level {level}")
        chosen[attribute.key(level)] = int(label_codes[0][0])
    keys = _keys(counted.attributes)
    member = engine.query(render("lattice/class_codes", keys=keys, chosen=chosen))
    if not member:
        raise JobError("no row of the input has this combination of labels")
    codes = dict(zip(keys, map(int, member[0]), strict=True))
    return _Judged(engine, counted, decided, codes, is_whole_class=True).outcome()


def parsed_labels(texts: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """`COLUMN=LABEL` of each text, by the longest column that it begins with; raises `JobError`."""
    labels: dict[str, str] = {}
    for text in texts:
        known = max((name for name in names if text.startswith(f"{name}=")), key=len, default=None)
        name, equals, label = text.partition("=") if known is None else (known, "=", text[len(known) + 1 :])
        if not equals:
            raise JobError(f"--class {text!r} names no column; write --class sex=Male, once for each quasi-identifier")
        if name in labels:
            raise JobError(f"--class gives two labels of {name!r}; a class has one")
        labels[name] = label
    return labels


def _keys(attributes: Sequence[Attribute]) -> list[str]:
    return [attribute.key(level) for attribute in attributes for level in range(attribute.min_level, attribute.max_level + 1)]


@dataclass(frozen=True)
class _Judged:
    """A record or its class, compared with the release and with alternative releases."""

    engine: Engine
    counted: Counted
    decided: SearchResult
    codes: Codes
    is_whole_class: bool = False
    """Whether a change must keep the whole class, so that no level may be lower than in the release."""

    def outcome(self) -> RecordOutcome:
        verdict = self._verdict(self.counted, self.decided)
        if verdict is None:
            return RecordOutcome("outside")
        rows, rules, fails = verdict
        recoding = recoding_of(self.decided, self.counted)
        labels = self._labels()
        if not fails:
            return RecordOutcome("released", labels, rows)
        failed_rules = [self._rule(reason, model, achieved) for reason, model, achieved, is_failed in rules if is_failed]
        if not failed_rules and recoding.last_reason is not None:
            failed_rules = [FailedRule(recoding.last_reason)]
        elif not failed_rules:
            failed_rules = [FailedRule("suppressed with the failing classes, which were too few")]
        changes, is_searched = self._changes(rows, [model for _, model, _, is_failed in rules if is_failed])
        return RecordOutcome("suppressed", labels, rows, failed_rules, changes, is_searched)

    def _rule(self, reason: str, model: PrivacyModel, achieved: float | None) -> FailedRule:
        is_own = isinstance(model, KAnonymity) and model.k_column is not None
        required = None if is_own else float(next(iter(model.parameters.values())))
        return FailedRule(reason, achieved, required)

    def _changes(self, rows: int, failed: Sequence[PrivacyModel]) -> tuple[list[ReleaseChange], bool]:
        """Try other levels with the same requirement, and a smaller k with the same levels."""
        changes, is_searched = [], True
        searched = self.decided.full_domain
        if searched is not None:
            node, is_searched = self._least_node(searched)
            if node is not None:
                levels = levels_of(self.counted.attributes, node)
                option = f"--levels {joined(f'{name}={level}' for name, level in levels.items())}"
                changes.append(self._tried("other levels", option, variant(self.counted, levels=levels)))
        job = self.counted.job
        counts_rows = job.entity is None and job.k_column is None and not self.counted.plan.requirement.adversaries
        if [*map(type, failed)] == [KAnonymity] and counts_rows and may_ask(job, rows):
            levels_now = None if searched is None else searched.levels
            varied = variant(self.counted, k=rows, levels=levels_now)
            fixed = "" if levels_now is None else f" --levels {joined(f'{n}={v}' for n, v in levels_now.items())}"
            changes.append(
                self._tried(f"k = {rows} in place of {self.counted.plan.requirement.k.k}", f"--k {rows}{fixed}", varied)
            )
        kept = [change for change in changes if change is not None]
        return sorted(kept, key=lambda change: change.loss), is_searched

    def _tried(self, change: str, option: str, varied: Counted) -> ReleaseChange | None:
        """A change with its loss; None if it does not keep the record."""
        with aside(self.engine):
            decided = decide(self.engine, varied)
            verdict = self._verdict(varied, decided) if decided is not None and decided.is_feasible else None
        if decided is None or verdict is None or verdict[2]:
            return None
        return ReleaseChange(change, option, decided.metrics()["loss"], decided.figures.suppressed)

    def _least_node(self, searched: FullDomainResult) -> tuple[Node | None, bool]:
        """The satisfying node with the least objective that keeps the record, and whether it is proven to be the best."""
        evaluator, now = searched.evaluator, searched.node
        if searched.lattice.size > _MOST_LATTICE:
            return None, False
        best: Node | None = None
        looked_at = 0
        for floor, node in sorted((evaluator.objective.floor(node), node) for node in searched.lattice.nodes()):
            if node == now or (self.is_whole_class and not is_above(node, now)):
                continue
            if best is not None and floor >= evaluator.value(best):
                return best, True
            if looked_at == _MOST_NODES:
                return best, False
            looked_at += 1
            if not evaluator.satisfies(node) or (best is not None and evaluator.rank(node) >= evaluator.rank(best)):
                continue
            verdict = self._at_node(evaluator.requirement, node, keep_suppressed_rows=evaluator.keep_suppressed_rows)
            if verdict is not None and not verdict[2]:
                best = node
        return best, True

    def _verdict(self, counted: Counted, decided: SearchResult) -> "_Verdict | None":
        """The rows, the figure and result of each model, and whether the class is suppressed; None if no region contains it."""
        if (searched := decided.full_domain) is not None:
            return self._at_node(
                searched.requirement, searched.node, keep_suppressed_rows=searched.evaluator.keep_suppressed_rows
            )
        requirement = decided.requirement
        rules = requirement.rule_names
        chosen = {attribute.name: self.codes[attribute.key(attribute.min_level)] for attribute in counted.attributes}
        return _read(
            self.engine.query(render("lattice/class_result", are_evaluated=True, rules=rules, chosen=chosen)), requirement
        )

    def _at_node(self, requirement: Requirement, node: Node, *, keep_suppressed_rows: bool) -> "_Verdict | None":
        evaluated = evaluated_at(requirement, self.counted.attributes, node, keep_suppressed_rows=keep_suppressed_rows)
        chosen = {key: self.codes[key] for key in evaluated.class_keys}
        statement = render("lattice/class_result", chosen=chosen, rules=requirement.rule_names, **evaluated)
        return _read(self.engine.query(statement), requirement)

    def _labels(self) -> dict[str, str | None]:
        """The labels of the class in the release, or what they would be if it were released."""
        if self.decided.full_domain is None:
            names = [attribute.name for attribute in self.counted.attributes]
            chosen = {attribute.name: self.codes[attribute.key(attribute.min_level)] for attribute in self.counted.attributes}
            [row] = self.engine.query(render("local_recoding/labels_of_cell", names=names, chosen=chosen))
            return dict(zip(names, row, strict=True))
        labels: dict[str, str | None] = {}
        for attribute, level in zip(self.counted.attributes, self.decided.full_domain.node, strict=True):
            about = {"column": attribute.name, "level": level, "chosen": {"code": self.codes[attribute.key(level)]}}
            [(_, labels[attribute.name], _)] = self.engine.query(render("lattice/labels_at", **about))
        return labels


_Verdict = tuple[int, list[tuple[str, PrivacyModel, float | None, bool]], bool]


def _read(class_results: Sequence[Sequence[Any]], requirement: Requirement) -> _Verdict | None:
    if not class_results:
        return None
    [(rows, *figures, fails)] = class_results
    rules = [
        (reason, model, figures[2 * number], bool(figures[2 * number + 1]))
        for number, (reason, model) in enumerate(requirement.rules)
    ]
    return int(rows), rules, bool(fails)
