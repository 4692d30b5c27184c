"""The page of `duckanon compare`: tables and charts of every case."""

from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from duckanon.report import charts
from duckanon.report.charts import Group, Line


def page(document: Mapping[str, Any]) -> str:
    """A comparison as one HTML page that needs nothing else."""
    environment = Environment(
        loader=PackageLoader("duckanon", "report"),
        undefined=StrictUndefined,
        autoescape=select_autoescape(default=True),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found = [run for run in document["runs"] if run["status"] == "found"]
    return environment.get_template("comparison.html").render(document=document, drawings=_drawings(found))


def _drawings(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Seconds and loss against k, a chart a limit, and risk against loss."""
    if not runs:
        return []
    drawings = []
    for limit in dict.fromkeys(run["limit"] for run in runs):
        chosen = [run for run in runs if run["limit"] == limit]
        for title, key in (("Loss", "loss"), ("Seconds of the search", "seconds")):
            drawn = [
                Line(algorithm, [(run["k"], run[key]) for run in chosen if run["algorithm"] == algorithm])
                for algorithm in dict.fromkeys(run["algorithm"] for run in chosen)
            ]
            named = f"{title}, at most {limit} suppressed"
            drawings.append(charts.lines(named, "k", title.lower(), drawn))
    groups = [
        Group(algorithm, [(run["loss"], run["risk"]) for run in runs if run["algorithm"] == algorithm])
        for algorithm in dict.fromkeys(run["algorithm"] for run in runs)
    ]
    best = [(run["loss"], run["risk"]) for run in runs if run["on_front"]]
    drawings.append(charts.front("Risk against loss", "loss", "highest risk, 1 / smallest class", groups, best))
    return drawings
