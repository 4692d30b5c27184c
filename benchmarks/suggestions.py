"""What a release loses with suggested hierarchies, and with the simple fallback: equal widths, value and top, the whole calendar.

python benchmarks/suggestions.py [ADULT.parquet]; tables are made in a temporary folder, and the same ones in each run.
"""

import json
import subprocess
import sys
import tempfile
from decimal import Decimal
from math import floor, log10
from pathlib import Path
from typing import Any

import duckdb

CLINIC = """
select date '1930-01-01' + cast(31000 * sqrt(random()) as integer) as birth_date,
    format('{:05d}', 10000 + cast(900 * random() * random() as integer) * 37) as postcode,
    (['F', 'M', 'X'])[1 + cast(random() * 2 * random() as integer)] as sex,
    cast(50 + 25 * (random() + random() + random()) + 40 * pow(random(), 8) as decimal(5, 1)) as body_weight,
    (['asthma', 'diabetes', 'flu', 'fracture', 'migraine'])[1 + cast(4 * random() as integer)] as diagnosis
from range(40000)
"""
STAFF = """
select cast(18 + 50 * pow(random(), 1.3) as integer) as age,
    (['sales', 'engineering', 'support', 'finance', 'legal', 'security', 'kitchen', 'press', 'museum'])[1 + cast(8 * pow(random(), 2.5) as integer)] as department,
    cast(exp(10 + random() + random()) / 10 as integer) * 10 as wage_before,
    timestamp '2001-01-01' + to_hours(cast(200000 * random() as integer)) as hired_at,
    (['low', 'middle', 'high'])[1 + cast(2 * random() as integer)] as bonus
from range(25000)
"""
TRIPS = """
select timestamp '2025-01-01' + to_seconds(cast(86400 * 90 * random() as bigint)) as started,
    (['Mitte', 'Nord', 'West', 'Sued', 'Ost', 'Hafen', 'Altstadt', 'Messe', 'Park', 'Zoo', 'Ring', 'See'])[1 + cast(11 * pow(random(), 2) as integer)] as district,
    cast(2 + 8 * pow(random(), 3) * 60 as integer) as household_minutes,
    cast(18 + 60 * random() as integer) as age
from range(60000)
"""


def fallback(type: str, values: int, least: float | None, greatest: float | None) -> dict[str, Any]:
    """As runs without configuration had them before hierarchies were suggested."""
    if type == "DATE":
        return {"kind": "dates", "units": ["month", "quarter", "year", "decade"]}
    if type.startswith("TIMESTAMP"):
        return {"kind": "dates", "units": ["hour", "day", "month", "quarter", "year"]}
    if least is not None and greatest is not None and values > 20:
        width = max((greatest - least) / 20, 2 if "INT" in type else 0)
        power = Decimal(10) ** floor(log10(width))
        step = next(digit * power for digit in (1, 2, 5, 10) if digit * power >= Decimal(width))
        return {"kind": "intervals", "widths": [float(step * times) for times in (1, 2, 4)]}
    return {"kind": "flat"}


def command(*arguments: object) -> str:
    """What duckanon prints."""
    run = subprocess.run([sys.executable, "-m", "duckanon", *map(str, arguments)], capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(run.stderr)
    return run.stdout


def loss(table: Path, job: dict[str, Any]) -> tuple[float, int]:
    """The loss of a release at k = 5, and the rows that it suppresses."""
    file = table.with_suffix(".job.json")
    file.write_text(json.dumps(job))
    document = json.loads(
        command("anonymize", table, "--job", file.rename(table.with_suffix(".job.yaml")), "--dry-run", "--json", "-q")
    )
    return document["metrics"]["loss"], document["rows"]["suppressed"]


def compare(table: Path, names: list[str] | None) -> str:
    """A line of the table; the quasi-identifiers are those of a run without configuration, unless named."""
    if names is None:
        document = json.loads(command("profile", table, "--json"))
        names = [column["column"] for column in document["columns"] if column["role"] == "quasi-identifier"]
    connection = duckdb.connect()
    plans: dict[str, dict[str, Any]] = {"suggested": {}, "fallback": {}}
    for name in names:
        [(type, values, least, greatest)] = connection.execute(
            f"""select typeof(any_value("{name}")), count(distinct "{name}"), try_cast(cast(min("{name}") as varchar) as double),
            try_cast(cast(max("{name}") as varchar) as double) from '{table}'"""
        ).fetchall()
        number = (least, greatest) if "INT" in type or "DEC" in type or "DOUBLE" in type else (None, None)
        plans["fallback"][name] = fallback(type, values, *number)
        plans["suggested"][name] = json.loads(command("hierarchy", "suggest", table, "--column", name, "--json"))["hierarchy"]
    cells = []
    for plan in plans.values():
        columns = {name: {"role": "quasi-identifier", "hierarchy": hierarchy} for name, hierarchy in plan.items()}
        lost, suppressed = loss(table, {"columns": columns})
        cells.append(f"{lost:.4f} ({suppressed:,} suppressed)")
    return f"| {table.stem} | {', '.join(names)} | {cells[0]} | {cells[1]} |"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        tables: list[tuple[Path, list[str] | None]] = []
        for name, sql in (("clinic", CLINIC), ("staff", STAFF), ("trips", TRIPS)):
            connection = duckdb.connect()
            connection.execute("select setseed(0.5)")
            connection.execute("set threads = 1")
            connection.execute(f"copy ({sql}) to '{folder}/{name}.parquet'")
            tables.append((Path(folder, f"{name}.parquet"), None))
        if len(sys.argv) > 1:
            Path(folder, "adult.parquet").symlink_to(Path(sys.argv[1]).absolute())
            tables.append((Path(folder, "adult.parquet"), ["age", "sex", "race", "marital-status"]))
            Path(folder, "adult-7.parquet").symlink_to(Path(sys.argv[1]).absolute())
            tables.append(
                (Path(folder, "adult-7.parquet"), ["age", "sex", "race", "education-num", "hours-per-week", "workclass"])
            )
        print("| table | quasi-identifiers | suggested | fallback |\n| --- | --- | --- | --- |")
        for table, names in tables:
            print(compare(table, names), flush=True)


if __name__ == "__main__":
    main()
