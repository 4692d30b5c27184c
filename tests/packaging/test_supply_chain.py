"""Installed packages and their licences, and that a run fetches nothing."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import duckdb
import pytest
from packaging.requirements import Requirement

from tests.support.command_line import Cli
from tests.support.demo import Demo
from tests.support.paths import ROOT
from tests.support.rows import write_table

LESSER = {"python-stdnum", "faust-cchardet"}
"""Used unchanged, as packages of their own, under licences that ask who changes them to publish the change."""
FAMILIES = {
    "MPL": r"\bmpl\b",
    "LGPL": r"lgpl|lesser general public",
    "Apache-2.0": r"apache",
    "BSD": r"bsd",
    "ISC": r"\bisc\b",
    "MIT": r"\bmit\b",
    "PSF-2.0": r"psf|python software foundation",
}
"""Licences that ask for nothing but a notice, and how packages spell them."""


def required(texts: Iterable[str], extras: Iterable[str] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The packages that requirements name on this system, each with the extras that are asked of it."""
    for text in texts:
        requirement = Requirement(text)
        markers = [{"extra": extra} for extra in ("", *extras)]
        if requirement.marker is None or any(requirement.marker.evaluate(marker) for marker in markers):
            yield re.sub(r"[-_.]+", "-", requirement.name).lower(), tuple(requirement.extras)


def closure() -> set[str]:
    """Every package that `pip install 'duckanon[spark,attest,studio]'` brings, on this system."""
    collected: set[tuple[str, tuple[str, ...]]] = set()
    waiting = list(required(distribution("duckanon").requires or (), ("spark", "sql", "attest", "studio")))
    while waiting:
        name, extras = waiting.pop()
        if name == "duckanon" or (name, extras) in collected:
            continue
        collected.add((name, extras))
        waiting += required(distribution(name).requires or (), extras)
    return {name for name, _ in collected}


def licence(name: str) -> str:
    """What a package says of its licence."""
    about = distribution(name).metadata
    stated = [
        *(about.get_all("License-Expression") or ()),
        *(about.get_all("Classifier") or ()),
        *(about.get_all("License") or ()),
    ]
    return "; ".join(line[:80] for line in stated if line and ("License" in line or not line.count("::")))


def listed() -> dict[str, str]:
    """The table of the document: packages, and the family of their licence."""
    text = (ROOT / "docs" / "explanation" / "supply-chain.md").read_text(encoding="utf-8")
    by_licence = re.findall(r"^\| ([A-Za-z0-9.-]+) \| (`.+`) \|$", text, re.MULTILINE)
    return {name: family for family, names in by_licence for name in re.findall(r"`([a-z0-9-]+)`", names)}


def pinned() -> dict[str, str]:
    """The blocks of the lock, by package."""
    blocks = re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text(encoding="utf-8").strip())
    return {re.sub(r"[-_.]+", "-", block.partition("==")[0]).lower(): block for block in blocks}


def test_the_document_lists_every_package_that_comes_with_us() -> None:
    assert closure() <= set(listed()) <= set(pinned())


@pytest.mark.parametrize("name", sorted(listed()))
def test_each_licence_is_as_listed_and_asks_for_a_notice_at_most_but_for_one(name: str) -> None:
    try:
        stated = licence(name)
    except PackageNotFoundError:
        pytest.fail(f"{name} is listed and not installed")
    assert re.search(FAMILIES[listed()[name]], stated, re.IGNORECASE), stated
    assert bool(re.search(r"gpl|general public", stated, re.IGNORECASE)) == (name in LESSER), stated


def test_each_dependency_has_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    declared = tomllib.loads(text)["project"]
    named = declared["dependencies"] + [
        requirement for group in declared["optional-dependencies"].values() for requirement in group
    ]
    for requirement in named:
        if not requirement.startswith("duckanon["):
            lines = [line for line in text.splitlines() if f'"{requirement}"' in line]
            assert lines
            assert all(re.search(r"# \w+ \w+", line) for line in lines), f"{requirement} has no reason"


def test_the_lock_pins_every_package_by_hash() -> None:
    assert all("==" in block and "--hash=sha256:" in block for block in pinned().values())
    assert closure() <= set(pinned())


def test_a_run_without_any_network_is_a_run_like_any_other(tmp_path: Path, demo: Demo) -> None:
    """In a network namespace that has not even a loopback."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-n", "true"], check=False).returncode != 0:
        pytest.skip("no right to make a network namespace here")
    demo(tmp_path / "people.parquet", 500)
    home = tmp_path / "home"
    home.mkdir()
    report = ["--public-report", "report.html"]
    finished = subprocess.run(
        ["unshare", "-n", sys.executable, "-m", "duckanon", "anonymize", "people.parquet", "-o", "out.parquet", *report],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert (tmp_path / "report.html").is_file()
    assert {path.name for path in home.iterdir()} == {".cache"}, "an extension was fetched, or something else was put at home"


def test_no_process_of_a_run_opens_a_socket(tmp_path: Path, demo: Demo) -> None:
    demo(tmp_path / "people.parquet", 500)
    watched = (
        "import sys\n"
        "sys.addaudithook(lambda event, about: event.startswith('socket.') and sys.exit(f'socket: {event}'))\n"
        "from duckanon.cli import main\n"
        "sys.argv = ['duckanon', 'anonymize', 'people.parquet', '-q']\n"
        "main()\n"
    )
    finished = subprocess.run([sys.executable, "-c", watched], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize(
    "reading",
    [
        "read_csv('{secret}', header = false, columns = {{'age': 'varchar'}})",
        "read_text('{secret}')",
        "glob('{folder}/*')",
        "read_parquet('{folder}/other.parquet')",
    ],
)
def test_a_database_whose_view_reads_another_file_is_refused(tmp_path: Path, cli: Cli, reading: str, demo: Demo) -> None:
    """The author of an input must not make duckanon release other files with it."""
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "secret.csv").write_text("hunter2\n" * 20)
    demo(other / "other.parquet", 100)
    sent = tmp_path / "sent"
    sent.mkdir()
    text = reading.format(secret=other / "secret.csv", folder=other)
    with duckdb.connect(str(sent / "people.duckdb")) as connection:
        connection.execute("create table people as select 30 as age from range(50)")
        connection.execute(f"create view trap as select * from {text}")
    assert cli("anonymize", "people.duckdb::people", "--qi", "age", "-o", "fine.csv", cwd=sent).code == 0
    for command in (["anonymize", "people.duckdb::trap", "-o", "out.csv"], ["profile", "people.duckdb::trap"]):
        run = cli(*command, cwd=sent, code=3)
        assert "hunter2" not in run.out + run.err
        assert len(run.err.splitlines()) == 1, run.err
        assert "a file that the job does not name" in run.err
    assert not (sent / "out.csv").exists()


def test_a_hierarchy_beside_the_job_is_still_read(tmp_path: Path, cli: Cli, demo: Demo) -> None:
    """Wherever it lies: the job names it."""
    (tmp_path / "far" / "away").mkdir(parents=True)
    demo(tmp_path / "people.csv", 300)
    write_table(tmp_path / "far" / "away" / "sex.csv", [["Female", "*"], ["Male", "*"]])
    cli("anonymize", "people.csv", "--qi", "sex", "--hierarchies", "sex=far/away/sex.csv", "-o", "out.csv", code=0)
