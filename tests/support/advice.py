"""The advice in the sources: message texts with an instruction for the reader."""

import ast
import re
from collections.abc import Iterator

from tests.support.paths import ROOT

_VERBS = (
    "accept add ask bring cast choose close convert correct cut declare drop end fetch free generalize give install keep leave "
    "link list lower make mend move name normalize open pad put quote raise release rename repair require restrict round run save say search "
    "send set show start take unnest use write"
)
ADVISES = re.compile(rf"(?:^|[;:(] |, or |, and |(?:where|if) [^,;]+, )(?:{'|'.join(_VERBS.split())})\b(?! \|)")
"""Text that begins with an imperative, or goes on with one behind a semicolon, a colon, a bracket or an `or`."""

_SQL = re.compile(r"^(?:set|drop|cast|create|select|attach|detach|unnest)\b.*[{(=']", re.IGNORECASE)
_HELP = ("help", "epilog", "description")
_DECLARATIONS = ("Option", "takes")
"""What declares options with their help, and says which of them a command takes."""


def advice() -> dict[str, str]:
    """Every text in the sources that advises, with `{}` for what is filled in, and its place."""
    collected: dict[str, str] = {}
    for path in sorted((ROOT / "duckanon").rglob("*.py")):
        for text, line in _texts(ast.parse(path.read_text(encoding="utf-8"))):
            if ADVISES.search(text) and " " in text.strip() and not (path.parent.name == "engine" and _SQL.match(text)):
                collected.setdefault(text, f"{path.relative_to(ROOT)}:{line}")
    return collected


def _texts(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The texts of a module, without docstrings, the strings behind attributes, and the help of options."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        if isinstance(node, ast.keyword) and node.arg in _HELP:
            skipped.update(map(id, ast.walk(node)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _DECLARATIONS:
            skipped.update(map(id, ast.walk(node)))
        if isinstance(node, ast.JoinedStr):
            skipped.update(map(id, node.values))
    for node in ast.walk(tree):
        if id(node) not in skipped and (text := _text(node)) is not None:
            yield text, node.lineno  # type: ignore[attr-defined]


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def not_followed() -> dict[str, str]:
    """Advice that no test follows, by its text, with the reason."""
    collected: dict[str, str] = {}
    reason = ""
    for line in (ROOT / "tests" / "support" / "advice_not_followed.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = line.removeprefix("# ")
        elif line:
            collected[ast.literal_eval(line)] = reason
    return collected
