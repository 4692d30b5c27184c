"""The terms of templates that judge a relation of classes: the requirement, and the conditions on masked records together."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from duckanon.engine.templates import Terms
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.risk import RISK_UNIT
from duckanon.privacy.requirement import Adversary, Dependency, Requirement, closed

_MOST_IN_BIGINT = 3
"""The labels of so many columns are numbered together without overflow if each has up to 2 million."""
_MERGED = {"_k": "max", "_population": "sum"}
_EXPECTED_OF_PERSONS = f"(cast(_rows as hugeint) * {RISK_UNIT} + _persons - 1) // _persons"
"""The rows of a class that an adversary who attacks all of them identifies, rows / size, in units that keep thresholds on their sum exact."""

KNOWN_CODE, KNOWN_TEXT = -1, "any of 8d1f6a4be2c94c0f9e5d70a3b1c86f52"
"""In the counts of the persons with each sensitive value: the entry of the persons with any value that is not missing."""


@dataclass(frozen=True)
class Relations:
    """The relations of the classes, of the rows of each sensitive value in them, and of its rows in the whole table."""

    classes: str = "classes"
    histogram: str | None = None
    """The start of a relation's name that ends in the name of the sensitive column; None for a part of the same statement."""
    shares: str = "distribution"
    members: str = "members"
    """The persons of each class whose records may be in several classes; only if persons are counted for adversaries."""
    is_text: bool = False
    """Whether sensitive values are texts instead of codes."""
    sets: str | None = None
    """The relation of the sets of quasi-identifier values that form the classes in the same statement; None if a relation has the classes."""


@dataclass(frozen=True)
class EvaluatedColumn:
    """A sensitive column in the templates of the models."""

    number: int
    column: str
    counts_pairs: bool
    """Whether a model counts the pairs of a person and a value."""
    histogram: str
    """The relation of the rows of each of its values in the classes."""
    shares: str
    """The relation of its distribution in the whole table."""
    partly_missing: bool
    """Whether the models must hold for the values that are not missing too."""
    height: int
    """The number of levels of its hierarchy, by which values are distant; 0 without one."""
    whole: str | None = None
    """For an adversary: the relation from which `histogram` is counted."""

    @property
    def relation(self) -> str:
        """The relation of its values under the sets of quasi-identifier values."""
        return f"sensitive_{self.column}"

    def in_histogram(self, records: str) -> "EvaluatedColumn":
        """The same with its values counted in a part of the statement: those of the suppressed or the released records."""
        return replace(self, histogram=f"{records}_histogram_{self.number}")

    @property
    def entities(self) -> str:
        """The relation of the persons with each of its values."""
        return f"value_entities_{self.column}"


@dataclass(frozen=True)
class EvaluatedModel:
    """A privacy model in the templates, which read its own parameters as keys: `{{ model.l }}`."""

    name: str
    """The end of the names of its columns, such as `_fails_distinct_l_income`."""
    template: str
    figures: Mapping[str, Any]
    """The parameters by name, as exact numbers."""
    value_counts: str | None
    """The relation of the values of its sensitive column in the classes; None for a model that judges sizes."""
    shares: str | None
    is_monotone: bool
    """Whether a row that it suppresses at a node is suppressed at every node below."""
    partial_fails: str | None
    """SQL: the condition under which at least one row of the class fails at every node below."""
    is_doubtful: bool
    """Whether floating-point rounding may leave a class undecided."""
    bounds_rows: bool
    """Whether it shows how many rows of a failing class may pass at the nodes below."""
    is_decided: bool
    """Whether the relation `entropy_comparisons` decides such classes."""
    height: int
    known: "EvaluatedModel | None" = None
    """The same model of the values that are not missing, if it must hold for these too."""
    of: int | None = None
    """The number of the sensitive column, and below which of the two figures is worse; only with `known`."""
    worst: str | None = None
    is_exported: bool = False

    def __getitem__(self, name: str) -> Any:
        return self.figures[name]

    @property
    def fails(self) -> str:
        """The column of its verdict."""
        return f"_fails_{self.name}"

    @property
    def number(self) -> str:
        """The name, as extensions of earlier versions call it."""
        return self.name


@dataclass(frozen=True)
class EvaluatedAdversary:
    """An adversary in the templates: the keys of the classes that it sees, and what judges these."""

    known: Sequence[str]
    number: int = 0
    rule: str = ""
    name: str = ""
    models: Sequence[EvaluatedModel] = ()
    sensitives: Sequence[EvaluatedColumn] = ()
    sets: Sequence[tuple[int, ...]] = ()
    """Of an adversary who knows any few columns: the places of each set in `known`, from 1."""
    k: int | None = None
    type: str = "hugeint"
    """The type of the number that holds the labels of a set."""
    are_codes: bool = False
    """Whether the keys hold codes of labels."""


@dataclass(frozen=True)
class Evaluation(Terms):
    """The terms of the templates that judge a relation of classes."""

    class_results_template: str
    classes: str
    """The relation of the classes."""
    class_keys: Sequence[str]
    """The columns that identify a class."""
    sets: str | None
    """The relation whose rows form the classes in the same statement; None if `classes` is a relation of its own."""
    are_stored: bool
    """Whether the rows of sensitive values are a relation of their own."""
    own_k: bool
    """Whether records have a k of their own, in the column `_k`."""
    persons: int
    """The number of columns that identify persons; 0 if classes count rows."""
    size: str
    """The column with the size of a class."""
    population: bool
    """Whether classes count rows of the population, in the column `_population`."""
    sensitives: Sequence[EvaluatedColumn]
    models: Sequence[EvaluatedModel]
    measures: Sequence[Mapping[str, str]]
    """The columns of classes beside their rows, each with the aggregate that merges classes."""
    average_risk: Fraction | None
    risk_unit: int
    expected: str
    """SQL: the rows of a class that an adversary who attacks all of them identifies, in the unit."""
    keep_suppressed_rows: bool
    counts_whole_classes: bool
    """Whether all rows of a failing class are suppressed at every node below."""
    least_below: str
    """SQL: the rows of a class that are suppressed at every node below, at least."""
    doubtful: str
    """SQL: whether floating-point rounding leaves the class undecided."""
    adversaries: Sequence[EvaluatedAdversary]
    least_masked: int
    """The minimum rows of the masked records together."""
    members: str
    """The relation of the persons of each class."""
    known_value: str | int
    """In the rows of sensitive values: the entry of persons with any value that is not missing."""
    suppressed_sensitives: Sequence[EvaluatedColumn] = ()
    """The sensitive columns with their values among suppressed rows that are kept, and below, among the others."""
    released_sensitives: Sequence[EvaluatedColumn] = ()
    nodes: Sequence[tuple[int, Sequence[str]]] = ()
    """Of several nodes in one statement: what the number of a class begins with, and the columns that are added to it."""
    is_whole: bool = False
    """Whether classes without a row are judged too, as if they had one."""
    are_evaluated: bool = False
    """Whether the verdicts are read from `class_results` instead."""
    seen_labels: Sequence[str] = ()
    """The columns by which adversaries know the classes of regions."""


def evaluation(
    requirement: Requirement,
    keys: Sequence[str],
    *,
    keep_suppressed_rows: bool,
    relations: Relations | None = None,
    shown: Mapping[str, Sequence[str]] | None = None,
    constant: Collection[str] = (),
    are_codes: bool = False,
) -> Evaluation:
    """The terms that judge a relation of classes with these key columns.

    `shown`: the columns that show each quasi-identifier, by which adversaries know it; by default, the key of the same name.
    `constant`: the quasi-identifiers that show the same label in all classes. `are_codes`: whether the keys hold codes of labels, from 0.
    """
    relations = relations or Relations()
    sensitive = [
        _sensitive(number, column, relations, requirement) for number, column in enumerate(requirement.sensitive, start=1)
    ]
    models = _models(requirement, sensitive)
    own_k = requirement.k.k_column is not None
    measures = [*(["_k"] if own_k else []), *(["_population"] if requirement.needs_population else [])]
    risk = requirement.average_risk
    counts_whole_classes = requirement.is_monotone and not (keep_suppressed_rows and risk is not None)
    return Evaluation(
        class_results_template=_template(requirement, keep_suppressed_rows=keep_suppressed_rows),
        classes=relations.classes,
        class_keys=list(keys),
        sets=relations.sets,
        are_stored=relations.histogram is not None,
        own_k=own_k,
        persons=requirement.persons,
        size="_persons" if requirement.counts_persons else "_rows",
        population=requirement.needs_population,
        sensitives=sensitive,
        models=models,
        measures=[{"name": name, "merged": _MERGED[name]} for name in measures],
        average_risk=None if risk is None else risk.figures["risk"],
        risk_unit=RISK_UNIT if requirement.counts_persons else 1,
        expected=_EXPECTED_OF_PERSONS if requirement.counts_persons else "1",
        keep_suppressed_rows=keep_suppressed_rows,
        counts_whole_classes=counts_whole_classes,
        least_below=_least_below(
            models, requirement, counts_whole_classes=counts_whole_classes, keep_suppressed_rows=keep_suppressed_rows
        ),
        doubtful=_any(f"_doubtful_{model.name}" for model in models if model.is_doubtful),
        adversaries=[
            _with_sets(
                _adversary(number, rule, adversary, requirement, shown or {key: [key] for key in keys}, sensitive, relations),
                adversary,
                constant,
                are_codes=are_codes,
            )
            for number, (rule, adversary) in enumerate(
                zip(requirement.rule_names, requirement.adversaries, strict=False), start=1
            )
        ],
        least_masked=max((model.least_rows for model in requirement.every_model), default=1),
        members=relations.members,
        known_value=f"'{KNOWN_TEXT}'" if relations.is_text else KNOWN_CODE,
        suppressed_sensitives=[column.in_histogram("suppressed") for column in sensitive],
        released_sensitives=[column.in_histogram("released") for column in sensitive],
    )


def _least_below(
    models: Sequence[EvaluatedModel], requirement: Requirement, *, counts_whole_classes: bool, keep_suppressed_rows: bool
) -> str:
    """SQL: the rows of a class that are suppressed at every node below, at least."""
    if counts_whole_classes:
        return f"case when {'not _joins and ' if keep_suppressed_rows else ''}_fails then _rows else 0 end"
    whole = ["_is_lost_below"] if requirement.adversaries else [model.fails for model in models if model.is_monotone]
    partial = [model.partial_fails for model in models if not model.is_monotone and model.partial_fails]
    bounding = [model.name for model in models if model.bounds_rows]
    bounds = [f"case when _fails_{name} then coalesce(_most_passing_{name}, _rows) else _rows end" for name in bounding]
    kept = f"least({', '.join(['_rows', *bounds])})" if bounds else "_rows"
    released = f"case when {kept} < {requirement.least_rows} then 0 else {kept} end"
    return f"case when {_any(whole)} then _rows when {_any(partial)} then greatest(1, _rows - {released}) else 0 end"


def _any(conditions: Iterable[str]) -> str:
    return " or ".join(conditions) or "false"


def _adversary(
    number: int,
    rule: str,
    adversary: Adversary,
    requirement: Requirement,
    shown: Mapping[str, Sequence[str]],
    sensitive: Sequence[EvaluatedColumn],
    relations: Relations,
) -> EvaluatedAdversary:
    keys = [column for name in adversary.columns for column in (shown[name] if adversary.any_of is None else shown[name][-1:])]
    seen = f"seen_{number}"
    own = evaluation(
        requirement.for_adversary(adversary),
        keys,
        keep_suppressed_rows=False,
        relations=Relations(seen, f"{seen}_histogram", relations.shares),
    )
    histograms = {column.column: column.histogram for column in sensitive}
    return EvaluatedAdversary(
        keys,
        number,
        rule,
        adversary.name,
        [replace(model, is_doubtful=False) for model in own.models],
        [replace(column, whole=histograms[column.column]) for column in own.sensitives],
    )


def _with_sets(
    evaluated: EvaluatedAdversary, adversary: Adversary, constant: Collection[str], *, are_codes: bool
) -> EvaluatedAdversary:
    """The same with the sets of columns of an adversary who knows any few. A column with one label adds nothing to a set."""
    if adversary.any_of is None:
        return evaluated
    sets = evaluated_sets(adversary, adversary.dependencies, constant)
    type = "bigint" if max(map(len, sets)) <= _MOST_IN_BIGINT else "hugeint"
    return replace(evaluated, sets=sets, k=adversary.k.bounded_k, type=type, are_codes=are_codes)


def evaluated_sets(
    adversary: Adversary, dependencies: Sequence[Dependency], constant: Collection[str] = (), more: Sequence[str] = ()
) -> list[tuple[int, ...]]:
    """The sets of columns of an adversary who knows any few: the places of each set and of the columns that it determines, from 1.

    `more` are columns that stand after those of the adversary.
    """
    determining = {name for each in dependencies for name in each.known}
    free = [name for name in adversary.columns if name not in constant or name in determining]
    places = {name: place for place, name in enumerate([*adversary.columns, *more], start=1) if name not in constant}
    closed_sets = _closed_sets(tuple(free), min(adversary.any_of or 1, len(free)), tuple(dependencies))
    sets = (tuple(sorted(places[name] for name in known if name in places)) for known in closed_sets)
    return list(dict.fromkeys(places for places in sets if places)) or [(1,)]


@lru_cache(maxsize=16)
def _closed_sets(columns: tuple[str, ...], size: int, dependencies: tuple[Dependency, ...]) -> list[frozenset[str]]:
    """Each set of so many columns, with those that it determines."""
    return list(dict.fromkeys(closed(known, dependencies) for known in combinations(columns, size)))


def _template(requirement: Requirement, *, keep_suppressed_rows: bool) -> str:
    if requirement.adversaries:
        return "privacy/adversaries.jinja"
    if keep_suppressed_rows:
        return "privacy/masked.jinja"
    return "privacy/evaluated.jinja" if requirement.average_risk is None else "privacy/average_risk.jinja"


def _sensitive(number: int, column: str, relations: Relations, requirement: Requirement) -> EvaluatedColumn:
    pairs = [model for model in requirement.models if model.sensitive == column and model.counts_pairs]
    return EvaluatedColumn(
        number,
        column,
        counts_pairs=requirement.counts_persons and bool(pairs),
        histogram=f"histogram_{number}" if relations.histogram is None else f"{relations.histogram}_{column}",
        shares=f"{relations.shares}_{column}",
        partly_missing=column in requirement.partly_missing,
        height=requirement.heights.get(column, 0),
    )


def _models(requirement: Requirement, sensitive: Sequence[EvaluatedColumn]) -> list[EvaluatedModel]:
    """The models in the order in which they are applied, each to what the previous one left."""
    by_column = {column.column: column for column in sensitive}
    models = []
    for name, model in zip(requirement.rule_names, requirement.models, strict=bool(requirement.models)):
        about = by_column.get(model.sensitive) if model.sensitive is not None else None
        bounds_rows = model.bounds_rows and not (about is not None and requirement.counts_persons)
        partial_fails = f"_most_passing_{name} is not null" if bounds_rows else None
        evaluated = EvaluatedModel(
            name,
            model.template,
            figures={**_counting(model, requirement), **model.figures},
            value_counts=None if about is None else _counted(model, about.number, requirement),
            shares=None if about is None else about.shares,
            is_monotone=requirement.under_suppression(model),
            partial_fails=f"_fails_{name}" if requirement.under_generalization(model) else partial_fails,
            is_doubtful=model.IS_DOUBTFUL and requirement.settles_doubts,
            bounds_rows=bounds_rows,
            is_decided=requirement.is_decided,
            height=requirement.heights.get(model.sensitive or "", 0),
        )
        if about is not None and about.partly_missing:
            # the size of a class counts all rows, also for a model that bounds it
            figures = {**evaluated.figures, "k": 1} if "k" in model.PARAMETERS else evaluated.figures
            counted = _counted(model, about.number, requirement, known=True)
            known = replace(evaluated, value_counts=counted, figures=figures)
            evaluated = replace(evaluated, known=known, of=about.number, worst=model.WORST)
        models.append(evaluated)
    return models


def _counted(model: PrivacyModel, number: int, requirement: Requirement, *, known: bool = False) -> str:
    """What is counted for each sensitive value: rows, persons, or pairs of a person and a value; `known`: without missing values."""
    if requirement.counts_persons and model.counts_pairs:
        return f"known_pairs_{number}" if known else f"pairs_{number}"
    return f"known_counts_{number}" if known else f"value_counts_{number}"


def _counting(model: PrivacyModel, requirement: Requirement) -> dict[str, Any]:
    """Whether a threshold on the size of classes counts persons."""
    if model.sensitive is not None:
        return {}
    return {"k": getattr(model, "k", None), "own_k": False, "persons": requirement.persons}
