"""Profile an input: statistics and proposed roles of its columns, and a job file with them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from duckanon.dataset import hipaa, values
from duckanon.dataset.column_profile import set_profiles
from duckanon.dataset.direct_identifiers import IdentifierMatch
from duckanon.dataset.location import Source
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.opening import open_source
from duckanon.engine.duckdb import open_engine
from duckanon.engine.protocol import Engine
from duckanon.engine.staging import StagedFiles
from duckanon.engine.templates import render
from duckanon.errors import OutputError
from duckanon.hierarchy import sets
from duckanon.hierarchy.inspection import opened_on
from duckanon.hierarchy.lookup import create_relations
from duckanon.hierarchy.spec import checked, load
from duckanon.job import export, prepare
from duckanon.job.options import Options, Run
from duckanon.job.prepare import Prepared
from duckanon.job.resolve import create_records, missing_rule
from duckanon.job.roles import Proposal, Proposed
from duckanon.observers import Observer, Silent
from duckanon.search.unnamed_persons import proposed_roles


def profile(
    source: Path | str | Source | None = None,
    *,
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    write_job: Path | None = None,
    report: Path | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Profile the columns of `source` and propose a role for each; write a job file to `write_job` if given.

    The caller writes the `report`; this function only refuses a report that would replace a file that is read or written here.

    Returns a document with `source`, `rows`, `columns` (name, type, role, reason, distinct values, missing values, distinction,
    separation, detected kind of values, hierarchy, the labels of its most frequent value from level 1 up), `sets` (distinction and separation of the proposed quasi-identifiers
    together) and `hipaa` (the eighteen identifiers of HIPAA Safe Harbor, with the columns that may contain them).
    """
    run, observer = run or Run(), observer or Silent()
    prepared = prepare.prepare(source, job, options or Options(), run)
    if write_job is not None:
        _check_job_place(write_job, prepared, overwrite=run.overwrite)
    if report is not None:
        prepare.check_unread(prepared, report, f"report {str(report)!r}")
        if write_job is not None and report.resolve() == write_job.resolve():
            raise OutputError(f"report and job file have the same path {str(report)!r}; name another file for one of them")
    with open_engine(
        run.settings, observer, prepared.source.path.absolute().parent if prepared.source.files else None
    ) as engine:
        engine.restrict(prepared.files)
        columns = open_source(engine, prepared.source)
        create_records(engine, columns, prepared.job)
        declared = {name: plan.role for name, plan in prepared.job.columns.items()}
        proposal = proposed_roles(engine, columns, missing_rule(prepared.job), declared, prepared.job.k)
        rows = proposal.columns[0].profile.rows
        by_name = {column.name: column for column in proposal.columns}
        proposed = [by_name[column.name] for column in columns]
        names = [column.name for column in proposed if column.role == "quasi-identifier"]
        together = set_profiles(engine, [names] if names else [], rows)
        labels = _labels(engine, proposal, missing_rule(prepared.job))
    if write_job is not None:
        job_of_roles, comments = export.explicit(prepared.job, proposal), export.comments(proposal, {}, {})
        text = export.text(job_of_roles, comments, prepared.source, write_job.absolute().parent)
        with StagedFiles(root=run.settings.temp_directory) as staged:
            staged.write(write_job, text, overwrite=run.overwrite, is_private=True)
            staged.publish()
    return {
        "source": prepared.source.name,
        "rows": rows,
        "columns": [_row(column, proposal.looks.get(column.name), labels.get(column.name)) for column in proposed],
        "sets": [
            {"columns": list(column_set.columns), "distinction": column_set.distinction, "separation": column_set.separation}
            for column_set in together
        ],
        "hipaa": hipaa.checklist(
            {
                column.name: (
                    column.profile.column,
                    proposal.looks[column.name].what if column.name in proposal.looks else None,
                    column.profile.is_nearly_unique,
                )
                for column in proposed
            }
        ),
    }


def _check_job_place(path: Path, prepared: Prepared, *, overwrite: bool) -> None:
    """Raise `OutputError` if the job file cannot be written."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise OutputError(
            f"job file {str(path)!r} is a folder, or its folder does not exist; name a file in a folder that exists"
        )
    # the job file that is read may be written again
    prepare.check_unread(replace(prepared, file=None), path, f"job file {str(path)!r}")
    if path.exists() and not overwrite:
        raise OutputError(f"job file {str(path)!r} exists; give --overwrite, or name another file")


def _labels(engine: Engine, proposal: Proposal, missing: MissingRule) -> dict[str, list[str]]:
    """The labels of the most frequent value of each quasi-identifier by its hierarchy, from level 1 up."""
    chosen = [column for column in proposal.of_role("quasi-identifier") if column.hierarchy is not None]
    if chosen:
        values.read_values(engine, [column.profile.column for column in chosen], missing)
    labels = {}
    for proposed in chosen:
        column, hierarchy = proposed.profile.column, proposed.hierarchy
        spec = load(sets.find_file(hierarchy, Path())) if isinstance(hierarchy, str) else checked(dict(hierarchy or {}))
        opened = opened_on(engine, column.name, spec, None, column)
        create_relations(engine, column, opened.lookup, spec.domain)
        about = {"column": column.name, "height": opened.lookup.height}
        [levels] = engine.query(render("hierarchy/labels_of_a_value", **about))
        labels[column.name] = [label for label in dict.fromkeys(levels) if label is not None]
    return labels


def _row(column: Proposed, looks: IdentifierMatch | None, labels: list[str] | None) -> dict[str, Any]:
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
        "labels": labels,
        "reason": column.reason,
    }
