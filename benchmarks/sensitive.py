"""Searches of UCI Adult with a sensitive column: eight quasi-identifiers, `occupation`, and ARX's cut of the data with its hierarchies.

python benchmarks/sensitive.py                 data from ../shared/data, or --data FOLDER with the same files
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from runs import DUCKANON, heading, line, machine, manifest, middle, searched

NAMES = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class")
MODELS = {
    "k = 5, t = 0.2": ("--k", "5", "--require", "t=0.2"),
    "entropy-l = 3": ("--k", "1", "--require", "entropy-l=3"),
    "distinct-l = 5": ("--k", "1", "--require", "distinct-l=5"),
    "beta = 1": ("--k", "1", "--require", "beta=1"),
    "delta-present = 1": ("--k", "1", "--require", "delta-present=1"),
}


def main() -> None:
    """Prints a line a model and limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    data = arguments.data / "arx-adult"
    columns: dict[str, Any] = {
        name: {"role": "quasi-identifier", "hierarchy": str(data / f"adult_hierarchy_{name}.csv")} for name in NAMES
    }
    print(f"{machine()}; medians of {arguments.runs} runs\n")
    heading("requirement", "limit", "nodes checked", "search s", "whole s", "value")
    with tempfile.TemporaryDirectory() as folder:
        job, output = Path(folder) / "job.json", Path(folder) / "out.csv"
        job.write_text(json.dumps({"columns": {**columns, "occupation": {"role": "sensitive"}}}))
        fixed = ("--set", "recoding.aggregate=geometric-mean", "--entity", "none", "--overwrite", "-q")
        for title, model in MODELS.items():
            for limit in ("0", "4%", "100%"):
                command = [*DUCKANON, "anonymize", data / "adult.csv", "-o", output, "--job", job, *fixed]
                ended, seconds = searched([*command, *model, "--max-suppression", limit], output, arguments.runs)
                recoding = manifest(output)["recoding"]
                value = recoding["objective"]["value"]
                line(title, limit, f"{recoding['visited']:,}", f"{seconds:.1f}", f"{middle(ended):.1f}", f"{value:.6f}")


if __name__ == "__main__":
    main()
