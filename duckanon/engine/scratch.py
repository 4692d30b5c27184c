"""The private folder of a run, for temporary files, unfinished output, and data from standard input.

A lock protects it during its run. The folder of a killed run is unlocked: the next run finds it, undoes what its journal lists,
and removes it. Only the owner can open private files.
"""

import errno
import os
import re
import secrets
import shutil
import tempfile
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISREG, S_ISVTX, S_IWGRP, S_IWOTH

from duckanon.engine.journal import Journal
from duckanon.errors import OutputError
from duckanon.signals import block_signals, postpone_signals

try:
    import fcntl
except ImportError:  # this system has no such locks: folders of other runs are left unchanged
    fcntl = None  # type: ignore[assignment]

_PREFIX = "duckanon-"
_NAMED = re.compile(rf"{_PREFIX}[a-z0-9_]{{8}}")
_LOCK = "lock"
_LASTING = Path("/var/tmp")
_MARK = b"duckanon\n"
"""The content of a lock file, so that folders of other programs are not mistaken for ours."""
_PATIENCE = 10
"""Maximum seconds to wait for another run to publish its files, which usually takes milliseconds."""


class Scratch:
    """A private folder, mode 0700, in `root` or in the system's folder for temporary files; `close` removes it."""

    def __init__(self, root: Path | None = None) -> None:
        """Raises `OutputError` if the folder cannot be made."""
        usual = usual_root()
        try:
            with postpone_signals():
                self.path, held = _made(root or usual)
                sign = None if root is None else usual / self.path.name
                # also at the exit of a process that did not call it
                self.close = weakref.finalize(self, _close, self.path, held, sign, os.getpid())
        except OSError as error:
            place = f"--temp-directory {str(root)!r}" if root is not None else f"the folder {str(usual)!r} for temporary files"
            hint = "" if root is not None else "; name another with --temp-directory"
            raise OutputError(f"{place} cannot be used: {error.strerror}{hint}") from error
        self.journal = Journal(self.path)
        self._folders: dict[Path, Path] = {}
        if sign is not None:
            with suppress(OSError):
                # the place where a run without --temp-directory looks
                sign.symlink_to(self.path)
        self.cleared = sum(_cleared(path) for place in {root or usual, usual} for path in _others(place, self.path))
        """The number of folders of killed runs that were removed."""

    def staging_folder_for(self, path: Path, *, is_beside: bool = False) -> Path:
        """A private folder from which a file can be renamed to `path`; raises `OutputError` if there is none.

        The private folder of the run, unless the file is on another file system or `is_beside` asks for a folder beside the file.
        """
        parent = path.absolute().parent
        if parent not in self._folders:
            try:
                folder = self.path if not is_beside and self._reaches(parent) else self._beside(parent)
            except OSError as error:
                raise OutputError(
                    f"the folder {str(parent)!r} of the output cannot be written to ({error.strerror}); choose another"
                ) from error
            self._folders[parent] = folder
        return self._folders[parent]

    @property
    def folders(self) -> list[Path]:
        """The private folders of this run."""
        return list(dict.fromkeys([self.path, *self._folders.values()]))

    def staged_path(self, path: Path, *, is_beside: bool = False) -> Path:
        """A new path with the same file name, for making a file or folder before it is published."""
        folder = self.staging_folder_for(path, is_beside=is_beside) / secrets.token_hex(8)
        folder.mkdir(mode=OWNER_ONLY_FOLDER)
        return folder / path.name

    def backup_path(self, path: Path) -> Path:
        """A path for the backup of a file that is to be replaced. The backup of a folder is beside it, so that it survives this folder."""
        if path.is_dir() and not path.is_symlink():
            return path.with_name(f".{_PREFIX}{secrets.token_hex(8)}.old")
        return self.staged_path(path)

    def _reaches(self, parent: Path) -> bool:
        """Whether a file of this folder can be renamed into another folder; raises `OSError` if no file can be created there."""
        probe, landing = self.path / "probe", parent / f".{_PREFIX}{secrets.token_hex(8)}"
        self.journal.outside(landing)
        probe.touch()
        try:
            probe.rename(landing)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            return False
        landing.unlink()
        return True

    def _beside(self, parent: Path) -> Path:
        folder = parent / f".{_PREFIX}{secrets.token_hex(8)}"
        self.journal.outside(folder)
        folder.mkdir(mode=OWNER_ONLY_FOLDER)
        return folder


def _close(path: Path, held: int, sign: Path | None, process: int) -> None:
    """Remove the folder of a run and its files in other places. Does nothing in a forked process."""
    if os.getpid() != process:
        return
    with block_signals():
        with suppress(OSError):
            # if something cannot be undone, the folder stays for the next run
            Journal(path).undo()
            _remove(path)
        os.close(held)
        if sign is not None and not path.exists():
            with suppress(OSError):
                sign.unlink()


@contextmanager
def exclusive_access(folders: set[Path]) -> Iterator[None]:
    """Wait until no other run publishes files in these folders. The wait is limited, because any account that can read a folder can lock it."""
    held: list[int] = []
    deadline = time.monotonic() + _PATIENCE
    try:
        for folder in sorted(folders):
            with suppress(OSError):
                held.append(os.open(folder, os.O_RDONLY))
                while not _is_locked(held[-1]) and time.monotonic() < deadline:
                    time.sleep(0.02)
        yield
    finally:
        for handle in held:
            os.close(handle)


def usual_root() -> Path:
    """`TMPDIR`, else `/var/tmp`, which is on disk even if `/tmp` is in memory, and survives a restart; else Python's default."""
    if named := next(filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP"))), None):
        return Path(named)
    return _LASTING if os.access(_LASTING, os.W_OK | os.X_OK) else Path(tempfile.gettempdir())


def _made(root: Path) -> tuple[Path, int]:
    """Create a folder and return it with its lock handle. Tries again if another run removed it as a leftover."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root)).absolute()
        with suppress(FileNotFoundError, BlockingIOError):
            handle = _locked(path, os.O_CREAT | os.O_EXCL)
            os.write(handle, _MARK)
            return path, handle


def _locked(path: Path, flags: int = 0) -> int:
    """A handle that locks a folder; raises `BlockingIOError` if another run holds the lock, `FileNotFoundError` if the folder is gone."""
    lock = path / _LOCK
    handle = os.open(lock, os.O_RDWR | flags, OWNER_ONLY)
    try:
        _lock(handle)
        is_there = os.path.samestat(os.fstat(handle), lock.stat())
    except OSError as error:
        # a file system without locks: no run removes the folder of another
        if not flags or isinstance(error, BlockingIOError | FileNotFoundError):
            os.close(handle)
            raise
        return handle
    if not is_there:
        os.close(handle)
        raise FileNotFoundError(lock)
    return handle


def _lock(handle: int) -> None:
    if fcntl is not None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_locked(handle: int) -> bool:
    try:
        _lock(handle)
    except BlockingIOError:
        return False
    return True


def _others(root: Path, own: Path) -> Iterator[Path]:
    """Folders in `root` with names like ours, except this one, including those to which a link in `root` points."""
    if fcntl is None:
        return
    with suppress(OSError):
        for path in sorted(root.iterdir()):
            if _NAMED.fullmatch(path.name) and path.name != own.name and path.lstat().st_uid == os.geteuid():
                yield path


def _cleared(path: Path) -> bool:
    """Remove what a killed run left. Leaves folders of active runs and of other programs unchanged."""
    if path.is_symlink():
        target = path.readlink()
        is_removed = target.name == path.name and is_private(target) and _cleared(target)
        if target.parent.exists() and not target.exists():
            with suppress(OSError):
                path.unlink()
        return is_removed
    if not is_private(path):
        return False
    with suppress(OSError):
        # killed before it made a lock
        path.rmdir()
        return False
    if not _is_marked(path):
        return False
    with suppress(OSError):
        handle = _locked(path)
        try:
            Journal(path).undo()
            _remove(path)
        finally:
            os.close(handle)
        return True
    return False


def _is_marked(path: Path) -> bool:
    """Whether its lock is one of ours. A folder with an empty lock must contain nothing else."""
    lock = path / _LOCK
    with suppress(OSError):
        text = lock.read_bytes() if S_ISREG(lock.lstat().st_mode) else None
        return text == _MARK or (text == b"" and [inside.name for inside in path.iterdir()] == [_LOCK])
    return False


def _remove(path: Path) -> None:
    """Remove a folder, its lock last, so that the next run can continue an interrupted removal."""
    with suppress(OSError):
        for inside in path.iterdir():
            if inside.name != _LOCK:
                if inside.is_dir():
                    shutil.rmtree(inside, ignore_errors=True)
                else:
                    inside.unlink()
    shutil.rmtree(path, ignore_errors=True)


OWNER_ONLY, OWNER_ONLY_FOLDER = 0o600, 0o700


def is_private(path: Path) -> bool:
    """Whether it is a folder of this account with mode 0700, and not a symbolic link."""
    with suppress(OSError):
        status = path.lstat()
        return S_ISDIR(status.st_mode) and S_IMODE(status.st_mode) == OWNER_ONLY_FOLDER and status.st_uid == os.geteuid()
    return False


def is_out_of_reach(path: Path) -> bool:
    """Whether only this account and root can replace a path, including through the folders above it."""
    with suppress(OSError):
        return all(_is_guarded(folder.stat()) for folder in path.resolve().parents)
    return False


def _is_guarded(status: os.stat_result) -> bool:
    is_open = bool(status.st_mode & (S_IWGRP | S_IWOTH)) and not status.st_mode & S_ISVTX
    return status.st_uid in (0, os.geteuid()) and not is_open
