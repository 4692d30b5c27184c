"""The job of the page as a job file, whose paths start from the folder of the file."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.job import export
from duckanon.job.column import ColumnPlan
from duckanon.job.model import Job
from duckanon.job.roles import Proposal

_CHOSEN = "chosen in the studio"


def job_text(job: Job, proposal: Proposal, source: Source, folder: Path) -> str:
    """The text of the job file in a folder. The comment of a column says why it has its role."""
    plans = {name: _moved(plan, folder) for name, plan in job.columns.items()}
    recoding = job.recoding.model_copy(update={"partitions": _from(job.recoding.partitions, folder)})
    moved = job.model_copy(update={"columns": plans, "recoding": recoding, "population": _from(job.population, folder)})
    return export.text(moved, export.comments(proposal, _reasons(job, proposal), {}), source, folder)


def _reasons(job: Job, proposal: Proposal) -> Mapping[str, str]:
    """The reasons of roles that differ from the proposal."""
    roles = {name: plan.role for name, plan in job.columns.items()}
    return {
        column.name: _CHOSEN for column in proposal.columns if roles.get(column.name, "dropped") != export.named_role(column)
    }


def _moved(plan: ColumnPlan, folder: Path) -> ColumnPlan:
    """The plan, with its hierarchy named from a folder if it is a file."""
    hierarchy: Any = plan.hierarchy
    if isinstance(hierarchy, str):
        return plan.model_copy(update={"hierarchy": _from(hierarchy, folder)})
    file = getattr(hierarchy, "file", None)
    return (
        plan
        if file is None
        else plan.model_copy(update={"hierarchy": hierarchy.model_copy(update={"file": Path(_relative(file, folder))})})
    )


def _from(name: str | None, folder: Path) -> str | None:
    """An absolute path as it is named from a folder; other names stay."""
    return _relative(name, folder) if name is not None and Path(name).is_absolute() else name


def _relative(path: Path | str, folder: Path) -> str:
    return os.path.relpath(path, folder)
