"""Entropy-3-diversity and t = 0.2 together against k alone, in turn, each in a fresh process."""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

QUASI_IDENTIFIERS: dict[str, Any] = {
    "age": {"kind": "intervals", "widths": [5, 10, 20, 40]},
    "workclass": {"kind": "flat"},
    "education": {"kind": "flat"},
    "marital-status": "adult/five-year/marital-status",
    "race": {"kind": "flat"},
    "sex": {"kind": "flat"},
    "native-country": {"kind": "flat"},
    "hours-per-week": {"kind": "intervals", "widths": [10, 20, 40]},
}
ALONE: list[str] = []
TOGETHER = ["--require", "entropy-l=3", "--require", "t=0.2"]


def run(source: Path, job: Path, models: list[str]) -> dict[str, Any]:
    """Wall seconds of a whole command, and its manifest."""
    output = source.with_name("out.parquet")
    command = [sys.executable, "-m", "duckanon", "anonymize", source, "-o", output, "--job", job, "--overwrite", "-q", *models]
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - started
    return {"wall": seconds, **json.loads(output.with_name("out.parquet.manifest.json").read_text())}


def main() -> None:
    """Prints a line a case, and the median of the ratios pair by pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        source, job = Path(name) / "demo.parquet", Path(name) / "job.json"
        columns: dict[str, Any] = {
            column: {"role": "quasi-identifier", "hierarchy": hierarchy} for column, hierarchy in QUASI_IDENTIFIERS.items()
        }
        job.write_text(json.dumps({"columns": columns | {"occupation": {"role": "sensitive"}}}))
        make = [sys.executable, "-m", "duckanon", "demo", "--rows", str(arguments.rows), "-o", source, "-q"]
        subprocess.run(make, check=True)
        pairs = [(run(source, job, ALONE), run(source, job, TOGETHER)) for _ in range(arguments.runs)]
        for title, runs in (("k alone", [pair[0] for pair in pairs]), ("k, entropy-3, t = 0.2", [pair[1] for pair in pairs])):
            wall = statistics.median(run["wall"] for run in runs)
            print(
                f"{arguments.rows:,} rows, {title}: {wall:.1f} s, {runs[-1]['recoding']['visited']} nodes; {runs[-1]['seconds']}"
            )
        print(f"ratio {statistics.median(together['wall'] / alone['wall'] for alone, together in pairs):.2f}")


if __name__ == "__main__":
    main()
