"""The release of the page: the same as from the command line with the saved job."""

from pathlib import Path
from typing import Any

import pytest

from tests.studio.conftest import Open
from tests.support.command_line import Cli
from tests.support.signing_keys import write_key
from tests.support.studio import LocalStudio, released_rows

CHOSEN: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10]}},
        "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
        "sex": {"role": "insensitive"},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 4}, {"model": "l-diversity", "variant": "distinct", "l": 2, "column": "disease"}],
    "suppression": {"limit": "10%", "style": "drop"},
    "entity": "none",
}


def test_a_run_writes_a_verified_release_and_its_report(studio: LocalStudio, people: Path) -> None:
    studio.edit(**CHOSEN)
    done = studio.released("out.csv", report=True)
    assert (done["status"], done["output"], done["report"]) == ("done", "out.csv", "/report")
    assert [(check["model"], check["passed"]) for check in done["checks"]] == [
        ("k-anonymity", True),
        ("distinct l-diversity", True),
    ]
    assert Path(done["manifest"]).is_file()
    assert studio.lines == ["out.csv: released and verified"]
    assert {tuple(sorted(row)) for row in released_rows(people.parent / "out.csv")} == {("age", "disease", "sex", "zip")}
    page = studio.client.request("GET", "/report")
    assert page.body == (people.parent / "out.csv.report.html").read_bytes()
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts")
    assert "allow-same-origin" not in page.headers["content-security-policy"]


@pytest.mark.parametrize("folder", [".", "jobs"])
def test_the_saved_job_gives_the_same_release_from_the_command_line(
    studio: LocalStudio, people: Path, cli: Cli, folder: str
) -> None:
    (people.parent / folder).mkdir(exist_ok=True)
    studio.edit(**CHOSEN)
    studio.released("out.csv")
    saved = studio.post("/api/job/save", {"path": f"{folder}/saved.yaml", "overwrite": False})
    assert "--job" in saved["command"]
    cli("anonymize", "--job", f"{folder}/saved.yaml", "-o", "again.csv", code=0)
    assert released_rows(people.parent / "again.csv") == released_rows(people.parent / "out.csv")


def test_the_proposed_job_gives_the_same_release_from_the_command_line(studio: LocalStudio, people: Path, cli: Cli) -> None:
    """Nothing of what the studio detected is detected again."""
    studio.released("out.csv")
    studio.post("/api/job/save", {"path": "saved.yaml", "overwrite": False})
    assert "detecting roles" not in cli("anonymize", "--job", "saved.yaml", "-o", "again.csv", code=0).err
    assert released_rows(people.parent / "again.csv") == released_rows(people.parent / "out.csv")


def test_a_job_of_another_folder_keeps_the_files_that_it_names(people: Path, open_studio: Open, cli: Cli) -> None:
    folder = people.parent / "jobs"
    folder.mkdir()
    (folder / "sexes.csv").write_text("F;*\nM;*\n")
    (folder / "ages.yaml").write_text("kind: intervals\nwidths: [10]\n")
    (folder / "job.yaml").write_text(
        "version: 1\ncolumns:\n  sex: {role: quasi-identifier, hierarchy: sexes.csv}\n  age: {role: quasi-identifier, hierarchy: ages.yaml}\n"
        "  disease: {role: sensitive, hierarchy: {kind: flat}}\n"
    )
    studio = open_studio(people.name, job=folder / "job.yaml")
    assert studio.released("out.csv")["status"] == "done"
    studio.post("/api/job/save", {"path": "saved.yaml", "overwrite": False})
    text = (people.parent / "saved.yaml").read_text()
    assert "jobs/sexes.csv" in text
    assert str(people.parent) not in text
    cli("anonymize", "--job", "saved.yaml", "-o", "again.csv", code=0)
    assert released_rows(people.parent / "again.csv") == released_rows(people.parent / "out.csv")


def test_an_edit_during_a_run_does_not_change_it(studio: LocalStudio, people: Path) -> None:
    studio.edit(**CHOSEN)
    studio.post("/api/run", {"output": "out.csv", "report": False, "overwrite": False})
    studio.edit(columns={"disease": {"role": "insensitive"}})
    studio.studio.release.join()
    assert len(released_rows(people.parent / "out.csv")[0]) == 4


def test_what_cannot_be_met_is_reported_and_nothing_is_written(studio: LocalStudio, people: Path) -> None:
    studio.edit(**{**CHOSEN, "privacy": [{"model": "k-anonymity", "k": 400}]})
    failed = studio.released("out.csv")
    assert failed["status"] == "failed"
    assert failed["message"].startswith("infeasible")
    assert [path.name for path in people.parent.iterdir()] == ["people.csv"]


def test_a_run_that_is_stopped_writes_nothing(studio: LocalStudio, people: Path) -> None:
    studio.edit(**CHOSEN)
    studio.post("/api/run", {"output": "out.csv", "report": False, "overwrite": False})
    # before its first pass, or the run is too fast to be stopped
    studio.studio.release.stop()
    studio.post("/api/run/stop", {})
    studio.studio.release.join()
    assert studio.get("/api/run")["status"] == "stopped"
    assert [path.name for path in people.parent.iterdir()] == ["people.csv"]
    assert studio.released("out.csv")["status"] == "done"


@pytest.mark.parametrize(
    ("output", "phrase"),
    [("", "needs a file"), ("-", "needs a file"), ("people.csv", "exists"), ("out.txt", "neither Parquet nor CSV")],
)
def test_an_output_that_cannot_be_written_is_refused_before_the_run(
    studio: LocalStudio, people: Path, output: str, phrase: str
) -> None:
    before = people.read_bytes()
    answer = studio.post("/api/run", {"output": output, "report": False, "overwrite": False}, 422)
    assert phrase in answer["error"]
    assert studio.get("/api/run")["status"] == "none"
    assert people.read_bytes() == before


def test_the_input_is_never_replaced(studio: LocalStudio, people: Path) -> None:
    before = people.read_bytes()
    studio.post("/api/run", {"output": people.name, "report": False, "overwrite": True})
    studio.studio.release.join()
    assert "is the input itself" in studio.get("/api/run")["message"]
    studio.post("/api/job/save", {"path": "people.csv", "overwrite": True}, 422)
    assert people.read_bytes() == before


def test_a_run_needs_a_quasi_identifier(studio: LocalStudio) -> None:
    studio.edit(columns={"disease": {"role": "sensitive"}})
    answer = studio.post("/api/run", {"output": "out.csv", "report": False, "overwrite": False}, 422)
    assert "no column is a quasi-identifier" in answer["error"]


def test_a_release_is_signed_and_the_attestation_is_valid(studio: LocalStudio, people: Path, cli: Cli) -> None:
    key = write_key(people.parent / "key.pem")
    refused = studio.post("/api/sign", {"key": str(key), "overwrite": False}, 422)
    assert "no release to sign" in refused["error"]
    studio.edit(**CHOSEN)
    studio.released("out.csv")
    assert "absent.pem" in studio.post("/api/sign", {"key": "absent.pem", "overwrite": False}, 422)["error"]
    signed = studio.post("/api/sign", {"key": str(key), "overwrite": False})
    cli("check", "out.csv", "--attestation", signed["attestation"], "--public-key", key.with_suffix(".pub.pem"), code=0)


def test_the_command_and_the_job_file_are_those_of_the_job(studio: LocalStudio) -> None:
    job = studio.edit(**CHOSEN)["job"]
    answer = studio.post("/api/command", {"job": job, "output": "out.csv"})
    assert answer["command"] == "duckanon anonymize people.csv --job people.job.yaml -o out.csv"
    assert "k: 4" in answer["yaml"]


def test_a_job_file_is_replaced_only_if_that_is_chosen(studio: LocalStudio, people: Path) -> None:
    studio.post("/api/job/save", {"path": "saved.yaml", "overwrite": False})
    first = (people.parent / "saved.yaml").read_text()
    studio.edit(**CHOSEN)
    assert "exists" in studio.post("/api/job/save", {"path": "saved.yaml", "overwrite": False}, 422)["error"]
    assert (people.parent / "saved.yaml").read_text() == first
    studio.post("/api/job/save", {"path": "saved.yaml", "overwrite": True})
    assert (people.parent / "saved.yaml").read_text() != first
    assert (people.parent / "saved.yaml").stat().st_mode & 0o077 == 0
