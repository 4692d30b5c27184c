"""The input file: which format it has, how it is opened as `source`, which columns it brings."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from duckanon.delimiters import consistent
from duckanon.engine.protocol import Column, Engine, Format
from duckanon.errors import EngineError, InputError, JobError, did_you_mean, nearest
from duckanon.templates import Statement, render

RESERVED = (
    *("_rows", "_attribute", "_fails", "_reason"),
    *("_height", "_classes", "_smallest", "_suppressed", "_loss", "_verdict", "_chosen", "_visit"),
)
"""Columns that our relations add; an input that already has one is refused."""

_FORMATS: dict[str, Format] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
}
_PARQUET_MAGIC = b"PAR1"
_HEAD_BYTES = 1 << 16


@dataclass(frozen=True)
class Source:
    """An input file that exists and is not empty; `names` are the columns of a CSV file without a header."""

    path: Path
    format: Format
    names: tuple[str, ...] | None = None

    @property
    def pattern(self) -> str:
        """The path as the database reads it: its wildcard characters stand for themselves."""
        return escaped(self.path.absolute())


def escaped(path: Path) -> str:
    """A path whose `*`, `?` and `[` a database does not take for wildcards."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in str(path))


def format_of(path: Path) -> Format | None:
    """The format that a file's name promises, or None."""
    return _FORMATS.get(path.suffix.casefold())


def locate(path: Path, names: Sequence[str] | None = None) -> Source:
    """Finds the input and its format; raises `InputError` where there is none to read."""
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a folder; name one Parquet or CSV file in it")
    if not path.exists():
        neighbours = [sibling.name for sibling in path.parent.iterdir()] if path.parent.is_dir() else []
        near = nearest(path.name, neighbours)
        hint = f"; did you mean {str(path.with_name(near))!r}?" if near else "; `duckanon demo` makes a file to try"
        raise InputError(f"no such file: {str(path)!r}{hint}")
    try:
        with path.open("rb") as file:
            head = file.read(len(_PARQUET_MAGIC))
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror}; check its permissions") from error
    if not head:
        raise InputError(f"{str(path)!r} is empty: it has no columns and no rows")
    format = "parquet" if head == _PARQUET_MAGIC else format_of(path)
    if format is None:
        raise InputError(f"{str(path)!r} is neither Parquet nor CSV by its name; rename it, or convert it to Parquet")
    repeated = [name for name in names or () if (names or ()).count(name) > 1]
    if repeated:
        raise JobError(f"--columns names {repeated[0]!r} twice; a column has one name")
    if format == "parquet" and names is not None:
        raise JobError(
            f"--columns names the columns of a CSV file without a header, but {str(path)!r} is Parquet; leave it out"
        )
    return Source(path, format, tuple(names) if names is not None else None)


def source_statement(engine: Engine, source: Source) -> Statement:
    """The input as it is read: in CSV, whole numbers too long for Parquet stay text."""
    statement = _source_statement(source, ())
    if source.format == "parquet":
        return statement
    long = [column.name for column in engine.describe(statement) if column.type in ("HUGEINT", "UHUGEINT")]
    return _source_statement(source, long) if long else statement


def _source_statement(source: Source, texts: Sequence[str]) -> Statement:
    return render(
        "source/source",
        path=source.pattern,
        format=source.format,
        names=source.names,
        delimiter=_delimiter(source.path) if source.format == "csv" else None,
        texts=texts,
    )


def open_source(engine: Engine, source: Source) -> list[Column]:
    """Makes the view `source`; gives its columns. Raises `InputError` where the file is damaged or a name is taken."""
    kind = {"parquet": "Parquet", "csv": "CSV"}[source.format]
    try:
        statement = source_statement(engine, source)
        columns = engine.describe(statement)
    except EngineError as error:
        raise InputError(f"{str(source.path)!r} cannot be read as {kind}; is it complete? ({error})") from error
    if source.names is not None and len(columns) != len(source.names):
        raise JobError(
            f"--columns names {len(source.names)} columns, but {str(source.path)!r} has {len(columns)}; name each one once"
        )
    reserved = [column.name for column in columns if column.name.casefold() in RESERVED]
    if reserved:
        raise InputError(f"column {reserved[0]!r} of the input has a name that duckanon uses itself; rename it")
    engine.create_view(statement)
    return columns


def find_column(columns: Sequence[Column], name: str, role: str) -> Column:
    """The input's column of that name; raises `JobError` with the nearest one."""
    for column in columns:
        if column.name == name:
            return column
    raise JobError(f"{role} {name!r} is not a column of the input{did_you_mean(name, [column.name for column in columns])}")


def _delimiter(path: Path) -> str | None:
    """The delimiter that fits the head of a CSV file, with a blank where each one is followed by one; None leaves it to the database."""
    with path.open("rb") as file:
        read = file.read(_HEAD_BYTES)
    whole = read[: read.rfind(b"\n") + 1] if len(read) == _HEAD_BYTES else read
    try:
        head = whole.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{str(path)!r} is not UTF-8 text; convert it first, as with iconv -t utf-8") from error
    delimiter = consistent(head, ";\t|,")
    if delimiter is None:
        return None
    followed = f"{delimiter} "
    return followed if head.count(delimiter) == head.count(followed) else delimiter
