"""The figures of `benchmarks/field`: SDNist's k-marginal score, its bins, and the values that a label covers."""

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.field import charts, nist, page
from benchmarks.field.kmarginal import bin_number, k_marginal, quantile_edges
from benchmarks.field.labels import bin_shares, cell_loss, covered

AGES = {0: 1622, 5: 1112, 9: 1513, 14: 1428, 18: 1240, 21: 1444, 25: 1536, 29: 1101, 32: 1402, 36: 1344, 40: 1547, 45: 1224}
"""The lower edges of SDNist's first bins of age in the national excerpt of 2019, and the records in each, as its report prints them."""


def test_the_score_is_that_of_a_calculation_by_hand() -> None:
    """Shares of (a, x), (a, y), (b, y): 1/2, 1/4, 1/4 before, and 1/2, 0, 1/2 after: a difference of 1/2 for the only pair."""
    target = [("a", "x"), ("a", "x"), ("a", "y"), ("b", "y")]
    exact = [bin_shares(["a", "b"], ["a", "b"]), bin_shares(["x", "y"], ["x", "y"])]
    assert k_marginal(target, [("a", "x"), ("b", "y")], exact, exact) == (2 - 0.5) * 500
    assert k_marginal(target, target, exact, exact) == 1000
    assert k_marginal(target, [("b", "x")], exact, exact) == 0
    assert k_marginal(target, [], exact, exact) is None


def test_a_generalized_cell_is_spread_over_its_values() -> None:
    """Two records (a, *) put 1/2 of the records on (a, x) and 1/2 on (a, y); the source has 1 and 0: a difference of 1."""
    exact = [bin_shares(["a"], ["a", "b"]), bin_shares(["x"], ["x", "y"])]
    spread = [bin_shares(["a"], ["a", "b"]), bin_shares(["*"], ["x", "y"])]
    assert k_marginal([("a", "x")] * 3, [("a", "*")] * 2, exact, spread) == 500


def test_the_score_averages_over_all_pairs_of_columns() -> None:
    """Of the pairs (1, 2), (1, 3) and (2, 3) only the first is equal: (2 - (0 + 2 + 2) / 3) * 500."""
    domain = bin_shares(["u", "v"], ["u", "v"])
    assert k_marginal([("u", "u", "u")], [("u", "u", "v")], [domain] * 3, [domain] * 3) == pytest.approx((2 - 4 / 3) * 500)


@pytest.mark.parametrize(
    ("label", "values"),
    [
        ("7", ["7"]),
        ("*", ["3", "7", "10", "12", "N"]),
        ("", ["3", "7", "10", "12", "N"]),
        ("[3, 10)", ["3", "7"]),
        ("[3, 10]", ["3", "7", "10"]),
        ("(3, 10]", ["7", "10"]),
        ("<10", ["3", "7"]),
        ("<= 10", ["3", "7", "10"]),
        (">=10", ["10", "12"]),
        ("> 10", ["12"]),
        ("N|12", ["12", "N"]),
    ],
)
def test_a_label_covers_its_values(label: str, values: list[str]) -> None:
    domain = ["3", "7", "10", "12", "N"]
    assert covered(label, domain) == tuple(values)
    assert cell_loss(label, domain) == (len(values) - 1) / 4


@pytest.mark.parametrize("label", ["other", "[20, 30)", "3|4"])
def test_a_label_without_values_is_refused(label: str) -> None:
    with pytest.raises(ValueError, match="label"):
        covered(label, ["3", "7"])


def test_a_range_is_shared_by_the_bins_that_it_reaches() -> None:
    """The edges 0, 5, 10 give the bins [0, 5] and (5, 10]. Two of the values 4 to 7 are in each bin, and one of 4 to 6 is in the second."""
    domain = [str(number) for number in range(11)]
    assert bin_shares(["[4, 8)"], domain, [0, 5, 10]) == {"[4, 8)": {"0": 0.5, "1": 0.5}}
    assert bin_shares(["[4, 6]"], domain, [0, 5, 10])["[4, 6]"] == pytest.approx({"0": 2 / 3, "1": 1 / 3})


def test_figures_of_a_release_are_those_of_a_count_by_hand() -> None:
    """Four records, of which two equal each other: a release that republishes a unique record, and one generalized cell."""
    base = ("1", "1", "1", "1", "1", "1", "1", "1", "1")
    target = [("30", *base), ("30", *base), ("40", *base), ("50", *base)]
    release = [("30", *base), ("40", *base), ("[40, 51)", *base)]
    actual = nist.figures(target, release)
    assert (actual["records"], actual["complete"]) == (3, 2)
    assert (actual["target_uniques"], actual["uniques"], actual["release_uniques"]) == (2, 1, 3)
    # a record left out loses all, and a cell with two of three ages half of a tenth
    assert actual["loss"] == pytest.approx((1 + 0.05) / 4)


def test_bins_of_age_are_those_that_nist_publishes(shared: Path) -> None:
    target = nist.read(shared / "data" / "nist-acs-national-2019.csv")
    ages = [float(row[0]) for row in target]
    edges = quantile_edges(ages)
    counts = Counter(bin_number(age, edges) for age in ages)
    assert {edges[number]: counts[number] for number in range(len(AGES))} == AGES
    assert sum(count == 1 for count in Counter(target).values()) == nist.PUBLISHED["target_uniques"]


def test_the_page_shows_the_measured_figures() -> None:
    """Each table of the page is the one that the figures give."""
    content = (page.HERE / "README.md").read_text(encoding="utf-8")
    parts = sorted((page.HERE / "figures").glob("*.json"))
    assert {path.stem for path in parts} <= page.TABLES.keys()
    for path in parts:
        measured = json.loads(path.read_text(encoding="utf-8"))
        assert "\n".join(page.TABLES[path.stem](measured["figures"])) in content
        for name, drawing in charts.of(path.stem, measured["figures"]).items():
            assert (page.HERE / "images" / f"{name}.svg").read_text(encoding="utf-8") == drawing
