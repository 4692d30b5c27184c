"""The requirement of a job on every class, and its sensitive columns."""

from collections.abc import Sequence
from math import comb
from pathlib import Path

from duckanon.dataset.names import find_column
from duckanon.engine.protocol import Column
from duckanon.errors import JobError
from duckanon.hierarchy.attributes import QuasiIdentifier, Sensitive
from duckanon.job import adversary
from duckanon.job.model import Job
from duckanon.job.quasi_identifiers import parted, references
from duckanon.privacy.base import PrivacyModel, SensitiveModel
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.models.risk import AverageRisk
from duckanon.privacy.models.t_closeness import TCloseness
from duckanon.privacy.registry import as_written, name_of
from duckanon.privacy.requirement import Adversary, Requirement

_MOST_SETS = 5_000
"""The most sets of columns that `--any` judges."""


def requirement_of(job: Job, columns: Sequence[Column]) -> Requirement:
    """The requirement on every class; each model of a sensitive column has the name of its column."""
    others: list[PrivacyModel] = []
    risks = [model for model in job.models if isinstance(model, AverageRisk)]
    for model in job.models:
        if isinstance(model, SensitiveModel):
            others.append(model.model_copy(update={"column": _protected(job, columns, model)}))
        elif not isinstance(model, AverageRisk):
            others += model.parts
    requirement = Requirement(
        _k_anonymity(job, columns),
        tuple(dict.fromkeys(others)),
        min(risks, key=lambda risk: risk.risk, default=None),
        counts_population=job.population is not None,
    )
    if requirement.needs_population and job.entity is not None:
        raise JobError(
            "--population counts rows (for k-map, delta-presence and the journalist's risk), and --entity counts persons; leave one out"
        )
    if requirement.bounds_presence and job.keep_suppressed_rows:
        raise JobError(
            "delta-presence with a lower bound needs a released record in each class of the population, which masked records cannot show; "
            "use --set suppression.style=drop, or the lower bound 0"
        )
    for name in dict.fromkeys(name for each in job.dependencies for name in (each.column, *each.known)):
        find_column(columns, name, "determined column")
    if job.any is not None:
        return of_any_columns(job, requirement)
    return _of_adversaries(job, columns, requirement) if job.adversaries else requirement


def of_any_columns(job: Job, requirement: Requirement) -> Requirement:
    """The requirement of an adversary who knows any few of the quasi-identifiers."""
    names, size = job.of_role("quasi-identifier"), job.any or 1
    _check_overlapping(job, requirement)
    if size > len(names):
        raise JobError(
            f"--any {size} needs {size} quasi-identifiers, but there are {len(names)}; give at most --any {len(names)}"
        )
    if (sets := comb(len(names), size)) > _MOST_SETS:
        fewer = next((m for m in range(size - 1, 0, -1) if comb(len(names), m) <= _MOST_SETS), None)
        cure = f"--any {fewer} has {comb(len(names), fewer):,}" if fewer else "name fewer quasi-identifiers"
        raise JobError(
            f"--any {size} of {len(names)} quasi-identifiers has {sets:,} sets of columns, and at most {_MOST_SETS:,} are judged; "
            f"{cure}, or name the sets that matter with --adversary"
        )
    for given, option in (
        (bool(job.adversaries), "--adversary"),
        (bool(job.entities), f"--entity {', '.join(job.entities)} (--entity none counts records)"),
        (job.k_column is not None, "k-column"),
        (bool(requirement.others), f"--require {as_written(requirement.others[0])}" if requirement.others else ""),
    ):
        if given:
            raise JobError(
                f"--any counts the records of each set of columns, and cannot be combined with {option}; leave one out"
            )
    known = Adversary(f"any {size} columns", tuple(names), requirement.k, any_of=size)
    return Requirement(requirement.k.model_copy(update={"k": 1}), adversaries=(known,)).closed(names, job.dependencies)


def _of_adversaries(job: Job, columns: Sequence[Column], requirement: Requirement) -> Requirement:
    """The requirement of each adversary instead of one on the classes of all quasi-identifiers."""
    names = job.of_role("quasi-identifier")
    adversary.check(job.adversaries, names)
    _check_overlapping(job, requirement)
    adversaries = []
    for name, plan in job.adversaries.items():
        own = [
            model.model_copy(update={"column": _protected(job, columns, model)}) if isinstance(model, SensitiveModel) else model
            for model in plan.privacy
        ]
        others = dict.fromkeys([*requirement.others, *(part for model in own for part in model.parts)])
        k = requirement.k if plan.k is None else requirement.k.model_copy(update={"k": plan.k})
        adversaries.append(Adversary(name, tuple(column for column in names if column in plan.columns), k, tuple(others)))
    combined = Requirement(requirement.k.model_copy(update={"k": 1}), adversaries=tuple(adversaries))
    combined = combined.closed(names, job.dependencies)
    if job.keep_suppressed_rows and (combined.sensitive or combined.k.k_column is not None):
        raise JobError(
            "suppression.style=star and --adversary cannot be combined with models of sensitive columns or a k of each record, which the masked records "
            "would have to satisfy for each adversary; leave one out"
        )
    if combined.counts_persons and combined.sensitive:
        raise JobError(
            "--entity and --adversary cannot be combined with models of sensitive columns: the persons with a value are not counted for each adversary; leave one out"
        )
    return combined


def _check_overlapping(job: Job, requirement: Requirement) -> None:
    """Raise `JobError` for what has no meaning if the classes of adversaries overlap."""
    if requirement.average_risk is not None:
        raise JobError(
            "--require average-risk judges all classes together, but those of adversaries overlap; use highest-risk, or leave --adversary out"
        )
    if requirement.needs_population or any(model.MEASURES for plan in job.adversaries.values() for model in plan.privacy):
        raise JobError(
            "--population counts the classes of all quasi-identifiers, and adversaries know only some; leave one out"
        )
    if aggregated := next((name for name in job.of_role("quasi-identifier") if job.columns[name].microaggregate), None):
        raise JobError(
            f"--microaggregate {aggregated} shows a figure of all quasi-identifiers together, from which adversaries learn more than from a label; leave it or --adversary out"
        )


def _protected(job: Job, columns: Sequence[Column], model: SensitiveModel) -> str:
    """The sensitive column of a model; raises `JobError` if there is none, or if several are possible."""
    name, sensitive = model.column, job.of_role("sensitive")
    called = name_of(model)
    if name is None:
        if len(sensitive) == 1:
            return sensitive[0]
        if not sensitive:
            raise JobError(f"{called} protects a sensitive column, but there is none; name it with --sensitive COLUMN")
        raise JobError(f"{called} could apply to {' or '.join(sensitive)}; name the column, as in {called}=...@{sensitive[0]}")
    find_column(columns, name, "sensitive column")
    role = job.columns[name].role if name in job.columns else None
    if role == "quasi-identifier":
        raise JobError(f"{called} applies to a sensitive column, but {name!r} is a quasi-identifier; a column cannot be both")
    if role != "sensitive":
        raise JobError(f"{called} applies to {name!r}, which is not sensitive; name it with --sensitive {name}")
    return name


def _sensitive(
    job: Job, columns: Sequence[Column], name: str, requirement: Requirement, hierarchies: Sequence[str], base: Path
) -> Sensitive:
    """A sensitive column with the order or hierarchy for its distances; raises `JobError` if a hierarchy is missing."""
    column, plan = find_column(columns, name, "sensitive column"), job.columns[name]
    if column.is_nested or column.type in ("BLOB", "BIT", "INTERVAL", "TIME WITH TIME ZONE"):
        raise JobError(
            f"sensitive column {name!r} is {column.type}, whose values cannot be compared in every file format; cast it, or leave its privacy models out"
        )
    null_is_value = job.accepts("missing-values", name)
    needs = any(
        isinstance(m, TCloseness) and m.distance == "hierarchical" and m.column == name for m in requirement.every_model
    )
    order = tuple(plan.order or ())
    by_order = any(isinstance(m, TCloseness) and m.distance == "ordered" and m.column == name for m in requirement.every_model)
    if not needs:
        return Sensitive(column, order, needs_order=by_order, null_is_value=null_is_value)
    known = references(
        {name: plan}, [text for text in hierarchies if (parts := parted(text, [name])) is None or parts[0] == name], base
    )
    if name not in known:
        raise JobError(f"t-hierarchical needs a hierarchy of {name!r}; give --hierarchies {name}=FILE (value;level 1;...;top)")
    label, spec, file = known[name]
    if not spec.nested:
        raise JobError(f"hierarchy {label!r} of sensitive column {name!r} is not nested, so it defines no distance")
    hierarchy = QuasiIdentifier(column, spec, label, file=file)
    return Sensitive(column, order, hierarchy, needs_order=by_order, null_is_value=null_is_value)


def needs_population(job: Job, requirement: Requirement) -> bool:
    """Whether a model counts the rows of the population; raises `JobError` if none is given."""
    if requirement.needs_population and job.population is None:
        counting = next(name_of(model) for model in requirement.others if model.MEASURES)
        raise JobError(f"{counting} counts the rows of a population; give it with --population FILE")
    return requirement.needs_population


def _k_anonymity(job: Job, columns: Sequence[Column]) -> KAnonymity:
    """The part of the requirement that is k-anonymity."""
    for name, what in (
        (job.k_column, "the column of each record's own k"),
        *((name, "the column that identifies persons") for name in job.entities),
    ):
        if name is None:
            continue
        find_column(columns, name, "column")
        role = job.columns[name].role if name in job.columns else None
        if role == "quasi-identifier" or (name in job.entities and role not in (None, "identifying")):
            raise JobError(f"{name!r} is {what} and cannot be {role} too; name another one")
    if job.entity is not None and job.keep_suppressed_rows:
        raise JobError(
            "--entity and suppression.style=star cannot be combined: masked records of one person may come from several classes"
        )
    return KAnonymity(k=job.k, k_column=job.k_column, entities=job.entities)


def sensitive_columns(
    job: Job, columns: Sequence[Column], requirement: Requirement, hierarchies: Sequence[str], base: Path
) -> tuple[Sensitive, ...]:
    """The sensitive columns of a requirement, in its order; raises `JobError` or `HierarchyError`."""
    return tuple(_sensitive(job, columns, name, requirement, hierarchies, base) for name in requirement.sensitive)
