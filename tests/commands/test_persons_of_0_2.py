"""Manifests and saved recodings of version 0.2, which counted rows, or persons by one column that it chose by its name."""

import json
from pathlib import Path

import pytest

from duckanon.release import manifest as manifests
from tests.support.command_line import Cli
from tests.support.dyads import dyads
from tests.support.rows import write_parquet

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
    run = cli("apply", released, "in.parquet", "-o", "new.parquet", "--max-suppression", "100%", code=0)
    assert OLD in run.err
    applied = json.loads((tmp_path / "new.parquet.manifest.json").read_text(encoding="utf-8"))
    assert set(applied["persons"]["columns"]) == {"subject_id", "partner_id"}
    assert applied["privacy"][0]["achieved"] >= 8
    assert applied["rows"]["suppressed"] > 0
    named = cli("apply", released, "in.parquet", "-o", "named.parquet", "--entity", "partner_id", code=0)
    assert OLD not in named.err


def test_check_says_so(cli: Cli, released: Path) -> None:
    run = cli("check", "out.parquet", "--manifest", released, "--strict", code=1)
    assert len([line for line in run.err.splitlines() if OLD in line]) == 1
    as_of_0_2(released, {"counted": "rows", "chosen": None})
    assert "version 0.2 counted rows" in cli("check", "out.parquet", "--manifest", released).err


@pytest.mark.parametrize("command", ["explain", "report"])
def test_the_release_is_repeated_as_it_was_counted(cli: Cli, released: Path, command: str) -> None:
    assert cli(command, released).code == 0
