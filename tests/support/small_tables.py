"""Small tables with nested hierarchies, drawn by Hypothesis, and a dry run of a job on them."""

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from duckanon.errors import Infeasible
from tests.support.oracles import full_domain as oracle
from tests.support.rows import write_parquet, write_table
from tests.support.runs import anonymize
from tests.support.settings import options_of

OBJECTIVES = [
    ("loss", "mean"),
    ("loss", "max"),
    ("loss", "geometric-mean"),
    ("precision", "mean"),
    ("discernibility", "mean"),
    ("class-size", "mean"),
]


@st.composite
def hierarchies(draw: st.DrawFn, column: int) -> oracle.Hierarchy:
    """A nested hierarchy of 1 to 6 values and height 1 to 3, every label merging some of the level below."""
    size = draw(st.integers(1, 6))
    groups = [f"{column}v{value}" for value in range(size)]
    lines = {group: [group] for group in groups}
    for level in range(1, draw(st.integers(1, 3))):
        parents = {
            label: f"{column}l{level}g{draw(st.integers(0, 2))}" for label in sorted({line[-1] for line in lines.values()})
        }
        lines = {value: [*line, parents[line[-1]]] for value, line in lines.items()}
    return {value: [*line, "*"] for value, line in lines.items()}


@st.composite
def tables(draw: st.DrawFn) -> oracle.Table:
    """One to three columns, 1 to 40 rows."""
    trees = [draw(hierarchies(column)) for column in range(draw(st.integers(1, 3)))]
    row = st.tuples(*(st.sampled_from(sorted(hierarchy)) for hierarchy in trees))
    return oracle.Table(draw(st.lists(row, min_size=1, max_size=40)), trees)


def solve(
    folder: Path, table: oracle.Table, columns: dict[str, Any], output: Path | None = None, **recoding: Any
) -> dict[str, Any] | None:
    """The manifest of a run, by default a dry one, or None where it is infeasible."""
    names = [f"c{number}" for number in range(len(table.hierarchies))]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    if table.sensitive:
        rows = [{**row, "sensitive": value} for row, value in zip(rows, table.sensitive, strict=True)]
    if table.asks:
        rows = [{**row, "want": own} for row, own in zip(rows, table.asks, strict=True)]
    if table.persons:
        rows = [{**row, "person": person} for row, person in zip(rows, table.persons, strict=True)]
    write_parquet(folder / "in.parquet", rows)
    for name, hierarchy in zip(names, table.hierarchies, strict=True):
        write_table(folder / f"{name}.csv", list(hierarchy.values()))
    job: dict[str, Any] = {
        "columns": {
            name: {"role": "quasi-identifier", "hierarchy": str(folder / f"{name}.csv"), **columns.get(name, {})}
            for name in names
        }
        | ({"sensitive": {"role": "sensitive"}} if table.sensitive else {})
    }
    if table.adversaries:
        job["adversaries"] = {
            f"adversary {number}": {"columns": [names[place] for place in known], "k": k}
            for number, (known, k) in enumerate(table.adversaries)
        }
    if table.persons:
        job["entity"] = "person"
    try:
        return anonymize(
            folder / "in.parquet",
            output,
            job=job,
            options=options_of(**recoding),
            dry_run=output is None,
            overwrite=True,
        )
    except Infeasible:
        return None
