"""The command line, run in this process in a folder of its own, and what it left there."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.command_line import captured, captured_process

Files = Mapping[str, bytes]
"""The files below a folder, by their paths; a folder without files is its path and a stroke."""


@dataclass(frozen=True)
class Ended:
    """A run that is over, and the folder before and after it."""

    arguments: Sequence[str]
    code: int
    out: bytes
    err: str
    before: Files
    after: Files
    spilled: Sequence[str]
    """What is left where the engine spills to."""

    @property
    def text(self) -> str:
        """All that was printed."""
        return self.out.decode("utf-8", "replace") + self.err

    @property
    def new(self) -> set[str]:
        return set(self.after) - set(self.before)

    @property
    def changed(self) -> set[str]:
        return {name for name, content in self.before.items() if self.after.get(name) != content}


def files_in(folder: Path) -> Files:
    """Everything below a folder."""
    collected = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file():
            collected[name] = path.read_bytes()
        elif path.is_dir() and not any(path.iterdir()):
            collected[f"{name}/"] = b""
    return collected


def lay(folder: Path, files: Files) -> None:
    """Makes a folder that holds these files."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


@contextlib.contextmanager
def fresh(parent: Path) -> Iterator[Path]:
    """An empty folder that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(folder: Path, arguments: Sequence[str], *, apart: bool = False) -> Ended:
    """Runs `duckanon ARGUMENTS` in a folder, as the console script does; apart: in a process of its own."""
    before = files_in(folder)
    with fresh(folder.parent) as spill:
        # no argument of a process can hold a NUL
        typed = [argument.replace("\x00", "") for argument in arguments] if apart else arguments
        run_once = captured_process if apart else captured
        code, out, err = run_once(folder, typed, environment={"TMPDIR": str(spill)})
        left = sorted(path.name for path in spill.iterdir())
    return Ended(arguments, code, out, err, before, files_in(folder), left)
