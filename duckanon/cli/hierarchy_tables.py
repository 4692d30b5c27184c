"""The labels that a hierarchy gives to values, as tables: values, levels, groups."""

from typing import Any

from duckanon.cli import output
from duckanon.formatting import in_rows


def tables(document: dict[str, Any], limit: int, *, hint: str = "") -> str:
    """Values, levels and groups as three tables; `hint` names the option that shows more values than `limit`."""
    if not document["levels"]:
        return f"{document['hierarchy']} covers no values"
    on_data = document["rows"] is not None
    height = len(document["levels"])
    heads = ["value", *(f"level {level}" for level in range(1, height)), *(["rows"] if on_data else [])]
    values = [
        [_label(label) for label in line["levels"]] + ([f"{line['rows']:,}"] if on_data else []) for line in document["values"]
    ]
    counted = document["levels"][0]["groups"]
    parts = [output.table(heads, values, right={height} if on_data else ())]
    if counted > len(values):
        parts.append(f"... {counted - len(values):,} more values{hint}")
    has_loss = document["levels"][0]["loss"] is not None
    heads = [
        "level",
        "groups",
        *(["in the data", "smallest group", "largest group"] if on_data else []),
        *(["loss"] if has_loss else []),
    ]
    levels = [
        [
            str(line["level"]),
            f"{line['groups']:,}",
            *([count(line["groups_in_data"]), _rows(line["smallest_group"]), _rows(line["largest_group"])] if on_data else []),
            *([f"{line['loss']:g}"] if has_loss else []),
        ]
        for line in document["levels"]
    ]
    parts += ["", output.table(heads, levels, right=set(range(len(heads))))]
    groups = [
        [str(line["level"]), _label(line["label"]), f"{line['leaves']:,}", *([f"{line['rows']:,}"] if on_data else [])]
        for line in document["groups"]
    ]
    if groups:
        heads = ["level", "group", "values", *(["rows"] if on_data else [])]
        parts += ["", output.table(heads, groups, right={0, 2, 3})]
        total = sum(line["groups"] for line in document["levels"][1:-1])
        if total > limit:
            parts.append(f"... {total - limit:,} more groups")
    return "\n".join(parts)


def _label(label: str | None) -> str:
    return "NULL" if label is None else label if label.strip() == label != "" and label.isprintable() else repr(label)


def _rows(count: int | None) -> str:
    return "" if count is None else in_rows(count)


def count(number: int | None) -> str:
    """A number as text; empty for None."""
    return "" if number is None else f"{number:,}"
