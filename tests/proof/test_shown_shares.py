"""The warning of biased cells beside a plain count of the input and the released file."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from duckanon.job.options import Options
from duckanon.observers import Remembering, Silent
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize


@pytest.mark.parametrize("algorithm", ["mondrian", "local", "optimal"])
@pytest.mark.parametrize("seed", range(8))
def test_the_columns_whose_shown_cells_are_biased_are_named_with_both_shares(tmp_path: Path, seed: int, algorithm: str) -> None:
    draw = Random(seed)
    weights = {name: [draw.random() ** 3 for _ in range(draw.randint(2, 9))] for name in "abcd"}
    rows = [
        {
            name: draw.choices([None, *(f"{name}{place}" for place in range(1, len(each)))], each)[0]
            for name, each in weights.items()
        }
        for _ in range(draw.randint(60, 250))
    ]
    columns = {name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in weights}
    heard = Remembering(Silent())
    anonymize(
        write_parquet(tmp_path / "in.parquet", rows),
        tmp_path / "out.parquet",
        job={"columns": columns},
        options=Options(k=4, algorithm=algorithm),
        observer=heard,
    )
    released = read_rows(tmp_path / "out.parquet")
    expected = {}
    for name in weights:
        values = Counter(row[name] for row in rows)
        shown = Counter(row[name] for row in released if row[name] in values)
        if len(values) > 1 and shown:
            pairs = [(values[value] / len(rows), shown[value] / shown.total()) for value in values]
            expected[name] = max(abs(true - share) for true, share in pairs)
    lines = [line for line in heard.warnings if "points among the cells" in line]
    named = set(re.findall(r"'([a-d])' \(one has", " ".join(lines)))
    assert named == {name for name, difference in expected.items() if difference > 0.1}
