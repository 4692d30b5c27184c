"""Keys of attestations."""

from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)


def write_key(path: Path, key: Any = None, encryption: KeySerializationEncryption | None = None) -> Path:
    """A private key, by default a new one of Ed25519, and its public key beside it."""
    key = key or Ed25519PrivateKey.generate()
    path.touch(mode=0o600)
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption or NoEncryption()))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    path.with_suffix(".pub.pem").write_bytes(public)
    return path
