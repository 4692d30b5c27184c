"""Markdown of the generated pages, and the docstrings behind names of the code."""

import re
from collections.abc import Iterable, Sequence

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
