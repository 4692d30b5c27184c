"""A job meets the input's columns: every role settled, every hierarchy found."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from duckanon.combinations import Attribute, QuasiIdentifier
from duckanon.engine.protocol import Column
from duckanon.errors import JobError, did_you_mean
from duckanon.hierarchy import sets
from duckanon.hierarchy.spec import load
from duckanon.job import ColumnPlan, Job
from duckanon.lattice import Node
from duckanon.missing import MissingRule
from duckanon.observer import Observer
from duckanon.source import find_column


@dataclass(frozen=True)
class Plan:
    """What becomes of every column of the input."""

    quasi_identifiers: tuple[QuasiIdentifier, ...]
    roles: dict[str, str]
    """A column's role, or where none was named what becomes of it: `dropped`, `kept`."""
    released: tuple[Column, ...]
    missing: MissingRule
    is_guessed: bool


def chosen_node(job: Job, attributes: Sequence[Attribute]) -> Node | None:
    """The node of the job's `levels`, attributes left out at their least level; None where the job searches."""
    if not job.recoding.levels:
        return None
    node = tuple(job.recoding.levels.get(attribute.name, attribute.min_level) for attribute in attributes)
    for attribute, level in zip(attributes, node, strict=True):
        if not attribute.min_level <= level <= attribute.max_level:
            raise JobError(
                f"level {level} of {attribute.name!r} does not exist; choose one from {attribute.min_level} to {attribute.max_level}"
            )
    return node


def settle(job: Job, columns: Sequence[Column], hierarchies: Sequence[str], base: Path, observer: Observer) -> Plan:
    """The plan of a job for an input; raises `JobError` or `HierarchyError` with the nearest right name."""
    for name, plan in job.columns.items():
        find_column(columns, name, plan.role)
    declared = {name: plan for name, plan in job.columns.items() if plan.role == "quasi-identifier"}
    sensitive = job.of_role("sensitive")
    is_guessed = not declared
    chosen = list(hierarchies)
    if is_guessed:
        found = _guessed(columns, job)
        declared = {name: ColumnPlan(role="quasi-identifier") for name in found.columns}
        sensitive += [name for name in found.sensitive if name not in job.columns and _exists(columns, name)]
        chosen = [found.name, *chosen]
        observer.note(
            f"no quasi-identifiers named: the columns match the set {found.name}, so {', '.join(declared)} are taken"
            + (f", and {', '.join(sensitive)} as sensitive" if sensitive else "")
        )
    quasi_identifiers = _quasi_identifiers(declared, columns, chosen, base, observer)
    for name in job.recoding.levels or {}:
        if name not in declared:
            raise JobError(f"--levels names {name!r}, which is not a quasi-identifier{did_you_mean(name, declared)}")
    roles = _roles(job, columns, [*declared], sensitive)
    if sensitive:
        observer.warn(
            f"k-anonymity alone does not protect the sensitive {', '.join(sensitive)}: "
            "a class may share one value; neither l-diversity nor t-closeness was asked for"
        )
    released = tuple(column for column in columns if roles[column.name] not in ("identifying", "dropped"))
    missing = MissingRule(tuple(job.missing.tokens), job.missing.policy)
    return Plan(quasi_identifiers, roles, released, missing, is_guessed)


def _guessed(columns: Sequence[Column], job: Job) -> sets.HierarchySet:
    found = sets.matching(column.name for column in columns if column.name not in job.columns)
    if found is None:
        names = ", ".join(column.name for column in columns[:20])
        raise JobError(f"no quasi-identifiers: name them with --qi a,b,c, or in a job file; columns: {names}")
    return found


def _exists(columns: Sequence[Column], name: str) -> bool:
    return any(column.name == name for column in columns)


def _quasi_identifiers(
    declared: dict[str, ColumnPlan], columns: Sequence[Column], hierarchies: Sequence[str], base: Path, observer: Observer
) -> tuple[QuasiIdentifier, ...]:
    references = _references(declared, hierarchies, base)
    missing = [name for name in declared if name not in references]
    if missing:
        references |= _bundled_for(missing, observer)
    found = []
    for name, plan in declared.items():
        column = find_column(columns, name, "quasi-identifier")
        if column.is_nested or column.type == "BLOB":
            raise JobError(
                f"column {name!r} is {column.type} and cannot be a quasi-identifier; give it another role, or unnest it first"
            )
        label, path = references[name]
        spec = load(path)
        if plan.domain is not None:
            spec = spec.model_copy(update={"domain": plan.domain})
        found.append(QuasiIdentifier(column, spec, label, plan.min_level, plan.max_level, Fraction(plan.weight)))
    return tuple(found)


def _references(declared: dict[str, ColumnPlan], hierarchies: Sequence[str], base: Path) -> dict[str, tuple[str, Path]]:
    """Each column's hierarchy: the last of `--hierarchies` that has one, else the job's."""
    references = {
        name: (plan.hierarchy, sets.find_file(plan.hierarchy, base))
        for name, plan in declared.items()
        if plan.hierarchy is not None
    }
    for text in hierarchies:
        column, equals, file = text.partition("=")
        if equals:
            if column not in declared:
                raise JobError(
                    f"--hierarchies {text!r} is for {column!r}, which is not a quasi-identifier; they are {', '.join(declared)}"
                )
            references[column] = (file, sets.find_file(file, Path()))
            continue
        found = sets.find_set(text, Path())
        for name in declared:
            if (path := found.file_for(name)) is not None:
                references[name] = (f"{text.rstrip('/')}/{name}", path)
    return references


def _bundled_for(names: Sequence[str], observer: Observer) -> dict[str, tuple[str, Path]]:
    for candidate in sets.bundled():
        files = {name: candidate.file_for(name) for name in names}
        found = {name: (f"{candidate.name}/{name}", path) for name, path in files.items() if path is not None}
        if len(found) == len(names):
            observer.note(f"no hierarchy named for {', '.join(names)}: the set {candidate.name} has one by that name")
            return found
    raise JobError(
        f"quasi-identifier {names[0]!r} has no hierarchy; give --hierarchies {names[0]}=FILE (value;level 1;...;top), a folder, or a set: "
        f"{', '.join(candidate.name for candidate in sets.bundled())}"
    )


def _roles(job: Job, columns: Sequence[Column], quasi_identifiers: list[str], sensitive: list[str]) -> dict[str, str]:
    named: dict[str, str] = {name: plan.role for name, plan in job.columns.items()}
    named |= dict.fromkeys(quasi_identifiers, "quasi-identifier") | dict.fromkeys(sensitive, "sensitive")
    other = "kept" if job.others == "keep" else "dropped"
    return {column.name: named.get(column.name, other) for column in columns}
