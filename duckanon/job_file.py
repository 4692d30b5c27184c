"""Job files: read, checked, and every fault with its line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from duckanon.errors import JobError, did_you_mean
from duckanon.hierarchy.spec import content_of, exact_to_plain
from duckanon.job import ColumnPlan, Job, KAnonymityRequirement, Missing, Model, OutputPlan, RecodingPlan, Suppression, kebab

_LARGEST = 1 << 20
_LONGEST_KEY = 100

_MODELS: dict[tuple[str, ...], type[Model]] = {
    (): Job,
    ("missing",): Missing,
    ("columns", "*"): ColumnPlan,
    ("privacy", "*"): KAnonymityRequirement,
    ("suppression",): Suppression,
    ("recoding",): RecodingPlan,
    ("output",): OutputPlan,
}
"""The model behind each place of a job; `*` is a column's name or a place in a list."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a job: where it stands (None where the job was not a file), and what it is."""

    line: int | None
    key: str
    message: str


def read(path: Path) -> dict[str, Any]:
    """A job file's content, unchecked; raises `JobError` where it is no mapping of YAML or says a key twice."""
    content, node = _parsed(path)
    if twice := next(_repeated(node, ()), None):
        raise JobError(f"job file {str(path)!r}, line {twice.line}: {twice.message}")
    return content


def checked(content: Mapping[str, Any], name: str = "job") -> Job:
    """The model of a job's content; raises `JobError` with the first fault and the nearest known key."""
    try:
        return Job.model_validate(content)
    except ValidationError as error:
        faults = list(_faults(error, None))
        more = f" (and {len(faults) - 1} more faults)" if len(faults) > 1 else ""
        raise JobError(f"{name}: {faults[0].message}{more}") from error


def faults(path: Path) -> list[Fault]:
    """Everything wrong with a job file, by line; raises `JobError` where it cannot be read as one at all."""
    content, node = _parsed(path)
    found = list(_repeated(node, ()))
    try:
        Job.model_validate(content)
    except ValidationError as error:
        found += _faults(error, node)
    return sorted(found, key=lambda fault: (fault.line or 0, fault.key))


def resolved(name: str, base: Path) -> Path:
    """A path that a job file names: from its own folder, or else from the working folder."""
    return Path(name) if Path(name).exists() and not (base / name).exists() else base / name


def content(job: Job) -> dict[str, Any]:
    """A job as the mapping that stands in its file: `checked` gives the job again."""
    found: dict[str, Any] = exact_to_plain(job.model_dump(by_alias=True, exclude_defaults=True, exclude={"columns"}))
    columns = {name: _column(plan) for name, plan in job.columns.items()}
    return {"version": job.version, **found, **({"columns": columns} if columns else {})}


def dumps(content: Mapping[str, Any], reasons: Mapping[str, str] | None = None) -> str:
    """A job's content as YAML; `reasons` stand behind their columns, and those of columns that it does not name below."""
    reasons, lines = reasons or {}, ["version: 1"]
    for key, value in content.items():
        if key == "columns":
            lines.append("columns:")
            lines += [f"  {_entry(name, plan)}{_comment(reasons.get(name))}" for name, plan in value.items()]
            lines += [f"  # {_one_line(name)}: {_one_line(reason)}" for name, reason in reasons.items() if name not in value]
        elif key == "source":
            lines.insert(1, _flow({key: value}))
        elif key != "version":
            lines.append(_flow({key: value}))
    return "\n".join(lines) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of a job file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "duckanon job", **Job.model_json_schema()}


def _column(plan: ColumnPlan) -> dict[str, Any]:
    found: dict[str, Any] = exact_to_plain(plan.model_dump(by_alias=True, exclude_defaults=True, exclude={"hierarchy"}))
    if plan.hierarchy is not None:
        found["hierarchy"] = plan.hierarchy if isinstance(plan.hierarchy, str) else content_of(plan.hierarchy)
    return found


def _entry(name: str, plan: Mapping[str, Any]) -> str:
    """A column and its plan on one line; on two where the name is not a simple key of YAML."""
    if len(name) < _LONGEST_KEY and name.isprintable():
        return _flow({name: plan})
    escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in name)
    return f'? "{escaped}"\n  : {{{_flow(plan)}}}'


def _flow(mapping: Mapping[str, Any]) -> str:
    """A mapping of one key on one line."""
    text: str = yaml.safe_dump(mapping, default_flow_style=True, sort_keys=False, allow_unicode=True, width=float("inf"))
    return text.strip()[1:-1]


def _comment(reason: str | None) -> str:
    return f"  # {_one_line(reason)}" if reason else ""


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if line.isprintable() else ascii(line)


def _parsed(path: Path) -> tuple[dict[str, Any], yaml.Node]:
    try:
        text = path.read_text(encoding="utf-8-sig")
        if len(text) > _LARGEST:
            raise JobError(f"job file {str(path)!r} is larger than 1 MiB; is it a job file?")
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text, Loader=yaml.SafeLoader)):
            raise JobError(f"job file {str(path)!r} uses YAML aliases (*name); write the values out")
        content, node = yaml.safe_load(text), yaml.compose(text, Loader=yaml.SafeLoader)
    except FileNotFoundError as error:
        raise JobError(f"no such job file: {str(path)!r}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise JobError(f"job file {str(path)!r} cannot be read as text: {error}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise JobError(f"job file {str(path)!r} is not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict) or node is None:
        raise JobError(f"job file {str(path)!r} is not a mapping; it begins with `version: 1`")
    return content, node


def _repeated(node: yaml.Node, place: tuple[str, ...]) -> Iterator[Fault]:
    """Keys that one mapping says twice, of which YAML would silently keep the last."""
    seen = set()
    for key, value, line in _children(node):
        path = ".".join((*place, key))
        if key in seen:
            yield Fault(line, path, f"{path!r} is said twice; a column has one role, a key one value")
        seen.add(key)
        yield from _repeated(value, (*place, key))


def _children(node: yaml.Node) -> list[tuple[str, yaml.Node, int]]:
    """The keys (places, in a list) below a node, what they hold, and the lines they stand on."""
    if isinstance(node, yaml.MappingNode):
        return [(str(key.value), value, key.start_mark.line + 1) for key, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return [(str(number), value, value.start_mark.line + 1) for number, value in enumerate(node.value)]
    return []


def _line(node: yaml.Node, place: Sequence[str]) -> int:
    """The line of the deepest part of a place that stands in the file."""
    line = node.start_mark.line + 1
    for part in place:
        below = {key: (value, at) for key, value, at in _children(node)}
        if part not in below:
            break
        node, line = below[part]
    return line


def _faults(error: ValidationError, node: yaml.Node | None) -> Iterator[Fault]:
    """What a model refuses, unknown keys first: a misspelt key explains the one that is missing."""
    for fault in sorted(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden"):
        place = [str(part) for part in fault["loc"]]
        yield Fault(None if node is None else _line(node, place), ".".join(place), _described(place, fault))


def _described(place: Sequence[str], fault: Any) -> str:
    path = ".".join(place)
    if fault["type"] == "extra_forbidden":
        return f"unknown key {path!r}{did_you_mean(place[-1], _known_keys(place[:-1]))}"
    if fault["type"] == "literal_error":
        known = [word.strip("' ") for word in fault["ctx"]["expected"].replace(" or ", ", ").split(",")]
        return f"{path}: {fault['input']!r} is unknown{did_you_mean(str(fault['input']), known)}"
    return f"{path}: {fault['msg'].removeprefix('Value error, ')}"


def _known_keys(place: Sequence[str]) -> list[str]:
    pattern = tuple("*" if position == 1 else part for position, part in enumerate(place))
    model = _MODELS.get(pattern)
    return [kebab(name) for name in model.model_fields] if model else []
