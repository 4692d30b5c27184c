"""The report of a run as a page: a summary to sign, evidence, and an appendix."""

from collections.abc import Mapping
from typing import Any

from duckanon.job.policy import PRESETS
from duckanon.reports.html.drawings import drawn
from duckanon.reports.html.shell import render
from duckanon.reports.html.text import cleaned
from duckanon.reports.html.wording import Wording

_NOT_OF_A_VALUE = ("k-anonymity", "k-map", "k-column", "average-risk", "highest-risk")
"""Models that bound re-identification, not attribute disclosure."""


def page(document: Mapping[str, Any]) -> str:
    """A report as one self-contained HTML page."""
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
