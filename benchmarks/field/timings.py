"""The seconds of P4, a parallel ARX, as its evaluation reports them, beside ours on Adult enlarged to the same numbers of rows."""

import json
from pathlib import Path
from typing import Any

from benchmarks.runs import DUCKANON, fresh, manifest, quoted, repeated

PUBLISHED = {5_000_000: (1_240, 90), 20_000_000: (2_483, 354), 85_000_000: (4_778, 1_544)}
"""Rows, and P4's seconds with one thread and with 64 (k = 50, no limit of suppression). P4 enlarged Adult in its own way."""

RECORDS = 30_162
"""Records of ARX's cut of Adult."""


def measure(folder: Path, data: Path, rows: list[int]) -> dict[str, Any]:
    """Wall seconds, search seconds and GB of one run for each number of rows; the file is made first, and does not count."""
    hierarchies = data / "arx-adult"
    names = sorted(path.stem.removeprefix("adult_hierarchy_") for path in hierarchies.glob("adult_hierarchy_*.csv"))
    columns = {
        name: {"role": "quasi-identifier", "hierarchy": str(hierarchies / f"adult_hierarchy_{name}.csv")} for name in names
    }
    job, output = folder / "p4.json", folder / "p4.parquet"
    job.write_text(json.dumps({"columns": columns, "recoding": {"aggregate": "geometric-mean"}}), encoding="utf-8")
    adult = f"read_csv('{hierarchies / 'adult.csv'}', delim = ';', all_varchar = true)"
    measured: dict[str, Any] = {}
    for number in rows:
        source = folder / f"adult-{number}.parquet"
        if not source.exists():
            repeated(f"select {', '.join(map(quoted, names))} from {adult}", names, -(-number // RECORDS), source)
        command = [*DUCKANON, "anonymize", source, "--job", job, "--k", "50", "--max-suppression", "100%"]
        ended = fresh([*command, "-o", output, "--overwrite", "-q"])
        if ended.failure:
            raise SystemExit(f"{number:,} rows: {ended.failure}")
        seconds = manifest(output)["seconds"]
        measured[str(number)] = {
            "wall": ended.wall,
            "search": seconds["search"],
            "peak": ended.peak,
            "published": PUBLISHED[number],
        }
    return measured
