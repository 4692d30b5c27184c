"""The requirement on every class: its models, what it implies, and what the search may infer from it."""

from decimal import Decimal

import pytest

from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.models.l_diversity import DistinctLDiversity, EntropyLDiversity
from duckanon.privacy.models.risk import AverageRisk, HighestRisk
from duckanon.privacy.requirement import Adversary, Dependency, Requirement, closed

DISTINCT = DistinctLDiversity(l=2, column="illness")
ENTROPY = EntropyLDiversity(l=Decimal(3), column="illness", variant="entropy")
AVERAGE = AverageRisk(risk=Decimal("0.1"))
NEIGHBOUR = Adversary("neighbour", ("age", "town"), KAnonymity(k=3), (DISTINCT,))
EMPLOYER = Adversary("employer", ("sex", "town"), KAnonymity(k=7), (ENTROPY,))
KNOWN = Requirement(adversaries=(NEIGHBOUR, EMPLOYER))
PERSONS = KAnonymity(k=4, entities=("person",))


@pytest.mark.parametrize(
    ("columns", "dependencies", "expected"),
    [
        ((), (), set()),
        (("zip",), (Dependency(("zip",), "town"),), {"zip", "town"}),
        (("town",), (Dependency(("zip",), "town"),), {"town"}),
        (("zip",), (Dependency(("town",), "state"), Dependency(("zip",), "town")), {"zip", "town", "state"}),
        (("a",), (Dependency(("a", "b"), "c"),), {"a"}),
        (("a", "b"), (Dependency(("a", "b"), "c"), Dependency(("c",), "a")), {"a", "b", "c"}),
    ],
)
def test_an_adversary_knows_what_the_columns_determine(
    columns: tuple[str, ...], dependencies: tuple[Dependency, ...], expected: set[str]
) -> None:
    assert closed(columns, dependencies) == expected


@pytest.mark.parametrize(
    ("requirement", "models", "every_model"),
    [
        (Requirement(), (KAnonymity(),), (KAnonymity(),)),
        (Requirement(KAnonymity(k=5), (DISTINCT,)), (KAnonymity(k=5), DISTINCT), (KAnonymity(k=5), DISTINCT)),
        (KNOWN, (), (KAnonymity(k=3), DISTINCT, KAnonymity(k=7), ENTROPY)),
        (KNOWN.for_adversary(EMPLOYER), (KAnonymity(k=7), ENTROPY), (KAnonymity(k=7), ENTROPY)),
        (KNOWN.for_all, (KAnonymity(k=7), DISTINCT, ENTROPY), (KAnonymity(k=7), DISTINCT, ENTROPY)),
        (KNOWN.with_k("neighbour", 9).for_all, (KAnonymity(k=9), DISTINCT, ENTROPY), (KAnonymity(k=9), DISTINCT, ENTROPY)),
        (KNOWN.restricted_to({"age"}), (), (KAnonymity(k=3), DISTINCT)),
        (KNOWN.of_quasi_identifiers, (), (KAnonymity(k=3), KAnonymity(k=7))),
        (Requirement(KAnonymity(k=5), (DISTINCT,)).of_quasi_identifiers, (KAnonymity(k=5),), (KAnonymity(k=5),)),
        (
            Requirement(KAnonymity(k=2), average_risk=AVERAGE).by_class,
            (KAnonymity(k=2), HighestRisk(risk=Decimal("0.1"))),
            (KAnonymity(k=2), HighestRisk(risk=Decimal("0.1"))),
        ),
    ],
)
def test_the_models_of_a_requirement(
    requirement: Requirement, models: tuple[PrivacyModel, ...], every_model: tuple[PrivacyModel, ...]
) -> None:
    assert requirement.models == models
    assert requirement.every_model == every_model


@pytest.mark.parametrize(
    ("requirement", "trivial", "monotone", "without_suppression"),
    [
        (Requirement(), True, True, True),
        (Requirement(heights={"illness": 2}, is_decided=True), True, True, True),
        (Requirement(KAnonymity(k=5)), False, True, True),
        (Requirement(KAnonymity(k=5, k_column="own")), False, False, True),
        (Requirement(KAnonymity(k=5), (DISTINCT,)), False, True, True),
        (Requirement(KAnonymity(k=5), (ENTROPY,)), False, False, True),
        (Requirement(PERSONS), False, True, True),
        # a person may be in both of two merged classes
        (Requirement(PERSONS, (DISTINCT,)), False, False, False),
        (Requirement(KAnonymity(k=2), average_risk=AVERAGE), False, True, True),
        (Requirement(PERSONS, average_risk=AVERAGE), False, False, True),
        (KNOWN, False, False, True),
    ],
)
def test_what_the_search_may_infer(
    requirement: Requirement, *, trivial: bool, monotone: bool, without_suppression: bool
) -> None:
    assert requirement.is_trivial is trivial
    assert requirement.is_monotone is monotone
    assert requirement.is_monotone_without_suppression is without_suppression


@pytest.mark.parametrize(
    ("requirement", "settled"),
    [
        (Requirement(KAnonymity(k=5), (DISTINCT, ENTROPY)), (ENTROPY,)),
        (Requirement(KAnonymity(k=5), (DISTINCT,)), ()),
        (Requirement(PERSONS, (ENTROPY,)), ()),
        (KNOWN, ()),
    ],
)
def test_entropies_that_are_compared_exactly(requirement: Requirement, settled: tuple[PrivacyModel, ...]) -> None:
    assert requirement.entropies == settled


@pytest.mark.parametrize(
    ("requirement", "columns", "models"),
    [
        (Requirement(KAnonymity(k=5), (DISTINCT,)), ["illness"], (KAnonymity(k=5), DISTINCT)),
        (Requirement(KAnonymity(k=5), (DISTINCT,)), [], (KAnonymity(k=5),)),
        (Requirement(KAnonymity(k=5, k_column="own")), [], (KAnonymity(k=5),)),
    ],
)
def test_what_a_file_shows_of_a_requirement(
    requirement: Requirement, columns: list[str], models: tuple[PrivacyModel, ...]
) -> None:
    assert requirement.in_file(columns).models == models


def test_a_file_does_not_show_persons() -> None:
    """A class of so many persons has at least as many rows; sensitive values of persons cannot be counted there."""
    seen = Requirement(PERSONS, (DISTINCT,), AVERAGE).in_file(["illness"])
    assert (seen.models, seen.average_risk, seen.counts_persons) == ((PERSONS.by_rows,), None, False)


def test_the_columns_of_a_known_adversary_follow_the_order_of_the_table() -> None:
    names = ("age", "sex", "zip", "town")
    requirement = KNOWN.closed(names, (Dependency(("town",), "zip"),))
    assert [each.columns for each in requirement.adversaries] == [("age", "zip", "town"), ("sex", "zip", "town")]
    few = Adversary("few", names, KAnonymity(k=2), any_of=2)
    [closed_few] = Requirement(adversaries=(few,)).closed(names, (Dependency(("town",), "zip"),)).adversaries
    assert (closed_few.columns, closed_few.dependencies) == (names, (Dependency(("town",), "zip"),))


@pytest.mark.parametrize(
    ("requirement", "measures"),
    [
        (Requirement(KAnonymity(k=5)), []),
        (Requirement(KAnonymity(k=5, k_column="own", entities=("person",))), ["_k", "_persons"]),
        (Requirement(counts_population=True), ["_population"]),
    ],
)
def test_what_is_counted_beside_the_rows(requirement: Requirement, measures: list[str]) -> None:
    assert requirement.measures == measures


def test_a_reason_names_the_adversary() -> None:
    assert [(reason.rpartition(" for ")[2], model) for reason, model in KNOWN.rules] == [
        ("neighbour", KAnonymity(k=3)),
        ("employer", KAnonymity(k=7)),
    ]


def test_a_verdict_is_named_after_the_model_or_the_adversary() -> None:
    """A name that two rules have gets the number of the second; one without letters is a number."""
    models = [DistinctLDiversity(l=2, column="Main income"), DistinctLDiversity(l=3, column="Main income")]
    own = Requirement(KAnonymity(k=2), (*models, DistinctLDiversity(l=2, column="収入")))
    assert own.rule_names == ["k", "distinct_l_main_income", "distinct_l_main_income_3", "distinct_l"]
    assert Requirement(adversaries=(Adversary("収入", ("age",), KAnonymity(k=2)),)).rule_names == ["1"]
    assert KNOWN.rule_names == ["neighbour", "employer"]
