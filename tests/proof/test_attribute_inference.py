"""Retained columns that disclose a quasi-identifier, against a restatement in plain Python."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import comb, floor, prod
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column
from duckanon.search.attribute_inference import Hidden, Labels, disclosures
from duckanon.search.sample import Sample

Table = list[dict[str, Any]]
VALUES = ["a", "a2", "b", "c", None]
CODES = [[0, 1, 2, 3, 4], [0, 0, 1, 1, 2], [0, 0, 0, 0, 0]]
"""The codes of their labels at levels 0, 1 and 2."""
HIDDEN = [Hidden("q", 1), Hidden("q", 0), Hidden("p", 0)]
NO_FIGURES = {
    "regional": True,
    "aggregates": (),
    "ranged": [],
    "owns": {},
    "keys": {},
    "suppresses": False,
    "keep_suppressed_rows": False,
}
LABELS = Labels(("q", "p"), {}, NO_FIGURES)


def label(name: str, value: Any, level: int) -> int:
    if name == "p":
        return int(value) if level == 0 else 0
    return CODES[level][VALUES.index(value)]


def label_of(name: str, row: Mapping[str, Any]) -> str:
    """The label that a row shows, at the level of its region."""
    level = row["levels"][name]
    return f"{level}: {label(name, row[name], level)}"


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Columns that follow a quasi-identifier for most rows."""
    count = draw(st.integers(1, 90))
    rows: Table = [{"q": draw(st.sampled_from(VALUES)), "p": draw(st.integers(0, 2))} for _ in range(count)]
    noise = draw(st.sampled_from([0, 0, 1, 4]))
    levels = st.tuples(st.integers(0, 2), st.integers(0, 1))
    regions = {(value, number): draw(levels) for value in VALUES for number in range(3)}
    for row in rows:
        row["levels"] = dict(zip("qp", regions[row["q"], row["p"]], strict=True))
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
    """The share of rows whose finer label the cells disclose beyond the label that each row shows."""
    released = [label_of(hidden.name, row) for row in rows]
    finer = [label(hidden.name, row[hidden.name], hidden.finer) for row in rows]
    everywhere, sizes = Counter(zip(released, finer, strict=True)), Counter(released)
    groups: Mapping[Any, Counter[int]] = defaultdict(Counter)
    for cell, shown, value in zip(cells, released, finer, strict=True):
        groups[str(cell), shown][value] += 1
    left_open: Mapping[str, list[tuple[int, float, float]]] = defaultdict(list)
    for (cell, shown), counts in groups.items():
        if (total := counts.total()) == 1:
            continue
        top, expected = max((count, everywhere[shown, value] / sizes[shown]) for value, count in counts.items())
        if expected < 0.95:
            left_open[cell].append((total, (top - 1) / (total - 1), expected))

    def mean(groups: Sequence[tuple[int, float, float]], place: int) -> float:
        return sum(group[0] * group[place] for group in groups) / sum(group[0] for group in groups)

    def is_disclosed(groups: Sequence[tuple[int, float, float]]) -> bool:
        known, expected = mean(groups, 1), mean(groups, 2)
        chance = prod(expected ** (total - 1) for total, _, expected in groups)
        return known >= 0.95 and (1 - known) * 5 <= 1 - expected and chance < 0.01

    disclosed = 0
    for of_cell in left_open.values():
        disclosed += sum(group[0] for group in of_cell if is_disclosed([group]) or is_disclosed(of_cell))
    result, every = disclosed / len(rows), [group for of_cell in left_open.values() for group in of_cell]
    if (repeated := sum(group[0] for group in every)) > len(rows) * 0.10:
        known, expected = mean(every, 1), mean(every, 2)
        certain = [group for group in every if group[1] >= 0.95]
        chance = comb(len(every), len(certain)) * prod(expected ** (total - 1) for total, _, expected in certain)
        if known >= 0.95 and (1 - known) * 2 <= 1 - expected and chance <= 0.01:
            result = max(result, known * repeated / len(rows))
    return result


@given(rows=tables())
def test_columns_that_disclose_a_quasi_identifier_are_those_of_the_definition(rows: Table) -> None:
    with DuckDBEngine() as engine:
        types = {"q": "VARCHAR", "p": "INTEGER", "text": "VARCHAR", "number": "INTEGER", "list": "INTEGER[]"}
        engine._run(f"create table records ({', '.join(f'{name} {type}' for name, type in types.items())})")
        engine._connection.executemany(
            "insert into records values (?, ?, ?, ?, ?)", [[row[name] for name in types] for row in rows]
        )
        for name, top in (("q", 2), ("p", 1)):
            counts = Counter(row[name] for row in rows)
            engine._run(f"create table values_{name} (value {types[name]}, code integer, _rows bigint)")
            engine._run(f"create table levels_{name} (code integer, {', '.join(f'level_{n} integer' for n in range(top + 1))})")
            for value, count in counts.items():
                labels = [label(name, value, level) for level in range(top + 1)]
                engine._connection.execute(f"insert into values_{name} values (?, ?, ?)", [value, labels[0], count])
                engine._run(f"insert into levels_{name} values ({', '.join(map(str, [labels[0], *labels]))})")
            engine._run(f"create table recoding_{name} as select value, code from values_{name}")
        regions = {(label("q", row["q"], 0), row["p"]): (label_of("q", row), label_of("p", row)) for row in rows}
        engine._run("create table region_assignments (q integer, p integer, _region integer, _class_number integer)")
        engine._run("create table regions (_region integer, q varchar, p varchar)")
        for number, (codes, both) in enumerate(regions.items()):
            engine._run(f"insert into region_assignments values ({codes[0]}, {codes[1]}, {number}, {number})")
            engine._connection.execute("insert into regions values (?, ?, ?)", [number, *both])
        kept = [Column(name, types[name]) for name in ("text", "number", "list")]
        with Sample(engine, len(rows)) as sample:
            reported = {
                (disclosure.column, disclosure.quasi_identifier): disclosure.share
                for disclosure in disclosures(sample, kept, HIDDEN, LABELS)
            }
    cells = {column.name: [row[column.name] for row in rows] for column in kept}
    expected: dict[tuple[str, str], float] = {}
    for name, values in [*cells.items(), ("number", binned(cells["number"]))]:
        for hidden in HIDDEN:
            reached = share(rows, values, hidden)
            if reached >= 0.1:
                expected[name, hidden.name] = max(reached, expected.get((name, hidden.name), 0))
    event(f"{len(expected)} columns disclose")
    assert reported == {pair: pytest.approx(value) for pair, value in expected.items()}
