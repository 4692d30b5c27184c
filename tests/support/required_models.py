"""Privacy models with parameters, as options and for the oracle."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any

ENTRIES: dict[str, dict[str, Any]] = {
    "k": {"model": "k-anonymity"},
    "distinct-l": {"model": "l-diversity", "variant": "distinct"},
    "entropy-l": {"model": "l-diversity", "variant": "entropy"},
    "recursive-cl 2": {"model": "l-diversity", "variant": "recursive", "l": 2},
    "recursive-cl 3": {"model": "l-diversity", "variant": "recursive", "l": 3},
    "alpha": {"model": "alpha-k-anonymity"},
    "t": {"model": "t-closeness", "distance": "equal"},
    "t-ordered": {"model": "t-closeness", "distance": "ordered"},
    "t-hierarchical": {"model": "t-closeness", "distance": "hierarchical"},
    "beta": {"model": "beta-likeness", "variant": "basic"},
    "enhanced-beta": {"model": "beta-likeness", "variant": "enhanced"},
    "delta": {"model": "delta-disclosure", "values": "all"},
    "delta-present": {"model": "delta-disclosure", "values": "present"},
    "k-map": {"model": "k-map"},
    "presence low": {"model": "delta-presence", "bound": "low"},
    "presence high": {"model": "delta-presence", "bound": "high"},
}
"""What identifies the entry of a model in a document."""


def written(model: str, numbers: Sequence[Decimal], column: str | None = None) -> str:
    """As `--require` takes it."""
    return f"{model}={','.join(f'{number:f}' for number in numbers)}{f'@{column}' if column else ''}"


# --- what is enforced


@dataclass(frozen=True)
class RequiredModel:
    """A model with its numbers, and which of the sensitive columns it is about."""

    model: str
    numbers: tuple[Decimal, ...]
    column: int | None = 0

    @property
    def text(self) -> str:
        return written(self.model, self.numbers, None if self.column is None else f"s{self.column}")

    @property
    def entries(self) -> list[str]:
        """The entries of a document that tell what is achieved; the risks have none of their own here."""
        match self.model:
            case "recursive-cl":
                return [f"recursive-cl {self.numbers[1]}"]
            case "alpha-k":
                return ["alpha"]
            case "delta-presence":
                return ["presence low", "presence high"]
            case _:
                return [self.model] if self.model in ENTRIES else []

    def required(self, name: str) -> float:
        return float(self.numbers[1 if name == "presence high" else 0])


def numbers(*lists: Sequence[str | int]) -> list[tuple[Decimal, ...]]:
    return [tuple(map(Decimal, combination)) for combination in product(*lists)]


PARAMETERS: dict[str, list[tuple[Decimal, ...]]] = {
    "k": numbers([2, 3, 5]),
    "distinct-l": numbers([2, 3]),
    "entropy-l": numbers(["1.5", 2, "2.4", 3]),
    "recursive-cl": numbers(["0.5", 1, 2, 4], [2, 3]),
    "alpha-k": numbers(["0.4", "0.5", "0.75"], [1, 3]),
    "t": numbers(["0.1", "0.25", "0.4", "0.5"]),
    "t-ordered": numbers(["0.1", "0.2", "0.25"]),
    "t-hierarchical": numbers(["0.1", "0.25", "0.4"]),
    "beta": numbers(["0.2", "0.5", 1, 2]),
    "enhanced-beta": numbers(["0.2", "0.5", 1, 2]),
    "delta": numbers(["0.5", 1, "1.6", 3]),
    "delta-present": numbers(["0.5", 1, "1.6", 3]),
    "k-map": numbers([2, 4, 9]),
    "delta-presence": numbers([0, "0.2", "0.34"], ["0.5", "0.75"]),
    "average-risk": numbers(["0.1", "0.25", "0.34", "0.5"]),
    "highest-risk": numbers(["0.2", "0.34"]),
}
"""What is asked for, by the model's name."""
