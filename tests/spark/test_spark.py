"""The same jobs on DuckDB and on a real Spark cluster: the same combinations, decisions and releases."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import duckanon
from duckanon.dataset.destination import Destination, file_sha256
from duckanon.engine.cluster import address_of, check_version
from duckanon.engine.protocol import Engine, Settings
from duckanon.errors import EngineError, InputError, JobError, OutputError, VerificationFailed
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.release import write as release_write
from duckanon.release.recoding import Recoding
from duckanon.workflows.profile import profile
from tests.support import cluster as clusters
from tests.support.cluster import Cluster
from tests.support.command_line import Cli
from tests.support.demo import Demo
from tests.support.rows import write_parquet, write_table
from tests.support.runs import anonymize, apply

pytestmark = pytest.mark.filterwarnings("default")

ARX_QI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class")


@dataclass(frozen=True)
class Case:
    """A job and its input, made in a folder."""

    source: Path
    job: Mapping[str, Any]


def seed_004(folder: Path, shared: Path) -> Case:
    del folder
    columns = {
        name: {"role": "quasi-identifier", "hierarchy": f"adult/five-year/{name}"}
        for name in ("age", "sex", "race", "marital-status")
    }
    job = {"columns": columns, "missing": {"tokens": ["?"], "policy": "drop"}, "suppression": {"limit": 20}, "others": "drop"}
    return Case(shared / "data/adult.parquet", job | {"privacy": [{"model": "k-anonymity", "k": 10}]})


def nine_columns(folder: Path, shared: Path) -> Case:
    source, arx = folder / "arx.parquet", shared / "data/arx-adult"
    duckdb.execute(f"copy (from read_csv('{arx}/adult.csv', delim = ';', all_varchar = true)) to '{source}'")
    columns = {name: {"role": "quasi-identifier", "hierarchy": str(arx / f"adult_hierarchy_{name}.csv")} for name in ARX_QI}
    return Case(source, {"columns": columns, "suppression": {"limit": "5%"}, "recoding": {"algorithm": "greedy"}})


def protected(folder: Path, shared: Path) -> Case:
    example = seed_004(folder, shared)
    columns = {**example.job["columns"], "occupation": {"role": "sensitive"}, "education-num": {"role": "sensitive"}}
    models = [
        {"model": "k-anonymity", "k": 5},
        {"model": "l-diversity", "variant": "distinct", "l": 3, "column": "occupation"},
        {"model": "t-closeness", "distance": "equal", "t": 0.4, "column": "occupation"},
        {"model": "t-closeness", "distance": "ordered", "t": 0.3, "column": "education-num"},
    ]
    return Case(example.source, {**example.job, "columns": columns, "privacy": models, "suppression": {"limit": "2%"}})


def people(folder: Path, shared: Path) -> Case:
    """Rows of persons, some of whom are nobody, each with a k of its own."""
    del shared
    chance = random.Random(3)
    rows = [
        {
            "age": chance.randint(20, 60),
            "town": chance.choice(["Bonn", "Köln", "Jena"]),
            "who": chance.choice([None, *range(90)]),
            "own": chance.randint(1, 4),
        }
        for _ in range(600)
    ]
    job = {
        "columns": {"age": intervals(10, 20), "town": flat()},
        "entity": "who",
        "privacy": [{"model": "k-anonymity", "k-column": "own"}, {"model": "k-anonymity", "k": 3}],
        "suppression": {"limit": "20%"},
    }
    return Case(write_parquet(folder / "people.parquet", rows), job)


def pairs(folder: Path, shared: Path) -> Case:
    """Rows of two persons who rate each other: each class holds k of each column, which no option names as persons."""
    del shared
    chance = random.Random(7)
    rows = [
        {
            "rater": chance.randrange(120),
            "rated": chance.randrange(90),
            "age": chance.randint(20, 60),
            "town": chance.choice("abc"),
        }
        for _ in range(900)
    ]
    columns = {"age": intervals(10, 20), "town": flat(), "rater": {"role": "identifying"}, "rated": {"role": "identifying"}}
    job = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 20}], "suppression": {"limit": "20%"}}
    return Case(write_parquet(folder / "pairs.parquet", rows), job)


def missing(folder: Path, shared: Path) -> Case:
    """NULL, NaN and marks in every column, sent to the top, in a folder parted by year."""
    del shared
    chance = random.Random(4)
    rows = [
        {
            "age": chance.choice([None, *range(20, 40)]),
            "pay": chance.choice([None, float("nan"), 0.0, -0.0, 1e17, 123456789.5, 0.1, 2.5]),
            "born": chance.choice([None, date(1990, 1, 1) + timedelta(days=chance.randint(0, 900))]),
            "town": chance.choice([None, "", "?", "Bonn", "Köln"]),
            "is_ill": chance.choice([None, True, False]),
            "year": 2020 + number % 2,
        }
        for number in range(400)
    ]
    for year in (2020, 2021):
        (folder / f"in/year={year}").mkdir(parents=True)
        part = [{name: value for name, value in row.items() if name != "year"} for row in rows if row["year"] == year]
        write_parquet(folder / f"in/year={year}/part.parquet", part)
    job = {
        "columns": {
            "age": intervals(10),
            "born": {"role": "quasi-identifier", "hierarchy": {"kind": "dates", "units": ["month", "year"]}},
            "town": flat(),
            "year": flat(),
            "is_ill": flat(),
            "pay": {"role": "sensitive"},
        },
        "missing": {"tokens": ["?", None], "policy": "top"},
        "privacy": [{"model": "k-anonymity", "k": 4}, {"model": "l-diversity", "variant": "distinct", "l": 2}],
        "suppression": {"limit": "50%"},
    }
    return Case(folder / "in", job)


def awkward(folder: Path, shared: Path) -> Case:
    """Names and values that SQL, Spark or Jinja might take for theirs."""
    del shared
    hostile = ["${env:HOME}", "it's", 'a "b"', "back\\slash\\n", "`tick`", "{{ 7 * 7 }}", "-- no", "two\nlines", "%_", "größe"]
    names = ("a b", 'se"x', "x.y", "select", "line\nbreak", "`")
    chance = random.Random(5)
    rows = [{name: chance.choice(hostile) for name in names} | {"k`ept": chance.choice(hostile)} for _ in range(300)]
    lines = [(value, f"<{value}>", "*") for value in hostile]
    table = write_parquet(folder / "table.parquet", [{"value": line, "1": two, "2": three} for line, two, three in lines])
    columns: dict[str, Any] = {name: {"role": "quasi-identifier", "hierarchy": str(table)} for name in names[:3]}
    columns |= {name: flat() for name in names[3:]} | {"k`ept": {"role": "insensitive"}}
    job = {"columns": columns, "missing": {"tokens": ["%_", "${env:HOME}"], "policy": "drop"}, "suppression": {"limit": "40%"}}
    return Case(write_parquet(folder / "in [1] it's.parquet", rows), job)


def kinds(folder: Path, shared: Path) -> Case:
    """A column of every type, kept as it is; suppressed rows masked."""
    del shared
    chance = random.Random(6)
    rows = 240
    whole = {
        name: pa.array([chance.randint(0, 100) for _ in range(rows)], type=getattr(pa, name)())
        for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    }
    table = pa.table(
        {
            "age": pa.array([chance.randint(20, 60) for _ in range(rows)], pa.int16()),
            "amount": pa.array([Decimal(chance.randint(0, 3)) / 4 for _ in range(rows)], pa.decimal128(9, 2)),
            **whole,
            "float": pa.array([chance.random() for _ in range(rows)], pa.float32()),
            "double": pa.array([chance.choice([None, float("nan"), 1e300, -0.0, 1 / 3]) for _ in range(rows)]),
            "at": pa.array(
                [datetime(2020, 1, 1) + timedelta(microseconds=chance.randint(0, 10**14)) for _ in range(rows)],
                pa.timestamp("us"),
            ),
            "utc": pa.array(
                [datetime(2020, 1, 1, tzinfo=UTC) + timedelta(seconds=number) for number in range(rows)],
                pa.timestamp("us", tz="UTC"),
            ),
            "millis": pa.array(
                [datetime(2020, 1, 1) + timedelta(milliseconds=number) for number in range(rows)], pa.timestamp("ms")
            ),
            "bytes": pa.array([bytes([number % 256]) for number in range(rows)]),
            "list": pa.array([[number, None] for number in range(rows)]),
            "struct": pa.array(
                [{"a": number, "b c": None} for number in range(rows)], pa.struct({"a": pa.int32(), "b c": pa.string()})
            ),
        }
    )
    pq.write_table(table, folder / "kinds.parquet")
    kept = {name: {"role": "insensitive"} for name in table.column_names}
    job = {
        "columns": {**kept, "age": intervals(5, 10), "amount": flat()},
        "suppression": {"limit": "60%", "style": "star"},
        "recoding": {"levels": {"age": 2, "amount": 0}},
        "privacy": [{"model": "k-anonymity", "k": 12}],
    }
    return Case(folder / "kinds.parquet", job)


def regions(algorithm: str) -> Callable[[Path, Path], Case]:
    def made(folder: Path, shared: Path) -> Case:
        example = seed_004(folder, shared)
        return Case(example.source, {**example.job, "recoding": {"algorithm": algorithm}, "missing": {"policy": "value"}})

    return made


def held_against_a_population(folder: Path, shared: Path) -> Case:
    del shared
    chance = random.Random(7)
    rows = [{"age": chance.randint(20, 60), "town": chance.choice("abc"), "ill": chance.choice("xyz")} for _ in range(300)]
    population = write_parquet(folder / "population.parquet", [{"age": row["age"], "town": row["town"]} for row in rows * 2])
    models = [{"model": "k-map", "k": 6}, {"model": "k-anonymity", "k": 2}, {"model": "delta-presence", "low": 0, "high": 0.6}]
    job = {
        "columns": {"age": intervals(10), "town": flat(), "ill": {"role": "sensitive"}},
        "population": str(population),
        "privacy": models,
        "suppression": {"limit": "30%"},
        "output": {"partition-by": ["town"]},
    }
    return Case(write_parquet(folder / "sample.parquet", rows), job)


def intervals(*widths: int) -> dict[str, Any]:
    return {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": list(widths)}}


def flat() -> dict[str, Any]:
    return {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}


def attacked(**more: Any) -> Callable[[Path, Path], Case]:
    """Adult, from adversaries who know some of its columns."""

    def case(folder: Path, shared: Path) -> Case:
        adult = seed_004(folder, shared)
        return Case(adult.source, {**adult.job, "suppression": {"limit": "5%"}, **more})

    return case


KNOWN = {"neighbour": {"columns": ["age", "sex"]}, "official": {"columns": ["age", "race", "marital-status"], "k": 20}}


def attacked_people(folder: Path, shared: Path) -> Case:
    attacked = people(folder, shared)
    known = {"a": {"columns": ["age"]}, "b": {"columns": ["town"], "k": 5}}
    return Case(attacked.source, {**attacked.job, "privacy": [{"model": "k-anonymity", "k": 3}], "adversaries": known})


CASES: dict[str, Callable[[Path, Path], Case]] = {
    "seed 004": seed_004,
    "nine columns": nine_columns,
    "l-diversity and t-closeness": protected,
    "persons": people,
    "pairs of persons": pairs,
    "missing": missing,
    "awkward names": awkward,
    "kinds": kinds,
    "mondrian": regions("mondrian"),
    "local": regions("local"),
    "population": held_against_a_population,
    "adversaries": attacked(adversaries=KNOWN),
    "adversaries of persons": attacked_people,
    "any two columns": attacked(any=2),
}
ON_THE_CLUSTER = ("seed 004", "persons", "population", "awkward names", "kinds")
"""Of which everything is counted, searched and verified there: nothing is small enough to come home."""


@pytest.mark.parametrize("name", CASES)
def test_both_engines_count_decide_and_release_the_same(name: str, spark: str, tmp_path: Path, shared: Path) -> None:
    case = CASES[name](tmp_path, shared)
    ours, theirs = released(case, tmp_path / "ours", "duckdb"), released(case, tmp_path / "theirs", spark)
    assert theirs == ours


@pytest.mark.parametrize("name", ON_THE_CLUSTER)
def test_what_is_too_large_to_come_home_is_decided_on_the_cluster(name: str, spark: str, tmp_path: Path, shared: Path) -> None:
    case = CASES[name](tmp_path, shared)
    ours = released(case, tmp_path / "ours", "duckdb")
    theirs = released(case, tmp_path / "theirs", spark, collect_limit=1)
    for decided in (ours, theirs):
        # more nodes are counted together where a statement costs more
        decided["decided"]["recoding"].pop("visited")
    assert theirs["combinations"] is None
    assert theirs | {"combinations": ours["combinations"]} == ours


@pytest.mark.parametrize(
    ("name", "needs"),
    [("adversaries", "an adversary"), ("any two columns", "--any"), ("beta-likeness", "enhanced beta-likeness")],
)
def test_what_a_cluster_cannot_judge_is_named(name: str, needs: str, spark: str, tmp_path: Path, shared: Path) -> None:
    if name in CASES:
        case = CASES[name](tmp_path, shared)
    else:
        case = protected(tmp_path, shared)
        model = {"model": "beta-likeness", "variant": "enhanced", "beta": 2, "column": "occupation"}
        case = Case(case.source, {**case.job, "privacy": [case.job["privacy"][0], model]})
    with pytest.raises(JobError, match=f"^{needs} needs the combinations locally, .* --collect-limit"):
        released(case, tmp_path / "theirs", spark, collect_limit=1)


@pytest.mark.parametrize("column", ["double", "list", "utc", "uint64", "bytes", "struct"])
def test_a_cell_changed_after_the_cluster_wrote_it_is_caught(
    column: str, spark: str, tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two cells of different rows are exchanged, so that the column holds the same as before."""
    case, write = kinds(tmp_path, shared), release_write.write

    def damaging(engine: Engine, recoding: Recoding, draft: Path, place: Destination, **more: Any) -> int:
        count = write(engine, recoding, draft, place, **more)
        part = next(path for path in sorted(draft.glob("part-*.parquet")) if pq.read_metadata(path).num_rows > 1)
        table = pq.read_table(part, partitioning=None)
        cells = table.column(column).to_pylist()
        other = next(number for number, cell in enumerate(cells) if repr(cell) != repr(cells[0]))
        cells[0], cells[other] = cells[other], cells[0]
        changed = table.set_column(table.column_names.index(column), column, pa.array(cells, table.schema.field(column).type))
        pq.write_table(changed, part)
        return count

    monkeypatch.setattr(release_write, "write", damaging)
    with pytest.raises(VerificationFailed, match=f"in '{column}'|the cells of a column are in other rows"):
        anonymize(case.source, tmp_path / "out", job=case.job, run=Run(settings=Settings(engine=spark)))
    assert not (tmp_path / "out").exists()


def test_a_release_of_the_cluster_is_applied_to_new_rows_on_both(spark: str, tmp_path: Path) -> None:
    """New towns are left out as drift, and which classes are suppressed is decided anew."""
    tree = write_table(tmp_path / "towns.csv", [(town, town[0], "*") for town in ("a1", "a2", "b1", "b2")])
    chance = random.Random(8)

    def drawn(towns: list[str], name: str) -> Path:
        return write_parquet(
            tmp_path / name,
            [{"age": chance.randint(20, 60), "town": chance.choice(towns), "n": number} for number in range(200)],
        )

    columns = {"age": intervals(10), "town": {"role": "quasi-identifier", "hierarchy": str(tree)}, "n": {"role": "insensitive"}}
    case = Case(drawn(["a1", "a2", "b1"], "old.parquet"), {"columns": columns, "suppression": {"limit": "20%"}})
    released(case, tmp_path / "first", spark)
    new, saved = drawn(["a1", "b1", "b2", "b2", "c"], "new.parquet"), tmp_path / "first/out.parquet.manifest.json"
    manifests = {}
    for engine in ("duckdb", spark):
        run = Run(settings=Settings(engine=engine))
        manifests[engine] = apply(
            saved, new, tmp_path / f"{engine[:5]}.parquet", options=Options(max_suppression="80%"), run=run
        )
    assert manifests[spark]["drift"] == manifests["duckdb"]["drift"]
    assert manifests[spark]["rows"] == manifests["duckdb"]["rows"]
    assert rows(tmp_path / "spark.parquet") == rows(tmp_path / "duckd.parquet")


def test_a_profile_says_the_same(spark: str, shared: Path) -> None:
    ours, theirs = (
        profile(shared / "data/adult.parquet", run=Run(settings=Settings(engine=engine))) for engine in ("duckdb", spark)
    )
    assert theirs == ours


def test_rows_lie_in_an_order_that_says_nothing_of_where_they_lay(spark: str, tmp_path: Path) -> None:
    """The same rows in another order give files that are equal, row for row."""
    numbers = list(range(500))
    for name in ("one", "two"):
        write_parquet(tmp_path / f"{name}.parquet", [{"age": number % 5, "n": number} for number in numbers])
        numbers.reverse()
    job = {"columns": {"age": flat(), "n": {"role": "insensitive"}}, "recoding": {"levels": {"age": 0}}}
    orders = []
    for name in ("one", "two"):
        run = Run(settings=Settings(engine=spark))
        anonymize(tmp_path / f"{name}.parquet", tmp_path / f"{name}.out.parquet", job=job, run=run)
        orders.append(duckdb.execute(f"select n from read_parquet('{files(tmp_path / f'{name}.out.parquet')}')").fetchall())
    assert orders[0] == orders[1]
    assert orders[0] != sorted(orders[0])


def test_a_release_is_a_folder_of_parquet_with_its_manifest_beside_it_and_nothing_else(spark: str, tmp_path: Path) -> None:
    case = people(tmp_path, tmp_path)
    (tmp_path / "there").mkdir()
    manifest = anonymize(case.source, tmp_path / "there/out", job=case.job, run=Run(settings=Settings(engine=spark)))
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == ["out", "out.manifest.json", "out.recoding"]
    assert all(path.name.startswith("part-") and path.suffix == ".parquet" for path in (tmp_path / "there/out").iterdir())
    assert manifest["output"]["path"] == str(tmp_path / "there/out")
    assert json.loads((tmp_path / "there/out.manifest.json").read_text())["output"]["sha256"] == file_sha256(
        tmp_path / "there/out"
    )


def test_paths_that_hold_wildcards_are_paths(spark: str, tmp_path: Path) -> None:
    folder = tmp_path / "a [b] {c,d} *? %41 ü"
    folder.mkdir()
    case = people(folder, folder)
    anonymize(case.source, folder / "out [x]{y}*", job=case.job, run=Run(settings=Settings(engine=spark)))
    assert sorted(path.name for path in folder.iterdir()) == [
        *("out [x]{y}*", "out [x]{y}*.manifest.json", "out [x]{y}*.recoding", "people.parquet"),
    ]
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def unheld(folder: Path) -> dict[str, tuple[Path, str]]:
    """Inputs that Spark reads as something else without a word, and what is said of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [{"age": number % 3} for number in range(30)]
    for name in ("_hidden", "a:b"):
        write_parquet(folder / f"{name}.parquet", rows)
    for number, name in enumerate(["v=a%C3%A4", "v=", "v=1/v=2", "v=1/between", "v=a\\b"]):
        (folder / f"folders {number}" / name).mkdir(parents=True)
        write_parquet(folder / f"folders {number}" / name / "part.parquet", rows)
    at = pa.table({"age": pa.array([1] * 30), "at": pa.array([datetime(2020, 1, 1)] * 30, pa.timestamp("us"))})
    pq.write_table(at, folder / "int96.parquet", use_deprecated_int96_timestamps=True)
    return {
        "hidden": (folder / "_hidden.parquet", "Spark does not read '_hidden.parquet'"),
        "colon": (folder / "a:b.parquet", "Spark does not read 'a:b.parquet'"),
        **{f"folder {number}": (folder / f"folders {number}", "read differently by DuckDB and Spark") for number in range(5)},
        "int96": (folder / "int96.parquet", "column 'at' of the input is TIMESTAMP, and Spark reads it as timestamp;"),
    }


def test_what_spark_would_read_otherwise_is_refused(spark: str, tmp_path: Path) -> None:
    for source, message in unheld(tmp_path).values():
        with pytest.raises(InputError, match=re.escape(message)):
            anonymize(source, tmp_path / "out", job={"columns": {"age": flat()}}, run=Run(settings=Settings(engine=spark)))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("level", [0, 1])
def test_damaged_text_is_not_released(level: int, spark: str, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    damaged = pa.array([b"\xff\xfe"] * 30, pa.binary()).cast(pa.string(), safe=False)
    pq.write_table(pa.table({"age": pa.array([1] * 30), "text": damaged}), tmp_path / "in.parquet")
    job = {"columns": {"age": flat(), "text": {"role": "insensitive"}}, "recoding": {"levels": {"age": level}}}
    with pytest.raises((OutputError, InputError)):
        anonymize(tmp_path / "in.parquet", tmp_path / "out", job=job, run=Run(settings=Settings(engine=spark)))
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_spark_connect_releases_the_same(cluster: Cluster, spark: str, cli: Cli, tmp_path: Path) -> None:
    """By the command line, in a process that starts no Java."""
    assert spark
    address = clusters.connect_server(cluster)
    case = people(tmp_path, tmp_path)
    (tmp_path / "job.yaml").write_text(json.dumps(case.job), encoding="utf-8")
    for engine, name in ((address, "theirs"), ("duckdb", "ours")):
        run = cli(
            *("anonymize", case.source, "-o", tmp_path / f"{name}.parquet", "--job", tmp_path / "job.yaml"),
            *("--engine", engine, "-q"),
        )
        assert (run.code, run.err) == (0, "")
    assert rows(tmp_path / "theirs.parquet") == rows(tmp_path / "ours.parquet")


@pytest.mark.parametrize(
    ("column", "type"), [("at", "TIMESTAMP_NS"), ("time", "TIME"), ("id", "UUID")], ids=["nanoseconds", "time", "uuid"]
)
def test_types_that_spark_does_not_read_are_named_before_any_work(column: str, type: str, spark: str, tmp_path: Path) -> None:
    made = {"TIMESTAMP_NS": "timestamp_ns '2020-01-01'", "TIME": "time '10:00'", "UUID": "uuid()"}[type]
    duckdb.execute(f"copy (select 1 as age, {made} as {column}) to '{tmp_path}/in.parquet'")
    job = {"columns": {"age": flat()}}
    with pytest.raises(InputError, match=f"column '{column}' of the input is {type}, which Spark does not read; write"):
        anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", job=job, run=Run(settings=Settings(engine=spark)))
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


def test_what_spark_would_write_as_another_text_is_refused_where_it_stays_there(spark: str, tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{"age": number % 3 + 0.5, "n": 1} for number in range(30)])
    job = {"columns": {"age": flat()}, "recoding": {"levels": {"age": 0}}}
    with pytest.raises((VerificationFailed, EngineError), match="column 'age' holds double values"):
        anonymize(source, job=job, run=Run(settings=Settings(engine=spark, collect_limit=1)))
    anonymize(source, job=job, run=Run(settings=Settings(engine=spark)))


def test_a_folder_that_the_workers_do_not_see_is_reported(spark: str, cli: Cli, tmp_path: Path) -> None:
    """Workers in a file system of their own, where the folder is another, empty one."""
    assert spark
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("only root can give a process a file system of its own")
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    source = people(hidden, hidden).source
    seen = shutil.copy(source, tmp_path / "seen.parquet")
    with clusters.running(tmp_path / "blind", workers=1, hidden=hidden) as blind, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", blind.environment["SPARK_CONF_DIR"])
        unread = cli("anonymize", source, "-o", tmp_path / "out.parquet", "--engine", blind.url, "--qi", "age,town")
        unwritten = cli("anonymize", seen, "-o", hidden / "out.parquet", "--engine", blind.url, "--qi", "age,town")
    for run in (unread, unwritten):
        assert run.code == 3
        assert "put input, output and --temp-directory on storage" in run.err
        assert "Traceback" not in run.err
    assert {path.name for path in hidden.iterdir()} == {"people.parquet"}
    assert not (tmp_path / "out.parquet").exists()


def test_a_frame_of_spark_is_taken_by_the_library(spark: str, shared: Path) -> None:
    """It is collected here, and gives what its file gives."""
    from pyspark.sql import SparkSession

    assert spark
    source = shared / "data/adult.parquet"
    session = SparkSession.getActiveSession()
    assert session is not None
    options: dict[str, Any] = {"qi": "age,sex,race", "hierarchies": "adult/five-year", "k": 10}
    frame = session.read.parquet(str(source)).select("age", "education-num", "race", "sex")
    taken = duckanon.anonymize(frame, **options)
    read = duckanon.anonymize(source, **options)
    assert taken.manifest["input"]["name"] == "pyspark.DataFrame"
    assert taken.manifest["recoding"]["levels"] == read.manifest["recoding"]["levels"]
    assert Counter(taken.relation.fetchall()) == Counter(read.relation.fetchall())


def test_a_worker_that_dies_in_the_middle_of_the_write_costs_nothing_but_time(
    cluster: Cluster, spark: str, tmp_path: Path, demo: Demo
) -> None:
    """The last test here: the cluster has one worker less afterwards."""
    assert spark
    demo(tmp_path / "in.parquet", 500_000)
    place = tmp_path / "there"
    place.mkdir()
    arguments = ["anonymize", tmp_path / "in.parquet", "-o", place / "out.parquet", "--engine", cluster.url]
    arguments += ["--qi", "age,sex,race", "--others", "keep", "--keep", "fnlwgt", "-q"]
    running = subprocess.Popen([sys.executable, "-m", "duckanon", *map(str, arguments)], stderr=subprocess.PIPE, text=True)
    try:
        clusters.until(
            lambda: (
                any(place.glob(".duckanon-*/*/out.parquet/_temporary/0/_temporary/*/*.parquet")) or running.poll() is not None
            ),
            "the write begins",
        )
        assert running.poll() is None
        cluster.workers[0].kill()
        _, errors = running.communicate(timeout=240)
    finally:
        running.kill()
        running.communicate()
    left = sorted(path.name for path in place.iterdir())
    if running.returncode == 0:
        assert left == ["out.parquet", "out.parquet.manifest.json", "out.parquet.recoding"]
        manifest = json.loads((place / "out.parquet.manifest.json").read_text())
        [(count, distinct)] = duckdb.execute(
            f"select count(*), count(distinct fnlwgt) from read_parquet('{files(place / 'out.parquet')}')"
        ).fetchall()
        assert count == manifest["rows"]["released"]
        assert file_sha256(place / "out.parquet") == manifest["output"]["sha256"]
        assert distinct
    else:
        assert running.returncode == 3
        assert "nothing was released" in errors
        assert left == []


@pytest.mark.parametrize("engine", ["spark://127.0.0.1:1", "sc://127.0.0.1:1", "sc://nowhere.invalid:15002"])
def test_a_cluster_that_does_not_answer_is_reported_at_once(engine: str, cli: Cli, tmp_path: Path) -> None:
    source = people(tmp_path, tmp_path).source
    run = cli("anonymize", source, "--engine", engine, "--qi", "age,town", code=3)
    assert f"answers at {engine!r}" in run.err
    assert len(run.err.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["people.parquet"]


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("sprak://127.0.0.1:7077", "is not an engine"),
        ("yarn", "use Spark Connect (sc://) for other cluster managers"),
        ("duckdv", "did you mean 'duckdb'"),
        ("spark://", "has no host and port; write spark://HOST:7077"),
        ("sc://host;token=SECRET", "with Spark Connect parameters after /;"),
        ("sc://user:SECRET@host:1", "has no host and port"),
        ("sc://host:1?token=SECRET", "has no host and port"),
        ("sc:/host/;token=SECRET", "is not an engine"),
        ("spark://a:1,SECRET@b:c", "has no host and port"),
        ("spark://host:1/more", "has text after its port"),
        ("sc://host:port", "has no host and port; write sc://HOST:15002"),
        ("local[0]", "is not an engine"),
    ],
)
def test_an_engine_that_is_none_is_refused(engine: str, message: str) -> None:
    with pytest.raises(JobError, match=re.escape(message)) as refused:
        address_of(engine)
    assert "SECRET" not in str(refused.value)


def test_a_token_is_not_shown(cli: Cli, tmp_path: Path) -> None:
    run = cli(
        "anonymize", people(tmp_path, tmp_path).source, "--engine", "sc://127.0.0.1:1/;token=SECRET", "--qi", "age,town", code=3
    )
    assert "SECRET" not in run.err


def test_another_line_of_spark_is_refused() -> None:
    with pytest.raises(EngineError, match=r"runs Spark 3\.5\.1, and Spark 4\.3\.0 is installed here; install pyspark 3\.5"):
        check_version(address_of("sc://host"), "3.5.1", "4.3.0")
    check_version(address_of("sc://host"), "4.0.1", "4.3.0")


def test_a_cluster_reads_and_writes_parquet_only(cli: Cli, tmp_path: Path) -> None:
    source = people(tmp_path, tmp_path).source
    lines = tmp_path / "in.csv"
    lines.write_text("age,town\n20,Bonn\n", encoding="utf-8")
    for arguments, message in (
        ((source, "-o", tmp_path / "out.csv"), "a cluster writes a folder of Parquet files"),
        ((source, "-o", "-"), "a cluster writes a folder of Parquet files"),
        ((lines,), "a cluster reads only Parquet, but the input is CSV"),
        (
            (source, "--set", "output.partition-by=own", "--keep", "own"),
            "a cluster can partition a release only by quasi-identifiers",
        ),
        ((source, "--microaggregate", "age=mean"), "which only --engine duckdb supports"),
        ((source, "--population", lines), "a cluster reads only Parquet, but the population is CSV"),
    ):
        run = cli("anonymize", *arguments, "--engine", "local[1]", "--qi", "age,town", code=2)
        assert message in run.err


def released(case: Case, place: Path, engine: str, collect_limit: int = 10**6) -> dict[str, Any]:
    """What a run counted, decided and released, without what differs between the engines."""
    place.mkdir()
    settings = Settings(workspace=place / "work.duckdb", engine=engine, collect_limit=collect_limit)
    manifest = anonymize(case.source, place / "out.parquet", job=case.job, run=Run(settings=settings))
    decided = {
        key: manifest[key] for key in ("status", "rows", "classes", "recoding", "privacy", "metrics", "risk", "suppression")
    }
    return {
        "decided": rounded(decided),
        "combinations": relation(place / "work.duckdb", "combinations"),
        "types": types(place / "out.parquet"),
        "release": rows(place / "out.parquet"),
    }


def rounded(figures: Any) -> Any:
    """A document whose real numbers have twelve digits: in which order they were summed up shows in the last ones."""
    match figures:
        case dict():
            return {key: rounded(value) for key, value in figures.items()}
        case list() | tuple():
            return [rounded(value) for value in figures]
        case float():
            return float(f"{figures:.12g}")
    return figures


def relation(workspace: Path, name: str) -> Counter[tuple[Any, ...]] | None:
    """A relation's rows with their columns in order of name; None where it does not stand."""
    with duckdb.connect(str(workspace), read_only=True) as connection:
        rows = connection.execute(
            "select column_name from duckdb_columns() where table_name = ? order by all", [name]
        ).fetchall()
        if not rows:
            return None
        columns = ", ".join('"' + column.replace('"', '""') + '"' for (column,) in rows)
        return Counter(connection.execute(f"select {columns} from duckanon.{name}").fetchall())


def types(path: Path) -> list[tuple[str, str]]:
    described = duckdb.execute(f"describe from read_parquet('{files(path)}')").fetchall()
    wider = {"UTINYINT": "SMALLINT", "USMALLINT": "INTEGER", "UINTEGER": "BIGINT", "UBIGINT": "DECIMAL(20,0)"}
    return [(name, wider.get(type, type)) for name, type, *_ in described]


def rows(path: Path) -> Counter[str]:
    cells = duckdb.execute(f"from read_parquet('{files(path)}')").fetchall()
    return Counter(repr([int(cell) if is_whole(cell) else cell for cell in row]) for row in cells)


def is_whole(cell: Any) -> bool:
    """Whether it is a whole number that a wider type holds."""
    return isinstance(cell, Decimal) and cell.as_tuple().exponent == 0


def files(path: Path) -> str:
    return f"{path}/**/*.parquet" if path.is_dir() else str(path)
