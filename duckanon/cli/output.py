"""The only writer of stdout and stderr: data goes to stdout; notes, warnings and errors go to stderr."""

import csv as csv_format
import io
import os
import re
import shlex
import sys
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from duckanon.errors import ExitCode
from duckanon.job.options import Run
from duckanon.observers import Message
from duckanon.reports.summary import alternatives, files, summary

if TYPE_CHECKING:
    from duckanon.release.manifest_model.document import Manifest

PROGRAM = "duckanon"


class Format(StrEnum):
    """Output formats of data."""

    table = "table"
    csv = "csv"
    json = "json"


_UNBOUNDED = 10_000
_COLUMNS, _MOST_LINES = 80, 25
"""The size of a terminal in which a run fits; alternatives that do not fit are for verbose output."""
_COMMAND = re.compile(rf"(next: |or ){PROGRAM} ")
_LAST_COLUMN = re.compile(r".*\S\s{2,}(?=\S)")


def data(text: str) -> None:
    """Write data to stdout; a closed pipe is not an error."""
    try:
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # else Python reports the closed pipe again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def printable(text: str) -> str:
    """A text with escaped control characters, so that a column name cannot move the cursor, set colors or begin a line."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode() for char in text)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[int] = ()) -> str:
    """Aligned columns as plain text; `right` has the positions of the right-aligned columns."""
    lines = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for number, head in enumerate(heads):
        lines.add_column(head, justify="right" if number in right else "left", no_wrap=True)
    for row in rows:
        lines.add_row(*(Text(printable(cell)) for cell in row))
    text = io.StringIO()
    Console(file=text, width=_UNBOUNDED, highlight=False, color_system=None).print(lines)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def csv(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as CSV; None is an empty cell."""
    text = io.StringIO()
    writer = csv_format.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return text.getvalue()


def json(document: Any) -> str:
    """A document as JSON in the format of manifests."""
    from duckanon.release.manifest import dumps

    return dumps(document)


def write_page(path: Path, page: str, *, overwrite: bool) -> None:
    """Write a page that only the account may read."""
    from duckanon.engine.staging import StagedFiles

    with StagedFiles() as staged:
        staged.write(path, page, overwrite=overwrite, is_private=True)
        staged.publish()


def command(*words: object) -> str:
    """A duckanon command, quoted for a shell."""
    return shlex.join([PROGRAM, *map(str, words)])


def error(message: str, *more: str) -> None:
    """Write one line to stderr, and one for each further fault; lines that begin with a space are indented."""
    sys.stderr.write(f"{PROGRAM}: error: {printable(' '.join(message.split()))}\n")
    sys.stderr.writelines(f"{'  ' if line.startswith(' ') else ''}{printable(' '.join(line.split()))}\n" for line in more)


def wrapped(line: str, width: int | None) -> str:
    """A line in lines of at most `width` characters, with the others under its last column; a command to copy stays whole."""
    if width is None or len(line) <= width:
        return line
    if _COMMAND.match(line):
        words, arrow, given = line.partition("  →  ")
        return f"{words}\n{wrapped(f'  →  {given}', width)}" if arrow else line
    column = _LAST_COLUMN.match(line)
    indent = min(len(column[0]), width * 2 // 3) if column else 2
    return fill(
        line,
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
        expand_tabs=False,
    )


def _height(line: str, width: int | None) -> int:
    """The number of lines that a line takes in a terminal, without a width in one of 80 columns."""
    width = width or _COLUMNS
    return sum(max(1, -(-len(part) // width)) for part in wrapped(line, width).split("\n"))


def console() -> Console:
    """The console on stderr, with colors only in a terminal and if `NO_COLOR` is not set."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


class ConsoleObserver:
    """Shows a run on stderr: notes and warnings as lines, scans and search as progress bars on a terminal.

    If it is brief, they and the summary fit in a terminal.
    """

    def __init__(self, *, quiet: bool = False, verbose: bool = False, is_brief: bool = False) -> None:
        self._console = console()
        self._quiet = quiet
        self._verbose = verbose
        self._is_brief = is_brief and not verbose
        self._width = get_terminal_size().columns if self._console.is_terminal or "COLUMNS" in os.environ else None
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._lines = 0
        """The lines of a terminal that notes, warnings and the summary have taken."""
        self.warnings = 0
        """The number of warnings shown."""

    def note(self, message: str, *, is_detail: bool = False) -> None:
        shown = self._shown(message)
        if shown and not self._quiet and (self._verbose or not is_detail):
            self._print(shown)

    def warn(self, message: str) -> None:
        self.warnings += 1
        if shown := self._shown(message):
            self._print(f"warning: {shown}", style="yellow")

    def _shown(self, message: str) -> str:
        return message.brief if isinstance(message, Message) and self._is_brief else message

    def _print(self, line: str, style: str = "") -> None:
        line = printable(line)
        self._lines += _height(line, self._width)
        self._console.print(Text(wrapped(line, self._width), style=style), soft_wrap=True)

    def step(self, relation: str, rows: int | None, seconds: float) -> None:
        if self._verbose:
            self._console.print(
                Text(f"{printable(relation)}: {'a view' if rows is None else f'{rows:,} rows'}, {seconds:.3f} s", style="dim")
            )

    def stage(self, title: str, total: int | None = None) -> None:
        if self._quiet or not self._console.is_terminal:
            return
        columns = [TextColumn("{task.description}"), BarColumn(), TaskProgressColumn()]
        if total is not None:
            columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("nodes visited")]
        self._progress = Progress(*columns, TimeElapsedColumn(), console=self._console, transient=True)
        self._progress.start()
        self._task = self._progress.add_task(title, total=1 if total is None else total)

    def advance(self, done: float) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=done)

    def finish(self) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def summary(self, manifest: "Manifest", run: Run, public_manifest: Path | None, *, command: str = "") -> None:
        """Print the summary of a run, its files and the alternatives to `command`; in verbose mode also the seconds of each step."""
        if self._quiet:
            return
        is_brief = self._is_brief
        lines = ["", *summary(manifest, is_brief=is_brief), *files(manifest, run, public_manifest, is_brief=is_brief)]
        if self._verbose:
            lines.append(f"seconds: {', '.join(f'{step} {value:.2f}' for step, value in manifest.seconds.document().items())}")
        for line in lines:
            self._print(line)
        for line in alternatives(manifest, command):
            if not self._is_brief or self._lines + _height(printable(line), self._width) <= _MOST_LINES:
                self._print(line)


def refuse_warnings(observer: ConsoleObserver, outcome: str) -> None:
    """End a command with `--strict` with exit code 1 if it has shown a warning; `outcome` says what the command has done."""
    if observer.warnings:
        count = "1 warning" if observer.warnings == 1 else f"{observer.warnings:,} warnings"
        error(f"--strict: {count}; {outcome}")
        raise typer.Exit(ExitCode.NOT_MET)
