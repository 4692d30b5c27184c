"""Mondrian of PyPI packages and ours, on UCI Adult and on the NIST excerpt: information loss, whether k holds, and seconds."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.field import nist
from benchmarks.field.environments import python_of
from benchmarks.runs import fresh, manifest

PACKAGES = {
    "anonypy": "anonypy 0.2.1",
    "umbra_k": "umbra-k 0.1.0",
    "project_lighthouse_anonymize": "project-lighthouse-anonymize 1.0.0",
}
"""The module of each package, and its name and version."""

OURS: dict[str, tuple[str, dict[str, Any]]] = {
    "duckanon mondrian": ("mondrian", {"hierarchy": {"kind": "flat"}}),
    "duckanon mondrian, in order": ("mondrian", {"cut": "order"}),
    "duckanon local": ("local", {"hierarchy": {"kind": "flat"}}),
}
"""Our algorithms, and what a category is given: a hierarchy of the value and `*`, or cuts in alphabetical order."""

LOCKS = {"anonypy": "benchmarks", "umbra_k": "benchmarks", "project_lighthouse_anonymize": "lighthouse"}

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
        for tool in (*OURS, *PACKAGES):
            output = folder / f"{table}-{tool.replace(' ', '-')}.parquet"
            output.unlink(missing_ok=True)
            command = (theirs if tool in PACKAGES else ours)(tool, source, output, k, numbers, categories)
            name, ended = PACKAGES.get(tool, tool), fresh(command, limit)
            if ended.failure:
                measured[table][name] = {"failure": ended.failure}
                continue
            shown = output if tool in PACKAGES else beside(source, output, [*numbers, *categories])
            figures = judged(shown, numbers, categories)
            figures["shown"] = (
                shown_loss(shown, numbers, categories) if tool in PACKAGES else manifest(output)["metrics"]["leaf_loss"]
            )
            measured[table][name] = {**figures, "k": k, "wall": ended.wall, "peak": ended.peak}
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


def ours(tool: str, source: Path, output: Path, k: int, numbers: Sequence[str], categories: Sequence[str]) -> list[str | Path]:
    """Our command, with rows in the order of the source and without suppression."""
    algorithm, more = OURS[tool]
    job = output.with_suffix(".json")
    columns = {name: {"role": "quasi-identifier"} for name in numbers} | {
        name: {"role": "quasi-identifier", **more} for name in categories
    }
    job.write_text(json.dumps({"columns": columns}), encoding="utf-8")
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
        algorithm,
        "--max-suppression",
        "0",
        "--set",
        "output.shuffle=false",
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


def shown_loss(path: Path, numbers: Sequence[str], categories: Sequence[str]) -> float:
    """The information loss of a package's labels: values under the label less one, as a share of those of the table less one.

    The label of a category is `*`, a value, or a list of values. A number, and a label of another form, stands for what its class
    really has, as in `judged`.
    """
    names = [*numbers, *categories]
    whole = {name: f'max("{name}") - min("{name}")' for name in numbers}
    whole |= {name: f'count(distinct "{name}") - 1' for name in categories}
    spans = ", ".join(f"{width} as w{number}" for number, width in enumerate(whole.values()))
    widths = [f"({whole[name]}) / any_value(w{number})" for number, name in enumerate(names)]
    for number, name in enumerate(categories, start=len(numbers)):
        listed = f"(len(string_split(\"shown {name}\", ',')) - 1) / any_value(w{number})"
        widths[number] = f"case when \"shown {name}\" = '*' then 1 else greatest({listed}, {widths[number]}) end"
    labels = ", ".join(f'"shown {name}"' for name in names)
    lost = f'case when "shown {names[0]}" is null then {len(names)} else {" + ".join(widths)} end'
    [(mean,)] = duckdb.execute(
        f"with whole as (select {spans} from read_parquet('{path}')), classes as (select count(*) as size, {lost} as lost"
        f" from read_parquet('{path}') cross join whole group by {labels}) select sum(size * lost) / sum(size) from classes"
    ).fetchall()
    return float(mean / len(names))
