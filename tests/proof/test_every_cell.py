"""Every cell of a release is that of the source: if any cell of the written file is overwritten, nothing is released."""

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from duckanon.engine.protocol import Column, Engine, Form
from duckanon.errors import VerificationFailed
from duckanon.job.options import Options, Run
from duckanon.release import verify as release_verify
from duckanon.release import write as release_write
from duckanon.release.recoding import Recoding
from tests.support import levels
from tests.support.rows import write_parquet
from tests.support.runs import anonymize

ROWS = 240
TYPES = {
    "age": "integer",
    "weight": "double",
    "town": "varchar",
    "illness": "varchar",
    "income": "integer",
    "pay": "double",
    "share": "float",
    "price": "decimal(12, 3)",
    "born": "date",
    "at": "timestamp",
    "since": "interval",
    "spoken": "varchar[][]",
    "home": "struct(street varchar, floors double[])",
    "note": "varchar",
    "plate": "varchar",
    "who": "integer",
    "card": "varchar",
    "seen": "date",
    "rent": "integer",
}


def people(folder: Path) -> Path:
    """A row of every type, with NULL, empty text, blanks, NaN and both zeros."""
    chance = random.Random(11)
    rows = [
        (
            chance.randint(20, 59),
            chance.choice([0.0, -0.0, 1.5]),
            chance.choice(["Bonn", "Jena"]),
            chance.choice(["flu", "gout", None]),
            chance.choice([None, *range(1000, 1010)]),
            chance.choice([None, 0.0, -0.0, float("nan"), 0.1, 1e300]),
            chance.choice([0.1, -0.0, 16777217.0]),
            chance.choice([None, Decimal("1.500"), Decimal("-0.001")]),
            chance.choice([None, date(1990, 1, 1), date(1, 1, 1)]),
            chance.choice([None, datetime(2020, 1, 1, 1, 2, 3, 456789), datetime(2020, 1, 1)]),
            chance.choice([timedelta(days=31), timedelta(seconds=1, microseconds=1), None]),
            chance.choice([[["a"], ["b"]], [["a", "b"]], [[None]], [], None]),
            chance.choice(
                [None, {"street": None, "floors": None}, {"street": "a, b", "floors": [0.0]}, {"street": "", "floors": [-0.0]}]
            ),
            chance.choice([None, "", " ", "a", "a ", "NULL", 'a"b', "a\nb", "*", "ä"]),
            chance.choice(["BN", "J"]),
            number // 2,
            f"{number:04}-{number % 7}",
            date(2024, 1, 1) + timedelta(days=number % 50),
            chance.randint(300, 900),
        )
        for number in range(ROWS)
    ]
    path = folder / "people.parquet"
    with duckdb.connect() as connection:
        columns = ", ".join(f'"{name}" {type}' for name, type in TYPES.items())
        connection.execute(f"create table people ({columns})")
        connection.executemany(f"insert into people values ({', '.join('?' * len(TYPES))})", rows)
        shown = "cast(since as varchar) as since, if(town = 'Bonn', 'BN', 'J') as plate"
        connection.execute(f"copy (select * replace ({shown}) from people) to '{path}'")
    return path


LABELS = ("age", "weight", "town")
FLAT = {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}
COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [10, 20]}},
    "weight": FLAT,
    "town": FLAT,
    "illness": {"role": "sensitive"},
    "card": {"role": "identifying", "mask": {"last": 1}},
    "who": {"role": "identifying", "pseudonym": True},
    "seen": {"role": "insensitive", "shift": {"days": 9, "by": "who"}},
    # most rows are alone with theirs, so that it is kept by name only
    "rent": {"role": "insensitive"},
}
JOB: dict[str, Any] = {
    "columns": COLUMNS,
    "others": "keep",
    "linked": [["town", "plate"]],
    "release": "first",
    "entity": "none",
    "linkable": True,
    "privacy": [{"model": "k-anonymity", "k": 3}],
    "suppression": {"limit": "100%"},
    "recoding": {"levels": {"age": 1, "weight": 0, "town": 0}},
}
FIGURES = {
    **COLUMNS,
    "rent": {"role": "insensitive", "microaggregate": "mean"},
    "age": {**COLUMNS["age"], "microaggregate": "median"},
}
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "parquet": ("out.parquet", {}),
    "csv": ("out.csv", {}),
    "table": ("out.duckdb::released", {}),
    "folders": ("out", {"output": {"partition-by": ["note", "town"]}}),
    "stars": ("out.parquet", {"suppression": {"limit": "100%", "style": "star"}}),
    "linked column hidden": ("out.parquet", {"recoding": {"levels": {"age": 0, "weight": 1, "town": 1}}}),
    "mondrian": ("out.parquet", {"recoding": {"algorithm": "mondrian"}}),
    "local": ("out.csv", {"recoding": {"algorithm": "local"}}),
    "figures": ("out.parquet", {"columns": FIGURES}),
    "persons": ("out.parquet", {"entity": "who"}),
}
PLACES = dict.fromkeys(("parquet", "csv", "table"), levels.current().cells)
"""Cells that are overwritten, one after the other, in each column; two where a way is not named."""


@dataclass
class Draft:
    """What was written, as a table of raw DuckDB that can be changed and written again."""

    connection: duckdb.DuckDBPyConnection
    path: Path
    form: Form

    def __post_init__(self) -> None:
        connection, path, form = self.connection, self.path, self.form
        if form.table is not None:
            connection.execute(f"attach '{path}' as written")
            connection.execute(f"create table original as from written.{form.table}")
            connection.execute("detach written")
        elif form.format == "csv":
            names = path.read_text(encoding="utf-8").partition("\n")[0].split(",")
            columns = ", ".join(f"'{name}': 'varchar'" for name in names)
            connection.execute(
                f"create table original as from read_csv('{path}', header = true, auto_detect = false, delim = ',', quote = '\"', "
                f"escape = '\"', new_line = '\\n', columns = {{{columns}}}, allow_quoted_nulls = false)"
            )
        else:
            files = f"{path}/**/*.parquet" if form.partition_by else str(path)
            connection.execute(
                f"create table original as from read_parquet('{files}', hive_partitioning = {bool(form.partition_by)}, "
                "hive_types_autocast = false)"
            )

    @property
    def columns(self) -> list[str]:
        return [name for name, *_ in self.connection.execute("describe original").fetchall()]

    def write(self, change: str = "select 1") -> None:
        """Write the rows again, after a statement that changes `changed`."""
        connection, path, form = self.connection, self.path, self.form
        connection.execute("create or replace table changed as from original")
        connection.execute(change)
        if form.table is not None:
            path.unlink(missing_ok=True)
            connection.execute(f"attach '{path}' as written")
            connection.execute(f"create table written.{form.table} as from changed")
            connection.execute("detach written")
        elif form.format == "csv":
            connection.execute(f"copy changed to '{path}' (format csv, header true)")
        elif form.partition_by:
            shutil.rmtree(path)
            connection.execute(f"copy changed to '{path}' (format parquet, partition_by ({', '.join(form.partition_by)}))")
        else:
            connection.execute(f"copy changed to '{path}' (format parquet)")

    def differs(self) -> bool:
        """Whether the rows are other rows, by the text of their cells."""
        cells = ", ".join(f'cast("{name}" as varchar)' for name in self.columns)
        query = f"select count(*) from (select {cells} from original except all select {cells} from changed)"
        [(count,)] = self.connection.execute(query).fetchall()
        return bool(count)


@contextmanager
def damaging(monkeypatch: pytest.MonkeyPatch, damage: Callable[[Draft, Callable[[], None]], None]) -> Iterator[None]:
    """Run a function on each draft before it is verified; it may call the verification, as often as it likes."""
    verify = release_verify.verify

    def judge(engine: Engine, *arguments: Any, **more: Any) -> None:
        try:
            verify(engine, *arguments, **more)
        finally:
            # a file that one connection has open is not opened by another of the same process
            engine.drop("release")
            engine.detach(release_write.DATABASE)

    def verified(engine: Engine, recoding: Recoding, draft: Path, form: Form, rows: int, **more: Any) -> Any:
        with duckdb.connect() as connection:
            damage(Draft(connection, draft, form), lambda: judge(engine, recoding, draft, form, rows, **more))
        return verify(engine, recoding, draft, form, rows, **more)

    with monkeypatch.context() as patch:
        patch.setattr(release_verify, "verify", verified)
        yield


def changes(draft: Draft, column: str, chance: random.Random) -> str:
    """A statement that overwrites one cell of a column: with NULL, another cell of it, or a blank more."""
    [(type, rows)] = draft.connection.execute(f'select any_value(typeof("{column}")), count(*) from original').fetchall()
    cells = draft.connection.execute(f'select cast("{column}" as varchar), "{column}" from original').fetchall()
    texts, values = [text for text, _ in cells], [value for _, value in cells]
    row = chance.randrange(rows)
    # an update of 0.0 to -0.0 changes nothing, since they are equal
    others = [other for other in range(rows) if texts[other] != texts[row] and values[other] != values[row]]
    replacements = [f'(select "{column}" from original where rowid = {other})' for other in others]
    replacements = chance.sample(replacements, min(len(replacements), 2))
    replacements += ["null"] if texts[row] is not None else []
    replacements += [f"\"{column}\" || ' '"] if texts[row] is not None and type == "VARCHAR" else []
    return f'update changed set "{column}" = {chance.choice(replacements)} where rowid = {row}'


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUCKANON_KEY", bytes(range(40, 72)).hex())


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_one_cell_overwritten_in_any_column_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """Cells of each column, drawn anew, one at a time; each is caught, and the file as it was passes."""
    output, more = WAYS[way]
    chance = random.Random(f"{way} 7")
    tried = []

    def overwrite(draft: Draft, verify: Callable[[], None]) -> None:
        for column in draft.columns:
            for _ in range(PLACES.get(way, 2)):
                change = changes(draft, column, chance)
                draft.write(change)
                assert draft.differs(), change
                with pytest.raises(VerificationFailed) as failure:
                    verify()
                assert failure.value.exit_code == 1
                tried.append((column, str(failure.value)))
        draft.write()

    with damaging(monkeypatch, overwrite):
        manifest = anonymize(people(tmp_path), f"{tmp_path}/{output}", job={**JOB, **more}, run=Run(overwrite=True))
    assert manifest["status"] == "released"
    assert manifest["rows"]["released"] > ROWS / 4
    assert {column for column, _ in tried} == set(TYPES)
    for column, message in tried:
        # of labels the classes differ
        is_named = f"in {column!r}" in message or "neither pseudonyms" in message
        assert column in LABELS or is_named or (column == "plate" and "a linked column shows several values" in message), (
            column,
            message,
        )


def test_an_expression_that_writes_other_cells_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verification does not compute the cells of the source by the expression that wrote those of the file."""
    source = write_parquet(
        tmp_path / "in.parquet", [{"age": 20 + number % 3, "note": f"n{number % 4}"} for number in range(24)]
    )
    written = Recoding._typed

    def in_capitals(recoding: Recoding, column: Column, sql: str) -> str:
        own = written(recoding, column, sql)
        return f"upper({own})" if column.name == "note" else own

    monkeypatch.setattr(Recoding, "_typed", in_capitals)
    with pytest.raises(VerificationFailed, match="other cells than the recoded source, in 'note'"):
        anonymize(source, tmp_path / "out.parquet", options=Options(qi=["age"], keep=["note"], k=2))
    assert not (tmp_path / "out.parquet").exists()
