"""Local recoding of the NIST excerpt of the American Community Survey: ten quasi-identifiers with suggested hierarchies, k = 6.

python benchmarks/local_recoding.py            data from ../shared/data, or --data FOLDER with the same files
"""

import argparse
import tempfile
from pathlib import Path

from runs import DUCKANON, heading, line, machine, manifest, middle, searched

NAMES = "AGEP,SEX,MSP,RAC1P,HOUSING_TYPE,OWN_RENT,EDU,PINCP_DECILE,DVET,DEYE"


def main() -> None:
    """Prints one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{machine()}; medians of {arguments.runs} runs\n")
    heading("nodes", "search s", "whole s", "CPU s", "loss")
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "released.csv"
        run = [*DUCKANON, "anonymize", arguments.data / "nist-acs-national-2019.csv", "--qi", NAMES, "--others", "drop"]
        run += ["--k", "6", "--algorithm", "local", "--entity", "none", "--overwrite", "-q", "-o", output]
        ended, seconds = searched(run, output, arguments.runs)
        about = manifest(output)
        line(
            f"{about['recoding']['lattice']:,}",
            f"{seconds:.1f}",
            f"{middle(ended):.1f}",
            f"{middle(ended, lambda run: run.cpu):.1f}",
            f"{about['metrics']['loss']:.4f}",
        )


if __name__ == "__main__":
    main()
