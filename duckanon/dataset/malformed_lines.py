"""Malformed lines of a CSV file, which are left out if the user says so."""

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from duckanon.dataset.dialect import Dialect, dialect_of
from duckanon.dataset.encoding import decompressed
from duckanon.dataset.formats import bare
from duckanon.dataset.location import Source
from duckanon.dataset.private_copy import private_file
from duckanon.engine.protocol import Engine
from duckanon.errors import InputError
from duckanon.formatting import first_of, malformed
from duckanon.observers import staged

RELATION = "malformed_lines"
_LARGEST_CELL = 32_000_000
"""The bytes of a line that DuckDB reads at most."""


def without_malformed(engine: Engine, source: Source) -> Source:
    """A copy of the input without its malformed lines, which are stored as `malformed_lines`; raises `InputError` if most lines are."""
    dialect, files, faults, sound = dialect_of(source), [], list[dict[str, object]](), 0
    before = csv.field_size_limit(_LARGEST_CELL)
    try:
        with staged(engine.observer, "leaving out malformed lines"):
            for file in source.files:
                path = private_file(engine, bare(file))
                with decompressed(file, source) as stream, path.open("wb") as target:
                    for number, lines, fault in _records(stream, dialect):
                        if fault is None:
                            target.writelines(lines)
                            sound += 1
                        else:
                            faults.append({"file": source.shown(file), "line": number, "reason": fault})
                files.append(path)
    finally:
        csv.field_size_limit(before)
    name = source.shown(source.files[0])
    if len(faults) > sound:
        raise InputError(
            f"{len(faults):,} lines of {name} are malformed, more than the others; check its delimiter, or export it again"
        )
    engine.load(RELATION, faults, {"file": str, "line": int, "reason": str})
    listed = first_of([f"line {fault['line']:,} of {fault['file']} {fault['reason']}" for fault in faults])
    engine.observer.note(f"{malformed(len(faults))} left out (--malformed drop): {listed}")
    return replace(source, files=tuple(files), compression=None, is_copy=True)


def first_malformed(source: Source) -> str | None:
    """The place and the fault of the first malformed line; DuckDB counts a record with line breaks as one line."""
    dialect, before = dialect_of(source), csv.field_size_limit(_LARGEST_CELL)
    try:
        for file in source.files:
            with decompressed(file, source) as stream:
                for number, _, fault in _records(stream, dialect):
                    if fault is not None:
                        return f"line {number} of {source.shown(file)} {fault} (its text is not shown)"
    finally:
        csv.field_size_limit(before)
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
                cells = len(
                    next(
                        csv.reader(
                            lines(taken), delimiter=dialect.delimiter[0], skipinitialspace=len(delimiter) > 1, strict=True
                        )
                    )
                )
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
