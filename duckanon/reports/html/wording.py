"""How counts, shares and missing figures are written."""

import math
from dataclasses import dataclass
from typing import Any

from jinja2 import Undefined

from duckanon.formatting import figure

UNKNOWN = "\N{EN DASH}"
WITHHELD = "not published"
"""A withheld figure other than a count."""


@dataclass(frozen=True)
class Wording:
    """How figures are written; with a least count, a withheld count is written as `fewer than {least}`."""

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
        if value in (0, 1):
            return f"{100 * value:.0f}%"
        if abs(value) < 0.001:
            return f"{100 * value:.2g}%"
        return f"{100 * value:.1f}%"

    def figure(self, value: Any) -> str:
        """0.123"""
        if not _is_number(value):
            return self._missing(value)
        return figure(value)

    def cell(self, value: Any) -> str:
        """A figure by its type, any other value as text."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value is None or isinstance(value, int | float | Undefined):
            return self.count(value)
        return str(value)

    def _missing(self, value: Any) -> str:
        """In the variant for publication, None means withheld; elsewhere it means unknown."""
        if value is None and self.least is not None:
            return WITHHELD
        return str(value) if isinstance(value, str) and value else UNKNOWN


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_figure(value: Any) -> bool:
    """Whether a cell is a figure, which is aligned to the right."""
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
