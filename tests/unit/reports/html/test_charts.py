"""Specifications of charts, against the schema of Vega-Lite; a page does not validate them, which would take half a second."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import altair
import pytest

from duckanon.reports.html import drawings
from duckanon.reports.html.charts import Chart
from duckanon.reports.html.wording import Wording
from tests.support import levels
from tests.support.report_documents import adult, bare, hostile, mondrian, published, wide_lattice


def charts(part: Any) -> Iterator[Chart]:
    """All charts of the drawings, which are in lists of pairs where there is one for each column."""
    if isinstance(part, Chart):
        yield part
    elif isinstance(part, Sequence) and not isinstance(part, str):
        for entry in part:
            yield from charts(entry)


@pytest.mark.parametrize(
    "document", levels.sampled([adult, wide_lattice, mondrian, published, bare, hostile], [adult, wide_lattice, hostile])
)
def test_each_chart_of_a_report_is_valid(document: Callable[[], dict[str, Any]]) -> None:
    actual = list(charts(list(drawings.drawn(document(), Wording()).values())))
    assert actual or document is bare
    for chart in actual:
        altair.Chart.from_dict(dict(chart.spec))


def test_an_invalid_chart_is_noticed() -> None:
    [chart, *_] = charts(list(drawings.drawn(adult(), Wording()).values()))
    with pytest.raises(Exception, match="is not of type"):
        altair.Chart.from_dict({**chart.spec, "width": "wide"})
