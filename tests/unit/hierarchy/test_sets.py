"""The bundled hierarchies on usual values, and the kinds `codes` and `rare`."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from duckanon.hierarchy import sets
from duckanon.hierarchy.inspection import Data, check, show
from tests.support.command_line import Cli
from tests.support.labelled import labelled, refusal_of
from tests.support.rows import read_rows, write_parquet

FEWER_THAN_20_000 = [
    "036",
    "059",
    "063",
    "102",
    "203",
    "556",
    "692",
    "790",
    "821",
    "823",
    "830",
    "831",
    "878",
    "879",
    "884",
    "890",
    "893",
]
"""The beginnings of ZIP codes that read 000: guidance of the U.S. Department of Health and Human Services on 45 CFR 164.514(b), 2012."""

REALISTIC: dict[str, tuple[Sequence[Any], dict[str, list[str]]]] = {
    "places/country": (
        ["DE", "DEU", "Germany", "US", "USA", "TW", "AQ", "Viet Nam", "Côte d'Ivoire", "NO"],
        {
            "DE": ["DE", "Western Europe", "Europe", "*"],
            "Germany": ["Germany", "Western Europe", "Europe", "*"],
            "USA": ["USA", "Northern America", "Americas", "*"],
            "TW": ["TW", "Eastern Asia", "Asia", "*"],
            "NO": ["NO", "Northern Europe", "Europe", "*"],
            "AQ": ["AQ", "Antarctic area", "Antarctic", "*"],
        },
    ),
    "places/us-zip": (
        ["02139", "10001", "90210", "00501", "99950", "03601", "05999", "02139-4307", "03601 0001", " 90210"],
        {
            "02139": ["02139", "021**", "0****", "*****"],
            "90210": ["90210", "902**", "9****", "*****"],
            "02139-4307": ["02139", "021**", "0****", "*****"],
            "03601 0001": ["000", "000", "000", "*****"],
            " 90210": ["90210", "902**", "9****", "*****"],
            "03601": ["000", "000", "000", "*****"],
            "05999": ["000", "000", "000", "*****"],
        },
    ),
    "places/postal-code": (
        ["SW1A 1AA", "SW1A 2AA", "EC1A 1BB", "10115"],
        {
            "SW1A 1AA": [
                "SW1A 1AA",
                "SW1A 1A*",
                "SW1A 1**",
                "SW1A ***",
                "SW1A****",
                "SW1*****",
                "SW******",
                "S*******",
                "********",
            ]
        },
    ),
    "people/age": (
        [0, 4, 5, 17, 64, 89, 90, 113],
        {"17": ["17", "[15, 19]", "[10, 19]", "[0, 29]", "*"], "113": [">=90", ">=90", ">=90", ">=90", "*"]},
    ),
    "people/age-groups": (
        [3, 20, 40, 60, 80, 99],
        {"20": ["20", "[15, 24]", "[0, 24]", "*"], "99": ["99", ">=85", ">=85", "*"]},
    ),
    "time/date": (
        ["1999-12-31", "2024-02-29"],
        {"2024-02-29": ["2024-02-29", "2024-02", "2024-Q1", "2024", "[2020, 2030)", "*"]},
    ),
    "time/birth-date": (["1911-04-23", "1985-07-01"], {"1985-07-01": ["1985-07-01", "1985", "[1980, 1990)", "*"]}),
    "money/amount": (
        [-5, 0, 1, 19.99, 1_500, 50_000, 75_000, 1_000_000_000],
        {
            "75000.0": ["75000.0", "[50000, 100000)", "[10000, 100000)", "[1000, 1000000)", "*"],
            "-5.0": ["-5.0", "<0", "<0", "<0", "*"],
            "1000000000.0": ["1000000000.0", ">=1000000000", ">=1000000000", ">=1000000000", "*"],
        },
    ),
    "codes/icd-10": (
        [
            "A00",
            "A09.9",
            "C50.911",
            "D50",
            "E11.9",
            "F32.1",
            "I10",
            "M1A.0710",
            "O9A.111",
            "S72001A",
            "U07.1",
            "Z38.00",
            "e119",
        ],
        {
            "E11.9": ["E11.9", "E11*", "IV Endocrine, nutritional and metabolic diseases", "*"],
            "e119": ["e119", "E11*", "IV Endocrine, nutritional and metabolic diseases", "*"],
            "D50": ["D50", "D50*", "III Blood and immune mechanism", "*"],
            "O9A.111": ["O9A.111", "O9A*", "XV Pregnancy, childbirth and the puerperium", "*"],
            "U07.1": ["U07.1", "U07*", "XXII Codes for special purposes", "*"],
        },
    ),
    "codes/nace": (
        ["01.11", "62.01", "6202", "35.1", "99.00", "84"],
        {
            "62.01": ["62.01", "620*", "62*", "J Information and communication", "*"],
            "6202": ["6202", "620*", "62*", "J Information and communication", "*"],
        },
    ),
    "codes/isco-08": (
        ["2512", "1112", "0110", "9629"],
        {
            "2512": ["2512", "251*", "25*", "2 Professionals", "*"],
            "0110": ["0110", "011*", "01*", "0 Armed forces occupations", "*"],
        },
    ),
    "time/timestamp": (
        ["2024-02-29 13:45:10", "2024-02-29 13:59:59"],
        {
            "2024-02-29 13:45:10": [
                *("2024-02-29 13:45:10", "2024-02-29 13:45", "2024-02-29 13:00", "2024-02-29"),
                *("2024-02", "2024-Q1", "2024", "[2020, 2030)", "*"),
            ]
        },
    ),
}


@pytest.mark.parametrize("name", REALISTIC)
def test_a_ready_hierarchy_says_of_real_values_what_their_source_says(tmp_path: Path, name: str) -> None:
    values, expected = REALISTIC[name]
    data = Data(str(write_parquet(tmp_path / "in.parquet", [{"c": value} for value in values])), "c")
    assert check([name], data)["passed"]
    shown = {value["value"]: value["levels"] for value in show(name, data)["values"]}
    assert {value: shown[value] for value in expected} == expected


def test_every_ready_hierarchy_is_tried_and_names_its_source() -> None:
    ready = {
        f"{bundle.name}/{path.stem}"
        for bundle in sets.bundled()
        if not bundle.name.startswith("adult/")
        for path in bundle.files
    }
    assert ready == set(REALISTIC)
    assert all(bundle.source and bundle.title for bundle in sets.bundled())


def test_all_countries_stand_in_their_region() -> None:
    """249 of ISO 3166-1, in the 22 subregions of M49 and the Antarctic."""
    document = show("places/country")
    values = {value["value"]: value["levels"] for value in document["values"]}
    two = {value for value in values if len(value) == 2 and value.isupper() and value != "UK"}
    three = {value for value in values if len(value) == 3 and value.isupper() and value != "USA"}
    assert (len(two), len(three | {"USA"})) == (249, 249)
    assert len({levels[1] for levels in values.values()}) == 23
    assert {levels[2] for levels in values.values()} == {"Africa", "Americas", "Antarctic", "Asia", "Europe", "Oceania"}


def test_a_column_is_found_by_another_name(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"zip": f"{2139 + number % 3:05d}", "nationality": "FR"} for number in range(40)])
    cli("anonymize", "in.parquet", "--qi", "zip,nationality", "--hierarchies", "places", code=0)


def test_numbers_get_back_the_zeros_that_they_lost(tmp_path: Path) -> None:
    spec = "kind: codes\ndigits: 4\nlevels: [2, {low: 0-4, high: 5-9}]"
    assert labelled(tmp_path, spec, "INTEGER", ["110", "9110"]) == {"110": "01*; low; *", "9110": "91*; high; *"}
    assert labelled(tmp_path, spec, "VARCHAR", ["110", "9110"]) == {"110": "11*; low; *", "9110": "91*; high; *"}


CODES = "kind: codes\nignore: '. '\nlevels: [3, {first: 'A00-B99, C00', rest: [D00-Z99]}]"


def test_codes_are_placed_by_their_beginnings(tmp_path: Path) -> None:
    made = labelled(tmp_path, CODES, "VARCHAR", ["A00.1", "a 00 1", "B99", "C00.9", "D00", "Z99.99"])
    assert made == {
        "A00.1": "A00*; first; *",
        "a 00 1": "A00*; first; *",
        "B99": "B99*; first; *",
        "C00.9": "C00*; first; *",
        "D00": "D00*; rest; *",
        "Z99.99": "Z99*; rest; *",
    }


def test_a_code_in_no_range_is_not_covered_unless_there_is_a_place_for_it(tmp_path: Path) -> None:
    assert "does not cover 'C01'" in refusal_of(tmp_path, CODES, "VARCHAR", ["A00", "C01"])
    assert "does not cover 'A0'" in refusal_of(tmp_path, CODES, "VARCHAR", ["A00", "A0"])
    assert labelled(tmp_path, f"{CODES}\nother: none", "VARCHAR", ["C01"]) == {"C01": "C01*; none; *"}


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ("[2, 3]", "fewer than the level below"),
        ("[{a: A-B}, 1]", "put levels of ranges above"),
        ("[{a: A-C, b: B-D}]", "overlap"),
        ("[{a: A00-B9}]", "the same number of characters"),
        ("[{a: B00-A00}]", "the lower end first"),
        ("[{a: A-B, b: C00}]", "give all the same length"),
        ("[{a: 'A-B-C'}]", "is not a range of codes"),
        ("[{a: {b: c}}]", "is not ranges"),
        ("[]", "at least 1"),
    ],
)
def test_codes_that_cannot_be_placed_are_refused(tmp_path: Path, levels: str, message: str) -> None:
    assert message in refusal_of(tmp_path, f"kind: codes\nlevels: {levels}", "VARCHAR", ["A"])


def test_rare_values_share_a_label_and_frequent_ones_stay(tmp_path: Path) -> None:
    values = ["a"] * 60 + ["b"] * 30 + ["c"] * 9 + ["d"]
    write_parquet(tmp_path / "in.parquet", [{"c": value} for value in values])
    (tmp_path / "rare.yaml").write_text("kind: rare\nbelow: [0.1, 0.31]\nlabel: few")
    document = show(str(tmp_path / "rare.yaml"), Data(str(tmp_path / "in.parquet"), "c"))
    assert {value["value"]: value["levels"] for value in document["values"]} == {
        "a": ["a", "a", "a", "*"],
        "b": ["b", "b", "few", "*"],
        "c": ["c", "few", "few", "*"],
        "d": ["d", "few", "few", "*"],
    }
    assert check([str(tmp_path / "rare.yaml")], Data(str(tmp_path / "in.parquet"), "c"), strict=True)["passed"]


def test_rare_values_are_named_if_they_are_two_or_three(tmp_path: Path) -> None:
    """Else their group has a number: alone, a value would not be hidden; and a name with a comma reads as two."""
    values = ["a"] * 60 + ["b"] * 21 + ["c"] * 2 + ["d"] * 2 + ["e", "f"]
    write_parquet(tmp_path / "in.parquet", [{"c": value, "d": value.replace("f", "f, g")} for value in values])
    (tmp_path / "rare.yaml").write_text("kind: rare\nbelow: [0.015, 0.02, 0.03, 0.5]")
    levels = {
        column: {
            value["value"]: value["levels"][1:5]
            for value in show(str(tmp_path / "rare.yaml"), Data(str(tmp_path / "in.parquet"), column))["values"]
        }
        for column in ("c", "d")
    }
    assert levels["c"] == {
        "a": ["a", "a", "a", "a"],
        "b": ["b", "b", "b", "group 4 of c"],
        "c": ["c", "c", "group 3 of c", "group 4 of c"],
        "d": ["d", "d", "group 3 of c", "group 4 of c"],
        **{value: ["{e, f}", "{e, f}", "group 3 of c", "group 4 of c"] for value in "ef"},
    }
    assert levels["d"]["e"] == levels["d"]["f, g"] == [f"group {level} of d" for level in (1, 2, 3, 4)]
    assert check([str(tmp_path / "rare.yaml")], Data(str(tmp_path / "in.parquet"), "c"), strict=True)["passed"]


def test_a_rare_recoding_is_saved_as_it_was(cli: Cli, tmp_path: Path) -> None:
    """On other data a value is as rare as it was on the first."""
    write_parquet(tmp_path / "first.parquet", [{"c": value} for value in ["a"] * 60 + ["b"] * 30 + ["c"] * 6 + ["d"] * 4])
    write_parquet(tmp_path / "second.parquet", [{"c": value} for value in ["a"] * 10 + ["d"] * 60])
    (tmp_path / "c.yaml").write_text("kind: rare\nbelow: [0.1]\nlabel: few")
    arguments = ("--qi", "c", "--hierarchies", "c=c.yaml", "--levels", "c=1", "-o", "out.csv")
    assert cli("anonymize", "first.parquet", *arguments).code == 0
    assert cli("apply", "out.csv.manifest.json", "second.parquet", "-o", "new.csv").code == 0
    lines = (tmp_path / "new.csv").read_text().split()
    assert (lines.count("a"), lines.count("few"), lines.count("d")) == (10, 60, 0)


@pytest.mark.parametrize(
    ("below", "message"),
    [("[0.5, 0.1]", "does not exceed"), ("[0]", "is not more than 0"), ("[1]", "is not less than 1"), ("[]", "at least 1")],
)
def test_shares_that_make_no_levels_are_refused(tmp_path: Path, below: str, message: str) -> None:
    assert message in refusal_of(tmp_path, f"kind: rare\nbelow: {below}", "VARCHAR", ["a"])


@pytest.mark.parametrize("type", [pa.string(), pa.int32()])
def test_zip_codes_of_areas_with_few_people_read_000_as_safe_harbor_asks(tmp_path: Path, cli: Cli, type: pa.DataType) -> None:
    codes = [f"{beginning:03d}{end}" for beginning in range(1, 1000) for end in ("01", "99")]
    table = pa.table({"zip": pa.array([code if type == pa.string() else int(code) for code in codes], type)})
    pq.write_table(table, tmp_path / "in.parquet")
    arguments = ("--qi", "zip", "--hierarchies", "zip=places/us-zip", "--levels", "zip=1", "--k", "2")
    cli("anonymize", "in.parquet", *arguments, "-o", "out.parquet", code=0)
    shown = Counter(row["zip"] for row in read_rows(tmp_path / "out.parquet"))
    assert not {f"{beginning}**" for beginning in FEWER_THAN_20_000} & shown.keys()
    assert shown["000"] >= 2 * len(FEWER_THAN_20_000)
    assert {"021**", "902**", "100**"} <= shown.keys()
    assert shown.total() == len(codes)
