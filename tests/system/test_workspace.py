"""Ctrl-C while a workspace is written."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.demo import Demo

NAMED = ("--qi", "age,sex,race,marital-status", "--others", "keep", "--keep", "fnlwgt")


@pytest.mark.parametrize("moment", ["early", "while writing"])
def test_ctrl_c_leaves_nothing_and_exits_130(tmp_path: Path, moment: str, demo: Demo) -> None:
    demo(tmp_path / "adult.parquet", 1_000_000)
    shutil.rmtree(tmp_path / "spill", ignore_errors=True)
    (tmp_path / "spill").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "duckanon", "anonymize", "adult.parquet", *NAMED, "--temp-directory", "spill"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    time.sleep(0.8)
    while (
        moment == "while writing"
        and process.poll() is None
        and not list((tmp_path / "spill").rglob("adult.anonymized.parquet"))
    ):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert b"Traceback" not in errors
    assert b"interrupted" in errors
    assert sorted(path.name for path in tmp_path.iterdir()) == ["adult.parquet", "spill"]
    assert not list((tmp_path / "spill").iterdir())
