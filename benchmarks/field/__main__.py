"""duckanon beside its peers, on public data: `python benchmarks/field [--folder FOLDER] [PART ...]`.

Parts: nist, timings, examples, sdcmicro, mondrian; all unless named. Each writes its figures to `figures/PART.json`, and all tables
and charts of README.md are drawn from these files. `page` only draws them again. Peers are installed from `benchmarks/peers` into
environments in the folder, which lies outside the repository.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[0] = str(ROOT)

from benchmarks.field import examples, mondrians, nist, page, sdcmicro, timings  # noqa: E402
from benchmarks.runs import machine  # noqa: E402

PARTS = ["nist", "timings", "examples", "sdcmicro", "mondrian"]


def main() -> None:
    """Measures the parts, and draws the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "parts", nargs="*", choices=[*PARTS, "page"], default=PARTS, metavar="PART", help=", ".join([*PARTS, "page"])
    )
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "duckanon-field", help="for data and environments"
    )
    parser.add_argument(
        "--data", type=Path, default=ROOT.parent / "shared" / "data", help="the folder with Adult and the NIST excerpt"
    )
    parser.add_argument("--repositories", type=Path, help="checkouts named pycanon and anjana; examples needs them")
    parser.add_argument(
        "--library", type=Path, help="R packages with sdcMicro; sdcmicro needs them, nist runs it again with them"
    )
    parser.add_argument(
        "--rows", type=int, nargs="+", choices=timings.PUBLISHED, default=list(timings.PUBLISHED), help="of timings"
    )
    parser.add_argument("--limit", type=float, default=900, help="seconds after which the run of a Mondrian package is killed")
    arguments = parser.parse_args()
    folder: Path = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ |= {"DUCKANON_FIELD": str(folder), "PYTHONPATH": str(ROOT)}
    measures: dict[str, Any] = {
        "nist": lambda: nist.measure(folder, arguments.data, arguments.library),
        "timings": lambda: timings.measure(folder, arguments.data, arguments.rows),
        "examples": lambda: examples.measure(folder, arguments.repositories),
        "sdcmicro": lambda: sdcmicro.measure(folder, arguments.library),
        "mondrian": lambda: mondrians.measure(folder, arguments.data, arguments.limit),
    }
    missing = {"examples": arguments.repositories, "sdcmicro": arguments.library}
    for part in arguments.parts:
        if part == "page":
            continue
        if part in missing and missing[part] is None:
            sys.stderr.write(
                f"{part}: skipped; give {'--repositories' if part == 'examples' else '--library'} (see README.md)\n"
            )
            continue
        document = {"machine": f"{machine()}.", "figures": measures[part]()}
        (HERE / "figures").mkdir(exist_ok=True)
        (HERE / "figures" / f"{part}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    page.refresh()


if __name__ == "__main__":
    main()
