"""The job file: its schema, its faults with their lines, and the options of the command line that override it."""

import json
from pathlib import Path
from typing import Any

import pytest

from duckanon.errors import JobError
from duckanon.job import file
from duckanon.job.column import Limit
from duckanon.job.merge import merged
from duckanon.job.model import Job
from duckanon.job.options import Options, names, parsed_levels
from tests.support.command_line import Cli
from tests.support.paths import ROOT

WRONG = """\
version: 1
privcy: []
columns:
  age: {role: quasi-identifier, heirarchy: x}
  sex: {role: quasi-identifer}
  zip: {role: sensitive}
  zip: {role: insensitive}
suppression:
  limit: 150%
privacy:
  - {model: k-anonymity, k: 0}
"""


def test_validate_tells_all_faults_at_once_with_their_lines(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(WRONG)
    run = cli("job", "validate", "job.yaml", code=2)
    assert run.out.splitlines() == [
        "job.yaml:2: unknown key 'privcy'; did you mean 'privacy'?",
        "job.yaml:4: unknown key 'columns.age.heirarchy'; did you mean 'hierarchy'?",
        "job.yaml:5: columns.sex.role: 'quasi-identifer' is unknown; did you mean 'quasi-identifier'?",
        "job.yaml:7: 'columns.zip' occurs twice; a column has one role, a key one value",
        "job.yaml:9: suppression.limit: suppression limit '150%' is outside 0% to 100%; write 20 (rows), 0.05 or 5%",
        "job.yaml:11: privacy.0.k: '0' is not at least 1",
    ]


def test_a_right_job_has_no_faults(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text("version: 1\ncolumns: {age: {role: quasi-identifier}}\n")
    run = cli("job", "validate", "job.yaml")
    assert (run.code, run.out, run.err) == (0, "", "")


@pytest.mark.parametrize("model", [["k-anonymity"], {"k": "anonymity"}, 5, None])
def test_a_model_that_is_no_text_is_a_fault(model: Any) -> None:
    with pytest.raises(JobError, match=r"privacy\.0: model .* is unknown"):
        file.checked({"privacy": [{"model": model, "k": 3}]})


def test_a_hierarchy_that_is_not_there_is_a_fault(cli: Cli, tmp_path: Path) -> None:
    job = "version: 1\ncolumns:\n  age: {role: quasi-identifier, hierarchy: adult/five-yaer/age}\n"
    (tmp_path / "job.yaml").write_text(job)
    run = cli("job", "validate", "job.yaml", code=2)
    assert run.out.startswith("job.yaml:3: columns.age.hierarchy: no file or bundled hierarchy is named 'adult/five-yaer/age'")
    assert "did you mean 'adult/five-year/age'?" in run.out


@pytest.mark.parametrize("role", ["sensitive", "insensitive", "identifying"])
@pytest.mark.parametrize(
    "declared",
    [{"min-level": 1}, {"max-level": 2}, {"weight": 2}, {"max-loss": 0.5}, {"domain": "data"}, {"hierarchy": "age.csv"}],
)
def test_what_would_protect_nothing_is_refused(role: str, declared: dict[str, Any]) -> None:
    job = {"columns": {"age": {"role": role, **declared}}}
    if role == "sensitive" and "hierarchy" in declared:
        assert file.checked(job).columns["age"].hierarchy == "age.csv"
        return
    with pytest.raises(
        JobError, match=rf"columns\.age: has a {next(iter(declared))}, which only quasi-identifiers can have, but is {role}"
    ):
        file.checked(job)


def test_a_column_with_two_roles_stops_a_run(tmp_path: Path) -> None:
    """YAML would silently keep the last."""
    (tmp_path / "job.yaml").write_text("columns:\n  age: {role: sensitive}\n  age: {role: insensitive}\n")
    with pytest.raises(JobError, match=r"line 3: 'columns\.age' occurs twice"):
        file.read(tmp_path / "job.yaml")


def test_a_yaml_bomb_is_refused(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    (tmp_path / "job.yaml").write_text("\n".join(lines))
    with pytest.raises(JobError, match="aliases"):
        file.faults(tmp_path / "job.yaml")


def test_the_committed_schema_is_the_one_that_is_generated() -> None:
    committed = json.loads((ROOT / "docs/reference/job.schema.json").read_text(encoding="utf-8"))
    assert committed == file.schema(), "run: duckanon job schema > docs/reference/job.schema.json"


@pytest.mark.parametrize(
    ("text", "rows", "limit"),
    [
        ("20", 100, 20),
        ("1", 100, 1),
        ("1.0", 100, 100),
        ("0.29", 100, 29),
        ("0.05", 30162, 1508),
        ("5%", 30162, 1508),
        ("0", 100, 0),
        ("100%", 7, 7),
        ("0.1%", 999, 0),
    ],
)
def test_limits_are_exact(text: str, rows: int, limit: int) -> None:
    assert Limit.parse(text).of(rows) == limit


def test_what_was_typed_wins_over_the_file() -> None:
    content = {
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": "a.csv", "max-level": 2},
            "zip": {"role": "quasi-identifier", "hierarchy": "z.csv"},
            "pay": {"role": "insensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "suppression": {"limit": 7},
    }
    job = merged(content, Options(qi=["sex", "age"], sensitive=["pay"], k=9, missing=["?"], set={"missing.policy": "drop"}))
    assert job.of_role("quasi-identifier") == ["sex", "age"]
    assert job.columns["age"].max_level == 2
    assert job.columns["age"].hierarchy == "a.csv"
    assert job.of_role("sensitive") == ["pay"]
    assert "zip" not in job.columns
    assert (job.k, job.suppression.limit, job.missing.policy) == (9, "7", "drop")
    assert merged(content, Options()).k == 3
    assert merged(content, Options(require=["k=4"])).k == 4
    assert Job().k == 5


def test_lists_of_names_and_levels_are_read() -> None:
    assert names('a, "b,c",d') == ["a", "b,c", "d"]
    assert dict(parsed_levels("age=2, marital-status=0")) == {"age": 2, "marital-status": 0}
    with pytest.raises(JobError, match="list of column names"):
        names("a,,b")


def test_paths_of_a_job_start_at_its_folder(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "jobs"
    folder.mkdir()
    assert cli("demo", "--rows", "2000", "-o", folder / "people.parquet").code == 0
    (folder / "sexes.csv").write_text("Female;*\nMale;*\n")
    (folder / "job.yaml").write_text(
        "source: people.parquet\ncolumns: {sex: {role: quasi-identifier, hierarchy: sexes.csv}}\nprivacy: [{model: k-anonymity, k: 10}]\n"
    )
    assert cli("anonymize", "--job", "jobs/job.yaml", "--json", "-q", code=0).manifest["recoding"]["levels"] == {"sex": 0}
    assert cli("anonymize", "--job", "job.yaml", "--dry-run", "-q", cwd=folder).code == 0
    assert (folder / "people.anonymized.parquet").is_file()
