"""CSV in and out beside DuckDB's own copy of the file, in turn: UCI Adult, eight quasi-identifiers, its rows repeated.

python benchmarks/csv_files.py                 data from ../shared/data, or --data FOLDER with the same files
"""

import argparse
import sys
import tempfile
from pathlib import Path

from runs import DUCKANON, heading, in_turn, line, machine, manifest, middle, quoted, ratio

COPY = (
    "import duckdb, sys; duckdb.execute(f\"copy (from read_csv('{sys.argv[1]}')) to '{sys.argv[2]}' (header, delimiter ';')\")"
)


def made(data: Path, names: list[str], copies: int, output: Path) -> None:
    """The rows of Adult so many times over, as CSV."""
    import duckdb

    rows = f"select {', '.join(map(quoted, names))} from read_csv('{data / 'adult.csv'}', delim = ';', all_varchar = true)"
    duckdb.execute(
        f"copy (select adult.* from ({rows}) as adult cross join range({copies})) to '{output}' (header, delimiter ';')"
    )


def main() -> None:
    """Prints a line a number of rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--copies", type=int, nargs="+", default=[100, 300], help="how often the rows are repeated")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    data = arguments.data / "arx-adult"
    paths = {path.stem.removeprefix("adult_hierarchy_"): path for path in sorted(data.glob("adult_hierarchy_*.csv"))}
    names = [name for name in paths if name != "occupation"]
    print(f"{machine()}; medians of {arguments.runs} runs\n")
    heading("rows", "copy s", "whole s", "CPU s", "peak MB", "parse and count s", "write s", "verify s", "times a copy")
    for copies in arguments.copies:
        with tempfile.TemporaryDirectory() as folder:
            source, output = Path(folder) / "people.csv", Path(folder) / "released.csv"
            made(data, names, copies, source)
            run = [*DUCKANON, "anonymize", source, "--qi", ",".join(names), "--k", "5", "--max-suppression", "1%"]
            run += ["--entity", "none", *(part for name in names for part in ("--hierarchies", f"{name}={paths[name]}"))]
            run += ["--overwrite", "-q", "-o", output]
            copy = [sys.executable, "-c", COPY, source, Path(folder) / "copy.csv"]
            done = in_turn({"copy": copy, "run": run}, arguments.runs)
            about = manifest(output)
            line(
                f"{about['rows']['read']:,}",
                f"{middle(done['copy']):.1f}",
                f"{middle(done['run']):.1f}",
                f"{middle(done['run'], lambda ended: ended.cpu):.1f}",
                f"{max(ended.peak for ended in done['run']):.0f}",
                *(f"{about['seconds'][step]:.1f}" for step in ("count", "write", "verify")),
                f"{ratio(done['run'], done['copy']):.2f}",
            )


if __name__ == "__main__":
    main()
