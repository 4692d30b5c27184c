"""The search: from `combinations` to the node that the release is made at."""

from collections.abc import Sequence
from dataclasses import dataclass

from duckanon import combinations, infeasible
from duckanon.algorithms import optimal, samarati
from duckanon.algorithms.base import Outcome, Search, least
from duckanon.algorithms.evaluate import Evaluator
from duckanon.combinations import Attribute
from duckanon.counting import Counted
from duckanon.engine.protocol import Engine
from duckanon.errors import JobError
from duckanon.lattice import Lattice, Node
from duckanon.metrics.objective import objective
from duckanon.observer import staged
from duckanon.plan import chosen_node
from duckanon.privacy.k_anonymity import KAnonymity

_SEARCHES: dict[str, Search] = {"optimal": optimal.search, "samarati": samarati.search}
_MOST_NODES = 100_000


@dataclass(frozen=True)
class Searched:
    """What the search settled on; `node` is the answer, or the one that came closest."""

    evaluator: Evaluator
    lattice: Lattice
    outcome: Outcome
    node: Node


def search(engine: Engine, counted: Counted, *, all_nodes: bool) -> Searched:
    """The node of the job's `levels`, judged, or else the one that the job's algorithm finds."""
    job, recoding = counted.job, counted.job.recoding
    requirement = KAnonymity(job.k)
    target = objective(recoding.objective, recoding.aggregate, counted.marginals, counted.rows, requirement.least_rows)
    outside = counted.drift.rows if counted.drift else 0
    limit = job.limit.of(counted.rows + outside) - outside
    evaluator = Evaluator(engine, counted.attributes, requirement, target, counted.rows, limit, stars=job.stars)
    lattice = combinations.lattice_of(counted.attributes)
    _check_losses(recoding.objective, counted.attributes)
    chosen = chosen_node(job, counted.attributes)
    if all_nodes and len(lattice) > _MOST_NODES:
        raise JobError(
            f"--all-nodes would decide {len(lattice):,} nodes, more than {_MOST_NODES:,}; leave it out, or narrow the lattice with max-level"
        )
    with staged(engine.observer, "searching the lattice", len(lattice)):
        if all_nodes:
            for node in lattice.nodes():
                evaluator.figures(node)
        if chosen is None:
            loose = [position for position, attribute in enumerate(counted.attributes) if not attribute.is_nested]
            parts = [_SEARCHES[recoding.algorithm](evaluator, part) for part in lattice.slices(loose)]
            outcome = least(parts, evaluator)
        else:
            outcome = Outcome(chosen if evaluator.satisfies(chosen) else None, target.floor(lattice.bottom), proven=False)
    return Searched(evaluator, lattice, outcome, outcome.node or chosen or infeasible.closest(evaluator))


def _check_losses(objective: str, attributes: Sequence[Attribute]) -> None:
    for attribute in attributes:
        if objective == "distortion" and attribute.losses is None:
            raise JobError(
                f"distortion averages what each level loses, but the hierarchy of {attribute.name!r} does not say it; "
                f"give it `loss: [0, ..., 1]`, a number for each of its {attribute.height + 1} levels"
            )
