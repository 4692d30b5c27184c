"""The frame of a page: a self-contained file with a content security policy that allows only its own scripts."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import ChainableUndefined, Environment, PackageLoader, StrictUndefined, Undefined, select_autoescape
from markupsafe import Markup

from duckanon.engine.resources import cached_text
from duckanon.reports.html.charts import SCHEMES, Chart, vl_convert
from duckanon.reports.html.wording import Wording, is_figure


def render(template: str, wording: Wording, *, lenient: bool, **values: Any) -> str:
    """A page; a lenient one treats missing values as unknown."""
    environment = environment_of(ChainableUndefined if lenient else StrictUndefined)
    environment.filters |= {
        "count": wording.count,
        "share": wording.share,
        "figure": wording.figure,
        "cell": wording.cell,
        "chart_data": _chart_data,
        "json_block": _json_block,
    }
    environment.tests["figure"] = is_figure
    scripts = [_inlined(libraries()), _inlined(_file("page.js"))]
    return environment.get_template(template).render(
        **values,
        scripts=[Markup(script) for script in scripts],
        hashes=[_hash(script) for script in scripts],
        style=Markup(_file("page.css")),
        schemes=SCHEMES,
    )


def environment_of(undefined: type[Undefined], *, trim_blocks: bool = False) -> Environment:
    """The Jinja environment of this package's templates; it escapes everything."""
    return Environment(
        loader=PackageLoader("duckanon", "reports/html"),
        undefined=undefined,
        autoescape=select_autoescape(default=True),
        lstrip_blocks=True,
        trim_blocks=trim_blocks,
    )


def _chart_data(chart: Chart) -> Markup:
    document: dict[str, Any] = {"spec": chart.spec, "renderer": chart.renderer}
    if chart.explorer:
        document["explorer"] = {"fields": chart.explorer.fields, "home": chart.explorer.home, "up": chart.explorer.up}
    return _json_block(document)


def _json_block(value: Mapping[str, Any]) -> Markup:
    """JSON that can neither close its script element nor open a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(re.sub("[<>&\u2028\u2029]", lambda match: f"\\u{ord(match[0]):04x}", text))


@cache
def libraries() -> str:
    """Vega, Vega-Lite and Vega-Embed, with the expression interpreter, which does not need `eval`."""
    package = vl_convert()
    # bundling takes one to two seconds
    return cached_text(
        f"vega-{package.__version__}.js", lambda: str(package.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
    )


def _file(name: str) -> str:
    return resources.files("duckanon.reports.html").joinpath(name).read_text(encoding="utf-8")


def _inlined(script: str) -> str:
    """The text of a script between its tags, which the hash covers."""
    text = script.replace("\r\n", "\n").replace("\r", "\n").replace("<!--", "\\x3c!--")
    return re.sub("</(?=script)", r"<\\/", text, flags=re.IGNORECASE)


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
