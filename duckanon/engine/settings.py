"""Which engine runs, and what it may use of the machine."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from duckanon.choices import COLLECT_LIMIT, DUCKDB
from duckanon.option import Option, Panel


@dataclass(frozen=True)
class Settings:
    """Which engine passes over the rows, and what it may use: threads, memory (`4GB`), a folder to spill to, a file to keep its work in."""

    engine: Annotated[
        str,
        Option(
            "Where the passes over rows run: duckdb (default), sc://HOST:15002 (Spark Connect), spark://HOST:7077, local[*]. "
            "A cluster reads Parquet and writes a folder of it, on storage that its workers see.",
            "ENGINE",
            Panel.MACHINE,
        ),
    ] = DUCKDB
    collect_limit: Annotated[
        int,
        Option(
            "Rows that a cluster hands back at most; a larger relation stays there, and what reads it runs there too. "
            "20,000,000 unless given.",
            "ROWS",
            Panel.MACHINE,
            min=1,
        ),
    ] = COLLECT_LIMIT
    threads: Annotated[int | None, Option("Threads.", "N", Panel.MACHINE, min=1, max=1024)] = None
    memory_limit: Annotated[str | None, Option("Memory; what does not fit is spilled to disk.", "4GB", Panel.MACHINE)] = None
    temp_directory: Annotated[
        Path | None, Option("Where to spill to, and to keep what is half-written.", "DIR", Panel.MACHINE)
    ] = None
    workspace: Annotated[
        Path | None,
        Option(
            "Keep every relation; `from duckanon.relations` lists them. Holds original values.",
            "FILE.duckdb",
            Panel.OUTPUT,
            after="overwrite",
        ),
    ] = None

    @property
    def is_cluster(self) -> bool:
        return self.engine != DUCKDB
