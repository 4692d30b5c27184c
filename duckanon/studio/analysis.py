"""The routes of the values of the input, of decisions and the lattice, and of records before and after."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from duckanon.engine.owner import leaves_nothing
from duckanon.engine.protocol import Engine
from duckanon.errors import JobError
from duckanon.release.recoding import recoding_of
from duckanon.reports.evidence import records_before_and_after
from duckanon.reports.utility import associations, distribution, make_outcomes, read_values
from duckanon.search import result
from duckanon.search.count import Counted
from duckanon.search.variants import variant
from duckanon.studio.decisions import Decisions
from duckanon.studio.nodes import Counts
from duckanon.studio.security import body

if TYPE_CHECKING:
    from duckanon.studio.session import Studio
from starlette.responses import Response

from duckanon.dataset.names import find_column
from duckanon.engine.protocol import Column
from duckanon.engine.templates import render
from duckanon.studio.session import Studio

_SECONDS_OF_A_POINT = 30.0
_PAUSE = 0.5
"""Seconds without a request after which work ahead goes on."""
_ALGORITHMS = ("local", "mondrian")
_MOST_VALUES, _BINS = 12, 12
_RECORDS = 20
"""Sample records."""

Document = dict[str, Any]


class Analysis:
    """The counts of the job that is being edited, what is worked ahead in the background, and which request each page waits for."""

    def __init__(self, studio: "Studio") -> None:
        self._studio = studio
        self._decisions: Decisions | None = None
        self._ahead: asyncio.Task[None] | None = None
        self._latest: dict[str, int] = {}
        self._requested = 0.0
        """When the last request came, in seconds of the event loop."""

    async def of(self, content: Mapping[str, Any], work: Callable[[Engine, Decisions, Counted], Document]) -> Document:
        """The result of some work on the counts of a job; counts the input first if this job counts something else."""

        def run(engine: Engine) -> Document:
            decisions, counted = self._counted(engine, content)
            return work(engine, decisions, counted)

        self._requested = asyncio.get_running_loop().time()
        document: Document = await self._studio.in_engine(run)
        self._begin_ahead()
        return document

    def newest(self, page: str) -> Callable[[], bool]:
        """Register a request of a page; returns whether a later request of the page has superseded it."""
        number = self._latest[page] = self._latest.get(page, 0) + 1
        return lambda: self._latest[page] != number

    def _counted(self, engine: Engine, content: Mapping[str, Any]) -> tuple[Decisions, Counted]:
        studio = self._studio
        prepared = studio.prepared_job(content)
        counted = None if self._decisions is None else self._decisions.counts.under(prepared.job)
        if self._decisions is not None and counted is not None:
            return self._decisions, counted
        counts = Counts.of(engine, prepared, studio.columns, studio.observer)
        self._decisions = Decisions(engine, counts)
        return self._decisions, counts.counted

    def _begin_ahead(self) -> None:
        """Do what later requests need in the background, some of it at a time between other requests."""
        if self._decisions is not None and (self._ahead is None or self._ahead.done()):
            self._ahead = asyncio.create_task(self._work_ahead(self._decisions))

    async def _pause(self) -> None:
        """Wait while requests come, so that a look-up does not wait for a long statement."""
        while (rest := self._requested + _PAUSE - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(rest)

    async def _work_ahead(self, decisions: Decisions) -> None:
        was_complete, steps = decisions.is_complete, 0
        while self._decisions is decisions:
            await self._pause()
            step = await self._studio.in_engine(lambda _engine: decisions.ahead())
            if step is None:
                break
            steps += 1
            self._studio.publish("progress", {"stage": step[0], "share": step[1]})
        if self._decisions is not decisions:
            self._ahead = None
            self._begin_ahead()
            return
        if steps:
            self._studio.publish("progress", {"stage": "", "share": None})
        if decisions.is_complete and not was_complete:
            self._studio.publish("swept", {"nodes": decisions.counts.lattice.size})


def _analysis(request: Request) -> Analysis:
    state = request.app.state
    if not hasattr(state, "analysis"):
        state.analysis = Analysis(state.studio)
    analysis: Analysis = state.analysis
    return analysis


Content = Mapping[str, Any]
Handler = Callable[[Analysis, Content], Awaitable[Document]]


def _route(path: str, handler: Handler) -> Route:
    async def answer(request: Request) -> JSONResponse:
        return JSONResponse(await handler(_analysis(request), await body(request, job=dict)))

    return Route(path, answer, methods=["POST"])


async def _decision(analysis: Analysis, content: Content) -> Document:
    is_superseded = analysis.newest(str(content.get("page", "")))
    seconds = content.get("seconds")

    def decided(_engine: Engine, decisions: Decisions, counted: Counted) -> Document:
        if is_superseded():
            return {"superseded": True}
        decision = decisions.decided(counted, None if seconds is None else float(seconds), is_superseded)
        return {"superseded": True} if is_superseded() else decision

    return await analysis.of(content["job"], decided)


async def _lattice(analysis: Analysis, content: Content) -> Document:
    return await analysis.of(content["job"], lambda _engine, decisions, counted: decisions.lattice(counted))


async def _node(analysis: Analysis, content: Content) -> Document:
    levels = content.get("levels")
    if not isinstance(levels, dict) or not all(type(level) is int for level in levels.values()):
        raise JobError("levels must be a mapping of columns to whole numbers")
    return await analysis.of(content["job"], lambda _engine, decisions, counted: decisions.at_node(counted, levels))


async def _point(analysis: Analysis, content: Content) -> Document:
    algorithm = content.get("algorithm")
    if algorithm not in _ALGORITHMS:
        raise JobError(f"algorithm {algorithm!r} has no point in the chart; choose local or mondrian")
    return await analysis.of(
        content["job"], lambda _engine, decisions, counted: decisions.point(counted, algorithm, _SECONDS_OF_A_POINT)
    )


async def _rows(analysis: Analysis, content: Content) -> Document:
    levels, shows_records = content.get("levels"), content.get("records") is True
    return await analysis.of(
        content["job"],
        lambda engine, _decisions, counted: before_and_after(engine, counted, levels, shows_records=shows_records),
    )


@leaves_nothing
def before_and_after(
    engine: Engine, counted: Counted, levels: Mapping[str, int] | None, *, shows_records: bool
) -> dict[str, Any]:
    """Distributions and associations of the quasi-identifiers before and after, and twenty sample records if they are asked for.

    `levels` are those that a search has chosen; without them the job's algorithm searches. As `{feasible, columns, rows: [{before, after}],
    distributions: [{column, before, after, distance}], associations: [{columns, before, after}]}`, where `after` of a suppressed record is None.
    """
    searched = result.decide(engine, counted if levels is None else variant(counted, levels=levels), all_nodes=False)
    counted = searched.counted
    recoding = recoding_of(searched, counted)
    for statement in recoding.class_statements():
        engine.create_table(statement)
    suppresses = searched.figures.suppressed > 0
    attributes = make_outcomes(engine, counted, recoding)
    ordered = {attribute.name: not attribute.column.is_text for attribute in counted.attributes}
    bars = [distribution(name, values, is_ordered=ordered[name]) for name, values in read_values(engine, attributes).items()]
    pairs = associations(engine, attributes)
    sampled = (
        records_before_and_after(engine, recoding, _RECORDS, suppresses=suppresses)
        if shows_records
        else {"columns": [], "rows": []}
    )
    return {
        "feasible": searched.is_feasible,
        **sampled,
        "distributions": [
            {
                "column": column["column"],
                "before": _shares(column["bars"], "before"),
                "after": _shares(column["bars"], "after"),
                "distance": column["distance"],
                "more": column["more"],
            }
            for column in bars
        ],
        "associations": [
            {"columns": [pair["first"], pair["second"]], "before": pair["before"], "after": pair["after"]} for pair in pairs
        ],
    }


def _shares(bars: list[dict[str, Any]], side: str) -> list[dict[str, Any]]:
    whole = sum(bar[side] for bar in bars)
    return [{"value": bar["label"], "share": bar[side] / whole if whole else 0.0} for bar in bars]


def values_of(engine: Engine, column: Column, distinct: int | None) -> dict[str, Any]:
    """How the values of a column of `records` are distributed: `rows`, `values` ({value, rows}) and `is_binned`.

    A value is None where it is missing. `others` has the number of further values and their rows, or is None.
    """
    if (column.is_number or column.is_date) and (distinct or 0) > _MOST_VALUES:
        statement = render("studio/value_bins", column=column.name, is_date=column.is_date, bins=_BINS)
        binned = engine.query(statement, stage="counting the values")
        values = [
            {"value": least if least == greatest else f"{least} to {greatest}", "rows": rows}
            for least, greatest, rows in binned
        ]
        return {"rows": sum(rows for *_, rows in binned), "values": values, "others": None, "is_binned": True}
    statement = render("studio/frequent_values", column=column.name, most=_MOST_VALUES)
    counted = engine.query(statement, stage="counting the values")
    _, _, all_values, all_rows = counted[0]
    shown = sum(rows for _, rows, *_ in counted)
    others = {"values": all_values - len(counted), "rows": all_rows - shown} if all_values > len(counted) else None
    values = [{"value": value, "rows": rows} for value, rows, *_ in counted]
    return {"rows": all_rows, "values": values, "others": others, "is_binned": False}


async def _column(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    column = find_column(studio.columns, request.query_params.get("name", ""), "column")
    distinct = next(described["distinct"] for described in studio.state.proposed if described["name"] == column.name)
    return JSONResponse(await studio.in_engine(lambda engine: values_of(engine, column, distinct)))


async def _records(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    names = [column.name for column in studio.columns]
    statement = render("studio/first_records", columns=names, rows=_RECORDS)
    rows = await studio.in_engine(lambda engine: engine.query(statement))
    return JSONResponse({"columns": names, "rows": [list(row) for row in rows]})


ROUTES: list[Route] = [
    Route("/api/table/column", _column),
    Route("/api/table/rows", _records),
    _route("/api/decision", _decision),
    _route("/api/lattice", _lattice),
    _route("/api/node", _node),
    _route("/api/point", _point),
    _route("/api/rows", _rows),
]
"""Those of analysis take the job of the page, and count it if needed."""
