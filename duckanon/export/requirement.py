"""What every class must satisfy, for the templates of the SQL export, and the limits of single engines."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from duckanon.engine.protocol import Column
from duckanon.errors import JobError
from duckanon.export.labels import Label
from duckanon.export.values import Bound
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.evaluation import EvaluatedColumn, EvaluatedModel, Evaluation, evaluation
from duckanon.privacy.models.risk import HighestRisk
from duckanon.privacy.models.t_closeness import TCloseness
from duckanon.privacy.registry import as_written
from duckanon.privacy.requirement import Requirement

_FINER = re.compile(r"\.\d{3}\d*[1-9]\d*$|\.\d{4,}$")
_MOST = 2**62
"""The k of a record without its own k."""
_COMPARED = {
    "alpha_k_anonymity": (),
    "distinct_l_diversity": (),
    "entropy_l_diversity": (),
    "recursive_cl_diversity": ("_frequency",),
    "t_closeness_equal": ("_table_rows",),
}
"""The models of sensitive columns whose templates all engines compute alike, each with what it reads beside the counts of values."""


@dataclass(frozen=True, kw_only=True)
class ExportedColumn(EvaluatedColumn):
    """A sensitive column in the templates of the export."""

    name: str
    cell: int
    """The number of its cells in the table."""
    floating: str | None
    """Its type, if that is a floating-point type."""
    compared: Collection[str]
    """What its models read beside the counts of values."""


@dataclass(frozen=True)
class Thresholds:
    """What a class must satisfy, and the cells of the columns in the table."""

    k: int
    """The minimum rows of a passing class."""
    own_k: int | None
    persons: Sequence[int]
    sensitives: Sequence[ExportedColumn]
    evaluated: Evaluation
    """The terms of the models."""
    counts_only_rows: bool

    @property
    def most(self) -> int:
        return _MOST


def thresholds_of(
    requirement: Requirement, columns: Mapping[str, Column], cells: Mapping[str, int], null_is_value: Collection[str]
) -> Thresholds:
    """The thresholds of a requirement on columns in these cells; raises `JobError` for the first model that has no SQL.

    Models of columns in `null_is_value` need not hold without missing values.
    """
    _check(requirement)
    names = requirement.sensitive
    partly_missing = frozenset(names) - frozenset(null_is_value)
    evaluated = evaluation(replace(requirement, partly_missing=partly_missing), [], keep_suppressed_rows=False)
    models = [replace(_exported(model), known=model.known and _exported(model.known)) for model in evaluated.models]
    sensitives = [
        ExportedColumn(
            **vars(about),
            name=name,
            cell=cells[name],
            floating=columns[name].type.lower() if columns[name].is_floating else None,
            compared={read for model in requirement.others if model.sensitive == name for read in _COMPARED[_template(model)]},
        )
        for name, about in zip(names, evaluated.sensitives, strict=True)
    ]
    own_k, persons = requirement.k.k_column, [cells[name] for name in requirement.k.entities]
    counts_only_rows = not names and own_k is None and not persons
    own = cells[own_k] if own_k else None
    exported = replace(evaluated, models=models, sensitives=sensitives)
    return Thresholds(requirement.least_rows, own, persons, sensitives, exported, counts_only_rows)


def _exported(model: EvaluatedModel) -> EvaluatedModel:
    return replace(model, is_doubtful=False, bounds_rows=False, is_exported=True)


def in_release(requirement: Requirement, shown: Sequence[str]) -> Requirement:
    """The part of a requirement that the released table alone can be checked for."""
    part = requirement.in_file(shown)
    kept = tuple(model for model in part.others if not isinstance(model, TCloseness))
    return Requirement(part.k, kept)


def requirement_texts(requirement: Requirement) -> list[str]:
    """The requirement as texts, one for each model."""
    k = requirement.k
    what = f"persons of {' and of '.join(map(repr, k.entities))}" if k.entities else "rows"
    own = f", and the k of its records in {k.k_column!r}" if k.k_column else ""
    return [f"k = {k.k} {what} in each class{own}", *(as_written(model) for model in requirement.others)]


def _check(requirement: Requirement) -> None:
    """Raise `JobError` for the first model that has no SQL."""
    if requirement.average_risk is not None:
        raise _refused(requirement.average_risk, "depends on all classes together")
    if requirement.adversaries:
        raise JobError(
            "the release protects against several adversaries, whose classes overlap, and cannot be exported as SQL; "
            "use duckanon apply, or release again without them"
        )
    if requirement.counts_persons and requirement.sensitive:
        raise _refused(next(model for model in requirement.others if model.sensitive), "counts persons with --entity")
    for model in requirement.others:
        if model.sensitive is None and not isinstance(model, HighestRisk):
            raise _refused(model, "counts the rows of a population")
        if model.sensitive is not None and _template(model) not in _COMPARED:
            raise _refused(model, "has no SQL that all engines compute alike")


def _template(model: PrivacyModel) -> str:
    return PurePosixPath(model.template).stem


def _refused(model: PrivacyModel, why: str) -> JobError:
    return JobError(
        f"the release requires {as_written(model)}, which {why} and cannot be exported as SQL; "
        "use duckanon apply, or release again without it"
    )


def check_limits(labels: Sequence[Label], thresholds: Thresholds, dropped: Iterable[Bound], dialect: str) -> None:
    """Raise `JobError` if an engine would refuse the statements, or read one of their values differently."""
    if dialect == "bigquery":
        shown = [label.name for label in labels if label.shows_value and label.column.is_floating]
        for name in (*shown, *(column.name for column in thresholds.sensitives if column.floating)):
            raise JobError(
                f"column {name!r} has floating-point numbers, and bigquery cannot group rows by them; "
                "release again with its values as whole or decimal numbers, or use duckanon apply"
            )
    if dialect != "trino":
        return
    for label in labels:
        bounds = [*(row.value for row in label.rows), *(label.missing.tokens if label.missing else ())]
        _check_seconds(bounds, f"the hierarchy of column {label.name!r}")
    _check_seconds(dropped, "the rule for missing values")


def _check_seconds(bounds: Iterable[Bound], what: str) -> None:
    """Raise `JobError` for timestamps finer than a millisecond; Trino rounds them."""
    if any(bound.type == "timestamp" and _FINER.search(str(bound.value)) for bound in bounds):
        raise JobError(f"{what} names timestamps finer than a millisecond, which trino rounds; use duckanon apply")
