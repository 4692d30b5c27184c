"""Job files, manifests and saved recodings that version 0.1.0 wrote, with their releases: every command still reads them.

Version 0.1.0 made `releases_of_0_1_0` from `people.csv` with `duckanon anonymize --job NAME.yaml`, and `guessed.csv` without a job.
"""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from duckanon.release.manifest_model.files import VERSION
from tests.support.command_line import Cli, refused
from tests.support.rows import multiset

RELEASES = ["guessed.csv", "local.csv", "masked.csv", "mondrian.parquet", "optimal.parquet", "persons.csv"]
COUNTS_ROWS = ["--entity", "none"]
"""Version 0.1.0 did not detect that the column `name` identifies persons and repeats."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the releases, and the key of their pseudonyms."""
    monkeypatch.setenv("DUCKANON_KEY", "a key of 0.1.0 for tests only, 32+ bytes")
    shutil.copytree(Path(__file__).parent / "releases_of_0_1_0", tmp_path, dirs_exist_ok=True)
    return tmp_path


def rows_of(path: Path) -> Counter[str]:
    """The rows of a Parquet or CSV file."""
    if path.suffix == ".parquet":
        return multiset(path)
    return Counter(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("release", RELEASES)
def test_check_explain_and_report_read_a_release(release: str, folder: Path, cli: Cli) -> None:
    manifest = f"{release}.manifest.json"
    recorded = json.loads((folder / manifest).read_text(encoding="utf-8"))
    checked = cli("check", release, "--manifest", manifest, "--json", code=0)
    assert checked.manifest["manifest"]["is_same_file"]
    assert checked.manifest["status"] == "holds"
    judged = [model["passed"] for model in checked.manifest["privacy"] if "required" in model]
    assert all(judged)
    assert len(judged) + len(checked.manifest["manifest"]["unjudged"]) >= len(recorded["privacy"])
    cli("explain", manifest, "--row", "5", "--json", code=0)
    assert cli("explain", manifest).code == 0
    cli("report", manifest, "--public-report", "public.html", "--public-manifest", "public.json", code=0)
    assert recorded["output"]["sha256"] in (folder / "public.json").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_apply_makes_the_same_release_again(release: str, folder: Path, cli: Cli) -> None:
    options = [] if release == "persons.csv" else COUNTS_ROWS
    population = ["--population", "people.csv"] if release == "masked.csv" else []
    cli("apply", f"{release}.manifest.json", "people.csv", "-o", f"again-{release}", *options, *population, code=0)
    assert rows_of(folder / f"again-{release}") == rows_of(folder / release)


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_a_job_file_runs(release: str, folder: Path, cli: Cli) -> None:
    job = f"{release}.job.yaml" if release == "guessed.csv" else f"{release.partition('.')[0]}.yaml"
    assert cli("job", "validate", job).code == 0
    made = cli("anonymize", "--job", job, "-o", "new.csv", *([] if release == "persons.csv" else COUNTS_ROWS), "--json", code=0)
    recorded = json.loads((folder / f"{release}.manifest.json").read_text(encoding="utf-8"))
    assert made.manifest["columns"] == recorded["columns"]
    required = [(model["model"], model["required"], model["passed"]) for model in made.manifest["privacy"]]
    assert required == [(model["model"], model["required"], model["passed"]) for model in recorded["privacy"]]
    assert made.manifest["version"] == VERSION


def test_a_job_that_cannot_count_persons_names_the_option_that_counts_rows_as_before(folder: Path, cli: Cli) -> None:
    assert (folder / "masked.yaml").exists()
    refused(cli("anonymize", "--job", "masked.yaml", "-o", "new.csv"), 2, "'name'", "--entity none", narrates=True)


def test_a_manifest_of_a_later_format_is_refused_with_its_version(folder: Path, cli: Cli) -> None:
    path = folder / "local.csv.manifest.json"
    document = json.loads(path.read_text(encoding="utf-8")) | {"version": VERSION + 1}
    path.write_text(json.dumps(document), encoding="utf-8")
    for arguments in (["explain", path], ["check", "local.csv", "--manifest", path], ["apply", path, "people.csv"]):
        refused(cli(*arguments), 2, f"format version {VERSION + 1}", "install a newer duckanon")
