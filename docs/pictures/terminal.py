"""Terminals: a command and what it prints, in the colours that it prints it in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from docs.pictures import runs
from docs.pictures.svg import MONO, SANS, document, figure, rect, text

_ADVANCE, _LEADING, _MARGIN, _BAR = 8.4, 16.5, 18.0, 34.0
_COLOURS = {1: "red", 2: "green", 3: "yellow", 4: "blue", 5: "magenta", 6: "cyan"}
_STYLE = "\n    ".join(
    [
        f"text {{ fill: #d8dee9; font: 14px {MONO}; white-space: pre }}",
        f".title {{ font: 13px {SANS}; fill: #aeb9c6; text-anchor: middle }}",
        ".screen { fill: #1b222a; stroke: #3a4653 } .bar { fill: #29323c } .button { fill: #55626f }",
        ".bold { font-weight: 700 } .dim { fill: #93a1af }",
        ".red { fill: #ef8a84 } .green { fill: #8fca8f } .yellow { fill: #e6c36a }",
        ".blue { fill: #7fb2ee } .magenta { fill: #c9a2e6 } .cyan { fill: #74c7cf }",
    ]
)


@dataclass(frozen=True)
class Terminal:
    """A terminal in which one command is run; a backslash at the end of a line of it continues the command."""

    title: str
    description: str
    command: str
    code: int = 0
    width: int = 100
    blocks: int = 0
    """How many of the blocks between blank lines are shown, with dots for the rest; 0 shows all."""

    def draw(self, folder: Path) -> str:
        printed = runs.run(folder, self.command.replace("\\\n", ""), width=self.width, code=self.code)
        if self.blocks:
            printed = "\n\n".join([*printed.split("\n\n")[: self.blocks], "..."])
        typed = f"$ {self.command}".split("\n")
        return screen(self.title, self.description, self.command.partition(" -")[0], typed, printed, self.width)


@dataclass(frozen=True)
class Query:
    """A Python session in which one query is asked of a workspace."""

    title: str
    description: str
    sql: str
    workspace: str = runs.WORKSPACE
    width: int = 104
    rows: int = 20

    def draw(self, folder: Path) -> str:
        table = runs.shown(folder, self.workspace, self.sql, width=self.width, rows=self.rows)
        quote = '"""' if "\n" in self.sql else '"'
        first, *more = f"work.sql({quote}{self.sql}{quote})".split("\n")
        typed = ['>>> work = duckdb.connect("work.duckdb", read_only=True)', f">>> {first}", *(f"... {line}" for line in more)]
        return screen(self.title, self.description, "python", typed, table, self.width)


def screen(title: str, description: str, bar: str, typed: list[str], printed: str, width: int) -> str:
    """A window with a bar, and a terminal of `width` columns: what is typed and what is printed, parted where it is longer."""
    console = Console(width=width, color_system="standard", force_terminal=True)
    lines = [part for line in _lines(printed) for part in _folded(line, console, width)]
    across = width * _ADVANCE + 2 * _MARGIN
    down = _BAR + (len(typed) + len(lines)) * _LEADING + 2 * _MARGIN - 4
    body = [
        rect(0.5, 0.5, across - 1, down - 1, "screen", round_by=8),
        f'<path class="bar" d="M1 {figure(_BAR)}V8.5a7.5 7.5 0 0 1 7.5-7.5H{figure(across - 8.5)}a7.5 7.5 0 0 1 7.5 7.5V{figure(_BAR)}z"/>',
        *(f'<circle class="button" cx="{20 + 18 * number}" cy="17.5" r="5.5"/>' for number in range(3)),
        text(across / 2, 22, bar, "title"),
    ]
    for number, line in enumerate([*(Text.assemble((line, "green")) for line in typed), *lines]):
        body += _drawn(line, _BAR + _MARGIN + 9 + number * _LEADING, console)
    return document(across, down, title, description, _STYLE, body)


def _lines(content: str) -> list[Text]:
    """The lines of what was printed, without blank ones at either end and without blanks behind them."""
    lines = [Text.from_ansi(line) for line in content.split("\n")]
    for line in lines:
        line.rstrip()
    while not lines[-1]:
        lines.pop()
    return lines


def _folded(line: Text, console: Console, width: int) -> list[Text]:
    """A line of at most `width` columns, or its parts; what follows stands below the line's last column of a table."""
    if line.cell_len <= width:
        return [line]
    indent = max((gap.end() for gap in re.finditer(r"^ +|  +", line.plain)), default=0)
    first, *more = line[indent:].wrap(console, width - indent)
    return [line[:indent] + first, *(Text(" " * indent) + part for part in more)]


def _drawn(line: Text, y: float, console: Console) -> Iterator[str]:
    """A line as one element of text, or none if it is blank. The length is given, so that columns align in every font."""
    plain = line.plain.rstrip()
    if not plain:
        return
    indent = len(plain) - len(plain.lstrip())
    spans = "".join(
        f'<tspan class="{kind}">{escape(content, quote=False)}</tspan>' if kind else escape(content, quote=False)
        for content, kind in _spans(line[indent : len(plain)], console)
    )
    x, length = _MARGIN + indent * _ADVANCE, (len(plain) - indent) * _ADVANCE
    yield f'<text x="{figure(x)}" y="{figure(y)}" textLength="{figure(length)}">{spans}</text>'


def _spans(line: Text, console: Console) -> Iterator[tuple[str, str]]:
    """The parts of a line that are printed in one way, with the classes that say how."""
    for segment in Segment.simplify(line.render(console)):
        yield segment.text, _classes(segment.style)


def _classes(style: Style | None) -> str:
    if style is None:
        return ""
    colour = _COLOURS.get(style.color.number or 0, "") if style.color else ""
    weight = "bold" if style.bold else ""
    return " ".join(filter(None, (weight, colour or ("dim" if style.dim else ""))))
