"""Variants of a counted job: another k, limit or algorithm, fixed levels, one quasi-identifier fewer."""

import shlex
from collections.abc import Collection, Mapping
from dataclasses import replace

from duckanon.job.model import KAnonymityRequirement
from duckanon.job.options import joined
from duckanon.job.resolve import check_partitions
from duckanon.search.count import Counted


def variant(
    counted: Counted,
    *,
    k: int | None = None,
    limit: str | None = None,
    algorithm: str | None = None,
    levels: Mapping[str, int] | None = None,
) -> Counted:
    """The counted data under a changed job; without `levels`, no levels are fixed."""
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
    if not requirement.adversaries:
        requirement = replace(requirement, k=requirement.k.model_copy(update={"k": k}))
    return replace(counted, job=changed, plan=replace(counted.plan, requirement=requirement))


def within(counted: Counted, nodes: int) -> Counted:
    """The counted data with a limit of visited nodes. `auto` has limits of its own, and Mondrian visits no nodes."""
    recoding = counted.job.recoding
    if recoding.algorithm in ("auto", "mondrian"):
        return counted
    limit = nodes if recoding.max_nodes is None else min(nodes, recoding.max_nodes)
    job = counted.job.model_copy(update={"recoding": recoding.model_copy(update={"max_nodes": limit})})
    return replace(counted, job=job)


def without_column(counted: Counted, name: str) -> Counted:
    """The counted data without a quasi-identifier."""
    kept = [number for number, attribute in enumerate(counted.attributes) if attribute.name != name]
    return replace(
        counted,
        attributes=[counted.attributes[number] for number in kept],
        marginals=[counted.marginals[number] for number in kept],
        plan=replace(
            counted.plan, requirement=counted.plan.requirement.restricted_to([counted.attributes[n].name for n in kept])
        ),
    )


def heavier(counted: Counted, names: Collection[str], factor: int) -> Counted:
    """The counted data with these quasi-identifiers weighing more in the information loss, and in the job."""
    columns = {
        name: plan.model_copy(update={"weight": plan.weight * factor}) if name in names else plan
        for name, plan in counted.job.columns.items()
    }
    weighted = [replace(each, weight=each.weight * (factor if each.name in names else 1)) for each in counted.attributes]
    marginals = [
        replace(marginal, weight=attribute.weight) for marginal, attribute in zip(counted.marginals, weighted, strict=True)
    ]
    job = counted.job.model_copy(update={"columns": columns})
    return replace(counted, job=job, attributes=weighted, marginals=marginals)


def without(counted: Counted, dropped: Mapping[str, str]) -> Counted:
    """The same result with some columns dropped."""
    roles = counted.plan.roles | dict.fromkeys(dropped, "dropped")
    released = tuple(column for column in counted.plan.released if column.name not in dropped)
    columns = {name: plan for name, plan in counted.job.columns.items() if name not in dropped}
    protect = [name for name in counted.job.protect if name not in dropped]
    target = None if counted.job.target in dropped else counted.job.target
    job = counted.job.model_copy(update={"columns": columns, "protect": protect, "target": target})
    check_partitions(job, released)
    generalized = tuple(qi for qi in counted.plan.quasi_identifiers if qi.name not in dropped)
    plan = replace(counted.plan, quasi_identifiers=generalized, roles=roles, released=released)
    return replace(counted, job=job, plan=plan, dropped_since={**counted.dropped_since, **dropped})


def options_without(counted: Counted, name: str) -> str:
    """The command-line options of a run without a quasi-identifier, quoted for a shell.

    They fix what such a run would otherwise choose again from the names of the remaining columns: the role of the dropped column, which
    `others: keep` would release and which might be taken as the entity, and the bundled hierarchies.
    """
    kept = [attribute.name for attribute in counted.attributes if attribute.name != name]
    entity = [] if counted.plan.requirement.k.entity is not None else ["--entity none"]
    hierarchies = [
        f"--hierarchies {shlex.quote(f'{column}={counted.bundled[column]}')}" for column in kept if column in counted.bundled
    ]
    return " ".join([f"--qi {joined(kept)} --identifying {joined([name])}", *entity, *hierarchies])
