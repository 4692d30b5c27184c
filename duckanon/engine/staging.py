"""Staging of output files: they are made in the private folder of a run and published when all are complete."""

import os
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path
from stat import S_ISGID
from types import TracebackType
from typing import Self

from duckanon.engine.journal import Move, identity, remove
from duckanon.engine.scratch import OWNER_ONLY, Scratch, exclusive_access
from duckanon.errors import OutputError
from duckanon.signals import block_signals

_EVERYBODY = 0o666


class StagedFiles:
    """Staged files and folders, which get their final names together or not at all.

    They are in the private folder of a run, or in a new one in `root`.
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
        with block_signals():
            for staged, _, _ in self._pending:
                remove(staged)
            self._own.close()

    def write(self, path: Path, text: str, *, overwrite: bool, is_private: bool = False) -> Path:
        """Stage a text file for `path`, with mode 0600 if `is_private`, and return its staged path."""
        staged = self.of(path, overwrite=overwrite)
        staged.touch(mode=OWNER_ONLY if is_private else _EVERYBODY)
        staged.write_text(text, encoding="utf-8")
        return staged

    def of(self, path: Path, *, overwrite: bool, is_beside: bool = False) -> Path:
        """A new staged path with the same file name; with `is_beside`, on the storage of the final path."""
        staged = self._scratch.staged_path(path, is_beside=is_beside)
        self._pending.append((staged, path, overwrite))
        return staged

    def publish(self) -> None:
        """Rename all staged files to their final paths. If one fails, restore all previous files and raise `OutputError`.

        The next run reverts a run that is killed during this.
        """
        parents = {final.absolute().parent for _, final, _ in self._pending}
        for staged, _, _ in self._pending:
            # on the disk before it is renamed
            for path in _all_of(staged):
                _flush(path)
        with exclusive_access(parents), block_signals():
            moves = [self._move(*pending) for pending in sorted(self._pending, key=lambda pending: pending[2])]
            self._scratch.journal.moves(moves)
            try:
                for move in moves:
                    _make(move)
            except BaseException:
                for move in reversed(moves):
                    move.take_back()
                self._scratch.journal.settled(are_made=False)
                raise
            for parent in parents:
                _flush(parent)
            self._scratch.journal.settled(are_made=True)
            for move in moves:
                if move.backup is not None:
                    remove(move.backup)
        self._pending.clear()

    def _move(self, staged: Path, final: Path, overwrite: bool) -> Move:
        final = final.absolute()
        is_taken = os.path.lexists(final)
        if is_taken and not overwrite:
            raise _appeared(final)
        _regroup(staged, final.parent)
        return Move(staged, final, self._scratch.backup_path(final) if is_taken else None, identity(staged))


def _make(move: Move) -> None:
    try:
        move.make()
    except FileExistsError:
        raise _appeared(move.final) from None
    except OSError as error:
        raise OutputError(
            f"output {str(move.final)!r} could not be renamed to its final name ({error.strerror}); the previous files are unchanged"
        ) from error


def _appeared(final: Path) -> OutputError:
    return OutputError(
        f"output {str(final)!r} appeared during the run and was left unchanged; use another name, or --overwrite"
    )


def _regroup(staged: Path, parent: Path) -> None:
    """Give a staged file the group of new files in a folder with the setgid bit."""
    place = parent.stat()
    if place.st_mode & S_ISGID:
        for path in _all_of(staged):
            with suppress(OSError):
                os.chown(path, -1, place.st_gid)


def _all_of(staged: Path) -> list[Path]:
    return [*staged.rglob("*"), staged] if staged.is_dir() else [staged]


def _flush(path: Path) -> None:
    # some systems cannot flush a folder
    with suppress(OSError) if path.is_dir() else nullcontext():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
