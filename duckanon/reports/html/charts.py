"""Charts as Vega-Lite, made with Altair, and the colours of a page. Field names and expressions are constants; texts of users are only data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

BLUE, VERMILION, GREEN, PURPLE, GREY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#808080"
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, "#56b4e9", "#e69f00", GREY)
"""Wong 2011: distinguishable with every kind of colour vision."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right")

_CANVAS_FROM = 400
"""With more marks, a browser draws a canvas faster than SVG."""

POINTS = "points"
Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Explorer:
    """Keyboard navigation of a chart: the fields shown for a mark, and the first mark."""

    fields: Sequence[tuple[str, str]]
    home: int
    up: int


@dataclass(frozen=True)
class Chart:
    """A specification, the same data as table rows, and its keyboard navigation."""

    spec: Mapping[str, Any]
    table: Sequence[Sequence[Any]]
    marks: int
    explorer: Explorer | None = None

    @property
    def renderer(self) -> str:
        """The renderer in the browser: `canvas` or `svg`."""
        return "canvas" if self.marks > _CANVAS_FROM else "svg"


def altair() -> Any:
    """The package that builds charts, imported late because only reports need it."""
    import altair

    return altair


def vl_convert() -> Any:
    """The package that bundles the Vega libraries, imported late because only reports need it."""
    import vl_convert

    return vl_convert


_PROPERTIES = frozenset(
    {
        *("__proto__", "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString"),
        *("valueOf", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
    }
)


def specified(chart: Any, datasets: Mapping[str, Rows], height: int) -> dict[str, Any]:
    """The specification, as wide as its container, without configuration: the page sets colours of text and axes."""
    spec: dict[str, Any] = chart.properties(width="container", height=height).to_dict(validate=False)
    for name in ("config", "$schema"):
        spec.pop(name, None)
    whole: dict[str, Any] = _drawable(spec | {"datasets": {name: list(rows) for name, rows in datasets.items()}})
    return whole


def _drawable(value: Any) -> Any:
    """The specification without values that JavaScript objects have as properties: Vega groups by them in such objects. A zero-width space makes them others."""
    match value:
        case str():
            return f"{value}\u200b" if value in _PROPERTIES else value
        case dict():
            return {key: _drawable(item) for key, item in value.items()}
        case list():
            return [_drawable(item) for item in value]
    return value


def shown_alone(chart: Chart) -> Any:
    """A chart of Altair with its own size and colours of texts, for a notebook."""
    return altair().Chart.from_dict({**chart.spec, "width": 480, "config": SCHEMES["light"] | {"background": "white"}})


def points(name: str = POINTS) -> Any:
    """A chart over a dataset that `specified` adds."""
    alt = altair()
    return alt.Chart(alt.NamedData(name=name))


_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


def _config(ink: str, muted: str, grid: str, paper: str) -> dict[str, Any]:
    guide = {"labelColor": muted, "titleColor": muted, "labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal"}
    return {
        "background": "transparent",
        "font": _FONT,
        "padding": {"left": 4, "top": 4, "bottom": 4, "right": 14},
        "view": {"stroke": None},
        "aria": False,
        "axis": guide | {"gridColor": grid, "domainColor": grid, "tickColor": grid, "labelFontWeight": "normal"},
        "legend": guide | {"labelLimit": 200},
        "style": {
            "note": {"color": muted, "fill": muted, "fontSize": 11},
            "inside": {"color": "#ffffff", "fill": "#ffffff", "fontSize": 11},
            "region": {"stroke": paper, "strokeWidth": 0.5},
            "chosen": {"color": ink, "stroke": ink, "strokeWidth": 2, "fill": None, "filled": False},
            "focused": {"color": ink, "stroke": ink, "strokeWidth": 2.5, "strokeDash": [3, 2], "fill": None, "fillOpacity": 0},
        },
        "range": {"category": ["#0072b2", "#b04a00", "#00795a", "#a34d80", "#5c6bc0", "#7a6200", "#666666"]},
    }


SCHEMES = {
    "light": _config(ink="#1a1a1a", muted="#4d4d4d", grid="#dddddd", paper="#ffffff"),
    "dark": _config(ink="#f0f0f0", muted="#b8bcc2", grid="#3a3f46", paper="#14171a"),
}
"""The charts set the colours of marks, which are visible on light and dark pages."""
