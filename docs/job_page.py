"""The page of the job file: its keys from the models and their JSON Schema, their meanings from the docstrings behind them."""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from textwrap import dedent
from typing import Any

import yaml
from pydantic import BaseModel

from docs.markdown import anchor, code, codes, definitions, fenced, page, prose, table
from duckanon import choices
from duckanon.hierarchy import base, grouping
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.bounds import IntervalRange
from duckanon.hierarchy.grouping import LabelGroup
from duckanon.hierarchy.kinds.intervals import Interval
from duckanon.hierarchy.spec import MODELS as KINDS
from duckanon.job import file, policy
from duckanon.job.accepted import CASES
from duckanon.job.adversary import AdversaryPlan
from duckanon.job.column import ColumnPlan, Mask, Pseudonym, Shift
from duckanon.job.model import Job, KAnonymityRequirement, MissingPlan, OutputPlan, RecodingPlan, Suppression
from duckanon.job.options import Options
from duckanon.job.policy import Policy, PolicyAdversary
from duckanon.option import declared, docstrings
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
    "An adversary of `adversaries`": AdversaryPlan,
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
OF_POLICY: dict[str, type[BaseModel]] = {"The policy file": Policy, "An adversary of a policy": PolicyAdversary}
"""The same of policy files."""
OF_PRIVACY: dict[str, type[BaseModel]] = {"k-anonymity": KAnonymityRequirement, **PRIVACY}
ALIASES = (choices, base, grouping)
"""Modules whose aliases fields are made of."""
_ANCHORS = {model.__name__: anchor(heading) for heading, model in [*PARTS.items(), *OF_HIERARCHIES.items(), *OF_POLICY.items()]}
_OPTIONS = {option.help.replace("; repeatable", ""): f"--{kebab(name)}" for name, option in declared(Options).items()}
"""The options by what their help says."""
_NO_BOUND = 2**62
"""Bounds beyond it are not printed."""
_SHARED = {kebab(name) for name in Spec.model_fields}


def job() -> str:
    """Every key of a job file."""
    file.checked(yaml.safe_load(EXAMPLE), "the example of the page")
    schemas = file.schema()["$defs"]
    blocks = [
        "# The job file",
        "A job file describes a run in YAML. An option on the command line overrides its key. `--set KEY=VALUE` sets any key: "
        "`--set output.shuffle=false`, `--set columns.age.max-loss=0.7`, `--set 'output.partition-by=[age, sex]'`; in Python "
        '`set={"output.shuffle": False}`. A column name with a dot or `=` is in double quotes: '
        "`--set 'columns.\"zip.code\".max-loss=0.7'`. `duckanon job validate JOB.yaml` prints every fault "
        "with its line. `duckanon job schema` prints the [JSON Schema](job.schema.json) for an editor.",
        fenced(EXAMPLE, "yaml"),
        "Keys are optional unless marked *required*. Input files are looked for in the folder of the job file, then in the working folder; "
        "`path` of `output` is relative to the folder of the job file. A key whose meaning is an option is described in "
        "[commands](commands.md#duckanon-anonymize).",
    ]
    for heading, model in PARTS.items():
        content = file.schema() if model is Job else schemas[model.__name__]
        blocks += [f"## {heading}", prose(inspect.getdoc(model) or ""), _listing(_keys(model, content))]
    blocks += [
        "## Risks to accept",
        "`accept` takes `CASE` for all columns, `CASE@COLUMN` for one. Summary, manifest, report and attestation state it.",
        definitions((code(case), prose(f"{text[0].upper()}{text[1:]}.")) for case, text in CASES.items()),
        "## `privacy`",
        _PRIVACY,
        _models(schemas),
        "## Hierarchies",
        _HIERARCHIES,
        _listing(_keys(Spec, schemas["Flat"], _SHARED)),
    ]
    described: dict[tuple[str, str, str], str] = {}
    for heading, model in OF_HIERARCHIES.items():
        content = schemas[model.__name__]
        keys = set(content["properties"]) - ({"kind", *_SHARED} if issubclass(model, Spec) else set())
        rows = list(_keys(model, content, keys))
        own = [row for row in rows if described.setdefault(row, heading) == heading]
        blocks += [f"### {heading}", prose(inspect.getdoc(model) or ""), _listing(own) if own else ""]
        if others := list(dict.fromkeys(described[row] for row in rows if described[row] != heading)):
            names = (", ".join(row[0] for row in rows if described[row] == place) for place in others)
            links = (f"as in [{place}](#{anchor(place)})" for place in others)
            blocks.append(f"Also: {'; '.join(f'{listed} {link}' for listed, link in zip(names, links, strict=True))}.")
    for heading, model in OF_POLICY.items():
        content = policy.schema() if model is Policy else policy.schema()["$defs"][model.__name__]
        blocks += [
            f"## {heading}",
            prose(inspect.getdoc(model) or ""),
            _POLICY if model is Policy else "",
            _listing(_keys(model, content)),
        ]
    return page(*blocks)


_POLICY = (
    "`policy` of a job and `--policy` name a policy file. [Policies](../how-to/policy.md) shows an example. "
    "An editor can check it with its [JSON Schema](policy.schema.json)."
)


_PRIVACY = (
    "A list of mappings with `model` and its keys. [Privacy models](privacy-models.md) defines the models. `column` names the sensitive column; "
    "it is optional if there is only one. The default is k = 5."
)
_HIERARCHIES = (
    "`hierarchy` of a column names a file or a bundled hierarchy, or is a mapping with `kind` and the keys of this kind. "
    "[Hierarchies](../how-to/hierarchies.md) shows an example of each kind. Every kind has these keys:"
)


def _models(definitions: Mapping[str, Any]) -> str:
    rows = []
    for tag, model in OF_PRIVACY.items():
        content = definitions[model.__name__]
        keys = {key: schema for key, schema in content["properties"].items() if key not in ("model", "column")}
        keys_and_values = [
            f"`{key}`: {_type(schema)}" + (f", default {code(_default(schema))}" if _default(schema) else "")
            for key, schema in keys.items()
        ]
        column = "`column`" if "column" in content["properties"] else ""
        rows.append((code(tag.partition(" ")[0]), "; ".join(keys_and_values), column))
    return table(("`model`", "keys", "of a sensitive column"), rows)


def _listing(rows: Iterable[tuple[str, str, str]]) -> str:
    return definitions((f"{key} ({kind})", meant) for key, kind, meant in rows)


def _keys(model: type[BaseModel], content: Mapping[str, Any], only: set[str] | None = None) -> Iterator[tuple[str, str, str]]:
    """A row for each key: its name, what it takes and its default, its meaning."""
    for name in model.model_fields:
        key = kebab(name) if kebab(name) in content["properties"] else name
        if only is None or key in only:
            schema = content["properties"][key]
            is_required = key in content.get("required", ())
            default = f", default {code(_default(schema))}" if _default(schema) else ""
            yield (
                code(key),
                _type(schema) + (", *required*" if is_required else default),
                _meaning_in_listing(model, name, schema),
            )


def _meaning_in_listing(model: type[BaseModel], name: str, schema: Mapping[str, Any]) -> str:
    """The option that a key stands for, and the docstring behind the field; nothing if the key links to a section that says the same."""
    text = meaning(model, name)
    sentence = file.descriptions().get((model, kebab(name)))
    if sentence in _OPTIONS:
        return f"{code(_OPTIONS[sentence])}. {prose(text.removeprefix(sentence))}".strip()
    parts = [part for part in [*PARTS.values(), *OF_HIERARCHIES.values()] if part.__name__ in str(schema)]
    return "" if any(text == inspect.getdoc(part) for part in parts) else prose(text)


def meaning(model: type[BaseModel], name: str) -> str:
    """The sentence of the option that stands for a key, and the docstring behind its field; else that of what it is made of."""
    option = file.descriptions().get((model, kebab(name)), "")
    for owner in model.__mro__:
        if name in vars(owner).get("__annotations__", {}):
            text = docstrings(owner).get(name, "")
            return f"{option} {text}".strip() or next(_of_annotation(owner, name), "")
    return option


def _of_annotation(owner: type, name: str) -> Iterator[str]:
    """The docstrings of the models and aliases in a field's annotation."""
    module = sys.modules[owner.__module__]
    for statement in ast.walk(ast.parse(dedent(inspect.getsource(owner)))):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.target.id == name:
            for used in ast.walk(statement.annotation):
                if isinstance(used, ast.Name):
                    value = getattr(module, used.id, None)
                    texts = map(docstrings, (module, *ALIASES))
                    text = next((by_name[used.id] for by_name in texts if used.id in by_name), None)
                    if isinstance(value, type) and issubclass(value, BaseModel):
                        text = inspect.getdoc(value)
                    if text:
                        yield text


def _default(schema: Mapping[str, Any]) -> str:
    """A default as YAML writes it; empty for nothing, and for what the keys of a part say themselves."""
    default = schema.get("default")
    if default in (None, [], {}, "") or "$ref" in schema:
        return ""
    return str(default).lower() if isinstance(default, bool) else str(default)


def _type(schema: Mapping[str, Any]) -> str:
    """What may stand behind a key, in words."""
    match schema:
        case {"$ref": str(place)}:
            name = place.rpartition("/")[2]
            return f"[mapping](#{_ANCHORS[name]})"
        case {"discriminator": _}:
            return "[mapping with `kind`](#hierarchies)"
        case {"oneOf": [{"$ref": _}, *_]}:
            return "[mapping with `model`](#privacy)"
        case {"anyOf": list(some)} | {"oneOf": list(some)}:
            kinds = [entry for entry in some if entry.get("type") != "null"]
            if any(kind.get("type") == "number" for kind in kinds):
                kinds = [kind for kind in kinds if kind.get("type") != "string"]
            bounds = {key: bound for key, bound in schema.items() if key in _BOUNDS}
            return ", or ".join(dict.fromkeys(_type(bounds | kind) for kind in kinds))
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
            return f"integer{_bounds(schema)}"
        case {"type": "number"}:
            return f"number{_bounds(schema)}"
        case {"type": "boolean"}:
            return "`true`, `false`"
        case {"type": "string", "format": "path"}:
            return "file"
        case {"type": "string"}:
            return "text"
    return "bound: number, date or timestamp"


def _plural(kind: str) -> str:
    return re.sub(r"^(\[?(?:mapping|list|pair|bound|integer|number))\b", r"\1s", kind)


_BOUNDS = {
    "minimum": "≥",
    "ge": "≥",
    "exclusiveMinimum": ">",
    "gt": ">",
    "maximum": "≤",
    "le": "≤",
    "exclusiveMaximum": "<",
    "lt": "<",
}


def _bounds(schema: Mapping[str, Any]) -> str:
    bounds = {word: schema[key] for key, word in _BOUNDS.items() if key in schema and abs(schema[key]) < _NO_BOUND}
    text = ", ".join(f"{word} {bound:,.9g}" for word, bound in bounds.items())
    return f" {text}" if text else ""
