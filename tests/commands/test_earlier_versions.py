"""What earlier versions wrote: commands read it, and go on only as the rules of today allow."""

import gzip
import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pytest

from duckanon.release import manifest as manifests
from duckanon.release.manifest_model.files import VERSION
from tests.support.command_line import Cli, refused
from tests.support.dyads import dyads
from tests.support.reported import without_searches
from tests.support.rows import multiset, write_parquet

# Job files, manifests and saved recodings that version 0.1.0 wrote, with their releases: every command still reads them


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


# Releases that version 0.2.0 wrote on what it assumed: commands say so in one line, and judge them by what is required now


ASSUMED = "version 0.2 assumed adversaries who know any 3 quasi-identifiers, which no option named"


@pytest.fixture(autouse=True)
def assumed_folder(tmp_path: Path) -> Path:
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
def test_check_judges_all_quasi_identifiers_unless_the_case_is_accepted(
    way: Sequence[str], assumed_folder: Path, cli: Cli
) -> None:
    assert smallest(assumed_folder / "assumed.csv") == 1
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
def test_apply_and_a_job_require_k_of_all_quasi_identifiers(assumed_folder: Path, cli: Cli) -> None:
    applied = cli("apply", "assumed.csv.manifest.json", "answers.csv", "-o", "new.csv")
    refused(applied, 1, "infeasible", narrates=True)
    assert ASSUMED in applied.err
    assert not (assumed_folder / "new.csv").exists()
    registered = cli("apply", "assumed.csv.manifest.json", "answers.csv", "-o", "new.csv", "--register", "r.duckdb")
    assert (registered.code, ASSUMED in registered.err) == (1, True)
    assert ASSUMED in cli("anonymize", "--job", "assumed.csv.job.yaml", "-o", "new.csv", code=0).err
    assert smallest(assumed_folder / "new.csv") >= 5
    accepted = cli(
        "apply", "assumed.csv.manifest.json", "answers.csv", "-o", "again.csv", "--set", "accept=assumed-any", code=0
    )
    assert "k holds only for adversaries who know any 3 quasi-identifiers" in accepted.err
    assert sorted((assumed_folder / "again.csv").read_text().splitlines()) == sorted(
        (assumed_folder / "assumed.csv").read_text().splitlines()
    )
    manifest = json.loads((assumed_folder / "again.csv.manifest.json").read_text(encoding="utf-8"))
    assert (manifest["any_columns"], manifest["any_chosen"], manifest["accepted"]) == (3, "declared", ["assumed-any"])
    assert cli("check", "again.csv", "--manifest", "again.csv.manifest.json").code == 0


def test_what_was_chosen_stands(assumed_folder: Path, cli: Cli) -> None:
    assert cli("check", "declared.csv", "--manifest", "declared.csv.manifest.json", "--strict").code == 0
    assert ASSUMED not in cli("apply", "declared.csv.manifest.json", "answers.csv", "-o", "new.csv", code=0).err
    chosen = cli("anonymize", "--job", "assumed.csv.job.yaml", "--any", "3", "-o", "chosen.csv")
    assert (chosen.code, ASSUMED in chosen.err) == (0, False)
    # without the saved recoding beside it, a manifest of 0.2 does not say who chose
    shutil.rmtree(assumed_folder / "declared.csv.recoding")
    assert cli("check", "declared.csv", "--manifest", "declared.csv.manifest.json").code == 1


@pytest.mark.slow
def test_a_release_is_explained_and_reported_as_it_was_made_but_not_attested(
    assumed_folder: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_searches(monkeypatch)
    assert cli("explain", "assumed.csv.manifest.json", "--row", "1").code == 0
    for name in ("assumed.csv", "policy.csv"):
        cli("report", f"{name}.manifest.json", "-o", f"{name}.html", code=0)
        page = (assumed_folder / f"{name}.html").read_text(encoding="utf-8")
        assert "any 3 quasi-identifiers" in page
        assert ASSUMED in page
        refused(cli("attest", f"{name}.manifest.json", "--key", "attestation.pub"), 2, ASSUMED)


# Registers and saved recodings of version 0.2.0: commands read them, and go on only as the rules of today allow


PERSONS = ("anonymize", "more.csv", "--entity", "patient", "-o", "new.csv", "--register", "persons.duckdb", "--keep", "disease")


@pytest.fixture(autouse=True)
def registers_folder(tmp_path: Path) -> Path:
    """A copy of the registers, with private modes, and the file of the next month: the visits and one more patient."""
    shutil.copytree(Path(__file__).parent / "registers_of_0_2_0", tmp_path, dirs_exist_ok=True)
    for name in ("rows.duckdb", "persons.duckdb"):
        (tmp_path / name).write_bytes(gzip.decompress((tmp_path / f"{name}.gz").read_bytes()))
        (tmp_path / name).chmod(0o600)
    visits = (tmp_path / "visits.csv").read_text(encoding="utf-8")
    (tmp_path / "more.csv").write_text(f"{visits}patient 200,x999,1000,north,county 1,measles\n", encoding="utf-8")
    return tmp_path


def test_a_register_is_listed_and_compared(cli: Cli) -> None:
    for name in ("rows", "persons"):
        listed = cli("register", "list", f"{name}.duckdb")
        assert (listed.code, f"{name}.csv" in listed.out) == (0, True)
        assert cli("register", "compare", f"{name}.duckdb").code == 0


def test_persons_of_a_register_are_subtracted(registers_folder: Path, cli: Cli) -> None:
    levels = ("--qi", "zip", "--hierarchies", "zip=zip.yaml", "--levels", "zip=1")
    (registers_folder / "zip.yaml").write_text("kind: redaction\n", encoding="utf-8")
    refused(cli(*PERSONS, *levels), 1, "where one release is subtracted from the other", narrates=True)
    cli(*PERSONS, *levels, "--set", "suppression.isolated=true", "--max-suppression", "20%", code=0)
    with duckdb.connect() as connection:
        assert not connection.execute(f"select * from '{registers_folder / 'new.csv'}' where disease = 'measles'").fetchall()


def test_records_of_a_register_without_hashes_are_said_not_to_be_compared(cli: Cli) -> None:
    arguments = ("--qi", "ward", "--keep", "disease", "--entity", "none", "--register", "rows.duckdb", "-o", "new.csv")
    made = cli("anonymize", "more.csv", *arguments, code=0)
    [line] = [line for line in made.err.splitlines() if "was registered by version 0.2" in line]
    assert "'rows.csv'" in line
    assert "--entity" in line
    assert cli("anonymize", "more.csv", *arguments, "--strict", "--overwrite").code == 1
    # the release of today has hashes, so a file with one patient less is compared with it
    again = cli("anonymize", "visits.csv", *arguments[:-1], "again.csv")
    refused(
        again, 1, "this release and the registered 'new.csv'", "where one release is subtracted from the other", narrates=True
    )


@pytest.mark.parametrize("name", ["token", "county"])
def test_apply_judges_the_retained_columns_of_a_saved_recoding(name: str, registers_folder: Path, cli: Cli) -> None:
    """Each token is one patient's, and links her visits; the county follows from the zip code: both leave fewer than k patients."""
    with duckdb.connect() as connection:
        query = f"select patient, token, ward, zip // 10, county from '{registers_folder / 'visits.csv'}'"
        rows = connection.execute(query).fetchall()
    wards = defaultdict(list)
    for patient, *_ in rows:
        wards[patient] = sorted(row[2] for row in rows if row[0] == patient)
    linked = min(Counter(map(tuple, wards.values())).values())
    patients = defaultdict(set)
    for patient, _, _, area, county in rows:
        patients[area, county].add(patient)
    assert (linked < 12, min(map(len, patients.values())) < 12) == (True, True)
    applied = cli("apply", f"{name}.csv.manifest.json", "visits.csv", "-o", "new.csv")
    assert applied.code in (1, 2)
    assert f"'{name}'" in applied.err.splitlines()[-1]
    assert not (registers_folder / "new.csv").exists()


# Manifests and saved recodings of version 0.2, which counted rows, or persons by one column that it chose by its name


OLD = "version 0.2 counted persons only by 'partner_id', which it had detected"


def as_of_0_2(manifest: Path, persons: dict[str, object]) -> None:
    """Give a manifest the entry of version 0.2."""
    content = json.loads(manifest.read_text(encoding="utf-8"))
    content["persons"] = persons
    content["seal"] = manifests.checksum(content)
    manifest.write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def released(tmp_path: Path, cli: Cli) -> Path:
    """A release that counted the partner, as version 0.2 would have done without an option."""
    write_parquet(tmp_path / "in.parquet", dyads("subject_id", "partner_id"))
    arguments = ("--qi", "age,sex", "--entity", "partner_id", "--k", "8", "--max-suppression", "100%")
    assert cli("anonymize", "in.parquet", "-o", "out.parquet", *arguments).code == 0
    manifest = tmp_path / "out.parquet.manifest.json"
    counted = {
        "counted": "persons",
        "column": "partner_id",
        "chosen": "detected",
        "persons": 192,
        "rows": 2304,
        "rows_without": 0,
    }
    as_of_0_2(manifest, counted)
    return manifest


def test_apply_counts_every_column(tmp_path: Path, cli: Cli, released: Path) -> None:
    assert OLD in cli("apply", released, "in.parquet", "-o", "new.parquet", "--max-suppression", "100%", code=0).err
    applied = json.loads((tmp_path / "new.parquet.manifest.json").read_text(encoding="utf-8"))
    assert set(applied["persons"]["columns"]) == {"subject_id", "partner_id"}
    assert applied["privacy"][0]["achieved"] >= 8
    assert applied["rows"]["suppressed"] > 0
    assert OLD not in cli("apply", released, "in.parquet", "-o", "named.parquet", "--entity", "partner_id", code=0).err


def test_check_says_so(cli: Cli, released: Path) -> None:
    run = cli("check", "out.parquet", "--manifest", released, "--strict", code=1)
    assert len([line for line in run.err.splitlines() if OLD in line]) == 1
    as_of_0_2(released, {"counted": "rows", "chosen": None})
    assert "version 0.2 counted rows" in cli("check", "out.parquet", "--manifest", released).err


@pytest.mark.parametrize("command", ["explain", "report"])
def test_the_release_is_repeated_as_it_was_counted(cli: Cli, released: Path, command: str) -> None:
    assert cli(command, released).code == 0
