"""Mondrian beside Python packages that do it in pandas, in turn, each in a fresh process, and on a large file beside its copy.

Every command reads Parquet and writes a Parquet row for every row that it read; "call" is what of its wall seconds the tool
itself takes (ours with counting, writing and verifying; a peer without imports, reading and writing). Classes are distinct
released tuples. The loss of a peer is computed here, from the rows and what they show, by the measure of our manifest: a range
loses the difference of the original values in a class, as a share of the column's; a set loses the values in it less one, as a
share of the column's. Our ranges of text lose by places in the alphabet, so that places between the ends count even where no
row of the class has them, which for a peer's sets they do not.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from runs import DUCKANON, Ended, combinations, copied, fresh, manifest

K = 10
SENSITIVE = "income"
NUMBERS = ["age", "education-num"]
CASES = {
    "a": ("adult", NUMBERS),
    "b": ("adult", ["age", "sex", "education-num"]),
    "c": ("adult", ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]),
    "fine": ("fine", NUMBERS),
}
FINE_ROWS = 100_000
FLAT = ["sex", "race", "workclass", "occupation", "native-country", "education"]
LARGE: dict[str, Any] = {
    "age": {"role": "quasi-identifier"},
    **{name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in FLAT},
    "marital-status": {"role": "quasi-identifier", "hierarchy": "adult/five-year/marital-status"},
    "capital-loss": {"role": "quasi-identifier"},
}
SHOWN = "shown "


def anonypy(frame: Any, qi: list[str]) -> Any:
    """What `anonypy.Preserver(...).anonymize_k_anonymity(K)` does, in its two steps: partitions tell a record's rows."""
    package, mondrian = import_module("anonypy"), import_module("anonypy.mondrian")
    frame = frame.astype({name: "category" for name in [*qi, SENSITIVE] if name not in NUMBERS})
    partitions = mondrian.Mondrian(frame, qi, SENSITIVE).partition(K)
    records = import_module("pandas").DataFrame(package.anonymize(frame, partitions, qi, SENSITIVE))
    # a partition has a record a sensitive value, with its count, in the order of the partitions
    return records.loc[records.index.repeat(records["count"]), qi].set_index(partitions[0].append(partitions[1:]))


def umbra_k(frame: Any, qi: list[str]) -> Any:
    """What every row shows."""
    return import_module("umbra_k").MondrianAnonymizer(k=K, quasi_id=qi).fit_transform(frame)[qi]


PEERS = {"anonypy": anonypy, "umbra_k": umbra_k}


def release(peer: str, source: str, output: str, qi: list[str]) -> None:
    """One run of a peer, in its environment: writes the rows beside what they show, and prints the seconds of its call."""
    import_module(peer)
    frame = import_module("pandas").read_parquet(source, columns=[*qi, SENSITIVE])
    started = time.perf_counter()
    shown = PEERS[peer](frame, qi)
    print(time.perf_counter() - started)
    frame[qi].join(shown.add_prefix(SHOWN)).to_parquet(output, index=False)


def ours(source: Path, output: Path, columns: dict[str, Any], *more: str) -> list[str | Path]:
    """Our command; its job file lies beside the output."""
    job = output.with_suffix(".json")
    job.write_text(json.dumps({"columns": columns}))
    command = [*DUCKANON, "anonymize", source, "-o", output, "--job", job, "--algorithm", "mondrian", "--k", str(K)]
    return [*command, "--max-suppression", "0", "--set", "output.shuffle=false", "--overwrite", "-q", *more]


def tables(source: Path, folder: Path) -> None:
    """Adult without rows that have a '?', and its rows over and over with ages in days and education in hundredths."""
    import duckdb

    adult, fine = folder / "adult.parquet", folder / "fine.parquet"
    duckdb.execute(f"copy (from read_parquet('{source}') where columns(*)::varchar <> '?') to '{adult}'")
    duckdb.execute(
        f"""
        copy (
            select
                cast(age * 365 + md5_number('age' || n) % 365 as integer) as age,
                cast("education-num" * 100 + md5_number('education' || n) % 100 as integer) as "education-num",
                {SENSITIVE}
            from range({FINE_ROWS}) as numbers (n)
            join read_parquet('{adult}', file_row_number = true) as adult
                on file_row_number = n % (select count(*) from read_parquet('{adult}'))
            order by n
        ) to '{fine}'
        """
    )


def classes_of(output: Path, qi: list[str]) -> tuple[int, int, float]:
    """Classes of a peer's release, the smallest, and the sum of the columns' losses."""
    import duckdb

    widths = [f'max("{name}") - min("{name}")' if name in NUMBERS else f'count(distinct "{name}") - 1' for name in qi]
    named = ", ".join(f"{width} as w{number}" for number, width in enumerate(widths))
    lost = " + ".join(f"classes.w{number} / whole.w{number}" for number in range(len(qi)))
    labels = ", ".join(f'"{SHOWN}{name}"' for name in qi)
    [row] = duckdb.execute(
        f"""
        with whole as (select {named} from read_parquet('{output}')),
        classes as (select count(*) as size, {named} from read_parquet('{output}') group by {labels})
        select count(*), min(size), sum(size * ({lost})) / sum(size) from classes cross join whole
        """
    ).fetchall()
    return row


def compared(case: str, folder: Path, peers: str, runs: int, limit: float) -> Iterator[list[str]]:
    """A line a tool."""
    file, qi = CASES[case]
    source, output = folder / f"{file}.parquet", {tool: folder / f"{case}-{tool}.parquet" for tool in ("duckanon", *PEERS)}
    columns = {name: {"role": "quasi-identifier"} | ({} if name in NUMBERS else {"cut": "order"}) for name in qi}
    commands = {"duckanon": ours(source, output["duckanon"], columns | {SENSITIVE: {"role": "sensitive"}})}
    for peer in PEERS:
        commands[peer] = [peers, __file__, "--release", peer, source, output[peer], json.dumps(qi)]
    done: dict[str, list[Ended]] = {tool: [] for tool in commands}
    for _ in range(runs):
        for tool, command in commands.items():
            if not any(run.failure for run in done[tool]):
                done[tool].append(fresh(command, limit))
    for tool, ended in done.items():
        if ended[-1].failure:
            yield [case, tool, ended[-1].failure, *[""] * 6]
            continue
        if tool == "duckanon":
            document = manifest(output[tool])
            calls = [document["seconds"]["total"]]
            classes = document["classes"]["count"], document["classes"]["smallest"], document["metrics"]["loss_sum"]
        else:
            calls, classes = [float(run.output) for run in ended], classes_of(output[tool], qi)
        ratios = [run.wall / own.wall for run, own in zip(ended, done["duckanon"], strict=False) if not own.failure]
        yield [
            case,
            tool,
            f"{statistics.median(run.wall for run in ended):.2f}",
            f"{statistics.median(calls):.2f}",
            f"{max(run.peak for run in ended):.0f}",
            f"{classes[0]:,}",
            f"{classes[1]:,}",
            f"{classes[2]:.4f}",
            f"{statistics.median(ratios):.2f}" if ratios else "",
        ]


def large(rows: int, runs: int, folder: Path) -> None:
    """Prints our figures for nine quasi-identifiers of a made-up file, and the ratio to its copy.

    The other columns are kept, but for those that give a quasi-identifier away, which our command drops.
    """
    source, output = folder / "demo.parquet", folder / "large.parquet"
    subprocess.run([*DUCKANON, "demo", "--rows", str(rows), "-o", source, "-q"], check=True)
    command = ours(source, output, LARGE, "--others", "keep", "--memory-limit", "6GB")
    copy = copied(source, folder / "copy.parquet", os.cpu_count() or 1)
    fresh(copy)
    pairs = []
    for _ in range(runs):
        pairs.append((fresh(command), fresh(copy)))
        if failure := pairs[-1][0].failure or pairs[-1][1].failure:
            raise SystemExit(failure)
    document = manifest(output)
    whole, plain = (statistics.median(run.wall for run in column) for column in zip(*pairs, strict=True))
    print(
        f"{rows:,} rows, {len(LARGE)} quasi-identifiers, {combinations(source, list(LARGE)):,} combinations: {document['recoding']['rounds']} rounds, "
        f"{document['recoding']['partitions']:,} partitions, loss_sum {document['metrics']['loss_sum']:.4f}; "
        f"{whole:.1f} s, {max(run.peak for run, _ in pairs):,.0f} MB, copy {plain:.1f} s, "
        f"ratio {statistics.median(run.wall / own.wall for run, own in pairs):.2f}; {document['seconds']}"
    )


def main() -> None:
    """Prints a line a case and tool (medians, the most memory, our call of the last run), and a line for the large file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="a Python with peers/benchmarks.txt; without it nothing is compared")
    parser.add_argument(
        "--source", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data" / "adult.parquet"
    )
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=180, help="seconds after which a run of a case is killed")
    parser.add_argument("--large", type=int, default=0, metavar="ROWS", help="rows of the large file; 0: none")
    parser.add_argument("--release", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.release:
        peer, source, output, qi = arguments.release
        return release(peer, source, output, json.loads(qi))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if arguments.peers:
            tables(arguments.source, folder)
            print("| case | tool | wall s | call s | peak MB | classes | smallest | loss_sum | times ours |")
            print("| --- | --- | --: | --: | --: | --: | --: | --: | --: |")
            for case in arguments.cases:
                for line in compared(case, folder, arguments.peers, arguments.runs, arguments.limit):
                    print(f"| {' | '.join(line)} |", flush=True)
        if arguments.large:
            large(arguments.large, arguments.runs, folder)
    return None


if __name__ == "__main__":
    main()
