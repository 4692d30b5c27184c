"""The Python interpreters of this machine, of which the installed wheel is tested with one for each version that duckanon supports."""

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.paths import ROOT

PROGRAM = "import ensurepip, sys; print(sys.implementation.name, *sys.version_info[:2], sys.executable)"
"""Fails where a Python cannot make virtual environments, as Debian's without the package `python3-venv`."""


@cache
def interpreters() -> dict[str, Path]:
    """By version (`3.12`), the first interpreter that can make virtual environments: those on PATH, then those of pyenv."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = int(project["requires-python"].removeprefix(">=3."))
    usable: dict[str, Path] = {}
    for program in [*_on_path(), *_of_pyenv()]:
        ran = subprocess.run([program, "-c", PROGRAM], capture_output=True, text=True, check=False)
        answer = re.fullmatch(r"cpython 3 (\d+) (.+)", ran.stdout.strip())
        # pyenv's own programs on PATH fail where no version is chosen
        if ran.returncode == 0 and answer and int(answer[1]) >= oldest:
            usable.setdefault(f"3.{answer[1]}", Path(answer[2]))
    return usable


def _on_path() -> Iterator[Path]:
    for folder in os.get_exec_path():
        yield from (path for path in sorted(Path(folder).glob("python3*")) if re.fullmatch(r"python3(\.\d+)?", path.name))


def _of_pyenv() -> Iterator[Path]:
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(root.glob("versions/3.*/bin/python"))
