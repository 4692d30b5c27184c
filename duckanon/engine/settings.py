"""Settings of the engine and its resources."""

from dataclasses import dataclass
from pathlib import Path

from duckanon.choices import COLLECT_LIMIT, DUCKDB
from duckanon.option import Panel, option


@dataclass(frozen=True)
class Settings:
    """The engine that passes over the rows, and its resources: threads, memory (`4GB`), a folder for temporary files, a workspace file."""

    engine: str = option(
        "Where the passes over rows run: duckdb (default), sc://HOST:15002 (Spark Connect), spark://HOST:7077, local[*]. "
        "A cluster reads Parquet and writes a folder of it, on storage that its workers see.",
        "ENGINE",
        Panel.MACHINE,
        default=DUCKDB,
    )
    collect_limit: int = option(
        "Maximum number of rows to collect from a cluster. A larger relation stays there, and statements that read it run there. "
        "20,000,000 unless given.",
        "ROWS",
        Panel.MACHINE,
        min=1,
        default=COLLECT_LIMIT,
    )
    threads: int | None = option("Number of threads. Default: one per core.", "N", Panel.MACHINE, min=1, max=1024)
    memory_limit: str | None = option("Memory limit. Data beyond it is spilled to disk.", "4GB", Panel.MACHINE)
    temp_directory: Path | None = option(
        "Folder for temporary files and unfinished output. Default: $TMPDIR, else /var/tmp.", "DIR", Panel.MACHINE
    )
    workspace: Path | None = option(
        "Keep all relations in this file; `from duckanon.relations` lists them. Contains original values.",
        "FILE.duckdb",
        Panel.OUTPUT,
    )

    @property
    def is_cluster(self) -> bool:
        return self.engine != DUCKDB
