"""What the labels of a release stand for: the values of the source that a reader can still think of."""

import re
from collections.abc import Iterable, Sequence

from benchmarks.field.kmarginal import bin_number

_INTERVAL = re.compile(r"([\[(])\s*(\S+?)\s*,\s*(\S+?)\s*([\])])")
_BOUND = re.compile(r"(<=|>=|<|>)\s*(\S+)")


def covered(label: str, domain: Sequence[str]) -> tuple[str, ...]:
    """The values of the domain that a label stands for. Raises `ValueError` for a label that stands for none.

    A label is a value, `*` or nothing (all values), a range of numbers such as `[20, 30)`, `[20, 29]`, `<= 5` or `>=65`, or a group
    such as `3|4|5`. A value that is not a number is in no range.
    """
    if label in domain:
        return (label,)
    if label in ("", "*"):
        return tuple(domain)
    if match := _INTERVAL.fullmatch(label):
        opening, low, high, closing = match.groups()
        tests = [(">=" if opening == "[" else ">", low), ("<=" if closing == "]" else "<", high)]
    elif match := _BOUND.fullmatch(label):
        tests = [(match[1], match[2])]
    else:
        members = set(label.split("|"))
        values = tuple(value for value in domain if value in members)
        if len(values) < len(members):
            raise ValueError(f"label {label!r} is no value, range or group of values of {', '.join(domain[:5])}, ...")
        return values
    values = tuple(value for value in domain if _is_number(value) and all(_holds(value, *test) for test in tests))
    if not values:
        raise ValueError(f"label {label!r} covers no value of {', '.join(domain[:5])}, ...")
    return values


def bin_shares(labels: Iterable[str], domain: Sequence[str], edges: Sequence[float] = ()) -> dict[str, dict[str, float]]:
    """Each label with its bins and their shares: a cell is spread over the values of its label in equal parts.

    With `edges` numbers are counted in SDNist's bins; without them each value is a bin.
    """
    shares: dict[str, dict[str, float]] = {}
    for label in labels:
        values = covered(label, domain)
        shares[label] = {}
        for value in values:
            name = str(bin_number(float(value), edges)) if edges else value
            shares[label][name] = shares[label].get(name, 0) + 1 / len(values)
    return shares


def cell_loss(label: str, domain: Sequence[str]) -> float:
    """The information loss of a cell: (M - 1) / (A - 1) for M values under the label, of A values in all (Iyengar 2002)."""
    return (len(covered(label, domain)) - 1) / (len(domain) - 1) if len(domain) > 1 else 0.0


def _is_number(value: str) -> bool:
    return value.lstrip("-").replace(".", "", 1).isdigit()


def _holds(value: str, sign: str, bound: str) -> bool:
    left, right = float(value), float(bound)
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[sign]
