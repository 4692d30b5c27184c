"""Figures in words: how a count, a share or a missing figure is written."""

import math
from dataclasses import dataclass
from typing import Any

from jinja2 import Undefined

UNKNOWN = "\N{EN DASH}"
WITHHELD = "not published"
"""A figure, other than a count, that the variant for publication withholds."""


@dataclass(frozen=True)
class Wording:
    """How figures are written; where a least count is given, a withheld one is said to be below it."""

    least: int | None = None

    def count(self, value: Any) -> str:
        """1,234"""
        if value is None and self.least is not None:
            return f"fewer than {self.least}"
        return f"{value:,}" if isinstance(value, int) else self.figure(value)

    def share(self, value: Any) -> str:
        """12.3%"""
        if not _is_number(value):
            return self._missing(value)
        if value and abs(value) < 0.001:
            return f"{100 * value:.2g}%"
        return f"{100 * value:.1f}%"

    def figure(self, value: Any) -> str:
        """0.1234"""
        if not _is_number(value):
            return self._missing(value)
        if isinstance(value, int) or value == int(value):
            return f"{int(value):,}"
        if abs(value) >= 10:
            return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}"
        return f"{value:.4f}" if abs(value) >= 0.001 else f"{value:.2g}"

    def cell(self, value: Any) -> str:
        """A figure by what it is, any other value as its text."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value is None or isinstance(value, int | float | Undefined):
            return self.count(value)
        return str(value)

    def _missing(self, value: Any) -> str:
        """None withholds in the variant for publication; what is absent there was never given."""
        if value is None and self.least is not None:
            return WITHHELD
        return str(value) if isinstance(value, str) and value else UNKNOWN


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_figure(value: Any) -> bool:
    """Whether a cell is set to the right, as figures are."""
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
