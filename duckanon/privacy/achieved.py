"""The achieved parameters of each privacy model, and their entries in documents."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.evaluation import Evaluation
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.models.risk import RISK_UNIT, AverageRisk, HighestRisk
from duckanon.privacy.requirement import Requirement

Figure = float | int | None
"""None if no parameter is large enough, or there is no class."""


@dataclass(frozen=True)
class Achieved:
    """The minimum and the maximum of each model's figure over the classes of a release or a file."""

    models: tuple[PrivacyModel, ...]
    least: tuple[Figure, ...]
    most: tuple[Figure, ...]
    largest_own_k: int
    """The largest k that a record requires; 0 if none does."""
    expected: int
    """The sum over the classes of rows / size: the rows that an adversary who attacks all of them identifies. In units of `RISK_UNIT` if persons are counted."""
    rows: int
    entity: str | None = None
    """The column that identifies persons, if persons are counted."""
    failing: int = 0
    """The classes of a file, or of an adversary, that fail."""
    smallest_failing: int | None = None
    """The rows of the smallest class of a file that fails."""
    adversaries: tuple[tuple[str, "Achieved"], ...] = ()
    """By the name of each adversary, what its classes achieve."""

    @classmethod
    def of(cls, row: Sequence[Any], models: tuple[PrivacyModel, ...], entity: str | None = None) -> "Achieved":
        """From the row of `privacy/achieved.sql`: two figures per model that judges single classes, the largest k of a record, the rows that are
        identified on average, and all rows.
        """
        count = (len(row) - 3) // 2
        *pairs, largest_own_k, expected, rows = row
        figures = [_finite(figure) for figure in pairs]
        return cls(
            models,
            tuple(figures[0 : 2 * count : 2]),
            tuple(figures[1 : 2 * count : 2]),
            int(largest_own_k),
            int(expected),
            int(rows),
            entity,
        )

    def checks(self, *, holds: bool) -> list[dict[str, Any]]:
        """One entry per model, or per adversary and model: the required and the achieved parameter, and whether the requirement holds."""
        own = [self.of_model(number, holds=holds) for number in range(len(self.models))]
        return own + [check | {"adversary": name} for name, part in self.adversaries for check in part.checks(holds=holds)]

    def of_model(self, number: int, *, holds: bool) -> dict[str, Any]:
        """The entry of one model."""
        model = self.models[number]
        named: dict[str, Any] = {"model": type(model).model_fields["model"].default, "column": model.sensitive, **model.variety}
        more: dict[str, Any] = dict(list(model.parameters.items())[1:])
        required: Any = next(iter(model.parameters.values()))
        if isinstance(model, KAnonymity):
            # each class is compared with the k of its own records, so a class may be smaller than the largest k of other records
            named, required = named | {"column": model.k_column}, max(model.k, self.largest_own_k)
            more |= {} if self.entity or not model.k_column else {"of": "rows"}
        if self.entity is not None and (model.sensitive is not None or isinstance(model, KAnonymity)):
            more |= {"of": model.of if isinstance(model, KAnonymity) else self.entity}
        if model.NEEDS_WHOLE:
            more["reference"] = "source"
        return named | {"required": _plain(required)} | more | {"achieved": self._worst(number), "passed": holds}

    @property
    def average_risk(self) -> Fraction:
        """The mean over the rows of 1 / size of their class, rounded up."""
        return Fraction(self.expected, self.rows * (RISK_UNIT if self.entity is not None else 1))

    def _worst(self, number: int) -> Figure:
        model = self.models[number]
        if isinstance(model, AverageRisk):
            return float(self.average_risk) if self.rows else None
        worst = self.least[number] if model.WORST == "least" else self.most[number]
        if isinstance(model, HighestRisk):
            return 1 / worst if worst else None
        return (worst or 0) if isinstance(model, KAnonymity) else worst


def read_achieved(engine: Engine, requirement: Requirement, evaluated: Evaluation) -> Achieved:
    """What released classes achieve, or the classes that each adversary sees; `evaluated` judges the classes."""
    entity = requirement.k.entity
    if not requirement.adversaries:
        [(*figures, failing, smallest)] = engine.query(render("privacy/achieved", **evaluated))
        achieved = Achieved.of(figures, requirement.all_models, entity)
        return replace(achieved, failing=int(failing), smallest_failing=smallest)
    parts = []
    for adversary, about in zip(requirement.adversaries, evaluated.adversaries, strict=True):
        [(*figures, failing)] = engine.query(render("privacy/achieved_by_adversary", adversary=about, **evaluated))
        parts.append((adversary.name, replace(Achieved.of(figures, adversary.models, entity), failing=int(failing))))
    return Achieved((), (), (), 0, 0, 0, entity, adversaries=tuple(parts))


def absent_classes(engine: Engine, population: str, classes: str, keys: Sequence[str]) -> int:
    """The classes of a relation of the population that a relation of classes lacks: the presence of their persons is 0."""
    about = {"population": population, "classes": classes, "keys": list(keys)}
    [(absent,)] = engine.query(render("privacy/absent_classes", **about))
    return int(absent)


def _plain(number: Any) -> Figure:
    return number if isinstance(number, int) else float(number)


def _finite(figure: Any) -> Figure:
    if figure is None or (isinstance(figure, float) and not math.isfinite(figure)):
        return None
    return figure if isinstance(figure, int | float) else float(figure)
