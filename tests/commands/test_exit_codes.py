"""The exit codes of README.md: the same situation has the same code in every command."""

import re
import shutil
from pathlib import Path

import pytest

from tests.support.command_line import Cli, run_command
from tests.support.command_tree import ALL
from tests.support.paths import ROOT
from tests.support.rows import write_parquet
from tests.support.signing_keys import write_key

WRONG_JOB = "version: 1\ncolumns: {a: {role: nonsense}}\n"
WRONG_HIERARCHY = "x;*\nx;other\n"
REQUIRED = ("--qi", "a", "--require", "k=5")
IN = "in.parquet"
OUT = ("-o", "new.parquet")
RELEASED = "out.parquet.manifest.json"

CASES: dict[str, list[tuple[int, tuple[str, ...]]]] = {
    "anonymize": [
        (0, (IN, "--qi", "a", "--k", "2", *OUT)),
        (1, (IN, "--qi", "a", "--k", "40", *OUT)),
        (2, (IN, "--job", "wrong.yaml", *OUT)),
        (2, (IN, "--qi", "a", "--hierarchies", "a=wrong.csv", *OUT)),
        (2, (IN, "--nonsense")),
        (3, ("absent.parquet", "--qi", "a", *OUT)),
        (3, (IN, "--qi", "a", "-o", IN, "--overwrite")),
    ],
    "apply": [
        (0, (RELEASED, IN, *OUT)),
        (1, (RELEASED, "other.parquet", *OUT)),
        (2, ("absent.manifest.json", IN, *OUT)),
        (3, (RELEASED, "absent.parquet", *OUT)),
    ],
    "attest": [
        (0, (RELEASED, "--key", "key.pem")),
        (2, ("absent.manifest.json", "--key", "key.pem")),
        (2, (RELEASED, "--key", "absent.pem")),
        (3, (RELEASED, "--key", "key.pem", "-o", "absent/new.json")),
    ],
    "check": [
        (0, (IN, "--qi", "a", "--require", "k=2")),
        (1, (IN, *REQUIRED)),
        (2, (IN, "--job", "wrong.yaml")),
        (2, (IN, "--manifest", "absent.manifest.json")),
        (3, ("absent.parquet", *REQUIRED)),
    ],
    "compare": [
        (0, (IN, "--qi", "a", "--k", "2")),
        (1, (IN, "--qi", "a", "--k", "40")),
        (2, (IN, "--job", "wrong.yaml")),
        (2, (IN, "--qi", "a", "--hierarchies", "a=wrong.csv")),
        (3, ("absent.parquet", "--qi", "a")),
    ],
    "demo": [(0, ("-o", "demo.parquet", "--rows", "5")), (2, ("--rows", "0")), (3, ("-o", IN))],
    "explain": [
        (0, (RELEASED, "--row", "1")),
        (2, ("absent.manifest.json",)),
        (2, (RELEASED, "--row", "1", "--class", "a=x")),
        (3, (RELEASED, "--input", "absent.parquet", "--row", "1")),
    ],
    "hierarchy build": [
        (0, ("right.csv", "--data", IN, "--column", "a", "-o", "built.csv")),
        (2, ("wrong.csv", "--data", IN, "--column", "a", "-o", "built.csv")),
        (3, ("right.csv", "--data", "absent.parquet", "--column", "a", "-o", "built.csv")),
    ],
    "hierarchy check": [
        (0, ("right.csv", "--data", IN, "--column", "a")),
        (2, ("wrong.csv", "--data", IN, "--column", "a")),
        (2, ("wrong.csv", "--data", IN, "--column", "a", "--json")),
        (2, ("absent.csv",)),
        (3, ("right.csv", "--data", "absent.parquet", "--column", "a")),
    ],
    "hierarchy convert": [(0, ("right.csv", "out.yaml")), (2, ("absent.csv", "out.yaml")), (3, ("right.csv", IN))],
    "hierarchy list": [(0, ()), (2, ("--format", "nonsense"))],
    "hierarchy show": [
        (0, ("right.csv",)),
        (2, ("wrong.csv", "--data", IN, "--column", "a")),
        (2, ("absent.csv",)),
        (3, ("right.csv", "--data", "absent.parquet", "--column", "a")),
    ],
    "hierarchy suggest": [(0, (IN, "--column", "a")), (2, (IN, "--column", "b")), (3, ("absent.parquet", "--column", "a"))],
    "job schema": [(0, ()), (2, ("--nonsense",))],
    "job validate": [(0, ("right.yaml",)), (2, ("wrong.yaml",)), (2, ("absent.yaml",))],
    "profile": [(0, (IN,)), (2, (IN, "--nonsense")), (3, ("absent.parquet",))],
    "report": [
        (0, (RELEASED, "--report", "report.html")),
        (2, ("absent.manifest.json", "--report", "report.html")),
        (3, (RELEASED, "--input", "absent.parquet", "--report", "report.html")),
    ],
    "risk": [
        (0, (IN, "--qi", "a", "--max-risk", "0.5")),
        (1, (IN, "--qi", "a", "--max-risk", "0.1")),
        (2, (IN, "--job", "wrong.yaml")),
        (2, (IN, "--qi", "a", "--max-risk", "2")),
        (3, ("absent.parquet", "--qi", "a")),
    ],
    "register list": [(0, ("releases.duckdb",)), (2, ("nowhere.duckdb",)), (2, ())],
    "register compare": [(0, ("releases.duckdb", "--json")), (2, ("nowhere.duckdb",))],
    "register forget": [(2, ("releases.duckdb", "99")), (0, ("releases.duckdb", "1"))],
    "studio": [
        # it serves until its page is closed
        (2, (IN, "--job", "wrong.yaml")),
        (2, ("-", "--qi", "a")),
        (2, (IN, "--nonsense")),
        (3, ("absent.parquet", "--no-browser")),
    ],
    "sql list": [(0, ()), (2, ("--nonsense",))],
    "sql release": [(0, (RELEASED,)), (2, ("absent.manifest.json",)), (2, (RELEASED, "--dialect", "nonsense"))],
    "sql show": [(0, ("release/recoded",)), (2, ("nonsense",))],
}
"""By command: the exit code, and the arguments that end with it."""

MEANINGS = {
    0: "the guarantee holds",
    1: "no solution within the limits, verification or a requirement failed, or a warning with `--strict`",
    2: "wrong options, job file or hierarchy file",
    3: "input, output or engine failed",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files that are right and wrong, and a release."""
    folder = tmp_path_factory.mktemp("made")
    write_parquet(folder / IN, [{"a": value} for value in "xxxyyy"])
    write_parquet(folder / "other.parquet", [{"a": "z"}] * 6)
    (folder / "wrong.yaml").write_text(WRONG_JOB)
    (folder / "right.yaml").write_text(WRONG_JOB.replace("nonsense", "quasi-identifier"))
    (folder / "wrong.csv").write_text(WRONG_HIERARCHY)
    (folder / "right.csv").write_text("x;*\ny;*\n")
    write_key(folder / "key.pem")
    run_command(folder, "anonymize", IN, "--qi", "a", "--hierarchies", "a=right.csv", "--k", "2", "-o", "out.parquet", code=0)
    run_command(folder, "apply", RELEASED, IN, "--register", "releases.duckdb", "-o", "again.parquet", code=0)
    return folder


@pytest.fixture
def files(made: Path, tmp_path: Path) -> Path:
    """The same, in the folder of the test."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_every_command_has_cases() -> None:
    assert sorted(CASES) == sorted(" ".join(command.words) for command in ALL)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("command", "code", "arguments"),
    [(command, code, arguments) for command, cases in CASES.items() for code, arguments in cases],
)
def test_the_exit_code_is_the_documented_one(cli: Cli, command: str, code: int, arguments: tuple[str, ...]) -> None:
    run = cli(*command.split(), *arguments)
    assert run.code == code, run.err or run.out


@pytest.mark.parametrize("code", MEANINGS)
def test_the_documented_meanings_are_these(code: int) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(rf"^\| {code} \| (.*) \|$", readme, re.MULTILINE) == [MEANINGS[code]]
