"""Open a saved recoding without its data, for the columns of a table like the first input."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from duckanon.dataset.opening import open_source
from duckanon.engine.protocol import Column, Engine
from duckanon.errors import InputError, JobError
from duckanon.hierarchy.attributes import Attribute
from duckanon.job import prepare
from duckanon.job.model import ROWS, Job
from duckanon.job.options import Options, Run
from duckanon.job.resolve import Plan, chosen_node, resolve
from duckanon.lattice import Node
from duckanon.observers import Silent
from duckanon.release import saved_recoding
from duckanon.search import combinations


@dataclass(frozen=True)
class OpenedRelease:
    """A recoding with fixed levels, and its columns."""

    job: Job
    columns: Sequence[Column]
    plan: Plan
    attributes: Sequence[Attribute]
    node: Node
    folder: Path
    """The folder of the saved recoding."""


def open_recoding(engine: Engine, manifest_path: Path, like: str | None) -> OpenedRelease:
    """The saved recoding of a manifest; `like` is a table with the same columns, by default the first input.

    Raises `JobError` if the recoding does not have one level for each column, and `InputError` if the table does not exist.
    """
    fixed = saved_recoding.find(manifest_path)
    try:
        requested = prepare.prepare(like, fixed.with_name(saved_recoding.ASKED_JOB), Options(), Run(), is_replayed=True)
    except (InputError, JobError) as error:
        if like is not None:
            raise
        raise InputError(
            f"the column types come from the input of {str(manifest_path)!r}, which has moved; "
            "name a table with the same columns with --like"
        ) from error
    prepared = prepare.prepare(requested.source.name, fixed, Options(), Run(), is_applied=True)
    job = prepared.job if prepared.job.entity != ROWS else prepared.job.model_copy(update={"entity": None})
    _check(job, manifest_path)
    engine.restrict(requested.source.files)
    columns = open_source(engine, requested.source)
    plan = resolve(job, columns, prepared.hierarchies, prepared.base, Silent())
    attributes = combinations.unread_attributes(plan.quasi_identifiers, engine)
    node = chosen_node(job, attributes)
    if node is None:
        raise JobError(f"the recoding of {str(manifest_path)!r} has no fixed levels; make the release again")
    return OpenedRelease(job, columns, plan, attributes, node, fixed.parent)


def _check(job: Job, manifest_path: Path) -> None:
    """Raise `JobError` for a recoding that cannot be exported."""
    if job.recoding.levels is None:
        raise JobError(
            f"the release of {str(manifest_path)!r} uses local recoding (algorithm {job.recoding.algorithm}), which cannot be exported as SQL; "
            "use duckanon apply, or release again with --algorithm optimal"
        )
    if treated := next((name for name, plan in job.columns.items() if plan.pseudonym or plan.mask or plan.shift), None):
        raise JobError(
            f"column {treated!r} is pseudonymized, masked or shifted, which cannot be exported as SQL: the text must not contain the key; "
            "use duckanon apply"
        )
    if ranged := next((name for name, plan in job.columns.items() if plan.ranges not in (None, "text")), None):
        raise JobError(
            f"column {ranged!r} is written as numbers (--ranges {job.columns[ranged].ranges}), which cannot be exported as SQL; "
            "use duckanon apply, or release again with --ranges text"
        )
    if aggregated := next((name for name, plan in job.columns.items() if plan.microaggregate is not None), None):
        raise JobError(
            f"column {aggregated!r} is microaggregated, which cannot be exported as SQL; "
            "use duckanon apply, or release again without it"
        )
