"""Charts with keyboard navigation: the lattice, and the tree of partitions."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import ceil, sqrt
from typing import Any

from duckanon.reports.html.charts import BLUE, GREY, POINTS, VERMILION, Chart, Explorer, altair, points, specified
from duckanon.reports.html.wording import Wording, distinct, shown

SATISFIES, FAILS, NOT_DECIDED = "satisfies", "fails", "not decided"
_VERDICTS = [SATISFIES, FAILS, NOT_DECIDED]
_VERDICT_COLOURS = [BLUE, VERMILION, GREY]

_LINE = 240
"""The maximum length of the levels of a node in a tooltip, for any number of columns."""

_NODE = [("levels", "Levels"), ("verdict", "Verdict"), ("loss", "Loss"), ("suppressed", "Suppressed"), ("classes", "Classes")]
_REGION = [("label", "Region"), ("rows", "Rows"), ("split", "Cut by")]
_FOCUSED = "datum.number === focused"


_WIDTH, _LOOSE = 440, 40
"""The minimum width of a lattice on a wide page in pixels, and the number of nodes that fit in one line."""


def _tall(heights: int) -> int:
    """The height in pixels of the lattice and of the counts beside it."""
    return max(200, min(760, 40 * heights + 40))


def _tooltip(alt: Any, fields: Sequence[tuple[str, str]]) -> list[Any]:
    return [alt.Tooltip(f"{name}:N", title=title) for name, title in fields]


def lattice(document: Mapping[str, Any], wording: Wording) -> Chart:
    """The drawn nodes by height."""
    alt = altair()
    data = _nodes(document, wording)
    reach = max((abs(row["place"]) for row in data), default=0.0)
    heights = [row["row"] for row in data]
    size = max(10.0, min(130.0, (_WIDTH / (2 * reach + 1)) ** 2 * 0.6))
    legend = alt.Legend(orient="top", title=None, symbolSize=70)
    base = points().encode(
        x=alt.X("place:Q", axis=None, scale=alt.Scale(padding=16, domain=[-reach, reach])),
        y=alt.Y(
            "y:Q",
            title="height, the sum of the levels",
            axis=alt.Axis(tickMinStep=1, format="d"),
            scale=alt.Scale(padding=16, nice=False, domain=[min(heights) - 0.4, max(heights) + 0.4]),
        ),
    )
    marks = base.mark_point(filled=True, size=size, opacity=1).encode(
        color=alt.Color("verdict:N", scale=alt.Scale(domain=_VERDICTS, range=_VERDICT_COLOURS), legend=legend),
        shape=alt.Shape(
            "verdict:N", scale=alt.Scale(domain=_VERDICTS, range=["circle", "triangle-down", "square"]), legend=legend
        ),
        tooltip=_tooltip(alt, _NODE),
    )
    # rings are drawn first: a ring above a mark would receive the pointer events of the mark
    chosen = base.transform_filter("datum.chosen").mark_point(style="chosen", size=size * 3 + 60)
    focused = base.transform_filter(_FOCUSED).mark_point(style="focused", size=size * 5 + 120)
    chart = alt.layer(chosen, focused, marks).add_params(alt.param(name="focused", value=-1))
    nodes = zip(_ordered(document), data, strict=True)
    table = [[*node["levels"], row["verdict"], row["loss"], row["suppressed"], row["classes"]] for node, row in nodes]
    home = next((row["number"] for row in data if row["chosen"]), 0)
    return Chart(specified(chart, {POINTS: data}, _tall(len(set(heights)))), table, len(data), Explorer(_NODE, home, 1))


def _ordered(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return sorted(document["nodes"], key=lambda node: (node["height"], node["levels"]))


def _nodes(document: Mapping[str, Any], wording: Wording) -> list[dict[str, Any]]:
    columns = document["columns"]
    names = distinct(shown(name, max(6, _LINE // max(1, len(columns)))) for name in columns)
    rows = [list(same) for _, same in groupby(_ordered(document), key=lambda node: node["height"])]
    most = max(map(len, rows), default=1)
    line = max(1, round(sqrt(most * _WIDTH * len(rows) / (0.8 * _tall(len(rows)))))) if most > _LOOSE else most
    data: list[dict[str, Any]] = []
    for row in rows:
        for number, node in enumerate(row):
            data.append({"number": len(data)} | _placed(row, number, line) | _node_texts(node, names, wording))
    return data


def _placed(row: Sequence[Mapping[str, Any]], number: int, line: int) -> dict[str, Any]:
    """The position of a node among the nodes of its height; many nodes take several lines."""
    lines = ceil(len(row) / line)
    each = ceil(len(row) / lines)
    within, place = divmod(number, each)
    height = row[number]["height"]
    return {
        "row": height,
        "place": place - (min(each, len(row) - within * each) - 1) / 2,
        "y": height + 0.8 * ((within + 0.5) / lines - 0.5),
    }


def _node_texts(node: Mapping[str, Any], names: Sequence[str], wording: Wording) -> dict[str, Any]:
    suppressed = node.get("suppressed")
    return {
        "levels": ", ".join(f"{name} {level}" for name, level in zip(names, node["levels"], strict=False)),
        "verdict": node["verdict"],
        "loss": _loss(node, wording),
        "suppressed": "not counted"
        if suppressed is None
        else f"{'' if node.get('counted', True) else 'at least '}{wording.count(suppressed)}",
        "classes": "not counted" if node.get("classes") is None else wording.count(node["classes"]),
        "chosen": bool(node.get("chosen")),
    }


def _loss(node: Mapping[str, Any], wording: Wording) -> str:
    if node.get("loss") is not None:
        return wording.figure(node["loss"])
    return "not counted" if node.get("at_least") is None else f"at least {wording.figure(node['at_least'])}"


def heights(counts: Sequence[Mapping[str, Any]]) -> Chart:
    """All nodes by height and verdict, visited or not."""
    alt = altair()
    keys = ("satisfies", "fails", "not_decided")
    data = [
        {"label": row["height"], "verdict": verdict, "value": row[key], "order": order}
        for row in counts
        for order, (key, verdict) in enumerate(zip(keys, _VERDICTS, strict=True))
    ]
    legend = alt.Legend(orient="top", title=None, symbolType="square")
    chart = (
        points()
        .mark_bar(height={"band": 0.75}, strokeWidth=1)
        .encode(
            y=alt.Y("label:O", sort="descending", title="height", axis=alt.Axis(labelOverlap=True)),
            x=alt.X("value:Q", title="nodes", stack="zero", axis=alt.Axis(tickCount=4, tickMinStep=1)),
            order=alt.Order("order:Q"),
            fill=alt.Fill("verdict:O", scale=alt.Scale(domain=_VERDICTS, range=_VERDICT_COLOURS), legend=legend),
            fillOpacity=alt.FillOpacity("verdict:O", scale=alt.Scale(domain=_VERDICTS, range=[1, 0.55, 0.15]), legend=legend),
            stroke=alt.Stroke("verdict:O", scale=alt.Scale(domain=_VERDICTS, range=_VERDICT_COLOURS), legend=legend),
            tooltip=[
                alt.Tooltip("label:O", title="height"),
                alt.Tooltip("verdict:N"),
                alt.Tooltip("value:Q", title="nodes", format=","),
            ],
        )
    )
    table = [[row["height"], *(row[key] for key in keys)] for row in counts]
    return Chart(specified(chart, {POINTS: data}, _tall(len(counts))), table, len(data))


def partitions(document: Mapping[str, Any], wording: Wording) -> Chart:
    """The tree as an icicle chart: a region is below the region that it was cut from, and its width is its share of the rows."""
    alt = altair()
    nodes = sorted(document["nodes"], key=lambda node: (node["depth"], node["from"]))
    splits = {node["parent"]: node["column"] for node in nodes}
    uncut = "not cut" if document.get("drawn") == "all" else "not cut, or the parts are not drawn"
    data = [
        {
            "number": place,
            "row": node["depth"],
            "place": (node["from"] + node["to"]) / 2,
            "start": node["from"],
            "end": node["to"],
            "bottom": node["depth"] + 1,
            "label": node["label"],
            "rows": wording.count(node["rows"]),
            "split": splits.get(node["number"]) or uncut,
            "final": node["number"] not in splits,
        }
        for place, node in enumerate(nodes)
    ]
    depth = max((row["bottom"] for row in data), default=1)
    base = points().encode(
        x=alt.X(
            "start:Q",
            axis=alt.Axis(format="%", tickCount=5, grid=False),
            title="share of the rows",
            scale=alt.Scale(domain=[0, 1]),
        ),
        x2=alt.X2("end:Q"),
        y=alt.Y(
            "row:Q",
            title="cuts from the whole table",
            axis=alt.Axis(tickMinStep=1, format="d"),
            scale=alt.Scale(reverse=True, nice=False, domain=[0, depth]),
        ),
        y2=alt.Y2("bottom:Q"),
    )
    tooltip = _tooltip(alt, _REGION)
    cut = (
        base.transform_filter("!datum.final")
        .mark_rect(style="region")
        .encode(
            color=alt.Color(
                "split:N",
                sort=None,
                legend=alt.Legend(orient="top", title="cut by", columns=4, symbolType="square", labelLimit=160),
            ),
            tooltip=tooltip,
        )
    )
    final = base.transform_filter("datum.final").mark_rect(style="region", color=GREY, fillOpacity=0.2).encode(tooltip=tooltip)
    names = (
        points()
        .transform_filter("!datum.final && datum.end - datum.start > 0.1")
        .transform_calculate(middle="datum.row + 0.5")
        .mark_text(style="inside", limit=70)
        .encode(x="place:Q", y="middle:Q", text="split:N")
    )
    focused = base.transform_filter(_FOCUSED).mark_rect(style="focused").encode(tooltip=tooltip)
    chart = alt.layer(cut, final, names, focused).add_params(alt.param(name="focused", value=-1))
    table = [
        [node["number"], node["parent"] or "", node["label"], node["rows"], splits.get(node["number"]) or uncut]
        for node in nodes
    ]
    return Chart(
        specified(chart, {POINTS: data}, max(160, min(460, 30 * depth + 30))), table, len(data), Explorer(_REGION, 0, -1)
    )
