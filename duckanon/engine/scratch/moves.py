"""Publish staged files together: either all get their final names, or the previous files stay."""

import hashlib
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR

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
