"""What to change: why a run is infeasible and what makes it feasible, the runners-up of a search, and releases under other requirements.

Each change is tried on the counted data, so each one is enough by itself.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from heapq import heapify, heappop, heappush, nsmallest
from itertools import islice
from math import ceil
from typing import Any

from duckanon.engine.owner import aside, leaves_nothing
from duckanon.engine.protocol import Engine
from duckanon.errors import JobError
from duckanon.formatting import figure
from duckanon.hierarchy.attributes import Attribute, lattice_of, levels_of
from duckanon.job.column import Limit
from duckanon.job.keys import assigned
from duckanon.job.model import Job
from duckanon.lattice import Node
from duckanon.metrics.loss import attribute_losses, rounded
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
from duckanon.search.trace import Visit
from duckanon.search.variants import options_without, variant, within, without_column

_MOST_VISITS = 200
"""The most nodes that are visited for the least limit, besides those that the search visited."""
_MOST_TRIES = 5
_MUCH = 0.5
"""A limit that allows a larger share of the rows is listed last."""
_NONE = "no single change of the limit, of k, of a model or of a column is enough"

OTHER_K = (2, 3, 5, 10, 20, 50)
"""The values of k in the chart of risk against information loss."""

_MOST_RUNNERS_UP = 3
_MOST_COUNTED = 24
"""The most visited nodes that are counted again for each list of runners-up."""
_LEAST_NODES = 10
"""The nodes that each search for other requirements may visit, whatever the limit."""


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


def runners_up(decided: SearchResult, visits: Sequence[Visit]) -> list[dict[str, Any]]:
    """Return the visited nodes closest to the chosen one: those that satisfy and lose least, and those that lose less but fail.

    All figures are exact: the search knows some of them only as bounds, so they are counted again. Failing nodes are sorted by
    the rows that they suppress.
    """
    searched = decided.full_domain
    if searched is None or not any(visit.is_chosen for visit in visits):
        return []
    evaluator = searched.evaluator
    reached, published = evaluator.value(searched.node), evaluator.objective.published
    others = [visit for visit in visits if not visit.is_chosen and visit.node in searched.lattice]
    dearer = _least(
        evaluator,
        [(visit.at_least, visit.node) for visit in others if visit.satisfies is not False],
        lambda node: published(evaluator.value(node)) if evaluator.satisfies(node) else None,
    )
    cheaper = _least(
        evaluator,
        [(visit.suppressed, visit.node) for visit in others if not visit.satisfies and visit.at_least < published(reached)],
        lambda node: (
            None if evaluator.satisfies(node) or evaluator.value(node) >= reached else evaluator.figures(node).suppressed
        ),
    )
    return [
        {
            "levels": levels_of(searched.counted.attributes, node),
            "value": published(evaluator.value(node)),
            "suppressed": evaluator.figures(node).suppressed,
            "satisfies": satisfies,
            "why": _why(searched, node, satisfies=satisfies),
        }
        for nodes, satisfies in ((dearer, True), (cheaper, False))
        for node in nodes
    ]


def _least(evaluator: Evaluator, bounded: Sequence[tuple[float, Node]], measure: Callable[[Node], float | None]) -> list[Node]:
    """Return the nodes with the smallest measures in ascending order, using lower bounds; a node whose measure is None is left out."""
    first = [node for _, node in nsmallest(_MOST_COUNTED, bounded)]
    evaluator.visit(first)
    evaluator.judge(first)
    waiting = [(bound, False, node) for bound, node in bounded]
    heapify(waiting)
    nearest: list[Node] = []
    measured = 0
    while waiting and len(nearest) < _MOST_RUNNERS_UP:
        _, is_measured, node = heappop(waiting)
        if is_measured:
            nearest.append(node)
        elif measured < _MOST_COUNTED:
            measured += 1
            if (value := measure(node)) is not None:
                heappush(waiting, (value, True, node))
    return nearest


def _why(decided: FullDomainResult, node: Node, *, satisfies: bool) -> str:
    evaluator = decided.evaluator
    published = evaluator.objective.published
    difference = abs(published(evaluator.value(node)) - published(evaluator.value(decided.node)))
    if satisfies:
        return f"costs {figure(difference)} more" if difference else "costs the same"
    suppressed = evaluator.figures(node).suppressed
    lacks = "exceeds the max-loss of a column"
    protection, loss = evaluator.protection, evaluator.protected_loss(node)
    if protection is not None and loss is not None and not protection.allows(loss):
        lacks = f"suppresses {loss.suppressed:,} of the {loss.rows:,} rows with one value of the protected {loss.column!r}"
    if suppressed > decided.limit:
        lacks = f"suppresses {suppressed:,} rows, and {decided.limit:,} are allowed"
    return f"would cost {figure(difference)} less, but {lacks}"


def columns(engine: Engine, counted: Counted, decided: SearchResult) -> list[dict[str, Any]]:
    """Describe the quasi-identifiers by descending share of the weighted information loss, each with the result if its level were one lower."""
    losses: Mapping[str, float] = decided.metrics()["loss_by_attribute"]
    weights = {attribute.name: float(attribute.weight) for attribute in counted.attributes}
    whole = sum(weights[name] * loss for name, loss in losses.items()) or 1.0
    levels = decided.full_domain.levels if decided.full_domain is not None else {}
    described = []
    for attribute in counted.attributes:
        name = attribute.name
        share = weights[name] * losses[name] / whole
        description: dict[str, Any] = {"column": name, "loss": losses[name], "weight": weights[name], "share": share}
        if levels:
            description |= {"level": levels[name], "height": attribute.height}
            if levels[name] > attribute.min_level:
                description["one_lower"] = _described(
                    decide(engine, variant(counted, levels=levels | {name: levels[name] - 1}))
                )
        described.append(description)
    return sorted(described, key=lambda column: -column["share"])


@leaves_nothing
def alternatives(
    engine: Engine, counted: Counted, decided: SearchResult, runners: Sequence[Mapping[str, Any]], nodes: int | None = None
) -> list[dict[str, Any]]:
    """Search under slightly changed requirements: k one lower, a higher suppression limit, one quasi-identifier fewer.

    The limit is raised by one step, and to the number of rows that a better node needs. `nodes` limits the visited nodes of all
    searches together; a search that reaches its limit gives a bound. A result that does not lose less than the release is left
    out. If a quasi-identifier is dropped, the loss is that of the others.
    """
    released = _objective(decided)
    job, k = counted.job, counted.plan.requirement.k.k
    limit = higher_limit(job)
    cases = []
    if may_ask(job, k - 1):
        cases.append((f"k = {k - 1:,} instead of {k:,}", f"--k {k - 1}", variant(counted, k=k - 1)))
    if job.may_suppress(Limit.parse(limit), counted.rows + counted.outside):
        change = f"a limit of {limit} instead of {job.suppression.limit}"
        cases.append((change, f"--max-suppression {limit}", variant(counted, limit=limit)))
    if len(counted.attributes) > 1:
        for attribute in counted.attributes:
            option = options_without(counted, attribute.name)
            cases.append((f"{attribute.name} is dropped", option, without_column(counted, attribute.name)))
    needed = next(
        (runner["suppressed"] for runner in runners if not runner["satisfies"] and runner["suppressed"] > counted.limit), None
    )
    if needed is not None and job.may_suppress(Limit(rows=needed), counted.rows + counted.outside):
        change = f"a limit of {needed:,} rows, which allows levels with less loss"
        cases.append((change, f"--max-suppression {needed}", variant(counted, limit=str(needed))))
    results = []
    for change, option, varied in cases:
        result = decide(engine, varied if nodes is None else within(varied, max(_LEAST_NODES, nodes // len(cases))))
        described = _described(result)
        if not described["exact"] and decided.full_domain is not None:
            # a search that ended early is no worse than the nodes that are already known
            known = [decided.full_domain.levels, *(runner["levels"] for runner in runners)]
            names = [attribute.name for attribute in varied.attributes]
            tried = [decide(engine, variant(varied, levels={name: levels[name] for name in names})) for levels in known]
            feasible = [each for each in (result, *tried) if each is not None and each.is_feasible]
            result = min(feasible, key=_objective, default=result)
            described = _described(result) | {"exact": False, "stopped": described["stopped"]}
        if result is not None and described["feasible"] and _objective(result) >= released:
            if described["exact"]:
                continue
            # the search ended before it found less loss
            described |= {"feasible": False, "loss": None, "suppressed": None, "levels": None}
        results.append({"change": change, "option": option, **described})
    return results


def _objective(decided: SearchResult) -> float:
    """The objective to the precision for comparing inexact values."""
    return rounded(decided.value)


@leaves_nothing
def risk_and_loss(engine: Engine, counted: Counted) -> list[dict[str, Any]]:
    """Search at other values of k; return `{k, risk, loss}` with the highest re-identification risk and the information loss.

    Values of k that no recoding satisfies are left out.
    """
    points = []
    for k in OTHER_K:
        if k == counted.plan.requirement.k.k or not may_ask(counted.job, k):
            continue
        decided = decide(engine, variant(counted, k=k))
        if decided is not None and decided.is_feasible and decided.figures.released_smallest:
            points.append({"k": k, "risk": 1 / decided.figures.released_smallest, "loss": decided.metrics()["loss"]})
    return points


def may_ask(job: Job, k: int) -> bool:
    """Whether k is large enough: at least 2, and at least the k of the policy."""
    return k >= max(2, job.least_k)


def higher_limit(job: Job) -> str:
    """The limit raised by one row, one percentage point or 0.01."""
    text = job.suppression.limit.strip()
    if job.limit.rows is not None:
        return str(job.limit.rows + 1)
    if text.endswith("%"):
        return f"{min(Decimal(100), Decimal(text[:-1]) + 1):f}%"
    return f"{min(Decimal(1), Decimal(text) + Decimal('0.01')):f}"


def decide(engine: Engine, varied: Counted) -> SearchResult | None:
    """Search under another job; return None if the job does not fit these columns."""
    try:
        return result.decide(engine, varied, all_nodes=False)
    except JobError:
        return None


def _described(decided: SearchResult | None) -> dict[str, Any]:
    """Describe a result. `exact` is false if a limit `stopped` the search: the figures are then those of the best node so far."""
    if decided is None:
        return {"feasible": False, "exact": True, "stopped": None, "loss": None, "suppressed": None, "levels": None}
    levels = decided.full_domain.levels if decided.full_domain is not None else None
    loss, stopped = decided.metrics()["loss"], decided.document().get("stopped")
    return {
        "feasible": decided.is_feasible,
        "exact": stopped is None,
        "stopped": stopped,
        "loss": loss,
        "suppressed": decided.figures.suppressed,
        "levels": levels,
    }
