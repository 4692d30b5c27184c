"""The frame of every picture, and the few shapes that pictures are made of."""

from collections.abc import Iterable
from html import escape

SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif'
MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace'

_LIGHT = {
    "paper": "#ffffff",
    "frame": "#d5dae0",
    "ink": "#18222c",
    "soft": "#55677a",
    "grid": "#e6e9ed",
    "before": "#a3afbb",
    "after": "#2f6fb3",
    "accent": "#c8641b",
    "good": "#2f7d43",
    "bad": "#b3402f",
    "pale": "#eef1f4",
    "pale-after": "#dbe8f6",
    "pale-accent": "#fbe6d4",
    "pale-good": "#dff0e3",
    "pale-bad": "#fbe3df",
    "pale-mask": "#ebe3f7",
    "pale-paper": "#ffffff",
    "on": "#ffffff",
}
_DARK = {
    "paper": "#1a1f25",
    "frame": "#39434e",
    "ink": "#e8edf2",
    "soft": "#a9bacb",
    "grid": "#2c353f",
    "before": "#66757f",
    "after": "#6aa8e8",
    "accent": "#f0a064",
    "good": "#6cbf84",
    "bad": "#e98a7d",
    "pale": "#262d35",
    "pale-after": "#1e3550",
    "pale-accent": "#4a321f",
    "pale-good": "#1d3827",
    "pale-bad": "#472824",
    "pale-mask": "#382d4d",
    "pale-paper": "#1a1f25",
    "on": "#10151a",
}


def _colours(palette: dict[str, str]) -> str:
    return " ".join(
        f".{name} {{ fill: {colour} }} .line-{name} {{ stroke: {colour} }}"
        for name, colour in palette.items()
        if name not in ("paper", "frame")
    )


def picture(width: float, height: float, title: str, description: str, body: Iterable[str]) -> str:
    """A drawing on its own background. It follows the reader's choice of a light or dark page."""
    style = "\n    ".join(
        [
            f"text {{ fill: {_LIGHT['ink']}; font: 13px {SANS} }}",
            f".mono {{ font-family: {MONO} }}",
            ".strong { font-weight: 600 } .small { font-size: 12px } .tiny { font-size: 10.5px } .middle { text-anchor: middle } .end { text-anchor: end }",
            "path, polyline, .hollow { fill: none }",
            f".paper {{ fill: {_LIGHT['paper']}; stroke: {_LIGHT['frame']} }}",
            _colours(_LIGHT),
            "@media (prefers-color-scheme: dark) {",
            f"  text {{ fill: {_DARK['ink']} }}",
            f"  .paper {{ fill: {_DARK['paper']}; stroke: {_DARK['frame']} }}",
            f"  {_colours(_DARK)}",
            "}",
        ]
    )
    return document(
        width, height, title, description, style, [rect(0.5, 0.5, width - 1, height - 1, "paper", round_by=8), *body]
    )


def document(width: float, height: float, title: str, description: str, style: str, body: Iterable[str]) -> str:
    """An SVG document with its accessible name and description."""
    size = f'viewBox="0 0 {figure(width)} {figure(height)}" width="{figure(width)}" height="{figure(height)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc">',
        f'  <title id="title">{escape(title, quote=False)}</title>',
        f'  <desc id="desc">{escape(description, quote=False)}</desc>',
        f"  <style>\n    {style}\n  </style>",
        *(f"  {part}" for part in body),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def figure(value: float) -> str:
    """A coordinate, with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")


def text(x: float, y: float, content: str, kind: str = "") -> str:
    return f'<text x="{figure(x)}" y="{figure(y)}"{_kind(kind)}>{escape(content, quote=False)}</text>'


def rect(x: float, y: float, width: float, height: float, kind: str, *, round_by: float = 0, more: str = "") -> str:
    corners = f' rx="{figure(round_by)}"' if round_by else ""
    size = f'width="{figure(width)}" height="{figure(height)}"'
    return f'<rect x="{figure(x)}" y="{figure(y)}" {size}{corners}{_kind(kind)}{more}/>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str, *, width: float = 1, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path d="M{figure(x1)} {figure(y1)}L{figure(x2)} {figure(y2)}"{_kind(kind)} stroke-width="{figure(width)}"{dashed}/>'
    )


def polyline(points: Iterable[tuple[float, float]], kind: str, *, width: float = 2) -> str:
    joined = " ".join(f"{figure(x)},{figure(y)}" for x, y in points)
    return f'<polyline points="{joined}"{_kind(kind)} stroke-width="{figure(width)}" stroke-linejoin="round"/>'


def _kind(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
