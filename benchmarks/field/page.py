"""The tables of the page, written from the measured figures between their marks."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.field import charts, examples

HERE = Path(__file__).parent


def refresh() -> None:
    """Write the tables and charts of every part that has figures to the page; the words around them stay."""
    page = HERE / "README.md"
    content = page.read_text(encoding="utf-8")
    for path in sorted((HERE / "figures").glob("*.json")):
        measured = json.loads(path.read_text(encoding="utf-8"))
        begin, end = f"<!-- figures of {path.stem} -->\n", "<!-- end of figures -->"
        before, mark, rest = content.partition(begin)
        if not mark:
            raise SystemExit(f"README.md has no line {begin.strip()!r}")
        content = (
            before
            + begin
            + "\n".join(TABLES[path.stem](measured["figures"]))
            + "\n\n"
            + measured["machine"]
            + "\n"
            + end
            + rest.partition(end)[2]
        )
        for name, drawing in charts.of(path.stem, measured["figures"]).items():
            (HERE / "images").mkdir(exist_ok=True)
            (HERE / "images" / f"{name}.svg").write_text(drawing, encoding="utf-8", newline="\n")
    page.write_text(content, encoding="utf-8", newline="\n")


def _table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| --- |{' --: |' * (len(head) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def nist(measured: dict[str, Any]) -> Iterator[str]:
    """A row for each release."""
    head = ["release", "records", "complete", "source uniques republished", "unique in the release", "smallest class"]
    head += ["k-marginal, complete records", "k-marginal, ranges spread", "information loss"]
    keys = ["records", "complete", "uniques", "release_uniques", "smallest", "score_complete", "score_spread"]
    rows = ([name, *(_number(row.get(key)) for key in keys), _percent(row.get("loss"))] for name, row in measured.items())
    yield from _table(head, rows)


def mondrian(measured: dict[str, Any]) -> Iterator[str]:
    """A row for each table and tool."""
    yield from _table(
        ["table and tool", "k", "records", "classes", "smallest class", "loss, labels", "loss, values in the class"],
        (
            [f"{table}: {name}", row["failure"], "", "", "", "", ""]
            if "failure" in row
            else [
                f"{table}: {name}",
                str(row["k"]),
                _number(row["records"]),
                _number(row["classes"]),
                _number(row["smallest"]),
                _percent(row["shown"]),
                _percent(row["loss"]),
            ]
            for table, tools in measured.items()
            for name, row in tools.items()
        ),
    )
    timed = [
        (table, name, row)
        for table, tools in measured.items()
        for name, row in tools.items()
        if "wall" in row and "failure" not in row
    ]
    if timed:
        yield ""
        yield from _table(
            ["table and tool", "whole s", "peak MB"],
            ([f"{table}: {name}", f"{row['wall']:.1f}", _number(row["peak"])] for table, name, row in timed),
        )


def sdcmicro(measured: dict[str, Any]) -> Iterator[str]:
    """A row for each table and tool."""
    yield from _table(
        ["table and tool", "records", "below 2", "below 3", "below 5", "average of 1 / class size"],
        (
            [
                f"{case}: {tool}",
                _number(row["records"]),
                *(_number(row["below"][k]) for k in ("2", "3", "5")),
                f"{row['average']:.6f}",
            ]
            for case, tools in measured.items()
            for tool, row in tools.items()
        ),
    )


def example_files(measured: dict[str, Any]) -> Iterator[str]:
    """A row for each measure, and one for each figure that differs."""
    files = measured["files"]
    differing = list(examples.differing(files))
    names = list(next(iter(files.values()))["pycanon"])
    counts = ([name, str(len(files)), str(len(files) - sum(name == other for _, other, _, _ in differing))] for name in names)
    yield from _table(["measure", "files", "equal"], counts)
    yield ""
    yield from _table(
        ["file and measure", "pyCANON", "duckanon"],
        ([f"{file}: {name}", f"{value:.6g}", "none" if own is None else f"{own:.6g}"] for file, name, value, own in differing),
    )
    yield ""
    yield from other_examples(measured)


def other_examples(measured: dict[str, Any]) -> Iterator[str]:
    """k where a value is missing, and the levels of anjana's hospital example."""
    levels = ", ".join(map(str, measured["hospital"]["levels"]))
    yield from _table(
        ["example", "peer", "duckanon"],
        iter(
            [
                [
                    "k by age of 30, 30, 30 and a missing age",
                    *(_number(measured["missing"][tool]) for tool in ("pycanon", "duckanon")),
                ],
                ["levels of anjana's hospital example, k = 2, no suppression", "2, 0, 0", levels],
            ]
        ),
    )


def timings(measured: dict[str, Any]) -> Iterator[str]:
    """A row for each number of rows."""
    yield from _table(
        ["rows", "duckanon, whole s", "search s", "peak GB", "P4, 1 thread, s", "P4, 64 threads, s"],
        (
            [
                f"{int(number):,}",
                f"{row['wall']:.1f}",
                f"{row['search']:.1f}",
                f"{row['peak'] / 1024:.1f}",
                *map(_number, row["published"]),
            ]
            for number, row in measured.items()
        ),
    )


TABLES = {"nist": nist, "mondrian": mondrian, "sdcmicro": sdcmicro, "examples": example_files, "timings": timings}
