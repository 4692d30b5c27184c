"""The SQL templates: their headers, quoting, the portable subset. `tests/support/statements.py` checks what all tests render."""

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import duckdb
import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import meta

from duckanon.engine import resources, templates
from duckanon.engine.catalog import CATALOG, COLUMN
from duckanon.engine.templates import Statement, ident, literal
from duckanon.errors import UsageError
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize
from tests.support.statements import AWAY, JUDGING, NAMES, ROW_PASSES, Recorder, banned, faults, header

TEMPLATES = sorted(path.relative_to(resources.folder("sql")).as_posix() for path in resources.folder("sql").rglob("*.sql"))

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"))

HOSTILE = (
    'x"; drop table records; --',
    "x'; drop table records; --",
    "x') or 1=1 --",
    "*/ select 1 /*",
    "-- builds: nothing",
    "{{ 7 * 7 }}{% if %}{# #}",
    "$1 ? %s :name",
    "back\\slash\\'",
    "two\nlines",
    "a\n\nblank line",
    "carriage\rreturn",
    "tab\tand\vvertical",
    "paragraph\u2029separator",
)


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def test_a_template_begins_with_its_header_and_names_what_it_builds() -> None:
    """An alternative has another name, and its header says which relation of another template or of the catalog it builds."""
    known = NAMES | {path.stem for path in resources.folder("sql").rglob("*.*")}
    for path in TEMPLATES:
        stated = header((resources.folder("sql") / path).read_text(encoding="utf-8"))
        assert list(stated) == ["builds", "reads", "one row"], path
        assert known & {stated["builds"], stated["builds"].removesuffix(f"_{COLUMN}")}, path


def test_templates_that_judge_the_classes_of_a_node_may_read_the_same() -> None:
    """What the shared part reads follows from the requirement, of which a test renders only some."""
    texts = {path: (resources.folder("sql") / path).read_text(encoding="utf-8") for path in TEMPLATES}
    judging = {
        path: set(re.findall(r"[\w<>]+", header(text)["reads"]))
        for path, text in texts.items()
        if path.startswith("lattice/") and 'include "privacy/class_results.jinja"' in text
    }
    shared = set(re.findall(r"[\w<>]+", header(texts["lattice/failing_labels.sql"])["reads"].partition("(perhaps ")[2]))
    assert len(judging) > 4
    assert [path for path, relations in judging.items() if not shared <= relations] == []


CONTROL = re.compile(r"\{%-?\+? *(?:if|elif|else|for)\b")


def test_a_template_has_five_lines_of_sql_for_two_conditions_and_loops() -> None:
    """Where there are more of them, a variant is a file of its own, or a named macro makes an expression."""
    for path in TEMPLATES:
        text = re.sub(r"\{#.*?#\}", "", (resources.folder("sql") / path).read_text(encoding="utf-8"), flags=re.DOTALL)
        lines = [line.strip() for line in re.sub(r"\{%.*?%\}", "", text, flags=re.DOTALL).splitlines()]
        sql = [line for line in lines if line and not line.startswith("--")]
        assert 5 * len(CONTROL.findall(text)) <= 2 * len(sql), path


def test_a_comment_says_what_a_macro_gives() -> None:
    for path in resources.folder("sql").rglob("*.jinja"):
        lines = path.read_text(encoding="utf-8").splitlines()
        before = dict(zip(lines[1:], lines, strict=False))
        assert [line for line in lines if line.startswith("{% macro ") and not before.get(line, "").startswith("{# ")] == []


def test_the_catalog_has_every_name_once_and_each_relation_says_what_a_row_is() -> None:
    """From the header of its template, or by itself where no template builds it."""
    assert sorted(NAMES) == sorted(relation.name for relation in CATALOG)
    for relation in CATALOG:
        own = f"{relation.folder}/{relation.name.removesuffix('_<column>')}"
        assert relation.row
        assert relation.sentence is None or own not in templates.catalog()


def test_no_column_makes_two_relations_of_one_name() -> None:
    """A sensitive `entities_illness` beside `illness` did."""
    stems = [relation.name.removesuffix(COLUMN) for relation in CATALOG if relation.name.endswith(COLUMN)]
    names = [relation.name for relation in CATALOG]
    assert [(stem, name) for stem in stems for name in names if name.startswith(stem) and name != f"{stem}{COLUMN}"] == []


def test_the_templates_that_run_on_a_cluster_exist() -> None:
    assert {f"{name}.sql" for name in ROW_PASSES | AWAY | JUDGING} <= set(TEMPLATES)


def test_a_header_that_hides_a_relation_or_names_too_many_is_found() -> None:
    template = "dataset/null_counts"
    text = templates.text(template).split("\n", 3)[:3]
    for query, count in (("select 1 from records", 0), ("select 1 from counts", 2), ("select 1 where 1 in (select 1)", 1)):
        sql = "\n".join([*text, query])
        assert len(list(faults(Statement("null_counts", template, sql)))) == count


def test_a_statement_that_several_tests_render_is_checked_once() -> None:
    recorder = Recorder()
    sql = templates.text("dataset/null_counts").split("\n", 3)[:3]
    for _ in range(2):
        recorder.record(Statement("null_counts", "dataset/null_counts", "\n".join([*sql, "describe records"])))
    assert recorder.faults() == ["dataset/null_counts: it is not one SELECT"]
    assert recorder.faults() == []


@pytest.mark.parametrize(
    ("sql", "offender"),
    [
        ("select list(a) from records", "ArrayAgg"),
        ("select [a, b] from records", "Array"),
        ("select a[b] from records", "Bracket"),
        ("select len(a) from records", "Length"),
        ("select log(a) from records", "Log"),
        ("select a / b from records", "Div"),
        ("select a | b from records", "BitwiseOr"),
        ("select cast(a as uinteger) from records", "type UINT"),
        ("select a::time from records", "type TIME"),
        ("select * replace (1 as a) from records", "Star with replace or rename"),
        ("select columns('a') from records", "Columns"),
        ("select grouping(a, b) from records group by cube (a, b)", "Grouping of several columns"),
        ("select count(*) as _rows from records", "Count without a cast"),
        ("select sum(a) filter (where b) as _rows from records", "Filter without a cast"),
        ("select hash(a) from records", "function hash"),
        ("select quantile_disc(a, 0.5) from records", "PercentileDisc"),
        ("select median(a) from records", "Median"),
        ("select regexp_replace(a, 'x', 'y') from records", "RegexpReplace"),
        ("select max_by(a, b) from records", "ArgMax"),
        ("select row_number() over () from records", "Window without an order"),
        ("select row_number() over (order by a) from records", "Window"),
        ("select a from records qualify true", "Qualify"),
        ("select a from read_parquet('x')", "table function ReadParquet"),
        ("select a from range(5)", "table function GenerateSeries"),
        ("select {'a': b} from records", "Struct"),
        ("select a from records using sample 5", "TableSample"),
    ],
)
def test_what_spark_would_read_otherwise_is_banned(sql: str, offender: str) -> None:
    assert banned(sql) == offender


def test_an_undefined_variable_of_a_template_is_an_error() -> None:
    for name in (path.removesuffix(".sql") for path in TEMPLATES):
        text = templates.text(name)
        parsed = templates.environment().parse(text)
        if meta.find_undeclared_variables(parsed) or any(meta.find_referenced_templates(parsed)):
            with pytest.raises((jinja2.UndefinedError, UsageError, TypeError), match=r"(?i)undefined"):
                templates.render(name)
        else:
            assert templates.render(name, header(text)["builds"]).sql == text.removesuffix("\n")


@given(text=TEXT)
def test_a_text_literal_is_that_text(text: str, database: duckdb.DuckDBPyConnection) -> None:
    assert database.execute(f"select {literal(text)}").fetchone() == (text,)


@given(name=TEXT.filter(bool))
def test_a_quoted_name_is_that_name(name: str, database: duckdb.DuckDBPyConnection) -> None:
    description = database.execute(f"select 1 as {ident(name)}").description
    assert [column[0] for column in description] == [name]


@given(name=TEXT.filter(bool), value=TEXT)
def test_indented_sql_has_the_same_names_and_values(name: str, value: str, database: duckdb.DuckDBPyConnection) -> None:
    """A line break of theirs is no end of a line."""
    text = "select\n{{ value | literal }} -- it's one line\nas {{ [name] | idents }}"
    sql = (
        templates.environment()
        .from_string("{{ text | indent }}")
        .render(text=templates.environment().from_string(text).render(name=name, value=value))
    )
    result = database.execute(sql)
    assert [column[0] for column in result.description] == [name]
    assert result.fetchone() == (value,)


@given(value=st.integers(-(2**127) + 1, 2**127 - 1) | st.booleans() | st.none())
def test_a_whole_number_literal_is_that_number(value: int | bool | None, database: duckdb.DuckDBPyConnection) -> None:
    assert database.execute(f"select {literal(value)}").fetchone() == (value,)


@given(value=st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**20), max_value=10**20))
def test_a_decimal_literal_is_that_number(value: Decimal, database: duckdb.DuckDBPyConnection) -> None:
    row = database.execute(f"select cast({literal(value)} as decimal(38, 6))").fetchone()
    assert row == (value,)


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_a_floating_literal_is_that_number(value: float, database: duckdb.DuckDBPyConnection) -> None:
    row = database.execute(f"select cast({literal(value)} as double)").fetchone()
    assert row == (value,)


@given(values=st.lists(TEXT, min_size=1))
def test_a_list_literal_is_that_list(values: list[str], database: duckdb.DuckDBPyConnection) -> None:
    assert database.execute(f"select {literal(values)}").fetchone() == (values,)


@given(values=st.dictionaries(st.from_regex(r"cell_[0-9]+", fullmatch=True), TEXT, min_size=1))
def test_a_mapping_literal_is_that_mapping(values: dict[str, str], database: duckdb.DuckDBPyConnection) -> None:
    assert database.execute(f"select {literal(values)}").fetchone() == (values,)


@pytest.mark.parametrize("name", ["nul \0 inside", "", "half \ud800 surrogate"])
def test_a_name_that_no_quoting_can_carry_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        ident(name)


@pytest.mark.parametrize(
    "value", ["nul \0 inside", "half \ud800 surrogate", Decimal("NaN"), Decimal("-Infinity"), range(3), b"x"], ids=repr
)
def test_a_value_that_no_literal_can_carry_is_refused(value: object) -> None:
    with pytest.raises(UsageError):
        literal(value)


@pytest.mark.parametrize("text", HOSTILE, ids=repr)
def test_hostile_text_stays_data_in_a_run(text: str, tmp_path: Path) -> None:
    """The same text as column, value, label, cell and missing token, in a folder that is no better.

    The cells that are kept say nothing of the quasi-identifier, which they would else give away.
    """
    folder = tmp_path / "it's [a] {{ folder }}; --"
    folder.mkdir()
    missing, numbered, kept = f"missing {text}", f"number {text}", f"kept {text}"
    lines = [{text: value, f"1 {text}": f"label {text}", f"2 {text}": "*"} for value in ("plain", text)]
    intervals = f"kind: intervals\nwidths: [10]\ntop: {_double_quoted(text)}\n"
    (folder / "numbers.yaml").write_text(intervals, encoding="utf-8")
    rows = [("plain", "plain"), (text, "plain"), (missing, missing), (text, text), ("plain", text)]
    hierarchies = {text: write_parquet(folder / "texts.parquet", lines), numbered: folder / "numbers.yaml"}
    anonymize(
        write_parquet(folder / "in.parquet", [{text: value, numbered: 1, kept: cell} for value, cell in rows]),
        folder / "out.parquet",
        job={"columns": {name: {"role": "quasi-identifier", "hierarchy": str(file)} for name, file in hierarchies.items()}},
        keep=[kept],
        k=4,
        missing=[missing],
        set={"missing.policy": "drop"},
        levels={text: 1, numbered: 2},
    )
    released = read_rows(folder / "out.parquet")
    assert Counter(row.pop(kept) for row in released) == {"plain": 2, text: 2}
    assert released == [{text: f"label {text}", numbered: text}] * 4


@pytest.mark.parametrize("policy", ["value", "drop"])
def test_rows_that_are_not_shuffled_come_as_they_came(policy: str, tmp_path: Path) -> None:
    """A join keeps the order of one side only, and the rule for missing values decides which side DuckDB takes."""
    towns = write_table(tmp_path / "towns.csv", [(f"town {number}", "*") for number in range(50)])
    anonymize(
        write_parquet(tmp_path / "in.parquet", [{"town": f"town {number % 50}", "number": number} for number in range(100)]),
        tmp_path / "out.parquet",
        qi=["town"],
        keep=["number"],
        hierarchies=[f"town={towns}"],
        levels={"town": 1},
        missing=["town 49"],
        set={"missing.policy": policy, "output.shuffle": False},
    )
    numbers = [number for number in range(100) if policy != "drop" or number % 50 != 49]
    assert [row["number"] for row in read_rows(tmp_path / "out.parquet")] == numbers


def _double_quoted(text: str) -> str:
    """A YAML scalar whose escapes say every character outside printable ASCII."""
    return '"' + "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else f"\\u{ord(c):04x}" for c in text) + '"'
