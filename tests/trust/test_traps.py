"""Known traps of anonymization, each tried on duckanon: the numbers are those of tests/trust/README.md."""

import ast
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import duckanon
from duckanon.engine import resources
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column
from duckanon.engine.templates import literal, render
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.search.outliers import near_unique
from duckanon.search.sample import Sample
from tests.support.command_line import Cli
from tests.support.paths import ROOT
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize, apply

Row = dict[str, Any]

TOWNS = ("north", "south", "east", "west")


def people(rows: int, **more: Callable[[int], Any]) -> list[Row]:
    """Four towns in turn, so that every class is large, and what is added."""
    return [{"town": TOWNS[n % 4], **{name: value(n) for name, value in more.items()}} for n in range(rows)]


def warned(
    folder: Path, rows: Sequence[Row], output: str = "out.parquet", source: str = "in.parquet", **options: Any
) -> list[str]:
    """The warnings of a run that shows towns as they are, and keeps all other columns."""
    towns = write_table(folder / "towns.csv", [(town, town[0], "*") for town in TOWNS])
    keywords: dict[str, Any] = {"qi": ["town"], "hierarchies": [f"town={towns}"], "others": "keep", "k": 5}
    path = write_parquet(folder / source, rows)
    manifest = anonymize(path, folder / output, options=Options(**{**keywords, **options}), run=Run(overwrite=True))
    lines = [str(line) for line in manifest["warnings"]]
    assert lines == json.loads((folder / f"{output}.manifest.json").read_text())["warnings"]
    return lines


# ------------------------------------------------------------------------------------ A5: keys


@pytest.mark.parametrize("level", [0, 1])
def test_a_kept_column_that_is_nearly_unique_is_warned_of(level: int, tmp_path: Path) -> None:
    """A5, whether anything is generalized or not; the share is a count, and no value is shown."""
    rows = people(400, code=lambda n: 70_000 + min(n, 299), shop=lambda n: f"shop {n // 4 % 20}", sight=lambda n: f"sight {n}")
    alone = sum(count for count in Counter(row["code"] for row in rows).values() if count < 5) / len(rows)
    warnings = warned(tmp_path, rows, levels={"town": level}, keep=["code", "sight"])
    [line] = [entry for entry in warnings if "values that fewer than 5 rows have in" in entry]
    assert f"'code' ({alone:.0%} of the rows)" in line
    assert "'sight' (100% of the rows)" in line
    assert "'shop'" not in line
    assert "drop the column" in line
    assert not re.search(r"7\d{4}|sight \d", line)


def test_a_column_that_nobody_named_and_most_rows_are_alone_with_is_refused(tmp_path: Path, cli: Cli) -> None:
    """A5: `--others keep` releases no key of the rows; each way on that the error names leads to a release that keeps the column or not."""
    rows = people(400, code=lambda n: min(n, 343), shop=lambda n: f"shop {n // 4 % 20}", sight=lambda n: f"sight {n}")
    counted = Counter(row["code"] for row in rows)
    alone = sum(number for number in counted.values() if number == 1) / len(rows)
    assert 0.85 < alone < 0.87
    write_parquet(tmp_path / "in.parquet", rows)
    arguments = ("anonymize", "in.parquet", "--qi", "town", "--others", "keep", "-o", "out.parquet")
    run = cli(*arguments)
    assert (run.code, (tmp_path / "out.parquet").exists()) == (2, False)
    [line] = [entry for entry in run.err.splitlines() if "error:" in entry]
    assert f"'code' ({alone:.0%} of the rows), 'sight' (100% of the rows)" in line
    assert "'shop'" not in line
    for option, columns in (("--identifying", {"town", "shop"}), ("--keep", {"town", "shop", "code", "sight"})):
        [names] = re.findall(rf"{option} (\S+)", line)
        assert cli(*arguments, option, names, "--overwrite").code == 0
        assert set(pq.read_schema(tmp_path / "out.parquet").names) == columns


def test_declared_sensitive_aggregated_and_dropped_columns_are_not_called_keys(tmp_path: Path) -> None:
    """A5: a sensitive column is what the release is for, and what is not released is no key."""
    rows = people(400, pay=lambda n: n, code=lambda n: n, age=lambda n: n)
    lines = warned(
        tmp_path, rows, levels={"town": 1}, sensitive=["pay"], others="drop", keep=["age"], microaggregate={"age": "median"}
    )
    assert [line for line in lines if "values that fewer than" in line or "outliers in" in line] == []


@given(values=st.lists(st.integers(0, 30), min_size=1, max_size=60))
def test_the_share_of_rows_that_are_alone_is_counted(values: list[int], tmp_path_factory: pytest.TempPathFactory) -> None:
    """A5, against plain Python, where all rows are looked at."""
    alone = sum(1 for count in Counter(values).values() if count == 1) / len(values)
    actual = judged(tmp_path_factory.mktemp("shares"), values, len(values))
    assert [entry.few for entry in actual] == ([pytest.approx(alone)] if alone >= 0.1 else [])


@pytest.mark.parametrize("way", ["drawn", "first of mixed", "first of sorted"])
@pytest.mark.parametrize(("sharing", "least", "most"), [(1, 0.97, 1.0), (2, 0.0, 0.2), (40, 0.0, 0.0)])
def test_a_sample_does_not_take_a_shared_value_for_a_unique_one(sharing: int, least: float, most: float, way: str) -> None:
    """A5, A10: of two million rows about 300,000 are looked at, and values that others share look unique in them."""
    order = "" if way == "first of sorted" else "order by hash(i)"
    with DuckDBEngine() as engine:
        engine._run(f"create table records as select i // {sharing} as code, 1 as q from range(2000000) as t(i) {order}")
        with Sample(engine, 2_000_000) as sample:
            if way == "drawn":
                sample.take([{"name": "code", "is_text": False, "holds_numbers": False}], ["q"])
            actual = near_unique(sample, [Column("code", "BIGINT")])
    share = actual[0].few if actual else 0.0
    assert least <= share <= most


def judged(folder: Path, values: Sequence[Any], rows: int, type: str = "BIGINT") -> list[Any]:
    source = write_parquet(folder / "values.parquet", [{"code": value} for value in values])
    with DuckDBEngine() as engine:
        engine._run(f"create table records as select * from read_parquet('{source}')")
        with Sample(engine, rows) as sample:
            return near_unique(sample, [Column("code", type)])


def test_a_check_tells_what_all_columns_tell_apart_together(cli: Cli, tmp_path: Path) -> None:
    """A5: k of all columns of the file, against a count in plain Python; NULL and NaN are values."""
    draw = random.Random(5)
    rows = [
        {
            "age": draw.choice([30, 40, None]),
            "pay": draw.choice([1.0, float("nan"), 2.5, None]),
            "tags": draw.choice([["a"], ["a", "b"], []]),
        }
        for _ in range(60)
    ]
    sizes = Counter(repr(row) for row in rows)
    document = duckanon.check(write_parquet(tmp_path / "in.parquet", rows), options=Options(qi=["age"]))
    uniques = sum(1 for size in sizes.values() if size == 1)
    assert document["all_columns"] == {
        "columns": 3,
        "classes": len(sizes),
        "smallest": min(sizes.values()),
        "uniques": uniques,
    }
    output = cli("check", tmp_path / "in.parquet", "--qi", "age").out
    assert f"over all 3 columns, retained ones included, {uniques} of 60 rows are unique" in output


# ------------------------------------------------------------------------------------ A9: outliers


def far_out(values: Sequence[float]) -> tuple[bool, bool]:
    """Restated: whether one of the five greatest lies more than five times as far above the median as the fifth; and below."""
    ordered = sorted(values)
    middle = ordered[(len(ordered) + 1) // 2 - 1]
    if len(ordered) < 100:
        return False, False
    high, low = ordered[-5], ordered[4]
    return (
        high > middle and ordered[-1] - middle > 5 * (high - middle),
        low < middle and middle - ordered[0] > 5 * (middle - low),
    )


def test_a_salary_of_nine_million_is_warned_of_and_never_shown(tmp_path: Path) -> None:
    """A9: told are the column, the side and what to do."""
    draw = random.Random(9)
    pays = [round(draw.lognormvariate(10.3, 0.5), -3) for _ in range(399)] + [9_000_000.0]
    rows = people(400, pay=lambda n: pays[n])
    [line] = [entry for entry in warned(tmp_path, rows, levels={"town": 1}) if "outliers in" in entry]
    assert "'pay' (above)" in line
    assert "snap" in line
    assert "--microaggregate" in line
    assert not re.search(r"9[.,_]?000|9e", line)


def test_a_top_code_and_common_tails_are_not_called_outliers(adult: Path, tmp_path: Path) -> None:
    """A9 on Adult: 159 rows share the greatest capital-gain, so it singles nobody out; fnlwgt alone is a key."""
    manifest = anonymize(
        adult,
        tmp_path / "out.parquet",
        options=Options(qi=["age", "sex", "race"], hierarchies=["adult/five-year"], keep=["fnlwgt"], others="keep"),
    )
    warnings = [line for line in manifest["warnings"] if "outliers in" in line or "values that fewer than" in line]
    assert len(warnings) == 1
    assert "fnlwgt" in warnings[0]


@given(
    values=st.lists(st.sampled_from([0.0, 0.0, 0.0, 1.0, 2.0, 5.0, -3.0, 40.0, -600.0, 9000.0]), min_size=95, max_size=140),
    odd=st.lists(st.sampled_from([None, float("nan"), float("inf"), float("-inf")]), max_size=3),
)
def test_far_out_is_what_its_definition_says(
    values: list[float], odd: list[float | None], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A9 against a restatement: infinity, NaN and NULL are no numbers of anybody."""
    everything = [*values, *odd]
    actual = judged(tmp_path_factory.mktemp("ends"), everything, len(everything), "DOUBLE")
    above, below = far_out(values)
    assert [(entry.above, entry.below) for entry in actual if entry.above or entry.below] == (
        [(above, below)] if above or below else []
    )


# ------------------------------------------------------------------------------------ A6: composition


def test_a_second_release_by_another_recoding_is_warned_of(tmp_path: Path) -> None:
    """A6: the first manifest is named, and what to do; k as the only difference is a difference where it changes the levels."""
    rows = people(400)
    assert warned(tmp_path, rows, "first.parquet", levels={"town": 0}) == []
    [line] = warned(tmp_path, rows, "second.parquet", levels={"town": 1})
    assert "'first.parquet.manifest.json'" in line
    assert "duckanon apply" in line


def test_publishing_at_several_k_is_warned_of(tmp_path: Path) -> None:
    """A6: the k changes the levels, and both releases of the same people together keep neither."""
    rows = [{"town": town} for town, count in zip(TOWNS, (30, 30, 30, 8), strict=True) for _ in range(count)]
    assert warned(tmp_path, rows, "k5.parquet", k=5) == []
    assert warned(tmp_path, rows, "k20.parquet", k=20) != []


def test_the_same_recoding_again_is_not_warned_of(tmp_path: Path) -> None:
    """A6: replaced, written twice, applied; at the same levels with another k; and other data of as many rows."""
    rows = people(400)
    for output, k in (("a.parquet", 5), ("a.parquet", 5), ("b.csv", 5), ("c.parquet", 7)):
        assert warned(tmp_path, rows, output, levels={"town": 1}, k=k) == []
    applied = apply(tmp_path / "a.parquet.manifest.json", tmp_path / "in.parquet", tmp_path / "d.parquet")
    assert applied["warnings"] == []
    others = [{"town": TOWNS[0]} for _ in range(400)]
    assert warned(tmp_path, others, "e.parquet", "later.parquet", levels={"town": 0}) == []


def test_a_recoding_that_is_applied_to_other_people_is_not_warned_of(tmp_path: Path) -> None:
    """A6: bounds of the search are gone from a saved recoding, so that nothing of the classes before can be compared."""
    rows = people(400)
    job = {"columns": {"town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}, "min-level": 1}}}
    write_parquet(tmp_path / "in.parquet", rows)
    anonymize(tmp_path / "in.parquet", tmp_path / "june.parquet", job=job)
    others = [{**row, "town": TOWNS[number % 2]} for number, row in enumerate(rows)]
    for month in ("july", "august"):
        write_parquet(tmp_path / f"{month}-in.parquet", others)
        applied = apply(
            tmp_path / "june.parquet.manifest.json", tmp_path / f"{month}-in.parquet", tmp_path / f"{month}.parquet"
        )
        assert [line for line in applied["warnings"] if "recoded in another way" in line] == []


def test_the_release_that_is_replaced_is_not_warned_of(tmp_path: Path) -> None:
    """A6: what --overwrite takes away cannot be intersected with."""
    assert warned(tmp_path, people(400), levels={"town": 0}) == []
    assert warned(tmp_path, people(400), levels={"town": 1}) == []


@pytest.mark.parametrize("recoding", ["mondrian", "local"])
def test_local_recodings_are_compared_too(recoding: str, tmp_path: Path) -> None:
    """A6: by what they lose, since they have no levels."""
    rows = people(400, age=lambda n: 20 + n % 50)
    more: dict[str, Any] = {"qi": ["town", "age"], "hierarchies": ["adult/five-year"], "algorithm": recoding}
    towns = write_table(tmp_path / "towns.csv", [(town, town[0], "*") for town in TOWNS])
    more["hierarchies"] = [f"town={towns}", "adult/five-year"]
    assert warned(tmp_path, rows, "a.parquet", **more) == []
    assert warned(tmp_path, rows, "b.parquet", **more) == []
    [line] = warned(tmp_path, rows, "c.parquet", **{**more, "k": 25})
    assert "'a.parquet.manifest.json' and 1 more" in line


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "[" * 100_000, '{"status": "released"}', '{"status": "released", "input": 1}']
)
def test_files_that_only_look_like_manifests_are_passed_over(text: str, tmp_path: Path) -> None:
    """A6: nothing that lies about stops a run."""
    (tmp_path / "x.manifest.json").write_text(text)
    (tmp_path / "folder.manifest.json").mkdir()
    (tmp_path / "nowhere.manifest.json").symlink_to(tmp_path / "gone")
    assert warned(tmp_path, people(40), levels={"town": 1}) == []


# ------------------------------------------------------------------------------------ A: other attacks on the model


def test_k_alone_beside_a_sensitive_column_is_warned_of_and_shared_values_are_counted(tmp_path: Path) -> None:
    """A1: a class of one illness discloses the illness of everybody in it."""
    rows = people(80, illness=lambda n: "flu" if n % 4 == 0 else f"ill {n % 7}")
    [line] = warned(tmp_path, rows, levels={"town": 0}, sensitive=["illness"], others="drop")
    assert "illness" in line
    assert "--require distinct-l=2@" in line
    document = duckanon.check(tmp_path / "out.parquet", options=Options(qi=["town"], sensitive=["illness"]))
    assert document["homogeneous"] == {"illness": {"classes": 1, "rows": 20}}


def test_skewed_classes_are_measured_also_without_a_requirement(tmp_path: Path) -> None:
    """A2: t against the shares of the whole file, in plain Python; l alone says nothing of it."""
    rows = people(80, illness=lambda n: "rare" if n % 4 == 0 and n % 20 else f"ill {n % 2}")
    whole, largest = Counter(row["illness"] for row in rows), 0.0
    for town in TOWNS:
        part = Counter(row["illness"] for row in rows if row["town"] == town)
        largest = max(largest, sum(abs(part[value] / 20 - whole[value] / 80) for value in whole) / 2)
    document = duckanon.check(write_parquet(tmp_path / "in.parquet", rows), options=Options(qi=["town"], sensitive=["illness"]))
    [t] = [
        entry for entry in document["privacy"] if entry["model"] == "t-closeness" and entry.get("distance") in (None, "equal")
    ][:1]
    assert t["achieved"] == pytest.approx(largest)


def test_every_row_is_recoded_alike_by_default(tmp_path: Path) -> None:
    """A4: recoding that follows the data more closely discloses more, so it is never the default."""
    manifest = anonymize(write_parquet(tmp_path / "in.parquet", people(40)), job={"columns": FLAT})
    assert manifest["recoding"]["algorithm"] == "optimal"
    assert list(manifest["recoding"]["levels"]) == ["town"]


def test_nothing_we_say_calls_a_release_anonymous() -> None:
    """A4: the guarantee is about classes; whether a person is identified depends on the knowledge of others."""
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "duckanon").rglob("*.html")]
    texts += (ROOT / "duckanon/cli").glob("*.py")
    assert len(texts) > 30
    lines = [line for path in texts for line in path.read_text(encoding="utf-8").splitlines()]
    assert [
        line
        for line in lines
        if re.search(r"(?<!k-)(?<!non-)(?<!not )\banonymous\b", line, re.IGNORECASE) and "no law says" not in line
    ] == []


FLAT: dict[str, Any] = {"town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}

ESTIMATING = re.compile(r"approx_|using sample|tablesample|reservoir", re.IGNORECASE)


def test_nothing_is_estimated_but_proposals_and_warnings() -> None:
    """A10, E1: samples and approximate counts stand in the profile and in what warnings rest on, and in no check."""
    names = {name for name, text in template_texts() if ESTIMATING.search(text)}
    assert names == {
        "dataset/column_counts",
        "dataset/sampled_records",
        "dataset/row_sample",
        "dataset/sampled_values",
        "lattice/sampled_levels",
        "spark/dataset/sampled_records",
    }


# ------------------------------------------------------------------------------------ B: NULL and values


@pytest.mark.parametrize("missing", [None, float("nan")], ids=["NULL", "NaN"])
@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_a_row_without_a_value_is_alone_and_is_not_published_so(missing: Any, algorithm: str, tmp_path: Path) -> None:
    """B1, B2: five people of one age and one without: tools that drop missing values call this 5-anonymous."""
    source = write_parquet(tmp_path / "in.parquet", [{"age": age, "n": n} for n, age in enumerate([30.0] * 5 + [missing])])
    document = duckanon.check(source, options=Options(qi=["age"], require=["k=5"]))
    assert document["status"] == "violated"
    assert document["classes"]["smallest"] == 1
    job = {
        "columns": {"age": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}, "n": {"role": "insensitive"}},
        "suppression": {"limit": 1},
        "recoding": {"algorithm": algorithm},
    }
    anonymize(source, tmp_path / "out.parquet", job=job)
    rows = read_rows(tmp_path / "out.parquet")
    assert min(Counter(str(row["age"]) for row in rows).values()) >= 5
    assert all(row["n"] != 5 or row["age"] == "*" for row in rows)


@pytest.mark.parametrize("label", [None, "east", "*", "west"])
@pytest.mark.parametrize("value", [None, "a"])
def test_a_wrong_label_is_seen_beside_null_too(value: str | None, label: str | None) -> None:
    """B3: what is compared with NULL is neither equal nor unequal; such a label must not slip through the verification."""
    attribute = {"name": "town", "number": 0, "is_ordered": False, "order": None, "least": 0, "height": 2}
    levels = {"a": ("a", "east", "*"), None: (None, None, "*")}
    with DuckDBEngine() as engine:
        engine._run("create table region_assignments as select 0::bigint as town, 1 as _region")
        engine._run(f"create table regions as select 1 as _region, {literal(label)}::varchar as town")
        engine._run(f"create table recoding_town as select {literal(value)}::varchar as value, 0::bigint as code")
        rows = ", ".join(f"({', '.join(literal(cell) for cell in (name, *cells))})" for name, cells in levels.items())
        engine._run(f"create table hierarchy_town as from (values {rows}) as t(value, level_0, level_1, level_2)")
        actual = engine.query(render("local_recoding/uncovered", attribute=attribute))
    assert (actual == []) == (label in levels[value])


def test_no_statement_joins_columns_of_the_user_in_a_way_that_loses_null() -> None:
    """B3: `using` drops NULL: what is the user's is joined by codes, or with `is not distinct from`. One joins numbers of ours."""
    lossy = re.compile(r"\busing\s*\(|\bnatural\s+(left\s+)?join\b", re.IGNORECASE)
    assert {name for name, text in template_texts() if lossy.search(text)} == {"hierarchy/kinds/order"}


@pytest.mark.parametrize("output", ["out.parquet", "out.csv"])
def test_somebody_called_null_is_somebody(output: str, tmp_path: Path) -> None:
    """B5: the text NULL, in any case, NA, the empty string and a missing value are six values."""
    names = ["NULL", "null", "Null", "NA", "", None]
    rows = [{"name": name} for name in names for _ in range(3)]
    job = {"columns": {"name": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}}
    source = write_parquet(tmp_path / "in.parquet", rows)
    anonymize(source, tmp_path / output, job=job, options=Options(k=3, levels={"name": 0}))
    document = duckanon.check(tmp_path / output, options=Options(qi=["name"]))
    assert (document["classes"]["count"], document["classes"]["smallest"]) == (6, 3)


# ------------------------------------------------------------------------------------ B8, C: what else a file shows


@pytest.mark.parametrize("output", ["out.parquet", "out.csv", "out.duckdb::people", "folder"])
@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_only_the_release_is_in_the_release(algorithm: str, output: str, tmp_path: Path) -> None:
    """B8, C1, C3, C4: neither dropped columns, nor suppressed rows, nor the ends of a generalized column, in no byte of what
    lies there but the saved recoding, which is its owner's; pandas' index with names is a column that nobody named."""
    (tmp_path / "there").mkdir()
    draw = random.Random(3)
    ages = [170_001, *(draw.randrange(200_000, 300_000) for _ in range(400)), 930_009]
    table = pa.Table.from_pylist(
        [
            {"age": age, "group": "ab"[n % 2], "__index_level_0__": f"SECRETNAME{n}", "free": f"SECRETNOTE{n}"}
            for n, age in enumerate(ages)
        ]
    )
    metadata = {"pandas": '{"index_columns": ["__index_level_0__"], "x": "SECRETMETA"}'}
    pq.write_table(table.replace_schema_metadata(metadata), tmp_path / "in.parquet")
    hierarchy = {"kind": "intervals", "widths": [100_000], "range": {"snap": [200_000, 300_000]}}
    columns: dict[str, Any] = {
        "age": {"role": "quasi-identifier", "hierarchy": hierarchy},
        "group": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
    }
    job: dict[str, Any] = {"columns": columns, "recoding": {"algorithm": algorithm}, "suppression": {"limit": 5}}
    job["output"] = {"partition_by": ["group"]} if output == "folder" else {}
    anonymize(tmp_path / "in.parquet", f"{tmp_path / 'there' / output}", job=job)
    files = [file for file in (tmp_path / "there").rglob("*") if file.is_file() and ".recoding" not in str(file.parent)]
    assert len(files) >= 2
    for file in files:
        held = [file.read_bytes(), str(file).encode()]
        if file.suffix == ".parquet":
            plain = tmp_path / "plain.parquet"
            duckdb.execute(f"copy (from '{file}') to '{plain}' (format parquet, compression uncompressed)")
            held += [plain.read_bytes(), repr(duckdb.execute(f"from parquet_metadata('{file}')").fetchall()).encode()]
            assert not duckdb.execute(f"from parquet_kv_metadata('{file}')").fetchall()
        for text in held:
            assert b"SECRET" not in text
            assert b"170001" not in text
            assert b"930009" not in text


@pytest.mark.parametrize("k", [2, 5])
def test_ranges_of_partitions_end_at_rounded_values_and_at_no_end_of_the_column(k: int, tmp_path: Path) -> None:
    """B8: ends are rounded outwards to a step of at most 1/20 of the range; narrow ranges of whole numbers, whose step is 1, show values."""
    ages = sorted(random.Random(k).sample(range(1000, 9000), 60))
    source = write_parquet(tmp_path / "in.parquet", [{"age": age} for age in ages])
    job = {
        "columns": {"age": {"role": "quasi-identifier"}},
        "recoding": {"algorithm": "mondrian"},
        "output": {"shuffle": False},
    }
    anonymize(source, tmp_path / "out.parquet", job=job, options=Options(k=k))
    members: dict[str, list[int]] = {}
    for age, row in zip(ages, read_rows(tmp_path / "out.parquet"), strict=True):
        members.setdefault(row["age"], []).append(age)
    steps = [1, *(digit * 10**power for power in range(4) for digit in (1, 2, 5))]
    expected = []
    for low, *_, high in members.values():
        step = max(step for step in steps if step == 1 or 20 * step <= high - low)
        start, end = low // step * step, -(-high // step) * step
        expected.append(f"<= {end}" if low == ages[0] else f">= {start}" if high == ages[-1] else f"[{start}, {end}]")
    assert list(members) == expected
    shown = {int(entry) for label in members for entry in re.findall(r"\d+", label)}
    assert not shown & {ages[0], ages[-1]}
    assert not shown <= set(ages)


def test_messages_about_a_broken_line_do_not_show_it(cli: Cli, tmp_path: Path) -> None:
    """C1: logs outlive files."""
    (tmp_path / "in.csv").write_text("age,name\n30,Ann\n" * 3 + "31,SECRETNAME,x,y\n")
    run = cli("anonymize", "in.csv", "--qi", "age")
    assert run.code not in (0, 1)
    assert "SECRETNAME" not in run.err + run.out


def test_text_that_a_spreadsheet_would_run_is_released_as_it_is(tmp_path: Path) -> None:
    """C6, not guaranteed: cells are not changed for the sake of the program that opens them."""
    rows = people(10, note=lambda _: "=1+1")
    warned(tmp_path, rows, "out.csv", levels={"town": 1}, k=2)
    assert "=1+1" in (tmp_path / "out.csv").read_text()


# ------------------------------------------------------------------------------------ D: pseudonyms


def test_no_digest_of_the_database_stands_for_a_person() -> None:
    """D3: values are digested by HMAC-SHA-256 alone; other hashes order rows and compare them, and are never released."""
    digest = re.compile(r"\b(md5|sha1|sha256|hmac|hash|xxhash64)\s*\(", re.IGNORECASE)
    names = {name for name, text in template_texts() if digest.search(text)}
    assert names == {
        "release/unique_records",
        "release/disclosures",
        "demo/adult",
        "demo/survey",
        "demo/visits",
        "hierarchy/checks/reused_labels",
        "release/fingerprint",
        "release/treatments",
        "dataset/first_row",
        "dataset/input_cells",
        "dataset/copied_rows",
        "spark/release/fingerprint",
        "spark/release/scattered",
        "utility/example_records",
        "dataset/dependencies",
        "dataset/parts",
    }


# ------------------------------------------------------------------------------------ E: engines


def test_chance_stands_in_the_shuffle_and_in_a_sample_with_a_seed() -> None:
    """E2, E3: what is recomputed must come out the same; on a cluster nothing is drawn but, with a seed, the rows in which direct identifiers are looked for."""
    drawn = re.compile(
        r"\b(rand|randn|random|uuid|gen_random_uuid|monotonically_increasing_id|now|setseed)\s*\(", re.IGNORECASE
    )
    texts = {name: text for name, text in template_texts() if drawn.search(text)}
    assert set(texts) == {"release/shuffled", "spark/dataset/sampled_values"}
    assert not drawn.search(texts["spark/dataset/sampled_values"].replace("rand(1)", ""))


def template_texts() -> list[tuple[str, str]]:
    """Every template and every part of one, without comments."""
    folder = resources.folder("sql")
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".sql", ".jinja"))
    return [
        (
            path.relative_to(folder).with_suffix("").as_posix(),
            "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("--")),
        )
        for path in paths
    ]


# ------------------------------------------------------------------------------------ the table of traps

TRAPS = [*(f"A{n}" for n in range(1, 23)), *(f"B{n}" for n in range(1, 16)), *(f"C{n}" for n in range(1, 9))]
TRAPS += [*(f"D{n}" for n in range(1, 8)), *(f"E{n}" for n in range(1, 10))]


def test_the_table_names_every_trap_and_tests_that_exist() -> None:
    """Every row names an existing test, or says that nothing is guaranteed."""
    text = (ROOT / "tests/trust/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-E]\d+) \| (.+?) \| (.+) \|$", text, re.MULTILINE)
    assert [number for number, *_ in rows] == TRAPS
    absent = []
    for number, _, held in rows:
        named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", held)
        assert named or "not guaranteed" in held, number
        absent += [f"{file}::{name}" for file, name in named if name not in named_tests(ROOT / "tests" / file)]
    assert absent == []


def named_tests(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
