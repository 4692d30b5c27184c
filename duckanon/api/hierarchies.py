"""Hierarchies that are not files, such as dictionaries of labels, written to files."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from duckanon import yaml_file
from duckanon.engine.scratch import Scratch
from duckanon.errors import HierarchyError, JobError
from duckanon.hierarchy.spec import checked

_MISSING = ("None", "nan", "NaN", "NaT", "<NA>")
"""How packages print a missing value."""


def files(hierarchies: Mapping[str, Any], scratch: Scratch) -> Iterable[str]:
    """Yield `COLUMN=FILE` for each hierarchy; one that is no file is written to a file in `scratch`.

    Raises `HierarchyError` or `JobError` in one line that names the column.
    """
    for number, (column, hierarchy) in enumerate(hierarchies.items()):
        if not hasattr(hierarchy, "__fspath__") and not isinstance(hierarchy, str):
            try:
                content = _content(column, hierarchy)
                checked(content)
            except HierarchyError as error:
                raise HierarchyError(f"the hierarchy of {column!r}: {error}") from error
            hierarchy = scratch.path / f"hierarchy_{number}.yaml"
            hierarchy.write_text(yaml_file.dumps(content), encoding="utf-8")
        yield f"{column}={hierarchy}"


def _content(column: str, hierarchy: Any) -> dict[str, Any]:
    """The content of a hierarchy file: as given, of the rows of a value table, or of a dictionary of labels."""
    if isinstance(hierarchy, Mapping):
        if isinstance(hierarchy.get("kind"), str):
            return dict(hierarchy)
        tree = _branch(hierarchy, {})
        return {"kind": "tree", "tree": tree} | ({"top": "*"} if len(tree) > 1 else {})
    if isinstance(hierarchy, Sequence) and all(isinstance(line, str | Sequence) for line in hierarchy):
        return {"kind": "table", "rows": [list(line) for line in hierarchy]}
    raise JobError(f"the hierarchy of {column!r} must be a file, a mapping or a list of rows, not {type(hierarchy).__name__}")


def _branch(labels: Mapping[Any, Any], labels_of: dict[str, str]) -> dict[str, Any]:
    """The labels with what is below each, as text; `labels_of` collects the label of each value."""
    branch: dict[str, Any] = {}
    for name, below in labels.items():
        label = _text(name, "a label")
        if not label:
            raise HierarchyError("a label is empty; write a text, such as 'other'")
        if label in branch:
            raise HierarchyError(f"the label {label!r} occurs twice, as text and as another type; keep one")
        if isinstance(below, Mapping):
            branch[label] = _branch(below, labels_of)
            continue
        is_single = isinstance(below, str) or not isinstance(below, Iterable)
        branch[label] = [_text(value, f"a value below {label!r}") for value in ([below] if is_single else below)]
        for value in branch[label]:
            if value in labels_of:
                other = "" if labels_of[value] == label else f" and {labels_of[value]!r}"
                raise HierarchyError(f"{value!r} is listed twice, below {label!r}{other}; keep one")
            labels_of[value] = label
    return branch


def _text(value: Any, what: str) -> str:
    """A value as tables print it; raises `HierarchyError` if it is missing or not a single value."""
    if not isinstance(value, str) and str(value) in _MISSING:
        raise HierarchyError(f"{what} is missing; leave it out, because missing values have their own rule (`missing`)")
    if isinstance(value, Iterable) and not isinstance(value, str):
        raise HierarchyError(f"{what} is {type(value).__name__}; write a text, number, date or truth value")
    if type(value).__name__ in ("bool", "bool_"):
        return str(value).lower()
    return value.isoformat(sep=" ") if isinstance(value, datetime) else str(value)
