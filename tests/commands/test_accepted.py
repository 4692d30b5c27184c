"""Risks that a job accepts: `accept`: CASE[@COLUMN]."""

from pathlib import Path

import pytest

from duckanon.job.accepted import CASES
from tests.support.command_line import Cli


@pytest.fixture
def visits(tmp_path: Path) -> list[str]:
    rows = "\n".join(f"{person % 7},{person % 2}" for person in range(70))
    (tmp_path / "visits.csv").write_text(f"age,sex\n{rows}\n")
    return ["anonymize", str(tmp_path / "visits.csv"), "--qi", "age,sex", "--overwrite"]


def test_an_accepted_case_is_stated(visits: list[str], cli: Cli) -> None:
    cases = [f"--set=accept={case}@age" for case in CASES] + [f"--set=accept={case}" for case in CASES]
    summary = cli(*visits, *cases).err
    assert all(f"age: {meaning}" in summary and f"; {meaning}" in summary for meaning in CASES.values())
    manifest = cli(*visits, *cases, "--json").manifest
    assert manifest["accepted"] == [case.removeprefix("--set=accept=") for case in cases]


@pytest.mark.parametrize(
    ("text", "named"), [("linked", "linked-rows"), ("linked-rows@agee", "age"), ("linked-rows@", "CASE@COLUMN")]
)
def test_an_unknown_case_or_column_is_refused(visits: list[str], cli: Cli, text: str, named: str) -> None:
    done = cli(*visits, "--set", f"accept={text}", code=2)
    assert named in done.err
