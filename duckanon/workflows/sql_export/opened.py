"""A frozen recoding opened again without its data: the columns of a table like the first, and what the job makes of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from duckanon.dataset.opening import open_source
from duckanon.engine.protocol import Column, Engine
from duckanon.errors import InputError, JobError
from duckanon.hierarchy.attributes import Attribute
from duckanon.job import prepare
from duckanon.job.model import Job
from duckanon.job.options import Options, Run
from duckanon.job.resolve import Plan, chosen_node, settle
from duckanon.lattice import Node
from duckanon.observers import Silent
from duckanon.release import saved_recoding
from duckanon.search import combinations


@dataclass(frozen=True)
class OpenedRelease:
    """A recoding whose levels are fixed, and the columns that it is for."""

    job: Job
    columns: Sequence[Column]
    plan: Plan
    attributes: Sequence[Attribute]
    node: Node
    folder: Path
    """Of the frozen recoding."""


def open_recoding(engine: Engine, manifest_path: Path, like: str | None) -> OpenedRelease:
    """The recoding that a manifest names; `like` is a table of the same columns, the first input where none is named.

    Raises `JobError` where the recoding has no one level a column, and `InputError` where no such table is there.
    """
    fixed = saved_recoding.find(manifest_path)
    try:
        requested = prepare.prepare(like, fixed.with_name(saved_recoding.ASKED_JOB), Options(), Run())
    except (InputError, JobError) as error:
        if like is not None:
            raise
        raise InputError(
            f"the types of the columns are those of the input of {str(manifest_path)!r}, which is not where it was; "
            "name a table of the same columns with --like"
        ) from error
    prepared = prepare.prepare(requested.source.name, fixed, Options(), Run())
    _check(prepared.job, manifest_path)
    engine.confine(requested.source.files)
    columns = open_source(engine, requested.source)
    plan = settle(prepared.job, columns, prepared.hierarchies, prepared.base, Silent())
    _, attributes = combinations.preview_statements(plan.quasi_identifiers, engine)
    node = chosen_node(prepared.job, attributes)
    if node is None:
        raise JobError(f"the recoding of {str(manifest_path)!r} fixes no levels; make the release anew")
    return OpenedRelease(prepared.job, columns, plan, attributes, node, fixed.parent)


def _check(job: Job, manifest_path: Path) -> None:
    """Raises `JobError` for a recoding that is not handed over."""
    if job.recoding.levels is None:
        raise JobError(
            f"the release of {str(manifest_path)!r} recodes regions apart (algorithm {job.recoding.algorithm}), which is not handed over: "
            "only one level a column is; use duckanon apply, or release anew with --algorithm optimal"
        )
    if treated := next((name for name, plan in job.columns.items() if plan.pseudonym or plan.mask or plan.shift), None):
        raise JobError(
            f"column {treated!r} is released in another form (pseudonym, mask or shift), which is not handed over: its key belongs in no SQL; "
            "use duckanon apply"
        )
    if aggregated := next((name for name, plan in job.columns.items() if plan.microaggregate is not None), None):
        raise JobError(
            f"column {aggregated!r} shows a figure a class (microaggregate), which is not handed over; "
            "use duckanon apply, or release anew without it"
        )
