"""Mondrian of PyPI packages and ours, on UCI Adult and on the NIST excerpt: information loss, whether k holds, and seconds."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.field import nist
from benchmarks.field.environments import python_of
from benchmarks.runs import fresh

PACKAGES = {
    "anonypy": "anonypy 0.2.1",
    "umbra_k": "umbra-k 0.1.0",
    "project_lighthouse_anonymize": "project-lighthouse-anonymize 1.0.0",
}
"""The module of each package, and its name and version."""

LOCKS = {"anonypy": "requirements", "umbra_k": "requirements", "project_lighthouse_anonymize": "lighthouse"}

TABLES: dict[str, tuple[int, list[str], list[str]]] = {
    "adult": (10, ["age"], ["workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]),
    "nist": (nist.K, ["AGEP"], [name for name in nist.FEATURES if name != "AGEP"]),
}
"""k, the numbers and the categories of each table."""


def measure(folder: Path, data: Path, limit: float) -> dict[str, dict[str, Any]]:
    """The figures of each table and tool; a run that fails or takes longer than `limit` seconds has its reason instead."""
    write_tables(folder, data)
    measured: dict[str, dict[str, Any]] = {}
    for table, (k, numbers, categories) in TABLES.items():
        source = folder / f"{table}.parquet"
        measured[table] = {}
        for package in ("", *PACKAGES):
            output = folder / f"{table}-{package or 'duckanon'}.parquet"
            output.unlink(missing_ok=True)
            command = (
                theirs(package, source, output, k, numbers, categories)
                if package
                else ours(source, output, k, numbers, categories)
            )
            ended = fresh(command, limit)
            if ended.failure:
                measured[table][PACKAGES.get(package, "duckanon")] = {"failure": ended.failure, "wall": ended.wall}
                continue
            shown = output if package else beside(source, output, [*numbers, *categories])
            found = judged(shown, numbers, categories)
            measured[table][PACKAGES.get(package, "duckanon")] = {**found, "k": k, "wall": ended.wall, "peak": ended.peak}
    return measured


def write_tables(folder: Path, data: Path) -> None:
    """Adult without records that have a `?`, and the NIST excerpt with its codes as text."""
    adult, excerpt = data / "adult.parquet", data / "nist-acs-national-2019.csv"
    duckdb.execute(f"copy (from read_parquet('{adult}') where columns(*)::varchar <> '?') to '{folder / 'adult.parquet'}'")
    duckdb.execute(
        f"copy (select * replace (cast(AGEP as integer) as AGEP) from read_csv('{excerpt}', all_varchar = true))"
        f" to '{folder / 'nist.parquet'}'"
    )


def theirs(
    package: str, source: Path, output: Path, k: int, numbers: Sequence[str], categories: Sequence[str]
) -> list[str | Path]:
    """The command of a package, in its own environment."""
    script = Path(__file__).with_name("peer.py")
    return [python_of(LOCKS[package]), script, package, source, output, str(k), ",".join(numbers), ",".join(categories)]


def ours(source: Path, output: Path, k: int, numbers: Sequence[str], categories: Sequence[str]) -> list[str | Path]:
    """Our command, with rows in the order of the source; categories have a flat hierarchy, as in the packages."""
    job = output.with_suffix(".json")
    flat = {name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in categories}
    job.write_text(
        json.dumps({"columns": {**{name: {"role": "quasi-identifier"} for name in numbers}, **flat}}), encoding="utf-8"
    )
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "duckanon",
        "anonymize",
        source,
        "-o",
        output,
        "--job",
        job,
        "--k",
        str(k),
    ]
    return [
        *command,
        "--algorithm",
        "mondrian",
        "--max-suppression",
        "0",
        "--no-shuffle",
        "--entity",
        "none",
        "--overwrite",
        "-q",
    ]


def beside(source: Path, release: Path, columns: Sequence[str]) -> Path:
    """A file with each source record and, in columns that begin with `shown `, what our release shows for it."""
    output = release.with_name(f"{release.stem}-beside.parquet")
    names = ", ".join(f'source."{name}", cast(released."{name}" as varchar) as "shown {name}"' for name in columns)
    duckdb.execute(
        f"copy (select {names} from read_parquet('{source}', file_row_number = true) as source"
        f" join read_parquet('{release}', file_row_number = true) as released using (file_row_number)) to '{output}'"
    )
    return output


def judged(path: Path, numbers: Sequence[str], categories: Sequence[str]) -> dict[str, Any]:
    """Records, classes, the smallest class, and the information loss of a file with `shown ` columns.

    Classes are the records that show the same. A record loses the range of the numbers, or the distinct values less one, that its
    class really has, as a share of those of the table: the same for every tool, however it writes a label. Records that a package
    drops lose all.
    """
    widths = {name: f'max("{name}") - min("{name}")' for name in numbers}
    widths |= {name: f'count(distinct "{name}") - 1' for name in categories}
    named = ", ".join(f"{width} as w{number}" for number, width in enumerate(widths.values()))
    lost = " + ".join(f"classes.w{number} / whole.w{number}" for number in range(len(widths)))
    shown = ", ".join(f'"shown {name}"' for name in widths)
    some = f'"shown {next(iter(widths))}" is not null'
    [row] = duckdb.execute(
        f"""
        with whole as (select count(*) as rows, {named} from read_parquet('{path}')),
        classes as (select count(*) as size, {named} from read_parquet('{path}') where {some} group by {shown})
        select sum(size), count(*), min(size),
            (sum(size * ({lost})) / {len(widths)} + any_value(rows) - sum(size)) / any_value(rows), any_value(rows)
        from classes cross join whole
        """
    ).fetchall()
    return dict(zip(("records", "classes", "smallest", "loss", "rows"), (int(row[0]), *row[1:]), strict=True))
