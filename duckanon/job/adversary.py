"""The adversaries of a job, each with the quasi-identifiers that it knows, and their requirements."""

import csv
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Discriminator, Field

from duckanon.errors import JobError, did_you_mean
from duckanon.job.column import JobModel
from duckanon.privacy import registry

_EXAMPLE = "neighbour=age,sex,zip or employer=age,occupation:k=10"


def _named_once(columns: list[str]) -> list[str]:
    if twice := next((name for name in columns if columns.count(name) > 1), None):
        raise ValueError(f"names {twice!r} twice; once is enough")
    return columns


KnownColumns = Annotated[list[str], Field(min_length=1), AfterValidator(_named_once)]
"""The columns that an adversary knows together, each once."""


class AdversaryPlan(JobModel):
    """The quasi-identifiers that an adversary knows, and what the classes that they form must satisfy."""

    columns: KnownColumns
    """The quasi-identifiers that the adversary knows; a column without a role becomes one."""
    k: Annotated[int, Field(ge=1)] | None = None
    """The least number of records (or persons) that share these columns; default: the k of the job."""
    privacy: list[Annotated[registry.AnyModel, Discriminator(registry.tag)]] = []
    """Models in addition to those of the job."""


def written(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the content of an adversary written as `employer=age,occupation:k=10`; raises `JobError`."""
    name, equals, rest = text.partition("=")
    columns, *models = _parts(rest)
    if not equals or not name.strip() or not columns:
        raise JobError(f"--adversary {text!r} names no columns; write {_EXAMPLE}")
    content: dict[str, Any] = {"columns": columns}
    for model in models:
        required = registry.written(model, f"--adversary {name}")
        if required["model"] != "k-anonymity":
            content.setdefault("privacy", []).append(required)
        elif "k" in content:
            raise JobError(f"--adversary {name} has both k={content['k']} and k={required['k']}; leave one out")
        else:
            content["k"] = required["k"]
    return name.strip(), content


def _parts(text: str) -> list[Any]:
    """The list of columns, and the models after it; a column name with a comma or a colon is in double quotes."""
    pieces, quoted = [""], False
    for character in text:
        quoted ^= character == '"'
        if character == ":" and not quoted:
            pieces.append("")
        else:
            pieces[-1] += character
    try:
        columns = next(csv.reader([pieces[0]], skipinitialspace=True), [])
    except csv.Error:
        columns = []
    return [columns if all(columns) else [], *pieces[1:]]


def with_columns(job: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a job in which the columns of its adversaries are quasi-identifiers; raises `JobError` for another role."""
    columns = dict(job.get("columns") or {})
    for name, adversary in (job.get("adversaries") or {}).items():
        for column in adversary["columns"]:
            role = columns.setdefault(column, {"role": "quasi-identifier"})["role"]
            if role != "quasi-identifier":
                raise JobError(
                    f"the adversary {name!r} knows {column!r}, which is {role}; adversaries know quasi-identifiers: give it that role, or leave it out"
                )
    return {**job, "columns": columns}


def check(adversaries: Mapping[str, AdversaryPlan], quasi_identifiers: Sequence[str]) -> None:
    """Raise `JobError` for two adversaries with the same columns, and for a quasi-identifier that none of them knows."""
    seen: dict[frozenset[str], str] = {}
    for name, adversary in adversaries.items():
        columns = frozenset(adversary.columns)
        if strange := next((column for column in adversary.columns if column not in quasi_identifiers), None):
            raise JobError(
                f"the adversary {name!r} knows {strange!r}, which is not a quasi-identifier{did_you_mean(strange, quasi_identifiers)}"
            )
        if (other := seen.setdefault(columns, name)) != name:
            raise JobError(f"the adversaries {other!r} and {name!r} know the same columns; leave one out")
    known = {column for adversary in adversaries.values() for column in adversary.columns}
    if adversaries and (unknown := next((column for column in quasi_identifiers if column not in known), None)):
        raise JobError(
            f"no adversary knows the quasi-identifier {unknown!r}, so nothing would protect it; add it to one, or give it another role (--keep, --sensitive)"
        )
