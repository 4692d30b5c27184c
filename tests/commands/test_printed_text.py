"""What commands print for people has no control character of a column or a value: it could color, hide or move the text."""

from pathlib import Path

import pytest

from tests.support.command_line import Cli
from tests.support.rows import write_parquet

AWKWARD = "\x1b[31mred\nline"
COMMANDS = {
    "explain": ("explain", "out.parquet.manifest.json"),
    "explain row": ("explain", "out.parquet.manifest.json", "--row", "1"),
    "risk": ("risk", "in.parquet", "--qi", f'"{AWKWARD}"', "--sets", f'"{AWKWARD}"'),
    "profile": ("profile", "in.parquet"),
    "check": ("check", "in.parquet", "--qi", f'"{AWKWARD}"', "--show-values"),
    "hierarchy check": ("hierarchy", "check", "flat.yaml", "--data", "in.parquet", "--column", AWKWARD),
    "hierarchy show": ("hierarchy", "show", "flat.yaml", "--data", "in.parquet", "--column", AWKWARD),
}


@pytest.fixture
def released(tmp_path: Path, cli: Cli) -> Path:
    write_parquet(tmp_path / "in.parquet", [{AWKWARD: f"\x1b[{number % 3}m\r", "other": number % 2} for number in range(30)])
    (tmp_path / "flat.yaml").write_text("kind: flat\n", encoding="utf-8")
    cli("anonymize", "in.parquet", "--qi", f'"{AWKWARD}"', "--k", "2", "-o", "out.parquet", code=0)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_text_has_no_control_characters(released: Path, cli: Cli, name: str) -> None:
    run = cli(*COMMANDS[name], cwd=released, code=0)
    assert "\\x1b[" in run.out
    assert not {character for character in run.out + run.err if not character.isprintable()} - {"\n"}
    assert not any(line.startswith("line") for line in run.out.splitlines())
