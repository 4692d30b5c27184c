"""The text of a hand-over: three statements that stand by themselves, and what they are for."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.portable import Parsed, Target
from duckanon.engine.templates import Statement, render
from duckanon.errors import JobError, did_you_mean
from duckanon.release.recoding.node import NodeRecoding
from duckanon.workflows.sql_export import lookups, promise
from duckanon.workflows.sql_export.absent import missing_of
from duckanon.workflows.sql_export.bounds import check_reads_alike
from duckanon.workflows.sql_export.labels import Label, labels_of
from duckanon.workflows.sql_export.limits import check_limits
from duckanon.workflows.sql_export.opened import OpenedRelease, open_recoding
from duckanon.workflows.sql_export.preface import preface

DIALECTS: tuple[Target, ...] = get_args(Target)
_OWN = re.compile(
    r"records|labelled|totals|counted|measured|ranked|classes|reached|needed|starred|remaining|final|read|shown|source|listed|lookup_\d+"
)
"""What the statements call their own parts, which a table of that name would be taken for."""
_PART = r'(?:"(?:[^"]|"")+"|[^."]+)'
_TITLES = (
    "1. The release.",
    "2. The classes of the release that break the promise; no rows: it holds.",
    "3. The rows left out.",
)


def hand_over(
    manifest_path: Path | str,
    *,
    dialect: str = "duckdb",
    table: str = "input",
    released: str = "released",
    like: str | None = None,
    lookup_folder: Path | str | None = None,
) -> str:
    """The frozen recoding of a release as SQL that another engine runs on `table`, which has the columns of the first input.

    The types of the columns are those of `like`, or of that input where it still is. Lookup tables are part of the text, or
    CSV files in `lookup_folder`, for tables of their names. Raises `JobError` for what no SQL can say that means the same
    everywhere, `InputError` or `OutputError` for what cannot be read or written.
    """
    if dialect not in DIALECTS:
        raise JobError(f"--dialect {dialect!r} is unknown{did_you_mean(dialect, DIALECTS)}")
    about: dict[str, Any] = {"table": _name(table, "--table"), "released_table": _name(released, "--released")}
    with DuckDBEngine() as engine:
        release = open_recoding(engine, Path(manifest_path), like)
        by_name = {column.name: column for column in release.columns}
        labels = labels_of(
            engine,
            release.plan.quasi_identifiers,
            release.attributes,
            release.node,
            release.plan.missing,
            stars=release.job.stars,
            dialect=dialect,
        )
        dropped: list[dict[str, Any]] = [
            {"name": name, "tokens": missing.tokens, "null": missing.null}
            for name, tokens in release.plan.missing.dropping(list(release.columns))
            for missing in [missing_of(engine, by_name[name], tokens, dialect)]
            if missing.tokens or missing.null
        ]
    cells = _cells(release)
    requirement = release.plan.requirement
    promised = promise.promise_of(requirement, by_name, cells, len(labels))
    if release.job.stars and not promised.asks_of_rows_alone:
        raise JobError(
            "the release stars suppressed rows, which is handed over where rows are counted alone, and this one promises "
            f"{'; '.join(promise.in_words(requirement))}; use duckanon apply, or release anew with --suppress drop"
        )
    check_limits(labels, promised, [token for rule in dropped for token in rule["tokens"]], dialect)
    is_lookup_table = lookup_folder is not None
    about |= {
        "labels": labels,
        "dropped": dropped,
        "columns": [{"name": name, "cell": cell} for name, cell in cells.items()],
        "released": _released(release, labels, cells, dialect),
        "lookups": [
            {"number": label.number, "rows": None if is_lookup_table else label.rows, "has_labels": label.has_labels}
            for label in labels
            if label.lookup and (label.rows or is_lookup_table)
        ],
    }
    template = "handed_over_starred" if release.job.stars else "handed_over"
    statements = [render(f"sql_export/{template}", promise=promised, **about), *_judgements(release, labels, about)]
    written = lookups.write(Path(lookup_folder), labels) if lookup_folder is not None else []
    comment = preface(release, labels, Path(manifest_path), dialect, table, released, [str(file) for file in written])
    parts = [f"-- {title}\n{_translated(statement, dialect)};" for title, statement in zip(_TITLES, statements, strict=True)]
    return "\n\n".join([comment, *parts])


def _judgements(release: OpenedRelease, labels: Sequence[Label], about: dict[str, Any]) -> list[Statement]:
    """What the released table is held to: its classes, and its rows."""
    shown = [column.name for column in release.plan.released]
    part = promise.in_release(release.plan.requirement, shown)
    columns = {column.name: column for column in release.plan.released}
    promised = promise.promise_of(part, columns, dict.fromkeys(columns, 0), len(labels))
    rows_name = "_rows"
    while rows_name in columns:
        rows_name += "_"
    return [
        render("sql_export/broken_classes", promise=promised, rows_name=rows_name, **about),
        render("sql_export/rows_left_out", **about),
    ]


def _name(text: str, option: str) -> tuple[str, ...]:
    """The parts of a table's name; raises `JobError` where it has none, or is one that the statements use."""
    if not re.fullmatch(rf"{_PART}(?:\.{_PART})*", text):
        raise JobError(f'{option} {text!r} is no name of a table; write name, schema.name or "any name"')
    quoted = re.findall(_PART, text)
    parts = tuple(part[1:-1].replace('""', '"') if part.startswith('"') else part for part in quoted)
    if len(parts) == 1 and _OWN.fullmatch(parts[0].casefold()):
        raise JobError(f"{option} {text!r} is a name that the statements use themselves; name the table with its schema")
    return parts


def _cells(release: OpenedRelease) -> dict[str, int]:
    """The columns that the statements read, numbered, quasi-identifiers first."""
    requirement = release.plan.requirement
    names = [qi.name for qi in release.plan.quasi_identifiers]
    recoding = _recoding(release)
    names += [column.name for column in release.plan.released if recoding.shows(column.name) != "star"]
    names += [name for name in (*requirement.sensitive, requirement.k.k_column, requirement.k.entity) if name is not None]
    return {name: number for number, name in enumerate(dict.fromkeys(names), start=1)}


def _recoding(release: OpenedRelease) -> NodeRecoding:
    plan = release.plan
    return NodeRecoding(
        attributes=tuple(release.attributes),
        node=release.node,
        requirement=plan.requirement,
        columns=plan.released,
        followers=plan.followers,
        stars=release.job.stars,
    )


def _released(release: OpenedRelease, labels: Sequence[Label], cells: dict[str, int], dialect: str) -> list[dict[str, Any]]:
    """What the templates need to know of each column of the release."""
    by_name = {label.name: label for label in labels}
    attributes = [
        replace(attribute, is_retyped=by_name[attribute.name].missing is not None) for attribute in release.attributes
    ]
    recoding = _recoding(replace(release, attributes=attributes))
    columns = []
    for column in release.plan.released:
        shows, leader = recoding.shows(column.name), release.plan.followers.get(column.name)
        is_starred = shows == "itself where shown" or (shows == "itself or star" and release.job.stars)
        if is_starred:
            check_reads_alike(column, dialect, f"stars stand beside it where it follows {leader!r}")
        is_stored = column.file_type == column.type or column.is_nested
        columns.append(
            {
                "name": column.name,
                "shows": shows,
                "label": by_name[column.name].number if column.name in by_name else None,
                "leader": by_name[leader].number if leader is not None else None,
                "cell": None if shows == "star" or column.name in by_name else cells[column.name],
                "cast": "varchar" if is_starred else None if is_stored else column.file_type,
                "is_text": column.type == "VARCHAR",
            }
        )
    return columns


def _translated(statement: Statement, dialect: str) -> str:
    """The statement without its header, in the dialect."""
    target = next(name for name in DIALECTS if name == dialect)
    if target == "duckdb":
        return statement.sql.split("\n", 3)[3].strip()
    return Parsed(statement.sql).translated(target, pretty=True)
