"""The same job on DuckDB and on Spark, whole processes in turn, and where the seconds and the bytes go on Spark.

    python benchmarks/spark.py --folder /somewhere/with/room --engine spark://127.0.0.1:7077 [--engine sc://127.0.0.1:15002]

The cluster runs already. Where it writes event logs (spark.eventLog.enabled), `--events` names their folder, and what
the last run shuffled and wrote is told by relation (what it read is not: Spark does not count it on local files). The files are those of `scale.py`, made once in the folder.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runs import DUCKANON, fresh, heading, line, machine, middle
from scale import FOUR, NINE, Case, made

_PASSES = {"counts": "count", "scattered": "write"}
"""The two passes over the rows, by the relation that each makes."""

_METRICS = {
    "shuffled": ("Shuffle Write Metrics", "Shuffle Bytes Written"),
    "written": ("Output Metrics", "Bytes Written"),
}


def steps(workspace: Path) -> dict[str, float]:
    """Seconds by relation."""
    import duckdb

    with duckdb.connect(str(workspace), read_only=True) as connection:
        query = "select relation, sum(seconds) from duckanon.steps group by relation"
        return {str(relation): float(seconds) for relation, seconds in connection.execute(query).fetchall()}


def tasks(events: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The tasks of the application that was last, each with the relation that it worked for."""
    newest = max((path for path in events.rglob("events_*") if path.is_file()), key=lambda path: path.stat().st_mtime)
    relations: dict[int, str] = {}
    for text in newest.read_text(encoding="utf-8").splitlines():
        event = json.loads(text)
        if event["Event"] == "SparkListenerJobStart":
            name = (event.get("Properties") or {}).get("spark.job.description", "")
            relations |= dict.fromkeys(event["Stage IDs"], name)
        elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
            yield relations.get(event["Stage ID"], ""), event["Task Metrics"]


def measure(
    title: str, source: Path, hierarchies: dict[str, object], engines: list[str], arguments: argparse.Namespace
) -> None:
    """A line an engine."""
    job, workspace = arguments.folder / "job.json", arguments.folder / "work.duckdb"
    columns = {name: {"role": "quasi-identifier", "hierarchy": hierarchy} for name, hierarchy in hierarchies.items()}
    job.write_text(json.dumps({"columns": columns, "others": "keep"}))
    done: dict[str, list[Any]] = defaultdict(list)
    spent: dict[str, list[dict[str, float]]] = defaultdict(list)
    for _ in range(arguments.runs):
        for engine in engines:
            output = arguments.folder / ("out.parquet" if engine == "duckdb" else "out")
            command = [*DUCKANON, "anonymize", source, "--job", job, "--k", "5", "--max-suppression", "1%", "-o", output]
            command += ["--overwrite", "-q", "--engine", engine, "--workspace", workspace]
            done[engine].append(fresh(command))
            if failure := done[engine][-1].failure:
                raise SystemExit(f"{engine}: {failure}")
            counts = steps(workspace)
            passes = {kind: counts.get(relation, 0) for relation, kind in _PASSES.items()}
            if engine == "duckdb":
                passes["write"] = counts.get("recoded", 0)
            spent[engine].append({**passes, "statements": sum(counts.values())})
    for engine in engines:
        whole = middle(done[engine])
        count, write, statements = (
            middle(spent[engine], lambda entry, key=key: entry[key]) for key in ("count", "write", "statements")
        )
        line(
            f"{title}: {engine.partition('://')[0]}",
            f"{whole:.1f}",
            f"{count:.1f}",
            f"{write:.1f}",
            f"{(count + write) / whole:.0%}",
            f"{statements:.1f}",
            f"{whole / middle(done['duckdb']):.1f}",
        )


def moved(events: Path) -> None:
    """A line a relation: the bytes and the seconds of the executors."""
    totals: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for relation, metrics in tasks(events):
        for name, (group, key) in _METRICS.items():
            totals[relation][name] += metrics.get(group, {}).get(key, 0)
        totals[relation]["seconds"] += metrics["Executor CPU Time"] / 1e9
    print()
    heading("relation", "shuffled MB", "written MB", "CPU s")
    for relation, total in totals.items():
        if total["seconds"] < 0.1:
            continue
        line(f"`{relation}`", *(f"{total[name] / 1e6:.2f}" for name in _METRICS), f"{total['seconds']:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--engine", action="append", required=True)
    parser.add_argument("--events", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000_000])
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    print(f"{machine()}; medians of {arguments.runs}\n")
    heading("case and engine", "whole s", "count s", "write s", "of the whole", "all statements s", "times DuckDB")
    for rows in arguments.rows:
        source = made(Case("people", "demo", rows, FOUR), arguments.folder)
        for hierarchies in (FOUR, NINE):
            title = f"{rows:,} rows, {len(hierarchies)} quasi-identifiers"
            measure(title, source, hierarchies, ["duckdb", *arguments.engine], arguments)
            if arguments.events is not None:
                moved(arguments.events)


if __name__ == "__main__":
    main()
