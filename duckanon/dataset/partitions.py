"""Columns from the names of folders: `year=2020/sex=F/part.parquet`."""

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from urllib.parse import unquote

from duckanon.errors import InputError

_NULL = "__HIVE_DEFAULT_PARTITION__"


def partitions_of(files: Sequence[Path]) -> dict[str, str]:
    """The columns of all files, with the type that keeps their values unchanged; raises `InputError` if the files differ."""
    keys = [_keys(file) for file in files]
    for file, values in zip(files, keys, strict=True):
        if [*values] != [*keys[0]]:
            raise InputError(
                f"{str(file)!r} is partitioned by {_listed(values)}, {str(files[0])!r} by {_listed(keys[0])}; "
                "name one folder whose files all lie equally deep"
            )
    return {name: _type([values[name] for values in keys]) for name in keys[0]}


def _keys(file: Path) -> dict[str, str]:
    parts = [part.partition("=") for part in file.absolute().parent.parts if "=" in part]
    return {name: unquote(value) for name, _, value in parts}


def _type(values: Sequence[str]) -> str:
    known = [value for value in values if value != _NULL]
    if all(re.fullmatch(r"0|-?[1-9]\d{0,17}", value) for value in known):
        return "bigint"
    return "date" if all(_is_date(value) for value in known) else "varchar"


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _listed(names: dict[str, str]) -> str:
    return ", ".join(names) or "nothing"
