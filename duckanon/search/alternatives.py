"""What else could have been decided: the runners-up of the search, and the nearest releases under another promise."""

import time
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from heapq import heapify, heappop, heappush
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.errors import JobError
from duckanon.hierarchy.attributes import levels_of
from duckanon.job.model import Job
from duckanon.job.policies import PRESETS
from duckanon.lattice import Node
from duckanon.search import result
from duckanon.search.count import Counted
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.result import SearchResult
from duckanon.search.trace import Visit
from duckanon.search.variants import options_without, variant, within, without_column

_MOST_RUNNERS_UP = 3
_MOST_COUNTED = 24
"""Visited nodes that are counted anew for each list of runners-up."""


def runners_up(decided: SearchResult, visits: Sequence[Visit]) -> list[dict[str, Any]]:
    """Of the visited nodes, those that satisfy and lose least after the chosen one, and those that lose less than it but fail.

    Every figure is counted: the search knew some only by a bound. Of the failing nodes those that suppress least come first.
    """
    searched = decided.full_domain
    if searched is None or not any(visit.is_chosen for visit in visits):
        return []
    evaluator = searched.evaluator
    reached, published = evaluator.value(searched.node), evaluator.objective.published
    others = [visit for visit in visits if not visit.is_chosen and visit.node in searched.lattice]
    dearer = _least(
        [(visit.at_least, visit.node) for visit in others if visit.satisfies is not False],
        lambda node: published(evaluator.value(node)) if evaluator.satisfies(node) else None,
    )
    cheaper = _least(
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


def _least(bounded: Sequence[tuple[float, Node]], measure: Callable[[Node], float | None]) -> list[Node]:
    """The nodes of least measure, the least first, found by lower bounds of it; None leaves a node out."""
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
        return f"costs {difference:.4g} more" if difference else "costs the same"
    suppressed = evaluator.figures(node).suppressed
    lacks = "loses more of a column than its max-loss allows"
    protection, loss = evaluator.protection, evaluator.protected_loss(node)
    if protection is not None and loss is not None and not protection.allows(loss):
        lacks = f"suppresses {loss.suppressed:,} of the {loss.rows:,} rows with one value of the protected {loss.column!r}"
    if suppressed > decided.limit:
        lacks = f"suppresses {suppressed:,} rows, and {decided.limit:,} are allowed"
    return f"would cost {difference:.4g} less, but {lacks}"


def columns(engine: Engine, counted: Counted, decided: SearchResult) -> list[dict[str, Any]]:
    """The quasi-identifiers, the one that loses most first; with what would be suppressed were its level one lower."""
    losses: Mapping[str, float] = decided.metrics()["loss_by_attribute"]
    whole = sum(losses.values()) or 1.0
    levels = decided.full_domain.levels if decided.full_domain is not None else {}
    described = []
    for attribute in counted.attributes:
        name = attribute.name
        description: dict[str, Any] = {"column": name, "loss": losses[name], "share": losses[name] / whole}
        if levels:
            description |= {"level": levels[name], "height": attribute.height}
            if levels[name] > attribute.min_level:
                description["one_lower"] = _described(
                    decide(engine, variant(counted, levels=levels | {name: levels[name] - 1}))
                )
        described.append(description)
    return sorted(described, key=lambda column: -column["loss"])


def alternatives(
    engine: Engine, counted: Counted, runners: Sequence[Mapping[str, Any]], seconds: float | None = None
) -> list[dict[str, Any]]:
    """The nearest other promises, each searched: k one lower, the limit one higher, and as high as a better node needs, one attribute fewer.

    Where they may take so many seconds only, what a search has found by then is told as a bound. The losses of one attribute fewer
    are those of the others. Makes relations of regions anew where these are recoded.
    """
    job, k = counted.job, counted.plan.requirement.k.k
    limit = higher_limit(job)
    cases = []
    if may_ask(job, k - 1):
        cases.append((f"k = {k - 1:,} in place of {k:,}", f"--k {k - 1}", variant(counted, k=k - 1)))
    cases += [
        (f"a limit of {limit} in place of {job.suppression.limit}", f"--max-suppression {limit}", variant(counted, limit=limit))
    ]
    if len(counted.attributes) > 1:
        for attribute in counted.attributes:
            option = options_without(counted, attribute.name)
            cases.append((f"{attribute.name} is dropped", option, without_column(counted, attribute.name)))
    needed = next(
        (runner["suppressed"] for runner in runners if not runner["satisfies"] and runner["suppressed"] > counted.limit), None
    )
    if needed is not None:
        change = f"a limit of {needed:,} rows, which lets a better node in"
        cases.append((change, f"--max-suppression {needed}", variant(counted, limit=str(needed))))
    start, results = time.monotonic(), []
    for number, (change, option, varied) in enumerate(cases):
        if seconds is not None:
            left = seconds - (time.monotonic() - start)
            varied = within(varied, max(0.01, left / (len(cases) - number)))
        results.append({"change": change, "option": option, **_described(decide(engine, varied))})
    return results


def may_ask(job: Job, k: int) -> bool:
    """Whether so small a k makes sense: 1 hides nobody, and a policy asks for one of its own."""
    return k >= (2 if job.policy is None else PRESETS[job.policy].k)


def higher_limit(job: Job) -> str:
    """The next limit: a row, a percentage point, a hundredth."""
    text = job.suppression.limit.strip()
    if job.limit.rows is not None:
        return str(job.limit.rows + 1)
    if text.endswith("%"):
        return f"{min(Decimal(100), Decimal(text[:-1]) + 1):f}%"
    return f"{min(Decimal(1), Decimal(text) + Decimal('0.01')):f}"


def decide(engine: Engine, varied: Counted) -> SearchResult | None:
    """What is found for another job; None where it makes no sense for these columns."""
    try:
        return result.decide(engine, varied, all_nodes=False)
    except JobError:
        return None


def _described(decided: SearchResult | None) -> dict[str, Any]:
    """What was found; `exact` where the search came to its end, else no more is lost, or suppressed rows are those of the best so far."""
    if decided is None:
        return {"feasible": False, "exact": True, "loss": None, "suppressed": None, "levels": None}
    levels = decided.full_domain.levels if decided.full_domain is not None else None
    loss = decided.metrics()["loss"]
    return {
        "feasible": decided.is_feasible,
        "exact": "stopped" not in decided.document(),
        "loss": loss,
        "suppressed": decided.figures.suppressed,
        "levels": levels,
    }
