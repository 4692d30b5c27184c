"""`suppression.style: star`: masked records are a class that satisfies the requirements too."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from duckanon.errors import Infeasible, VerificationFailed
from tests.support.command_line import Cli
from tests.support.damage import change_drafts
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize

TOWNS = {"a": 30, "b": 12, "c": 8, "d": 1}
"""Rows by town; with k = 5 the only one of `d` fails."""


def people(folder: Path, towns: dict[str, int]) -> Path:
    write_table(folder / "town.csv", [(town, "*") for town in towns])
    rows = [
        {"town": town, "ill": "rare" if town == "d" else f"ill{number % 3}"} for town in towns for number in range(towns[town])
    ]
    return write_parquet(folder / "in.parquet", rows)


def masked(folder: Path, towns: dict[str, int], **options: Any) -> dict[str, Any]:
    chosen: dict[str, Any] = {"k": 5, "max_suppression": "50%", "levels": {"town": 0}, **options}
    return anonymize(
        people(folder, towns),
        folder / "out.parquet",
        qi=["town"],
        sensitive=["ill"],
        hierarchies=[f"town={folder / 'town.csv'}"],
        set={"suppression.style": "star"},
        **chosen,
        overwrite=True,
    )


def test_one_masked_row_would_tell_who_it_is_and_is_not_left_alone(tmp_path: Path) -> None:
    """An adversary who knows that only one row is masked, and who lives in d, learns the illness from a naive release."""
    rows = read_rows(people(tmp_path, TOWNS))
    sizes = Counter(row["town"] for row in rows)
    naive = [row["ill"] for row in rows if sizes[row["town"]] < 5]
    assert naive == ["rare"], "the attack succeeds on a naive release"

    manifest = masked(tmp_path, TOWNS)
    released = read_rows(tmp_path / "out.parquet")
    assert Counter(row["town"] for row in released) == {"a": 30, "b": 12, "*": 9}
    assert Counter(row["ill"] for row in released if row["town"] == "*")["rare"] == 1
    assert Counter(row["ill"] for row in released) == Counter(row["ill"] for row in rows), "sensitive values stay"
    assert manifest["rows"] == {"read": 51, "missing": 0, "suppressed": 9, "released": 51}
    assert manifest["suppression"]["style"] == "star"
    assert manifest["privacy"][0]["achieved"] == 9
    assert manifest["classes"]["count"] == 3


def test_enough_masked_rows_take_no_other_class_with_them(tmp_path: Path) -> None:
    manifest = masked(tmp_path, {"a": 30, "b": 12, "c": 4, "d": 1})
    assert Counter(row["town"] for row in read_rows(tmp_path / "out.parquet")) == {"a": 30, "b": 12, "*": 5}
    assert manifest["rows"]["suppressed"] == 5


def test_nothing_to_suppress_leaves_no_star(tmp_path: Path) -> None:
    masked(tmp_path, {"a": 30, "b": 12})
    assert Counter(row["town"] for row in read_rows(tmp_path / "out.parquet")) == {"a": 30, "b": 12}


def test_classes_that_join_count_against_the_limit(tmp_path: Path, cli: Cli) -> None:
    people(tmp_path, TOWNS)
    arguments = ["in.parquet", "--qi town --hierarchies town=town.csv --set suppression.style=star -q --levels town=0"]
    assert "suppresses 9 of 51 rows" in cli("anonymize", *arguments, "--max-suppression", "8", code=1).err
    assert cli("anonymize", *arguments, "--max-suppression", "9").code == 0


def test_fewer_rows_than_k_are_infeasible(tmp_path: Path) -> None:
    with pytest.raises(Infeasible):
        masked(tmp_path, {"a": 2, "b": 1})


def test_released_quasi_identifiers_are_text_and_a_top_of_ones_own_is_the_star(tmp_path: Path) -> None:
    ages = [{"age": 20 + number % 2} for number in range(20)] + [{"age": 90}]
    (tmp_path / "age.yaml").write_text("kind: intervals\nwidths: [5]\ntop: any age\n")
    anonymize(
        write_parquet(tmp_path / "in.parquet", ages),
        tmp_path / "out.parquet",
        qi=["age"],
        hierarchies=[f"age={tmp_path / 'age.yaml'}"],
        set={"suppression.style": "star"},
        max_suppression=11,
        levels={"age": 0},
    )
    assert Counter(row["age"] for row in read_rows(tmp_path / "out.parquet")) == {"21": 10, "any age": 11}


def test_a_masked_row_that_is_not_masked_in_the_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verification recomputes the masked class from the source."""

    def damaged(draft: Path) -> None:
        released_rows = read_rows(draft)
        first = next(row for row in released_rows if row["town"] == "*")
        first["town"] = "a"
        write_parquet(draft, released_rows)

    change_drafts(monkeypatch, damaged)
    with pytest.raises(VerificationFailed, match="differ from the recoded source"):
        masked(tmp_path, TOWNS)
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize("level", [0, 1])
def test_a_kept_column_that_tells_of_masked_rows_is_refused(tmp_path: Path, cli: Cli, level: int) -> None:
    """The released label itself is public where it stands, and hidden where it is masked."""
    sizes = {"Bach": (300, 13), "Mast": (200, 14), "Doc": (3, 16), "Pre": (2, 1), "HS": (495, 9)}
    groups = {"Bach": "high", "Mast": "high", "Doc": "middle", "HS": "middle", "Pre": "low"}
    rows = [
        {"edu": edu, "num": number if level == 0 else len(groups[edu])}
        for edu, (count, number) in sizes.items()
        for _ in range(count)
    ]
    write_parquet(tmp_path / "in.parquet", rows)
    write_table(tmp_path / "edu.csv", [(edu, group, "*") for edu, group in groups.items()])
    arguments = ["in.parquet", "--qi edu --hierarchies edu=edu.csv --set suppression.style=star -q -o out.parquet"]
    run = cli("anonymize", *arguments, "--keep", "num", "--levels", f"edu={level}", "--max-suppression", "60%", code=2)
    assert "'num' discloses 'edu'" in run.err
    assert not (tmp_path / "out.parquet").exists()


def test_a_linked_column_is_masked_where_its_quasi_identifier_is(tmp_path: Path) -> None:
    towns = [("a", 1)] * 30 + [("b", 2)] * 20 + [("c", 3)] * 3 + [(None, 4)] * 5
    write_parquet(tmp_path / "in.parquet", [{"town": town, "number": number} for town, number in towns])
    job = {
        "columns": {"town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}, "number": {"role": "insensitive"}},
        "linked": [["town", "number"]],
        "missing": {"policy": "top"},
        "suppression": {"limit": "50%", "style": "star"},
        "recoding": {"levels": {"town": 0}},
    }
    anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", job=job)
    rows = read_rows(tmp_path / "out.parquet")
    assert Counter((row["town"], row["number"]) for row in rows) == {("a", "1"): 30, ("b", "2"): 20, ("*", "*"): 8}


@pytest.mark.parametrize("program", ["one row of stars", "a value among others", "nothing but stars"])
def test_a_row_of_stars_of_another_program_is_no_class_of_its_own(tmp_path: Path, cli: Cli, program: str) -> None:
    """Other programs write a row that they suppress with a star in each quasi-identifier: it matches any record."""
    rows = [{"age": str(20 + number % 2), "sex": "f", "ill": "flu" if number % 3 else "gout"} for number in range(20)]
    hidden = {"age": "*", "sex": "m" if program == "a value among others" else "*", "ill": "flu"}
    rows = [hidden] * 3 if program == "nothing but stars" else [*rows, hidden]
    write_parquet(tmp_path / "in.parquet", rows)
    held = program == "one row of stars"
    run = cli("check", "in.parquet", "--qi", "age,sex", "--require", "k=5")
    assert run.code == (0 if held else 1), run.out
    assert ("they match any record, and count as no class of k-anonymity" in run.out) == held
    document = json.loads(cli("check", "in.parquet", "--qi", "age,sex", "--require", "k=5", "--json").out)
    assert document["rows"]["suppressed"] == {"one row of stars": 1, "nothing but stars": 3}.get(program, 0)
    assert document.get("suppressed_rows_are", "") == {
        "one row of stars": "no class of k-anonymity and of the risks, and as one class of models of sensitive columns",
        "nothing but stars": "one class",
    }.get(program, "")
    [entry] = [check for check in document["privacy"] if check["model"] == "k-anonymity"]
    assert (entry["achieved"], entry["failing_rows"]) == {
        "one row of stars": (10, 0),
        "nothing but stars": (3, 3),
        "a value among others": (1, 1),
    }[program]
    risk = json.loads(cli("risk", "in.parquet", "--qi", "age,sex", "--json").out)
    assert risk["risk"]["uniques"] == (1 if program == "a value among others" else 0)
    assert risk["suppressed"] == (1 if held else 0)
    # the row shows its sensitive value, and an adversary who finds no class of the person may take it for hers
    cli("check", "in.parquet", "--qi", "age,sex", "--sensitive", "ill", "--require", "distinct-l=2", code=1)
