"""The declaration of an option at its field of a dataclass. Command line, library keywords, job file and reference pages are built from it."""

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from enum import StrEnum
from functools import cache
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import ModuleType, NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from duckanon.errors import JobError

_METADATA = "option"


class Panel(StrEnum):
    """The groups of options in `duckanon anonymize --help-all`."""

    COLUMNS = "Columns"
    REQUIREMENTS = "Privacy requirements"
    SEARCH = "Search"
    OUTPUT = "Output"
    MACHINE = "Machine"


@dataclass(frozen=True)
class Option:
    """What `--help`, the job file and the library need for an option."""

    help: str
    metavar: str | None = None
    panel: Panel | None = None
    key: str | None = None
    """Its key in a job file, such as `recoding.algorithm`."""
    words: Any = None
    """The `Literal` of its values."""
    parse: Callable[[str], Any] | None = None
    """Converts the text of the command line, and the text of a keyword if the option takes a list."""
    example: str | None = None
    """An item for the message about a wrong item; default: the metavar."""
    min: int | None = None
    max: int | None = None
    completion: str | None = None
    """What `cli/parameters.py` completes in a shell."""
    keyword_type: Any = None
    """The type of the library's keyword, if it accepts more than the field."""
    adds_up: Callable[[Any, Any], Any] | None = None
    """The value of a key that is given twice; by default, two values of a key are an error."""
    is_common: bool = False
    """Whether `--help` shows it; `--help-all` shows every option."""
    name: str = ""
    """The name of its field, like `type` and `default` filled in by `declared`."""
    type: Any = None
    default: Any = None

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    @property
    def kind(self) -> Any:
        """The type without None and parameters: `Sequence`, `Mapping`, `Literal`, `bool`, `int`; None for a union of types."""
        kinds = origins(self.type)
        return kinds.pop() if len(kinds) == 1 else None

    @property
    def keyword(self) -> Any:
        """The type of the library's keyword; it accepts a text for a list and for a path."""
        if self.keyword_type is not None:
            return self.keyword_type
        return str | self.type if self.kind in (Sequence, Path) else self.type

    @property
    def takes_many(self) -> bool:
        """Whether the option can be repeated: it takes a list or a mapping, and the values add up."""
        return self.kind in (Sequence, Mapping)

    def read(self, typed: Any) -> Any:
        """Convert typed text, or the texts of an option that takes many, to a value; raises `JobError`."""
        parse = self.parse
        if not self.takes_many:
            return typed if parse is None else parse(typed)
        if self.kind is Sequence:
            return [item for text in typed for item in ([text] if parse is None else parse(text))]
        values: dict[str, Any] = {}
        for name, value in (pair for text in typed for pair in ([self._pair(text)] if parse is None else parse(text))):
            if self.adds_up is not None and name in values:
                values[name] = self.adds_up(values[name], value)
            elif values.setdefault(name, value) != value:
                raise JobError(f"{self.flag} gives {name!r} both {values[name]} and {value}; leave one of them out")
        return values

    def _pair(self, item: str) -> tuple[str, str]:
        name, equals, value = item.rpartition("=")
        example = self.example or str(self.metavar)
        if not equals and not item[:1].isdigit():
            raise JobError(f"{self.flag} {item!r} gives the column no value; write {item}={example.partition('=')[2]}")
        if not equals or not name:
            raise JobError(f"{self.flag} {item!r} names no column; write {example}")
        return name.strip(), value.strip()


def option(
    help: str,
    metavar: str | None = None,
    panel: Panel | None = None,
    key: str | None = None,
    *,
    default: Any = None,
    **more: Any,
) -> Any:
    """A field of a dataclass that is an option."""
    metadata = {_METADATA: Option(help, metavar, panel, key, **more)}
    return field(default_factory=dict, metadata=metadata) if default == {} else field(default=default, metadata=metadata)


def declared(*kinds: type[Any]) -> Mapping[str, Option]:
    """The options of dataclasses by name."""
    options = {}
    for kind in kinds:
        hints = get_type_hints(kind)
        for each in fields(kind):
            if _METADATA in each.metadata:
                default = each.default if each.default_factory is MISSING else each.default_factory()
                options[each.name] = replace(each.metadata[_METADATA], name=each.name, type=hints[each.name], default=default)
    return options


def origins(annotation: Any) -> set[Any]:
    """The types of a union without None and parameters: `Sequence` for `Sequence[str] | None`."""
    parts = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    return {get_origin(part) or part for part in parts} - {NoneType}


def values_of(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the options that a dataclass declares."""
    return {name: values[name] for name in declared(kind) if name in values}


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


def require_type(name: str, value: object, kinds: type | tuple[type, ...], words: str) -> None:
    """Raise `JobError` for an argument of another type. None is allowed; True is not a number."""
    is_odd = isinstance(value, bool) and bool not in (kinds if isinstance(kinds, tuple) else (kinds,))
    if value is not None and (is_odd or not isinstance(value, kinds)):
        raise JobError(f"{name} needs {words}, not {type(value).__name__}")
