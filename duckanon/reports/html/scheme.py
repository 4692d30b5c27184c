"""Colours of text, axes and rings of charts on light and dark pages."""

from typing import Any

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
