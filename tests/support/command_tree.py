"""Every command of the command line, and its parameters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import typer

from duckanon.cli import app


@dataclass(frozen=True)
class Command:
    """A command by its words, and the parameters that it has."""

    words: tuple[str, ...]
    parameters: Sequence[Any]
    node: Any
    """The command of Typer."""


def _walked(node: Any, words: tuple[str, ...] = ()) -> list[Command]:
    inside = getattr(node, "commands", None)
    if not inside:
        return [Command(words, node.params, node)]
    return [entry for name, below in inside.items() for entry in _walked(below, (*words, name))]


ALL = _walked(typer.main.get_command(app.app))
"""Every command of the application."""
