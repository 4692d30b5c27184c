"""Policies: what an organization requires of every release, and the comparison of a job with its policy.

`duckanon/job/policies` has the presets, which are policy files too. Their thresholds are in common use. They are conventions and do not
guarantee compliance.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    PlainSerializer,
    PrivateAttr,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
    field_validator,
)

from duckanon import yaml_file
from duckanon.errors import JobError, did_you_mean
from duckanon.formatting import first_of
from duckanon.job.adversary import AdversaryPlan, KnownColumns
from duckanon.job.column import JobModel, Limit
from duckanon.job.options import joined
from duckanon.privacy import registry
from duckanon.privacy.base import PrivacyModel, kebab

if TYPE_CHECKING:
    from duckanon.job.model import Job

_FOLDER = Path(__file__).parent / "policies"
PRESETS = ("internal", "research", "public")
"""The names of the packaged policies, the weakest first."""


def _model(text: Any) -> PrivacyModel:
    """A model as `--require` takes it, without a column."""
    if isinstance(text, PrivacyModel):
        return text
    content = registry.written(str(text), "the entry")
    if content["model"] == "k-anonymity":
        raise ValueError(f"{text!r} is k-anonymity; set the key `k` instead")
    if "column" in content:
        raise ValueError(
            f"{text!r} names a column, but a policy protects each sensitive column; leave out @{content['column']}"
        )
    try:
        model: PrivacyModel = _MODEL.validate_python(content)
    except ValidationError as error:
        fault = error.errors()[0]
        raise ValueError(f"{text!r}: {'.'.join(map(str, fault['loc'][1:]))}: {yaml_file.described(fault)}") from error
    return model


_MODEL: TypeAdapter[Any] = TypeAdapter(Annotated[registry.AnyModel, Discriminator(registry.tag)])

RequiredModel = Annotated[
    PrivacyModel, BeforeValidator(_model), PlainSerializer(registry.as_written), WithJsonSchema({"type": "string"})
]
"""A privacy model as `--require` takes it, such as `distinct-l=2`, without a column."""


def _day(given: Any) -> date:
    """A day without a time."""
    if isinstance(given, date) and not isinstance(given, datetime):
        return given
    try:
        return date.fromisoformat(str(given))
    except ValueError as error:
        raise ValueError(f"{str(given)!r} is not a date; write it as 2026-01-31") from error


class PolicyAdversary(JobModel):
    """Someone who knows these columns together."""

    columns: KnownColumns
    """The columns that the adversary knows; those that are released must be quasi-identifiers."""
    k: Annotated[int, Field(ge=1)] | None = None
    """The least number of records (or persons) that share these columns; default: the `k` of the policy."""


class Policy(JobModel):
    """What an organization requires of every release. A job may require more, and not less."""

    version: Literal[1] = 1
    """The version of the policy file format."""
    name: Annotated[str, Field(min_length=1, max_length=100)]
    """The name of the policy in messages, manifests and attestations."""
    k: Annotated[int, Field(ge=1)] | None = None
    """The smallest k of a release."""
    models: list[RequiredModel] = []
    """Privacy models as `--require` takes them, without a column: each sensitive column must satisfy them."""
    allow_adversaries: bool = False
    """Whether a job may name adversaries, who know only some of the quasi-identifiers; otherwise k and the models hold for all of them together."""
    least_any: Annotated[int, Field(ge=1)] | None = None
    """The smallest M of `any` in a job; without it, no job may have `any`."""
    adversaries: dict[str, PolicyAdversary] = {}
    """Columns that someone knows together. A release protects them with their k, or a superset of them."""
    max_suppression: str | None = None
    """The largest suppression limit: a number of rows, or a share of the rows that take part."""
    forbidden: list[str] = []
    """Columns that no release may have, whatever their role; upper and lower case are the same."""
    expires: Annotated[date, BeforeValidator(_day)] | None = None
    """The last day on which the policy applies."""

    _file: Path | None = PrivateAttr(default=None)

    @field_validator("max_suppression", mode="before")
    @classmethod
    def _as_limit(cls, limit: Any) -> str | None:
        if limit is None:
            return None
        Limit.parse(str(limit))
        return str(limit)

    @field_validator("name")
    @classmethod
    def _on_one_line(cls, name: str) -> str:
        if not name.isprintable():
            raise ValueError("contains a character that cannot be printed; write the name on one line")
        return name

    @property
    def file(self) -> Path | None:
        """The policy file; None for a preset."""
        return self._file

    @property
    def reference(self) -> str:
        """The policy in a job file: the name of a preset, or the path of a policy file."""
        return self.name if self._file is None else str(self._file)

    @property
    def unsaid(self) -> str | None:
        """The note for a policy file without the keys that say who may know fewer columns, as those of version 0.2."""
        if self._file is None or {"allow_adversaries", "least_any"} & self.model_fields_set:
            return None
        return (
            f"policy {self.name!r} does not say whether jobs may have adversaries who know fewer columns, so its requirements hold for all quasi-identifiers "
            "together; write `allow-adversaries: false`, or true"
        )

    def allows_any(self, size: int) -> bool:
        """Whether a job may have adversaries who know any so many columns, instead of one who knows all."""
        return self.least_any is not None and size >= self.least_any

    @property
    def least_k(self) -> int:
        """The smallest k of any classes."""
        return self.k or 1

    @property
    def largest_k(self) -> int:
        """The smallest k of classes of all quasi-identifiers, which each adversary of the policy knows a part of."""
        return max([self.least_k, *(known.k or 1 for known in self.adversaries.values())])

    def k_of(self, columns: Collection[str]) -> int:
        """The smallest k of the classes of these columns."""
        inside = (known.k or 1 for known in self.adversaries.values() if set(known.columns) <= set(columns))
        return max([self.least_k, *inside])

    def models_of(self, sensitive: Sequence[str]) -> list[PrivacyModel]:
        """The required models, those of sensitive values for each of these columns."""
        return [
            model.model_copy(update={"column": column}) if has_column else model
            for model in self.models
            for has_column in ["column" in type(model).model_fields]
            for column in (sensitive if has_column else [""])
        ]

    @property
    def limit(self) -> Limit | None:
        """The largest suppression limit."""
        return None if self.max_suppression is None else Limit.parse(self.max_suppression)

    def allows(self, limit: Limit) -> bool:
        """Whether a suppression limit is not above that of the policy; True if only the number of rows can decide that."""
        most = self.limit
        if most is None:
            return True
        if most.rows is not None and limit.rows is not None:
            return limit.rows <= most.rows
        return most.share is None or limit.share is None or limit.share <= most.share

    def forbids(self, columns: Sequence[str]) -> list[str]:
        """Those of the columns that no release may have."""
        folded = {name.casefold() for name in self.forbidden}
        return [name for name in columns if name.casefold() in folded]

    @property
    def expiry(self) -> str | None:
        """The message for an expired policy; None if it applies today."""
        return None if self.expires is None else expired(self.name, self.expires)

    def content(self) -> dict[str, Any]:
        """The policy as the content of a policy file."""
        content: dict[str, Any] = self.model_dump(by_alias=True, exclude_defaults=True, mode="json")
        # said explicitly, it needs no note; the content of policies of version 0.2 is unchanged
        explicit = {"allow-adversaries": self.allow_adversaries} if "allow_adversaries" in self.model_fields_set else {}
        return {"version": self.version, **content, **explicit}

    @property
    def sha256(self) -> str:
        """The SHA-256 of the content as JSON with sorted keys and without blanks; comments and spacing do not change it."""
        text = json.dumps(self.content(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def document(self) -> dict[str, str]:
        """The policy in a manifest."""
        expires = {} if self.expires is None else {"expires": self.expires.isoformat()}
        return {"name": self.name, "sha256": self.sha256, **expires}


def expired(name: str, expires: date) -> str | None:
    """The message for a policy that has expired; None if it applies today."""
    if date.today() <= expires:
        return None
    return f"policy {name!r} expired on {expires.isoformat()}; ask its owner for the current policy"


def load(reference: str | Path | Policy) -> Policy:
    """The preset of this name, or the policy in a file; raises `JobError` with the line of the first error."""
    if isinstance(reference, Policy):
        return reference
    if reference in PRESETS:
        return _preset(str(reference))
    path = Path(reference)
    if not path.exists():
        raise JobError(f"policy {str(path)!r} is neither a preset nor a file{did_you_mean(str(path), PRESETS)}")
    policy = _read(path)
    if policy.name in PRESETS:
        raise JobError(f"policy file {str(path)!r}: name: {policy.name!r} is the name of a preset; choose another name")
    policy._file = path
    return policy


@cache
def _preset(name: str) -> Policy:
    return _read(_FOLDER / f"{name}.yaml")


def _read(path: Path) -> Policy:
    file = yaml_file.read(path, "policy file", JobError)
    name = f"policy file {str(path)!r}"
    if not isinstance(file.content, dict):
        raise JobError(f"{name} is not a mapping; it begins with `version: 1`")
    for line, twice in file.repeated():
        raise JobError(f"{name}, line {line}: {twice!r} occurs twice; keep one")
    try:
        return Policy.model_validate(file.content)
    except ValidationError as error:
        # an unknown key first: a misspelt key explains a missing one
        fault = min(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
        place = yaml_file.place(fault["loc"])
        raise JobError(f"{name}, line {file.line(place)}: {_described(place, fault)}") from error


def _described(place: Sequence[str], fault: Any) -> str:
    key = ".".join(place)
    if fault["type"] == "extra_forbidden":
        fields = (Policy if len(place) == 1 else PolicyAdversary).model_fields
        return f"unknown key {key!r}{did_you_mean(place[-1], map(kebab, fields))}"
    return f"{key}: {yaml_file.described(fault)}"


def _named(given: Any) -> Policy:
    if isinstance(given, str | Path | Policy):
        return load(given)
    raise ValueError("needs the name of a preset, or the path of a policy file")


PolicyReference = Annotated[
    Policy,
    BeforeValidator(_named),
    PlainSerializer(lambda policy: policy.reference, return_type=str),
    WithJsonSchema({"type": "string"}),
]
"""A policy in a job; a job file contains its reference."""


def schema() -> dict[str, Any]:
    """The JSON Schema of a policy file."""
    content = Policy.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "duckanon policy", **content}


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
