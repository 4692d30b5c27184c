"""One folder for a run alone: what spills, what is half-written, what is read from standard input.

It is locked while its run lives. The folder of a run that was killed is not: the next run finds it, undoes what its ledger tells,
and removes it.
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
from stat import S_ISREG

from duckanon.engine.scratch.ledger import Ledger
from duckanon.engine.scratch.modes import OWNER_ONLY, OWNER_ONLY_FOLDER, is_private
from duckanon.errors import OutputError
from duckanon.signals import undisturbed

try:
    import fcntl
except ImportError:  # no such locks on this system: nothing of another run is touched there
    fcntl = None  # type: ignore[assignment]

_PREFIX = "duckanon-"
_NAMED = re.compile(rf"{_PREFIX}[a-z0-9_]{{8}}")
_LOCK = "lock"
_LASTING = Path("/var/tmp")
_MARK = b"duckanon\n"
"""What stands in a lock, so that no folder of another program is taken for one of ours."""
_PATIENCE = 10
"""Seconds to wait for another run that gives files their names, which takes it milliseconds."""


class Scratch:
    """A private folder, mode 0700, in `root` or where the system keeps temporary files; `close` removes it."""

    def __init__(self, root: Path | None = None) -> None:
        """Raises `OutputError` where no folder can be made."""
        usual = usual_root()
        try:
            with undisturbed():
                self.path, held = _made(root or usual)
                sign = None if root is None else usual / self.path.name
                # also at the end of a process that did not come to closing it
                self.close = weakref.finalize(self, _close, self.path, held, sign, os.getpid())
        except OSError as error:
            place = f"--temp-directory {str(root)!r}" if root is not None else f"the folder {str(usual)!r} for temporary files"
            hint = "" if root is not None else "; name another with --temp-directory"
            raise OutputError(f"{place} cannot be used: {error.strerror}{hint}") from error
        self.ledger = Ledger(self.path)
        self._homes: dict[Path, Path] = {}
        if sign is not None:
            with suppress(OSError):
                # where a run looks that is given no --temp-directory
                sign.symlink_to(self.path)
        self.cleared = sum(_cleared(path) for place in {root or usual, usual} for path in _others(place, self.path))
        """Folders of killed runs that were found and removed."""

    def home_for(self, path: Path, *, is_beside: bool = False) -> Path:
        """A private folder from which a file gets to `path` in one step; raises `OutputError` where nothing can.

        This one, unless it lies on another file system, or `is_beside` asks for one that lies where the file will.
        """
        parent = path.absolute().parent
        if parent not in self._homes:
            try:
                home = self.path if not is_beside and self._reaches(parent) else self._beside(parent)
            except OSError as error:
                raise OutputError(
                    f"the folder {str(parent)!r} of the output cannot be written to ({error.strerror}); choose another"
                ) from error
            self._homes[parent] = home
        return self._homes[parent]

    @property
    def homes(self) -> list[Path]:
        """The private folders of this run."""
        return list(dict.fromkeys([self.path, *self._homes.values()]))

    def draft_of(self, path: Path, *, is_beside: bool = False) -> Path:
        """Where a file or folder of the same name can be made before it takes its place."""
        folder = self.home_for(path, is_beside=is_beside) / secrets.token_hex(8)
        folder.mkdir(mode=OWNER_ONLY_FOLDER)
        return folder / path.name

    def aside_of(self, path: Path) -> Path:
        """Where what has a name now is kept while another takes it; a folder beside it, so that it is not lost with this one."""
        if path.is_dir() and not path.is_symlink():
            return path.with_name(f".{_PREFIX}{secrets.token_hex(8)}.old")
        return self.draft_of(path)

    def _reaches(self, parent: Path) -> bool:
        """Whether a file of this folder can be renamed into another; raises `OSError` where no file can be there."""
        probe, landing = self.path / "probe", parent / f".{_PREFIX}{secrets.token_hex(8)}"
        self.ledger.outside(landing)
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
        home = parent / f".{_PREFIX}{secrets.token_hex(8)}"
        self.ledger.outside(home)
        home.mkdir(mode=OWNER_ONLY_FOLDER)
        return home


def _close(path: Path, held: int, sign: Path | None, process: int) -> None:
    """Removes the folder of a run, and what lies outside; not in a process that was forked from it."""
    if os.getpid() != process:
        return
    with undisturbed():
        with suppress(OSError):
            # where something cannot be undone, the folder stays for the next run
            Ledger(path).undo()
            _remove(path)
        os.close(held)
        if sign is not None and not path.exists():
            with suppress(OSError):
                sign.unlink()


@contextmanager
def alone_in(folders: set[Path]) -> Iterator[None]:
    """Waits until no other run gives files their names in these folders; not for ever, since whoever may read a folder can lock it."""
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
    """`TMPDIR`, else `/var/tmp`, which is on a disk where `/tmp` may be memory, and outlives a restart; else what Python takes."""
    if named := next(filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP"))), None):
        return Path(named)
    return _LASTING if os.access(_LASTING, os.W_OK | os.X_OK) else Path(tempfile.gettempdir())


def _made(root: Path) -> tuple[Path, int]:
    """A new folder, and the handle that holds its lock; made again where another run took it for one that is left over."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root)).absolute()
        with suppress(FileNotFoundError, BlockingIOError):
            handle = _locked(path, os.O_CREAT | os.O_EXCL)
            os.write(handle, _MARK)
            return path, handle


def _locked(path: Path, flags: int = 0) -> int:
    """A handle that holds the lock of a folder; raises `BlockingIOError` where another run does, `FileNotFoundError` where it is gone."""
    lock = path / _LOCK
    handle = os.open(lock, os.O_RDWR | flags, OWNER_ONLY)
    try:
        _lock(handle)
        is_there = os.path.samestat(os.fstat(handle), lock.stat())
    except OSError as error:
        # a file system without locks: nobody takes the folder of another there
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
    """Folders in `root` that look like ours and are not this one, also where a sign points to one elsewhere."""
    if fcntl is None:
        return
    with suppress(OSError):
        for path in sorted(root.iterdir()):
            if _NAMED.fullmatch(path.name) and path.name != own.name and path.lstat().st_uid == os.geteuid():
                yield path


def _cleared(path: Path) -> bool:
    """Removes what a killed run left; leaves alone what a living one has, and what is none of ours."""
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
        # killed before it had a lock
        path.rmdir()
        return False
    if not _is_marked(path):
        return False
    with suppress(OSError):
        handle = _locked(path)
        try:
            Ledger(path).undo()
            _remove(path)
        finally:
            os.close(handle)
        return True
    return False


def _is_marked(path: Path) -> bool:
    """Whether its lock is one of ours; one that is still empty stands alone."""
    lock = path / _LOCK
    with suppress(OSError):
        text = lock.read_bytes() if S_ISREG(lock.lstat().st_mode) else None
        return text == _MARK or (text == b"" and [inside.name for inside in path.iterdir()] == [_LOCK])
    return False


def _remove(path: Path) -> None:
    """Removes a folder, its lock last: where this is stopped, the next run goes on with it."""
    with suppress(OSError):
        for inside in path.iterdir():
            if inside.name != _LOCK:
                if inside.is_dir():
                    shutil.rmtree(inside, ignore_errors=True)
                else:
                    inside.unlink()
    shutil.rmtree(path, ignore_errors=True)
