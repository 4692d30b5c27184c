"""Risk: attackers, estimates of the population, separation by columns, special uniques, wildcards; against an oracle and a reference."""

import csv
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duckanon.checks.file import check
from duckanon.checks.risk import risk
from duckanon.errors import JobError
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.risks import uniqueness
from duckanon.risks.attackers import THRESHOLDS, figures, named
from duckanon.risks.sizes import Size, binned
from duckanon.risks.special_uniques import SpecialUniques
from tests.support.command_line import Cli
from tests.support.oracles import risk as oracle
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize

COLUMNS = ("a", "b", "c", "d")

TABLES = st.lists(st.tuples(*[st.sampled_from(("x", "y", "z", "*", None))] * len(COLUMNS)), min_size=1, max_size=40)
"""Rows of four columns, with stars and NULL."""


def sizes_of(counted: Counter[int]) -> list[Size]:
    return [Size(size, classes, size * classes) for size, classes in sorted(counted.items())]


def measured(folder: Path, rows: Sequence[Sequence[Any]], **more: Any) -> dict[str, Any]:
    source = write_parquet(folder / "rows.parquet", [dict(zip(COLUMNS, map(str, row), strict=True)) for row in rows])
    return risk(source, options=Options(qi=COLUMNS), run=Run(), **more)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("risk")


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(TABLES)
def test_every_figure_is_the_oracles(folder: Path, rows: list[tuple[Any, ...]]) -> None:
    texts = [tuple(map(str, row)) for row in rows]
    document = measured(folder, texts, sets=[COLUMNS[:3]])
    every = range(len(COLUMNS))
    sizes = oracle.class_sizes(texts, every)
    expected = [oracle.prosecutor(sizes, threshold) for threshold in THRESHOLDS]
    risk = document["risk"]
    assert risk["prosecutor"]["highest"] == pytest.approx(float(expected[0].highest))
    assert risk["prosecutor"]["average"] == risk["marketer"] == pytest.approx(len(sizes) / len(rows))
    assert list(risk["prosecutor"]["at_risk"].values()) == pytest.approx([float(entry.at_risk) for entry in expected])
    assert risk["journalist"] == risk["prosecutor"]
    assert (risk["uniques"], risk["classes"], risk["rows"]) == (expected[0].uniques, len(sizes), len(rows))
    without, contributions = oracle.leave_one_out(texts, every), oracle.suda_contributions(texts, 3)
    for place, attribute in enumerate(document["attributes"]):
        assert attribute["distinction"] == pytest.approx(float(oracle.distinction(texts, [place])))
        assert attribute["uniques_without"] == without[place]
        assert attribute["contribution"] == pytest.approx(float(contributions[place]))
    pairs = [tuple(map(COLUMNS.index, pair["columns"])) for pair in document["pairs"]] + [(0, 1, 2)]
    for columns, attribute in zip(pairs, [*document["pairs"], *document["sets"]], strict=True):
        assert attribute["distinction"] == pytest.approx(float(oracle.distinction(texts, columns)))
        assert attribute["uniques"] == sum(size == 1 for size in oracle.class_sizes(texts, columns))
        if len(rows) > 1:
            assert attribute["separation"] == pytest.approx(float(oracle.separation(texts, columns)))
    masked = any("*" in row for row in texts)
    agreeing = oracle.wildcard_sizes(texts)
    assert document["wildcards"] == (
        {"smallest": min(agreeing), "uniques": sum(size == 1 for size in agreeing)} if masked else None
    )


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(TABLES, TABLES)
def test_the_journalist_looks_at_the_population(
    folder: Path, sample: list[tuple[Any, ...]], others: list[tuple[Any, ...]]
) -> None:
    texts, people = [tuple(map(str, row)) for row in sample], [tuple(map(str, row)) for row in [*sample, *others]]
    named_people = [dict(zip(COLUMNS, row, strict=True)) for row in people]
    source = write_parquet(folder / "sample.parquet", named_people[: len(texts)])
    population = write_parquet(folder / "people.parquet", named_people)
    document = risk(source, options=Options(qi=COLUMNS, population=str(population)), max_risk=0.5)
    around, inside = Counter(people), Counter(texts)
    pairs = [(rows, around[values]) for values, rows in inside.items()]
    measured = document["risk"]
    for threshold in THRESHOLDS:
        expected = oracle.journalist(pairs, threshold)
        assert measured["journalist"]["at_risk"][named(threshold)] == pytest.approx(float(expected.at_risk))
    assert measured["journalist"]["highest"] == pytest.approx(float(expected.highest))
    assert measured["journalist"]["average"] == measured["marketer"] == pytest.approx(float(oracle.marketer(pairs)))
    assert document["status"] == ("exceeded" if expected.highest > Fraction(1, 2) else "within")
    assert document["held"]["attacker"] == "journalist"
    assert document["population"]["population"] == len(people)


@pytest.fixture(scope="module")
def arx(shared: Path) -> dict[str, Counter[int]]:
    """The class sizes of the reference's table, by its sets of quasi-identifiers."""
    with (shared / "data" / "arx-adult" / "adult.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    sets = {"A4": ("age", "sex", "race", "marital-status"), "B4": ("age", "education", "marital-status", "race")}
    return {
        name: Counter(Counter(tuple(row[column] for column in columns) for row in rows).values())
        for name, columns in sets.items()
    }


def inputs(shared: Path) -> Iterator[dict[str, Any]]:
    for case in json.loads((shared / "truth" / "arx_risk_reference.json").read_text(encoding="utf-8")):
        if case["tag"].startswith("input ") and "population" in case:
            yield case


def test_figures_equal_the_reference(shared: Path, arx: dict[str, Counter[int]]) -> None:
    cases = list(inputs(shared))
    assert len(cases) == 8
    for case in cases:
        counted = arx[case["tag"].removeprefix("input ")]
        actual = figures(sizes_of(counted))
        assert actual["prosecutor"]["average"] == pytest.approx(case["average_risk"], rel=1e-12)
        assert actual["prosecutor"]["highest"] == case["highest_risk"]
        assert (actual["uniques"], actual["classes"], actual["rows"]) == (
            case["sample_uniques"],
            case["classes"],
            case["records"],
        )
        for threshold, name in (("0.05", "summary_0.05"), ("0.2", "summary_0.2")):
            assert actual["prosecutor"]["at_risk"][threshold] == pytest.approx(case[name]["prosecutor"]["at_risk"], rel=1e-12)
        assert actual["marketer"] == pytest.approx(case["est_marketer"], rel=1e-12)


def test_estimates_equal_the_reference_where_it_has_one(shared: Path, arx: dict[str, Counter[int]]) -> None:
    """Its third estimator has a fault in its equations and found nothing; ours is held against the oracle's."""
    for case in inputs(shared):
        counted, population = arx[case["tag"].removeprefix("input ")], int(case["population"])
        by_model = {
            estimate["model"]: estimate["uniques"]
            for estimate in uniqueness.estimates(sizes_of(counted), population)["estimates"]
        }
        assert by_model["zayatz"] == pytest.approx(case["pop_unique_num_ZAYATZ"], rel=1e-12)
        assert by_model["pitman"] == pytest.approx(case["pop_unique_num_PITMAN"], rel=1e-9)
        assert case["pop_unique_num_SNB"] == 0
        assert by_model["snb"] == pytest.approx(oracle.snb(counted, population), rel=1e-6)


@pytest.mark.slow
def test_the_estimate_to_trust_follows_the_rule(arx: dict[str, Counter[int]]) -> None:
    for population in (60_324, 301_619, 301_620, 3_016_200):
        counted = arx["A4"]
        assert uniqueness.estimates(sizes_of(counted), population)["model"] == oracle.dankar(counted, population)[0]


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.integers(1, 60), st.integers(1, 400), min_size=1, max_size=12).filter(lambda sizes: 1 in sizes),
    st.sampled_from((1, 2, 9, 30, 1_000)),
)
def test_estimates_are_the_oracles_on_any_class_sizes(counted: dict[int, int], times: int) -> None:
    population = sum(size * classes for size, classes in counted.items()) * times
    by_model = {entry["model"]: entry for entry in uniqueness.estimates(sizes_of(Counter(counted)), population)["estimates"]}
    assert by_model["zayatz"]["uniques"] == pytest.approx(float(oracle.zayatz(counted, population)), rel=1e-9)
    expected = oracle.pitman(counted, population)
    if expected is not None:
        assert by_model["pitman"]["failed"] is None
        assert by_model["pitman"]["uniques"] == pytest.approx(expected, rel=1e-4)
    theirs = oracle.snb(counted, population) if times > 1 else None
    if theirs is not None and by_model["snb"]["failed"] is None:
        assert by_model["snb"]["uniques"] == pytest.approx(theirs, rel=1e-4)
    for estimate in by_model.values():
        assert (estimate["uniques"] is None) == (estimate["failed"] is not None)


def test_a_maximum_at_a_small_alpha_is_found(shared: Path) -> None:
    """Two classes of one row and one of six; and eight columns of ARX's Adult, for which ARX prints this figure."""
    assert uniqueness.pitman({1: 2, 6: 1}, 70) == pytest.approx(oracle.pitman({1: 2, 6: 1}, 70), rel=1e-6)
    with (shared / "data" / "arx-adult" / "adult.csv").open(encoding="utf-8") as file:
        rows = [tuple(row[name] for name in row if name != "occupation") for row in csv.DictReader(file, delimiter=";")]
    sizes = Counter(Counter(rows).values())
    assert round(uniqueness.pitman(sizes, 318_857_056)) == 4_630_334


def test_an_estimator_says_why_it_has_no_solution() -> None:
    alone = uniqueness.estimates([Size(1, 10, 10)], 1_000)
    failed = {estimate["model"]: estimate["failed"] for estimate in alone["estimates"]}
    assert "every record of the sample is unique" in failed["pitman"]
    assert "no class of exactly two records" in failed["snb"]
    assert failed["zayatz"] is None
    assert alone["model"] == "zayatz"
    assert all(estimate["uniques"] == 0 for estimate in uniqueness.estimates([Size(5, 10, 50)], 1_000)["estimates"])


def test_a_set_of_all_columns_scores_one() -> None:
    assert SpecialUniques(3, {}, 3).score(3) == 1
    assert [SpecialUniques(3, {}, 9).score(size) for size in (1, 2, 3)] == [
        oracle.suda_weight(size, 9, 3) for size in (1, 2, 3)
    ]


@given(st.dictionaries(st.integers(1, 10**9), st.integers(1, 9), max_size=30))
def test_bins_hold_every_class_once(counted: dict[int, int]) -> None:
    sizes = sizes_of(Counter(counted))
    bins = binned(sizes)
    assert sum(bucket["classes"] for bucket in bins) == sum(counted.values())
    assert sum(bucket["rows"] for bucket in bins) == sum(size.rows for size in sizes)
    for interval in bins:
        inside = [size for size in sizes if interval["from"] <= size.size <= interval["to"]]
        assert sum(size.classes for size in inside) == interval["classes"]


def test_a_run_tells_the_risk_before_and_after(tmp_path: Path) -> None:
    """Persons, a population and masked rows among them, recounted from the rows that went in and came out."""
    rows = [{"age": number % 17, "sex": "mf"[number % 2], "who": number // 3} for number in range(120)]
    source = write_parquet(tmp_path / "rows.parquet", rows)
    people = write_parquet(tmp_path / "people.parquet", rows * 2 + [{"age": 99, "sex": "m", "who": 0}])
    flat = {name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in ("age", "sex")}
    job = {"columns": flat, "privacy": [{"model": "k-anonymity", "k": 4}], "suppression": {"limit": "60%"}}
    result = anonymize(source, tmp_path / "out.parquet", job={**job, "population": str(people)})
    before, after = result["risk"]["before"], result["risk"]["after"]
    inside, around = Counter((row["age"], row["sex"]) for row in rows), Counter((row["age"], row["sex"]) for row in rows * 2)
    pairs = [(count, around[values]) for values, count in inside.items()]
    assert before["journalist"]["highest"] == pytest.approx(float(oracle.journalist(pairs).highest))
    released = Counter(tuple(row.values()) for row in read_rows(tmp_path / "out.parquet"))
    assert after["prosecutor"]["highest"] == 1 / min(released.values())
    assert (after["classes"], after["rows"]) == (len(released), sum(released.values()))
    assert result["risk"]["population"]["population"] == 241
    persons = anonymize(source, tmp_path / "persons.parquet", job={**job, "entity": "who"})
    seen = {values: {row["who"] for row in rows if (row["age"], row["sex"]) == values} for values in inside}
    assert persons["risk"]["before"]["prosecutor"]["highest"] == 1 / min(map(len, seen.values()))
    assert persons["risk"]["before"]["unit"] == "who"
    style = {"limit": "60%", "style": "star"}
    masked = anonymize(source, tmp_path / "masked.parquet", job={**job, "suppression": style})
    assert masked["risk"]["after"]["rows"] == len(rows)
    shown = Counter(tuple(row.values()) for row in read_rows(tmp_path / "masked.parquet"))
    assert masked["risk"]["after"]["prosecutor"]["highest"] == 1 / min(shown.values())
    assert masked["risk"]["after"]["classes"] == len(shown)


def test_the_command_exits_1_above_the_risk(tmp_path: Path, cli: Cli) -> None:
    source = write_parquet(tmp_path / "rows.parquet", [{"a": number % 5} for number in range(12)])
    run = cli("risk", str(source), "--qi", "a", "--max-risk", "0.5", "--json")
    assert (run.code, json.loads(run.out)["status"]) == (0, "within")
    above = cli("risk", str(source), "--qi", "a", "--max-risk", "0.2")
    assert "fewer quasi-identifiers" not in above.err, "which makes the figures look better, and lowers no risk"
    assert "drop a column from the file" in above.err
    assert above.code == 1
    assert above.err.count("\n") == 1
    cli("risk", str(source), "--qi", "a", "--max-risk", "0.42", "--attacker", "marketer", code=0)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"options": Options(qi=["a", "x"])}, "did you mean"),
        ({"options": Options(qi=["a"]), "sets": [["b"]]}, "--sets names 'b'"),
        ({"options": Options(qi=["a"]), "max_risk": 1.5}, "--max-risk 1.5"),
        ({"options": Options(qi=["a"], set={"population-size": 3})}, "smaller than the table"),
        ({"options": Options(qi=["a"], entity="a", population="rows.parquet")}, "leave one out"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, Any], message: str) -> None:
    monkeypatch.chdir(tmp_path)
    write_parquet(tmp_path / "rows.parquet", [{"a": number, "b": 1} for number in range(5)])
    if "x" in more["options"].qi:
        message = "'x' is not a column of the input"
    with pytest.raises(JobError, match=message):
        risk("rows.parquet", **more)


def test_what_columns_tell_apart_equals_the_reference(shared: Path) -> None:
    cases = json.loads((shared / "truth" / "arx_risk_reference.json").read_text(encoding="utf-8"))
    [expected] = [case for case in cases if case["tag"] == "attribute risks B4"]
    named_sets = {tuple(name.strip("[]").split(", ")): risks for name, risks in expected.items() if name != "tag"}
    document = risk(
        shared / "data" / "arx-adult" / "adult.csv",
        options=Options(qi=["age", "education", "marital-status", "race"]),
        sets=list(named_sets),
    )
    assert len(document["sets"]) == 15
    for actual in document["sets"]:
        distinction, separation = named_sets[tuple(actual["columns"])]
        assert actual["distinction"] == pytest.approx(distinction, rel=1e-12)
        assert actual["separation"] == pytest.approx(separation, rel=1e-12)


def test_the_risk_of_a_release_equals_the_reference(shared: Path, tmp_path: Path) -> None:
    cases = json.loads((shared / "truth" / "arx_risk_reference.json").read_text(encoding="utf-8"))
    [case] = [case for case in cases if case["tag"] == "output k5 supp0.04 loss B4 [3, 0, 0, 0]"]
    folder, names = shared / "data" / "arx-adult", ("age", "education", "marital-status", "race")
    columns = {name: {"role": "quasi-identifier", "hierarchy": str(folder / f"adult_hierarchy_{name}.csv")} for name in names}
    job = {
        "columns": columns,
        "suppression": {"limit": "4%"},
        "recoding": {"levels": dict(zip(names, (3, 0, 0, 0), strict=True))},
    }
    after = anonymize(folder / "adult.csv", tmp_path / "out.parquet", job=job)["risk"]["after"]
    assert (after["rows"], after["classes"], after["uniques"]) == (case["records"], case["classes"], case["sample_uniques"])
    for attacker in ("prosecutor", "journalist"):
        assert after[attacker]["highest"] == case["highest_risk"]
        assert after[attacker]["average"] == pytest.approx(case["average_risk"], rel=1e-12)
        for threshold in ("0.05", "0.2"):
            expected = case[f"summary_{threshold}"][attacker]["at_risk"]
            assert after[attacker]["at_risk"][threshold] == pytest.approx(expected, rel=1e-12)
    assert after["marketer"] == pytest.approx(case["est_marketer"], rel=1e-12)
    # ARX writes the suppressed records with a star in each column, and counts them in no class
    released = [tuple(row[name] for name in names) for row in read_rows(tmp_path / "out.parquet")]
    hidden = 30_162 - len(released)
    write_table(tmp_path / "arx.csv", [names, *released, *[("*",) * len(names)] * hidden])
    written = risk(tmp_path / "arx.csv", options=Options(qi=list(names)))
    assert (written["rows"], written["suppressed"]) == (30_162, 876)
    assert written["risk"]["classes"] == case["classes"]
    assert written["risk"]["prosecutor"]["highest"] == case["highest_risk"]
    assert written["risk"]["prosecutor"]["average"] == pytest.approx(case["average_risk"], rel=1e-12)
    few = tmp_path / "few.csv"
    write_table(few, [names, *released, ("*",) * len(names)])
    held = check(few, options=Options(qi=list(names), k=5))
    assert (held["status"], held["risk"]["highest"]) == ("holds", case["highest_risk"])
