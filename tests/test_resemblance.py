"""Values that look like what identifies a person: what is noticed, what is not mistaken for it, and what follows."""

import json
import random
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from duckanon.hipaa import IDENTIFIERS
from duckanon.resemblance import resembling
from duckanon.writing import foreign
from tests.conftest import Cli, write_parquet

DRAW = random.Random(3)


def digits(length: int) -> str:
    return "".join(DRAW.choice("0123456789") for _ in range(length))


def valid(module: str, make: Callable[[], str]) -> list[str]:
    """Numbers drawn until their check digits are right, by the module that knows them."""
    is_valid: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
    found: list[str] = []
    while len(found) < 20:
        text = make()
        if is_valid(text):
            found.append(text)
    return found


def born(length: int, *, century: bool = False) -> str:
    year = f"{DRAW.randrange(1930, 2000)}" if century else f"{DRAW.randrange(30, 100)}"
    return f"{year}{DRAW.randrange(1, 13):02d}{DRAW.randrange(1, 29):02d}{digits(length)}"


NOTICED: dict[str, Sequence[str]] = {
    "e-mail addresses": [f"user.{number}@mail{number % 3}.example.org" for number in range(20)],
    "IP addresses": [*(f"10.0.{number}.7" for number in range(18)), "2001:db8::1", "fe80::1"],
    "addresses of machines (MAC)": [f"00:1b:44:11:3a:{number:02x}" for number in range(20)],
    "URLs": [f"https://example.org/u/{number}" for number in range(20)],
    "numbers of devices or records (UUID)": [f"3f2504e0-4f89-11d3-9a0c-0305e82c{number:04x}" for number in range(20)],
    "social security numbers of the United States": [f"{number + 100:03d}-12-{number + 1000}" for number in range(20)],
    "places by latitude and longitude": [f"52.{number + 1000}, 13.{number + 2000}" for number in range(20)],
    "telephone numbers": [
        *(f"+49 170 {number + 1000000}" for number in range(8)),
        *(f"({number + 200}) 555-01{number:02d}" for number in range(8)),
        *(f"030/{number + 123456}" for number in range(4)),
    ],
    "IBANs": valid("iban", lambda: f"DE{digits(20)}"),
    "numbers of payment cards": valid("luhn", lambda: f"4{digits(15)}"),
    "numbers of telephones that are carried (IMEI)": valid("imei", lambda: f"9{digits(14)}"),
    "numbers of persons of Netherlands": valid("nl.bsn", lambda: digits(9)),
    "numbers of persons of Poland": valid("pl.pesel", lambda: born(5)),
    "numbers of persons of Brazil": valid("br.cpf", lambda: digits(11)),
    "numbers of persons of Germany": valid("de.idnr", lambda: f"1{digits(10)}"),
    "numbers of persons of France": valid("fr.nir", lambda: f"1{born(9)[:4]}75{digits(8)}"),
    "numbers of persons of China": valid("cn.ric", lambda: f"110101{born(4, century=True)}"),
}


@pytest.mark.parametrize("what", NOTICED)
def test_what_identifies_is_noticed_by_its_values(what: str) -> None:
    found = resembling(NOTICED[what])
    assert found is not None
    assert found.what == what
    assert found.share >= 0.95


@pytest.mark.parametrize("what", [one for one in NOTICED if "persons" in one])
def test_numbers_are_noticed_where_the_column_holds_numbers(what: str) -> None:
    found = resembling(NOTICED[what], is_number=True)
    assert found is not None
    assert "persons" in found.what


@pytest.mark.parametrize(
    "values",
    [
        [f"2024-01-{day:02d}" for day in range(1, 29)],
        [f"2024-01-{day:02d} 10:00:00" for day in range(1, 29)],
        [f"{day:02d}.01.2024" for day in range(1, 29)],
        [f"{number * 977 / 100:.2f}" for number in range(10_000, 10_040)],
        [str(number) for number in range(1_000_000, 1_000_040)],
        [str(1_600_000_000 + 86_399 * number) for number in range(40)],
        [f"{10_000 + 37 * number}" for number in range(40)],
        [f"E{number:02d}.{number % 7}" for number in range(40)],
        [f"SKU-{number:06d}" for number in range(40)],
        [f"word {number} of many" for number in range(40)],
        ["a@b.de", "a", "b", "c", "d", "e"],
        ["a@b.de"] * 4,
        ["Exec-managerial", "?", "Prof-specialty", "Sales", "Tech-support"],
    ],
)
def test_what_is_none_is_not_taken_for_it(values: Sequence[str]) -> None:
    assert resembling(values) is None


def test_random_numbers_are_not_taken_for_those_of_persons() -> None:
    """Check digits are right by chance in one of ten, or of ninety-seven; four in five must be."""
    draw = random.Random(5)
    for length in range(7, 17):
        for _ in range(20):
            texts = [str(draw.randrange(10 ** (length - 1), 10**length)) for _ in range(60)]
            assert resembling(texts, is_number=True) is None


def test_no_column_of_adult_is_accused(adult: Path) -> None:
    table = pq.read_table(adult)
    for name in table.column_names:
        texts = [str(value) for value in table[name].unique().to_pylist() if value is not None][:500]
        assert resembling(texts, is_number=isinstance(table[name][0].as_py(), int)) is None, name


def people(**more: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {"age": 30 + number % 3, **{name: values[number % len(values)] for name, values in more.items()}}
        for number in range(60)
    ]


def test_a_column_that_nobody_named_is_refused_until_somebody_does(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", people(reach=NOTICED["e-mail addresses"]))
    (tmp_path / "age.yaml").write_text("kind: flat")
    asked = ("anonymize", "in.parquet", "--qi", "age", "--hierarchies", "age=age.yaml", "--others", "keep")
    refused = cli(*asked)
    assert refused.code == 2
    assert "column 'reach' is not named, and its values look like e-mail addresses (100% of those looked at)" in refused.err
    assert len(refused.err.splitlines()) == 1
    assert "@" not in refused.err
    assert not (tmp_path / "in.anonymized.parquet").exists()
    for said in ("--identifying", "--mask", "--keep"):
        assert cli(*asked, said, "reach", "--overwrite").code == 0
    assert cli(*asked[:-2], "--overwrite").code == 0


def test_without_configuration_it_is_dropped_with_the_reason(cli: Cli, tmp_path: Path) -> None:
    rows = people(reach=NOTICED["telephone numbers"], sex=["f", "m"])
    write_parquet(tmp_path / "in.parquet", rows)
    document = json.loads(cli("profile", "in.parquet", "--json").out)
    told = {one["column"]: one for one in document["columns"]}
    assert (told["reach"]["role"], told["reach"]["looks_like"]) == ("identifying", "telephone numbers")
    assert told["age"]["looks_like"] is None
    run = cli("anonymize", "in.parquet", "-o", "out.parquet")
    assert run.code == 0
    assert "reach" not in pq.read_schema(tmp_path / "out.parquet").names
    assert not any(value in run.err for value in NOTICED["telephone numbers"])


def test_the_list_of_hipaa_has_eighteen_and_names_columns(cli: Cli, tmp_path: Path) -> None:
    """45 CFR 164.514(b)(2)(i), (A) to (R)."""
    assert [one.letter for one in IDENTIFIERS] == list("ABCDEFGHIJKLMNOPQR")
    rows = people(
        reach=NOTICED["IBANs"], patient_name=["a", "b"], fax_no=["1", "2"], zip=["02139"], address=NOTICED["IP addresses"]
    )
    write_parquet(tmp_path / "in.parquet", [row | {"row": number} for number, row in enumerate(rows)])
    document = json.loads(cli("profile", "in.parquet", "--json").out)
    found = {one["identifier"]: one["columns"] for one in document["hipaa"]}
    assert found["A"] == ["patient_name"]
    assert found["B"] == ["zip", "address"]
    assert found["C"] == ["age"]
    assert found["E"] == ["fax_no"]
    assert found["J"] == ["reach"]
    assert found["O"] == ["address"]
    assert found["R"] == ["row"]
    printed = cli("profile", "in.parquet", "--hipaa")
    assert printed.code == 0
    assert len([line for line in printed.out.splitlines() if line[:1].isupper()]) == 18
    assert "fax numbers" in printed.out


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([f"{day}.{month:02d}.1980" for day in range(1, 29) for month in range(1, 4)], "31.12.2020"),
        ([f"{month:02d}/{day:02d}/80" for day in range(1, 29) for month in range(1, 4)], "31.12.2020"),
        ([f"{number}.{number:03d},{number % 100:02d}" for number in range(100, 140)], "decimal commas"),
        ([f"{number},5" for number in range(20)] + ["n/a"], "decimal commas"),
        ([f"{number}.5" for number in range(20)], None),
        ([f"2020-01-{day:02d}" for day in range(1, 29)], None),
        ([f"Anna, {number}" for number in range(20)], None),
        (["1,5", "2,5"], None),
    ],
)
def test_what_a_country_writes_otherwise_is_told(texts: Sequence[str], said: str | None) -> None:
    found = foreign(texts)
    assert (found is None) == (said is None)
    assert said is None or (found is not None and said in found)


def test_profile_says_which_columns_are_text_for_how_they_are_written(cli: Cli, tmp_path: Path) -> None:
    lines = [
        f"{number % 28 + 1:02d}.{number % 12 + 1:02d}.19{number % 60 + 30};{number}.100,5{number % 10};{'fm'[number % 2]}"
        for number in range(400)
    ]
    (tmp_path / "in.csv").write_text("\n".join(["geboren;kosten;sex", *lines]), encoding="utf-8")
    run = cli("profile", "in.csv")
    assert run.code == 0
    assert "geboren: identifying; its dates are written as 31.12.2020, which is text here" in run.out
    assert "kosten: identifying; its numbers are written with decimal commas" in run.out
