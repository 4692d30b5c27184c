"""Standard output through a pipe."""

from pathlib import Path

import pytest

from tests.support.command_line import captured_process
from tests.support.output_forms import ASKED, EXPECTED, KEPT, ROWS, in_text, rows_in
from tests.support.rows import write_parquet


@pytest.fixture
def people(tmp_path: Path) -> Path:
    return write_parquet(tmp_path / "people.parquet", ROWS)


def test_standard_output_holds_the_same_rows_and_nothing_else(tmp_path: Path, people: Path) -> None:
    code, out, err = captured_process(tmp_path, ["anonymize", people.name, *ASKED, *KEPT, "-o", "-"])
    assert code == 0, err
    assert [path.name for path in tmp_path.iterdir()] == ["people.parquet"]
    (tmp_path / "out.csv").write_bytes(out)
    assert rows_in(in_text(tmp_path, "out.csv", ",")) == EXPECTED


def test_standard_input_goes_to_standard_output_by_default(tmp_path: Path, people: Path) -> None:
    code, out, err = captured_process(tmp_path, ["anonymize", "-", *ASKED, *KEPT], people.read_bytes())
    assert code == 0, err
    assert [path.name for path in tmp_path.iterdir()] == ["people.parquet"]
    (tmp_path / "out.csv").write_bytes(out)
    assert rows_in(in_text(tmp_path, "out.csv", ",")) == EXPECTED
