"""Why a run is infeasible, and what makes it feasible.

Each change is tried on the counted data, so each one is enough by itself.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import Any

from duckanon.engine.owner import aside
from duckanon.engine.protocol import Engine
from duckanon.hierarchy.attributes import Attribute, lattice_of
from duckanon.job.column import Limit
from duckanon.job.keys import assigned
from duckanon.lattice import Node
from duckanon.metrics.loss import attribute_losses
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.registry import as_written
from duckanon.privacy.requirement import Requirement
from duckanon.search import result
from duckanon.search.algorithms import lattice_algorithm
from duckanon.search.count import Counted
from duckanon.search.distributions import impossible
from duckanon.search.evaluate import Evaluator
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.protected_values import Loss
from duckanon.search.result import SearchResult
from duckanon.search.variants import options_without, variant

_MOST_VISITS = 200
"""The most nodes that are visited for the least limit, besides those that the search visited."""
_MOST_TRIES = 5
_MUCH = 0.5
"""A limit that allows a larger share of the rows is listed last."""
_NONE = "no single change of the limit, of k, of a model or of a column is enough"


def advice(decided: SearchResult) -> str:
    """Why no recoding satisfies the requirement, in one line with the closest result; `remedies` adds what to change."""
    counted, requirement, figures, searched = decided.counted, decided.requirement, decided.figures, decided.full_domain
    if (reason := impossible(requirement, counted.distributions)) is not None:
        return reason
    is_applied, required = counted.is_applied, _required(requirement)
    unsatisfied = (
        f"the saved recoding does not satisfy {required}" if is_applied else f"found no recoding that satisfies {required}"
    )
    # rows outside are always suppressed: the release would isolate them, or a saved recoding does not cover them
    rows, suppressed, limit = (number + counted.outside for number in (figures.rows, figures.suppressed, decided.limit))
    keeps_limit = suppressed <= limit and figures.released > 0
    loss, protection = decided.protected_loss, counted.protection
    keeps_values = protection is None or protection.allows(loss)
    possible = decided.possible() if searched is not None and keeps_limit else None
    if possible is not None and suppressed + possible.failing_rows > limit:
        return f"infeasible: with at most {limit:,} rows suppressed, {possible.problem}"
    result = "the saved recoding" if is_applied else "the search" if searched is None else "the closest recoding"
    if searched is not None:
        result += f" ({', '.join(f'{name}={level}' for name, level in searched.levels.items())})"
    finding = f"{result} suppresses {suppressed:,} of {rows:,} rows"
    if searched is None and not is_applied:
        finding = f"{result} leaves {suppressed:,} of {rows:,} rows in classes that fail"
    if uncovered := counted.outside - counted.isolated + (decided.unplaced if is_applied else 0):
        finding += f", {uncovered:,} of them for values that the recoding does not cover"
    if counted.isolated:
        finding += f", {counted.isolated:,} of them because the release would isolate them"
    if searched is not None:
        if requirement.bounds_presence:
            absent = searched.evaluator.absent(searched.node)
            finding += f", and has {absent:,} classes of the population without a record (delta-presence with a lower bound allows neither)"
        if keeps_limit and keeps_values:
            finding += ", and exceeds the max-loss of a column"
        if (stopped := searched.evaluator.stopped) is not None:
            return f"infeasible so far: the {stopped} ended the search before it found a recoding that satisfies {required}; {finding}"
    if keeps_limit and protection is not None and loss is not None and not keeps_values:
        return (
            f"infeasible: {unsatisfied} with at most {float(protection.share * 100):.4g}% of the rows with each value of "
            f"{' and '.join(map(repr, protection.names))} suppressed: {result} "
            f"suppresses {loss.suppressed:,} of the {loss.rows:,} rows with one value of {loss.column!r}"
        )
    if (k := requirement.largest_k.k) > rows:
        return f"infeasible: k = {k:,} is larger than the {rows:,} rows that take part, so {finding}"
    keep_suppressed_rows = " (with the classes that join the masked records)" if counted.job.keep_suppressed_rows else ""
    return f"infeasible: {unsatisfied} with at most {limit:,} rows suppressed{keep_suppressed_rows}: {finding}"


def _required(requirement: Requirement) -> str:
    """The requirement as text."""
    if requirement.adversaries:
        parts = [
            f"{_required(requirement.for_adversary(adversary))} for {adversary.name}" for adversary in requirement.adversaries
        ]
        return ", ".join(parts)
    k = requirement.k
    models = [f"k = {k.k:,}" if k.k_column is None else f"each record's own k in {k.k_column!r}"]
    models += [as_written(model) for model in requirement.all_models[1:]]
    return " and ".join(dict.fromkeys(models))


def remedies(engine: Engine, counted: Counted, decided: SearchResult) -> str:
    """The changes that make the run feasible, as the last part of its error message."""
    searched = decided.full_domain
    if searched is not None and searched.evaluator.stopped is not None:
        return f"leave --{searched.evaluator.stopped} out, or raise it"
    trial = _Trial(engine, counted, decided)
    ways = list(trial.ways())
    limit = trial.least_limit()
    rows, is_least = limit or (0, True)
    taken, whole = rows + counted.outside, counted.rows + counted.outside
    share = taken / whole
    if limit is None or not counted.job.may_suppress(Limit(rows=taken), whole):
        return ", or ".join(ways) or _NONE
    fewer = "" if is_least else "; fewer may be enough"
    way = f"raise --max-suppression to {taken} ({share:.1%} of the rows{fewer})"
    return ", or ".join([*ways, way] if share > _MUCH else [way, *ways])


class _Trial:
    """Judge other requirements, bounds and columns at the nodes that decide whether a search succeeds.

    At the top of the lattice the rows differ least: Mondrian and the passes of `local` fall back on it, walks end there, and a
    complete search visits it first. So every search finds a solution that satisfies there. A complete search also finds the closest node.
    """

    def __init__(self, engine: Engine, counted: Counted, decided: SearchResult) -> None:
        self._engine, self._counted, self._decided = engine, counted, decided
        self._requirement = counted.plan.requirement
        recoding = counted.job.recoding
        self._is_fixed = bool(recoding.levels)
        self._is_complete = decided.full_domain is not None and (
            self._is_fixed or not lattice_algorithm(recoding.algorithm).IS_WALK
        )
        self._is_split = counted.decisive != self._requirement
        """Whether only a part of the requirement chooses the levels."""

    def ways(self) -> Iterator[str]:
        """All changes except a higher limit."""
        if self._counted.is_applied:
            yield "search again (duckanon anonymize)"
            return
        if self._is_split:
            if self._satisfies(self._requirement):
                yield "choose --set decide-on=all"
            return
        if self._counted.protection is not None and self._satisfies_unprotected():
            yield "leave --protect out"
        if self._is_fixed and self._evaluator(self._requirement).satisfies(lattice_of(self._counted.attributes).top):
            yield "leave --levels out"
        yield from self._rows()
        yield from self._smaller_k()
        yield from self._fewer_models()
        for attribute in self._counted.attributes if not self._is_fixed else ():
            is_low, most = attribute.max_level < attribute.height, attribute.max_loss
            if (is_low or most is not None) and self._satisfies(self._requirement, without=attribute):
                # the column would be at its top, where it loses all
                if is_low and (most is None or most >= 1):
                    yield f"raise max-level of {attribute.name!r} to {attribute.height}"
                yield self._dropped(attribute)
        yield from self._larger_losses()

    def _dropped(self, attribute: Attribute) -> str:
        return f"drop {attribute.name!r} ({options_without(self._counted, attribute.name)})"

    def _rows(self) -> Iterator[str]:
        """Another unit, if a column was taken for persons that has fewer values than k, as categories have."""
        persons, requirement = self._counted.persons, self._requirement
        is_category = persons.origin == "detected" and not persons.others and persons.persons < requirement.largest_k.k
        if is_category and requirement.largest_k.k <= self._counted.rows and not requirement.others:
            yield f"if the {persons.persons:,} values of {persons.column!r} are no persons, count rows (--entity none)"

    def _smaller_k(self) -> Iterator[str]:
        k = self._requirement.k
        if self._requirement.adversaries:
            yield from self._fewer_for_adversaries()
            return
        if k.k_column is not None:
            whole = self._evaluator(self._requirement).figures(self._nodes(self._counted.attributes)[0]).smallest
            if self._satisfies(replace(self._requirement, k=k.model_copy(update={"k_column": None}))):
                yield f"give at most {whole:,} in {k.k_column!r}"
            return
        if (smaller := _largest(range(max(2, self._counted.job.least_k), k.k), self._keeps_k)) is not None:
            yield f"lower --k to at most {smaller}"

    def _fewer_for_adversaries(self) -> Iterator[str]:
        """A smaller k of one adversary, or the release without it."""
        requirement = self._requirement
        for adversary in requirement.adversaries:

            def keeps(k: int, name: str = adversary.name) -> bool:
                return self._satisfies(requirement.with_k(name, k))

            least = self._counted.job.least_k_of(adversary.columns)
            if (smaller := _largest(range(least, adversary.k.k), keeps)) is not None:
                lowered = f"lower the k of adversary {adversary.name!r} to at most {smaller}"
                yield lowered if smaller > 1 else f"leave adversary {adversary.name!r} out"

    def _keeps_k(self, k: int) -> bool:
        return self._satisfies(replace(self._requirement, k=self._requirement.k.model_copy(update={"k": k})))

    def _fewer_models(self) -> Iterator[str]:
        requirement, of_policy = self._requirement, self._counted.job.policy_models
        for number, model in enumerate(requirement.others):
            if model in of_policy:
                continue
            required = None if model.sensitive is None else model.parameters.get("l")
            if required is not None and (least := self._smaller_l(number, int(required))) is not None:
                yield f"lower l of {as_written(model)} to {least}"
                continue
            if self._satisfies(self._with(number, None)):
                yield f"leave {as_written(model)} out"
        risk = requirement.average_risk
        if risk is not None and risk not in of_policy and self._satisfies(replace(requirement, average_risk=None)):
            yield f"leave {as_written(risk)} out"

    def _smaller_l(self, number: int, required: int) -> int | None:
        """The largest l that the classes have; None if it is not above 1."""
        model = self._requirement.others[number]
        values = {distribution.name: distribution.values for distribution in self._counted.distributions}[str(model.sensitive)]
        return _largest(
            range(2, min(required, values + 1)),
            lambda number_of: self._satisfies(self._with(number, _with_l(model, number_of))),
        )

    def _with(self, number: int, model: PrivacyModel | None) -> Requirement:
        """The requirement with one model replaced, or removed."""
        others = self._requirement.others
        return replace(self._requirement, others=(*others[:number], *([] if model is None else [model]), *others[number + 1 :]))

    def _larger_losses(self) -> Iterator[str]:
        if self._decided.full_domain is None:
            return
        for position, attribute in enumerate(self._counted.attributes):
            if attribute.max_loss is None:
                continue
            free = list(self._counted.attributes)
            free[position] = replace(attribute, max_loss=None)
            evaluator = self._evaluator(self._requirement, attributes=free)
            [top, *more] = self._nodes(self._counted.attributes)
            levels = range(top[position], attribute.max_level + 1) if not self._is_fixed else ()
            raised = [(*top[:position], level, *top[position + 1 :]) for level in levels]
            needed = [self._loss(evaluator, node, position) for node in (top, *more, *raised) if evaluator.satisfies(node)]
            if needed and (self._is_complete or self._loss(evaluator, raised[-1], position) in needed):
                least = ceil(min(needed) * 10_000) / 10_000
                yield f"raise max-loss: {assigned(('columns', attribute.name, 'max-loss'), f'{least:g}')}"

    def _loss(self, evaluator: Evaluator, node: Node, position: int) -> Fraction:
        marginals = self._counted.marginals
        return attribute_losses(marginals, node, evaluator.figures(node), evaluator.lost(node))[position]

    def _satisfies(self, requirement: Requirement, *, without: Attribute | None = None) -> bool:
        """Whether one of the deciding nodes satisfies, with all quasi-identifiers or all except one."""
        kept = [attribute for attribute in self._counted.attributes if without is None or attribute.name != without.name]
        evaluator = self._evaluator(requirement, attributes=kept)
        return bool(kept) and any(evaluator.satisfies(node) for node in self._nodes(kept))

    def _satisfies_unprotected(self) -> bool:
        evaluator = self._evaluator(self._requirement, protects=False)
        return any(evaluator.satisfies(node) for node in self._nodes(self._counted.attributes))

    def _nodes(self, attributes: Sequence[Attribute]) -> list[Node]:
        """The top of the lattice, and the closest node if the search finds it; with fixed levels only their node."""
        searched = self._decided.full_domain
        if searched is None:
            return [lattice_of(attributes).top]
        nodes = [searched.lattice.top] if not self._is_complete else [searched.lattice.top, searched.node]
        names = [attribute.name for attribute in attributes]
        kept = [number for number, attribute in enumerate(self._counted.attributes) if attribute.name in names]
        chosen = [searched.node] if self._is_fixed else nodes
        return list(dict.fromkeys(tuple(node[number] for number in kept) for node in chosen))

    def _evaluator(
        self,
        requirement: Requirement,
        *,
        limit: int | None = None,
        attributes: Sequence[Attribute] | None = None,
        protects: bool = True,
    ) -> Evaluator:
        kept = list(self._counted.attributes if attributes is None else attributes)
        names = [attribute.name for attribute in kept]
        marginals = [attribute for attribute in self._counted.marginals if attribute.name in names]
        counted = replace(self._counted, attributes=kept, marginals=marginals)
        evaluator = Evaluator.of(self._engine, counted, requirement.restricted_to(names))
        if not protects:
            evaluator.protection = None
        if limit is not None:
            evaluator.limit = limit
            if evaluator.protection is not None:
                # `_needed` applies the limit to each protected value
                evaluator.protection = replace(evaluator.protection, share=Fraction(1))
        return evaluator

    def _needed(self, suppressed: int, loss: Loss | None) -> int:
        """The rows that a limit must allow so that it covers all rows, and each protected value by the same share."""
        counted = self._counted
        if loss is None:
            return suppressed
        return max(suppressed, ceil(loss.share * (counted.rows + counted.outside)) - counted.outside)

    def least_limit(self) -> tuple[int, bool] | None:
        """The rows that the run must suppress, and whether this number is minimal; None if no limit helps."""
        searched, counted = self._decided.full_domain, self._counted
        if searched is None:
            figures = self._decided.figures
            needed = self._needed(figures.suppressed, self._decided.protected_loss)
            return (needed, True) if figures.released and needed > counted.limit else None
        if self._is_fixed:
            return self._limit_of([searched.node])
        if not self._is_complete or self._is_split:
            return self._tried_limit()
        seen = [*searched.evaluator.visited]
        limit = self._limit_of(seen)
        left = sorted((node for node in _some(searched) if node not in seen), key=lambda node: (-sum(node), node))
        is_whole = searched.lattice.size - len(seen) <= _MOST_VISITS
        best = self._limit_of([*seen, *left], limit[0] if limit else None)
        return None if best is None else (best[0], is_whole or self._requirement.is_monotone)

    def _limit_of(self, nodes: Iterable[Node], below: int | None = None) -> tuple[int, bool] | None:
        """The least limit under which one of the nodes satisfies."""
        evaluator = self._evaluator(self._requirement, limit=self._counted.rows)
        least = below
        for node in nodes:
            if least is not None and evaluator.least_suppressed(node) >= least:
                continue
            if evaluator.satisfies(node):
                needed = self._needed(evaluator.figures(node).suppressed, evaluator.protected_loss(node))
                least = needed if least is None else min(least, needed)
        return None if least is None or least <= self._counted.limit else (least, True)

    def _tried_limit(self) -> tuple[int, bool] | None:
        """A limit under which the same search succeeds: raise it to what the closest result needs until the search succeeds."""
        decided: Any = self._decided
        limit = self._needed(decided.figures.suppressed, decided.protected_loss)
        for _ in range(_MOST_TRIES):
            if not self._counted.limit < limit < self._counted.rows:
                return None
            varied = variant(self._counted, limit=str(limit + self._counted.outside))
            with aside(self._engine):
                decided = result.decide(self._engine, varied, all_nodes=False)
            if decided.is_feasible:
                return limit, False
            limit = max(limit + 1, self._needed(decided.figures.suppressed, decided.protected_loss))
        return None


def _some(decided: FullDomainResult) -> Iterator[Node]:
    """Nodes of the lattice, at most as many as are visited."""
    return islice(decided.lattice.nodes(), _MOST_VISITS + len(decided.evaluator.visited))


def _with_l(model: PrivacyModel, values: int) -> PrivacyModel:
    return model.model_copy(update={"l": type(model.parameters["l"])(values)})


def _largest(numbers: range, holds: Callable[[int], bool]) -> int | None:
    """The largest number that holds, if `holds` is true for all smaller numbers too."""
    if not numbers or not holds(numbers[0]):
        return None
    low, high = numbers[0], numbers[-1]
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low
