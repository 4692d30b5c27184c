"""The decision of the verification: what it counts, and what forbids to release the file."""

from typing import Any

import pytest

from duckanon.release.verify import Differences, FileCounts, violations

CASES: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"reasons": ["fewer than 5 rows"]}, []),
    ({"rows": 0}, ["no rows", "0 rows instead of 10"]),
    ({"rows": 9}, ["9 rows instead of 10"]),
    ({"rows": 11}, ["11 rows instead of 10"]),
    (
        {"failing": 2, "smallest_failing": 2, "reasons": ["fewer than 5 rows"]},
        ["2 classes", "fewer than 5 rows); the smallest has 2"],
    ),
    ({"failing_by_adversary": [("known to a", 0), ("known to b", 3)]}, ["3 classes of the written file have known to b"]),
    ({"failing_by_adversary": [("the same", 0), ("the same", 1)]}, ["1 classes"]),
    ({"uncovered_labels": 1}, ["1 labels"]),
    ({"split_classes": 1}, ["a linked column shows several values in 1 classes"]),
    ({"absent_classes": 1}, ["1 classes of the population"]),
    ({"untreated_columns": ["id", "mail"]}, ["'id', 'mail'"]),
    ({"differences": Differences(2)}, ["2 classes of the written file differ"]),
    ({"differences": Differences(2, is_of_cells=True, columns=["note"])}, ["2 classes", "other cells", "in 'note'"]),
    ({"differences": Differences(2, is_of_cells=True)}, ["2 classes", "the cells of a column are in other rows"]),
    (
        {"failing": 1, "smallest_failing": 1, "differences": Differences(1)},
        ["the smallest has 1 rows", "differ from the recoded source"],
    ),
]
"""What is counted beside ten rows of ten; parts of the violations, in order."""


@pytest.mark.parametrize(("counted", "expected"), CASES)
def test_a_file_is_released_if_nothing_that_is_counted_forbids_it(counted: dict[str, Any], expected: list[str]) -> None:
    stated = "\n".join(violations(FileCounts(**({"rows": 10, "expected_rows": 10} | counted))))
    assert bool(stated) is bool(expected)
    place = -1
    for part in expected:
        place = stated.index(part, place + 1)


def test_the_file_alone_is_judged_before_it_is_compared() -> None:
    counts = FileCounts(
        0,
        10,
        failing_by_adversary=[("known to a", 1)],
        failing=1,
        smallest_failing=1,
        uncovered_labels=1,
        split_classes=1,
        absent_classes=1,
        untreated_columns=["id"],
        differences=Differences(1),
    )
    stated = list(violations(counts))
    assert len(stated) == 9
    assert "no rows" in stated[0]
    assert "recoded source" in stated[-1]
