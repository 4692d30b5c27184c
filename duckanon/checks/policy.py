"""A release or a file compared with a policy: its requirements, its date, and the columns and the suppression limit that it allows."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from duckanon.checks.dataset import RuleCheck
from duckanon.errors import VerificationFailed
from duckanon.formatting import first_of
from duckanon.job.column import Limit
from duckanon.job.policy import Policy
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.risk import AverageRisk
from duckanon.privacy.registry import as_written
from duckanon.release.manifest_model.document import Manifest, Requirements

_ALL_COLUMNS = ""
"""The adversary who knows all quasi-identifiers."""


def refuse(policy: Policy, manifest: Manifest, columns: Sequence[str]) -> None:
    """Raise `VerificationFailed` with the first fault of a verified file with these columns, before it is moved into place."""
    if fault := next(faults(policy, manifest, columns), None):
        raise VerificationFailed(
            f"the written file does not satisfy its policy: {fault}; duckanon removed it",
            manifest.having(status="verification-failed").document(),
        )


def faults(policy: Policy, manifest: Manifest, columns: Sequence[str]) -> Iterator[str]:
    """Yield what a release lacks under a policy."""
    yield from (check.message for check in _checks(policy, columns, manifest) if check.passed is False)
    checks = [check.document() for check in manifest.privacy if check.passed]
    roles = manifest.columns
    quasi_identifiers = {name for name, role in roles.items() if role == "quasi-identifier"}
    known = {name: [*columns] for name, columns in (manifest.adversaries or {}).items()}
    if not known:
        known = {_ALL_COLUMNS: [*quasi_identifiers]}
    ks = {name: _k(checks, name if name in (manifest.adversaries or {}) else None) for name in known}
    knows_less = not policy.allow_adversaries and not any(quasi_identifiers <= {*columns} for columns in known.values())
    if knows_less or (manifest.any_columns is not None and not policy.allows_any(manifest.any_columns)):
        yield f"policy {policy.name!r} requires k for all quasi-identifiers together, but the release has it for adversaries who know fewer"
    weak = [name for name, k in ks.items() if k < policy.least_k]
    if weak:
        yield f"policy {policy.name!r} requires k = {policy.least_k}, but the release has k = {min(ks[name] for name in weak)}"
    for name, adversary in policy.adversaries.items():
        names = {column for column in adversary.columns if roles.get(column) == "quasi-identifier"}
        k, most = adversary.k or policy.least_k, manifest.any_columns or len(names)
        if names and not any(names <= set(known[other]) and ks[other] >= k and len(names) <= most for other in known):
            yield f"policy {policy.name!r} requires k = {k} for {first_of(sorted(names))}, which adversary {name!r} knows together"
    sensitive = [name for name, role in roles.items() if role == "sensitive"]
    for model in policy.models_of(sensitive):
        if not all(_has(checks, model, other if manifest.adversaries else None) for other in known):
            yield f"policy {policy.name!r} requires {as_written(model)}, which the release does not have"


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
    failed = any(check.passed is False for check in checks)
    status = "violated" if failed else document["status"]
    return {**document, "status": status, "policy": {**policy.document(), "checks": [check.document() for check in checks]}}


def _checks(policy: Policy, columns: Sequence[str], release: Manifest | Requirements | None) -> Iterator[RuleCheck]:
    """What a policy requires besides the models."""
    if policy.expires is not None:
        applies = f"policy {policy.name!r} applies until {policy.expires.isoformat()}"
        yield RuleCheck("policy-expiry", policy.expiry is None, policy.expiry or applies)
    if policy.forbidden:
        forbidden = policy.forbids(columns)
        named = f"forbids the column{'s' if len(forbidden) > 1 else ''} {first_of([*map(repr, forbidden)])}"
        message = f"policy {policy.name!r} {named}" if forbidden else f"no column that policy {policy.name!r} forbids"
        yield RuleCheck("forbidden-columns", not forbidden, message)
    if policy.limit is not None:
        passed, in_words = _suppression(policy, policy.limit, release)
        allowed = f"policy {policy.name!r} allows a suppression limit of {policy.max_suppression}"
        yield RuleCheck("max-suppression", passed, f"{allowed}{in_words}")


def _suppression(policy: Policy, most: Limit, release: Manifest | Requirements | None) -> tuple[bool | None, str]:
    """Whether the suppression limit of a release, a number of the rows that take part, is at most that of the policy; and in words."""
    limit = None if release is None else release.suppression
    rows = None if release is None else release.rows
    if rows is None or limit is None or limit.limit is None or limit.rows is None or rows.read is None or rows.missing is None:
        return None, "; only the manifest of the file, given with --manifest, shows that of the release"
    if policy.allows(Limit.parse(limit.limit)) and limit.rows <= most.of(rows.read - rows.missing):
        return True, ", and that of the release is not larger"
    return False, f", but that of the release is {limit.limit}"


def _k(checks: Sequence[Mapping[str, Any]], adversary: str | None) -> int:
    """The k of the classes of an adversary, or of all classes; 1 if none is required."""
    own = (
        check
        for check in checks
        if check["model"] == "k-anonymity" and (adversary is None or check.get("adversary") == adversary)
    )
    return min((int(check["required"]) for check in own), default=1)


def _has(checks: Sequence[Mapping[str, Any]], model: PrivacyModel, adversary: str | None) -> bool:
    """Whether the checks have a model, in all of its parts."""
    return all(any(_is_of(check, part) and check.get("adversary") == adversary for check in checks) for part in model.parts)


def _is_of(check: Mapping[str, Any], model: PrivacyModel) -> bool:
    (_, required), *more = model.parameters.items()
    named = {"model": type(model).model_fields["model"].default, "column": model.sensitive, **model.variety}
    if any(check.get(key) != value for key, value in [*named.items(), *((name, float(number)) for name, number in more)]):
        return False
    # of several average risks, a release has the smallest
    return bool(
        check["required"] <= float(required) if isinstance(model, AverageRisk) else check["required"] == float(required)
    )
