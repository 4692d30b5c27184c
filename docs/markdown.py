"""Markdown of the generated pages, and the docstrings behind names of the code."""

import ast
import inspect
import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from textwrap import dedent
from types import ModuleType

_CODE = re.compile(r"(`[^`]*`)")
_MARKS = re.compile(r"[\\*]|<(?=[\w/!])|(?<!\w)_")


def prose(text: str) -> str:
    """Plain text of one line, so that only its code spans are markup."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(part if part.startswith("`") else _MARKS.sub(r"\\\g<0>", part) for part in parts)


def code(text: str) -> str:
    """A code span."""
    return f"`{text}`"


def codes(texts: Iterable[str]) -> str:
    """Several, parted by commas."""
    return ", ".join(map(code, texts))


def fenced(text: str, language: str = "") -> str:
    """A block of code."""
    return f"```{language}\n{text.strip()}\n```"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, without the columns that are empty; cells are Markdown of one line, of which a bar stays one."""
    filled = [(head, cells) for head, *cells in zip(heads, *rows, strict=True) if any(cells)]
    lines = zip(*((head, "---", *cells) for head, cells in filled), strict=True)
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def definitions(entries: Iterable[tuple[str, str]]) -> str:
    """A list of terms with their meanings, in Markdown of one line each."""
    return "\n".join(f"- {term}: {meaning}" if meaning else f"- {term}" for term, meaning in entries)


def page(*blocks: str) -> str:
    """Blocks with a blank line between them."""
    return "\n\n".join(block for block in blocks if block) + "\n"


def anchor(heading: str) -> str:
    """What a link to a heading ends in, on a forge and in MyST."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@cache
def docstrings(owner: type | ModuleType) -> dict[str, str]:
    """The docstrings behind the names that a class or a module gives values to."""
    body: Sequence[ast.stmt] = ast.parse(dedent(inspect.getsource(owner))).body
    if isinstance(owner, type):
        body = body[0].body if isinstance(body[0], ast.ClassDef) else ()
    by_name: dict[str, str] = {}
    for first, other in pairwise(body):
        target = (
            first.target if isinstance(first, ast.AnnAssign) else first.targets[0] if isinstance(first, ast.Assign) else None
        )
        if isinstance(target, ast.Name) and isinstance(other, ast.Expr) and isinstance(other.value, ast.Constant):
            by_name[target.id] = str(other.value.value)
    return by_name
