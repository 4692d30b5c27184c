"""Warnings about sensitive values that count as different and are similar, against a restatement in plain Python."""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.observers import Silent
from duckanon.release.similar_values import similar_pairs
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize


class Listening(Silent):
    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, message: str) -> None:
        self.warnings.append(message)


def warnings_of(folder: Path, rows: Sequence[dict[str, Any]], *require: str, **more: Any) -> list[str]:
    """The warnings of a release in which every value of `g` is a class."""
    listening = Listening()
    columns = {"g": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}, "s": {"role": "sensitive"}}
    options = Options(k=2, require=require, levels={"g": 0}, max_suppression="99%", **more)
    source = write_parquet(folder / "in.parquet", rows)
    anonymize(
        source, folder / "out.parquet", job={"columns": columns}, options=options, run=Run(overwrite=True), observer=listening
    )
    return [warning for warning in listening.warnings if "interquartile" in warning or "Unicode" in warning]


def similar_classes(rows: Sequence[dict[str, Any]], needed: int) -> int:
    """The classes with enough different values, of which too few lie a hundredth of the interquartile range apart."""
    numbers = sorted(row["s"] for row in rows if row["s"] is not None)
    lower, upper = (numbers[math.ceil(len(numbers) * part / 4) - 1] for part in (1, 3))
    apart = (upper - lower) / 100
    classes = defaultdict(set)
    for row in rows:
        classes[row["g"]].add(row["s"])
    count = 0
    for values in classes.values():
        separate, last = int(None in values), -math.inf
        for value in sorted(value for value in values if value is not None):
            if value >= last + apart:
                separate, last = separate + 1, value
        count += len(values) >= needed > separate
    return count


@given(
    rows=st.lists(
        st.tuples(
            st.integers(1, 4),
            st.one_of(st.none(), st.integers(0, 40), st.sampled_from([0.0, 0.01, 0.02, 0.25, 7.5, 7.51, 1000.0])),
        ),
        min_size=8,
        max_size=40,
    ),
    needed=st.integers(2, 4),
    is_required=st.booleans(),
)
def test_classes_of_nearly_equal_numbers_are_counted(
    tmp_path: Path, rows: list[tuple[int, float | None]], needed: int, is_required: bool
) -> None:
    table: list[dict[str, Any]] = [{"g": group, "s": None if value is None else float(value)} for group, value in rows]
    table += [{"g": 9, "s": float(value)} for value in range(needed)] * 2  # there is a class, and a number
    warnings = warnings_of(tmp_path, table, *([f"distinct-l={needed}"] if is_required else []))
    expected = similar_classes(read_rows(tmp_path / "out.parquet"), needed if is_required else 2)
    counts = [int(re.search(r"in ([\d,]+) of", warning)[1]) for warning in warnings]  # type: ignore[index]
    assert counts == ([expected] if expected else [])


@pytest.mark.parametrize("model", ["distinct-l=5", "entropy-l=5", "recursive-cl=3,5"])
def test_salaries_a_cent_apart_are_warned_of(tmp_path: Path, model: str) -> None:
    near = [{"g": 1, "s": 3000 + cents / 100} for cents in range(5)] * 2
    far = [{"g": 2, "s": float(value)} for value in range(1000, 6000, 100)]
    [warning] = warnings_of(tmp_path, [*near, *far], model)
    assert warning.startswith("in 1 of 2 equivalence classes the values of the sensitive 's' differ")
    assert "t-ordered" in warning
    assert "3000" not in warning, "no value of a person"
    assert warnings_of(tmp_path, far, model) == []
    assert warnings_of(tmp_path, [*near, *far], "t-ordered=0.9@s") == []


def test_codes_and_numbers_that_most_rows_share_are_not_warned_of(tmp_path: Path) -> None:
    assert warnings_of(tmp_path, [{"g": group, "s": code} for group in (1, 2) for code in (0, 1, 2, 3)], "distinct-l=4") == []
    gains = [{"g": group, "s": gain} for group in (1, 2) for gain in (0, 0, 0, 0, 0, 0, 7, 7000)]
    assert warnings_of(tmp_path, gains, "distinct-l=2") == []


ALIKE = [
    ("HIV", "hiv", "H.I.V."),
    ("Type 2", "type-2", "TYPE  2"),
    ("flu", " flu ", "\uff26\uff4c\uff55"),
    ("Stra\u00dfe", "STRASSE"),
    ("\u00e9cole", "e\u0301cole"),
    ("not known", "not_known", "(not known)"),
    ("10 mg", "10mg", "10 MG."),
]
APART = [
    ("A+", "A-", "A"),
    ("1.5", "15", "-15", "1 5"),
    ("<5", ">5", "5"),
    ("E11.9", "E119"),
    ("10-20", "1020"),
    ("\u00e9cole", "ecole"),
    ("+", "-", "?"),
]


@pytest.mark.parametrize("group", ALIKE)
def test_spellings_of_one_value_are_pairs(group: tuple[str, ...]) -> None:
    assert similar_pairs(group) == len(list(combinations(group, 2)))


@pytest.mark.parametrize("group", APART)
def test_what_differs_in_more_than_spelling_is_no_pair(group: tuple[str, ...]) -> None:
    assert similar_pairs(group) == 0


@given(
    words=st.lists(st.text("abcdefgh", min_size=1, max_size=4), min_size=1, max_size=12, unique=True),
    spelled=st.data(),
)
def test_pairs_are_those_that_are_equal_without_case_blanks_and_punctuation(words: list[str], spelled: st.DataObject) -> None:
    """Texts of letters alone are alike where what is left of them is: compared pair by pair."""
    texts = set()
    for word in words:
        for _ in range(spelled.draw(st.integers(1, 3))):
            letters = [
                spelled.draw(st.sampled_from([letter, letter.upper(), f"{letter}.", f"{letter} ", f"'{letter}"]))
                for letter in word
            ]
            texts.add("".join(letters))

    def plain(text: str) -> str:
        return "".join(letter for letter in text.lower() if letter in "abcdefgh")

    assert similar_pairs(texts) == sum(plain(first) == plain(other) for first, other in combinations(texts, 2))


def test_a_sensitive_column_of_several_spellings_is_warned_of_and_no_value_is_shown(tmp_path: Path, cli: Cli) -> None:
    spellings = ["HIV", "hiv", "H.I.V.", "flu", "cold"]
    write_parquet(tmp_path / "in.parquet", [{"age": 20 + number % 3, "ill": spellings[number % 5]} for number in range(150)])
    for require in (["--require", "distinct-l=5"], []):
        run = cli(
            "anonymize in.parquet --qi age --sensitive ill",
            *require,
            "-o out.parquet --overwrite --json",
            code=0,
        )
        [line] = [warning for warning in run.manifest["warnings"] if "pairs" in warning]
        assert line.startswith("3 pairs of values of the sensitive 'ill' are equal except for case")
        assert "normalize the column" in line
        assert "hiv" not in line.casefold()
    quiet = cli(
        "anonymize", "in.parquet", "--qi", "age", "--sensitive", "ill", "--require", "t=0.9", "-o", "t.parquet", "--json"
    )
    assert not [warning for warning in quiet.manifest["warnings"] if "pairs" in warning]
