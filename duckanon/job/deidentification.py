"""Treatments of direct identifiers that are not dropped (pseudonym, mask, shifted dates), and their key."""

import hashlib
import hmac
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_IRWXG, S_IRWXO
from typing import BinaryIO

from duckanon.dataset.names import find_column
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError
from duckanon.formatting import in_rows
from duckanon.job.column import Treatment
from duckanon.job.keys import assigned
from duckanon.job.model import Job
from duckanon.observers import Caution, Observer

VARIABLE = "DUCKANON_KEY"
_LEAST_BYTES = 32
_MOST_BYTES = 1 << 16
_BLOCK = 64
"""Bytes in a block of SHA-256."""
MAKE_SIGNING_KEY = "(umask 077; openssl genpkey -algorithm ed25519 -out ed25519.pem)"
_HOW = "make a random key: openssl rand -hex 32"


@dataclass(frozen=True)
class HmacState:
    """The inner and outer pad of an HMAC: SHA-256(outer || SHA-256(inner || message)), RFC 2104."""

    inner: bytes = field(repr=False)
    outer: bytes = field(repr=False)

    @classmethod
    def of(cls, key: bytes) -> "HmacState":
        whole = (hashlib.sha256(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
        return cls(bytes(byte ^ 0x36 for byte in whole), bytes(byte ^ 0x5C for byte in whole))


@dataclass(frozen=True)
class Key:
    """A secret that its `repr` does not show."""

    _secret: bytes = field(repr=False)

    def hmac_state(self, purpose: str, release: str, domain: str) -> HmacState:
        """The pads of the key derived for a purpose, release and domain: one derived key does not disclose another."""
        scope = "\0".join(("duckanon", purpose, release, domain))
        return HmacState.of(hmac.new(self._secret, scope.encode(), hashlib.sha256).digest())


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
                observer.warn(Caution("key-file", fault))
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


def treatments_of(job: Job, columns: Sequence[Column]) -> dict[str, Treatment]:
    """The treatment of each treated column; raises `JobError` if its type has no such treatment, or the column of the persons is missing."""
    treatments = {}
    for number, (name, plan) in enumerate(job.columns.items()):
        if plan.pseudonym is None and plan.mask is None and plan.shift is None:
            continue
        column = find_column(columns, name, "column")
        if column.is_nested or column.type == "BLOB":
            raise JobError(
                f"column {name!r} is {column.type}, which can have no pseudonym, mask or shift; drop it, or unnest it first"
            )
        if plan.pseudonym is not None:
            treatments[name] = Treatment(
                "pseudonym", column, number, domain=plan.pseudonym.domain or name, scope=plan.pseudonym.scope
            )
            if plan.pseudonym.scope == "class" and job.keep_suppressed_rows:
                raise JobError(
                    f"the pseudonyms of {name!r} are equal only within a class, but masked records come from several classes; use --set suppression.style=drop"
                )
        elif plan.mask is not None:
            treatments[name] = Treatment("mask", column, number, first=plan.mask.first, last=plan.mask.last)
        elif plan.shift is not None:
            by, most, unit = _person(job, columns, name, plan.shift.by), plan.shift.most, plan.shift.unit
            treatments[name] = Treatment("shift", column, number, most=most, unit=unit, truncate=plan.shift.truncate, by=by)
            if not column.is_date:
                raise JobError(
                    f"column {name!r} is {column.type}, and only dates can be shifted; write it as DATE or TIMESTAMP first"
                )
    for name in treatments:
        if group := next((group for group in job.linked if name in group), None):
            raise JobError(
                f"linked: [{', '.join(group)}] contains {name!r}, which is {treatments[name].description.replace('dates', 'released with dates')} "
                "and never shows its own values; leave it out there, or drop the column"
            )
    _check_days([treatment for treatment in treatments.values() if treatment.kind == "shift"])
    return treatments


def as_shown(columns: Sequence[Column], treatments: Mapping[str, Treatment]) -> list[Column]:
    """The columns that may disclose other columns, with their released types. Pseudonyms disclose nothing."""
    kinds = {name: treatment.kind for name, treatment in treatments.items()}
    return [
        Column(column.name, "VARCHAR") if kinds.get(column.name) == "mask" else column
        for column in columns
        if kinds.get(column.name) != "pseudonym"
    ]


def _check_days(shifts: Sequence[Treatment]) -> None:
    """Raise `JobError` if shifting would change the time between two dates of one person."""
    first: dict[str, Treatment] = {}
    for shift in shifts:
        other = first.setdefault(shift.by, shift)
        if (other.most, other.unit) != (shift.most, shift.unit):
            raise JobError(
                f"the dates of {other.column.name!r} and {shift.column.name!r} are shifted by up to {other.most:,} {other.unit} and {shift.most:,} {shift.unit}, "
                "but the dates of one person move together; give both the same shift"
            )


def _person(job: Job, columns: Sequence[Column], name: str, by: str | None) -> str:
    """The column that identifies the persons whose dates are shifted."""
    by = by or next(iter(job.entities), None)
    if by is None:
        raise JobError(
            f"the dates of {name!r} are shifted by person, but no column identifies persons; name it with --entity, or with {assigned(('columns', name, 'shift', 'by'), 'NAME')}"
        )
    column = find_column(columns, by, "column")
    plan = job.columns.get(by)
    role = plan.role if plan is not None else None
    if by == name or any(by in group for group in job.linked) or (plan is not None and plan.microaggregate is not None):
        raise JobError(
            f"the dates of {name!r} cannot be shifted by {by!r}, which does not identify persons; name an identifier"
        )
    if role in ("quasi-identifier", "sensitive") or column.is_nested:
        raise JobError(f"the dates of {name!r} cannot be shifted by {by!r}, which is {role or column.type}; name an identifier")
    return by


def bound(treatments: Mapping[str, Treatment], key: Key | None, release: str | None) -> dict[str, bytes]:
    """The parameters of the statement that writes: two pads per keyed column, which are never part of the text."""
    parameters: dict[str, bytes] = {}
    for treatment in treatments.values():
        if key is not None and treatment.is_keyed:
            purpose = "date shift" if treatment.kind == "shift" else "pseudonym"
            state = key.hmac_state(purpose, release or "", treatment.domain)
            parameters |= {f"inner_{treatment.number}": state.inner, f"outer_{treatment.number}": state.outer}
    return parameters


def check(engine: Engine, job: Job, treatments: Mapping[str, Treatment], columns: Sequence[Column], observer: Observer) -> None:
    """Warn about weak or missing pseudonyms and shifts; raises `JobError` if a shifted date may leave the range of its type."""
    _warn(job, treatments, columns, observer)
    for name, treatment in treatments.items():
        if treatment.kind == "mask":
            continue
        [(empty, without_person, far)] = engine.query(
            render("release/untreatable", treatment=treatment), stage="checking direct identifiers"
        )
        if far:
            raise JobError(
                f"dates of {name!r} cannot be shifted by up to {treatment.most:,} {treatment.unit}: {in_rows(far)} might leave the range of "
                f"{treatment.column.type}; correct those dates, or shift by fewer {treatment.unit}"
            )
        if treatment.kind == "pseudonym" and empty:
            observer.note(f"{in_rows(empty)} of {name!r} have no value: their pseudonym is empty")
        if without_person:
            observer.note(
                f"{in_rows(without_person)} of {name!r} have a date but no person in {treatment.by!r}: the released date is empty"
            )


def _warn(job: Job, treatments: Mapping[str, Treatment], columns: Sequence[Column], observer: Observer) -> None:
    """Warn about persons that are identified by fractional numbers, and about unshifted dates beside shifted dates."""
    shifted = [name for name, treatment in treatments.items() if treatment.kind == "shift"]
    called = {name for name, treatment in treatments.items() if treatment.kind == "pseudonym"}
    called |= {treatments[name].by for name in shifted}
    for column in columns:
        if column.name in called and column.is_number and not column.is_whole and not column.type.endswith(",0)"):
            observer.warn(
                Caution(
                    "pseudonym-type",
                    f"{column.name!r} is {column.type}, where 7 is 7.0: its pseudonyms and days differ from those of whole numbers or text in another "
                    "table; write it as BIGINT first",
                    column.name,
                )
            )
    kept = {*job.of_role("insensitive"), *job.of_role("sensitive")} - set(treatments)
    kept |= {column.name for column in columns if column.name not in job.columns} if job.others == "keep" else set()
    stays = [column.name for column in columns if column.is_date and column.name in kept]
    if shifted and stays:
        observer.warn(
            Caution(
                "unshifted-dates",
                f"the dates of {', '.join(map(repr, stays))} are not shifted, but those of {', '.join(map(repr, shifted))} are: a person who knows the time between "
                "two of these dates can compute the shift; shift them too",
                *stays,
            )
        )
