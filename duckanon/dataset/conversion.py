"""Convert an input that DuckDB does not read into a private Parquet file; unpack archives."""

import shutil
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from duckanon.dataset import arrow_file, spreadsheet, sqlite_file, statistics_file
from duckanon.dataset.formats import Kind
from duckanon.dataset.location import Source, label
from duckanon.dataset.private_copy import private_file
from duckanon.engine.protocol import Engine
from duckanon.errors import InputError
from duckanon.observers import staged

Converter = Callable[[Engine, Source, Path], str | None]
"""Write an input to a Parquet file; return the column that is a row index without a name."""

_CONVERTERS: Mapping[Kind, Converter] = {
    "arrow": arrow_file.convert,
    "sqlite": sqlite_file.convert,
    "spreadsheet": spreadsheet.convert,
    "spss": statistics_file.convert,
    "stata": statistics_file.convert,
    "sas": statistics_file.convert,
}
_CHUNK_BYTES = 1 << 20


def native(engine: Engine, source: Source) -> Source:
    """The input in files that DuckDB reads: itself, or a copy in the engine's private folder, which the engine removes."""
    if source.member is not None:
        source = _unpacked(engine, source)
    convert = _CONVERTERS.get(source.kind)
    if convert is None:
        return source
    path = private_file(engine, Path(f"{source.files[0].name}.parquet"))
    with staged(engine.observer, f"converting {label(source.kind)}"):
        row_index = convert(engine, source, path)
    return replace(source, kind="parquet", files=(path,), table=None, is_copy=True, row_index=row_index)


def _unpacked(engine: Engine, source: Source) -> Source:
    """The only file of a ZIP archive, unpacked."""
    path = private_file(engine, Path(str(source.member)))
    try:
        with zipfile.ZipFile(source.files[0]) as archive, archive.open(str(source.member)) as inside, path.open("wb") as file:
            shutil.copyfileobj(inside, file, _CHUNK_BYTES)
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise InputError(f"{source.name!r} cannot be read as a ZIP archive; is it complete?") from error
    return replace(source, files=(path,), member=None, is_copy=True)
