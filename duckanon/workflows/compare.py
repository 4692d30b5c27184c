"""Compare algorithms, k and suppression limits in one run over one `combinations`."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from numbers import Integral
from pathlib import Path
from typing import Any, get_args

from duckanon import __version__
from duckanon.choices import REMOVED, Algorithm
from duckanon.dataset.location import Source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.owner import step
from duckanon.engine.protocol import Engine, row_count
from duckanon.errors import JobError, did_you_mean
from duckanon.hierarchy.attributes import lattice_of
from duckanon.job import prepare
from duckanon.job.column import Limit
from duckanon.job.options import Options, Run
from duckanon.observers import Observer, Silent
from duckanon.release import manifest_content
from duckanon.release.manifest_model.files import ClassSizes
from duckanon.release.microaggregation import create_figures
from duckanon.release.recoding import recoding_of
from duckanon.release.written_columns import spared_columns, with_dropped
from duckanon.reports.study import study
from duckanon.search import count, result
from duckanon.search.automatic import loss_of_all
from duckanon.search.count import Counted
from duckanon.search.variants import variant

Case = tuple[str, int, str]
"""An algorithm, a k, and a suppression limit as it is written."""


def compare(
    source: Path | str | Source | None = None,
    *,
    algorithms: Sequence[str] = ("optimal",),
    ks: Sequence[int] = (),
    limits: Sequence[str] = (),
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    report: Path | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Run every algorithm with every k and every limit on one input, which is counted once; write no release.

    The losses of all algorithms count leaves in every column, also for ranges, so that they can be compared. A column that `auto`
    drops is lost in `loss` and `precision`; the other metrics are of the columns that are left.

    Returns `rows`, `combinations`, `lattice`, `columns`, and `runs`: for each case its levels, suppressed rows, classes,
    metrics, proven optimality, seconds of the search and visited nodes, and with a target its `coefficients`, `signs_kept` and
    `largest_difference`. `on_front` marks the runs on the Pareto front of loss
    and risk. Arguments that are left out have the values of the job. The caller writes the `report`; this function only
    refuses a report that would replace an input.
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
    if ks and (stated_job.adversaries or stated_job.any is not None):
        raise JobError("--k compares k for all quasi-identifiers together, but the job has adversaries; leave --k out")
    with DuckDBEngine(run.settings, observer or Silent()) as engine:
        engine.restrict(prepared.files)
        counted = count.count(engine, prepared, observer or Silent())
        counted = replace(counted, spared=spared_columns(engine, counted))
        combinations = row_count(engine, "combinations")
        cases = product(
            algorithms or [stated_job.recoding.algorithm], ks or [stated_job.k], limits or [stated_job.suppression.limit]
        )
        runs = [_searched(engine, counted, case) for case in cases]
    _mark_front(runs)
    return {
        "duckanon": __version__,
        "source": prepared.source.name,
        "rows": counted.rows,
        "combinations": combinations,
        "lattice": lattice_of(counted.attributes).size,
        "columns": [attribute.name for attribute in counted.attributes],
        "runs": runs,
    }


def _check(algorithms: Sequence[str], ks: Sequence[int], limits: Sequence[str]) -> None:
    for name in algorithms:
        if name in REMOVED:
            raise JobError(f"algorithm {name!r} of --algorithms was removed; use {REMOVED[name]}")
        if name not in get_args(Algorithm):
            raise JobError(f"algorithm {name!r} of --algorithms is unknown{did_you_mean(str(name), get_args(Algorithm))}")
    for k in ks:
        if not isinstance(k, Integral):
            raise JobError(f"--k needs whole numbers, not {type(k).__name__}")
        if k < 1:
            raise JobError(f"--k {k} is below 1; 1 switches k-anonymity off")
    for limit in limits:
        try:
            Limit.parse(str(limit))
        except ValueError as error:
            raise JobError(f"--max-suppression: {error}") from error
    for name, given in (("--algorithms", algorithms), ("--k", ks), ("--max-suppression", limits)):
        if twice := next((value for value in given if list(given).count(value) > 1), None):
            raise JobError(f"{name} names {twice} twice; name it once")


def _searched(engine: Engine, counted: Counted, case: Case) -> dict[str, Any]:
    """Run one case as a separate search, without cached figures of other searches."""
    algorithm, k, limit = case
    varied = variant(counted, algorithm=algorithm, k=k, limit=limit)
    started = time.perf_counter()
    decided = result.decide(engine, varied, all_nodes=False)
    seconds = time.perf_counter() - started
    status = "found" if decided.is_feasible else "infeasible"
    recoding, metrics = decided.document(), decided.metrics()
    losses = metrics["loss_by_attribute"]
    if decided.is_feasible and len(losses) < len(counted.attributes):
        metrics |= {
            "loss": loss_of_all(decided, counted),
            "precision": metrics["precision"] * len(losses) / len(counted.attributes),
            "loss_by_attribute": {attribute.name: losses.get(attribute.name, 1.0) for attribute in counted.attributes},
        }
    suppressed = 0.0 if varied.job.keep_suppressed_rows else decided.figures.suppressed / counted.rows
    if decided.is_feasible:
        metrics |= with_dropped(decided.counted, metrics["loss_by_attribute"], suppressed)
    classes = manifest_content.class_sizes(decided.figures, keep_suppressed_rows=varied.job.keep_suppressed_rows)
    return {
        "algorithm": algorithm,
        "k": k,
        "limit": limit,
        "status": status,
        **_recoded(recoding),
        "suppressed": decided.figures.suppressed,
        "classes": classes.count,
        "smallest": classes.smallest,
        **_risk(decided, classes),
        **metrics,
        "objective": recoding["objective"],
        "visited": recoding.get("visited"),
        "seconds": round(seconds, 6),
        **({} if counted.job.target is None else _study(engine, decided)),
    }


@step
def _study(engine: Engine, decided: result.SearchResult) -> dict[str, Any]:
    """What a study of the target would find in the release of a case: of how many coefficients, how many keep their sign, and the largest difference of a group's mean or share.

    None for a case without a release.
    """
    figures: dict[str, Any] = dict.fromkeys(("coefficients", "signs_kept", "largest_difference"))
    if not decided.is_feasible:
        return figures
    counted = decided.counted
    needed = {attribute.name for attribute in counted.attributes} | {counted.job.target}
    columns = tuple(column for column in counted.plan.released if column.name in needed)
    recoding = replace(recoding_of(decided, counted), columns=columns, treatments={}, carried=())
    for statement in recoding.class_statements():
        engine.create_table(statement)
    create_figures(engine, recoding)
    engine.create_view(recoding.recoded_statement(suppresses=decided.figures.suppressed > 0, texts=None))
    for outcome in study(engine, counted, recoding, "recoded"):
        if outcome["kind"] != "none":
            model, moved = outcome["model"], outcome["largest_difference"]
            figures |= {"coefficients": model["estimated"], "signs_kept": model["signs_kept"]}
            figures["largest_difference"] = abs(moved["after"] - moved["before"]) if moved else None
    return figures


def _risk(decided: result.SearchResult, classes: ClassSizes) -> dict[str, Any]:
    """The highest and the average risk of a record, by persons if the job counts them; None if nothing is released."""
    smallest, average = classes.smallest, 1 / classes.average if classes.average else None
    if decided.requirement.counts_persons and not decided.requirement.adversaries and classes.smallest:
        achieved = decided.achieved()
        smallest, average = int(achieved.least[0] or 0), float(achieved.average_risk)
    return {"risk": 1 / smallest if smallest else None, "average_risk": average}


def _recoded(recoding: Mapping[str, Any]) -> dict[str, Any]:
    """The levels and their sum; for local recoding the number of regions."""
    if "levels" in recoding:
        return {"levels": recoding["levels"], "height": sum(recoding["levels"].values())}
    regions = {"partitions": recoding["partitions"]} if "partitions" in recoding else {"passes": len(recoding["passes"])}
    return {"levels": None, "height": None, **regions}


def _mark_front(runs: list[dict[str, Any]]) -> None:
    """Set `on_front` if no other run has less loss at no more risk, or less risk at no more loss."""
    feasible = [run for run in runs if run["status"] == "found"]
    for run in runs:
        run["on_front"] = run in feasible and not any(_beats(other, run) for other in feasible)


def _beats(run: Mapping[str, Any], other_run: Mapping[str, Any]) -> bool:
    mine, theirs = (run["loss"], run["risk"]), (other_run["loss"], other_run["risk"])
    return mine != theirs and mine[0] <= theirs[0] and mine[1] <= theirs[1]
