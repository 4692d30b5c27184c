"""Direct identifiers inside text: what is refused, dropped, emptied and replaced, and what the file shows."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from duckanon.errors import VerificationFailed
from duckanon.job.options import Options
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize

NOTES = ("Seen by Dr. Maria Kovac today", "call 555-019-2244", "knee pain since Monday", "diet unchanged", None)
HELD = {*NOTES[:2]}
BLANK = ("--set", "columns.note.text=blank")


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_parquet(Path("in.parquet"), rows())


def rows(notes: Sequence[str | None] = NOTES) -> list[dict[str, Any]]:
    return [{"age": 30 + n % 4, "sex": "FM"[n % 2], "note": notes[n % len(notes)], "nurse": n % 3} for n in range(200)]


def released(cli: Cli, *more: str) -> list[Any]:
    cli("anonymize", "in.parquet", "--qi", "age,sex", *more, "-o", "out.parquet", "--overwrite", code=0)
    return [row["note"] for row in read_rows(Path("out.parquet"))]


@pytest.mark.parametrize("role", [["--keep", "note"], ["--sensitive", "note"], ["--others", "keep"]])
def test_text_with_identifiers_is_refused_and_no_value_is_shown(cli: Cli, role: list[str]) -> None:
    run = cli("anonymize", "in.parquet", "--qi", "age,sex", *role, code=2)
    assert "column 'note' is released unchanged, and 50% of its cells hold names of persons, telephone numbers" in run.err
    assert "--set columns.note.text=blank" in run.err
    assert "--set accept=direct-identifiers@note" in run.err
    assert not any(part in run.err for part in ("Kovac", "555"))


def test_accepted_text_is_released_as_it_is(cli: Cli) -> None:
    assert {*released(cli, "--keep", "note", "--set", "accept=direct-identifiers@note")} == {*NOTES}
    assert json.loads(Path("out.parquet.manifest.json").read_text())["accepted"] != []


@pytest.mark.parametrize("role", ["--keep", "--sensitive"])
@pytest.mark.parametrize("more", [(), ("--algorithm", "mondrian")])
def test_cells_with_identifiers_are_empty_and_all_others_stay(cli: Cli, role: str, more: Sequence[str]) -> None:
    shown = released(cli, role, "note", *BLANK, *more)
    assert sorted(map(str, shown)) == sorted(str(None if row["note"] in HELD else row["note"]) for row in rows())
    manifest = json.loads(Path("out.parquet.manifest.json").read_text())
    assert manifest["identifiers"] == {"note": {"treatment": "blanked cells", "blanked": 80, "replaced": 0}}
    cli("explain", "out.parquet.manifest.json", code=0)


def test_detected_roles_drop_text_with_identifiers(cli: Cli) -> None:
    cli("anonymize", "in.parquet", "-o", "out.parquet", code=0)
    assert "note" not in read_rows(Path("out.parquet"))[0]
    reason = json.loads(Path("out.parquet.manifest.json").read_text())["reasons"]["note"]
    assert reason == "free text: 50% of its cells hold names of persons, telephone numbers"


def test_a_file_with_an_identifier_left_is_not_released(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verification reads the written text: here the input holds what the file must not."""
    monkeypatch.setattr("duckanon.search.count.create_records", lambda engine, columns, job: _unblanked(engine, columns, job))
    options = Options(qi=["age", "sex"], keep=["note"], set={"columns.note.text": "blank"})
    with pytest.raises(VerificationFailed, match="'note' of the written file: 50% of its cells hold names of persons"):
        anonymize("in.parquet", options=options, output="out.parquet")
    assert not Path("out.parquet").exists()


def _unblanked(engine: Any, columns: Any, job: Any) -> Any:
    from duckanon.dataset import values
    from duckanon.dataset.missing import MissingRule
    from duckanon.dataset.text_identifiers import replace_texts

    values.create_records(engine, values.records_statement(columns, MissingRule()))
    return replace_texts(engine, columns, job.texts)


def test_new_data_with_identifiers_are_not_released(cli: Cli) -> None:
    write_parquet(Path("first.parquet"), rows(NOTES[2:]))
    cli("anonymize", "first.parquet", "--qi", "age,sex", "--keep", "note", "-o", "out.parquet", code=0)
    run = cli("apply", "out.parquet.manifest.json", "in.parquet", "-o", "next.parquet", code=1)
    assert "in the new data 'note' holds direct identifiers: 50% of its cells hold" in run.err


def test_a_quasi_identifier_that_shows_names_is_warned_of(cli: Cli) -> None:
    run = cli("anonymize", "in.parquet", "--qi", "sex,note", "-o", "out.parquet", code=0)
    assert "the quasi-identifier 'note' may show its values, and 50% of its cells hold names of persons" in run.err


def test_a_checked_file_with_identifiers_gets_a_warning(cli: Cli) -> None:
    Path("job.yaml").write_text(json.dumps({"columns": {"age": {"role": "quasi-identifier"}, "note": {"role": "insensitive"}}}))
    run = cli("check", "in.parquet", "--job", "job.yaml")
    assert "column 'note': 50% of its cells hold names of persons, telephone numbers" in run.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--keep", "nurse", "--set", "columns.nurse.text=blank"),
            "column 'nurse' is BIGINT, and `text: blank` reads text only",
        ),
        (("--keep", "note", "--set", "columns.note.text=hide"), "columns.note.text"),
        (("--identifying", "note", *BLANK), "has a text treatment, but is identifying"),
        (("--qi", "note", *BLANK), "has a text treatment, but is quasi-identifier"),
        (BLANK, "has no role"),
        (("--keep", "note", "--set", "columns.note.text=presidio"), "pip install 'duckanon[text]'"),
    ],
)
def test_bad_input_gets_one_line(cli: Cli, arguments: Sequence[str], message: str) -> None:
    qi = () if "--qi" in arguments else ("--qi", "age,sex")
    run = cli("anonymize", "in.parquet", *qi, *arguments, code=2)
    assert message in run.err
    assert "Traceback" not in run.err


def test_blanked_text_cannot_be_exported_as_sql(cli: Cli) -> None:
    released(cli, "--keep", "note", *BLANK, "--algorithm", "optimal")
    run = cli("sql", "release", "out.parquet.manifest.json", "--dialect", "duckdb", code=2)
    assert "released without direct identifiers inside its text" in run.err


def test_what_presidio_leaves_is_emptied(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """With modules of the same interface, which find names only."""

    class Analyzer:
        def __init__(self, **_: Any) -> None: ...
        def analyze(self, text: str, language: str) -> list[str]:
            return [language] * ("Dr. Maria Kovac" in text)

    class Anonymizer:
        def anonymize(self, text: str, results: list[str]) -> SimpleNamespace:
            return SimpleNamespace(text=text.replace("Dr. Maria Kovac", "<PERSON>") if results == ["en"] else text)

    provider = SimpleNamespace(create_engine=lambda: None)
    parts: dict[str, dict[str, Any]] = {
        "spacy": {"util": SimpleNamespace(get_installed_models=lambda: ["de_x", "en_x"])},
        "tldextract": {"tldextract": SimpleNamespace(), "TLDExtract": lambda **_: None},
        "presidio_analyzer": {"AnalyzerEngine": Analyzer},
        "presidio_analyzer.nlp_engine": {"NlpEngineProvider": lambda **_: provider},
        "presidio_anonymizer": {"AnonymizerEngine": Anonymizer},
    }
    for name, content in parts.items():
        module = ModuleType(name)
        module.__dict__.update(content)
        monkeypatch.setitem(sys.modules, name, module)
    shown = released(cli, "--keep", "note", "--set", "columns.note.text=presidio")
    assert {*shown} == {"Seen by <PERSON> today", None, *NOTES[2:]}
    manifest = json.loads(Path("out.parquet.manifest.json").read_text())
    assert manifest["identifiers"]["note"] == {"treatment": "replaced text", "blanked": 40, "replaced": 40}
