"""The three statements of an SQL export: the release, its failing classes, and the rows left out."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

from duckanon.dataset.opening import open_source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.portable import Parsed, Target
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, ident, literal, render
from duckanon.errors import InputError, JobError, did_you_mean
from duckanon.export import requirement as thresholds
from duckanon.export.labels import Label, ListedLabels, labels_of
from duckanon.export.values import MissingTokens, check_reads_alike, missing_of
from duckanon.hierarchy.attributes import Attribute
from duckanon.job import prepare
from duckanon.job.model import ROWS, Job
from duckanon.job.options import Options, Run
from duckanon.job.resolve import Plan, chosen_node, resolve
from duckanon.lattice import Node
from duckanon.observers import Silent
from duckanon.release import saved_recoding
from duckanon.release.recoding import Recoding
from duckanon.search import combinations

DIALECTS: tuple[Target, ...] = get_args(Target)
_OWN = re.compile(
    r"records|rule|labelled|classes|failing|reached|needed|masked|counted|remaining|final|read|shown|source|listed|judged|measures"
    r"|(values|lookup|histogram|(value|known)_counts|measured|known|worse|judged)_\d+"
)
"""Names that the statements use for their own parts; a table must not have one of them."""
_PART = r'(?:"(?:[^"]|"")+"|[^."]+)'


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
    for name, plan in job.columns.items():
        if plan.text is not None:
            what, remedy = f"released without direct identifiers inside its text (text: {plan.text})", "; use duckanon apply"
        elif plan.pseudonym or plan.mask or plan.shift:
            what, remedy = "pseudonymized, masked or shifted", ": the text must not contain the key; use duckanon apply"
        elif plan.ranges not in (None, "text"):
            what, remedy = (
                f"written as numbers (--ranges {plan.ranges})",
                "; use duckanon apply, or release again with --ranges text",
            )
        elif plan.microaggregate is not None:
            what, remedy = "microaggregated", "; use duckanon apply, or release again without it"
        else:
            continue
        raise JobError(f"column {name!r} is {what}, which cannot be exported as SQL{remedy}")


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
    dropped: Mapping[str, MissingTokens]
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
    with DuckDBEngine() as engine:
        release = open_recoding(engine, manifest_path, like)
        by_name = {column.name: column for column in release.columns}
        labels = labels_of(
            engine,
            release.plan.quasi_identifiers,
            release.attributes,
            release.node,
            release.plan.missing,
            keep_suppressed_rows=release.job.keep_suppressed_rows,
            dialect=dialect,
        )
        dropped = {
            name: missing
            for name, tokens in release.plan.missing.dropping(list(release.columns))
            for missing in [missing_of(engine, by_name[name], tokens, dialect)]
            if missing.tokens or missing.null
        }
    cells = _cells(release)
    requirement = release.plan.requirement
    limits = thresholds.thresholds_of(requirement, by_name, cells, _null_is_value(release))
    if release.job.keep_suppressed_rows and not limits.counts_only_rows:
        raise JobError(
            "the release masks suppressed rows with stars, which can be exported as SQL only with k-anonymity of rows as the only requirement; "
            f"it requires {'; '.join(thresholds.requirement_texts(requirement))}; use duckanon apply, or release again with --set suppression.style=drop"
        )
    thresholds.check_limits(labels, limits, [token for missing in dropped.values() for token in missing.tokens], dialect)
    columns = _released(release, labels, cells, dialect)
    own = {column.name: _own(column, dialect) for column in release.columns}
    about: dict[str, Any] = {
        "source": ".".join(map(ident, table)),
        "released_table": ".".join(map(ident, released)),
        "conditions": [missing.excluding(own[name]) for name, missing in dropped.items()],
        "records": [f"{own[name]} as column_{cell}" for name, cell in cells.items()],
        "labels": labels,
        "label_columns": [f"label_{label.number}" for label in labels],
        "same_labels": partial(_same_labels, labels),
        "linked": [column["cell"] for column in columns if column["leader"] and column["cell"]],
        "lookups": [_lookup(label, lookup(label), dialect) for label in labels if label.is_listed],
        "limit": release.job.limit if is_limited else None,
    }
    statements = [
        render(
            f"export/{'exported_masked' if release.job.keep_suppressed_rows else 'exported'}",
            requirement=limits,
            labelled=_labelled(limits, labels, columns),
            fails=_fails(limits, columns),
            shown=[
                f"{_shown(column, labels, keep_suppressed_rows=release.job.keep_suppressed_rows)} as {ident(column['name'])}"
                for column in columns
            ],
            **limits.evaluated,
            **about,
        ),
        *_evaluations(release, about, columns),
    ]
    return Exported(release, labels, columns, dropped, *(_translated(statement, dialect) for statement in statements))


def _own(column: Column, dialect: str) -> str:
    """The value of a column, where NaN is a missing value; on some engines NaN = NaN is false."""
    value = f"source.{ident(column.name)}"
    if not column.is_floating:
        return value
    if dialect in ("bigquery", "trino"):
        return f"case when {value} = {value} then {value} end"
    return f"nullif({value}, cast('NaN' as {column.type.lower()}))"


def _same_labels(labels: Sequence[Label], left: str, right: str) -> str:
    """The condition that two relations have equal labels, which may be NULL; not every engine joins by `is not distinct from` fast."""
    conditions = []
    for label in labels:
        own, its, null = f"{left}.label_{label.number}", f"{right}.label_{label.number}", label.never_null_as
        if null is None:
            conditions.append(f"{own} is not distinct from {its}")
        else:
            conditions.append(f"coalesce({own}, {null.sql}) = coalesce({its}, {null.sql})")
            is_null = [f"case when {side} is null then 1 else 0 end" for side in (own, its)]
            conditions.append(" = ".join(is_null))
    return "\n        and ".join(conditions)


def _labelled(limits: thresholds.Thresholds, labels: Sequence[Label], released: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns of the rows that take part: labels, sensitive values, what k counts, and released values."""
    columns = [f"{label.labelled} as label_{label.number}" for label in labels]
    columns += [_sensitive(f"records.column_{about.cell}", about) for about in limits.sensitives]
    columns += [f"coalesce(records.column_{limits.own_k}, {limits.most}) as own_k"] if limits.own_k else []
    columns += [
        f"records.column_{cell} as _entity{f'_{number}' if number > 1 else ''}"
        for number, cell in enumerate(limits.persons, start=1)
    ]
    return [*columns, *(f"{column['value']} as shown_{column['cell']}" for column in released if column["cell"])]


def _sensitive(value: str, about: thresholds.ExportedColumn) -> str:
    """The column of a sensitive value; -0.0 is 0.0."""
    plus = f" + cast(0 as {about.floating})" if about.floating else ""
    return f"{value}{plus} as value_{about.number}"


def _fails(limits: thresholds.Thresholds, released: Sequence[Mapping[str, Any]]) -> str:
    """The condition that a class fails a model, or that its rows differ in a column that follows a quasi-identifier."""
    fails = [f"evaluated.{model.fails}" for model in limits.evaluated.models]
    fails += [f"evaluated.linked_values_{column['cell']} > 1" for column in released if column["leader"] and column["cell"]]
    return " or ".join(fails)


def _shown(column: Mapping[str, Any], labels: Sequence[Label], *, keep_suppressed_rows: bool) -> str:
    """The value of a released column; with stars, that of a masked record in a masked class."""
    if column["shows"] == "star":
        return "'*'"
    value = f"labelled.label_{column['label']}" if column["label"] else f"labelled.shown_{column['cell']}"
    if not keep_suppressed_rows or not (column["label"] or column["leader"]):
        return value
    top = labels[column["label"] - 1].top if column["label"] else "*"
    return f"case when masked.counts = 1 then {literal(top)} else {value} end"


def _lookup(label: Label, source: LookupSource, dialect: str) -> dict[str, Any]:
    """A lookup table for the templates; `cast` is the type in which a table of text is compared with the column."""
    column = label.column
    cast = None if column.is_text or label.by_text or label.is_enum else column.type
    if cast is not None and column.is_whole and dialect != "duckdb":
        # not every engine has unsigned integers and integers of 128 bits
        cast = "decimal(38, 0)" if column.type in ("UBIGINT", "HUGEINT", "UHUGEINT") else "bigint"
    names = "value, label" if label.has_labels else "value"
    rows = [f"({row.value.sql}{f', {literal(row.label)}' if label.has_labels else ''})" for row in source.rows or ()]
    table = None
    if source.table is not None:
        value = f"cast(value as {cast}) as value{names.removeprefix('value')}" if cast else names
        table = f"select {value}\nfrom {ident(source.table)}"
    return {"number": label.number, "rows": rows, "names": names, "table": table}


def _evaluations(release: OpenedRelease, about: dict[str, Any], released: Sequence[Mapping[str, Any]]) -> list[Statement]:
    """The statements that check the classes and rows of the released table."""
    shown = [column.name for column in release.plan.released]
    part = thresholds.in_release(release.plan.requirement, shown)
    columns = {column.name: column for column in release.plan.released}
    limits = thresholds.thresholds_of(part, columns, dict.fromkeys(columns, 0), _null_is_value(release))
    labelled = [f"shown.{ident(label.name)} as label_{label.number}" for label in about["labels"]]
    labelled += [_sensitive(f"shown.{ident(sensitive.name)}", sensitive) for sensitive in limits.sensitives]
    followers = [column for column in released if column["leader"] and column["cell"]]
    labelled += [f"shown.{ident(column['name'])} as shown_{column['cell']}" for column in followers]
    rows_name = "_rows"
    while rows_name in columns:
        rows_name += "_"
    return [
        render(
            "export/broken_classes",
            requirement=limits,
            rows_name=rows_name,
            labelled=labelled,
            fails=_fails(limits, released),
            **limits.evaluated,
            **about,
        ),
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


def _recoding(release: OpenedRelease) -> Recoding:
    plan = release.plan
    return Recoding(
        attributes=tuple(release.attributes),
        node=release.node,
        requirement=plan.requirement,
        columns=plan.released,
        followers=plan.followers,
        keep_suppressed_rows=release.job.keep_suppressed_rows,
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
        is_masked = shows == "itself where shown" or (shows == "itself or star" and release.job.keep_suppressed_rows)
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
