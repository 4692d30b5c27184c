"""A release compared with its policy: the requirements of the manifest, verified in the file, and the columns of the file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from duckanon.errors import VerificationFailed
from duckanon.formatting import first_of
from duckanon.job.limit import Limit
from duckanon.job.policy import Policy
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.risk import AverageRisk
from duckanon.privacy.registry import as_written
from duckanon.release.manifest_model.document import Manifest

ALL_COLUMNS = ""
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
    if policy.expiry is not None:
        yield policy.expiry
    if forbidden := policy.forbids(columns):
        yield forbidden_columns(policy, forbidden)
    limit = manifest.suppression
    if exceeds(policy, Limit.parse(limit.limit), limit.rows, manifest.rows.read - manifest.rows.missing):
        yield f"policy {policy.name!r} allows a suppression limit of {policy.max_suppression}, but that of the release is {limit.limit}"
    checks = [check.document() for check in manifest.privacy if check.passed]
    roles = manifest.columns
    quasi_identifiers = {name for name, role in roles.items() if role == "quasi-identifier"}
    known = {name: [*columns] for name, columns in (manifest.adversaries or {}).items()}
    if not known:
        known = {ALL_COLUMNS: [*quasi_identifiers]}
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


def forbidden_columns(policy: Policy, columns: Sequence[str]) -> str:
    """The message for columns that no release may have."""
    return f"policy {policy.name!r} forbids the column{'s' if len(columns) > 1 else ''} {first_of([*map(repr, columns)])}"


def exceeds(policy: Policy, limit: Limit, rows: int, taking_part: int) -> bool:
    """Whether a suppression limit, which is so many rows of those that take part, is larger than that of the policy."""
    return policy.limit is not None and (not policy.allows(limit) or rows > policy.limit.of(taking_part))


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
