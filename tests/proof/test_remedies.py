"""The changes that an infeasible run advises: each is made, and the run succeeds; the limit is the least, by brute force over the lattice."""

import copy
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon.errors import Infeasible
from duckanon.job.prepare import Run
from tests.support.rows import write_parquet
from tests.support.runs import anonymize

Row = dict[str, Any]
Job = dict[str, Any]

VALUES = {"a": ["a0", "a1", "a2", "a3"], "b": ["b0", "b1", "b2"]}
MODELS: list[Row] = [
    {"model": "l-diversity", "variant": "distinct", "l": 3, "column": "s"},
    {"model": "l-diversity", "variant": "entropy", "l": 2.5, "column": "s"},
    {"model": "t-closeness", "t": 0.1, "column": "s"},
    {"model": "alpha-k-anonymity", "alpha": 0.3, "k": 2, "column": "s"},
    {"model": "average-risk", "risk": 0.1},
]


def labels(name: str) -> list[list[str]]:
    """Three levels: the value, pairs of values, everything."""
    return [[value, f"{name}{number // 2}*", "*"] for number, value in enumerate(VALUES[name])]


@st.composite
def tables(draw: st.DrawFn) -> list[Row]:
    row = st.fixed_dictionaries(
        {"a": st.sampled_from(VALUES["a"]), "b": st.sampled_from(VALUES["b"]), "s": st.sampled_from("xxxyyz")}
    )
    return draw(st.lists(row, min_size=6, max_size=30))


@st.composite
def jobs(draw: st.DrawFn) -> Job:
    columns: Job = {name: {"role": "quasi-identifier", "hierarchy": {"kind": "table", "rows": labels(name)}} for name in VALUES}
    algorithm = draw(
        st.sampled_from(["optimal", "optimal", "samarati", "bidirectional", "greedy", "balanced", "mondrian", "local"])
    )
    recoding: Job = {"algorithm": algorithm}
    for plan in columns.values() if algorithm != "mondrian" else ():
        if draw(st.booleans()):
            plan["max-level"] = draw(st.integers(0, 1))
        if algorithm != "local" and draw(st.integers(0, 3)) == 0:
            plan["max-loss"] = draw(st.sampled_from([0.2, 0.5, 0.8]))
    if algorithm == "optimal" and draw(st.integers(0, 4)) == 0:
        recoding["levels"] = {"a": 0, "b": 0}
    models = draw(st.lists(st.sampled_from(MODELS), max_size=1))
    return {
        "columns": {**columns, "s": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": draw(st.sampled_from([2, 4, 9, 40]))}, *models],
        "suppression": {"limit": draw(st.sampled_from(["0", "2", "20%"]))},
        "recoding": recoding,
        "decide-on": draw(st.sampled_from(["all", "all", "qi"])) if models else "all",
        "entity": "none",
    }


def feasible(source: Path, job: Job) -> bool:
    try:
        anonymize(source, job=job, run=Run(dry_run=True))
    except Infeasible:
        return False
    return True


def changed(job: Job, *path: str, to: Any) -> Job:
    """A copy with another value at a place; None removes it."""
    altered = copy.deepcopy(job)
    inside = altered
    for key in path[:-1]:
        inside = inside[key]
    if to is None:
        inside.pop(path[-1])
    else:
        inside[path[-1]] = to
    return altered


def privacy(job: Job, change: Callable[[Row], Row | None]) -> Job:
    kept = [altered for model in job["privacy"] if (altered := change(dict(model))) is not None]
    return job | {"privacy": kept}


def followed(job: Job, way: str) -> Job:
    """The job with what one way says."""
    if match := re.fullmatch(r"raise --max-suppression to (\d+) \(.*\)", way):
        return changed(job, "suppression", "limit", to=match[1])
    if match := re.fullmatch(r"lower --k to at most (\d+)", way):
        k = int(match[1])
        return privacy(job, lambda model: model | {"k": k} if model["model"] == "k-anonymity" else model)
    if match := re.fullmatch(r"lower l of \S+ to (\d+)", way):
        l = int(match[1])  # noqa: E741
        return privacy(job, lambda model: model | {"l": l} if model["model"] == "l-diversity" else model)
    if re.fullmatch(r"leave \S+=\S+ out", way):
        return privacy(job, lambda model: model if model["model"] == "k-anonymity" else None)
    if match := re.fullmatch(r"raise max-level of '(\w)' to (\d)", way):
        return changed(job, "columns", match[1], "max-level", to=int(match[2]))
    if match := re.fullmatch(r"raise max-loss: --set columns\.(\w)\.max-loss=(\S+)", way):
        return changed(job, "columns", match[1], "max-loss", to=float(match[2]))
    if match := re.fullmatch(r"drop '(\w)' \(--qi (\w) --identifying \1 --entity none\)", way):
        return changed(job, "columns", match[1], to={"role": "identifying"})
    if way == "leave --levels out":
        return changed(job, "recoding", "levels", to=None)
    assert way == "choose --set decide-on=all"
    return job | {"decide-on": "all"}


def ways(source: Path, job: Job) -> Iterator[str]:
    """What an infeasible run advises."""
    try:
        anonymize(source, job=job, run=Run(dry_run=True))
    except Infeasible as failure:
        advised = str(failure).partition("; ")[2]
        if "no single change" not in advised:
            yield from advised.split(", or ")


def least(rows: list[Row], job: Job, k: int) -> int:
    """The fewest rows in classes below k, over all nodes of the lattice."""
    levels = [range(job["columns"][name].get("max-level", 2) + 1) for name in VALUES]
    shown = {name: {line[0]: line for line in labels(name)} for name in VALUES}
    candidates = []
    for node in product(*levels):
        classes = Counter(
            tuple(shown[name][row[name]][level] for name, level in zip(VALUES, node, strict=True)) for row in rows
        )
        candidates.append(sum(size for size in classes.values() if size < k))
    return min(candidates)


@given(rows=tables(), job=jobs())
def test_each_remedy_of_a_small_table_helps_and_the_limit_is_the_least(
    rows: list[Row], job: Job, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = write_parquet(tmp_path_factory.mktemp("remedies") / "in.parquet", rows)
    for way in ways(source, job):
        assert feasible(source, followed(job, way)), (way, job)
        match = re.fullmatch(r"raise --max-suppression to (\d+) \([\d.]+% of the rows\)", way)
        if match and job["recoding"]["algorithm"] != "local":
            assert not feasible(source, changed(job, "suppression", "limit", to=str(int(match[1]) - 1)))


@pytest.mark.parametrize("algorithm", ["optimal", "samarati", "greedy"])
@pytest.mark.parametrize("max_loss", [None, 0.2, 1.0])
def test_the_top_of_a_column_is_advised_only_where_its_largest_loss_allows_it(
    tmp_path: Path, algorithm: str, max_loss: float | None
) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{"a": value, "b": "b0", "s": "x"} for value in ["a0"] * 15 + ["a1"]])
    columns: Job = {name: {"role": "quasi-identifier", "hierarchy": {"kind": "table", "rows": labels(name)}} for name in VALUES}
    columns["a"] |= {"max-level": 0} | ({} if max_loss is None else {"max-loss": max_loss})
    job: Job = {
        "columns": columns,
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "suppression": {"limit": "0"},
        "recoding": {"algorithm": algorithm},
        "entity": "none",
    }
    advised = list(ways(source, job))
    assert ("raise max-level of 'a' to 2" in advised) == (max_loss != 0.2)
    for way in advised:
        assert feasible(source, followed(job, way)), way


@given(rows=tables(), level=st.integers(0, 1), k=st.integers(3, 9))
def test_the_advised_limit_is_that_of_brute_force(
    rows: list[Row], level: int, k: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    columns = {
        name: {"role": "quasi-identifier", "hierarchy": {"kind": "table", "rows": labels(name)}, "max-level": level}
        for name in VALUES
    }
    job: Job = {
        "columns": columns,
        "privacy": [{"model": "k-anonymity", "k": k}],
        "suppression": {"limit": "0"},
        "entity": "none",
    }
    source = write_parquet(tmp_path_factory.mktemp("limit") / "in.parquet", rows)
    expected = least(rows, job, k)
    advised = [int(match[1]) for way in ways(source, job) if (match := re.match(r"raise --max-suppression to (\d+) ", way))]
    assert advised == ([expected] if 0 < expected < len(rows) else [])
