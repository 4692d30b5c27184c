"""The thresholds that every class must meet, for the templates of the SQL export."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import Any

from duckanon.engine.protocol import Column
from duckanon.errors import JobError
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.alpha_k_anonymity import AlphaKAnonymity
from duckanon.privacy.models.l_diversity import NEARLY, DistinctLDiversity, EntropyLDiversity, RecursiveCLDiversity
from duckanon.privacy.models.risk import HighestRisk
from duckanon.privacy.models.t_closeness import TCloseness
from duckanon.privacy.registry import as_written
from duckanon.privacy.requirement import Requirement

_MOST = 2**62
"""The k of a record without its own k."""


@dataclass(frozen=True)
class Thresholds:
    """The thresholds of a class, and the cells of their columns in the table."""

    keys: int
    """The number of quasi-identifiers."""
    k: int
    own_k: int | None
    persons: Sequence[int]
    sensitives: Sequence[Mapping[str, Any]]
    models: Sequence[Mapping[str, Any]]

    @property
    def most(self) -> int:
        return _MOST

    @property
    def needs_shares(self) -> bool:
        """Whether classes are compared with the whole table."""
        return any(column["needs_shares"] for column in self.sensitives)

    @property
    def more_frequent(self) -> list[Mapping[str, Any]]:
        """The models that count the rows of the most frequent values."""
        return [model for model in self.models if model["kind"] == "recursive"]

    @property
    def counts_only_rows(self) -> bool:
        return not self.models and self.own_k is None and not self.persons


def thresholds_of(
    requirement: Requirement, columns: Mapping[str, Column], cells: Mapping[str, int], keys: int, null_is_value: Collection[str]
) -> Thresholds:
    """The thresholds of a requirement on columns in these cells; raises `JobError` for the first model that has no SQL.

    Models of columns in `null_is_value` need not hold without missing values.
    """
    if requirement.average_risk is not None:
        raise _refused(requirement.average_risk, "depends on all classes together")
    if requirement.adversaries:
        raise JobError(
            "the release protects against several adversaries, whose classes overlap, and cannot be exported as SQL; "
            "use duckanon apply, or release again without them"
        )
    kinds: list[dict[str, Any]] = []
    k, names = requirement.k.bounded_k, list(requirement.sensitive)
    if requirement.counts_persons and names:
        raise _refused(next(model for model in requirement.others if model.sensitive), "counts persons with --entity")
    for model in requirement.others:
        if isinstance(model, HighestRisk):
            k = max(k, model.k)
        else:
            name = _column(model)
            about = {"number": len(kinds) + 1, "of": names.index(name) + 1, "partly_missing": name not in null_is_value}
            kinds.append({**about, **_kind(model)})
    sensitives = [
        {
            "number": number,
            "name": name,
            "cell": cells[name],
            "partly_missing": name not in null_is_value,
            "floating": columns[name].type.lower() if columns[name].is_floating else None,
            "needs_shares": any(kind["kind"] == "t" and kind["of"] == number for kind in kinds),
            "needs_order": any(kind["kind"] == "recursive" and kind["of"] == number for kind in kinds),
            "needs_logarithms": any(kind["kind"] == "entropy" and kind["of"] == number for kind in kinds),
        }
        for number, name in enumerate(names, start=1)
    ]
    own_k, persons = requirement.k.k_column, [cells[name] for name in requirement.k.entities]
    return Thresholds(keys, k, cells[own_k] if own_k else None, persons, sensitives, kinds)


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


def _column(model: PrivacyModel) -> str:
    if model.sensitive is None:
        raise _refused(model, "counts the rows of a population")
    return model.sensitive


def _kind(model: PrivacyModel) -> dict[str, Any]:
    """The values of a model for the template."""
    match model:
        case DistinctLDiversity():
            return {"kind": "distinct", "l": model.l}
        case AlphaKAnonymity():
            return {"kind": "alpha", "k": model.k, **_fraction(Fraction(model.alpha))}
        case RecursiveCLDiversity():
            return {"kind": "recursive", "l": model.l, **_fraction(Fraction(model.c))}
        case EntropyLDiversity():
            return {"kind": "entropy", "l": model.l, "bound": repr(log(model.l) + NEARLY)}
        case TCloseness() if model.distance == "equal":
            return {"kind": "t", **_fraction(Fraction(model.t))}
    raise _refused(model, "has no SQL that all engines compute alike")


def _fraction(number: Fraction) -> dict[str, int]:
    return {"numerator": number.numerator, "denominator": number.denominator}


def _refused(model: PrivacyModel, why: str) -> JobError:
    return JobError(
        f"the release requires {as_written(model)}, which {why} and cannot be exported as SQL; "
        "use duckanon apply, or release again without it"
    )
