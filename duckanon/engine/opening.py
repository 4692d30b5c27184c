"""Open the engine of a run."""

from pathlib import Path

from duckanon.choices import DUCKDB
from duckanon.engine.address import address_of
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.settings import Settings
from duckanon.engine.spark import SparkEngine
from duckanon.observers import Observer


def open_engine(settings: Settings, observer: Observer | None, shared: Path | None = None) -> DuckDBEngine | SparkEngine:
    """Open DuckDB, or a Spark cluster together with DuckDB; `shared` is a folder that the cluster's workers see.

    Raises `JobError` for an unknown engine, and `EngineError` if the engine does not answer.
    """
    if settings.engine == DUCKDB:
        return DuckDBEngine(settings, observer)
    return SparkEngine(address_of(settings.engine), settings, observer, shared or Path())
