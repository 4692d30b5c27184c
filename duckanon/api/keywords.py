"""The keyword arguments of the functions; `make reference` writes this file from the declarations of the options."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict


class Keywords(TypedDict, total=False):
    """The options of the command line, by their names: `--max-suppression 1%` is `max_suppression="1%"`."""

    qi: str | Sequence[str]
    sensitive: str | Sequence[str]
    identifying: str | Sequence[str]
    pseudonym: str | Sequence[str]
    shift: Mapping[str, int | str]
    release: str | None
    keep: str | Sequence[str]
    others: str | None
    hierarchies: str | Path | Sequence[str] | Mapping[str, Any]
    missing: str | Sequence[str | None]
    k: int | None
    entity: str | None
    require: str | Sequence[str]
    adversary: str | Sequence[str] | Mapping[str, Any]
    any: int | None
    policy: str | Path | None
    population: str | Path | None
    max_suppression: str | float | None
    protect: str | Sequence[str]
    target: str | None
    algorithm: str | None
    time_limit: float | None
    levels: Mapping[str, int]
    ranges: str | None
    microaggregate: Mapping[str, str]
    set: Mapping[str, Any]
    key_file: str | Path | None
    overwrite: bool
    report: str | Path | None
    public_report: str | Path | None
    register: str | Path | None
    dry_run: bool
    engine: str
    collect_limit: int
    threads: int | None
    memory_limit: str | None
    temp_directory: str | Path | None
    workspace: str | Path | None
