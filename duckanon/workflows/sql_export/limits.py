"""What single engines do not take, though it translates."""

import re
from collections.abc import Iterable, Sequence

from duckanon.errors import JobError
from duckanon.workflows.sql_export.bounds import Bound
from duckanon.workflows.sql_export.labels import Label
from duckanon.workflows.sql_export.promise import Promise

_FINER = re.compile(r"\.\d{3}\d*[1-9]\d*$|\.\d{4,}$")


def check_limits(labels: Sequence[Label], promised: Promise, dropped: Iterable[Bound], dialect: str) -> None:
    """Raises `JobError` where an engine would refuse the statements, or read a value of them otherwise."""
    if dialect == "bigquery":
        shown = [label.name for label in labels if label.form == "value" and label.floating and not label.as_text]
        for name in (*shown, *(column["name"] for column in promised.sensitives if column["floating"])):
            raise JobError(
                f"column {name!r} holds floating-point numbers and makes the classes, which bigquery does not part rows by; "
                "release anew with its values as whole or decimal numbers, or use duckanon apply"
            )
    if dialect != "trino":
        return
    for label in labels:
        bounds = [row.value for row in label.rows] + [span.beyond for span in label.ranges] + [label.least, label.beyond]
        bounds += label.missing.tokens if label.missing else ()
        _check_seconds(bounds, f"the hierarchy of column {label.name!r}")
    _check_seconds(dropped, "the rule for missing values")


def _check_seconds(bounds: Iterable[Bound | None], what: str) -> None:
    """Trino reads a text as a timestamp to the millisecond."""
    if any(bound is not None and bound.type == "timestamp" and _FINER.search(str(bound.value)) for bound in bounds):
        raise JobError(f"{what} names timestamps finer than a millisecond, which trino rounds; use duckanon apply")
