"""Measure the re-identification risk of the records of a file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from duckanon import __version__
from duckanon.choices import Attacker
from duckanon.dataset import values
from duckanon.dataset.location import Source
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.population import population_size
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Engine
from duckanon.errors import JobError, did_you_mean
from duckanon.job import adversary, prepare
from duckanon.job.model import Job
from duckanon.job.options import Options, Run
from duckanon.job.prepare import Prepared
from duckanon.job.requirements import requirement_of
from duckanon.observers import Observer, Silent
from duckanon.privacy.judgement import judgement
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.risks.attackers import figures
from duckanon.risks.attributes import attributes
from duckanon.risks.column_sets import ClassRelation, column_sets
from duckanon.risks.sizes import Size, person_share, read_sizes
from duckanon.risks.small_sets import singled_out
from duckanon.risks.special_uniques import special_uniques
from duckanon.risks.uniqueness import estimates
from duckanon.risks.wildcards import wildcard_sizes
from duckanon.workflows import measure
from duckanon.workflows.measured_dataset import open_dataset


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
    measure.count(engine, names, measured)
    wildcards = wildcard_sizes(engine, names, measure.SUPPRESSED)
    rows = sum(size.rows for size in read_sizes(engine, "present_classes"))
    if wildcards is not None:
        measure.count(engine, names, measured, shown_only=True)
    by_rows = read_sizes(engine, "present_classes")
    own = by_rows if not k.entities else read_sizes(engine, "present_classes", size="_persons")
    population = read_sizes(engine, "present_classes", size="_population") if dataset.has_population else None
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
        "risk": figures(own, population, of=k.of, person_share=_person_share(engine, names, measured)),
        "wildcards": _wildcards(wildcards),
        "attributes": attributes(engine, classes, special),
        "singled_out": None if special is None else special.document(),
        "pairs": column_sets(engine, classes, list(combinations(names, 2))),
        "sets": column_sets(engine, classes, [list(column_set) for column_set in sets]),
        "population": None if people is None else estimates(by_rows, people),
    }
    if prepared.job.any is not None:
        [few] = judgement(requirement_of(dataset.job, dataset.columns), names, stars=False)["adversaries"]
        about = {"columns": prepared.job.any, "sets": len(few["sets"])}
        return document | {"any_columns": about | singled_out(engine, "present_classes", few)}
    adversary.check(prepared.job.adversaries, names)
    # last, because it counts other classes in the same relation
    seen = _by_adversary(engine, prepared.job, measured)
    return document | ({"adversaries": seen} if seen else {})


def _by_adversary(engine: Engine, job: Job, measured: Requirement) -> dict[str, Any]:
    """The figures of each adversary of the job, by the columns that it knows."""
    seen = {}
    for name, plan in job.adversaries.items():
        measure.count(engine, plan.columns, replace(measured, counts_population=False), shown_only=True)
        sizes = read_sizes(engine, "present_classes", size="_persons" if measured.counts_persons else "_rows")
        share = _person_share(engine, plan.columns, measured)
        seen[name] = {"columns": list(plan.columns), **figures(sizes, of=measured.k.of, person_share=share)}
    return seen


def _person_share(engine: Engine, names: Sequence[str], measured: Requirement) -> float | None:
    """The largest share of one person in the classes that were counted last; None if rows are counted."""
    return None if measured.k.entity is None else person_share(engine, names)


def _wildcards(sizes: Sequence[Size] | None) -> dict[str, Any] | None:
    """The figures if stars stand for any value; only a note if there are too many sets of masked columns."""
    if sizes is None:
        return None
    if not sizes:
        return {"not_measured": "rows show stars in more than 24 different sets of columns"}
    return {"smallest": sizes[0].size, "uniques": sum(size.rows for size in sizes if size.size == 1)}
