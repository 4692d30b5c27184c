"""Drafts that take their final names together: all of them, or what was there before stays."""

import hashlib
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR

Identity = tuple[int, ...]
"""What tells a file from another that took its name: device, inode, size and when it was written; of a folder, of all that is in it."""


@dataclass(frozen=True)
class Move:
    """A draft, the name that it takes, and where what has that name is kept until all have theirs."""

    draft: Path
    final: Path
    aside: Path | None
    """None where nothing has it."""
    identity: Identity
    """Of the draft."""

    def make(self) -> None:
        """Gives the draft its name; raises `FileExistsError` where there was nothing to replace and now there is."""
        if self.draft.is_dir():
            self._make_folder()
        elif self.aside is None:
            self._make_first()
        else:
            try:
                os.link(self.final, self.aside, follow_symlinks=False)
            except OSError:
                # no hard links, or none to the file of another account
                self.final.replace(self.aside)
            self.draft.replace(self.final)

    def take_back(self) -> None:
        """Makes it as if the move had never begun, as far as nobody else has taken the name since."""
        is_made = _identity_at(self.final) == self.identity
        if self.aside is None or not os.path.lexists(self.aside):
            if is_made and self.aside is None:
                remove(self.final)
        elif is_made or not os.path.lexists(self.final):
            if self.final.is_dir():
                remove(self.final)
            self.aside.replace(self.final)
        elif not self.aside.is_dir():
            remove(self.aside)

    def _make_folder(self) -> None:
        if os.path.lexists(self.final):
            if self.aside is None:
                raise FileExistsError(self.final)
            self.final.replace(self.aside)
        self.draft.replace(self.final)

    def _make_first(self) -> None:
        try:
            os.link(self.draft, self.final)
        except FileExistsError:
            raise
        except OSError:
            # a file system without hard links
            if os.path.lexists(self.final):
                raise FileExistsError(self.final) from None
            self.draft.replace(self.final)
        else:
            self.draft.unlink()


def identity(path: Path) -> Identity:
    """Stays as it is when a file or folder gets another name; of a folder it is that of all that is in it."""
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
    """Removes a file or a folder, if there is one."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    with suppress(FileNotFoundError):
        path.unlink()
