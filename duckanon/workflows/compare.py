"""Algorithms, k and suppression limits compared, in one run over one `combinations`."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from duckanon import __version__
from duckanon.choices import Algorithm
from duckanon.dataset.location import Source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError
from duckanon.hierarchy.attributes import lattice_of
from duckanon.job import prepare
from duckanon.job.model import Limit
from duckanon.job.options import Options, Run
from duckanon.observers import Observer, Silent
from duckanon.release import manifest_content
from duckanon.search import count, result
from duckanon.search.count import Counted
from duckanon.search.variants import variant

Case = tuple[Algorithm, int, str]
"""An algorithm, a k, and a suppression limit as it is written."""


def compare(
    source: Path | str | Source | None = None,
    *,
    algorithms: Sequence[Algorithm] = ("optimal",),
    ks: Sequence[int] = (),
    limits: Sequence[str] = (),
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    report: Path | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Every algorithm with every k and every limit on one input, which is counted once and never written.

    Losses count leaves in every column, ranges too, so that algorithms can be held against each other.

    Gives `rows`, `combinations`, `lattice`, `columns`, and `runs`: for each case its levels, suppressed
    rows, classes, metrics, what was proven, seconds of the search and nodes visited; `on_front` marks the
    runs of which no other one has both less loss and less risk. What is left out stands as the job says it.
    A `report` is written by whoever asked; here it is only refused where it would replace something that is read.
    """
    run = run or Run()
    prepared = prepare.prepare(source, job, options or Options(), run)
    if algorithms and all(algorithm == "mondrian" for algorithm in algorithms):
        recoding = prepared.job.recoding.model_copy(update={"algorithm": "mondrian"})
        prepared = replace(prepared, job=prepared.job.model_copy(update={"recoding": recoding}))
    stated_job = prepared.job
    if report is not None:
        prepare.check_unread(prepared, report, f"report {str(report)!r}")
    _check(algorithms, ks, limits)
    with DuckDBEngine(run.settings, observer or Silent()) as engine:
        engine.confine(prepared.files)
        counted = count.count(engine, prepared, observer or Silent())
        [(combinations,)] = engine.query(render("lattice/combination_count"))
        cases = product(
            algorithms or [stated_job.recoding.algorithm], ks or [stated_job.k], limits or [stated_job.suppression.limit]
        )
        runs = [_searched(engine, counted, case) for case in cases]
    _mark_front(runs)
    return {
        "duckanon": __version__,
        "source": prepared.source.name,
        "rows": counted.rows,
        "combinations": int(combinations),
        "lattice": lattice_of(counted.attributes).size,
        "columns": [attribute.name for attribute in counted.attributes],
        "runs": runs,
    }


def _check(algorithms: Sequence[Algorithm], ks: Sequence[int], limits: Sequence[str]) -> None:
    for k in ks:
        if k < 1:
            raise JobError(f"--k {k} is below 1; 1 switches k-anonymity off")
    for limit in limits:
        try:
            Limit.parse(limit)
        except ValueError as error:
            raise JobError(f"--max-suppression: {error}") from error
    for name, given in (("--algorithms", algorithms), ("--k", ks), ("--max-suppression", limits)):
        if twice := next((value for value in given if list(given).count(value) > 1), None):
            raise JobError(f"{name} names {twice} twice; once is enough")


def _searched(engine: Engine, counted: Counted, case: Case) -> dict[str, Any]:
    """One case: the search of its own, on figures that no other search has asked for."""
    algorithm, k, limit = case
    varied = variant(counted, algorithm=algorithm, k=k, limit=limit)
    started = time.perf_counter()
    decided = result.decide(engine, varied, all_nodes=False)
    seconds = time.perf_counter() - started
    status = "found" if decided.is_feasible else "infeasible"
    recoding, metrics = decided.document(), decided.metrics()
    classes = manifest_content.class_sizes(decided.figures, stars=varied.job.stars)
    return {
        "algorithm": algorithm,
        "k": k,
        "limit": limit,
        "status": status,
        **_recoded(recoding),
        "suppressed": decided.figures.suppressed,
        "classes": classes.count,
        "smallest": classes.smallest,
        "risk": 1 / classes.smallest if classes.smallest else None,
        "average_risk": 1 / classes.average if classes.average else None,
        **metrics,
        "objective": recoding["objective"],
        "visited": recoding.get("visited"),
        "seconds": round(seconds, 6),
    }


def _recoded(recoding: Mapping[str, Any]) -> dict[str, Any]:
    """The levels and their sum, or how many regions are recoded apart."""
    if "levels" in recoding:
        return {"levels": recoding["levels"], "height": sum(recoding["levels"].values())}
    regions = {"partitions": recoding["partitions"]} if "partitions" in recoding else {"passes": len(recoding["passes"])}
    return {"levels": None, "height": None, **regions}


def _mark_front(runs: list[dict[str, Any]]) -> None:
    """Sets `on_front` where no other run has less loss at no more risk, or less risk at no more loss."""
    feasible = [run for run in runs if run["status"] == "found"]
    for run in runs:
        run["on_front"] = run in feasible and not any(_beats(other, run) for other in feasible)


def _beats(run: Mapping[str, Any], other_run: Mapping[str, Any]) -> bool:
    mine, theirs = (run["loss"], run["risk"]), (other_run["loss"], other_run["risk"])
    return mine != theirs and mine[0] <= theirs[0] and mine[1] <= theirs[1]
