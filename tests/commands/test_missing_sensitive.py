"""Missing sensitive values: a class must satisfy its models with them as a value, and also without them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.support.command_line import Cli
from tests.support.rows import write_parquet

WARDS: dict[str, dict[str | None, int]] = {
    "a": {"hiv": 5, None: 1},
    "b": {"hiv": 3, "flu": 3, "cold": 2},
    "c": {"flu": 4, "hiv": 2, None: 4},
    "d": {None: 6},
}
"""The rows of each diagnosis by ward: `a` has two values only if NULL is one, `d` has none."""


@pytest.fixture
def wards(tmp_path: Path) -> str:
    rows = [{"ward": ward, "dx": dx} for ward, counts in WARDS.items() for dx, count in counts.items() for _ in range(count)]
    return str(write_parquet(tmp_path / "wards.parquet", rows))


def least_known(file: Path | str, keys: str = "ward") -> int:
    """The least number of different diagnoses of a class of the file, without NULL."""
    query = f"select min(known) from (select count(distinct dx) as known from '{file}' group by {keys})"
    [(least,)] = duckdb.connect().execute(query).fetchall()
    return int(least)


def test_one_missing_value_is_not_a_second_value(wards: str, cli: Cli) -> None:
    checked = cli("check", wards, "--qi", "ward", "--sensitive", "dx", "--require", "distinct-l=2", "--json", code=1)
    [entry] = [entry for entry in checked.manifest["privacy"] if entry["model"] == "l-diversity" and "required" in entry]
    assert (entry["achieved"], entry["failing_classes"], entry["failing_rows"]) == (0, 2, 12)
    assert checked.manifest["homogeneous"] == {"dx": {"classes": 2, "rows": 12}}


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_every_class_of_a_release_has_known_values(wards: str, tmp_path: Path, cli: Cli, algorithm: str) -> None:
    out = tmp_path / "out.parquet"
    cli(
        *("anonymize", wards, "--qi", "ward", "--sensitive", "dx", "--require", "distinct-l=2", "-o", str(out)),
        *("--algorithm", algorithm, "--max-suppression", "50%"),
        code=0,
    )
    assert least_known(out) >= 2
    assert cli("check", str(out), "--manifest", f"{out}.manifest.json").code == 0


REQUIRED = (
    "entropy-l=1.5",
    "recursive-cl=4,2",
    "alpha-k=0.8,5",
    "t=0.35",
    "t-ordered=0.35",
    "beta=1",
    "enhanced-beta=1",
    "delta=2",
)
"""Each holds for a class of NULL and hiv as two values, or for one of NULL only as one."""


@pytest.mark.parametrize("required", REQUIRED)
def test_a_class_without_a_known_value_satisfies_no_model(tmp_path: Path, cli: Cli, required: str) -> None:
    file = write_parquet(tmp_path / "x.parquet", [{"q": key, "dx": dx} for key in "xy" for dx in ("u", "v", None) * 2])
    only = write_parquet(tmp_path / "y.parquet", [{"q": "x", "dx": None}] * 6)
    arguments = ("--qi", "q", "--sensitive", "dx", "--require", required, "-q")
    assert cli("check", str(file), *arguments).code == 0
    assert cli("check", str(only), *arguments).code == 1


def test_the_first_reading_is_an_option_that_is_stated(wards: str, tmp_path: Path, cli: Cli) -> None:
    out = tmp_path / "out.parquet"
    arguments = ("--qi", "ward", "--sensitive", "dx", "--require", "distinct-l=2", "--set", "missing.sensitive=value")
    assert cli("check", wards, *arguments).code == 1, "the ward without a value"
    done = cli("anonymize", wards, *arguments, "-o", str(out), "--levels", "ward=0", "--max-suppression", "30%")
    assert "a missing sensitive value counts as a value" in done.err
    manifest = f"{out}.manifest.json"
    assert "sensitive: value" in (tmp_path / "out.parquet.recoding" / "job.yaml").read_text()
    assert least_known(out) == 1
    assert cli("check", str(out), "--manifest", manifest, "--json").code == 0
    again = cli("apply", manifest, wards, "-o", str(tmp_path / "again.parquet"), "--json")
    assert again.manifest["accepted"] == ["missing-values"]
    assert cli("report", manifest, "-o", str(tmp_path / "report.html")).code == 0
    assert "a missing sensitive value counts as a value" in (tmp_path / "report.html").read_text()


def test_an_empty_text_is_a_value_in_parquet_and_missing_in_csv(tmp_path: Path, cli: Cli) -> None:
    arguments = ("--qi", "q", "--sensitive", "dx", "--require", "distinct-l=2", "--levels", "q=0", "--json")
    for name, other, options, is_known in (
        ("value", "?", (), True),
        ("empty", "", (), True),
        ("null", None, (), False),
    ):
        file = write_parquet(tmp_path / f"{name}.parquet", [{"q": "x", "dx": dx} for dx in ["hiv"] * 5 + [other]])
        done = cli("anonymize", str(file), *arguments, *options, "-o", str(tmp_path / f"{name}.out.parquet"))
        assert (done.code == 0) == is_known, name
    (tmp_path / "empty.csv").write_text("q,dx\n" + "x,hiv\n" * 5 + "x,\n")
    assert cli("anonymize", str(tmp_path / "empty.csv"), *arguments, "-o", str(tmp_path / "out.csv")).code != 0


def test_a_declared_token_in_a_sensitive_column_is_refused(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "in.csv").write_text("q,dx\n" + "x,1\n" * 5 + "x,-9\n")
    arguments = (
        "anonymize",
        str(tmp_path / "in.csv"),
        "--qi",
        "q",
        "--sensitive",
        "dx",
        "--require",
        "distinct-l=2",
        "--missing",
        "-9",
    )
    done = cli(*arguments, "-o", str(tmp_path / "out.csv"), code=2)
    assert "1 rows of sensitive column 'dx' hold '-9'" in done.err
    assert "--set accept=missing-values@dx" in done.err
    accepted = cli(*arguments, "-o", str(tmp_path / "out.csv"), "--set", "accept=missing-values@dx", code=0)
    assert "dx: a missing sensitive value counts as a value" in accepted.err


def test_adversaries_and_masked_records_need_known_values(wards: str, tmp_path: Path, cli: Cli) -> None:
    arguments = ("anonymize", wards, "--qi", "ward", "--sensitive", "dx", "--require", "distinct-l=2", "--levels", "ward=0")
    seen = tmp_path / "seen.parquet"
    assert cli(*arguments, "--adversary", "nurse=ward", "-o", str(seen), "--max-suppression", "50%").code == 0
    assert least_known(seen) >= 2
    masked = tmp_path / "masked.parquet"
    done = cli(*arguments, "--set", "suppression.style=star", "-o", str(masked), "--max-suppression", "100%", "--json", code=0)
    assert least_known(masked) >= 2
    assert done.manifest["rows"]["suppressed"] == 20, "both wards that fail, and the one that gives them a second value"


def test_persons_without_a_known_value_are_left_out(tmp_path: Path, cli: Cli) -> None:
    """Six patients, five with hiv; the sixth has NULL in all rows, or in one of two."""

    def checked(*more: Mapping[str, Any]) -> bool:
        rows: list[dict[str, Any]] = [{"q": "x", "who": f"p{number}", "dx": "hiv"} for number in range(5)]
        file = write_parquet(tmp_path / "visits.parquet", [*rows, *({"q": "x", "who": "last", **row} for row in more)])
        arguments = ("--qi", "q", "--sensitive", "dx", "--entity", "who", "--require", "distinct-l=2", "-q")
        return cli("check", str(file), *arguments).code == 0

    assert not checked({"dx": None}, {"dx": None})
    assert checked({"dx": None}, {"dx": "flu"})
