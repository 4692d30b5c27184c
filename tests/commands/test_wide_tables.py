"""Wide tables without roles: k holds for all quasi-identifiers, whatever it costs, and the summary says what fewer would cost."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.command_line import Cli, refused
from tests.support.rows import read_rows, write_parquet


def table(path: Path, rows: int, columns: int, values: Sequence[Any], seed: int = 1) -> Path:
    """Values drawn at random: nearly every row is unique over all columns."""
    drawn = Random(seed)
    return write_parquet(path, [{f"v{place}": drawn.choice(values) for place in range(columns)} for _ in range(rows)])


def smallest(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> int:
    return min(Counter(tuple(row[name] for name in names) for row in rows).values())


@pytest.mark.parametrize(
    ("values", "columns", "given", "k"),
    [
        (range(6), 12, ["--policy", "research"], 12),
        (range(6), 12, ["--k", "20"], 20),
        ([1.5, 2.5, None], 8, ["--require", "k=7"], 7),
    ],
)
def test_k_holds_for_all_columns_together(
    values: Sequence[Any], columns: int, given: Sequence[str], k: int, tmp_path: Path, cli: Cli
) -> None:
    source = table(tmp_path / "w.parquet", 300, columns, values)
    assert smallest(read_rows(source), [f"v{place}" for place in range(columns)]) == 1
    cli("anonymize", source, *given, "-o", "out.parquet", code=0)
    rows = read_rows(tmp_path / "out.parquet")
    assert smallest(rows, list(rows[0])) >= k
    assert "any: " not in (tmp_path / "out.parquet.job.yaml").read_text(encoding="utf-8")
    assert cli("check", "out.parquet", "--manifest", "out.parquet.manifest.json", *given[: 2 * ("--policy" in given)]).code == 0


def test_the_summary_says_what_any_three_columns_would_cost(tmp_path: Path, cli: Cli) -> None:
    source = table(tmp_path / "w.parquet", 100, 20, "yn", seed=4)
    made = cli("anonymize", source, "--k", "3", "-o", "out.parquet", code=0)
    alternatives = json.loads((tmp_path / "out.parquet.manifest.json").read_text(encoding="utf-8"))["alternatives"]
    [stated] = [other for other in alternatives if other["options"] == "--any 3"]
    [line] = [line for line in made.err.splitlines() if "or add --any 3  →  loss" in line]
    assert re.search(r"instead of \d+(\.\d)?%, .*but k only for adversaries who know 3 quasi-identifiers", line)
    chosen = cli("anonymize", source, "--k", "3", "--any", "3", "-o", "any.parquet", "--json", code=0)
    assert chosen.manifest["metrics"]["loss"] == stated["loss"] < stated["loss_of_release"] / 2
    rows = read_rows(tmp_path / "any.parquet")
    assert min(smallest(rows, known) for known in combinations(rows[0], 3)) >= 3
    assert sum(1 for rows in Counter(tuple(row.values()) for row in rows).values() if rows == 1) == stated["unique_records"]
    assert (chosen.manifest["any_chosen"], "alternatives" in chosen.manifest) == ("declared", False)
    # the job of the detected roles makes the same release, and needs no second search
    again = cli("anonymize", "--job", "out.parquet.job.yaml", "-o", "again.parquet", "--json", "--overwrite")
    assert (
        again.manifest["metrics"]["loss"] == json.loads((tmp_path / "out.parquet.manifest.json").read_text())["metrics"]["loss"]
    )


@pytest.mark.slow
def test_a_policy_that_does_not_allow_it_offers_no_alternative(tmp_path: Path, cli: Cli) -> None:
    source = table(tmp_path / "w.parquet", 100, 20, "yn", seed=4)
    (tmp_path / "ours.yaml").write_text("name: ours\nk: 3\nallow-adversaries: false\n", encoding="utf-8")
    strict = cli("anonymize", source, "--policy", "ours.yaml", "-o", "out.parquet")
    assert (strict.code, "--any" in strict.err, "policy" in strict.err) == (0, False, False)
    (tmp_path / "ours.yaml").write_text("name: ours\nk: 3\nleast-any: 4\n", encoding="utf-8")
    assert "--any" not in cli("anonymize", source, "--policy", "ours.yaml", "-o", "out.parquet", "--overwrite").err
    refused(cli("anonymize", source, "--policy", "ours.yaml", "--any", "3"), 2, "policy 'ours' allows --any 4 and more")
    (tmp_path / "ours.yaml").write_text("name: ours\nk: 3\nleast-any: 2\n", encoding="utf-8")
    assert (
        "or add --any 3  →  loss" in cli("anonymize", source, "--policy", "ours.yaml", "-o", "out.parquet", "--overwrite").err
    )
    cli("anonymize", source, "--policy", "ours.yaml", "--any", "3", "-o", "any.parquet", code=0)
    by_manifest = ["check", "any.parquet", "--manifest", "any.parquet.manifest.json"]
    assert cli(*by_manifest, "--policy", "ours.yaml").code == 0
    (tmp_path / "other.yaml").write_text("name: other\nk: 3\n", encoding="utf-8")
    checked = cli(*by_manifest, "--policy", "other.yaml", code=1)
    assert "policy 'other' does not say whether jobs may have adversaries" in checked.err
    rows = read_rows(tmp_path / "any.parquet")
    assert smallest(rows, list(rows[0])) < 3


def test_a_policy_of_0_2_means_all_quasi_identifiers_and_says_so_once(tmp_path: Path, cli: Cli) -> None:
    rows = [{"a": n % 5, "b": n // 5 % 5, "c": n // 25 % 2} for n in range(100)]
    source = write_parquet(tmp_path / "rows.parquet", rows)
    (tmp_path / "ours.yaml").write_text("name: ours\nk: 4\n", encoding="utf-8")
    note = "policy 'ours' does not say whether jobs may have adversaries"
    known = ["--adversary", "one=a,b", "--adversary", "two=c"]
    refused(cli("anonymize", source, *known, "--policy", "ours.yaml"), 2, "requires k = 4 for all quasi-identifiers together")
    refused(cli("check", source, *known, "--policy", "ours.yaml"), 2, "requires k = 4 for all quasi-identifiers together")
    with_all = cli("anonymize", source, *known, "--adversary", "all=a,b,c", "--policy", "ours.yaml", "-o", "out.parquet")
    assert (with_all.code, with_all.err.count(note)) == (0, 1)
    assert smallest(read_rows(tmp_path / "out.parquet"), ["a", "b", "c"]) >= 4
    cli("anonymize", source, *known, "-o", "plain.parquet", "--k", "4", code=0)
    few = smallest(read_rows(tmp_path / "plain.parquet"), ["a", "b", "c"])
    checked = cli("check", "plain.parquet", "--manifest", "plain.parquet.manifest.json", "--policy", "ours.yaml", "--json")
    assert (few < 4, checked.code, checked.err.count(note)) == (True, 1, 1)
    failed = {check["adversary"]: check["achieved"] for check in checked.manifest["privacy"] if check.get("passed") is False}
    assert failed == {"all columns of policy ours": few}
    applied = cli("apply", "out.parquet.manifest.json", source, "-o", "again.parquet")
    assert (applied.code, applied.err.count(note)) == (0, 1)


@pytest.mark.parametrize("algorithm", ["optimal", "auto"])
def test_a_time_limit_holds_for_a_wide_table_from_the_start_of_the_run(tmp_path: Path, cli: Cli, algorithm: str) -> None:
    source = table(tmp_path / "w.parquet", 300, 60, range(7))
    names = ",".join(f"v{place}" for place in range(60))
    # the count alone takes longer than the limit
    made = cli(
        "anonymize", source, "--qi", names, "--algorithm", algorithm, "--time-limit", "0.01", "-o", "out.parquet", code=0
    )
    assert sum("no hierarchy given" in line for line in made.err.splitlines()) == 1
    rows = read_rows(tmp_path / "out.parquet")
    assert smallest(rows, list(rows[0])) >= 5
    recoding = json.loads((tmp_path / "out.parquet.manifest.json").read_text(encoding="utf-8"))["recoding"]
    assert recoding["stopped"] == "time-limit"
    assert recoding["algorithm"] == "mondrian" or recoding["visited"] == 1


def test_many_columns_are_counted_and_written_by_their_own_values(tmp_path: Path, cli: Cli) -> None:
    drawn = Random(5)
    patterns = [[drawn.choice(["x", "y", None, "z z"]) for _ in range(60)] for _ in range(7)]
    written = [{f"c {place}": value for place, value in enumerate(patterns[row % 7])} for row in range(70)]
    source = write_parquet(tmp_path / "w.parquet", [{**row, "note": f"n{number % 2}"} for number, row in enumerate(written)])
    names = ",".join(f"c {place}" for place in range(60))
    cli("anonymize", source, "--qi", names, "--sensitive", "note", "--k", "10", "-o", "out.parquet", code=0)
    released = [tuple(row[f"c {place}"] for place in range(60)) for row in read_rows(tmp_path / "out.parquet")]
    assert Counter(released) == Counter(tuple(row.values()) for row in written)
