"""What classes achieve under each model, and how a document tells it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.delta_presence import DeltaPresence
from duckanon.privacy.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.privacy.risk import AverageRisk, HighestRisk

Figure = float | int | None
"""None where no parameter is large enough, or there is no class."""


@dataclass(frozen=True)
class Achieved:
    """Per model the least and the most that a class has, over the classes of a release or of a file."""

    models: tuple[PrivacyModel, ...]
    least: tuple[Figure, ...]
    most: tuple[Figure, ...]
    asked: int
    """The largest k that a record asks for, 0 where none does."""
    classes: int
    rows: int

    @classmethod
    def of(cls, row: Sequence[Any], requirement: Requirement) -> "Achieved":
        """From the row of `achieved.sql`: a pair a model, what records ask for, classes and rows."""
        count = len(requirement.models)
        *pairs, asked, classes, rows = row
        figures = [_finite(figure) for figure in pairs]
        return cls(
            requirement.all_models,
            tuple(figures[0 : 2 * count : 2]),
            tuple(figures[1 : 2 * count : 2]),
            int(asked),
            int(classes),
            int(rows),
        )

    def checks(self, *, holds: bool) -> list[dict[str, Any]]:
        """An entry a model: what is asked for, what is achieved, and whether that is enough."""
        return [check for number in range(len(self.models)) for check in self.of_model(number, holds=holds)]

    def of_model(self, number: int, *, holds: bool) -> list[dict[str, Any]]:
        """The entries of one model; two where it has a lower and an upper bound."""
        model, found = self.models[number], []
        named: dict[str, Any] = {"model": type(model).model_fields["model"].default, "column": model.sensitive, **model.variety}
        more: dict[str, Any] = {} if isinstance(model, DeltaPresence) else dict(list(model.asked.items())[1:])
        if isinstance(model, KAnonymity):
            named |= {"column": model.k_column}
            more |= _of(model)
        for part, required, achieved in self._parts(number, model):
            found.append(named | part | {"required": _plain(required)} | more | {"achieved": achieved, "passed": holds})
        return found

    def _parts(self, number: int, model: PrivacyModel) -> list[tuple[dict[str, str], Any, Figure]]:
        if isinstance(model, AverageRisk):
            return [({}, model.risk, self.classes / self.rows if self.rows else None)]
        least, most = self.least[number], self.most[number]
        if isinstance(model, DeltaPresence):
            return [({"bound": "low"}, model.low, least), ({"bound": "high"}, model.high, most)]
        if isinstance(model, HighestRisk):
            return [({}, model.risk, 1 / least if least else None)]
        achieved = least if model.WORST == "least" else most
        if isinstance(model, KAnonymity):
            # each class is held against its own records' k, so a class may be smaller than the most that is asked for elsewhere
            return [({}, max(model.k, self.asked), achieved or 0)]
        return [({}, next(iter(model.asked.values())), achieved)]


def _of(model: KAnonymity) -> dict[str, str]:
    """What is counted, where it is not plain rows."""
    if model.entity:
        return {"of": model.entity}
    return {"of": "rows"} if model.k_column else {}


def _plain(number: Any) -> Figure:
    return number if isinstance(number, int) else float(number)


def _finite(figure: Any) -> Figure:
    if figure is None or (isinstance(figure, float) and not math.isfinite(figure)):
        return None
    return figure if isinstance(figure, int | float) else float(figure)
