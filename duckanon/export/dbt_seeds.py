"""Lookup tables as dbt seeds: CSV files in which every value is text."""

import csv
from io import StringIO

from duckanon.export.labels import Label, ListedLabels

_MAY_CHANGE = frozenset("\"'\\")
"""Characters that readers of CSV treat in different ways."""


def name_of(released: str, label: Label) -> str:
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


def csv_text(label: Label) -> str:
    """The seed: columns `value` and, if the recoding changes values, `label`."""
    text = StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(columns_of(label))
    writer.writerows(_cells(row, label) for row in label.rows if is_plain(row, label))
    return text.getvalue()


def columns_of(label: Label) -> list[str]:
    """The names of the columns of the seed."""
    return ["value", "label"] if label.has_labels else ["value"]


def _cells(row: ListedLabels, label: Label) -> list[str | None]:
    # floating-point numbers have names for infinity that every engine reads
    value = str(row.value.value) if row.value.type == "double" else row.text
    return [value, row.label] if label.has_labels else [value]
