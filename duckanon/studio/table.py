"""The section Table: the values of a column, and sample rows, each read only when the page asks for it."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from duckanon.dataset.names import find_column
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.studio.session import Studio

_MOST_VALUES = 12
_BINS = 12
_SAMPLE = 20


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


async def _rows(request: Request) -> Response:
    studio: Studio = request.app.state.studio
    names = [column.name for column in studio.columns]
    statement = render("studio/first_records", columns=names, rows=_SAMPLE)
    rows = await studio.in_engine(lambda engine: engine.query(statement))
    return JSONResponse({"columns": names, "rows": [list(row) for row in rows]})


ROUTES = [Route("/api/table/column", _column), Route("/api/table/rows", _rows)]
