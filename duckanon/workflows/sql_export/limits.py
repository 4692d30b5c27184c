"""Limits of single engines for statements that can be translated."""

import re
from collections.abc import Iterable, Sequence

from duckanon.errors import JobError
from duckanon.workflows.sql_export.bounds import Bound
from duckanon.workflows.sql_export.labels import Label
from duckanon.workflows.sql_export.thresholds import Thresholds

_FINER = re.compile(r"\.\d{3}\d*[1-9]\d*$|\.\d{4,}$")


def check_limits(labels: Sequence[Label], thresholds: Thresholds, dropped: Iterable[Bound], dialect: str) -> None:
    """Raise `JobError` if an engine would refuse the statements, or read one of their values differently."""
    if dialect == "bigquery":
        shown = [label.name for label in labels if label.form == "value" and label.floating and not label.as_text]
        for name in (*shown, *(column["name"] for column in thresholds.sensitives if column["floating"])):
            raise JobError(
                f"column {name!r} has floating-point numbers, and bigquery cannot group rows by them; "
                "release again with its values as whole or decimal numbers, or use duckanon apply"
            )
    if dialect != "trino":
        return
    for label in labels:
        bounds = [row.value for row in label.rows] + [span.beyond for span in label.ranges] + [label.least, label.beyond]
        bounds += label.missing.tokens if label.missing else ()
        _check_seconds(bounds, f"the hierarchy of column {label.name!r}")
    _check_seconds(dropped, "the rule for missing values")


def _check_seconds(bounds: Iterable[Bound | None], what: str) -> None:
    """Raise `JobError` for timestamps finer than a millisecond; Trino rounds them."""
    if any(bound is not None and bound.type == "timestamp" and _FINER.search(str(bound.value)) for bound in bounds):
        raise JobError(f"{what} names timestamps finer than a millisecond, which trino rounds; use duckanon apply")
