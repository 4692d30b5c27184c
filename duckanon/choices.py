"""The values that options and job files choose from. This module imports little, so that the command line starts fast."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

Role = Literal["quasi-identifier", "sensitive", "insensitive", "identifying"]
"""The role of a column."""

MissingPolicy = Literal["value", "drop", "top"]
"""`value`: a value like any other. `drop`: drop rows in which any input column is missing. `top`: generalize to the top."""

MissingSensitive = Literal["both", "value"]
"""How missing sensitive values are read: `value` counts them as a value. `both`: a class must also satisfy its models without them."""

DateOrder = Literal["day-first", "month-first", "year-first", "text"]
"""How dates as 01/02/1980 or 01-02-80 are read; `text` leaves all national formats as text."""

DecimalSign = Literal["comma", "point", "text"]
"""How numbers as 1,234 are read; `text` leaves all national formats as text."""

Malformed = Literal["refuse", "drop"]
"""What happens to lines of a CSV file that are no records."""

Others = Literal["drop", "keep"]
"""What happens to columns without a role."""

SuppressionStyle = Literal["drop", "star"]
"""What happens to suppressed rows: `drop` removes them, `star` keeps them as one class with every quasi-identifier at the top."""

if TYPE_CHECKING:
    _AlgorithmName = str
else:
    # a module of this folder is an algorithm, and its name is the word for it; auto chooses among them, and descent runs within others only
    _MODULES = (Path(__file__).parent / "search" / "algorithms").glob("[a-z]*.py")
    _AlgorithmName = Literal["auto", *sorted({module.stem for module in _MODULES} - {"descent"})]

Algorithm = _AlgorithmName
"""The search algorithm. `mondrian` and `local` recode each region of the table differently; the others recode all rows alike."""

Cut = Literal["order", "hierarchy"]
"""How mondrian cuts a column: into ranges of its values, or into labels of its hierarchy."""

Microaggregation = Literal["mean", "median", "mode", "interval", "set"]
"""The figure of a class that replaces the values of a column."""

TextTreatment = Literal["blank", "presidio"]
"""What becomes of text with direct identifiers: `blank` empties the cell; `presidio` shows what Microsoft Presidio makes of it."""

Ranges = Literal["text", "bounds", "midpoint"]
"""How ranges of numbers and dates are written: as labels, as two columns with their bounds, or as one column with their midpoint."""

PseudonymScope = Literal["release", "class"]
"""Where a value has the same pseudonym: in the whole release, or only within an equivalence class."""

Cuts = Literal["gain", "median"]
"""Where mondrian cuts a partition: where the most information loss is saved, or at the median of its widest column."""

Median = Literal["le-else-lt", "le"]
"""How mondrian cuts a range at its median m. `le-else-lt`: at <= m, or at < m if a side would fail. `le`: only at <= m."""

ObjectiveName = Literal["loss", "precision", "discernibility", "class-size", "distortion"]
"""What a search minimizes."""

Aggregate = Literal["mean", "geometric-mean", "max"]
"""How the losses of the columns are aggregated."""

DecideOn = Literal["all", "qi"]
"""What the search uses to choose the levels: quasi-identifiers and sensitive values, or only quasi-identifiers."""

Attacker = Literal["prosecutor", "journalist", "marketer"]
"""Adversary model: knows that a person is in the table (prosecutor) or the population (journalist); targets many (marketer)."""

DemoTable = Literal["adult", "visits", "survey"]
"""The tables that `duckanon demo` writes."""

REMOVED: Mapping[str, str] = {"datafly": "greedy", "descent": "optimal", "entropy": "loss", "height": "precision"}
"""Algorithms and objectives of version 0.2, and what replaces them; a limited search by `optimal` begins with the path of `descent`."""

DUCKDB = "duckdb"
"""The engine that needs no cluster."""

COLLECT_LIMIT = 20_000_000
"""The default limit for the rows that a cluster returns."""
