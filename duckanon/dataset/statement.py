"""The statement that reads an input."""

from collections.abc import Sequence
from typing import Any

from duckanon.dataset.file_format import COMPRESSED
from duckanon.dataset.location import Source
from duckanon.dataset.missing import FOLDED_MISSING_TOKENS
from duckanon.engine.protocol import READ_AS_TEXT, Column
from duckanon.engine.templates import Statement, escaped, render


def statement_of(source: Source, **more: Any) -> Statement:
    """The relation `source` of files that DuckDB reads."""
    files = [escaped(file.absolute()) for file in source.files]
    about: dict[str, Any] = {
        "kind": source.kind,
        "files": files if len(files) > 1 else files[0],
        "partitions": source.partitions,
        "columns": None,
        "compression": stated_compression(source),
        "row_index": source.row_index,
    }
    return read_as(**about | more)


def read_as(**parameters: Any) -> Statement:
    """The relation `source`, read unchanged unless a parameter says otherwise."""
    about: dict[str, Any] = {
        "replaced": {},
        "left_out": (),
        "notations": {},
        "date_steps": {},
        "unread": {},
        "nulls": {},
        "missing_tokens": FOLDED_MISSING_TOKENS,
        "copy": None,
        "is_copied": False,
        "numbers": (),
        "stray": {},
        "row_index": None,
    }
    about |= parameters
    # a statement that lists many columns is planned at once, one that replaces many of them takes seconds
    names = () if about.get("partitions") else tuple(about.get("columns") or ())
    return render("dataset/source", **{"names": names} | about)


def exact(columns: Sequence[Column]) -> dict[str, bool]:
    """The columns that are read in another form than the file gives them, and whether as text.

    `1 month` equals `30 days` as an INTERVAL, and a file stores a time with a time zone in another zone: both are read as text.
    Text is compared by its bytes, whatever its collation.
    """
    as_text = {column.name: True for column in columns if column.type in READ_AS_TEXT}
    return as_text | {column.name: False for column in columns if column.type == "VARCHAR"}


def stated_compression(source: Source) -> str | None:
    """The compression of the files if DuckDB would take another one by their names."""
    if source.kind not in ("csv", "json"):
        return None
    by_name = {COMPRESSED.get(file.suffix.casefold()) for file in source.files}
    return None if by_name == {source.compression} else source.compression or "none"
