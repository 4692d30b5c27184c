"""The same count under another job: another k, limit or algorithm, fixed levels, one quasi-identifier fewer."""

import shlex
from collections.abc import Mapping
from dataclasses import replace

from duckanon.choices import Algorithm
from duckanon.job.model import KAnonymityRequirement
from duckanon.job.options import joined
from duckanon.search.count import Counted


def variant(
    counted: Counted,
    *,
    k: int | None = None,
    limit: str | None = None,
    algorithm: Algorithm | None = None,
    levels: Mapping[str, int] | None = None,
) -> Counted:
    """What was counted, to be decided with these in place of the job's; nothing is fixed where no `levels` are given."""
    job = counted.job
    k = job.k if k is None else k
    others = [requirement for requirement in job.requirements if not isinstance(requirement, KAnonymityRequirement)]
    privacy = [KAnonymityRequirement(model="k-anonymity", k=k, k_column=job.k_column), *others]
    suppression = job.suppression.model_copy(update={"limit": job.suppression.limit if limit is None else limit})
    recoding = job.recoding.model_copy(
        update={
            "algorithm": job.recoding.algorithm if algorithm is None else algorithm,
            "levels": None if levels is None else dict(levels),
        }
    )
    changed = job.model_copy(update={"privacy": privacy, "policy": None, "suppression": suppression, "recoding": recoding})
    requirement = counted.plan.requirement
    requirement = replace(requirement, k=requirement.k.model_copy(update={"k": k}))
    return replace(counted, job=changed, plan=replace(counted.plan, requirement=requirement))


def within(counted: Counted, seconds: float) -> Counted:
    """What was counted, to be decided in so many seconds at the most."""
    recoding = counted.job.recoding
    limit = seconds if recoding.time_limit is None else min(seconds, recoding.time_limit)
    job = counted.job.model_copy(update={"recoding": recoding.model_copy(update={"time_limit": limit})})
    return replace(counted, job=job)


def without_column(counted: Counted, name: str) -> Counted:
    """What was counted, to be decided as if a quasi-identifier were dropped."""
    kept = [number for number, attribute in enumerate(counted.attributes) if attribute.name != name]
    return replace(
        counted,
        attributes=[counted.attributes[number] for number in kept],
        marginals=[counted.marginals[number] for number in kept],
    )


def options_without(counted: Counted, name: str) -> str:
    """The options of a run as if a quasi-identifier were dropped, for a shell.

    They fix what such a run would otherwise choose anew by the names of the columns that are left: the role of the dropped column, which
    `others: keep` would release and of which persons might be counted, and the bundled hierarchies.
    """
    kept = [attribute.name for attribute in counted.attributes if attribute.name != name]
    entity = [] if counted.plan.requirement.k.entity is not None else ["--entity none"]
    hierarchies = [
        f"--hierarchies {shlex.quote(f'{column}={counted.bundled[column]}')}" for column in kept if column in counted.bundled
    ]
    return " ".join([f"--qi {joined(kept)} --identifying {joined([name])}", *entity, *hierarchies])
