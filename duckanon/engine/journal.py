"""The journal of a run: its changes outside the private folder, recorded in advance, so that the next run can undo them.

Staged files are published together: either all get their final names, or the previous files stay.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from stat import S_ISDIR
from typing import Any

Identity = tuple[int, ...]
"""The identity of a file: device, inode, size and modification time; for a folder, those of its whole content."""


@dataclass(frozen=True)
class Move:
    """A staged file, its final path, and the backup path of the file that it replaces until all files are published."""

    staged: Path
    final: Path
    backup: Path | None
    """None if the final path is free."""
    identity: Identity
    """The identity of the staged file."""

    def make(self) -> None:
        """Rename the staged file to its final path; raises `FileExistsError` if a file appeared where there was none."""
        if self.staged.is_dir():
            self._make_folder()
        elif self.backup is None:
            self._make_first()
        else:
            try:
                os.link(self.final, self.backup, follow_symlinks=False)
            except OSError:
                # hard links are not supported, or not for files of another account
                self.final.replace(self.backup)
            self.staged.replace(self.final)

    def take_back(self) -> None:
        """Undo the move, unless another process has replaced the file since."""
        is_made = _identity_at(self.final) == self.identity
        if self.backup is None or not os.path.lexists(self.backup):
            if is_made and self.backup is None:
                remove(self.final)
        elif is_made or not os.path.lexists(self.final):
            if self.final.is_dir():
                remove(self.final)
            self.backup.replace(self.final)
        elif not self.backup.is_dir():
            remove(self.backup)

    def _make_folder(self) -> None:
        if os.path.lexists(self.final):
            if self.backup is None:
                raise FileExistsError(self.final)
            self.final.replace(self.backup)
        self.staged.replace(self.final)

    def _make_first(self) -> None:
        try:
            os.link(self.staged, self.final)
        except FileExistsError:
            raise
        except OSError:
            # a file system without hard links
            if os.path.lexists(self.final):
                raise FileExistsError(self.final) from None
            self.staged.replace(self.final)
        else:
            self.staged.unlink()


def identity(path: Path) -> Identity:
    """The identity of a file or folder, which renaming does not change; for a folder, that of its whole content."""
    status = path.lstat()
    if path.is_symlink() or not path.is_dir():
        return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    inside = sorted((inner.relative_to(path).as_posix(), inner.lstat()) for inner in path.rglob("*"))
    contents = [
        (name, stat.st_ino, *([] if S_ISDIR(stat.st_mode) else [stat.st_size, stat.st_mtime_ns])) for name, stat in inside
    ]
    return (status.st_dev, status.st_ino, int(hashlib.sha256(repr(contents).encode()).hexdigest(), 16))


def _identity_at(path: Path) -> Identity | None:
    return identity(path) if os.path.lexists(path) else None


def remove(path: Path) -> None:
    """Remove a file or a folder if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(FileNotFoundError):
        path.unlink()


HIDDEN = re.compile(r"\.duckanon-[0-9a-f]{16}")
"""The names of a run's files outside its private folder. The journal removes no others."""

_NAME = "journal"
_OUTSIDE, _MOVES, _SETTLED = "outside", "moves", "settled"


class Journal:
    """Lines of JSON in a private folder. The last line may be incomplete if the run was killed."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME

    def outside(self, path: Path) -> None:
        """Record that a file or folder of this run is about to be created."""
        self._write({_OUTSIDE: str(path)})

    def moves(self, moves: Sequence[Move]) -> None:
        """Record moves that are about to be made, all or none."""
        self._write({_MOVES: [asdict(move) for move in moves]})

    def settled(self, *, are_made: bool) -> None:
        """Record that all of the last moves were made, so that their backups can be removed, or that all were reverted."""
        self._write({_SETTLED: are_made})

    def undo(self) -> None:
        """Revert unfinished moves, and remove the files outside the private folder."""
        unsettled: list[Move] = []
        backups: list[Path] = []
        places: list[Path] = []
        for line in self._lines():
            if _OUTSIDE in line:
                places += [path for path in [Path(line[_OUTSIDE])] if HIDDEN.fullmatch(path.name)]
            elif _MOVES in line:
                unsettled = [_move(document) for document in line[_MOVES]]
            elif _SETTLED in line:
                backups += [move.backup for move in unsettled if move.backup is not None and line[_SETTLED]]
                unsettled = []
        for move in reversed(unsettled):
            move.take_back()
        for path in (*places, *backups):
            remove(path)

    def _write(self, line: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, default=str) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _lines(self) -> Iterator[dict[str, Any]]:
        if self._path.is_symlink() or not self._path.is_file():
            return
        for line in self._path.read_text(encoding="utf-8").split("\n"):
            try:
                yield json.loads(line)
            except ValueError:
                return


def _move(document: dict[str, Any]) -> Move:
    backup = document["backup"]
    return Move(
        Path(document["staged"]), Path(document["final"]), None if backup is None else Path(backup), tuple(document["identity"])
    )
