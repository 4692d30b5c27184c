"""The command line: in this process, which costs no start of an interpreter, or in a process of its own."""

import contextlib
import functools
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer

from duckanon.cli import app

ENVIRONMENT = {"COLUMNS": "2000", "PYTHONIOENCODING": "utf-8"}

_command = functools.cache(typer.main.get_command)


@dataclass(frozen=True)
class Finished:
    """A finished run of the command line: its exit code, and what it wrote to stdout and stderr."""

    code: int
    out: str
    err: str

    @property
    def manifest(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.out)
        return document


Cli = Callable[..., Finished]
"""Runs `duckanon ARGUMENTS` in a folder, by default the test's own."""


def run_command(
    folder: Path,
    *arguments: str | Path,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    code: int | None = None,
) -> Finished:
    """Run `duckanon ARGUMENTS` in a folder, in this process; it must end with `code`, if that is given."""
    return _finished(captured(folder, _words(arguments), stdin, {**ENVIRONMENT, **(environment or {})}), code)


def captured(
    folder: Path, arguments: Sequence[str], stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> tuple[int, bytes, str]:
    """The exit code, stdout and stderr of a run in this process, as the console script would give them."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", write_through=True)
    with (
        # Typer builds its commands anew for each run, which a process of its own does once
        patch.object(typer.main, "get_command", _command),
        patch.dict(os.environ, environment or {}),
        patch.object(sys, "argv", ["duckanon", *arguments]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")),
        patch.object(tempfile, "tempdir", (environment or {}).get("TMPDIR", tempfile.tempdir)),
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = app.run()
    return int(code), out.buffer.getvalue(), err.buffer.getvalue().decode()


def run_process(
    folder: Path,
    *arguments: str | Path,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    code: int | None = None,
) -> Finished:
    """Run `duckanon ARGUMENTS` in a folder, in a process of its own; it must end with `code`, if that is given."""
    return _finished(captured_process(folder, _words(arguments), stdin, {**ENVIRONMENT, **(environment or {})}), code)


_OPTION = re.compile(r"--?[a-z][a-z-]* ")


def _words(arguments: Sequence[str | Path]) -> list[str]:
    """The words of a command line: the command, and each option, may stand with others in one text, separated by blanks."""
    command, *others = map(str, arguments)
    return [*command.split(), *(word for text in others for word in (text.split() if _OPTION.match(text) else [text]))]


def _finished(ended: tuple[int, bytes, str], code: int | None) -> Finished:
    run = Finished(ended[0], ended[1].decode(), ended[2])
    assert code in (None, run.code), run.err
    return run


def captured_process(
    folder: Path, arguments: Sequence[str], stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> tuple[int, bytes, str]:
    """The exit code, stdout and stderr of a run in a process of its own."""
    finished = subprocess.run(
        [sys.executable, "-m", "duckanon", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": os.pathsep.join(sys.path), **(environment or {})},
    )
    return finished.returncode, finished.stdout, finished.stderr.decode("utf-8", "replace")


def without_warnings(errors: str) -> list[str]:
    """The lines on stderr that are not part of a warning, whose further lines are indented."""
    return re.sub(r"^warning: .*\n(?:  .*\n)*", "", errors, flags=re.MULTILINE).splitlines()


def refused(run: Finished, code: int, *phrases: str, narrates: bool = False) -> None:
    """Assert that a run ended with an exit code and one line on stderr that holds every phrase, and printed no data.

    `narrates`: notes and warnings of the run may stand before that line.
    """
    assert run.code == code, run.err
    *narration, error = run.err.splitlines()
    assert error.startswith("duckanon: error: "), run.err
    assert narrates or not narration, run.err
    assert not [line for line in narration if line.startswith("duckanon: error: ")], run.err
    assert "Traceback" not in run.err
    assert "internal error" not in run.err
    assert run.out == ""
    assert "secret" not in run.err
    for phrase in phrases:
        assert phrase in error, run.err
