"""An attestation, and what it requires of its file: for a recipient who has neither the source nor the manifest."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from duckanon.dataset.destination import file_sha256
from duckanon.dataset.location import Source
from duckanon.errors import AttestationError, InputError
from duckanon.job.policy import Policy, expired
from duckanon.release import attestation
from duckanon.release.attestation import InTotoStatement
from duckanon.workflows.conformance import RequiredByManifest, required


@dataclass(frozen=True)
class Attested:
    """A statement whose signature is verified."""

    path: Path
    statement: InTotoStatement
    conformance: RequiredByManifest

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
        if attested is not None and attested.expires is not None and (expiry := _expiry(attested.name, attested.expires)):
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


def read(path: Path, public_key: Path) -> Attested:
    """The attestation in a file; raises `AttestationError` if this key did not sign it as it is."""
    statement = attestation.verified(path, public_key)
    return Attested(path, statement, required(statement.requirements))


def _expiry(name: str, expires: str) -> str | None:
    try:
        return expired(name, date.fromisoformat(expires))
    except ValueError:
        return f"policy {name!r} has no valid date of expiry"
