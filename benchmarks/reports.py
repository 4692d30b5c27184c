"""What reports, explanations and risk cost, beside the run that they tell of; whole processes, in turn.

    python benchmarks/reports.py --folder /somewhere/with/room          people, 30,000 and 20 million rows, 4 and 9 quasi-identifiers

The files are those of `scale.py`, made once in the folder and found there again.
"""

import argparse
import json
from pathlib import Path

from runs import DUCKANON, heading, in_turn, line, machine, middle
from scale import FOUR, NINE, Case, made


def measure(title: str, source: Path, hierarchies: dict[str, object], folder: Path, runs: int) -> None:
    """A line a command, as a multiple of the run without a report."""
    job, output = folder / "job.json", folder / "out.parquet"
    columns = {name: {"role": "quasi-identifier", "hierarchy": hierarchy} for name, hierarchy in hierarchies.items()}
    job.write_text(json.dumps({"columns": columns, "others": "drop"}))
    run = [
        *DUCKANON,
        "anonymize",
        source,
        "--job",
        job,
        "--k",
        "5",
        "--max-suppression",
        "1%",
        "-o",
        output,
        "--overwrite",
        "-q",
    ]
    manifest = f"{output}.manifest.json"
    commands = {
        "anonymize": run,
        "anonymize --report": [*run, "--report", folder / "report.html"],
        "report": [*DUCKANON, "report", manifest, "-o", folder / "report.html", "--overwrite", "-q"],
        "explain --row 1": [*DUCKANON, "explain", manifest, "--row", "1", "-q"],
        "risk": [*DUCKANON, "risk", source, "--qi", ",".join(hierarchies), "-q"],
    }
    done = in_turn(commands, runs)
    for name, ended in done.items():
        line(
            f"{title}: `{name}`",
            f"{middle(ended):.1f}",
            f"{middle(ended) / middle(done['anonymize']):.2f}",
            f"{max(entry.peak for entry in ended):.0f}",
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rows", type=int, nargs="+", default=[30_000, 20_000_000])
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    print(f"{machine()}; medians of {arguments.runs}\n")
    heading("command", "whole s", "times the run", "peak MB")
    for rows in arguments.rows:
        source = made(Case("people", "demo", rows, FOUR), arguments.folder)
        for hierarchies in (FOUR, NINE):
            measure(
                f"{rows:,} rows, {len(hierarchies)} quasi-identifiers", source, hierarchies, arguments.folder, arguments.runs
            )


if __name__ == "__main__":
    main()
