"""Detection of direct identifiers by values: what is detected, and what is not mistaken for one."""

import random
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from duckanon.dataset.direct_identifiers import matching
from tests.support.resembling import NOTICED


@pytest.mark.parametrize("what", NOTICED)
def test_what_identifies_is_noticed_by_its_values(what: str) -> None:
    actual = matching(NOTICED[what])
    assert actual is not None
    assert actual.what == what
    assert actual.share >= 0.95


@pytest.mark.parametrize("what", [name for name in NOTICED if "persons" in name])
def test_numbers_are_noticed_where_the_column_holds_numbers(what: str) -> None:
    actual = matching(NOTICED[what], is_number=True)
    assert actual is not None
    assert "persons" in actual.what


@pytest.mark.parametrize(
    "values",
    [
        [f"2024-01-{day:02d}" for day in range(1, 29)],
        [f"2024-01-{day:02d} 10:00:00" for day in range(1, 29)],
        [f"{day:02d}.01.2024" for day in range(1, 29)],
        [f"{number * 977 / 100:.2f}" for number in range(10_000, 10_040)],
        [str(number) for number in range(1_000_000, 1_000_040)],
        [str(1_600_000_000 + 86_399 * number) for number in range(40)],
        [f"{10_000 + 37 * number}" for number in range(40)],
        [f"E{number:02d}.{number % 7}" for number in range(40)],
        [f"SKU-{number:06d}" for number in range(40)],
        [f"word {number} of many" for number in range(40)],
        ["a@b.de", "a", "b", "c", "d", "e"],
        ["a@b.de"] * 4,
        ["Exec-managerial", "?", "Prof-specialty", "Sales", "Tech-support"],
    ],
)
def test_what_is_none_is_not_taken_for_it(values: Sequence[str]) -> None:
    assert matching(values) is None


def test_random_numbers_are_not_taken_for_those_of_persons() -> None:
    """Check digits are right by chance in one of ten, or of ninety-seven; four in five must be."""
    draw = random.Random(5)
    for length in range(7, 17):
        for _ in range(20):
            texts = [str(draw.randrange(10 ** (length - 1), 10**length)) for _ in range(60)]
            assert matching(texts, is_number=True) is None


def test_no_column_of_adult_is_accused(adult: Path) -> None:
    table = pq.read_table(adult)
    for name in table.column_names:
        texts = [str(value) for value in table[name].unique().to_pylist() if value is not None][:500]
        assert matching(texts, is_number=isinstance(table[name][0].as_py(), int)) is None, name
