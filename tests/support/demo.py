"""Demo files, made once per worker and size."""

import shutil
from collections.abc import Callable
from pathlib import Path

from duckanon.workflows import demo

Demo = Callable[[Path, int], Path]
"""Puts a demo file of so many rows at a path, which it returns."""


def cached(folder: Path) -> Demo:
    """Make each file once, in a folder, and copy it from there."""

    def put(path: Path, rows: int) -> Path:
        made = folder / f"{rows}{path.suffix}"
        if not made.exists():
            demo.demo(made, rows)
        return Path(shutil.copyfile(made, path))

    return put
