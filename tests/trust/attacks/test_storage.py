"""What a file discloses besides its rows: dictionaries, statistics, metadata, index columns, names and sizes of files and folders."""

import json
import os
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd  # type: ignore[import-untyped,unused-ignore]
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from duckanon.job.options import Options
from duckanon.job.prepare import Run
from tests.support.command_line import Cli
from tests.support.runs import anonymize
from tests.support.tables_of_trust import RecordRow
from tests.trust.attacks.people import (
    COLUMNS,
    JOB,
    OLDEST,
    SECRET_ILLNESS,
    SECRET_NAME,
    SECRET_ZIP,
    SECRETS,
    Row,
    bands,
    patients,
    percent,
    read,
    write,
)
from tests.trust.attacks.storage import dictionaries, files_under, metadata_of, probed, secrets_in, statistics


@pytest.fixture(scope="module")
def people() -> list[Row]:
    return patients()


def categorical(people: list[Row]) -> pa.Table:
    """The table with texts as dictionaries, as pandas and Arrow keep categories."""
    table = pa.Table.from_pylist(people)
    for number, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            table = table.set_column(number, field.name, table[field.name].dictionary_encode())
    return table


@pytest.mark.parametrize("suppress", ["drop", "star"])
@pytest.mark.parametrize("name", ["ours.parquet", "ours.csv", "ours.duckdb::people", "ours"])
def test_dictionaries_hold_who_was_suppressed(
    tmp_path: Path, people: list[Row], name: str, suppress: str, record_row: RecordRow
) -> None:
    """Naive: categories; the rows of rare ZIP codes are filtered out, and the dictionary pages keep every category."""
    table = categorical(people)
    counts = Counter(table["zip"].to_pylist())
    kept = table.filter(pa.array([counts[value] >= 5 for value in table["zip"].to_pylist()]))
    pq.write_table(kept.select(["age", "sex", "zip", "illness"]), tmp_path / "naive.parquet")
    pq.write_table(table, tmp_path / "people.parquet")
    options = Options(
        set={"suppression.style": suppress, "output.partition-by": ["zip"] if name == "ours" else []},
        levels={"age": 3, "sex": 1, "zip": 0},
        # a masked row keeps its other columns as requested, so only the suppressed columns are read
        sensitive=["illness", "reading"] if suppress == "drop" else [],
    )
    columns = COLUMNS if suppress == "drop" else {key: COLUMNS[key] for key in ("age", "sex", "zip")}
    anonymize(tmp_path / "people.parquet", f"{tmp_path}/{name}", job=JOB | {"columns": columns}, options=options)
    before, after = (secrets_in(path) for path in (tmp_path / "naive.parquet", tmp_path / name.partition("::")[0]))
    assert {SECRET_ZIP, SECRET_ILLNESS} <= set(before)
    assert SECRET_ZIP in dictionaries(tmp_path / "naive.parquet")
    assert after == []
    record_row(
        "attacks",
        channel=f"dictionary pages, {name.removeprefix('ours') or 'folder'}, {suppress}",
        naive=f"{len(before)} secrets of a suppressed person",
        ours=f"{len(after)}",
    )


def test_the_sidecar_of_a_data_set_keeps_the_statistics_of_the_original(
    tmp_path: Path, people: list[Row], record_row: RecordRow
) -> None:
    """Naive: the files of a data set are written anew in place, and its `_metadata` still has the least and greatest of the old files."""
    original, naive = tmp_path / "original", tmp_path / "naive"
    parts: list[Any] = []
    pq.write_to_dataset(pa.Table.from_pylist(people), original, partition_cols=["hospital"], metadata_collector=parts)
    schema = pa.Table.from_pylist(people).drop_columns(["hospital"]).schema
    pq.write_metadata(schema, original / "_metadata", metadata_collector=parts)
    shutil.copytree(original, naive)
    for file in naive.rglob("*.parquet"):
        hospital = file.parent.name.partition("=")[2]
        write(file, bands([row for row in people if row["hospital"] == hospital]))
    anonymize(f"{original}/*/*.parquet", tmp_path / "ours", job=JOB, options=Options(set={"output.partition-by": ["sex"]}))
    before, after = (extremes(path) for path in (naive, tmp_path / "ours"))
    assert OLDEST in before["age"]
    assert SECRET_ZIP in before["zip"]
    assert OLDEST not in after.get("age", set())
    assert SECRET_ZIP not in after["zip"]
    record_row("attacks", channel="statistics, sidecar file", naive=f"oldest is {OLDEST}, ZIP {SECRET_ZIP}", ours="neither")


def extremes(folder: Path) -> dict[str, set[Any]]:
    """The least and greatest value of each column that any footer in a folder has."""
    collected: dict[str, set[Any]] = {}
    for file in files_under(folder):
        metadata = pq.read_metadata(file)
        for group in range(metadata.num_row_groups):
            for number in range(metadata.num_columns):
                chunk = metadata.row_group(group).column(number)
                if chunk.statistics is not None and chunk.statistics.has_min_max:
                    collected.setdefault(chunk.path_in_schema, set()).update({chunk.statistics.min, chunk.statistics.max})
    return collected


@pytest.mark.parametrize("level", [0, 1, 2])
def test_statistics_and_bloom_filters_tell_the_oldest(
    tmp_path: Path, people: list[Row], level: int, record_row: RecordRow
) -> None:
    """Naive: names and codes are dropped, and ages stay; DuckDB writes statistics and a Bloom filter, which need no scan."""
    frame = pd.DataFrame(people)
    duckdb.execute(f"copy (select age, sex, illness from frame) to '{tmp_path / 'naive.parquet'}'")
    del frame
    source = write(tmp_path / "people.parquet", people)
    options = Options(levels={"age": level, "sex": 1, "zip": 4})
    anonymize(source, tmp_path / "ours.parquet", job=JOB, options=options)
    collected = {}
    for name in ("naive", "ours"):
        path = tmp_path / f"{name}.parquet"
        collected[name] = str(OLDEST) in repr(statistics(path)), probed(path, "age", [str(OLDEST)]) == [str(OLDEST)]
    assert collected == {"naive": (True, True), "ours": (False, False)}
    record_row(
        "attacks", channel=f"statistics, Bloom filter, level {level}", naive=f"shows that an age is {OLDEST}", ours="not shown"
    )


def test_metadata_of_file_and_fields_tells_people(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: read, changed and written by Arrow, which carries all metadata along: pandas attributes, labels of classes, comments."""
    frame = pd.DataFrame(people)
    frame.attrs = {"source": f"first extract, reported by {SECRET_NAME}"}
    table = pa.Table.from_pandas(frame)
    names = {"info": {"features": {"illness": {"names": sorted({row["illness"] for row in people}), "_type": "ClassLabel"}}}}
    table = table.replace_schema_metadata({**table.schema.metadata, b"huggingface": json.dumps(names).encode()})
    comment = {"comment": f"checked by hand: {SECRET_ZIP}"}
    for number, field in enumerate(table.schema):
        table = table.set_column(number, field.with_metadata(comment), table[field.name])
    pq.write_table(table, tmp_path / "people.parquet")
    shown = bands(people)
    naive = pa.table(
        [pa.array([row[name] for row in shown]) for name in shown[0]],
        schema=pa.schema([pa.field(name, pa.array([shown[0][name]]).type, metadata=comment) for name in shown[0]]),
    ).replace_schema_metadata(table.schema.metadata)
    pq.write_table(naive, tmp_path / "naive.parquet")
    linked = {}
    for name, more in (("ours.parquet", []), ("ours", ["sex"])):
        anonymize(tmp_path / "people.parquet", tmp_path / name, job=JOB, options=Options(set={"output.partition-by": more}))
        linked[name] = secrets_in(tmp_path / name)
        for file in files_under(tmp_path / name):
            assert pq.read_metadata(file).metadata is None
            assert all(field.metadata is None for field in pq.read_schema(file))
    before = secrets_in(tmp_path / "naive.parquet")
    assert set(before) == set(SECRETS)
    assert linked == {"ours.parquet": [], "ours": []}
    record_row("attacks", channel="metadata of file and fields", naive=f"{len(before)} secrets", ours="0")


def test_created_by_tells_nothing_of_the_input(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: copied with the writer's line kept, which names the system, and so the hospital, that the rows come from."""
    writer = "hospital-3 export 7.1"
    frame = pa.Table.from_pylist(people)
    pq.write_table(frame.replace_schema_metadata({"exported-by": writer}), tmp_path / "people.parquet")
    naive = pa.Table.from_pylist(bands(people)).replace_schema_metadata(pq.read_schema(tmp_path / "people.parquet").metadata)
    pq.write_table(naive, tmp_path / "naive.parquet")
    anonymize(tmp_path / "people.parquet", tmp_path / "ours.parquet", job=JOB)
    before, after = (re.findall(rb"hospital-\d", metadata_of(tmp_path / f"{name}.parquet")) for name in ("naive", "ours"))
    assert before
    assert not after
    created = str(pq.read_metadata(tmp_path / "ours.parquet").created_by)
    assert re.fullmatch(r"DuckDB version v[\w.]+ \(build \w+\)", created)
    record_row("attacks", channel="name of the writer", naive="hospital shown", ours="DuckDB's version")


def test_an_index_column_holds_names(cli: Cli, tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: every identifying column that is known is dropped; the index of a data frame, which holds names, is not known."""
    frame = pd.DataFrame(people).set_index("name")
    frame.index.name = None
    frame.to_parquet(tmp_path / "people.parquet")
    table = pq.read_table(tmp_path / "people.parquet")
    shown = bands(people, k=1)
    naive = table.drop_columns(["person", "hospital", "day"])
    for name in ("age", "zip"):
        naive = naive.set_column(naive.column_names.index(name), name, pa.array([row[name] for row in shown]))
    pq.write_table(naive, tmp_path / "naive.parquet")
    (tmp_path / "job.json").write_text(json.dumps(JOB))
    for name, more in (("named.parquet", ["--job", "job.json"]), ("guessed.parquet", [])):
        cli("anonymize", "people.parquet", *more, "-o", name, code=0)
    before, named, guessed = (named_people(tmp_path / f"{name}.parquet", people) for name in ("naive", "named", "guessed"))
    assert before > 0.99
    assert named == guessed == 0
    record_row("attacks", channel="index column of pandas", naive=percent(before, "names read"), ours=percent(named, "names"))


def named_people(file: Path, people: list[Row]) -> float:
    """The share of people whose name stands in a file."""
    held = {str(value) for row in read_any(file) for value in row.values()}
    return sum(row["name"] in held for row in people) / len(people)


def read_any(file: Path) -> list[Row]:
    rows: list[Row] = pq.ParquetFile(file).read().to_pylist()
    return rows


def test_folder_names_tell_codes(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: each file of `zip=53715/` is generalized where it lies, and the folder keeps its name."""
    original, naive = tmp_path / "original", tmp_path / "naive"
    pq.write_to_dataset(pa.Table.from_pylist(people), original, partition_cols=["zip"])
    shown = bands(people, k=1)
    for row, person in zip(shown, people, strict=True):
        row["folder"] = f"zip={person['zip']}"
    for folder in {row["folder"] for row in shown}:
        write(
            naive / folder / "part.parquet",
            [{k: v for k, v in row.items() if k != "folder"} for row in shown if row["folder"] == folder],
        )
    anonymize(original, tmp_path / "ours.parquet", job=JOB)
    anonymize(original, tmp_path / "ours", job=JOB, options=Options(set={"output.partition-by": ["zip"]}))
    truth = {row["reading"]: row["zip"] for row in people}
    before, single, parted = (codes_told(tmp_path / name, truth) for name in ("naive", "ours.parquet", "ours"))
    assert before > 0.99
    assert single == parted == 0
    record_row(
        "attacks", channel="names of folders", naive=percent(before, "rows: ZIP code shown"), ours=percent(parted, "rows")
    )


def codes_told(path: Path, truth: dict[int, str]) -> float:
    """The share of rows whose whole ZIP code stands in the path of their file."""
    rows = hits = 0
    for file in files_under(path):
        said_here = set(re.findall(r"zip=([^/]+)", str(file.relative_to(path.parent))))
        for reading in pq.ParquetFile(file).read(["reading"])["reading"].to_pylist():
            rows += 1
            hits += truth[reading] in said_here
    return hits / rows


def test_sizes_names_and_times_of_files_tell_hospitals(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: a file in, a file out, with a neutral name and the times of the original; counts of admissions are published."""
    sizes = {1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}
    start, original, naive = 0, tmp_path / "original", tmp_path / "naive"
    hospital_of: dict[int, int] = {}
    for hospital, share in sizes.items():
        part = people[start : start + round(share * len(people))]
        start += len(part)
        hospital_of |= {row["reading"]: hospital for row in part}
        source = write(original / f"hospital-{hospital}.parquet", part)
        # a file is as old as its export
        os.utime(source, (1_700_000_000 + hospital * 86_400,) * 2)
        target = write(naive / f"{'dbca'[hospital - 1]}.parquet", bands(part))
        shutil.copystat(source, target)
    admissions = {hospital: round(share * len(people)) for hospital, share in sizes.items()}
    exported = {hospital: 1_700_000_000 + hospital * 86_400 for hospital in sizes}
    anonymize(original, tmp_path / "ours.parquet", job=JOB)
    anonymize(original, tmp_path / "ours", job=JOB, options=Options(set={"output.partition-by": ["sex"]}))
    for channel, key, known in (("sizes of files", rows_in, admissions), ("times of files", time_of, exported)):
        before, single, parted = (
            hospitals_told(tmp_path / name, key, known, hospital_of) for name in ("naive", "ours.parquet", "ours")
        )
        assert before > 0.99
        # the largest hospital has two rows in five: who always says it is right so often
        assert max(single, parted) < 0.45
        record_row(
            "attacks",
            channel=channel,
            naive=percent(before, "rows: hospital shown"),
            ours=percent(max(single, parted), "rows (chance 40%)"),
        )


def rows_in(file: Path) -> float:
    return float(pq.read_metadata(file).num_rows)


def time_of(file: Path) -> float:
    return file.stat().st_mtime


def hospitals_told(path: Path, key: Any, known: dict[int, int], truth: dict[int, int]) -> float:
    """The share of rows whose hospital is the one whose published figure is nearest to that of their file."""
    rows = hits = 0
    for file in files_under(path):
        if file.suffix != ".parquet":
            continue
        guess = min(known, key=lambda hospital: abs(known[hospital] - key(file)))
        for reading in pq.ParquetFile(file).read(["reading"])["reading"].to_pylist():
            rows += 1
            hits += truth[reading] == guess
    return hits / rows


def test_names_of_released_files_are_ours_alone(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: the release of a file is called as the file, which names a person."""
    stem = SECRET_NAME.replace(" ", "-")
    source = write(tmp_path / "in" / f"{stem}.parquet", people)
    naive = write(tmp_path / "naive" / f"{stem}.parquet", bands(people))
    anonymize(source, tmp_path / "ours", job=JOB, options=Options(set={"output.partition-by": ["sex"]}))
    before, after = (secrets_in(path, (stem,)) for path in (naive.parent, tmp_path / "ours"))
    assert before == [stem]
    assert after == []
    assert [file.name for file in files_under(tmp_path / "ours")] == ["data_0.parquet"] * 2
    record_row("attacks", channel="names of files", naive="a person's name", ours="data_0.parquet")


def test_no_older_version_lies_in_a_replaced_folder(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: a lake's table is overwritten; its log keeps the statistics of the first version, and its folder the old file."""
    naive = tmp_path / "naive"
    write(naive / "part-0.parquet", people)
    figures = {"numRecords": len(people), "maxValues": {"age": OLDEST, "zip": SECRET_ZIP, "name": SECRET_NAME}}
    (naive / "_delta_log").mkdir()
    added = {"add": {"path": "part-0.parquet", "stats": json.dumps(figures)}}
    (naive / "_delta_log" / "00000000000000000000.json").write_text(json.dumps(added))
    write(naive / "part-1.parquet", bands(people))
    removed = [{"remove": {"path": "part-0.parquet"}}, {"add": {"path": "part-1.parquet"}}]
    (naive / "_delta_log" / "00000000000000000001.json").write_text("\n".join(map(json.dumps, removed)))
    source = write(tmp_path / "people.parquet", people)
    first = Options(k=1, levels={"age": 0, "sex": 0, "zip": 0}, set={"output.partition-by": ["sex"]})
    anonymize(source, tmp_path / "ours", job={"columns": COLUMNS}, options=first)
    assert secrets_in(tmp_path / "ours", (SECRET_ZIP,)) == [SECRET_ZIP]
    anonymize(
        source, tmp_path / "ours", job=JOB, options=Options(set={"output.partition-by": ["sex"]}), run=Run(overwrite=True)
    )
    before, after = (secrets_in(path) for path in (naive, tmp_path / "ours"))
    assert set(before) == set(SECRETS)
    assert after == []
    assert read(tmp_path / "ours")
    record_row("attacks", channel="older versions in the folder", naive=f"{len(before)} secrets", ours="0")
