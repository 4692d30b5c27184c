"""A file compared with a policy: its requirements on every class, its date, and the columns and the suppression limit that it allows."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from duckanon.job.limit import Limit
from duckanon.job.policy import Policy
from duckanon.release.manifest_model.document import Requirements
from duckanon.release.policy_conformance import exceeds, forbidden_columns


def stricter(job: Mapping[str, Any], policy: Policy) -> dict[str, Any]:
    """The job of a manifest, with the k and the adversaries of a policy, and an adversary who knows all columns, where they are stricter: the file may satisfy more than its manifest."""
    plans: dict[str, Any] = {
        name: plan | {"k": max(plan.get("k", 1), policy.least_k)} for name, plan in (job.get("adversaries") or {}).items()
    }
    quasi_identifiers = [name for name, plan in job["columns"].items() if plan["role"] == "quasi-identifier"]
    for name, known in policy.adversaries.items() if plans else ():
        columns = [column for column in known.columns if column in quasi_identifiers]
        same = next((other for other, plan in plans.items() if set(plan["columns"]) == set(columns)), None)
        added = f"{name} of policy {policy.name}" if same is None else same
        if columns:
            k = max(known.k or 1, policy.least_k, plans.get(added, {}).get("k", 1))
            plans[added] = plans.get(added, {"columns": columns}) | {"k": k}
    if (
        plans
        and not policy.allow_adversaries
        and not any({*quasi_identifiers} <= {*plan["columns"]} for plan in plans.values())
    ):
        plans[f"all columns of policy {policy.name}"] = {"columns": quasi_identifiers, "k": policy.largest_k}
    size = job.get("any")
    least = policy.least_k if plans else policy.largest_k
    privacy = [model | {"k": max(model["k"], least)} if model["model"] == "k-anonymity" else model for model in job["privacy"]]
    return {
        **job,
        "privacy": privacy,
        "adversaries": plans,
        "any": size if size is not None and policy.allows_any(size) else None,
    }


def compared(
    document: Mapping[str, Any], policy: Policy, columns: Sequence[str], requirements: Requirements | None
) -> dict[str, Any]:
    """The document of a check with the checks of the policy; a failing check makes its status `violated`."""
    checks = list(_checks(policy, columns, requirements))
    failed = any(check["passed"] is False for check in checks)
    status = "violated" if failed else document["status"]
    return {**document, "status": status, "policy": {**policy.document(), "checks": checks}}


def _checks(policy: Policy, columns: Sequence[str], requirements: Requirements | None) -> Iterator[dict[str, Any]]:
    """What a policy requires besides the models; `passed` is None for what the file alone does not show."""
    if policy.expires is not None:
        applies = f"policy {policy.name!r} applies until {policy.expires.isoformat()}"
        yield {"rule": "policy-expiry", "passed": policy.expiry is None, "message": policy.expiry or applies}
    if policy.forbidden:
        forbidden = policy.forbids(columns)
        message = forbidden_columns(policy, forbidden) if forbidden else f"no column that policy {policy.name!r} forbids"
        yield {"rule": "forbidden-columns", "passed": not forbidden, "message": message}
    if policy.max_suppression is not None:
        yield {"rule": "max-suppression", **_suppression(policy, requirements)}


def _suppression(policy: Policy, requirements: Requirements | None) -> dict[str, Any]:
    allowed = f"policy {policy.name!r} allows a suppression limit of {policy.max_suppression}"
    rows = None if requirements is None else requirements.rows
    limit = None if requirements is None else requirements.suppression
    if rows is None or limit is None or limit.limit is None or limit.rows is None or rows.read is None or rows.missing is None:
        return {
            "passed": None,
            "message": f"{allowed}; only the manifest of the file, given with --manifest, shows that of the release",
        }
    is_larger = exceeds(policy, Limit.parse(limit.limit), limit.rows, rows.read - rows.missing)
    return {
        "passed": not is_larger,
        "message": f"{allowed}, and that of the release is {'larger' if is_larger else 'not larger'}",
    }
