"""What suppression removes and what records show over all columns, against counts in plain Python of the rows that are in the file."""

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column
from duckanon.engine.settings import Settings
from duckanon.engine.templates import Statement
from duckanon.job.options import Options, Run
from duckanon.observers import Silent
from duckanon.release.written_columns import constant_columns, record_sets
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize

FLAT = {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}
COLUMNS = {"town": FLAT, "sex": FLAT, "event": {"role": "sensitive"}}


class Listening(Silent):
    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, message: str) -> None:
        self.warnings.append(message)


def table(seed: int, rows: int = 400) -> list[dict[str, Any]]:
    """Rows with a number of their own, rare towns, a rare event that stands in rare towns more often, and values that are missing."""
    draw = random.Random(seed)
    collected: list[dict[str, Any]] = []
    for number in range(rows):
        town = draw.choice("aaaabbbbccccdddd") if draw.random() > 0.08 else draw.choice("mnopqrstuvwxyz")
        collected.append(
            {
                "row": number,
                "town": None if draw.random() < 0.02 else town,
                "sex": draw.choice("fm"),
                "event": draw.random() < (0.6 if town > "l" else 0.02),
                "ward": draw.choice([1.5, 2.5, None]) if town < "m" else draw.choice([3.5, 1.5]),
                "score": draw.randrange(200),
            }
        )
    return collected


def removed(rows: Sequence[Mapping[str, Any]], lost: set[int], column: str) -> tuple[int, int, int]:
    """The values of a column, those of them that only lost rows have, and the rows of these; of many values, only those of five rows."""
    before = Counter(row[column] for row in rows)
    after = Counter(row[column] for row in rows if row["row"] not in lost)
    gone = [value for value, count in before.items() if not after[value] and (len(before) <= 60 or count >= 5)]
    return len(before), len(gone), sum(before[value] for value in gone)


def above(rows: Sequence[Mapping[str, Any]], lost: set[int], column: str) -> list[float]:
    """The shares that groups lose: all, or at least three rows and more than three times the average."""
    groups = Counter(row[column] for row in rows)
    suppressed = Counter(row[column] for row in rows if row["row"] in lost)
    shares = [
        suppressed[value] / count
        for value, count in groups.items()
        if suppressed[value] == count or (suppressed[value] >= 3 and suppressed[value] / count > 3 * len(lost) / len(rows))
    ]
    return shares if 1 < len(groups) <= 20 else []


def frequent(rows: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    """The three labels that most rows have; `*` where there is no other."""
    counts = Counter(str(row[name]) for row in rows if row[name] not in (None, "*"))
    return sorted(counts, key=lambda label: (-counts[label], label))[:3] or ["*"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("algorithm", ["levels", "optimal", "local", "star"])
def test_what_suppression_removes_is_counted_from_the_file(tmp_path: Path, seed: int, algorithm: str) -> None:
    rows = table(seed)
    source = write_parquet(tmp_path / "in.parquet", rows)
    options = Options(
        k=4,
        keep=["row", "ward", "score"],
        max_suppression="30%",
        levels={"town": 0, "sex": 0} if algorithm in ("levels", "star") else {},
        algorithm="local" if algorithm == "local" else None,
        set={"suppression.style": "star" if algorithm == "star" else "drop"},
    )
    listening = Listening()
    result = anonymize(source, tmp_path / "out.parquet", job={"columns": COLUMNS}, options=options, observer=listening)
    released = read_rows(tmp_path / "out.parquet")
    shown = {row["row"] for row in released if algorithm != "star" or row["town"] != "*"}
    lost = {row["row"] for row in rows} - shown
    assert result["rows"]["suppressed"] == len(lost)
    levels = result["recoding"].get("levels", {"town": 0, "sex": 0})
    names = ["town", "sex", *([] if algorithm == "star" else ["event", "ward", "score"])]
    expected = {name: removed(rows, lost, name) for name in names if not levels.get(name)}
    assert result["suppression"]["removed_values"] == {
        name: {"values": values, "removed": gone, "rows": of} for name, (values, gone, of) in expected.items() if gone
    }
    shares = {name: above(rows, lost, name) for name in names}
    assert result["suppression"]["subgroups"] == {
        name: {"groups": len({row[name] for row in rows}), "above": len(share), "highest": pytest.approx(max(share))}
        for name, share in shares.items()
        if share
    }
    unique = [record for record, count in Counter(tuple(row.values()) for row in released).items() if count == 1]
    constant = [name for name in released[0] if len({row[name] for row in released}) == 1]
    assert result["written"] == {
        "columns": 6,
        "unique_records": len(unique),
        "constant_columns": constant,
        "became_constant": [name for name in constant if len({row[name] for row in rows}) > 1],
        "labels": {
            name: frequent(released, name) for name in ("town", "sex") if result["recoding"].get("levels", {}).get(name) != 0
        },
    }
    about = [line for line in listening.warnings if "suppress" in line]
    partly = any(share < 1 for each in shares.values() for share in each)
    assert len(about) == bool(result["suppression"]["removed_values"]) + partly


RARE = """select
    case when i % 20 = 0 then 'rare ' || i % 7 else 'town ' || i % 3 end as town,
    case when i % 20 = 0 then 'code r' || i % 7 else 'code ' || i % 3 end as code,
    case when i % 20 = 0 then 'north' else 'south' end as region,
    cast(case when i % 20 = 0 then 100 + i % 3 else i % 5 end as utinyint) as small,
    cast(case when i % 20 = 0 then 0.00001 else i % 4 end as decimal(38, 5)) as large,
    case when i % 20 = 0 then 'nan'::double when i % 2 = 0 then -0.0::double else 0.0::double end as rate,
    case when i % 20 = 0 then '' when i % 4 = 1 then null else 'text' end as note,
    case when i % 20 = 0 then timestamp '2020-01-01 00:00:00.123456' else timestamp '2020-01-02' end as time
from range(400) as numbers(i)
"""
"""Each 20th row has a rare town, and values of several types that only these rows have."""

PLACES: Mapping[str, tuple[str | None, Options, Run]] = {
    "parquet": ("out.parquet", Options(), Run()),
    "csv": ("out.csv", Options(), Run()),
    "database": ("out.duckdb::release", Options(), Run()),
    "folders": ("out", Options(set={"output.partition-by": ["region"]}), Run()),
    "dry run": (None, Options(), Run(dry_run=True)),
}


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("place", PLACES)
def test_removed_values_do_not_depend_on_the_format_of_the_release(tmp_path: Path, place: str, level: int) -> None:
    source = tmp_path / "in.parquet"
    duckdb.execute(f"copy ({RARE}) to '{source}'")
    groups = {"any": ["town 0", "town 1", "town 2"]} | {f"r{number}": [f"rare {number}"] for number in range(7)}
    columns = {"town": {"role": "quasi-identifier", "hierarchy": {"kind": "levels", "levels": [groups, "*"]}}}
    name, options, run = PLACES[place]
    manifest = anonymize(
        source,
        name and tmp_path / name,
        job={"columns": columns, "linked": [["town", "code"]], "others": "keep"},
        options=replace(options, k=5, max_suppression="10%", levels={"town": level}),
        run=run,
    )
    # a linked column shows no value if its quasi-identifier is generalized
    cells = {"town": "regexp_replace(town, 'town .', 'any')"} if level else {"town": "town", "code": "code"}
    cells |= {column: f"cast({column} as varchar)" for column in ("region", "small", "large", "note", "time")}
    cells["rate"] = "cast(abs(rate) as varchar)"
    rows = duckdb.execute(f"select {', '.join(cells.values())}, town like 'rare %' from ({RARE})").fetchall()
    expected = {}
    for position, column in enumerate(cells):
        values = {row[position] for row in rows}
        gone = values - {row[position] for row in rows if not row[-1]}
        expected[column] = {
            "values": len(values),
            "removed": len(gone),
            "rows": sum(row[position] in gone for row in rows),
        }
    assert manifest["suppression"]["removed_values"] == expected


DEATHS = [
    *({"age": "old", "sex": "f", "event": "alive", "note": "a"} for _ in range(40)),
    *({"age": "young", "sex": "m", "event": "alive", "note": "b"} for _ in range(40)),
    *({"age": f"age {number}", "sex": "f", "event": "dead", "note": "b"} for number in range(3)),
]
"""Three deaths, each at an age of its own."""


def test_a_release_without_the_deaths_says_so_without_a_value(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", DEATHS)
    ages = tmp_path / "age.yaml"
    ages.write_text("kind: flat\n")
    run = cli(*["anonymize", "in.parquet", "-o", "out.parquet", "--qi", "age,sex", "--keep", "event,note", "--k", "5", "--levels", "age=0,sex=0"], "--hierarchies", f"age={ages}", "--hierarchies", f"sex={ages}", "--set", "output.public-manifest=public.json", "--report", "r.html", "--public-report", "p.html", code=0)  # fmt: skip
    gone = next(line for line in run.err.splitlines() if "because every record with them is suppressed" in line)
    assert "'event' (1 of 2 values, 3 rows)" in gone
    assert "'age' (3 of 5 values, 3 rows)" in gone
    constant = next(line for line in run.err.splitlines() if "every released record shows the same value" in line)
    assert "'event'" in constant
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    assert {gone.removeprefix("warning: "), constant.removeprefix("warning: ")} <= set(manifest["warnings"])
    for text in (run.err, json.dumps(manifest)):
        assert "dead" not in text
        assert "age 1" not in text
    assert "dead" in (tmp_path / "r.html").read_text()
    for name in ("public.json", "p.html"):
        text = (tmp_path / name).read_text()
        assert "dead" not in text
        assert "removed_values" not in text
    public = json.loads((tmp_path / "public.json").read_text())
    assert public["written"] == {"columns": 4, "unique_records": 0, "constant_columns": ["event"]}


def test_what_is_published_of_constant_columns_does_not_depend_on_suppressed_rows(tmp_path: Path) -> None:
    collected = []
    for number, rows in enumerate((DEATHS, DEATHS[:80])):
        folder = tmp_path / str(number)
        folder.mkdir()
        source = write_parquet(folder / "in.parquet", rows)
        columns = {"age": FLAT, "sex": FLAT, "event": {"role": "insensitive"}}
        options = Options(k=5, levels={"age": 0, "sex": 0}, set={"output.public-manifest": folder / "public.json"})
        anonymize(source, folder / "out.parquet", job={"columns": columns}, options=options)
        collected.append(json.loads((folder / "public.json").read_text())["written"])
    assert collected[0] == collected[1]


@pytest.mark.parametrize("form", ["out.parquet", "out.csv", "out.duckdb::release"])
def test_unique_records_are_those_that_no_other_equals(tmp_path: Path, form: str) -> None:
    """With NULL beside empty text, nested values of the same leaves, and a record of which another shows the same but in one column."""
    rows: list[dict[str, Any]] = [
        {"town": "a", "text": text, "list": nested, "number": number}
        for text, nested, number in [
            ("x", [[1], [2]], 1.0),
            ("x", [[1], [2]], 1.0),
            ("x", [[1, 2]], 1.0),
            ("", [[3]], 0.5),
            (None, [[3]], 0.5),
            ("y", None, float("nan")),
            ("y", None, float("nan")),
            ("y", None, None),
        ]
    ]
    result = anonymize(
        write_parquet(tmp_path / "in.parquet", rows),
        str(tmp_path / form),
        job={"columns": {"town": FLAT}},
        options=Options(k=2, keep=["text", "list", "number"]),
    )
    # NaN is read as NULL
    unique = [record for record, count in Counter(repr(row).replace("nan", "None") for row in rows).items() if count == 1]
    assert result["written"]["unique_records"] == len(unique) == 3


@pytest.mark.parametrize(("threads", "memory_limit"), [(1, None), (4, "40MB")])
def test_whole_rows_are_counted_over_many_row_groups(tmp_path: Path, threads: int, memory_limit: str | None) -> None:
    """Against a grouping of the rows themselves; one thread and several, in memory and with a sort that is spilled."""
    path = tmp_path / "many.parquet"
    made = "select (i * 7919) % 900000 as a, nullif(i % 3, 0)::varchar as b from range(1500000) as numbers(i)"
    grouped = f"select count(*) as n from '{path}' group by a, b"
    with duckdb.connect() as connection:
        connection.execute(f"copy ({made}) to '{path}' (format parquet)")
        figures = "count(*), min(n), count(*) filter (where n = 1)"
        [expected] = connection.execute(f"select {figures} from ({grouped})").fetchall()
    columns = [Column("a", "BIGINT"), Column("b", "VARCHAR")]
    with DuckDBEngine(Settings(threads=threads, memory_limit=memory_limit, temp_directory=tmp_path)) as engine:
        engine.create_view(Statement("records", "", f"from read_parquet('{path}')"))
        assert record_sets(engine, columns, "records") == expected
        assert expected[2] == 300_000


def test_a_column_that_differs_only_behind_the_first_rows_is_not_constant() -> None:
    with DuckDBEngine() as engine:
        rows = "select 'x' as always, null::varchar as never, i // 20000 as late, if(i < 20000, null, 1) as filled_late, i as number"
        engine.create_view(Statement("release", "", f"{rows} from range(20001) as numbers(i)"))
        assert constant_columns(engine, ["always", "never", "late", "filled_late", "number"], "release") == ["always", "never"]


def test_the_summary_counts_unique_records_only_if_columns_are_retained(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"town": "ab"[number % 2], "salary": number // 4} for number in range(25)])
    (tmp_path / "town.yaml").write_text("kind: flat\n")
    common = ("anonymize", "in.parquet", "--qi", "town", "--hierarchies", "town=town.yaml", "--overwrite")
    kept = " ".join(cli(*common, "--keep", "salary").err.split())
    assert "unique over all released columns 1 information loss" in kept
    assert "over all released columns" not in cli(*common).err
