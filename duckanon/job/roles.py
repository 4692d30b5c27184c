"""Role detection: a role for every column with its reason, and the default hierarchies and weights of quasi-identifiers.

The adversary may know anything: a column is a quasi-identifier unless it identifies persons directly, is free text, or is sensitive.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from duckanon.dataset import values
from duckanon.dataset.column_names import hint, identifies_directly, identifies_groups
from duckanon.dataset.column_profile import ColumnProfile, profiles
from duckanon.dataset.direct_identifiers import IdentifierMatch, looked_at
from duckanon.dataset.missing import MissingRule
from duckanon.engine.owner import step
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import batches, render
from duckanon.errors import InputError
from duckanon.formatting import first_of
from duckanon.hierarchy import sets
from duckanon.hierarchy.checks import covers
from duckanon.hierarchy.spec import checked, load
from duckanon.hierarchy.suggest import suggest
from duckanon.job.model import Job
from duckanon.job.quasi_identifiers import lacking
from duckanon.job.resolve import missing_rule
from duckanon.observers import Caution, Observer

Hierarchy = str | dict[str, Any]

_RARE_SHARE = 0.05
_LEAST_KEYS = 10
"""Minimum number of rows for reading a column of the numbers 0 or 1, 2, 3, ... as row numbers."""
_FLAG = 2
"""A column with at most this many values is a flag, and identifies nobody."""
_MOST = 50
"""Detected quasi-identifiers: the memory and the time to join their hierarchies grow with the square of their number."""
_AT_ONCE = 32
"""Pairs of columns that are compared in one statement."""
NEAR_UNIQUE = "near-unique text: it identifies records"
PROSE = "free text may name persons"
_DECLARED = "as declared"
_FEW_VALUES = 20
"""Distinct values up to which a column is used as categories in an analysis."""
_ROWS = 5_000
"""Rows of the sample on which associations are measured."""
_LARGEST = 3
"""Associations of a column that count: one strong association is a coincidence, the mean over all vanishes in wide tables."""


@dataclass(frozen=True)
class Proposed:
    """A column with its proposed role (`dropped` if no role is proposed), the reason, and its hierarchy."""

    profile: ColumnProfile
    role: str
    reason: str
    hierarchy: Hierarchy | None = None
    weight: Decimal = Decimal(1)
    is_copy: bool = False
    """Whether another column of the proposal has the same values, so that nothing is lost without this one."""

    @property
    def name(self) -> str:
        return self.profile.name

    @property
    def evidence(self) -> str:
        """What the role was detected from."""
        profile = self.profile
        distinct = (
            "" if profile.distinct is None else f"{'' if profile.is_exact else 'about '}{profile.distinct:,} distinct values"
        )
        missing = f"{profile.missing:,} missing" if profile.missing else ""
        return ", ".join(part for part in (distinct, missing) if part)


@dataclass(frozen=True)
class Proposal:
    """A proposal for every column, quasi-identifiers in lattice order."""

    columns: tuple[Proposed, ...]
    looks: Mapping[str, IdentifierMatch] = field(default_factory=dict)
    """What the values of columns look like, where that identifies directly."""
    unsure: Mapping[str, IdentifierMatch] = field(default_factory=dict)
    """What some values of other columns look like."""

    def of_role(self, role: str) -> list[Proposed]:
        return [column for column in self.columns if column.role == role]

    def role_of(self, name: str) -> str:
        """The role that is proposed for a column, or declared."""
        return next(column.role for column in self.columns if column.name == name)

    def is_detected(self, name: str) -> bool:
        """Whether the role of a column was detected, and not declared."""
        return any(column.name == name and column.reason != _DECLARED for column in self.columns)

    def having_role(self, role: str, reasons: Mapping[str, str]) -> "Proposal":
        """The same with another role for some columns, each with its reason."""
        columns = (
            replace(column, role=role, hierarchy=None, reason=reasons[column.name]) if column.name in reasons else column
            for column in self.columns
        )
        return replace(self, columns=tuple(columns))

    @property
    def groups(self) -> list[str]:
        """Detected quasi-identifiers whose names may be those of persons, and whose values many records share."""
        detected = [column.profile for column in self.of_role("quasi-identifier") if column.reason != _DECLARED]
        named = [p for p in detected if hint(p.name) == "identifying" and not identifies_groups(p.name)]
        return [profile.name for profile in named if (profile.distinct or 0) > _FLAG]

    @property
    def missing_tokens(self) -> dict[str, tuple[str, ...]]:
        """The usual marks of missing values, by the columns that hold them."""
        return {column.name: column.profile.missing_tokens for column in self.columns if column.profile.missing_tokens}


def propose(engine: Engine, columns: Sequence[Column], missing: MissingRule, declared: Mapping[str, str]) -> Proposal:
    """Profile `records` and propose a role for every column without a declared role; raises `InputError` without rows."""
    profiled = profiles(engine, columns)
    if not profiled or not profiled[0].rows:
        raise InputError("the input has no rows; there is nothing to release")
    matches, prose = looked_at(engine, columns)
    # what machines, places and given names look like is no proof where the name and the records of each value say that it is a group
    groups = {p.name for p in profiled if _is_of_groups(p) and identifies_groups(p.name)}
    matches = {name: match for name, match in matches.items() if match.is_of_persons or name not in groups}
    looks = {name: match for name, match in matches.items() if match.is_sure}
    bundled = _bundled(engine, profiled, missing)
    tables = [candidate for candidate in sets.bundled() if candidate.proposed == "table"]
    whole = next((candidate for candidate in tables if bundled.keys() >= set(candidate.columns)), None)
    proposed = []
    for profile in profiled:
        name = profile.name
        column = (
            Proposed(profile, declared[name], _DECLARED)
            if name in declared
            else _proposed(profile, bundled.get(name), whole, looks.get(name), is_prose=name in prose)
        )
        # a date or a number in another notation is text for now; the user learns how to have it read
        unread = profile.column.unread
        if unread is not None and name not in declared and name not in looks and column.role in ("identifying", "dropped"):
            column = replace(column, reason=unread)
        proposed.append(column)
    order = whole.columns if whole is not None else ()
    chosen = _with_hierarchies(engine, _within_bounds(_varied(engine, proposed)), missing)
    chosen.sort(key=lambda column: (order.index(column.name) if column.name in order else len(order), _rank(column)))
    quasi_identifiers = [column for column in chosen if column.role == "quasi-identifier"]
    weights = default_weights(engine, [column.profile for column in quasi_identifiers])
    chosen = [replace(column, weight=weights.get(column.name, column.weight)) for column in chosen]
    return Proposal(tuple(chosen), looks, {name: match for name, match in matches.items() if name not in looks})


def _bundled(engine: Engine, profiled: Sequence[ColumnProfile], missing: MissingRule) -> dict[str, str]:
    """The bundled hierarchy of each column that has its name, its usual values, and no value outside of it."""
    references: dict[str, str] = {}
    for candidate in (candidate for candidate in sets.bundled() if candidate.proposed is not None):
        for profile in profiled:
            path = candidate.file_for(profile.name) if profile.name not in references and profile.is_exact else None
            known = candidate.column_of(path) if path is not None and profile.distinct else None
            if path is None or known is None or not candidate.is_usual(path, profile.least, profile.greatest, profile.distinct):
                continue
            values.read_values(engine, [profile.column], missing)
            fits = covers(engine, profile.column, load(path))
            engine.drop(f"values_{profile.name}")
            if fits:
                references[profile.name] = f"{candidate.name}/{known}"
    return references


def _proposed(
    profile: ColumnProfile,
    bundled: str | None,
    whole: sets.HierarchySet | None,
    looks: IdentifierMatch | None,
    *,
    is_prose: bool,
) -> Proposed:
    column, hinted, distinct = profile.column, hint(profile.name), profile.distinct or 0
    if column.is_row_index:
        return Proposed(profile, "dropped", "row index without a name")
    if column.is_nested or column.type in ("BLOB", "BIT"):
        kind = column.type.partition("(")[0].casefold()
        return Proposed(profile, "dropped", f"{kind} values cannot be generalized; unnest them first")
    if not distinct:
        return Proposed(profile, "dropped", "it has no values")
    if (reason := _identifies(profile, looks)) is not None:
        return Proposed(profile, "identifying", reason)
    if is_prose and not profile.is_of_groups:
        return Proposed(profile, "dropped", PROSE)
    is_of_set = whole is not None and profile.name in whole.sensitive
    if (hinted == "sensitive" and not column.is_date) or is_of_set:
        reason = (
            f"sensitive in the data that {whole.name} is made for"
            if whole is not None and is_of_set
            else "name matches a known sensitive attribute"
        )
        if not _has_rare_values(profile):
            return Proposed(profile, "sensitive", reason)
        return Proposed(profile, "quasi-identifier", f"{reason}; generalized because few records share a value")
    if bundled is not None:
        return Proposed(profile, "quasi-identifier", f"matches bundled hierarchy {bundled}", bundled)
    if hinted == "quasi-identifier":
        return Proposed(profile, "quasi-identifier", "name matches a known quasi-identifier")
    if hinted == "identifying" and distinct > _FLAG:
        return Proposed(
            profile, "quasi-identifier", "name matches a known direct identifier, and many records share each value"
        )
    return Proposed(profile, "quasi-identifier", "an adversary may know it")


def _identifies(profile: ColumnProfile, looks: IdentifierMatch | None) -> str | None:
    """Why a column identifies persons or records directly; None if it does not."""
    column, hinted, distinct = profile.column, hint(profile.name), profile.distinct or 0
    if looks is not None:
        return str(looks)
    if distinct <= _FLAG or column.type == "BOOLEAN":
        return None
    is_unique = profile.is_exact and distinct == profile.rows - profile.missing
    if hinted == "identifying" and not _is_of_groups(profile):
        return "name matches a known direct identifier"
    if hinted == "weakly identifying" and (is_unique or (column.is_text and profile.is_nearly_unique)):
        return "name matches a known direct identifier, and few records share a value"
    if profile.is_row_number and hinted is None and distinct >= _LEAST_KEYS:
        return "row number: the whole numbers in a sequence, each once"
    if profile.is_key and hinted is None:
        return "each row has a whole number of its own, all with the same number of digits"
    # fewer than two records share a value on average
    is_near_unique = 2 * distinct > profile.rows - profile.missing
    return NEAR_UNIQUE if column.is_text and not column.holds_numbers and is_near_unique else None


def _is_of_groups(profile: ColumnProfile) -> bool:
    """Whether many records share each value, and the name is not of what is personal however many do."""
    return profile.is_of_groups and not identifies_directly(profile.name)


def _has_rare_values(profile: ColumnProfile) -> bool:
    """Whether a sensitive column may single out records by itself."""
    rare_rows, rare_values = profile.rare_rows or 0, profile.rare_values or 0
    has_many = rare_rows > _RARE_SHARE * profile.rows or 2 * rare_values > (profile.distinct or 0)
    return profile.is_nearly_unique or not profile.is_exact or has_many


@step
def _varied(engine: Engine, proposed: Sequence[Proposed]) -> list[Proposed]:
    """The columns; detected quasi-identifiers with one value in every row, or with the values of another column, are dropped."""
    detected = sorted((column for column in proposed if _is_detected(column)), key=_rank)
    alike: dict[tuple[Any, ...], list[Proposed]] = {}
    reasons, copies = {}, set[str]()
    for column in detected:
        profile = column.profile
        if profile.distinct == 1 and not profile.missing:
            reasons[column.name] = "every row has the same value"
        elif profile.squares is not None:
            counts = (profile.column.type, profile.missing, profile.distinct, profile.squares, profile.rare_rows)
            alike.setdefault(counts, []).append(column)
    pairs = [(group[0].name, other.name) for group in alike.values() for other in group[1:]]
    for batch in batches(pairs, _AT_ONCE):
        [differing] = engine.query(render("dataset/differing_rows", pairs=batch), stage="comparing columns")
        same = [pair for pair, rows in zip(batch, differing, strict=True) if not rows]
        reasons |= {other: f"it has the values of {first!r}" for first, other in same}
        copies |= {other for _, other in same}
    return [
        replace(column, role="dropped", hierarchy=None, reason=reasons[column.name], is_copy=column.name in copies)
        if column.name in reasons
        else column
        for column in proposed
    ]


def _is_detected(column: Proposed) -> bool:
    return column.role == "quasi-identifier" and column.reason != _DECLARED


def _rank(column: Proposed) -> tuple[float, float, str]:
    """The order of quasi-identifiers: those that others may know by their names, then those that tell most rows apart, whatever their place."""
    profile = column.profile
    is_known = isinstance(column.hierarchy, str) or hint(profile.name) == "quasi-identifier"
    filled = 1 - profile.missing / profile.rows
    spread = 1.0 if profile.separation is None else profile.separation
    return -is_known, -round(filled * spread, 9), profile.name


def _within_bounds(proposed: Sequence[Proposed]) -> list[Proposed]:
    """The columns; of many detected quasi-identifiers, those of the lowest rank are dropped."""
    detected = sorted((column for column in proposed if _is_detected(column)), key=_rank)
    beyond = {column.name for column in detected[_MOST:]}
    reason = f"one of more than {_MOST} possible quasi-identifiers; name it with --qi"
    return [
        replace(column, role="dropped", hierarchy=None, reason=reason) if column.name in beyond else column
        for column in proposed
    ]


def _with_hierarchies(engine: Engine, proposed: Sequence[Proposed], missing: MissingRule) -> list[Proposed]:
    """The columns, each quasi-identifier with a hierarchy; one pass over the records for all that have none."""
    new = [
        column
        for column in proposed
        if column.role == "quasi-identifier" and column.hierarchy is None and column.reason != _DECLARED
    ]
    if not new:
        return list(proposed)
    values.read_values(engine, [column.profile.column for column in new], missing)
    made = {}
    for column in new:
        made[column.name] = suggest(engine, column.profile.column).content
        engine.drop(f"values_{column.name}")
    return [replace(column, hierarchy=made[column.name]) if column.name in made else column for column in proposed]


@step
def default_weights(engine: Engine, profiles: Sequence[ColumnProfile]) -> dict[str, Decimal]:
    """The weights above 1 by column, up to 2: 1 plus the mean of its three largest associations, for columns of at most 20 values.

    An association is Cramer's V, 0 to 1, in the table or in a random sample of about 5,000 of its rows. Numbers and dates with more
    than 20 values take part as tenths of the rows, other columns with more values do not.
    """
    chosen = [profile for profile in profiles if _is_few(profile) or profile.column.is_numeric or profile.column.is_date]
    if len(chosen) < 2 or not any(map(_is_few, chosen)):
        return {}
    rows = chosen[0].rows
    kept = [
        {
            "name": profile.name,
            "holds_numbers": profile.column.holds_numbers,
            "is_text": profile.column.is_text,
            "treatment": None,
        }
        for profile in chosen
    ]
    percent = f"{100 * _ROWS / rows:.6f}" if rows > _ROWS else None
    sample = render("dataset/sampled_records", kept=kept, quasi_identifiers=[], percent=percent, rows="records")
    engine.create_table(sample, stage="weighting the columns")
    statement = render("dataset/associations", columns=[{"is_cut": not _is_few(profile)} for profile in chosen])
    associations: list[list[float]] = [[] for _ in chosen]
    for left, right, association in engine.query(statement):
        associations[left].append(association)
        associations[right].append(association)
    weights = {}
    for profile, measured in zip(chosen, associations, strict=True):
        largest = sorted(measured)[-_LARGEST:]
        bonus = Decimal(f"{sum(largest) / len(largest):.1f}") if largest else Decimal(0)
        if bonus and _is_few(profile):
            weights[profile.name] = 1 + bonus
    return weights


def _is_few(profile: ColumnProfile) -> bool:
    return profile.distinct is not None and profile.distinct <= _FEW_VALUES


def with_hierarchies(
    engine: Engine, job: Job, columns: Sequence[Column], hierarchies: Sequence[str], base: Path, observer: Observer
) -> Job:
    """The job with a hierarchy for each quasi-identifier; notes each default. Scans the rows if a quasi-identifier has no hierarchy."""
    names = lacking(job, columns, hierarchies, base)
    chosen = [column for column in columns if column.name in names and not (column.is_nested or column.type == "BLOB")]
    if not chosen:
        return job
    bundled = sets.bundled_for(names)
    values.read_values(engine, chosen, missing_rule(job))
    assigned: dict[str, Any] = {}
    matching: dict[str, str] = {}
    suggested: dict[str, str] = {}
    for column in chosen:
        name, named = column.name, bundled[column.name]
        files = {reference: sets.find_file(reference, Path()) for reference in named}
        fitting = next((reference for reference, file in files.items() if covers(engine, column, load(file))), None)
        if fitting is not None:
            matching[name] = assigned[name] = fitting
        else:
            suggestion = suggest(engine, column)
            suggested[name] = suggestion.reason + (f" ({named[0]} does not cover its values)" if named else "")
            assigned[name] = checked(suggestion.content)
            if column.unread is not None:
                observer.warn(Caution("unread-values", f"{name!r} {column.unread}", name))
        engine.drop(f"values_{name}")
    if matching:
        which = "matches its name and values" if len(matching) == 1 else "match their names and values"
        files_used = first_of(list(matching.values()))
        observer.note(f"no hierarchy given for {first_of(list(matching))}: duckanon uses {files_used}, which {which}")
    if len(suggested) == 1:
        [(name, reason)] = suggested.items()
        observer.note(f"no hierarchy given for {name}: duckanon suggests one, {reason}")
    elif suggested:
        observer.note(f"no hierarchy given for {first_of(list(suggested))}: duckanon suggests one for each; -v shows why")
        for name, reason in suggested.items():
            observer.note(f"  {name}: {reason}", is_detail=True)
    plans = {name: job.columns[name].model_copy(update={"hierarchy": hierarchy}) for name, hierarchy in assigned.items()}
    return job.model_copy(update={"columns": {**job.columns, **plans}})
