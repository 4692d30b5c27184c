"""`mondrian` against a recursion in plain Python, published figures, and counts of what it writes."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import duckdb
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon.engine.protocol import Settings
from duckanon.errors import Infeasible
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.search import local_recoding
from tests.support.command_line import Cli, refused
from tests.support.oracles import models
from tests.support.oracles.models import Group, Whole
from tests.support.oracles.mondrian import Attribute, Categorical, Ordered, Rows, partitions, partitions_by_gain, place
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize
from tests.support.settings import options_of
from tests.support.small_tables import hierarchies

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


def _is_placed(value: Any) -> bool:
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))


KINDS: dict[str, st.SearchStrategy[Any]] = {
    "whole": st.lists(st.integers(-6, 6), min_size=1, max_size=8, unique=True),
    "large": st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=5, unique=True),
    "decimal": st.lists(st.integers(-400, 400), max_size=5, unique=True).map(
        lambda cents: [Decimal(amount).scaleb(-2) for amount in (425, *cents)]
    ),
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
def ordered(draw: st.DrawFn, size: int, *, masked: bool, shows_extremes: bool) -> Column:
    """Numbers, dates or text in an order, of which the rarer ones have no place."""
    kind = draw(st.sampled_from([*KINDS]))
    known = draw(KINDS[kind])
    others: list[Any] = draw(st.sampled_from([[], [], [None], [None, NAN, math.inf, -math.inf]]))
    others = [value for value in others if value is None or kind == "float"]
    values = draw(st.lists(st.sampled_from([*known, *others]), min_size=size, max_size=size))
    values[0] = known[0]
    present = {value for value in values if _is_placed(value)}
    plan: dict[str, Any] = {}
    places = {value: place(value) for value in present if kind != "text"}
    if kind == "text":
        is_said = draw(st.booleans())
        order = [value for value in draw(st.permutations(TEXTS)) if value in present] if is_said else sorted(present)
        places = {value: Fraction(place) for place, value in enumerate(order)}
        plan = {"order": order} if is_said else {"cut": "order"}
    is_rounded = kind != "text" and not shows_extremes
    return Column(values, plan, Ordered(values, places, text_of, masked, shows_extremes, is_rounded))


@st.composite
def categorical(draw: st.DrawFn, size: int, number: int, *, masked: bool) -> Column:
    """Text or numbers along a hierarchy; NULL keeps to itself up to the top."""
    drawn = draw(hierarchies(number))
    is_number = draw(st.booleans())
    lines: dict[Any, list[Any]] = {
        (place if is_number else value): [str(place) if is_number else value, *line[1:]]
        for place, (value, line) in enumerate(drawn.items())
    }
    height, leaves, nothing = len(next(iter(drawn.values()))) - 1, [*lines], None
    if not masked and height > 1 and draw(st.integers(0, 3)) == 0:
        lines[nothing] = [None, *lines[leaves[0]][1:]]
    listed = dict(lines)
    values = draw(st.lists(st.sampled_from([*leaves, *leaves, None]), min_size=size, max_size=size))
    values[0] = leaves[0]
    lines.setdefault(nothing, ["*"] * (height + 1) if masked else [None] * height + ["*"])
    plan = {"hierarchy": {"kind": "table", "rows": [*listed.values()]}, **({"cut": "hierarchy"} if is_number else {})}
    # NULL is a leaf where it occurs; masked, only beside a single value
    also = [nothing] if nothing in values and nothing not in listed and (not masked or len(listed) == 1) else []
    return Column(values, plan, Categorical(values, lines, [*listed, *also], masked))


@dataclass(frozen=True)
class Table:
    """Columns, and beside them what the requirements look at."""

    columns: list[Column]
    weights: list[int]
    sensitive: list[Any]
    required: list[int]
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
        beside = {"s": self.sensitive, "want": self.required, "who": self.persons, "row": range(self.size)}
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
            ordered(distinct, masked=top, shows_extremes=shows_extremes)
            if draw(st.integers(0, 2))
            else categorical(distinct, number, masked=top)
        )
        drawn.values.extend([drawn.values[row] for row in repeated])
        columns.append(drawn)
    size = distinct + len(repeated)

    def many(values: Sequence[Any]) -> list[Any]:
        return draw(st.lists(st.sampled_from(values), min_size=size, max_size=size))

    return Table(
        columns,
        [draw(st.sampled_from([1, 1, 2, 8])) for _ in columns],
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
    least: int = 1
    """Rows that a class needs in any case."""
    judges_more: bool = True
    """Whether a class of so many rows may fail."""


def _k(least: int) -> Required:
    return Required(f"k={least}", lambda _, rows: len(rows) >= least, {"k": least}, least, judges_more=False)


def _persons(least: int) -> Required:
    return Required(
        f"{least} persons",
        lambda table, rows: len({table.persons[row] for row in rows}) >= least,
        # in small tables, sensitive values may link the rows of persons
        {"entity": "who", "k": least, "accept": ["key"]},
        least,
    )


def _own(least: int) -> Required:
    return Required(
        f"own k and {least}",
        lambda table, rows: len(rows) >= max(least, *(table.required[row] for row in rows)),
        {"k_column": "want", "k": least},
        least,
    )


def _model(model: str, *numbers: str) -> Required:
    required = [Decimal(number) for number in numbers]

    def holds(table: Table, rows: Rows) -> bool:
        return models.holds(model, required, table.group(rows), Whole(Counter(table.sensitive)))

    text, least = f"{model}={','.join(numbers)}", 1 if model == "t" else math.ceil(required[-1])
    return Required(text, holds, {"k": 1, "require": [f"{text}@s"]}, least)


def _risk(most: str) -> Required:
    least = math.ceil(1 / Fraction(most))
    options = {"k": 1, "require": [f"average-risk={most}"]}
    return Required(f"average-risk={most}", lambda _, rows: len(rows) >= least, options, least)


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


def released(folder: Path, table: Table, required: Required, cuts: dict[str, str]) -> dict[str, Any]:
    """The manifest of a release that keeps the number of each row."""
    source = write_parquet(folder / "in.parquet", table.rows)
    job = {
        "columns": {
            **{
                f"q{number}": {"role": "quasi-identifier", "weight": weight, **column.plan}
                for number, (column, weight) in enumerate(zip(table.columns, table.weights, strict=True))
            },
            "s": {"role": "sensitive"},
            "row": {"role": "insensitive"},
        },
        "recoding": {
            "algorithm": "mondrian",
            **cuts,
            "show-extremes": table.shows_extremes,
        },
        "suppression": {"limit": 0},
        "missing": {"policy": "top" if table.top else "value"},
    }
    return anonymize(
        source,
        folder / "out.parquet",
        job=job,
        options=options_of(**{"k": 1, **required.options}),
        run=Run(overwrite=True),
    )


@pytest.mark.parametrize("cut", ["gain", "median"])
@given(table=tables(), required=st.sampled_from(REQUIRED))
def test_partitions_labels_and_losses_are_those_of_the_recursion(
    tmp_path: Path, cut: str, table: Table, required: Required
) -> None:
    everything = range(table.size)
    cuts = {"cut": cut} if cut == "gain" else {"median": "le" if table.only_le else "le-else-lt"}
    if not required.holds(table, everything):
        with pytest.raises(Infeasible):
            released(tmp_path, table, required, cuts)
        return
    attributes = [column.attribute for column in table.columns]

    def holds(rows: Rows) -> bool:
        return required.holds(table, rows)

    if cut == "gain":
        parts = partitions_by_gain(
            attributes, everything, holds, table.weights, least=required.least, judges_more=required.judges_more
        )
    else:
        parts = partitions(attributes, everything, holds, only_le=table.only_le, weights=table.weights)
    manifest = released(tmp_path, table, required, cuts)
    expected = {row: tuple(attribute.label(rows) for attribute in attributes) for rows in parts for row in rows}
    written = {row["row"]: tuple(row[f"q{at}"] for at in range(len(attributes))) for row in read_rows(tmp_path / "out.parquet")}
    assert written == expected
    assert manifest["recoding"]["partitions"] == len(parts)
    assert manifest["classes"]["count"] == len(set(expected.values()))
    losses = [float(sum(len(rows) * attribute.loss(rows) for rows in parts) / table.size) for attribute in attributes]
    assert [*manifest["metrics"]["range_loss_by_attribute"].values()] == pytest.approx(losses, abs=1e-9)
    leaves = [float(sum(len(rows) * attribute.leaf_loss(rows) for rows in parts) / table.size) for attribute in attributes]
    assert [*manifest["metrics"]["loss_by_attribute"].values()] == pytest.approx(leaves, abs=1e-9)
    assert manifest["metrics"]["loss_sum"] == pytest.approx(sum(leaves), abs=1e-9)


# --- published figures

TWO, THREE = ("age", "education-num"), ("age", "sex", "education-num")
RULES = {"le": "le", "le_else_lt": "le-else-lt"}


def adults(adult: Path, folder: Path, key: str, sex: str) -> dict[str, Any]:
    """The manifest of a cell of the reference, with sex in the order of its letters or as a number."""
    number, k, rule = key.split("_", 2)
    source = adult
    if sex == "number":
        source = folder / "adult.parquet"
        duckdb.execute(f"copy (select * replace ((sex = 'Male')::integer as sex) from '{adult}') to '{source}'")
    return anonymize(
        source,
        folder / "out.parquet",
        options=Options(
            qi=TWO if number == "2" else THREE,
            k=int(k),
            algorithm="mondrian",
            missing=["?"],
            set={"recoding.median": RULES[rule], "missing.policy": "drop"}
            | ({"columns.sex.cut": "order"} if sex == "text" else {}),
            max_suppression=0,
        ),
    )


CELLS = [
    *(f"2_{k}_le_else_lt" for k in (2, 5, 10, 20, 50, 100)),
    *(f"2_{k}_le" for k in (2, 10, 100)),
    *(f"3_{k}_{rule}" for k in (2, 10, 100) for rule in RULES),
]


@pytest.mark.parametrize(
    ("key", "sex"), [*((cell, "text" if cell[0] == "3" else "") for cell in CELLS), ("3_10_le_else_lt", "number")]
)
def test_adult_costs_what_the_reference_does(shared: Path, adult: Path, tmp_path: Path, key: str, sex: str) -> None:
    reference = json.loads((shared / "truth" / "mondrian_deterministic.json").read_text(encoding="utf-8"))[key]
    manifest = adults(adult, tmp_path, key, sex)
    assert manifest["rows"] == {"read": 32_561, "missing": 2_399, "suppressed": 0, "released": 30_162}
    assert sum(manifest["metrics"]["range_loss_by_attribute"].values()) == pytest.approx(reference["lm"], abs=1e-9)
    names = ", ".join(f'"{name}"' for name in manifest["metrics"]["loss_by_attribute"])
    sizes = [
        size for (size,) in duckdb.execute(f"select count(*) from '{tmp_path / 'out.parquet'}' group by {names}").fetchall()
    ]
    assert (len(sizes), min(sizes), max(sizes)) == (reference["classes"], reference["min"], reference["max"])
    assert manifest["recoding"]["partitions"] == manifest["classes"]["count"] == reference["classes"]
    assert manifest["recoding"]["median"] == RULES[key.split("_", 2)[2]]


def test_the_figures_are_those_that_the_literature_was_recomputed_to(adult: Path, tmp_path: Path) -> None:
    """Seed 001 restated: cutting below the median where cutting at it fails costs a sixtieth."""
    manifest = adults(adult, tmp_path, "2_10_le_else_lt", "")
    assert sum(manifest["metrics"]["range_loss_by_attribute"].values()) == pytest.approx(0.00424384124812769, abs=1e-9)
    assert manifest["classes"]["count"] == 554
    assert {key: manifest["recoding"][key] for key in ("algorithm", "partitions", "rounds")} == {
        "algorithm": "mondrian",
        "partitions": 554,
        "rounds": 13,
    }


# --- what is written


@pytest.mark.parametrize(("cut", "forms"), [("gain", "= <= >= []"), ("median", "* = <= >= []")])
def test_released_labels_cover_what_they_stand_for(tmp_path: Path, cut: str, forms: str) -> None:
    """Each row's label holds the row's own value, and none is a code; k is counted by pyarrow."""
    rows = [
        {
            "age": -40 + number * 7 % 83,
            "paid": Decimal(number * 13 % 50).scaleb(-1) + 10,
            "born": date(1990, 1, 1) + timedelta(days=number * 29 % 400),
            "town": ["Bonn", "Gera", "Jena", "Trier"][number * number % 4],
            "name": "aaaaaaaabc"[number % 97 % 10],
            "row": number,
        }
        for number in range(300)
    ]
    source = write_parquet(tmp_path / "in.parquet", rows)
    towns = {"Bonn": "west", "Trier": "west", "Jena": "east", "Gera": "east"}
    columns: dict[str, Any] = {name: {"role": "quasi-identifier"} for name in ("age", "paid", "born")}
    lines = [[town, side, "*"] for town, side in towns.items()]
    columns["town"] = {"role": "quasi-identifier", "hierarchy": {"kind": "table", "rows": lines}}
    columns["name"] = {"role": "quasi-identifier", "cut": "order"}
    job = {"columns": {**columns, "row": {"role": "insensitive"}}, "suppression": {"limit": 0}}
    # the number of the row is for the test, and its last digits disclose what was paid
    options = Options(k=7, algorithm="mondrian", set={"accept": ["dependency@row"], "recoding.cut": cut})
    manifest = anonymize(source, tmp_path / "out.parquet", job=job, options=options)
    table = pq.read_table(tmp_path / "out.parquet")
    sizes = table.group_by([*columns]).aggregate([([], "count_all")])["count_all"].to_pylist()
    assert min(sizes) >= 7
    assert len(sizes) == manifest["classes"]["count"] == manifest["recoding"]["partitions"] > 10

    parse: dict[str, Callable[[str], Any]] = {"age": int, "paid": Decimal, "born": date.fromisoformat, "name": str}
    seen: Counter[str] = Counter()
    for released_row in table.to_pylist():
        original = rows[released_row["row"]]
        assert released_row["town"] in (original["town"], towns[original["town"]], "*")
        for name, parsed in parse.items():
            label = released_row[name]
            form, low, high = bounds(label)
            seen[form] += 1
            assert low is None or parsed(low) <= original[name], (label, original)
            assert high is None or original[name] <= parsed(high), (label, original)
    assert seen.keys() == {*forms.split()}


def bounds(label: str) -> tuple[str, str | None, str | None]:
    """The form of a label, and its ends."""
    if label == "*":
        return "*", None, None
    if label.startswith(("<= ", ">= ")):
        form, end = label.split(" ", 1)
        return form, *((None, end) if form == "<=" else (end, None))
    if label.startswith("["):
        low, high = label[1:-1].split(", ")
        return "[]", low, high
    return "=", label, label


def test_the_partitions_of_the_workspace_are_a_tree(tmp_path: Path) -> None:
    rows = [
        {
            "age": number * 7 % 31,
            "town": ["Bonn", "Jena", "Gera"][number % 3],
            "paid": None if number % 10 == 0 else number % 13,
        }
        for number in range(200)
    ]
    source = write_parquet(tmp_path / "in.parquet", rows)
    lines = [["Bonn", "west", "*"], ["Jena", "east", "*"], ["Gera", "east", "*"]]
    columns = {
        "age": {"role": "quasi-identifier"},
        "town": {"role": "quasi-identifier", "hierarchy": {"kind": "table", "rows": lines}},
        "paid": {"role": "quasi-identifier"},
    }
    manifest = anonymize(
        source,
        tmp_path / "out.parquet",
        job={"columns": columns, "suppression": {"limit": 0}},
        options=Options(k=5, algorithm="mondrian"),
        run=Run(settings=Settings(workspace=tmp_path / "work.duckdb")),
    )
    with duckdb.connect(str(tmp_path / "work.duckdb"), read_only=True) as connection:
        nodes = connection.execute(
            "select _partition, _parent, _round, _rows, _attribute, _cut, _value, _level, _low, _high from duckanon.partitions"
        ).fetchall()
    sizes, children = {node[0]: node[3] for node in nodes}, defaultdict(list)
    rounds = {node[0]: node[2] for node in nodes}
    for number, parent, *_ in nodes:
        children[parent].append(number)
    assert len(sizes) == len(nodes), "a number is a partition's own"
    [root] = children.pop(None)
    assert sizes[root] == 200
    for parent, below in children.items():
        assert len(below) > 1
        assert sum(sizes[child] for child in below) == sizes[parent]
        assert {rounds[child] for child in below} == {rounds[parent] + 1}
    leaves = sizes.keys() - children.keys()
    assert len(leaves) == manifest["recoding"]["partitions"]
    written = Counter(tuple(row.values()) for row in read_rows(tmp_path / "out.parquet"))
    assert Counter(sizes[leaf] for leaf in leaves) == Counter(written.values())
    assert max(rounds.values()) <= manifest["recoding"]["rounds"]


# --- single values and single columns


def ranged(folder: Path, values: Sequence[Any], k: int, **recoding: Any) -> Counter[str | None]:
    """The labels of one column, with as many rows as each has."""
    source = write_parquet(folder / "in.parquet", [{"q": value} for value in values])
    job = {"columns": {"q": {"role": "quasi-identifier"}}, "recoding": {"algorithm": "mondrian", **recoding}}
    anonymize(source, folder / "out.parquet", job=job, options=Options(k=k, max_suppression=0), run=Run(overwrite=True))
    return Counter(row["q"] for row in read_rows(folder / "out.parquet"))


def test_ranges_of_negative_numbers_are_unambiguous(tmp_path: Path) -> None:
    values = [-9, -8, -5, -1, 3, 4, -7, -2]
    assert ranged(tmp_path, values, 2) == {"<= -8": 2, "[-7, -5]": 2, "[-2, -1]": 2, ">= 3": 2}
    assert ranged(tmp_path, values, 2, **{"show-extremes": True}) == {"[-9, -8]": 2, "[-7, -5]": 2, "[-2, -1]": 2, "[3, 4]": 2}


def test_many_columns_are_labelled_in_parts_alike(tmp_path: Path) -> None:
    draw = Random(3)
    rows = [{f"q{place}": draw.choice("abc") if place % 2 else draw.randrange(50) for place in range(7)} for _ in range(200)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    columns = {name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in rows[0]}
    job = {"columns": columns, "recoding": {"algorithm": "mondrian"}}
    whole = anonymize(source, tmp_path / "whole.parquet", job=job)
    with patch.object(local_recoding, "_MOST_JOINED", 2):
        parts = anonymize(source, tmp_path / "parts.parquet", job=job)
    released = [Counter(tuple(row.values()) for row in read_rows(tmp_path / f"{name}.parquet")) for name in ("whole", "parts")]
    assert released[0] == released[1]
    assert parts["metrics"] == whole["metrics"]


def test_what_has_no_place_keeps_to_itself(tmp_path: Path) -> None:
    assert ranged(tmp_path, [1.5, 1.5, NAN, NAN, math.inf, -math.inf], 2) == {"1.5": 2, "*": 4}
    assert ranged(tmp_path, [1.5, 1.5, NAN, NAN], 2) == {"1.5": 2, None: 2}
    assert ranged(tmp_path, [1.5, 2.5, None, None], 2) == {"*": 2, None: 2}
    assert ranged(tmp_path, [NAN, NAN, NAN], 2) == {None: 3}


def test_one_value_is_released_as_it_is(tmp_path: Path) -> None:
    assert ranged(tmp_path, [7] * 5, 3) == {"7": 5}
    assert ranged(tmp_path, [7], 1) == {"7": 1}


def test_more_than_half_of_the_rows_leave_one_partition(tmp_path: Path) -> None:
    assert ranged(tmp_path, [1, 2, 3, 4, 5], 3) == {"*": 5}
    assert ranged(tmp_path, [1, 2, 3, 4, 5], 3, **{"show-extremes": True}) == {"[1, 5]": 5}


def test_below_the_median_is_tried_only_where_the_job_lets_it(tmp_path: Path) -> None:
    values = [1, 1, 2, 2, 2, 2]
    assert ranged(tmp_path, values, 2) == {"1": 2, "2": 4}
    assert ranged(tmp_path, values, 2, median="le") == {"*": 6}


def test_instants_keep_their_offset(tmp_path: Path) -> None:
    values = [datetime(2024, 3, 31, hour, tzinfo=timezone(timedelta(hours=2))) for hour in (0, 1, 3, 4)]
    assert ranged(tmp_path, values, 2) == {"<= 2024-03-30 23:00:00+00": 2, ">= 2024-03-31 01:00:00+00": 2}


@pytest.mark.parametrize("first", [0, 2**60, -(2**63), Decimal(10) ** 20])
def test_numbers_as_far_apart_are_cut_alike_wherever_they_lie(tmp_path: Path, first: int | Decimal) -> None:
    """Both columns are as wide, so the first declared is cut, although doubles do not tell its large numbers apart."""
    rows = [{"q": first + number, "other": 2 - number % 2} for number in range(4)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(qi=["q", "other"], k=2, algorithm="mondrian", max_suppression=0, set={"recoding.cut": "median"})
    manifest = anonymize(source, tmp_path / "out.parquet", options=options)
    written = Counter(tuple(row.values()) for row in read_rows(tmp_path / "out.parquet"))
    assert written == {(f"<= {first + 1}", "*"): 2, (f">= {first + 2}", "*"): 2}
    assert manifest["metrics"]["loss_by_attribute"] == {"q": pytest.approx(1 / 3, abs=1e-9), "other": 1}


def test_a_range_as_wide_as_doubles_go_has_a_width(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{"q": value} for value in (-1.7e308, 0.0, 1.0, 1.7e308)])
    options = Options(qi=["q"], k=2, algorithm="mondrian", max_suppression=0)
    manifest = anonymize(source, tmp_path / "out.parquet", options=options)
    assert manifest["metrics"]["range_loss_by_attribute"]["q"] == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize(("least", "labels"), [(0, "ab"), (1, "gg"), (2, "**")])
def test_labels_stay_on_their_least_level(tmp_path: Path, least: int, labels: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{"q": value} for value in "aabb"])
    lines = [["a", "g", "*"], ["b", "g", "*"], ["c", "h", "*"]]
    plan = {"role": "quasi-identifier", "hierarchy": {"kind": "table", "rows": lines}, "min-level": least}
    job = {"columns": {"q": plan}, "recoding": {"algorithm": "mondrian"}}
    anonymize(source, tmp_path / "out.parquet", job=job, options=Options(k=2))
    assert sorted(row["q"] for row in read_rows(tmp_path / "out.parquet")) == sorted(labels * 2)


# --- bad input


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    return write_parquet(tmp_path / "in.parquet", [{"town": "abc"[number % 3], "age": number % 5} for number in range(30)])


def test_text_without_a_hierarchy_is_cut_along_a_suggested_one(towns: Path, cli: Cli) -> None:
    arguments = ["anonymize", towns, "--qi", "town,age", "--algorithm", "mondrian", "--k", "3"]
    suggested, ordered = (
        cli(*arguments, *more) for more in (("-o", "one.parquet"), ("-o", "two.parquet", "--set", "columns.town.cut=order"))
    )
    assert (suggested.code, ordered.code) == (0, 0)
    assert "no hierarchy given for town: duckanon suggests one" in suggested.err
    assert "suggested" not in ordered.err


@pytest.mark.parametrize("bound", ["min-level", "max-level"])
def test_a_range_has_no_levels_to_bound(towns: Path, cli: Cli, bound: str) -> None:
    job = {"columns": {"age": {"role": "quasi-identifier", bound: 1}}, "recoding": {"algorithm": "mondrian"}}
    (towns.parent / "job.yaml").write_text(json.dumps(job), encoding="utf-8")
    refused(cli("anonymize", towns, "--job", "job.yaml", "--k", "3", "-o", "out.parquet"), 2, "'age'", bound)


@pytest.mark.parametrize(
    ("arguments", "phrases", "code"),
    [
        (["--k", "31"], ["k = 31", "30 rows"], 1),
        (["--set", "columns.townn.cut=order"], ["'townn'", "did you mean 'town'?"], 2),
        (["--set", "columns.town.cut=sideways"], ["sideways", "order", "hierarchy"], 2),
        (["--set", "recoding.median=gt"], ["gt", "le-else-lt"], 2),
    ],
)
def test_wrong_options_are_refused(towns: Path, cli: Cli, arguments: Sequence[str], phrases: Sequence[str], code: int) -> None:
    given_arguments = [
        "--qi town,age --algorithm mondrian --k 3 --set columns.town.cut=order -o out.parquet",
    ]
    refused(cli("anonymize", towns, *given_arguments, *arguments), code, *phrases)
