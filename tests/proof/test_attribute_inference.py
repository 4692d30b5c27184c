"""Retained columns that disclose a quasi-identifier, against a restatement in plain Python."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import floor
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column
from duckanon.search.attribute_inference import Hidden, disclosures
from duckanon.search.sample import Sample

Table = list[dict[str, Any]]
VALUES = ["a", "a2", "b", "c", None]
CODES = [[0, 1, 2, 3, 4], [0, 0, 1, 1, 2], [0, 0, 0, 0, 0]]
"""The codes of their labels at levels 0, 1 and 2."""
HIDDEN = [Hidden("q", 2, 1), Hidden("q", 2, 0), Hidden("q", 1, 0), Hidden("p", 1, 0)]


def label(name: str, value: Any, level: int) -> int:
    if name == "p":
        return int(value) if level == 0 else 0
    return CODES[level][VALUES.index(value)]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Columns that follow a quasi-identifier for most rows."""
    count = draw(st.integers(1, 90))
    rows: Table = [{"q": draw(st.sampled_from(VALUES)), "p": draw(st.integers(0, 2))} for _ in range(count)]
    noise = draw(st.sampled_from([0, 0, 1, 4]))
    for row in rows:
        is_noisy = noise and draw(st.integers(0, 9)) < noise
        row["text"] = draw(st.sampled_from([None, "x", ""])) if is_noisy else f"is {row['q']}"
        row["number"] = (
            draw(st.one_of(st.none(), st.integers(-3, 300))) if is_noisy else row["p"] * 100 + draw(st.integers(0, 9))
        )
        row["list"] = [row["p"]] if draw(st.booleans()) or not noise else [None, row["p"]]
    return rows


def binned(cells: Sequence[Any]) -> list[Any]:
    """100 bins of equal size, by the share of rows with a smaller value; NULL is the largest."""
    ranks = [sum(other is not None and (cell is None or other < cell) for other in cells) for cell in cells]
    return [
        None if cell is None else floor(rank / max(1, len(cells) - 1) * 100) for cell, rank in zip(cells, ranks, strict=True)
    ]


def share(rows: Table, cells: Sequence[Any], hidden: Hidden) -> float:
    """The share of rows whose finer label the cells disclose."""
    released = [label(hidden.name, row[hidden.name], hidden.level) for row in rows]
    finer = [label(hidden.name, row[hidden.name], hidden.finer) for row in rows]
    everywhere, sizes = Counter(zip(released, finer, strict=True)), Counter(released)
    groups: Mapping[Any, Counter[int]] = defaultdict(Counter)
    for cell, shown, value in zip(cells, released, finer, strict=True):
        groups[str(cell), shown][value] += 1
    disclosed = repeated = 0
    known_rows = expected_rows = 0.0
    for (_, shown), counts in groups.items():
        if (total := counts.total()) == 1:
            continue
        top, expected = max((count, everywhere[shown, value] / sizes[shown]) for value, count in counts.items())
        known = (top - 1) / (total - 1)
        repeated, known_rows, expected_rows = repeated + total, known_rows + total * known, expected_rows + total * expected
        if known >= 0.95 > expected and (1 - known) * 5 <= 1 - expected and expected**total < 0.01:
            disclosed += total
    result = disclosed / len(rows)
    if repeated:
        known, expected = known_rows / repeated, expected_rows / repeated
        if known >= 0.95 > expected and (1 - known) * 2 <= 1 - expected and repeated > len(rows) * 0.10:
            result = max(result, known_rows / len(rows))
    return result


@given(rows=tables())
def test_columns_that_disclose_a_quasi_identifier_are_those_of_the_definition(rows: Table) -> None:
    with DuckDBEngine() as engine:
        types = {"q": "VARCHAR", "p": "INTEGER", "text": "VARCHAR", "number": "INTEGER", "list": "INTEGER[]"}
        engine._run(f"create table records ({', '.join(f'{name} {type}' for name, type in types.items())})")
        engine._connection.executemany("insert into records values (?, ?, ?, ?, ?)", [list(row.values()) for row in rows])
        for name, top in (("q", 2), ("p", 1)):
            counts = Counter(row[name] for row in rows)
            engine._run(f"create table values_{name} (value {types[name]}, code integer, _rows bigint)")
            engine._run(f"create table levels_{name} (code integer, {', '.join(f'level_{n} integer' for n in range(top + 1))})")
            for value, count in counts.items():
                labels = [label(name, value, level) for level in range(top + 1)]
                engine._connection.execute(f"insert into values_{name} values (?, ?, ?)", [value, labels[0], count])
                engine._run(f"insert into levels_{name} values ({', '.join(map(str, [labels[0], *labels]))})")
        kept = [Column(name, types[name]) for name in ("text", "number", "list")]
        with Sample(engine, len(rows)) as sample:
            reported = {
                (disclosure.column, disclosure.quasi_identifier): disclosure.share
                for disclosure in disclosures(sample, kept, HIDDEN)
            }
    cells = {column.name: [row[column.name] for row in rows] for column in kept}
    expected: dict[tuple[str, str], float] = {}
    for name, values in [*cells.items(), ("number", binned(cells["number"]))]:
        for hidden in HIDDEN:
            reached = share(rows, values, hidden)
            if reached >= 0.1:
                expected.setdefault((name, hidden.name), reached)
    event(f"{len(expected)} columns disclose")
    assert reported == {pair: pytest.approx(value) for pair, value in expected.items()}
