"""The association of two columns, restated from the paper."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any


def association(lefts: Sequence[Any], rights: Sequence[Any]) -> float:
    """Cramer's V, corrected as in Bergsma (2013), equations 5 to 7."""
    n = len(lefts)
    both, left, right = Counter(zip(lefts, rights, strict=True)), Counter(lefts), Counter(rights)
    phi = sum(count**2 / (left[a] * right[b]) for (a, b), count in both.items()) - 1
    r, c = len(left), len(right)
    corrected = max(0.0, phi - (r - 1) * (c - 1) / (n - 1))
    freedom = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
    return min(1.0, math.sqrt(corrected / freedom)) if freedom > 0 else 0.0
