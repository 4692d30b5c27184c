"""A job meets the input's columns: every role settled, every hierarchy found."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from duckanon import combinations, job_file
from duckanon.combinations import Attribute, QuasiIdentifier
from duckanon.engine.protocol import Column, Engine
from duckanon.errors import JobError, did_you_mean
from duckanon.hierarchy import sets
from duckanon.hierarchy.listed import Listed
from duckanon.hierarchy.spec import AnySpec, load
from duckanon.job import ColumnPlan, Job
from duckanon.lattice import Node
from duckanon.missing import MissingRule
from duckanon.observer import Observer
from duckanon.privacy.base import PrivacyModel, SensitiveModel
from duckanon.privacy.k_anonymity import KAnonymity
from duckanon.privacy.models import name_of
from duckanon.privacy.requirement import Requirement
from duckanon.privacy.risk import AverageRisk
from duckanon.privacy.t_closeness import TCloseness
from duckanon.sensitive import Sensitive
from duckanon.source.names import find_column


@dataclass(frozen=True)
class Plan:
    """What becomes of every column of the input."""

    quasi_identifiers: tuple[QuasiIdentifier, ...]
    roles: dict[str, str]
    """A column's role, or where none was named what becomes of it: `dropped`, `kept`."""
    released: tuple[Column, ...]
    followers: dict[str, str]
    """Kept columns that are linked to a quasi-identifier, which shows whether they may be shown."""
    missing: MissingRule
    requirement: Requirement
    sensitive: tuple[Sensitive, ...] = ()
    """The columns that the requirement is about, in its order."""
    has_population: bool = False


def read_values(engine: Engine, plan: Plan) -> None:
    """Makes `values_<column>` of every column that is counted; raises `InputError` where no row takes part."""
    combinations.read_values(
        engine,
        [qi.column for qi in plan.quasi_identifiers],
        plan.missing,
        combinations.topped_columns(plan.quasi_identifiers),
        sensitive=[sensitive.column for sensitive in plan.sensitive],
        population=plan.has_population,
    )


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


def missing_rule(job: Job) -> MissingRule:
    """What a job says of missing values."""
    return MissingRule(tuple(job.missing.tokens), job.missing.policy)


def settle(job: Job, columns: Sequence[Column], hierarchies: Sequence[str], base: Path, observer: Observer) -> Plan:
    """The plan of a job for an input; raises `JobError` or `HierarchyError` with the nearest right name."""
    for name, plan in job.columns.items():
        find_column(columns, name, plan.role)
    declared = {name: plan for name, plan in job.columns.items() if plan.role == "quasi-identifier"}
    if not declared:
        names = ", ".join(column.name for column in columns[:20])
        raise JobError(f"no quasi-identifiers: name them with --qi a,b,c, or in a job file; columns: {names}")
    quasi_identifiers = _quasi_identifiers(declared, columns, hierarchies, base, observer, job.of_role("sensitive"))
    for name in job.recoding.levels or {}:
        if name not in declared:
            raise JobError(f"--levels names {name!r}, which is not a quasi-identifier{did_you_mean(name, declared)}")
    roles = _roles(job, columns)
    requirement = _requirement(job, columns)
    bare = [name for name in job.of_role("sensitive") if name not in requirement.sensitive]
    if bare:
        observer.warn(
            f"k-anonymity alone does not protect the sensitive {', '.join(bare)}: "
            "a class may share one value; neither l-diversity nor t-closeness was asked for"
        )
    released = tuple(column for column in columns if roles[column.name] not in ("identifying", "dropped"))
    check_partitions(job, released)
    _check_types(released)
    return Plan(
        quasi_identifiers,
        roles,
        released,
        _followers(job, columns, roles),
        missing_rule(job),
        requirement,
        tuple(_sensitive(job, columns, name, requirement, hierarchies, base) for name in requirement.sensitive),
        _needs_population(job, requirement),
    )


def _requirement(job: Job, columns: Sequence[Column]) -> Requirement:
    """What every class has to satisfy; each model of a sensitive column names it."""
    others: list[PrivacyModel] = []
    risks = [model for model in job.models if isinstance(model, AverageRisk)]
    for model in job.models:
        if isinstance(model, SensitiveModel):
            others.append(model.model_copy(update={"column": _protected(job, columns, model)}))
        elif not isinstance(model, AverageRisk):
            others.append(model)
    requirement = Requirement(
        _k_anonymity(job, columns), tuple(dict.fromkeys(others)), min(risks, key=lambda one: one.risk, default=None)
    )
    if requirement.needs_population and job.entity is not None:
        raise JobError("k-map and delta-presence count the rows of a population; they do not go together with --entity")
    return requirement


def _protected(job: Job, columns: Sequence[Column], model: SensitiveModel) -> str:
    """The sensitive column that a model is about; raises `JobError` where there is none, or more than one could be meant."""
    name, sensitive = model.column, job.of_role("sensitive")
    called = name_of(model)
    if name is None:
        if len(sensitive) == 1:
            return sensitive[0]
        if not sensitive:
            raise JobError(f"{called} protects a sensitive column, and none is named; name it with --sensitive COLUMN")
        raise JobError(f"{called} could be about {' or '.join(sensitive)}; say which, as {called}=...@{sensitive[0]}")
    find_column(columns, name, "sensitive column")
    role = job.columns[name].role if name in job.columns else None
    if role == "quasi-identifier":
        raise JobError(f"{called} is about {name!r}, which is a quasi-identifier; a sensitive column cannot be one too")
    if role != "sensitive":
        raise JobError(f"{called} is about {name!r}, which is not sensitive; name it with --sensitive {name}")
    return name


def _sensitive(
    job: Job, columns: Sequence[Column], name: str, requirement: Requirement, hierarchies: Sequence[str], base: Path
) -> Sensitive:
    """A sensitive column with what its distances need; raises `JobError` where a hierarchy is missing."""
    column, plan = find_column(columns, name, "sensitive column"), job.columns[name]
    if column.is_nested or column.type == "BLOB":
        raise JobError(f"sensitive column {name!r} is {column.type} and has no values to compare; drop it, or unnest it first")
    needs = any(isinstance(m, TCloseness) and m.distance == "hierarchical" and m.column == name for m in requirement.others)
    order = tuple(plan.order or ())
    if not needs:
        return Sensitive(column, order)
    references = _references(
        {name: plan}, [text for text in hierarchies if text.partition("=")[0] == name or "=" not in text], base
    )
    if name not in references:
        raise JobError(f"t-hierarchical needs a hierarchy of {name!r}; give --hierarchies {name}=FILE (value;level 1;...;top)")
    label, spec, file = references[name]
    if not spec.nested:
        raise JobError(f"hierarchy {label!r} of sensitive column {name!r} is not nested, so that no distance goes along it")
    return Sensitive(column, order, QuasiIdentifier(column, spec, label, file=file))


def _needs_population(job: Job, requirement: Requirement) -> bool:
    """Whether a model counts the rows of the population; raises `JobError` where there is none."""
    if requirement.needs_population and job.population is None:
        counting = next(name_of(model) for model in requirement.others if model.MEASURES)
        raise JobError(f"{counting} counts the rows of a population; give it with --population FILE")
    return requirement.needs_population


def _k_anonymity(job: Job, columns: Sequence[Column]) -> KAnonymity:
    """Its own part of it."""
    for name, what in (
        (job.k_column, "the column of each record's own k"),
        (job.entity, "the column that tells persons apart"),
    ):
        if name is None:
            continue
        find_column(columns, name, "column")
        role = job.columns[name].role if name in job.columns else None
        if role == "quasi-identifier" or (name == job.entity and role not in (None, "identifying")):
            raise JobError(f"{name!r} is {what} and cannot be {role} too; name another one")
    if job.entity is not None and job.stars:
        raise JobError(
            "--entity and --suppress star do not go together: starred rows of one person may come from several classes"
        )
    return KAnonymity(k=job.k, k_column=job.k_column, entity=job.entity)


def _check_types(released: Sequence[Column]) -> None:
    """Raises `JobError` for a released column whose type not every file can hold."""
    for column in released:
        if column.type.startswith("UNION"):
            raise JobError(f"column {column.name!r} is a UNION, which not every file can hold; cast it, or drop it")


def check_partitions(job: Job, released: Sequence[Column]) -> None:
    """Raises `JobError` where a column that makes folders is not released, or nothing is left inside them."""
    names = [column.name for column in released]
    for name in job.output.partition_by:
        if job.output.partition_by.count(name) > 1:
            raise JobError(f"--partition-by names {name!r} twice; once is enough")
        if name not in names:
            raise JobError(
                f"--partition-by names {name!r}, which is not released: a folder's name would show it{did_you_mean(name, names)}"
            )
    if job.output.partition_by and set(names) <= set(job.output.partition_by):
        raise JobError("--partition-by names every released column; leave at least one for the files")


def given_hierarchies(columns: Sequence[Column], hierarchies: Sequence[str]) -> list[str]:
    """The columns of the input that `--hierarchies` gives a hierarchy, by name or by a set."""
    named = {text.partition("=")[0] for text in hierarchies if "=" in text}
    found = [sets.find_set(text, Path()) for text in hierarchies if "=" not in text]
    return [
        column.name for column in columns if column.name in named or any(one.file_for(column.name) is not None for one in found)
    ]


def _followers(job: Job, columns: Sequence[Column], roles: Mapping[str, str]) -> dict[str, str]:
    """The quasi-identifier that each linked column follows."""
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
            raise JobError(f"linked: [{', '.join(group)}] holds {count}; link other columns to one quasi-identifier")
        for name in group:
            if name != leaders[0] and followers.setdefault(name, leaders[0]) != leaders[0]:
                raise JobError(f"linked: {name!r} follows both {followers[name]!r} and {leaders[0]!r}; link it to one")
    return {name: leader for name, leader in followers.items() if roles[name] not in ("identifying", "dropped")}


def _quasi_identifiers(
    declared: Mapping[str, ColumnPlan],
    columns: Sequence[Column],
    hierarchies: Sequence[str],
    base: Path,
    observer: Observer,
    sensitive: Collection[str],
) -> tuple[QuasiIdentifier, ...]:
    references = _references(declared, hierarchies, base, sensitive)
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
        label, spec, file = references[name]
        if plan.domain is not None:
            spec = spec.model_copy(update={"domain": plan.domain})
        if not spec.nested:
            observer.warn(
                f"hierarchy {label!r} of column {name!r} is loaded as not nested: "
                f"nothing that is known of one level of it decides another, so more nodes are visited"
            )
        max_loss = None if plan.max_loss is None else Fraction(plan.max_loss)
        found.append(
            QuasiIdentifier(column, spec, label, plan.min_level, plan.max_level, Fraction(plan.weight), file, max_loss)
        )
    return tuple(found)


class _Reference(NamedTuple):
    """A hierarchy: what to call it, what it says, and the file that says so, where there is one."""

    label: str
    spec: AnySpec
    file: Path | None = None

    @classmethod
    def of(cls, label: str, file: Path) -> "_Reference":
        return cls(label, load(file), file)


def _references(
    declared: Mapping[str, ColumnPlan], hierarchies: Sequence[str], base: Path, sensitive: Collection[str] = ()
) -> dict[str, _Reference]:
    """Each column's hierarchy: the last of `--hierarchies` that has one, else the job's; those of sensitive columns apart."""
    references = {}
    for name, plan in declared.items():
        match plan.hierarchy:
            case None:
                continue
            case str():
                references[name] = _Reference.of(plan.hierarchy, sets.find_file(plan.hierarchy, base))
            case Listed() as listed if listed.file is not None:
                found_file = job_file.resolved(str(listed.file), base)
                references[name] = _Reference(str(listed.file), listed.model_copy(update={"file": found_file}))
            case spec:
                references[name] = _Reference(f"{spec.kind} of the job", spec)
    for text in hierarchies:
        column, equals, file = text.partition("=")
        if equals:
            if column in sensitive:
                continue
            if column not in declared:
                raise JobError(
                    f"--hierarchies {text!r} is for {column!r}, which is not a quasi-identifier; they are {', '.join(declared)}"
                )
            references[column] = _Reference.of(file, sets.find_file(file, Path()))
            continue
        found = sets.find_set(text, Path())
        for name in declared:
            if (path := found.file_for(name)) is not None:
                references[name] = _Reference.of(f"{text.rstrip('/')}/{name}", path)
    return references


def _bundled_for(names: Sequence[str], observer: Observer) -> dict[str, _Reference]:
    for candidate in sorted(sets.bundled(), key=lambda one: (not one.is_proposed, one.name)):
        files = {name: candidate.file_for(name) for name in names}
        found = {name: _Reference.of(f"{candidate.name}/{name}", path) for name, path in files.items() if path is not None}
        if len(found) == len(names):
            observer.note(f"no hierarchy named for {', '.join(names)}: the set {candidate.name} has one by that name")
            return found
    raise JobError(
        f"quasi-identifier {names[0]!r} has no hierarchy; give --hierarchies {names[0]}=FILE (value;level 1;...;top), a folder, or a set: "
        f"{', '.join(candidate.name for candidate in sets.bundled())}"
    )


def _roles(job: Job, columns: Sequence[Column]) -> dict[str, str]:
    other = "kept" if job.others == "keep" else "dropped"
    found = {column.name: job.columns[column.name].role if column.name in job.columns else other for column in columns}
    # what a rule is judged by is released only where it is named
    return found | {name: "dropped" for name in (job.k_column, job.entity) if name is not None and name not in job.columns}
