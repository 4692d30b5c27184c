"""The three statements of an SQL export: the release, its failing classes, and the rows left out."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.portable import Parsed, Target
from duckanon.engine.templates import Statement, render
from duckanon.errors import JobError, did_you_mean
from duckanon.export import requirement as thresholds
from duckanon.export.labels import Label, ListedLabels, labels_of
from duckanon.export.release import OpenedRelease, open_recoding
from duckanon.export.values import check_reads_alike, missing_of
from duckanon.release.recoding import NodeRecoding

DIALECTS: tuple[Target, ...] = get_args(Target)
_OWN = re.compile(
    r"records|rule|labelled|classes|failing|reached|needed|masked|counted|remaining|final|read|shown|source|listed|judged|measures"
    r"|(values|lookup|histogram|(value|known)_counts|measured|known|worse|judged)_\d+"
)
"""Names that the statements use for their own parts; a table must not have one of them."""
_PART = r'(?:"(?:[^"]|"")+"|[^."]+)'


@dataclass(frozen=True)
class LookupSource:
    """Where the statements read a lookup table: from rows in their text, from a table of text, or from both."""

    rows: Sequence[ListedLabels] | None = None
    """None if the warehouse has a table `lookup_N` of the right types."""
    table: str | None = None
    """The name of a table in which everything is text."""


@dataclass(frozen=True)
class Exported:
    """The statements of an export, and what they release."""

    release: OpenedRelease
    labels: Sequence[Label]
    columns: Sequence[Mapping[str, Any]]
    """The released columns, as the templates see them."""
    dropped: Sequence[Mapping[str, Any]]
    """The columns whose missing values exclude their rows."""
    released: str
    failing_classes: str
    rows_left_out: str


def statements_of(
    manifest_path: Path,
    *,
    dialect: str,
    table: tuple[str, ...],
    released: tuple[str, ...],
    like: str | None,
    lookup: Callable[[Label], LookupSource],
    is_limited: bool = False,
) -> Exported:
    """The statements in the dialect, with lookup tables from where `lookup` says.

    With `is_limited`, the third statement has a row only if more rows are left out than the suppression limit allows.
    """
    if dialect not in DIALECTS:
        raise JobError(f"--dialect {dialect!r} is unknown{did_you_mean(dialect, DIALECTS)}")
    about: dict[str, Any] = {"table": table, "released_table": released, "limit": None}
    with DuckDBEngine() as engine:
        release = open_recoding(engine, manifest_path, like)
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
    limits = thresholds.thresholds_of(requirement, by_name, cells, _null_is_value(release))
    if release.job.stars and not limits.counts_only_rows:
        raise JobError(
            "the release masks suppressed rows with stars, which can be exported as SQL only with k-anonymity of rows as the only requirement; "
            f"it requires {'; '.join(thresholds.requirement_texts(requirement))}; use duckanon apply, or release again with --set suppression.style=drop"
        )
    thresholds.check_limits(labels, limits, [token for rule in dropped for token in rule["tokens"]], dialect)
    about |= {
        "floating": {name: column.type.lower() for name, column in by_name.items() if column.is_floating},
        "nan_equals_nan": dialect not in ("bigquery", "trino"),
        "labels": labels,
        "dropped": dropped,
        "columns": [{"name": name, "cell": cell} for name, cell in cells.items()],
        "released": _released(release, labels, cells, dialect),
        "lookups": [_lookup(label, lookup(label), dialect) for label in labels if label.is_listed],
    }
    if is_limited:
        about["limit"] = release.job.limit
    template = "exported_masked" if release.job.stars else "exported"
    statements = [
        render(f"export/{template}", requirement=limits, **limits.judged, **about),
        *_judgements(release, about),
    ]
    return Exported(release, labels, about["released"], dropped, *(_translated(statement, dialect) for statement in statements))


def _lookup(label: Label, source: LookupSource, dialect: str) -> dict[str, Any]:
    """A lookup table for the templates; `cast` is the type in which a table of text is compared with the column."""
    column = label.column
    cast = None if column.is_text or label.by_text or label.is_enum else column.type
    if cast is not None and column.is_whole and dialect != "duckdb":
        # not every engine has unsigned integers and integers of 128 bits
        cast = "decimal(38, 0)" if column.type in ("UBIGINT", "HUGEINT", "UHUGEINT") else "bigint"
    return {"number": label.number, "rows": source.rows, "table": source.table, "has_labels": label.has_labels, "cast": cast}


def _judgements(release: OpenedRelease, about: dict[str, Any]) -> list[Statement]:
    """The statements that check the classes and rows of the released table."""
    shown = [column.name for column in release.plan.released]
    part = thresholds.in_release(release.plan.requirement, shown)
    columns = {column.name: column for column in release.plan.released}
    limits = thresholds.thresholds_of(part, columns, dict.fromkeys(columns, 0), _null_is_value(release))
    rows_name = "_rows"
    while rows_name in columns:
        rows_name += "_"
    return [
        render("export/broken_classes", requirement=limits, rows_name=rows_name, **limits.judged, **about),
        render("export/rows_left_out", **about),
    ]


def _null_is_value(release: OpenedRelease) -> set[str]:
    return {column.name for column in release.plan.sensitive if column.null_is_value}


def table_name(text: str, option: str) -> tuple[str, ...]:
    """The parts of a table name; raises `JobError` if the name is invalid or used by the statements."""
    if not re.fullmatch(rf"{_PART}(?:\.{_PART})*", text):
        raise JobError(f'{option} {text!r} is not a table name; write name, schema.name or "any name"')
    quoted = re.findall(_PART, text)
    parts = tuple(part[1:-1].replace('""', '"') if part.startswith('"') else part for part in quoted)
    if len(parts) == 1 and _OWN.fullmatch(parts[0].casefold()):
        raise JobError(f"{option} {text!r} is a name that the statements use; name the table with its schema")
    return parts


def _cells(release: OpenedRelease) -> dict[str, int]:
    """The numbered columns that the statements read, quasi-identifiers first."""
    requirement = release.plan.requirement
    names = [qi.name for qi in release.plan.quasi_identifiers]
    recoding = _recoding(release)
    names += [column.name for column in release.plan.released if recoding.shows(column.name) != "star"]
    names += [name for name in (*requirement.sensitive, requirement.k.k_column, *requirement.k.entities) if name is not None]
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
    """The values of each released column for the templates."""
    by_name = {label.name: label for label in labels}
    attributes = [
        replace(attribute, is_retyped=by_name[attribute.name].is_floored or by_name[attribute.name].missing is not None)
        for attribute in release.attributes
    ]
    recoding = _recoding(replace(release, attributes=attributes))
    columns = []
    for column in release.plan.released:
        shows, leader = recoding.shows(column.name), release.plan.followers.get(column.name)
        if leader is not None and by_name[leader].is_floored:
            raise JobError(
                f"column {column.name!r} follows {leader!r}, whose hierarchy has a legal floor, which has no SQL; use duckanon apply"
            )
        is_masked = shows == "itself where shown" or (shows == "itself or star" and release.job.stars)
        if is_masked:
            check_reads_alike(column, dialect, f"the column also has stars, because it follows {leader!r}")
        is_stored = column.file_type == column.type or column.is_nested
        cast = "varchar" if is_masked else None if is_stored else column.file_type
        cell = None if shows == "star" or column.name in by_name else cells[column.name]
        value = f"cast(records.column_{cell} as {cast})" if cast else f"records.column_{cell}"
        if leader is not None and shows == "itself where shown":
            value = f"case when {by_name[leader].is_missing} then '*' else {value} end"
        columns.append(
            {
                "name": column.name,
                "shows": shows,
                "label": by_name[column.name].number if column.name in by_name else None,
                "leader": by_name[leader].number if leader is not None else None,
                "cell": cell,
                "cast": cast,
                "value": value,
            }
        )
    return columns


def _translated(statement: Statement, dialect: str) -> str:
    """The statement without its header, in the dialect."""
    target = next(name for name in DIALECTS if name == dialect)
    if target == "duckdb":
        return statement.sql.split("\n", 3)[3].strip()
    return Parsed(statement.sql).translated(target, pretty=True)
