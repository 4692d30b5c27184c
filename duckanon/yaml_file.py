"""YAML files, read within size limits, with the line of every key and value; and readable messages for the errors of pydantic models."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import yaml

from duckanon.errors import UsageError, did_you_mean

_LARGEST = 1 << 20
_DEEPEST = 200
# libyaml reads ten times as fast; wheels of PyYAML contain it
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_NO_FOLDING = 2**31 - 1
"""The longest line that libyaml takes."""


class _TextLoader(_LOADER):  # type: ignore[misc]
    """Reads every plain value except `null` as text."""

    yaml_implicit_resolvers: ClassVar = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag == "tag:yaml.org,2002:null"]
        for first, resolvers in _LOADER.yaml_implicit_resolvers.items()
    }


@dataclass(frozen=True)
class YamlFile:
    """The content of a file, and its YAML nodes with line numbers."""

    content: Any
    node: yaml.Node

    def line(self, place: Sequence[str]) -> int:
        """The line of the deepest part of a place (keys, and indexes in lists) that the file contains."""
        node, line = self.node, self.node.start_mark.line + 1
        for part in place:
            below = {key: (value, at) for key, value, at in _children(node)}
            if part not in below:
                break
            node, line = below[part]
        return line

    def repeated(self) -> Iterator[tuple[int, str]]:
        """Yield line and place of each repeated key of a mapping; YAML would silently keep the last."""
        yield from _repeated(self.node, ())

    def texts(self, place: Sequence[str] = ()) -> Iterator[tuple[str, int]]:
        """Yield every key and value below a place, as written, with its line."""
        node = self.node
        for part in place:
            node = next((value for key, value, _ in _children(node) if key == part), node)
        yield from _texts(node)


def read(path: Path, noun: str, error: type[UsageError], *, as_text: bool = False) -> YamlFile:
    """Read a file; with `as_text` every value is its text (`NO` is not a boolean, `01` is not a number).

    Raises `error` if the file does not exist, is larger than 1 MiB, is not YAML, is nested deeper than 200 levels, or uses
    aliases, which can expand a few lines to any size.
    """
    name = f"{noun} {str(path)!r}"
    try:
        if path.stat().st_size > _LARGEST:
            raise error(f"{name} is larger than 1 MiB of YAML; is it a {noun}?")
        text = path.read_text(encoding="utf-8-sig")
        _check_shape(text, name, error)
        loader = (_TextLoader if as_text else _LOADER)(text)
        try:
            node = loader.get_single_node()
            content = loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except FileNotFoundError as failure:
        raise error(f"no such {noun}: {str(path)!r}") from failure
    except (OSError, UnicodeDecodeError) as failure:
        raise error(f"{name} cannot be read as text: {failure}") from failure
    except (yaml.YAMLError, ValueError, RecursionError) as failure:
        if isinstance(failure, UsageError):
            raise
        raise error(f"{name} is not YAML: {_problem(failure)}") from failure
    return YamlFile(content, node if node is not None else yaml.ScalarNode("", ""))


def dumps(content: Mapping[str, Any], *, is_plain: bool = True) -> str:
    """A mapping as YAML, with lists of scalars on one line; `is_plain`: all texts in it are printable."""
    return _dumped(content, allow_unicode=is_plain, width=120, default_flow_style=None)


def on_one_line(content: Mapping[str, Any]) -> str:
    """A mapping as YAML on one line, without its braces."""
    return _dumped(content, allow_unicode=True, width=_NO_FOLDING, default_flow_style=True).strip()[1:-1]


def trusted(text: str) -> Any:
    """The content of a YAML file of the package."""
    return yaml.load(text, Loader=_LOADER)


def _dumped(content: Mapping[str, Any], **style: Any) -> str:
    text: str = yaml.dump(content, Dumper=_DUMPER, sort_keys=False, **style)
    return text


def _problem(failure: Exception) -> str:
    """The fault of a text, with its line."""
    if isinstance(failure, yaml.MarkedYAMLError) and failure.problem is not None:
        mark = failure.problem_mark or failure.context_mark
        return f"{'' if mark is None else f'line {mark.line + 1}: '}{failure.problem}"
    return " ".join(str(failure).split())


def _check_shape(text: str, name: str, error: type[UsageError]) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.AliasEvent):
            raise error(f"{name} uses YAML aliases (*name); write the values out, and '*' in quotes")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _DEEPEST:
            raise error(f"{name} is nested more than {_DEEPEST} levels deep; write large trees as child,parent pairs")


def _children(node: yaml.Node) -> list[tuple[str, yaml.Node, int]]:
    """The keys (indexes, in a list) below a node, with their values and lines."""
    if isinstance(node, yaml.MappingNode):
        return [(str(key.value), value, key.start_mark.line + 1) for key, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return [(str(number), value, value.start_mark.line + 1) for number, value in enumerate(node.value)]
    return []


def _repeated(node: yaml.Node, place: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    seen = set()
    for key, value, line in _children(node):
        if key in seen:
            yield line, ".".join((*place, key))
        seen.add(key)
        yield from _repeated(value, (*place, key))


def _texts(node: yaml.Node) -> Iterator[tuple[str, int]]:
    if isinstance(node, yaml.ScalarNode):
        yield node.value, node.start_mark.line + 1
    for key, value, line in _children(node):
        if isinstance(node, yaml.MappingNode):
            yield key, line
        yield from _texts(value)


_NEEDS = {
    "list_type": "needs a list, such as [a, b]",
    "tuple_type": "needs a list, such as [a, b]",
    "dict_type": "needs keys and values, such as {key: value}",
    "model_type": "needs keys and values, such as {key: value}",
    "model_attributes_type": "needs keys and values, such as {key: value}",
    "string_type": "needs a text",
    "path_type": "needs the name of a file",
    "decimal_type": "needs a number",
    "decimal_parsing": "needs a number",
    "finite_number": "needs a finite number",
    "int_type": "needs a whole number",
    "int_parsing": "needs a whole number",
    "int_from_float": "needs a whole number",
    "bool_type": "needs true or false",
    "bool_parsing": "needs true or false",
    "missing": "is missing",
    "invalid_key": "needs a text as key",
    "none_required": "must be empty",
}

_TEXT_LIMIT = 40


def described(fault: Mapping[str, Any]) -> str:
    """The message of one pydantic error without its location: what is needed, and the given value."""
    kind, context, given = fault["type"], fault.get("ctx", {}), fault["input"]
    match kind:
        case "value_error" | "assertion_error":
            return str(fault["msg"]).partition(", ")[2] or str(fault["msg"])
        case "literal_error":
            return f"{_shown(given)} is unknown{did_you_mean(str(given), _words(context['expected']))}"
        case "too_short":
            return f"needs at least {context['min_length']} entries; it has {context['actual_length']}"
        case "too_long":
            return f"has more than {context['max_length']:,} entries"
        case "string_too_short":
            return "is empty"
        case "string_too_long":
            return f"{_shown(given)} is longer than {_characters(context['max_length'])}"
        case "greater_than_equal" | "greater_than" | "less_than_equal" | "less_than":
            bound = next(iter(context.values()))
            words = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}
            return f"{_shown(given)} is not {words[next(iter(context))]} {bound}"
        case "decimal_whole_digits" | "decimal_max_digits":
            return f"{_shown(given)} has too many digits; at most nine are allowed before and nine after the decimal point"
        case "decimal_max_places":
            return f"{_shown(given)} has more than {context['decimal_places']} decimal places"
        case "missing":
            return "is missing"
    if kind in _NEEDS:
        return f"{_NEEDS[kind]}; got {_shown(given)}"
    return str(fault["msg"])


def place(parts: Sequence[Any], tags: Iterable[str] = ()) -> list[str]:
    """The location of an error as keys and indexes, without the internal parts of pydantic."""
    left = list(parts)
    if left and left[0] in set(tags):
        left = left[1:]
    named = [str(part) for part in left]
    return [
        part for part in named if part != "[key]" and not part.startswith(("dict[", "list[", "function-", "tuple[", "lax-"))
    ]


def _words(expected: str) -> list[str]:
    return [word.strip("' ") for word in expected.replace(" or ", ", ").split(",")]


def _characters(count: int) -> str:
    return "one character" if count == 1 else f"{count:,} characters"


def _shown(given: Any) -> str:
    match given:
        case None:
            return "nothing"
        case bool():
            return str(given).lower()
        case str() | int() | float():
            text = str(given)
            return f"'{text}'" if len(text) <= _TEXT_LIMIT and text.isprintable() else f"{text[:_TEXT_LIMIT]!a}..."
        case list() | tuple():
            return "a list"
        case dict():
            return "a mapping"
    return f"'{given}'"
