"""What DuckDB complains of, in words that quote no value of a record."""

import re
from pathlib import Path

import duckdb

from duckanon.engine.protocol import SPOOLED
from duckanon.errors import DataError, EngineError, Exhausted, OutOfMemory

_DAMAGE = re.compile(r"TProtocolException|decompression fail", re.IGNORECASE)
"""What DuckDB says of a Parquet file whose footer is whole and whose pages are not."""


def headline(error: duckdb.Error) -> str:
    """Its first line, which may name a file and quotes no record."""
    return str(error).splitlines()[0]


def translated(error: duckdb.Error) -> DataError:
    """The engine's error without the values that it quotes."""
    if _DAMAGE.search(str(error)):
        return EngineError("a file that is read is damaged in the middle; is it complete? make or fetch it again")
    match error:
        case duckdb.OutOfMemoryException() if "max_temp_directory_size" in str(error):
            return OutOfMemory(
                "no space left for what spills: name a larger disk with --temp-directory, or raise --memory-limit"
            )
        case duckdb.OutOfMemoryException():
            return OutOfMemory("out of memory: raise --memory-limit, or take fewer threads (--threads 1), which need less")
        case duckdb.IOException() if "No space left" in str(error):
            return Exhausted(
                "no space left on the device; free some, or choose another place (--temp-directory for what spills)"
            )
        case duckdb.IOException() if "Conflicting lock" in str(error):
            return EngineError("another process has it open; close it there, or work on a copy")
        case duckdb.IOException() if "GZIP" in str(error) or "ZSTD" in str(error).upper():
            return EngineError("the compressed file ends early or is damaged; is it complete?")
        case duckdb.PermissionException():
            return EngineError(
                "it would open another file than those that the job names; copy what it reads there into a table, and name that"
            )
        case duckdb.IOException():
            return EngineError(f"reading or writing failed: {headline(error)}")
        case duckdb.InvalidInputException() if "encrypt" in str(error):
            return EngineError("it is encrypted; decrypt it first")
        case duckdb.InvalidInputException() if fault := _line_fault(str(error)):
            return EngineError(fault)
        case duckdb.ConversionException() | duckdb.InvalidInputException() | duckdb.OutOfRangeException():
            kind = str(error).partition(":")[0]
            return EngineError(f"a value of the input cannot be read as its column's type ({kind}; the value is not shown)")
    return EngineError(f"DuckDB: {headline(error)}")


def _line_fault(message: str) -> str | None:
    """What is wrong with a line of a text file and where, without the line."""
    file = re.search(r"^  file = (.*)$", message, re.MULTILINE)
    line = re.search(r"CSV Error on Line: (\d+)", message)
    record = re.search(r"Malformed JSON in file .*? in (?:record/value|line) (\d+)", message)
    if line is None and record is None:
        return None
    # the database has counted the next line of JSON already
    number = int(line[1]) if line is not None else int(record[1]) - 1 if record is not None else 0
    cells = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if cells is not None:
        fault = f"has {cells[2]} values where there are {cells[1]} names"
    elif "unterminated quote" in message:
        fault = "opens a quote that is never closed"
    elif "unicode" in message:
        fault = "is not UTF-8 text"
    else:
        fault = "is malformed"
    name = Path(file[1].strip()).name if file is not None else None
    place = "" if name is None else " of standard input" if name == SPOOLED else f" of {name!r}"
    return f"line {number}{place} {fault} (what it says is not shown); mend it"
