"""Runs the blocks of a page, in order, in one folder."""

import contextlib
import csv
import doctest
import io
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import yaml

from duckanon.hierarchy import spec
from duckanon.job import file, policy
from duckanon.job.model import Job
from duckanon.job.policy import Policy
from tests.support.documented.blocks import Block, Command, agrees, commands, misuses
from tests.support.environments import PEERS, programs
from tests.support.paths import ROOT

PEERS_OF_PAGES = ("airflow", "dagster", "dbt")
"""Other programs that pages call; each has an environment of its own (`make programs`), without which its page is skipped."""
WORKSPACE = "work.duckdb"
_JOB = {name.replace("_", "-") for name in Job.model_fields}
_POLICY = {name.replace("_", "-") for name in Policy.model_fields}
_OTHERS_YAML = ({"on", "jobs"}, {"stages"}, {"sources"}, {"releases"}, {"repos"})


class Reader:
    """Reads a page; `lay` puts the files that it speaks of into a new folder."""

    def __init__(self, folder: Path, lay: Callable[[Path], None]) -> None:
        self._root = folder
        self._lay = lay
        self.code = 0
        self._saved: dict[str, str] = {}
        self._programs = folder / "programs"
        self._programs.mkdir()
        program = self._programs / "duckanon"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m duckanon "$@"\n')
        program.chmod(0o755)
        self._begin()

    def read(self, block: Block) -> None:
        """Does what the block shows, or only looks at its commands where it is not to be run."""
        if "not run" in block.marks:
            if block.language in ("sh", "console"):
                self._look(block)
            return
        if "afresh" in block.marks:
            self._begin()
        if name := block.marks.get("file"):
            self._saved[name] = block.text
            self._save(name)
            if name.endswith(".py"):
                return  # a later command starts the program that reads it
        doers: dict[str, Callable[[Block], None]] = {
            "console": self._shell,
            "sh": self._shell,
            "python": self._python,
            "yaml": self._yaml,
            "sql": self._sql,
            "sql+jinja": _saved,
            "json": lambda block: json.loads(block.text),
            "toml": _toml,
            "csv": _table,
        }
        assert block.language in doers, f"{block.place}: a block of {block.language or 'no language'} is never run"
        doers[block.language](block)

    def _begin(self) -> None:
        self.folder = self._root / f"folder-{len(list(self._root.iterdir()))}"
        self.folder.mkdir()
        self._names: dict[str, Any] = {"__name__": "__main__"}
        self._lay(self.folder)
        for name in self._saved:
            self._save(name)

    def _save(self, name: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._saved[name], encoding="utf-8")

    def _look(self, block: Block) -> None:
        assert not (wrong := [misuse for command in commands(block) for misuse in misuses(command.text)]), (
            f"{block.place}: {wrong}"
        )

    def _shell(self, block: Block) -> None:
        given = commands(block)
        for command, following in zip(given, [*given[1:], Command("")], strict=True):
            printed = self.run(command.text)
            where = f"{block.place}: {command.text}\nended with {self.code} and printed:\n{printed}"
            assert self.code == command.code or following.text == "echo $?", where
            assert not command.shown or agrees(command.shown, printed), f"{where}\nin place of:\n{command.shown}"

    def run(self, command: str) -> str:
        """What a command prints; `code` is its exit code."""
        finished = subprocess.run(
            ["bash", "-o", "pipefail", "-c", f"(exit {self.code})\n{command}"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=600,
            env=self._environment(command),
        )
        self.code = finished.returncode
        return finished.stdout

    def _environment(self, command: str) -> Mapping[str, str]:
        given = {name: value for name, value in os.environ.items() if not name.startswith("DUCKANON_")}
        peers = [programs(PEERS / f"{name}.txt") for name in PEERS_OF_PAGES if re.search(rf"(^|&& ){name} ", command)]
        return {
            **given,
            "PATH": os.pathsep.join(
                [str(self._programs), str(Path(sys.executable).parent), *map(str, peers), os.environ["PATH"]]
            ),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
            "DAGSTER_DISABLE_TELEMETRY": "1",
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "PYTHONPATH": str(ROOT),
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": "1000",
        }

    def _python(self, block: Block) -> None:
        """A session, where it has prompts, must show what Python prints; a program must end."""
        with contextlib.chdir(self.folder):
            if not block.text.startswith(">>>"):
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(block.text, block.place, "exec"), self._names)
                return
            session = doctest.DocTestParser().get_doctest(block.text, self._names, block.place, None, 0)
            output = io.StringIO()
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            failed = runner.run(session, out=output.write, clear_globs=False).failed
            self._names |= session.globs
        assert not failed, f"{block.place}:\n{output.getvalue()}"

    def _yaml(self, block: Block) -> None:
        """A job or a part of one, a hierarchy, or what another program reads; of that, commands of ours are looked at."""
        path = self.folder / f"{block.place.rpartition('/')[2].replace(':', '-')}.yaml"
        path.write_text(block.text, encoding="utf-8")
        content = yaml.safe_load(block.text)
        if "kind" in content:
            spec.load(path)
        elif "name" in content and set(content) <= _POLICY:
            policy.load(path)
        elif set(content) <= _JOB:
            file.checked(file.with_policy(file.read(path), self.folder), block.place)
        else:
            # YAML takes `on` for true
            keys = {"on" if key is True else key for key in content}
            assert any(keys >= known for known in _OTHERS_YAML), f"{block.place}: YAML of no known kind"
            assert not (wrong := [misuse for text in _texts(content) for misuse in misuses(text)]), f"{block.place}: {wrong}"
        path.unlink()

    def _sql(self, block: Block) -> None:
        """On the workspace, where the page made one; files are those of the folder."""
        workspace = self.folder / WORKSPACE
        given = (str(workspace), True) if workspace.exists() else (":memory:", False)
        with duckdb.connect(given[0], read_only=given[1]) as connection, contextlib.chdir(self.folder):
            for statement in connection.extract_statements(block.text):
                connection.execute(statement).fetchall()


def _toml(block: Block) -> None:
    tomllib.loads(block.text)


def _saved(block: Block) -> None:
    """A template is run by the program that it is saved for."""
    assert "file" in block.marks, f"{block.place}: a template that is not saved is never run"


def _table(block: Block) -> None:
    widths = {len(row) for row in csv.reader(io.StringIO(block.text), delimiter=";")}
    assert len(widths) == 1, f"{block.place}: rows of {sorted(widths)} cells"


def _texts(content: object) -> Iterator[str]:
    """Every text in a document."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, Mapping):
        for value in content.values():
            yield from _texts(value)
    elif isinstance(content, list):
        for value in content:
            yield from _texts(value)
