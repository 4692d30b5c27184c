"""DuckDB errors in words that quote no value of a record."""

import re
from pathlib import Path

import duckdb

from duckanon.engine.protocol import SPOOLED
from duckanon.errors import DataError, EngineError, Exhausted, LockedFile, OutOfMemory

_DAMAGE = re.compile(r"TProtocolException|decompression fail", re.IGNORECASE)
"""The messages of DuckDB for a Parquet file with an intact footer and damaged pages."""


def headline(error: duckdb.Error) -> str:
    """The first line of an error, which may name a file and quotes no record."""
    return str(error).splitlines()[0]


def translated(error: duckdb.Error, threads: int | None = None) -> DataError:
    """The error without the values that DuckDB quotes; `threads` is the number that the user set."""
    if _DAMAGE.search(str(error)):
        return EngineError("a Parquet file is damaged; make or fetch it again")
    match error:
        case duckdb.OutOfMemoryException() if "max_temp_directory_size" in str(error):
            return OutOfMemory(
                "no space left for temporary files: name a larger disk with --temp-directory, or raise --memory-limit"
            )
        case duckdb.OutOfMemoryException() if threads == 1:
            return OutOfMemory("out of memory: raise --memory-limit")
        case duckdb.OutOfMemoryException():
            return OutOfMemory("out of memory: raise --memory-limit, or use fewer threads (--threads 1), which need less")
        case duckdb.IOException() if "No space left" in str(error):
            return Exhausted(
                "no space left on the device; free some, or choose another place (--temp-directory for temporary files)"
            )
        case duckdb.IOException() if "Conflicting lock" in str(error):
            return LockedFile("another process has the file open; close it there, or use a copy")
        case duckdb.IOException() if "GZIP" in str(error) or "ZSTD" in str(error).upper():
            return EngineError("the compressed file ends early or is damaged; check that it is complete")
        case duckdb.PermissionException():
            return EngineError(
                "it would open a file that the job does not name; copy what it reads there into a table, and name that table"
            )
        case duckdb.IOException():
            return EngineError(f"reading or writing failed: {headline(error)}")
        case duckdb.InvalidInputException() if "encrypt" in str(error):
            return EngineError("the file is encrypted; decrypt it first")
        case duckdb.InvalidInputException() if fault := _line_fault(str(error)):
            return EngineError(fault)
        case duckdb.ConversionException() | duckdb.InvalidInputException() | duckdb.OutOfRangeException():
            kind = str(error).partition(":")[0]
            return EngineError(f"a value of the input cannot be read as its column's type ({kind}; the value is not shown)")
    return EngineError(f"DuckDB: {headline(error)}")


def _line_fault(message: str) -> str | None:
    """The fault of a line of a text file and its place, without the text of the line."""
    file = re.search(r"^  file = (.*)$", message, re.MULTILINE)
    line = re.search(r"CSV Error on Line: (\d+)", message)
    record = re.search(r"Malformed JSON in file .*? in (?:record/value|line) (\d+)", message)
    if line is None and record is None:
        return None
    # for JSON, DuckDB reports the number of the next line
    number = int(line[1]) if line is not None else int(record[1]) - 1 if record is not None else 0
    way = "correct it"
    cells = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if cells is not None:
        fault = f"has {cells[2]} values where there are {cells[1]} names"
    elif "unterminated quote" in message:
        fault = "opens a quote that is never closed"
    elif longest := re.search(r"Maximum line size of (\d+) bytes", message):
        fault = f"is longer than {int(longest[1]) // 1_000_000} MB, as after a quote that is never closed"
    elif "unicode" in message:
        fault, way = "is not UTF-8 text", "name the encoding of the file with --set encoding=NAME"
    else:
        fault = "is malformed"
    name = Path(file[1].strip()).name if file is not None else None
    place = "" if name is None else " of standard input" if name == SPOOLED else f" of {name!r}"
    return f"line {number}{place} {fault} (its text is not shown); {way}"
