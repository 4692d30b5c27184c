"""Charts as Vega-Lite, made with Altair: our field names, our expressions; what users wrote is data in them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from duckanon.errors import UsageError

BLUE, VERMILION, GREEN, PURPLE, GREY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#808080"
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, "#56b4e9", "#e69f00", GREY)
"""Wong 2011: told apart with every kind of colour vision."""

SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right")

_CANVAS_FROM = 400
"""Marks beyond which a browser draws pixels faster than it holds shapes."""

POINTS = "points"
Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Explorer:
    """What a reader can walk through with the keyboard: the fields told of a mark, and where the walk starts."""

    fields: Sequence[tuple[str, str]]
    home: int
    up: int


@dataclass(frozen=True)
class Chart:
    """A specification, the rows of the same data for a table, and whether it can be walked through."""

    spec: Mapping[str, Any]
    table: Sequence[Sequence[Any]]
    marks: int
    explorer: Explorer | None = None

    @property
    def renderer(self) -> str:
        """How the browser draws it."""
        return "canvas" if self.marks > _CANVAS_FROM else "svg"


def altair() -> Any:
    """The package that makes charts, which only reports need."""
    with _needed("altair"):
        import altair
    return altair


def vl_convert() -> Any:
    """The package that carries what draws charts, which only reports need."""
    with _needed("vl-convert-python"):
        import vl_convert
    return vl_convert


@contextmanager
def _needed(name: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise UsageError(f"reports need {name}; install it with: pip install 'duckanon[report]'") from error


def specified(chart: Any, datasets: Mapping[str, Rows], height: int) -> dict[str, Any]:
    """The specification, as wide as its place; colours of text and axes are the page's, hence no configuration."""
    spec: dict[str, Any] = chart.properties(width="container", height=height).to_dict()
    for name in ("config", "$schema"):
        spec.pop(name, None)
    return spec | {"datasets": {name: list(rows) for name, rows in datasets.items()}}


def points(name: str = POINTS) -> Any:
    """A chart over a dataset that `specified` hands in."""
    alt = altair()
    return alt.Chart(alt.NamedData(name=name))
