"""What became of one class, and what would have kept it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError, did_you_mean
from duckanon.hierarchy.attributes import Attribute, levels_of
from duckanon.job.options import joined
from duckanon.job.resolve import missing_rule
from duckanon.lattice import Node, is_above
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.judgement import judgement
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.release.recoding.build import recoding_of
from duckanon.search.alternatives import decide, may_ask
from duckanon.search.count import Counted
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.result import SearchResult
from duckanon.search.variants import variant

_MOST_NODES = 400
_MOST_LATTICE = 200_000

Codes = Mapping[str, int]
"""A record by its label codes: of each column of `combinations` that tells a quasi-identifier on a level."""


@dataclass(frozen=True)
class Fate:
    """A class: what the release shows of it, whether it does, the rules that it fails, and what would keep it."""

    status: str
    """`released`, `suppressed`, `missing` (left out for missing values) or `outside` (values that the recoding does not cover)."""
    labels: Mapping[str, str | None] = field(default_factory=dict)
    rows: int = 0
    rules: Sequence[Mapping[str, Any]] = ()
    changes: Sequence[Mapping[str, Any]] = ()
    """The one that loses least first."""
    is_searched: bool = True
    """Whether every node was looked at that might lose less than the best one found."""


def fate_of_row(engine: Engine, counted: Counted, decided: SearchResult, row: int) -> Fate:
    """What became of the row of the input at a place, from 1 on; reads it alone."""
    attributes = [
        {"name": attribute.name, "min_level": attribute.min_level, "max_level": attribute.max_level}
        for attribute in counted.attributes
    ]
    dropped = missing_rule(counted.job).dropping(counted.columns)
    row_codes = engine.query(render("dataset/row_codes", attributes=attributes, offset=row - 1, dropped=dropped))
    if not row_codes:
        return Fate("outside" if counted.drift is not None else "missing")
    return _Judged(engine, counted, decided, dict(zip(_keys(counted.attributes), map(int, row_codes[0]), strict=True))).fate()


def fate_of_class(engine: Engine, counted: Counted, decided: SearchResult, labels: Mapping[str, str]) -> Fate:
    """What became of the class with these labels at the released levels; raises `JobError` where there is none."""
    if decided.full_domain is None:
        raise JobError("--class names labels of one level for every row, and this release recodes regions apart; name a --row")
    names = [attribute.name for attribute in counted.attributes]
    for name in labels:
        if name not in names:
            raise JobError(f"--class names {name!r}, which is not a quasi-identifier{did_you_mean(name, names)}")
    if lacking := [name for name in names if name not in labels]:
        raise JobError(f"--class says nothing of {', '.join(lacking)}; a class has a label of every quasi-identifier")
    chosen = {}
    for attribute, level in zip(counted.attributes, decided.full_domain.node, strict=True):
        about = {"column": attribute.name, "level": level, "label": labels[attribute.name]}
        label_codes = engine.query(render("lattice/label_codes", **about))
        if not label_codes:
            raise JobError(
                f"{attribute.name!r} has no label {labels[attribute.name]!r} on level {level}, on which it was released"
            )
        chosen[attribute.key(level)] = int(label_codes[0][0])
    keys = _keys(counted.attributes)
    member = engine.query(render("lattice/class_codes", keys=keys, chosen=chosen))
    if not member:
        raise JobError("no row of the input has these labels together")
    codes = dict(zip(keys, map(int, member[0]), strict=True))
    return _Judged(engine, counted, decided, codes, is_whole_class=True).fate()


def parsed_labels(texts: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """`COLUMN=LABEL` of each text, by the longest column that it begins with; raises `JobError`."""
    labels: dict[str, str] = {}
    for text in texts:
        known = max((name for name in names if text.startswith(f"{name}=")), key=len, default=None)
        name, equals, label = text.partition("=") if known is None else (known, "=", text[len(known) + 1 :])
        if not equals:
            raise JobError(f"--class {text!r} says nothing of a column; write --class sex=Male, once for each quasi-identifier")
        if name in labels:
            raise JobError(f"--class says two labels of {name!r}; a class has one")
        labels[name] = label
    return labels


def _keys(attributes: Sequence[Attribute]) -> list[str]:
    return [attribute.key(level) for attribute in attributes for level in range(attribute.min_level, attribute.max_level + 1)]


@dataclass(frozen=True)
class _Judged:
    """A record, or the class of one, held against the release and against what else could be."""

    engine: Engine
    counted: Counted
    decided: SearchResult
    codes: Codes
    is_whole_class: bool = False
    """Whether all of its class has to be kept, so that no level may be lower than it is."""

    def fate(self) -> Fate:
        verdict = self._verdict(self.counted, self.decided)
        if verdict is None:
            return Fate("outside")
        rows, rules, fails = verdict
        recoding = recoding_of(self.decided, self.counted)
        labels = self._labels()
        if not fails:
            return Fate("released", labels, rows)
        failed_rules = [self._rule(model, achieved) for model, achieved, is_failed in rules if is_failed]
        if not failed_rules and recoding.last_reason is not None:
            failed_rules = [{"rule": recoding.last_reason, "achieved": None, "required": None}]
        elif not failed_rules:
            failed_rules = [{"rule": "joined the failing classes, which were too few", "achieved": None, "required": None}]
        changes, is_searched = self._changes(rows, [model for model, _, is_failed in rules if is_failed])
        return Fate("suppressed", labels, rows, failed_rules, changes, is_searched)

    def _rule(self, model: PrivacyModel, achieved: float | None) -> dict[str, Any]:
        is_own = isinstance(model, KAnonymity) and model.k_column is not None
        required = None if is_own else float(next(iter(model.parameters.values())))
        return {"rule": model.reason, "achieved": achieved, "required": required}

    def _changes(self, rows: int, failed: Sequence[PrivacyModel]) -> tuple[list[dict[str, Any]], bool]:
        """Other levels under the same promise, and a smaller k on the same levels, each decided and looked at."""
        changes, is_searched = [], True
        searched = self.decided.full_domain
        if searched is not None:
            node, is_searched = self._least_node(searched)
            if node is not None:
                levels = levels_of(self.counted.attributes, node)
                option = f"--levels {joined(f'{name}={level}' for name, level in levels.items())}"
                changes.append(self._tried("other levels", option, variant(self.counted, levels=levels)))
        job = self.counted.job
        counts_rows = job.entity is None and job.k_column is None
        if [*map(type, failed)] == [KAnonymity] and counts_rows and may_ask(job, rows):
            levels_now = None if searched is None else searched.levels
            varied = variant(self.counted, k=rows, levels=levels_now)
            fixed = "" if levels_now is None else f" --levels {joined(f'{n}={v}' for n, v in levels_now.items())}"
            changes.append(
                self._tried(f"k = {rows} in place of {self.counted.plan.requirement.k.k}", f"--k {rows}{fixed}", varied)
            )
        kept = [change for change in changes if change is not None]
        return sorted(kept, key=lambda change: change["loss"]), is_searched

    def _tried(self, change: str, option: str, varied: Counted) -> dict[str, Any] | None:
        """A change with what it costs; None where it does not keep the record after all."""
        decided = decide(self.engine, varied)
        if decided is None or not decided.is_feasible:
            return None
        verdict = self._verdict(varied, decided)
        if verdict is None or verdict[2]:
            return None
        loss = decided.metrics()["loss"]
        return {"change": change, "option": option, "loss": loss, "suppressed": decided.figures.suppressed}

    def _least_node(self, searched: FullDomainResult) -> tuple[Node | None, bool]:
        """The node with the least objective that satisfies and keeps the record; whether none can be better."""
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
            verdict = self._at_node(evaluator.requirement, node, stars=evaluator.stars)
            if verdict is not None and not verdict[2]:
                best = node
        return best, True

    def _verdict(self, counted: Counted, decided: SearchResult) -> "_Verdict | None":
        """Rows, what is achieved and failed under each model, and whether the class is suppressed; None where no region takes it."""
        if (searched := decided.full_domain) is not None:
            return self._at_node(searched.requirement, searched.node, stars=searched.evaluator.stars)
        requirement = decided.requirement
        models = [{"number": number} for number, _ in enumerate(requirement.models, start=1)]
        chosen = {attribute.name: self.codes[attribute.key(attribute.min_level)] for attribute in counted.attributes}
        return _read(self.engine.query(render("local_recoding/class_verdict", models=models, chosen=chosen)), requirement)

    def _at_node(self, requirement: Requirement, node: Node, *, stars: bool) -> "_Verdict | None":
        keys = [attribute.key(level) for attribute, level in zip(self.counted.attributes, node, strict=True)]
        judged = judgement(requirement, keys, stars=stars)
        chosen = {key: self.codes[key] for key in keys}
        return _read(self.engine.query(render("lattice/class_verdict", chosen=chosen, **judged, keys=keys)), requirement)

    def _labels(self) -> dict[str, str | None]:
        """What the release shows of the class, or would."""
        if self.decided.full_domain is None:
            names = [attribute.name for attribute in self.counted.attributes]
            chosen = {attribute.name: self.codes[attribute.key(attribute.min_level)] for attribute in self.counted.attributes}
            [row] = self.engine.query(render("local_recoding/labels_of_cell", names=names, chosen=chosen))
            return dict(zip(names, row, strict=True))
        labels: dict[str, str | None] = {}
        for attribute, level in zip(self.counted.attributes, self.decided.full_domain.node, strict=True):
            about = {"column": attribute.name, "level": level, "code": self.codes[attribute.key(level)]}
            [(labels[attribute.name],)] = self.engine.query(render("lattice/labels_of", **about))
        return labels


_Verdict = tuple[int, list[tuple[PrivacyModel, float | None, bool]], bool]


def _read(verdicts: Sequence[Sequence[Any]], requirement: Requirement) -> _Verdict | None:
    if not verdicts:
        return None
    [(rows, *figures, fails)] = verdicts
    rules = [(model, figures[2 * number], bool(figures[2 * number + 1])) for number, model in enumerate(requirement.models)]
    return int(rows), rules, bool(fails)
