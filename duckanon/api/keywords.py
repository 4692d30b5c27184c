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
    mask: str | Sequence[str] | Mapping[str, Any]
    shift: Mapping[str, int | str]
    shift_by: str | None
    pseudonym_scope: str | None
    linkable: bool | None
    accept: str | Sequence[str]
    release: str | None
    key_file: str | Path | None
    keep: str | Sequence[str]
    others: str | None
    columns: str | Sequence[str] | None
    hierarchies: str | Path | Sequence[str] | Mapping[str, Any]
    missing: str | Sequence[str | None]
    missing_policy: str | None
    missing_sensitive: str | None
    dates: str | None
    decimal: str | None
    encoding: str | None
    malformed: str | None
    k: int | None
    k_column: str | None
    entity: str | None
    require: str | Sequence[str]
    adversary: str | Sequence[str] | Mapping[str, Any]
    any: int | None
    policy: str | Path | None
    population: str | Path | None
    population_size: int | None
    decide_on: str | None
    max_suppression: str | float | None
    suppress: str | None
    protect: str | Sequence[str]
    algorithm: str | None
    objective: str | None
    aggregate: str | None
    max_loss: Mapping[str, float | str]
    min_level: Mapping[str, int | str]
    weight: Mapping[str, float | str]
    refine: bool | None
    time_limit: float | None
    max_nodes: int | None
    cut: Mapping[str, str]
    median: str | None
    levels: Mapping[str, int]
    shuffle: bool | None
    ranges: str | None
    microaggregate: Mapping[str, str]
    show_extremes: bool | None
    partition_by: str | Sequence[str]
    all_nodes: bool
    overwrite: bool
    workspace: str | Path | None
    report: str | Path | None
    public_report: str | Path | None
    public_manifest: str | Path | None
    register: str | Path | None
    suppress_isolated: bool
    dry_run: bool
    engine: str
    collect_limit: int
    threads: int | None
    memory_limit: str | None
    temp_directory: str | Path | None
