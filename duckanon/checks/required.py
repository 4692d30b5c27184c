"""What a manifest or an attestation requires of its file, as far as the file alone shows it: for a recipient without the source."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon.dataset.destination import file_sha256
from duckanon.dataset.location import Source
from duckanon.errors import AttestationError, InputError, JobError
from duckanon.formatting import check_name
from duckanon.job import accepted, file
from duckanon.job.model import ROWS
from duckanon.job.policy import Policy
from duckanon.privacy.registry import MODELS, tag
from duckanon.release import attestation, manifest, saved_recoding
from duckanon.release.attestation import InTotoStatement
from duckanon.release.manifest_model.document import Requirements
from duckanon.release.manifest_model.files import CountedReference, PersonCounts
from duckanon.release.placement import RECODING_JOB


@dataclass(frozen=True)
class RequiredOfFile:
    """The requirements of a manifest or an attestation that its file can be checked for."""

    requirements: Requirements
    job: Mapping[str, Any]
    """A job with the models that the file alone can be checked for. It counts rows: the file does not identify persons."""
    unjudged: list[str]
    """Models that need information that is not in the file: suppressed rows, persons, a population, a hierarchy, values behind figures."""
    is_assumed: bool
    """Whether version 0.2 assumed the `any` of the release."""
    distributions: Path | None = None
    """The file of the distributions in the source, if the saved recoding has it."""
    persons: PersonCounts | None = None
    """What the release counted; an attestation and a public manifest do not say it."""
    attested: "Attested | None" = None
    """The attestation that requires this; None for a manifest."""

    def compared(self, source: Source, rows: int, unjudged: list[str]) -> dict[str, Any]:
        """The entries of the document of a check; `unjudged` are more models that the file could not be checked for."""
        unjudged = [*self.unjudged, *unjudged]
        if self.attested is not None:
            return {"attestation": self.attested.document(unjudged)}
        sha256, output = file_sha256(source.path), self.requirements.output
        is_same = sha256 == output.sha256
        entry = {
            "release": Path(output.path).name,
            "is_same_file": is_same,
            "sha256": sha256,
            "rows": {"required": self.requirements.rows.released, "read": rows},
            "unjudged": unjudged,
        }
        return {"manifest": entry} | ({} if is_same else {"status": "differs"})


@dataclass(frozen=True)
class Attested:
    """A statement whose signature is verified."""

    path: Path
    statement: InTotoStatement

    def refuse_other(self, source: Source, policy: Policy | None) -> None:
        """Raise `AttestationError` for another file, then for an expired policy, then for another policy than the given one."""
        name, [subject], attested = f"attestation {str(self.path)!r}", self.statement.subject, self.statement.predicate.policy
        try:
            is_same = file_sha256(source.path) == subject.digest.sha256
        except OSError as error:
            raise InputError(f"{source.name!r} cannot be read: {error.strerror}") from error
        if not is_same:
            raise AttestationError(
                f"{source.name!r} is not the file of {name}: its SHA-256 differs from that of {subject.name!r}; ask for the original file"
            )
        if attested is not None and (expiry := attested.expiry) is not None:
            raise AttestationError(f"{name}: {expiry}")
        if policy is not None and (attested is None or attested.sha256 != policy.sha256):
            other = "no policy" if attested is None else f"policy {attested.name!r} with another SHA-256"
            raise AttestationError(f"{name} names {other}, not policy {policy.name!r}; ask for a release under that policy")

    def document(self, unjudged: list[str]) -> dict[str, Any]:
        """The attestation in the document of a check."""
        [subject], predicate = self.statement.subject, self.statement.predicate
        policy = {} if predicate.policy is None else {"policy": predicate.policy.document()}
        about = {"duckanon": predicate.duckanon, "attested": predicate.verification.attested}
        return {"release": subject.name, "sha256": subject.digest.sha256, **about, **policy, "unjudged": unjudged}


def by_attestation(path: Path, public_key: Path) -> RequiredOfFile:
    """The requirements of an attestation; raises `AttestationError` if this key did not sign it as it is."""
    statement = attestation.verified(path, public_key)
    return _required(statement.requirements, None, attested=Attested(path, statement))


def by_manifest(path: Path) -> RequiredOfFile:
    """The requirements of a manifest; raises `JobError` if the file is not a manifest or was changed.

    Orders, hierarchies and the distributions in the source come from the saved recoding, if it is beside the manifest.
    """
    requirements, persons = manifest.read(path, Requirements), manifest.parse(path, CountedReference).persons
    return _required(requirements, _saved(path), manifest=path, persons=persons)


def _required(
    requirements: Requirements,
    folder: Path | None,
    *,
    manifest: Path | None = None,
    persons: PersonCounts | None = None,
    attested: Attested | None = None,
) -> RequiredOfFile:
    """The requirements, with what the saved recoding in `folder` says of their columns."""
    saved = {} if folder is None else _columns(folder)
    roles = ("quasi-identifier", "sensitive")
    ranges = requirements.ranges or {}
    written_as = {name: ranges[name].columns if name in ranges else [name] for name in requirements.columns}
    roles_by_name: dict[str, Any] = {
        written: {"role": role} for name, role in requirements.columns.items() if role in roles for written in written_as[name]
    }
    for name, column in saved.items():
        if roles_by_name.get(name, {}).get("role") == "sensitive":
            roles_by_name[name] |= {key: column[key] for key in ("order", "hierarchy") if key in column}
    evaluated, unjudged = [], []
    adversaries: dict[str, Any] = {
        name: {"columns": [written for column in known for written in written_as[column]], "k": 1, "privacy": []}
        for name, known in (requirements.adversaries or {}).items()
    }
    for check in (model.document() for model in requirements.privacy):
        content = _content(check, knows_source=folder is not None)
        if requirements.any_columns is not None and any(len(written) > 1 for written in written_as.values()):
            content = None  # a set of columns of the file is another than a set of quasi-identifiers
        if check["column"] in (requirements.microaggregation or {}):
            content = None  # the file shows a figure of each class; the model holds for the values behind it
        if content is not None and check.get("adversary") in adversaries:
            adversary = adversaries[check["adversary"]]
            adversary |= (
                {"k": content["k"]} if content["model"] == "k-anonymity" else {"privacy": [*adversary["privacy"], content]}
            )
        elif content is not None:
            evaluated.append(content)
        if content is None or _counts_persons(check):
            unjudged.append(model_text(check))
    return RequiredOfFile(
        requirements,
        {
            "columns": roles_by_name,
            "privacy": evaluated,
            "entity": ROWS,
            "adversaries": adversaries,
            "any": requirements.any_columns,
            "accept": [text for text in requirements.accepted or [] if accepted.parsed(text)[0] == "missing-values"],
            "determined": {
                written: [[part for column in known for part in written_as[column]] for known in sets]
                for name, sets in (requirements.determined or {}).items()
                for written in written_as.get(name, ())
            },
        },
        unjudged,
        saved_recoding.assumes_any(requirements, manifest),
        None if folder is None else folder / saved_recoding.DISTRIBUTIONS,
        persons,
        attested,
    )


def _saved(manifest: Path) -> Path | None:
    """The folder of the saved recoding of a manifest; None if it is missing, was changed or has no distributions."""
    try:
        folder = saved_recoding.find(manifest).parent
    except JobError:
        return None
    return folder if (folder / saved_recoding.DISTRIBUTIONS).is_file() else None


def _columns(folder: Path) -> dict[str, Any]:
    """The columns of a saved recoding, with absolute paths of their hierarchy files."""
    columns: dict[str, Any] = file.read(folder / RECODING_JOB)["columns"]
    for column in columns.values():
        hierarchy = column.get("hierarchy")
        if isinstance(hierarchy, dict) and "file" in hierarchy:
            column["hierarchy"] = hierarchy | {"file": str((folder / hierarchy["file"]).absolute())}
    return columns


def model_text(check: Mapping[str, Any]) -> str:
    """The name of a model in a document, with its variants."""
    return " ".join([check_name(check), *([f"counted by {check['of']}"] if _counts_persons(check) else [])])


def _counts_persons(check: Mapping[str, Any]) -> bool:
    return bool(check.get("of", "rows") != "rows")


def _content(check: Mapping[str, Any], *, knows_source: bool) -> dict[str, Any] | None:
    """The model of a job for a model of a manifest; None if a file alone cannot be checked for it.

    If the manifest counts persons, k rows are necessary but not sufficient: every person has at least one row.
    """
    if check["model"] == "k-anonymity":
        return {"model": "k-anonymity", "k": check["required"]} if check["column"] is None else None
    model = MODELS.get(tag(check) or "")
    if model is None or (model.NEEDS_WHOLE and not knows_source) or model.MEASURES or "of" in check:
        return None
    numbers = {name: check["required"] if place == 0 else check[name] for place, name in enumerate(model.PARAMETERS)}
    column = {} if check["column"] is None else {"column": check["column"]}
    return {"model": check["model"], **{name: check[name] for name in model.VARIETY}, **numbers, **column}
