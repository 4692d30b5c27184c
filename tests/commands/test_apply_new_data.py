"""A saved recoding on data of another size, type or order: each release satisfies k by count, and its labels cover the values."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from duckanon.errors import Infeasible, InputError
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from tests.support import levels
from tests.support.command_line import Cli, refused
from tests.support.rows import multiset, write_table
from tests.support.runs import anonymize, apply

QI = ["age", "town", "sex"]
K = 5
TOWNS = {"Bonn": "west", "Koeln": "west", "Jena": "east", "Gera": "east"}
ALGORITHMS = ["mondrian", "local", "optimal", "samarati", "bidirectional", "greedy", "balanced", "levels"]
OTHERS = ALGORITHMS[3:]
"""Searches whose recoding is applied by the same code as that of `optimal`."""

PEOPLE = """(
    select
        20 + (hash(i) % 40)::int as age,
        ['Bonn', 'Koeln', 'Jena', 'Gera'][1 + (hash(i + 7) % 4)::int] as town,
        case when hash(i + 9) % 2 = 0 then 'm' else 'f' end as sex,
        'ill' || (hash(i + 11) % 4) as ill,
        i
    from range({first}, {last}) as numbers(i)
)"""


def people(first: int, last: int) -> str:
    return PEOPLE.format(first=first, last=last)


FIRST = f"select * exclude (i) from {people(0, 240)}"
SPARSE = f"""
    select if(i % 25 = 0, null, age) as age, if(i % 25 = 1, null, town) as town, sex, ill
    from {people(0, 240)}
"""
DATA = {
    "the same": FIRST,
    "nulls": SPARSE,
    "more": f"select * exclude (i) from {people(300, 900)}",
    "fewer": f"select * exclude (i) from {people(300, 340)}",
    "one row": f"select * exclude (i) from {people(300, 301)}",
    "another order": f"select ill, sex, town, age from {people(0, 240)}",
    "no town": f"select age, null::varchar as town, sex, ill from {people(300, 600)}",
    "no age": f"select null::int as age, town, sex, ill from {people(300, 600)}",
    "no age and no type": f"select null as age, town, sex, ill from {people(300, 600)}",
    "bigint": f"select age::bigint as age, town, sex, ill from {people(300, 600)}",
    "fractions": f"select age + (i % 4) / 4 as age, town, sex, ill from {people(300, 600)}",
    "decimals": f"select (age + (i % 4) / 4)::decimal(9, 2) as age, town, sex, ill from {people(300, 600)}",
    "not a number": f"select if(i % 30 = 0, 'nan'::double, age) as age, town, sex, ill from {people(300, 600)}",
    "text": f"select age::varchar as age, town, sex, ill from {people(300, 600)}",
    "a word": f"select if(i % 30 = 0, 'old', age::varchar) as age, town, sex, ill from {people(300, 600)}",
    "another town": f"select age, if(i % 10 = 0, 'Rom', town) as town, sex, ill from {people(300, 600)}",
    "a town in numbers": f"select age, age as town, sex, ill from {people(300, 600)}",
    "another sex": f"select age, town, if(i % 10 = 0, 'x', sex) as sex, ill from {people(300, 600)}",
    "other ages": f"select age + if(i % 10 = 0, 200, 0) as age, town, sex, ill from {people(300, 600)}",
    "another illness": f"select age, town, sex, 1 as ill from {people(300, 600)}",
}

Maker = Callable[[str, str, str], Path]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    """Make the release of an algorithm under a policy once for all tests; give its manifest."""
    folder = tmp_path_factory.mktemp("releases")
    write_table(folder / "town.csv", [(town, side, "*") for town, side in TOWNS.items()])

    def release(algorithm: str, policy: str, data: str) -> Path:
        manifest = folder / f"{algorithm}-{policy}-{data}.parquet.manifest.json"
        if not manifest.exists():
            source = written(folder, data)
            chosen: dict[str, Any] = {"levels": {"age": 2, "town": 1}} if algorithm == "levels" else {"algorithm": algorithm}
            options = Options(
                qi=QI,
                sensitive=["ill"],
                k=K,
                hierarchies=[f"town={folder / 'town.csv'}"],
                set={"missing.policy": policy},
                max_suppression="30%",
                **chosen,
            )
            columns = {"age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10, 20]}}}
            anonymize(
                source,
                manifest.with_name(manifest.name.removesuffix(".manifest.json")),
                job={"columns": columns},
                options=options,
            )
        return manifest

    return release


def written(folder: Path, data: str) -> Path:
    path = folder / f"{data}.parquet"
    duckdb.execute(f"copy ({DATA[data]}) to '{path}' (format parquet)")
    return path


def stands_for(label: str | None, value: Any) -> bool:
    """Whether a label of the release stands for a value of the data, by plain Python."""
    if label is None or label == "*" or value is None:
        return label == "*" or value is None
    if label in TOWNS.values():
        return TOWNS.get(str(value)) == label
    try:
        number = float(value)
        if match := re.fullmatch(r"\[(.+), (.+)(\]|\))", label):
            return float(match[1]) <= number and (number < float(match[2]) or (number == float(match[2]) and match[3] == "]"))
        if match := re.fullmatch(r"(<|<=|>|>=) (.+)", label):
            end = float(match[2])
            return {"<": number < end, "<=": number <= end, ">": number > end, ">=": number >= end}[match[1]]
        return number == float(label)
    except ValueError:
        return str(value) == label


def counted(source: Path, output: Path) -> int:
    """Count the released rows by raw SQL; assert that every class has k, and no more rows than its labels stand for."""
    listed = ", ".join(QI)
    classes = duckdb.execute(f"select {listed}, count(*) from '{output}' group by all").fetchall()
    # NaN is a missing value
    rows = Counter(
        tuple(None if value != value else value for value in row)
        for row in duckdb.execute(f"select {listed} from '{source}'").fetchall()
    )
    for *labels, released in classes:
        assert released >= K
        below = sum(
            count
            for values, count in rows.items()
            if all(
                stands_for(None if label is None else str(label), value) for label, value in zip(labels, values, strict=True)
            )
        )
        assert released <= below, (labels, released, below)
    return sum(released for *_, released in classes)


def outcome(manifest: Path, source: Path, output: Path) -> tuple[dict[str, Any], str]:
    """The document of a run, and the error where it made no release."""
    try:
        return apply(manifest, source, output, max_suppression="100%"), ""
    except (Infeasible, InputError) as error:
        return getattr(error, "manifest", None) or {}, str(error)


def check_applied(manifest: Path, source: Path, output: Path) -> dict[str, Any]:
    """Apply, and compare what the document says with the rows of the file; a run without a release says why."""
    result, failure = outcome(manifest, source, output)
    if failure:
        assert not output.exists()
        assert "\n" not in failure
        return result
    [(read,)] = duckdb.execute(f"select count(*) from '{source}'").fetchall()
    rows, drift = result["rows"], result["drift"]
    assert rows["read"] == read
    assert rows["released"] == counted(source, output)
    assert rows["suppressed"] == drift["rows_outside"] + drift["rows_below"]
    assert read == rows["released"] + rows["suppressed"] + rows["missing"]
    return result


OTHER_DATA = [entry for entry in DATA if entry != "the same"]


@pytest.mark.parametrize(("algorithm", "data"), levels.spread(ALGORITHMS[:3], OTHER_DATA))
def test_other_data(tmp_path: Path, made: Maker, algorithm: str, data: str) -> None:
    """Each algorithm, on each kind of data: a release that holds, or one line and what drifted."""
    check_other_data(tmp_path, made, algorithm, data)


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "data"), levels.spread(OTHERS, ["fewer", "text", "another town", "no age", "decimals"]))
def test_other_data_of_other_searches(tmp_path: Path, made: Maker, algorithm: str, data: str) -> None:
    check_other_data(tmp_path, made, algorithm, data)


def check_other_data(tmp_path: Path, made: Maker, algorithm: str, data: str) -> None:
    source = written(tmp_path, data)
    result = check_applied(made(algorithm, "value", "the same"), source, tmp_path / "out.parquet")
    drift = result["drift"] if result else {}
    if data in ("more", "another order", "bigint", "other ages", "text"):
        assert result["status"] == "released"
    if data == "another order":
        assert drift["rows_outside"] == 0
        assert result["rows"]["released"] == counted(
            source, made(algorithm, "value", "the same").with_suffix("").with_suffix("")
        )
    if data == "another town":
        assert drift["new_values"]["town"] == {"values": 1, "rows": 30}
        assert drift["rows_outside"] >= 30
    if data == "one row":
        assert result["status"] == "infeasible"


@pytest.mark.parametrize(
    ("algorithm", "first", "policy"),
    levels.spread(["mondrian", "local", "optimal"], ["the same", "nulls"], ["top", "drop", "value"], turns=2),
)
def test_missing_values(tmp_path: Path, made: Maker, algorithm: str, first: str, policy: str) -> None:
    manifest = made(algorithm, policy, first)
    for data in ("nulls", "no town", "no age and no type"):
        source = written(tmp_path, data)
        result = check_applied(manifest, source, tmp_path / f"{data}.out.parquet")
        if data == "nulls":
            assert result["status"] == "released"
            assert result["rows"]["missing"] == (20 if policy == "drop" else 0)
            assert first == "the same" or result["drift"]["rows_outside"] == 0


@pytest.mark.parametrize("algorithm", ["mondrian", "local", "optimal"])
def test_an_empty_file_is_refused(tmp_path: Path, cli: Cli, made: Maker, algorithm: str) -> None:
    duckdb.execute(f"copy (select * from ({FIRST}) limit 0) to '{tmp_path / 'empty.parquet'}' (format parquet)")
    (tmp_path / "empty.csv").write_text("age,town,sex,ill\n")
    for name in ("empty.parquet", "empty.csv"):
        refused(cli("apply", made(algorithm, "value", "the same"), name, "-o", "out.parquet"), 3, "has no rows", narrates=True)


def test_a_value_above_a_cut_between_whole_numbers_stays_above_it(tmp_path: Path) -> None:
    """Cuts at `25.5` on data of whole numbers: a cast of the cut to their type would give 26."""
    duckdb.execute(
        f"copy (select 20 + i % 12 + 0.5 as age from range(240) t(i)) to '{tmp_path / 'in.parquet'}' (format parquet)"
    )
    duckdb.execute(f"copy (select 20 + i % 12 as age from range(480) t(i)) to '{tmp_path / 'new.parquet'}' (format parquet)")
    options = Options(qi=["age"], k=30, algorithm="mondrian")
    anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", options=options, run=Run())
    result = apply(
        tmp_path / "out.parquet.manifest.json", tmp_path / "new.parquet", tmp_path / "new.out.parquet", max_suppression="100%"
    )
    classes = duckdb.execute(f"select age, count(*) from '{tmp_path / 'new.out.parquet'}' group by all").fetchall()
    ages = Counter(20 + number % 12 for number in range(480))
    for label, released in classes:
        assert released == sum(count for age, count in ages.items() if stands_for(label, age)), classes
    assert result["drift"]["rows_outside"] == 480 - sum(released for _, released in classes) > 0


@pytest.mark.parametrize(
    ("first", "new"),
    [
        ("date", "timestamp"),
        ("timestamp", "date"),
        ("timestamp", "varchar"),
        ("date", "varchar"),
        ("timestamp", "timestamp_ns"),
    ],
)
def test_dates_and_times_are_compared_as_what_holds_both(tmp_path: Path, first: str, new: str) -> None:
    """Partitions of half days and whole ones: each class has the rows whose time lies in its range."""

    def saved(name: str, type: str, hour: int, rows: int) -> Path:
        times = (
            f"select (timestamp '2020-01-01' + interval (24 * (i % 16) + {hour}) hour)::{type} as born from range({rows}) t(i)"
        )
        duckdb.execute(f"copy ({times}) to '{tmp_path / name}' (format parquet)")
        return tmp_path / name

    source, other = saved("in.parquet", first, 12, 480), saved("new.parquet", new, 0, 960)
    options = Options(qi=["born"], k=50, algorithm="mondrian")
    anonymize(source, tmp_path / "out.parquet", options=options, job={"recoding": {"show-extremes": True}})
    output = tmp_path / "new.out.parquet"
    result, _ = outcome(tmp_path / "out.parquet.manifest.json", other, output)
    ranges = "from (select born::varchar as label, count(*) as released from read_parquet(?) group by all)"
    ends = "regexp_extract_all(label, '[0-9][^],]*')"
    inside = f"born::timestamp between ({ends}[1])::timestamp and ({ends}[-1])::timestamp"
    [(wrong, released)] = duckdb.execute(
        f"select count(*) filter (released > (select count(*) from read_parquet(?) where {inside})), sum(released) {ranges}",
        [str(other), str(output)],
    ).fetchall()
    assert wrong == 0
    assert result["rows"]["released"] == released > 0
    assert result["drift"]["rows_outside"] > 0 or new in ("varchar", "timestamp_ns") or first == "date"


def test_rows_beyond_the_ranges_are_counted_in_the_error_and_the_summary(tmp_path: Path, cli: Cli) -> None:
    for name, rows, shift in (("in", 240, 0), ("new", 240, 0.25), ("more", 480, 0.25)):
        ages = f"select 20 + i % 12 + if(i < 60, {shift}, 0) as age from range({rows}) t(i)"
        duckdb.execute(f"copy ({ages}) to '{tmp_path / name}.parquet' (format parquet)")
    options = ["--qi", "age", "--k", "20", "--algorithm", "mondrian", "-q"]
    assert cli("anonymize", "in.parquet", "-o", "out.parquet", *options).code == 0
    done = cli(
        "apply", "out.parquet.manifest.json", "new.parquet", "-o", "new.out.parquet", "--max-suppression", "60", "--json", "-q"
    )
    assert (done.code, done.manifest["rows"]["suppressed"]) == (1, 240)
    assert done.manifest["drift"]["rows_outside"] == 60
    assert "suppresses 240 of 240 rows, 60 of them for values that the recoding does not cover" in done.err
    summary = cli(
        "apply", "out.parquet.manifest.json", "more.parquet", "-o", "more.out.parquet", "--max-suppression", "60", code=0
    )
    assert "60 rows that the recoding does not cover" in summary.err + summary.out


def test_a_tree_without_the_type_of_its_cuts_is_read_as_version_0_1_compared_them(tmp_path: Path, cli: Cli) -> None:
    """It is refused where the column has no order now: the ends of its ranges cannot be compared."""
    duckdb.execute(f"copy (select 20 + i % 12 as age from range(240) t(i)) to '{tmp_path / 'in.parquet'}' (format parquet)")
    duckdb.execute(
        f"copy (select age::varchar as age from '{tmp_path / 'in.parquet'}') to '{tmp_path / 'text.parquet'}' (format parquet)"
    )
    assert cli("anonymize", "in.parquet", "-o", "out.parquet", "--qi", "age", "--algorithm", "mondrian", "-q").code == 0
    tree = tmp_path / "out.parquet.recoding" / "partitions.parquet"
    duckdb.execute(f"copy (select * exclude (_type_1) from '{tree}') to '{tmp_path / 'old.parquet'}' (format parquet)")
    (tmp_path / "job.yaml").write_text(
        "{columns: {age: {role: quasi-identifier, hierarchy: {kind: flat}}}, recoding: {algorithm: mondrian, partitions: old.parquet}}"
    )
    assert cli("anonymize", "in.parquet", "-o", "again.parquet", "--job", "job.yaml", "-q").code == 0
    assert multiset(tmp_path / "out.parquet") == multiset(tmp_path / "again.parquet")
    refused(
        cli("anonymize", "text.parquet", "-o", "third.parquet", "--job", "job.yaml"),
        2,
        "'age'",
        "give it the type of the first data",
    )
