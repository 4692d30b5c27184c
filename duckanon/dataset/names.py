"""The names of the input's columns: unique, and not reserved."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from duckanon.engine.protocol import Column
from duckanon.errors import InputError, JobError, did_you_mean

RESERVED = (
    *("_rows", "_file_rows", "_all_pairs", "_all_persons", "_attribute", "_fails", "_reason", "_k", "_persons"),
    *("_person", "_entity", "_places", "_value", "_value_rows", "_class_rows", "_table_rows", "_population"),
    *(
        "_joins",
        "_achieved",
        "_doubtful",
        "_most_passing",
        "_position",
        "_cumulative_rows",
        "_reached_before",
        "_all_rows",
        "_values",
    ),
    *("_all_reached", "_label", "_class", "_suppression_rank", "_classes_left", "_rows_left", "_smaller_classes"),
    *("_smaller_rows", "_suppressed", "_sensitive", "_cell", "_partition", "_parent", "_round", "_cut", "_level"),
    *("_low", "_high", "_region", "_class_number", "_side", "_rank", "_variant", "_height", "_classes", "_smallest"),
    *(
        "_persons_of_one_set",
        "_primary_persons",
        "_loss",
        "_verdict",
        "_chosen",
        "_visit",
        "_at_least",
        "_counted",
        "_checksum",
    ),
)
"""Reserved names of columns that duckanon adds to relations."""

_MOST_LISTED = 20
_NUMBERED = re.compile(
    r"_(achieved|fails|most_passing|doubtful)_\w+|"
    r"_(entity|person|value|retained|range|label|table_rows|level|is_value|first|last|shown|low|high|least|greatest|filled|loss|leaf_loss|under|from|to|type|cell|by|masked|own|behind|text|"
    r"(masked_)?(salted_)?sum)_\d+"
)


def check_names(names: Sequence[str]) -> None:
    """Raise `InputError` if SQL takes two names for one, or a name is reserved."""
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.get(name.casefold())
        if twin == name:
            raise InputError(f"the input has two columns called {name!r}; rename one")
        if twin is not None:
            raise InputError(f"columns {twin!r} and {name!r} of the input differ only in case, which SQL ignores; rename one")
        if name.casefold() in RESERVED or _NUMBERED.fullmatch(name.casefold()):
            raise InputError(f"column {name!r} of the input has a name that duckanon uses itself; rename it")
        seen[name.casefold()] = name


def unique_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number if SQL would take it for one that is taken: `name_2`."""
    folded = {other.casefold() for other in taken}
    candidates = (name, *(f"{name}_{number}" for number in range(2, len(folded) + 3)))
    return next(candidate for candidate in candidates if candidate.casefold() not in folded)


def unique_names(names: Sequence[str]) -> list[str]:
    """The names; a later name that differs from an earlier one at most in case gets a number: `name_2`."""
    counts = Counter(name.casefold() for name in names)
    if max(counts.values(), default=0) < 2:
        return list(names)
    unique: list[str] = []
    for name in names:
        # a new name must not be one that a later column has
        taken = [*unique, *(other for other in names if other.casefold() != name.casefold())]
        unique.append(unique_name(name, taken))
    return unique


def listed(columns: Sequence[Column]) -> str:
    """The names of columns, of many the first, for a message that asks for some."""
    return ", ".join(column.name for column in columns[:_MOST_LISTED])


def no_quasi_identifiers(columns: Sequence[Column]) -> JobError:
    """The error of a job without quasi-identifiers."""
    return JobError(f"no quasi-identifiers: name them with --qi a,b,c, or in a job file; columns: {listed(columns)}")


def find_column(columns: Sequence[Column], name: str, role: str) -> Column:
    """The input's column with this name; raises `JobError` with the nearest name."""
    for column in columns:
        if column.name == name:
            return column
    raise JobError(f"{role} {name!r} is not a column of the input{did_you_mean(name, [column.name for column in columns])}")
