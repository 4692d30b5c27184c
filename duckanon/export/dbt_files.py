"""The files of an SQL export as a dbt project: YAML, and lookup tables as seeds, CSV files in which every value is text."""

import csv
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

import yaml

from duckanon.errors import JobError
from duckanon.export.labels import Label, ListedLabels
from duckanon.export.requirement import requirement_texts
from duckanon.export.statements import Exported
from duckanon.privacy.registry import as_written

_TEXT = {"bigquery": "string", "spark": "string"}
"""The type of text in engines that do not call it varchar."""
_SIMPLE_TYPE = re.compile(r"[A-Z_]+(\(\d+,\d+\))?")
_MAY_CHANGE = frozenset("\"'\\")
"""Characters that readers of CSV treat in different ways."""


def source_name(parts: tuple[str, ...], table: str) -> tuple[str, ...]:
    """The parts of the name of a source; raises `JobError` if dbt cannot have such a source."""
    if len(parts) not in (2, 3):
        raise JobError(f"--table {table!r} is not a table with its schema, which a dbt source needs; write schema.name")
    if not all(_is_quotable(part) for part in parts):
        raise JobError(
            f"--table {table!r} has a quote, brace or backslash, which dbt cannot quote; make a view with another name"
        )
    return parts


def project() -> str:
    """`dbt_project.yml`."""
    return _dump(
        {
            "name": "releases",
            "version": "1.0.0",
            "config-version": 2,
            "profile": "releases",
            "flags": {"send_anonymous_usage_stats": False},
        }
    )


def sources(parts: Sequence[str]) -> str:
    """`models/sources.yml`: the table to release."""
    *database, schema, name = parts
    quoting = dict.fromkeys(["database"] * len(database) + ["schema", "identifier"], True)
    place = {"database": database[0]} if database else {}
    return _dump({"sources": [{"name": schema, **place, "schema": schema, "quoting": quoting, "tables": [{"name": name}]}]})


def models(exported: Exported, released: str, published: str, dialect: str) -> str:
    """The properties of both models: tables, their columns, and which columns are never NULL."""
    columns = [_column(exported, column) for column in exported.columns]
    types = [_type_of(exported, column) for column in exported.columns]
    is_plain = all(_is_quotable(column["name"]) for column in exported.columns)
    config: dict[str, Any] = {"materialized": "table"}
    if dialect == "duckdb" and is_plain and all(_SIMPLE_TYPE.fullmatch(type) for type in types):
        config["contract"] = {"enforced": True}
        columns = [{**column, "data_type": type.lower()} for column, type in zip(columns, types, strict=True)]
    required = "; ".join(requirement_texts(exported.release.plan.requirement))
    return _dump(
        {
            "models": [
                {
                    "name": released,
                    "description": _safe(f"Release with {required}. Not for readers: it exists before it is tested."),
                    "config": config,
                    "columns": columns,
                },
                {
                    "name": published,
                    "description": _safe(f"The rows of {released}, after its tests. Grant readers this table only."),
                    "config": {"materialized": "table"},
                },
            ]
        }
    )


def seeds(labels: Sequence[Label], released: str, dialect: str) -> str:
    """The properties of the seeds: every column is text, and no value is lost or doubled."""
    text = _TEXT.get(dialect, "varchar")
    return _dump(
        {
            "seeds": [
                {
                    "name": seed_name(released, label),
                    "description": _safe(
                        f"Original values of {label.name!r} that are covered. Never grant readers this table."
                    ),
                    "config": {"column_types": dict.fromkeys(_columns_of(label), text), "quote_columns": False},
                    "columns": [
                        {"name": name, "data_tests": ["not_null", "unique"] if name == "value" else ["not_null"]}
                        for name in _columns_of(label)
                    ],
                }
                for label in labels
            ]
        }
    )


def seed_name(released: str, label: Label) -> str:
    """The name of the seed of a lookup table."""
    return f"{released}_lookup_{label.number}"


def has_seed(label: Label) -> bool:
    """Whether a seed holds rows of the lookup table of a quasi-identifier."""
    return label.is_listed and any(is_plain(row, label) for row in label.rows)


def is_plain(row: ListedLabels, label: Label) -> bool:
    """Whether every adapter of dbt reads the row as written. dbt reads empty text and `null` as NULL, and changes line breaks."""
    return all(
        text is not None
        and text.isprintable()
        and text == text.strip()
        and text.casefold() not in ("", "null")
        and _MAY_CHANGE.isdisjoint(text)
        for text in _cells(row, label)
    )


def seed_text(label: Label) -> str:
    """The seed: columns `value` and, if the recoding changes values, `label`."""
    text = StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(_columns_of(label))
    writer.writerows(_cells(row, label) for row in label.rows if is_plain(row, label))
    return text.getvalue()


def _columns_of(label: Label) -> list[str]:
    """The names of the columns of the seed."""
    return ["value", "label"] if label.has_labels else ["value"]


def _cells(row: ListedLabels, label: Label) -> list[str | None]:
    # floating-point numbers have names for infinity that every engine reads
    value = str(row.value.value) if row.value.type == "double" else row.text
    return [value, row.label] if label.has_labels else [value]


def _column(exported: Exported, column: Mapping[str, Any]) -> dict[str, Any]:
    name = column["name"]
    described = {"name": _safe(name), "quote": True, "description": _description(exported, column)}
    # dbt writes the name of a tested column into SQL between quotes, without doubling those in the name
    is_tested = _is_quotable(name) and _is_never_null(exported, column)
    return {**described, "data_tests": ["not_null"]} if is_tested else described


def _description(exported: Exported, column: Mapping[str, Any]) -> str:
    if column["label"] is not None:
        return f"Quasi-identifier, level {exported.labels[column['label'] - 1].level} of its hierarchy."
    if column["name"] in exported.release.plan.requirement.sensitive:
        models = [model for model in exported.release.plan.requirement.others if model.sensitive == column["name"]]
        return _safe(f"Sensitive attribute, released unchanged; {', '.join(as_written(model) for model in models)}.")
    return "Released as '*'." if column["shows"] == "star" else "Retained column."


def _is_never_null(exported: Exported, column: Mapping[str, Any]) -> bool:
    """Whether NULL has a label, excludes its row, or is replaced by a star."""
    if ((missing := exported.dropped.get(column["name"])) is not None and missing.null) or column["shows"] == "star":
        return True
    if column["label"] is None:
        return False
    label = exported.labels[column["label"] - 1]
    return label.null_label is not None or bool(label.missing and label.missing.null)


def _type_of(exported: Exported, column: Mapping[str, Any]) -> str:
    """The type of a released column in DuckDB."""
    by_name = {source.name: source.type for source in exported.release.plan.released}
    if column["shows"] == "star":
        return "VARCHAR"
    if column["label"] is None:
        return str(column["cast"] or by_name[column["name"]]).upper()
    label = exported.labels[column["label"] - 1]
    return label.column.type if label.form == "value" and not label.as_text and not label.is_enum else "VARCHAR"


def _is_quotable(name: str) -> bool:
    """Whether dbt and its adapters can quote a name."""
    return name.isprintable() and not set(name) & set("\"'`\\{}%")


def _safe(text: str) -> str:
    """A text that dbt does not read as Jinja."""
    return text.replace("{", "{{ '{' }}")


def _dump(content: Any) -> str:
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1_000)
