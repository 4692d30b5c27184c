"""The charts of a report, each from its part of the document; None if that part has nothing to draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from duckanon.reports.html import explorers, plots
from duckanon.reports.html.charts import Chart
from duckanon.reports.html.plots import Line
from duckanon.reports.html.wording import Wording

_MOST = 60
"""The maximum number of bars in a chart; the document counts the others."""

_MOST_GROUPS = 15


def drawn(document: Mapping[str, Any], wording: Wording) -> dict[str, Any]:
    """All charts of a report, by their name in the templates."""
    utility = _part(document, "utility")
    lattice, partitions = document.get("lattice"), document.get("partitions")
    return {
        "sizes": sizes(_part(document, "risk")),
        "risk_curve": _risk_curve(_part(document, "risk")),
        "risk_and_loss": _risk_and_loss(_listed(document, "risk_and_loss")),
        "sensitive": [(column, _sensitive(column)) for column in _listed(document, "sensitive_columns")],
        "trees": [(column, tree(column)) for column in _listed(document, "hierarchies") if column.get("branches")],
        "contributions": _bars(_listed(document, "risk", "attributes"), "column", "contribution", "share of the score"),
        "losses": _bars(_listed(utility, "loss"), "column", "loss", "loss"),
        "subgroups": _subgroups(_listed(utility, "subgroups"), _overall(document)),
        "distributions": [(column, distribution(column)) for column in _listed(utility, "distributions")],
        "associations": _associations(_listed(utility, "associations")),
        "lattice": explorers.lattice(lattice, wording) if lattice and lattice.get("nodes") else None,
        "heights": explorers.heights(lattice["heights"]) if lattice and lattice.get("heights") else None,
        "partitions": explorers.partitions(partitions, wording) if partitions and partitions.get("nodes") else None,
        "hierarchies": [(column, _hierarchy(column)) for column in _listed(document, "hierarchies")],
        "comparison": trade_off(_listed(document, "comparison", "runs")),
    }


def losses(by_column: Mapping[str, float]) -> Chart | None:
    """The information loss of each column."""
    return _bars([{"column": name, "loss": loss} for name, loss in by_column.items()], "column", "loss", "loss")


def _part(document: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
    part: Any = document
    for name in path:
        part = part.get(name) if isinstance(part, Mapping) else None
    return part if isinstance(part, Mapping) else {}


def _listed(document: Mapping[str, Any], *path: str) -> Sequence[Mapping[str, Any]]:
    return _part(document, *path[:-1]).get(path[-1]) or []


def _bars(rows: Sequence[Mapping[str, Any]], label: str, value: str, title: str) -> Chart | None:
    figures = [(row[label], row.get(value)) for row in rows[:_MOST]]
    return plots.bars(figures, title) if figures else None


def _overall(document: Mapping[str, Any]) -> float | None:
    """The share of all counted rows that was suppressed."""
    rows = _part(document, "manifest", "rows")
    suppressed, read = rows.get("suppressed"), rows.get("read")
    if suppressed is None or read is None:
        return None
    return float(suppressed / max(1, read - (rows.get("missing") or 0)))


def _subgroups(rows: Sequence[Mapping[str, Any]], overall: float | None) -> Chart | None:
    figures = [(f"{row['column']}: {row['value']}", row.get("share")) for row in rows[:_MOST_GROUPS]]
    return plots.bars(figures, "share of the records suppressed", rule=overall, axis="~%") if figures else None


def _risk_curve(risk: Mapping[str, Any]) -> Chart | None:
    """The cumulative share of records by re-identification risk, 1 / size of the class."""
    drawn = [Line(side, points) for side in ("before", "after") if (points := _cumulated(_listed(risk, side, "sizes")))]
    if not drawn:
        return None
    return plots.steps("re-identification risk", "records with at least this risk", drawn, risk.get("threshold"))


def _cumulated(bins: Sequence[Mapping[str, Any]]) -> list[tuple[float, float | None]]:
    known = [(size_bin["to"] or size_bin["from"], size_bin["rows"]) for size_bin in bins if size_bin.get("rows") is not None]
    total = sum(rows for _, rows in known)
    sums = accumulate(rows for _, rows in known)
    reached: list[tuple[float, float | None]] = [(1 / size, rows / total) for (size, _), rows in zip(known, sums, strict=True)]
    # no record has a risk above that of the smallest class
    return [(1.0, reached[0][1] if reached[0][0] == 1 else 0.0), *reached] if total else []


def _risk_and_loss(results: Sequence[Mapping[str, Any]]) -> Chart | None:
    data = [
        {
            "name": f"k = {result['k']:,}" + (", released" if result["released"] else ""),
            "x": result["loss"],
            "y": result["risk"],
            "released": result["released"],
        }
        for result in results
    ]
    return plots.labelled("information loss", "highest re-identification risk", data) if len(data) > 1 else None


def _sensitive(column: Mapping[str, Any]) -> Chart | None:
    figures = [(value["value"], value.get("share"), value.get("worst")) for value in column.get("values") or []]
    names = ("all released records", "worst class")
    return plots.paired_bars(figures, "share of the records", names=names, axis="~%") if figures else None


def sizes(risk: Mapping[str, Any]) -> Chart | None:
    """Rows by the size of their class; a bin that one side does not have counts no rows there."""
    sides = [
        {(size_bin["from"], size_bin["to"]): size_bin["rows"] for size_bin in _listed(risk, side, "sizes")}
        for side in ("before", "after")
    ]
    bins = sorted({place for side in sides for place in side})
    if not bins:
        return None
    figures = [(_span(*place), sides[0].get(place, 0), sides[1].get(place, 0)) for place in bins]
    if not sides[0]:
        return plots.columns([(label, after) for label, _, after in figures], "rows in the class", "rows")
    return plots.paired_columns(figures, "rows in the class", "rows")


def _span(first: int, last: int | None) -> str:
    if last is None:
        return f"{first:,} and more"
    return f"{first:,}" if first == last else f"{first:,}\N{EN DASH}{last:,}"


def distribution(column: Mapping[str, Any]) -> Chart | None:
    """The rows of each value before and after, of an entry of `utility.distributions`."""
    figures = [(bar["label"], bar.get("before"), bar.get("after")) for bar in (column.get("bars") or [])[:_MOST]]
    if not figures:
        return None
    if column.get("kind") == "number":
        return plots.paired_columns(figures, None, "rows")
    return plots.paired_bars(figures, "rows")


def _associations(rows: Sequence[Mapping[str, Any]]) -> Chart | None:
    figures = [(f"{row['first']} and {row['second']}", row.get("before"), row.get("after")) for row in rows[:_MOST]]
    title = "strength of the association"
    if all(before is None for _, before, _ in figures):
        return plots.bars([(label, after) for label, _, after in figures], title) if figures else None
    return plots.paired_points(figures, title)


def _hierarchy(column: Mapping[str, Any]) -> Chart | None:
    groups = [(level["level"], level.get("groups")) for level in column.get("levels") or []]
    return plots.levels(groups, column.get("released"), "distinct labels") if groups else None


def trade_off(runs: Sequence[Mapping[str, Any]]) -> Chart | None:
    """The highest risk of each result of a comparison against its information loss."""
    if not (solved := [run for run in runs if run.get("status") == "found"]):
        return None
    best = [(run["loss"], run["risk"]) for run in solved if run["on_front"]]
    return plots.front("loss", "highest risk, 1 / smallest class", by_algorithm(solved, "loss", "risk"), best)


def by_algorithm(runs: Sequence[Mapping[str, Any]], x: str, y: str) -> list[Line]:
    """The results of each algorithm as points."""
    return [
        Line(algorithm, [(run[x], run[y]) for run in runs if run["algorithm"] == algorithm])
        for algorithm in dict.fromkeys(run["algorithm"] for run in runs)
    ]


_ROW, _MARGIN, _GAP = 19, 8, 26
_LABEL = 24
"""The maximum length of a label."""

_CHARACTER = 7.2
"""The width of a character in pixels: an upper bound of the average."""


@dataclass(frozen=True)
class PlacedLabel:
    """A label of a hierarchy in the drawing."""

    text: str
    x: float
    y: float
    parent_y: float | None
    is_released: bool


@dataclass(frozen=True)
class Tree:
    """Labels in their places, and the size of the drawing in pixels."""

    labels: Sequence[PlacedLabel]
    width: float
    height: float
    column: float
    """The width of a label's box."""
    gap: float = _GAP


def tree(column: Mapping[str, Any]) -> Tree:
    """The branches of a column's hierarchy; labels of the released level are marked."""
    branches = [tuple(_short(label) for label in branch) for branch in column["branches"]]
    depth = len(branches[0])
    top = max((level["level"] for level in column.get("levels") or []), default=depth - 1)
    box = 10 + _CHARACTER * max(len(label) for branch in branches for label in branch[1:] or branch)
    places: dict[tuple[str, ...], float] = {}
    for length in range(1, depth + 1):
        rows: dict[tuple[str, ...], list[int]] = {}
        for number, branch in enumerate(branches):
            rows.setdefault(branch[:length], []).append(number)
        places |= {path: _MARGIN + _ROW * (sum(numbers) / len(numbers) + 0.5) for path, numbers in rows.items()}
    # the top label is short: it is `*` in nearly all hierarchies
    labels = [
        PlacedLabel(path[-1], _x(len(path) - 1, box), y, places.get(path[:-1]), top - (len(path) - 1) == column.get("released"))
        for path, y in places.items()
    ]
    return Tree(labels, _x(depth, box), 2 * _MARGIN + _ROW * len(branches), box)


def _x(place: int, box: float) -> float:
    return round(_MARGIN + (place and 14 + _GAP + (place - 1) * (box + _GAP)), 1)


def _short(label: str) -> str:
    return label if len(label) <= _LABEL else f"{label[: _LABEL - 1]}…"
