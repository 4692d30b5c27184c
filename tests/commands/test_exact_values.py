"""Values stay exact: read, counted and released as they are written."""

import csv
import json
import math
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import duckanon
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.values import read_values
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column
from tests.support import levels
from tests.support.command_line import Cli, refused
from tests.support.input_forms import written
from tests.support.rows import write_parquet

FLAT = "kind: flat\n"


def database(folder: Path, *statements: str) -> Path:
    """A DuckDB file that these statements make."""
    path = folder / "in.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


def released(cli: Cli, folder: Path, source: Path | str, *options: str, name: str = "out.csv") -> list[dict[str, Any]]:
    """The rows of a release, each cell as text, whose only quasi-identifier is `sex` where no other is named."""
    written(folder / "flat.yaml", FLAT.encode())
    flags = options if "--qi" in options else ("--qi", "sex", *options)
    column = flags[flags.index("--qi") + 1]
    cli("anonymize", source, "-o", name, "--hierarchies", f"{column}=flat.yaml", "--k", "2", "--overwrite", *flags, code=0)
    with duckdb.connect() as connection:
        read = f"read_csv('{folder / name}', all_varchar = true)" if name.endswith(".csv") else f"'{folder / name}'"
        cursor = connection.execute(f"select columns(*)::varchar from {read}")
        names = [column for column, *_ in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def k_of(cli: Cli, source: Path | str, column: str) -> int:
    """The k of a file as `duckanon check` measures it."""
    run = cli("check", source, "--qi", column, "--json", code=0)
    smallest: int = run.manifest["classes"]["smallest"]
    return smallest


COLLATED = [("F" if number % 2 else "f", ("HIV", "hiv", "hív")[number % 3]) for number in range(60)]
"""Rows that are alike without regard to case and accents."""


@pytest.mark.parametrize(("collation", "table"), levels.spread(["nocase", "noaccent", "nocase.noaccent"], ["people", "seen"]))
def test_a_collation_of_the_input_changes_no_value_and_no_count(cli: Cli, tmp_path: Path, collation: str, table: str) -> None:
    rows = ", ".join(str(row) for row in COLLATED)
    source = database(
        tmp_path,
        f"create table people(sex varchar collate {collation}, dx varchar collate {collation})",
        f"insert into people values {rows}",
        "create view seen as select sex, dx from people",
    )
    actual = released(cli, tmp_path, f"{source}::{table}", "--keep", "dx", "--levels", "sex=0")
    assert Counter((row["sex"], row["dx"]) for row in actual) == Counter(COLLATED)
    assert k_of(cli, f"{source}::{table}", "dx") == min(Counter(dx for _, dx in COLLATED).values())
    assert k_of(cli, tmp_path / "out.csv", "dx") == min(Counter(dx for _, dx in COLLATED).values())


@pytest.mark.parametrize("table", ["seen", "stored"])
def test_a_collation_inside_a_struct_or_a_list_hides_no_row_that_is_unique(cli: Cli, tmp_path: Path, table: str) -> None:
    """Each row is alone with its list; without regard to case there are two of each."""
    source = database(
        tmp_path,
        "create table people(sex varchar, code varchar collate nocase)",
        "insert into people select if(range % 2 = 0, 'F', 'M'), if(range < 30, 'a', 'A') || range % 30 from range(60)",
        "create view seen as select sex, {'x': [code]} as inside from people",
        "create table stored as select * from seen",
    )
    written(tmp_path / "flat.yaml", FLAT.encode())
    arguments = ("--qi", "sex", "--hierarchies", "sex=flat.yaml", "--k", "2", "--keep", "inside")
    run = cli("anonymize", f"{source}::{table}", "-o", "out.parquet", *arguments)
    assert "values that fewer than 2 rows have in retained 'inside' (100% of the rows)" in run.err


SPANS = ("1 month", "30 days", "720:00:00")
TIMES = ("10:00:00+01", "09:00:00+00", "11:30:00+02:30")


@pytest.mark.parametrize(("column", "type", "texts"), [("span", "interval", SPANS), ("opens", "time with time zone", TIMES)])
@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
@pytest.mark.parametrize("role", ["quasi-identifier", "sensitive", "retained"])
def test_intervals_and_times_with_a_zone_are_released_as_they_are_written(
    cli: Cli, tmp_path: Path, column: str, type: str, texts: tuple[str, ...], name: str, role: str
) -> None:
    rows = [("F" if number % 2 else "M", texts[number % 3]) for number in range(60)]
    values = ", ".join(f"('{sex}', cast('{text}' as {type}))" for sex, text in rows)
    source = database(tmp_path, f"create table people as select * from (values {values}) as rows(sex, {column})")
    options = {
        "quasi-identifier": ("--qi", column, "--keep", "sex", "--levels", f"{column}=0"),
        "sensitive": ("--levels", "sex=0", "--sensitive", column, "--require", f"distinct-l=3@{column}"),
        "retained": ("--levels", "sex=0", "--keep", column),
    }[role]
    actual = released(cli, tmp_path, f"{source}::people", *options, name=name)
    assert Counter((row["sex"], row[column]) for row in actual) == Counter(rows)
    assert k_of(cli, f"{source}::people", column) == min(Counter(text for _, text in rows).values())


def test_an_interval_of_a_parquet_file_is_counted_as_it_is_written(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    # a dictionary page of DuckDB's would hold one of the two
    duckdb.execute(
        "copy (select if(range % 2 = 0, 'F', 'M') as sex, if(range % 4 < 2, interval 1 month, interval 30 days) as span from range(40)) "
        f"to '{path}' (format parquet, dictionary_size_limit 0)"
    )
    assert k_of(cli, path, "span") == 20
    rows = released(cli, tmp_path, path, "--keep", "span", "--levels", "sex=0")
    assert Counter(row["span"] for row in rows) == {"1 month": 20, "30 days": 20}


def test_an_interval_inside_another_type_is_refused(cli: Cli, tmp_path: Path) -> None:
    source = database(tmp_path, "create table people as select 'F' as sex, [interval 1 month] as spans from range(9)")
    written(tmp_path / "flat.yaml", FLAT.encode())
    run = cli("anonymize", f"{source}::people", "--qi", "sex", "--hierarchies", "sex=flat.yaml", "--keep", "spans")
    refused(run, 2, "'spans'", "INTERVAL[]", "cast it to VARCHAR")


def test_a_view_of_a_database_is_read_once(cli: Cli, tmp_path: Path) -> None:
    """Each pass over this view would give other rows; its tables are called as relations of a run are."""
    source = database(
        tmp_path,
        "create table source as select range as number from range(400)",
        "create table population_file as select range as number from range(7)",
        "create view combinations as select number from source",
        "create view records as select if(random() < 0.5, 'F', 'M') as sex, (random() * 3)::integer::varchar as dx, now()::varchar "
        "as seen, (select count(*) from population_file) as people from combinations",
    )
    options = ("--keep", "seen,people", "--sensitive", "dx", "--require", "distinct-l=2@dx", "--levels", "sex=0")
    rows = released(cli, tmp_path, f"{source}::records", *options)
    assert len(rows) == 400
    assert {row["people"] for row in rows} == {"7"}
    assert len({row["seen"] for row in rows}) == 1


def test_a_relation_keeps_its_integers_and_its_intervals() -> None:
    """Parquet, as DuckDB writes it, holds a HUGEINT as a DOUBLE, and one of two intervals that DuckDB takes for equal."""
    relation = duckdb.sql(
        "select if(range % 2 = 0, 'F', 'M') as sex, 100000000000000000000::hugeint + range % 4 as id, "
        "if(range % 4 < 2, interval 1 month, interval 30 days) as span from range(40)"
    )
    checked = duckanon.check(relation, qi=["id"])
    assert checked["classes"]["smallest"] == 10
    assert duckanon.check(relation, qi=["span"])["classes"]["smallest"] == 20


def number_of(text: str) -> Decimal | None:
    """The number that a text is, None for a mark of a missing value."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return None if number.is_nan() else number


def ordered_t(rows: Sequence[tuple[str, str]]) -> Fraction:
    """The greatest ordered distance of a class from the table: values in the order of their numbers, marks last, one step apart.

    Li, Li, Venkatasubramanian (ICDE 2007), formula 3, by definition.
    """
    values = sorted({value for _, value in rows}, key=lambda text: (number_of(text) is None, number_of(text) or 0, text))
    whole = Counter(value for _, value in rows)
    worst = Fraction(0)
    for sex in {sex for sex, _ in rows}:
        part = Counter(value for group, value in rows if group == sex)
        moved = Fraction(0)
        carried = Fraction(0)
        for value in values[:-1]:
            carried += Fraction(part[value], part.total()) - Fraction(whole[value], whole.total())
            moved += abs(carried)
        worst = max(worst, moved / (len(values) - 1))
    return worst


def csv_of(folder: Path, rows: Sequence[tuple[str, str]], name: str = "in.csv") -> Path:
    return written(folder / name, ("sex,pay\n" + "".join(f"{sex},{pay}\n" for sex, pay in rows)).encode())


WAGES = [
    (
        "FM"[number % 2],
        ("900", "1e3", "95", "10500", "2000", "1000.0", "NA", "-3", "12.50")[number // 2 % (9 if number % 2 else 4)],
    )
    for number in range(360)
]


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_an_ordered_distance_of_numbers_in_text_is_that_of_numbers(cli: Cli, tmp_path: Path, kind: str) -> None:
    source = csv_of(tmp_path, WAGES)
    if kind != "csv":
        table = pa.table({"sex": [sex for sex, _ in WAGES], "pay": [pay for _, pay in WAGES]})
        if kind == "parquet":
            pq.write_table(table, source := tmp_path / "in.parquet")
        else:
            source = written(tmp_path / "in.jsonl", "".join(json.dumps(row) + "\n" for row in table.to_pylist()).encode())
    expected = ordered_t(WAGES)
    run = cli("check", source, "--qi", "sex", "--sensitive", "pay", "--json")
    [measured] = [
        entry for entry in run.manifest["privacy"] if entry["model"] == "t-closeness" and entry["distance"] == "ordered"
    ]
    assert measured["achieved"] == pytest.approx(float(expected), abs=1e-9)
    written(tmp_path / "flat.yaml", FLAT.encode())
    arguments = ["--qi sex --hierarchies sex=flat.yaml --sensitive pay --levels sex=0 --k 2 --json"]
    held, failed = (
        cli("anonymize", source, "-o", "out.csv", "--require", f"t-ordered={bound}@pay", "--overwrite", *arguments)
        for bound in (f"{float(expected) + 0.001:.6f}", f"{float(expected) - 0.001:.6f}")
    )
    assert held.code == 0, held.err
    assert failed.code == 1
    assert Counter(line for line in (tmp_path / "out.csv").read_text().splitlines()[1:]) == Counter(map(",".join, WAGES))


DIGITS = st.integers(1, 40).flatmap(lambda digits: st.integers(-(10**digits), 10**digits))
NUMBERS = st.one_of(
    DIGITS.map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.tuples(DIGITS, st.integers(-30, 30)).map(lambda pair: f"{pair[0]}e{pair[1]:03d}"),
    st.tuples(DIGITS, st.integers(0, 40)).map(lambda pair: f"{Decimal(pair[0]).scaleb(-pair[1]):f}"),
)


@given(st.lists(NUMBERS, min_size=2, max_size=30, unique=True))
def test_any_number_of_digits_has_its_place_in_the_order(texts: list[str]) -> None:
    """Python's Decimal says the order; texts of one number follow each other by their text."""
    with DuckDBEngine() as engine:
        columns = ", ".join(f"('{text}')" for text in texts)
        engine._run(f"create table records as select * from (values {columns}) as rows(cell)")
        read_values(engine, [Column("cell", "VARCHAR")], MissingRule())
        rows = [text for (text,) in engine._run("select text from values_cell order by code").fetchall()]
    with localcontext() as context:
        context.prec = 400
        assert rows == sorted(texts, key=lambda text: (Decimal(text), text))


@pytest.mark.parametrize(
    "texts",
    [("1,234", "999", "12,500"), ("1,5", "12,5", "9,5"), ("007", "10", "9"), ("<10", "10-20", "100-200"), ("9", "10", "n.k.")],
    ids=["thousands", "decimal comma", "leading zeros", "ranges", "a word"],
)
def test_an_ordered_distance_of_number_like_text_is_refused(cli: Cli, tmp_path: Path, texts: Sequence[str]) -> None:
    rows = [("F" if number % 2 else "M", f'"{texts[number % 3]}"') for number in range(60)]
    csv_of(tmp_path, rows)
    written(tmp_path / "flat.yaml", FLAT.encode())
    arguments = ["--qi sex --hierarchies sex=flat.yaml --sensitive pay --require t-ordered=0.5@pay --k 2"]
    refused(cli("anonymize", "in.csv", "-o", "out.csv", *arguments), 2, "'pay'", "order: [...]")
    refused(cli("check", "in.csv", "--qi", "sex", "--sensitive", "pay", "--require", "t-ordered=0.5@pay"), 2, "'pay'")
    measured = cli("check", "in.csv", "--qi", "sex", "--sensitive", "pay", "--json").manifest["privacy"]
    assert not [entry for entry in measured if entry.get("distance") == "ordered"]
    order = ", ".join(f'"{text}"' for text in texts)
    written(tmp_path / "job.yaml", f"columns: {{pay: {{role: sensitive, order: [{order}]}}}}\n".encode())
    cli("anonymize", "in.csv", "-o", "out.csv", "--job", "job.yaml", *arguments[:4], *arguments[6:], code=0)


@pytest.mark.parametrize(
    "texts", [("low", "middle", "high"), ("2020-01", "2021-12", "2019-05"), ("101", "102", "999"), ("08:30", "12:00", "23:15")]
)
def test_an_ordered_distance_of_text_in_its_own_order_is_measured(cli: Cli, tmp_path: Path, texts: Sequence[str]) -> None:
    csv_of(tmp_path, [("F" if number % 2 else "M", texts[number % 3]) for number in range(60)])
    cli("check", "in.csv", "--qi", "sex", "--sensitive", "pay", "--require", "t-ordered=0.5@pay", "--json", code=0)


def test_a_column_of_numbers_that_stays_text_is_named_once(cli: Cli, tmp_path: Path) -> None:
    lines = [
        f"{'FM'[number % 2]},{number},{number / 8},0.{number % 7}0,{'NA' if number == 7 else number},{number if number - 9 else 'x'},00{number}"
        for number in range(60)
    ]
    written(tmp_path / "in.csv", ("sex,whole,float,places,marks,word,code\n" + "\n".join(lines) + "\n").encode())
    run = cli("check", "in.csv", "--qi", "sex")
    [numbers] = [line for line in run.err.splitlines() if "text that is all numbers" in line]
    assert numbers.startswith("marks:"), run.err
    [words] = [line for line in run.err.splitlines() if "these cells are not numbers" in line]
    assert words.startswith("word (1 cell):"), run.err
    assert "60" not in run.err.replace("60 rows", "")


def jsonl(folder: Path, cells: Sequence[str], name: str = "in.jsonl") -> Path:
    """A JSON file of records with these cells, each as JSON writes it."""
    lines = [f'{{"sex": "{"FM"[number % 2]}", "cell": {cell}}}' for number, cell in enumerate(cells)]
    text = "\n".join(lines) + "\n" if name.endswith("l") else f"[{','.join(lines)}]"
    return written(folder / name, text.encode())


@pytest.mark.parametrize(
    ("cells", "name"),
    levels.spread(
        [
            [str(12345678901234567000 + number) for number in range(20)],
            [str(10**40 + number) for number in range(20)],
            [str(-(10**39) - number) for number in range(20)],
            ["9007199254740993", "9007199254740992", "0.25", "0.5"],
            ["340282366920938463463374607431768211455", "1", "0.25"],
            [str(10**25), str(10**25 + 1), '"abc"', "1.5", "true", "-3"],
            ['"1e-04"', '"0.10"', '"NA"'],
        ],
        ["in.jsonl", "in.json"],
    ),
)
def test_json_numbers_keep_their_digits(cli: Cli, tmp_path: Path, name: str, cells: list[str]) -> None:
    cells = [cell for cell in cells for _ in range(2)]
    source = jsonl(tmp_path, cells, name)
    expected = Counter(cell.strip('"') for cell in cells)
    rows = released(cli, tmp_path, source, "--keep", "cell", "--levels", "sex=0")
    assert Counter(row["cell"] for row in rows) == expected
    assert k_of(cli, source, "cell") == k_of(cli, tmp_path / "out.csv", "cell") == min(expected.values()) == 2
    with duckdb.connect() as connection:
        described = connection.execute(
            f"select count(distinct cell) from read_csv('{tmp_path / 'out.csv'}', all_varchar = true)"
        )
        assert described.fetchall() == [(len(expected),)]


@pytest.mark.parametrize(
    "cell", ["0.12345678901234567890", "9007199254740994.5", "12345678901234567890e1", "[0.5, 9007199254740993]"]
)
def test_a_json_number_that_would_be_rounded_is_refused(cli: Cli, tmp_path: Path, cell: str) -> None:
    jsonl(tmp_path, [cell, "[1.5]" if cell.startswith("[") else "1.5"])
    refused(cli("check", "in.jsonl", "--qi", "sex"), 3, "write", "as text")


def test_digits_inside_of_json_text_are_no_number(cli: Cli, tmp_path: Path) -> None:
    jsonl(tmp_path, ['"see \\"0.12345678901234567890\\""', '"b"'])
    assert cli("check", "in.jsonl", "--qi", "sex").code == 0


def test_json_decimals_and_not_a_number_are_doubles(cli: Cli, tmp_path: Path) -> None:
    """JSON has no whole number beside a decimal one: 2 is 2.0."""
    source = jsonl(tmp_path, ["2", "0.5", "NaN", "-Infinity", "1e-04"] * 2)
    released(cli, tmp_path, source, "--keep", "cell", "--levels", "sex=0", name="out.parquet")
    [(type,)] = duckdb.execute(f"select distinct typeof(cell) from '{tmp_path / 'out.parquet'}'").fetchall()
    assert type == "DOUBLE"


def test_huge_integers_come_back_from_a_csv_release(cli: Cli, tmp_path: Path) -> None:
    source = database(
        tmp_path,
        "create table people as select if(range % 2 = 0, 'F', 'M') as sex, '12345678901234567890123456789'::hugeint + range % 20 as huge, "
        "'12345678901234567890123456789'::uhugeint + (range % 20)::uhugeint as unsigned, "
        "(range % 20)::decimal(38, 10) / 7 as part, (range % 20 / 7)::float as real from range(80)",
    )
    rows = released(cli, tmp_path, f"{source}::people", "--keep", "huge,unsigned,part,real", "--levels", "sex=0")
    for column in ("huge", "unsigned", "part", "real"):
        expected = duckdb.connect(str(source), read_only=True).execute(
            f"select {column}::varchar, count(*) from people group by 1"
        )
        assert Counter(row[column] for row in rows) == Counter(dict(expected.fetchall()))
        assert k_of(cli, tmp_path / "out.csv", column) == k_of(cli, f"{source}::people", column) == 4


AGES = [*(str(number % 60 + 18) for number in range(300)), *["NA"] * 5, *["1e1"] * 3, *["18.50"] * 4]
"""Ages that no type of numbers prints as they are written."""
SEXES = ["FM"[number // 60 % 2] for number in range(len(AGES))]
"""Both sexes at each age, so that none discloses the other."""


def ages(folder: Path) -> Path:
    lines = [f"{sex},{age}\n" for sex, age in zip(SEXES, AGES, strict=True)]
    return written(folder / "in.csv", "".join(["sex,age\n", *lines]).encode())


def test_numbers_in_text_are_suggested_intervals_which_leave_marks_as_they_are(cli: Cli, tmp_path: Path) -> None:
    ages(tmp_path)
    cli("anonymize", "in.csv", "-o", "out.csv", "--qi", "age", "--keep", "sex", "--levels", "age=1", "--k", "2", code=0)
    labels = Counter(row["age"] for row in csv.DictReader((tmp_path / "out.csv").read_text().splitlines()))
    assert labels["NA"] == 5
    numbers = [number for age in AGES if (number := number_of(age)) is not None]
    for label, rows in labels.items():
        if label == "NA":
            continue
        low, high = [Decimal(end) for end in (label.strip("[)<>=").split(", ") * 2)[:2]]
        within = [
            number
            for number in numbers
            if (label.startswith("<") or low <= number) and (label.startswith(">=") or number < high)
        ]
        assert rows == len(within), label


def test_mondrian_cuts_numbers_in_text_as_numbers(cli: Cli, tmp_path: Path) -> None:
    ages(tmp_path)
    arguments = ("--qi", "age", "--keep", "sex", "--algorithm", "mondrian", "--k", "20", "--json")
    cli("anonymize", "in.csv", "-o", "out.parquet", *arguments, code=0)
    cli("apply", "out.parquet.manifest.json", "in.csv", "-o", "again.parquet", code=0)
    read = "select age, count(*) from '{}' group by age"
    rows, repeated = (
        dict(duckdb.execute(read.format(tmp_path / name)).fetchall()) for name in ("out.parquet", "again.parquet")
    )
    assert rows == repeated
    assert min(rows.values()) >= 20
    ranges = [label.strip("[]<>= ").split(", ") for label in rows if label != "*"]
    assert len(ranges) > 3
    assert all(Decimal(entry[0]) <= Decimal(entry[-1]) for entry in ranges), ranges


def test_the_mean_of_numbers_in_text_is_that_of_the_numbers(cli: Cli, tmp_path: Path) -> None:
    ages(tmp_path)
    released(cli, tmp_path, "in.csv", "--keep", "age", "--levels", "sex=0", "--microaggregate", "age=mean")
    actual = {tuple(line.split(",")) for line in (tmp_path / "out.csv").read_text().splitlines()[1:]}
    for sex in "FM":
        numbers = [float(age) for other, age in zip(SEXES, AGES, strict=True) if other == sex and age != "NA"]
        [mean] = [float(age) for group, age in actual if group == sex]
        assert mean == pytest.approx(sum(numbers) / len(numbers))


def test_a_row_far_out_is_seen_in_numbers_that_are_text(cli: Cli, tmp_path: Path) -> None:
    rows = [("FM"[number % 2], f"{number % 50 + 1000}.5" if number % 3 else f"{number % 50}") for number in range(200)]
    csv_of(tmp_path, [*rows, ("F", "9000000"), ("M", "2")])
    written(tmp_path / "flat.yaml", FLAT.encode())
    arguments = ("--qi", "sex", "--hierarchies", "sex=flat.yaml", "--keep", "pay", "--k", "2")
    assert "outliers in retained 'pay' (above)" in cli("anonymize", "in.csv", "-o", "out.csv", *arguments).err


@pytest.mark.parametrize("code", [float("nan"), -9], ids=["NaN", "-9"])
def test_codes_of_missing_values_are_codes_in_the_population_too(code: float, cli: Cli, tmp_path: Path) -> None:
    rows = [
        {"x": value, "ill": "ab"[number % 2]}
        for number, value in enumerate([1.0] * 60 + [2.0] * 60 + [code] * 50 + [None] * 10)
    ]
    write_parquet(tmp_path / "in.parquet", rows)
    write_parquet(tmp_path / "population.parquet", [{"x": row["x"]} for row in rows * 2])
    options = ["--k", "2", "--require", "k-map=3", "--population", "population.parquet", "--levels", "x=0", "--json"]
    codes = [] if math.isnan(code) else ["--set", 'missing.columns={"x": ["-9.0"]}']
    run = cli("anonymize", "in.parquet", "--qi", "x", "--sensitive", "ill", *options, *codes, "-o", "out.parquet", code=0)
    assert [model["achieved"] for model in run.manifest["privacy"] if model["model"] == "k-map"] == [120]


def test_a_population_may_write_its_numbers_in_another_way(cli: Cli, tmp_path: Path) -> None:
    """The input has one number with a point, so that its column is text; the population has whole numbers alone."""
    csv_of(tmp_path, [("FM"[number % 2], str(number % 4) if number else "0.5") for number in range(40)])
    people = [("FM"[number % 2], str(number % 4)) for number in range(400)]
    csv_of(tmp_path, people, "all.csv")
    cli("check", "in.csv", "--qi", "pay", "--population", "all.csv", "--require", "k-map=100", "--json", code=1)
    csv_of(tmp_path, [*people, *[("F", "0.5")] * 100], "all.csv")
    cli("check", "in.csv", "--qi", "pay", "--population", "all.csv", "--require", "k-map=100", "--json", code=0)


def test_a_hierarchy_table_lists_numbers_as_the_file_writes_them(cli: Cli, tmp_path: Path) -> None:
    texts = ["0.10", "0.20", "1", "1e-04", "NA"]
    csv_of(tmp_path, [("F", texts[number % 5]) for number in range(50)])
    written(
        tmp_path / "pay.csv",
        "".join(f"{text};{'low' if number < 2 else 'other'};*\n" for number, text in enumerate(texts)).encode(),
    )
    arguments = ("--qi", "pay", "--hierarchies", "pay=pay.csv", "--levels", "pay=1", "--k", "2")
    cli("anonymize", "in.csv", "-o", "out.csv", *arguments, code=0)
    assert Counter((tmp_path / "out.csv").read_text().splitlines()[1:]) == {"low": 20, "other": 30}


@pytest.mark.parametrize(
    ("type", "absent", "count"),
    [("double", "null", 10), ("double", "'inf'::double", 10), ("float", "'-inf'::double", 10), ("double", "1.5", 0)],
)
def test_rows_without_a_finite_value_show_the_mean_with_a_warning(
    cli: Cli, tmp_path: Path, type: str, absent: str, count: int
) -> None:
    """A weight of 1.5 that ten of thirty rows lack: the sum of the released weights is 45 in place of 30."""
    select = f"select 20 + i % 2 as age, cast(case when i % 3 = 0 then {absent} else 1.5 end as {type}) as weight from range(30) as r(i)"
    source = tmp_path / "in.parquet"
    duckdb.execute(f"copy ({select}) to '{source}'")
    options = ("--qi", "age", "--keep", "weight", "--microaggregate", "weight=mean", "-o", "out.parquet")
    run = cli("anonymize", source, *options, code=0)
    assert duckdb.execute(f"select sum(weight) from '{tmp_path / 'out.parquet'}'").fetchall() == [(45.0,)]
    warned = [line for line in run.err.splitlines() if line.startswith("warning: ") and "sums" in line]
    assert [("'weight'" in line, f" {count} rows" in line) for line in warned] == [(True, True)] * bool(count)
