"""Files of SPSS, Stata and SAS."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.dataset.names import unique_names
from duckanon.dataset.private_copy import damaged, import_reader, is_whole, write_parquet
from duckanon.engine.protocol import Engine
from duckanon.errors import InputError
from duckanon.formatting import first_of

_NO_ANSWER = re.compile(
    r"\b(refus\w*|declined?|don'?t know|do not know|dk|n/?a|not (applicable|asked|ascertained|available|stated|reported|answered)|no (answer|response)|"
    r"missing|unknown|inapplicable|skip\w*|weiß nicht|weiss nicht|keine (angabe|antwort)|verweigert|trifft nicht zu|fehlend|ne sait pas|"
    r"sans réponse|non réponse|no sabe|no contesta|non sa|non risponde)\b",
    re.IGNORECASE,
)
"""Labels of codes that stand for no answer."""
_ROWS_AT_ONCE = 100_000
_PADDED = re.compile(r"[NZ](\d+)(?:\.0?)?|%0(\d+)\.0[fg]")
"""Formats of whole numbers with leading zeros: SPSS's N5, SAS's Z5., Stata's %05.0f."""


def convert(engine: Engine, source: Source, path: Path) -> str | None:
    """Write the file to a Parquet file; codes become the texts that label them, if every code of a column has one."""
    import pyarrow as pa

    pyreadstat = import_reader("pyreadstat", source)
    file = source.files[0]
    with file.open("rb") as stream:
        is_transport = stream.read(6) == b"HEADER"
    readers = {"spss": "read_sav", "stata": "read_dta", "sas": "read_xport" if is_transport else "read_sas7bdat"}
    read = getattr(pyreadstat, readers[source.kind])
    try:
        columns, metadata = read(str(file), output_format="dict")
    except (pyreadstat.PyreadstatError, pyreadstat.ReadstatError, ValueError, UnicodeError) as error:
        raise damaged(source) from error
    if not columns:
        raise InputError(f"{source.name!r} has no columns and no rows; name another file")
    names = unique_names(list(columns))
    labels: Mapping[str, Mapping[Any, str]] = metadata.variable_value_labels
    arrays, labeled, unanswered = [], [], list[str]()
    for name, column in columns.items():
        values = [None if _is_missing(value) else value for value in column]
        codes = {value for value in values if value is not None}
        if name in labels and codes and codes <= labels[name].keys():
            values = [None if value is None else labels[name][value] for value in values]
            labeled.append(name)
        else:
            if beside := _no_numbers(codes, labels.get(name, {})):
                values = [None if value in beside else value for value in values]
                unanswered.append(f"{name} ({', '.join(f'{_plain(code)} {label}' for code, label in beside.items())})")
            if padding := _PADDED.fullmatch(metadata.original_variable_types.get(name) or ""):
                values = _padded(values, int(padding[1] or padding[2]))
        arrays.append(_array(values))
    if labeled:
        engine.observer.note(f"codes of {source.shown(file)} are read as their value labels: {first_of(labeled)}")
    if unanswered:
        engine.observer.note(
            f"codes of {source.shown(file)} whose labels are no numbers are read as missing: {first_of(unanswered)}"
        )
    table = pa.table(arrays, names=names)
    write_parquet(path, source, table.schema, table.to_batches(_ROWS_AT_ONCE))
    return None


def _padded(values: list[Any], width: int) -> list[Any]:
    """Codes as the program shows them, such as `01067`; unchanged if one is no code."""
    given = [value for value in values if value is not None]
    if any(isinstance(value, str) or value < 0 or not is_whole(value) for value in given):
        return values
    return [None if value is None else f"{int(value):0{width}}" for value in values]


def _is_missing(value: Any) -> bool:
    """Whether a value is missing: None, NaN, NaT, or empty text, which these formats do not tell from a missing one."""
    return value is None or value == "" or value != value


def _no_numbers(codes: set[Any], labels: Mapping[Any, str]) -> dict[Any, str]:
    """The labeled codes among numbers that stand for no answer: by the words of the label, or far from all numbers without a label.

    The ends of a scale of which only they are labeled stay numbers.
    """
    numbers = [code for code in codes if code not in labels and isinstance(code, int | float)]
    if not numbers:
        return {}
    least, most = min(numbers), max(numbers)
    reach = max(most - least, 1)
    return {
        code: label
        for code, label in labels.items()
        if code in codes
        and isinstance(code, int | float)
        and (
            _NO_ANSWER.search(label) or (not re.search(r"\d", label) and (code > most + reach or code < min(0, least - reach)))
        )
    }


def _plain(code: float) -> str:
    return str(int(code)) if float(code).is_integer() else str(code)


def _array(values: Sequence[Any]) -> Any:
    """The values as an Arrow array; whole numbers, which these formats store as doubles, as integers."""
    import pyarrow as pa

    array = pa.array(values)
    if pa.types.is_null(array.type):
        return array.cast(pa.string())
    if pa.types.is_floating(array.type) and all(value is None or is_whole(value) for value in values):
        return array.cast(pa.int64())
    return array
