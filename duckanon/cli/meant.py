"""What a mistyped option or value means."""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from duckanon.choices import REMOVED
from duckanon.errors import nearest
from duckanon.job import keys

_REMOVED = {
    "wizard": "duckanon studio FILE makes a hierarchy on a page that shows its labels, duckanon hierarchy suggest prints one",
    "sql": "--workspace FILE.duckdb keeps the statements of a run in duckanon.steps",
}
"""Commands and options of earlier versions, and what replaces them."""


def option(typed: str, command: Any) -> str:
    """The end of a message about an unknown option: what replaces it, or what is closest by its name, by its words or by its help; empty if nothing is."""
    word = typed.lstrip("-").casefold().replace("_", "-")
    options = {
        name.removeprefix("--"): parameter for parameter in command.params for name in parameter.opts if name.startswith("--")
    }
    if word not in options and word in _REMOVED:
        return f"; {_REMOVED[word]}"
    if word not in options and "set" in options and (setting := keys.former(word, options)) is not None:
        return f"; it is now a key of the job: --set {keys.shell_word(setting)}"
    if word not in options and "require" in options and (model := _model(word)) is not None:
        return f"; did you mean '--require {model}'?"
    near = [f"'--{name}'" for name in _closest(word, options)[:3]]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def value(message: str) -> str:
    """The end of a message about a wrong word: what replaces a removed command, or the closest value of an option; empty if none is close."""
    if removed := next((hint for word, hint in _REMOVED.items() if f"command '{word}'" in message), None):
        return f"; {removed}"
    refused = re.search(r"'([^']+)' is not one of (.+)", message)
    if refused is not None and refused[1] in REMOVED:
        return f"; {refused[1]} was removed, use {REMOVED[refused[1]]}"
    near = nearest(refused[1], re.findall(r"'([^']+)'", refused[2])) if refused is not None else None
    return "" if near is None else f"; did you mean {near!r}?"


def _model(word: str) -> str | None:
    """The requirement that an option such as `--t` or `--l-diversity` means."""
    from duckanon.privacy.registry import NAMES, example

    models = {name: content["model"] for name, (content, _) in NAMES.items() if name != "k"}
    return next((example(name) for name, model in models.items() if word in (name, name.rpartition("-")[2], model)), None)


def _closest(word: str, options: Mapping[str, Any]) -> Sequence[str]:
    """The options that are closest by their names or, where none is close, by the first words of their help."""
    if word in options:
        return [word]
    if begun := sorted((name for name in options if len(word) > 2 and name.startswith(word)), key=len):
        return begun[:1]
    if spelled := get_close_matches(word, options, n=1, cutoff=0.65 if len(word) < 4 else 0.8):
        return spelled
    parts = word.split("-")
    shared = {name: [name not in parts, *map(parts.index, set(parts) & set(name.split("-")))] for name in options}
    if best := min((place for place in shared.values() if len(place) > 1), default=None):
        return [name for name, place in shared.items() if place == best]
    # all words of the option in the help, in whatever form; a flag does what its first word says
    stems = [re.compile(rf"\b{re.escape(part[:5])}") for part in parts if len(part) > 2]
    places: dict[str, int] = {}
    for name, parameter in options.items():
        text = re.split("[;:,.]", parameter.help or "")[0].casefold()
        matches = [stem.search(f"{name} {text}") for stem in stems]
        if matches and None not in matches and (not parameter.is_flag or stems[0].match(text)):
            places[name] = max(match.start() for match in matches if match is not None)
    return sorted(places, key=places.__getitem__)[:1]
