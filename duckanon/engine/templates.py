"""SQL templates: one SELECT per file, rendered with every name and value quoted."""

import contextlib
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, TemplateError, Undefined
from jinja2.bccache import Bucket

from duckanon.engine import resources
from duckanon.engine.resources import cache_folder, extension_templates
from duckanon.errors import UsageError, did_you_mean

_MOST_JOINED = 24
"""The lookup relations that DuckDB joins at once; other engines plan many joins fast."""

T = TypeVar("T")


@dataclass(frozen=True)
class Statement:
    """One SELECT, ready to run: the relation that it builds, its template, its text, and its parameters."""

    relation: str
    template: str
    sql: str
    parameters: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)


class Terms:
    """A dataclass whose fields are parameters of templates: `render(template, **terms)`."""

    def keys(self) -> list[str]:
        return [each.name for each in fields(self)]  # type: ignore[arg-type]

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)


def ident(name: str) -> str:
    """A user's name as a quoted SQL identifier."""
    if not name or not _is_text(name):
        raise UsageError(f"{name!r} cannot be a name in SQL; rename the column")
    return '"' + name.replace('"', '""') + '"'


def idents(names: Iterable[str], relation: str | None = None) -> str:
    """Names as quoted SQL identifiers, one per line, optionally qualified by a relation."""
    return ",\n    ".join(f"{relation}.{ident(name)}" if relation else ident(name) for name in names)


_QUOTED_OR_BREAK = re.compile(r"""("(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|--[^\n]*)|\n(?=[^\n])""")


def indented(sql: str, width: int = 4) -> str:
    """Indent all lines of SQL except the first. Line breaks inside quoted names and literals stay unchanged."""
    return _QUOTED_OR_BREAK.sub(lambda match: match[1] or "\n" + " " * width, sql)


def backticked(name: str) -> str:
    """A name as Spark quotes it."""
    return "`" + ident(name)[1:-1].replace('""', '"').replace("`", "``") + "`"


def escaped(path: Path) -> str:
    """A path whose `*`, `?` and `[` are escaped, so that a database does not treat them as wildcards."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in str(path))


def literal(value: object) -> str:
    """A value as a SQL literal: text, whole and decimal numbers, booleans, None, and lists and mappings of them."""
    match value:
        case Undefined():
            return str(value)  # StrictUndefined raises an error with the variable's name
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Decimal() if value.is_finite():
            return f"{value:f}"
        case float():
            return repr(value) if math.isfinite(value) else f"cast('{value}' as double)"
        case str() if _is_text(value):
            return "'" + value.replace("'", "''") + "'"
        case list() | tuple():
            return "[" + ", ".join(literal(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    raise UsageError(f"no SQL literal for {value!r}")


def _is_text(text: str) -> bool:
    """Whether SQL can contain the text: no NUL, no half of a surrogate pair."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


class _CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates in the user's cache folder. Compilation takes a fifth of a second and is repeated if the cache is unusable.

    They are bytecode, which runs when it is read.
    """

    def dump_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


@cache
def environment(engine: str | None = None) -> Environment:
    """The Jinja environment of `sql/`: an unknown variable is an error, blocks leave no blank lines.

    For an engine, it looks in `sql/<engine>/` first.
    """
    folder = resources.folder("sql")
    own = [folder] if engine is None else [folder / engine, folder]
    env = Environment(
        loader=FileSystemLoader([*own, *extension_templates()]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,
        auto_reload=False,
        bytecode_cache=_CompiledTemplates(str(compiled)) if (compiled := cache_folder()) is not None else None,
    )
    env.filters["ident"] = ident
    env.filters["idents"] = idents
    env.filters["indent"] = indented
    env.filters["backticked"] = backticked
    env.filters["literal"] = literal
    env.globals["most_joined"] = _MOST_JOINED if engine is None else sys.maxsize
    return env


def render(template: str, relation: str | None = None, /, **parameters: Any) -> Statement:
    """The statement of `sql/<template>.sql`; by default, the relation has the name of the file."""
    try:
        text = environment().get_template(f"{template}.sql").render(parameters)
    except TemplateError as error:
        if not extension_templates():
            raise
        raise UsageError(
            f"template {template!r}, or a template of an extension that it includes, cannot be rendered ({type(error).__name__}: {error}); "
            f"correct it in {', '.join(str(folder) for folder in extension_templates())}"
        ) from error
    return Statement(relation or template.rpartition("/")[2], template, text, parameters)


def rendered_for(engine: str, statement: Statement) -> str:
    """The statement's text with the parts that are written for the engine."""
    return environment(engine).get_template(f"{statement.template}.sql").render(statement.parameters)


def has_own_sql(engine: str, statement: Statement) -> bool:
    """Whether the whole statement is written for an engine, in its dialect."""
    name = statement.template.removeprefix(f"{engine}/")
    return (resources.folder("sql") / engine / f"{name}.sql").is_file()


def catalog() -> dict[str, str]:
    """All templates by name (`folder/relation`), with the meaning of one row."""
    names = sorted(name.removesuffix(".sql") for name in environment().list_templates(["sql"]))
    return {name: row_of(name) for name in names}


def row_of(name: str) -> str:
    """The meaning of one row of a template's relation, from its header."""
    return _source(name).splitlines()[2].removeprefix("-- one row:").strip()


def text(name: str) -> str:
    """The text of a template; raises `UsageError` with the nearest name."""
    known = [known.removesuffix(".sql") for known in environment().list_templates(["sql"])]
    if name not in known:
        raise UsageError(f"no template is named {name!r}{did_you_mean(name, known) or '; duckanon sql list prints the names'}")
    return _source(name)


def _source(name: str) -> str:
    jinja = environment()
    return jinja.loader.get_source(jinja, f"{name}.sql")[0]  # type: ignore[union-attr]


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in parts of `size`, the last of what is left: the time to plan a statement grows with the square of its columns."""
    return (items[start : start + size] for start in range(0, len(items), size))
