"""The words that options and job files choose from; nothing heavier, so that the command line starts at once."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

Role = Literal["quasi-identifier", "sensitive", "insensitive", "identifying"]
"""What a column is."""

MissingPolicy = Literal["value", "drop", "top"]
"""A value like any other; the row goes when any input column is missing; generalized to the top."""

Others = Literal["drop", "keep"]
"""What becomes of columns that nobody names."""

SuppressionStyle = Literal["drop", "star"]
"""What becomes of suppressed rows: they go, or stay as one class with every quasi-identifier at the top."""

if TYPE_CHECKING:
    _AlgorithmName = str
else:
    # a module of this folder is an algorithm, and its name is the word for it
    _MODULES = (Path(__file__).parent / "search" / "algorithms").glob("[a-z]*.py")
    _AlgorithmName = Literal[tuple(sorted(module.stem for module in _MODULES))]

Algorithm = _AlgorithmName
"""Which search; `mondrian` and `local` recode regions of the table apart, the others every row alike."""

Cut = Literal["order", "hierarchy"]
"""What mondrian cuts a column into: ranges of its values, or the labels of its hierarchy."""

Microaggregation = Literal["mean", "median", "mode", "interval", "set"]
"""What every row of a class shows of a column in place of its own value."""

PseudonymScope = Literal["release", "class"]
"""Where a value has the same pseudonym: in the whole release, or only within an equivalence class."""

Median = Literal["le-else-lt", "le"]
"""How mondrian cuts a range at its median m: <= m, or where a side would fail < m; or <= m alone."""

ObjectiveName = Literal["loss", "precision", "discernibility", "class-size", "entropy", "height", "distortion"]
"""What a search minimizes."""

Aggregate = Literal["mean", "geometric-mean", "max"]
"""How the losses of the columns become one."""

DecideOn = Literal["all", "qi"]
"""What the choice of the levels looks at: quasi-identifiers and sensitive values, or quasi-identifiers alone."""

Attacker = Literal["prosecutor", "journalist", "marketer"]
"""Who knows that a person is in the table; who knows that she is in the population; who wants as many as he can get."""

Policy = Literal["internal", "research", "public"]
"""Presets of what is promised: conventions, no safe harbours."""

DUCKDB = "duckdb"
"""The engine that needs no cluster."""

COLLECT_LIMIT = 20_000_000
"""Rows that a cluster hands back, unless said."""
