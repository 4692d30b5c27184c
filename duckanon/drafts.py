"""What a run leaves behind, under temporary names until all of it is complete."""

from pathlib import Path
from types import TracebackType
from typing import Self

from duckanon import destination


class Drafts:
    """Files and folders with their final names; leaving the context removes those that never got them."""

    def __init__(self) -> None:
        self._pending: list[tuple[Path, Path, bool]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for draft, _, _ in self._pending:
            destination.discard(draft)

    def of(self, path: Path, *, overwrite: bool) -> Path:
        """The draft for a final name."""
        draft = destination.draft_path(path)
        self._pending.append((draft, path, overwrite))
        return draft

    def publish(self) -> None:
        """Gives every draft its name: those that replace nothing first, taken back where one of them fails."""
        ordered = sorted(self._pending, key=lambda pending: pending[2])
        new: list[Path] = []
        for draft, path, overwrite in ordered:
            try:
                destination.publish(draft, path, overwrite=overwrite)
            except BaseException:
                for published in new:
                    destination.discard(published)
                raise
            if not overwrite:
                new.append(path)
        self._pending.clear()
