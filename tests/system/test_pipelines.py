"""The commands of docs/how-to/pipelines.md, run by Dagster and by Airflow: a release each month, and none where it cannot be made."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.documented.blocks import blocks, commands
from tests.support.documented.reader import Reader
from tests.support.paths import ROOT
from tests.support.rows import read_rows, write_parquet

PAGE = "docs/how-to/pipelines.md"
BLOCKS = list(blocks(PAGE, (ROOT / PAGE).read_text(encoding="utf-8")))
MONTHS = {"dagster": "2026-01", "airflow": "2026-02"}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """The folder of a reader who has done what the page says."""
    reader = Reader(tmp_path_factory.mktemp("page"), lambda _: None)
    for block in BLOCKS:
        reader.read(block)
    return reader


def levels(manifest: Path) -> Any:
    return json.loads(manifest.read_text())["recoding"]["levels"]


@pytest.mark.slow
@pytest.mark.parametrize("program", MONTHS)
def test_each_month_is_released_at_the_levels_of_the_first_release(program: str, page: Reader) -> None:
    release = page.folder / f"people-{MONTHS[program]}.release.parquet"
    assert levels(page.folder / f"{release.name}.manifest.json") == levels(page.folder / "first.parquet.manifest.json")
    assert json.loads((page.folder / f"people-{MONTHS[program]}.public.json").read_text())["rows"]
    assert min(Counter(tuple(row.values()) for row in read_rows(release)).values()) >= 11


@pytest.mark.slow
@pytest.mark.parametrize("program", MONTHS)
def test_a_release_that_cannot_be_made_fails_the_task_and_writes_nothing(program: str, page: Reader) -> None:
    """Most rows have a value that the first release did not have."""
    rows = [{"age": 20 + number % 60, "sex": "Male", "race": "new" if number % 3 else "White"} for number in range(900)]
    write_parquet(page.folder / "people.parquet", rows)
    month = MONTHS[program]
    shell = [block for block in BLOCKS if block.language in ("sh", "console")]
    [command] = [command.text for block in shell for command in commands(block) if month in command.text]
    printed = page.run(command.replace(month, "2026-03"))
    assert page.code != 0, printed
    assert "Infeasible" in printed
    assert not list(page.folder.glob("people-2026-03*"))
