"""Linked columns: counted in plain Python, none splits an equivalence class, and only a determined column is accepted."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon.errors import Infeasible, JobError, VerificationFailed
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.release import retained_columns
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize, apply

AGAIN = Run(overwrite=True)
QI = {"role": "quasi-identifier"}


def smallest(path: Path, *names: str) -> int:
    """The rows of the smallest group with the same cells of these columns."""
    return min(Counter(tuple(row[name] for name in names) for row in read_rows(path)).values())


def values_beside(rows: list[dict[str, Any]], leader: str, name: str) -> int:
    """The most values of a column, NULL being one, that stand beside one value of another."""
    return max(len({row[name] for row in rows if row[leader] == value}) for value in {row[leader] for row in rows})


def job(tree: Path, **more: Any) -> dict[str, Any]:
    columns = {
        "town": {**QI, "hierarchy": str(tree)},
        "sex": {**QI, "hierarchy": {"kind": "flat"}},
        "code": {"role": "insensitive"},
    }
    return {"columns": columns, "linked": [["town", "code"]], "suppression": {"limit": "100%"}, **more}


def towns(folder: Path) -> Path:
    """A hierarchy in which a label of level 1 reads like a value."""
    return write_table(folder / "town.csv", [("a", "a", "*"), ("b", "a", "*"), ("c", "c", "*"), ("d", "c", "*")])


@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian"])
@given(
    rows=st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("fm")), min_size=4, max_size=40),
    codes=st.lists(st.sampled_from(["1", "2", "3", None]), min_size=4, max_size=4),
    stray=st.booleans(),
    k=st.integers(2, 4),
    style=st.sampled_from(["drop", "star"]),
)
def test_classes_by_labels_and_linked_columns_have_k_rows(
    tmp_path: Path, algorithm: str, rows: list[tuple[str, str]], codes: list[str | None], stray: bool, k: int, style: str
) -> None:
    table: list[dict[str, Any]] = [{"town": town, "sex": sex, "code": codes["abcd".index(town)]} for town, sex in rows]
    if stray:
        table[-1]["code"] = "9"
    table[0]["code"] = table[0]["code"] or "0"  # the column has a type
    source = write_parquet(tmp_path / "in.parquet", table)
    given = job(towns(tmp_path), recoding={"algorithm": algorithm})
    if algorithm == "optimal":
        given["suppression"]["style"] = style
    try:
        anonymize(source, tmp_path / "out.parquet", job=given, options=Options(k=k), run=AGAIN)
    except Infeasible:
        return
    except JobError as refused:
        reason = str(refused)
    else:
        reason = ""
    if reason:
        assert "linked column 'code'" in reason or "discloses" in reason, reason
        assert "discloses" in reason or values_beside(table, "town", "code") > 1
        return
    assert values_beside(table, "town", "code") == 1
    assert smallest(tmp_path / "out.parquet", "town", "sex", "code") >= k


def test_a_birth_date_linked_to_an_age_is_refused(tmp_path: Path) -> None:
    """Beside ages as they are, it would leave classes of a single row."""
    chance = Random(1)
    ages = [chance.randrange(20, 30) for _ in range(600)]
    rows = [
        {"age": age, "birth": f"{2024 - age}-{chance.randrange(1, 13):02}-{chance.randrange(1, 28):02}", "half": age // 2}
        for age in ages
    ]
    source = write_parquet(tmp_path / "in.parquet", rows)
    given: dict[str, Any] = {
        "columns": {"age": QI, "birth": {"role": "insensitive"}, "half": {"role": "insensitive"}},
        "recoding": {"levels": {"age": 0}},
    }
    with pytest.raises(JobError, match=r"linked column 'birth' has several values beside 10 values of 'age'.*drop it"):
        anonymize(source, tmp_path / "out.parquet", job={**given, "linked": [["age", "birth"]]})
    del given["columns"]["birth"]
    anonymize(source, tmp_path / "out.parquet", job={**given, "linked": [["age", "half"]]})
    assert smallest(tmp_path / "out.parquet", "age", "half") == min(Counter(ages).values())


@pytest.mark.parametrize(("column", "is_advised"), [("birth", False), ("code", True)])
def test_linking_is_advised_where_it_is_safe_alone(tmp_path: Path, column: str, is_advised: bool) -> None:
    chance = Random(2)
    rows = [
        {"age": age, "birth": 3650 * age + chance.randrange(5), "code": age * 7} for age in (20 + n % 10 for n in range(900))
    ]
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(qi=["age"], keep=[column], levels={"age": 1})
    with pytest.raises(JobError, match="drop it from the release, ") as refused:
        anonymize(source, tmp_path / "out.parquet", options=options)
    assert (f"linked: [[age, {column}]]" in str(refused.value)) == is_advised
    assert (values_beside(rows, "age", column) == 1) == is_advised


def test_values_that_are_always_generalized_may_stand_beside_several(tmp_path: Path) -> None:
    rows = [{"town": town, "sex": "f", "code": code} for town, code in [("a", 1)] * 6 + [(None, 2)] * 3 + [(None, 3)] * 3]
    source = write_parquet(tmp_path / "in.parquet", rows)
    given = job(towns(tmp_path), recoding={"levels": {"town": 0, "sex": 0}})
    anonymize(source, tmp_path / "out.parquet", job={**given, "missing": {"policy": "top"}})
    assert smallest(tmp_path / "out.parquet", "town", "sex", "code") == 6
    with pytest.raises(JobError, match="beside 1 value of 'town'"):
        anonymize(source, tmp_path / "out.parquet", job=given, run=AGAIN)


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian"])
def test_a_linked_column_stays_hidden_where_its_quasi_identifier_shows_an_aggregate(tmp_path: Path, algorithm: str) -> None:
    rows = [{"age": 20 + number % 4, "code": number % 4 * 7} for number in range(40)]
    columns = {"age": {**QI, "hierarchy": {"kind": "flat"}, "microaggregate": "mode"}, "code": {"role": "insensitive"}}
    given = {"columns": columns, "linked": [["age", "code"]], "recoding": {"algorithm": algorithm}}
    anonymize(write_parquet(tmp_path / "in.parquet", rows), tmp_path / "out.parquet", job=given)
    assert {row["code"] for row in read_rows(tmp_path / "out.parquet")} == {"*"}


def test_new_data_in_which_a_linked_column_would_split_classes_is_refused(tmp_path: Path) -> None:
    rows = [{"town": town, "sex": "f", "code": town * 2} for town in "ab" * 10]
    given = job(towns(tmp_path), recoding={"levels": {"town": 0, "sex": 0}})
    anonymize(write_parquet(tmp_path / "in.parquet", rows), tmp_path / "out.parquet", job=given)
    new = write_parquet(tmp_path / "new.parquet", [*rows, {"town": "a", "sex": "f", "code": "other"}])
    with pytest.raises(Infeasible, match="linked column 'code' has several values beside 1 value of 'town'") as refused:
        apply(tmp_path / "out.parquet.manifest.json", new, tmp_path / "new.out.parquet")
    assert refused.value.manifest is not None
    assert refused.value.manifest["status"] == "infeasible"
    assert not (tmp_path / "new.out.parquet").exists()


def test_a_class_that_a_linked_column_splits_is_seen_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the check of the input were wrong, the verification finds it by the file alone."""
    monkeypatch.setattr(retained_columns, "refuse_undetermined", lambda *_, **__: None)
    rows = [{"town": "a", "sex": "f", "code": number % 2} for number in range(20)]
    given = job(towns(tmp_path), recoding={"levels": {"town": 0, "sex": 0}})
    with pytest.raises(VerificationFailed, match="a linked column shows several values in 1 classes of the written file"):
        anonymize(write_parquet(tmp_path / "in.parquet", rows), tmp_path / "out.parquet", job=given)
    assert not (tmp_path / "out.parquet").exists()
