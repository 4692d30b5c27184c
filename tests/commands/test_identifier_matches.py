"""Columns that look like direct identifiers, in whole commands."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from duckanon.dataset.hipaa import IDENTIFIERS
from tests.support.command_line import Cli
from tests.support.resembling import NOTICED
from tests.support.rows import write_parquet


def people(**more: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {"age": 30 + number % 3, **{name: values[number % len(values)] for name, values in more.items()}}
        for number in range(60)
    ]


def test_a_column_that_nobody_named_is_refused_until_somebody_does(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", people(reach=NOTICED["e-mail addresses"]))
    (tmp_path / "age.yaml").write_text("kind: flat")
    arguments = ("anonymize", "in.parquet", "--qi", "age", "--hierarchies", "age=age.yaml", "--others", "keep")
    refused = cli(*arguments, code=2)
    assert "column 'reach' has no role, and its values look like e-mail addresses (100% of those looked at)" in refused.err
    assert len(refused.err.splitlines()) == 1
    assert "@" not in refused.err
    assert not (tmp_path / "in.anonymized.parquet").exists()
    masked = ("--identifying", "reach", "--set", "columns.reach.mask=true")
    for options in (("--identifying", "reach"), masked, ("--keep", "reach")):
        assert cli(*arguments, *options, "--overwrite").code == 0
    assert cli(*arguments[:-2], "--overwrite").code == 0


def test_without_configuration_it_is_dropped_with_the_reason(cli: Cli, tmp_path: Path) -> None:
    rows = people(reach=NOTICED["telephone numbers"], sex=["f", "m"])
    write_parquet(tmp_path / "in.parquet", rows)
    document = json.loads(cli("profile", "in.parquet", "--json").out)
    by_column = {column["column"]: column for column in document["columns"]}
    assert (by_column["reach"]["role"], by_column["reach"]["looks_like"]) == ("identifying", "telephone numbers")
    assert by_column["age"]["looks_like"] is None
    run = cli("anonymize", "in.parquet", "-o", "out.parquet", code=0)
    assert "reach" not in pq.read_schema(tmp_path / "out.parquet").names
    assert not any(value in run.err for value in NOTICED["telephone numbers"])


def test_the_list_of_hipaa_has_eighteen_and_names_columns(cli: Cli, tmp_path: Path) -> None:
    """45 CFR 164.514(b)(2)(i), (A) to (R)."""
    assert [identifier.letter for identifier in IDENTIFIERS] == list("ABCDEFGHIJKLMNOPQR")
    rows = people(
        reach=NOTICED["IBANs"], patient_name=["a", "b"], fax_no=["1", "2"], zip=["02139"], address=NOTICED["IP addresses"]
    )
    write_parquet(tmp_path / "in.parquet", [row | {"row": number} for number, row in enumerate(rows)])
    document = json.loads(cli("profile", "in.parquet", "--json").out)
    listed = {entry["identifier"]: entry["columns"] for entry in document["hipaa"]}
    assert listed["A"] == ["patient_name"]
    assert listed["B"] == ["zip", "address"]
    assert listed["C"] == ["age"]
    assert listed["E"] == ["fax_no"]
    assert listed["J"] == ["reach"]
    assert listed["O"] == ["address"]
    assert listed["R"] == ["row"]
    printed = cli("profile", "in.parquet", "--hipaa", code=0)
    assert len([line for line in printed.out.splitlines() if line[:1].isupper()]) == 18
    assert "fax numbers" in printed.out


def test_profile_says_which_columns_are_text_for_how_they_are_written(cli: Cli, tmp_path: Path) -> None:
    lines = [
        f"{number % 12 + 1:02d}/{number // 12 % 12 + 1:02d}/19{number % 60 + 30};{number % 800 + 1},{number % 800 + 100};{'fm'[number % 2]}"
        for number in range(400)
    ]
    (tmp_path / "in.csv").write_text("\n".join(["geboren;kosten;sex", *lines]), encoding="utf-8")
    run = cli("profile", "in.csv", code=0)
    assert "geboren: identifying; is text that looks like dates in an order that is not certain" in run.out
    assert "kosten: identifying; is text that looks like numbers with separators" in run.out
