"""A role for every column, and a hierarchy for every quasi-identifier, proposed from a profile, each with its reason.

Nothing is ever proposed as insensitive: a column is a quasi-identifier, sensitive, or dropped.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from duckanon.dataset import values
from duckanon.dataset.column_names import hint
from duckanon.dataset.column_profile import FEW, ColumnProfile, SetProfile, profiles, set_profiles
from duckanon.dataset.direct_identifiers import Resemblance, looked_at
from duckanon.dataset.missing import MissingRule
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.errors import InputError
from duckanon.hierarchy import sets
from duckanon.hierarchy.build import covers
from duckanon.hierarchy.spec import load
from duckanon.hierarchy.suggestion.suggest import Suggestion, suggest

Hierarchy = str | dict[str, Any]

_MOST_NAMED = 8
_ENOUGH = 3
_MOST_NODES = 20_000
_RARE_SHARE = 0.05
_ALIKE = 1.05
_FEW_VALUES = 20
NEAR_UNIQUE = f"fewer than {FEW} rows share a value on average"
_LEVELS_OF_A_FILE = 4
_DECLARED = "as declared"


@dataclass(frozen=True)
class Proposed:
    """What becomes of a column (`dropped` where no role is proposed), why, and how it is generalized."""

    profile: ColumnProfile
    role: str
    reason: str
    hierarchy: Hierarchy | None = None

    @property
    def name(self) -> str:
        return self.profile.name


@dataclass(frozen=True)
class Proposal:
    """A proposal for every column, quasi-identifiers in lattice order, and what they tell apart together."""

    columns: tuple[Proposed, ...]
    together: tuple[SetProfile, ...] = ()
    looks: Mapping[str, Resemblance] = field(default_factory=dict)
    """What the values of columns look like, where that identifies directly."""

    def of_role(self, role: str) -> list[Proposed]:
        return [column for column in self.columns if column.role == role]

    def role_of(self, name: str) -> str:
        """The role that is proposed for a column, or declared."""
        return next(column.role for column in self.columns if column.name == name)

    @property
    def marks(self) -> dict[str, tuple[str, ...]]:
        """The usual marks of missing values, by the columns that hold them."""
        return {column.name: column.profile.marks for column in self.columns if column.profile.marks}


def propose(engine: Engine, columns: Sequence[Column], missing: MissingRule, declared: Mapping[str, str]) -> Proposal:
    """Profiles `records`, and proposes a role for every column that none is declared for; raises `InputError` without rows."""
    profiled = profiles(engine, columns)
    if not profiled or not profiled[0].rows:
        raise InputError("the input has no rows; there is nothing to release")
    looks, written = looked_at(engine, columns)
    bundled = _bundled(engine, profiled, missing)
    tables = [candidate for candidate in sets.bundled() if candidate.proposed == "table"]
    whole = next((candidate for candidate in tables if bundled.keys() >= set(candidate.columns)), None)
    first = [
        _declared(profile, declared[profile.name])
        if profile.name in declared
        else _proposed(profile, bundled.get(profile.name), whole, looks.get(profile.name))
        for profile in profiled
    ]
    first = [
        replace(proposed, reason=written[proposed.name]) if _is_unread(proposed, written, looks) else proposed
        for proposed in first
    ]
    suggestions = _Suggestions(engine, missing)
    chosen = _within_bounds(first, bundled, declared, suggestions)
    while repeated := _repeated(engine, chosen, declared):
        first = [
            replace(
                column, role="dropped", hierarchy=None, reason=f"it repeats {repeated[column.name]!r}, and would give it away"
            )
            if column.name in repeated
            else column
            for column in first
        ]
        chosen = _within_bounds(first, bundled, declared, suggestions)
    lattice_order = whole.columns if whole is not None else ()
    chosen.sort(
        key=lambda proposed: lattice_order.index(proposed.name) if proposed.name in lattice_order else len(lattice_order)
    )
    names = [column.name for column in chosen if column.role == "quasi-identifier"]
    return Proposal(tuple(chosen), tuple(set_profiles(engine, [names] if names else [], profiled[0].rows)), looks)


def _bundled(engine: Engine, profiled: Sequence[ColumnProfile], missing: MissingRule) -> dict[str, str]:
    """The bundled hierarchy of each column whose name one has and whose values it covers."""
    references: dict[str, str] = {}
    for candidate in (candidate for candidate in sets.bundled() if candidate.proposed is not None):
        for profile in profiled:
            path = candidate.file_for(profile.name) if profile.name not in references and profile.is_exact else None
            known = candidate.column_of(path) if path is not None and profile.distinct else None
            if path is None or known is None:
                continue
            values.read_values(engine, [profile.column], missing)
            fits = covers(engine, profile.column, load(path))
            engine.drop(f"values_{profile.name}")
            if fits:
                references[profile.name] = f"{candidate.name}/{known}"
    return references


def _declared(profile: ColumnProfile, role: str) -> Proposed:
    return Proposed(profile, role, _DECLARED)


def _is_unread(column: Proposed, written: Collection[str], looks: Collection[str]) -> bool:
    """Whether nothing is proposed for a column that would say more were it written otherwise."""
    is_left = column.role in ("identifying", "dropped") and column.reason != _DECLARED
    return is_left and column.name in written and column.name not in looks


def _proposed(
    profile: ColumnProfile, bundled: str | None, whole: sets.HierarchySet | None, looks: Resemblance | None
) -> Proposed:
    column, hinted = profile.column, hint(profile.name)
    if column.is_nested or column.type in ("BLOB", "BIT"):
        return Proposed(
            profile, "dropped", f"{column.type.partition('(')[0].casefold()} values cannot be generalized; unnest them first"
        )
    if (profile.distinct or 0) + (profile.missing > 0) <= 1:
        return Proposed(profile, "dropped", "it is the same in every row")
    if bundled is not None and hinted != "sensitive":
        return Proposed(profile, "quasi-identifier", "a bundled hierarchy has its name and its values", bundled)
    if looks is not None:
        return Proposed(profile, "identifying", str(looks))
    if hinted == "identifying":
        return Proposed(profile, "identifying", "its name is that of something that identifies directly")
    if whole is not None and profile.name in whole.sensitive:
        return _sensitive(profile, f"the set {whole.name} was made for such data, where it is sensitive")
    if hinted == "sensitive" and not column.is_date:
        return _sensitive(profile, "its name is that of something that people keep to themselves")
    if whole is not None:
        reason = f"it is none of the quasi-identifiers of {whole.name}, the set that fits the table; name it with --qi"
        return (
            Proposed(profile, "identifying", NEAR_UNIQUE) if profile.is_nearly_unique else Proposed(profile, "dropped", reason)
        )
    is_scale = column.is_numeric or column.is_date
    if hinted == "quasi-identifier" or column.is_date:
        if profile.is_nearly_unique and not is_scale:
            return Proposed(profile, "identifying", NEAR_UNIQUE)
        reason = "its name is that of something that others may know" if hinted else "dates are often known to others"
        return Proposed(profile, "quasi-identifier", reason)
    if profile.is_nearly_unique:
        return Proposed(profile, "identifying", NEAR_UNIQUE)
    if (profile.distinct or 0) > _FEW_VALUES:
        return Proposed(profile, "dropped", "it has many values, and nothing says that none of them is a person's")
    return Proposed(profile, "unknown", "it has few values, and others may know them")


def _sensitive(profile: ColumnProfile, reason: str) -> Proposed:
    if profile.is_nearly_unique:
        return Proposed(profile, "identifying", NEAR_UNIQUE)
    rare_rows, rare_values = profile.rare_rows or 0, profile.rare_values or 0
    if not profile.is_exact or rare_rows > _RARE_SHARE * profile.rows or 2 * rare_values > (profile.distinct or 0):
        return Proposed(profile, "dropped", f"it may be sensitive, but it has too many values that fewer than {FEW} rows share")
    return Proposed(profile, "sensitive", reason)


def _repeated(engine: Engine, proposed: Sequence[Proposed], declared: Collection[str]) -> dict[str, str]:
    """The quasi-identifiers that say what an earlier one says, value for value, and the earlier one."""
    candidates = [
        column
        for column in proposed
        if column.role == "quasi-identifier" and _values(column) > 2 and not column.profile.is_nearly_unique
    ]
    pairs = [
        (first, other)
        for number, first in enumerate(candidates)
        for other in candidates[number + 1 :]
        if other.name not in declared and 1 / _ALIKE <= _values(first) / _values(other) <= _ALIKE
    ]
    if not pairs:
        return {}
    sets_of_two = [(first.name, other.name) for first, other in pairs]
    counts = engine.query(render("dataset/set_counts", sets=sets_of_two), stage="comparing columns")
    repeated: dict[str, str] = {}
    for (first, other), (_, together, _) in zip(pairs, counts, strict=True):
        if first.name not in repeated and together <= _ALIKE * max(_values(first), _values(other)) + 1:
            repeated.setdefault(other.name, first.name)
    return repeated


def _values(column: Proposed) -> int:
    return column.profile.distinct or 0


class _Suggestions:
    """Hierarchies for columns that have none, made for those that are asked for and kept."""

    def __init__(self, engine: Engine, missing: MissingRule) -> None:
        self._engine, self._missing = engine, missing
        self._made: dict[str, Suggestion] = {}

    def given(self, proposed: Sequence[Proposed]) -> list[Proposed]:
        """The same columns, each with a hierarchy; one pass over the rows for all that are new."""
        new = [
            column
            for column in proposed
            if column.hierarchy is None and column.reason != _DECLARED and column.name not in self._made
        ]
        if new:
            values.read_values(self._engine, [column.profile.column for column in new], self._missing)
            for column in new:
                self._made[column.name] = suggest(self._engine, column.profile.column)
                self._engine.drop(f"values_{column.name}")
        return [self._with_hierarchy(column) for column in proposed]

    def _with_hierarchy(self, column: Proposed) -> Proposed:
        made = self._made.get(column.name)
        if made is None or column.hierarchy is not None:
            return column
        return replace(column, hierarchy=made.content)


def _within_bounds(
    proposed: Sequence[Proposed], bundled: Collection[str], declared: Collection[str], suggestions: _Suggestions
) -> list[Proposed]:
    """Keeps so many quasi-identifiers that a search ends soon and the release says something; drops the rest."""
    named = [column for column in proposed if column.role == "quasi-identifier"]
    named.sort(key=lambda column: (column.name not in declared, column.name not in bundled))
    unknown = sorted(
        (column for column in proposed if column.role == "unknown"), key=lambda column: column.profile.distinct or 0
    )
    chosen = named[:_MOST_NAMED]
    chosen += unknown[: max(0, _ENOUGH - len(chosen))]
    chosen = suggestions.given(chosen)
    while prod(_levels(column) for column in chosen) > _MOST_NODES and chosen[-1].name not in declared:
        chosen.pop()
    kept = {column.name: column for column in chosen}
    many = f"{len(chosen)} quasi-identifiers are taken already, and each more costs the others; name it with --qi"
    unclear = "nothing says that it is harmless; name it with --qi, --sensitive or --keep"
    bounded = []
    for column in proposed:
        if column.name in kept:
            bounded.append(replace(kept[column.name], role="quasi-identifier"))
        elif column.role == "unknown":
            bounded.append(replace(column, role="dropped", reason=unclear))
        elif column.role == "quasi-identifier" and column.name not in declared:
            bounded.append(replace(column, role="dropped", reason=many, hierarchy=None))
        else:
            bounded.append(column)
    return bounded


def _levels(column: Proposed) -> int:
    """About how many levels its hierarchy has."""
    if not isinstance(column.hierarchy, dict):
        return _LEVELS_OF_A_FILE
    return Suggestion(column.hierarchy, column.reason).height + 1
