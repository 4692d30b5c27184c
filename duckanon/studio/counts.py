"""The counted input of a job, counted again only if the job changes what is counted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from duckanon.engine.protocol import Column, Engine
from duckanon.hierarchy.attributes import lattice_of
from duckanon.job.model import ROWS, Job
from duckanon.job.prepare import Prepared
from duckanon.job.requirements import requirement_of
from duckanon.lattice import Lattice
from duckanon.metrics.loss import MeanLoss
from duckanon.observers import Observer
from duckanon.risks.attackers import figures, required_risk
from duckanon.risks.sizes import Size, read_sizes
from duckanon.search.count import Counted, count
from duckanon.search.distributions import with_distributions
from duckanon.search.sweep import Sweep, fits

_DECIDING = (
    "privacy",
    "adversaries",
    "any",
    "policy",
    "suppression",
    "recoding",
    "decide_on",
    "output",
    "about",
    "linkable",
    "accept",
)
"""The parts of a job that judge and search what was counted, and change no count."""


class Counts:
    """What one job counts, and the sweep of its lattice; for other requirements the same counts serve."""

    def __init__(self, engine: Engine, counted: Counted, key: object) -> None:
        self._engine = engine
        self._key = key
        self.counted = counted
        self.sweep = Sweep(engine, counted) if _is_swept(counted) else None

    @classmethod
    def of(cls, engine: Engine, prepared: Prepared, columns: Sequence[Column], observer: Observer) -> "Counts":
        """Count the input as its job says; `columns` if the engine has opened it. Raises the errors of `anonymize`."""
        counted = count(engine, replace(prepared, opened=columns), observer)
        return cls(engine, counted, _counted_parts(prepared.job, counted.columns))

    def under(self, job: Job) -> Counted | None:
        """What was counted, under the requirements of another job; None if that job counts something else."""
        if _counted_parts(job, self.counted.columns) != self._key:
            return None
        own = self.counted
        changed = own.job.model_copy(update={name: getattr(job, name) for name in _DECIDING})
        requirement = with_distributions(requirement_of(changed, own.columns), own.distributions)
        return replace(own, job=changed, plan=replace(own.plan, requirement=requirement))

    def swept(self) -> Iterator[float]:
        """Count the nodes of the lattice, if it can be swept; yields the share that is done."""
        if self.sweep is not None:
            yield from self.sweep.run()

    def sweep_for(self, counted: Counted) -> Sweep | None:
        """The sweep, if it knows all that these requirements judge."""
        return self.sweep if fits(counted) and counted.job.recoding.objective == "loss" else None

    @property
    def is_swept(self) -> bool:
        """Whether all nodes of the lattice are counted."""
        return self.sweep is not None and self.sweep.is_complete

    @property
    def lattice(self) -> Lattice:
        """The lattice of the quasi-identifiers."""
        return lattice_of(self.counted.attributes)

    @cached_property
    def _sizes(self) -> list[Size]:
        return read_sizes(self._engine, "combinations")

    def before(self, k: int) -> dict[str, Any]:
        """The risk of the input at the least levels of the job."""
        return figures(self._sizes, required=required_risk(k))

    @cached_property
    def mean_loss(self) -> MeanLoss:
        """The information loss that is shown, as in the manifest, whatever is minimized."""
        return MeanLoss(self.counted.marginals, self.counted.rows)


def _is_swept(counted: Counted) -> bool:
    """Whether the lattice can be swept under k-anonymity alone, which the requirement may exceed."""
    job = counted.job.model_copy(update={"suppression": counted.job.suppression.model_copy(update={"style": "drop"})})
    plain = replace(counted.plan.requirement, others=(), adversaries=(), average_risk=None)
    return fits(replace(counted, job=job, plan=replace(counted.plan, requirement=plain)))


def _counted_parts(job: Job, columns: Sequence[Column]) -> object:
    """All that decides what is counted: two jobs with the same parts have the same `combinations`."""
    parts = job.model_dump(exclude=set(_DECIDING))
    job = job.model_copy(update={"entity": None if job.entity == ROWS else job.entity})
    requirement = requirement_of(job, columns)
    return parts, requirement.sensitive, requirement.k.entities, requirement.k.k_column, job.recoding.weights
