"""CSV files of an input."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon.dataset.column_types import types_of
from duckanon.dataset.dialect import Dialect, dialect_of
from duckanon.dataset.encoding import from_legacy, in_utf8
from duckanon.dataset.header import Header
from duckanon.dataset.joined_files import without_headers
from duckanon.dataset.location import Source
from duckanon.dataset.malformed_lines import first_malformed, without_malformed
from duckanon.dataset.marks import FOLDED_MARKS
from duckanon.dataset.names import check_names
from duckanon.dataset.notation import DETECTED, EXAMPLES, is_converted
from duckanon.dataset.private_copy import private_file
from duckanon.dataset.statement import statement_of
from duckanon.engine.protocol import Engine, Form
from duckanon.engine.scratch.modes import OWNER_ONLY
from duckanon.engine.scratch.moves import identity
from duckanon.engine.templates import Statement, escaped, render
from duckanon.errors import EngineError, InputError, JobError

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
                raise EngineError(f"{place}; correct it, or leave such lines out, counted: --malformed drop") from None
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
            raise JobError(f"--columns names {len(source.names)} columns: {error}") from error
        raise
    if before != list(map(identity, files)):
        raise InputError(f"{source.name!r} was changed while it was read; run again when it is complete")
    copy.chmod(OWNER_ONLY)
    [(copied, damaged)] = engine.query(render("dataset/copied_rows", **cells.parameters))
    if copied != rows or damaged:
        raise EngineError(f"the private copy of {source.name!r} differs from it; check the disk of --temp-directory")
    return _Parsed(source, dialect, reading)


def _read(
    engine: Engine, parsed: _Parsed, as_text: Collection[str] = (), marks: Mapping[str, Sequence[str]] | None = None
) -> Statement:
    """The statement that reads parsed files; the columns in `as_text` stay in their national format, those with `marks` hold them as NULL."""
    source, dialect, reading = parsed.source, parsed.dialect, parsed.reading
    header, file = dialect.header, source.shown(source.files[0])
    is_said = source.notations != DETECTED or not source.as_written
    detected = source.notations.of(header.names, dialect.records, dialect.delimiter, source.missing) if is_said else {}
    notations = {name: notation for name, notation in detected.items() if name not in as_text}
    codes = {**source.missing, **(marks or {})}
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
        return _read(engine, _parsed(engine, without_headers(engine, source, dialect.skipped)), as_text, marks)
    if failed := [name for name in notations if not is_converted(read.types[name], holds_numbers=name in read.numbers)]:
        if marks is None:
            [texts_of] = engine.query(render("dataset/marks", columns=failed, marks=FOLDED_MARKS))
            marks_of = {name: sorted(texts) for name, texts in zip(failed, texts_of, strict=True)}
            if source.detects_missing:
                return _read(engine, parsed, as_text, marks_of)
            for name in filter(marks_of.get, failed):
                example = EXAMPLES[notations[name]]
                engine.observer.note(
                    f"{name} stays text: it holds {', '.join(map(repr, marks_of[name]))} beside values such as {example}; if that means missing, "
                    f"write `missing: {{columns: {{{name}: {marks_of[name]}}}}}` in the job file"
                )
        return _read(engine, parsed, [*as_text, *failed], marks)
    left_out = read.empty.intersection((*header.unnamed, header.row_index))
    _tell(engine, source, dialect, _notes(header, left_out, file))
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


def _tell(engine: Engine, source: Source, dialect: Dialect, notes: Iterable[str]) -> None:
    if dialect.may_have_header:
        engine.observer.warn(
            f"the first line of {source.name!r} is read as a record, since --columns gives the names, but it looks like names; "
            "if it is a header, leave --columns out"
        )
    if dialect.may_separate is not None:
        engine.observer.warn(
            f"{source.name!r} is read as one column, but each line has the same number of {dialect.may_separate!r}; "
            f"if that separates columns, write the line sep={dialect.may_separate} before the first"
        )
    for line in notes:
        engine.observer.note(line)


def _notes(header: Header, left_out: Collection[str], file: str) -> Iterator[str]:
    """Notes about the names that duckanon gave."""
    yield from header.notes
    if header.row_index is not None and header.row_index not in left_out:
        yield f"the first column of {file} has no name; duckanon calls it {header.row_index!r}: it is read as a row index"
    if named := [name for name in header.unnamed if name not in left_out]:
        yield f"{file} has columns without a name; duckanon calls them {', '.join(named)}"
    if left_out:
        number = f"{len(left_out)} columns" if len(left_out) > 1 else "a column"
        yield f"{file} has {number} without a name and without values, as delimiters at the end of lines cause; duckanon leaves {'them' if len(left_out) > 1 else 'it'} out"
