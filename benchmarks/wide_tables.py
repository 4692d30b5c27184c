"""Peak memory and seconds of runs without options on small tables with many columns of different kinds.

python benchmarks/wide_tables.py --tables 50 --limit 600
"""

import argparse
import statistics
import tempfile
from pathlib import Path
from random import Random

from runs import DUCKANON, fresh, heading, line, machine

COLUMNS, ROWS = (20, 250), (100, 5_000)
KINDS = [
    "chr(97 + ({h} % 4)::int)",
    "({h} % 90)::int",
    "date '1950-01-01' + ({h} % 20000)::int",
    "round(({h} % 10000) / 7.0, 2)",
    "case when {h} % 10 < 3 then null else ({h} % 7)::int end",
    "'T' || lpad(({h} % 300)::varchar, 5, '0')",
    "case when {h} % 2 = 0 then 'yes' else 'no' end",
    "['north', 'south', 'east', 'west', 'centre'][1 + ({h} % 5)::int]",
    "sqrt({h} % 1000000)::int",
    "md5({h}::varchar)",
]
"""The values of a column of each kind, from a hash of the row and the column."""


def write_table(path: Path, columns: int, rows: int, random: Random) -> None:
    """Write a CSV file with columns of random kinds."""
    import duckdb

    cells = [random.choice(KINDS).format(h=f"hash(n, {number}, {rows})") for number in range(columns)]
    named = ", ".join(f"{cell} as column_{number}" for number, cell in enumerate(cells))
    duckdb.execute(f"copy (select {named} from range({rows}) as numbers (n)) to '{path}'")


def main() -> None:
    """Prints a line for each table, then medians and the worst."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--limit", type=float, default=600, help="seconds after which a run is killed")
    arguments = parser.parse_args()
    print(f"{machine()}\n")
    heading("table", "columns", "rows", "s", "CPU s", "peak MB", "outcome")
    random, peaks, seconds = Random(0), list[float](), list[float]()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, arguments.tables + 1):
            columns, rows = random.randint(*COLUMNS), random.randint(*ROWS)
            source = Path(folder) / "wide.csv"
            write_table(source, columns, rows, random)
            ended = fresh([*DUCKANON, "anonymize", source, "--overwrite", "-q"], arguments.limit)
            figures = "", "", ""
            if ended.wall:
                peaks.append(ended.peak)
                seconds.append(ended.wall)
                figures = f"{ended.wall:.1f}", f"{ended.cpu:.1f}", f"{ended.peak:,.0f}"
            line(str(number), str(columns), f"{rows:,}", *figures, ended.failure[:100] or "released")
    for title, middle in (("median", statistics.median), ("worst", max)):
        line(title, "", "", f"{middle(seconds):.1f}", "", f"{middle(peaks):,.0f}", f"{len(seconds)} of {arguments.tables}")


if __name__ == "__main__":
    main()
