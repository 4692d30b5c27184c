"""Runs without options on the forty tables of `tests/support/studies.txt`, each in a process of its own, and compares the shares of values.

    python benchmarks/studies.py [--only NAME ...] [--options "--algorithm mondrian"]

For each released column of at most twenty values, the share of each value among the cells whose label is that value or covers it not is
compared with its share in the source, by the rows of both files in the same order. Prints a line for each table, and the figures of all.
"""

import argparse
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import mean, median

import duckdb
import pyarrow
import pyarrow.parquet
from runs import DUCKANON, manifest

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.studies import Study, studies

MOST_VALUES = 20
FEWEST_CELLS = 0.05
"""The share of the cells that must tell values apart, as in the package's warning."""
PAIRS = """
select cast(source.{column} as varchar) as value, cast(output.{column} as varchar) as label, count(*) as rows
from '{source}' as source positional join '{output}' as output
group by all
"""


def differences(source: Path, output: Path) -> dict[str, float]:
    """By column: the largest difference of a value's share among the cells that tell whether a record has it. Empty if rows were suppressed."""
    differences = {}
    with duckdb.connect() as connection:
        [(rows,)], [(released,)] = (
            connection.execute(f"select count(*) from '{file}'").fetchall() for file in (source, output)
        )
        for name, *_ in connection.execute(f"describe from '{output}'").fetchall() if rows == released else ():
            column = '"' + name.replace('"', '""') + '"'
            pairs = connection.execute(PAIRS.format(column=column, source=source, output=output)).fetchall()
            counts = Counter[str | None]()
            for value, _, count in pairs:
                counts[value] += count
            if 1 < len(counts) <= MOST_VALUES:
                differences[name] = max((difference(value, counts, pairs) for value in counts), default=0.0)
    return differences


def difference(value: str | None, counts: Counter[str | None], pairs: list[tuple[str | None, str | None, int]]) -> float:
    """The difference of one value's share. A label of all values tells nothing; a value within labels of several is in none of the shares."""
    values = {label: {each for each, own, _ in pairs if own == label} for _, label, _ in pairs}
    telling = {label for label, own in values.items() if label != "*" and len(own) < len(counts)}
    if any(value in values[label] and len(values[label]) > 1 for label in telling) and not any(
        values[label] == {value} for label in telling
    ):
        return 0.0
    shown = sum(rows for _, label, rows in pairs if label in telling and values[label] == {value})
    others = sum(rows for _, label, rows in pairs if label in telling and value not in values[label])
    if shown + others < FEWEST_CELLS * counts.total():
        return 0.0
    return abs(shown / (shown + others) - counts[value] / counts.total())


def run(study: Study, options: list[str]) -> dict[str, object]:
    """The figures of one table."""
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder, "in.parquet"), Path(folder, "out.parquet")
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(study.table()), source)
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        ended = subprocess.run(
            [*DUCKANON, "anonymize", source, "-o", output, "--set", "output.shuffle=false", *options],
            capture_output=True,
            text=True,
        )
        seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        figures: dict[str, object] = {
            "table": study.name,
            "seconds": seconds,
            "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        }
        if ended.returncode:
            return figures | {"error": ended.stderr.strip().splitlines()[-1]}
        document, shares = manifest(output), differences(source, output)
        outcomes = [name for name, decision in study.decisions.items() if decision == "s"]
        worst = max(shares, key=lambda name: shares[name], default=None)
        return figures | {
            "algorithm": document["recoding"]["algorithm"],
            "compared": document["recoding"].get("compared"),
            "loss": document["metrics"].get("loss_with_dropped") or document["metrics"]["loss"],
            "worst": worst,
            "difference": shares[worst] if worst else 0.0,
            "mean difference": mean(shares.values()) if shares else 0.0,
            "lost outcomes": [name for name in outcomes if document["columns"].get(name) in (None, "dropped", "identifying")],
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--options", default="", help="options of duckanon anonymize")
    chosen = parser.parse_args()
    results = [run(study, shlex.split(chosen.options)) for study in studies() if not chosen.only or study.name in chosen.only]
    for result in results:
        print(*(f"{key}={value:.3f}" if isinstance(value, float) else f"{key}={value}" for key, value in result.items()))
    released = [result for result in results if "error" not in result]
    for figure in ("seconds", "cpu", "loss", "difference", "mean difference"):
        values = sorted(float(str(result[figure])) for result in (results if figure in ("seconds", "cpu") else released))
        print(
            f"{figure}: median {median(values):.3f}, 95th percentile {values[int(0.95 * (len(values) - 1))]:.3f}, worst {values[-1]:.3f}"
        )
    print(f"released {len(released)} of {len(results)}; lost outcomes {sum(len(r['lost outcomes']) for r in released)}")  # type: ignore[misc,arg-type]


if __name__ == "__main__":
    main()
