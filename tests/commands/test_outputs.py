"""Output: the same rows in every format, a manifest beside them, and no foreign file replaced."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from duckanon.errors import JobError, OutputError
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from tests.support import levels
from tests.support.command_line import Cli, refused
from tests.support.demo import Demo
from tests.support.output_forms import ASKED, EXPECTED, KEPT, NAMES, ROWS, in_text, rows_in
from tests.support.rows import write_parquet, write_table
from tests.support.runs import anonymize
from tests.support.settings import options_of


def options(**more: Any) -> Options:
    """Age in classes of five years, the rest as it is."""
    given: dict[str, Any] = {
        "qi": ["age", "sex"],
        "hierarchies": ["adult/five-year"],
        "k": 2,
        "levels": {"age": 1, "sex": 0},
        "keep": ["city", "pay", "note"],
    }
    return options_of(**given | more)


FORMS: dict[str, Callable[[Path], str]] = {
    "out.parquet": lambda folder: f"read_parquet('{folder / 'out.parquet'}')",
    "out.pq": lambda folder: f"read_parquet('{folder / 'out.pq'}')",
    "out.csv": lambda folder: in_text(folder, "out.csv", ","),
    "out.tsv": lambda folder: in_text(folder, "out.tsv", "\t"),
    "out.csv.gz": lambda folder: in_text(folder, "out.csv.gz", ",", "gzip"),
    "out.csv.zst": lambda folder: in_text(folder, "out.csv.zst", ",", "zstd"),
    "out.tsv.gz": lambda folder: in_text(folder, "out.tsv.gz", "\t", "gzip"),
    "out.duckdb::people": lambda _: "released.main.people",
    'out.duckdb::odd " name': lambda _: 'released.main."odd "" name"',
}
"""How each output is read, without our code."""


def sha256(path: Path) -> str:
    """Of a file, or of the lines `SHA-256  relative/path` of a folder's files."""
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    files = {file.relative_to(path).as_posix(): sha256(file) for file in path.rglob("*") if file.is_file()}
    return hashlib.sha256("".join(f"{files[name]}  {name}\n" for name in sorted(files)).encode()).hexdigest()


def manifest_of(path: Path) -> dict[str, Any]:
    """The manifest beside an output."""
    document: dict[str, Any] = json.loads(path.with_name(f"{path.name}.manifest.json").read_text(encoding="utf-8"))
    return document


@pytest.fixture
def people(tmp_path: Path) -> Path:
    return write_parquet(tmp_path / "people.parquet", ROWS)


@pytest.mark.parametrize("name", FORMS)
def test_every_form_holds_the_same_rows_and_a_manifest_with_its_hash(tmp_path: Path, people: Path, name: str) -> None:
    document = anonymize(people, f"{tmp_path}/{name}", options=options())
    file, mark, _ = name.partition("::")
    assert rows_in(FORMS[name](tmp_path), tmp_path / file if mark else None) == EXPECTED
    assert document["output"] == {"path": f"{tmp_path}/{name}", "sha256": sha256(tmp_path / file)}
    assert manifest_of(tmp_path / file)["output"] == document["output"]
    assert {path.name for path in tmp_path.iterdir()} == {"people.parquet", file, f"{file}.manifest.json", f"{file}.recoding"}
    saved = tmp_path / f"{file}.recoding"
    assert saved.stat().st_mode & 0o777 == 0o700
    assert document["saved_recoding"]["sha256"] == sha256(saved)


@pytest.mark.slow
@pytest.mark.parametrize("keys", [["sex"], ["city"], ["sex", "city"], ["age"], ["note"], ["city", "sex"]])
def test_a_partitioned_folder_holds_the_same_rows_and_a_manifest_with_its_hash(
    tmp_path: Path, people: Path, keys: Sequence[str]
) -> None:
    document = anonymize(people, tmp_path / "out", options=options(partition_by=keys))
    relation = f"read_parquet('{tmp_path}/out/**/*.parquet', hive_partitioning = true, hive_types_autocast = false)"
    assert rows_in(f"(select * replace (cast(pay as double) as pay) from {relation})") == EXPECTED
    assert document["output"] == {"path": str(tmp_path / "out"), "sha256": sha256(tmp_path / "out")}
    assert manifest_of(tmp_path / "out")["output"] == document["output"]
    assert not list(tmp_path.glob(".*"))
    for file in (tmp_path / "out").rglob("*.parquet"):
        inside = duckdb.connect().execute("describe from read_parquet(?, hive_partitioning = false)", [str(file)]).fetchall()
        assert [name for name, *_ in inside] == [name for name in NAMES if name not in keys]


def test_a_partitioned_release_comes_in_again(tmp_path: Path, people: Path) -> None:
    """What we write, we read."""
    anonymize(people, tmp_path / "out", options=options(partition_by=["city"]))
    flat = tmp_path / "flat.yaml"
    flat.write_text("kind: flat\n")
    again = Options(qi=["sex"], hierarchies=[f"sex={flat}"], k=1, levels={"sex": 0}, keep=["age", "city", "pay", "note"])
    anonymize(tmp_path / "out", tmp_path / "again.parquet", options=again)
    assert rows_in(f"read_parquet('{tmp_path}/again.parquet')") == EXPECTED


def test_the_saved_recoding_of_a_replaced_release_is_for_its_owner_alone(tmp_path: Path, people: Path) -> None:
    for _ in range(2):
        anonymize(people, tmp_path / "out.parquet", options=options(), overwrite=True)
        (tmp_path / "out.parquet.recoding").chmod((tmp_path / "out.parquet.recoding").stat().st_mode)
    assert (tmp_path / "out.parquet.recoding").stat().st_mode & 0o777 == 0o700


def content(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder."""
    return {str(path): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def not_written(cli: Cli, folder: Path, code: int, *phrases: str, source: str = "people.parquet", more: Sequence[str]) -> None:
    """Refused in one line, with everything left as it was."""
    before = content(folder)
    run = cli("anonymize", source, *ASKED, *KEPT, *more, cwd=folder)
    refused(run, code, *phrases)
    assert len(run.err.splitlines()) == 1, run.err
    assert content(folder) == before


FORMATS = {
    "in.parquet": ("in.anonymized.parquet", "copy t to '{}'"),
    "in.csv": ("in.anonymized.csv", "copy t to '{}'"),
    "in.txt": ("in.anonymized.csv", "copy t to '{}' (format csv)"),
    "in.tsv": ("in.anonymized.tsv", "copy t to '{}' (format csv, delimiter '\t')"),
    "in.csv.gz": ("in.anonymized.csv.gz", "copy t to '{}'"),
    "in.csv.zst": ("in.anonymized.csv.zst", "copy t to '{}'"),
    "in.jsonl": ("in.anonymized.parquet", "copy t to '{}' (format json)"),
    "in.duckdb::t": ("t.anonymized.parquet", "attach '{}' as d; create table d.t as from t; detach d"),
}
"""By input: the release without -o, and how DuckDB makes the input."""


@pytest.mark.parametrize("source", FORMATS)
def test_a_release_has_the_format_of_the_input_unless_it_is_named(tmp_path: Path, cli: Cli, source: str) -> None:
    output, statement = FORMATS[source]
    with duckdb.connect() as connection:
        connection.execute("create table t as select i % 2 as a, 'x' as b from range(20) as r(i)")
        connection.execute(statement.format(tmp_path / source.partition("::")[0]))
    arguments = ("anonymize", source, "--qi", "a", "--keep", "b")
    assert cli(*arguments).code == 0
    assert cli(*arguments, "-o", "bare").code == 0
    delimiter = ", delim = '\t'" if source.endswith(".tsv") else ""
    reader = f"read_csv('{{}}'{delimiter})" if ".parquet" not in output else "read_parquet('{}')"
    for name in (output, "bare"):  # a name without an ending is never that of a compressed file
        rows = duckdb.execute(
            f"select a, b, count(*) from {reader.format(tmp_path / name)} group by all order by all"
        ).fetchall()
        assert [(str(a), b, count) for a, b, count in rows] == [("0", "x", 10), ("1", "x", 10)]
        assert cli("check", name, "--manifest", f"{name}.manifest.json").code == 0


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    ("more", "code", "phrases"),
    [
        (["-o", "out", "--set", "output.partition-by=name"], 2, ["'name'", "output.partition-by"]),
        (["-o", "out", "--set", "output.partition-by=Sex"], 2, ["'Sex'", "'sex'"]),
        (["-o", "out", "--set", "output.partition-by=[sex,sex]"], 2, ["'sex'", "twice"]),
        (["-o", "out.csv", "--set", "output.partition-by=sex"], 2, ["output.partition-by", "Parquet", "out.csv"]),
        (["-o", "out.duckdb::people", "--set", "output.partition-by=sex"], 2, ["output.partition-by", "Parquet"]),
        (["-o", "-", "--set", "output.partition-by=sex"], 2, ["output.partition-by", "Parquet"]),
        (
            ["-o", "out", "--set", "output.partition-by=[age,sex,city,pay,note]"],
            2,
            ["output.partition-by", "every released column"],
        ),
        (["-o", "out.parquet.gz"], 2, ["out.parquet.gz", ".parquet"]),
        (["-o", "out.duckdb"], 2, ["out.duckdb::"]),
        (["-o", "out.duckdb::"], 2, ["out.duckdb", "names no table"]),
        (["-o", "out.2027"], 2, ["'out.2027'", ".parquet"]),
        (["-o", "out/"], 2, ["'out'", ".parquet"]),
    ],
)
def test_an_output_that_makes_no_sense_is_refused(
    cli: Cli, tmp_path: Path, more: Sequence[str], code: int, phrases: Sequence[str]
) -> None:
    not_written(cli, tmp_path, code, *phrases, more=more)


def test_partition_by_a_column_that_is_not_released_is_refused(cli: Cli, tmp_path: Path, people: Path) -> None:
    before = content(tmp_path)
    run = cli(
        "anonymize", people, *ASKED, "--keep", "pay", "--identifying", "city", "-o", "out", "--set", "output.partition-by=city"
    )
    refused(run, 2, "'city'", "released")
    assert content(tmp_path) == before


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out.csv.gz", "out.duckdb::people"])
def test_an_existing_file_is_kept_without_overwrite(cli: Cli, tmp_path: Path, name: str) -> None:
    (tmp_path / name.partition("::")[0]).write_bytes(b"old")
    not_written(cli, tmp_path, 3, name.partition("::")[0], "exists", "another", more=["-o", name])


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("overwrite", [[], ["--overwrite"]])
@pytest.mark.parametrize("inside", ["file", "nothing", "parquet", "a manifest of another"])
def test_a_folder_that_is_not_ours_is_kept(cli: Cli, tmp_path: Path, overwrite: Sequence[str], inside: str) -> None:
    (tmp_path / "out").mkdir()
    if inside == "file":
        (tmp_path / "out" / "thesis.txt").write_text("years of work")
    elif inside == "parquet":
        (tmp_path / "out" / "sex=Male").mkdir()
        write_parquet(tmp_path / "out" / "sex=Male" / "data_0.parquet", ROWS)
    elif inside == "a manifest of another":
        (tmp_path / "out.manifest.json").write_text('{"output": {"path": "elsewhere"}}')
    not_written(cli, tmp_path, 3, "out", "another", more=["-o", "out", "--set", "output.partition-by=sex", *overwrite])


@pytest.mark.usefixtures("people")
def test_a_folder_of_ours_with_something_of_somebody_else_is_kept(cli: Cli, tmp_path: Path) -> None:
    arguments = ["-o", "out", "--set", "output.partition-by=sex"]
    assert cli("anonymize", "people.parquet", *ASKED, *KEPT, *arguments).code == 0
    (tmp_path / "out" / "thesis.txt").write_text("years of work")
    run = cli("anonymize", "people.parquet", *ASKED, *KEPT, *arguments, "--overwrite")
    assert (tmp_path / "out" / "thesis.txt").is_file(), "a file that we did not write is gone"
    refused(run, 3, "out")


@pytest.mark.usefixtures("people")
def test_a_folder_of_ours_is_replaced_with_overwrite_only(cli: Cli, tmp_path: Path) -> None:
    arguments = ["-o", "out", "--set", "output.partition-by=sex"]
    assert cli("anonymize", "people.parquet", *ASKED, *KEPT, *arguments).code == 0
    not_written(cli, tmp_path, 3, "out", "--overwrite", more=arguments)
    assert (
        cli("anonymize", "people.parquet", *ASKED, *KEPT, "-o", "out", "--set", "output.partition-by=age", "--overwrite").code
        == 0
    )
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"age=[20, 25)", "age=[25, 30)"} or {
        path.name.partition("=")[0] for path in (tmp_path / "out").iterdir()
    } == {"age"}
    assert manifest_of(tmp_path / "out")["output"]["sha256"] == sha256(tmp_path / "out")


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("overwrite", [[], ["--overwrite"]])
@pytest.mark.parametrize("table", ["mine", "people"])
def test_a_database_of_somebody_else_is_kept(cli: Cli, tmp_path: Path, overwrite: Sequence[str], table: str) -> None:
    with duckdb.connect(str(tmp_path / "out.duckdb")) as connection:
        connection.execute(f"create table {table} as select 'years of work' as thesis")
    not_written(cli, tmp_path, 3, "out.duckdb", "another", more=["-o", "out.duckdb::people", *overwrite])


@pytest.mark.usefixtures("people")
def test_a_database_of_ours_with_a_table_of_somebody_else_is_kept(cli: Cli, tmp_path: Path) -> None:
    arguments = ["-o", "out.duckdb::people"]
    assert cli("anonymize", "people.parquet", *ASKED, *KEPT, *arguments).code == 0
    with duckdb.connect(str(tmp_path / "out.duckdb")) as connection:
        connection.execute("create table mine as select 'years of work' as thesis")
    run = cli("anonymize", "people.parquet", *ASKED, *KEPT, *arguments, "--overwrite")
    with duckdb.connect(str(tmp_path / "out.duckdb"), read_only=True) as connection:
        tables = {name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()}
    assert "mine" in tables, "a table that we did not write is gone"
    refused(run, 3, "out.duckdb")


@pytest.mark.usefixtures("people")
def test_a_database_of_ours_is_replaced_with_overwrite(cli: Cli, tmp_path: Path) -> None:
    assert cli("anonymize", "people.parquet", *ASKED, *KEPT, "-o", "out.duckdb::people").code == 0
    not_written(cli, tmp_path, 3, "out.duckdb", "--overwrite", more=["-o", "out.duckdb::people"])
    assert cli("anonymize", "people.parquet", *ASKED, *KEPT, "-o", "out.duckdb::people", "--overwrite").code == 0
    assert rows_in("released.main.people", tmp_path / "out.duckdb") == EXPECTED


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("overwrite", [[], ["--overwrite"]])
@pytest.mark.parametrize("way", ["the same name", "through a folder", "symbolic link", "hard link", "database"])
def test_an_output_that_is_the_input_is_refused(cli: Cli, tmp_path: Path, overwrite: Sequence[str], way: str) -> None:
    source, target = "people.parquet", "people.parquet"
    if way == "through a folder":
        (tmp_path / "sub").mkdir()
        target = "sub/../people.parquet"
    elif way == "symbolic link":
        (tmp_path / (target := "link.parquet")).symlink_to(tmp_path / source)
    elif way == "hard link":
        (tmp_path / (target := "link.parquet")).hardlink_to(tmp_path / source)
    elif way == "database":
        with duckdb.connect(str(tmp_path / "in.duckdb")) as connection:
            connection.execute(f"create table people as from '{tmp_path / source}'")
        source, target = "in.duckdb::people", "in.duckdb::released"
    not_written(cli, tmp_path, 3, target, "input", source=source, more=["-o", target, *overwrite])


@pytest.mark.parametrize("overwrite", [[], ["--overwrite"]])
@pytest.mark.parametrize("target", ["in/out.parquet", "in/sub/out.parquet", "in/out.csv", "in/1.parquet", "in"])
def test_an_output_inside_the_folder_of_the_input_is_refused(
    cli: Cli, tmp_path: Path, overwrite: Sequence[str], target: str
) -> None:
    (tmp_path / "in" / "sub").mkdir(parents=True)
    write_parquet(tmp_path / "in" / "1.parquet", ROWS)
    partitioned = ["--set", "output.partition-by=sex"] if target == "in" else []
    not_written(cli, tmp_path, 3, target, "input", source="in", more=["-o", target, *partitioned, *overwrite])


@pytest.mark.parametrize(
    ("pattern", "target"),
    [
        ("in/*.parquet", "in/out.parquet"),
        ("in/*.parquet", "in/1.parquet"),
        ("in/**/*.parquet", "in/new/out.parquet"),
        ("in/*/*.parquet", "in/new/out.parquet"),
        ("in/p*.parquet", "in/people.parquet"),
    ],
)
def test_an_output_that_the_pattern_of_the_input_would_match_is_refused(
    cli: Cli, tmp_path: Path, pattern: str, target: str
) -> None:
    for place in ("in", "in/a", "in/new"):
        (tmp_path / place).mkdir()
    for number, name in enumerate(("1", "p1", "p2", "a/1", "a/2")):
        write_parquet(tmp_path / "in" / f"{name}.parquet", ROWS[number * 60 : number * 60 + 60])
    not_written(cli, tmp_path, 3, target, "input", source=pattern, more=["-o", target])


def test_an_output_that_a_pattern_of_one_file_would_match_is_refused(cli: Cli, tmp_path: Path) -> None:
    """One file matches today; with the release there would be two."""
    (tmp_path / "in").mkdir()
    write_parquet(tmp_path / "in" / "1.parquet", ROWS)
    not_written(cli, tmp_path, 3, "input", source="in/*.parquet", more=["-o", "in/out.parquet"])


RARE = "SuppressedTown"


@pytest.fixture
def enums(tmp_path: Path) -> Path:
    """A table whose quasi-identifier, sensitive and kept columns are ENUM, with values that only a suppressed row has."""
    rows = [
        {
            "town": f"{RARE}{number}" if number < 3 else ("Adorf", "Bdorf")[number % 2],
            "ill": "SuppressedIllness" if number < 3 else "flu",
        }
        for number in range(60)
    ]
    file = write_parquet(tmp_path / "rows.parquet", rows)
    with duckdb.connect(str(tmp_path / "in.duckdb")) as connection:
        connection.execute(f"create table plain as from '{file}'")
        connection.execute("create type town as enum (select distinct town from plain)")
        connection.execute("create type ill as enum (select distinct ill from plain)")
        connection.execute("create table people as select town::town as town, ill::ill as ill, ill::ill as kept from plain")
    file.unlink()
    write_table(tmp_path / "town.csv", [*([f"{RARE}{number}", "*"] for number in range(3)), ["Adorf", "*"], ["Bdorf", "*"]])
    return tmp_path / "in.duckdb"


@pytest.mark.parametrize(
    ("suppress", "name"), levels.spread(["drop", "star"], ["out.parquet", "out.csv", "out.duckdb::people", "out"])
)
def test_an_enum_leaves_no_suppressed_value_in_the_bytes(tmp_path: Path, enums: Path, name: str, suppress: Any) -> None:
    options = Options(
        qi=["town"],
        hierarchies=[f"town={tmp_path / 'town.csv'}"],
        sensitive=["ill"],
        keep=["kept"],
        k=2,
        levels={"town": 0},
        set={"suppression.style": suppress, "output.partition-by": ["town"] if name == "out" else ()},
        max_suppression="10%",
    )
    assert anonymize(f"{enums}::people", f"{tmp_path}/{name}", options=options)["rows"]["suppressed"] == 3
    out = tmp_path / name.partition("::")[0]
    files = [out] if out.is_file() else [file for file in out.rglob("*") if file.is_file()]
    values = (RARE,) if suppress == "star" else (RARE, "SuppressedIllness")
    for file in files:
        plain = file.read_bytes()
        if file.suffix == ".parquet":
            connection = duckdb.connect()
            text = (
                connection.execute("select * from parquet_metadata(?)", [str(file)]).fetchall(),
                connection.execute("describe from read_parquet(?)", [str(file)]).fetchall(),
            )
            plain += repr(text).encode()
            connection.execute(
                f"copy (from '{file}') to '{tmp_path / 'plain.check'}' (format parquet, compression uncompressed)"
            )
            plain += (tmp_path / "plain.check").read_bytes() + schema_of(file)
        for value in values:
            assert value.encode() not in plain, f"{value} stands in {file.name}"
    beside = (tmp_path / f"{out.name}.manifest.json").read_bytes()
    assert all(value.encode() not in beside for value in (RARE, "SuppressedIllness"))


OF_ENUMS = {
    "town[]": "[town::town]",
    "struct(a town)": "{'a': town::town}",
    "map(varchar, town)": "map {'a': town::town}",
    "town[1]": "array_value(town::town)",
    "struct(a town[])[]": "[{'a': [town::town]}]",
}


@pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out.duckdb::people"])
def test_an_enum_inside_a_column_leaves_no_suppressed_value_in_the_bytes(tmp_path: Path, enums: Path, name: str) -> None:
    cells = ", ".join(f'cast({value} as {type}) as "{type}"' for type, value in OF_ENUMS.items())
    with duckdb.connect(str(enums)) as connection:
        connection.execute(f"create table nested as select town, {cells} from people")
    hierarchy = f"town={tmp_path / 'town.csv'}"
    options = Options(qi=["town"], hierarchies=[hierarchy], keep=[*OF_ENUMS], k=2, levels={"town": 0}, max_suppression="10%")
    anonymize(f"{enums}::nested", f"{tmp_path}/{name}", options=options)
    file = tmp_path / name.partition("::")[0]
    held = file.read_bytes() + (schema_of(file) if file.suffix == ".parquet" else b"")
    assert RARE.encode() not in held


OF_ANY_TYPE = [
    *("1::hugeint", "1::uhugeint", "1::tinyint", "1.5::decimal(38, 3)", "'12:00:00+02'::timetz", "interval 1 day"),
    *(f"timestamp_{unit} '2020-01-01 00:00:00'" for unit in ("s", "ms", "ns")),
    *("timestamptz '2020-01-01 00:00:00+02'", "'101'::bit", "'a'::blob", "uuid()", "'{}'::json", "array_value(1, 2)"),
    "map {'a': 1}",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out.parquet", "out.duckdb::people"])
def test_a_kept_column_of_any_type_is_released(tmp_path: Path, name: str) -> None:
    cells = ", ".join(f"{value} as kept{number}" for number, value in enumerate(OF_ANY_TYPE))
    with duckdb.connect(str(tmp_path / "in.duckdb")) as connection:
        connection.execute(f"create table people as select 20 as age, 'Male' as sex, {cells} from range(20)")
    kept = [f"kept{number}" for number in range(len(OF_ANY_TYPE))]
    options = Options(qi=["age", "sex"], hierarchies=["adult/five-year"], keep=kept, k=2, levels={"age": 0, "sex": 0})
    document = anonymize(f"{tmp_path}/in.duckdb::people", f"{tmp_path}/{name}", options=options)
    assert document["rows"]["released"] == 20


def test_a_union_is_refused_by_name(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "in.duckdb")) as connection:
        connection.execute("create table people as select 20 as age, union_value(a := 1) as kept from range(20)")
    options = Options(qi=["age"], hierarchies=["adult/five-year"], keep=["kept"], k=2)
    with pytest.raises(JobError, match="column 'kept' is a UNION"):
        anonymize(f"{tmp_path}/in.duckdb::people", tmp_path / "out.parquet", options=options)


def schema_of(file: Path) -> bytes:
    """The values in every page and dictionary of a Parquet file, decompressed, and its schema."""
    import pyarrow.parquet as pq

    held = pq.ParquetFile(file)
    table = held.read()
    dictionaries = [
        value
        for column in table.columns
        for chunk in column.chunks
        if hasattr(chunk, "dictionary")
        for value in chunk.dictionary.to_pylist()
    ]
    return repr((dictionaries, held.schema_arrow, held.metadata.metadata)).encode()


@pytest.mark.parametrize("column", ["note", "city"])
def test_a_release_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, people: Path, column: str) -> None:
    """A folder where the manifest should stand is found before any work."""
    anonymize(people, tmp_path / "out.parquet", options=options())
    (tmp_path / "out.parquet.manifest.json").unlink()
    (tmp_path / "out.parquet.manifest.json").mkdir()
    before = content(tmp_path)
    with pytest.raises(OutputError, match="folder"):
        anonymize(people, tmp_path / "out.parquet", options=options(keep=[column]), overwrite=True)
    assert content(tmp_path) == before


@pytest.mark.parametrize("workspace", ["out.parquet", "out.parquet.manifest.json", "out.parquet.recoding", "in.parquet"])
def test_a_workspace_takes_the_place_of_nothing_else(tmp_path: Path, workspace: str, demo: Demo) -> None:
    from duckanon.engine.protocol import Settings

    demo(tmp_path / "in.parquet", 500)
    run = Run(settings=Settings(workspace=tmp_path / workspace), overwrite=True)
    with pytest.raises(OutputError, match="workspace"):
        anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", qi=["age", "sex"], run=run)
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]
