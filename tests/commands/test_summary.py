"""The wording of the summary of a run, of its warnings, and of `check`."""

import re
from pathlib import Path
from typing import Any

import pytest

from duckanon.job.prepare import Run
from duckanon.workflows.replay import reopen
from tests.support.command_line import Cli
from tests.support.rows import write_parquet

QI = ("rows.parquet", "-o", "out.parquet", "--qi", "a", "--k", "2")


@pytest.mark.parametrize(("values", "shown"), [("xy", "x, y"), ("xyz", "x, y, ...")])
def test_dots_stand_for_labels_that_are_not_shown(tmp_path: Path, cli: Cli, values: str, shown: str) -> None:
    write_parquet(tmp_path / "rows.parquet", [{"a": f"{value}{number % 2}"} for value in values for number in range(4)])
    (tmp_path / "a.yaml").write_text("kind: redaction\n")
    run = cli("anonymize", *QI, "--hierarchies", "a=a.yaml", "--levels", "a=1", code=0)
    assert f"quasi-identifiers  a → {', '.join(f'{value}*' for value in shown.split(', ')[:2])}" in run.err
    assert (", ..." in run.err) == shown.endswith("...")


def test_figures_of_an_entity_name_its_column(tmp_path: Path, cli: Cli) -> None:
    write_parquet(
        tmp_path / "rows.parquet", [{"hh": number // 2, "a": "xy"[number // 10], "n": number} for number in range(20)]
    )
    run = cli("anonymize", *QI, "--entity", "hh", "--keep", "n", code=0)
    assert "k-anonymity 2  PASS  achieved 5, counted by hh" in run.err
    assert re.search(r"\n +classes with one hh +0 +0\n", run.err)
    assert "sample uniques" not in run.err
    output = cli("check", "out.parquet", "--manifest", "out.parquet.manifest.json").out
    assert "cannot be checked with the file alone: k-anonymity counted by hh" in output
    assert "not part of k: over all 2 columns, retained ones included, every row is unique" in output
    assert "risk of a record, counted by hh: " in cli("check", "rows.parquet", "--qi", "a", "--entity", "hh").out


@pytest.mark.parametrize(
    ("more", "message"),
    [((), "a report lists them (duckanon report)"), (("--report", "x.html"), "the report lists them; limit")],
)
def test_a_warning_names_the_report_of_the_run(tmp_path: Path, cli: Cli, more: tuple[str, ...], message: str) -> None:
    rows: list[dict[str, Any]] = [{"a": "x"}] * 50 + [{"a": "y"}]
    write_parquet(tmp_path / "rows.parquet", rows)
    run = cli("anonymize", *QI, "--levels", "a=0", *more, code=0)
    assert message in run.err


def test_messages_name_the_input_without_detours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    write_parquet(tmp_path / "rows.parquet", [{"a": "x"}] * 5)
    assert cli("anonymize", *QI).code == 0
    monkeypatch.chdir(tmp_path)
    manifest = Path("out.parquet.manifest.json")
    assert reopen(manifest, None, Run()).requested.source.name == "rows.parquet"
    # through a link, the shorter name is another file
    (tmp_path / "link").symlink_to("elsewhere/deep")
    write_parquet(tmp_path / "elsewhere" / "rows.parquet", [{"a": "x"}] * 5)
    assert reopen(manifest, "link/../rows.parquet", Run()).requested.source.name == "link/../rows.parquet"
