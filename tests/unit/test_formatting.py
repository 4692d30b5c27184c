"""Figures as text."""

import pytest

from duckanon.formatting import figure, percent


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


@pytest.mark.parametrize(
    ("number", "beside", "text"),
    [
        (None, None, "unbounded"),
        (0, None, "0"),
        (1_234_567, None, "1,234,567"),
        (3.0, None, "3"),
        (0.0673169, None, "0.0673"),
        (99.96, None, "100"),
        (1234.5, None, "1,234"),
        (0.0673169, 0.2, "0.0673"),
        (0.2, 0.2, "0.2"),
        (0.20003, 0.2, "0.20003"),
        (99.96, 100, "99.96"),
        (1233.7, 1234, "1,233.7"),
    ],
)
def test_a_figure_has_three_digits_unless_it_would_look_equal_to_the_required_one(
    number: float | None, beside: float | None, text: str
) -> None:
    assert figure(number, beside=beside) == text
