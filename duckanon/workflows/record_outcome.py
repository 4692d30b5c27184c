"""The outcome of one row or class, and the changes that would keep it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from duckanon.engine.owner import aside
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError, did_you_mean
from duckanon.hierarchy.attributes import Attribute, levels_of
from duckanon.job.options import joined
from duckanon.job.resolve import missing_rule
from duckanon.lattice import Node, is_above
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.release.recoding import recoding_of
from duckanon.search.advice import decide, may_ask
from duckanon.search.count import Counted
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.nodes import evaluated_at
from duckanon.search.result import SearchResult
from duckanon.search.variants import variant

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
        rules = _numbered(requirement)
        chosen = {attribute.name: self.codes[attribute.key(attribute.min_level)] for attribute in counted.attributes}
        return _read(
            self.engine.query(render("lattice/class_result", are_evaluated=True, rules=rules, chosen=chosen)), requirement
        )

    def _at_node(self, requirement: Requirement, node: Node, *, keep_suppressed_rows: bool) -> "_Verdict | None":
        evaluated = evaluated_at(requirement, self.counted.attributes, node, keep_suppressed_rows=keep_suppressed_rows)
        chosen = {key: self.codes[key] for key in evaluated["keys"]}
        statement = render("lattice/class_result", chosen=chosen, rules=_numbered(requirement), **evaluated)
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


def _numbered(requirement: Requirement) -> list[dict[str, int]]:
    """The numbers of the rules in verdicts, as template parameters."""
    return [{"number": number} for number, _ in enumerate(requirement.rules, start=1)]
