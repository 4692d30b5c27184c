"""A first run without options: what it prints fits in a terminal, and the other choices that it states are those that their commands give."""

import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from duckanon.cli.output import wrapped
from duckanon.errors import JobError
from duckanon.formatting import percent
from duckanon.observers import Message, together
from duckanon.release.manifest_model.document import Manifest
from duckanon.release.manifest_model.files import READING
from duckanon.workflows import demo as workflow
from tests.support.command_line import Cli, Finished, refused, run_command
from tests.support.demo import Demo
from tests.support.rows import read_rows, write_parquet
from tests.support.studies import studies

TERMINAL = {"COLUMNS": "80"}
MOST_LINES = 25


def height(run: Finished) -> int:
    """The lines of a terminal of 80 columns that a run takes."""
    return sum(max(1, -(-len(line) // 80)) for line in run.err.splitlines())


def stated(run: Finished) -> list[tuple[list[str], str]]:
    """The words of each stated command after `duckanon`, and what it gives."""
    unwrapped = re.sub(r"\n +", " ", run.err)
    lines = re.findall(r"^or duckanon (.+?) +→ +(.+)$", unwrapped, re.MULTILINE)
    return [(shlex.split(words), given) for words, given in lines]


def test_a_run_on_the_demo_fits_in_a_terminal_and_verbose_output_says_the_rest(tmp_path: Path, cli: Cli, demo: Demo) -> None:
    demo(tmp_path / "adult.parquet", 3_000)
    brief = run_command(tmp_path, "anonymize adult.parquet -o rel.parquet", environment=TERMINAL, code=0)
    assert height(brief) <= MOST_LINES
    assert all(len(line) <= 80 for line in brief.err.splitlines() if "duckanon anonymize" not in line)
    warnings = json.loads((tmp_path / "rel.parquet.manifest.json").read_text(encoding="utf-8"))["warnings"]
    assert brief.err.count("warning: ") == len([*dict.fromkeys(text[:20] for text in warnings)]) - 1
    assert "all records of a class" not in brief.err
    verbose = cli("anonymize adult.parquet -o rel.parquet --overwrite -v", code=0)
    assert all(f"warning: {text}" in verbose.err for text in warnings)
    assert {"equivalence classes", "detecting roles", "average re-identification risk"} <= {
        phrase
        for phrase in ("equivalence classes", "detecting roles", "average re-identification risk")
        if phrase in verbose.err and phrase not in brief.err
    }


def test_each_stated_command_gives_what_the_run_says(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "voters.parquet", next(study.table() for study in studies() if study.name == "voters"))
    run = cli("anonymize voters.parquet -o rel.parquet", code=0)
    content = json.loads((tmp_path / "rel.parquet.manifest.json").read_text(encoding="utf-8"))
    alternatives = content["alternatives"]
    choices = stated(run)
    assert choices
    for words, given in choices:
        [entry] = [entry for entry in alternatives if " ".join(words).endswith(entry["options"])]
        other = cli(*words, "--json", code=0).manifest
        loss, rows = other["metrics"]["loss"], other["rows"]["suppressed"]
        if entry["exact"]:
            assert (loss, rows) == (pytest.approx(entry["loss"], abs=1e-12), entry["suppressed"])
            assert f"loss {percent(loss)} instead of {percent(entry['loss_of_release'])}, {rows:,} suppressed" in given
        else:
            assert loss <= entry["loss"]
            assert f"loss at most {percent(entry['loss'])} instead of" in given
    # version 0.2 wrote one alternative
    del content["alternatives"]
    content["alternative"] = {"any_columns": 3, "loss": 0.2, "loss_of_all": 0.6, "unique_records": 7}
    [few] = Manifest.model_validate(content, context=READING).document()["alternatives"]
    assert few == {"options": "--any 3", "any_columns": 3, "loss": 0.2, "loss_of_release": 0.6, "unique_records": 7}


@pytest.mark.parametrize(
    ("line", "width", "lines"),
    [
        ("short", 80, ["short"]),
        ("warning: one two three", 14, ["warning: one", "  two three"]),
        ("  sensitive   occupation, income, diagnosis", 34, ["  sensitive   occupation, income,", "              diagnosis"]),
        ("next: duckanon report a-very-long-name.json", 20, ["next: duckanon report a-very-long-name.json"]),
        ("or duckanon anonymize a -k 3  →  loss 3%", 30, ["or duckanon anonymize a -k 3", "  →  loss 3%"]),
        ("a line of a log stays one line", None, ["a line of a log stays one line"]),
    ],
)
def test_lines_are_wrapped_under_their_last_column_and_commands_stay_whole(
    line: str, width: int | None, lines: Sequence[str]
) -> None:
    assert wrapped(line, width).split("\n") == lines


def test_messages_of_a_kind_are_one_sentence_on_the_screen_and_all_of_them_elsewhere() -> None:
    [alone] = together([Message("a is odd")], "some are odd")
    assert (str(alone), alone.brief) == ("a is odd", "a is odd")
    several = together([Message("a is odd"), Message("b is odd")], "2 columns are odd")
    assert [(str(text), text.brief) for text in several] == [("a is odd", "2 columns are odd"), ("b is odd", "")]


def test_the_demo_of_visits_has_several_rows_for_a_patient_and_is_released_without_names(tmp_path: Path, cli: Cli) -> None:
    for name in ("visits.parquet", "again.parquet"):
        cli("demo visits --rows 600", "-o", name, code=0)
    rows = read_rows(tmp_path / "visits.parquet")
    assert rows == read_rows(tmp_path / "again.parquet")
    patients = {row["patient_id"] for row in rows}
    assert (len(rows), len(patients)) == (600, 300)
    run = cli("anonymize visits.parquet -o rel.parquet --json", code=0)
    assert (run.manifest["persons"]["columns"], run.manifest["persons"]["persons"]) == (["patient_id"], 300)
    released = read_rows(tmp_path / "rel.parquet")
    assert {"patient_id", "note"}.isdisjoint(released[0])
    assert {"diagnosis", "ward", "birth_date"} <= set(released[0])


def test_the_demo_of_a_survey_keeps_its_weight_and_reads_its_codes_as_missing(tmp_path: Path, cli: Cli) -> None:
    cli("demo survey --rows 600", code=0)
    assert {row["trust"] for row in read_rows(tmp_path / "survey.parquet")} == {-9, 1, 2, 3, 4, 5}
    run = run_command(tmp_path, "anonymize survey.parquet -o rel.parquet", environment=TERMINAL, code=0)
    assert height(run) <= MOST_LINES
    manifest = json.loads((tmp_path / "rel.parquet.manifest.json").read_text(encoding="utf-8"))
    assert {"trust", "safety", "health"} <= set(manifest["nulls"])
    assert "weight" in read_rows(tmp_path / "rel.parquet")[0]
    assert "income holds 'NA': if that means missing" in run.err.replace("\n  ", " ")


def test_an_unknown_demo_is_refused_with_the_known_ones(tmp_path: Path, cli: Cli) -> None:
    refused(cli("demo visit"), 2, "'visit'", "did you mean 'visits'?")
    with pytest.raises(JobError, match="demo has no table 'visit'; did you mean 'visits'"):
        workflow.demo(tmp_path / "x.parquet", 5, kind="visit")
    assert not list(tmp_path.iterdir())
