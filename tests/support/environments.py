"""Other programs that tests run, each installed from its own lock by `make programs`: virtual environments, and npm packages."""

import hashlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.absence import absent
from tests.support.interpreters import interpreters
from tests.support.paths import ROOT

THIS = Path(sys.executable)
PEERS = ROOT / "tests/support/peers"
AXE = PEERS / "axe/package-lock.json"
WHEEL = PEERS / "wheel.txt"
"""What the wheel of duckanon needs; a part of requirements.lock."""


def programs(lock: Path, python: Path = THIS) -> Path:
    """The folder of programs of the environment of an interpreter with what a lock lists.

    The test is skipped, and fails in CI, if there is none.
    """
    folder = _place(lock, python)
    if not (folder / "complete").exists():
        absent(f"the programs of {lock.name} are not installed for {python.name}: make programs")
    return folder / "bin"


def axe() -> Path:
    """The script of axe-core, which checks a page for accessibility; the test is skipped, and fails in CI, if it is not installed."""
    script = _place(AXE) / "node_modules/axe-core/axe.min.js"
    if not script.exists():
        absent("axe-core is not installed: install npm, then make programs")
    return script


def install_npm(lock: Path) -> None:
    """Install the npm packages that a `package-lock.json` pins, once for each lock; needs a network. Without npm, nothing is installed."""
    npm = shutil.which("npm")
    folder = _place(lock)
    if npm is None or (folder / "complete").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("package.json", lock.name):
        shutil.copy(lock.with_name(name), folder)
    subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
    (folder / "complete").touch()


def install(lock: Path, python: Path = THIS) -> None:
    """Install what a lock lists for an interpreter, once for each lock; needs a network."""
    folder = _place(lock, python)
    if (folder / "complete").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", folder], check=True)
    command = [
        str(folder / "bin" / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-compile",
        "--require-hashes",
        "-r",
        str(lock),
    ]
    subprocess.run(command, check=True)
    (folder / "complete").touch()


def _place(lock: Path, python: Path = THIS) -> Path:
    version = (
        sys.version if python == THIS else subprocess.check_output([python, "-c", "import sys; print(sys.version)"], text=True)
    )
    key = hashlib.sha256(lock.read_bytes() + version.strip().encode()).hexdigest()[:16]
    return ROOT / "build" / "environments" / f"{lock.parent.name}-{lock.stem}-{key}"


if __name__ == "__main__":
    # each waits for a network most of the time
    with ThreadPoolExecutor(max_workers=3) as together:
        running = [together.submit(install, path) for path in sorted(PEERS.glob("*.txt"))]
        running += [together.submit(install, WHEEL, interpreter) for interpreter in interpreters().values()]
        running.append(together.submit(install_npm, AXE))
    for each in running:
        each.result()
