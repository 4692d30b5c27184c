"""The saved recoding of a release: a job with fixed levels, and the hierarchies that it needs.

`OUTPUT.recoding/` contains `job.yaml`, with fixed levels or regions, and a value table for each hierarchy that has no rule. Regions are the
cuts in `partitions.parquet`, or passes; `cells.parquet` has the levels that the passes gave each set of values, for `Release.transform`.
`asked.yaml` (the requested job) and `lattice.json` (the visited nodes) explain the decision; `policy.yaml` is the policy file, if there
is one. If classes are compared with the distribution of a sensitive column, `distributions.parquet` contains it; `isolated*.parquet` names
the records that were suppressed because the release would isolate them. The folder contains original values, so it must not be
given to recipients of the release.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from duckanon import yaml_file
from duckanon.dataset import destination
from duckanon.dataset.location import Source
from duckanon.engine.protocol import Engine, Form
from duckanon.engine.scratch import OWNER_ONLY, OWNER_ONLY_FOLDER
from duckanon.engine.templates import render
from duckanon.errors import JobError
from duckanon.hierarchy.attributes import QuasiIdentifier
from duckanon.hierarchy.base import Spec
from duckanon.hierarchy.spec import content_of, shared_content
from duckanon.job import file as job_file
from duckanon.job import merge
from duckanon.job.model import ROWS
from duckanon.job.options import Options, Run
from duckanon.job.prepare import Prepared, prepare
from duckanon.release import manifest
from duckanon.release.manifest_model.document import ReleaseManifest, Requirements
from duckanon.release.manifest_model.files import SavedRecodingReference
from duckanon.release.placement import RECODING_ENDING, RECODING_JOB
from duckanon.release.ranges import RangeColumn
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult
from duckanon.search.trace import visits_of, write_visits

ASKED_JOB = "asked.yaml"
LATTICE = "lattice.json"
DISTRIBUTIONS = "distributions.parquet"
ISOLATED = "isolated*.parquet"
POLICY = "policy.yaml"
_SET = ("accept", "encoding", "malformed", "names", "output.public-manifest", "output.shuffle")
"""The keys of a job that can be set when its saved recoding is applied."""
_SHOWN = {"cut", "order", "microaggregate", "round", "pseudonym", "mask", "shift", "text"}
"""The job keys of the cut of a column, and of its released form."""


def write(
    engine: Engine,
    folder: Path,
    counted: Counted,
    decided: SearchResult,
    source: Source,
    final: Path,
    ranged: Sequence[RangeColumn] = (),
) -> str:
    """Write a saved recoding to a new folder, which is moved to `final` later; returns its SHA-256."""
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
            columns[name] |= plan.model_dump(by_alias=True, exclude_none=True, include=_SHOWN)
    if counted.job.output.ranges != "text" or ranged:
        written = {column.name: column.written for column in ranged}
        for attribute in counted.attributes:
            # apply writes the same columns, whatever the labels of later data are
            columns[attribute.name]["ranges"] = written.get(attribute.name, "text")
    _write_distributions(engine, folder, counted)
    for number, relation in enumerate(counted.isolated_by):
        saved = render("dataset/copy", "saved_isolated", relation=relation)
        engine.write(saved, folder / ISOLATED.replace("*", str(number or "")), Form("parquet"), stage="saving the recoding")
    job = _self_contained(counted, columns)
    saved_job = job | {
        "recoding": {**job.get("recoding", {}), **decided.content(folder)},
        "columns": columns | _cuts(counted, columns),
    }
    saved_job.pop("population", None)
    (folder / RECODING_JOB).write_text(job_file.dumps(saved_job), encoding="utf-8")
    _write_requested(folder, job, counted, source, final)
    if counted.job.policy is not None and counted.job.policy.file is not None:
        (folder / POLICY).write_text(yaml_file.dumps(counted.job.policy.content(), is_plain=False), encoding="utf-8")
    if decided.full_domain is not None:
        write_visits(folder / LATTICE, visits_of(decided.full_domain))
    for file in folder.iterdir():
        file.chmod(OWNER_ONLY)
    return destination.file_sha256(folder)


def _write_distributions(engine: Engine, folder: Path, counted: Counted) -> None:
    """Write the distribution of each sensitive column with which classes are compared; the release does not contain it."""
    requirement = counted.plan.requirement
    compared = {model.sensitive for model in requirement.every_model if model.NEEDS_WHOLE}
    columns = [
        {"name": distribution.name, "height": distribution.height}
        for distribution in counted.distributions
        if distribution.name in compared
    ]
    if columns and not requirement.counts_persons:
        saved = render("privacy/saved_distributions", columns=columns)
        engine.write(saved, folder / DISTRIBUTIONS, Form("parquet"), stage="saving the recoding")


def _self_contained(counted: Counted, columns: Mapping[str, Any]) -> dict[str, Any]:
    """The job with these columns, without references to other files."""
    job = job_file.content(counted.job)
    if counted.persons.origin == "named" and counted.persons.column is None:
        # otherwise a later run of this job would detect persons, which this run did not count
        job["entity"] = ROWS
    output = {key: value for key, value in job.get("output", {}).items() if key != "path"}
    linked = [kept for group in job.get("linked", []) if len(kept := [name for name in group if name in columns]) > 1]
    job |= {"columns": dict(columns), "others": "drop", "output": output, "linked": linked}
    if counted.job.policy is not None and counted.job.policy.file is not None:
        job["policy"] = POLICY
    for key in ("source", "names", *([] if linked else ["linked"]), *([] if output else ["output"])):
        job.pop(key, None)
    return job


def _write_requested(folder: Path, job: Mapping[str, Any], counted: Counted, source: Source, final: Path) -> None:
    """Write the requested job, with the bounds of the search and with the input relative to the final folder."""
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


def _cuts(counted: Counted, columns: Mapping[str, Any]) -> dict[str, Any]:
    """The quasi-identifiers with the cut that mondrian used; by default it depends on the type of the column."""
    if counted.job.recoding.algorithm != "mondrian":
        return {}
    return {
        attribute.name: columns[attribute.name] | {"cut": "hierarchy" if attribute.ordering is None else "order"}
        for attribute in counted.attributes
    }


def _hierarchy(engine: Engine, file: Path, qi: QuasiIdentifier, height: int, rule: Spec | None) -> dict[str, Any]:
    """A hierarchy in the saved job: its rule, or a value table in a file beside the job."""
    if rule is not None:
        return content_of(rule)
    table = render("hierarchy/saved_table", column=qi.name, height=height)
    engine.write(table, file, Form("parquet"), stage="saving the recoding")
    return {"kind": "table", "file": file.name, **shared_content(qi.hierarchy)}


def copy(folder: Path, draft: Path, source: Source, final: Path) -> str:
    """Copy a saved recoding to a draft, which is moved to `final` later; returns its SHA-256."""
    shutil.copytree(folder, draft)
    requested = job_file.read(draft / ASKED_JOB)
    if "source" in requested:
        requested["source"] = source.relative_to(final)
    (draft / ASKED_JOB).write_text(job_file.dumps(requested), encoding="utf-8")
    return destination.file_sha256(draft)


def assumes_any(about: ReleaseManifest | Requirements, path: Path | None = None) -> bool:
    """Whether version 0.2 assumed the `any` of a release; its saved recoding decides if it is beside the manifest `path`."""
    if not merge.was_assumed(about.any_columns, about.any_chosen, about.roles):
        return False
    try:
        return path is None or merge.assumes_any(job_file.read(find(path)))
    except JobError:
        return True


def prepared(source: Path | str | Source | None, path: Path, options: Options, run: Run) -> Prepared:
    """The saved recoding of the manifest `path`, prepared for new data.

    A column of persons that version 0.2 had chosen by its name is not counted, unless an option names it.
    """
    if refused := next((key for key in options.set if key not in _SET), None):
        raise JobError(
            f"--set {refused}: the saved recoding decides it; only {', '.join(_SET)} can be set, or release the data by duckanon anonymize"
        )
    reference = manifest.parse(path, SavedRecodingReference)
    job = replace(prepare(source, find(path), options, run, is_applied=True), lost_before=reference.lost_columns)
    persons = reference.persons
    if options.entity is not None or persons is None or persons.caution is None or persons.column is None:
        return job
    if job.job.entity != persons.column:
        return job
    return replace(job, job=job.job.model_copy(update={"entity": None}), cautions=[*job.cautions, persons.caution])


def find(path: Path) -> Path:
    """The job of the saved recoding of a manifest; raises `JobError` if the folder is missing or was changed."""
    reference = manifest.parse(path, SavedRecodingReference)
    folder = path.with_name(f"{reference.output.file.name}{RECODING_ENDING}")
    if not (folder / RECODING_JOB).is_file():
        raise JobError(
            f"the saved recoding {str(folder)!r} of {str(path)!r} does not exist; move it to the folder of the manifest"
        )
    if destination.file_sha256(folder) != reference.saved_recoding.sha256:
        raise JobError(
            f"the saved recoding {str(folder)!r} was changed after {str(path)!r} was written: its SHA-256 differs; restore the original folder, or run the job again"
        )
    return folder / RECODING_JOB
