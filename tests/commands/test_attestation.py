"""Attestations: signed as DSSE defines, and refused with a reason if anything was changed."""

import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, load_pem_private_key, load_pem_public_key

import duckanon
from duckanon.errors import AttestationError
from duckanon.job import policy as policies
from duckanon.job.options import Options
from duckanon.release.attestation import PAYLOAD_TYPE, PREDICATE_TYPE, STATEMENT_TYPE
from tests.support.calendar_days import TODAY, calendar
from tests.support.command_line import Cli, refused
from tests.support.rows import write_parquet
from tests.support.runs import anonymize
from tests.support.signing_keys import write_key

PEOPLE = [
    {"age": 30 + number % 4, "zip": f"z{number // 4 % 2}", "ill": f"s{number // 8 % 3}", "note": f"secret{number % 7}"}
    for number in range(240)
]
FLAT = {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}
JOB = {"columns": {"age": FLAT, "zip": FLAT, "ill": {"role": "sensitive"}}}
ATTESTATION = "out.parquet.attestation.json"
MANIFEST = "out.parquet.manifest.json"
SIGN = ("attest", MANIFEST, "--key", "key.pem")
CHECK = ("check", "out.parquet", "--attestation", ATTESTATION, "--public-key", "key.pub.pem")


@pytest.fixture(scope="module", autouse=True)
def _one_day() -> Iterator[None]:
    """No policy expires at midnight."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(policies, "date", calendar())
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release under a policy, its key and its attestation."""
    folder = tmp_path_factory.mktemp("attested")
    content = {"name": "ours", "k": 7, "models": ["distinct-l=2"], "expires": str(TODAY)}
    (folder / "ours.yaml").write_text(json.dumps(content), encoding="utf-8")
    options = Options(
        policy=str(folder / "ours.yaml"), require=["t=0.9"], set={"output.public-manifest": folder / "public.json"}
    )
    anonymize(write_parquet(folder / "people.parquet", PEOPLE), folder / "out.parquet", job=JOB, options=options)
    duckanon.attest(folder / MANIFEST, write_key(folder / "key.pem"))
    return folder


@pytest.fixture
def attested(made: Path, tmp_path: Path) -> Path:
    """A copy of that folder, which a test may change."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def payload(folder: Path) -> dict[str, Any]:
    """The signed statement."""
    statement: dict[str, Any] = json.loads(base64.b64decode(json.loads((folder / ATTESTATION).read_text())["payload"]))
    return statement


def changed(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the envelope without a new signature."""
    envelope = json.loads((folder / ATTESTATION).read_text())
    change(envelope)
    (folder / ATTESTATION).write_text(json.dumps(envelope))


def sign(folder: Path, content: object, payload_type: str = PAYLOAD_TYPE) -> None:
    """Sign a statement anew with the key of the release, by the formula of DSSE."""
    body = json.dumps(content).encode()
    key = load_pem_private_key((folder / "key.pem").read_bytes(), None)
    assert isinstance(key, Ed25519PrivateKey)
    signature = key.sign(b"DSSEv1 %d %b %d %b" % (len(payload_type), payload_type.encode(), len(body), body))
    encoded = base64.b64encode(signature).decode()

    def renew(envelope: dict[str, Any]) -> None:
        envelope |= {"payload": base64.b64encode(body).decode(), "payloadType": payload_type}
        envelope["signatures"][0]["sig"] = encoded

    changed(folder, renew)


def test_the_signature_is_that_of_the_formula(attested: Path) -> None:
    """PAE(type, body) = "DSSEv1" SP LEN(type) SP type SP LEN(body) SP body; verified without the library that signs."""
    envelope = json.loads((attested / ATTESTATION).read_text())
    kind, body = envelope["payloadType"].encode(), base64.b64decode(envelope["payload"])
    message = b" ".join([b"DSSEv1", str(len(kind)).encode(), kind, str(len(body)).encode(), body])
    key = load_pem_public_key((attested / "key.pub.pem").read_bytes())
    [signature] = envelope["signatures"]
    key.verify(base64.b64decode(signature["sig"]), message)  # type: ignore[union-attr, call-arg]
    with pytest.raises(InvalidSignature):
        key.verify(base64.b64decode(signature["sig"]), message + b" ")  # type: ignore[union-attr, call-arg]


def test_the_statement_has_the_public_facts_of_the_release(attested: Path) -> None:
    statement, manifest = payload(attested), json.loads((attested / MANIFEST).read_text())
    public = json.loads((attested / "public.json").read_text())
    predicate = statement["predicate"]
    digest = sha256((attested / "out.parquet").read_bytes()).hexdigest()
    assert (statement["_type"], statement["predicateType"]) == (STATEMENT_TYPE, PREDICATE_TYPE)
    assert statement["subject"] == [{"name": "out.parquet", "digest": {"sha256": digest}}]
    assert predicate["requirements"] == public["privacy"]
    assert [(check["model"], check["required"]) for check in predicate["requirements"]] == [
        ("k-anonymity", 7),
        ("t-closeness", 0.9),
        ("l-diversity", 2),
    ]
    assert (predicate["quasi_identifiers"], predicate["sensitive"]) == (["age", "zip"], ["ill"])
    assert predicate["suppression"] == public["suppression"] == {"style": "drop"}
    assert predicate["policy"] == manifest["policy_file"]
    assert predicate["policy"]["sha256"] == policies.load(attested / "ours.yaml").sha256
    assert predicate["manifest"]["sha256"] == sha256((attested / MANIFEST).read_bytes()).hexdigest()
    verification = predicate["verification"]
    assert (verification["status"], verification["rows"]) == ("released", 240)
    assert predicate.keys() == {
        *("duckanon", "verification", "quasi_identifiers", "sensitive", "requirements", "suppression", "policy", "manifest")
    }
    assert "secret" not in json.dumps(statement)


def test_a_recipient_needs_neither_source_nor_manifest(attested: Path, cli: Cli) -> None:
    for path in [attested / "people.parquet", attested / MANIFEST, attested / "key.pem"]:
        path.unlink()
    shutil.rmtree(attested / "out.parquet.recoding")
    run = cli(*CHECK, code=0)
    assert "the signature is valid, and the SHA-256 of the file matches the attestation of 'out.parquet'" in run.out
    assert "required, but cannot be checked with the file alone: equal t-closeness" in run.out
    document = cli(*CHECK, "--json").manifest
    assert [check["model"] for check in document["privacy"] if "required" in check] == ["k-anonymity", "l-diversity"]
    assert (document["status"], document["attestation"]["policy"]["name"]) == ("holds", "ours")
    for format in ("github", "sarif", "junit"):
        assert cli(*CHECK, "--format", format).code == 0
    assert 'name="attestation"' in cli(*CHECK, "--format", "junit").out
    envelope, key = attested / ATTESTATION, attested / "key.pub.pem"
    assert duckanon.check(attested / "out.parquet", attestation=envelope, public_key=key)["status"] == "holds"
    with pytest.raises(AttestationError, match="its SHA-256 differs"):
        duckanon.check(write_parquet(attested / "other.parquet", PEOPLE), attestation=envelope, public_key=key)


def test_an_altered_payload_is_refused(attested: Path, cli: Cli) -> None:
    statement = payload(attested)
    statement["predicate"]["requirements"][0]["required"] = 2
    altered = base64.b64encode(json.dumps(statement).encode()).decode()
    changed(attested, lambda envelope: envelope.update(payload=altered))
    refused(cli(*CHECK), 1, "was altered: its signature does not match its content")


def test_an_altered_signature_is_refused(attested: Path, cli: Cli) -> None:
    def flip(envelope: dict[str, Any]) -> None:
        signature = bytearray(base64.b64decode(envelope["signatures"][0]["sig"]))
        signature[5] ^= 1
        envelope["signatures"][0]["sig"] = base64.b64encode(bytes(signature)).decode()

    changed(attested, flip)
    refused(cli(*CHECK), 1, "was altered: its signature does not match its content")


def test_another_key_is_refused_whatever_key_the_envelope_names(attested: Path, cli: Cli) -> None:
    write_key(attested / "other.pem")
    arguments = (*CHECK[:-1], "other.pub.pem")
    refused(cli(*arguments), 1, "is signed with another key than 'other.pub.pem'")
    other = json.loads((attested / ATTESTATION).read_text())
    assert cli("attest", MANIFEST, "--key", "other.pem", "--overwrite").code == 0
    [named] = json.loads((attested / ATTESTATION).read_text())["signatures"]
    other["signatures"][0]["keyid"] = named["keyid"]
    (attested / ATTESTATION).write_text(json.dumps(other))
    refused(cli(*arguments), 1, "was altered: its signature does not match its content")
    changed(attested, lambda envelope: envelope.update(signatures=[]))
    refused(cli(*arguments), 1, "is signed with another key than 'other.pub.pem'")


def test_another_type_is_refused_by_name(attested: Path, cli: Cli) -> None:
    statement = payload(attested)
    sign(attested, statement)
    assert cli(*CHECK).code == 0
    sign(attested, statement, "application/json")
    refused(cli(*CHECK), 1, f"has the payload type 'application/json', not '{PAYLOAD_TYPE}'")
    sign(attested, statement | {"_type": "https://in-toto.io/Statement/v0.1"})
    refused(cli(*CHECK), 1, "has the _type 'https://in-toto.io/Statement/v0.1', not 'https://in-toto.io/Statement/v1'")
    sign(attested, statement | {"predicateType": "https://slsa.dev/provenance/v1"})
    refused(cli(*CHECK), 1, f"has the predicateType 'https://slsa.dev/provenance/v1', not '{PREDICATE_TYPE}'")
    strange: list[Any] = [[], {}, "text", statement | {"subject": statement["subject"] * 2}, statement | {"predicate": {}}]
    for content in strange:
        sign(attested, content)
        refused(cli(*CHECK), 1, f"attestation '{ATTESTATION}' is ")


def test_another_file_is_refused_before_it_is_measured(attested: Path, cli: Cli) -> None:
    write_parquet(attested / "out.parquet", PEOPLE[:8])
    refused(cli(*CHECK), 1, "'out.parquet' is not the file of attestation", "its SHA-256 differs from that of 'out.parquet'")
    (attested / "out.parquet").unlink()
    assert cli(*CHECK).code == 3


def test_a_file_that_does_not_satisfy_what_is_attested_is_refused(attested: Path, cli: Cli) -> None:
    """The signer attests more than the file has."""
    statement = payload(attested)
    statement["predicate"]["requirements"][0] |= {"required": 31, "achieved": 31}
    sign(attested, statement)
    run = cli(*CHECK)
    assert (run.code, run.err) == (1, "duckanon: error: 'out.parquet' does not satisfy k-anonymity\n")


def test_an_expired_policy_is_refused(attested: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli(*CHECK).code == 0
    monkeypatch.setattr(policies, "date", calendar(TODAY + timedelta(1)))
    refused(cli(*CHECK), 1, f"attestation '{ATTESTATION}': policy 'ours' expired on {TODAY}")
    refused(cli(*SIGN, "--overwrite"), 2, f"policy 'ours' expired on {TODAY}")
    write_parquet(attested / "out.parquet", PEOPLE[:8])
    refused(cli(*CHECK), 1, "is not the file of attestation")


def test_the_policy_must_be_the_attested_one(attested: Path, cli: Cli) -> None:
    assert cli(*CHECK, "--policy", "ours.yaml").code == 0
    refused(cli(*CHECK, "--policy", "public"), 1, "names policy 'ours' with another SHA-256, not policy 'public'")
    content = json.loads((attested / "ours.yaml").read_text()) | {"k": 6}
    (attested / "ours.yaml").write_text(json.dumps(content))
    refused(cli(*CHECK, "--policy", "ours.yaml"), 1, "names policy 'ours' with another SHA-256, not policy 'ours'")
    statement = payload(attested)
    del statement["predicate"]["policy"]
    sign(attested, statement)
    refused(cli(*CHECK, "--policy", "ours.yaml"), 1, "names no policy, not policy 'ours'")


@pytest.mark.parametrize(
    ("options", "phrase"),
    [
        (("--manifest", MANIFEST), "--manifest and --attestation both give the columns"),
        (("--qi", "age"), "--attestation gives the columns and models to check"),
        (("--job", "job.yaml"), "--attestation gives the columns and models to check"),
    ],
)
def test_an_attestation_replaces_the_other_options(attested: Path, cli: Cli, options: tuple[str, ...], phrase: str) -> None:
    (attested / "job.yaml").write_text("version: 1\n")
    refused(cli(*CHECK, *options), 2, phrase)
    refused(cli(*CHECK[:4]), 2, "--attestation and --public-key belong together")
    refused(cli("check", "out.parquet", *CHECK[4:]), 2, "--attestation and --public-key belong together")


def test_a_key_that_others_can_read_is_refused(attested: Path, cli: Cli) -> None:
    for mode in (0o640, 0o604, 0o620):
        (attested / "key.pem").chmod(mode)
        refused(
            cli(*SIGN, "--overwrite"), 2, "key file 'key.pem' is accessible to other users; restrict it with: chmod 600 key.pem"
        )
    (attested / "key.pem").chmod(0o400)
    assert cli(*SIGN, "--overwrite").code == 0


def test_a_key_that_cannot_sign_is_refused(attested: Path, cli: Cli) -> None:
    def attest(key: str) -> Any:
        return cli("attest", MANIFEST, "--key", key, "--overwrite")

    write_key(attested / "rsa.pem", rsa.generate_private_key(public_exponent=65537, key_size=2048))
    refused(attest("rsa.pem"), 2, "key file 'rsa.pem' is not an Ed25519 key; make one: (umask 077; openssl genpkey")
    write_key(attested / "locked.pem", encryption=BestAvailableEncryption(b"password"))
    refused(attest("locked.pem"), 2, "key file 'locked.pem' is encrypted; decrypt it: openssl pkey -in locked.pem")
    refused(attest("key.pub.pem"), 2, "key file 'key.pub.pem' holds a public key, which cannot sign; give the private key")
    refused(attest("gone.pem"), 2, "key file 'gone.pem' cannot be read: No such file or directory; make a key")
    (attested / "text.pem").touch(mode=0o600)
    (attested / "text.pem").write_text("-----BEGIN PRIVATE KEY-----\nsecret\n")
    refused(attest("text.pem"), 2, "key file 'text.pem' is not a private key in PEM")


def test_a_public_key_that_is_none_is_refused(attested: Path, cli: Cli) -> None:
    def check(key: str) -> Any:
        return cli(*CHECK[:-1], key)

    write_key(attested / "rsa.pem", rsa.generate_private_key(public_exponent=65537, key_size=2048))
    refused(check("key.pem"), 2, "'key.pem' holds a private key; give the public key")
    refused(check("rsa.pub.pem"), 2, "'rsa.pub.pem' is not an Ed25519 key")
    refused(check(MANIFEST), 2, f"'{MANIFEST}' is not a public key in PEM")
    refused(check("gone.pem"), 2, "public key 'gone.pem' cannot be read")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "[]",
        "{}",
        '{"payload": 1, "payloadType": "x", "signatures": []}',
        '{"payload": "", "payloadType": 1, "signatures": []}',
        '{"payload": "", "payloadType": "x", "signatures": {}}',
        '{"payload": "", "payloadType": "x", "signatures": [{"sig": 1, "keyid": "a"}]}',
        "[" * 100_000,
    ],
)
def test_a_file_that_is_no_envelope_is_refused(attested: Path, cli: Cli, text: str) -> None:
    (attested / ATTESTATION).write_text(text)
    run = cli(*CHECK)
    assert run.code in (1, 2)
    refused(run, run.code, ATTESTATION)
    refused(cli(*CHECK[:3], "gone.json", *CHECK[4:]), 2, "no such attestation: 'gone.json'")


def test_only_an_unchanged_release_is_attested(attested: Path, cli: Cli) -> None:
    document = json.loads((attested / MANIFEST).read_text())
    (attested / MANIFEST).write_text(json.dumps(document | {"roles": "guessed"}))
    refused(cli(*SIGN, "--overwrite"), 2, "was changed after it was written")
    (attested / MANIFEST).write_text(json.dumps(document | {"status": "infeasible"}))
    refused(cli(*SIGN, "--overwrite"), 2, "is not the manifest of a release (its status is 'infeasible')")
    (attested / MANIFEST).write_text(json.dumps(document))
    write_parquet(attested / "out.parquet", PEOPLE[:8])
    refused(cli(*SIGN, "--overwrite"), 3, "its SHA-256 differs from the manifest")
    (attested / "out.parquet").unlink()
    refused(cli(*SIGN, "--overwrite"), 3, "does not exist")


def test_an_attestation_replaces_no_other_file(attested: Path, cli: Cli) -> None:
    refused(cli(*SIGN), 3, f"output '{ATTESTATION}' exists; give --overwrite")
    for name in ("out.parquet", MANIFEST, "key.pem", "out.parquet.recoding/job.yaml"):
        before = (attested / name).read_bytes()
        refused(cli(*SIGN, "-o", name, "--overwrite"), 3, "is a file of the release or the key; name another file")
        assert (attested / name).read_bytes() == before
    refused(cli(*SIGN, "-o", "gone/a.json"), 3, "does not exist")
    assert cli(*SIGN, "-o", "other.json").code == 0
    assert cli(*CHECK[:3], "other.json", *CHECK[4:]).code == 0


@pytest.mark.parametrize("package", ["securesystemslib.signer", "cryptography.hazmat.primitives.asymmetric.ed25519"])
def test_without_the_extra_one_line_names_the_command(
    attested: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    assert attested.exists()
    monkeypatch.setitem(sys.modules, package, None)
    for run in (cli(*SIGN, "--overwrite"), cli(*CHECK)):
        refused(run, 2, "pip install 'duckanon[attest]'")


def test_the_extra_is_imported_only_when_it_is_needed() -> None:
    program = "import sys, duckanon.cli.app, duckanon.checks.file; print({'cryptography', 'securesystemslib'} & {*sys.modules})"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed == "set()\n"


@pytest.mark.parametrize(
    "options",
    [
        {"ranges": "bounds", "hierarchies": {"age": "age.yaml"}},
        {"adversary": ["a=age:k=9", "b=zip"]},
        {"any": 1},
        {"set": {"output.partition-by": "zip"}},
        {"set": {"suppression.style": "star"}},
    ],
)
def test_releases_of_other_forms_are_checked_too(tmp_path: Path, cli: Cli, options: dict[str, Any]) -> None:
    (tmp_path / "age.yaml").write_text("kind: intervals\nwidths: [10]\n")
    (tmp_path / "zip.yaml").write_text("kind: flat\n")
    write_parquet(tmp_path / "people.parquet", PEOPLE)
    write_key(tmp_path / "key.pem")
    output = "out" if "output.partition-by" in options.get("set", ()) else "out.parquet"
    flags = [part for name, value in options.items() if name != "hierarchies" for part in _flags(name, value)]
    arguments = ("--qi", "age,zip", "--hierarchies", "age=age.yaml", "--hierarchies", "zip=zip.yaml", "--levels", "age=1,zip=0")
    cli("anonymize", "people.parquet", *arguments, *flags, "-o", output, code=0)
    assert cli("attest", f"{output}.manifest.json", "--key", "key.pem").code == 0
    run = cli("check", output, "--attestation", f"{output}.attestation.json", "--public-key", "key.pub.pem")
    assert run.code == 0, run.err + run.out


def _flags(name: str, value: Any) -> list[str]:
    if name == "set":
        return [part for key, item in value.items() for part in ("--set", f"{key}={item}")]
    flag = f"--{name.replace('_', '-')}"
    return [part for item in (value if isinstance(value, list) else [value]) for part in (flag, str(item))]
