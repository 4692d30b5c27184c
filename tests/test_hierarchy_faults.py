"""What is wrong with a hierarchy is told, all at once and by name; what is no hierarchy is refused in bounded time."""

import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from duckanon import inspection
from duckanon.errors import HierarchyError
from duckanon.hierarchy.spec import load
from duckanon.options import Options
from duckanon.pipeline import anonymize
from tests.conftest import ROOT, Cli, Finished

FIXTURES = ROOT / "tests" / "fixtures"
QI = "age,education,marital-status,race"
SECONDS = 20
"""Far more than any refusal needs."""

Fault = dict[str, Any]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    pq.write_table(pa.table({"c": ["a1", "a2", "b1", "b2", "b2", "b2"]}), tmp_path / "texts.parquet")
    return tmp_path / "texts.parquet"


@pytest.fixture
def numbers(tmp_path: Path) -> Path:
    pq.write_table(pa.table({"c": [17, 18, 18, 30]}), tmp_path / "numbers.parquet")
    return tmp_path / "numbers.parquet"


def faults(hierarchy: Path, data: Path, *, column: str = "c", missing: tuple[str, ...] = ()) -> list[Fault]:
    """What `check` finds in one hierarchy on one column of some data."""
    document = inspection.check([str(hierarchy)], inspection.Data(str(data), column, missing))
    [one] = document["hierarchies"]
    found: list[Fault] = one["faults"]
    assert one["passed"] == document["passed"] == (not any(fault["severity"] == "error" for fault in found))
    return found


def of(found: list[Fault], severity: str) -> list[str]:
    return [fault["message"] for fault in found if fault["severity"] == severity]


def the(found: list[Fault], phrase: str) -> Fault:
    """The one fault whose message holds a phrase."""
    [fault] = [fault for fault in found if phrase in fault["message"]]
    return fault


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def refused(run: Finished, code: int, *phrases: str) -> None:
    """A message of one line that holds every phrase, the exit code, nothing on stdout."""
    assert run.code == code, run.err
    assert "Traceback" not in run.err
    [line] = run.err.splitlines()
    assert line.startswith("duckanon: error: ")
    assert run.out == ""
    for phrase in phrases:
        assert phrase in line


# --- the seeds as printed

SEED_001 = [
    # what is said, and its line in its file
    ("it puts 'Prof-school' into 'Vocational School' on level 1", "did you mean 'Profschool'?", 8),
    ("it does not cover 'Prof-school' (576 rows, did you mean 'Profschool'?)", "", 3),
    ("it names no parent on level 1 for 'Profschool' of level 0", "", 3),
    ("it names no parent on level 2 for 'Graduate School' of level 1 (2,136 rows)", "", 10),
    ("it skips a level: 'Masters' in 'Advanced Degree' on level 2", "", 13),
    ("it skips a level: 'Doctorate' in 'Advanced Degree' on level 2", "", 13),
    ("it puts 'Never-Married' into 'Single' on level 1", "did you mean 'Never-married', 10,683 rows?", 5),
    ("it names no parent on level 1 for 'Never-married' of level 0 (10,683 rows)", "", 3),
    ("it names no parent on level 2 for 'Married-Together' of level 1 (14,999 rows)", "", 6),
    ("it names no members for '17-19', '20-29', '30-39', ... on level 1", "", 5),
    ("it names no members for '17-29', '30-49', '50-69', ... on level 2", "", 6),
    (r"$\!\!\!/\!\!\!/$ The data of age starts from 17 and ends with 90', which is no number", "stray text", 4),
]


def assert_seed_001(lines: list[str], told: Callable[[int], str]) -> None:
    for phrase, other, number in SEED_001:
        [line] = [line for line in lines if phrase in line]
        assert other in line
        assert told(number) in line


def test_check_finds_every_fault_of_seed_001_at_once(adult: Path, cli: Cli) -> None:
    run = cli("hierarchy", "check", FIXTURES / "seed001", "--data", adult)
    assert run.code == 1
    assert run.err == ""
    assert_seed_001(run.out.splitlines(), lambda number: f"error: line {number}: ")
    assert "warning: it has a redundant level 1" in run.out
    assert "warning: line 13: it uses 2 labels on several levels: 'Other', 'Western Origin'" in run.out


def test_a_run_is_refused_with_every_fault_of_seed_001_at_once(adult: Path, cli: Cli, tmp_path: Path) -> None:
    run = cli("anonymize", adult, "--qi", QI, "--hierarchies", FIXTURES / "seed001", "-o", "out.parquet")
    assert run.code == 2
    assert run.out == ""
    assert "Traceback" not in run.err
    first, *rest = run.err.splitlines()
    assert first.startswith("duckanon: error: hierarchy ")
    assert all(line.strip().startswith(("it ", "hierarchy ")) for line in rest)
    assert_seed_001(rest, lambda number: f"(line {number})")
    for column in ("age", "education", "marital-status"):
        assert f"of column '{column}' has" in run.err
    assert not (tmp_path / "out.parquet").exists()


def test_seed_001_shows_its_structure_without_data_too(cli: Cli) -> None:
    run = cli("hierarchy", "check", FIXTURES / "seed001")
    assert run.code == 1
    assert "'Graduate School' of level 1; put it" in run.out
    assert "'Married-Together' of level 1; put it" in run.out
    assert "rows" not in run.out


def test_the_age_of_seed_000_is_refused_as_not_nested(adult: Path, cli: Cli) -> None:
    reference = FIXTURES / "seed000" / "age.yaml"
    found = [fault for fault in faults(reference, adult, column="age") if fault["severity"] == "error"]
    assert [fault["value"] for fault in found] == ["[27, 37)", "[47, 57)"]
    assert "'[27, 37)' on level 2 parts into 'Adult' and 'Young' on level 3" in found[0]["message"]
    assert "'[47, 57)' on level 2 parts into 'Adult' and 'Senior' on level 3" in found[1]["message"]
    assert [fault["rows"] for fault in found] == [8_627, 5_167]
    assert all("nested: false" in fault["message"] for fault in found)
    run = cli("anonymize", adult, "--qi", "age", "--hierarchies", f"age={reference}", "-o", "out.parquet")
    assert run.code == 2
    assert "'[27, 37)'" in run.err
    assert "'[47, 57)'" in run.err


def test_the_age_of_seed_000_loads_with_a_warning_where_it_says_so(adult: Path, cli: Cli, tmp_path: Path) -> None:
    text = (FIXTURES / "seed000" / "age.yaml").read_text()
    reference = written(tmp_path / "age.yaml", f"{text}nested: false\n")
    found = faults(reference, adult, column="age")
    assert of(found, "error") == []
    assert any("nested or not" in message for message in of(found, "warning"))
    run = cli("anonymize", adult, "--qi", "age", "--hierarchies", f"age={reference}", "--dry-run", "-q")
    assert run.code == 0, run.err
    assert "warning: " in run.err
    assert "not nested" in run.err


# --- the validation list

TABLE = "a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n"


def test_a_value_of_the_data_that_is_not_listed(tmp_path: Path, texts: Path) -> None:
    found = faults(written(tmp_path / "h.csv", TABLE.replace("b2", "B2")), texts)
    fault = the(found, "does not cover")
    assert "'b2' (3 rows, did you mean 'B2'?)" in fault["message"]
    assert (fault["value"], fault["rows"], fault["nearest"], fault["line"], fault["is_of_data"]) == ("b2", 3, "B2", 4, True)


def test_a_value_listed_twice_is_told_with_its_second_line(tmp_path: Path, texts: Path) -> None:
    found = faults(written(tmp_path / "h.csv", f"{TABLE}c;B;*\na2;A;*\n"), texts)
    assert the(found, "lists 'a2' 2 times")["line"] == 6


def test_many_values_that_are_not_listed_are_told_with_the_rest_counted(tmp_path: Path) -> None:
    pq.write_table(pa.table({"c": [f"v{number:03}" for number in range(50)]}), tmp_path / "in.parquet")
    found = of(faults(written(tmp_path / "h.csv", "x;*\n"), tmp_path / "in.parquet"), "error")
    assert len(found) == 11
    assert found[-1] == "does not cover 40 more values"


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
    found = faults(written(tmp_path / "h.csv", "a1;A;x;*\na2;A;y;*\nb1;B;y;*\nb2;B;y;*\n"), texts)
    fault = the(found, "not nested")
    assert "'A' on level 1 parts into 'x' and 'y' on level 2 (2 rows)" in fault["message"]
    assert (fault["level"], fault["value"], fault["rows"]) == (1, "A", 2)


def test_a_node_without_parent(tmp_path: Path, texts: Path) -> None:
    text = "kind: levels\nlevels:\n  - A: a1, a2\n    B: b1\n    C: b2\n  - X: A, B\n  - '*'\n"
    fault = the(faults(written(tmp_path / "h.yaml", text), texts), "names no parent")
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
    assert {one["levels"][-1] for one in shown["values"]} == {"*"}
    assert [level["groups"] for level in shown["levels"]] == [4, 2, 1]


def test_the_same_partition_twice(tmp_path: Path, texts: Path) -> None:
    found = faults(written(tmp_path / "h.csv", "a1;A;X;*\na2;A;X;*\nb1;B;Y;*\nb2;B;Y;*\n"), texts)
    fault = the(found, "redundant level 2")
    assert (fault["severity"], fault["level"]) == ("warning", 2)


def test_a_label_that_is_used_again(tmp_path: Path, texts: Path) -> None:
    found = faults(written(tmp_path / "h.csv", "a1;a2;*\na2;a2;*\nb1;B;*\nb2;B;*\n"), texts)
    assert the(found, "uses the label 'a2' on levels 0 and 1 for different values")["severity"] == "warning"
    found = faults(written(tmp_path / "h.csv", "a1;a1;*\na2;A;*\nb1;A;*\nb2;A;*\n"), texts)
    assert the(found, "uses a label on several levels: 'a1'")["severity"] == "warning"


@pytest.mark.parametrize("other", ["a", " A", "A ", "\tA"])
def test_labels_that_differ_in_capitals_or_blanks_alone(tmp_path: Path, texts: Path, other: str) -> None:
    rows = [["a1", "A", "*"], ["a2", other, "*"], ["b1", "B", "*"], ["b2", "B", "*"]]
    pq.write_table(pa.table({f"x{n}": list(cells) for n, cells in enumerate(zip(*rows, strict=True))}), tmp_path / "h.parquet")
    fault = the(faults(tmp_path / "h.parquet", texts), "by capitals or blanks alone")
    assert (fault["severity"], fault["level"]) == ("warning", 1)


def test_a_number_spelt_otherwise_than_the_column_prints_it(tmp_path: Path) -> None:
    pq.write_table(pa.table({"c": [17.0, 18.0, 18.0]}), tmp_path / "in.parquet")
    found = faults(written(tmp_path / "h.csv", "17;A;*\n18;A;*\n"), tmp_path / "in.parquet")
    fault = the(found, "'18.0'")
    assert "(2 rows, listed as '18'); list it as the column prints it" in fault["message"]
    assert (fault["nearest"], fault["line"]) == ("18", 2)
    assert of(faults(written(tmp_path / "h.csv", "17.0;A;*\n18.0;A;*\n"), tmp_path / "in.parquet"), "error") == []


def test_stray_text_for_a_column_of_numbers(tmp_path: Path, numbers: Path) -> None:
    table = faults(written(tmp_path / "h.csv", "17;A;*\n18;A;*\n30;B;*\n90+;B;*\n"), numbers)
    assert (the(table, "'90+', which is no number")["severity"], the(table, "which is no number")["line"]) == ("warning", 4)
    levels = "kind: levels\nlevels:\n  - A: 17, 18\n    B: 30 // years, 31\n  - '*'\n"
    fault = the(faults(written(tmp_path / "h.yaml", levels), numbers), "'30 // years', which is no number")
    assert (fault["severity"], fault["line"]) == ("error", 4)


@pytest.mark.parametrize(
    ("intervals", "phrase"),
    [
        ("[[17, 22], [23, 27]]", "a gap between [17, 22) and [23, 27)"),
        ("[[17, 22], [21, 27]]", "an overlap between [17, 22) and [21, 27)"),
        ("[[2020-01-01, 2020-02-01], [2020-03-01, 2020-04-01]]", "a gap between"),
        ("[[17, 17]]", "[17, 17) holds nothing; min lies below max"),
        ("[[22, 17]]", "[22, 17) holds nothing; min lies below max"),
    ],
)
def test_intervals_with_gaps_and_overlaps(tmp_path: Path, numbers: Path, intervals: str, phrase: str) -> None:
    path = written(tmp_path / "h.yaml", f"kind: intervals\nintervals: {intervals}\n")
    assert phrase in the(faults(path, numbers), "h.yaml")["message"]
    with pytest.raises(HierarchyError, match=r"h\.yaml") as failure:
        load(path)
    assert phrase in str(failure.value)


def test_bounds_that_a_rule_does_not_reach_are_told_with_their_rows(tmp_path: Path, numbers: Path) -> None:
    text = "kind: intervals\nintervals: [[15, 20]]\nrange: {label: [15, 25]}\n"
    found = faults(written(tmp_path / "h.yaml", text), numbers)
    assert "'30' (1 row, outside its kind or its range)" in the(found, "does not cover")["message"]


def test_null_and_usual_marks_are_told(tmp_path: Path) -> None:
    pq.write_table(pa.table({"c": ["a", "?", "?", None]}), tmp_path / "in.parquet")
    path = written(tmp_path / "h.csv", "a;*\n?;*\n")
    found = faults(path, tmp_path / "in.parquet")
    assert of(found, "error") == []
    assert [(fault["value"], fault["rows"]) for fault in found if fault["severity"] == "note"] == [(None, 1), ("?", 2)]
    assert all("of its own" in message for message in of(found, "note"))
    topped = written(tmp_path / "top.yaml", "kind: table\nfile: h.csv\nmissing: top\n")
    found = faults(topped, tmp_path / "in.parquet", missing=("?",))
    assert [fault["rows"] for fault in found if "to the top" in fault["message"]] == [1, 2]


def test_values_that_the_data_never_shows_are_told(tmp_path: Path, texts: Path) -> None:
    fault = the(
        faults(written(tmp_path / "h.csv", f"{TABLE}c1;C;*\nc2;C;*\n"), texts), "lists 2 values that the data does not hold"
    )
    assert (fault["severity"], fault["line"]) == ("note", 5)
    assert "'c1', 'c2'" in fault["message"]


def test_several_faults_of_a_table_are_told_at_once(tmp_path: Path, texts: Path) -> None:
    found = of(faults(written(tmp_path / "h.csv", "a1;A;x\na2;A;x\na2;A;x\nb1;B;y\n"), texts), "error")
    assert len(found) == 3
    assert [any(phrase in one for one in found) for phrase in ("'a2' 2 times", "'b2' (3 rows", "ends in 2 labels")] == [
        True
    ] * 3


def test_errors_warnings_and_notes_are_told_apart(tmp_path: Path, texts: Path, cli: Cli) -> None:
    written(tmp_path / "h.csv", "a1;A;X;*\na2;A;X;*\nb1;B;Y;*\nb2;B;Y;*\nc;B;Y;*\n")
    arguments = ("hierarchy", "check", "h.csv", "--data", texts, "--column", "c")
    easy = cli(*arguments)
    assert easy.code == 0
    lines = easy.out.splitlines()
    assert lines[0] == "h.csv, column c:"
    assert [line.split(":")[0].strip() for line in lines[1:]] == ["warning", "note"]
    strict = cli(*arguments, "--strict")
    assert (strict.code, strict.out) == (1, easy.out)
    document = cli(*arguments, "--strict", "--json").manifest
    assert document["passed"] is False
    assert [fault["severity"] for fault in document["hierarchies"][0]["faults"]] == ["warning", "note"]
    written(tmp_path / "h.csv", "a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\nc;B;*\n")
    assert cli(*arguments, "--strict").code == 0
    written(tmp_path / "h.csv", "a1;A;*\na2;A;*\nb1;B;*\n")
    assert cli(*arguments).code == 1


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
    assert "run in a circle" in of(faults(written(tmp_path / file, text), texts), "error")[0]


WRONG = {
    "gap": ("kind: intervals\nintervals: [[17, 22], [23, 27]]\n", "a gap between"),
    "min above max": ("kind: intervals\nintervals: [{min: 22, max: 17}]\n", "holds nothing"),
    "size 0": ("kind: intervals\nintervals: [[17, 22]]\ngroups: [[0]]\n", "groups.0.0.size"),
    "no group": ("kind: intervals\nintervals: [[17, 22]]\ngroups: [[]]\n", "groups.0"),
    "NaN bound": ("kind: intervals\nintervals: [[17, nan]]\n", "nan is no bound"),
    "YAML's NaN": ("kind: intervals\nintervals: [[.nan, 22]]\n", "'.nan'"),
    "infinite bound": ("kind: intervals\nintervals: [[-inf, 22]]\n", "-inf is no bound"),
    "large bound": ("kind: intervals\nintervals: [[17, 1e400]]\n", "beyond 2^62"),
    "NaN range": ("kind: intervals\nwidths: [5]\nrange: {snap: [nan, 20]}\n", "nan is no bound"),
    "NaN width": ("kind: intervals\nwidths: [nan]\n", "widths.0"),
    "infinite origin": ("kind: intervals\nwidths: [5]\norigin: inf\n", "origin"),
    "several kinds of bounds": ("kind: intervals\nintervals: [[17, 2020-01-01]]\n", "several kinds"),
    "both": ("kind: intervals\nwidths: [5]\nintervals: [[0, 5]]\n", "one of widths, intervals"),
    "neither": ("kind: intervals\n", "one of widths, intervals"),
    "key said twice": ("kind: flat\ntop: x\ntop: y\n", "line 3: 'top' is said twice"),
    "label said twice": ("kind: levels\nlevels:\n  - A: a1\n    A: a2\n  - '*'\n", "'levels.0.A' is said twice"),
    "unknown key": ("kind: dates\nunit: [year]\n", "unknown key 'unit'; did you mean 'units'?"),
    "unknown key of all kinds": ("kind: flat\nmising: top\n", "did you mean 'missing'?"),
    "unknown kind": ("kind: intervalls\n", "kind 'intervalls' is unknown; did you mean 'intervals'?"),
    "no kind": ("widths: [5]\n", "kind"),
    "a list for a kind": ("kind: [flat]\n", "is unknown"),
    "unknown unit": ("kind: dates\nunits: [yeaar]\n", "units.0"),
    "units out of order": ("kind: dates\nunits: [year, month]\n", "month does not hold whole units of year"),
    "week in month": ("kind: dates\nunits: [week, month]\n", "month does not hold whole units of week"),
    "format of no unit": ("kind: dates\nunits: [year]\nformats: {decade: x}\n", "'decade' has no format"),
    "step back": ("kind: redaction\nsteps: [2, 1]\n", "1 characters do not follow 2"),
    "step beyond": ("kind: redaction\nlength: 3\nsteps: [1, 4]\n", "more than the common length of 3"),
    "two characters": ("kind: redaction\ncharacter: ab\n", "character"),
    "value twice in an order": ("kind: order\nvalues: [a, b, a]\n", "'a' is listed twice"),
    "NaN priority": ("kind: priority\npriorities: {a: nan}\n", "priorities.a"),
    "too many levels of priority": ("kind: priority\nlevels: 101\n", "100"),
    "unknown function": ("kind: order\nvalues: [a, b]\nfunction: prefix(0)\n", "is no label function"),
    "ragged rows": ("kind: table\nrows: [[a, A, '*'], [b, '*']]\n", "row 2 has 2 cells, the first one 3"),
    "one cell": ("kind: table\nrows: [[a]]\n", "1 cells"),
    "no rows": ("kind: table\nrows: []\n", "rows"),
    "values said nowhere": ("kind: tree\n", "one of file, tree, pairs"),
    "values said twice": ("kind: tree\ntree: {A: [a]}\npairs: [[a, A]]\n", "not 2"),
    "an empty place": ("kind: order\nvalues:\n  - a\n  -\n  - b\n", "an empty place is no label"),
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
    "redaction": ["align", "redact", "character", "pad", "length", "steps", "top"],
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


# --- what costs too much

COSTLY: dict[str, tuple[str, str, str]] = {
    "10,000 columns": ("h.csv", ";".join(f"v{n}" for n in range(10_001)), "more than 100 levels"),
    "10,000 levels": (
        "h.yaml",
        "kind: levels\nlevels:\n" + "".join(f"  - {{L{n + 1}: [L{n}]}}\n" for n in range(10_000)),
        "levels: may have 101 entries at the most",
    ),
    "a chain of 10,000 pairs": ("h.csv", "".join(f"n{n},n{n + 1}\n" for n in range(10_000)), "more than 100 levels"),
    "YAML 10,000 deep": (
        "h.yaml",
        "kind: tree\ntree: " + "".join(f"{{n{n}: " for n in range(10_000)) + "x" + "}" * 10_000,
        "nested more than 200 deep",
    ),
    "lists 10,000 deep": ("h.yaml", "kind: levels\nlevels: " + "[" * 10_000 + "]" * 10_000, "nested more than 200 deep"),
    "a bomb": (
        "h.yaml",
        "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + "".join(
            f"{one}: &{one} [{', '.join([f'*{other}'] * 9)}]\n" for other, one in zip("abcdefgh", "bcdefghi", strict=True)
        )
        + "kind: levels\nlevels: *i\n",
        "aliases",
    ),
    "2 MiB of YAML": ("h.yaml", "kind: flat\n" + "# a long remark\n" * (1 << 17), "larger than 1 MiB"),
    "10,000 groups of groups": (
        "h.yaml",
        "kind: intervals\nintervals: [[0, 1]]\ngroups:\n" + "  - [2]\n" * 10_000,
        "groups: may have 98 entries at the most",
    ),
    "10,000 characters": ("h.yaml", "kind: redaction\nlength: 10000\n", "more than 100 levels"),
}


def refusal_of(hierarchy: Path, data: Path) -> HierarchyError:
    """Why a run refuses it, and that it wrote nothing."""
    output = data.with_name("out.parquet")
    with pytest.raises(HierarchyError) as failure:
        anonymize(data, output, options=Options(qi=["c"], hierarchies=[f"c={hierarchy}"]))
    assert not output.exists()
    assert failure.value.exit_code == 2
    return failure.value


@pytest.mark.parametrize("name", COSTLY)
def test_what_costs_too_much_is_refused_at_once(tmp_path: Path, texts: Path, name: str) -> None:
    file, text, phrase = COSTLY[name]
    started = time.monotonic()
    refusal = refusal_of(written(tmp_path / file, text), texts)
    assert time.monotonic() - started < SECONDS
    assert phrase in str(refusal)
    assert len(str(refusal)) < 2_000


@pytest.mark.parametrize("name", ["h.csv", "h.parquet", "named.yaml"])
def test_a_table_of_2_gib_is_refused_unread(tmp_path: Path, texts: Path, cli: Cli, name: str) -> None:
    table = tmp_path / ("named.csv" if name == "named.yaml" else name)
    with table.open("wb") as file:
        file.truncate(2 << 30)
    if name == "named.yaml":
        written(tmp_path / name, "kind: table\nfile: named.csv\n")
    started = time.monotonic()
    run = cli("anonymize", texts, "--qi", "c", "--hierarchies", f"c={name}", "-o", "out.parquet")
    assert time.monotonic() - started < SECONDS
    refused(run, 2, table.name, "2.0 GiB, more than 1")
    table.unlink()


def test_a_check_of_a_bomb_ends_in_one_fault(tmp_path: Path, texts: Path, cli: Cli) -> None:
    written(tmp_path / "h.yaml", COSTLY["a bomb"][1])
    started = time.monotonic()
    run = cli("hierarchy", "check", "h.yaml", "--data", texts, "--column", "c")
    assert time.monotonic() - started < SECONDS
    assert run.code == 1
    assert run.out.count("error: ") == 1
    assert "aliases" in run.out


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


@pytest.mark.parametrize("name", ["h.yaml", "h.csv", "h.parquet"])
def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path, texts: Path, cli: Cli, name: str) -> None:
    (tmp_path / name).mkdir()
    refused(cli("hierarchy", "show", name, "--data", texts, "--column", "c"), 2, name, "holds no hierarchy file")
    refused(cli("anonymize", texts, "--qi", "c", "--hierarchies", f"c={name}", "-o", "out.parquet"), 2, name)


def test_a_file_that_has_gone_is_named(tmp_path: Path, texts: Path, cli: Cli) -> None:
    written(tmp_path / "h.yaml", "kind: table\nfile: nowhere.csv\n")
    refused(cli("anonymize", texts, "--qi", "c", "--hierarchies", "c=h.yaml", "-o", "out.parquet"), 2, "nowhere.csv")
    refused(cli("hierarchy", "show", "adult/five-yaer/age"), 2, "did you mean 'adult/five-year/age'?")


def test_a_failed_check_leaves_nothing_behind(tmp_path: Path, adult: Path, cli: Cli) -> None:
    shutil.copytree(FIXTURES / "seed001", tmp_path / "set")
    before = sorted(tmp_path.rglob("*"))
    assert cli("hierarchy", "check", "set", "--data", adult).code == 1
    assert sorted(tmp_path.rglob("*")) == before
