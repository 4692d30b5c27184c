"""What a study of an outcome would find before and after: means or shares by group, correlations, and a regression on the quasi-identifiers.

"After" is what an analyst reads off the released file, without knowledge of the input: a range counts as its midpoint, a label of several
values as a group of its own, and `*` as missing. Only complete rows count, each by itself, also if a person has several.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.dataset.column_names import hint, is_code
from duckanon.engine.owner import step
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import ident, literal, render
from duckanon.hierarchy.attributes import Attribute
from duckanon.release.recoding import Recoding, Shows
from duckanon.reports.regression import Estimate, Regression, fitted
from duckanon.search.count import Counted

_MOST_OUTCOMES = 3
_MOST_COLUMNS = 30
"""Quasi-identifiers that are compared with an outcome."""
_MOST_VALUES = 20
"""An outcome that is no number has at most so many values."""
_MOST_GROUPS = 12
_MOST_LEVELS = 5
"""Values of a category that a regression distinguishes."""
_MOST_COVARIATES = 8
_MOST_TERMS = 20
_NOTABLE = 0.01
"""The largest difference is one of a group with at least this share of the rows, before and after."""
_OTHER = "other"
SIDES = ("before", "after")


@dataclass(frozen=True)
class Outcome:
    """An outcome: a number, or whether a column has a value."""

    column: str
    number: int
    value: str | None
    """The value that counts as 1, any other as 0; None for a number."""
    center: float = 0.0
    scale: float = 1.0
    """Numbers are counted from the mean of the source, in units of their deviation."""
    cell: str | None = None
    """Its value in a row, as SQL; None if it is a quasi-identifier."""
    label: str | None = None
    """Its value for a label of its quasi-identifier, as SQL."""

    def shown(self, value: float) -> float:
        """A mean of the outcome in its own unit."""
        return self.center + self.scale * value


@dataclass(frozen=True)
class Known:
    """A quasi-identifier, as study rows show it."""

    attribute: Attribute
    number: int

    @property
    def name(self) -> str:
        return self.attribute.name

    @property
    def is_number(self) -> bool:
        """Whether its values are on a scale: numbers other than codes, and dates."""
        column = self.attribute.column
        is_time = column.is_date and "TIME ZONE" not in column.type
        return (column.is_number or is_time) and not is_code(self.name)

    def params(self, side: str) -> dict[str, Any]:
        column = self.attribute.column
        height = self.attribute.height if side == "after" else 0
        return {
            "name": self.name,
            "number": self.number,
            "is_number": self.is_number,
            "is_date": column.is_date,
            "type": column.type,
            "height": height,
        }


@dataclass(frozen=True)
class Side:
    """The source or the release."""

    name: str
    """before or after"""
    groups: Mapping[int, Sequence[tuple[str, int, float]]]
    """By quasi-identifier its most frequent values or labels, with their rows and the sum of the outcome."""
    numbers: Mapping[int, tuple[float | None, float | None, float | None]]
    """By quasi-identifier with numbers their mean, their deviation, and their correlation with the outcome."""
    rows: int
    total: float

    @property
    def relation(self) -> str:
        return f"study_{self.name}"


@dataclass(frozen=True)
class Term:
    """A term of a regression: a number in units of its deviation in the source, or a value of a category against another."""

    column: str
    level: str | None
    against: str | None

    @property
    def name(self) -> str:
        return self.column if self.level is None else f"{self.column}: {self.level}"

    @property
    def key(self) -> tuple[str, str | None, str | None]:
        return self.column, self.level, self.against


def study(engine: Engine, counted: Counted, recoding: Recoding, relation: str = "release") -> list[dict[str, Any]]:
    """Each outcome before (`records`) and after (the relation of released rows): the target of the job, or at most three sensitive columns.

    An outcome that is no number and has more than twenty values, or that is constant, has `kind` none and says `why`. Empty if the rows
    are on a cluster.
    """
    if engine.is_remote("records"):
        return []
    return _studied(engine, counted, recoding, relation)


@step
def _studied(engine: Engine, counted: Counted, recoding: Recoding, relation: str) -> list[dict[str, Any]]:
    known = [Known(attribute, number) for number, attribute in enumerate(recoding.attributes[:_MOST_COLUMNS], start=1)]
    read = [_outcome(engine, column, number, known) for number, column in enumerate(outcomes(counted, recoding), start=1)]
    usable = [outcome for outcome in read if isinstance(outcome, Outcome)]
    if usable:
        for side, rows in zip(SIDES, ("records", relation), strict=True):
            columns = [column.params(side) for column in known]
            about = {"columns": columns, "outcomes": usable, "relation": rows}
            engine.create_table(
                render("utility/study_rows", f"study_{side}", **about), stage="comparing what a study would find"
            )
    return [_compared(engine, outcome, known, recoding) if isinstance(outcome, Outcome) else outcome for outcome in read]


def outcomes(counted: Counted, recoding: Recoding) -> list[Column]:
    """The released columns that a study is about; first the sensitive ones whose names say so."""
    released = [column for column in recoding.columns if column.name not in recoding.treatments and not column.is_nested]
    if counted.job.target is not None:
        return [column for column in released if column.name == counted.job.target]
    sensitive = [column for column in released if counted.plan.roles[column.name] == "sensitive"]
    return sorted(sensitive, key=lambda column: hint(column.name) != "sensitive")[:_MOST_OUTCOMES]


def _outcome(engine: Engine, column: Column, number: int, known: Sequence[Known]) -> Outcome | dict[str, Any]:
    """The outcome of a column, or why it is none."""
    values = engine.query(render("utility/study_values", column=column.name, most=_MOST_VALUES + 1))
    texts, count = [str(text) for text, *_ in values], values[0][2] if values else 0
    own = next((each for each in known if each.name == column.name), None)
    if count > 2 and column.is_numeric and (own is None or own.is_number):
        center, scale = float(values[0][3]), float(values[0][4])
        cell, label = (None, f"_number_{own.number}") if own else (f"try_cast({ident(column.name)} as double)", None)
        place = f"(case when abs({cell or label}) < 1e60 then {cell or label} end - {literal(center)}) / {literal(scale)}"
        return Outcome(column.name, number, None, center, scale, place if cell else None, place if label else None)
    if not 1 < count <= _MOST_VALUES:
        why = (
            "it has a single value"
            if count == 1
            else "it has no value"
            if not count
            else f"it has {count:,} values and is no number"
        )
        return {"outcome": column.name, "kind": "none", "value": None, "why": why}
    # the rarer of two values, and the most frequent of several
    value = texts[count - 1] if count == 2 else texts[0]
    text = f"_label_{own.number}" if own else f"cast({ident(column.name)} as varchar)"
    others = ", ".join(literal(each) for each in texts if each != value)
    place = f"case when {text} = {literal(value)} then 1 when {text} in ({others}) then 0 end"
    return Outcome(column.name, number, value, cell=None if own else place, label=place if own else None)


def _compared(engine: Engine, outcome: Outcome, known: Sequence[Known], recoding: Recoding) -> dict[str, Any]:
    others = [column for column in known if column.name != outcome.column]
    before, after = (_side(engine, name, outcome, others) for name in SIDES)
    groups = [*_groups(engine, outcome, others, recoding, before, after)]
    moved = max(
        (
            {"column": each["column"], **group}
            for each in groups
            for group in each["groups"]
            if all(0 < _NOTABLE * side.rows <= group[f"rows_{side.name}"] for side in (before, after))
        ),
        key=lambda group: abs(group["after"] - group["before"]),
        default=None,
    )
    return {
        "outcome": outcome.column,
        "kind": "number" if outcome.value is None else "share",
        "value": outcome.value,
        "rows_before": before.rows,
        "rows_after": after.rows,
        "before": outcome.shown(before.total / before.rows) if before.rows else None,
        "after": outcome.shown(after.total / after.rows) if after.rows else None,
        "groups": groups,
        "largest_difference": moved,
        "correlations": [
            {"column": column.name, "before": before.numbers[column.number][2], "after": after.numbers[column.number][2]}
            for column in others
            if column.is_number
        ],
        "model": _model(engine, outcome, others, before, after),
    }


def _side(engine: Engine, name: str, outcome: Outcome, known: Sequence[Known]) -> Side:
    relation, numbers = f"study_{name}", [column.number for column in known if column.is_number]
    figures = render("utility/study_figures", relation=relation, outcome=outcome.number, numbers=numbers)
    [(*figures_of, rows, total)] = engine.query(figures)
    groups = {column.number: _read_groups(engine, relation, outcome, column) for column in known}
    triples = {number: (*figures_of[3 * place : 3 * place + 3],) for place, number in enumerate(numbers)}
    return Side(name, groups, triples, int(rows), float(total or 0))


def _read_groups(
    engine: Engine, relation: str, outcome: Outcome, column: Known, *, is_recoded: bool = False
) -> list[tuple[str, int, float]]:
    about = {"relation": relation, "outcome": outcome.number, "column": column.name, "number": column.number}
    label = "recoding.label" if is_recoded else f"_label_{column.number}"
    statement = render("utility/study_groups", label=label, is_recoded=is_recoded, most=_MOST_GROUPS + 1, **about)
    return [(str(group), int(rows), float(total)) for group, rows, total in engine.query(statement)]


def _groups(
    engine: Engine, outcome: Outcome, known: Sequence[Known], recoding: Recoding, before: Side, after: Side
) -> Iterable[dict[str, Any]]:
    """The groups of each quasi-identifier that shows few; values of the source are in the group of their label if all rows have the same levels."""
    for column in known:
        shown, source = after.groups[column.number], before.groups[column.number]
        if recoding.levels.get(column.name) and recoding.shows(column.name) is Shows.LABEL and shown:
            source = _read_groups(engine, before.relation, outcome, column, is_recoded=True)
        names = list(dict.fromkeys(name for name, *_ in (*source, *shown)))
        if not shown or not 1 < len(names) <= _MOST_GROUPS:
            continue
        sides = [{name: (rows, outcome.shown(total / rows)) for name, rows, total in side} for side in (source, shown)]
        yield {
            "column": column.name,
            "groups": [
                {
                    "group": name,
                    **{
                        key: figure
                        for side, groups in zip(SIDES, sides, strict=True)
                        for key, figure in zip((f"rows_{side}", side), groups.get(name, (0, None)), strict=True)
                    },
                }
                for name in names
            ],
        }


def _model(engine: Engine, outcome: Outcome, known: Sequence[Known], before: Side, after: Side) -> dict[str, Any]:
    """A regression on the quasi-identifiers that explain most of the outcome's variance in the source, each by itself."""
    chosen, size = list[Known](), 0
    for column in sorted(known, key=lambda column: -_explained(outcome, column, before)):
        own = len(_terms(column, before, before))
        if own and len(chosen) < _MOST_COVARIATES and size + own <= _MOST_TERMS:
            chosen, size = [*chosen, column], size + own
    terms = {side.name: [term for column in chosen for term in _terms(column, before, side)] for side in (before, after)}
    fits = {side.name: _fit(engine, outcome, chosen, terms[side.name], before, side) for side in (before, after)}
    estimates = {
        name: {term.key: fit.estimates[place] for place, term in enumerate(terms[name], start=1) if place in fit.estimates}
        for name, fit in fits.items()
    }
    keys = dict.fromkeys(term.key for name in SIDES for term in terms[name])
    both = [(estimates["before"][key], estimates["after"][key]) for key in estimates["before"] if key in estimates["after"]]
    signs = sum((first.coefficient > 0) == (second.coefficient > 0) for first, second in both)
    kept = sum(first.is_significant == second.is_significant for first, second in both)
    return {
        "kind": "linear" if outcome.value is None else "logistic",
        **{f"rows_{name}": fit.rows for name, fit in fits.items()},
        "terms": [
            {"column": column, "level": level, "against": against}
            | {name: _estimate(estimates[name].get((column, level, against)), outcome) for name in SIDES}
            for column, level, against in keys
        ],
        "collinear": {name: [terms[name][place - 1].name for place in fit.collinear] for name, fit in fits.items()},
        "estimated": len(estimates["before"]),
        "signs_kept": signs,
        "significance_kept": kept,
        "sign_changed": len(both) - signs,
        "significance_changed": len(both) - kept,
    }


def _explained(outcome: Outcome, column: Known, side: Side) -> float:
    """The share of the outcome's variance that a number explains, or the most frequent values of a category; 0 if it is constant."""
    if column.is_number:
        return (side.numbers[column.number][2] or 0.0) ** 2
    share = side.total / side.rows if side.rows else 0.0
    variance = 1.0 if outcome.value is None else share * (1 - share)
    between = sum(rows * (total / rows - share) ** 2 for _, rows, total in side.groups[column.number])
    return between / side.rows / variance if variance else 0.0


def _levels(column: Known, before: Side, side: Side) -> list[str]:
    """The values that a regression distinguishes: the most frequent of the source that the side shows.

    If the release does not show the first, with which the others are compared, its own most frequent labels.
    """
    source, shown = ([name for name, *_ in each.groups[column.number]] for each in (before, side))
    levels = source[:_MOST_LEVELS]
    return [name for name in levels if name in shown] if levels and levels[0] in shown else shown[:_MOST_LEVELS]


def _terms(column: Known, before: Side, side: Side) -> list[Term]:
    """The terms of a covariate; none if the side shows one value or none of it."""
    if column.is_number:
        return [Term(column.name, None, None)] if side.numbers[column.number][1] else []
    levels = _levels(column, before, side)
    names = [*levels, *([_OTHER] if len(side.groups[column.number]) > len(levels) else [])]
    return [Term(column.name, name, levels[0]) for name in names[1:]]


def _fit(
    engine: Engine, outcome: Outcome, chosen: Sequence[Known], terms: Sequence[Term], before: Side, side: Side
) -> Regression:
    first: dict[str, int] = {}
    for place, term in enumerate(terms, start=1):
        first.setdefault(term.column, place)
    covariates = [
        {"number": column.number, **_covariate(column, first[column.name], before, side)}
        for column in chosen
        if column.name in first
    ]
    if not covariates:
        return Regression(0)
    about = {"relation": side.relation, "outcome": outcome.number, "covariates": covariates}
    engine.create_table(render("utility/study_sets", **about))
    engine.create_table(render("utility/study_terms", covariates=covariates))
    return fitted(engine, len(terms) + 1, is_logistic=outcome.value is not None)


def _covariate(column: Known, first: int, before: Side, side: Side) -> dict[str, Any]:
    """A covariate as SQL, with its term and the value of its term: a number in units of its deviation in the source, or a category, whose value is its term."""
    name, label = f"_covariate_{column.number}", f"_label_{column.number}"
    if column.is_number:
        mean, deviation, _ = before.numbers[column.number]
        return {"sql": f"(_number_{column.number} - {literal(mean)}) / {literal(deviation)}", "term": first, "value": name}
    levels = _levels(column, before, side)
    places = " ".join(f"when {literal(level)} then {place and first + place - 1}" for place, level in enumerate(levels))
    other = first + len(levels) - 1
    return {"sql": f"case when {label} is not null then case {label} {places} else {other} end end", "term": name, "value": 1}


def _estimate(estimate: Estimate | None, outcome: Outcome) -> dict[str, Any] | None:
    """An estimate in units of the outcome."""
    if estimate is None:
        return None
    return {
        "coefficient": estimate.coefficient * outcome.scale,
        "error": estimate.error * outcome.scale,
        "significant": estimate.is_significant,
    }
