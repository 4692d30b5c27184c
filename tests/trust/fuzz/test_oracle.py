"""The oracle detects faults: a release that was changed by hand fails, and so does each broken invariant."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.oracles.identifiers import SECRET as KEY
from tests.trust.fuzz import invariants, oracle, releases, running, values
from tests.trust.fuzz.hierarchies import Hierarchy
from tests.trust.fuzz.oracle import Broken
from tests.trust.fuzz.releases import Released
from tests.trust.fuzz.requests import Request, RequiredModel
from tests.trust.fuzz.running import Ended
from tests.trust.fuzz.tables import Column, Dress, Table
from tests.trust.fuzz.treatments import Treated
from tests.trust.fuzz.values import SECRET

Row = list[Any]

SIZE = 24
LINES = {"a": ["a", "low", "*"], "b": ["b", "low", "*"], "c": ["c", "high", "*"], "d": ["d", "high", "*"]}
REQUEST = Request(
    Table(
        [
            Column("sex", values.PLAIN, ["abcd"[row % 4] for row in range(SIZE)]),
            Column("age", values.WHOLE, [row // 6 for row in range(SIZE)]),
            Column("job", values.PLAIN, ["xy"[row // 4 % 2] for row in range(SIZE)]),
            Column("note", values.WHOLE, [1_000 + row * 5 % SIZE for row in range(SIZE)]),
            Column("person", values.WHOLE, list(range(SIZE))),
            Column("own", values.WHOLE, [1] * SIZE),
            Column("name", values.PLAIN, [f"{SECRET}{row}" for row in range(SIZE)]),
        ],
        SIZE,
    ),
    "parquet",
    Dress(),
    is_calm=True,
    qi=["sex", "age"],
    hierarchies={
        "sex": Hierarchy(".csv", b"a;low;*\nb;low;*\nc;high;*\nd;high;*\n", LINES),
        "age": Hierarchy(".yaml", b"kind: intervals\nwidths: [2]\n"),
    },
    sensitive=["job"],
    keep=["note"],
    number="note",
    k=3,
    required=[RequiredModel("distinct-l", 2, "job"), RequiredModel("entropy-l", 1.5, "job"), RequiredModel("t", 0.4, "job")],
    more=["-q"],
)


def made(tmp_path: Path, request: Request = REQUEST) -> tuple[Released, dict[str, Any]]:
    """A release of the request, which the judge accepts, and its manifest."""
    folder = tmp_path / "case"
    folder.mkdir()
    ended = running.run(folder, request.write(folder))
    assert ended.code == 0, ended.err
    released = releases.read(folder / request.place, request.output, ended.out)
    manifest = json.loads(ended.after[f"{request.place}.manifest.json"])
    oracle.judge(request, released, manifest)
    return released, manifest


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> tuple[Released, dict[str, Any]]:
    """A release of `REQUEST`, and its manifest."""
    return made(tmp_path_factory.mktemp("oracle"))


def changed(released: Released, change: Callable[[list[Row]], None]) -> Released:
    """The release after a change of its rows: job, note, sex and age, wherever they stand."""
    order = [released.names.index(name) for name in ("sex", "age", "job", "note")]
    rows = [[row[at] for at in order] for row in released.rows]
    change(rows)
    return Released(["sex", "age", "job", "note"], [tuple(row) for row in rows], released.is_text)


def _first(cell: int, value: Any) -> Callable[[list[Row]], None]:
    def change(rows: list[Row]) -> None:
        rows[0][cell] = value

    return change


def _all(cell: int, value: Any) -> Callable[[list[Row]], None]:
    def change(rows: list[Row]) -> None:
        for row in rows:
            row[cell] = value

    return change


def _swap(rows: list[Row]) -> None:
    other = next(row for row in rows if row[2] != rows[0][2])
    rows[0][2], other[2] = other[2], rows[0][2]


def _swap_labels(rows: list[Row]) -> None:
    other = next(row for row in rows if row[1] != rows[0][1])
    rows[0][1], other[1] = other[1], rows[0][1]


def _doubled(rows: list[Row]) -> None:
    rows[1][3] = rows[0][3]


def _other_level(rows: list[Row]) -> None:
    for row in rows:
        row[0] = "*" if row[0] == "*" else next(line[1] for line in LINES.values() if row[0] in line)


@pytest.mark.parametrize(
    ("change", "phrase"),
    [
        (_first(0, "nobody"), "a class of 1 rows"),
        (lambda rows: rows.pop(), "are"),
        (_first(3, 1), "none of the table"),
        (_swap, "the cells of"),
        (_swap_labels, "a class of|none that the hierarchy gives"),
        (_doubled, "there twice"),
        (_first(2, "elsewhere"), "the cells of"),
        (_all(2, "x"), "the cells of"),
    ],
)
def test_a_release_that_was_changed_is_found(
    release: tuple[Released, dict[str, Any]], change: Callable[[list[Row]], None], phrase: str
) -> None:
    released, manifest = release
    oracle.judge(REQUEST, changed(released, lambda _: None), manifest)
    with pytest.raises(Broken, match=phrase):
        oracle.judge(REQUEST, changed(released, change), manifest)


@pytest.mark.parametrize(
    ("required", "phrase"),
    [
        ({"k": 20}, "where k is 20"),
        ({"required": [RequiredModel("distinct-l", 3, "job")]}, "distinct-l=3"),
        ({"required": [RequiredModel("entropy-l", 2.1, "job")]}, "entropy-l"),
        ({"required": [RequiredModel("t", -0.1, "job")]}, "t=-0.1"),
        ({"entity": "own"}, "1 persons"),
        ({"k_column": "person"}, "one of its records"),
        ({"keep": ["note", "name"]}, "columns"),
        ({"identifying": ["job"]}, "columns"),
        ({"qi": ["sex"], "keep": ["note"]}, "columns"),
    ],
)
def test_a_release_that_keeps_less_than_the_job_requires_is_found(
    release: tuple[Released, dict[str, Any]], required: dict[str, Any], phrase: str
) -> None:
    released, manifest = release
    with pytest.raises(Broken, match=phrase):
        oracle.judge(replace(REQUEST, **required), released, manifest)


@pytest.mark.parametrize("name", ["read", "suppressed", "missing", "released"])
def test_counts_that_do_not_add_up_are_found(release: tuple[Released, dict[str, Any]], name: str) -> None:
    released, manifest = release
    rows = manifest["rows"]
    with pytest.raises(Broken):
        oracle.judge(REQUEST, released, {**manifest, "rows": {**rows, name: rows[name] + 1}})


def test_a_label_of_another_level_is_found(tmp_path: Path) -> None:
    request = replace(REQUEST, more=["--levels", "sex=0,age=1", "-q"], k=1, required=())
    released, manifest = made(tmp_path, request)
    with pytest.raises(Broken, match="not that of level 0"):
        oracle.judge(request, changed(released, _other_level), manifest)


def test_a_range_that_does_not_hold_the_value_is_found(tmp_path: Path) -> None:
    request = replace(REQUEST, more=["--levels", "sex=2,age=1", "-q"], required=())
    released, manifest = made(tmp_path, request)
    with pytest.raises(Broken, match="none that the hierarchy gives"):
        oracle.judge(request, changed(released, _all(1, "[100, 102)")), manifest)


TREATED = replace(
    REQUEST,
    treated=[
        Treated("name", "pseudonym"),
        Treated("person", "mask", 1),
        Treated("born", "shift", 30, by="person"),
    ],
    release="spring",
    table=Table([*REQUEST.table.columns, Column("born", values.DAY, [18_000 + row for row in range(SIZE)])], SIZE),
)


@pytest.mark.parametrize("column", ["name", "person", "born"])
def test_what_a_direct_identifier_must_not_become_is_found(tmp_path: Path, column: str) -> None:
    released, manifest = made(tmp_path, TREATED)
    at = released.names.index(column)
    value, other = (next(row[at] for row in released.rows if row[at] != skipped) for skipped in (None, released.rows[0][at]))
    swapped = [(*row[:at], other if row[at] == value else row[at], *row[at + 1 :]) for row in released.rows]
    with pytest.raises(Broken, match=f"a cell of '{column}'"):
        oracle.judge(TREATED, replace(released, rows=swapped), manifest)
    with pytest.raises(Broken, match="columns"):
        oracle.judge(
            replace(TREATED, treated=[treatment for treatment in TREATED.treated if treatment.column != column]),
            released,
            manifest,
        )


FINE = Ended(["x"], 0, b"", "", {"in": b"1"}, {"in": b"1"}, [])


@pytest.mark.parametrize(
    "ended",
    [
        replace(FINE, code=130),
        replace(FINE, code=2, err=""),
        replace(FINE, code=2, err="duckanon: error: \n"),
        replace(FINE, code=3, err="duckanon: error: internal error: KeyError in f, line 1; please report it\n"),
        replace(FINE, code=3, err='duckanon: error: DuckDB: Parser Error: syntax error at or near "x"\n'),
        replace(FINE, code=3, err="Traceback (most recent call last):\nduckanon: error: something is wrong here\n"),
        replace(FINE, code=2, err=f"duckanon: error: the cell {SECRET}1 is wrong\n"),
        replace(FINE, code=2, err="duckanon: error: a\nduckanon: error: second line of an error\n"),
        replace(FINE, out=f"{SECRET}1".encode()),
        replace(FINE, err="duckanon: error: although all is well\n"),
        replace(FINE, err="\x1b[31mred"),
        replace(FINE, after={"in": b"1", "PWNED.csv": b""}),
        replace(FINE, spilled=["duckanon-x"]),
        replace(FINE, err=f"the key is {KEY}\n"),
        replace(FINE, after={"in": b"1", "out.parquet": f"PAR1{KEY}PAR1".encode()}),
    ],
)
def test_a_run_that_breaks_a_rule_is_found(ended: Ended) -> None:
    invariants.check(FINE)
    with pytest.raises(AssertionError):
        invariants.check(ended)


@pytest.mark.parametrize("after", [{}, {"in": b"2"}, {"in": b"1", ".out.part": b""}, {"in": b"1", "folder/": b""}])
def test_a_folder_that_was_touched_is_found(after: running.Files) -> None:
    ended = replace(FINE, after=after)
    with pytest.raises(AssertionError):
        invariants.check_untouched(ended)
    with pytest.raises(AssertionError):
        invariants.check_companions(ended, "out.parquet")


def test_csv_is_read_with_empty_cells_apart_from_null() -> None:
    from tests.trust.fuzz.tables import read_csv

    text = 'a,b\n"",\n"x ""y"", z\n",1\n,"last"\n'
    expected: Sequence[Sequence[str | None]] = [["a", "b"], ["", None], ['x "y", z\n', "1"], [None, "last"]]
    assert read_csv(text) == expected
