"""The frozen recoding of a release: a job that decides nothing any more, beside the hierarchies that it needs.

`OUTPUT.recoding/` holds `job.yaml`, with the node fixed, and a value table for each hierarchy that is not given by a rule. Beside
it stands what the decision can be explained by: `asked.yaml`, the job as it was asked for, and `lattice.json`, the nodes that
were visited; and where classes are compared with the distribution of a sensitive column, `distributions.parquet`. It holds original values: it is for those who hold the input.
"""

import os
import shutil
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from duckanon.dataset import destination
from duckanon.dataset.location import Source
from duckanon.engine.protocol import Engine, Form
from duckanon.engine.scratch.modes import OWNER_ONLY, OWNER_ONLY_FOLDER
from duckanon.engine.templates import render
from duckanon.errors import JobError
from duckanon.hierarchy.attributes import QuasiIdentifier
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.spec import content_of, shared_content
from duckanon.job import file as job_file
from duckanon.job.column import ColumnPlan
from duckanon.job.model import ROWS
from duckanon.release import manifest
from duckanon.release.manifest_model.files import SavedRecodingReference
from duckanon.release.placement import RECODING_ENDING, RECODING_JOB
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult
from duckanon.search.trace import visits_of, write_visits

ASKED_JOB = "asked.yaml"
LATTICE = "lattice.json"
DISTRIBUTIONS = "distributions.parquet"
_SHOWN = {"cut", "order", "microaggregate", "round", "pseudonym", "mask", "shift"}
"""What a job says of how a column is cut, and of what is shown of it."""


def write(engine: Engine, folder: Path, counted: Counted, decided: SearchResult, source: Source, final: Path) -> str:
    """Writes a frozen recoding to a new folder, which is to lie at `final`; gives its SHA-256."""
    folder.mkdir(mode=OWNER_ONLY_FOLDER)
    columns: dict[str, Any] = {}
    numbers = count(1)
    for attribute, qi in zip(counted.attributes, counted.plan.quasi_identifiers, strict=True):
        file = folder / f"hierarchy_{next(numbers)}.parquet"
        hierarchy = _hierarchy(engine, file, qi, attribute.height, attribute.rule)
        columns[qi.name] = {"role": "quasi-identifier", "hierarchy": hierarchy}
        if qi.weight != 1:
            columns[qi.name]["weight"] = float(qi.weight)
    for distribution in counted.distributions:
        columns[distribution.name] = {"role": "sensitive"}
        if distribution.sensitive.order:
            columns[distribution.name]["order"] = list(distribution.sensitive.order)
        if distribution.sensitive.hierarchy is not None:
            file = folder / f"hierarchy_{next(numbers)}.parquet"
            columns[distribution.name]["hierarchy"] = _hierarchy(
                engine, file, distribution.sensitive.hierarchy, distribution.height, None
            )
    for column in counted.plan.released:
        role = counted.plan.roles[column.name]
        columns.setdefault(column.name, {"role": "insensitive" if role == "kept" else role})
    for name, plan in counted.job.columns.items():
        if name in columns:
            columns[name] |= _shown(plan)
    _write_distributions(engine, folder, counted)
    job = _self_contained(counted, columns)
    frozen = job | {
        "recoding": {**job.get("recoding", {}), **decided.content(folder)},
        "columns": columns | _cuts(counted, columns),
    }
    frozen.pop("population", None)
    (folder / RECODING_JOB).write_text(job_file.dumps(frozen), encoding="utf-8")
    _write_requested(folder, job, counted, source, final)
    if decided.full_domain is not None:
        write_visits(folder / LATTICE, visits_of(decided.full_domain))
    for file in folder.iterdir():
        file.chmod(OWNER_ONLY)
    return destination.settle(folder)


def _write_distributions(engine: Engine, folder: Path, counted: Counted) -> None:
    """The distribution of each sensitive column that classes are compared with, which the release alone does not show."""
    requirement = counted.plan.requirement
    compared = {model.sensitive for model in requirement.others if model.NEEDS_WHOLE}
    columns = [
        {"name": distribution.name, "height": distribution.height}
        for distribution in counted.distributions
        if distribution.name in compared
    ]
    if columns and not requirement.counts_persons:
        saved = render("privacy/saved_distributions", columns=columns)
        engine.write(saved, folder / DISTRIBUTIONS, Form("parquet"), stage="freezing the recoding")


def _self_contained(counted: Counted, columns: Mapping[str, Any]) -> dict[str, Any]:
    """The job with these columns and no other file, whatever becomes of those that it named."""
    job = job_file.content(counted.job)
    if counted.persons.origin == "named" and counted.persons.column is None:
        # else whoever reads the job again would detect persons that this run did not count
        job["entity"] = ROWS
    output = {key: value for key, value in job.get("output", {}).items() if key != "path"}
    linked = [kept for group in job.get("linked", []) if len(kept := [name for name in group if name in columns]) > 1]
    job |= {"columns": dict(columns), "others": "drop", "output": output, "linked": linked}
    for key in ("source", "names", *([] if linked else ["linked"]), *([] if output else ["output"])):
        job.pop(key, None)
    return job


def _write_requested(folder: Path, job: Mapping[str, Any], counted: Counted, source: Source, final: Path) -> None:
    """The job with the bounds of its search, and its input as it is named from where the folder will lie."""
    columns = dict(job["columns"])
    for attribute in counted.attributes:
        least = {"min-level": attribute.min_level} if attribute.min_level else {}
        most = {"max-level": attribute.max_level} if attribute.max_level < attribute.height else {}
        lost = {} if attribute.max_loss is None else {"max-loss": float(attribute.max_loss)}
        columns[attribute.name] = columns[attribute.name] | least | most | lost
    requested = {**job, "columns": columns}
    if source.is_lasting:
        requested["source"] = source.relative_to(final)
        requested |= {"names": list(source.names)} if source.names is not None else {}
    if "population" in requested:
        requested["population"] = os.path.relpath(requested["population"], final)
    (folder / ASKED_JOB).write_text(job_file.dumps(requested), encoding="utf-8")


def _shown(plan: ColumnPlan) -> dict[str, Any]:
    """How mondrian cuts a column, and what is shown of it."""
    content = plan.model_dump(by_alias=True, exclude_none=True, include=_SHOWN)
    return dict(content)


def _cuts(counted: Counted, columns: Mapping[str, Any]) -> dict[str, Any]:
    """The quasi-identifiers with what mondrian cut each into, which the type of a column decides where nobody says it."""
    if counted.job.recoding.algorithm != "mondrian":
        return {}
    return {
        attribute.name: columns[attribute.name] | {"cut": "hierarchy" if attribute.ordering is None else "order"}
        for attribute in counted.attributes
    }


def _hierarchy(engine: Engine, file: Path, qi: QuasiIdentifier, height: int, rule: Spec | None) -> dict[str, Any]:
    """A hierarchy as the frozen job says it: its rule, or a value table that is written beside the job."""
    if rule is not None:
        return content_of(rule)
    table = render("hierarchy/frozen_table", column=qi.name, height=height)
    engine.write(table, file, Form("parquet"), stage="freezing the recoding")
    return {"kind": "table", "file": file.name, **shared_content(qi.hierarchy)}


def copy(folder: Path, draft: Path, source: Source, final: Path) -> str:
    """Copies a frozen recoding to a draft, which is to lie at `final`; gives its SHA-256."""
    shutil.copytree(folder, draft)
    requested = job_file.read(draft / ASKED_JOB)
    if "source" in requested:
        requested["source"] = source.relative_to(final)
    (draft / ASKED_JOB).write_text(job_file.dumps(requested), encoding="utf-8")
    return destination.settle(draft)


def find(path: Path) -> Path:
    """The job of the frozen recoding that a manifest names; raises `JobError` where it is not as it was."""
    reference = manifest.parse(path, SavedRecodingReference)
    folder = path.with_name(f"{reference.output.file.name}{RECODING_ENDING}")
    if not (folder / RECODING_JOB).is_file():
        raise JobError(f"the frozen recoding {str(folder)!r} of {str(path)!r} is not there; it belongs beside the manifest")
    if destination.settle(folder) != reference.frozen.sha256:
        raise JobError(
            f"the frozen recoding {str(folder)!r} is not the one that {str(path)!r} was written with; bring that one back"
        )
    return folder / RECODING_JOB
