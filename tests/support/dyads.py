"""A table of meetings of two persons, both of whom repeat."""

import random
from typing import Any


def dyads(first: str, second: str) -> list[dict[str, Any]]:
    """Each of two groups of a dozen meets all of the other: both columns repeat, and the row is about the first."""
    chance = random.Random(3)
    rows = []
    for event in range(8):
        people = [(100 * event + n, 20 + chance.randrange(12), "fm"[n % 2]) for n in range(24)]
        rows += [{first: a[0], second: b[0], "age": a[1], "sex": a[2]} for a in people for b in people if a[2] != b[2]]
    return rows
