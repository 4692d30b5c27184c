"""What a profile says about a column of numbers."""

import pytest

from duckanon.dataset.column_profile import ColumnProfile
from duckanon.engine.protocol import Column


@pytest.mark.parametrize(
    ("least", "greatest", "is_key"),
    [
        (100_000, 999_999, True),
        (99_999, 100_010, False),
        (99_900, 99_999, False),
        (0, 654_321, False),
        (-20_000, 150_000, False),
        (-654_321, -123_456, False),
    ],
)
def test_a_key_has_positive_numbers_of_equally_many_digits(least: int, greatest: int, is_key: bool) -> None:
    column = Column("number", "BIGINT")
    profile = ColumnProfile(column, rows=12, missing=0, distinct=12, is_exact=True, least=least, greatest=greatest)
    assert profile.is_key == is_key
