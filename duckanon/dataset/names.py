"""The names of the input's columns: all different, none that we need ourselves."""

import re
from collections.abc import Sequence

from duckanon.engine.protocol import Column
from duckanon.errors import InputError, JobError, did_you_mean

RESERVED = (
    *("_rows", "_file_rows", "_all_pairs", "_all_persons", "_attribute", "_fails", "_reason", "_k", "_persons"),
    *("_person", "_entity", "_places", "_value", "_value_rows", "_class_rows", "_table_rows", "_population"),
    *("_joins", "_achieved", "_doubtful", "_kept", "_position", "_reach", "_reached_before", "_all_rows", "_values"),
    *("_all_reached", "_label", "_class", "_star", "_classes_left", "_rows_left", "_smaller_classes"),
    *("_smaller_rows", "_suppressed", "_sensitive", "_cell", "_partition", "_parent", "_round", "_cut", "_level"),
    *("_low", "_high", "_region", "_class_number", "_side", "_rank", "_variant", "_height", "_classes", "_smallest"),
    *("_loss", "_verdict", "_chosen", "_visit", "_at_least", "_counted"),
)
"""Columns that our relations add; an input that already has one is refused."""

_MOST_LISTED = 20
_NUMBERED = re.compile(
    r"_(value|achieved|fails|kept|doubtful|label|table_rows|level|is_value|first|last|shown|low|high|loss|leaf_loss|under|from|to|type|cell|by|starred|own|behind|text|"
    r"(starred_)?(salted_)?sum)_\d+"
)


def check_names(names: Sequence[str]) -> None:
    """Raises `InputError` where two names are one to SQL, or one is ours."""
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.get(name.casefold())
        if twin == name:
            raise InputError(f"the input has two columns called {name!r}; rename one")
        if twin is not None:
            raise InputError(
                f"columns {twin!r} and {name!r} of the input differ in case only, and SQL takes them for one; rename one"
            )
        if name.casefold() in RESERVED or _NUMBERED.fullmatch(name.casefold()):
            raise InputError(f"column {name!r} of the input has a name that duckanon uses itself; rename it")
        seen[name.casefold()] = name


def listed(columns: Sequence[Column]) -> str:
    """The names of columns, of many the first, for a message that asks for some."""
    return ", ".join(column.name for column in columns[:_MOST_LISTED])


def no_quasi_identifiers(columns: Sequence[Column]) -> JobError:
    """What is said where none is named."""
    return JobError(f"no quasi-identifiers: name them with --qi a,b,c, or in a job file; columns: {listed(columns)}")


def find_column(columns: Sequence[Column], name: str, role: str) -> Column:
    """The input's column of that name; raises `JobError` with the nearest one."""
    for column in columns:
        if column.name == name:
            return column
    raise JobError(f"{role} {name!r} is not a column of the input{did_you_mean(name, [column.name for column in columns])}")
