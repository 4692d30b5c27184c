"""Whether the input is still the one that was opened."""

from pathlib import Path

from duckanon.dataset.location import Source, locate
from duckanon.errors import DuckanonError, InputError

_Identity = dict[Path, tuple[int, int, int]]
"""By file: inode, size in bytes, time of the last change in nanoseconds."""


class InputFiles:
    """The files of an input as they were at first."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._first = _identity(source)

    def check(self) -> None:
        """Raise `InputError` if a file is gone, new or changed."""
        name = self._source.name
        try:
            now = _identity(locate(name))
        except (DuckanonError, OSError):
            raise InputError(f"{name!r} no longer exists; put it back, or start the studio with another file") from None
        if now != self._first:
            raise InputError(f"{name!r} has changed since the studio opened it; save the job, and start the studio again")


def _identity(source: Source) -> _Identity:
    statuses = {path: path.stat() for path in source.files}
    return {path: (status.st_ino, status.st_size, status.st_mtime_ns) for path, status in statuses.items()}
