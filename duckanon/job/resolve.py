"""Resolve a job for the columns of an input: roles, hierarchies and requirement."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote

from duckanon.dataset import values
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.names import find_column, no_quasi_identifiers
from duckanon.dataset.text_identifiers import ReplacedTexts, replace_texts
from duckanon.engine.protocol import Column, Engine
from duckanon.errors import JobError, did_you_mean
from duckanon.formatting import shortened
from duckanon.hierarchy.attributes import Attribute, QuasiIdentifier, Sensitive, counted_values, topped_columns
from duckanon.job import accepted, policy
from duckanon.job.column import Treatments
from duckanon.job.deidentification import treatments_of
from duckanon.job.model import Job
from duckanon.job.quasi_identifiers import quasi_identifiers
from duckanon.job.requirements import needs_population, requirement_of, sensitive_columns
from duckanon.lattice import Node
from duckanon.observers import Caution, Observer
from duckanon.privacy.requirement import Requirement

_INEXACT = re.compile(r"\b(INTERVAL|TIME WITH TIME ZONE)\b")
_QUOTED = re.compile(r"\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'")
"""Quoted names and values in a type."""


@dataclass(frozen=True)
class Plan:
    """The treatment of every column of the input."""

    quasi_identifiers: tuple[QuasiIdentifier, ...]
    roles: dict[str, str]
    """The role of each column; `dropped` or `kept` for columns without a role."""
    released: tuple[Column, ...]
    followers: dict[str, str]
    """Retained columns that are linked to a quasi-identifier, with its name: they are shown only if its value is."""
    missing: MissingRule
    requirement: Requirement
    sensitive: tuple[Sensitive, ...] = ()
    """The sensitive columns of the requirement, in its order."""
    has_population: bool = False
    treatments: Treatments = field(default_factory=dict)
    """The pseudonyms, masks and shifts of the columns that are released in another form."""
    protected: tuple[Column, ...] = ()
    """Columns of which each value may lose only a limited share of its rows."""

    @property
    def counted(self) -> list[Column]:
        """The columns whose values are counted for each combination of quasi-identifiers."""
        columns = {column.name: column for column in (*(sensitive.column for sensitive in self.sensitive), *self.protected)}
        names = [qi.name for qi in self.quasi_identifiers]
        return [
            columns[name]
            for name in counted_values(self.requirement.sensitive, [column.name for column in self.protected], names)
        ]


def read_values(engine: Engine, plan: Plan) -> None:
    """Make `values_<column>` for every counted column; raises `InputError` if no row takes part."""
    values.read_values(
        engine,
        [qi.column for qi in plan.quasi_identifiers],
        plan.missing,
        topped_columns(plan.quasi_identifiers),
        sensitive=plan.counted,
        population=plan.has_population,
    )


def valued(plan: Plan) -> list[str]:
    """The quasi-identifiers in which NULL is a value, not generalized to the top."""
    if plan.missing.policy == "top" and plan.missing.null:
        return []
    topped = topped_columns(plan.quasi_identifiers)
    return [qi.name for qi in plan.quasi_identifiers if qi.name not in topped]


def carried(plan: Plan, columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns that are not released but needed to shift dates."""
    names = {column.name for column in plan.released}
    needed = {treatment.by for treatment in plan.treatments.values()} - names
    return tuple(column for column in columns if column.name in needed)


def chosen_node(job: Job, attributes: Sequence[Attribute]) -> Node | None:
    """The node of the job's `levels`, with the lowest allowed level for other attributes; None if the job searches."""
    if not job.recoding.levels:
        return None
    node = tuple(job.recoding.levels.get(attribute.name, attribute.min_level) for attribute in attributes)
    for attribute, level in zip(attributes, node, strict=True):
        if not attribute.min_level <= level <= attribute.max_level:
            raise JobError(
                f"level {level} of {attribute.name!r} is not allowed; choose one from {attribute.min_level} to {attribute.max_level}"
            )
    return node


def missing_rule(job: Job) -> MissingRule:
    """The rule of a job for missing values."""
    return MissingRule(tuple(job.missing.tokens), job.missing.policy, tuple(job.texts))


def create_records(engine: Engine, columns: Sequence[Column], job: Job) -> dict[str, ReplacedTexts]:
    """Create `records`, without the direct identifiers inside the text of columns for which the job says so; returns what these columns do not show."""
    replaced = replace_texts(engine, columns, job.texts)
    values.create_records(engine, values.records_statement(columns, missing_rule(job)))
    return replaced


def resolve(job: Job, columns: Sequence[Column], hierarchies: Sequence[str], base: Path, observer: Observer) -> Plan:
    """The plan of a job for an input; raises `JobError` or `HierarchyError`, with the nearest known name for a wrong name."""
    for name, plan in job.columns.items():
        find_column(columns, name, plan.role)
    for _, accepted_column in map(accepted.parsed, job.accept):
        if accepted_column is not None:
            find_column(columns, accepted_column, "accepted column")
    declared = job.of_role("quasi-identifier")
    if not declared:
        raise no_quasi_identifiers(columns)
    generalized = quasi_identifiers(job, columns, hierarchies, base, observer)
    for name in job.recoding.levels or {}:
        if name not in declared:
            raise JobError(f"--levels names {name!r}, which is not a quasi-identifier{did_you_mean(name, declared)}")
    roles = _roles(job, columns)
    requirement = requirement_of(job, columns)
    bare = [name for name in job.of_role("sensitive") if name not in requirement.sensitive]
    if bare:
        models = [f"--require {quote(f'distinct-l=2@{name}')}" for name in bare]
        observer.warn(
            Caution(
                "unprotected-sensitive",
                f"k-anonymity alone does not protect the sensitive {', '.join(bare)}: "
                f"all records of a class may have the same value; give {' '.join(models)}",
                *bare,
                brief=f"k-anonymity alone does not protect the sensitive {shortened(bare, 30)}: drop {'it' if len(bare) == 1 else 'them'}, or give "
                f"{shortened(models, 40, ' ')}",
            )
        )
    if job.recoding.objective != "loss" and job.recoding.algorithm in ("mondrian", "local"):
        observer.warn(
            Caution(
                "objective",
                f"{job.recoding.algorithm} minimizes the information loss, not {job.recoding.objective}: leave recoding.objective out, or take --algorithm optimal",
            )
        )
    treatments = treatments_of(job, columns)
    released = tuple(
        column for column in columns if column.name in treatments or roles[column.name] not in ("identifying", "dropped")
    )
    if job.policy is not None and job.policy.unsaid is not None:
        observer.note(job.policy.unsaid)
    policy.check_columns(job, roles, [column.name for column in released])
    check_partitions(job, released)
    _check_target(job, released, treatments)
    _check_types(released)
    _check_aggregates(job, released)
    return Plan(
        generalized,
        roles,
        released,
        _followers(job, columns, roles),
        missing_rule(job),
        requirement,
        sensitive_columns(job, columns, requirement, hierarchies, base),
        needs_population(job, requirement),
        treatments,
        _protected(job, released),
    )


def _protected(job: Job, released: Sequence[Column]) -> tuple[Column, ...]:
    """The columns of `protect`; raises `JobError` for a column that is not released, or whose values are not counted."""
    protected = []
    for name in dict.fromkeys(job.protect):
        column = next((candidate for candidate in released if candidate.name == name), None)
        if column is None:
            names = [candidate.name for candidate in released]
            raise JobError(
                f"--protect names {name!r}, which is not released{did_you_mean(name, names)}; name it with --qi, --sensitive or --keep"
            )
        if job.decide_on == "qi" and name in job.of_role("sensitive"):
            raise JobError(
                f"--protect {name} lets the sensitive {name!r} influence the levels, but decide-on=qi excludes sensitive values; leave one out"
            )
        if column.is_nested:
            raise JobError(
                f"--protect names {name!r}, which is {column.type}; its values are not counted, so name a column that is not nested"
            )
        protected.append(column)
    return tuple(protected)


def _check_target(job: Job, released: Sequence[Column], treatments: Treatments) -> None:
    """Raise `JobError` for a target that the release does not show as it is in the input, or that has no single values."""
    names = [column.name for column in released if column.name not in treatments]
    if job.target is not None and job.target not in names:
        raise JobError(
            f"--target names {job.target!r}, which is not released{did_you_mean(job.target, names)}; name it with --sensitive or --qi"
        )
    if nested := next((column for column in released if column.name == job.target and column.is_nested), None):
        raise JobError(f"--target names {nested.name!r}, which is {nested.type}; name a column that is not nested")


def _check_types(released: Sequence[Column]) -> None:
    """Raise `JobError` for a released column whose type some file formats cannot store."""
    for column in released:
        if column.type.startswith("UNION"):
            raise JobError(f"column {column.name!r} is a UNION, which some file formats cannot store; cast it, or drop it")
        if inner := _INEXACT.search(_QUOTED.sub("", column.type)):
            raise JobError(
                f"column {column.name!r} is {column.type}, but no file format stores {inner[0]} inside another type exactly; cast it to VARCHAR, or drop it"
            )


def _check_aggregates(job: Job, released: Sequence[Column]) -> None:
    """Raise `JobError` for a column that cannot be microaggregated as requested."""
    for column in released:
        plan = job.columns.get(column.name)
        function = plan.microaggregate if plan is not None else None
        if function is None:
            continue
        fits = {"mean": column.is_numeric, "median": column.is_numeric or column.is_date}
        if (
            column.is_nested
            or not fits.get(function, True)
            or (plan is not None and plan.round is not None and not column.is_numeric)
        ):
            raise JobError(
                f"column {column.name!r} is {column.type}, which has no {function}{' to round' if plan and plan.round is not None else ''}; "
                "choose mode, set, or for dates median or interval, or leave --microaggregate out"
            )
        if job.keep_suppressed_rows:
            raise JobError(
                "--microaggregate and suppression.style=star cannot be combined: masked records come from many classes"
            )


def check_partitions(job: Job, released: Sequence[Column]) -> None:
    """Raise `JobError` if a partition column is not released, or no column is left for the files."""
    names = [column.name for column in released]
    for name in job.output.partition_by:
        if job.output.partition_by.count(name) > 1:
            raise JobError(f"output.partition-by names {name!r} twice; once is enough")
        if name not in names:
            raise JobError(
                f"output.partition-by names {name!r}, which is not released: a folder's name would show it{did_you_mean(name, names)}"
            )
    for column in released:
        parts_rows = column.name in job.output.partition_by and column.name in job.of_role("quasi-identifier")
        if parts_rows and (column.is_number or column.is_date) and job.ranges_of(column.name) != "text":
            raise JobError(
                f"output.partition-by names {column.name!r}, but --ranges {job.ranges_of(column.name)} writes it without labels; leave one out, "
                f"or set columns.{column.name}.ranges: text in a job file"
            )
    if job.output.partition_by and set(names) <= set(job.output.partition_by):
        raise JobError("output.partition-by names every released column; leave at least one for the files")


def _followers(job: Job, columns: Sequence[Column], roles: Mapping[str, str]) -> dict[str, str]:
    """The quasi-identifier of each linked column."""
    followers: dict[str, str] = {}
    for group in job.linked:
        for name in group:
            if group.count(name) > 1:
                raise JobError(f"linked: [{', '.join(group)}] names {name!r} twice; name each column once")
            find_column(columns, name, "linked column")
        leaders = [name for name in group if roles[name] == "quasi-identifier"]
        if len(leaders) != 1:
            count = (
                "no quasi-identifier"
                if not leaders
                else f"the quasi-identifiers {', '.join(leaders)}, which protect each other already"
            )
            raise JobError(f"linked: [{', '.join(group)}] contains {count}; link other columns to one quasi-identifier")
        for name in group:
            if name != leaders[0] and followers.setdefault(name, leaders[0]) != leaders[0]:
                raise JobError(f"linked: {name!r} is linked to both {followers[name]!r} and {leaders[0]!r}; link it to one")
    return {name: leader for name, leader in followers.items() if roles[name] not in ("identifying", "dropped")}


def _roles(job: Job, columns: Sequence[Column]) -> dict[str, str]:
    other = "kept" if job.others == "keep" else "dropped"
    roles = {column.name: job.columns[column.name].role if column.name in job.columns else other for column in columns}
    # the columns of k and of the persons are released only if they have a role
    return roles | {name: "dropped" for name in (job.k_column, *job.entities) if name is not None and name not in job.columns}
