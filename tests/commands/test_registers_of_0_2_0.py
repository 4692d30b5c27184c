"""Registers and saved recodings of version 0.2.0: commands read them, and go on only as the rules of today allow.

Version 0.2.0 made `registers_of_0_2_0` from `visits.csv`: `rows.duckdb` with `--qi ward --keep disease --entity none`, `persons.duckdb` with `--qi zip
--levels zip=1 --keep disease --entity patient`, `token.csv` with `--qi ward --keep token,disease --entity patient --k 12`, and `county.csv` with
`--qi zip --levels zip=1 --keep county,disease --entity patient --k 12`.
"""

import gzip
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import duckdb
import pytest

from tests.support.command_line import Cli, refused

PERSONS = ("anonymize", "more.csv", "--entity", "patient", "-o", "new.csv", "--register", "persons.duckdb", "--keep", "disease")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
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


def test_persons_of_a_register_are_subtracted(folder: Path, cli: Cli) -> None:
    levels = ("--qi", "zip", "--hierarchies", "zip=zip.yaml", "--levels", "zip=1")
    (folder / "zip.yaml").write_text("kind: redaction\n", encoding="utf-8")
    refused(cli(*PERSONS, *levels), 1, "where one release is subtracted from the other", narrates=True)
    cli(*PERSONS, *levels, "--set", "suppression.isolated=true", "--max-suppression", "20%", code=0)
    with duckdb.connect() as connection:
        assert not connection.execute(f"select * from '{folder / 'new.csv'}' where disease = 'measles'").fetchall()


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
def test_apply_judges_the_retained_columns_of_a_saved_recoding(name: str, folder: Path, cli: Cli) -> None:
    """Each token is one patient's, and links her visits; the county follows from the zip code: both leave fewer than k patients."""
    with duckdb.connect() as connection:
        query = f"select patient, token, ward, zip // 10, county from '{folder / 'visits.csv'}'"
        rows = connection.execute(query).fetchall()
    wards = defaultdict(list)
    for (
        patient,
        *_,
    ) in rows:
        wards[patient] = sorted(row[2] for row in rows if row[0] == patient)
    linked = min(Counter(map(tuple, wards.values())).values())
    patients = defaultdict(set)
    for patient, _, _, area, county in rows:
        patients[area, county].add(patient)
    assert (linked < 12, min(map(len, patients.values())) < 12) == (True, True)
    applied = cli("apply", f"{name}.csv.manifest.json", "visits.csv", "-o", "new.csv")
    assert applied.code in (1, 2)
    assert f"'{name}'" in applied.err.splitlines()[-1]
    assert not (folder / "new.csv").exists()
