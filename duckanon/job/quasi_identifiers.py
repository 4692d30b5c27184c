"""Quasi-identifiers of a job: their hierarchies, from the job or from `--hierarchies`, and their limits."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from duckanon.dataset.column_names import is_code
from duckanon.dataset.names import find_column
from duckanon.engine.protocol import Column
from duckanon.errors import JobError, did_you_mean
from duckanon.hierarchy import sets
from duckanon.hierarchy.attributes import Ordering, QuasiIdentifier
from duckanon.hierarchy.base import ListedHierarchy, Spec
from duckanon.hierarchy.kinds.plain import Flat, Rare
from duckanon.hierarchy.spec import load
from duckanon.job import file as job_file
from duckanon.job.column import ColumnPlan
from duckanon.job.keys import assigned
from duckanon.job.model import Job
from duckanon.observers import Observer


class Reference(NamedTuple):
    """A hierarchy with its label, its content and its file, if any."""

    label: str
    spec: Spec
    file: Path | None = None

    @classmethod
    def of(cls, label: str, file: Path) -> "Reference":
        return cls(label, load(file), file)


def parted(text: str, names: Iterable[str]) -> tuple[str, str] | None:
    """Column and file of `COLUMN=FILE`, where the longest matching name is the column; None for a set."""
    known = max((name for name in names if text.startswith(f"{name}=")), key=len, default=None)
    if known is not None:
        return known, text[len(known) + 1 :]
    column, equals, file = text.partition("=")
    return (column, file) if equals else None


def references(
    declared: Mapping[str, ColumnPlan], hierarchies: Sequence[str], base: Path, sensitive: Collection[str] = ()
) -> dict[str, Reference]:
    """The hierarchy of each declared column: the last match of `--hierarchies`, else that of the job. Skips `COLUMN=FILE` of sensitive columns."""
    resolved: dict[str, Reference] = {}
    for name, plan in declared.items():
        match plan.hierarchy:
            case None:
                continue
            case str():
                resolved[name] = Reference.of(plan.hierarchy, sets.find_file(plan.hierarchy, base))
            case ListedHierarchy() as listed if listed.file is not None:
                found_file = job_file.resolved(str(listed.file), base)
                resolved[name] = Reference(str(listed.file), listed.model_copy(update={"file": found_file}))
            case spec:
                resolved[name] = Reference(f"{spec.kind} of the job", spec)
    parts = {text: parted(text, (*declared, *sensitive)) for text in hierarchies}
    chosen = {part[0] for part in parts.values() if part is not None}
    for text in hierarchies:
        if (part := parts[text]) is not None:
            column, file = part
            if column in sensitive:
                continue
            if column not in declared:
                raise JobError(
                    f"--hierarchies {text!r} is for {column!r}, which is not a quasi-identifier; the quasi-identifiers are {', '.join(declared)}"
                )
            resolved[column] = Reference.of(file, sets.find_file(file, Path()))
            continue
        found_set = sets.find_set(text, Path())
        for name in declared:
            if name in chosen and len(found_set.files_for(name)) > 1:
                # its own `COLUMN=FILE` decides, before or after the set
                continue
            if (path := found_set.file_for(name)) is not None:
                resolved[name] = Reference.of(f"{text.rstrip('/')}/{name}", path)
    return resolved


def given_hierarchies(columns: Sequence[Column], hierarchies: Sequence[str]) -> list[str]:
    """The input columns that get a hierarchy from `--hierarchies`, by name or from a set."""
    names = [column.name for column in columns]
    parts_by_text = {text: parted(text, names) for text in hierarchies}
    named = {parts[0] for parts in parts_by_text.values() if parts is not None}
    folders = [sets.find_set(text, Path()) for text, parts in parts_by_text.items() if parts is None]
    return [
        column.name
        for column in columns
        if column.name in named or any(folder.file_for(column.name) is not None for folder in folders)
    ]


_RANGES = Reference("any value", Flat())
"""The default hierarchy of a column that is cut into ranges: its levels are the values and their whole range."""


def lacking(job: Job, columns: Sequence[Column], hierarchies: Sequence[str], base: Path) -> list[str]:
    """The quasi-identifiers that need a hierarchy but have none."""
    declared = _declared(job)
    given = references(declared, hierarchies, base, job.of_role("sensitive"))
    known = _known(job, given, _orderings(declared, columns, given))
    return [name for name in declared if name not in known]


def quasi_identifiers(
    job: Job, columns: Sequence[Column], hierarchies: Sequence[str], base: Path, observer: Observer
) -> tuple[QuasiIdentifier, ...]:
    """The quasi-identifiers in declared order, as in the lattice; raises `JobError` or `HierarchyError` for contradictions."""
    declared = _declared(job)
    given = references(declared, hierarchies, base, job.of_role("sensitive"))
    orderings = _orderings(declared, columns, given)
    is_cut = job.recoding.algorithm == "mondrian"
    if is_cut and (ranged := next((name for name in given if given[name].spec.floor and orderings[name] is not None), None)):
        raise JobError(
            f"hierarchy {given[ranged].label!r} of {ranged!r} has a legal floor, and ranges do not have it; "
            f"cut along the hierarchy: {assigned(('columns', ranged, 'cut'), 'hierarchy')}, or give another hierarchy"
        )
    if job.recoding.algorithm in ("mondrian", "local"):
        _check_regional(job, declared)
    if is_cut:
        _check_cuts(declared, orderings)
    if strange := next((name for name in job.recoding.weights if name not in declared), None):
        raise JobError(
            f"recoding.weights names {strange!r}, which is not a quasi-identifier{did_you_mean(strange, list(declared))}"
        )
    known = _known(job, given, orderings)
    resolved_columns = []
    for name, plan in declared.items():
        column = find_column(columns, name, "quasi-identifier")
        if column.is_nested or column.type == "BLOB":
            raise JobError(
                f"column {name!r} is {column.type} and cannot be a quasi-identifier; give it another role, or unnest it first"
            )
        if name not in known:
            raise JobError(f"quasi-identifier {name!r} has no hierarchy; give --hierarchies {name}=FILE")
        label, spec, file = known[name]
        if plan.domain is not None:
            spec = spec.model_copy(update={"domain": plan.domain})
        if not spec.nested and is_cut and orderings[name] is None:
            raise JobError(
                f"hierarchy {label!r} of column {name!r} is not nested, so mondrian cannot cut along it; "
                f"cut it into ranges: {assigned(('columns', name, 'cut'), 'order')}, or nest it"
            )
        if not spec.nested:
            observer.note(
                f"hierarchy {label!r} of column {name!r} is not nested: "
                f"a result at one of its levels does not decide other levels, so the search visits more nodes"
            )
        weight = Fraction(job.recoding.weights.get(name, plan.weight))
        max_loss = None if plan.max_loss is None else Fraction(plan.max_loss)
        resolved_columns.append(
            QuasiIdentifier(column, spec, label, plan.min_level, plan.max_level, weight, file, max_loss, orderings[name])
        )
    return tuple(resolved_columns)


def _declared(job: Job) -> dict[str, ColumnPlan]:
    return {name: job.columns[name] for name in job.of_role("quasi-identifier")}


def _known(job: Job, given: Mapping[str, Reference], orderings: Mapping[str, Ordering | None]) -> dict[str, Reference]:
    """The given hierarchies, and the default for columns that are cut into ranges."""
    is_cut = job.recoding.algorithm == "mondrian"
    return {name: _RANGES for name, ordering in orderings.items() if is_cut and ordering is not None} | dict(given)


def _orderings(
    declared: Mapping[str, ColumnPlan], columns: Sequence[Column], given: Mapping[str, Reference]
) -> dict[str, Ordering | None]:
    return {
        # ranges do not have the floor of a hierarchy, and codes have no order
        name: None
        if not (plan.cut or plan.order) and ((name in given and given[name].spec.floor) or _is_of_codes(given, name, columns))
        else _ordering(plan, find_column(columns, name, "quasi-identifier"))
        for name, plan in declared.items()
    }


def _is_of_codes(given: Mapping[str, Reference], name: str, columns: Sequence[Column]) -> bool:
    """Whether a column has whole numbers that are codes by its name, and no hierarchy that groups them otherwise."""
    is_grouped = name in given and not isinstance(given[name].spec, Rare | Flat)
    return not is_grouped and is_code(name) and any(column.name == name and column.is_whole for column in columns)


def _ordering(plan: ColumnPlan, column: Column) -> Ordering | None:
    """The order for the ranges of mondrian; None if it cuts along the hierarchy."""
    if plan.order:
        return Ordering("rank", tuple(plan.order))
    if plan.cut == "hierarchy":
        return None
    if column.is_numeric:
        return Ordering("number")
    if column.is_date:
        return Ordering("time")
    return Ordering("rank") if plan.cut == "order" else None


def _check_regional(job: Job, declared: Mapping[str, ColumnPlan]) -> None:
    """Raise `JobError` for settings that need the same recoding for every row."""
    algorithm = job.recoding.algorithm
    if algorithm == "mondrian" and (job.recoding.time_limit is not None or job.recoding.max_nodes is not None):
        raise JobError(
            "--time-limit and recoding.max-nodes limit the search of a lattice, but mondrian has none; leave them out"
        )
    if bounded := next((name for name, plan in declared.items() if plan.max_loss is not None), None):
        raise JobError(f"{algorithm} cannot limit the information loss of a single column; leave max-loss of {bounded!r} out")
    if job.recoding.levels:
        raise JobError(f"--levels sets the same levels for every row, but {algorithm} does not; leave one of the two out")
    if job.keep_suppressed_rows:
        raise JobError(
            f"{algorithm} itself generalizes rows that fit in no class, so it has no rows to mask; leave suppression.style=star out"
        )


def _check_cuts(declared: Mapping[str, ColumnPlan], orderings: Mapping[str, Ordering | None]) -> None:
    """Raise `JobError` for limits on levels that mondrian cannot respect."""
    for name, plan in declared.items():
        if plan.max_level is not None:
            raise JobError(f"mondrian starts at the top, but max-level of {name!r} forbids the top; leave it out")
        if plan.min_level and orderings[name] is not None:
            raise JobError(
                f"min-level of {name!r} has no meaning for ranges, and mondrian cuts the column into ranges; leave it out, or cut along its "
                f"hierarchy: {assigned(('columns', name, 'cut'), 'hierarchy')}"
            )
