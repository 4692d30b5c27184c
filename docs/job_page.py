"""The page of the job file: its keys from the models and their JSON Schema, their meanings from the docstrings behind them."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from textwrap import dedent
from typing import Any

import yaml
from pydantic import BaseModel

from docs.markdown import anchor, code, codes, fenced, page, prose, said_in, table
from duckanon import choices
from duckanon.hierarchy import base, grouping
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.bounds import IntervalRange
from duckanon.hierarchy.grouping import LabelGroup
from duckanon.hierarchy.kinds.intervals import Interval
from duckanon.hierarchy.spec import MODELS as KINDS
from duckanon.job import file
from duckanon.job.column import ColumnPlan
from duckanon.job.model import Job, KAnonymityRequirement, MissingPlan, OutputPlan, RecodingPlan, Suppression
from duckanon.job.treatments import Mask, Pseudonym, Shift
from duckanon.privacy.base import kebab
from duckanon.privacy.registry import MODELS as PRIVACY

EXAMPLE = """\
version: 1
source: patients.parquet
missing: {tokens: ["?", null], policy: top}
columns:
  name:       {role: identifying}
  insurance:  {role: identifying, pseudonym: {domain: person}}
  birth-year: {role: quasi-identifier, hierarchy: {kind: intervals, widths: [5, 10, 20]}, max-level: 2}
  sex:        {role: quasi-identifier, hierarchy: {kind: flat}}
  postcode:   {role: quasi-identifier, hierarchy: postcode.csv, weight: 2, max-loss: 0.7}
  diagnosis:  {role: sensitive}
  admitted:   {role: insensitive, shift: {days: 180, by: insurance}}
others: drop
release: patients-2027
privacy:
  - {model: k-anonymity, k: 11}
  - {model: l-diversity, variant: entropy, l: 3, column: diagnosis}
  - {model: t-closeness, distance: equal, t: 0.2}
suppression: {limit: 1%, style: drop}
recoding: {algorithm: optimal, objective: loss, time-limit: 60}
output: {path: patients.anonymized.parquet, shuffle: true}
about: {purpose: study of readmissions, recipient: the university, review: 2029-01-01}
"""

PARTS: dict[str, type[BaseModel]] = {
    "The file": Job,
    "`missing`": MissingPlan,
    "A column of `columns`": ColumnPlan,
    "`pseudonym` of a column": Pseudonym,
    "`mask` of a column": Mask,
    "`shift` of a column": Shift,
    "`suppression`": Suppression,
    "`recoding`": RecodingPlan,
    "`output`": OutputPlan,
}
"""The parts of a job that are mappings, by their headings."""
OF_HIERARCHIES: dict[str, type[BaseModel]] = {
    **{f"Kind `{kind}`": model for kind, model in KINDS.items()},
    "An interval": Interval,
    "A group": LabelGroup,
    "A range": IntervalRange,
}
"""The same of hierarchies."""
OF_PRIVACY: dict[str, type[BaseModel]] = {"k-anonymity": KAnonymityRequirement, **PRIVACY}
ALIASES = (choices, base, grouping)
"""Modules whose aliases fields are made of."""
_ANCHORS = {model.__name__: anchor(heading) for heading, model in [*PARTS.items(), *OF_HIERARCHIES.items()]}
_NO_BOUND = 2**62
"""Nobody means so many."""
_SHARED = {kebab(name) for name in Spec.model_fields}


def job() -> str:
    """Every key of a job file."""
    file.checked(yaml.safe_load(EXAMPLE), "the example of the page")
    definitions = file.schema()["$defs"]
    blocks = [
        "# The job file",
        "What a run is told, in YAML; whatever the command line says too, wins. Unknown keys are refused with the nearest known one. "
        "`duckanon job validate JOB.yaml` prints every fault with its line, and `duckanon job schema` the "
        "[JSON Schema](job.schema.json), for an editor.",
        fenced(EXAMPLE, "yaml"),
        "Every key may be left out but those that are required. What a job reads is looked for in the folder of its file, or else in the "
        "working folder; `path` of its `output` counts from the folder of its file.",
    ]
    for heading, model in PARTS.items():
        content = file.schema() if model is Job else definitions[model.__name__]
        blocks += [f"## {heading}", prose(inspect.getdoc(model) or ""), _keys(model, content)]
    blocks += [
        "## `privacy`",
        _PRIVACY,
        _models(definitions),
        "## Hierarchies",
        _HIERARCHIES,
        _keys(Spec, definitions["Flat"], _SHARED),
    ]
    for heading, model in OF_HIERARCHIES.items():
        content = definitions[model.__name__]
        keys = set(content["properties"]) - ({"kind", *_SHARED} if issubclass(model, Spec) else set())
        blocks += [f"### {heading}", prose(inspect.getdoc(model) or ""), _keys(model, content, keys) if keys else ""]
    return page(*blocks)


_PRIVACY = (
    "A list; each entry is a mapping with `model` and the keys below. What each model asks of a class stands in "
    "[privacy models](privacy-models.md). `column` is the sensitive column that a model is about, and may be left out where there is one. "
    "Without an entry k is 5."
)
_HIERARCHIES = (
    "`hierarchy` of a column names a file or a bundled hierarchy, or is one itself: a mapping with `kind` and the keys of that kind. "
    "[Hierarchies](../how-to/hierarchies.md) shows what each is for. These keys belong to every kind:"
)


def _models(definitions: Mapping[str, Any]) -> str:
    rows = []
    for tag, model in OF_PRIVACY.items():
        content = definitions[model.__name__]
        keys = {key: said for key, said in content["properties"].items() if key not in ("model", "column")}
        told = [
            f"`{key}`: {_type(said)}" + (f" ({code(_default(said))} unless given)" if _default(said) else "")
            for key, said in keys.items()
        ]
        column = "`column`" if "column" in content["properties"] else ""
        rows.append((code(tag.partition(" ")[0]), "; ".join(told), column))
    return table(("`model`", "keys", "of a sensitive column"), rows)


def _keys(model: type[BaseModel], content: Mapping[str, Any], only: set[str] | None = None) -> str:
    rows = []
    for name in model.model_fields:
        key = kebab(name) if kebab(name) in content["properties"] else name
        if only is None or key in only:
            said = content["properties"][key]
            default = "required" if key in content.get("required", ()) else code(_default(said)) if _default(said) else ""
            rows.append((code(key), _type(said), default, prose(meaning(model, name))))
    return table(("key", "value", "default", "meaning"), rows)


def meaning(model: type[BaseModel], name: str) -> str:
    """The sentence of the option that stands for a key, and the docstring behind its field; else that of what it is made of."""
    option = file.descriptions().get((model, kebab(name)), "")
    for owner in model.__mro__:
        if name in vars(owner).get("__annotations__", {}):
            said = said_in(owner).get(name, "")
            return f"{option} {said}".strip() or next(_of_annotation(owner, name), "")
    return option


def _of_annotation(owner: type, name: str) -> Iterator[str]:
    """What is said of the names in a field's annotation: of models, and of aliases."""
    module = sys.modules[owner.__module__]
    for statement in ast.walk(ast.parse(dedent(inspect.getsource(owner)))):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.target.id == name:
            for used in ast.walk(statement.annotation):
                if isinstance(used, ast.Name):
                    found = getattr(module, used.id, None)
                    said = next((told[used.id] for told in map(said_in, (module, *ALIASES)) if used.id in told), None)
                    if isinstance(found, type) and issubclass(found, BaseModel):
                        said = inspect.getdoc(found)
                    if said:
                        yield said


def _default(said: Mapping[str, Any]) -> str:
    """A default as YAML writes it; empty for nothing, and for what the keys of a part say themselves."""
    default = said.get("default")
    if default in (None, [], {}, "") or "$ref" in said:
        return ""
    return str(default).lower() if isinstance(default, bool) else str(default)


def _type(said: Mapping[str, Any]) -> str:
    """What may stand behind a key, in words."""
    match said:
        case {"$ref": str(place)}:
            name = place.rpartition("/")[2]
            return f"[mapping](#{_ANCHORS[name]})"
        case {"discriminator": _}:
            return "[mapping with `kind`](#hierarchies)"
        case {"oneOf": [{"$ref": _}, *_]}:
            return "[mapping with `model`](#privacy)"
        case {"anyOf": list(some)} | {"oneOf": list(some)}:
            kinds = [one for one in some if one.get("type") != "null"]
            if any(one.get("type") == "number" for one in kinds):
                kinds = [one for one in kinds if one.get("type") != "string"]
            bounds = {key: bound for key, bound in said.items() if key in _BOUNDS}
            return ", or ".join(dict.fromkeys(_type(bounds | one) for one in kinds))
        case {"const": word}:
            return code(str(word))
        case {"enum": list(words)}:
            return codes(map(str, words))
        case {"prefixItems": list(pair)}:
            return f"pair of {_plural(_type(pair[0]))}"
        case {"type": "array", "items": dict(item)}:
            return f"list of {_plural(_type(item))}"
        case {"type": "object", "additionalProperties": dict(item)}:
            return f"mapping of names to {_plural(_type(item))}"
        case {"type": "object"}:
            return "mapping"
        case {"type": "integer"}:
            return f"whole number{_bounds(said)}"
        case {"type": "number"}:
            return f"number{_bounds(said)}"
        case {"type": "boolean"}:
            return "`true`, `false`"
        case {"type": "string", "format": "path"}:
            return "file"
        case {"type": "string"}:
            return "text"
    return "bound: number, date or timestamp"


def _plural(kind: str) -> str:
    return re.sub(r"^(\[?(?:mapping|list|pair|bound|whole number|number))\b", r"\1s", kind)


_BOUNDS = {
    "minimum": "at least",
    "ge": "at least",
    "exclusiveMinimum": "above",
    "gt": "above",
    "maximum": "at most",
    "le": "at most",
    "exclusiveMaximum": "below",
    "lt": "below",
}


def _bounds(said: Mapping[str, Any]) -> str:
    found = {word: said[key] for key, word in _BOUNDS.items() if key in said and abs(said[key]) < _NO_BOUND}
    return "".join(f", {word} {bound:,.9g}" for word, bound in found.items())
