"""The UCI Adult file: whole processes from start to end, and the search in them, and nine million rows like it.

    python benchmarks/adult.py                 data from ../shared/data, or --data FOLDER with the same files

The nine columns and their hierarchies are those of the reference implementation's cut of Adult. For nine million rows its rows are
repeated 300 times, and in the copies each value is replaced by a draw from its column with probability 0.1.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from runs import DUCKANON, combinations, heading, in_turn, line, machine, manifest, middle, quoted, repeated, searched

EMPTY = [sys.executable, "-c", "import duckdb, typer, pydantic"]
FOUR = "age,sex,race,marital-status"
LIMITS = ("0", "4%", "100%")
COPIES = 300


def start(data: Path, folder: Path, runs: int) -> None:
    """An empty interpreter with the libraries that no run can do without, beside a whole run of 60 nodes."""
    run = [*DUCKANON, "anonymize", data / "adult.parquet", "--qi", FOUR, "--hierarchies", "adult/five-year"]
    run += ["--k", "5", "--max-suppression", "1%", "--overwrite", "-q", "-o", folder / "out.parquet"]
    done = in_turn({"empty": EMPTY, "help": [*DUCKANON, "--help"], "run": run}, runs)
    heading("process", "whole s", "CPU s", "peak MB")
    titles = {"empty": "`import duckdb, typer, pydantic`", "help": "`duckanon --help`", "run": "Adult, 60 nodes, k = 5, 1 %"}
    for title, ended in done.items():
        line(
            titles[title],
            *(f"{middle(ended, figure):.2f}" for figure in (lambda e: e.wall, lambda e: e.cpu)),
            f"{max(e.peak for e in ended):.0f}",
        )


def search(
    title: str, source: Path, hierarchies: Path, names: list[str], limits: tuple[str, ...], folder: Path, runs: int
) -> None:
    """A line a limit; search seconds are medians too."""
    job, output = folder / "job.json", folder / "out.parquet"
    columns = {
        name: {"role": "quasi-identifier", "hierarchy": str(hierarchies / f"adult_hierarchy_{name}.csv")} for name in names
    }
    job.write_text(json.dumps({"columns": columns, "recoding": {"aggregate": "geometric-mean"}}))
    for limit in limits:
        run = [
            *DUCKANON,
            "anonymize",
            source,
            "--job",
            job,
            "--k",
            "5",
            "--max-suppression",
            limit,
            "-o",
            output,
            "--overwrite",
            "-q",
        ]
        ended, seconds = searched(run, output, runs)
        about = manifest(output)
        line(
            f"{title}, limit {limit}",
            f"{about['rows']['read']:,}",
            f"{about['recoding']['visited']:,} of {about['recoding']['lattice']:,}",
            f"{seconds:.2f}",
            f"{middle(ended):.2f}",
            f"{middle(ended, lambda e: e.cpu):.2f}",
            f"{max(e.peak for e in ended):.0f}",
        )


def main() -> None:
    """Prints three tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--runs", type=int, default=7)
    arguments = parser.parse_args()
    hierarchies = arguments.data / "arx-adult"
    names = sorted(path.stem.removeprefix("adult_hierarchy_") for path in hierarchies.glob("adult_hierarchy_*.csv"))
    print(f"{machine()}; medians of {arguments.runs} runs\n")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        start(arguments.data, folder, arguments.runs)
        print()
        heading("case", "rows", "nodes checked", "search s", "whole s", "CPU s", "peak MB")
        search("Adult, 9 columns", hierarchies / "adult.csv", hierarchies, names, LIMITS, folder, arguments.runs)
        eight, large = [name for name in names if name != "occupation"], folder / "large.parquet"
        rows = f"select {', '.join(map(quoted, eight))} from read_csv('{hierarchies / 'adult.csv'}', delim = ';', all_varchar = true)"
        repeated(rows, eight, COPIES, large)
        title = f"repeated, 8 columns, {combinations(large, eight):,} combinations"
        search(title, large, hierarchies, eight, ("4%",), folder, arguments.runs)


if __name__ == "__main__":
    main()
