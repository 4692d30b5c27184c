"""The file of a kept workspace. It is made in the private folder, so that a failed run leaves the previous file unchanged."""

import os
from pathlib import Path

import duckdb

from duckanon.engine.journal import identity
from duckanon.engine.scratch import OWNER_ONLY, Scratch
from duckanon.engine.templates import render
from duckanon.errors import JobError, OutputError

SCHEMA = "duckanon"
"""The schema of all our relations."""


class WorkspaceFile:
    """A database in a private folder, which is published when it is complete."""

    def __init__(self, path: Path, scratch: Scratch) -> None:
        _check(path)
        self._path, self._replaced = path, identity(path) if path.exists() else None
        self.staged = scratch.staged_path(path).with_name("workspace.duckdb")

    def publish(self) -> None:
        """Rename the closed database to its final path. It contains original values, so only its owner may read it."""
        current = identity(self._path) if self._path.exists() else None
        if current != self._replaced:
            raise OutputError(
                f"workspace {str(self._path)!r} appeared or changed during the run and was left unchanged; the other outputs of the run are valid"
            )
        self.staged.chmod(OWNER_ONLY)
        self.staged.replace(self._path)


def _check(path: Path) -> None:
    if path.stem.casefold() == SCHEMA:
        raise JobError(
            f"a workspace named {path.name!r} would hide its own schema {SCHEMA!r}; give it another name, for example 'workspace.duckdb'"
        )
    if path.is_dir():
        raise OutputError(
            f"workspace {str(path)!r} is a folder; name a file in it, for example {str(path / 'workspace.duckdb')!r}"
        )
    if not path.absolute().parent.is_dir():
        raise OutputError(f"the folder of workspace {str(path)!r} does not exist; make it first")
    if not os.access(path.absolute().parent, os.W_OK | os.X_OK):
        raise OutputError(f"the folder of workspace {str(path)!r} cannot be written to; choose another")
    if (log := path.with_name(f"{path.name}.wal")).exists():
        raise OutputError(
            f"{str(log)!r} is the log of a killed session on {path.name!r}; open that file once, or move the log away"
        )
    if path.exists() and not _is_ours(path):
        raise OutputError(f"{str(path)!r} exists, is not a duckanon workspace and was left unchanged; name another file")


def _is_ours(path: Path) -> bool:
    """Whether a file contains only a workspace of ours."""
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            tables = connection.execute(render("log/tables", database=None).sql).fetchall()
    except duckdb.Error:
        return False
    # version 0.1 called the index of relations `story`
    indexes = {(SCHEMA, "relations"), (SCHEMA, "story")}
    return bool(indexes & {table[:2] for table in tables}) and {schema for schema, *_ in tables} == {SCHEMA}
