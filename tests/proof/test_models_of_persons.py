"""Models that count persons against their restatement: what `check` measures, and what every algorithm releases."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import duckanon
from duckanon.errors import Infeasible
from duckanon.privacy import registry
from duckanon.privacy.base import SensitiveModel
from tests.support.oracles import persons as oracle
from tests.support.oracles.persons import ACHIEVED, Pairs, pairs
from tests.support.required_models import ENTRIES
from tests.support.rows import read_rows, write_parquet, write_table

Row = dict[str, Any]

AREAS = {"a": ["a", "x", "*"], "b": ["b", "x", "*"], "c": ["c", "y", "*"]}
YEARS = {"1": ["1", "*"], "2": ["2", "*"]}
REQUIRED: dict[str, tuple[str, float]] = {
    "distinct-l=2": ("distinct-l", 2),
    "distinct-l=3": ("distinct-l", 3),
    "entropy-l=1.5": ("entropy-l", 1.5),
    "recursive-cl=3,2": ("recursive-cl 2", 3),
    "alpha-k=0.6,2": ("alpha", 0.6),
    "t=0.4": ("t", 0.4),
    "t-ordered=0.3": ("t-ordered", 0.3),
    "beta=1.5": ("beta", 1.5),
    "delta=1.7": ("delta", 1.7),
}
"""What is asked for, and the figure that it is held against."""


def test_every_model_of_a_sensitive_column_is_required() -> None:
    required = {registry.tag(registry.NAMES[text.partition("=")[0]][0]) for text in REQUIRED}
    assert required == {tag for tag, model in registry.MODELS.items() if issubclass(model, SensitiveModel)}


VISITS = st.lists(
    st.fixed_dictionaries(
        {
            "area": st.sampled_from(sorted(AREAS)),
            "year": st.sampled_from(sorted(YEARS)),
            "who": st.sampled_from(["p", "q", "r", "s", "t", "u", None]),
            "illness": st.sampled_from(["cold", "flu", "hiv", None]),
        }
    ),
    min_size=1,
    max_size=40,
)
"""Rows of few persons, who come to several places with several illnesses."""


def source(folder: Path, rows: Sequence[Row]) -> Path:
    for name, lines in (("area", AREAS), ("year", YEARS)):
        write_table(folder / f"{name}.csv", list(lines.values()))
    return write_parquet(folder / "in.parquet", [{**row, "place": place} for place, row in enumerate(rows)])


def grouped(rows: Sequence[Row], keys: Sequence[Any]) -> dict[Any, Pairs]:
    """The persons and illnesses of each class."""
    return {
        key: pairs([row for row, other in zip(rows, keys, strict=True) if other == key], "who", "illness") for key in set(keys)
    }


def options(folder: Path, **more: Any) -> Any:
    hierarchies = [f"{name}={folder / name}.csv" for name in ("area", "year")]
    chosen = {"qi": ["area", "year"], "sensitive": ["illness"], "entity": "who", "hierarchies": hierarchies}
    return duckanon.Options(**{**chosen, **more})


def close(figure: Any) -> Any:
    return pytest.approx(float(figure), rel=1e-9, abs=1e-9)


@settings(max_examples=settings().max_examples * 2 // 5)
@given(rows=VISITS)
def test_check_measures_every_model_by_persons(tmp_path: Path, rows: list[Row]) -> None:
    options = duckanon.Options(qi=["area", "year"], sensitive=["illness"], entity="who")
    document = duckanon.check(source(tmp_path, rows), options=options)
    table = pairs(rows, "who", "illness")
    classes = grouped(rows, [(row["area"], row["year"]) for row in rows])
    for name, (worst, _) in ACHIEVED.items():
        wanted = ENTRIES[name] | ({} if name == "k" else {"column": "illness"})
        [measured] = [entry for entry in document["privacy"] if wanted.items() <= entry.items()]
        expected = worst(oracle.achieved(name, group, table) for group in classes.values())
        assert measured["of"] == "who"
        assert measured["achieved"] == (None if expected == float("inf") else close(expected)), name


def keeps(model: str, group: Pairs, table: Pairs) -> bool:
    name, bound = REQUIRED[model]
    worst, _ = ACHIEVED[name]
    achieved = oracle.achieved(name, group, table)
    if name in ("recursive-cl 2", "delta"):
        return bool(achieved < bound)
    exact = Fraction(str(bound)) if isinstance(achieved, Fraction) else bound
    enough = bool(achieved >= exact if worst is min else achieved <= exact)
    return enough and (not model.startswith("alpha-k") or oracle.persons(group) >= 2)


@pytest.mark.parametrize("model", REQUIRED)
@settings(max_examples=max(3, settings().max_examples // 8))
@given(rows=VISITS, k=st.sampled_from([1, 2]), levels=st.sampled_from(list(product(range(3), range(2)))))
def test_a_node_releases_the_classes_that_keep_a_model(
    tmp_path: Path, model: str, rows: list[Row], k: int, levels: tuple[int, int]
) -> None:
    """Exactly those, whatever the rows of their persons are."""
    table = pairs(rows, "who", "illness")
    labels = [(AREAS[row["area"]][levels[0]], YEARS[row["year"]][levels[1]]) for row in rows]
    passing = {
        label
        for label, group in grouped(rows, labels).items()
        if oracle.persons(group) >= max(k, 2 if model.startswith("alpha-k") else 1) and keeps(model, group, table)
    }
    given = options(
        tmp_path, k=k, require=[model], levels=dict(zip(("area", "year"), levels, strict=True)), max_suppression="100%"
    )
    file = source(tmp_path, rows)
    try:
        manifest = duckanon.anonymize(file, tmp_path / "out.parquet", options=given, run=duckanon.Run(overwrite=True)).manifest
    except Infeasible:
        assert not passing
        return
    written = [(str(row["area"]), str(row["year"])) for row in read_rows(tmp_path / "out.parquet")]
    assert sorted(written) == sorted(label for label in labels if label in passing)
    assert {check["of"] for check in manifest["privacy"]} == {"who"}


@pytest.mark.parametrize("algorithm", ["optimal", "greedy", "mondrian", "local"])
@settings(max_examples=max(3, settings().max_examples // 8))
@given(rows=VISITS, model=st.sampled_from(sorted(REQUIRED)))
def test_every_algorithm_releases_classes_that_keep_a_model(
    tmp_path: Path, algorithm: str, rows: list[Row], model: str
) -> None:
    """Counted by joining the released rows with the persons of the source, whom no file of the release names."""
    file = source(tmp_path, rows)
    given = options(tmp_path, k=2, require=[model], keep=["place"], algorithm=algorithm, max_suppression="60%")
    try:
        duckanon.anonymize(file, tmp_path / "out.parquet", options=given, run=duckanon.Run(overwrite=True))
    except Infeasible:
        return
    released = read_rows(tmp_path / "out.parquet")
    assert set(released[0]) == {"area", "year", "illness", "place"}
    table = pairs(rows, "who", "illness")
    classes = grouped([rows[row["place"]] for row in released], [(row["area"], row["year"]) for row in released])
    for group in classes.values():
        assert oracle.persons(group) >= 2
        assert keeps(model, group, table)
        if model.startswith("distinct-l"):
            assert oracle.most_different(oracle.known(group)) >= REQUIRED[model][1]


@given(rows=VISITS)
def test_distinct_l_never_claims_more_values_than_different_persons_have(rows: list[Row]) -> None:
    """The figure is a lower bound of a largest matching, and exact where each person has one value."""
    group = pairs(rows, "who", "illness")
    assert oracle.distinct(group) <= oracle.most_different(group)
    if len(group) == oracle.persons(group):
        assert oracle.distinct(group) == oracle.most_different(group) == len(oracle.frequencies(group))


def test_one_person_of_many_rows_supplies_no_diversity(tmp_path: Path) -> None:
    """Five patients with HIV, and one who came 45 times: by rows the class had 46 values, and HIV a share of a tenth."""
    rows = [{"area": "a", "year": "1", "who": f"h{number}", "illness": "hiv"} for number in range(5)]
    rows += [{"area": "a", "year": "1", "who": "often", "illness": f"illness {number}"} for number in range(45)]
    others = [{"area": "c", "year": "2", "who": f"o{number}", "illness": f"illness {number % 9}"} for number in range(40)]
    file = source(tmp_path, [*rows, *others])
    for required in ("distinct-l=3", "entropy-l=2", "recursive-cl=4,2", "alpha-k=0.5,5", "t=0.5", "beta=5"):
        given = options(tmp_path, require=[required], levels={"area": 0, "year": 0}, max_suppression="100%")
        manifest = duckanon.anonymize(file, tmp_path / "out.parquet", options=given, run=duckanon.Run(overwrite=True)).manifest
        assert manifest["rows"]["suppressed"] == 50, required
        by_rows = duckanon.anonymize(
            file,
            tmp_path / "rows.parquet",
            options=options(tmp_path, require=[required], levels={"area": 0, "year": 0}, max_suppression="100%", entity="none"),
            run=duckanon.Run(overwrite=True),
        ).manifest
        assert by_rows["rows"]["suppressed"] == 0, required
