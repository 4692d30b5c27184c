"""Hierarchies: read in every form, refused with the fault's name, with the losses that they declare."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon.dataset.location import locate
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.opening import open_source
from duckanon.dataset.values import read_values, records_statement
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.templates import Statement
from duckanon.errors import HierarchyError
from duckanon.hierarchy import sets
from duckanon.hierarchy.attributes import QuasiIdentifier
from duckanon.hierarchy.spec import load
from duckanon.metrics.figures import Marginals
from duckanon.search.combinations import build_hierarchies, read_marginals

VALUES = ["a1", "a2", "b1", "b2"]
TREE = {"a1": ["a1", "A", "*"], "a2": ["a2", "A", "*"], "b1": ["b1", "B", "*"], "b2": ["b2", "B", "*"]}


def built(
    folder: Path, hierarchy: Path, values: list[Any], missing: MissingRule | None = None, **spec: Any
) -> tuple[dict[Any, dict[str, Any]], Marginals]:
    """`hierarchy_c` by value, and the marginals, for one column `c` of these values."""
    missing = missing or MissingRule()
    pq.write_table(pa.table({"c": values}), folder / "values.parquet")
    with DuckDBEngine() as engine:
        [column] = open_source(engine, locate(folder / "values.parquet"))
        engine.create_view(records_statement([column], missing))
        read_values(engine, [column], missing)
        declared = load(hierarchy).model_copy(update=spec)
        attributes = build_hierarchies(engine, [QuasiIdentifier(column, declared, hierarchy.name)])
        [marginals] = read_marginals(engine, attributes)
        everything = Statement("hierarchy_c", "", "select * from hierarchy_c")
        names = [cell.name for cell in engine.describe(everything)]
        rows = [dict(zip(names, row, strict=True)) for row in engine.query(everything)]
    return {row["value"]: row for row in rows}, marginals


def labels(row: dict[str, Any], height: int = 2) -> list[Any]:
    return [row[f"level_{level}"] for level in range(height + 1)]


TABLES = {
    "semicolons.csv": "a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n",
    "commas.csv": "a1,A,*\na2,A,*\nb1,B,*\nb2,B,*",
    "header.csv": "value;group;top\na1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n",
    "windows.csv": "a1;A;*\r\na2;A;*\r\nb1;B;*\r\nb2;B;*\r\n",
    "bom.csv": "\ufeffa1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n",
    "quoted.csv": '"a1","A","*"\n"a2","A","*"\nb1,B,*\nb2,B,*\n',
    "pairs.txt": "a1,A\na2,A\nb1,B\nb2,B\nA,*\nB,*\n\n",
    "pairs.csv": "A;*\nB;*\na1;A\na2;A\nb1;B\nb2;B",
}


@pytest.mark.parametrize("name", TABLES)
def test_every_shape_of_file_gives_the_same_lookup(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(TABLES[name].encode())
    rows, marginals = built(tmp_path, tmp_path / name, VALUES)
    assert {value: labels(row) for value, row in rows.items()} == TREE
    assert [rows["a1"][f"leaves_{level}"] for level in range(3)] == [1, 2, 4]
    assert [rows["a1"][f"loss_{level}"] for level in range(3)] == [0, pytest.approx(1 / 3), 1]
    assert marginals.excess == (0, 4, 12)


def test_a_parquet_table_is_read(tmp_path: Path) -> None:
    cells = list(zip(*TREE.values(), strict=True))
    pq.write_table(pa.table({f"x{number}": list(cell) for number, cell in enumerate(cells)}), tmp_path / "h.parquet")
    rows, _ = built(tmp_path, tmp_path / "h.parquet", VALUES)
    assert {value: labels(row) for value, row in rows.items()} == TREE


def test_two_columns_with_one_top_are_a_table_even_where_the_top_is_a_value(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("a;*\n*;*\n")
    rows, _ = built(tmp_path, tmp_path / "h.csv", ["a", "*"])
    assert {value: labels(row, 1) for value, row in rows.items()} == {"a": ["a", "*"], "*": ["*", "*"]}


def test_a_short_branch_repeats_its_leaf_below(tmp_path: Path) -> None:
    """Seed 004 measured a tree down its first branch only; here the deepest counts, the top is on one level for all."""
    (tmp_path / "h.txt").write_text("a1,A\na2,A\nA,Letters\nLetters,*\n1,*\n")
    rows, _ = built(tmp_path, tmp_path / "h.txt", ["a1", "1"])
    assert labels(rows["a1"], 3) == ["a1", "A", "Letters", "*"]
    assert labels(rows["1"], 3) == ["1", "1", "1", "*"]


FAULTS = {
    "twice": ("a1;A;*\na1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n", ["lists 'a1' 2 times", "line 2"]),
    "not nested": ("a1;A;x;*\na2;A;y;*\nb1;B;y;*\nb2;B;y;*\n", ["not nested", "'A' on level 1", "'x'", "'y'"]),
    "two tops": ("a1;A;*\na2;A;*\nb1;B;+\nb2;B;+\n", ["2 labels", "'*'", "'+'", "add a last level"]),
    "one column": ("a1\na2\nb1\nb2\n", ["one column"]),
    "ragged": ("a1;A;*\na2;A\nb1;B;*\nb2;B;*\n", ["cannot be read"]),
    "not covered": ("a1;A;*\na2;A;*\nb1;B;*\nB2;B;*\n", ["'b2' (1 row, did you mean 'B2'?)"]),
    "two parents": ("a1,A\na1,B\na2,A\nb1,B\nb2,B\nA,*\nB,*\n", ["gives 'a1' two parents", "'A'", "'B'"]),
    "circle": ("a1,A\na2,A\nb1,B\nb2,B\nA,B\nB,A\n", ["has a cycle"]),
    "inner value": ("a1,b1\na2,b1\nb1,*\nb2,*\n", ["'b1'", "does not cover"]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_its_column(tmp_path: Path, fault: str) -> None:
    text, phrases = FAULTS[fault]
    (tmp_path / "h.csv").write_text(text)
    with pytest.raises(HierarchyError) as failure:
        built(tmp_path, tmp_path / "h.csv", VALUES)
    assert "'c'" in str(failure.value)
    for phrase in phrases:
        assert phrase in str(failure.value)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("kind: intervalls\nwidths: [5]", "did you mean 'intervals'?"),
        ("kind: intervals\nwidth: [5]", "did you mean 'widths'?"),
        ("kind: intervals\nwidths: [5, 12]", "width 12 is not a larger multiple of width 5"),
        ("kind: intervals\nwidths: [0]", "is not more than 0"),
        ("kind: intervals\nwidths: []", "at least 1 entries"),
        ("- 1", "not a mapping"),
        ("a: [", "not YAML"),
    ],
)
def test_a_wrong_spec_is_refused(tmp_path: Path, text: str, phrase: str) -> None:
    (tmp_path / "h.yaml").write_text(text)
    with pytest.raises(HierarchyError, match=r"h\.yaml") as failure:
        load(tmp_path / "h.yaml")
    assert phrase in str(failure.value)


@given(
    values=st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-50, 50), min_size=1, max_size=20),
    factors=st.lists(st.integers(2, 7), min_size=1, max_size=4),
    first=st.integers(1, 50),
    origin=st.integers(-100, 100),
)
def test_intervals_hold_their_values_and_nest(
    tmp_path: Path, values: list[int], factors: list[int], first: int, origin: int
) -> None:
    widths = [first]
    for factor in factors:
        widths.append(widths[-1] * factor)
    (tmp_path / "h.yaml").write_text(f"kind: intervals\nwidths: {widths}\norigin: {origin}\n")
    rows, marginals = built(tmp_path, tmp_path / "h.yaml", values)
    assert set(rows) == {str(value) for value in values}
    for text, row in rows.items():
        for level, width in enumerate(widths, start=1):
            low, high = (int(bound) for bound in row[f"level_{level}"][1:-1].split(","))
            assert low <= int(text) < high == low + width
            assert (low - origin) % width == 0
        assert row[f"level_{len(widths) + 1}"] == "*"
    assert marginals.domain == len(set(values))


def test_null_is_a_value_of_its_own_up_to_the_top(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text(TABLES["semicolons.csv"])
    rows, marginals = built(tmp_path, tmp_path / "h.csv", [*VALUES, None])
    assert labels(rows[None]) == [None, None, "*"]
    assert marginals.domain == 5
    assert marginals.excess[2] == 5 * 4


def test_a_listed_null_stands_where_the_file_puts_it(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text(TABLES["semicolons.csv"] + ";unknown;*\n")
    rows, _ = built(tmp_path, tmp_path / "h.csv", [*VALUES, None])
    assert labels(rows[None]) == [None, "unknown", "*"]


def test_missing_values_go_to_the_top_at_a_loss_of_one(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text(TABLES["semicolons.csv"])
    rows, marginals = built(tmp_path, tmp_path / "h.csv", [*VALUES, "?", None], MissingRule(("?", None), "top"))
    for value in ("?", None):
        assert labels(rows[value]) == ["*", "*", "*"]
        assert [rows[value][f"loss_{level}"] for level in range(3)] == [1, 1, 1]
    assert marginals.domain == 4
    assert marginals.excess[0] == 2 * 3


def test_leaves_are_those_listed_or_those_present(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text(TABLES["semicolons.csv"])
    listed, _ = built(tmp_path, tmp_path / "h.csv", ["a1", "b1", "b2"])
    present, _ = built(tmp_path, tmp_path / "h.csv", ["a1", "b1", "b2"], domain="data")
    assert [listed["a1"][f"leaves_{level}"] for level in range(3)] == [1, 2, 4]
    assert [present["a1"][f"leaves_{level}"] for level in range(3)] == [1, 1, 3]


def test_the_bundled_sets_are_complete() -> None:
    bundled = {candidate.name: candidate for candidate in sets.bundled()}
    assert "adult/five-year" in bundled
    for candidate in bundled.values():
        assert candidate.columns
        assert all(candidate.file_for(column) is not None for column in candidate.columns)
        assert all(load(path) for column in candidate.columns if (path := candidate.file_for(column)))


def test_a_folder_finds_the_file_of_a_column_by_its_ending(tmp_path: Path) -> None:
    for name in ("adult_hierarchy_age.csv", "sex.csv", "adult.csv"):
        (tmp_path / name).touch()
    hierarchy_set = sets.HierarchySet("folder", tmp_path)
    assert hierarchy_set.file_for("age") == tmp_path / "adult_hierarchy_age.csv"
    assert hierarchy_set.file_for("sex") == tmp_path / "sex.csv"
    (tmp_path / "adult_Marital_status.txt").touch()
    assert hierarchy_set.file_for("marital-status") == tmp_path / "adult_Marital_status.txt"
    assert hierarchy_set.file_for("race") is None
    (tmp_path / "other_age.csv").touch()
    with pytest.raises(HierarchyError, match="several"):
        hierarchy_set.file_for("age")
