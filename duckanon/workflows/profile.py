"""A look at an input: what its columns are like, and a job file that could be made of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duckanon.dataset import hipaa, values
from duckanon.dataset.direct_identifiers import Resemblance
from duckanon.dataset.location import Source
from duckanon.dataset.opening import open_source
from duckanon.engine.opening import open_engine
from duckanon.engine.staging import Drafts
from duckanon.errors import OutputError
from duckanon.job import export, prepare
from duckanon.job.options import Options, Run
from duckanon.job.resolve import missing_rule
from duckanon.job.role_proposal import Proposed, propose
from duckanon.observers import Observer, Silent


def profile(
    source: Path | str | Source | None = None,
    *,
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    write_job: Path | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """What the columns of `source` are like, and the role that is proposed for each; writes a job file where asked for.

    Gives a document: `rows`, `columns` (name, type, role, reason, distinct values, missing,
    distinction, separation, what its values look like, hierarchy), `sets` (what the proposed quasi-identifiers tell apart
    together) and `hipaa` (the eighteen identifiers of the safe harbour, each with the columns that may hold it).
    """
    run, observer = run or Run(), observer or Silent()
    prepared = prepare.prepare(source, job, options or Options(), run)
    if write_job is not None:
        _check_job_place(write_job, prepared.source, overwrite=run.overwrite)
    with open_engine(
        run.settings, observer, prepared.source.path.absolute().parent if prepared.source.files else None
    ) as engine:
        engine.confine(prepared.files)
        columns = open_source(engine, prepared.source)
        engine.create_view(values.records_statement(columns, missing_rule(prepared.job)))
        declared = {name: plan.role for name, plan in prepared.job.columns.items()}
        proposal = propose(engine, columns, missing_rule(prepared.job), declared)
    rows = proposal.columns[0].profile.rows
    if write_job is not None:
        reasons = {column.name: column.reason for column in proposal.columns}
        text = export.text(export.explicit(prepared.job, proposal), reasons, prepared.source, write_job.absolute().parent)
        with Drafts(root=run.settings.temp_directory) as drafts:
            drafts.write(write_job, text, overwrite=run.overwrite, is_private=True)
            drafts.publish()
    return {
        "rows": rows,
        "columns": [_row(column, proposal.looks.get(column.name)) for column in proposal.columns],
        "sets": [
            {"columns": list(column_set.columns), "distinction": column_set.distinction, "separation": column_set.separation}
            for column_set in proposal.together
        ],
        "hipaa": hipaa.checklist(
            {
                column.name: (
                    column.profile.column,
                    proposal.looks[column.name].what if column.name in proposal.looks else None,
                    column.profile.is_nearly_unique,
                )
                for column in proposal.columns
            }
        ),
    }


def _check_job_place(path: Path, source: Source, *, overwrite: bool) -> None:
    """Raises `OutputError` where a job file cannot be written."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise OutputError(f"job file {str(path)!r} is a folder, or lies in none; name a file in a folder that exists")
    if source.files and source.covers(path):
        raise OutputError(f"job file {str(path)!r} is the input itself; name another file")
    if path.exists() and not overwrite:
        raise OutputError(f"job file {str(path)!r} exists; give --overwrite, or name another file")


def _row(column: Proposed, looks: Resemblance | None) -> dict[str, Any]:
    statistics = column.profile
    return {
        "column": column.name,
        "type": statistics.column.type,
        "role": column.role,
        "distinct_values": statistics.distinct,
        "exact": statistics.is_exact,
        "missing": statistics.missing,
        "distinction": statistics.distinction,
        "separation": statistics.separation,
        "looks_like": None if looks is None else looks.what,
        "hierarchy": column.hierarchy,
        "reason": column.reason,
    }
