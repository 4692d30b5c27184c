"""The page of `duckanon compare`: tables and charts of all searches."""

from collections.abc import Mapping, Sequence
from typing import Any

from duckanon.reports.html import curves
from duckanon.reports.html.charts import Chart
from duckanon.reports.html.curves import Line
from duckanon.reports.html.drawings import trade_off
from duckanon.reports.html.shell import render
from duckanon.reports.html.text import cleaned
from duckanon.reports.html.wording import Wording


def page(document: Mapping[str, Any]) -> str:
    """A comparison as one self-contained HTML page."""
    fit: dict[str, Any] = cleaned(document)
    solved = [run for run in fit["runs"] if run["status"] == "found"]
    return render(
        "comparison.html",
        Wording(),
        lenient=False,
        document=fit,
        curves=_curves(solved),
        front=trade_off(solved) if solved else None,
    )


def _curves(runs: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, Chart]]:
    """Loss and seconds against k for each suppression limit, as (limit, title, chart)."""
    return [
        (limit, title, _against_k([run for run in runs if run["limit"] == limit], title, key))
        for limit in dict.fromkeys(run["limit"] for run in runs)
        for title, key in (("loss", "loss"), ("seconds of the search", "seconds"))
    ]


def _against_k(runs: Sequence[Mapping[str, Any]], title: str, key: str) -> Chart:
    drawn = [
        Line(algorithm, [(run["k"], run[key]) for run in runs if run["algorithm"] == algorithm])
        for algorithm in dict.fromkeys(run["algorithm"] for run in runs)
    ]
    return curves.lines("k", title, drawn)
