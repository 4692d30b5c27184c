"""Arrow IPC files and streams, and Feather."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.dataset.private_copy import damaged, write_parquet
from duckanon.engine.protocol import Engine


def convert(engine: Engine, source: Source, path: Path) -> None:  # noqa: ARG001 - every converter has these arguments
    """Write the input to a Parquet file, batch by batch."""
    import pyarrow as pa
    from pyarrow import feather

    file = source.files[0]
    with file.open("rb") as stream:
        start = stream.read(6)
    try:
        if start.startswith(b"FEA1"):
            table = feather.read_table(file)
            write_parquet(path, source, table.schema, table.to_batches())
            return
        with pa.memory_map(str(file)) as mapped:
            if start == b"ARROW1":
                reader = pa.ipc.open_file(mapped)
                batches: Iterator[Any] = map(reader.get_batch, range(reader.num_record_batches))
            else:
                reader = pa.ipc.open_stream(mapped)
                batches = iter(reader)
            write_parquet(path, source, reader.schema, batches)
    except (pa.ArrowException, OSError) as error:
        raise damaged(source) from error
