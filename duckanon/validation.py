"""Readable messages for the errors of pydantic models."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from duckanon.errors import did_you_mean

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
