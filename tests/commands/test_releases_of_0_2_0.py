"""Releases that version 0.2.0 wrote on what it assumed: commands say so in one line, and judge them by what is required now.

Version 0.2.0 made `releases_of_0_2_0` from `answers.csv` without roles: `assumed.csv`, `policy.csv` with `--policy internal`, and
`declared.csv` with `--any 3`. The attestation of `assumed.csv` is signed with a key that was deleted.
"""

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.command_line import Cli, refused
from tests.support.reported import without_searches

ASSUMED = "version 0.2 assumed adversaries who know any 3 quasi-identifiers, which no option named"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    """A copy of the releases."""
    shutil.copytree(Path(__file__).parent / "releases_of_0_2_0", tmp_path, dirs_exist_ok=True)
    return tmp_path


def smallest(path: Path) -> int:
    """The rows of the smallest class over all columns of a CSV file."""
    return min(Counter(path.read_text(encoding="utf-8").splitlines()[1:]).values())


BY_MANIFEST = ["--manifest", "assumed.csv.manifest.json"]
BY_ATTESTATION = ["--attestation", "assumed.csv.attestation.json", "--public-key", "attestation.pub"]


@pytest.mark.slow
@pytest.mark.parametrize("way", [BY_MANIFEST, BY_ATTESTATION, ["--job", "assumed.csv.job.yaml"]])
def test_check_judges_all_quasi_identifiers_unless_the_case_is_accepted(way: Sequence[str], folder: Path, cli: Cli) -> None:
    assert smallest(folder / "assumed.csv") == 1
    checked = cli("check", "assumed.csv", *way, "--json", code=1)
    [line] = [line for line in checked.err.splitlines() if ASSUMED in line]
    assert line.endswith("accept it with --set accept=assumed-any")
    [required] = [check for check in checked.manifest["privacy"] if "required" in check]
    assert (required["achieved"], required["required"], required["failing_rows"]) == (1, 5, 200)
    accepted = cli("check", "assumed.csv", *way, "--set", "accept=assumed-any", "--json", code=0)
    assert ASSUMED not in accepted.err
    assert [check["adversary"] for check in accepted.manifest["privacy"] if "required" in check] == ["any 3 columns"]


@pytest.mark.slow
def test_a_policy_is_stricter_than_an_accepted_case(cli: Cli) -> None:
    for policy in ([], ["--policy", "internal"]):
        checked = cli("check", "policy.csv", "--manifest", "policy.csv.manifest.json", *policy)
        assert (checked.code, ASSUMED in checked.err) == (1, True)
    accepted = ["--manifest", "policy.csv.manifest.json", "--set", "accept=assumed-any"]
    assert cli("check", "policy.csv", *accepted).code == 0
    assert cli("check", "policy.csv", *accepted, "--policy", "internal").code == 1
    applied = cli("apply", "policy.csv.manifest.json", "answers.csv", "-o", "new.csv", "--set", "accept=assumed-any")
    refused(
        applied, 2, "policy 'internal' requires k = 5 for all quasi-identifiers together, but --any 3 protects only sets of 3"
    )


@pytest.mark.slow
def test_apply_and_a_job_require_k_of_all_quasi_identifiers(folder: Path, cli: Cli) -> None:
    applied = cli("apply", "assumed.csv.manifest.json", "answers.csv", "-o", "new.csv")
    refused(applied, 1, "infeasible", narrates=True)
    assert ASSUMED in applied.err
    assert not (folder / "new.csv").exists()
    registered = cli("apply", "assumed.csv.manifest.json", "answers.csv", "-o", "new.csv", "--register", "r.duckdb")
    assert (registered.code, ASSUMED in registered.err) == (1, True)
    made = cli("anonymize", "--job", "assumed.csv.job.yaml", "-o", "new.csv", code=0)
    assert ASSUMED in made.err
    assert smallest(folder / "new.csv") >= 5
    accepted = cli(
        "apply", "assumed.csv.manifest.json", "answers.csv", "-o", "again.csv", "--set", "accept=assumed-any", code=0
    )
    assert "k holds only for adversaries who know any 3 quasi-identifiers" in accepted.err
    assert sorted((folder / "again.csv").read_text().splitlines()) == sorted((folder / "assumed.csv").read_text().splitlines())
    manifest = json.loads((folder / "again.csv.manifest.json").read_text(encoding="utf-8"))
    assert (manifest["any_columns"], manifest["any_chosen"], manifest["accepted"]) == (3, "declared", ["assumed-any"])
    assert cli("check", "again.csv", "--manifest", "again.csv.manifest.json").code == 0


def test_what_was_chosen_stands(folder: Path, cli: Cli) -> None:
    assert cli("check", "declared.csv", "--manifest", "declared.csv.manifest.json", "--strict").code == 0
    applied = cli("apply", "declared.csv.manifest.json", "answers.csv", "-o", "new.csv", code=0)
    assert ASSUMED not in applied.err
    chosen = cli("anonymize", "--job", "assumed.csv.job.yaml", "--any", "3", "-o", "chosen.csv")
    assert (chosen.code, ASSUMED in chosen.err) == (0, False)
    # without the saved recoding beside it, a manifest of 0.2 does not say who chose
    shutil.rmtree(folder / "declared.csv.recoding")
    assert cli("check", "declared.csv", "--manifest", "declared.csv.manifest.json").code == 1


@pytest.mark.slow
def test_a_release_is_explained_and_reported_as_it_was_made_but_not_attested(
    folder: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_searches(monkeypatch)
    assert cli("explain", "assumed.csv.manifest.json", "--row", "1").code == 0
    for name in ("assumed.csv", "policy.csv"):
        cli("report", f"{name}.manifest.json", "-o", f"{name}.html", code=0)
        page = (folder / f"{name}.html").read_text(encoding="utf-8")
        assert "any 3 quasi-identifiers" in page
        assert ASSUMED in page
        refused(cli("attest", f"{name}.manifest.json", "--key", "attestation.pub"), 2, ASSUMED)
