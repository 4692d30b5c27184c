"""A job compared with its policy: what the policy sets, and what it refuses because it is weaker."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from duckanon.errors import JobError, did_you_mean
from duckanon.formatting import first_of
from duckanon.job.adversary import AdversaryPlan
from duckanon.job.options import joined
from duckanon.job.policy import Policy

if TYPE_CHECKING:
    from duckanon.job.model import Job


def refuse_weaker(job: "Job", given: int | None) -> None:
    """Raise `ValueError` if the job requires less than its policy; `given` is the k that it names."""
    policy = job.policy
    if policy is None:
        return
    least = job.least_k
    if given is not None and given < least:
        raise ValueError(f"policy {policy.name!r} requires k = {least}, but k = {given} is weaker; leave out one of them")
    for name, adversary in job.adversaries.items():
        if adversary.k is not None and adversary.k < policy.least_k:
            raise ValueError(
                f"policy {policy.name!r} requires k = {policy.least_k}, but the k = {adversary.k} of adversary {name!r} is weaker; leave out one of them"
            )
    if (
        job.adversaries
        and not policy.allow_adversaries
        and not knows_all(job.adversaries.values(), job.of_role("quasi-identifier"))
    ):
        raise ValueError(
            f"policy {policy.name!r} requires k = {policy.largest_k} for all quasi-identifiers together, but the job has adversaries who know fewer; leave "
            "--adversary out, or name one who knows them all"
        )
    if job.any is not None and not policy.allows_any(job.any):
        allowed = (
            f"allows --any {policy.least_any} and more"
            if policy.least_any
            else f"requires k = {policy.largest_k} for all quasi-identifiers together"
        )
        raise ValueError(f"policy {policy.name!r} {allowed}, but --any {job.any} protects only sets of {job.any}; leave it out")
    if "limit" in job.suppression.model_fields_set and not policy.allows(job.limit):
        raise ValueError(
            f"policy {policy.name!r} allows a suppression limit of {policy.max_suppression}, but {job.suppression.limit} is larger; lower it, or leave it out"
        )
    _adversaries(job, policy)


def knows_all(adversaries: Iterable[AdversaryPlan], quasi_identifiers: Collection[str]) -> bool:
    """Whether one of the adversaries knows all quasi-identifiers."""
    return any(set(quasi_identifiers) <= set(plan.columns) for plan in adversaries)


def completed(job: "Job") -> "Job":
    """The job with the adversaries and the suppression limit of its policy, where it gives none."""
    policy = job.policy
    if policy is None:
        return job
    changes: dict[str, object] = {"adversaries": _adversaries(job, policy)}
    most = policy.limit
    is_other_kind = most is not None and (most.rows is None) != (job.limit.rows is None)
    if "limit" not in job.suppression.model_fields_set and (is_other_kind or not policy.allows(job.limit)):
        changes["suppression"] = job.suppression.model_copy(update={"limit": policy.max_suppression})
    return job.model_copy(update=changes)


def _adversaries(job: "Job", policy: Policy) -> dict[str, AdversaryPlan]:
    """The adversaries of the job and those that the policy adds; without adversaries of the job, one who knows all columns includes them."""
    plans, names = dict(job.adversaries), job.of_role("quasi-identifier")
    for name, required in policy.adversaries.items() if plans else ():
        columns, k = [column for column in required.columns if column in names], required.k or policy.least_k
        if not columns or any(set(columns) <= set(plan.columns) and (plan.k or job.k) >= k for plan in plans.values()):
            continue
        same = next((other for other, plan in plans.items() if set(plan.columns) == set(columns)), None)
        if same is not None and plans[same].k is None:
            plans[same] = plans[same].model_copy(update={"k": k})
        elif same is not None or name in plans:
            raise ValueError(
                f"policy {policy.name!r} requires k = {k} for an adversary who knows {first_of(columns)}, which adversary {same or name!r} does not protect; "
                "leave that adversary out, or protect these columns with that k"
            )
        else:
            plans[name] = AdversaryPlan(columns=columns, k=k)
    return plans


def check_columns(job: "Job", roles: Mapping[str, str], released: Sequence[str]) -> None:
    """Raise `JobError` for a released column that the policy forbids, and for columns of its adversaries that are not protected."""
    policy = job.policy
    if policy is None:
        return
    for column in policy.forbids(released):
        raise JobError(
            f"policy {policy.name!r} forbids the column {column!r} in a release; drop it with --identifying {joined([column])}"
        )
    for name, adversary in policy.adversaries.items():
        about = f"adversary {name!r} of policy {policy.name!r}"
        for column in adversary.columns:
            if column not in roles:
                raise JobError(f"{about} knows {column!r}, which the input does not have{did_you_mean(column, roles)}")
            if column in released and roles[column] != "quasi-identifier":
                raise JobError(
                    f"{about} knows {column!r}, which is released as {roles[column]}; name it with --qi, or drop it with --identifying"
                )
        known = [column for column in adversary.columns if roles[column] == "quasi-identifier"]
        if job.any is not None and len(known) > job.any:
            raise JobError(
                f"{about} knows {len(known)} columns together, but --any {job.any} protects sets of {job.any}; raise it to {len(known)}, or leave it out"
            )
