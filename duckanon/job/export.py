"""The job with the detected roles and hierarchies, so that the next run detects nothing."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.hierarchy.attributes import QuasiIdentifier
from duckanon.hierarchy.spec import content_of
from duckanon.job import file
from duckanon.job.column import ColumnPlan
from duckanon.job.model import Job
from duckanon.job.roles import NEAR_UNIQUE, Proposal, Proposed


def explicit(job: Job, proposal: Proposal) -> Job:
    """The job with what was proposed, searched by `auto` unless it names an algorithm; columns that are merely dropped are not named."""
    columns, weights = {}, dict(job.recoding.weights)
    for column in proposal.columns:
        if column.name not in job.columns and named_role(column) != "dropped":
            plan: dict[str, Any] = {"role": column.role, "hierarchy": column.hierarchy}
            if column.role == "quasi-identifier" and (weight := weights.pop(column.name, column.weight)) != 1:
                plan["weight"] = weight
            columns[column.name] = ColumnPlan.model_validate(plan)
    codes = {column.name: list(column.profile.column.missing) for column in proposal.columns if column.profile.column.missing}
    missing = job.missing.model_copy(update={"columns": {**job.missing.columns, **codes}})
    recoding = job.recoding.model_copy(update={"weights": weights})
    if "algorithm" not in recoding.model_fields_set and not recoding.levels:
        recoding = recoding.model_copy(update={"algorithm": "auto"})
    return job.model_copy(
        update={"columns": {**job.columns, **columns}, "others": "drop", "recoding": recoding, "missing": missing}
    )


def named_role(column: Proposed) -> str:
    """The role that the job gives a column of a proposal; a near-unique column is dropped without being named."""
    return "dropped" if column.reason == NEAR_UNIQUE else column.role


def comments(proposal: Proposal, reasons: Mapping[str, str], labels: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """For each column the reason of its role, what it was detected from, and labels of the release."""
    shown = {name: f"; released as {', '.join(map(repr, some))}" for name, some in labels.items()}
    return {
        column.name: f"{reasons.get(column.name, column.reason)} ({column.evidence}){shown.get(column.name, '')}"
        for column in proposal.columns
    }


def text(
    job: Job,
    comments: Mapping[str, str],
    source: Source,
    folder: Path,
    *,
    output: str | None = None,
    chosen: Sequence[QuasiIdentifier] = (),
) -> str:
    """The job file of an explicit job; its paths are relative to the folder.

    `chosen` are quasi-identifiers whose hierarchies were not named by the job.
    """
    content = file.content(job)
    if not source.is_handed:
        content["source"] = source.relative_to(folder) if source.is_lasting else source.name
    if source.names is not None:
        content["names"] = list(source.names)
    if job.policy is not None and job.policy.file is not None:
        content["policy"] = os.path.relpath(job.policy.file, folder)
    if output is not None:
        content["output"] = {**content.get("output", {}), "path": output}
    for qi in chosen:
        content["columns"][qi.name]["hierarchy"] = _named_from(content_of(qi.hierarchy), folder)
    content.setdefault("privacy", [{"model": "k-anonymity", "k": job.k}])
    content["suppression"] = content.get("suppression", {}) | {"limit": job.suppression.limit, "style": job.suppression.style}
    return file.dumps(content, comments)


def _named_from(hierarchy: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A hierarchy whose file is named from a folder."""
    return hierarchy | ({"file": os.path.relpath(hierarchy["file"], folder)} if "file" in hierarchy else {})
