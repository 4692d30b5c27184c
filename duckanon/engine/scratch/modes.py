"""Permissions of the private files of a run: only the owner can open them."""

import os
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISVTX, S_IWGRP, S_IWOTH

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
