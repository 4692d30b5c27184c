"""Persons whom pseudonyms link, with classes that too few share, are left out instead of the whole file refused."""

from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

import duckanon
from duckanon.errors import Infeasible, VerificationFailed
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.settings import keywords_of

K = 5


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    """1,200 visits of 400 patients: each has three in one of four wards, but four patients have moved."""
    random = Random(7)
    rows = []
    for patient in range(400):
        wards = ["north"] * 3 if patient % 4 else ["south"] * 3
        if patient % 100 == 0:
            wards = random.choice([["north", "south", "south"], ["north", "north", "south"]])
        rows += [{"patient": f"patient {patient}", "ward": ward, "cost": random.randrange(90)} for ward in wards]
    return write_parquet(tmp_path / "visits.parquet", rows)


def small_trails(path: Path) -> int:
    """The pseudonyms of the written file whose set of wards fewer than k pseudonyms have."""
    seen = defaultdict(set)
    for row in read_rows(path):
        seen[row["patient"]].add(row["ward"])
    sizes = Counter(map(frozenset, seen.values()))
    return sum(size for size in sizes.values() if size < K)


def released(visits: Path, output: str, **options: Any) -> dict[str, Any]:
    key = visits.with_name("key")
    if not key.exists():
        key.write_text("0123456789abcdef" * 4)
        key.chmod(0o600)
    chosen: dict[str, Any] = {
        "qi": ["ward"],
        "levels": {"ward": 0},
        "hierarchies": {"ward": {"kind": "flat"}},
        "keep": ["cost"],
        "pseudonym": ["patient"],
        "k": K,
        "release": "january",
        "key_file": key,
        "overwrite": True,
    }
    return dict(duckanon.anonymize(visits, visits.with_name(output), **keywords_of(**chosen | options)).manifest)


@pytest.mark.parametrize("options", [{}, {"entity": "patient"}, {"entity": "none"}, {"algorithm": "local", "levels": {}}])
def test_linked_persons_are_suppressed_within_the_limit(visits: Path, options: dict[str, Any]) -> None:
    with pytest.raises((VerificationFailed, Infeasible)) as refusal:
        released(visits, "refused.parquet", **options)
    assert "--set suppression.isolated=true" in str(refusal.value)
    manifest = released(visits, "out.parquet", suppress_isolated=True, **options)
    assert small_trails(visits.with_name("out.parquet")) == 0
    assert manifest["rows"]["suppressed"] == 12
    with pytest.raises(Infeasible, match="12 of them because the release would isolate them"):
        released(visits, "refused.parquet", suppress_isolated=True, max_suppression="11", **options)


def test_a_feed_with_pseudonyms_suppresses_linked_persons(visits: Path, tmp_path: Path) -> None:
    """The first release has no linked person; the next month has some, and `apply` leaves them out, with a register and without."""
    rows = [row for row in read_rows(visits) if int(row["patient"].split()[1]) % 100]
    first, register = write_parquet(tmp_path / "first.parquet", rows), tmp_path / "releases.duckdb"
    released(first, "january.parquet", entity="patient", register=register)
    for output, register_of in (("february.parquet", register), ("march.parquet", None)):
        made = duckanon.apply(
            tmp_path / "january.parquet.manifest.json",
            visits,
            tmp_path / output,
            register=register_of,
            release=output,
            key_file=tmp_path / "key",
        )
        assert made.manifest["rows"]["suppressed"] == 12
        assert small_trails(tmp_path / output) == 0


def test_the_release_can_be_explained_and_reported(visits: Path, cli: Cli) -> None:
    """The saved recoding names the persons who are left out, so its input can be counted again."""
    released(visits, "out.parquet", suppress_isolated=True)
    assert cli("explain", "out.parquet.manifest.json", "--row", "1").out.count("would isolate it") == 1
    assert cli("report", "out.parquet.manifest.json", "--output", "out.html").code == 0
    assert cli("check", "out.parquet", "--manifest", "out.parquet.manifest.json").code == 0
