"""A disk that is full or read-only: said in one line, nothing left, nothing lost. Needs the right to mount."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from duckanon.people import demo
from tests.conftest import Cli


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("no right to mount a file system here")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_full_disk_leaves_the_old_output_alone(tmp_path: Path, small_disk: Path, cli: Cli) -> None:
    demo(tmp_path / "adult.parquet", 400_000)
    (small_disk / "out.parquet").write_bytes(b"old")
    run = cli(
        "anonymize",
        "adult.parquet",
        "--qi",
        "age,sex",
        "--others",
        "keep",
        "-o",
        small_disk / "out.parquet",
        "--overwrite",
        "-q",
    )
    assert run.code == 3
    assert "no space left on the device" in run.err.splitlines()[-1]
    assert [path.name for path in small_disk.iterdir()] == ["out.parquet"]
    assert (small_disk / "out.parquet").read_bytes() == b"old"


def test_a_read_only_disk_is_refused_before_any_work(tmp_path: Path, small_disk: Path, cli: Cli) -> None:
    demo(tmp_path / "adult.parquet", 1_000)
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    run = cli("anonymize", "adult.parquet", "-o", small_disk / "out.parquet")
    assert run.code == 3
    assert "cannot be written to" in run.err
