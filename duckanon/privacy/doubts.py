"""Entropies that floating point cannot distinguish from ln l: compared exactly, and stored as `entropy_comparisons`."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.privacy import entropies
from duckanon.privacy.models.l_diversity import NEARLY
from duckanon.privacy.requirement import Requirement


class Doubts:
    """The exact comparisons so far, by l and by the counts of the values in a class."""

    def __init__(self) -> None:
        self._decided: dict[tuple[str, str], bool] = {}

    def resolve_exactly(
        self, engine: Engine, requirement: Requirement, keys: Sequence[str], histogram: str = "sensitive"
    ) -> Requirement:
        """Compare the classes with these keys, and return the requirement that uses the results.

        `histogram` is the common start of the names of the relations with the rows of each sensitive value.
        """
        for model in requirement.entropies:
            level = str(model.figures["l"])
            statement = render(
                "lattice/doubtful_entropies",
                keys=list(keys),
                relation=f"{histogram}_{model.column}",
                column=model.column,
                partly_missing=model.column in requirement.partly_missing,
                l=level,
                nearly=NEARLY,
            )
            for (counts,) in engine.query(statement):
                self._decided[level, counts] = entropies.holds([int(count) for count in counts.split()], model.l)
        rows = [{"l": Decimal(level), "counts": counts, "holds": holds} for (level, counts), holds in self._decided.items()]
        engine.load("entropy_comparisons", rows, {"l": Decimal, "counts": str, "holds": bool})
        return replace(requirement, is_decided=True)
