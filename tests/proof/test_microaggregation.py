"""Micro-aggregation: every row of a class shows the same figure, that of the class's own values."""

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from duckanon.errors import Infeasible, JobError
from duckanon.options import Options
from duckanon.pipeline import anonymize, apply
from duckanon.preparation import Run
from tests.support.rows import read_rows, write_parquet

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


@pytest.mark.parametrize("function", FIGURES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@settings(max_examples=max(3, settings().max_examples // 20), phases=(Phase.explicit, Phase.generate))
@given(data=st.data())
def test_a_class_shows_the_figure_of_its_own_values(tmp_path: Path, algorithm: str, function: str, data: st.DataObject) -> None:
    rows = data.draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "age": st.integers(0, 40),
                    "town": st.sampled_from("xyz"),
                    "income": st.none() | st.integers(-5, 5),
                }
            ),
            min_size=8,
            max_size=30,
        )
    )
    rows.append({"age": 0, "town": "x", "income": 1})
    source = write_parquet(tmp_path / "in.parquet", [{**row, "own": number} for number, row in enumerate(rows)])
    job = {**JOB, "columns": {**JOB["columns"], "own": {"role": "sensitive"}}}
    job["columns"]["income"] = {"role": "sensitive", "microaggregate": function}
    job["recoding"] = {"algorithm": algorithm, "show-extremes": True}
    job["suppression"] = {"limit": "100%"}
    try:
        anonymize(source, tmp_path / "out.parquet", job=job, options=Options(k=2), run=Run(overwrite=True))
    except Infeasible:
        return
    classes: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in read_rows(tmp_path / "out.parquet"):
        classes.setdefault((row["age"], row["town"]), []).append(row)
    for found in classes.values():
        own = [income for row in found if (income := rows[row["own"]]["income"]) is not None]
        expected = FIGURES[function](own) if own else None
        [shown] = {row["income"] for row in found}
        assert shown == (pytest.approx(expected) if function == "mean" and own else expected)


def test_a_figure_is_rounded_where_asked(tmp_path: Path) -> None:
    rows = [{"age": 20 + number % 3, "town": "x", "income": 1000 + 7 * number} for number in range(9)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    for asked, expected in (("mean:0", 1028.0), ("mean:-2", 1000.0), ("median:-1", 1030), ("mean", 1028.0)):
        options = Options(k=9, microaggregate={"income": asked})
        anonymize(source, tmp_path / "out.parquet", job=JOB, options=options, run=Run(overwrite=True))
        assert {row["income"] for row in read_rows(tmp_path / "out.parquet")} == {expected}, asked


def test_a_quasi_identifier_shows_the_figure_in_place_of_its_label(tmp_path: Path) -> None:
    rows = [{"age": age, "town": "x", "income": 1} for age in (20, 22, 24, 40, 42, 50)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(k=3, levels={"age": 2}, microaggregate={"age": "mean"})
    manifest = anonymize(source, tmp_path / "out.parquet", job=JOB, options=options, run=Run(overwrite=True))
    assert Counter(row["age"] for row in read_rows(tmp_path / "out.parquet")) == {22.0: 3, 44.0: 3}
    assert manifest["microaggregation"] == {"age": "mean"}
    assert manifest["classes"]["count"] == 2


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_frozen_recoding_aggregates_again(tmp_path: Path, algorithm: str) -> None:
    rows = [{"age": number % 40, "town": "xyz"[number % 3], "income": number % 11} for number in range(200)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(k=5, algorithm=algorithm, microaggregate={"income": "set", "age": "median"})
    run = Run(overwrite=True)
    anonymize(source, tmp_path / "out.parquet", job=JOB, options=options, run=run)
    apply(tmp_path / "out.parquet.manifest.json", source, tmp_path / "again.parquet", run=run)
    first, again = (Counter(map(str, read_rows(tmp_path / name))) for name in ("out.parquet", "again.parquet"))
    assert first == again


def test_ends_of_the_whole_column_are_not_shown_unless_asked_for(tmp_path: Path) -> None:
    rows = [{"age": age, "town": "x", "income": income} for age in (20, 40) for income in range(age, age + 5)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    for shown, expected in ((None, {"<= 24", ">= 40"}), (True, {"[20, 24]", "[40, 44]"})):
        options = Options(k=5, levels={"age": 1}, microaggregate={"income": "interval"}, show_extremes=shown)
        anonymize(source, tmp_path / "out.parquet", job=JOB, options=options, run=Run(overwrite=True))
        assert {row["income"] for row in read_rows(tmp_path / "out.parquet")} == expected


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (Options(microaggregate={"town": "mean"}), "column 'town' is VARCHAR, which has no mean"),
        (Options(microaggregate={"incme": "mean"}), "'incme', which has no role"),
        (Options(microaggregate={"income": "average"}), "microaggregate"),
        (Options(microaggregate={"income": "mode:1"}), "is rounded, which is for the mean or the median"),
        (Options(microaggregate={"income": "mean:99999"}), "round"),
        (Options(microaggregate={"income": "mean"}, suppress="star"), "do not go together"),
    ],
    ids=["text", "unknown", "function", "mode", "places", "star"],
)
def test_what_no_class_can_show_is_refused(tmp_path: Path, options: Options, said: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{"age": 1, "town": "x", "income": 2}] * 10)
    with pytest.raises(JobError, match=said) as refused:
        anonymize(source, tmp_path / "out.parquet", job=JOB, options=options)
    assert len(str(refused.value).splitlines()) == 1
    assert not (tmp_path / "out.parquet").exists()
