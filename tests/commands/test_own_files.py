"""No output takes the place of a file that the same command reads or writes, also where it may overwrite."""

import shutil
from pathlib import Path

import pytest

from tests.support.command_line import Cli, run_command
from tests.support.rows import write_parquet, write_table

ANONYMIZE = ("anonymize", "in.parquet", "--job", "job.yaml", "-o", "new.parquet")
BUILD = ("hierarchy", "build", "a.csv", "--data", "in.parquet", "--column", "a", "-o")


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An input, a hierarchy, a job, a release and a comparison, which no test changes."""
    tmp_path = tmp_path_factory.mktemp("laid")
    write_parquet(tmp_path / "in.parquet", [{"a": "xyz"[number % 3], "b": number % 2} for number in range(60)])
    write_table(tmp_path / "a.csv", [[value, "*"] for value in "uvwxyz"])
    write_table(tmp_path / "values.csv", [[value, "*"] for value in "uvwxyz"])
    (tmp_path / "named.yaml").write_text("kind: table\nfile: values.csv\n", encoding="utf-8")
    (tmp_path / "job.yaml").write_text("columns: {a: {role: quasi-identifier, hierarchy: a.csv}}\n", encoding="utf-8")
    assert run_command(tmp_path, "anonymize", "in.parquet", "--job", "job.yaml", "-o", "out.parquet").code == 0
    compared = run_command(tmp_path, "compare", "in.parquet", "--job", "job.yaml", "--json")
    (tmp_path / "compared.json").write_text(compared.out, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("profile", "in.parquet", "--report", "in.parquet"),
        ("profile", "in.parquet", "--job", "job.yaml", "--report", "job.yaml"),
        ("profile", "in.parquet", "--job", "job.yaml", "--report", "a.csv"),
        ("profile", "in.parquet", "--job", "job.yaml", "--write-job", "a.csv"),
        ("profile", "in.parquet", "--write-job", "in.parquet"),
        ("profile", "in.parquet", "--write-job", "new.yaml", "--report", "./new.yaml"),
        ("compare", "in.parquet", "--job", "job.yaml", "--report", "a.csv"),
        ("report", "out.parquet.manifest.json", "--comparison", "compared.json", "-o", "compared.json"),
        ("report", "out.parquet.manifest.json", "-o", "in.parquet"),
        (*BUILD, "in.parquet"),
        (*BUILD, "a.csv"),
        (*ANONYMIZE, "--workspace", "new.duckdb", "--register", "new.duckdb"),
        (*ANONYMIZE, "--workspace", "a.csv"),
        (*ANONYMIZE, "--register", "a.csv"),
        (*ANONYMIZE, "--register", "new.parquet"),
        (*ANONYMIZE, "--register", "new.duckdb", "--report", "new.duckdb"),
        (*ANONYMIZE, "--workspace", "new.duckdb", "--report", "new.duckdb"),
        (*ANONYMIZE, "--report", "new.html", "--public-report", "new.html"),
        (*ANONYMIZE[:-1], "a.csv"),
        (*ANONYMIZE[:-1], "values.csv", "--hierarchies", "a=named.yaml"),
        (*ANONYMIZE, "--hierarchies", "a=named.yaml", "--report", "values.csv"),
        ("hierarchy", "build", "named.yaml", "--data", "in.parquet", "--column", "a", "-o", "values.csv"),
    ],
    ids=" ".join,
)
def test_an_output_in_the_place_of_an_own_file_is_refused(laid: Path, arguments: tuple[str, ...]) -> None:
    before = {path: path.read_bytes() for path in laid.rglob("*") if path.is_file()}
    run = run_command(laid, *arguments, "--overwrite")
    assert (run.code, run.out, run.err.count("\n")) == (3, "", 1)
    assert "name another file" in run.err
    assert {path: path.read_bytes() for path in laid.rglob("*") if path.is_file()} == before


def test_a_job_file_may_be_written_again(laid: Path, tmp_path: Path, cli: Cli) -> None:
    shutil.copytree(laid, tmp_path, dirs_exist_ok=True)
    assert cli("profile", "in.parquet", "--job", "job.yaml", "--write-job", "job.yaml", "--overwrite").code == 0
    assert "quasi-identifier" in (tmp_path / "job.yaml").read_text(encoding="utf-8")
