"""The algorithm `auto`: the best of full-domain, local and Mondrian recoding within a time budget."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import comb, inf
from typing import Any

from duckanon.engine.owner import aside
from duckanon.engine.protocol import Engine, row_count
from duckanon.errors import JobError
from duckanon.hierarchy.attributes import lattice_of
from duckanon.job.column import DEFAULT_LIMIT, Limit
from duckanon.job.requirements import of_any_columns
from duckanon.metrics.document import aggregated
from duckanon.risks.sizes import read_sizes
from duckanon.search import local_recoding
from duckanon.search.budget import Budget
from duckanon.search.count import Counted
from duckanon.search.evaluate import Evaluator
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.full_domain import search as search_lattice
from duckanon.search.region_result import RegionResult, SearchResult
from duckanon.search.shown_shares import NOTABLE, shown_shares
from duckanon.search.variants import heavier, variant, without, without_column

SECONDS = 2.0
"""For the full-domain search and the passes of local recoding together; Mondrian ends by itself."""
_PREFERENCE = 2
"""Full-domain recoding may lose at most this multiple of the least loss, no whole column, and no more records than the default limit: labels that are the same for all records are easier to analyze."""
_SIMILAR = 1.1
"""Results that lose at most this multiple of the least loss are alike: the one that keeps the shares of values best is taken."""
_EMPHASIS = 2
"""The factor of the weight of columns whose values are hidden unequally."""
_MOST_COLUMNS = 16
"""Maximum number of quasi-identifiers for a search of the lattice; with more, a node rarely competes."""
_MOST_VISITED = 300
"""Nodes that the full-domain search visits, so that the result rarely depends on the speed of the machine."""
_MOST_NODES, _MOST_COMBINATIONS = 5_000, 20_000
"""Lattice and combinations up to which local recoding ends within seconds."""


_ANY = 3
"""The columns that the adversaries of the alternative know, whichever."""
_LEAST_COLUMNS = 8
"""Minimum number of quasi-identifiers of a wide table."""
_TOO_MUCH = 0.4
"""The information loss above which the alternative is tried."""
_WORTHWHILE = 0.5
"""The share of that loss that the alternative must not exceed."""
_MOST_ALTERNATIVES = 2
_MOST_KEYS = 1_000_000
"""Combinations times sets of columns up to which the other search ends within seconds."""
_SECONDS_OF_PASSES = 10.0


def search(engine: Engine, counted: Counted) -> SearchResult:
    """The best result, without the columns of detected role that every record would show as `*`: the search is repeated without them."""
    result = _best(engine, counted, ends_early=True)
    dropped = _dropped(result, counted)
    if not dropped:
        return result
    result.drop_relations()
    for name in dropped:
        counted = without_column(counted, name)
    return _best(engine, without(counted, dict.fromkeys(dropped, "every released record would show *")))


def with_alternatives(engine: Engine, result: SearchResult, counted: Counted) -> SearchResult:
    """The result, with what other options would give: the algorithms that the search has compared, `--any 3`, and k twice as large."""
    # what was compared after columns were dropped is not what a run with these options gives
    is_whole = len(result.counted.attributes) == len(counted.attributes)
    alternatives = [*_any_columns(engine, result, counted), *(result.counted.alternatives if is_whole else ())]
    if is_whole and len(alternatives) < _MOST_ALTERNATIVES:
        alternatives += _larger_k(engine, result, counted)
    return replace(result, counted=replace(result.counted, alternatives=alternatives))


def _larger_k(engine: Engine, result: SearchResult, counted: Counted) -> list[dict[str, Any]]:
    """What k twice as large gives by the same algorithm, if the roles were detected and the search is short."""
    algorithm = result.counted.job.recoding.algorithm
    is_short = row_count(engine, "combinations") <= _MOST_COMBINATIONS and algorithm in ("mondrian", "optimal")
    if counted.proposal is None or not is_short or not result.is_feasible or _requires_more(engine, counted):
        return []
    k = 2 * counted.plan.requirement.k.k
    with aside(engine):
        varied = by(algorithm, variant(counted, k=k))
        if algorithm == "mondrian":
            other: SearchResult = local_recoding.search(engine, varied)
        else:
            budget = Budget(SECONDS / 2, _MOST_VISITED, counted.deadline)
            other = search_lattice(engine, varied, all_nodes=False, budget=budget)
        return [_alternative(other, result, f"--k {k} --algorithm {algorithm}")] if other.is_feasible else []


def _alternative(other: SearchResult, result: SearchResult, options: str) -> dict[str, Any]:
    """What another result gives instead; keys of `manifest.alternatives`."""
    if isinstance(other, RegionResult):
        other.relations.restore()
    return {
        "options": options,
        "loss": float(other.metrics()["loss"]),
        "loss_of_release": float(result.metrics()["loss"]),
        "exact": "stopped" not in other.document(),
        "suppressed": other.figures.suppressed,
        "lost_columns": _lost_columns(other),
    }


def _any_columns(engine: Engine, result: SearchResult, counted: Counted) -> list[dict[str, Any]]:
    """What `--any 3` would lose, if k for all columns together loses much of a wide table."""
    before = loss_of_all(result, counted)
    if before <= _TOO_MUCH or not _may_know_less(engine, counted):
        return []
    job = counted.job.model_copy(update={"any": _ANY})
    try:
        plan = replace(counted.plan, requirement=of_any_columns(job, counted.plan.requirement))
    except JobError:
        return []
    with aside(engine):
        few = local_recoding.search(engine, by("local", replace(counted, job=job, plan=plan), _SECONDS_OF_PASSES))
        if few.is_feasible and (after := few.metrics()["loss"]) <= _WORTHWHILE * before:
            unique = sum(size.rows for size in read_sizes(engine, "class_results", fails=False) if size.size == 1)
            few_columns = {"any_columns": _ANY, "unique_records": unique, "suppressed": few.figures.suppressed}
            exact = "stopped" not in few.document()
            return [{"options": f"--any {_ANY}", "loss": after, "loss_of_release": before, "exact": exact, **few_columns}]
    return []


def loss_of_all(result: SearchResult, counted: Counted) -> float:
    """The information loss, in which a column that was dropped since the count is lost; 1 if the result does not satisfy."""
    if not result.is_feasible:
        return 1.0
    kept, dropped = len(result.counted.attributes), len(counted.attributes) - len(result.counted.attributes)
    return float((result.metrics()["loss"] * kept + dropped) / (kept + dropped))


def _may_know_less(engine: Engine, counted: Counted) -> bool:
    """Whether only k is required, the policy allows adversaries who know fewer columns, and the search for them is short and local."""
    job, columns = counted.job, len(counted.attributes)
    is_forbidden = job.policy is not None and not job.policy.allows_any(_ANY)
    if is_forbidden or columns < _LEAST_COLUMNS or _requires_more(engine, counted):
        return False
    combinations = row_count(engine, "combinations")
    return combinations * comb(columns, _ANY) <= _MOST_KEYS


def _requires_more(engine: Engine, counted: Counted) -> bool:
    """Whether the job requires more than k, or the combinations are elsewhere."""
    job, requirement = counted.job, counted.plan.requirement
    has_models = bool(requirement.others or requirement.adversaries or requirement.measures or requirement.average_risk)
    return has_models or job.keep_suppressed_rows or bool(job.protect) or engine.is_remote("combinations")


def _lost_columns(result: SearchResult) -> list[str]:
    """The columns that every released record shows as `*`."""
    return [name for name, loss in result.metrics()["loss_by_attribute"].items() if loss == 1]


def _dropped(result: SearchResult, counted: Counted) -> list[str]:
    """The columns without which the search is repeated: lost, of detected role, not the target, and not all."""
    if not result.is_feasible:
        return []
    lost = [name for name in _lost_columns(result) if counted.is_detected(name) and name != counted.job.target]
    return lost if len(lost) < len(counted.attributes) else []


def _best(engine: Engine, counted: Counted, *, ends_early: bool = False) -> SearchResult:
    """The result of the best algorithm; its `counted.job` names the algorithm, its `counted.compared` the losses.

    The information loss counts leaves in every candidate. A candidate that does not satisfy is left out. If none satisfies, the
    full-domain search says why. `ends_early`: if full-domain and Mondrian recoding both lose a column that would be dropped, local
    recoding is not tried, and the shares of values are not compared, since the search is repeated without the column.
    """
    seconds = counted.job.recoding.time_limit or SECONDS
    judges_sets = counted.plan.requirement.judges_sets
    if not _may_be_regional(engine, counted):
        budget = Budget(seconds, counted.job.recoding.max_nodes, counted.deadline)
        return search_lattice(engine, by("descent" if judges_sets else "optimal", counted), all_nodes=False, budget=budget)
    if judges_sets:
        return local_recoding.search(engine, by("local", counted, counted.job.recoding.time_limit))
    losses: dict[str, float] = {}
    is_narrow = len(counted.attributes) <= _MOST_COLUMNS
    search_uniform = partial(search_lattice, engine, by("optimal", counted), all_nodes=False)
    uniform = None
    if is_narrow and _may_show_all_columns(engine, counted):
        uniform = search_uniform(budget=Budget(seconds / 2, _MOST_VISITED, counted.deadline))
        losses |= _loss(uniform)
    if uniform is not None and losses.get("optimal") == 0:
        return replace(uniform, counted=replace(uniform.counted, compared=losses))
    tried = [local_recoding.search(engine, by("mondrian", counted))]
    losses |= _loss(tried[0])
    if is_narrow and uniform is None and (not tried[0].is_feasible or _lost_columns(tried[0])):
        uniform = search_uniform(budget=Budget(seconds / 2, _MOST_VISITED, counted.deadline))
        losses |= _loss(uniform)
    is_repeated = ends_early and uniform is not None and bool({*_dropped(uniform, counted)} & {*_dropped(tried[0], counted)})
    if not is_repeated and _needs_local(engine, counted, losses):
        tried.insert(0, local_recoding.search(engine, by("local", counted, seconds / 2)))
        losses |= _loss(tried[0])
    if losses:
        best = _preferred(uniform, min(tried, key=lambda result: result.value if result.is_feasible else inf), losses)
        if isinstance(best, RegionResult) and not (ends_early and _dropped(best, counted)):
            best = _least_biased(engine, counted, tried)
            losses[best.counted.job.recoding.algorithm] = _weighed(best, counted)
    else:
        budget = Budget(seconds, until=counted.deadline)
        best = uniform or search_uniform(budget=budget)
    # a run with an algorithm alone has the detected weights
    others: list[SearchResult] = [*([uniform] if uniform is not None else []), *tried]
    others = [other for other in others if other.counted.marginals == counted.marginals]
    alternatives = [
        _alternative(other, best, f"--algorithm {other.counted.job.recoding.algorithm}")
        for other in others
        if other is not best and other.is_feasible and _is_worth_stating(other, best)
    ]
    for result in tried:
        if result is not best:
            result.drop_relations()
    if isinstance(best, RegionResult):
        best.relations.restore()
    return replace(best, counted=replace(best.counted, compared=losses, alternatives=alternatives))


def _is_worth_stating(other: SearchResult, best: SearchResult) -> bool:
    """Whether another result loses less, suppresses less or has equal labels for all records, and starts where a run by its algorithm does."""
    if not best.is_feasible or any(attribute.min_level for attribute in other.counted.attributes):
        return False
    is_equal = isinstance(other, FullDomainResult)
    return is_equal or other.metrics()["loss"] < best.metrics()["loss"] or other.figures.suppressed < best.figures.suppressed


def _may_show_all_columns(engine: Engine, counted: Counted) -> bool:
    """Whether equal labels for all records may show something of each column. Regions that hide none lose less than a node that does
    (in each of the forty tables of `benchmarks/studies.py`), so the search of such a node is spared if k alone is required.
    """
    requirement = counted.plan.requirement
    if requirement.others or not all(attribute.is_nested for attribute in counted.attributes):
        return True
    node = tuple(
        max(attribute.min_level, attribute.max_level - (marginal.excess[attribute.max_level] == counted.rows * marginal.span))
        for attribute, marginal in zip(counted.attributes, counted.marginals, strict=True)
    )
    return Evaluator.of(engine, counted).satisfies(node)


def _preferred(uniform: FullDomainResult | None, regional: RegionResult, losses: Mapping[str, float]) -> SearchResult:
    """The full-domain result, unless it loses much more than the best or whole columns."""
    if uniform is None or "optimal" not in losses:
        return regional
    # the same labels for all records are not worth suppressing more of them than usual: a looser limit would lose more
    suppresses_many = uniform.figures.suppressed > Limit.parse(DEFAULT_LIMIT).of(uniform.counted.rows)
    preference = 1 if suppresses_many or _lost_columns(uniform) else _PREFERENCE
    return uniform if losses["optimal"] <= preference * min(losses.values()) else regional


def _least_biased(engine: Engine, counted: Counted, tried: list[RegionResult]) -> RegionResult:
    """Of the feasible results with about the least loss, the one whose shown cells keep the shares of values best.

    If the best hides values of a column of detected role more often than others, Mondrian is run again with a greater weight of the
    column, so that it is cut earlier; `tried` gets the result.
    """
    tried.sort(key=lambda result: result.value if result.is_feasible else inf)
    worst = {0: _worst_shares(engine, tried[0])}
    if biased := {name for name in worst[0] if counted.is_detected(name) and name not in counted.job.recoding.weights}:
        tried.append(local_recoding.search(engine, by("mondrian", heavier(counted, biased, _EMPHASIS))))
    most, columns = _SIMILAR * _weighed(tried[0], counted), _lost_columns(tried[0])
    for number, result in enumerate(tried[1:], start=1):
        if worst[0] and result.is_feasible and _weighed(result, counted) <= most and _lost_columns(result) <= columns:
            worst[number] = _worst_shares(engine, result)
    return tried[min(worst, key=lambda number: (max(worst[number].values(), default=0.0), number))]


def _weighed(result: RegionResult, counted: Counted) -> float:
    """The information loss by the weights of what was counted."""
    losses = [column.loss / result.figures.rows for column in result.classes.sums]
    return aggregated(counted.job.recoding.aggregate, counted.marginals, losses)


def _worst_shares(engine: Engine, result: RegionResult) -> dict[str, float]:
    """The columns whose shown cells have notably other shares than the records, and the largest difference of each."""
    result.relations.restore()
    shares = shown_shares(engine, result.counted, {}, ["_class_number"])
    return {share.column: share.difference for share in shares if share.difference > NOTABLE}


def _needs_local(engine: Engine, counted: Counted, losses: Mapping[str, float]) -> bool:
    """Whether local recoding may lose less than the other two and ends within seconds; it never loses more than full-domain recoding."""
    if "optimal" not in losses or _PREFERENCE * losses.get("mondrian", inf) < losses["optimal"]:
        return False
    combinations = row_count(engine, "combinations")
    return lattice_of(counted.attributes).size <= _MOST_NODES and combinations <= _MOST_COMBINATIONS


def by(algorithm: str, counted: Counted, seconds: float | None = None) -> Counted:
    """What was counted, decided by one algorithm."""
    recoding = counted.job.recoding.model_copy(update={"algorithm": algorithm, "time_limit": seconds})
    return replace(counted, job=counted.job.model_copy(update={"recoding": recoding}))


def _may_be_regional(engine: Engine, counted: Counted) -> bool:
    """Whether what the job asks for can be met by regions, and judged by the same loss."""
    job = counted.job
    is_bounded = any(
        attribute.max_loss is not None
        or attribute.max_level < attribute.height
        or (attribute.min_level and attribute.ordering is not None)
        for attribute in counted.attributes
    )
    is_bounded |= counted.plan.requirement.bounds_presence
    is_other = (
        job.recoding.objective != "loss"
        or job.keep_suppressed_rows
        or job.recoding.levels
        or job.recoding.max_nodes is not None
    )
    return not (is_bounded or is_other or engine.is_remote("combinations"))


def _loss(result: SearchResult) -> dict[str, float]:
    """The information loss by the algorithm; empty if the result does not satisfy."""
    recoding = result.document()
    return {recoding["algorithm"]: float(recoding["objective"]["value"])} if result.is_feasible else {}
