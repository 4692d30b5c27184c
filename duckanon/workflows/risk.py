"""How likely it is that records of a file are told apart: measured as it stands."""

from collections.abc import Mapping, Sequence
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
from duckanon.job import prepare
from duckanon.job.options import Options, Run
from duckanon.job.prepare import Prepared
from duckanon.observers import Observer, Silent
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.risks.attackers import figures
from duckanon.risks.attributes import attributes
from duckanon.risks.column_sets import ClassRelation, column_sets
from duckanon.risks.sizes import Size, read_sizes
from duckanon.risks.uniqueness import estimates
from duckanon.risks.wildcards import wildcard_sizes
from duckanon.workflows import measure
from duckanon.workflows.measured_dataset import open_standing


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
    """The risk that records of a file are told apart by its quasi-identifiers, read and not changed.

    Gives a document: `status` (`measured`, or with `max_risk` `within` or `exceeded`), `risk` (each attacker's figures, uniques
    and class sizes), `wildcards` (the same where rows show stars, which may be any value; else None), `attributes` (what each
    quasi-identifier tells apart and adds), `pairs` and `sets` of them, and `population` (its uniques by every estimator, where a
    population tells its size, or the job's `population-size`). NULL is a value like any other. `max_risk` is held against the
    highest risk under prosecutor or journalist, against the share that a marketer gets right.
    """
    run, observer = run or Run(), observer or Silent()
    prepared = prepare.prepare(source, job, options or Options(), run)
    if max_risk is not None and not 0 < max_risk <= 1:
        raise JobError(f"--max-risk {max_risk:g} is no risk; write a share above 0 and at most 1, as in 0.09")
    with DuckDBEngine(run.settings, observer) as engine:
        document = _document(engine, prepared, sets, observer)
    if max_risk is None:
        return document
    held = attacker or ("prosecutor" if prepared.population is None else "journalist")
    measured = document["risk"][held] if held == "marketer" else document["risk"][held]["highest"]
    status = "exceeded" if measured > max_risk else "within"
    return document | {"status": status, "held": {"attacker": held, "risk": measured, "at_most": max_risk}}


def _document(engine: Engine, prepared: Prepared, sets: Sequence[Sequence[str]], observer: Observer) -> dict[str, Any]:
    standing = open_standing(engine, prepared, observer)
    entity = standing.job.entity
    names = standing.names
    for column in dict.fromkeys(name for column_set in sets for name in column_set):
        if column not in names:
            raise JobError(f"--set names {column!r}, which is not a quasi-identifier{did_you_mean(column, names)}")
    if entity is not None and standing.has_population:
        raise JobError("--population counts rows, and --entity counts persons; leave one out")
    measured = Requirement(KAnonymity(k=1, entity=entity), counts_population=standing.has_population)
    values.read_values(engine, standing.quasi_identifiers, MissingRule(), population=standing.has_population)
    measure.count(engine, names, measured)
    by_rows = read_sizes(engine, "present_classes")
    own = by_rows if entity is None else read_sizes(engine, "present_classes", size="_persons")
    population = read_sizes(engine, "present_classes", size="_population") if standing.has_population else None
    rows = sum(size.rows for size in by_rows)
    people = population_size(engine, prepared.job.population_size, rows, is_open=standing.has_population)
    classes = ClassRelation("present_classes", {name: name for name in names}, rows)
    wildcards = wildcard_sizes(engine, names, measure.SUPPRESSED)
    return {
        "duckanon": __version__,
        "status": "measured",
        "source": prepared.source.name,
        "quasi_identifiers": names,
        "rows": rows,
        "nulls": values.null_rows(engine, names),
        "risk": figures(own, population, of=entity or "rows"),
        "wildcards": _wildcards(wildcards),
        "attributes": attributes(engine, classes),
        "pairs": column_sets(engine, classes, list(combinations(names, 2))),
        "sets": column_sets(engine, classes, [list(column_set) for column_set in sets]),
        "population": None if people is None else estimates(by_rows, people),
    }


def _wildcards(sizes: Sequence[Size] | None) -> dict[str, Any] | None:
    """The figures where stars are any value; a note alone where they are too many to compare."""
    if sizes is None:
        return None
    if not sizes:
        return {"not_measured": "rows show stars in more than 24 different sets of columns"}
    return {"smallest": sizes[0].size, "uniques": sum(size.rows for size in sizes if size.size == 1)}
