"""`check` with a job or a policy refuses columns that these do not release, and names direct identifiers among the values."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import duckanon
from tests.support.command_line import Cli, refused
from tests.support.rows import read_rows, write_parquet

ROLES = {"age": {"role": "quasi-identifier"}, "sex": {"role": "quasi-identifier"}}


def job(folder: Path, columns: dict[str, Any] | None = None, **keys: Any) -> Path:
    """A job file; JSON is YAML."""
    path = folder / "job.yaml"
    content = {"columns": ROLES | (columns or {}), "privacy": [{"model": "k-anonymity", "k": 5}], **keys}
    path.write_text(str(content).replace("True", "true"), encoding="utf-8")
    return path


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A file with classes of ten that no job made: names and addresses are in it."""
    rows = [
        {"name": f"N{n}", "email": f"n{n}@mail.example", "age": 20 + n % 3, "sex": "mf"[n // 3 % 2], "note": n % 7}
        for n in range(60)
    ]
    return write_parquet(tmp_path / "people.parquet", rows)


def fails(cli: Cli, file: Path, *arguments: str | Path) -> list[str]:
    """The columns that `check` refuses; the exit code and the verdict agree with them."""
    done = cli("check", file, *arguments, "--json")
    document = done.manifest
    columns: list[str] = document["columns"]["columns"]
    assert (done.code, document["status"]) == ((1, "violated") if columns else (0, "holds")), done.err
    assert all(f"'{name}'" in done.err for name in columns)
    return columns


def test_a_job_refuses_what_it_drops(people: Path, cli: Cli, tmp_path: Path) -> None:
    job(tmp_path, {"name": {"role": "identifying"}})
    assert fails(cli, people, "--job", "job.yaml") == ["name", "email", "note"]
    for way in (
        ["--set", "accept=unreleased-columns"],
        ["--set", "accept=unreleased-columns@name", "--set", "accept=unreleased-columns@email"],
    ):
        assert fails(cli, people, "--job", "job.yaml", *way) == ([] if len(way) == 2 else ["note"])
    refused(
        cli("check", people, "--job", "job.yaml", "--set", "accept=unreleased-columns@nam"),
        2,
        "accepted column 'nam'",
        "'name'",
    )
    assert duckanon.check(people, job=tmp_path / "job.yaml")["status"] == "violated"
    assert duckanon.check(people, job={"columns": ROLES}, set={"accept": "unreleased-columns"})["columns"]["passed"]
    for form in ("table", "github", "sarif", "junit"):
        assert "unreleased-columns" in cli("check", people, "--job", "job.yaml", "--format", form).out


def test_a_job_that_keeps_others_refuses_only_what_it_drops(people: Path, cli: Cli, tmp_path: Path) -> None:
    job(tmp_path, {"name": {"role": "identifying"}, "email": {"role": "identifying", "mask": True}}, others="keep")
    assert fails(cli, people, "--job", "job.yaml") == ["name"]
    job(tmp_path, {"note": {"role": "insensitive"}, "name": {"role": "sensitive"}})
    assert fails(cli, people, "--job", "job.yaml") == ["email"]


def test_a_policy_refuses_columns_without_a_role(people: Path, cli: Cli) -> None:
    assert fails(cli, people, "--qi", "age,sex", "--sensitive", "note", "--policy", "internal") == ["name", "email"]
    assert fails(cli, people, "--adversary", "all=age,sex", "--policy", "internal") == ["name", "email", "note"]
    assert fails(cli, people, "--qi", "age,sex", "--entity", "name", "--policy", "internal") == ["email", "note"]
    plain = cli("check", people, "--qi", "age,sex", "--require", "k=5", "--strict", "--json")
    assert (plain.code, "columns" in plain.manifest) == (0, False)


def test_direct_identifiers_are_named_and_no_value_is(people: Path, cli: Cli, tmp_path: Path) -> None:
    job(tmp_path, {name: {"role": "insensitive"} for name in ("name", "email", "note")})
    named = cli("check", people, "--job", "job.yaml", code=0)
    assert "column 'email': its values look like e-mail addresses" in named.err
    assert "@mail" not in named.err
    assert cli("check", people, "--job", "job.yaml", "--strict").code == 1
    assert cli("check", people, "--job", "job.yaml", "--strict", "--set", "accept=direct-identifiers@email").code == 0


@pytest.mark.parametrize(
    ("more", "columns"),
    [
        (
            {"output": {"ranges": "bounds"}},
            {"age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5]}, "min-level": 1}},
        ),
        ({"output": {"partition-by": ["sex"]}}, {}),
        ({"release": "first"}, {"name": {"role": "identifying", "pseudonym": True}}),
        ({}, {"email": {"role": "identifying", "mask": {"last": 2}}}),
        ({"linked": [["age", "years"]]}, {"years": {"role": "insensitive"}}),
        ({}, {"note": {"role": "insensitive", "microaggregate": "median"}}),
        (
            {"others": "keep", "accept": ["direct-identifiers"]},
            {"name": {"role": "identifying"}, "email": {"role": "identifying"}},
        ),
    ],
)
def test_what_a_job_releases_passes_its_own_gate(
    more: dict[str, Any], columns: dict[str, Any], people: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUCKANON_KEY", "a key for tests only, of more than 32 bytes")
    source = write_parquet(tmp_path / "in.parquet", [row | {"years": row["age"]} for row in read_rows(people)])
    job(tmp_path, columns, linkable=True, **more)
    out = "out" if "partition-by" in str(more) else "out.parquet"
    cli("anonymize", source, "--job", "job.yaml", "-o", out, code=0)
    qi: Sequence[str] = ["--qi", "age_min,age_max,sex"] if "bounds" in str(more) else []
    assert fails(cli, tmp_path / out, "--job", "job.yaml", *qi) == []
    assert cli("check", out, "--manifest", f"{out}.manifest.json").code == 0
