"""The runners-up of a search, and releases under other requirements."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from heapq import heapify, heappop, heappush, nsmallest
from typing import Any

from duckanon.engine.owner import leaves_nothing
from duckanon.engine.protocol import Engine
from duckanon.errors import JobError
from duckanon.formatting import figure
from duckanon.hierarchy.attributes import levels_of
from duckanon.job.column import Limit
from duckanon.job.model import Job
from duckanon.lattice import Node
from duckanon.metrics.loss import rounded
from duckanon.search import result
from duckanon.search.count import Counted
from duckanon.search.evaluate import Evaluator
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.result import SearchResult
from duckanon.search.trace import Visit
from duckanon.search.variants import options_without, variant, within, without_column

OTHER_K = (2, 3, 5, 10, 20, 50)
"""The values of k in the chart of risk against information loss."""

_MOST_RUNNERS_UP = 3
_MOST_COUNTED = 24
"""The most visited nodes that are counted again for each list of runners-up."""
_LEAST_NODES = 10
"""The nodes that each search for other requirements may visit, whatever the limit."""


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
