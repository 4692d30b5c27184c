"""20 million rows with one pseudonymized column, beside the same run that drops it and one that keeps it as it is.

python benchmarks/identifiers.py FOLDER [ROWS]; the table is made in the folder, each row of another person and three rows of each.
"""

import os
import sys
from pathlib import Path

import duckdb
from runs import DUCKANON, copied, fresh, heading, in_turn, line, machine, middle, ratio

RUNS = 3
ASKED = (
    "--qi",
    "age,sex,race,marital-status",
    "--hierarchies",
    "adult/five-year",
    "--max-suppression",
    "1%",
    "--others",
    "keep",
    "-q",
)


def prepared(folder: Path, rows: int) -> tuple[Path, Path]:
    """People with a number each, and a table in which three rows share one."""
    people = folder / "people.parquet"
    once, thrice = folder / "once.parquet", folder / "thrice.parquet"
    if not people.exists():
        fresh([*DUCKANON, "demo", "--rows", str(rows), "-o", people])
    for path, shared in ((once, 1), (thrice, 3)):
        if not path.exists():
            duckdb.execute(
                f"copy (select row_number() over () // {shared} + 1000000000 as person, * from '{people}') to '{path}' (format parquet)"
            )
    return once, thrice


def main() -> None:
    folder, rows = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20_000_000
    os.environ["DUCKANON_KEY"] = os.urandom(32).hex()
    print(f"{machine()}; medians of {RUNS} runs, {rows:,} rows\n")
    heading("case", "whole s", "CPU s", "peak MB", "times without", "times a copy")
    for title, source in zip(("a person a row", "three rows a person"), prepared(folder, rows), strict=True):
        run = [*DUCKANON, "anonymize", source, "-o", folder / "out.parquet", "--overwrite", *ASKED]
        done = in_turn(
            {
                "copy": copied(source, folder / "copy.parquet", os.cpu_count() or 1),
                "dropped": [*run, "--identifying", "person"],
                "kept": [*run, "--keep", "person"],
                "pseudonym": [*run, "--pseudonym", "person", "--release", "benchmark"],
            },
            RUNS,
        )
        for what in ("dropped", "kept", "pseudonym"):
            runs = done[what]
            cells = (
                f"{middle(runs):.1f}",
                f"{middle(runs, lambda entry: entry.cpu):.1f}",
                f"{middle(runs, lambda entry: entry.peak):,.0f}",
            )
            line(f"{title}, {what}", *cells, f"{ratio(runs, done['dropped']):.2f}", f"{ratio(runs, done['copy']):.2f}")


if __name__ == "__main__":
    main()
