"""Bars and paired marks: one figure for each label, or one before and one after."""

from collections.abc import Iterable, Sequence
from typing import Any

from duckanon.reports.html.charts import BLUE, GREY, POINTS, VERMILION, Chart, altair, points, specified
from duckanon.reports.html.text import distinct

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
        {
            "label": f"▸ level {level}" if level == released else f"level {level}",
            "value": value,
            "released": level == released,
        }
        for level, value in groups
    ]
    base = points().encode(y=_label_axis(alt), x=alt.X("value:Q", title=title, axis=alt.Axis(tickCount=4)))
    steps = base.mark_bar(color=BLUE, stroke=BLUE, height={"band": 0.7}).encode(
        fillOpacity=alt.condition("datum.released", alt.value(1), alt.value(0.2))
    )
    values = base.mark_text(align="left", dx=4, style="note").encode(text=alt.Text("value:Q", format=","))
    table = [[row["label"], row["value"]] for row in data]
    return Chart(specified(steps + values, {POINTS: data}, 22 * len(data)), table, len(data))
