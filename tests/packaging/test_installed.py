"""The wheel as a user has it: installed on every supported Python with what it declares and nothing else, and seen by a type checker."""

import csv
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import duckanon
from tests.support.environments import THIS, WHEEL, programs
from tests.support.interpreters import interpreters
from tests.support.paths import ROOT

SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
PEOPLE = "age,town,illness\n" + "".join(f"{20 + number % 10},{'AB'[number % 2]},{'xyz'[number % 3]}\n" for number in range(60))
JOB = "anonymize people.csv --qi age,town --sensitive illness --k 4 -o release.csv --report report.html --json"
CHECKED = """import json, duckanon
print(json.dumps([duckanon.__file__, duckanon.check("release.csv", qi="age,town", require="k=4")]))
"""

RIGHT = """from pathlib import Path

import duckanon

options = duckanon.Options(qi=["age", "town"], k=4)
with duckanon.anonymize("people.csv", Path("release.csv"), options=options, sensitive="illness", max_suppression="5%") as release:
    achieved: int = len(release.manifest["privacy"])
    page: str = release.report("report.html").html
status: str = duckanon.check("release.csv", qi="age,town", require="k=4")["status"]
try:
    duckanon.apply("release.csv.manifest.json", "people.csv")
except duckanon.Infeasible as error:
    print(error.exit_code)
"""
WRONG = {
    "a misspelled keyword": ('max_suppression="5%"', 'max_supression="5%"', 'Unexpected keyword argument "max_supression"'),
    "a number as text": ("k=4)", 'k="4")', 'Argument "k" to "Options" has incompatible type "str"'),
    "a result that is none": ("page: str", "page: int", "Incompatible types in assignment"),
    "a function that is none": ("duckanon.apply(", "duckanon.applied(", 'Module has no attribute "applied"'),
}
"""What is written in place of what, and what mypy says of the line."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    [built] = folder.glob("*.whl")
    return built


def installed(wheel: Path, interpreter: Path, folder: Path) -> Path:
    """The folder of programs of a new virtual environment with the wheel and the locked packages that it needs."""
    packages = programs(WHEEL, interpreter)
    _run(interpreter, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    [site] = folder.glob("venv/lib/python3*/site-packages")
    [locked] = packages.parent.glob("lib/python3*/site-packages")
    (site / "locked.pth").write_text(f"{locked}\n")
    pip: list[str | Path] = [
        packages / "python",
        "-m",
        "pip",
        "--python",
        folder / "venv/bin/python",
        "--disable-pip-version-check",
    ]
    _run(*pip, "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=folder)
    assert "No broken requirements" in _run(*pip, "check", cwd=folder)
    return folder / "venv/bin"


def _run(*command: str | Path, cwd: Path) -> str:
    """What a command prints on stdout."""
    ran = _end(*command, cwd=cwd)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def _end(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command that ended, run in a folder that is its home too, without the checkout on the path of Python."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    return subprocess.run(
        command, cwd=cwd, env={**environment, "HOME": str(cwd)}, capture_output=True, text=True, encoding="utf-8", check=False
    )


def test_the_versions_tested_begin_with_the_oldest_that_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == f">={SUPPORTED[0]}"


def test_what_the_wheel_needs_is_locked_as_all_is() -> None:
    part, whole = (
        {line.rstrip(" \\").partition(" ;")[0] for line in path.read_text(encoding="utf-8").splitlines()}
        for path in (WHEEL, ROOT / "requirements.lock")
    )
    assert part
    assert part <= whole


@pytest.mark.parametrize("version", SUPPORTED)
def test_the_wheel_works_on_each_python(version: str, wheel: Path, tmp_path: Path) -> None:
    if version not in interpreters():
        pytest.skip(f"no Python {version} that can make virtual environments is on PATH or among pyenv's versions")
    bin = installed(wheel, interpreters()[version], tmp_path)
    assert _run(bin / "python", "--version", cwd=tmp_path).startswith(f"Python {version}.")
    assert _run(bin / "duckanon", "--version", cwd=tmp_path).split()[-1] == duckanon.__version__
    (tmp_path / "people.csv").write_text(PEOPLE)
    manifest = json.loads(_run(bin / "duckanon", *JOB.split(), cwd=tmp_path))
    with (tmp_path / "release.csv").open(newline="") as file:
        classes = Counter((row["age"], row["town"]) for row in csv.DictReader(file))
    assert manifest["rows"]["released"] == classes.total() > 0
    assert min(classes.values()) >= 4
    place, checked = json.loads(_run(bin / "python", "-c", CHECKED, cwd=tmp_path))
    assert Path(place).is_relative_to(tmp_path / "venv")
    assert checked["status"] == "holds"
    assert "vega" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def mypy(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[str]]:
    """Checks a program against the installed wheel; gives the lines that mypy prints, but for its summary."""
    folder = tmp_path_factory.mktemp("typed")
    python = installed(wheel, THIS, folder) / "python"

    def check(program: str) -> list[str]:
        (folder / "program.py").write_text(program)
        options = ("--strict", "--no-error-summary", "--python-executable", python)
        ran = _end(sys.executable, "-m", "mypy", *options, "program.py", cwd=folder)
        assert ran.returncode in (0, 1), ran.stdout + ran.stderr
        return ran.stdout.splitlines()

    return check


def test_a_program_of_a_user_has_its_types_from_the_wheel(mypy: Callable[[str], list[str]]) -> None:
    assert mypy(RIGHT) == []


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_use_is_reported_where_it_is(fault: str, mypy: Callable[[str], list[str]]) -> None:
    right, wrong, message = WRONG[fault]
    assert RIGHT.count(right) == 1
    [line] = [number for number, text in enumerate(RIGHT.splitlines(), 1) if right in text]
    printed = [text for text in mypy(RIGHT.replace(right, wrong)) if ": error: " in text]
    assert len(printed) == 1, printed
    assert re.match(rf"program\.py:{line}: error: .*{re.escape(message)}", printed[0]), printed
