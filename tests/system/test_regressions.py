"""Pipes that close and Ctrl-C late in a run."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from duckanon.dataset import destination
from tests.support.demo import Demo

NAMED = ("--qi", "age,sex,race,marital-status")


def test_a_reader_that_has_gone_does_not_undo_a_release(tmp_path: Path, demo: Demo) -> None:
    demo(tmp_path / "adult.parquet", 1_000)
    command = f"{sys.executable} -m duckanon anonymize adult.parquet --json -q | true; echo ${{PIPESTATUS[0]}}"
    finished = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert finished.stdout.strip() == "0", finished.stderr


def test_ctrl_c_late_in_a_run_leaves_either_all_or_nothing(tmp_path: Path, demo: Demo) -> None:
    """Whenever it comes, the old release with its manifest and recoding stands, or the new one with its own."""
    demo(tmp_path / "adult.parquet", 200_000)
    arguments = [
        sys.executable,
        "-m",
        "duckanon",
        "anonymize",
        "adult.parquet",
        *NAMED,
        "-o",
        "out.parquet",
        "--overwrite",
        "-q",
    ]
    started = time.perf_counter()
    subprocess.run(arguments, cwd=tmp_path, check=True, capture_output=True)
    seconds = time.perf_counter() - started
    for step in range(12):
        process = subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.PIPE, env=dict(os.environ))
        time.sleep(seconds * (0.55 + 0.04 * step))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        manifest: dict[str, Any] = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
        digest = subprocess.run(
            ["sha256sum", "out.parquet"], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.split()[0]
        assert manifest["output"]["sha256"] == digest
        assert manifest["saved_recoding"]["sha256"] == destination.file_sha256(tmp_path / "out.parquet.recoding")
        assert not list(tmp_path.glob(".*"))
