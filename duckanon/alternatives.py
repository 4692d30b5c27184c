"""What else could have been decided: the runners-up of the search, and the nearest releases under another promise."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from duckanon import combinations, deciding
from duckanon.combinations import Attribute
from duckanon.counting import Counted
from duckanon.deciding import Decided
from duckanon.engine.protocol import Engine
from duckanon.errors import JobError
from duckanon.job import Job
from duckanon.options import joined
from duckanon.policies import PRESETS
from duckanon.searching import Searched
from duckanon.variants import variant, without_column
from duckanon.visits import Visit

_MOST_RUNNERS_UP = 3
_MOST_LIMITS = 4


def runners_up(visits: Sequence[Visit], attributes: Sequence[Attribute], limit: int) -> list[dict[str, Any]]:
    """The satisfying nodes that cost least after the chosen one, and those that would cost less than it but fail."""
    chosen = next((visit for visit in visits if visit.is_chosen), None)
    if chosen is None or chosen.value is None:
        return []
    reached = chosen.value
    dearer = sorted((visit for visit in visits if visit.satisfies and not visit.is_chosen), key=_cost)
    cheaper = sorted(
        (visit for visit in visits if not visit.satisfies and visit.at_least < reached), key=lambda visit: visit.suppressed
    )
    told = [
        (visit, f"costs {'' if visit.value is not None else 'at least '}{_cost(visit) - reached:.4g} more") for visit in dearer
    ]
    lacking = [(visit, f"could cost {reached - visit.at_least:.4g} less, but {_lack(visit, limit)}") for visit in cheaper]
    return [
        {
            "levels": combinations.levels_of(attributes, visit.node),
            "value": visit.value,
            "at_least": visit.at_least,
            "suppressed": visit.suppressed,
            "satisfies": visit.satisfies,
            "why": why,
        }
        for visit, why in [*told[:_MOST_RUNNERS_UP], *lacking[:_MOST_RUNNERS_UP]]
    ]


def _lack(visit: Visit, limit: int) -> str:
    if visit.suppressed > limit:
        return f"suppresses {visit.suppressed:,} rows, and {limit:,} are allowed"
    return "loses more of a column than its max-loss allows"


def _cost(visit: Visit) -> float:
    return visit.at_least if visit.value is None else visit.value


def columns(engine: Engine, counted: Counted, decided: Decided) -> list[dict[str, Any]]:
    """The quasi-identifiers, the one that loses most first; with what would be suppressed were its level one lower."""
    losses: Mapping[str, float] = decided.metrics()["loss_by_attribute"]
    whole = sum(losses.values()) or 1.0
    levels = decided.levels if isinstance(decided, Searched) else {}
    found = []
    for attribute in counted.attributes:
        name = attribute.name
        told: dict[str, Any] = {"column": name, "loss": losses[name], "share": losses[name] / whole}
        if isinstance(decided, Searched):
            told |= {"level": levels[name], "height": attribute.height}
            if levels[name] > attribute.min_level:
                told["one_lower"] = _told(decide(engine, variant(counted, levels=levels | {name: levels[name] - 1})))
        found.append(told)
    return sorted(found, key=lambda one: -one["loss"])


def alternatives(engine: Engine, counted: Counted, visits: Sequence[Visit]) -> list[dict[str, Any]]:
    """The nearest other promises, each searched: k one lower, the limit one higher, and as high as a better node needs, one attribute fewer.

    The losses of one attribute fewer are those of the others. Makes relations of regions anew where these are recoded.
    """
    job, k = counted.job, counted.plan.requirement.k.k
    limit = one_higher(job)
    cases = []
    if may_ask(job, k - 1):
        cases.append((f"k = {k - 1:,} in place of {k:,}", f"--k {k - 1}", variant(counted, k=k - 1)))
    cases += [
        (f"a limit of {limit} in place of {job.suppression.limit}", f"--max-suppression {limit}", variant(counted, limit=limit))
    ]
    if len(counted.attributes) > 1:
        for attribute in counted.attributes:
            names = [one.name for one in counted.attributes if one != attribute]
            # without --identifying, a job with `others: keep` would release the column as it is
            option = f"--qi {joined(names)} --identifying {joined([attribute.name])}"
            cases.append((f"{attribute.name} is dropped", option, without_column(counted, attribute.name)))
    found = []
    for change, option, varied in cases:
        decided = decide(engine, varied)
        found.append({"change": change, "option": option, **_told(decided)})
    better = _better(engine, counted, visits)
    return found if better is None else [*found, better]


def _better(engine: Engine, counted: Counted, visits: Sequence[Visit]) -> dict[str, Any] | None:
    """The least limit that was found to let a better node in, among those that nodes need which could be better."""
    reached = next((visit.value for visit in visits if visit.is_chosen), None)
    if reached is None:
        return None
    needed = {visit.suppressed for visit in visits if not visit.satisfies and visit.at_least < reached}
    for limit in sorted(needed)[:_MOST_LIMITS]:
        decided = decide(engine, variant(counted, limit=str(limit)))
        if decided is not None and decided.is_found and decided.told()["objective"]["value"] < reached:
            change = f"a limit of {limit:,} rows, which lets a better node in"
            return {"change": change, "option": f"--max-suppression {limit}", **_told(decided)}
    return None


def may_ask(job: Job, k: int) -> bool:
    """Whether so small a k makes sense: 1 hides nobody, and a policy asks for one of its own."""
    return k >= (2 if job.policy is None else PRESETS[job.policy].k)


def one_higher(job: Job) -> str:
    """The next limit: a row, a percentage point, a hundredth."""
    text = job.suppression.limit.strip()
    if job.limit.rows is not None:
        return str(job.limit.rows + 1)
    if text.endswith("%"):
        return f"{min(Decimal(100), Decimal(text[:-1]) + 1):f}%"
    return f"{min(Decimal(1), Decimal(text) + Decimal('0.01')):f}"


def decide(engine: Engine, varied: Counted) -> Decided | None:
    """What is found for another job; None where it makes no sense for these columns."""
    try:
        return deciding.decide(engine, varied, all_nodes=False)
    except JobError:
        return None


def _told(decided: Decided | None) -> dict[str, Any]:
    if decided is None:
        return {"feasible": False, "loss": None, "suppressed": None, "levels": None}
    levels = decided.levels if isinstance(decided, Searched) else None
    loss = decided.metrics(by_leaves=True)["loss"]
    return {"feasible": decided.is_found, "loss": loss, "suppressed": decided.figures.suppressed, "levels": levels}
