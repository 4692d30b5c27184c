"""Figures as text."""

import pytest

from duckanon.formatting import percent


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"),
        (1e-9, "<0.1%"),
        (0.0005, "0.1%"),
        (0.05, "5%"),
        (0.1234, "12.3%"),
        (0.9994, "99.9%"),
        (0.9996, ">99.9%"),
        (1, "100%"),
    ],
)
def test_a_share_is_0_or_100_percent_only_if_it_is_exactly_that(share: float, text: str) -> None:
    assert percent(share) == text
