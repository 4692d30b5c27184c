"""Attestations: an in-toto statement about a release, in a DSSE envelope that is signed with Ed25519.

in-toto attestation framework v1 (https://github.com/in-toto/attestation), DSSE v1 (https://github.com/secure-systems-lab/dsse).
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

from pydantic import Field, ValidationError

from duckanon.dataset.destination import beside
from duckanon.errors import AttestationError, JobError
from duckanon.job.deidentification import MAKE_SIGNING_KEY, read_signing_key
from duckanon.release.manifest_model.document import Conditions, PublicCheck, PublicSuppression, ReleaseManifest, Requirements
from duckanon.release.manifest_model.files import READING, Part, PolicyFile
from duckanon.yaml_file import described

ENDING = ".attestation.json"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
# only a name: nothing is fetched from it
PREDICATE_TYPE = "https://duckanon.dev/attestation/v1"
_SHARED = tuple(Conditions.model_fields)
"""Keys that the public manifest and the attestation share."""
_LARGEST = 1 << 24
_PUBLISH = "write it with: openssl pkey -in ed25519.pem -pubout -out ed25519.pub.pem"


class Digest(Part):
    """The digest of the release."""

    sha256: str
    """SHA-256, as in the manifest."""


class Subject(Part):
    """The release."""

    name: str
    """The name of the file."""
    digest: Digest
    """Its digest."""


class Verification(Part):
    """The result of the run, and when it was attested."""

    status: Literal["released"]
    """`released`: duckanon verified the written file."""
    attested: str
    """The time of the attestation in UTC. Until then, the file was unchanged since the run."""
    rows: int | None
    """Rows of the release; null below k."""


class Predicate(Conditions):
    """What the attestation says about the release: the parts of the public manifest that its verification needs."""

    duckanon: str
    """The version of duckanon that wrote the release."""
    verification: Verification
    """The verification of the written file."""
    quasi_identifiers: list[str]
    """The quasi-identifiers."""
    sensitive: list[str]
    """The sensitive columns."""
    requirements: list[PublicCheck]
    """Each required privacy model."""
    suppression: PublicSuppression
    """How rows are suppressed."""
    policy: PolicyFile | None = None
    """The policy of the release."""
    manifest: Digest
    """The digest of the manifest."""


class InTotoStatement(Part):
    """An in-toto statement."""

    type: Literal["https://in-toto.io/Statement/v1"] = Field(alias="_type")
    subject: list[Subject]
    predicate_type: Literal["https://duckanon.dev/attestation/v1"] = Field(alias="predicateType")
    predicate: Predicate

    @property
    def requirements(self) -> Requirements:
        """The requirements of the release, as a manifest has them."""
        [release], predicate = self.subject, self.predicate
        roles = dict.fromkeys(predicate.quasi_identifiers, "quasi-identifier") | dict.fromkeys(predicate.sensitive, "sensitive")
        return Requirements.model_validate(
            {
                "status": predicate.verification.status,
                "rows": {"released": predicate.verification.rows},
                "columns": roles,
                "privacy": [check.document() for check in predicate.requirements],
                "output": {"path": release.name, "sha256": release.digest.sha256},
                "checksum": predicate.manifest.sha256,
                **{key: value for key, value in predicate.document().items() if key in _SHARED},
            },
            context=READING,
        )


def path_for(manifest: ReleaseManifest, path: Path) -> Path:
    """The attestation beside a manifest."""
    return beside(path.with_name(manifest.output.file.name), ENDING)


def statement(manifest: ReleaseManifest, public: Mapping[str, Any], content: bytes) -> InTotoStatement:
    """The statement about a release, from its public manifest; `content` is the manifest file."""
    roles = public["columns"]
    predicate = {
        "duckanon": manifest.duckanon,
        "verification": {
            "status": manifest.status,
            "attested": datetime.now(UTC).isoformat(timespec="seconds"),
            "rows": public["rows"]["released"],
        },
        "quasi_identifiers": [name for name, role in roles.items() if role == "quasi-identifier"],
        "sensitive": [name for name, role in roles.items() if role == "sensitive"],
        **{key: public[key] for key in _SHARED if key in public},
        # what version 0.2 assumed is not attested
        **({"any_chosen": "declared"} if "any_columns" in public else {}),
        "requirements": public["privacy"],
        "suppression": public["suppression"],
        **({"policy": public["policy_file"]} if "policy_file" in public else {}),
        "manifest": {"sha256": sha256(content).hexdigest()},
    }
    output = public["output"]
    subject = [{"name": output["path"], "digest": {"sha256": output["sha256"]}}]
    document = {"_type": STATEMENT_TYPE, "subject": subject, "predicateType": PREDICATE_TYPE, "predicate": predicate}
    return InTotoStatement.model_validate(document)


def signed(about: InTotoStatement, key: Path) -> dict[str, Any]:
    """The envelope of a statement; raises `JobError` if the key cannot sign."""
    library = _library()
    private = read_signing_key(key)
    try:
        loaded = library.load_private_key(private, password=None)
    except TypeError as error:
        raise JobError(f"key file {str(key)!r} is encrypted; decrypt it: openssl pkey -in {key.name} -out plain.pem") from error
    except (ValueError, library.unsupported) as error:
        what = "holds a public key, which cannot sign" if b"PUBLIC KEY" in private else "is not a private key in PEM"
        raise JobError(f"key file {str(key)!r} {what}; give the private key, or make one: {MAKE_SIGNING_KEY}") from error
    if not isinstance(loaded, library.private_key):
        raise JobError(f"key file {str(key)!r} is not an Ed25519 key; make one: {MAKE_SIGNING_KEY}")
    envelope = library.envelope(json.dumps(about.document(), ensure_ascii=False).encode(), PAYLOAD_TYPE, {})
    envelope.sign(library.signer(loaded))
    content: dict[str, Any] = envelope.to_dict()
    return content


def verified(path: Path, public_key: Path) -> InTotoStatement:
    """The statement of an envelope; raises `AttestationError` if this key did not sign it or its content was altered, `JobError` if a file is
    not an attestation or not a public key.
    """
    library = _library()
    key, name = _public_key(public_key, library), f"attestation {str(path)!r}"
    envelope = _envelope(path, library)
    if envelope.payload_type != PAYLOAD_TYPE:
        raise AttestationError(f"{name} has the payload type {_short(envelope.payload_type)}, not {PAYLOAD_TYPE!r}")
    if key.keyid not in envelope.signatures:
        raise AttestationError(f"{name} is signed with another key than {str(public_key)!r}; ask the sender for the public key")
    try:
        envelope.verify([key], 1)
    except library.not_verified as error:
        raise AttestationError(
            f"{name} was altered: its signature does not match its content; ask the sender for the original"
        ) from error
    return _statement(envelope.payload, name)


def _library() -> Any:
    """What the packages of the extra `attest` offer."""
    try:
        signer = import_module("securesystemslib.signer")
        ed25519 = import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
        serialization = import_module("cryptography.hazmat.primitives.serialization")
        return SimpleNamespace(
            envelope=import_module("securesystemslib.dsse").Envelope,
            signer=signer.CryptoSigner,
            key=signer.SSlibKey,
            not_verified=import_module("securesystemslib.exceptions").VerificationError,
            unsupported=import_module("cryptography.exceptions").UnsupportedAlgorithm,
            private_key=ed25519.Ed25519PrivateKey,
            public_key=ed25519.Ed25519PublicKey,
            load_private_key=serialization.load_pem_private_key,
            load_public_key=serialization.load_pem_public_key,
        )
    except ImportError as error:
        raise JobError("attestations need two more packages; install them: pip install 'duckanon[attest]'") from error


def _public_key(path: Path, library: Any) -> Any:
    try:
        text = path.read_bytes()
    except OSError as error:
        raise JobError(f"public key {str(path)!r} cannot be read: {error.strerror}; ask the sender for it") from error
    if b"PRIVATE KEY" in text:
        raise JobError(f"{str(path)!r} holds a private key; give the public key instead; {_PUBLISH}")
    try:
        loaded = library.load_public_key(text)
    except (ValueError, library.unsupported) as error:
        raise JobError(f"{str(path)!r} is not a public key in PEM; {_PUBLISH}") from error
    if not isinstance(loaded, library.public_key):
        raise JobError(f"{str(path)!r} is not an Ed25519 key; {_PUBLISH}")
    return library.key.from_crypto(loaded)


def _envelope(path: Path, library: Any) -> Any:
    try:
        text = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    except FileNotFoundError as error:
        raise JobError(f"no such attestation: {str(path)!r}; write one with duckanon attest") from error
    except OSError as error:
        raise _no_attestation(path, f"it cannot be read: {error.strerror}") from error
    try:
        envelope = library.envelope.from_dict(json.loads(text))
        envelope.pae()
    except Exception as error:
        # the library raises whatever its parts raise for content of another form
        raise _no_attestation(path, "it is not a DSSE envelope") from error
    return envelope


def _statement(payload: bytes, name: str) -> InTotoStatement:
    """The signed statement; raises `AttestationError` if it is of another kind."""
    try:
        content = json.loads(payload)
        for key, known in (("_type", STATEMENT_TYPE), ("predicateType", PREDICATE_TYPE)):
            if content[key] != known:
                raise AttestationError(f"{name} has the {key} {_short(content[key])}, not {known!r}")
        statement = InTotoStatement.model_validate(content, context=READING)
    except ValidationError as error:
        fault = error.errors()[0]
        key = ".".join(map(str, fault["loc"]))
        raise AttestationError(
            f"{name} is signed, but is not a statement about a release ({key}: {described(fault)})"
        ) from error
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise AttestationError(f"{name} is signed, but is not an in-toto statement") from error
    if len(statement.subject) != 1:
        raise AttestationError(f"{name} is about {len(statement.subject)} files, and duckanon attests one")
    return statement


def _no_attestation(path: Path, why: str) -> JobError:
    return JobError(f"{str(path)!r} is not an attestation ({why}); give the path of OUTPUT{ENDING}")


def _short(text: object) -> str:
    return repr(str(text)[:80])
