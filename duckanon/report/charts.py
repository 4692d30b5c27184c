"""Charts as SVG, drawn by matplotlib: no script, no network, sharp on paper."""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from duckanon.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""Wong 2011: told apart with every kind of colour vision."""

_MARKERS = "os^Dv<>"
_STYLE = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "svg.fonttype": "none",
    "svg.hashsalt": "duckanon",
}


@dataclass(frozen=True)
class Line:
    """A named line of points; a point whose y is None is left out."""

    name: str
    points: Sequence[tuple[float, float | None]]


def lines(title: str, x: str, y: str, drawn: Sequence[Line]) -> str:
    """Lines with a mark at each point, from 0 upwards."""
    with _axes(title, x, y) as (axes, text):
        for number, line in enumerate(drawn):
            points = [(one, other) for one, other in line.points if other is not None]
            axes.plot(
                [one for one, _ in points],
                [other for _, other in points],
                marker=_MARKERS[number % len(_MARKERS)],
                color=_COLOURS[number % len(_COLOURS)],
                label=line.name,
                markersize=4,
                linewidth=1.2,
            )
        axes.set_ylim(bottom=0)
        axes.locator_params(axis="x", integer=True)
        _legend(axes)
    return text.getvalue()


@dataclass(frozen=True)
class Group:
    """A named group of points."""

    name: str
    points: Sequence[tuple[float, float]]


def front(title: str, x: str, y: str, groups: Sequence[Group], best: Sequence[tuple[float, float]]) -> str:
    """Points by group, and the front of those that nothing beats, as a stepped line."""
    with _axes(title, x, y) as (axes, text):
        for number, group in enumerate(groups):
            axes.scatter(
                [one for one, _ in group.points],
                [other for _, other in group.points],
                marker=_MARKERS[number % len(_MARKERS)],
                color=_COLOURS[number % len(_COLOURS)],
                label=group.name,
                s=22,
                zorder=3,
            )
        ordered = sorted(best)
        axes.step(
            [one for one, _ in ordered],
            [other for _, other in ordered],
            where="post",
            color="#888888",
            linewidth=1,
            label="Pareto front",
        )
        _legend(axes)
    return text.getvalue()


def _legend(axes: "Axes") -> None:
    """Beside the chart, where it covers no line."""
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))


@contextmanager
def _axes(title: str, x: str, y: str) -> Iterator[tuple["Axes", io.StringIO]]:
    """One chart to draw on; when it is left, the text holds it as SVG."""
    text = io.StringIO()
    with _matplotlib() as (figure_of, style), style(_STYLE):
        figure = figure_of(figsize=(6.2, 3.2), layout="constrained")
        axes = figure.subplots()
        axes.set(title=title, xlabel=x, ylabel=y)
        yield axes, text
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    text.seek(0)
    text.truncate()
    text.write(svg[svg.index("<svg") :])


@contextmanager
def _matplotlib() -> Iterator[tuple[Any, Any]]:
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError("reports need matplotlib; install it with: pip install 'duckanon[report]'") from error
    yield Figure, rc_context
