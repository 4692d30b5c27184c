"""Measure the re-identification risk of the records of a file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from duckanon import __version__
from duckanon.checks.classes import SUPPRESSED, count, risk_figures, sizes
from duckanon.checks.dataset import open_dataset
from duckanon.choices import Attacker
from duckanon.dataset import values
from duckanon.dataset.location import Source
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.opening import population_size
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Engine
from duckanon.errors import JobError, did_you_mean
from duckanon.job import adversary, prepare
from duckanon.job.options import Options, Run
from duckanon.job.prepare import Prepared
from duckanon.job.requirements import requirement_of
from duckanon.observers import Observer, Silent
from duckanon.privacy.evaluation import evaluation
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.risks.column_sets import ClassRelation, column_sets
from duckanon.risks.sizes import Size, singled_out, wildcard_sizes
from duckanon.risks.special_uniques import attributes, special_uniques
from duckanon.risks.uniqueness import estimates


def risk(
    source: Path | str | Source | None = None,
    *,
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    sets: Sequence[Sequence[str]] = (),
    max_risk: float | None = None,
    attacker: Attacker | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Measure the re-identification risk of the records of a file by its quasi-identifiers; the file is not changed.

    Returns a document:

    - `status`: `measured`, or with `max_risk` `within` or `exceeded`.
    - `risk`: figures of each adversary model, uniques and class sizes.
    - `suppressed`: rows with `*` in every quasi-identifier. They match any record, so no class and no risk counts them, unless all rows are such.
    - `wildcards`: the same if rows have stars, which may be any value; else None.
    - `attributes`: distinction, separation and contribution of each quasi-identifier. `pairs` and `sets`: of several together.
    - `singled_out`: by number of columns, the records that some set of so many columns singles out, and by column, how many of them need it.
    - `adversaries`, `any_columns`: the figures of each adversary of the job, by the columns that it knows.
    - `population`: population uniques by every estimator, if a population or `population-size` gives the size.

    NULL is a value like any other. `max_risk` is compared with the highest risk for prosecutor and journalist, and with the
    share of correct re-identifications for the marketer.
    """
    run, observer = run or Run(), observer or Silent()
    prepared = prepare.prepare(source, job, options or Options(), run)
    if max_risk is not None and not 0 < max_risk <= 1:
        raise JobError(f"--max-risk {max_risk:g} is not a risk; write a share above 0 and at most 1, such as 0.09")
    with DuckDBEngine(run.settings, observer) as engine:
        document = _document(engine, prepared, sets, observer)
    if max_risk is None:
        return document
    model = attacker or ("prosecutor" if prepared.population is None else "journalist")
    measured = document["risk"][model] if model == "marketer" else document["risk"][model]["highest"]
    status = "exceeded" if measured > max_risk else "within"
    return document | {"status": status, "held": {"attacker": model, "risk": measured, "at_most": max_risk}}


def _document(engine: Engine, prepared: Prepared, sets: Sequence[Sequence[str]], observer: Observer) -> dict[str, Any]:
    dataset = open_dataset(engine, prepared, observer)
    k = KAnonymity(k=1, entities=dataset.job.entities)
    names = dataset.names
    for column in dict.fromkeys(name for column_set in sets for name in column_set):
        if column not in names:
            raise JobError(f"--sets names {column!r}, which is not a quasi-identifier{did_you_mean(column, names)}")
    if k.entities and dataset.has_population:
        raise JobError("--population counts rows, and --entity counts persons; leave one out")
    measured = Requirement(k, counts_population=dataset.has_population)
    values.read_values(engine, dataset.quasi_identifiers, MissingRule(), population=dataset.has_population)
    count(engine, names, measured)
    wildcards = wildcard_sizes(engine, names, SUPPRESSED)
    rows = sum(size.rows for size in sizes(engine, counts_suppressed=True))
    if wildcards is not None:
        count(engine, names, measured, shown_only=True)
    by_rows = sizes(engine)
    shown = sum(size.rows for size in by_rows)
    people = population_size(engine, prepared.job.population_size, rows, is_open=dataset.has_population)
    classes = ClassRelation("present_classes", {name: name for name in names}, shown)
    special = special_uniques(engine, classes)
    document = {
        "duckanon": __version__,
        "status": "measured",
        "source": prepared.source.name,
        "quasi_identifiers": names,
        "rows": rows,
        "suppressed": rows - shown,
        "nulls": values.null_rows(engine, names),
        "risk": risk_figures(engine, names, measured),
        "wildcards": _wildcards(wildcards),
        "attributes": attributes(engine, classes, special),
        "singled_out": None if special is None else special.document(),
        "pairs": column_sets(engine, classes, list(combinations(names, 2))),
        "sets": column_sets(engine, classes, [list(column_set) for column_set in sets]),
        "population": None if people is None else estimates(by_rows, people),
    }
    if prepared.job.any is not None:
        [few] = evaluation(requirement_of(dataset.job, dataset.columns), names, keep_suppressed_rows=False).adversaries
        about = {"columns": prepared.job.any, "sets": len(few.sets)}
        return document | {"any_columns": about | singled_out(engine, "present_classes", few)}
    adversary.check(prepared.job.adversaries, names)
    # last, because it counts other classes in the same relation
    seen = {}
    for name, plan in prepared.job.adversaries.items():
        own = replace(measured, counts_population=False)
        count(engine, plan.columns, own)
        seen[name] = {"columns": list(plan.columns), **risk_figures(engine, plan.columns, own)}
    return document | ({"adversaries": seen} if seen else {})


def _wildcards(measured: Sequence[Size] | None) -> dict[str, Any] | None:
    """The figures if stars stand for any value; only a note if there are too many sets of masked columns."""
    if measured is None:
        return None
    if not measured:
        return {"not_measured": "rows show stars in more than 24 different sets of columns"}
    return {"smallest": measured[0].size, "uniques": sum(size.rows for size in measured if size.size == 1)}
