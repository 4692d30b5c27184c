"""The pages: the report of a run (a summary to sign, evidence, an appendix), a comparison of searches, a profile; and a run in a few lines, for notebooks."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import StrictUndefined
from markupsafe import Markup

from duckanon.job.policy import PRESETS
from duckanon.reports.html.charts import SCHEMES, Chart, vl_convert
from duckanon.reports.html.drawings import by_algorithm, drawn, losses, sizes, trade_off
from duckanon.reports.html.plots import lines
from duckanon.reports.html.shell import environment_of, render
from duckanon.reports.html.wording import Wording, cleaned, shown

_NOT_OF_A_VALUE = ("k-anonymity", "k-map", "k-column", "average-risk", "highest-risk")
"""Models that bound re-identification, not attribute disclosure."""


def report_page(document: Mapping[str, Any]) -> str:
    """A report as one self-contained HTML report_page."""
    fit: dict[str, Any] = cleaned(dict(document) | {"sensitive": _sensitive(document)})
    public = fit.get("public")
    wording = Wording(public["k"] if public else None)
    return render(
        "run.html",
        wording,
        lenient=True,
        document=fit,
        manifest=fit.get("manifest") or {},
        public=public,
        drawings=drawn(fit, wording),
        expected=_expected,
        presets=PRESETS,
        zip=zip,
    )


def _expected(risk: Mapping[str, Any]) -> int | None:
    """Records that an adversary who attacks all of them correctly re-identifies on average."""
    rows, marketer = risk.get("rows"), risk.get("marketer")
    return round(marketer * rows) if isinstance(rows, int) and isinstance(marketer, int | float) else None


def _sensitive(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each sensitive column with the models that bound its disclosure."""
    privacy = (document.get("manifest") or {}).get("privacy") or []
    return [
        {
            "column": column["name"],
            "models": [
                check["model"]
                for check in privacy
                if check.get("column") == column["name"] and check["model"] not in _NOT_OF_A_VALUE
            ],
        }
        for column in document.get("columns") or []
        if column.get("role") == "sensitive"
    ]


def comparison_page(document: Mapping[str, Any]) -> str:
    """A comparison as one self-contained HTML comparison_page."""
    fit: dict[str, Any] = cleaned(document)
    solved = [run for run in fit["runs"] if run["status"] == "found"]
    return render(
        "comparison.html",
        Wording(),
        lenient=False,
        document=fit,
        curves=_curves(solved),
        front=trade_off(solved),
    )


def _curves(runs: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, Chart]]:
    """Loss and seconds against k for each suppression limit, as (limit, title, chart)."""
    return [
        (limit, title, lines("k", title, by_algorithm([run for run in runs if run["limit"] == limit], "k", key)))
        for limit in dict.fromkeys(run["limit"] for run in runs)
        for title, key in (("loss", "loss"), ("seconds of the search", "seconds"))
    ]


def profile_page(document: Mapping[str, Any]) -> str:
    """A profile as one self-contained HTML profile_page."""
    return render("profile.html", Wording(), lenient=False, document=cleaned(document))


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
    config = {"width": _WIDTH, "config": SCHEMES["light"] | {"background": "white"}}
    svg = vl_convert().vegalite_to_svg
    return [(title, Markup(svg(json.dumps({**chart.spec, **config})))) for title, chart in drawn if chart is not None]
