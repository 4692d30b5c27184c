"""Read, check and write job files, with the line of every error."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from duckanon import yaml_file
from duckanon.errors import HierarchyError, JobError, did_you_mean
from duckanon.hierarchy import sets
from duckanon.hierarchy.base import exact_to_plain
from duckanon.hierarchy.spec import content_of
from duckanon.job import adversary, policy
from duckanon.job.adversary import AdversaryPlan
from duckanon.job.column import ColumnPlan, JobModel
from duckanon.job.model import Job, KAnonymityRequirement, MissingPlan, OutputPlan, RecodingPlan, Suppression
from duckanon.job.options import Options
from duckanon.option import declared, docstrings
from duckanon.privacy.base import kebab
from duckanon.privacy.registry import MODELS as PRIVACY_MODELS
from duckanon.yaml_file import YamlFile

_LONGEST_KEY = 100
_ROLES = (
    "quasi-identifier: generalized so that each record shares it with others; sensitive: released unchanged;",
    "identifying: dropped; insensitive: released unchanged; delete the # of a dropped column to release it",
)
"""What a detected role may be changed to."""

_MODELS: dict[tuple[str, ...], type[JobModel]] = {
    (): Job,
    ("missing",): MissingPlan,
    ("columns", "*"): ColumnPlan,
    ("adversaries", "*"): AdversaryPlan,
    ("suppression",): Suppression,
    ("recoding",): RecodingPlan,
    ("output",): OutputPlan,
}
"""The model of each section of a job; `*` is a column name or a list index."""

_PRIVACY: dict[str, type[BaseModel]] = {"k-anonymity": KAnonymityRequirement, **PRIVACY_MODELS}
"""The models of `privacy`, by tag."""


@dataclass(frozen=True)
class JobFault:
    """One error of a job: its line (None if the job is not a file), its key and the message."""

    line: int | None
    key: str
    message: str


def read(path: Path) -> dict[str, Any]:
    """The unchecked content of a job file; raises `JobError` if it is not a YAML mapping, or repeats a key."""
    file = _parsed(path)
    if twice := next(_repeated(file), None):
        raise JobError(f"job file {str(path)!r}, line {twice.line}: {twice.message}")
    content: dict[str, Any] = file.content
    return content


def checked(content: Mapping[str, Any], name: str = "job") -> Job:
    """The model of a job's content; raises `JobError` with the first error and the nearest known key."""
    try:
        return Job.model_validate(content)
    except ValidationError as error:
        faults = list(_faults(error, None))
        more = f" ({len(faults) - 1} more; `duckanon job validate` lists all errors of a file)" if len(faults) > 1 else ""
        raise JobError(f"{name}: {faults[0].message}{more}") from error


def faults(path: Path) -> list[JobFault]:
    """All errors of a job file, by line; raises `JobError` if it cannot be read as a job file."""
    file = _parsed(path)
    job_faults = list(_repeated(file))
    try:
        job = Job.model_validate(with_policy(file.content, path.parent))
    except ValidationError as error:
        job_faults += _faults(error, file)
    else:
        job_faults += [*_unprotected(job, file), *_misnamed(job, file), *_unfound(job, file, path.parent)]
    return sorted(job_faults, key=lambda fault: (fault.line or 0, fault.key))


def resolved(name: str, base: Path) -> Path:
    """A path in a job file: relative to the folder of the file or, if only that exists, to the working folder."""
    return Path(name) if Path(name).exists() and not (base / name).exists() else base / name


def with_policy(content: Mapping[str, Any], base: Path) -> dict[str, Any]:
    """The content of a job in the folder `base`, with the policy that it names; raises `JobError` if the policy is none."""
    reference = content.get("policy")
    if not isinstance(reference, str):
        return dict(content)
    return {**content, "policy": policy.load(reference if reference in policy.PRESETS else resolved(reference, base))}


def content(job: Job) -> dict[str, Any]:
    """The job as the mapping of a job file, which `checked` accepts."""
    document: dict[str, Any] = exact_to_plain(job.model_dump(by_alias=True, exclude_defaults=True, exclude={"columns"}))
    columns = {name: _column(plan) for name, plan in job.columns.items()}
    if job.privacy:
        document["privacy"] = [
            {"model": model.model, **parameters} for model, parameters in zip(job.privacy, document["privacy"], strict=True)
        ]
    return {"version": job.version, **document, **({"columns": columns} if columns else {})}


def dumps(content: Mapping[str, Any], comments: Mapping[str, str] | None = None) -> str:
    """A job's content as YAML. The comment of a column is on its line; a column without a role gets a line to uncomment."""
    comments, lines = comments or {}, ["version: 1"]
    for key, value in content.items():
        if key == "columns":
            lines.append("columns:")
            lines += [f"  # {line}" for line in _ROLES] if comments else []
            lines += [f"  {_entry(name, plan)}{_comment(comments.get(name))}" for name, plan in value.items()]
            lines += [
                f"  # {_entry(name, {'role': 'quasi-identifier'})}{_comment(f'dropped: {reason}')}"
                for name, reason in comments.items()
                if name not in value and _is_simple(name)
            ]
        elif key == "source":
            lines.insert(1, yaml_file.on_one_line({key: value}))
        elif key != "version":
            lines.append(yaml_file.on_one_line({key: value}))
    return "\n".join(lines) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of a job file; the help of an option is the description of its key."""
    content = Job.model_json_schema()
    sentences = descriptions()
    for model in _MODELS.values():
        properties = content["properties"] if model is Job else content["$defs"][model.__name__]["properties"]
        texts = {kebab(name): " ".join(text.split()) for name, text in docstrings(model).items()}
        for key, property in properties.items():
            if text := sentences.get((model, key)) or texts.get(key):
                property["description"] = text
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "duckanon job", **content}


def descriptions() -> dict[tuple[type[BaseModel], str], str]:
    """The help of each option that sets a job key, by the model of its section and the key."""
    sentences: dict[tuple[type[BaseModel], str], str] = {}
    for option in declared(Options).values():
        if option.key is not None:
            *section, key = option.key.split(".")
            sentences[_MODELS[tuple(section)], key] = option.help.replace("; repeatable", "")
    return sentences


def _column(plan: ColumnPlan) -> dict[str, Any]:
    document: dict[str, Any] = exact_to_plain(plan.model_dump(by_alias=True, exclude_defaults=True, exclude={"hierarchy"}))
    if plan.hierarchy is not None:
        document["hierarchy"] = plan.hierarchy if isinstance(plan.hierarchy, str) else content_of(plan.hierarchy)
    return document


def _entry(name: str, plan: Mapping[str, Any]) -> str:
    """A column and its settings on one line, or on two if the name is not a simple YAML key."""
    if _is_simple(name):
        return yaml_file.on_one_line({name: plan})
    escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in name)
    return f'? "{escaped}"\n  : {{{yaml_file.on_one_line(plan)}}}'


def _is_simple(name: str) -> bool:
    return len(name) < _LONGEST_KEY and name.isprintable()


def _comment(reason: str | None) -> str:
    return f"  # {_single_line(reason)}" if reason else ""


def _single_line(text: str) -> str:
    line = " ".join(text.split())
    return line if line.isprintable() else ascii(line)


def _parsed(path: Path) -> YamlFile:
    file = yaml_file.read(path, "job file", JobError)
    if not isinstance(file.content, dict):
        raise JobError(f"job file {str(path)!r} is not a mapping; it begins with `version: 1`")
    columns = file.content.get("columns")
    if isinstance(columns, dict) and any(
        isinstance(plan, dict) and isinstance(plan.get("hierarchy"), dict) for plan in columns.values()
    ):
        # an inline hierarchy means the same as in its own file, where NO is a country
        texts = yaml_file.read(path, "job file", JobError, as_text=True).content["columns"]
        for plan, text in zip(columns.values(), texts.values(), strict=False):
            if isinstance(plan, dict) and isinstance(plan.get("hierarchy"), dict):
                plan["hierarchy"] = text["hierarchy"]
    return file


def _repeated(file: YamlFile) -> Iterator[JobFault]:
    for line, place in file.repeated():
        yield JobFault(line, place, f"{place!r} occurs twice; a column has one role, a key one value")


def _faults(error: ValidationError, file: YamlFile | None) -> Iterator[JobFault]:
    """The validation errors, unknown keys first: a misspelt key explains a missing one."""
    for fault in sorted(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden"):
        place = yaml_file.place(_without_tag(fault["loc"]))
        yield JobFault(None if file is None else file.line(place), ".".join(place), _described(place, fault))


def _unprotected(job: Job, file: YamlFile) -> Iterator[JobFault]:
    """Privacy models of columns that are not sensitive."""
    sensitive = job.of_role("sensitive")
    for number, model in enumerate(job.privacy):
        column = getattr(model, "column", None)
        if column is not None and column not in sensitive:
            place = ["privacy", str(number), "column"]
            message = f"{column!r} is not a sensitive column of the job{did_you_mean(column, sensitive)}"
            yield JobFault(file.line(place), ".".join(place), f"{'.'.join(place)}: {message}")


def _misnamed(job: Job, file: YamlFile) -> Iterator[JobFault]:
    """Adversaries who know columns that are no quasi-identifiers, or the same columns as another, and quasi-identifiers that none knows."""
    try:
        columns = adversary.with_columns(file.content)["columns"]
        names = [name for name, plan in columns.items() if plan["role"] == "quasi-identifier"]
        adversary.check(job.adversaries, names)
    except JobError as error:
        yield JobFault(file.line(["adversaries"]), "adversaries", f"adversaries: {error}")


def _unfound(job: Job, file: YamlFile, base: Path) -> Iterator[JobFault]:
    """Names of hierarchies that are neither a file nor a bundled hierarchy."""
    for name, plan in job.columns.items():
        if isinstance(plan.hierarchy, str):
            try:
                sets.find_file(plan.hierarchy, base)
            except HierarchyError as error:
                place = ["columns", name, "hierarchy"]
                yield JobFault(file.line(place), ".".join(place), f"{'.'.join(place)}: {error}")


def _without_tag(location: Sequence[Any]) -> Sequence[Any]:
    """The location of an error without the tag of its privacy model."""
    return [*location[:2], *location[3:]] if len(location) > 2 and location[0] == "privacy" else location


def _described(place: Sequence[str], fault: Any) -> str:
    path = ".".join(place)
    if fault["type"] == "extra_forbidden":
        tag = fault["loc"][2] if fault["loc"][0] == "privacy" else None
        known = _known_keys(place[:-1], tag)
        return f"unknown key {path!r}{_elsewhere(place) or did_you_mean(place[-1], known)}"
    if fault["type"] in ("union_tag_invalid", "union_tag_not_found"):
        return f"{path}: {_unknown_model(fault['input'])}"
    return f"{path}: {yaml_file.described(fault)}" if path else yaml_file.described(fault)


def _unknown_model(given: Any) -> str:
    """Why an entry of `privacy` is not a model."""
    if not isinstance(given, Mapping) or "model" not in given:
        return f"it has no model; write `model: {'|'.join(dict.fromkeys(name.partition(' ')[0] for name in _PRIVACY))}`"
    if given["model"] == "l-diversity":
        variants = [name.partition(" ")[2] for name in _PRIVACY if name.startswith("l-diversity")]
        return f"variant {given.get('variant')!r} is unknown{did_you_mean(str(given.get('variant')), variants)}"
    return f"model {given['model']!r} is unknown{did_you_mean(str(given['model']), dict.fromkeys(name.partition(' ')[0] for name in _PRIVACY))}"


def _elsewhere(place: Sequence[str]) -> str:
    """The end of a message about an unknown key outside of a section, if a section has it."""
    names = [
        ".".join((*section, *place)).replace("*", "COLUMN")
        for section, model in _MODELS.items()
        if len(place) == 1 and place[0] in map(kebab, model.model_fields) and section[:1] != ("adversaries",)
    ]
    return f"; did you mean {' or '.join(map(repr, names))}?" if names else ""


def is_list(path: Sequence[str]) -> bool:
    """Whether a key of the job may be a list; False for unknown keys."""
    model = _model_of(path[:-1])
    types = [str(field.annotation) for name, field in model.model_fields.items() if kebab(name) == path[-1]] if model else []
    return any("list[" in each and not each.startswith("dict[") for each in types)


def _model_of(section: Sequence[str]) -> type[BaseModel] | None:
    return _MODELS.get(tuple("*" if position == 1 else part for position, part in enumerate(section)))


def _known_keys(place: Sequence[str], tag: str | None = None) -> list[str]:
    model = _model_of(place) if tag is None else _PRIVACY.get(tag)
    return [kebab(name) for name in model.model_fields] if model else []
