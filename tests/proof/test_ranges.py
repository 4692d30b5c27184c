"""Ranges written as bounds or midpoints: each row's source value lies in them, classes have k rows, and a changed cell is detected."""

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from duckanon.engine.protocol import Engine, Form
from duckanon.engine.templates import Statement
from duckanon.errors import Infeasible, VerificationFailed
from duckanon.job.prepare import Run
from duckanon.release import ranges as release_ranges
from duckanon.release import verify as release_verify
from duckanon.release import write as release_write
from duckanon.release.recoding import Recoding
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize

K = 3
TOWNS = ("Bonn", "Jena")
WAYS: dict[str, dict[str, Any]] = {
    "levels": {"recoding": {"levels": {"age": 1, "born": 1, "town": 0}}},
    "values": {"recoding": {"levels": {"age": 0, "born": 2, "town": 0}}, "suppression": {"limit": "100%", "style": "star"}},
    "masked": {"recoding": {"levels": {"age": 1, "born": 1, "town": 0}}, "suppression": {"limit": "100%", "style": "star"}},
    "search": {},
    "mondrian": {"recoding": {"algorithm": "mondrian"}},
    "ends shown": {"recoding": {"algorithm": "mondrian", "show-extremes": True}},
    "local": {"recoding": {"algorithm": "local"}},
}
AGES = {"kind": "intervals", "widths": [5, 20], "range": {"snap": [10, 50]}}
BIRTHS: dict[str, dict[str, Any]] = {
    "decades": {
        "kind": "intervals",
        "intervals": [["1990-01-01", "1995-01-01"], ["1995-01-01", "2000-01-01"]],
        "groups": [[2]],
    },
    "calendar": {"kind": "dates", "units": ["month", "quarter", "year"]},
}
Values = tuple[Any, Any]


def job_of(way: str, births: str, written: str) -> dict[str, Any]:
    columns = {
        "age": {"role": "quasi-identifier", "hierarchy": AGES},
        "born": {"role": "quasi-identifier", "hierarchy": BIRTHS[births]},
        "town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
        # unique in every row: identifies the row in the release
        "row": {"role": "sensitive"},
    }
    plain = {"columns": columns, "entity": "none", "suppression": {"limit": "100%"}}
    return {**plain, "privacy": [{"model": "k-anonymity", "k": K}], "output": {"ranges": written}, **WAYS[way]}


def people(chance: random.Random, count: int) -> list[dict[str, Any]]:
    first = date(1990, 1, 1)
    return [
        {
            "age": chance.choice([None, *range(5, 60)]),
            "born": chance.choice([None, *(first + timedelta(days=chance.randrange(3652)) for _ in range(9))]),
            "town": chance.choice(TOWNS),
            "row": number,
        }
        for number in range(count)
    ]


def released(folder: Path, rows: Sequence[Mapping[str, Any]], job: dict[str, Any], output: str) -> list[dict[str, Any]] | None:
    """The rows of the release, with the types of the file; None if no recoding satisfies the requirement."""
    source = write_parquet(folder / "in.parquet", [dict(row) for row in rows])
    path = folder / output
    try:
        anonymize(source, path, job=job, run=Run(overwrite=True))
    except Infeasible:
        return None
    with duckdb.connect() as connection:
        cursor = connection.execute(f"from '{path}'")
        names = [column[0] for column in cursor.description or []]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def bounds_of(label: str | None) -> tuple[str | None, str | None, bool]:
    """The bounds of a label as texts, and whether it includes the upper one."""
    if label is None or label == "*":
        return None, None, True
    if match := re.fullmatch(r"\[(.+), (.+)([)\]])", label):
        return match[1], match[2], match[3] == "]"
    if match := re.fullmatch(r"(<=|>=|<) ?(.+)", label):
        return (match[2], None, True) if match[1] == ">=" else (None, match[2], match[1] == "<=")
    return label, label, True


def month(year: int, number: int) -> date:
    return date(year + (number - 1) // 12, (number - 1) % 12 + 1, 1)


def expected(label: str | None, kind: type) -> tuple[Any, Any, bool]:
    """The bounds of a label as numbers or dates, computed by Python."""
    if label is not None and kind is date:
        if match := re.fullmatch(r"(\d{4})", label):
            return date(int(match[1]), 1, 1), date(int(match[1]) + 1, 1, 1), False
        if match := re.fullmatch(r"(\d{4})-(\d{2})", label):
            return month(int(match[1]), int(match[2])), month(int(match[1]), int(match[2]) + 1), False
        if match := re.fullmatch(r"(\d{4})-Q(\d)", label):
            start = 3 * int(match[2]) - 2
            return month(int(match[1]), start), month(int(match[1]), start + 3), False
    low, high, is_closed = bounds_of(label)
    read: Callable[[str], Any] = date.fromisoformat if kind is date else int
    return None if low is None else read(low), None if high is None else read(high), is_closed


def midpoint(low: Any, high: Any) -> Any:
    """The mean of the bounds, or the only bound."""
    if low is None or high is None:
        return high if low is None else low
    return low + (high - low) // 2 if isinstance(low, date) else (low + high) / 2


def check_release(
    rows: Sequence[Mapping[str, Any]], texts: Sequence[Mapping[str, Any]], release: Sequence[Mapping[str, Any]], written: str
) -> None:
    """Compare every row with its source row and with its label in the same release as text; count classes by the written columns."""
    shown = {row["row"]: row for row in texts}
    assert sorted(shown) == sorted(row["row"] for row in release)
    for row in release:
        source, labels = rows[row["row"]], shown[row["row"]]
        assert row["town"] == labels["town"]
        for name, kind in (("age", int), ("born", date)):
            if not isinstance(labels[name], str | None):
                # released unchanged
                assert row[name] == labels[name] == source[name]
                continue
            low, high, is_closed = expected(labels[name], kind)
            if name not in row:
                assert (row[f"{name}_min"], row[f"{name}_max"]) == (low, high)
                value = source[name]
                assert value is None or low is None or low <= value
                assert value is None or high is None or value < high or (is_closed and value == high)
            else:
                assert row[name] == midpoint(low, high)
    names = [name for name in release[0] if name != "row"] if release else []
    assert all(count >= K for count in Counter(tuple(row[name] for name in names) for row in release).values())
    if written == "bounds" and release and isinstance(texts[0]["age"], str):
        assert names[:2] == ["age_min", "age_max"]


@pytest.mark.parametrize("written", ["bounds", "midpoint"])
@pytest.mark.parametrize("way", WAYS)
@settings(
    max_examples=max(2, settings().max_examples // 25),
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_each_row_lies_in_its_range_and_classes_have_k_rows(
    tmp_path: Path, way: str, written: str, data: st.DataObject
) -> None:
    rows = people(random.Random(data.draw(st.integers(0, 10_000))), data.draw(st.integers(1, 90)))
    births = data.draw(st.sampled_from([*BIRTHS]))
    output = data.draw(st.sampled_from(["out.parquet", "out.csv"]))
    texts = released(tmp_path, rows, job_of(way, births, "text"), "text.parquet")
    release = released(tmp_path, rows, job_of(way, births, written), output)
    assert (texts is None) == (release is None)
    if texts is not None and release is not None:
        if output.endswith(".csv"):
            # duckdb reads an empty column as text
            release = [{name: None if cell == "" else cell for name, cell in row.items()} for row in release]
        check_release(rows, texts, release, written)


def test_different_ranges_with_one_midpoint_are_one_class_of_the_file(tmp_path: Path) -> None:
    """Local recoding releases 10 unchanged and other rows as [0, 20), whose midpoint is 10 too."""
    ages = [10, 10, 10, 10, 10, 3, 4, 5, 17]
    source = write_parquet(tmp_path / "in.parquet", [{"age": age, "job": "ab"[row % 2]} for row, age in enumerate(ages)])
    hierarchy = {"kind": "intervals", "widths": [20]}
    job = {
        "columns": {"age": {"role": "quasi-identifier", "hierarchy": hierarchy}, "job": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 4}, {"model": "l-diversity", "column": "job", "l": 2}],
        "recoding": {"algorithm": "local"},
        "entity": "none",
    }
    classes = {}
    for written in ("text", "bounds", "midpoint"):
        path = tmp_path / f"{written}.parquet"
        manifest = anonymize(source, path, job={**job, "output": {"ranges": written}})
        classes[written] = manifest["classes"]["count"], manifest["classes"]["smallest"]
    assert classes == {"text": (2, 4), "bounds": (2, 4), "midpoint": (1, 9)}
    assert {row["age"] for row in read_rows(tmp_path / "midpoint.parquet")} == {10.0}


FORMS = ("out.parquet", "out.csv", "out.duckdb::released")


@pytest.mark.parametrize("output", FORMS)
@pytest.mark.parametrize("written", ["bounds", "midpoint"])
@pytest.mark.parametrize("way", ["levels", "masked", "mondrian", "local"])
def test_a_changed_cell_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, written: str, output: str
) -> None:
    """Replaces one cell of each written column by another value of the column, by a larger value, and by NULL."""
    chance = random.Random(f"{way} {written} {output}")
    source = write_parquet(tmp_path / "in.parquet", people(chance, 240))
    verify, tried = release_verify.verify, []

    def damage(engine: Engine, recoding: Recoding, draft: Path, form: Form, rows: int, **more: Any) -> Any:
        names = [name for column in recoding.ranged for name in column.values]
        original = draft.read_bytes()
        for name in names:
            for change in ("another", "more", "null"):
                if not overwrite(draft, form, recoding, name, change, chance):
                    continue
                with pytest.raises(VerificationFailed):
                    verify(engine, recoding, draft, form, rows, **more)
                for view in ("release", "written_rows"):
                    engine.drop(view)
                engine.detach(release_write.DATABASE)
                draft.write_bytes(original)
                tried.append((name, change))
        return verify(engine, recoding, draft, form, rows, **more)

    monkeypatch.setattr(release_verify, "verify", damage)
    manifest = anonymize(source, f"{tmp_path}/{output}", job=job_of(way, "decades", written))
    assert manifest["status"] == "released"
    assert {name for name, _ in tried} == {name for column in manifest["ranges"].values() for name in column["columns"]}
    assert {change for _, change in tried} == {"another", "more", "null"}


def overwrite(draft: Path, form: Form, recoding: Recoding, name: str, change: str, chance: random.Random) -> bool:
    """Change a cell of the staged file; False if the column has no other value."""
    types = {column.name: column.type for column in recoding.file_columns}
    with duckdb.connect() as connection:
        if form.table is not None:
            connection.execute(f"attach '{draft}' as written")
            table = f"written.{form.table}"
        else:
            named = dict.fromkeys(types, "varchar")
            reader = f"read_csv('{draft}', header = true, columns = {named})" if form.format == "csv" else f"'{draft}'"
            connection.execute(f"create table changed as from {reader}")
            table = "changed"
        cells = connection.execute(f'select rowid, "{name}" from {table} where "{name}" is not null').fetchall()
        row, cell = chance.choice(cells)
        others = [other for _, other in cells if other != cell]
        if change == "another" and not others:
            return False
        if change == "more":
            value: Any = (
                str(cell) + "0" if form.format == "csv" else cell + (timedelta(days=1) if isinstance(cell, date) else 1)
            )
        else:
            value = chance.choice(others) if change == "another" else None
        connection.execute(f'update {table} set "{name}" = ? where rowid = ?', [value, row])
        if form.table is None:
            kind = "csv, header true" if form.format == "csv" else "parquet"
            connection.execute(f"copy changed to '{draft}' (format {kind})")
    return True


def test_a_table_of_ranges_with_wrong_bounds_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing and verification use the same wrong table, so only the comparison with the source values detects it."""
    with_ranges = release_ranges.with_ranges

    def shifted(engine: Engine, *arguments: Any) -> Recoding:
        recoding = with_ranges(engine, *arguments)
        wrong = "select * replace (_min + 1 as _min) from ranges_age"
        engine.create_table(Statement("ranges_age", "release/ranges", wrong))
        return recoding

    monkeypatch.setattr(release_ranges, "with_ranges", shifted)
    source = write_parquet(tmp_path / "in.parquet", people(random.Random(5), 240))
    with pytest.raises(VerificationFailed, match="values of 'age' are outside the ranges that are written for them"):
        anonymize(source, tmp_path / "out.parquet", job=job_of("levels", "decades", "bounds"))
    assert not (tmp_path / "out.parquet").exists()


def test_timestamps_and_decimals_keep_their_type(tmp_path: Path) -> None:
    moments = [datetime(2024, 1, 1) + timedelta(hours=7 * number) for number in range(60)]
    rows = [{"at": moment, "price": number * 5 % 40} for number, moment in enumerate(moments)]
    source = tmp_path / "in.parquet"
    write_parquet(tmp_path / "raw.parquet", rows)
    with duckdb.connect() as connection:
        connection.execute(
            f"copy (select * replace (cast(price as decimal(9, 2)) as price) from '{tmp_path}/raw.parquet') to '{source}' (format parquet)"
        )
        columns = {
            "at": {"role": "quasi-identifier", "hierarchy": {"kind": "dates", "units": ["day", "month"]}},
            "price": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": ["12.5", 50]}},
        }
        job = {
            "columns": columns,
            "privacy": [{"model": "k-anonymity", "k": 1}],
            "recoding": {"levels": {"at": 1, "price": 1}},
            "output": {"ranges": "bounds"},
            "entity": "none",
        }
        anonymize(source, tmp_path / "out.parquet", job=job)
        types = connection.execute(f"select column_name, column_type from (describe from '{tmp_path}/out.parquet')").fetchall()
        lengths = connection.execute(
            f"select distinct at_max - at_min, price_max - price_min from '{tmp_path}/out.parquet'"
        ).fetchall()
    assert dict(types) == {name: "TIMESTAMP" if name.startswith("at") else "DECIMAL(9,2)" for name, _ in types}
    assert [(length, float(width)) for length, width in lengths] == [(timedelta(days=1), 12.5)]
