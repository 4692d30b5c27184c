"""The page of `duckanon profile`: the columns with their roles, and what was detected from what."""

from collections.abc import Mapping
from typing import Any

from duckanon.reports.html.shell import render
from duckanon.reports.html.text import cleaned
from duckanon.reports.html.wording import Wording


def page(document: Mapping[str, Any]) -> str:
    """A profile as one self-contained HTML page."""
    return render("profile.html", Wording(), lenient=False, document=cleaned(document))
