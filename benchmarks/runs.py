"""What every benchmark is made of: commands in fresh processes, their figures, and a table."""

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

DUCKANON: list[str | Path] = [sys.executable, "-m", "duckanon"]

# an installed package has its bytecode; with this variable a checkout would be compiled anew in each process
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

COPY = "import duckdb, sys; duckdb.execute(f\"set threads={sys.argv[3]}; copy (select * from read_parquet('{sys.argv[1]}')) to '{sys.argv[2]}'\")"


@dataclass(frozen=True)
class Ended:
    """A command that ended, or the reason why it has no figures."""

    wall: float
    cpu: float
    """Seconds of all cores."""
    peak: float
    """MB of resident memory."""
    output: str
    failure: str = ""


def measured(command: Sequence[str | Path], limit: float | None) -> Ended:
    """A command's figures; in a process of its own, whose children are this command alone."""
    started = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return Ended(0, 0, 0, "", f"killed after {limit:g} s")
    wall, used = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    failure = (done.stderr.strip().splitlines() or ["failed"])[-1] if done.returncode else ""
    return Ended(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, done.stdout, failure)


def fresh(command: Sequence[str | Path], limit: float | None = None) -> Ended:
    """`measured` in a small new process: what is resident here would count as the command's own."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(measured, (command, limit))


def in_turn(commands: dict[str, Sequence[str | Path]], runs: int) -> dict[str, list[Ended]]:
    """Every command once a turn, so that what slows the machine slows all of them; raises `SystemExit` where one fails."""
    done: dict[str, list[Ended]] = {title: [] for title in commands}
    for _ in range(runs):
        for title, command in commands.items():
            done[title].append(fresh(command))
            if failure := done[title][-1].failure:
                raise SystemExit(f"{title}: {failure}")
    return done


def searched(command: Sequence[str | Path], output: Path, runs: int) -> tuple[list[Ended], float]:
    """The same run several times, and the median of the seconds of its search; raises `SystemExit` where it fails."""
    ended, searches = [], []
    for _ in range(runs):
        ended += in_turn({"run": command}, 1)["run"]
        searches.append(manifest(output)["seconds"]["search"])
    return ended, statistics.median(searches)


def copied(source: Path, output: Path, threads: int) -> list[str | Path]:
    """DuckDB's own copy of a Parquet file."""
    return [sys.executable, "-c", COPY, source, output, str(threads)]


def manifest(output: Path) -> dict[str, Any]:
    """What our last run says of itself."""
    document: dict[str, Any] = json.loads(output.with_name(f"{output.name}.manifest.json").read_text())
    return document


def combinations(source: Path, names: Sequence[str]) -> int:
    """Distinct sets of values of those columns."""
    import duckdb

    named = ", ".join(f'"{name}"' for name in names)
    [(count,)] = duckdb.execute(f"select count(*) from (select distinct {named} from read_parquet('{source}'))").fetchall()
    return int(count)


def quoted(name: str) -> str:
    """A column in SQL."""
    return f'"{name}"'


def repeated(rows: str, drawn: Sequence[str], copies: int, output: Path) -> None:
    """Writes a query's rows so many times over; in the copies each value of some columns is drawn anew with probability 0.1."""
    import duckdb

    picks = ", ".join(
        f"""case when copy > 0 and hash(copy, number, {position}) % 10 = 0
            then drawn_{position}[cast(1 + hash(copy, number, {position}, 'draw') % total as bigint)] else {quoted(name)} end as {quoted(name)}"""
        for position, name in enumerate(drawn)
    )
    lists = ", ".join(f"list({quoted(name)}) as drawn_{position}" for position, name in enumerate(drawn))
    once = ", ".join(f"drawn_{position}" for position in range(len(drawn)))
    duckdb.execute(
        f"""
        copy (
            with numbered as (select row_number() over () as number, * from ({rows})),
            columns as (select {lists}, count(*) as total from numbered)
            select * exclude (copy, number, total, {once}) replace ({picks})
            from range({copies}) as copies (copy) cross join numbered cross join columns
        ) to '{output}' (format parquet)
        """
    )


def middle(runs: Sequence[Ended], figure: Callable[[Ended], float] = lambda run: run.wall) -> float:
    """The median of a figure."""
    return statistics.median(map(figure, runs))


def ratio(runs: Sequence[Ended], others: Sequence[Ended]) -> float:
    """The median of the quotients of wall seconds, turn by turn."""
    return statistics.median(run.wall / other.wall for run, other in zip(runs, others, strict=True))


def machine() -> str:
    """The day and what ran the figures."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{date.today().isoformat()}, {os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}, "
        f"DuckDB {version('duckdb')}, duckanon {version('duckanon')}"
    )


def heading(*columns: str) -> None:
    """The first two lines of a table; the columns after the first hold numbers."""
    line(*columns)
    line("---", *["--:"] * (len(columns) - 1))


def line(*cells: str) -> None:
    """A line of a table."""
    print(f"| {' | '.join(cells)} |", flush=True)
