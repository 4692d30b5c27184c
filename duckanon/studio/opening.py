"""Open the input: count its columns, propose a role for each, and make the first job, which fixes every role."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from duckanon.dataset import values
from duckanon.dataset.opening import open_source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column
from duckanon.hierarchy import sets
from duckanon.hierarchy.spec import content_of
from duckanon.job import file
from duckanon.job.column import ColumnPlan
from duckanon.job.export import explicit, named_role
from duckanon.job.model import ROWS, Job
from duckanon.job.persons import with_persons
from duckanon.job.prepare import Prepared
from duckanon.job.quasi_identifiers import given_hierarchies, references
from duckanon.job.resolve import missing_rule
from duckanon.job.roles import Proposal, propose, with_hierarchies
from duckanon.observers import Observer

_EXPLORED = 9
"""The most quasi-identifiers whose lattice can be explored; with more, `auto` decides as on the command line."""


@dataclass(frozen=True)
class OpenedInput:
    """The input of a studio, whose relation `records` the engine keeps."""

    columns: Sequence[Column]
    proposal: Proposal
    job: Job
    """Every role and hierarchy is named, and every path is absolute."""

    @property
    def rows(self) -> int:
        return self.proposal.columns[0].profile.rows

    def described(self) -> list[dict[str, Any]]:
        """By column in the order of the input: name, type, counts, and the proposed role with its reason."""
        proposed = {column.name: column for column in self.proposal.columns}
        return [
            {
                "name": column.name,
                "type": column.type,
                "proposed": named_role(proposed[column.name]),
                "reason": proposed[column.name].reason,
                "distinct": proposed[column.name].profile.distinct,
                "is_exact": proposed[column.name].profile.is_exact,
                "missing": proposed[column.name].profile.missing,
            }
            for column in self.columns
        ]


def open_input(engine: DuckDBEngine, prepared: Prepared, observer: Observer) -> OpenedInput:
    """Open and profile the input of a checked job; raises `InputError`, `JobError` or `HierarchyError`.

    Without a declared quasi-identifier, the job takes the proposed roles; there may be none.
    """
    engine.restrict(prepared.files)
    columns = open_source(engine, prepared.source)
    job = prepared.job
    values.create_records(engine, values.records_statement(columns, missing_rule(job)))
    named = {name: plan.role for name, plan in job.columns.items()}
    has_roles = bool(job.of_role("quasi-identifier"))
    given = () if has_roles else given_hierarchies(columns, prepared.hierarchies)
    proposal = propose(engine, columns, missing_rule(job), dict.fromkeys(given, "quasi-identifier") | named)
    job = _kept(job, columns) if has_roles else explicit(job, proposal)
    if "algorithm" not in prepared.job.recoding.model_fields_set and len(job.of_role("quasi-identifier")) <= _EXPLORED:
        # the page explores the lattice, in which `optimal` searches; one of more columns is too large for that
        job = job.model_copy(update={"recoding": job.recoding.model_copy(update={"algorithm": "optimal"})})
    job, _ = with_persons(engine, job, columns, proposal.looks)
    job = job.model_copy(update={"entity": job.entity or ROWS})
    job = with_hierarchies(engine, job, columns, prepared.hierarchies, prepared.base, observer)
    return OpenedInput(columns, proposal, _anywhere(job, prepared))


def _kept(job: Job, columns: Sequence[Column]) -> Job:
    """The job with a role for each column that it keeps without naming it."""
    if job.others == "drop":
        return job
    others = {column.name: ColumnPlan(role="insensitive") for column in columns if column.name not in job.columns}
    return job.model_copy(update={"columns": {**job.columns, **others}, "others": "drop"})


def _anywhere(job: Job, prepared: Prepared) -> Job:
    """The job with the hierarchies of the command line, and with paths that hold whatever the folder of the job file is."""
    declared = {name: job.columns[name] for name in job.of_role("quasi-identifier")}
    chosen = references(declared, prepared.hierarchies, prepared.base, job.of_role("sensitive"))
    plans = dict(job.columns)
    for name, reference in chosen.items():
        if not _is_bundled(reference.label):
            content = content_of(reference.spec)
            if "file" in content:
                content["file"] = str(Path(content["file"]).absolute())
            plans[name] = ColumnPlan.model_validate({**plans[name].model_dump(exclude_unset=True), "hierarchy": content})
        elif reference.label != plans[name].hierarchy:
            plans[name] = plans[name].model_copy(update={"hierarchy": reference.label})
    for name in job.of_role("sensitive"):
        hierarchy = plans[name].hierarchy
        if isinstance(hierarchy, str) and not _is_bundled(hierarchy):
            plans[name] = plans[name].model_copy(update={"hierarchy": str(file.resolved(hierarchy, prepared.base).absolute())})
    recoding = job.recoding
    if recoding.partitions is not None:
        recoding = recoding.model_copy(update={"partitions": str(Path(recoding.partitions).absolute())})
    population = None if prepared.population is None else str(prepared.population.anywhere().name)
    return job.model_copy(update={"columns": plans, "recoding": recoding, "population": population})


def _is_bundled(reference: str) -> bool:
    """Whether a name is that of a bundled hierarchy, and not of a file."""
    return not Path(reference).exists() and any(reference.startswith(f"{bundled.name}/") for bundled in sets.bundled())


def prepared_for(prepared: Prepared, job: Job) -> Prepared:
    """The input of the studio with the job of the page."""
    missing = job.missing
    detects = not (job.of_role("quasi-identifier") or missing.tokens or missing.columns)
    source = replace(prepared.source, missing=missing.columns, detects_missing=detects)
    return replace(prepared, job=job, source=source, hierarchies=(), base=Path())
