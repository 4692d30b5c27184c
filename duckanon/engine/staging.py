"""What a run leaves behind, made in its private folder until all of it is complete."""

import os
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path
from stat import S_ISGID
from types import TracebackType
from typing import Self

from duckanon.engine.scratch import Scratch
from duckanon.engine.scratch.folder import alone_in
from duckanon.engine.scratch.modes import OWNER_ONLY
from duckanon.engine.scratch.moves import Move, identity, remove
from duckanon.errors import OutputError
from duckanon.signals import undisturbed

_EVERYBODY = 0o666


class Drafts:
    """Files and folders on the way to their final names, which they get together or not at all.

    They lie in the private folder of a run, or in one that is made for them in `root`.
    """

    def __init__(self, scratch: Scratch | None = None, *, root: Path | None = None) -> None:
        self._own = ExitStack()
        if scratch is None:
            scratch = Scratch(root)
            self._own.callback(scratch.close)
        self._scratch = scratch
        self._pending: list[tuple[Path, Path, bool]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with undisturbed():
            for draft, _, _ in self._pending:
                remove(draft)
            self._own.close()

    def write(self, path: Path, text: str, *, overwrite: bool, is_private: bool = False) -> Path:
        """A file of text that is to go there, for its owner alone where `is_private`; gives its draft."""
        draft = self.of(path, overwrite=overwrite)
        draft.touch(mode=OWNER_ONLY if is_private else _EVERYBODY)
        draft.write_text(text, encoding="utf-8")
        return draft

    def of(self, path: Path, *, overwrite: bool, is_beside: bool = False) -> Path:
        """A place of the same name where what goes to a path is made; `is_beside`, on the storage where it will lie."""
        draft = self._scratch.draft_of(path, is_beside=is_beside)
        self._pending.append((draft, path, overwrite))
        return draft

    def publish(self) -> None:
        """Gives every draft its name; where one cannot have it, all is as before, and `OutputError` is raised.

        A run that is killed on the way is taken back by the next.
        """
        parents = {final.absolute().parent for _, final, _ in self._pending}
        for draft, _, _ in self._pending:
            _make_lasting(draft)
        with alone_in(parents), undisturbed():
            moves = [self._move(*pending) for pending in sorted(self._pending, key=lambda pending: pending[2])]
            self._scratch.ledger.moves(moves)
            try:
                for move in moves:
                    _make(move)
            except BaseException:
                for move in reversed(moves):
                    move.take_back()
                self._scratch.ledger.settled(are_made=False)
                raise
            for parent in parents:
                _flush(parent)
            self._scratch.ledger.settled(are_made=True)
            for move in moves:
                if move.aside is not None:
                    remove(move.aside)
        self._pending.clear()

    def _move(self, draft: Path, final: Path, overwrite: bool) -> Move:
        final = final.absolute()
        is_taken = os.path.lexists(final)
        if is_taken and not overwrite:
            raise _appeared(final)
        _regroup(draft, final.parent)
        return Move(draft, final, self._scratch.aside_of(final) if is_taken else None, identity(draft))


def _make(move: Move) -> None:
    try:
        move.make()
    except FileExistsError:
        raise _appeared(move.final) from None
    except OSError as error:
        raise OutputError(
            f"output {str(move.final)!r} could not get its name ({error.strerror}); what was there is as it was"
        ) from error


def _appeared(final: Path) -> OutputError:
    return OutputError(f"output {str(final)!r} appeared while the release was made; it was left as it is")


def _make_lasting(draft: Path) -> None:
    """Sees to it that a draft is on the disk before its name is."""
    for path in _all_of(draft):
        _flush(path)


def _regroup(draft: Path, parent: Path) -> None:
    """Gives a draft the group that new files of a shared folder get."""
    place = parent.stat()
    if place.st_mode & S_ISGID:
        for path in _all_of(draft):
            with suppress(OSError):
                os.chown(path, -1, place.st_gid)


def _all_of(draft: Path) -> list[Path]:
    return [*draft.rglob("*"), draft] if draft.is_dir() else [draft]


def _flush(path: Path) -> None:
    # a folder cannot be flushed everywhere
    with suppress(OSError) if path.is_dir() else nullcontext():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
