"""Bars, paired marks, lines, risk curves and Pareto fronts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.reports.html.charts import BLUE, COLOURS, GREY, POINTS, SHAPES, VERMILION, Chart, Rows, altair, points, specified
from duckanon.reports.html.wording import distinct

BEFORE, AFTER = "before", "after"
Names = tuple[str, str]

_SIDE_BY_SIDE = 90
"""The number of characters that fit in one line below a chart."""


def _label_axis(alt: Any) -> Any:
    return alt.Y("label:N", sort=None, title=None, axis=alt.Axis(labelLimit=170, labelPadding=6, ticks=False, domain=False))


def bars(figures: Sequence[tuple[str, float | None]], title: str, *, rule: float | None = None, axis: str = "~g") -> Chart:
    """One bar for each label, in the given order, with an optional line at a reference value."""
    alt = altair()
    labels = distinct(label for label, _ in figures)
    data = [{"label": label, "value": value} for label, (_, value) in zip(labels, figures, strict=True)]
    chart = (
        points()
        .mark_bar(color=BLUE, height={"band": 0.7})
        .encode(
            y=_label_axis(alt),
            x=alt.X("value:Q", title=title, axis=alt.Axis(tickCount=5, format=axis), scale=alt.Scale(zero=True)),
            tooltip=[alt.Tooltip("label:N"), alt.Tooltip("value:Q", format=".3~g")],
        )
    )
    datasets = {POINTS: data}
    if rule is not None:
        datasets["rule"] = [{"value": rule}]
        chart += points("rule").mark_rule(color=VERMILION, strokeWidth=1.5).encode(x="value:Q")
    table = [[row["label"], row["value"]] for row in data]
    return Chart(specified(chart, datasets, 21 * len(data)), table, len(data))


def columns(figures: Sequence[tuple[str, float | None]], x: str, y: str) -> Chart:
    """One column for each label, for ordered labels."""
    alt = altair()
    data = [{"label": label, "value": value} for label, value in figures]
    chart = (
        points()
        .mark_bar(color=BLUE)
        .encode(
            x=alt.X("label:N", sort=None, title=x, axis=_column_axis(alt, [label for label, _ in figures])),
            y=alt.Y("value:Q", title=y, axis=alt.Axis(tickCount=5)),
            tooltip=[alt.Tooltip("label:N"), alt.Tooltip("value:Q", format=",.3~g")],
        )
    )
    return Chart(specified(chart, {POINTS: data}, 200), [list(row.values()) for row in data], len(data))


def _column_axis(alt: Any, labels: Sequence[str]) -> Any:
    """Slant labels that would overlap."""
    needed = max(map(len, labels), default=0) * len(labels)
    return alt.Axis(labelAngle=-45 if needed > _SIDE_BY_SIDE else 0, labelLimit=90, labelOverlap=True)


def _paired(
    figures: Iterable[tuple[str, float | None, float | None]], names: Names = (BEFORE, AFTER)
) -> tuple[list[dict[str, Any]], list[list[Any]]]:
    """Rows for a chart with two series, and the same figures as a table."""
    given = list(figures)
    labels = distinct(label for label, _, _ in given)
    table = [[label, before, after] for label, (_, before, after) in zip(labels, given, strict=True)]
    data = [
        {"label": label, "series": series, "value": value}
        for label, *values in table
        for series, value in zip(names, values, strict=True)
    ]
    return data, table


def _series(alt: Any, names: Names = (BEFORE, AFTER)) -> dict[str, Any]:
    """The first series is pale with an outline, the second is solid, so they also differ in greyscale."""
    both, colours = list(names), [VERMILION, BLUE]
    legend = alt.Legend(orient="top", title=None, symbolType="square")
    return {
        "fill": alt.Fill("series:O", scale=alt.Scale(domain=both, range=colours), legend=legend),
        "stroke": alt.Stroke("series:O", scale=alt.Scale(domain=both, range=colours), legend=legend),
        "fillOpacity": alt.FillOpacity("series:O", scale=alt.Scale(domain=both, range=[0.2, 1]), legend=legend),
        "tooltip": [alt.Tooltip("label:N"), alt.Tooltip("series:N"), alt.Tooltip("value:Q", format=",.3~g")],
    }


def paired_bars(
    figures: Iterable[tuple[str, float | None, float | None]], title: str, *, names: Names = (BEFORE, AFTER), axis: str = "~g"
) -> Chart:
    """Two bars for each label, named before and after by default."""
    alt = altair()
    data, table = _paired(figures, names)
    chart = (
        points()
        .mark_bar(strokeWidth=1)
        .encode(
            y=_label_axis(alt),
            yOffset=alt.YOffset("series:N", sort=None),
            x=alt.X("value:Q", title=title, axis=alt.Axis(tickCount=5, format=axis)),
            **_series(alt, names),
        )
    )
    return Chart(specified(chart, {POINTS: data}, 26 * len(table)), table, len(data))


def paired_columns(figures: Iterable[tuple[str, float | None, float | None]], x: str | None, y: str) -> Chart:
    """Two columns for each label, before and after, for ordered labels."""
    alt = altair()
    data, table = _paired(figures)
    axis = _column_axis(alt, [label for label, *_ in table])
    chart = (
        points()
        .mark_bar(strokeWidth=1)
        .encode(
            x=alt.X("label:N", sort=None, title=x, axis=axis),
            xOffset=alt.XOffset("series:N", sort=None),
            y=alt.Y("value:Q", title=y, axis=alt.Axis(tickCount=5)),
            **_series(alt),
        )
    )
    return Chart(specified(chart, {POINTS: data}, 200), table, len(data))


def paired_points(figures: Iterable[tuple[str, float | None, float | None]], title: str) -> Chart:
    """One line for each label, from the figure before to the figure after."""
    alt = altair()
    data, table = _paired(figures)
    base = points().encode(
        y=_label_axis(alt), x=alt.X("value:Q", title=title, axis=alt.Axis(tickCount=5), scale=alt.Scale(zero=True))
    )
    between = base.mark_line(color=GREY, strokeWidth=1).encode(detail="label:N")
    both, legend = [BEFORE, AFTER], alt.Legend(orient="top", title=None)
    marks = base.mark_point(filled=True, size=70, opacity=1).encode(
        color=alt.Color("series:N", scale=alt.Scale(domain=both, range=[VERMILION, BLUE]), legend=legend),
        shape=alt.Shape("series:N", scale=alt.Scale(domain=both, range=["diamond", "circle"]), legend=legend),
        tooltip=[alt.Tooltip("label:N"), alt.Tooltip("series:N"), alt.Tooltip("value:Q", format=".3~g")],
    )
    return Chart(specified(between + marks, {POINTS: data}, 24 * len(table)), table, len(data))


def levels(groups: Sequence[tuple[int, float | None]], released: int | None, title: str) -> Chart:
    """Distinct labels at each level of a hierarchy; the released level is solid and marked."""
    alt = altair()
    data = [
        {"label": f"▸ level {level}" if level == released else f"level {level}", "value": value, "released": level == released}
        for level, value in groups
    ]
    base = points().encode(y=_label_axis(alt), x=alt.X("value:Q", title=title, axis=alt.Axis(tickCount=4)))
    steps = base.mark_bar(color=BLUE, stroke=BLUE, height={"band": 0.7}).encode(
        fillOpacity=alt.condition("datum.released", alt.value(1), alt.value(0.2))
    )
    values = base.mark_text(align="left", dx=4, style="note").encode(text=alt.Text("value:Q", format=","))
    table = [[row["label"], row["value"]] for row in data]
    return Chart(specified(steps + values, {POINTS: data}, 22 * len(data)), table, len(data))


_DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (4, 4), (1, 3), (10, 4))


@dataclass(frozen=True)
class Line:
    """A named line or group of points; a point whose y is None is left out."""

    name: str
    points: Sequence[tuple[float, float | None]]


def _named(alt: Any, names: Sequence[str]) -> dict[str, Any]:
    legend = _legend(alt)
    times = len(names)
    return {
        "color": alt.Color("name:N", sort=None, scale=alt.Scale(range=_first(COLOURS, times)), legend=legend),
        "shape": alt.Shape("name:N", sort=None, scale=alt.Scale(range=_first(SHAPES, times)), legend=legend),
    }


def _dashes(alt: Any, names: Sequence[str]) -> Any:
    dashes = [list(dash) for dash in _first(_DASHES, len(names))]
    return alt.StrokeDash("name:N", sort=None, scale=alt.Scale(range=dashes), legend=_legend(alt))


def _legend(alt: Any) -> Any:
    return alt.Legend(orient="top", title=None, columns=4, symbolStrokeWidth=0)


def _first(choices: Sequence[Any], times: int) -> list[Any]:
    return [choices[number % len(choices)] for number in range(times)]


def lines(x: str, y: str, drawn: Sequence[Line]) -> Chart:
    """Lines with a mark at each point, from 0 upwards."""
    alt = altair()
    data = [
        {"name": line.name, "x": x_value, "y": y_value}
        for line in drawn
        for x_value, y_value in line.points
        if y_value is not None
    ]
    names = list(dict.fromkeys(line.name for line in drawn))
    base = points().encode(
        x=alt.X("x:Q", title=x, axis=alt.Axis(tickCount=6, tickMinStep=1), scale=alt.Scale(zero=False)),
        y=alt.Y("y:Q", title=y, axis=alt.Axis(tickCount=5), scale=alt.Scale(zero=True)),
    )
    named = _named(alt, names)
    paths = base.mark_line(strokeWidth=1.5).encode(color=named["color"], strokeDash=_dashes(alt, names))
    tooltip = [alt.Tooltip("name:N"), alt.Tooltip("x:Q", title=x), alt.Tooltip("y:Q", title=y, format=".4~g")]
    marks = base.mark_point(filled=True, size=45, opacity=1).encode(**named, tooltip=tooltip)
    return Chart(specified(paths + marks, {POINTS: data}, 240), [list(row.values()) for row in data], len(data))


def steps(x: str, y: str, drawn: Sequence[Line], threshold: float | None) -> Chart:
    """Shares as stepped lines over a logarithmic axis of shares, with a line at a threshold, if there is one."""
    alt = altair()
    data = [{"name": line.name, "x": x_value, "y": y_value} for line in drawn for x_value, y_value in line.points]
    names = list(dict.fromkeys(line.name for line in drawn))
    percent = alt.Axis(tickCount=5, format="~%")
    x_encoding = alt.X("x:Q", title=x, axis=percent, scale=alt.Scale(type="log", domainMax=1, nice=False))
    tooltip = [alt.Tooltip("name:N"), alt.Tooltip("x:Q", title=x, format=".3~%"), alt.Tooltip("y:Q", title=y, format=".3~%")]
    paths = (
        points()
        .mark_line(interpolate="step-before", strokeWidth=2, point=True)
        .encode(
            x=x_encoding,
            y=alt.Y("y:Q", title=y, axis=percent, scale=alt.Scale(domain=[0, 1])),
            color=alt.Color(
                "name:N", sort=None, scale=alt.Scale(range=_first((VERMILION, BLUE), len(names))), legend=_legend(alt)
            ),
            strokeDash=_dashes(alt, names),
            tooltip=tooltip,
        )
    )
    at_threshold = points("threshold").mark_rule(strokeDash=[4, 3], strokeWidth=1.5, color=GREY).encode(x="x:Q")
    label = points("threshold").mark_text(style="note", align="right", dx=-4, y=8).encode(x="x:Q", text="label:N")
    line = [] if threshold is None else [{"x": threshold, "label": f"threshold {100 * threshold:.3g}%"}]
    datasets: dict[str, Rows] = {POINTS: data, "threshold": line}
    return Chart(specified(paths + at_threshold + label, datasets, 220), [list(row.values()) for row in data], len(data))


def labelled(x: str, y: str, data: Sequence[Mapping[str, Any]]) -> Chart:
    """Named points on a line; points with `released` have a ring."""
    alt = altair()
    rows = [dict(row) for row in sorted(data, key=lambda row: row["x"])]
    place = {
        "x": alt.X("x:Q", title=x, axis=alt.Axis(tickCount=5, format="~%"), scale=alt.Scale(zero=False, padding=24)),
        "y": alt.Y("y:Q", title=y, axis=alt.Axis(tickCount=5, format="~%"), scale=alt.Scale(zero=True, padding=16)),
    }
    path = points().mark_line(color=GREY, strokeWidth=1, strokeDash=[4, 3]).encode(**place)
    tooltip = [alt.Tooltip("name:N"), alt.Tooltip("x:Q", title=x, format=".3~%"), alt.Tooltip("y:Q", title=y, format=".3~%")]
    marks = points().mark_point(filled=True, size=70, opacity=1, color=BLUE).encode(**place, tooltip=tooltip)
    ring = points().transform_filter("datum.released").mark_point(style="chosen", size=240).encode(**place)
    names = points().mark_text(style="note", align="left", dx=10, dy=-8).encode(**place, text="name:N")
    table = [[row["name"], row["x"], row["y"]] for row in rows]
    return Chart(specified(path + marks + ring + names, {POINTS: rows}, 240), table, len(rows))


def front(x: str, y: str, groups: Sequence[Line], best: Sequence[tuple[float, float]]) -> Chart:
    """Points by group, and the Pareto front as a stepped line."""
    alt = altair()
    data = [{"name": group.name, "x": x_value, "y": y_value} for group in groups for x_value, y_value in group.points]
    stepped = [{"x": x_value, "y": y_value} for x_value, y_value in sorted(best)]
    place = {
        "x": alt.X("x:Q", title=x, axis=alt.Axis(tickCount=6), scale=alt.Scale(zero=False)),
        "y": alt.Y("y:Q", title=y, axis=alt.Axis(tickCount=5), scale=alt.Scale(zero=True)),
    }
    path = points("front").mark_line(interpolate="step-after", color=GREY, strokeDash=[4, 3], strokeWidth=1.5).encode(**place)
    tooltip = [alt.Tooltip("name:N"), alt.Tooltip("x:Q", title=x, format=".4~g"), alt.Tooltip("y:Q", title=y, format=".4~g")]
    named = _named(alt, list(dict.fromkeys(group.name for group in groups)))
    marks = points().mark_point(filled=True, size=70, opacity=0.9).encode(**place, **named, tooltip=tooltip)
    table = [list(row.values()) for row in data]
    return Chart(specified(path + marks, {POINTS: data, "front": stepped}, 280), table, len(data))
