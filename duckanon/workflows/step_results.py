"""The results of the steps of a run: search, write, verification."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon.release.manifest_model.files import LinkedPersons, WrittenColumns
from duckanon.release.recoding.base import Recoding
from duckanon.release.suppressed_values import Losses
from duckanon.release.verify import Totals
from duckanon.search.count import Counted
from duckanon.search.possible_values import PossibleValues
from duckanon.search.result import SearchResult


@dataclass(frozen=True)
class Choice:
    """The result of the search, and the recoding that implements it."""

    counted: Counted
    result: SearchResult
    recoding: Recoding
    risk: dict[str, Any]
    withheld: dict[str, Any]
    """The classes without a figure of a microaggregated column, and their rows, by column."""
    keys: Mapping[str, LinkedPersons]
    """The retained columns that link the rows of persons."""


@dataclass(frozen=True)
class Written:
    """The release in a draft, not verified yet."""

    draft: Path
    bound: Mapping[str, bytes]
    """The values derived from the key, by the parameter names of the statement."""


@dataclass(frozen=True)
class Verified:
    """The figures that the verification read from the file."""

    totals: Totals
    linkages: Mapping[str, LinkedPersons]
    losses: Losses
    columns: WrittenColumns
    risk: dict[str, Any]
    possible: PossibleValues | None
    """The sensitive values that remain possible for persons in several classes; None if no sensitive column is constant for persons."""
