"""Every kind of hierarchy against what a reference implementation prints, against a restatement, and on columns of every type."""

import json
import time
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import levels
from tests.support.labelled import Labels, labelled, refusal_of

CONSTANT_INTERVALS = """
kind: intervals
intervals:
  - {min: 0, max: 18, label: minor}
  - {min: 18, max: 65, label: adult}
  - {min: 65, max: 120, label: senior}
groups:
  - [{size: 1, label: minor*}, {size: 2, label: 18+}]
"""


LDL = """
kind: intervals
intervals:
  - {min: 0, max: 1.8, label: very low}
  - {min: 1.8, max: 2.6, label: low}
  - {min: 2.6, max: 3.4, label: normal}
  - {min: 3.4, max: 4.1, label: borderline high}
  - {min: 4.1, max: 4.9, label: high}
  - {min: 4.9, max: 10, label: very high}
groups:
  - [{size: 2, label: low}, {size: 2, label: normal}, {size: 2, label: high}]
  - [{size: 2, label: low-normal}, {size: 1, label: high}]
"""


NUMBERED_INTERVALS = """
kind: intervals
intervals: [{min: 0, max: 10, label: low}]
groups: [[{size: 1, label: g}]]
range: {label: [0, 50]}
duplicates: number
"""


CYCLE_OF_CONSTANTS = """
kind: order
values: [a, b, c, d, e]
groups: [[{size: 1, label: A}, {size: 2, label: B}]]
duplicates: number
"""


EXAMPLES: dict[str, tuple[str, str, Labels]] = {
    "redaction": (
        "kind: redaction",
        "VARCHAR",
        {
            "81667": "8166*; 816**; 81***; 8****; *****",
            "8167": "8167*; 816**; 81***; 8****; *****",
            "816": "816**; 816**; 81***; 8****; *****",
            "1": "1****; 1****; 1****; 1****; *****",
        },
    ),
    "redaction, aligned to the right, padded with blanks": (
        "kind: redaction\nalign: right\npad: ' '",
        "VARCHAR",
        {
            "81667": "8166*; 816**; 81***; 8****; *****",
            "8167": " 816*;  81**;  8***;  ****; *****",
            "816": "  81*;   8**;   ***;  ****; *****",
            "1": "    *;    **;   ***;  ****; *****",
        },
    ),
    "redaction, padded": (
        "kind: redaction\npad: '#'",
        "VARCHAR",
        {
            "81667": "8166*; 816**; 81***; 8****; *****",
            "8167": "8167*; 816**; 81***; 8****; *****",
            "816": "816#*; 816**; 81***; 8****; *****",
            "1": "1###*; 1##**; 1#***; 1****; *****",
        },
    ),
    "redaction from the left, padded": (
        "kind: redaction\nredact: left\npad: '#'",
        "VARCHAR",
        {
            "81667": "*1667; **667; ***67; ****7; *****",
            "8167": "*167#; **67#; ***7#; ****#; *****",
            "816": "*16##; **6##; ***##; ****#; *****",
            "1": "*####; **###; ***##; ****#; *****",
        },
    ),
    "redaction from the left, aligned to the right, with another character": (
        "kind: redaction\nalign: right\nredact: left\npad: '#'\ncharacter: x",
        "VARCHAR",
        {
            "81667": "x1667; xx667; xxx67; xxxx7; xxxxx",
            "8167": "x8167; xx167; xxx67; xxxx7; xxxxx",
            "816": "x#816; xx816; xxx16; xxxx6; xxxxx",
            "1": "x###1; xx##1; xxx#1; xxxx1; xxxxx",
        },
    ),
    "intervals with constant labels": (
        CONSTANT_INTERVALS,
        "INTEGER",
        {
            "3": "minor; minor*; *",
            "17": "minor; minor*; *",
            "18": "adult; 18+; *",
            "64": "adult; 18+; *",
            "65": "senior; 18+; *",
            "99": "senior; 18+; *",
        },
    ),
    "intervals with a label that repeats, numbered": (
        NUMBERED_INTERVALS,
        "INTEGER",
        {"3": "low; g; *", "13": "low-1; g-1; *", "23": "low-2; g-2; *", "33": "low-3; g-3; *", "43": "low-4; g-4; *"},
    ),
    "decimal intervals with constant labels": (
        LDL,
        "DECIMAL(3,1)",
        {
            "0.5": "very low; low; low-normal; *",
            "1.8": "low; low; low-normal; *",
            "2.7": "normal; normal; low-normal; *",
            "3.5": "borderline high; normal; low-normal; *",
            "4.5": "high; high; high; *",
            "9.9": "very high; high; high; *",
        },
    ),
    "order of whole numbers": (
        "kind: order\ngroups: [[3], [2]]",
        "INTEGER",
        {
            "2": "{2, 4, 6}; {2, 4, 6, 7, 8, 10}; *",
            "4": "{2, 4, 6}; {2, 4, 6, 7, 8, 10}; *",
            "6": "{2, 4, 6}; {2, 4, 6, 7, 8, 10}; *",
            "7": "{7, 8, 10}; {2, 4, 6, 7, 8, 10}; *",
            "8": "{7, 8, 10}; {2, 4, 6, 7, 8, 10}; *",
            "10": "{7, 8, 10}; {2, 4, 6, 7, 8, 10}; *",
            "33": "{33, 51}; {33, 51}; *",
            "51": "{33, 51}; {33, 51}; *",
        },
    ),
    "a given order": (
        "kind: order\nvalues: [low, mid, high, top]\ngroups: [[2]]\nfunction: bounds",
        "VARCHAR",
        {"low": "[low, mid]; *", "mid": "[low, mid]; *", "high": "[high, top]; *", "top": "[high, top]; *"},
    ),
    "order, groups of changing sizes with labels that repeat, numbered": (
        CYCLE_OF_CONSTANTS,
        "VARCHAR",
        {"a": "A; *", "b": "B; *", "c": "B; *", "d": "A-1; *", "e": "B-1; *"},
    ),
    "order without groups": ("kind: order", "VARCHAR", {"a": "*", "b": "*"}),
    "priority of text, the highest kept": (
        "kind: priority\nlevels: 3",
        "VARCHAR",
        {"f": "f; f; *", "e": "e; e; *", "d": "d; *; *", "c": "c; *; *", "b": "*; *; *", "a": "*; *; *"},
    ),
    "priority of numbers, the lowest kept": (
        "kind: priority\nkeep: lowest",
        "INTEGER",
        {"1": "1; 1; 1; *", "2": "2; 2; *; *", "3": "3; *; *; *", "10": "*; *; *; *"},
    ),
    "priorities given": (
        "kind: priority\npriorities: {x: 5, y: 1, z: 3}",
        "VARCHAR",
        {"x": "x; x; *", "z": "z; *; *", "y": "*; *; *"},
    ),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_kind_gives_the_labels_of_the_reference(tmp_path: Path, example: str) -> None:
    spec, type, expected = EXAMPLES[example]
    assert labelled(tmp_path, spec, type, list(expected)) == expected


FUNCTIONS = [
    ("set", ["a", "b", "c"], "{a, b, c}"),
    ("set", ["a"], "{a}"),
    ("bounds", ["a", "b", "c"], "[a, c]"),
    ("bounds", ["a"], "[a, a]"),
    ("interval", ["b", "a", "c"], "[a, c]"),
    ("common-prefix", ["81667", "81675", "81925"], "81"),
    ("common-prefix(*)", ["81667", "81675", "81925"], "81***"),
    ("common-prefix", ["abc", "xyz"], ""),
    ("common-prefix(*)", ["abc", "xyz"], "***"),
    ("common-prefix(*)", ["81", "8167"], "81**"),
    ("common-prefix(*)", ["81"], "81"),
    ("prefix(1)", ["abc", "axx", "byy"], "a-a-b"),
    ("prefix(2)", ["abc", "a", "byy"], "ab-a-by"),
]


@pytest.mark.parametrize(("function", "values", "label"), FUNCTIONS)
def test_a_label_function_names_a_group_as_the_reference_does(
    tmp_path: Path, function: str, values: list[str], label: str
) -> None:
    spec = f"kind: order\nvalues: {values}\ngroups: [[{{size: 10, function: {function}}}]]"
    assert labelled(tmp_path, spec, "VARCHAR", values) == dict.fromkeys(values, f"{label}; *")


def test_the_interval_of_a_group_of_numbers_goes_by_their_order(tmp_path: Path) -> None:
    spec = "kind: order\nvalues: [10, 9, 100]\ngroups: [[3]]\nfunction: interval"
    assert labelled(tmp_path, spec, "INTEGER", ["10", "9", "100"])["10"] == "[9, 100]; *"


def test_a_constant_label_names_a_group(tmp_path: Path) -> None:
    spec = "kind: order\nvalues: [a, b]\ngroups: [[{size: 2, label: const}]]"
    assert labelled(tmp_path, spec, "VARCHAR", ["a", "b"]) == {"a": "const; *", "b": "const; *"}


# where ours differs on purpose
SEQUENCE_OF_TWO = "kind: intervals\nintervals: [[0, 20], [20, 33]]\ngroups: [[2], [3]]\nrange: {label: [0, 100]}"


def test_intervals_are_labelled_half_open(tmp_path: Path) -> None:
    """The reference writes `[0, 20]`, or `[0, 20[` where it is told to, of intervals that never hold their end.

    `[0, 20)` says what it holds, and no bracket faces the wrong way.
    """
    expected = {
        "0": "[0, 20); [0, 33); [0, 99); *",
        "5": "[0, 20); [0, 33); [0, 99); *",
        "19": "[0, 20); [0, 33); [0, 99); *",
        "20": "[20, 33); [0, 33); [0, 99); *",
        "32": "[20, 33); [0, 33); [0, 99); *",
        "33": "[33, 53); [33, 66); [0, 99); *",
        "52": "[33, 53); [33, 66); [0, 99); *",
        "65": "[53, 66); [33, 66); [0, 99); *",
        "66": "[66, 86); [66, 99); [0, 99); *",
        "85": "[66, 86); [66, 99); [0, 99); *",
        "98": "[86, 99); [66, 99); [0, 99); *",
        "99": "[99, 100); [99, 100); [99, 100); *",
    }
    assert labelled(tmp_path, SEQUENCE_OF_TWO, "INTEGER", list(expected)) == expected


def test_null_goes_to_the_top_alone(tmp_path: Path) -> None:
    """As in the reference, whose intervals read `[0, 10[`."""
    spec = "kind: intervals\nintervals: [[0, 10]]\ngroups: [[2], [2]]\nrange: {label: [0, 40]}"
    assert labelled(tmp_path, spec, "INTEGER", ["3", "7", "12", "39", None]) == {
        "3": "[0, 10); [0, 20); [0, 40); *",
        "7": "[0, 10); [0, 20); [0, 40); *",
        "12": "[10, 20); [0, 20); [0, 40); *",
        "39": "[30, 40); [20, 40); [0, 40); *",
        "NULL": "NULL; NULL; NULL; *",
    }


SNAPPED = "kind: intervals\nintervals: [[0, 10]]\ngroups: [[2]]\nrange: {label: [0, 120], snap: [5, 90], repeat: [10, 80]}"


def test_values_outside_repeat_join_an_interval_and_outside_snap_are_coded(tmp_path: Path) -> None:
    """As in the reference, whose intervals read `[5, 20[`."""
    expected = {
        "0": "<5; <5; *",
        "4": "<5; <5; *",
        "5": "[5, 20); [5, 20); *",
        "9": "[5, 20); [5, 20); *",
        "10": "[5, 20); [5, 20); *",
        "19": "[5, 20); [5, 20); *",
        "20": "[20, 30); [20, 40); *",
        "77": "[70, 90); [60, 90); *",
        "79": "[70, 90); [60, 90); *",
        "80": "[70, 90); [60, 90); *",
        "85": "[70, 90); [60, 90); *",
        "89": "[70, 90); [60, 90); *",
        "90": ">=90; >=90; *",
        "119": ">=90; >=90; *",
    }
    assert labelled(tmp_path, SNAPPED, "INTEGER", list(expected)) == expected


@pytest.mark.parametrize("value", ["-1", "120"])
def test_a_value_outside_label_is_refused_by_name(tmp_path: Path, value: str) -> None:
    """The reference: "Data item 120 is >= maximum value (120)", at the first value; duckanon reports every value, with its rows."""
    assert f"does not cover '{value}' (1 row" in refusal_of(tmp_path, SNAPPED, values=["0", value])


def test_intervals_without_a_range_repeat_for_ever(tmp_path: Path) -> None:
    """The reference refuses 12, since a sequence ends with its last interval unless a range is given.

    A sequence that repeats has no end of its own; who wants one gives a `range`.
    """
    spec = "kind: intervals\nintervals: [[0, 10]]"
    assert labelled(tmp_path, spec, "INTEGER", ["3", "12", "-1", "1000000"]) == {
        "3": "[0, 10); *",
        "12": "[10, 20); *",
        "-1": "[-10, 0); *",
        "1000000": "[1000000, 1000010); *",
    }
    bounded = refusal_of(tmp_path, f"{spec}\nrange: {{label: [0, 10]}}", values=["3", "12"])
    assert "does not cover '12' (1 row, outside its kind or its range)" in bounded


def test_decimal_intervals_keep_one_decimal_place_at_least(tmp_path: Path) -> None:
    """As in the reference, which closes them: `[0.0, 0.25]`."""
    spec = "kind: intervals\nintervals: [[0, 0.25]]\ngroups: [[2]]"
    assert labelled(tmp_path, spec, "DECIMAL(3,2)", ["0.00", "0.30", "0.99"]) == {
        "0.00": "[0.0, 0.25); [0.0, 0.5); *",
        "0.30": "[0.25, 0.5); [0.0, 0.5); *",
        "0.99": "[0.75, 1.0); [0.5, 1.0); *",
    }


def test_date_intervals_exclude_their_end(tmp_path: Path) -> None:
    """The reference writes `[2020-01-01, 2020-01-11]` of ten days."""
    spec = "kind: intervals\nintervals: [[2020-01-01, 2020-01-11]]"
    ten = "[2020-01-01, 2020-01-11); *"
    assert labelled(tmp_path, spec, "DATE", ["2020-01-01", "2020-01-09", "2020-01-10", "2020-01-11"]) == {
        "2020-01-01": ten,
        "2020-01-09": ten,
        "2020-01-10": ten,
        "2020-01-11": "[2020-01-11, 2020-01-21); *",
    }


MOMENTS = ["2019-12-31 23:59:58", "2020-01-01 00:00:00"]


CALENDAR = "kind: dates\nunits: [second, minute, hour, day, month, quarter, year, decade, century, millennium]"


def test_dates_are_spelled_as_iso_does(tmp_path: Path) -> None:
    """The reference writes `31.12.2019-23:59:58`, `12/2019`, `Q4 2019` and `[2010, 2020[`.

    ISO spelling sorts as the dates do, is no country's own, and intervals of years are half-open like all others.
    """
    assert labelled(tmp_path, CALENDAR, "TIMESTAMP", [*MOMENTS, None]) == {
        MOMENTS[0]: (
            "2019-12-31 23:59:58; 2019-12-31 23:59; 2019-12-31 23:00; 2019-12-31; 2019-12; 2019-Q4; 2019; "
            "[2010, 2020); [2000, 2100); [2000, 3000); *"
        ),
        MOMENTS[1]: (
            "2020-01-01 00:00:00; 2020-01-01 00:00; 2020-01-01 00:00; 2020-01-01; 2020-01; 2020-Q1; 2020; "
            "[2020, 2030); [2000, 2100); [2000, 3000); *"
        ),
        "NULL": "; ".join(["NULL"] * 10 + ["*"]),
    }


def test_formats_give_the_spelling_of_the_reference(tmp_path: Path) -> None:
    formats = (
        "formats: {second: '%d.%m.%Y-%H:%M:%S', minute: '%d.%m.%Y-%H:%M', hour: '%d.%m.%Y-%H:00', day: '%d.%m.%Y', "
        "month: '%m/%Y', quarter: 'Q%q %Y'}"
    )
    spec = f"kind: dates\nunits: [second, minute, hour, day, month, quarter, year]\n{formats}"
    assert labelled(tmp_path, spec, "TIMESTAMP", MOMENTS) == {
        MOMENTS[0]: "31.12.2019-23:59:58; 31.12.2019-23:59; 31.12.2019-23:00; 31.12.2019; 12/2019; Q4 2019; 2019; *",
        MOMENTS[1]: "01.01.2020-00:00:00; 01.01.2020-00:00; 01.01.2020-00:00; 01.01.2020; 01/2020; Q1 2020; 2020; *",
    }
    quarters = "kind: dates\nunits: [quarter-of-year]"
    assert labelled(tmp_path, quarters, "TIMESTAMP", MOMENTS) == {MOMENTS[0]: "Q4; *", MOMENTS[1]: "Q1; *"}


def test_weeks_are_those_of_iso_8601(tmp_path: Path) -> None:
    """The reference's weeks are its locale's, which begin on Sunday in English: 2020-01-05 begins week 2 there.

    ISO weeks are the same everywhere. 2019-12-31 lies in week 1 of 2020 either way, `01/2020` in the reference's spelling.
    """
    days = ["2019-12-29", "2019-12-31", "2020-01-01", "2020-01-05", "2020-01-06"]
    spec = "kind: dates\nunits: [day, week, week-year]\nformats: {week: '%V/%G'}"
    labels = labelled(tmp_path, spec, "DATE", days)
    assert [labels[day] for day in days] == [
        "2019-12-29; 52/2019; 2019; *",
        "2019-12-31; 01/2020; 2020; *",
        "2020-01-01; 01/2020; 2020; *",
        "2020-01-05; 01/2020; 2020; *",
        "2020-01-06; 02/2020; 2020; *",
    ]
    numbered = labelled(tmp_path, "kind: dates\nunits: [week, week-of-year]", "DATE", days[:2])
    assert numbered == {"2019-12-29": "2019-W52; W52; *", "2019-12-31": "2020-W01; W01; *"}


@pytest.mark.parametrize("units", ["[week-of-month]", "[week, month]", "[week, year]"])
def test_weeks_of_a_month_are_not_offered(tmp_path: Path, units: str) -> None:
    """The reference offers `5/12.2019`. A week lies in two months or years, so such labels do not nest."""
    assert "units" in refusal_of(tmp_path, f"kind: dates\nunits: {units}", "DATE", ["2020-01-01"])


def test_weekdays_have_names(tmp_path: Path) -> None:
    """The reference numbers them from Sunday on, or from Monday, as its locale does: 3 and 4."""
    assert labelled(tmp_path, "kind: dates\nunits: [weekday]", "TIMESTAMP", MOMENTS) == {
        MOMENTS[0]: "Tuesday; *",
        MOMENTS[1]: "Wednesday; *",
    }


def test_dates_outside_snap_are_coded(tmp_path: Path) -> None:
    """As in the reference, whose decades read `[1950, 1960[`."""
    spec = "kind: dates\nunits: [month, year, decade]\nformats: {month: '%m/%Y'}\nrange: {snap: [1950-01-01, 2000-01-01]}"
    assert labelled(tmp_path, spec, "DATE", ["1949-12-31", "1950-01-01", "1999-12-31", "2000-01-01"]) == {
        "1949-12-31": "<1950-01-01; <1950-01-01; <1950-01-01; *",
        "1950-01-01": "01/1950; 1950; [1950, 1960); *",
        "1999-12-31": "12/1999; 1999; [1990, 2000); *",
        "2000-01-01": ">=2000-01-01; >=2000-01-01; >=2000-01-01; *",
    }


def test_a_date_outside_the_range_of_a_calendar_is_refused_by_name(tmp_path: Path) -> None:
    spec = "kind: dates\nunits: [year]\nrange: {label: [1950-01-01, 2000-01-01]}"
    assert labelled(tmp_path, spec, "DATE", ["1950-01-01"]) == {"1950-01-01": "1950; *"}
    for day in ("1949-12-31", "2000-01-01"):
        assert f"'{day}'" in refusal_of(tmp_path, spec, "DATE", ["1950-01-01", day])


@pytest.mark.parametrize(("function", "label"), [("common-prefix", "81"), ("common-prefix(*)", "81*")])
def test_a_common_prefix_of_unequal_lengths_is_the_shorter_one(tmp_path: Path, function: str, label: str) -> None:
    """The reference fails with an exception where a later value is shorter."""
    spec = f"kind: order\nvalues: ['816', '81']\ngroups: [[2]]\nfunction: {function}"
    assert labelled(tmp_path, spec, "VARCHAR", ["816", "81"]) == {"816": f"{label}; *", "81": f"{label}; *"}


@pytest.mark.parametrize("spec", [NUMBERED_INTERVALS, CYCLE_OF_CONSTANTS])
def test_a_constant_label_that_repeats_is_refused_unless_numbered(tmp_path: Path, spec: str) -> None:
    """The reference always numbers it (`low-1`), which makes labels that nobody wrote; ours asks for `duplicates: number`."""
    refusal = refusal_of(tmp_path, spec.replace("duplicates: number\n", ""))
    assert "would be the label of several" in refusal
    assert "`duplicates: number`" in refusal


def test_a_label_that_repeats_for_ever_cannot_be_numbered(tmp_path: Path) -> None:
    refusal = refusal_of(tmp_path, NUMBERED_INTERVALS.replace("range: {label: [0, 50]}\n", ""))
    assert "cannot be numbered; set a lower end of `range`" in refusal


@pytest.mark.parametrize("function", ["arithmetic-mean", "geometric-mean", "mean", "prefix", "prefix(0)"])
def test_a_mean_is_no_label(tmp_path: Path, function: str) -> None:
    """The reference offers means of the values or of their bounds; a mean reads like a value and hides what was grouped."""
    refusal = refusal_of(tmp_path, f"kind: order\ngroups: [[2]]\nfunction: {function}")
    assert "is not a label function; use set, prefix(N), common-prefix" in refusal


# beyond the reference
def test_missing_values_go_to_the_top_where_the_hierarchy_says_so(tmp_path: Path) -> None:
    labels = labelled(tmp_path, "kind: intervals\nwidths: [5, 10]\nmissing: top", "INTEGER", ["3", None])
    assert labels == {"3": "[0, 5); [0, 10); *", "NULL": "*; *; *"}


@pytest.mark.parametrize(
    ("function", "labels"),
    [
        ("interval", "[120, 130); [120, 140); *"),
        ("set", "{120, 130}; {120, 140}; *"),
        ("bounds", "[120, 129]; [120, 139]; *"),
        ("prefix(2)", "12-13; 12-14; *"),
        ("common-prefix", "1; 1; *"),
        ("common-prefix(*)", "1**; 1**; *"),
    ],
)
def test_a_label_function_names_intervals_by_their_bounds(tmp_path: Path, function: str, labels: str) -> None:
    spec = f"kind: intervals\nintervals: [[0, 10]]\ngroups: [[2]]\nfunction: {function}"
    assert labelled(tmp_path, spec, "INTEGER", ["125"]) == {"125": labels}


def test_each_interval_and_each_group_may_be_named_in_its_own_way(tmp_path: Path) -> None:
    spec = """
kind: intervals
intervals: [{min: 0, max: 5, function: set}, [5, 10], {min: 10, max: 12, function: bounds}, {min: 12, max: 20, label: teens}]
groups: [[{size: 3, function: bounds}, {size: 1, label: grown}]]
range: {label: [0, 20]}
"""
    assert labelled(tmp_path, spec, "INTEGER", ["4", "5", "11", "19"]) == {
        "4": "{0, 5}; [0, 11]; *",
        "5": "[5, 10); [0, 11]; *",
        "11": "[10, 11]; [0, 11]; *",
        "19": "teens; grown; *",
    }


def test_labels_of_several_intervals_are_refused(tmp_path: Path) -> None:
    refusal = refusal_of(tmp_path, "kind: intervals\nwidths: [5]\nfunction: prefix(1)", values=["101", "151"])
    assert "gives two groups of level 1, that of '101' and that of '151', the same label '1-1'" in refusal


def test_bounds_are_closed_on_whole_things_alone(tmp_path: Path) -> None:
    spec = "kind: intervals\nwidths: [10]\nfunction: bounds"
    assert labelled(tmp_path, spec, "INTEGER", ["25", "-25"]) == {"25": "[20, 29]; *", "-25": "[-30, -21]; *"}
    assert labelled(tmp_path, spec, "DECIMAL(4,1)", ["29.5"]) == {"29.5": "[20, 30); *"}
    assert labelled(tmp_path, spec, "VARCHAR", ["29.5"]) == {"29.5": "[20, 30); *"}
    halves = "kind: intervals\nintervals: [[0, 2.5]]\nfunction: bounds"
    assert labelled(tmp_path, halves, "INTEGER", ["3"]) == {"3": "[2.5, 5.0); *"}
    days = "kind: intervals\nintervals: [[2020-01-01, 2020-02-01]]\nfunction: bounds"
    assert labelled(tmp_path, days, "DATE", ["2020-01-05"]) == {"2020-01-05": "[2020-01-01, 2020-01-31]; *"}


OPEN = "kind: intervals\nintervals: [[2, 12]]\ngroups: [[2], [2], [2]]\n"


def test_an_end_of_repeat_without_an_end_of_snap_is_drawn_open(tmp_path: Path) -> None:
    spec = f"{OPEN}range: {{repeat: [15, 80]}}"
    assert labelled(tmp_path, spec, "BIGINT", ["-1000", "14", "21", "22", "71", "72", "80", "9000000000000000000"]) == {
        "-1000": "<22; <22; <42; *; *",
        "14": "<22; <22; <42; *; *",
        "21": "<22; <22; <42; *; *",
        "22": "[22, 32); [22, 42); <42; *; *",
        "71": "[62, 72); >=62; >=42; *; *",
        "72": ">=72; >=62; >=42; *; *",
        "80": ">=72; >=62; >=42; *; *",
        "9000000000000000000": ">=72; >=62; >=42; *; *",
    }


def test_one_end_may_be_open_and_the_other_coded(tmp_path: Path) -> None:
    spec = f"{OPEN.replace(', [2], [2]', '')}range: {{snap: [10, null], repeat: [15, 80]}}"
    assert labelled(tmp_path, spec, "INTEGER", ["9", "10", "21", "79", "800"]) == {
        "9": "<10; <10; *",
        "10": "[10, 22); [10, 22); *",
        "21": "[10, 22); [10, 22); *",
        "79": ">=72; >=62; *",
        "800": ">=72; >=62; *",
    }


def test_one_interval_open_at_both_ends_is_the_top(tmp_path: Path) -> None:
    spec = "kind: intervals\nintervals: [[0, 10]]\nrange: {repeat: [2, 8]}\ntop: any"
    assert labelled(tmp_path, spec, "INTEGER", ["-5", "5", "50"]) == dict.fromkeys(("-5", "5", "50"), "any; any")


def test_intervals_run_on_below_zero(tmp_path: Path) -> None:
    spec = "kind: intervals\nintervals: [[0, 20], [20, 33]]\ngroups: [[2, 1]]"
    assert labelled(tmp_path, spec, "INTEGER", ["-1", "-13", "-14", "-33", "-34", "-66"]) == {
        "-1": "[-13, 0); [-13, 0); *",
        "-13": "[-13, 0); [-13, 0); *",
        "-14": "[-33, -13); [-46, -13); *",
        "-33": "[-33, -13); [-46, -13); *",
        "-34": "[-46, -33); [-46, -13); *",
        "-66": "[-66, -46); [-66, -46); *",
    }


def test_widths_are_the_short_form_of_intervals_and_groups(tmp_path: Path) -> None:
    values = [str(value) for value in range(-25, 46, 7)]
    short = labelled(tmp_path, "kind: intervals\nwidths: [5, 10, 30]\norigin: 3", "INTEGER", values)
    long = labelled(tmp_path, "kind: intervals\nintervals: [[3, 8]]\ngroups: [[2], [3]]", "INTEGER", values)
    assert short == long


@pytest.mark.parametrize(
    ("type", "value", "shown"),
    [
        ("TINYINT", "-3", "[-10, 0)"),
        ("UBIGINT", "18446744073709551615", "[18446744073709551610, 18446744073709551620)"),
        ("HUGEINT", "-123456789012345678901234567890", "[-123456789012345678901234567890, -123456789012345678901234567880)"),
        ("DECIMAL(10,2)", "-0.01", "[-10, 0)"),
        ("DECIMAL(18,9)", "9.999999999", "[0, 10)"),
        ("DOUBLE", "-0.1", "[-10, 0)"),
        ("DOUBLE", "29.999999999999996", "[20, 30)"),
        ("DOUBLE", "1e+16", "[10000000000000000, 10000000000000010)"),
        ("FLOAT", "0.1", "[0, 10)"),
        ("VARCHAR", "12", "[10, 20)"),
        ("VARCHAR", "007", "[0, 10)"),
        ("VARCHAR", "-3.5", "[-10, 0)"),
        ("VARCHAR", "1e2", "[100, 110)"),
    ],
)
def test_numbers_of_any_type_are_placed(tmp_path: Path, type: str, value: str, shown: str) -> None:
    assert labelled(tmp_path, "kind: intervals\nintervals: [[0, 10]]", type, [value]) == {value: f"{shown}; *"}


def test_a_bound_that_no_binary_fraction_holds_is_exact(tmp_path: Path) -> None:
    spec = "kind: intervals\nintervals: [[0, 0.1]]"
    for type in ("DOUBLE", "DECIMAL(2,1)", "VARCHAR"):
        assert labelled(tmp_path, spec, type, ["0.3", "0.7", "-0.3"]) == {
            "0.3": "[0.3, 0.4); *",
            "0.7": "[0.7, 0.8); *",
            "-0.3": "[-0.3, -0.2); *",
        }


HALF_DAYS = "kind: intervals\nintervals: [[2020-01-01 00:00:00, 2020-01-01 12:00:00]]"


@pytest.mark.parametrize(
    ("spec", "type", "value", "shown"),
    [
        ("widths", "VARCHAR", "1949-12-31", "[1940-01-01, 1950-01-01)"),
        ("widths", "DATE", "1949-12-31", "[1940-01-01, 1950-01-01)"),
        ("widths", "TIMESTAMP", "1949-12-31 23:59:59.999999", "[1940-01-01, 1950-01-01)"),
        ("widths", "VARCHAR", "1949-12-31 23:59:59", "[1940-01-01, 1950-01-01)"),
        ("halves", "TIMESTAMP", "2020-01-01 11:59:59.999999", "[2020-01-01 00:00:00, 2020-01-01 12:00:00)"),
        ("halves", "TIMESTAMP", "1969-12-31 12:00:00", "[1969-12-31 12:00:00, 1970-01-01 00:00:00)"),
        ("halves", "DATE", "2020-01-02", "[2020-01-02 00:00:00, 2020-01-02 12:00:00)"),
        ("halves", "VARCHAR", "2020-01-02 13:00:00", "[2020-01-02 12:00:00, 2020-01-03 00:00:00)"),
    ],
)
def test_dates_of_any_type_are_placed(tmp_path: Path, spec: str, type: str, value: str, shown: str) -> None:
    specs = {"widths": "kind: intervals\nintervals: [[1940-01-01, 1950-01-01]]", "halves": HALF_DAYS}
    assert labelled(tmp_path, specs[spec], type, [value]) == {value: f"{shown}; *"}


def test_dates_held_as_text_have_parts_of_the_calendar(tmp_path: Path) -> None:
    spec = "kind: dates\nunits: [day, month]"
    assert labelled(tmp_path, spec, "VARCHAR", ["2020-02-29", "2020-02-29 10:00:00"]) == {
        "2020-02-29": "2020-02-29; 2020-02; *",
        "2020-02-29 10:00:00": "2020-02-29; 2020-02; *",
    }


@pytest.mark.parametrize(
    ("spec", "type", "value"),
    [
        ("kind: intervals\nwidths: [5]", "DOUBLE", "nan"),
        ("kind: intervals\nwidths: [5]", "DOUBLE", "inf"),
        ("kind: intervals\nwidths: [5]", "DOUBLE", "-inf"),
        ("kind: intervals\nwidths: [5]", "VARCHAR", "five"),
        ("kind: intervals\nwidths: [5]", "VARCHAR", "0x10"),
        ("kind: intervals\nintervals: [[2020-01-01, 2020-01-11]]", "DATE", "infinity"),
        ("kind: intervals\nintervals: [[2020-01-01, 2020-01-11]]", "VARCHAR", "2020-02-30"),
        (HALF_DAYS, "TIMESTAMP", "-infinity"),
        ("kind: dates\nunits: [year]", "TIMESTAMP", "infinity"),
        ("kind: dates\nunits: [year]", "VARCHAR", "12:00:00"),
        ("kind: redaction\nlength: 3", "VARCHAR", "abcd"),
        ("kind: redaction\nlength: 1", "INTEGER", "-1"),
    ],
)
def test_what_a_rule_cannot_place_is_named(tmp_path: Path, spec: str, type: str, value: str) -> None:
    assert f"does not cover {value!r} (1 row, outside its kind or its range)" in refusal_of(tmp_path, spec, type, [value])


@pytest.mark.parametrize(
    ("spec", "type", "phrase"),
    [
        ("kind: intervals\nwidths: [5]", "DATE", "intervals of numbers do not fit column 'c', which is DATE"),
        ("kind: intervals\nintervals: [[2020-01-01, 2020-01-11]]", "INTEGER", "intervals of dates do not fit column 'c'"),
        ("kind: dates\nunits: [year]", "INTEGER", "dates need a date or timestamp, but column 'c' is INTEGER"),
    ],
)
def test_a_rule_is_refused_for_a_column_of_another_type(tmp_path: Path, spec: str, type: str, phrase: str) -> None:
    assert phrase in refusal_of(tmp_path, spec, type, ["2020-01-01" if type == "DATE" else "1"])


def test_redaction_in_steps_has_a_level_each_and_a_top_where_characters_are_left(tmp_path: Path) -> None:
    codes = ["81667", "816"]
    assert labelled(tmp_path, "kind: redaction\nsteps: [2, 3]", "VARCHAR", codes) == {
        "81667": "816**; 81***; *",
        "816": "816**; 81***; *",
    }
    assert labelled(tmp_path, "kind: redaction\nsteps: [2, 5]", "VARCHAR", codes)["816"] == "816**; *****"
    assert labelled(tmp_path, "kind: redaction\nsteps: [2, 5]\ntop: all", "VARCHAR", codes)["816"] == "816**; *****; all"
    assert labelled(tmp_path, "kind: redaction\nlength: 7\nsteps: [4, 7]", "VARCHAR", codes)["816"] == "816****; *******"


def test_redaction_groups_beginnings_on_every_level_below_the_last(tmp_path: Path) -> None:
    spec = "kind: redaction\nlength: 5\nsteps: [2, 3, 5]\ngrouped: {rest: ['816', '917'], other: ['100']}"
    assert labelled(tmp_path, spec, "VARCHAR", ["81667", "91799", "10", "1002", "81500"]) == {
        "81667": "rest; rest; *****",
        "91799": "rest; rest; *****",
        "10": "10***; 10***; *****",
        "1002": "other; other; *****",
        "81500": "815**; 81***; *****",
    }


def test_redaction_counts_characters_whatever_their_bytes(tmp_path: Path) -> None:
    spec = "kind: redaction\ncharacter: █\npad: ·"
    assert labelled(tmp_path, spec, "VARCHAR", ["日本語", "é𝔘", ""]) == {
        "日本語": "日本█; 日██; ███",
        "é𝔘": "é𝔘█; é██; ███",
        "": "··█; ·██; ███",
    }


def test_redaction_takes_numbers_as_they_are_printed(tmp_path: Path) -> None:
    labels = labelled(tmp_path, "kind: redaction\nalign: right\npad: '0'", "INTEGER", ["7", "-42"])
    assert labels == {"7": "00*; 0**; ***", "-42": "-4*; -**; ***"}


@pytest.mark.parametrize(
    ("type", "values"),
    [
        ("INTEGER", ["-10", "-9", "9", "10"]),
        ("VARCHAR", ["-10", "-9", "9", "10"]),
        ("VARCHAR", ["-10", "-9", "10", "9x"]),
        ("DOUBLE", ["-10.0", "-0.5", "9.0", "10.0"]),
        ("DECIMAL(4,1)", ["-10.5", "-9.0", "9.0", "10.0"]),
        ("DATE", ["0999-01-01", "1999-12-31", "2000-01-01", "12000-01-01"]),
    ],
)
def test_an_order_is_that_of_the_type(tmp_path: Path, type: str, values: list[str]) -> None:
    smallest, two, three, four = values
    labels = labelled(tmp_path, "kind: order\ngroups: [[2]]", type, [three, smallest, four, two])
    first, second = f"{{{smallest}, {two}}}; *", f"{{{three}, {four}}}; *"
    assert labels == {smallest: first, two: first, three: second, four: second}


def test_a_given_order_may_list_more_than_the_data_holds_and_not_less(tmp_path: Path) -> None:
    spec = "kind: order\nvalues: [low, mid, high]\ngroups: [[2]]"
    assert labelled(tmp_path, spec, "VARCHAR", ["high"]) == {
        "low": "{low, mid}; *",
        "mid": "{low, mid}; *",
        "high": "{high}; *",
    }
    assert "'hihg' (1 row, did you mean 'high'?)" in refusal_of(tmp_path, spec, "VARCHAR", ["hihg"])


def test_priorities_that_are_equal_go_by_text_and_levels_are_no_more_than_values(tmp_path: Path) -> None:
    spec = "kind: priority\npriorities: {a: 1, b: 1, c: 0.5, d: -1}\ntop: gone"
    assert labelled(tmp_path, spec, "VARCHAR", ["a"]) == {
        "d": "gone; gone; gone; gone",
        "c": "c; gone; gone; gone",
        "a": "a; a; gone; gone",
        "b": "b; b; b; gone",
    }


# intervals, said again
TINY = Fraction(1, 10**6)
"""Less than any length below."""


Ends = tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True)
class Walk:
    """Intervals by their definition: from where the sequence begins along the number line, one part after the other."""

    begin: Fraction
    lengths: list[list[Fraction]]
    """Of the intervals; then of the groups of each level, in parts of the level below."""
    label: Ends
    snap: Ends
    repeat: Ends
    function: str
    is_whole: bool

    def labels(self, value: Fraction) -> list[str] | None:
        """What a value reads on each level below the top; None where it is not placed."""
        (least, beyond), (first, last) = self.snap, self.repeat
        if _lies_outside(value, self.label):
            return None
        if least is not None and value < least:
            return [f"<{self.shown(least)}"] * len(self.lengths)
        if beyond is not None and value >= beyond:
            return [f">={self.shown(beyond)}"] * len(self.lengths)
        value = value if first is None else max(value, first)
        value = value if last is None else min(value, last - TINY)
        collected = []
        for level in range(len(self.lengths)):
            part = self.part(level, value)
            low = least if first is not None and part == self.part(level, first) else self.edge(level, part)
            high = beyond if last is not None and part == self.part(level, last - TINY) else self.edge(level, part + 1)
            collected.append(self.text(low, high))
        return collected

    def part(self, level: int, value: Fraction) -> int:
        """The part that holds a value, counted from the first one of the sequence."""
        part = 0
        while self.edge(level, part + 1) <= value:
            part += 1
        while self.edge(level, part) > value:
            part -= 1
        return part

    def edge(self, level: int, part: int) -> Fraction:
        """Where a part begins."""
        lengths = self.lengths[level]
        ahead = sum(lengths[before % len(lengths)] for before in range(part))
        behind = sum(lengths[after % len(lengths)] for after in range(part, 0))
        return self.begin + ahead - behind if level == 0 else self.edge(level - 1, int(ahead - behind))

    def text(self, low: Fraction | None, high: Fraction | None) -> str:
        if low is None or high is None:
            return "*" if low is high else f"<{self.shown(high)}" if high is not None else f">={self.shown(low or Fraction())}"
        if self.function == "bounds" and self.is_whole:
            return f"[{low}, {high - 1}]"
        begin, end = "{}" if self.function == "set" else "[)"
        return f"{begin}{self.shown(low)}, {self.shown(high)}{end}"

    def shown(self, bound: Fraction) -> str:
        """Whole numbers where all bounds are; decimal ones with one place at least, as Python prints them."""
        decimals = [self.begin, *self.lengths[0], *self.label, *self.snap, *self.repeat]
        return str(bound) if all(decimal is None or decimal.denominator == 1 for decimal in decimals) else str(float(bound))


def _lies_outside(value: Fraction, ends: Ends) -> bool:
    low, high = ends
    return (low is not None and value < low) or (high is not None and value >= high)


@dataclass(frozen=True)
class Case:
    """A spec of intervals, what it means, and values of a column to place."""

    spec: str
    walk: Walk
    type: str
    values: list[str]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    places = draw(st.integers(0, 2))
    type = draw(st.sampled_from(["INTEGER", "INTEGER", "VARCHAR"] if not places else ["DECIMAL(9,3)", "VARCHAR", "DOUBLE"]))
    unit = Fraction(1, 10**places)
    begin = draw(st.integers(-90, 90)) * unit
    lengths = [length * unit for length in draw(st.lists(st.integers(1, 40), min_size=1, max_size=4))]
    groups = draw(st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=3), max_size=3))
    steps = sorted(draw(st.lists(st.integers(-150, 150), min_size=6, max_size=6, unique=True)))
    pairs = [
        tuple(step * unit if draw(st.booleans()) else None for step in (steps[place], steps[5 - place])) for place in range(3)
    ]
    label, snap, repeat = (pair for pair in pairs)
    filled_snap = tuple(wide if end is None else end for wide, end in zip(label, snap, strict=True))
    filled_repeat = tuple(wide if end is None else end for wide, end in zip(filled_snap, repeat, strict=True))
    function = draw(st.sampled_from(["interval", "set", "bounds"]))
    edges = [begin, *(begin + length for length in accumulate(lengths))]
    spec = {
        "kind": "intervals",
        "intervals": [[_written(low), _written(high)] for low, high in pairwise(edges)],
        "groups": groups,
        "range": {
            name: [None if end is None else _written(end) for end in ends]
            for name, ends in (("label", label), ("snap", snap), ("repeat", repeat))
        },
        "function": function,
    }
    is_whole = type == "INTEGER" and all(edge.denominator == 1 for edge in edges)
    walk = Walk(
        begin,
        [lengths, *([Fraction(size) for size in sizes] for sizes in groups)],
        (label[0], label[1]),
        (filled_snap[0], filled_snap[1]),
        (filled_repeat[0], filled_repeat[1]),
        function,
        is_whole,
    )
    finest = 1 if type == "INTEGER" else 1000
    near = st.integers(-200 * finest // 10**places, 200 * finest // 10**places).map(lambda number: Fraction(number, finest))
    at = st.sampled_from([*edges, *(step * unit for step in steps)])
    values = draw(st.lists(near | at, min_size=1, max_size=25, unique=True))
    return Case(json.dumps(spec), walk, type, [_written(value) for value in values])


def _written(number: Fraction) -> str:
    """A number of at most three decimal places, without needless ones."""
    return str(int(number)) if number.denominator == 1 else str(float(number))


@pytest.mark.slow
@settings(max_examples=levels.at_most(50))
@given(case=cases())
def test_intervals_are_what_a_walk_along_the_number_line_finds(tmp_path: Path, case: Case) -> None:
    expected = {value: case.walk.labels(Fraction(value)) for value in case.values}
    placed = [value for value, labels in expected.items() if labels is not None]
    if len(placed) < len(expected):
        assert "outside its kind or its range" in refusal_of(tmp_path, case.spec, case.type, case.values)
    if placed:
        actual = labelled(tmp_path, case.spec, case.type, placed)
        assert {_written(Fraction(value)): labels for value, labels in actual.items()} == {
            value: "; ".join([*(expected[value] or []), "*"]) for value in placed
        }


@pytest.mark.parametrize(
    ("type", "value", "label"),
    [
        ("DOUBLE", "-1e-19", "[-5, 0)"),
        ("DOUBLE", "-5e-324", "[-5, 0)"),
        ("DOUBLE", "1e-300", "[0, 5)"),
        ("DECIMAL(38, 30)", "4.9999999999999999999999999", "[0, 5)"),
        ("DECIMAL(38, 30)", "-0.0000000000000000000001", "[-5, 0)"),
        ("VARCHAR", "4.9999999999999999999999", "[0, 5)"),
        ("VARCHAR", "-4.99999999999999999999", "[-5, 0)"),
        ("VARCHAR", "-5.00000000000000000000", "[-5, 0)"),
        ("VARCHAR", "-5.00000000000000000001", "[-10, -5)"),
    ],
)
def test_a_number_of_many_decimals_is_not_rounded_into_the_next_interval(
    tmp_path: Path, type: str, value: str, label: str
) -> None:
    [labels] = labelled(tmp_path, "kind: intervals\nwidths: [5]", type, [value]).values()
    assert labels == f"{label}; *"


def test_years_before_year_one_lie_in_decades_that_hold_them(tmp_path: Path) -> None:
    """9 BC is the year -8."""
    dates = ["0009-12-31 (BC)", "0001-01-01 (BC)", "0005-01-01"]
    labels = labelled(tmp_path, "kind: dates\nunits: [decade, century]", "DATE", dates)
    early, first = "[-10, 0); [-100, 0); *", "[0, 10); [0, 100); *"
    assert labels == dict(zip(dates, [early, first, first], strict=True))


def test_a_timestamp_with_time_zone_reads_the_same_on_every_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for zone in ("America/New_York", "Asia/Tokyo"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        moment = "2005-01-01 00:30:00+00"
        assert labelled(tmp_path, "kind: dates\nunits: [day]", "TIMESTAMPTZ", [moment]) == {moment: "2005-01-01; *"}
    monkeypatch.undo()
    time.tzset()


def test_two_parts_of_the_calendar_never_share_a_label(tmp_path: Path) -> None:
    spec = "kind: dates\nunits: [week]\nformats: {week: '%Y-W%V'}"
    message = refusal_of(tmp_path, spec, "DATE", ["2018-01-01", "2018-12-31"])
    assert "'2018-W01'" in message
    assert "'2018-12-31'" in message


def test_a_mark_that_is_none_of_a_date_is_refused_before_any_data(tmp_path: Path) -> None:
    assert "'%k' of month is not a date format code" in refusal_of(
        tmp_path, "kind: dates\nunits: [month]\nformats: {month: '%k'}", "DATE"
    )
    spec = "kind: dates\nunits: [month]\nformats: {month: '%Y%%q%m'}"
    assert labelled(tmp_path, spec, "DATE", ["2018-12-31"]) == {"2018-12-31": "2018%q12; *"}


@pytest.mark.parametrize(
    ("type", "low", "high"),
    [("BIGINT", "-9007199254740993", "-9007199254740992"), ("HUGEINT", "9999999999999999999", "10000000000000000000")],
)
def test_the_interval_of_large_numbers_goes_by_their_order(tmp_path: Path, type: str, low: str, high: str) -> None:
    spec = f"kind: order\nvalues: ['{high}', '{low}']\ngroups: [[2]]\nfunction: interval"
    assert labelled(tmp_path, spec, type, [high, low])[low] == f"[{low}, {high}]; *"


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    [
        f"kind: intervals\nwidths: {[2**power for power in range(60)]}",
        f"kind: intervals\nintervals: [[0, 1], [1, 3]]\ngroups: {[[2, 1, 1]] * 40}",
        f"kind: order\ngroups: {[[1]] * 98}",
    ],
)
def test_many_levels_cost_a_little_more_each(tmp_path: Path, spec: str) -> None:
    """A level that named the one below twice would double the statement, and sixty would never end."""
    assert len(labelled(tmp_path, spec, "INTEGER", ["0", "1", "2"])) == 3


def test_labels_that_nobody_could_read_are_refused(tmp_path: Path) -> None:
    values = [f"value number {number}" for number in range(2_000)]
    message = refusal_of(tmp_path, "kind: order\ngroups: [[10], [200]]", "VARCHAR", values)
    assert "level 2" in message
    assert "function: bounds" in message


@pytest.mark.parametrize("levels", ["[[]]", "['']", "[',']", "[[a1, a2]]"])
def test_levels_without_a_group_are_refused(tmp_path: Path, levels: str) -> None:
    assert "DuckDB" not in refusal_of(tmp_path, f"kind: levels\nlevels: {levels}", "VARCHAR", ["a1"])


def test_an_empty_top_is_no_label(tmp_path: Path) -> None:
    """What a trailing delimiter leaves."""
    rows = "kind: table\nrows: [[a, x, null], [b, x, null]]"
    assert "an empty label on its last level" in refusal_of(tmp_path, rows, "VARCHAR", ["a", "b"])


def test_numbers_beyond_what_is_computed_fall_to_open_and_coded_ends(tmp_path: Path) -> None:
    spec = "kind: intervals\nintervals: [[0, 10]]\nrange: {repeat: [20, 70], snap: [null, 100]}"
    labels = labelled(tmp_path, spec, "DOUBLE", ["-1e25", "1e25", "65"])
    assert labels == {"-1e+25": "<30; *", "1e+25": ">=100; *", "65.0": "[60, 100); *"}
    assert "does not cover '1e+25'" in refusal_of(tmp_path, "kind: intervals\nwidths: [5]", "DOUBLE", ["1e25"])
