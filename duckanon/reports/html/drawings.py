"""Which charts a report of a run holds: each from its part of the document, None where that part has nothing to draw."""

from collections.abc import Mapping, Sequence
from typing import Any

from duckanon.reports.html import bars, curves, explorers
from duckanon.reports.html.charts import Chart
from duckanon.reports.html.curves import CurveGroup
from duckanon.reports.html.wording import Wording

_MOST = 60
"""Bars that one chart may hold; the document says what is left out."""


def drawn(document: Mapping[str, Any], wording: Wording) -> dict[str, Any]:
    """All charts of a report, by the name that its template asks for."""
    utility = _part(document, "utility")
    lattice, tree = document.get("lattice"), document.get("partitions")
    return {
        "sizes": sizes(_part(document, "risk")),
        "contributions": _bars(_listed(document, "risk", "attributes"), "column", "contribution", "share of the score"),
        "losses": _bars(_listed(utility, "loss"), "column", "loss", "loss"),
        "subgroups": _subgroups(_listed(utility, "subgroups")),
        "distributions": [(column, _distribution(column)) for column in _listed(utility, "distributions")],
        "associations": _associations(_listed(utility, "associations")),
        "lattice": explorers.lattice(lattice, wording) if lattice and lattice.get("nodes") else None,
        "heights": explorers.heights(lattice["heights"]) if lattice and lattice.get("heights") else None,
        "partitions": explorers.partitions(tree, wording) if tree and tree.get("nodes") else None,
        "hierarchies": [(column, _hierarchy(column)) for column in _listed(document, "hierarchies")],
        "comparison": _comparison(_listed(document, "comparison", "runs")),
    }


def losses(by_column: Mapping[str, float]) -> Chart | None:
    """What was lost of each column."""
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
    return bars.bars(figures, title) if figures else None


def _subgroups(rows: Sequence[Mapping[str, Any]]) -> Chart | None:
    figures = [(f"{row['column']}: {row['value']}", row.get("share")) for row in rows[:20]]
    return bars.bars(figures, "share of the rows suppressed") if figures else None


def sizes(risk: Mapping[str, Any]) -> Chart | None:
    """Rows by the size of their class; a bin that only one side has is empty on the other."""
    sides = [
        {(size_bin["from"], size_bin["to"]): size_bin["rows"] for size_bin in _listed(risk, side, "sizes")}
        for side in ("before", "after")
    ]
    bins = sorted({place for side in sides for place in side})
    if not bins:
        return None
    figures = [(_span(*place), sides[0].get(place, 0), sides[1].get(place, 0)) for place in bins]
    if not sides[0]:
        return bars.columns([(label, after) for label, _, after in figures], "rows in the class", "rows")
    return bars.paired_columns(figures, "rows in the class", "rows")


def _span(first: int, last: int | None) -> str:
    if last is None:
        return f"{first:,} and more"
    return f"{first:,}" if first == last else f"{first:,}\N{EN DASH}{last:,}"


def _distribution(column: Mapping[str, Any]) -> Chart | None:
    figures = [(bar["label"], bar.get("before"), bar.get("after")) for bar in (column.get("bars") or [])[:_MOST]]
    if not figures:
        return None
    if column.get("kind") == "number":
        return bars.paired_columns(figures, None, "rows")
    return bars.paired_bars(figures, "rows")


def _associations(rows: Sequence[Mapping[str, Any]]) -> Chart | None:
    figures = [(f"{row['first']} and {row['second']}", row.get("before"), row.get("after")) for row in rows[:_MOST]]
    title = "strength of the association"
    if all(before is None for _, before, _ in figures):
        return bars.bars([(label, after) for label, _, after in figures], title) if figures else None
    return bars.paired_points(figures, title)


def _hierarchy(column: Mapping[str, Any]) -> Chart | None:
    groups = [(level["level"], level.get("groups")) for level in column.get("levels") or []]
    return bars.levels(groups, column.get("released"), "groups left") if groups else None


def _comparison(runs: Sequence[Mapping[str, Any]]) -> Chart | None:
    solved = [run for run in runs if run.get("status") == "found"]
    return trade_off(solved) if solved else None


def trade_off(runs: Sequence[Mapping[str, Any]]) -> Chart:
    """The highest risk of every result against its loss."""
    groups = [
        CurveGroup(algorithm, [(run["loss"], run["risk"]) for run in runs if run["algorithm"] == algorithm])
        for algorithm in dict.fromkeys(run["algorithm"] for run in runs)
    ]
    best = [(run["loss"], run["risk"]) for run in runs if run["on_front"]]
    return curves.front("loss", "highest risk, 1 / smallest class", groups, best)
