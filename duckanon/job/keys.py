"""Keys of a job that are set by their names: `--set output.shuffle=false`, or `set={"output.shuffle": False}` in the library."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from duckanon.errors import JobError

FORMER: Mapping[str, str] = {
    "mask": "columns.COLUMN={role: identifying, mask: {last: 4}}",
    "shift-by": "columns.COLUMN.shift.by=NAME",
    "pseudonym-scope": "columns.COLUMN.pseudonym.scope=class",
    "linkable": "linkable=true",
    "accept": "accept=CASE",
    "columns": "names=[A,B,C]",
    "missing-policy": "missing.policy=drop",
    "missing-sensitive": "missing.sensitive=value",
    "dates": "dates=day-first",
    "decimal": "decimal=comma",
    "encoding": "encoding=cp1250",
    "malformed": "malformed=drop",
    "k-column": "privacy=[{model: k-anonymity, k-column: NAME}]",
    "population-size": "population-size=N",
    "decide-on": "decide-on=qi",
    "suppress": "suppression.style=star",
    "suppress-isolated": "suppression.isolated=true",
    "objective": "recoding.objective=NAME",
    "aggregate": "recoding.aggregate=max",
    "max-loss": "columns.COLUMN.max-loss=0.7",
    "min-level": "columns.COLUMN.min-level=1",
    "weight": "recoding.weights.COLUMN=2",
    "refine": "recoding.refine=false",
    "max-nodes": "recoding.max-nodes=N",
    "all-nodes": "recoding.all-nodes=true",
    "cut": "columns.COLUMN.cut=hierarchy",
    "median": "recoding.median=le",
    "shuffle": "output.shuffle=false",
    "show-extremes": "recoding.show-extremes=true",
    "partition-by": "output.partition-by=[A,B]",
    "public-manifest": "output.public-manifest=FILE.json",
}
"""The options of version 0.2 that are keys of the job, each with its key and a value."""


class Repeated(list[Any]):
    """The values of a key that is given several times."""


_PART = r'(?:"(?:[^"]|"")+"|[^".=]+)'
"""A part of a key."""
_NEGATED = {"no-shuffle": "shuffle", "no-refine": "refine", "hide-extremes": "show-extremes"}


def former(name: str, options: Iterable[str] = ()) -> str | None:
    """The key and a value for an option of version 0.2 that is a key now, also if it is misspelt; None if `options` have a closer name."""
    close = get_close_matches(name, [*FORMER, *_NEGATED, *options], n=1, cutoff=0.8)
    return FORMER.get(_NEGATED.get(close[0], close[0])) if close else None


def shell_word(setting: str) -> str:
    """A setting as one word of a shell that a person would write."""
    return setting if re.fullmatch(r"[\w.,=@%:/-]+", setting) else "'" + setting.replace("'", "'\\''") + "'"


def assigned(key: Sequence[str], value: str) -> str:
    """The option that sets a key to a value, for a message: `--set columns.age.max-loss=0.7`."""
    quoted = [part if re.fullmatch(r'[^".=,\s]+', part) else '"' + part.replace('"', '""') + '"' for part in key]
    setting = ".".join(quoted) + f"={value}"
    return f"--set {shell_word(setting)}"


def accepting(case: str, column: str | None = None) -> str:
    """The option that accepts a risk, for a message."""
    text = case if column is None else f"{case}@{column}"
    return assigned(("accept",), text if re.fullmatch(r"[\w .@/-]+", text) else json.dumps(text, ensure_ascii=False))


def parsed_setting(text: str) -> list[tuple[str, Any]]:
    """The key and the value of `KEY=VALUE`; raises `JobError`."""
    import yaml

    match = re.fullmatch(r'((?:"(?:[^"]|"")*"|[^"=])+)=(.*)', text, re.DOTALL)
    if match is None:
        raise JobError(f"--set {text!r} sets no key; write KEY=VALUE, such as output.shuffle=false")
    try:
        return [(match[1].strip(), yaml.safe_load(match[2]))]
    except (yaml.YAMLError, ValueError, RecursionError):  # a date such as 2020-13-45 is a ValueError
        raise JobError(f"--set {match[1].strip()}: {match[2]!r} is not a YAML value; put a text in quotes") from None


def parts(key: str) -> list[str]:
    """The parts of a key; those with a dot or an equals sign are in double quotes: `columns."zip.code".weight`."""
    if re.fullmatch(rf"{_PART}(\.{_PART})*", key) is None:
        raise JobError(
            f"--set {key!r} is not a key; write a key such as output.shuffle, with names that contain a dot or = in "
            'double quotes: columns."zip.code".weight'
        )
    names = [part[0] for part in re.finditer(_PART, key)]
    return [part[1:-1].replace('""', '"') if part.startswith('"') else part for part in names]


def put(job: dict[str, Any], key: Sequence[str], value: Any) -> None:
    """Set a key of the job; sections on the way to it are copied, or made."""
    *sections, last = key
    for section in sections:
        inside = job.get(section)
        job[section] = dict(inside) if isinstance(inside, Mapping) else {}
        job = job[section]
    job[last] = value


def repeated(earlier: Any, later: Any) -> Repeated:
    """The values of a key that is given twice."""
    return Repeated([*listed(earlier), *listed(later)])


def listed(value: Any) -> list[Any]:
    """A list as it is, and any other value as a list of one."""
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]
