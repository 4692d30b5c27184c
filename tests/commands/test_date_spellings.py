"""Dates in many spellings: read as the dates that Python wrote, or named in a warning; never cut like codes."""

import csv
import random
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.support.command_line import Cli

_RANDOM = random.Random(14)
DAYS = [date(_RANDOM.randint(1930, 1999), _RANDOM.randint(1, 12), _RANDOM.randint(1, 28)) for _ in range(120)]
DAYS = [*DAYS, date(1971, 5, 31), date(1940, 3, 1), date(1968, 2, 29)]
WORDS = str.split
GERMAN = WORDS("Januar Februar März April Mai Juni Juli August September Oktober November Dezember")
FRENCH = WORDS("janvier février mars avril mai juin juillet août septembre octobre novembre décembre")
SPANISH = WORDS("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
ITALIAN = WORDS("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre")
DUTCH = WORDS("januari februari maart april mei juni juli augustus september oktober november december")
POLISH = WORDS("stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia")

ACCEPTED = ("--set", "accept=dependency", "--set", "accept=direct-identifiers")

Spell = Callable[[date], str]
RIGHT: dict[str, Spell] = {
    "oracle": lambda day: f"{day:%d-%b-%y}".upper(),
    "compact_name": lambda day: f"{day:%d%b%Y}".upper(),
    "german": lambda day: f"{day.day}. {GERMAN[day.month - 1]} {day.year}",
    "german_weekday": lambda day: f"{WORDS('Mo Di Mi Do Fr Sa So')[day.weekday()]}, {day:%d.%m.%Y}",
    "french": lambda day: f"{'1er' if day.day == 1 else day.day} {FRENCH[day.month - 1]} {day.year}",
    "spanish": lambda day: f"{day.day} de {SPANISH[day.month - 1]} de {day.year}",
    "italian": lambda day: f"{day.day} {ITALIAN[day.month - 1]} {day.year}",
    "dutch": lambda day: f"{day.day} {DUTCH[day.month - 1]} {day.year}",
    "polish": lambda day: f"{day.day} {POLISH[day.month - 1]} {day.year}",
    "english": lambda day: f"{day:%B} {day.day}, {day.year}",
    "english_weekday": lambda day: f"{day:%A}, {day:%B} {day.day}, {day.year}",
    "ordinal": lambda day: (
        f"{day.day}{({1: 'st', 2: 'nd', 3: 'rd'} if day.day != 11 else {}).get(day.day % 10 if day.day not in (12, 13) else 0, 'th')} {day:%B %Y}"
    ),
    "short_name": lambda day: f"{day:%b} {day.day} {day.year}",
    "year_name": lambda day: f"{day:%Y-%b-%d}",
    "dots": lambda day: f"{day:%d.%m.%Y}",
    "dots_short_year": lambda day: f"{day:%d.%m.%y}",
    "czech": lambda day: f"{day.day}. {day.month}. {day.year}",
    "slashes": lambda day: f"{day:%d/%m/%Y}",
    "american": lambda day: f"{day:%m/%d/%Y}",
    "american_plain": lambda day: f"{day.month}/{day.day}/{day.year}",
    "american_short": lambda day: f"{day.month}/{day.day}/{day:%y}",
    "hyphens": lambda day: f"{day:%d-%m-%Y}",
    "year_slashes": lambda day: f"{day:%Y/%m/%d}",
    "year_dots": lambda day: f"{day:%Y.%m.%d}",
    "iso_plain": lambda day: f"{day.year}-{day.month}-{day.day}",
    "year_short": lambda day: f"{day:%y-%m-%d}",
    "compact": lambda day: f"{day:%Y%m%d}",
    "compact_day_first": lambda day: f"{day:%d%m%Y}",
    "japanese": lambda day: f"{day.year}年{day.month}月{day.day}日",
    "week_day": lambda day: f"{day:%G-W%V-%u}",
    "iso_and_dots": lambda day: f"{day:%Y-%m-%d}" if day.day % 2 else f"{day:%d.%m.%Y}",
    "iso_with_marks": lambda day: f"{day:%Y-%m-%d}",
    "dots_with_marks": lambda day: f"{day:%d.%m.%Y}",
    "marks_among_names": lambda day: f"{day:%d %b %Y}",
}
MARKS = {"iso_with_marks": "NA", "dots_with_marks": "n/a", "marks_among_names": "unknown"}
PERIODS: dict[str, tuple[Spell, Spell]] = {
    "month": (lambda day: f"{day:%m/%Y}", lambda day: f"{day:%Y-%m}"),
    "month_name": (lambda day: f"{GERMAN[day.month - 1]} {day.year}", lambda day: f"{day:%Y-%m}"),
    "quarter": (lambda day: f"Q{(day.month + 2) // 3} {day.year}", lambda day: f"{day.year}-Q{(day.month + 2) // 3}"),
    "week": (lambda day: f"{day:%G}W{day:%V}", lambda day: f"{day:%G-W%V}"),
}
MOMENTS: dict[str, Spell] = {
    "with_time": lambda day: f"{day:%d.%m.%Y} 14:30",
    "american_time": lambda day: f"{day:%m/%d/%Y} 2:30 PM",
    "some_times": lambda day: f"{day:%d/%m/%Y} 14:30:00",
}
ASKED: dict[str, tuple[Spell, str]] = {
    "either_order": (lambda day: f"{day.day % 12 + 1:02}/{day:%m/%Y}", "--set dates=day-first or --set dates=month-first"),
    "either_order_short": (
        lambda day: f"{day.day % 12 + 1}/{day.month}/{day:%y}",
        "--set dates=day-first or --set dates=month-first",
    ),
    "either_century": (lambda day: f"{day:%d.%m.}{day.year % 40:02}", "either century"),
    "either_century_name": (lambda day: f"{day:%d-%b-}{day.year % 40:02}", "either century"),
    "both_orders": (lambda day: f"{day:%d/%m/%Y}" if day.year % 2 else f"{day:%m/%d/%Y}", "--set dates=day-first cannot read"),
    "no_day": (lambda day: f"{31 if day.day > 9 else day.day}.{day:%m.%Y}", "--set dates=day-first cannot read"),
    "zone": (lambda day: f"{day:%d/%m/%Y} 10:00 +02:00", "none can be read"),
    "short_month": (lambda day: f"{day:%b-%y}", "none can be read"),
}
AMOUNTS: dict[str, Callable[[int], str]] = {
    "thousands": lambda number: f"{number % 9 + 1},{number % 999:03}",
    "german_amount": lambda number: f"{number % 9 + 1}.234,{number % 99:02}",
    "euros": lambda number: f"€ {number}",
    "dollars": lambda number: f"${number}.50",
}


def written(path: Path, columns: dict[str, list[str]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([list(columns), *zip(*columns.values(), strict=True)])
    return path


def test_what_is_certain_is_read_as_the_dates_that_were_written(cli: Cli, tmp_path: Path) -> None:
    columns = {name: [spell(day) for day in DAYS] for name, spell in (RIGHT | MOMENTS).items()}
    columns |= {name: [spell(day) for day in DAYS] for name, (spell, _) in PERIODS.items()}
    for name, mark in MARKS.items():
        columns[name][::3] = [mark] * len(columns[name][::3])
    number = [str(number) for number in range(len(DAYS))]
    written(tmp_path / "in.csv", {"sex": ["F"] * len(DAYS), **columns, "order": number})
    keep = [option for name in [*columns, "order"] for option in ("--keep", name)]
    run = cli("anonymize", "in.csv", "--qi", "sex", "--k", "1", *keep, *ACCEPTED, "-o", "out.parquet", code=0)
    table = pq.read_table(tmp_path / "out.parquet").sort_by("order")
    for name in RIGHT:
        expected: list[Any] = list(DAYS)
        expected[::3] = [None] * len(DAYS[::3]) if name in MARKS else expected[::3]
        assert table[name].to_pylist() == expected, name
    for name in MOMENTS:
        assert table[name].to_pylist() == [datetime(day.year, day.month, day.day, 14, 30) for day in DAYS], name
    for name, (_, spell) in PERIODS.items():
        assert table[name].to_pylist() == [spell(day) for day in DAYS], name
    year = datetime.now(UTC).year
    assert f"oracle: years of two digits are read as {year - 99} to {year}" in run.err


def test_what_is_not_certain_is_asked_and_never_cut_like_codes(cli: Cli, tmp_path: Path) -> None:
    columns = {name: [spell(day) for day in DAYS] for name, (spell, _) in ASKED.items()}
    columns |= {name: [spell(number + 100) for number in range(len(DAYS))] for name, spell in AMOUNTS.items()}
    written(tmp_path / "in.csv", columns)
    run = cli(
        "anonymize", "in.csv", "--qi", ",".join(columns), "--algorithm", "mondrian", "-o", "out.parquet", "--json", code=0
    )
    warnings = [line for line in run.err.splitlines() if line.startswith("warning: ")]
    for name in columns:
        [line] = [line for line in warnings if f"{name!r} is text" in line]
        assert (ASKED[name][1] if name in ASKED else "looks like") in line
        assert f"no hierarchy given for {name}: duckanon suggests one, codes" not in run.err


@pytest.mark.parametrize(
    ("spell", "order", "century"),
    [
        (ASKED["either_order"][0], "day-first", None),
        (ASKED["either_order"][0], "month-first", None),
        (ASKED["either_century"][0], "day-first", 2000),
        (lambda day: f"{day.year % 12 + 1:02}-{day.month:02}-{day.day % 12 + 1:02}", "year-first", 2000),
    ],
)
def test_the_named_order_reads_what_was_asked(cli: Cli, tmp_path: Path, spell: Spell, order: str, century: int | None) -> None:
    texts = [spell(day) for day in DAYS]
    written(tmp_path / "in.csv", {"sex": ["F"] * len(texts), "born": texts})
    cli("anonymize in.csv --qi sex --keep born --k 1 -o out.parquet", "--set", f"dates={order}", code=0)
    parts = [list(map(int, text.replace("/", "-").replace(".", "-").split("-"))) for text in texts]
    places = {"day-first": (2, 1, 0), "month-first": (2, 0, 1), "year-first": (0, 1, 2)}[order]
    numbers = [tuple(part[place] for place in places) for part in parts]
    this = datetime.now(UTC).year
    expected = [
        date(year if century is None else century + year if century + year <= this else century - 100 + year, month, day)
        for year, month, day in numbers
    ]
    assert sorted(pq.read_table(tmp_path / "out.parquet")["born"].to_pylist()) == sorted(expected)


def test_an_order_that_does_not_fit_says_how_many_values_it_cannot_read(cli: Cli, tmp_path: Path) -> None:
    texts = ["12/31/1980", "12/30/1980", *(f"{number % 12 + 1:02}/05/1980" for number in range(30))]
    written(tmp_path / "in.csv", {"sex": ["F"] * 32, "born": texts})
    run = cli("anonymize", "in.csv", "--qi", "sex", "--keep", "born", "--k", "1", "--set", "dates=day-first", "-o", "out.csv")
    assert (
        "warning: 'born' is text that looks like dates, but of its 14 different values --set dates=day-first cannot read 2"
        in run.err
    )


@pytest.mark.parametrize("spelling", ["oracle", "german", "month", "week", "iso_with_marks", "zoned"])
def test_the_released_label_holds_the_date(cli: Cli, tmp_path: Path, spelling: str) -> None:
    """Each row's label, by an order of rows that is kept, against the year of the date that was written."""
    spells = RIGHT | {name: pair[0] for name, pair in PERIODS.items()} | {"zoned": lambda day: f"{day}T00:30:00+02:00"}
    days = sorted(DAYS)
    texts = [spells[spelling](day) for day in days]
    written(
        tmp_path / "in.csv", {"born": texts, "year": [f"{day:%G}" if spelling == "week" else str(day.year) for day in days]}
    )
    cli("anonymize in.csv --qi born --keep year --k 4 --max-suppression 100% -o out.csv", *ACCEPTED, code=0)
    pairs = duckdb.execute(f"select born, year from read_csv('{tmp_path / 'out.csv'}', all_varchar = true)").fetchall()
    assert pairs
    for label, year in pairs:
        bounds = [int(text[:4]) for text in label.strip("[)").split(", ")]
        assert bounds[0] <= int(year) < (bounds[1] if len(bounds) > 1 else bounds[0] + 1), (label, year)


def test_text_of_a_typed_file_stays_text_until_an_order_is_named(cli: Cli, tmp_path: Path) -> None:
    texts = [f"{day:%d.%m.%Y}" for day in DAYS]
    pq.write_table(pa.table({"sex": ["F"] * len(texts), "born": texts}), tmp_path / "in.parquet")
    plain = cli("anonymize", "in.parquet", "--qi", "sex,born", "-o", "out.parquet")
    assert (
        "warning: 'born' is text that looks like dates; give --set dates=day-first, or --set dates=text to keep it text"
        in plain.err
    )
    cli("anonymize", "in.parquet", "--qi", "sex", "--keep", "born", "--set", "dates=day-first", "-o", "read.parquet", code=0)
    assert sorted(pq.read_table(tmp_path / "read.parquet")["born"].to_pylist()) == sorted(DAYS)


def test_codes_that_only_resemble_dates_stay_codes(cli: Cli, tmp_path: Path) -> None:
    columns = {
        "zip4": [f"{10000 + number % 9:05}-{1000 + number:04}" for number in range(300)],
        "phone": [f"{10 + number % 7}-{number % 90 + 10}-{1000 + number}" for number in range(300)],
        "item": [f"{20300000 + 7919 * number}" for number in range(300)],
        "icd": [f"{'ABM'[number % 3]}{number % 90 + 10}.{number % 9}" for number in range(300)],
    }
    written(tmp_path / "in.csv", {"sex": ["F"] * 300, **columns})
    keep = [option for name in columns for option in ("--keep", name)]
    run = cli("anonymize in.csv --qi sex --k 1 -o out.csv --set output.shuffle=false", *keep, *ACCEPTED, code=0)
    assert "looks like" not in run.err
    rows = duckdb.execute(
        f"select zip4, phone, item, icd from read_csv('{tmp_path / 'out.csv'}', all_varchar = true)"
    ).fetchall()
    assert rows == list(zip(*columns.values(), strict=True))


def test_a_day_is_the_local_one_that_the_text_states(tmp_path: Path, cli: Cli) -> None:
    days = [
        datetime(2020, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=2))) + timedelta(days=number % 20, minutes=number // 20)
        for number in range(200)
    ]
    written(tmp_path / "in.csv", {"seen": [day.isoformat() for day in days], "day": [str(day.date()) for day in days]})
    assert cli("hierarchy", "suggest", "in.csv", "--column", "seen", "-o", "seen.yaml").code == 0
    cli("anonymize in.csv --qi seen --hierarchies seen=seen.yaml --k 10 --keep day -o out.csv", *ACCEPTED, code=0)
    rows = duckdb.execute(f"select seen, day from read_csv('{tmp_path / 'out.csv'}', all_varchar = true)").fetchall()
    assert all(seen[:10] == day for seen, day in rows), rows[0]
