"""Line charts, risk curves and Pareto fronts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from duckanon.reports.html.charts import BLUE, COLOURS, GREY, POINTS, SHAPES, VERMILION, Chart, Rows, altair, points, specified

_DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (4, 4), (1, 3), (10, 4))


@dataclass(frozen=True)
class Line:
    """A named line of points; a point whose y is None is left out."""

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


@dataclass(frozen=True)
class CurveGroup:
    """A named group of points."""

    name: str
    points: Sequence[tuple[float, float]] = field(default_factory=list)


def front(x: str, y: str, groups: Sequence[CurveGroup], best: Sequence[tuple[float, float]]) -> Chart:
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
