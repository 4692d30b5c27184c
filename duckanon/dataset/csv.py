"""CSV files of an input: parsed once, without malformed lines and repeated headers, and read with the types of their columns."""

import csv
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from duckanon.dataset.dialect import Dialect, dialect_of, longest_cell
from duckanon.dataset.encodings import from_legacy, in_utf8
from duckanon.dataset.location import Source
from duckanon.dataset.missing import FOLDED_MISSING_TOKENS
from duckanon.dataset.names import check_names
from duckanon.dataset.private_copy import decompressed, private_file, rewritten
from duckanon.dataset.statement import statement_of
from duckanon.dataset.types import DETECTED, EXAMPLES, types_of
from duckanon.engine.journal import identity
from duckanon.engine.protocol import Engine, Form
from duckanon.engine.scratch import OWNER_ONLY
from duckanon.engine.templates import Statement, escaped, render
from duckanon.errors import EngineError, InputError, JobError
from duckanon.formatting import first_of, malformed
from duckanon.observers import Caution

MALFORMED_LINES = "malformed_lines"
_LARGEST_CELL = 32_000_000
"""The bytes of a line that DuckDB reads at most."""
_MOST_NAMED = 5
_MARK = b"\xef\xbb\xbf"
_CORRECT = "correct it"
"""What the engine advises for a malformed line."""
_LEAST_NAMED, _MOST_COMPARED = 2, 3
"""Columns that a header needs to be looked for among the rows, and columns that are compared."""


def csv_statement(engine: Engine, source: Source) -> Statement:
    """The input as it is read; text becomes numbers and dates only if that keeps every cell as it is written."""
    source = in_utf8(engine, source)
    repairs = [("is not UTF-8 text", from_legacy)] + ([(_CORRECT, without_malformed)] if source.drops_malformed else [])
    while True:
        try:
            return _read(engine, _parsed(engine, source))
        except EngineError as error:
            fault = str(error) if str(error).startswith("line ") else ""
            repair = next((repair for repair in repairs if repair[0] in fault), None)
            if repair is None:
                if not fault.endswith(_CORRECT) or source.drops_malformed:
                    raise
                place = first_malformed(source) or fault.removesuffix(f"; {_CORRECT}")
                raise EngineError(f"{place}; correct it, or leave such lines out, counted: --set malformed=drop") from None
            repairs.remove(repair)
            source = repair[1](engine, source)


@dataclass(frozen=True)
class _Parsed:
    """UTF-8 files, how they are read, and a private copy of their cells as text."""

    source: Source
    dialect: Dialect
    reading: Mapping[str, Any]


def _parsed(engine: Engine, source: Source) -> _Parsed:
    """Parse the files once: every later pass over the rows reads the private copy, in Parquet."""
    dialect = dialect_of(source)
    names = dialect.header.names
    check_names([*names, *source.partitions])
    reading: dict[str, Any] = {
        "delimiter": dialect.delimiter,
        "header": not dialect.header.is_record,
        "skipped": dialect.skipped,
    }
    reading["copy"] = escaped(copy := private_file(engine, Path(f"{source.files[0].name}.parquet")))
    columns = dict.fromkeys(names, "varchar")
    cells = render("dataset/input_cells", **statement_of(source, **reading, columns=columns).parameters)
    files = [file.resolve() for file in source.files]
    before = list(map(identity, files))
    try:
        rows = engine.write(cells, copy, Form("parquet"), "parsing the input")
    except EngineError as error:
        if source.names is not None and "names" in str(error):
            raise JobError(f"`names` has {len(source.names)} columns: {error}") from error
        raise
    if before != list(map(identity, files)):
        raise InputError(f"{source.name!r} was changed while it was read; run again when it is complete")
    copy.chmod(OWNER_ONLY)
    [(copied, damaged)] = engine.query(render("dataset/copied_rows", **cells.parameters))
    if copied != rows or damaged:
        raise EngineError(f"the private copy of {source.name!r} differs from it; check the disk of --temp-directory")
    return _Parsed(source, dialect, reading)


def _read(
    engine: Engine, parsed: _Parsed, as_text: Collection[str] = (), missing_tokens: Mapping[str, Sequence[str]] | None = None
) -> Statement:
    """The statement that reads parsed files; the columns in `as_text` stay in their national format, those with `marks` hold them as NULL."""
    source, dialect, reading = parsed.source, parsed.dialect, parsed.reading
    header = dialect.header
    is_said = source.notations != DETECTED or not source.as_written
    detected = source.notations.of(header.names, dialect.records, dialect.delimiter, source.missing) if is_said else {}
    notations = {name: notation for name, notation in detected.items() if name not in as_text}
    codes = {**source.missing, **(missing_tokens or {})}
    codes = {name: codes[name] for name in notations if codes.get(name)}
    texts = statement_of(
        source,
        **reading,
        columns=dict.fromkeys(header.names, "varchar"),
        notations={name: (notation, "varchar") for name, notation in notations.items()},
        nulls={name: (texts, "varchar") for name, texts in codes.items()},
    )
    read = types_of(engine, texts, header.names, _header_cells(dialect, notations), as_written=source.as_written)
    if read.headers:
        return _read(engine, _parsed(engine, without_headers(engine, source, dialect.skipped)), as_text, missing_tokens)
    numeric = ("bigint", "double", "decimal")
    if failed := [name for name in notations if name not in read.numbers and not read.types[name].startswith(numeric)]:
        if missing_tokens is None:
            [texts_of] = engine.query(render("dataset/missing_tokens", columns=failed, missing_tokens=FOLDED_MISSING_TOKENS))
            marks_of = {name: sorted(texts) for name, texts in zip(failed, texts_of, strict=True)}
            if source.detects_missing:
                return _read(engine, parsed, as_text, marks_of)
            for name in filter(marks_of.get, failed):
                example = EXAMPLES[notations[name]]
                engine.observer.note(
                    f"{name} stays text: it holds {', '.join(map(repr, marks_of[name]))} beside values such as {example}; if that means missing, "
                    f"write `missing: {{columns: {{{name}: {marks_of[name]}}}}}` in the job file"
                )
        return _read(engine, parsed, [*as_text, *failed], missing_tokens)
    left_out = read.empty.intersection((*header.unnamed, header.row_index))
    _tell(engine, source, dialect, left_out)
    return statement_of(
        source,
        **reading,
        columns=read.types | dict.fromkeys(notations, "varchar"),
        notations={name: (notation, read.types[name]) for name, notation in notations.items()},
        nulls={name: (texts, read.types[name]) for name, texts in codes.items()},
        left_out=tuple(name for name in header.names if name in left_out),
        numbers=read.numbers,
        stray=read.stray,
        row_index=None if header.row_index in left_out else header.row_index,
    )


def _header_cells(dialect: Dialect, notations: Collection[str]) -> dict[str, str]:
    """Some columns with what they hold in a row that repeats the header; the last ones, since a byte order mark may be in the first."""
    header = dialect.header
    named = [name for name in header.names if name not in header.unnamed and name != header.row_index]
    if header.is_record or len(named) < _LEAST_NAMED:
        return {}
    return {name: f"~{name}" if name in notations else name for name in named[-_MOST_COMPARED:]}


def _tell(engine: Engine, source: Source, dialect: Dialect, left_out: Collection[str]) -> None:
    if dialect.may_have_header:
        engine.observer.warn(
            Caution(
                "input-format",
                f"the first line of {source.name!r} is read as a record, since `names` gives the names, but it looks like names; "
                "if it is a header, leave `names` out",
            )
        )
    if dialect.may_separate is not None:
        engine.observer.warn(
            Caution(
                "input-format",
                f"{source.name!r} is read as one column, but each line has the same number of {dialect.may_separate!r}; "
                f"if that separates columns, write the line sep={dialect.may_separate} before the first",
            )
        )
    file = source.shown(source.files[0])
    for line in dialect.header.notes_of(file, left_out):
        engine.observer.note(line)
    if left_out:
        number, them = (f"{len(left_out)} columns", "them") if len(left_out) > 1 else ("a column", "it")
        engine.observer.note(
            f"{file} has {number} without a name and without values, as delimiters at the end of lines cause; duckanon leaves {them} out"
        )


def without_headers(engine: Engine, source: Source, skipped: int) -> Source:
    """A copy of the input without the lines that repeat its header; raises `InputError` if they cannot be distinguished from records."""
    repeated = list[str]()

    def others(stream: BinaryIO, file: Path) -> Iterator[bytes]:
        header = b""
        for number, line in enumerate(stream, start=1):
            plain = line.removeprefix(_MARK).strip(b"\r\n").replace(b'"', b"")
            if number == skipped + 1:
                header = plain
            elif number > skipped and plain == header:
                repeated.append(f"{number:,} of {source.shown(file)}")
                continue
            yield line

    copy = rewritten(engine, source, "leaving out repeated headers", others)
    if not repeated:
        raise InputError(f"{source.shown(source.files[0])} repeats its header between records; remove these lines")
    more = f" and {len(repeated) - _MOST_NAMED:,} more" if len(repeated) > _MOST_NAMED else ""
    engine.observer.note(
        f"line {', '.join(repeated[:_MOST_NAMED])}{more} {'repeats' if len(repeated) == 1 else 'repeat'} the header, as joined files do: left out"
    )
    return copy


def without_malformed(engine: Engine, source: Source) -> Source:
    """A copy of the input without its malformed lines, which are stored as `malformed_lines`; raises `InputError` if most lines are."""
    dialect, faults, sound = dialect_of(source), list[dict[str, object]](), 0

    def records(stream: BinaryIO, file: Path) -> Iterator[bytes]:
        nonlocal sound
        for number, lines, fault in _records(stream, dialect):
            if fault is None:
                sound += 1
                yield from lines
            else:
                faults.append({"file": source.shown(file), "line": number, "reason": fault})

    with longest_cell(_LARGEST_CELL):
        copy = rewritten(engine, source, "leaving out malformed lines", records)
    if len(faults) > sound:
        raise InputError(
            f"{len(faults):,} lines of {source.shown(source.files[0])} are malformed, more than the others; check its delimiter, or export it again"
        )
    engine.load(MALFORMED_LINES, faults, {"file": str, "line": int, "reason": str})
    listed = first_of([f"line {fault['line']:,} of {fault['file']} {fault['reason']}" for fault in faults])
    engine.observer.note(f"{malformed(len(faults))} left out (--set malformed=drop): {listed}")
    return copy


def first_malformed(source: Source) -> str | None:
    """The place and the fault of the first malformed line; DuckDB counts a record with line breaks as one line."""
    dialect = dialect_of(source)
    with longest_cell(_LARGEST_CELL):
        for file in source.files:
            with decompressed(file, source) as stream:
                for number, _, fault in _records(stream, dialect):
                    if fault is not None:
                        return f"line {number} of {source.shown(file)} {fault} (its text is not shown)"
    return None


def _records(stream: BinaryIO, dialect: Dialect) -> Iterator[tuple[int, list[bytes], str | None]]:
    """The records of a file: the number of the first line, the lines, and the fault of a line that is no record."""
    delimiter, width = dialect.delimiter.encode(), len(dialect.names)
    waiting, number = deque[bytes](), 0
    is_header = not dialect.header.is_record

    def lines(taken: list[bytes]) -> Iterator[str]:
        while line := waiting.popleft() if waiting else stream.readline():
            taken.append(line)
            yield line.decode("utf-8-sig", errors="replace")

    while line := waiting.popleft() if waiting else stream.readline():
        number += 1
        taken, fault, cells = [line], None, line.count(delimiter) + 1
        if b'"' in line:
            waiting.appendleft(line)
            taken = []
            try:
                reader = csv.reader(
                    lines(taken), delimiter=dialect.delimiter[0], skipinitialspace=len(delimiter) > 1, strict=True
                )
                cells = len(next(reader))
            except csv.Error as error:
                is_open = "unexpected end" in str(error) or "field limit" in str(error) or len(taken) > 1
                fault = "opens a quote that is never closed" if is_open else "has text behind a quoted value"
                waiting.extendleft(reversed(taken[1:]))
                taken = taken[:1]
        if fault is None and cells != width and line.strip() and number > dialect.skipped and not is_header:
            fault = f"has {cells} values where there are {width} names"
        is_header = is_header and (number <= dialect.skipped or not line.strip())
        yield number, taken, fault
        number += len(taken) - 1
