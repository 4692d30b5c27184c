"""A run in a few lines and two charts, for notebooks."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import StrictUndefined
from markupsafe import Markup

from duckanon.reports.html.charts import Chart, vl_convert
from duckanon.reports.html.drawings import losses, sizes
from duckanon.reports.html.scheme import SCHEMES
from duckanon.reports.html.shell import environment_of
from duckanon.reports.html.text import shown

_WIDTH = 320
_LINE = 1_000
"""Characters of a line of the summary."""


def card(manifest: Mapping[str, Any], lines: Sequence[str]) -> str:
    """A manifest as a fragment of HTML without scripts."""
    template = environment_of(StrictUndefined, trim_blocks=True).get_template("card.html")
    return template.render(
        lines=[shown(line, _LINE) for line in lines],
        warnings=[shown(line, _LINE) for line in manifest["warnings"]],
        pictures=_pictures(manifest),
    )


def _pictures(manifest: Mapping[str, Any]) -> list[tuple[str, Markup]]:
    """The information loss of each column, and the sizes of equivalence classes, as SVG."""
    drawn = [
        ("Information loss of each column", losses(manifest["metrics"]["loss_by_attribute"])),
        ("Records by the size of their class", sizes(manifest["risk"])),
    ]
    return [(title, _svg(chart)) for title, chart in drawn if chart is not None]


def _svg(chart: Chart) -> Markup:
    spec = {**chart.spec, "width": _WIDTH, "config": SCHEMES["light"] | {"background": "white"}}
    return Markup(vl_convert().vegalite_to_svg(json.dumps(spec)))
