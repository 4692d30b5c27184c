"""The fenced blocks of a page, and the commands in them."""

import doctest
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from duckanon.cli.app import app

_FENCE = re.compile(r"(`{3,})(\{[^}]*\}.*|\S*)")
_MARK = re.compile(r"<!-- (not run|file|afresh)(?:: (.+))? -->")
_CODE = re.compile(r"# .*\bexit code (\d+)")
_BETWEEN = set("|&;()<>")

VARIABLE = {
    "seconds of the parts of a run": r"(?<=\b(?:count|write|total) )\d+\.\d\d\b|(?<=\b(?:search|verify) )\d+\.\d\d\b",
    "a SHA-256": r"\b[0-9a-f]{64}\b",
}
"""What may differ between what a page shows and what is printed."""


@dataclass(frozen=True)
class Block:
    """A fenced block, with what the comments directly before it say.

    `<!-- not run: REASON -->`; `<!-- file: NAME -->`, which a reader saves; `<!-- afresh -->`, no sequel of the blocks before.
    """

    place: str
    language: str
    text: str
    marks: Mapping[str, str]


@dataclass(frozen=True)
class Command:
    """A command of a shell, what a page shows of its output, and the exit code that it names."""

    text: str
    shown: str = ""
    code: int = 0


def blocks(page: str, text: str) -> Iterator[Block]:
    """All fenced blocks of a page's text but for the directives of MyST, in order."""
    marks: dict[str, str] = {}
    lines = iter(enumerate(text.splitlines(), start=1))
    for number, line in lines:
        place = f"{page}:{number}"
        if mark := _MARK.fullmatch(line):
            marks[mark[1]] = mark[2] or ""
        elif fence := _FENCE.fullmatch(line):
            ticks, language = fence.groups()
            inside = "".join(f"{line}\n" for line in _until(ticks, lines))
            if not language.startswith("{") or language.startswith("{code"):
                yield Block(place, language, inside, marks)
            marks = {}
        else:
            assert not line.lstrip().startswith(("```", "~~~")), (
                f"{place}: a block begins at the margin, with its language alone"
            )
            assert not marks, f"{place}: a mark stands directly before its block"


def commands(block: Block) -> list[Command]:
    """The commands of a `sh` or `console` block; a line that ends with a backslash is one with the next."""
    collected: list[Command] = []
    lines = iter(block.text.splitlines())
    for line in lines:
        is_command = line.startswith("$ ") if block.language == "console" else bool(line) and not line.startswith("#")
        if is_command:
            text = line.removeprefix("$ ")
            while text.endswith("\\"):
                text = f"{text}\n{next(lines)}"
            code = _CODE.search(text)
            collected.append(Command(text, code=int(code[1]) if code else 0))
        elif block.language == "console":
            assert collected, f"{block.place}: output without a command"
            collected[-1] = replace(collected[-1], shown=f"{collected[-1].shown}{line}\n")
    return collected


def agrees(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed: `...` stands for anything, as in a doctest; blanks count as one."""
    return doctest.OutputChecker().check_output(_steady(shown), _steady(printed), doctest.ELLIPSIS)


def misuses(text: str) -> Iterator[str]:
    """What the command line refuses of the duckanon commands in a line of shell, none of which is run."""
    for line in text.replace("\\\n", " ").splitlines():
        if "duckanon " in line:
            yield from _misuses_of_line(line)


def _misuses_of_line(line: str) -> Iterator[str]:
    words = shlex.shlex(line, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    command: list[str] = []
    for word in [*words, ";"]:
        if set(word) <= _BETWEEN:
            if command and Path(command[0]).name == "duckanon":
                yield from _misuse(command[1:])
            command = []
        else:
            command.append(word)


def _until(ticks: str, lines: Iterator[tuple[int, str]]) -> Iterator[str]:
    for _, line in lines:
        if line == ticks:
            return
        yield line


def _steady(text: str) -> str:
    for pattern in VARIABLE.values():
        text = re.sub(pattern, "0", text)
    return "".join(f"{' '.join(line.split())}\n" for line in text.splitlines())


def _misuse(arguments: list[str]) -> Iterator[str]:
    command = typer.main.get_command(app)
    for leaf in _leaves(command):
        leaf.callback = _nothing
    try:
        command(arguments, standalone_mode=False)
    except typer.TyperException as error:
        yield f"duckanon {' '.join(arguments)}: {error.format_message()}"


def _leaves(command: Any) -> Iterator[Any]:
    """The commands below one that has some."""
    subordinate = getattr(command, "commands", None)
    if subordinate is None:
        yield command
    else:
        for entry in subordinate.values():
            yield from _leaves(entry)


def _nothing(**_: object) -> None:
    pass
