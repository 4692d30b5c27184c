"""Read the key of pseudonyms and shifted dates, and derive keys from it; read the key of attestations. A key never becomes text."""

import hashlib
import hmac
import os
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_IRWXG, S_IRWXO
from typing import BinaryIO

from duckanon.errors import JobError
from duckanon.observers import Observer

VARIABLE = "DUCKANON_KEY"
_LEAST_BYTES = 32
_MOST_BYTES = 1 << 16
_BLOCK = 64
"""Bytes in a block of SHA-256."""
MAKE_SIGNING_KEY = "(umask 077; openssl genpkey -algorithm ed25519 -out ed25519.pem)"
_HOW = "make a random key: openssl rand -hex 32"


@dataclass(frozen=True)
class Pads:
    """The inner and outer pad of an HMAC: SHA-256(outer || SHA-256(inner || message)), RFC 2104."""

    inner: bytes = field(repr=False)
    outer: bytes = field(repr=False)

    @classmethod
    def of(cls, key: bytes) -> "Pads":
        whole = (hashlib.sha256(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
        return cls(bytes(byte ^ 0x36 for byte in whole), bytes(byte ^ 0x5C for byte in whole))


@dataclass(frozen=True)
class Key:
    """A secret that its `repr` does not show."""

    _secret: bytes = field(repr=False)

    def pads(self, purpose: str, release: str, domain: str) -> Pads:
        """The pads of the key derived for a purpose, release and domain: one derived key does not disclose another."""
        scope = "\0".join(("duckanon", purpose, release, domain))
        return Pads.of(hmac.new(self._secret, scope.encode(), hashlib.sha256).digest())


def read_key(file: Path | None, observer: Observer) -> Key:
    """The key in the file, by default in the environment; raises `JobError` if it is missing or too weak."""
    if file is None:
        text = os.environb.get(VARIABLE.encode()) if hasattr(os, "environb") else os.environ.get(VARIABLE, "").encode() or None
        if text is None:
            raise JobError(
                f"pseudonyms and shifted dates need a key: set {VARIABLE}, or name a file with --key-file; {_HOW} > duckanon.key"
            )
        return Key(_checked(text, f"the key in {VARIABLE}"))
    try:
        with file.open("rb") as opened:
            if fault := _accessible(file, opened):
                observer.warn(fault)
            text = opened.read(_MOST_BYTES + 1)
    except OSError as error:
        raise JobError(
            f"key file {str(file)!r} cannot be read: {error.strerror}; {_HOW} > {file.name or 'duckanon.key'}"
        ) from error
    return Key(_checked(text, f"the key in {str(file)!r}"))


def read_signing_key(file: Path) -> bytes:
    """The content of a file with a private key, which only its owner can access; raises `JobError` if others can, or if it cannot be read."""
    try:
        with file.open("rb") as opened:
            fault, text = _accessible(file, opened), opened.read(_MOST_BYTES)
    except OSError as error:
        raise JobError(f"key file {str(file)!r} cannot be read: {error.strerror}; make a key: {MAKE_SIGNING_KEY}") from error
    # a public key, given by mistake, has another fault
    if fault is not None and b"PUBLIC KEY" not in text:
        raise JobError(fault)
    return text


def _accessible(file: Path, opened: BinaryIO) -> str | None:
    """The message for a key file that other users can access."""
    if not os.fstat(opened.fileno()).st_mode & (S_IRWXG | S_IRWXO):
        return None
    return f"key file {str(file)!r} is accessible to other users; restrict it with: chmod 600 {file.name}"


def _checked(text: bytes, where: str) -> bytes:
    secret = text.strip()
    if not secret:
        raise JobError(f"{where} is empty; {_HOW}")
    if len(secret) < _LEAST_BYTES or len(set(secret)) < _LEAST_BYTES // 4:
        raise JobError(
            f"{where} has {len(secret)} bytes, {len(set(secret))} of them different, and could be guessed; "
            f"it needs at least {_LEAST_BYTES}, {_LEAST_BYTES // 4} of them different; {_HOW}"
        )
    if len(secret) > _MOST_BYTES:
        raise JobError(f"{where} has more than {_MOST_BYTES:,} bytes; is it the right file? {_HOW}")
    return secret
