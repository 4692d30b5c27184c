"""Microaggregation: every row of a class shows the same figure, that of the class's own values."""

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from duckanon.checks.file import check
from duckanon.errors import Infeasible, JobError, VerificationFailed
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.requirement import Requirement
from duckanon.release import microaggregation
from duckanon.release.recoding import Recoding
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply

ALGORITHMS = ("optimal", "mondrian", "local")
JOB: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10, 20]}},
        "town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
        "income": {"role": "sensitive"},
    }
}


def lower_median(values: Sequence[Any]) -> Any:
    return sorted(values)[(len(values) - 1) // 2]


def most_frequent(values: Sequence[Any]) -> Any:
    counts = Counter(values)
    return min(value for value in counts if counts[value] == max(counts.values()))


FIGURES: Mapping[str, Callable[[Sequence[Any]], Any]] = {
    "mean": statistics.fmean,
    "median": lower_median,
    "mode": most_frequent,
    "interval": lambda values: f"[{min(values)}, {max(values)}]" if min(values) < max(values) else str(min(values)),
    "set": lambda values: "{" + ", ".join(map(str, sorted(set(values)))) + "}",
}


def persons(rows: Sequence[Mapping[str, Any]], entity: str | None) -> int:
    """Rows, or distinct persons; rows of nobody are those of one more."""
    return len(rows) if entity is None else len({row[entity] for row in rows})


def text_of(low: int, high: int, least: int, most: int, *, show_extremes: bool) -> str:
    """A range; an end is not shown that is the least or the greatest value behind all figures."""
    if low == high:
        return str(low)
    hides_low, hides_high = low == least and not show_extremes, high == most and not show_extremes
    if hides_low or hides_high:
        return "*" if hides_low and hides_high else f"<= {high}" if hides_low else f">= {low}"
    return f"[{low}, {high}]"


@pytest.mark.parametrize("function", FIGURES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("entity", [None, "who"])
@settings(max_examples=max(3, settings().max_examples // 20), phases=(Phase.explicit, Phase.generate))
@given(data=st.data())
def test_a_class_shows_the_figure_of_its_own_values_if_there_are_k(
    tmp_path: Path, algorithm: str, function: str, entity: str | None, data: st.DataObject
) -> None:
    """The values of suppressed rows, and those of figures that are withheld, show in no figure and no end of a range."""
    rows = data.draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "age": st.integers(0, 40),
                    "town": st.sampled_from("xyz"),
                    "income": st.none() | st.integers(-5, 5),
                    "who": st.none() | st.integers(0, 5),
                }
            ),
            min_size=8,
            max_size=30,
        )
    )
    k, show_extremes = data.draw(st.integers(2, 3)), data.draw(st.booleans())
    rows.append({"age": 0, "town": "x", "income": 1, "who": 1})
    source = write_parquet(tmp_path / "in.parquet", [{**row, "own": number} for number, row in enumerate(rows)])
    job = {**JOB, "columns": {**JOB["columns"], "own": {"role": "sensitive"}}}
    job["columns"]["income"] = {"role": "sensitive", "microaggregate": function}
    job["recoding"] = {"algorithm": algorithm, "show-extremes": show_extremes}
    job["suppression"] = {"limit": "100%"}
    options = Options(k=k, entity=entity)
    try:
        manifest = anonymize(source, tmp_path / "out.parquet", job=job, options=options, run=Run(overwrite=True))
    except Infeasible:
        return
    classes: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in read_rows(tmp_path / "out.parquet"):
        classes.setdefault((row["age"], row["town"]), []).append(row)
    behind = {
        key: known
        if persons(known := [rows[row["own"]] for row in members if rows[row["own"]]["income"] is not None], entity) >= k
        else []
        for key, members in classes.items()
    }
    if function == "mode":
        # it is shown if k have it, and at most 80% of the class: more would disclose it
        for key, known in behind.items():
            alike = (
                [row for row in known if row["income"] == most_frequent([other["income"] for other in known])] if known else []
            )
            if persons(alike, entity) < k or persons(alike, entity) > 0.8 * persons(known, entity):
                behind[key] = []
    values = [row["income"] for known in behind.values() for row in known]
    for key, group in classes.items():
        own = [row["income"] for row in behind[key]]
        expected = FIGURES[function](own) if own else None
        if own and function == "interval":
            expected = text_of(min(own), max(own), min(values), max(values), show_extremes=show_extremes)
        [shown] = {row["income"] for row in group}
        assert shown == (pytest.approx(expected) if function == "mean" and own else expected)
    withheld = [members for key, members in classes.items() if not behind[key]]
    stated = {"classes": len(withheld), "rows": sum(map(len, withheld))}
    assert manifest.get("withheld") == ({"income": stated} if withheld else None)


def test_the_mean_of_five_rows_of_which_four_have_no_value_is_not_the_fifths_value(tmp_path: Path) -> None:
    rows = [{"age": 20, "town": "x", "income": 54_321 if number == 0 else None} for number in range(5)]
    rows += [{"age": 40, "town": "x", "income": number} for number in range(5)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(k=5, levels={"age": 0}, microaggregate={"income": "mean"})
    manifest = anonymize(source, tmp_path / "out.parquet", job=JOB, options=options)
    assert Counter(row["income"] for row in read_rows(tmp_path / "out.parquet")) == {None: 5, 2.0: 5}
    assert manifest["withheld"] == {"income": {"classes": 1, "rows": 5}}
    assert any("'income' shows no mean in 1 equivalence class (5 rows)" in line for line in manifest["warnings"])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_figure_of_too_few_values_is_seen_by_the_verification(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, algorithm: str
) -> None:
    """The figures are made of the source once more, by its labels, before the file gets its name."""
    rows = [{"age": 20 + number % 3, "town": "x", "income": number if number < 3 else None} for number in range(9)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(k=4, algorithm=algorithm, microaggregate={"income": "median"})
    makes = microaggregation.create_figures

    def without_the_rule(engine: Any, recoding: Recoding) -> None:
        makes(engine, replace(recoding, requirement=Requirement(KAnonymity(k=1))))

    monkeypatch.setattr(microaggregation, "create_figures", without_the_rule)
    with pytest.raises(VerificationFailed, match="classes of the written file differ"):
        anonymize(source, tmp_path / "out.parquet", job=JOB, options=options)
    assert not (tmp_path / "out.parquet").exists()


def test_a_suppressed_class_with_the_figure_of_a_released_one_is_another_class(tmp_path: Path) -> None:
    rows = [{"age": age, "town": "x", "income": 1} for age in (18, 19, 20, 21, 22, 22, 23)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(k=3, levels={"age": 1}, microaggregate={"age": "mean:-1"}, max_suppression="50%")
    anonymize(source, tmp_path / "out.parquet", job=JOB, options=options)
    assert Counter(row["age"] for row in read_rows(tmp_path / "out.parquet")) == {20.0: 5}


def test_a_figure_is_rounded_on_request(tmp_path: Path) -> None:
    rows = [{"age": 20 + number % 3, "town": "x", "income": 1000 + 7 * number} for number in range(9)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    for figure, expected in (("mean:0", 1028.0), ("mean:-2", 1000.0), ("median:-1", 1030), ("mean", 1028.0)):
        options = Options(k=9, microaggregate={"income": figure})
        anonymize(source, tmp_path / "out.parquet", job=JOB, options=options, run=Run(overwrite=True))
        assert {row["income"] for row in read_rows(tmp_path / "out.parquet")} == {expected}, figure


def test_a_quasi_identifier_shows_the_figure_in_place_of_its_label(tmp_path: Path) -> None:
    rows = [{"age": age, "town": "x", "income": 1} for age in (20, 22, 24, 40, 42, 50)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(k=3, levels={"age": 2}, microaggregate={"age": "mean"})
    manifest = anonymize(source, tmp_path / "out.parquet", job=JOB, options=options, run=Run(overwrite=True))
    assert Counter(row["age"] for row in read_rows(tmp_path / "out.parquet")) == {22.0: 3, 44.0: 3}
    assert manifest["microaggregation"] == {"age": "mean"}
    assert manifest["classes"]["count"] == 2


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_saved_recoding_aggregates_again(tmp_path: Path, algorithm: str) -> None:
    rows = [{"age": number % 40, "town": "xyz"[number % 3], "income": number % 11} for number in range(200)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(k=5, algorithm=algorithm, microaggregate={"income": "set", "age": "median"})
    run = Run(overwrite=True)
    anonymize(source, tmp_path / "out.parquet", job=JOB, options=options, run=run)
    apply(tmp_path / "out.parquet.manifest.json", source, tmp_path / "again.parquet", run=run)
    first, again = (Counter(map(str, read_rows(tmp_path / name))) for name in ("out.parquet", "again.parquet"))
    assert first == again


def test_ends_of_the_whole_column_are_not_shown_by_default(tmp_path: Path) -> None:
    rows = [{"age": age, "town": "x", "income": income} for age in (20, 40) for income in range(age, age + 5)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    for keys, expected in (({}, {"<= 24", ">= 40"}), ({"recoding.show-extremes": True}, {"[20, 24]", "[40, 44]"})):
        options = Options(k=5, levels={"age": 1}, microaggregate={"income": "interval"}, set=keys)
        anonymize(source, tmp_path / "out.parquet", job=JOB, options=options, run=Run(overwrite=True))
        assert {row["income"] for row in read_rows(tmp_path / "out.parquet")} == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (Options(microaggregate={"town": "mean"}), "column 'town' is VARCHAR, which has no mean"),
        (Options(microaggregate={"incme": "mean"}), "'incme', which has no role"),
        (Options(microaggregate={"income": "average"}), "microaggregate"),
        (Options(microaggregate={"income": "mode:1"}), "has `round`, which applies only to"),
        (Options(microaggregate={"income": "mean:99999"}), "round"),
        (Options(microaggregate={"income": "mean"}, set={"suppression.style": "star"}), "cannot be combined"),
    ],
    ids=["text", "unknown", "function", "mode", "places", "star"],
)
def test_what_no_class_can_show_is_refused(tmp_path: Path, options: Options, message: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{"age": 1, "town": "x", "income": 2}] * 10)
    with pytest.raises(JobError, match=message) as refused:
        anonymize(source, tmp_path / "out.parquet", job=JOB, options=options)
    assert len(str(refused.value).splitlines()) == 1
    assert not (tmp_path / "out.parquet").exists()


MODES: Mapping[str, tuple[list[Any], Any]] = {
    "ten different values": (list(range(50_000, 50_010)), None),
    "four of ten, below k": ([1, 1, 1, 1, *range(2, 8)], None),
    "five of ten": ([1, 1, 1, 1, 1, *range(2, 7)], 1),
    "eight of ten": ([1] * 8 + [2, 3], 1),
    "nine of ten": ([1] * 9 + [2], None),
    "all": ([1] * 10, None),
    "all that are known": ([1] * 6 + [None] * 4, None),
    "five of ten texts": (["x"] * 5 + list("abcde"), "x"),
    "five of ten numbers that are not a number": ([float("nan")] * 5 + [1.0, 2.0, 3.0, 4.0, 5.0], "nan"),
}


@pytest.mark.parametrize(("values", "mode"), MODES.values(), ids=MODES)
@pytest.mark.parametrize("role", ["sensitive", "insensitive"])
def test_a_mode_is_shown_if_k_rows_have_it_and_the_class_does_not_disclose_it(
    tmp_path: Path, values: list[Any], mode: Any, role: str
) -> None:
    """The share is that of the rows with a value: a missing one may be the mode."""
    source = write_parquet(tmp_path / "in.parquet", [{"age": 20, "town": "x", "income": value} for value in values])
    job = {**JOB, "columns": {**JOB["columns"], "income": {"role": role, "microaggregate": "mode"}}}
    anonymize(source, tmp_path / "out.parquet", job=job, options=Options(k=5, levels={"age": 0}))
    [shown] = {str(row["income"]) for row in read_rows(tmp_path / "out.parquet")}
    assert shown == str(mode)


def test_the_mode_of_persons_counts_persons(tmp_path: Path) -> None:
    """Five rows of one person have the value 1, and each of five persons has the value 2 once."""
    rows = [{"age": 20, "town": "x", "income": 1, "who": 0} for _ in range(6)]
    rows += [{"age": 20, "town": "x", "income": 2, "who": person} for person in range(5)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(k=5, levels={"age": 0}, entity="who", microaggregate={"income": "mode"})
    anonymize(source, tmp_path / "out.parquet", job=JOB, options=options)
    assert {row["income"] for row in read_rows(tmp_path / "out.parquet")} == {None}


@pytest.mark.parametrize("function", FIGURES)
def test_a_model_of_an_aggregated_column_holds_for_the_values_behind_the_figures(tmp_path: Path, function: str) -> None:
    """A class that would fail by its values is not released, and `check` does not take the figures for values."""
    rows = [{"age": 20, "town": "x", "income": 7} for _ in range(10)]
    rows += [{"age": 40, "town": "x", "income": 1 + number // 5} for number in range(15)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(
        k=5, levels={"age": 0}, microaggregate={"income": function}, require=["distinct-l=3@income"], max_suppression="100%"
    )
    anonymize(source, tmp_path / "out.parquet", job=JOB, options=options)
    assert {row["age"] for row in read_rows(tmp_path / "out.parquet")} == {40}
    document = check(tmp_path / "out.parquet", manifest=tmp_path / "out.parquet.manifest.json")
    assert document["status"] == "holds"
    assert document["manifest"]["unjudged"] == ["distinct l-diversity"]
