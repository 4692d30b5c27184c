"""Encode further rows by the saved recoding of a release, for a model that was trained on it. This makes no release and guarantees nothing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.dataset.names import find_column
from duckanon.dataset.opening import open_source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column, Engine, Form, row_count
from duckanon.engine.templates import render
from duckanon.errors import JobError
from duckanon.formatting import in_rows
from duckanon.job import deidentification
from duckanon.job.column import ColumnPlan
from duckanon.job.model import ROWS, Job, KAnonymityRequirement
from duckanon.job.options import Options, Run
from duckanon.job.prepare import Prepared, prepare
from duckanon.observers import Caution, Observer, Silent
from duckanon.release import ranges, saved_recoding
from duckanon.release.recoding import Recoding, recoding_of
from duckanon.search import count, local_recoding, result
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult

_ROW = "_row"


def transform(manifest: Path, source: Path | str | Source, draft: Path, run: Run, observer: Observer) -> list[str]:
    """Write the rows of `source`, in their order, as the release of a manifest shows them, to a Parquet file; return its columns.

    It returns no columns, and writes nothing, if the source has no rows. Raises `JobError` if the source lacks a column of the release,
    or if the release has microaggregated columns.
    """
    job_file = saved_recoding.find(manifest)
    run = replace(run, settings=replace(run.settings, engine="duckdb", workspace=None))
    prepared = prepare(source, job_file, Options(), run, is_applied=True)
    if named := [name for name, plan in prepared.job.columns.items() if plan.microaggregate is not None]:
        raise JobError(
            f"{named[0]!r} shows figures of classes (--microaggregate), which further rows do not have; release them by duckanon.apply"
        )
    key = deidentification.read_key(run.key_file, observer) if prepared.job.is_keyed else None
    with DuckDBEngine(run.settings, observer) as engine:
        engine.restrict([*prepared.files, draft])
        columns = open_source(engine, prepared.source)
        for name in prepared.job.columns:
            find_column(columns, name, "column")
        if not row_count(engine, "source"):
            return []
        counted, number = _counted(engine, prepared, columns)
        if local_recoding.is_local(counted.job):
            decided: SearchResult = local_recoding.encoded(engine, counted, job_file.parent)
        else:
            decided = result.decide(engine, counted, all_nodes=False)
        counted = decided.counted
        recoding = recoding_of(decided, counted)
        for statement in recoding.class_statements():
            engine.create_table(statement)
        recoding = ranges.with_ranges(engine, counted, recoding, Silent(), is_total=True)
        bound = deidentification.bound(counted.plan.treatments, key, counted.job.release)
        engine.create_table(recoding.recoded_statement(suppresses=False, texts=None), bound=bound)
        _warn(counted, counted.rows - row_count(engine, "recoded"), observer)
        cells = _cells(recoding, number)
        hidden = [] if counted.drift is None else [*counted.drift.values]
        statement = render("release/encoded", number=number, cells=cells, hidden=hidden)
        engine.write(statement, draft, Form("parquet"), stage="encoding the rows")
    return [cell["name"] for cell in cells]


def _counted(engine: Engine, prepared: Prepared, columns: list[Column]) -> tuple[Counted, str]:
    """The counts of the source, and its further column with the number of each row."""
    number = _ROW
    while number in [column.name for column in columns]:
        number += "_"
    engine.create_table(render("release/numbered_rows", number=number))
    engine.drop("source")
    engine.create_view(render("dataset/copy", "source", relation="numbered_rows"))
    numbered = [Column(number, "BIGINT"), *columns]
    job = _without_requirements(prepared.job, number)
    prepared = replace(prepared, job=job, opened=numbered, population=None, cautions=(), keeps_rows=True)
    return count.count(engine, prepared, Silent()), number


def _without_requirements(job: Job, number: str) -> Job:
    """The job with its recoding and its released columns, and nothing that classes of rows must satisfy."""
    plans = {
        name: plan.model_copy(update={"role": "insensitive", "hierarchy": None, "order": None})
        if plan.role == "sensitive"
        else plan
        for name, plan in job.columns.items()
    }
    return job.model_copy(
        update={
            "columns": {number: ColumnPlan(role="insensitive"), **plans},
            "privacy": [KAnonymityRequirement(model="k-anonymity", k=1)],
            **dict.fromkeys(("any", "policy", "population", "population_size")),
            "adversaries": {},
            "determined": {},
            "protect": [],
            "decide_on": "all",
            "entity": ROWS,
            "suppression": job.suppression.model_copy(update={"limit": "100%"}),
            # rows with missing values stay too
            "missing": job.missing.model_copy(update={"policy": "value"}) if job.missing.policy == "drop" else job.missing,
        }
    )


def _cells(recoding: Recoding, number: str) -> list[dict[str, Any]]:
    """The columns for the template: retained ones with their `type`, the others with what shows that they are not covered."""
    written = {ranges.name: ranges.columns for ranges in recoding.ranged}
    cells: list[dict[str, Any]] = []
    for column in recoding.columns:
        leader = column.name if column.name in recoding.names else recoding.followers.get(column.name)
        type = recoding.type_of(column)
        if column.name == number:
            continue
        if leader is None and column.name not in recoding.treatments:
            cells.append({"name": column.name, "type": type})
            continue
        for each in written.get(column.name, [Column(column.name, type)]):
            uncovered = "'*'" if each.type == "VARCHAR" else "null"
            cells.append({"name": each.name, "type": None, "leader": leader, "uncovered": uncovered})
    return cells


def _warn(counted: Counted, unplaced: int, observer: Observer) -> None:
    """Warn of the rows that are not covered, and of the columns with such values."""
    drift = {} if counted.drift is None else counted.drift.values
    of = f"of {in_rows(counted.rows)}"
    values = [f"{name!r} ({in_rows(figures['rows'])}, {figures['values']:,} of its values)" for name, figures in drift.items()]
    parts = [f"not all values are covered: {', '.join(values)}, {of}"] if values else []
    parts += [f"no region of the recoding holds {unplaced:,} {of}"] if unplaced else []
    if parts:
        observer.warn(Caution("uncovered", f"{'; '.join(parts)}; these cells show * or no value", *drift))
