"""Pseudonyms, masks and the days of a shift, restated from the documentation."""

import hashlib
import hmac

SECRET = "0b8d3f6a51c27e94" * 4
"""The key of the tests."""


def derived(purpose: str, name: str, domain: str, secret: str = SECRET) -> bytes:
    """The key of a purpose, a release and a domain."""
    return hmac.digest(secret.encode(), b"duckanon\0%b\0%b\0%b" % (purpose.encode(), name.encode(), domain.encode()), "sha256")


def pseudonym(value: object, name: str, domain: str, secret: str = SECRET) -> str:
    """What a value is called in a release."""
    return hmac.new(derived("pseudonym", name, domain, secret), str(value).encode(), hashlib.sha256).hexdigest()[:32]


def offset(person: object, name: str, days: int) -> int:
    """By how many days a person's dates are moved in a release."""
    digits = hmac.new(derived("date shift", name, ""), str(person).encode(), hashlib.sha256).hexdigest()[:15]
    place = int(digits, 16) % (2 * days)
    return place - days + (place >= days)


def masked(value: object, last: int) -> str:
    """Stars, and so many of the last characters of a value that has more."""
    text = str(value)
    return f"***{text[-last:]}" if 0 < last < len(text) else "***"
