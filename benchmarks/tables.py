"""Python packages that hold a table in pandas, beside ours, in turn, each in a fresh process.

    python benchmarks/tables.py --peers /path/to/python      one with peers/benchmarks.txt installed

`anonymize`: anjana's own example (six quasi-identifiers and its hierarchies), k-anonymity with at most 5 % suppressed, on Adult as it
is, ten times and a hundred times over, where in the copies each value is replaced by a draw from its column with probability 0.1.
`check`: pyCANON's report of nine models on the largest of these, and `duckanon check`.
"""

import argparse
import csv
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from runs import DUCKANON, Ended, fresh, heading, line, machine, manifest, middle, quoted, ratio, repeated

COLUMNS = {
    "age": "age",
    "education": "education",
    "marital-status": "marital",
    "occupation": "occupation",
    "sex": "sex",
    "native-country": "country",
}
"""Quasi-identifiers, and what their hierarchy files are called."""
SENSITIVE = "income"


def levels(path: Path) -> dict[int, list[str]]:
    """A hierarchy file as anjana takes it: the labels of each level, the value's own first."""
    with path.open(newline="") as file:
        return dict(enumerate(map(list, zip(*csv.reader(file), strict=True))))


def release(source: str, hierarchies: str, output: str, k: str) -> None:
    """One run of anjana, in its environment: prints the seconds of its call, its levels and the rows left."""
    import pandas
    from anjana.anonymity import k_anonymity, utils

    frame = pandas.read_parquet(source, columns=[*COLUMNS, SENSITIVE, "race"])
    lookups: dict[str, Any] = {name: levels(Path(hierarchies) / f"{file}.csv") for name, file in COLUMNS.items()}
    lookups["age"][0] = [int(value) for value in lookups["age"][0]]
    kept = {name: {level: labels[:] for level, labels in levels_of.items()} for name, levels_of in lookups.items()}
    started = time.perf_counter()
    shown = k_anonymity(frame, ["race"], list(COLUMNS), int(k), 5, lookups)
    seconds = time.perf_counter() - started
    shown.to_parquet(output, index=False)
    print(json.dumps([seconds, utils.get_transformation(shown, list(COLUMNS), kept), len(shown)]))


def report(source: str) -> None:
    """One run of pyCANON's report, in its environment."""
    import pandas
    from pycanon.report import base

    frame = pandas.read_parquet(source, columns=[*COLUMNS, SENSITIVE])
    print(base.get_report_values(frame, list(COLUMNS), [SENSITIVE]))


def alternated(ours: list[Any], theirs: list[Any], runs: int, limit: float) -> tuple[list[Ended], list[Ended]]:
    """Both in turn; a run that fails or is killed is the last."""
    own: list[Ended] = []
    other: list[Ended] = []
    for _ in range(runs):
        own.append(fresh(ours))
        other.append(fresh(theirs, limit))
        if other[-1].failure or own[-1].failure:
            break
    return own, other


def print_line(case: str, tool: str, ended: list[Ended], against: list[Ended], result: str) -> None:
    """A line a tool."""
    if ended[-1].failure:
        return line(case, tool, ended[-1].failure, "", "", "", "")
    figures = f"{middle(ended):.2f}", f"{middle(ended, lambda run: run.cpu):.2f}", f"{max(run.peak for run in ended):,.0f}"
    times = ratio(ended, against) if not against[-1].failure else 1
    return line(case, tool, *figures, f"{times:.1f}", result)


def main() -> None:
    """Prints a line a case and tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="a Python with peers/benchmarks.txt")
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--copies", type=int, nargs="*", default=[1, 10, 100])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--checks", type=int, default=1, help="runs of the report, which takes minutes")
    parser.add_argument("--limit", type=float, default=1800, help="seconds after which a peer's run is killed")
    parser.add_argument("--release", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--report", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.release:
        return release(*arguments.release)
    if arguments.report:
        return report(arguments.report)
    hierarchies = arguments.data / "anjana-adult"
    columns: dict[str, Any] = {
        name: {"role": "quasi-identifier", "hierarchy": str(hierarchies / f"{file}.csv")} for name, file in COLUMNS.items()
    }
    print(f"{machine()}; medians of {arguments.runs} runs ({arguments.checks} of the report)\n")
    heading("case", "tool", "whole s", "CPU s", "peak MB", "times ours", "result")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        job, output, other = folder / "job.json", folder / "ours.parquet", folder / "theirs.parquet"
        job.write_text(json.dumps({"columns": {**columns, SENSITIVE: {"role": "insensitive"}}}))
        source = folder / "adult.parquet"
        for copies in arguments.copies:
            source = folder / f"adult-{copies}.parquet"
            kept = ", ".join(map(quoted, [*COLUMNS, "race", SENSITIVE]))
            repeated(f"select {kept} from read_parquet('{arguments.data / 'adult.parquet'}')", list(COLUMNS), copies, source)
            for k in ("10",) if copies > 1 else ("2", "5", "10"):
                run = [*DUCKANON, "anonymize", source, "--job", job, "--k", k, "--max-suppression", "5%"]
                run += ["-o", output, "--overwrite", "-q"]
                peer = [arguments.peers, __file__, "--release", source, hierarchies, other, k]
                own, theirs = alternated(run, peer, arguments.runs, arguments.limit)
                about, case = manifest(output), f"anonymize, {32_561 * copies:,} rows, k = {k}"
                result = f"levels {list(about['recoding']['levels'].values())}, loss {about['metrics']['loss']:.4f}"
                print_line(case, "duckanon", own, own, result)
                message = "" if theirs[-1].failure else f"levels {json.loads(theirs[-1].output.splitlines()[-1])[1]}"
                print_line(case, "anjana", theirs, own, message)
        if arguments.checks:
            check = [*DUCKANON, "check", source, "--qi", ",".join(COLUMNS), "--sensitive", SENSITIVE]
            own, theirs = alternated(check, [arguments.peers, __file__, "--report", source], arguments.checks, arguments.limit)
            case = f"check, {32_561 * arguments.copies[-1]:,} rows, nine models"
            print_line(case, "duckanon", own, own, "")
            print_line(case, "pycanon", theirs, own, "")
            print("\n```\n" + own[-1].output + theirs[-1].output + "```")
    return None


if __name__ == "__main__":
    main()
