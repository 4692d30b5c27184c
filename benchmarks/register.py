"""What a register of releases costs: a run that is compared with three registered releases, beside the run without; whole processes, in turn.

    python benchmarks/register.py --folder /somewhere/with/room          people, 20 million rows, 9 quasi-identifiers

The file is that of `scale.py`, made once in the folder and found there again.
"""

import argparse
import json
import shlex
import subprocess
from pathlib import Path

from runs import DUCKANON, heading, in_turn, line, machine, middle
from scale import NINE, Case, made

REGISTERED = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rows", type=int, default=20_000_000)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    source = made(Case("people", "demo", arguments.rows, NINE), arguments.folder)
    job, kept, used = (arguments.folder / name for name in ("job.json", "kept.duckdb", "used.duckdb"))
    columns = {name: {"role": "quasi-identifier", "hierarchy": hierarchy} for name, hierarchy in NINE.items()}
    job.write_text(json.dumps({"columns": columns, "others": "drop"}))
    run = [
        *map(str, (*DUCKANON, "anonymize", source, "--job", job)),
        "--k",
        "5",
        "--max-suppression",
        "1%",
        "--overwrite",
        "-q",
    ]
    kept.unlink(missing_ok=True)
    for number in range(REGISTERED):
        registered = arguments.folder / f"registered-{number}.parquet"
        subprocess.run([*run, "-o", registered, "--register", kept], check=True)
    output = str(arguments.folder / "out.parquet")
    with_register = shlex.join([*run, "-o", output, "--register", str(used)])
    # the register of a run has that run's release afterwards
    copy = f"cp -p {shlex.quote(str(kept))} {shlex.quote(str(used))}"
    done = in_turn(
        {"anonymize": [*run, "-o", output], "with a register": ["sh", "-c", f"{copy} && exec {with_register}"]}, arguments.runs
    )
    print(
        f"{machine()}; medians of {arguments.runs}; {arguments.rows:,} rows, {len(NINE)} quasi-identifiers, {REGISTERED} registered releases\n"
    )
    heading("command", "whole s", "times the run", "peak MB")
    for name, ended in done.items():
        seconds = middle(ended)
        line(name, f"{seconds:.1f}", f"{seconds / middle(done['anonymize']):.2f}", f"{max(entry.peak for entry in ended):.0f}")


if __name__ == "__main__":
    main()
