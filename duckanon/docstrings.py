"""The docstrings behind the fields of a class."""

import ast
import inspect
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from textwrap import dedent
from types import ModuleType


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
