"""The NIST excerpt of the American Community Survey (national 2019): our releases beside sdcMicro's published release at k = 6."""

import csv
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.field.kmarginal import k_marginal, quantile_edges
from benchmarks.field.labels import bin_shares, cell_loss

K = 6
FEATURES = ["AGEP", "SEX", "MSP", "RAC1P", "HOUSING_TYPE", "OWN_RENT", "EDU", "PINCP_DECILE", "DVET", "DEYE"]
"""The columns of the published release, all of them key variables: NIST's feature set `demographic-focused`."""

PUBLISHED = {"records": 18_720, "complete": 18_720, "target_uniques": 14_918, "uniques": 7_073, "score_complete": 907}
"""sdcMicro's release as NIST reports it: `sample-reports/acs_excerpt_reports/r_k_anonymity_k_6_demographic_focused_na2019/ui.json`
of github.com/usnistgov/SDNist. The release itself is not in that repository."""

_GROUPS: dict[str, list[str]] = {
    "SEX": [],
    "MSP": ["N 1|2 3|4|5 6", "N 1|2 3|4|5|6"],
    "RAC1P": ["1 2 3|4|5 6|7 8|9", "1 2 3|4|5|6|7|8|9"],
    "HOUSING_TYPE": ["1 2|3"],
    "OWN_RENT": ["0 1|2"],
    "EDU": ["N 1|2 3|4 5|6 7|8 9 10|11|12", "N|1|2|3|4 5|6|7|8 9|10|11|12"],
    "PINCP_DECILE": ["N 0|1 2|3 4|5 6|7 8|9", "N 0|1|2|3 4|5|6|7 8|9"],
    "DVET": ["N 1|2|3|4|5|6"],
    "DEYE": [],
}
"""The groups of each level above the values; above the last comes `*`."""

RELEASES: dict[str, list[str]] = {
    "duckanon optimal": ["--k", str(K), "--algorithm", "optimal", "--max-suppression", "5%"],
    "duckanon local": ["--k", str(K), "--algorithm", "local", "--max-suppression", "5%"],
    "duckanon mondrian": ["--k", str(K), "--algorithm", "mondrian", "--max-suppression", "0"],
    "duckanon --any 3, local": ["--k", str(K), "--any", "3", "--algorithm", "local", "--max-suppression", "5%"],
    "duckanon --any 2, local": ["--k", str(K), "--any", "2", "--algorithm", "local", "--max-suppression", "5%"],
}


def job(domains: dict[str, list[str]]) -> dict[str, Any]:
    """The job of all releases: age in intervals of 5, 10, 20 and 40 years, the other columns in the groups above."""
    columns: dict[str, Any] = {
        "AGEP": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10, 20, 40]}}
    }
    for name, levels in _GROUPS.items():
        rows = [[value, *(_group(value, level) for level in levels), "*"] for value in domains[name]]
        columns[name] = {"role": "quasi-identifier", "cut": "hierarchy", "hierarchy": {"kind": "table", "rows": rows}}
    return {"columns": columns}


def _group(value: str, level: str) -> str:
    return next(group for group in level.split() if value in group.split("|"))


def read(path: Path) -> list[tuple[str, ...]]:
    """The records of a CSV file, in the ten columns."""
    with path.open(newline="", encoding="utf-8") as file:
        return [tuple(row[name] for name in FEATURES) for row in csv.DictReader(file)]


def domains_of(target: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """The values of each column that the source has, numbers in their order."""
    columns = zip(FEATURES, zip(*target, strict=True), strict=True)
    return {
        name: sorted(set(values), key=lambda value: (not value.isdigit(), int(value) if value.isdigit() else 0, value))
        for name, values in columns
    }


def figures(target: Sequence[tuple[str, ...]], release: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    """What a release costs and what it republishes; records that a release leaves out lose all."""
    domains = list(domains_of(target).values())
    edges: list[Sequence[float]] = [quantile_edges([float(row[0]) for row in target]), *([()] * (len(FEATURES) - 1))]
    labels = [set(column) for column in zip(*release, strict=True)] if release else [set() for _ in domains]
    before = [bin_shares(*about) for about in zip(domains, domains, edges, strict=True)]
    after = [bin_shares(*about) for about in zip(labels, domains, edges, strict=True)]
    complete = [row for row in release if all(value in domain for value, domain in zip(row, domains, strict=True))]
    losses = [{label: cell_loss(label, domain) for label in column} for column, domain in zip(labels, domains, strict=True)]
    lost = sum(sum(loss[label] for loss, label in zip(losses, row, strict=True)) for row in release)
    uniques = {row for row, count in Counter(target).items() if count == 1}
    return {
        "records": len(release),
        "complete": len(complete),
        "target_uniques": len(uniques),
        "uniques": len(uniques & set(release)),
        "release_uniques": sum(count == 1 for count in Counter(release).values()),
        "smallest": min(Counter(release).values(), default=0),
        "smallest_of_three": min(smallest_of(release, 3)),
        "loss": (lost / len(FEATURES) + len(target) - len(release)) / len(target),
        "score_complete": k_marginal(target, complete, before, before),
        "score_spread": k_marginal(target, release, before, after),
    }


def smallest_of(release: Sequence[tuple[str, ...]], size: int) -> Iterator[int]:
    """The smallest class by each set of so many columns."""
    for columns in combinations(range(len(FEATURES)), size):
        yield min(Counter(tuple(row[column] for column in columns) for row in release).values(), default=0)


def measure(folder: Path, data: Path, library: Path | None) -> dict[str, Any]:
    """The figures of each release, by its name; with an R library that has sdcMicro, those of a run of it too.

    The run of sdcMicro takes long: its result in the folder is used again.
    """
    source = data / "nist-acs-national-2019.csv"
    target = read(source)
    (folder / "job.json").write_text(json.dumps(job(domains_of(target))), encoding="utf-8")
    measured: dict[str, Any] = {"sdcMicro (published)": PUBLISHED}
    if library:
        output = folder / "sdcmicro.csv"
        if not output.exists():
            script = Path(__file__).with_name("suppress.R")
            subprocess.run(["Rscript", script, library, source, output, ",".join(FEATURES), str(K)], check=True)
        measured["sdcMicro (run again)"] = figures(target, read(output))
    for name, options in RELEASES.items():
        output = folder / f"{name.replace(' ', '-')}.csv"
        command: list[str | Path] = [
            sys.executable,
            "-m",
            "duckanon",
            "anonymize",
            source,
            "-o",
            output,
            "--job",
            folder / "job.json",
            "--overwrite",
        ]
        subprocess.run([*command, "--entity", "none", "-q", *options], check=True)
        measured[name] = figures(target, read(output))
    return measured
