"""Environments of peers, outside the repository: each is installed once for each lock of `benchmarks/peers`, by name and version."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

LOCKS = Path(__file__).resolve().parents[1] / "peers"


def python_of(lock: str) -> Path:
    """The Python of the environment with what `benchmarks/peers/<lock>.txt` lists; installs it first, which needs a network."""
    path = LOCKS / f"{lock}.txt"
    key = hashlib.sha256(path.read_bytes() + sys.version.encode()).hexdigest()[:16]
    folder = Path(os.environ["DUCKANON_FIELD"]) / "environments" / f"{lock}-{key}"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", path], check=True)
        (folder / "complete").touch()
    return python
