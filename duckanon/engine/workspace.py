"""The file of a kept workspace: made beside its final name, so that a run that fails leaves the old one."""

import contextlib
import os
import secrets
from pathlib import Path

import duckdb

from duckanon.errors import JobError, OutputError
from duckanon.templates import render

SCHEMA = "duckanon"
"""Schema of every relation that we build."""


class WorkspaceFile:
    """A database under a temporary name, which it keeps until it is finished."""

    def __init__(self, path: Path) -> None:
        _check(path)
        self._path = path
        self.draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")

    def publish(self) -> None:
        """Gives the closed database its name."""
        self.draft.replace(self._path)

    def discard(self) -> None:
        """Removes what is left under the temporary name."""
        for name in (self.draft.name, f"{self.draft.name}.wal"):
            with contextlib.suppress(FileNotFoundError):
                self.draft.with_name(name).unlink()


def _check(path: Path) -> None:
    if path.stem.casefold() == SCHEMA:
        raise JobError(
            f"a workspace called {path.name!r} would hide its own schema {SCHEMA!r}; give it another name, say 'workspace.duckdb'"
        )
    if not path.absolute().parent.is_dir():
        raise OutputError(f"the folder of workspace {str(path)!r} does not exist; make it first")
    if not os.access(path.absolute().parent, os.W_OK | os.X_OK):
        raise OutputError(f"the folder of workspace {str(path)!r} cannot be written to; choose another")
    if path.exists() and not _is_ours(path):
        raise OutputError(f"{str(path)!r} exists and is no workspace of duckanon's; it was left as it is, name another file")


def _is_ours(path: Path) -> bool:
    """Whether a file holds a story of ours, and nothing of anybody else's."""
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            tables = connection.execute(render("log/tables", database=None).sql).fetchall()
    except duckdb.Error:
        return False
    return (SCHEMA, "story") in tables and {schema for schema, _ in tables} == {SCHEMA}
