"""Which values are taken for another spelling of a known one."""

import pytest

from duckanon.hierarchy.checks import respelled

SAME = [
    ("female", "Female"),
    (" Never married", "never-married"),
    ("Prof-school", "Profschool"),
    ("hihg", "high"),
    ("Divorcd", "Divorced"),
    ("Marriied", "Married"),
    ("Widewed", "Widowed"),
    ("Muenchen", "Muenchen "),
    ("Łódź", "łódź"),
    ("Évry", "Evry"),
    ("b2", "B2"),
]
OTHERS = [
    ("Female", "Male"),
    ("Gambia", "Zambia"),
    ("Austria", "Australia"),
    ("Niger", "Nigeria"),
    ("Iran", "Iraq"),
    ("east", "west"),
    ("Slovakia", "Slovenia"),
    ("hypertension", "hypotension"),
    ("inpatient", "outpatient"),
    ("E10.1", "E10.2"),
    ("10117", "10171"),
    ("1.5", "15"),
    ("x", "y"),
    ("<=50K", ">50K"),
    ("-", "?"),
    ("", "a"),
]


@pytest.mark.parametrize(("value", "known"), SAME)
def test_another_spelling_is_named(value: str, known: str) -> None:
    assert respelled(value, ["other", known]) == known


@pytest.mark.parametrize(("value", "known"), OTHERS)
def test_another_value_is_not_taken_for_a_spelling(value: str, known: str) -> None:
    assert respelled(value, [known]) is None
    assert respelled(known, [value]) is None
