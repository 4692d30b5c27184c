"""`mondrian` against a recursion in plain Python, published figures, and counts of what it writes."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duckanon.engine.protocol import Settings
from duckanon.errors import Infeasible
from duckanon.options import Options
from duckanon.pipeline import anonymize
from duckanon.preparation import Run
from tests import models_oracle as models
from tests.conftest import Cli, read_rows, write_parquet
from tests.models_oracle import Group, Whole
from tests.mondrian_oracle import Attribute, Categorical, Ordered, Rows, partitions
from tests.test_optimal import hierarchies

# --- against the recursion

NAN = math.nan
TEXTS = ["10", "9", "B", "a", "b", "ab", "é", "", "Ω z"]


@dataclass(frozen=True)
class Column:
    """A quasi-identifier: its values, a row each, how the job declares it, and what it is to the oracle."""

    values: list[Any]
    plan: dict[str, Any]
    attribute: Attribute


def text_of(value: Any) -> str | None:
    """As DuckDB writes it."""
    return None if value is None else str(value)


def _place(value: Any) -> Fraction:
    if isinstance(value, datetime):
        return Fraction((value - datetime(1970, 1, 1)) // timedelta(microseconds=1))
    return Fraction(value.toordinal() if isinstance(value, date) else value)


def _is_placed(value: Any) -> bool:
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))


KINDS: dict[str, st.SearchStrategy[list[Any]]] = {
    "whole": st.lists(st.integers(-6, 6), min_size=1, max_size=8, unique=True),
    "large": st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=5, unique=True),
    "decimal": st.lists(st.integers(-400, 400).map(lambda cents: Decimal(cents).scaleb(-2)), min_size=1, max_size=6, unique=True),
    "float": st.lists(st.integers(-9, 9).map(lambda number: number / 4 + 0.125), min_size=1, max_size=6, unique=True),
    "date": st.lists(st.dates(date(1899, 1, 1), date(2100, 1, 1)), min_size=1, max_size=6, unique=True),
    "time": st.lists(
        st.integers(-(10**6), 10**6).map(lambda number: datetime(1970, 1, 1) + timedelta(seconds=number)),
        min_size=1,
        max_size=6,
        unique=True,
    ),
    "text": st.lists(st.sampled_from(TEXTS), min_size=1, max_size=6, unique=True),
}
"""Values that have a place in an order."""


@st.composite
def ordered(draw: st.DrawFn, size: int, *, starred: bool, shows_extremes: bool) -> Column:
    """Numbers, dates or text in an order, of which the rarer ones have no place."""
    kind = draw(st.sampled_from([*KINDS]))
    known = draw(KINDS[kind])
    others = draw(st.sampled_from([[], [], [None], [None, NAN, math.inf, -math.inf]]))
    others = [value for value in others if value is None or kind == "float"]
    values = draw(st.lists(st.sampled_from([*known, *others]), min_size=size, max_size=size))
    values[0] = known[0]
    present = {value for value in values if _is_placed(value)}
    plan: dict[str, Any] = {}
    places = {value: _place(value) for value in present if kind != "text"}
    if kind == "text":
        is_said = draw(st.booleans())
        order = [value for value in draw(st.permutations(TEXTS)) if value in present] if is_said else sorted(present)
        places = {value: Fraction(place) for place, value in enumerate(order)}
        plan = {"order": order} if is_said else {"cut": "order"}
    return Column(values, plan, Ordered(values, places, text_of, starred, shows_extremes))


@st.composite
def categorical(draw: st.DrawFn, size: int, number: int, *, starred: bool) -> Column:
    """Text or numbers along a hierarchy; NULL keeps to itself up to the top."""
    drawn = draw(hierarchies(number))
    is_number = draw(st.booleans())
    lines: dict[Any, list[Any]] = {
        (place if is_number else value): [str(place) if is_number else value, *line[1:]]
        for place, (value, line) in enumerate(drawn.items())
    }
    leaves = [*lines]
    values = draw(st.lists(st.sampled_from([*leaves, *leaves, None]), min_size=size, max_size=size))
    values[0] = leaves[0]
    plan = {"hierarchy": {"kind": "table", "rows": [*lines.values()]}, **({"cut": "hierarchy"} if is_number else {})}
    height = len(lines[leaves[0]]) - 1
    if None in values:
        lines[None] = ["*"] * (height + 1) if starred else [None] * height + ["*"]
    return Column(values, plan, Categorical(values, lines, starred))


@dataclass(frozen=True)
class Table:
    """Columns, and beside them what the requirements look at."""

    columns: list[Column]
    sensitive: list[Any]
    asked: list[int]
    persons: list[Any]
    top: bool
    shows_extremes: bool
    only_le: bool

    @property
    def size(self) -> int:
        return len(self.sensitive)

    def group(self, rows: Rows) -> Group:
        return Group(Counter(self.sensitive[row] for row in rows))

    @property
    def rows(self) -> list[dict[str, Any]]:
        beside = {"s": self.sensitive, "want": self.asked, "who": self.persons, "row": range(self.size)}
        named = {f"q{number}": column.values for number, column in enumerate(self.columns)} | beside
        return [{name: values[row] for name, values in named.items()} for row in range(self.size)]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """One to three columns; rows come several times."""
    distinct = draw(st.integers(1, 14))
    repeated = draw(st.lists(st.integers(0, distinct - 1), max_size=16))
    top, shows_extremes = draw(st.booleans()), draw(st.booleans())
    columns = []
    for number in range(draw(st.integers(1, 3))):
        drawn = draw(
            ordered(distinct, starred=top, shows_extremes=shows_extremes)
            if draw(st.integers(0, 2))
            else categorical(distinct, number, starred=top)
        )
        drawn.values.extend([drawn.values[row] for row in repeated])
        columns.append(drawn)
    size = distinct + len(repeated)

    def many(values: Sequence[Any]) -> list[Any]:
        return draw(st.lists(st.sampled_from(values), min_size=size, max_size=size))

    return Table(
        columns,
        many(["u", "v", "w", None]),
        many([1, 1, 2, 3]),
        many([1, 2, 3, 4, 5, 6, None]),
        top,
        shows_extremes,
        draw(st.booleans()),
    )


@dataclass(frozen=True)
class Required:
    """What a class has to keep, for us and for the oracle."""

    name: str
    holds: Callable[[Table, Rows], bool]
    options: Mapping[str, Any] = field(default_factory=dict)
    """Beside k = 1."""
    has_entity: bool = False


def _k(least: int) -> Required:
    return Required(f"k={least}", lambda _, rows: len(rows) >= least, {"k": least})


def _persons(least: int) -> Required:
    return Required(
        f"{least} persons", lambda table, rows: len({table.persons[row] for row in rows}) >= least, {"entity": "who", "k": least}
    )


def _own(least: int) -> Required:
    return Required(
        f"own k and {least}",
        lambda table, rows: len(rows) >= max(least, *(table.asked[row] for row in rows)),
        {"k_column": "want", "k": least},
    )


def _model(model: str, *numbers: str) -> Required:
    asked = [Decimal(number) for number in numbers]

    def holds(table: Table, rows: Rows) -> bool:
        return models.holds(model, asked, table.group(rows), Whole(Counter(table.sensitive)))

    text = f"{model}={','.join(numbers)}"
    return Required(text, holds, {"k": 1, "require": [f"{text}@s"]})


def _risk(most: str) -> Required:
    least = math.ceil(1 / Fraction(most))
    return Required(f"average-risk={most}", lambda _, rows: len(rows) >= least, {"k": 1, "require": [f"average-risk={most}"]})


REQUIRED = [
    *map(_k, (1, 2, 2, 3, 5, 12)),
    *map(_persons, (2, 3)),
    *map(_own, (1, 2)),
    _model("distinct-l", "2"),
    _model("distinct-l", "3"),
    _model("entropy-l", "1.7"),
    _model("recursive-cl", "2", "2"),
    _model("t", "0.25"),
    _model("t", "0.5"),
    _model("alpha-k", "0.5", "2"),
    _risk("0.5"),
    _risk("0.3"),
]


def released(folder: Path, table: Table, required: Required) -> dict[str, Any]:
    """The manifest of a release that keeps the number of each row."""
    source = write_parquet(folder / "in.parquet", table.rows)
    job = {
        "columns": {
            **{f"q{number}": {"role": "quasi-identifier", **column.plan} for number, column in enumerate(table.columns)},
            "s": {"role": "sensitive"},
            "row": {"role": "insensitive"},
        },
        "recoding": {
            "algorithm": "mondrian",
            "median": "le" if table.only_le else "le-else-lt",
            "show-extremes": table.shows_extremes,
        },
        "suppression": {"limit": 0},
        "missing": {"policy": "top" if table.top else "value"},
    }
    return anonymize(
        source,
        folder / "out.parquet",
        job=job,
        options=Options(**{"k": 1, **required.options}),
        run=Run(settings=Settings(workspace=folder / "work.duckdb"), overwrite=True),
    )


@given(table=tables(), required=st.sampled_from(REQUIRED))
def test_partitions_labels_and_losses_are_those_of_the_recursion(tmp_path: Path, table: Table, required: Required) -> None:
    everything = range(table.size)
    if not required.holds(table, everything):
        with pytest.raises(Infeasible):
            released(tmp_path, table, required)
        return
    attributes = [column.attribute for column in table.columns]
    found = partitions(attributes, everything, lambda rows: required.holds(table, rows), only_le=table.only_le)
    manifest = released(tmp_path, table, required)
    expected = {row: tuple(attribute.label(rows) for attribute in attributes) for rows in found for row in rows}
    written = {row["row"]: tuple(row[f"q{at}"] for at in range(len(attributes))) for row in read_rows(tmp_path / "out.parquet")}
    assert written == expected
    assert manifest["recoding"]["partitions"] == len(found)
    assert manifest["classes"]["count"] == len(set(expected.values()))
    losses = [float(sum(len(rows) * attribute.loss(rows) for rows in found) / table.size) for attribute in attributes]
    assert [*manifest["metrics"]["loss_by_attribute"].values()] == pytest.approx(losses, abs=1e-9)
    assert manifest["metrics"]["loss_sum"] == pytest.approx(sum(losses), abs=1e-9)
