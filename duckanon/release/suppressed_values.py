"""Effects of suppression: values that no released record has, and groups that lose notably more records than others.

The share of suppressed rows does not show which rows they are: 2% can be all deaths of a study. So duckanon counts the rows of each value before and after:
of quasi-identifiers from the classes, of other columns from the input and from the released rows, only if rows are suppressed. Warnings contain columns and counts,
never values, because a suppressed value is rare.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from duckanon.engine.owner import step
from duckanon.engine.protocol import Column, Engine, Form
from duckanon.engine.templates import render
from duckanon.errors import VerificationFailed
from duckanon.formatting import figure, first_of, in_rows, shortened
from duckanon.observers import Caution, Observer
from duckanon.release.manifest_model.files import ProtectedColumn, RemovedValues, Subgroups
from duckanon.release.recoding import Recoding
from duckanon.search.count import Counted
from duckanon.search.protected_values import Protection
from duckanon.search.result import SearchResult

_FEW = 60
"""The maximum number of values of a categorical column. In a column with more values, a value counts as removed only if it has at least `_LEAST_ROWS` rows."""
_LEAST_ROWS = 5
_MOST_VALUES = 10_000
"""A column with more values (estimated) is not counted, because few of its values are shared."""
_GROUPS = 20
"""The maximum number of groups of a column. A column with more values has no groups; a quasi-identifier has groups at its first level with at most this many labels."""
_TIMES = 3
"""A group loses notably more if its share of suppressed rows is more than this multiple of the average."""
_NOTABLE_SHARE = 0.25
"""The share of its rows that a group of a quasi-identifier has to lose for a warning."""
_LEAST_SUPPRESSED = 3
"""A group that loses fewer rows may lose them by chance."""
_STAGE = "comparing suppressed and released rows"


@dataclass(frozen=True)
class SuppressedGroup:
    """The rows with one value of a column."""

    value: str | None
    rows: int
    suppressed: int

    @property
    def share(self) -> float:
        return self.suppressed / self.rows


@dataclass(frozen=True)
class ColumnLosses:
    """What suppression removes of one released column."""

    column: str
    values: int
    """Distinct values (or released labels) in the input."""
    removed: Sequence[SuppressedGroup]
    """The values that no released record has."""
    groups: Sequence[SuppressedGroup]
    """The groups that the column makes; none if it has too many values."""

    def above(self, average: float) -> list[SuppressedGroup]:
        """The groups that lose notably more than the average, or all of their rows."""
        return [
            group
            for group in self.groups
            if group.share == 1 or (group.share > _TIMES * average and group.suppressed >= _LEAST_SUPPRESSED)
        ]


@dataclass(frozen=True)
class ProtectedLosses:
    """Suppression by value of a protected column, counted from the rows."""

    values: int
    highest: Fraction
    """The largest share of its rows that a value loses."""
    allowed: Fraction


@dataclass(frozen=True)
class Losses:
    """What suppression removes of all released columns."""

    average: float
    """The share of all rows that are suppressed."""
    columns: Sequence[ColumnLosses] = ()
    protected: Mapping[str, ProtectedLosses] = field(default_factory=dict)
    k: int = 1
    """The rows that a class needs; a quasi-identifier's value of fewer rows cannot be released by itself."""
    quasi_identifiers: Collection[str] = ()

    @property
    def removed_values(self) -> dict[str, RemovedValues]:
        """By column, the values that no released record has."""
        return {
            column.column: RemovedValues(
                values=column.values, removed=len(column.removed), rows=sum(group.rows for group in column.removed)
            )
            for column in self.columns
            if column.removed
        }

    @property
    def groups_above(self) -> dict[str, Subgroups]:
        """By column, the groups that lose notably more than the average."""
        return {
            column.column: Subgroups(groups=len(column.groups), above=len(above), highest=max(group.share for group in above))
            for column in self.columns
            if (above := column.above(self.average))
        }

    def document(self) -> dict[str, Any]:
        """The part of the manifest: counts, no values."""
        protected = {
            name: ProtectedColumn(values=losses.values, allowed=float(losses.allowed), highest=float(losses.highest))
            for name, losses in self.protected.items()
        }
        document: dict[str, Any] = {"removed_values": self.removed_values, "subgroups": self.groups_above}
        return document | ({"protected": protected} if protected else {})

    def warn(self, observer: Observer, *, has_report: bool = False) -> None:
        """Give each kind of loss in one line; `has_report` says whether this run writes a report.

        It is a note if only rare values of quasi-identifiers are lost, which is what suppression is for. It is a warning if an outcome is
        lost, or a notable share of a group of at least k rows.
        """
        where = "the report lists them" if has_report else "a report lists them (duckanon report)"
        columns = [
            f"{name!r} ({counts.removed:,} of {counts.values:,} values, {in_rows(counts.rows)})"
            for name, counts in self.removed_values.items()
        ]
        if columns:
            self._say(observer, [(column.column, group) for column in self.columns for group in column.removed])(
                Caution(
                    "lost-values",
                    f"some values of {first_of(columns)} are removed, because every record with them is suppressed; "
                    f"{where}{'' if self.protected else '; limit what each value may lose with --protect COLUMN'}",
                    *self.removed_values,
                    brief=f"every record with some values of {shortened([*self.removed_values])} is suppressed; {where}",
                )
            )
        # the first warning names the columns of which groups are removed whole
        partly = {column.column for column in self.columns if any(group.share < 1 for group in column.above(self.average))}
        above = {name: counts for name, counts in self.groups_above.items() if name in partly}
        columns = [
            f"{name!r} ({counts.above:,} of {counts.groups:,} groups, up to {counts.highest:.1%})"
            for name, counts in above.items()
        ]
        if columns:
            self._say(observer, [(column.column, group) for column in self.columns for group in column.above(self.average)])(
                Caution(
                    "lost-groups",
                    f"some groups lose more than {_TIMES} times the average share of records ({self.average:.1%}) to suppression, by "
                    f"{first_of(columns)}; {where}",
                    *above,
                    brief=f"suppression takes more than {_TIMES} times the average from some groups of {shortened(above)}; {where}",
                )
            )

    def _say(self, observer: Observer, groups: Sequence[tuple[str, SuppressedGroup]]) -> Callable[[Caution], None]:
        is_notable = any(
            column not in self.quasi_identifiers or (group.rows >= self.k and group.share >= _NOTABLE_SHARE)
            for column, group in groups
        )
        return observer.warn if is_notable else observer.note

    def subgroups(self) -> list[dict[str, Any]]:
        """The groups that lose rows, with their values, for reports."""
        return [
            {
                "column": column.column,
                "value": "NULL" if group.value is None else group.value,
                "rows": group.rows,
                "suppressed": group.suppressed,
                "share": group.share,
            }
            for column in self.columns
            for group in {(group.value, group.rows): group for group in (*column.removed, *column.groups)}.values()
            if group.suppressed
        ]


def suppressed_values(
    engine: Engine, counted: Counted, decided: SearchResult, recoding: Recoding, form: Form | None = None
) -> Losses:
    """What suppression removes of the released columns; nothing if no row is suppressed.

    `form` is the format of the file that `release` reads. Without it the released rows are read from the input.
    """
    suppressed = decided.figures.suppressed
    protection = counted.protection
    if not suppressed:
        columns = () if protection is None else protection.columns
        none = {
            column.name: ProtectedLosses(len(column.rows), Fraction(0), protection.share) for column in columns if protection
        }
        return Losses(0.0, protected=none)
    others, protected = _of_rows(engine, recoding, protection, form)
    all_columns = [*of_quasi_identifiers(engine, counted, recoding), *others]
    order = {column.name: number for number, column in enumerate(recoding.columns)}
    in_order = sorted(all_columns, key=lambda losses: order[losses.column])
    return Losses(suppressed / counted.rows, in_order, protected, counted.plan.requirement.largest_k.bounded_k, recoding.names)


def refuse_unprotected(losses: Losses) -> None:
    """Raise `VerificationFailed` if a value of a protected column loses a larger share of its rows than allowed."""
    for name, loss in losses.protected.items():
        if loss.highest > loss.allowed:
            highest, allowed = float(100 * loss.highest), float(100 * loss.allowed)
            raise VerificationFailed(
                f"verification failed: a value of the protected column {name!r} loses {figure(highest, beside=allowed)}% of its rows, but only {allowed:,.9g}% is allowed; "
                "nothing was released"
            )


def of_quasi_identifiers(engine: Engine, counted: Counted, recoding: Recoding) -> list[ColumnLosses]:
    """Losses by the released labels, and by the labels of the first level with few labels."""
    parts, chosen = [], []
    for number, (attribute, marginal) in enumerate(zip(counted.attributes, counted.marginals, strict=True)):
        levels = range(attribute.min_level, attribute.max_level + 1)
        if recoding.is_regional and not attribute.is_nested:
            levels = levels[:1]  # a label of the least level may be below several labels of a higher level
        coarse = next((level for level in levels if 1 < marginal.distinct[level] <= _GROUPS), None)
        shown = recoding.levels.get(attribute.name, coarse)
        chosen.append((attribute.name, shown, coarse))
        parts += [
            {
                "number": number,
                "name": attribute.name,
                "least": attribute.min_level,
                "level": level,
                "key": attribute.key(level),
            }
            for level in sorted({level for level in (shown, coarse) if level is not None})
        ]
    if not parts:
        return []
    about = {"parts": parts, "regional": recoding.is_regional, "keys": list(recoding.class_keys.values())}
    read: dict[tuple[int, int], list[SuppressedGroup]] = {}
    for number, level, label, rows, released in engine.query(render("release/released_values", **about), _STAGE):
        read.setdefault((int(number), int(level)), []).append(SuppressedGroup(label, int(rows), int(rows) - int(released)))
    losses = []
    for number, (name, shown, coarse) in enumerate(chosen):
        labels = [] if shown is None else read[number, shown]
        groups = [] if coarse is None else read[number, coarse]
        losses.append(ColumnLosses(name, len(labels), _removed(labels, len(labels)), groups))
    return losses


@step
def _of_rows(
    engine: Engine, recoding: Recoding, protection: Protection | None, form: Form | None
) -> tuple[list[ColumnLosses], dict[str, ProtectedLosses]]:
    """Losses of columns other than quasi-identifiers, if suppressed rows are dropped, and of protected columns."""
    hidden = set(recoding.treatments) | set(recoding.names)
    others = [
        column
        for column in recoding.columns
        if column.name not in hidden and not column.is_nested and recoding.shows(column.name) != "star"
    ]
    others = [] if recoding.keep_suppressed_rows else _shared(engine, others)
    protected = [] if protection is None else protection.names
    columns = [*others, *(column for column in recoding.columns if column.name in protected and column not in others)]
    if not columns:
        return [], {}
    statement = render(
        "release/value_losses",
        columns=[column.name for column in columns],
        of_file=form is not None and _shows_values(recoding, columns, form),
        quasi_identifiers=recoding.names,
        keys=recoding.class_keys,
        regional=recoding.is_regional,
    )
    engine.create_table(statement, stage=_STAGE)
    numbers = {column.name: number for number, column in enumerate(columns, start=1)}
    notable = _notable(engine, {column.name: numbers[column.name] for column in others})
    shares = {} if protection is None else _protected(engine, protection, {name: numbers[name] for name in protected})
    return notable, shares


def _shows_values(recoding: Recoding, columns: Sequence[Column], form: Form) -> bool:
    """Whether the written file has the released rows, and no others, with the values of these columns in their own types.

    Then no row needs to be looked up in the classes, which is slow. Masked records are in the file too.
    """
    unchanged = ("itself", "itself or star")
    return (
        form.has_types
        and not recoding.keep_suppressed_rows
        and all(recoding.shows(column.name) in unchanged and column.file_type == column.type for column in columns)
    )


def _notable(engine: Engine, numbers: Mapping[str, int]) -> list[ColumnLosses]:
    """The removed values and the groups of each column."""
    if not numbers:
        return []
    about = {"numbers": numbers.values(), "few": _FEW, "least_rows": _LEAST_ROWS}
    read: dict[int, list[SuppressedGroup]] = {number: [] for number in numbers.values()}
    values = dict.fromkeys(numbers.values(), 0)
    for number, count, text, rows, lost in engine.query(render("release/notable_losses", **about), _STAGE):
        values[int(number)] = int(count)
        read[int(number)].append(SuppressedGroup(text, int(rows), int(lost)))
    return [
        ColumnLosses(
            name, values[number], _removed(read[number], values[number]), read[number] if 1 < values[number] <= _GROUPS else []
        )
        for name, number in numbers.items()
    ]


def _protected(engine: Engine, protection: Protection, numbers: Mapping[str, int]) -> dict[str, ProtectedLosses]:
    """The largest share that a value of each protected column loses."""
    statement = render("release/protected_shares", numbers=numbers.values())
    shares = [(int(number), *map(int, rest)) for number, *rest in engine.query(statement, _STAGE)]
    return {
        name: ProtectedLosses(
            sum(values for column_number, _, values, _ in shares if column_number == number),
            max(Fraction(lost, rows) for column_number, rows, _, lost in shares if column_number == number),
            protection.share,
        )
        for name, number in numbers.items()
    }


def _shared(engine: Engine, columns: Sequence[Column]) -> list[Column]:
    """The columns with few enough distinct values to count."""
    if not columns:
        return []
    [(_, *counts)] = engine.query(render("dataset/column_counts", columns=columns), stage=_STAGE)
    return [column for column, values in zip(columns, counts[1::4], strict=True) if values <= _MOST_VALUES]


def _removed(groups: Collection[SuppressedGroup], values: int) -> list[SuppressedGroup]:
    return [group for group in groups if group.suppressed == group.rows and (values <= _FEW or group.rows >= _LEAST_ROWS)]
