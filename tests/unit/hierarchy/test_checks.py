"""All faults of a hierarchy are reported at once and by name; a file that is no hierarchy is refused in bounded time."""

import time
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from duckanon.errors import HierarchyError
from duckanon.hierarchy import inspection
from duckanon.hierarchy.checks import respelled
from duckanon.hierarchy.spec import load
from tests.support.faulty_hierarchies import COSTLY, SECONDS, faults, of, the, written
from tests.support.runs import anonymize


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    pq.write_table(pa.table({"c": ["a1", "a2", "b1", "b2", "b2", "b2"]}), tmp_path / "texts.parquet")
    return tmp_path / "texts.parquet"


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    pq.write_table(pa.table({"c": [17, 18, 18, 30]}), tmp_path / "numbers.parquet")
    return tmp_path / "numbers.parquet"


# --- the validation list

TABLE = "a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n"


def test_a_value_of_the_data_that_is_not_listed(tmp_path: Path, texts: Path) -> None:
    reported = faults(written(tmp_path / "h.csv", TABLE.replace("b2", "B2")), texts)
    fault = the(reported, "does not cover")
    assert "'b2' (3 rows, did you mean 'B2'?)" in fault["message"]
    assert (fault["value"], fault["rows"], fault["nearest"], fault["line"], fault["is_of_data"]) == ("b2", 3, "B2", 4, True)


def test_a_value_listed_twice_is_reported_with_its_second_line(tmp_path: Path, texts: Path) -> None:
    reported = faults(written(tmp_path / "h.csv", f"{TABLE}c;B;*\na2;A;*\n"), texts)
    assert the(reported, "lists 'a2' 2 times")["line"] == 6


def test_many_values_that_are_not_listed_are_reported_with_the_rest_counted(tmp_path: Path) -> None:
    pq.write_table(pa.table({"c": [f"v{number:03}" for number in range(50)]}), tmp_path / "in.parquet")
    reported = of(faults(written(tmp_path / "h.csv", "x;*\n"), tmp_path / "in.parquet"), "error")
    assert len(reported) == 11
    assert reported[-1] == "does not cover 40 more values"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("h.csv", "a1,A\na1,B\na2,A\nb1,B\nb2,B\nA,*\nB,*\n", 2),
        ("h.yaml", "kind: tree\npairs:\n  - [a1, A]\n  - [a1, B]\n  - [a2, A]\n  - [b1, B]\n  - [b2, B]\n", 4),
        ("h.yaml", "kind: tree\ntree:\n  '*':\n    A: [a1, a2]\n    B:\n      - a1\n      - b1\n      - b2\n", 6),
    ],
)
def test_two_parents_in_a_tree(tmp_path: Path, texts: Path, name: str, text: str, line: int) -> None:
    fault = the(faults(written(tmp_path / name, text), texts), "two parents")
    assert "'a1'" in fault["message"]
    assert "'A' and 'B'" in fault["message"]
    assert fault["line"] == line


def test_two_parents_in_levels(tmp_path: Path, texts: Path) -> None:
    text = "kind: levels\nlevels:\n  - a1, a2, b1, b2\n  - A: a1, a2\n    B: a2, b1, b2\n  - '*'\n"
    fault = the(faults(written(tmp_path / "h.yaml", text), texts), "two parents")
    assert "'a2' of level 0 two parents, 'A' and 'B'" in fault["message"]
    assert fault["line"] == 5


def test_levels_that_are_not_nested(tmp_path: Path, texts: Path) -> None:
    reported = faults(written(tmp_path / "h.csv", "a1;A;x;*\na2;A;y;*\nb1;B;y;*\nb2;B;y;*\n"), texts)
    fault = the(reported, "not nested")
    assert "'A' on level 1 has parents 'x' and 'y' on level 2 (2 rows)" in fault["message"]
    assert (fault["level"], fault["value"], fault["rows"]) == (1, "A", 2)


def test_a_node_without_parent(tmp_path: Path, texts: Path) -> None:
    text = "kind: levels\nlevels:\n  - A: a1, a2\n    B: b1\n    C: b2\n  - X: A, B\n  - '*'\n"
    fault = the(faults(written(tmp_path / "h.yaml", text), texts), "has no parent")
    assert "on level 2 for 'C' of level 1 (3 rows)" in fault["message"]
    assert (fault["rows"], fault["line"]) == (3, 5)


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("kind: levels\nlevels:\n  - A: a1, a2\n    B: b1, b2\n", 'top: "*"\n'),
        ("kind: table\nrows: [[a1, A], [a2, A], [b1, B], [b2, B]]\n", 'top: "*"\n'),
        ("kind: tree\ntree: {A: [a1, a2], B: [b1, b2]}\n", 'top: "*"\n'),
    ],
)
def test_a_top_that_is_not_single_and_how_it_is_mended(tmp_path: Path, texts: Path, text: str, mended: str) -> None:
    fault = the(faults(written(tmp_path / "h.yaml", text), texts), "ends in 2 labels")
    assert "'A', 'B'" in fault["message"]
    assert 'top: "*"' in fault["message"]
    assert of(faults(written(tmp_path / "h.yaml", text + mended), texts), "error") == []
    shown = inspection.show(str(tmp_path / "h.yaml"))
    assert {value["levels"][-1] for value in shown["values"]} == {"*"}
    assert [level["groups"] for level in shown["levels"]] == [4, 2, 1]


def test_the_same_partition_twice(tmp_path: Path, texts: Path) -> None:
    reported = faults(written(tmp_path / "h.csv", "a1;A;X;*\na2;A;X;*\nb1;B;Y;*\nb2;B;Y;*\n"), texts)
    fault = the(reported, "redundant level 2")
    assert (fault["severity"], fault["level"]) == ("warning", 2)


def test_a_label_that_is_used_again(tmp_path: Path, texts: Path) -> None:
    reported = faults(written(tmp_path / "h.csv", "a1;a2;*\na2;a2;*\nb1;B;*\nb2;B;*\n"), texts)
    assert the(reported, "uses the label 'a2' on levels 0 and 1 for different values")["severity"] == "warning"
    reported = faults(written(tmp_path / "h.csv", "a1;a1;*\na2;A;*\nb1;A;*\nb2;A;*\n"), texts)
    assert the(reported, "uses a label on several levels: 'a1'")["severity"] == "warning"


@pytest.mark.parametrize("other", ["a", " A", "A ", "\tA"])
def test_labels_that_differ_in_capitals_or_blanks_alone(tmp_path: Path, texts: Path, other: str) -> None:
    rows = [["a1", "A", "*"], ["a2", other, "*"], ["b1", "B", "*"], ["b2", "B", "*"]]
    pq.write_table(pa.table({f"x{n}": list(cells) for n, cells in enumerate(zip(*rows, strict=True))}), tmp_path / "h.parquet")
    fault = the(faults(tmp_path / "h.parquet", texts), "differ only in capitals or blanks")
    assert (fault["severity"], fault["level"]) == ("warning", 1)


def test_a_number_spelt_otherwise_than_the_column_prints_it(tmp_path: Path) -> None:
    pq.write_table(pa.table({"c": [17.0, 18.0, 18.0]}), tmp_path / "in.parquet")
    for listed in ("17;A;*\n18;A;*\n", "17.0;A;*\n18.0;A;*\n"):
        assert of(faults(written(tmp_path / "h.csv", listed), tmp_path / "in.parquet"), "error") == []
    assert (
        the(faults(written(tmp_path / "h.csv", "17;A;*\n18.5;A;*\n"), tmp_path / "in.parquet"), "'18.0'")["severity"] == "error"
    )


def test_stray_text_for_a_column_of_numbers(tmp_path: Path, numbers: Path) -> None:
    table = faults(written(tmp_path / "h.csv", "17;A;*\n18;A;*\n30;B;*\n90+;B;*\n"), numbers)
    assert (the(table, "'90+', which is not a number")["severity"], the(table, "which is not a number")["line"]) == (
        "warning",
        4,
    )
    levels = "kind: levels\nlevels:\n  - A: 17, 18\n    B: 30 // years, 31\n  - '*'\n"
    fault = the(faults(written(tmp_path / "h.yaml", levels), numbers), "'30 // years', which is not a number")
    assert (fault["severity"], fault["line"]) == ("error", 4)


@pytest.mark.parametrize(
    ("intervals", "phrase"),
    [
        ("[[17, 22], [23, 27]]", "a gap between [17, 22) and [23, 27)"),
        ("[[17, 22], [21, 27]]", "an overlap between [17, 22) and [21, 27)"),
        ("[[2020-01-01, 2020-02-01], [2020-03-01, 2020-04-01]]", "a gap between"),
        ("[[17, 17]]", "[17, 17) is empty; write a min below max"),
        ("[[22, 17]]", "[22, 17) is empty; write a min below max"),
    ],
)
def test_intervals_with_gaps_and_overlaps(tmp_path: Path, numbers: Path, intervals: str, phrase: str) -> None:
    path = written(tmp_path / "h.yaml", f"kind: intervals\nintervals: {intervals}\n")
    assert phrase in the(faults(path, numbers), "h.yaml")["message"]
    with pytest.raises(HierarchyError, match=r"h\.yaml") as failure:
        load(path)
    assert phrase in str(failure.value)


def test_bounds_that_a_rule_does_not_reach_are_reported_with_their_rows(tmp_path: Path, numbers: Path) -> None:
    text = "kind: intervals\nintervals: [[15, 20]]\nrange: {label: [15, 25]}\n"
    reported = faults(written(tmp_path / "h.yaml", text), numbers)
    assert "'30' (1 row, outside its kind or its range)" in the(reported, "does not cover")["message"]


def test_null_and_usual_marks_are_reported(tmp_path: Path) -> None:
    pq.write_table(pa.table({"c": ["a", "?", "?", None]}), tmp_path / "in.parquet")
    path = written(tmp_path / "h.csv", "a;*\n?;*\n")
    reported = faults(path, tmp_path / "in.parquet")
    assert of(reported, "error") == []
    assert [(fault["value"], fault["rows"]) for fault in reported if fault["severity"] == "note"] == [(None, 1), ("?", 2)]
    assert all("of its own" in message for message in of(reported, "note"))
    topped = written(tmp_path / "top.yaml", "kind: table\nfile: h.csv\nmissing: top\n")
    reported = faults(topped, tmp_path / "in.parquet", missing=("?",))
    assert [fault["rows"] for fault in reported if "to the top" in fault["message"]] == [1, 2]


def test_values_that_the_data_never_shows_are_reported(tmp_path: Path, texts: Path) -> None:
    fault = the(
        faults(written(tmp_path / "h.csv", f"{TABLE}c1;C;*\nc2;C;*\n"), texts), "lists 2 values that the data does not contain"
    )
    assert (fault["severity"], fault["line"]) == ("note", 5)
    assert "'c1', 'c2'" in fault["message"]


def test_several_faults_of_a_table_are_reported_at_once(tmp_path: Path, texts: Path) -> None:
    reported = of(faults(written(tmp_path / "h.csv", "a1;A;x\na2;A;x\na2;A;x\nb1;B;y\n"), texts), "error")
    assert len(reported) == 3
    assert [any(phrase in entry for entry in reported) for phrase in ("'a2' 2 times", "'b2' (3 rows", "ends in 2 labels")] == [
        True
    ] * 3


@pytest.mark.parametrize(
    ("loss", "phrase"),
    [
        ("[0, 1]", "has 3 levels, 0 to 2, but 2 numbers under `loss`"),
        ("[0, 0.2, 0.4, 1]", "has 3 levels, 0 to 2, but 4 numbers under `loss`"),
        ("[0, 0.5, 0.4]", "level 2 loses 0.4, less than the 0.5 of level 1"),
        ("[0, 0.5, 1.5]", "loss.2"),
        ("[-0.1, 0.5, 1]", "loss.0"),
        ("[0, nan, 1]", "loss.1"),
        ("[0, inf, inf]", "loss.1"),
        ("[]", "loss"),
        ("0.5", "loss"),
        ("{a: 1}", "loss"),
    ],
)
def test_a_loss_list_that_does_not_fit(tmp_path: Path, texts: Path, loss: str, phrase: str) -> None:
    text = f"kind: levels\nloss: {loss}\nlevels:\n  - A: a1, a2\n    B: b1, b2\n  - '*'\n"
    [message] = of(faults(written(tmp_path / "h.yaml", text), texts), "error")
    assert phrase in message


# --- what is no hierarchy

CIRCLES = {
    "pairs in a file": ("h.csv", "a1,A\na2,A\nb1,B\nb2,B\nA,B\nB,A\n"),
    "pairs in YAML": ("h.yaml", "kind: tree\npairs: [[a1, A], [a2, A], [b1, A], [b2, A], [A, B], [B, A]]\n"),
    "nested": ("h.yaml", "kind: tree\ntree: {A: {B: {A: [a1, a2, b1, b2]}}}\n"),
    "itself": ("h.yaml", "kind: tree\ntree: {A: [A, a1, a2, b1, b2]}\n"),
    "a ring of 10,000": ("h.csv", "".join(f"n{n},n{(n + 1) % 10_000}\n" for n in range(10_000))),
}


@pytest.mark.parametrize("name", CIRCLES)
def test_a_circle_is_refused(tmp_path: Path, texts: Path, name: str) -> None:
    file, text = CIRCLES[name]
    assert "has a cycle" in of(faults(written(tmp_path / file, text), texts), "error")[0]


WRONG = {
    "gap": ("kind: intervals\nintervals: [[17, 22], [23, 27]]\n", "a gap between"),
    "min above max": ("kind: intervals\nintervals: [{min: 22, max: 17}]\n", "is empty"),
    "size 0": ("kind: intervals\nintervals: [[17, 22]]\ngroups: [[0]]\n", "groups.0.0.size"),
    "no group": ("kind: intervals\nintervals: [[17, 22]]\ngroups: [[]]\n", "groups.0"),
    "NaN bound": ("kind: intervals\nintervals: [[17, nan]]\n", "nan is not a bound"),
    "YAML's NaN": ("kind: intervals\nintervals: [[.nan, 22]]\n", "'.nan'"),
    "infinite bound": ("kind: intervals\nintervals: [[-inf, 22]]\n", "-inf is not a bound"),
    "large bound": ("kind: intervals\nintervals: [[17, 1e400]]\n", "larger than 2^62"),
    "bound without end": ("kind: intervals\nintervals: [[17, 1e9999999]]\n", "larger than 2^62"),
    "NaN range": ("kind: intervals\nwidths: [5]\nrange: {snap: [nan, 20]}\n", "nan is not a bound"),
    "NaN width": ("kind: intervals\nwidths: [nan]\n", "widths.0"),
    "infinite origin": ("kind: intervals\nwidths: [5]\norigin: inf\n", "origin"),
    "several kinds of bounds": ("kind: intervals\nintervals: [[17, 2020-01-01]]\n", "different types"),
    "both": ("kind: intervals\nwidths: [5]\nintervals: [[0, 5]]\n", "either widths or intervals"),
    "neither": ("kind: intervals\n", "either widths or intervals"),
    "key said twice": ("kind: flat\ntop: x\ntop: y\n", "line 3: the key 'top' occurs twice"),
    "label said twice": ("kind: levels\nlevels:\n  - A: a1\n    A: a2\n  - '*'\n", "the key 'levels.0.A' occurs twice"),
    "unknown key": ("kind: dates\nunit: [year]\n", "unknown key 'unit'; did you mean 'units'?"),
    "unknown key of all kinds": ("kind: flat\nmising: top\n", "did you mean 'missing'?"),
    "unknown kind": ("kind: intervalls\n", "kind 'intervalls' is unknown; did you mean 'intervals'?"),
    "no kind": ("widths: [5]\n", "kind"),
    "a list for a kind": ("kind: [flat]\n", "is unknown"),
    "unknown unit": ("kind: dates\nunits: [yeaar]\n", "units.0"),
    "units out of order": ("kind: dates\nunits: [year, month]\n", "month can split a year"),
    "week in month": ("kind: dates\nunits: [week, month]\n", "month can split a week"),
    "format of no unit": ("kind: dates\nunits: [year]\nformats: {decade: x}\n", "'decade' has no format"),
    "step back": ("kind: redaction\nsteps: [2, 1]\n", "1 characters do not follow 2"),
    "step beyond": ("kind: redaction\nlength: 3\nsteps: [1, 4]\n", "exceed the common length of 3"),
    "grouped without steps": (
        "kind: redaction\nlength: 3\ngrouped: {rest: [a]}\n",
        "needs `redact: right`, a `length` and `steps`",
    ),
    "grouped from the left": (
        "kind: redaction\nlength: 3\nsteps: [2, 3]\nredact: left\ngrouped: {rest: [a]}\n",
        "needs `redact: right`, a `length` and `steps`",
    ),
    "grouped too long": (
        "kind: redaction\nlength: 3\nsteps: [2, 3]\ngrouped: {rest: [ab]}\n",
        "'ab' has 2 characters, but level 1 shows 1",
    ),
    "grouped twice": (
        "kind: redaction\nlength: 3\nsteps: [2, 3]\ngrouped: {a: [a], b: [a]}\n",
        "'a' is listed twice; keep one",
    ),
    "two characters": ("kind: redaction\ncharacter: ab\n", "character"),
    "value twice in an order": ("kind: order\nvalues: [a, b, a]\n", "'a' is listed twice"),
    "NaN priority": ("kind: priority\npriorities: {a: nan}\n", "priorities.a"),
    "too many levels of priority": ("kind: priority\nlevels: 101\n", "100"),
    "unknown function": ("kind: order\nvalues: [a, b]\nfunction: prefix(0)\n", "is not a label function"),
    "ragged rows": ("kind: table\nrows: [[a, A, '*'], [b, '*']]\n", "row 2 has 2 cells, but the first row has 3"),
    "one cell": ("kind: table\nrows: [[a]]\n", "1 cells"),
    "no rows": ("kind: table\nrows: []\n", "rows"),
    "values said nowhere": ("kind: tree\n", "one of file, tree, pairs"),
    "values said twice": ("kind: tree\ntree: {A: [a]}\npairs: [[a, A]]\n", "not 2"),
    "an empty place": ("kind: order\nvalues:\n  - a\n  -\n  - b\n", "an empty entry is not a label"),
    "not a mapping": ("[a, b]\n", "not a mapping"),
    "a text": ("flat\n", "not a mapping"),
    "nothing": ("", "not a mapping"),
    "no YAML": ("kind: [\n", "not YAML"),
    "a tag": ("kind: !!python/object:os.system x\n", "not YAML"),
    "an alias": ("kind: levels\nlevels: [&a [x], *a]\n", "aliases"),
    "an unquoted star": ("kind: flat\ntop: *\n", "h.yaml"),
    "two documents": ("kind: flat\n---\nkind: flat\n", "not YAML"),
    "nested: maybe": ("kind: flat\nnested: maybe\n", "nested"),
    "missing: gone": ("kind: flat\nmissing: gone\n", "missing"),
    "domain: all": ("kind: flat\ndomain: all\n", "domain"),
    "a top of several": ("kind: flat\ntop: [a, b]\n", "top"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_refused_with_one_line(tmp_path: Path, name: str) -> None:
    text, phrase = WRONG[name]
    with pytest.raises(HierarchyError, match=r"h\.yaml") as failure:
        load(written(tmp_path / "h.yaml", text))
    assert phrase in str(failure.value)
    assert failure.value.lines == [str(failure.value)]
    assert "\n" not in str(failure.value)


SCALARS = ["x", "''", "-1", "1.5", "true", "null", "[]", "{}", "[[[x]]]", "{x: {y: z}}", "2020-01-01", "1e400", "'a'';--'"]


KEYS = {
    "table": ["rows", "file", "top"],
    "tree": ["tree", "pairs", "file"],
    "levels": ["levels", "top"],
    "intervals": ["intervals", "widths", "origin", "groups", "range", "function", "duplicates"],
    "order": ["values", "groups", "function", "duplicates"],
    "redaction": ["align", "redact", "character", "pad", "length", "steps", "top", "grouped"],
    "dates": ["units", "formats", "range"],
    "priority": ["priorities", "keep", "levels"],
    "flat": ["top", "domain", "loss", "missing", "nested", "source", "kind"],
}


@pytest.mark.parametrize("kind", KEYS)
def test_a_wrong_type_anywhere_is_loaded_or_refused_and_never_fails(tmp_path: Path, kind: str) -> None:
    for key in KEYS[kind]:
        for scalar in SCALARS:
            text = f"kind: {scalar}\n" if key == "kind" else f"kind: {kind}\n{key}: {scalar}\n"
            written(tmp_path / "h.yaml", text)
            with suppress(HierarchyError):
                load(tmp_path / "h.yaml")


def refusal_of(hierarchy: Path, data: Path) -> HierarchyError:
    """Why a run refuses it, and that it wrote nothing."""
    output = data.with_name("out.parquet")
    with pytest.raises(HierarchyError) as failure:
        anonymize(data, output, qi=["c"], hierarchies=[f"c={hierarchy}"])
    assert not output.exists()
    assert failure.value.exit_code == 2
    return failure.value


@pytest.mark.parametrize("name", COSTLY)
def test_what_costs_too_much_is_refused_at_once(tmp_path: Path, texts: Path, name: str) -> None:
    file, text, phrase = COSTLY[name]
    started = time.process_time()
    refusal = refusal_of(written(tmp_path / file, text), texts)
    assert time.process_time() - started < SECONDS
    assert phrase in str(refusal)
    assert len(str(refusal)) < 2_000


UNREADABLE: dict[str, tuple[str, bytes, str]] = {
    "binary CSV": ("h.csv", bytes(range(256)) * 50, "h.csv"),
    "binary YAML": ("h.yaml", bytes(range(256)) * 50, "h.yaml"),
    "binary Parquet": ("h.parquet", bytes(range(256)) * 50, "h.parquet"),
    "empty CSV": ("h.csv", b"", "h.csv"),
    "empty YAML": ("h.yaml", b"", "h.yaml"),
    "empty Parquet": ("h.parquet", b"", "h.parquet"),
    "UTF-16": ("h.csv", "a1;*\na2;*\n".encode("utf-16"), "not UTF-8"),
    "Latin-1": ("h.csv", "weiß;*\n".encode("latin-1"), "not UTF-8"),
    "one column": ("h.csv", b"a1\na2\n", "one column"),
    "a line of 5 MB": ("h.csv", b"a" * 5_000_000, "one column"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_refused_by_name(tmp_path: Path, texts: Path, name: str) -> None:
    file, content, phrase = UNREADABLE[name]
    (tmp_path / file).write_bytes(content)
    refusal = refusal_of(tmp_path / file, texts)
    assert file in str(refusal)
    assert phrase in str(refusal)
    assert len(refusal.lines) == 1


SAME = [
    ("female", "Female"),
    (" Never married", "never-married"),
    ("Prof-school", "Profschool"),
    ("hihg", "high"),
    ("Divorcd", "Divorced"),
    ("Marriied", "Married"),
    ("Widewed", "Widowed"),
    ("Muenchen", "Muenchen "),
    ("Łódź", "łódź"),
    ("Évry", "Evry"),
    ("b2", "B2"),
]
OTHERS = [
    ("Female", "Male"),
    ("Gambia", "Zambia"),
    ("Austria", "Australia"),
    ("Niger", "Nigeria"),
    ("Iran", "Iraq"),
    ("east", "west"),
    ("Slovakia", "Slovenia"),
    ("hypertension", "hypotension"),
    ("inpatient", "outpatient"),
    ("E10.1", "E10.2"),
    ("10117", "10171"),
    ("1.5", "15"),
    ("x", "y"),
    ("<=50K", ">50K"),
    ("-", "?"),
    ("", "a"),
]


@pytest.mark.parametrize(("value", "known"), SAME)
def test_another_spelling_is_named(value: str, known: str) -> None:
    assert respelled(value, ["other", known]) == known


@pytest.mark.parametrize(("value", "known"), OTHERS)
def test_another_value_is_not_taken_for_a_spelling(value: str, known: str) -> None:
    assert respelled(value, [known]) is None
    assert respelled(known, [value]) is None
