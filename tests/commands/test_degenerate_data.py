"""Tables of few rows, values or columns: a run succeeds if it can, and otherwise ends with one line."""

from collections import Counter
from pathlib import Path

import duckdb
import pytest

from tests.support import levels
from tests.support.command_line import Cli, refused

QI = ["age", "town"]
DATA = {
    "nulls": "select if(i % 7 = 0, null, 20 + i % 30) as age, if(i % 11 = 0, null, 't' || i % 3) as town, 'i' || i % 4 as ill from range(200) t(i)",
    "one row": "select 30 as age, 'x' as town, 'i' as ill",
    "one value": "select 30 as age, 'x' as town, 'i' || i % 4 as ill from range(50) t(i)",
    "a constant sensitive column": "select 20 + i % 30 as age, 't' || i % 3 as town, 'i' as ill from range(200) t(i)",
    "no town": "select 20 + i % 30 as age, null::varchar as town, 'i' || i % 4 as ill from range(200) t(i)",
    "no age": "select null::int as age, 't' || i % 3 as town, 'i' || i % 4 as ill from range(200) t(i)",
    "no age and no type": "select null as age, 't' || i % 3 as town, 'i' || i % 4 as ill from range(200) t(i)",
    "no quasi-identifier": "select null as age, null as town, 'i' || i % 4 as ill from range(200) t(i)",
    "no sensitive value": "select 20 + i % 30 as age, 't' || i % 3 as town, null as ill from range(200) t(i)",
}
REQUIRED = {
    "k": "k=5",
    "k of one": "k=1",
    "l": "distinct-l=2",
    "too great an l": "distinct-l=9",
    "t": "t=0",
    "entropy": "entropy-l=1.5",
}


def distance(values: Counter[object], whole: Counter[object]) -> float:
    """How far apart two distributions are, all values being equally far apart."""
    return sum(abs(values[value] / values.total() - whole[value] / whole.total()) for value in whole) / 2


@pytest.mark.parametrize(
    ("algorithm", "data", "required"), levels.spread(["mondrian", "local", "optimal"], [*DATA], [*REQUIRED], turns=2)
)
def test_what_can_be_released_is_released(tmp_path: Path, cli: Cli, algorithm: str, data: str, required: str) -> None:
    """Where all rows as one class satisfy, there is a release; where they do not, there is none, and one line says why.

    A class without a known sensitive value satisfies no model of the column.
    """
    duckdb.execute(f"copy ({DATA[data]}) to '{tmp_path / 'in.parquet'}' (format parquet)")
    whole: Counter[object] = Counter(
        value for (value,) in duckdb.execute(f"select ill from '{tmp_path / 'in.parquet'}'").fetchall()
    )
    k, least = (1 if required == "k of one" else 5), {"l": 2, "too great an l": 9, "entropy": 2, "t": 1}.get(required, 0)
    known = {value for value in whole if value is not None}
    options = [
        "--qi",
        ",".join(QI),
        "--sensitive",
        "ill",
        "--k",
        str(k),
        "--algorithm",
        algorithm,
        "--require",
        REQUIRED[required],
    ]
    done = cli("anonymize", "in.parquet", "-o", "out.parquet", *options, "-q")
    if whole.total() < k or len(known) < least:
        refused(done, 1, "infeasible", narrates=True)
        assert not (tmp_path / "out.parquet").exists()
        return
    assert done.code == 0, done.err
    classes: dict[tuple[object, ...], Counter[object]] = {}
    for *labels, ill in duckdb.execute(f"select {', '.join(QI)}, ill from '{tmp_path / 'out.parquet'}'").fetchall():
        classes.setdefault(tuple(labels), Counter())[ill] += 1
    assert min(group.total() for group in classes.values()) >= k
    assert min(len(group) for group in classes.values()) >= least
    assert required != "t" or max(distance(group, whole) for group in classes.values()) < 1e-9


@pytest.mark.parametrize(("policy", "algorithm"), levels.spread(["value", "top", "drop"], ["mondrian", "local", "optimal"]))
def test_a_quasi_identifier_without_a_value(tmp_path: Path, cli: Cli, algorithm: str, policy: str) -> None:
    """Under each policy, from CSV too: rows that are dropped as missing leave nothing, which one line says."""
    source = DATA["no town"]
    duckdb.execute(f"copy ({source}) to '{tmp_path / 'in.parquet'}' (format parquet)")
    duckdb.execute(f"copy ({source}) to '{tmp_path / 'in.csv'}' (header)")
    for name in ("in.parquet", "in.csv"):
        options = [
            "--qi",
            "age,town",
            "--algorithm",
            algorithm,
            "--set",
            f"missing.policy={policy}",
            "--k",
            "5",
            "-q",
            "--overwrite",
        ]
        done = cli("anonymize", name, "-o", "out.parquet", *options)
        if policy == "drop":
            refused(done, 3, "no rows after rows with missing values", "leave out a column that is empty", narrates=True)
            continue
        assert done.code == 0, done.err
        shown = duckdb.execute(f"select town, count(*) from '{tmp_path / 'out.parquet'}' group by all").fetchall()
        assert {town for town, _ in shown} <= {None, "*"}


@pytest.mark.parametrize("algorithm", ["mondrian", "local", "optimal"])
def test_a_table_without_rows(tmp_path: Path, cli: Cli, algorithm: str) -> None:
    duckdb.execute(f"copy ({DATA['nulls']} limit 0) to '{tmp_path / 'empty.parquet'}' (format parquet)")
    (tmp_path / "empty.csv").write_text("age,town,ill\n")
    (tmp_path / "nothing.csv").write_text("")
    for name, phrase in (("empty.parquet", "has no rows"), ("empty.csv", "has no rows"), ("nothing.csv", "is empty")):
        options = ["--qi", "age,town", "--sensitive", "ill", "--algorithm", algorithm, "--require", "t=0"]
        refused(cli("anonymize", name, "-o", "out.parquet", *options), 3, phrase, narrates=True)
