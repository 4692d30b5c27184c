"""A whole run against DuckDB's own copy of the same file, in turn, each in a fresh process."""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COPY = (
    "import duckdb, sys; duckdb.execute(f\"copy (select * from read_parquet('{sys.argv[1]}')) to '{sys.argv[2]}'\").fetchall()"
)
QI = "age,sex,race,marital-status"


def timed(command: list[str]) -> float:
    """Wall seconds of a command that must succeed."""
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started


def main() -> None:
    """Prints one line a case: medians, and the median of the ratios pair by pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "adult.parquet"
        duckanon = [sys.executable, "-m", "duckanon"]
        subprocess.run([*duckanon, "demo", "--rows", str(arguments.rows), "-o", str(source), "-q"], check=True)
        run = [*duckanon, "anonymize", str(source), "--qi", QI, "--hierarchies", "adult/five-year", "--others", "keep"]
        run += ["--k", "5", "--max-suppression", "1%", "--overwrite", "-q", "-o", str(folder / "out.parquet")]
        copy = [sys.executable, "-c", COPY, str(source), str(folder / "copy.parquet")]
        timed(copy)
        for title, flag in (("without shuffle", "--no-shuffle"), ("with shuffle", "--shuffle")):
            pairs = [(timed([*run, flag]), timed(copy)) for _ in range(arguments.runs)]
            seconds = json.loads((folder / "out.parquet.manifest.json").read_text())["seconds"]
            ratio = statistics.median(whole / plain for whole, plain in pairs)
            whole, plain = (statistics.median(column) for column in zip(*pairs, strict=True))
            print(
                f"{arguments.rows:,} rows, 4 quasi-identifiers, {title}: {whole:.1f} s, copy {plain:.1f} s, ratio {ratio:.2f}; {seconds}"
            )


if __name__ == "__main__":
    main()
