"""Hierarchies built, written down and read again: nothing is lost, and what is built is a hierarchy."""

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from duckanon.errors import OutputError
from duckanon.hierarchy import conversion
from duckanon.hierarchy.inspection import Data
from duckanon.hierarchy.spec import checked, content_of, load
from duckanon.job import file as job_file
from tests.support import levels

Content = dict[str, Any]
Lines = list[tuple[str | None, ...]]

MODEST = settings(max_examples=levels.at_most(8))
FEW = settings(max_examples=4)


@dataclass(frozen=True)
class Case:
    """What a hierarchy file says, and values of a type that it places."""

    content: Content
    type: pa.DataType
    values: list[Any]


def written(path: Path, content: Content) -> str:
    """A hierarchy file of YAML, of which JSON is a part."""
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return str(path)


def data(path: Path, case: Case, values: Sequence[Any] | None = None) -> Data:
    """A file of one column `c`."""
    pq.write_table(pa.table({"c": pa.array(case.values if values is None else values, case.type)}), path)
    return Data(str(path), "c")


def lines(path: Path) -> Lines:
    """A value table in Parquet, line by line."""
    table = pq.read_table(path)
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def built(folder: Path, case: Case, ending: str = ".parquet") -> Path:
    target = folder / f"built{ending}"
    conversion.build(written(folder / "h.yaml", case.content), data(folder / "d.parquet", case), target, overwrite=True)
    return target


def converted(source: Path, target: Path) -> Path:
    conversion.convert(str(source), target, overwrite=True)
    return target


# specs of every kind, each with values that it places

LETTERS = st.text(st.sampled_from("abcxyz019 éßжЖ日𝔘'\"\\{}#-_"), max_size=6)
TOPS = st.sampled_from(["*", "all", "NO", "01", " top", "a, b", "日本"])
FUNCTIONS = st.sampled_from(["set", "bounds", "interval"])
SIZES = st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=3), max_size=3)


def with_more(content: Content) -> st.SearchStrategy[Content]:
    """The same content with things that every kind may say."""
    common: dict[str, st.SearchStrategy[Any]] = {
        "domain": st.just("data"),
        "missing": st.just("top"),
        "nested": st.just(False),
        "source": st.just("the ministry, 2020: table 1"),
        "loss": st.lists(st.integers(0, 1000), min_size=2, max_size=5).map(
            lambda loss: [str(entry / 1000) for entry in sorted(loss)]
        ),
    }
    return st.fixed_dictionaries({}, optional=common).map(lambda more: {**content, **more})


@st.composite
def flats(draw: st.DrawFn) -> Case:
    values = draw(st.lists(LETTERS, min_size=1, max_size=10))
    return Case({"kind": "flat", "top": draw(TOPS)}, pa.string(), values)


@st.composite
def widths(draw: st.DrawFn) -> Case:
    sizes = list(accumulate(draw(st.lists(st.integers(2, 5), min_size=1, max_size=3)), lambda total, factor: total * factor))
    content = {"kind": "intervals", "widths": sizes, "origin": draw(st.integers(-50, 50)), "function": draw(FUNCTIONS)}
    return Case(content, pa.int64(), draw(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=20)))


@st.composite
def intervals(draw: st.DrawFn) -> Case:
    type, begin, unit = draw(
        st.sampled_from(
            [
                (pa.int64(), 5, 1),
                (pa.decimal128(12, 3), Decimal("0.25"), Decimal("0.125")),
                (pa.float64(), Decimal("-0.5"), Decimal("0.1")),
                (pa.date32(), date(1969, 12, 1), timedelta(days=1)),
                (pa.timestamp("us"), datetime(1969, 12, 1, 12), timedelta(minutes=90)),
            ]
        )
    )
    lengths = draw(st.lists(st.integers(1, 30), min_size=1, max_size=4))
    edges = [begin, *(begin + length * unit for length in accumulate(lengths))]
    parts: list[Any] = [{"min": str(low), "max": str(high)} for low, high in pairwise(edges)]
    groups: list[list[Any]] = draw(SIZES)
    content: Content = {"kind": "intervals", "intervals": parts, "groups": groups, "function": draw(FUNCTIONS)}
    ends = [begin + place * unit for place in sorted(draw(st.sets(st.integers(-80, 80), min_size=6, max_size=6)))]
    message = draw(st.sets(st.sampled_from(["label", "snap", "repeat"])))
    pairs = {"label": (ends[0], ends[5]), "snap": (ends[1], ends[4]), "repeat": (ends[2], ends[3])}
    bounds = {name: [str(end) for end in pairs[name]] for name in sorted(message)}
    if "label" in message and draw(st.booleans()):
        for number, part in enumerate(parts):
            part["label"] = f"part {number}"
        content["duplicates"] = "number"
    if bounds:
        content["range"] = bounds
    limit = (ends[0], ends[5] - unit) if "label" in message else (begin - 500 * unit, begin + 500 * unit)
    steps = st.integers(0, int((limit[1] - limit[0]) / unit)).map(lambda step: limit[0] + step * unit)
    values = draw(st.lists(steps, min_size=1, max_size=20))
    return Case(content, type, [float(value) if type == pa.float64() else value for value in values])


CALENDARS = [
    ["second", "minute", "hour", "day", "month", "quarter", "year", "decade", "century", "millennium"],
    ["day", "week", "week-of-year"],
    ["day", "week", "week-year"],
    ["hour", "day", "weekday"],
    ["month", "month-of-year", "quarter-of-year"],
    ["day", "quarter", "quarter-of-year"],
]


@st.composite
def calendars(draw: st.DrawFn) -> Case:
    chain = draw(st.sampled_from(CALENDARS))
    units = [unit for unit in chain if draw(st.booleans())] or chain
    content: Content = {"kind": "dates", "units": units}
    if "month" in units and draw(st.booleans()):
        content["formats"] = {"month": "%m/%Y"}
    if draw(st.booleans()):
        content["range"] = {"snap": draw(st.sampled_from([["1900-01-01", "2000-01-01"], [None, "2000-01-01"]]))}
    moments = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(lambda moment: moment.replace(microsecond=0))
    values: list[datetime] = draw(st.lists(moments, min_size=1, max_size=20))
    type = draw(st.sampled_from([pa.timestamp("us"), pa.date32(), pa.string()]))
    return Case(content, type, [str(value) if type == pa.string() else value for value in values])


@st.composite
def redactions(draw: st.DrawFn) -> Case:
    codes = draw(st.lists(LETTERS, min_size=1, max_size=10))
    longest = max(1, *map(len, codes))
    content: Content = {
        "kind": "redaction",
        "align": draw(st.sampled_from(["left", "right"])),
        "redact": draw(st.sampled_from(["left", "right"])),
        "character": draw(st.sampled_from("*x█'")),
        "length": draw(st.integers(longest, longest + 2)),
    }
    if draw(st.booleans()):
        content["pad"] = draw(st.sampled_from(" #0é"))
    if draw(st.booleans()):
        content["steps"] = sorted(draw(st.sets(st.integers(1, content["length"]), min_size=1)))
    if draw(st.booleans()):
        content["top"] = draw(TOPS)
    return Case(content, pa.string(), codes)


@st.composite
def orders(draw: st.DrawFn) -> Case:
    values = draw(st.lists(LETTERS, min_size=1, max_size=12, unique=True))
    content: Content = {"kind": "order", "groups": draw(SIZES), "function": draw(FUNCTIONS), "top": draw(TOPS)}
    if draw(st.booleans()):
        content["values"] = draw(st.permutations(values))
    elif draw(st.booleans()):
        return Case(content, pa.int64(), draw(st.lists(st.integers(-99, 99), min_size=1, max_size=12)))
    return Case(content, pa.string(), values)


@st.composite
def priorities(draw: st.DrawFn) -> Case:
    values = draw(st.lists(LETTERS, min_size=1, max_size=12, unique=True))
    content: Content = {
        "kind": "priority",
        "keep": draw(st.sampled_from(["highest", "lowest"])),
        "levels": draw(st.integers(1, 6)),
    }
    if draw(st.booleans()):
        content["priorities"] = {value: draw(st.sampled_from(["-1.5", "0", "2", "1e3"])) for value in values}
    return Case(content, pa.string(), values)


@st.composite
def listings(draw: st.DrawFn) -> Case:
    """One tree of groups as a table, as levels, or as a tree."""
    values = draw(st.lists(LETTERS, min_size=2, max_size=12, unique=True))
    columns: list[list[str]] = [values]
    for level in range(1, draw(st.integers(1, 3)) + 1):
        group = {label: f"group {level}.{draw(st.integers(0, 3))}" for label in dict.fromkeys(columns[-1])}
        columns.append([group[label] for label in columns[-1]])
    columns.append(["the top"] * len(values))
    match draw(st.sampled_from(["table", "levels", "pairs"])):
        case "table":
            return Case({"kind": "table", "rows": list(zip(*columns, strict=True))}, pa.string(), values)
        case "pairs":
            pairs = {pair for below, above in pairwise(columns) for pair in zip(below, above, strict=True)}
            return Case({"kind": "tree", "pairs": sorted(pairs)}, pa.string(), values)
    levels: list[dict[str, list[str]]] = []
    for below, above in pairwise(columns[:-1]):
        groups: dict[str, list[str]] = {}
        for member, label in dict.fromkeys(zip(below, above, strict=True)):
            groups.setdefault(label, []).append(member)
        levels.append(groups)
    return Case({"kind": "levels", "levels": levels, "top": "the top"}, pa.string(), values)


RULES = {"flat": flats(), "widths": widths(), "intervals": intervals(), "dates": calendars(), "redaction": redactions()}
LISTS = {"order": orders(), "priority": priorities(), "listing": listings()}
KINDS = {**RULES, **LISTS}


def every_kind(test: Any) -> Any:
    return pytest.mark.parametrize("kind", KINDS)(test)


# what is built


@pytest.mark.slow
@every_kind
@MODEST
@given(draw=st.data())
def test_a_built_table_places_every_value_nests_and_has_one_top(tmp_path: Path, kind: str, draw: st.DataObject) -> None:
    case = draw.draw(KINDS[kind])
    table = lines(built(tmp_path, case))
    texts = [value for value, *_ in table]
    assert len(set(texts)) == len(texts)
    assert len({line[-1] for line in table}) == 1
    assert not any(label is None for line in table for label in line)
    for level in range(len(table[0]) - 1):
        parents: dict[str | None, str | None] = {}
        for line in table:
            assert parents.setdefault(line[level], line[level + 1]) == line[level + 1]
    present = {str(value) for value in case.values}
    if case.type in (pa.string(), pa.int64()):
        assert present <= set(texts)
    if kind in RULES:
        assert len(texts) == len(set(pa.array(case.values, case.type).to_pylist()))


@pytest.mark.slow
@every_kind
@pytest.mark.parametrize("ending", [".parquet", ".csv"])
@FEW
@given(draw=st.data())
def test_a_built_table_built_again_is_itself(tmp_path: Path, kind: str, ending: str, draw: st.DataObject) -> None:
    case = draw.draw(KINDS[kind])
    table = built(tmp_path, case, ending)
    again = tmp_path / "again.parquet"
    conversion.build(str(table), Data(str(tmp_path / "d.parquet"), "c"), again, overwrite=True)
    assert lines(again) == lines(built(tmp_path, case))


@pytest.mark.slow
@every_kind
@FEW
@given(draw=st.data())
def test_a_built_table_as_yaml_is_itself(tmp_path: Path, kind: str, draw: st.DataObject) -> None:
    table = built(tmp_path, draw.draw(KINDS[kind]))
    assert lines(converted(converted(table, tmp_path / "as.yaml"), tmp_path / "again.parquet")) == lines(table)


@pytest.mark.slow
@pytest.mark.parametrize("kind", RULES)
@MODEST
@given(draw=st.data())
def test_a_rule_gives_a_value_the_same_labels_in_every_file(tmp_path: Path, kind: str, draw: st.DataObject) -> None:
    case = draw.draw(RULES[kind])
    some = draw.draw(st.lists(st.sampled_from(case.values), min_size=1))
    all_lines = {value: labels for value, *labels in lines(built(tmp_path, case))}
    target = tmp_path / "some.parquet"
    conversion.build(str(tmp_path / "h.yaml"), data(tmp_path / "some-data.parquet", case, some), target, overwrite=True)
    assert {value: labels for value, *labels in lines(target)}.items() <= all_lines.items()
    saved = Case(content_of(load(tmp_path / "h.yaml")), case.type, case.values)
    assert {value: labels for value, *labels in lines(built(tmp_path, saved))} == all_lines


@every_kind
@settings(max_examples=40)
@given(draw=st.data())
def test_the_content_of_a_spec_gives_the_spec_again(kind: str, draw: st.DataObject) -> None:
    spec = checked(draw.draw(KINDS[kind].flatmap(lambda case: with_more(case.content))))
    content = content_of(spec)
    assert checked(content) == spec
    assert checked(json.loads(json.dumps(content))) == spec


# any table, as YAML and back

AWKWARD = [
    "*",
    "a,b",
    "a;b",
    'say "a"',
    "it's",
    "",
    " ",
    " leading",
    "trailing ",
    "two\nlines",
    "tab\t",
    "\\",
    "\\n",
    "a" * 200,
]
AWKWARD += ["NO", "no", "null", "~", "01", "1e3", "1_000", "0x1f", "true", ".inf", "2020-01-01", "12:30:45", "value", "child"]
AWKWARD += [
    "# hash",
    "- dash",
    "key: value",
    "?",
    "{a}",
    "[a",
    "&a",
    "*a",
    "!a",
    "%",
    "@",
    "`",
    "<<",
    "=",
    "é",
    "日本",
    "\u2028",
]
AWKWARD += ["\ufeff"]
CELLS = (
    st.none()
    | st.sampled_from(AWKWARD)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\x85"), max_size=5)
)


@st.composite
def tables(draw: st.DrawFn) -> Lines:
    width = draw(st.integers(3, 5))
    cells = draw(st.sampled_from([CELLS, st.sampled_from(AWKWARD), st.sampled_from(["a", "b", "NO", None])]))
    table = draw(st.lists(st.tuples(*[cells] * width), min_size=1, max_size=8))
    assume(all(any(cell is not None for cell in line) for line in table))
    return table


def as_parquet(path: Path, table: Lines) -> Path:
    columns = {f"level_{level}": pa.array(cells, pa.string()) for level, cells in enumerate(zip(*table, strict=True))}
    pq.write_table(pa.table(columns), path)
    return path


@settings(max_examples=levels.at_most(40))
@given(table=tables())
def test_any_table_as_yaml_is_itself(tmp_path: Path, table: Lines) -> None:
    as_yaml = converted(as_parquet(tmp_path / "h.parquet", table), tmp_path / "h.yaml")
    assert lines(converted(as_yaml, tmp_path / "again.parquet")) == table


@settings(max_examples=levels.at_most(40))
@given(table=tables())
def test_any_table_as_csv_is_itself(tmp_path: Path, table: Lines) -> None:
    assume(not any("\r" in cell for line in table for cell in line if cell is not None))
    assume(not (table[0][0] or "").startswith("\ufeff"))
    as_csv = converted(as_parquet(tmp_path / "h.parquet", table), tmp_path / "h.csv")
    assert lines(converted(as_csv, tmp_path / "again.parquet")) == table


# the files of others


def csv_lines(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        head = file.readline()
        file.seek(0)
        return [cells for cells in csv.reader(file, delimiter=";" if ";" in head else ",") if cells]


def is_pairs(listed: list[list[str]]) -> bool:
    parents = {cells[1] for cells in listed}
    return len(listed[0]) == 2 and len(parents) > 1 and bool(parents & {cells[0] for cells in listed})


@pytest.mark.parametrize("pattern", ["arx-adult/*hierarchy*.csv", "ustc-adult/*.txt", "anjana-adult/*.csv"])
def test_hierarchies_of_other_tools_survive_yaml(tmp_path: Path, shared: Path, pattern: str) -> None:
    """To the same lines; pairs to those of the table that they stand for."""
    files = sorted((shared / "data").glob(pattern))
    assert files
    for file in files:
        listed = csv_lines(file)
        if is_pairs(listed):
            listed = csv_lines(converted(file, tmp_path / f"{file.stem}-table.csv"))
        as_yaml = converted(file, tmp_path / f"{file.stem}.yaml")
        assert csv_lines(converted(as_yaml, tmp_path / f"{file.stem}.csv")) == listed, file.name


@pytest.mark.parametrize(
    "content",
    [
        {"kind": "intervals", "intervals": [["0", "123456789.123456789"]]},
        {"kind": "intervals", "widths": ["12345678901.123456789"]},
        {"kind": "flat", "loss": ["0", "0.3333333333333333333333", "1"]},
        {"kind": "priority", "priorities": {"a": "0.123456789", "b": "1234567890.123456788"}},
    ],
)
def test_content_keeps_every_digit(content: Content) -> None:
    spec = checked(content)
    assert checked(content_of(spec)) == spec


@pytest.mark.parametrize("value", ["a\x85b", "a\u2028b", "a\ufeff", "a\n\x85"])
def test_rare_characters_survive_yaml(tmp_path: Path, value: str) -> None:
    table: Lines = [(value, "x", "*"), ("c", "x", "*")]
    as_yaml = converted(as_parquet(tmp_path / "h.parquet", table), tmp_path / "h.yaml")
    assert lines(converted(as_yaml, tmp_path / "again.parquet")) == table


@pytest.mark.parametrize("value", ["a\rb", "\ufeffa"])
def test_what_csv_cannot_keep_is_refused_when_it_is_written(tmp_path: Path, value: str) -> None:
    """Either the table comes back, or there is no file."""
    table: Lines = [(value, "x", "*"), ("c", "x", "*")]
    source = as_parquet(tmp_path / "h.parquet", table)
    try:
        as_csv = converted(source, tmp_path / "h.csv")
    except OutputError:
        assert not (tmp_path / "h.csv").exists()
    else:
        assert lines(converted(as_csv, tmp_path / "again.parquet")) == table


def test_a_hierarchy_in_a_job_says_what_it_would_say_in_its_own_file(tmp_path: Path) -> None:
    """Where YAML would read 010 as eight, and NO as false."""
    texts = {
        "n": "{kind: intervals, intervals: [[0, 010], [010, 020]]}",
        "c": "{kind: levels, levels: [{North: [NO, SE]}, '*']}",
    }
    job = "\n".join(f"  {name}: {{role: quasi-identifier, hierarchy: {text}}}" for name, text in texts.items())
    (tmp_path / "job.yaml").write_text(f"version: 1\ncolumns:\n{job}\n")
    columns = job_file.checked(job_file.read(tmp_path / "job.yaml")).columns
    for name, text in texts.items():
        (tmp_path / "own.yaml").write_text(text)
        assert columns[name].hierarchy == load(tmp_path / "own.yaml")
