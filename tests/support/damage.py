"""A file that changes between its writing and its verification."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from duckanon.release import write as release_write


def change_drafts(monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]) -> None:
    """Change the draft of every release after it is written."""
    write = release_write.write

    def written(engine: Any, recoding: Any, draft: Path, *more: Any, **named: Any) -> int:
        rows = write(engine, recoding, draft, *more, **named)
        change(draft)
        return rows

    monkeypatch.setattr(release_write, "write", written)
