"""Virtual environments of other programs, installed from their own locks."""

import fcntl
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.absence import absent
from tests.support.paths import ROOT

PEERS = ROOT / "tests/support/peers"


def programs(lock: Path) -> Path:
    """The folder of programs of an environment with what a lock lists; made once for each lock, in `build/environments`."""
    key = hashlib.sha256(lock.read_bytes() + sys.version.encode()).hexdigest()[:16]
    folder = ROOT / "build" / "environments" / f"{lock.parent.name}-{lock.stem}-{key}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)  # workers of one run, and runs at once
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            command = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--require-hashes", "-r", str(lock)]
            installed = subprocess.run(command, capture_output=True, text=True, check=False)
            if installed.returncode:
                absent(f"{lock.name} cannot be installed: {installed.stderr.strip().splitlines()[-1:]}")
            (folder / "complete").touch()
    return folder / "bin"
