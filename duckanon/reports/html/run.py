"""The page of a run: what was done, what is promised, what is left, for whoever signs it off."""

from collections.abc import Mapping
from typing import Any

from duckanon.reports.html.charts import altair
from duckanon.reports.html.drawings import drawn
from duckanon.reports.html.shell import libraries, render
from duckanon.reports.html.text import cleaned
from duckanon.reports.html.wording import Wording

_NOT_OF_A_VALUE = ("k-anonymity", "k-map", "k-column", "average-risk", "highest-risk")
"""Models that bound who is recognized, not what is learned of them."""


def page(document: Mapping[str, Any]) -> str:
    """A run's report as one HTML page that needs nothing else."""
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
    )


def require() -> None:
    """Raises `UsageError` where a package is missing that pages need, before anything else is done."""
    altair()
    libraries()


def _sensitive(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each sensitive column with the models that bound what is learned of it."""
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
