"""What a released file or folder discloses besides its rows: bytes, pages, dictionaries, statistics, metadata, names. No code of ours."""

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from tests.trust.attacks.people import SECRETS


def secrets_in(path: Path, secrets: tuple[str, ...] = SECRETS) -> list[str]:
    """Which of the secrets anything under a path holds, its name included."""
    held = b"".join(metadata_of(file) + str(file.relative_to(path.parent)).encode() for file in files_under(path))
    return [secret for secret in secrets if secret.encode() in held]


def files_under(path: Path) -> list[Path]:
    """A file, or every file in a folder, hidden ones too."""
    return [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())


def metadata_of(file: Path) -> bytes:
    """All that a file holds, compressed or not."""
    held = file.read_bytes()
    if held[8:12] == b"DUCK":
        return held + repr(in_database(file)).encode()
    if held[:4] != b"PAR1" or held[-4:] != b"PAR1":
        return held
    parquet = pq.ParquetFile(file)
    parts = [parquet.metadata.to_dict(), parquet.metadata.metadata, parquet.schema_arrow.metadata, parquet.metadata.created_by]
    parts += [field.metadata for field in parquet.schema_arrow]
    return held + repr((parts, statistics(file), dictionaries(file), parquet.read().to_pylist())).encode()


def in_database(file: Path) -> list[object]:
    """The rows, the kinds and the comments in a DuckDB file, whose blocks are compressed."""
    with duckdb.connect(str(file), read_only=True) as connection:
        tables = connection.execute("select schema_name, table_name, comment, sql from duckdb_tables()").fetchall()
        parts: list[object] = [tables, connection.execute("select type_name, labels from duckdb_types()").fetchall()]
        parts += connection.execute("select sql from duckdb_views() where not internal").fetchall()
        for schema, table, *_ in tables:
            parts += connection.execute(f'select * from "{schema}"."{table}"').fetchall()
    return parts


def dictionaries(file: Path) -> list[object]:
    """The values in every dictionary page, used by a row or not."""
    schema = pq.ParquetFile(file).schema_arrow
    texts = [field.name for field in schema if pa.types.is_string(field.type) or pa.types.is_dictionary(field.type)]
    table = pq.ParquetFile(file, read_dictionary=texts).read()
    chunks = [chunk for column in table.columns for chunk in column.chunks]
    return [value for chunk in chunks if hasattr(chunk, "dictionary") for value in chunk.dictionary.to_pylist()]


def statistics(file: Path) -> list[object]:
    """The least and the greatest of every column chunk, as two readers tell them."""
    metadata = pq.read_metadata(file)
    chunks = [
        metadata.row_group(group).column(column)
        for group in range(metadata.num_row_groups)
        for column in range(metadata.num_columns)
    ]
    parts: list[object] = [(chunk.path_in_schema, str(chunk.statistics)) for chunk in chunks]
    if metadata.num_rows:
        # not the sizes and offsets beside them, among which the same figures stand by chance
        parts += duckdb.execute(
            "select stats_min, stats_max, stats_min_value, stats_max_value from parquet_metadata(?)", [str(file)]
        ).fetchall()
    return parts


def probed(file: Path, column: str, values: list[str]) -> list[str]:
    """The values that a column's Bloom filters do not rule out; none where there is no filter."""
    [(has_filter,)] = duckdb.execute(
        "select bool_or(bloom_filter_offset is not null) from parquet_metadata(?) where path_in_schema = ?", [str(file), column]
    ).fetchall()
    if not has_filter:
        return []
    held = []
    for value in values:
        [(is_excluded,)] = duckdb.execute(
            "select bool_and(bloom_filter_excludes) from parquet_bloom_probe(?, ?, ?)", [str(file), column, value]
        ).fetchall()
        if not is_excluded:
            held.append(value)
    return held
