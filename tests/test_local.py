"""Local recoding: against a restatement of its passes, the reference implementation's figures, and its own frozen form."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duckanon.engine.protocol import Settings
from duckanon.errors import Infeasible
from duckanon.options import Options
from duckanon.pipeline import anonymize
from duckanon.preparation import Run
from tests import models_oracle as models
from tests.conftest import read_rows, write_parquet
from tests.local_oracle import Column, Label, Node, Outcome, Recoded, Rows, recode
from tests.models_oracle import Group, Whole
from tests.oracle import Hierarchy
from tests.test_models import PARAMETERS, Asked
from tests.test_optimal import hierarchies

EXAMPLES = settings().max_examples

OF_SENSITIVE = ("distinct-l", "entropy-l", "recursive-cl", "t")

LIMITS = ("0", "3", "30%", "100%")


@dataclass(frozen=True)
class Case:
    """A table with its hierarchies, what is asked of its classes, and how many rows may go."""

    columns: list[Column]
    sensitive: list[Any]
    asked: list[Asked] = field(default_factory=list)
    k: int | None = None
    asks: list[int | None] | None = None
    """Each row's own k."""
    persons: list[str | None] | None = None
    limit: str = "100%"
    kind: str = "table"

    @property
    def rows(self) -> int:
        return len(self.sensitive)

    @property
    def names(self) -> list[str]:
        return [f"c{number}" for number in range(len(self.columns))]

    @property
    def most(self) -> int:
        """The limit in rows."""
        return int(Fraction(self.limit[:-1]) / 100 * self.rows) if self.limit.endswith("%") else int(self.limit)

    @property
    def risk(self) -> Decimal | None:
        return next((one.numbers[0] for one in self.asked if one.model == "average-risk"), None)

    def keeps(self, rows: Rows) -> bool:
        """Whether rows may stand in one class."""
        group = Group(Counter(self.sensitive[row] for row in rows))
        asked = max([self.k or 1, *((self.asks[row] or 1 for row in rows) if self.asks else ())])
        counted = len({self.persons[row] for row in rows}) if self.persons else len(rows)
        return counted >= asked and all(
            models.holds(one.model, one.numbers, group, Whole(Counter(self.sensitive)))
            for one in self.asked
            if one.model != "average-risk"
        )

    def expected(self) -> Outcome:
        return recode(self.columns, self.keeps, self.risk)

    def is_feasible(self, outcome: Recoded) -> bool:
        return len(outcome.gone) <= self.most and len(outcome.gone) < self.rows

    def table(self) -> list[dict[str, Any]]:
        return [
            {
                "id": row,
                **{name: column.values[row] for name, column in zip(self.names, self.columns, strict=True)},
                "s0": self.sensitive[row],
                **({"want": self.asks[row]} if self.asks else {}),
                **({"pid": self.persons[row]} if self.persons else {}),
            }
            for row in range(self.rows)
        ]

    def job(self) -> dict[str, Any]:
        return {"columns": {"id": {"role": "insensitive"}, **dict(zip(self.names, map(self._plan, self.columns), strict=True))}}

    def _plan(self, column: Column) -> dict[str, Any]:
        in_place = {"kind": "flat"} if self.kind == "flat" else {"kind": "table", "rows": list(column.lines.values())}
        bounds = {"min-level": column.least, **({} if column.most is None else {"max-level": column.most})}
        return {"role": "quasi-identifier", "hierarchy": in_place, "weight": str(column.weight), **bounds}


def anonymized(folder: Path, case: Case, **options: Any) -> dict[str, Any] | None:
    """The manifest of a release, or None where it is infeasible."""
    source = write_parquet(folder / "in.parquet", case.table())
    chosen: dict[str, Any] = {
        "algorithm": "local",
        "sensitive": ["s0"],
        "k": case.k,
        "require": [one.text for one in case.asked],
        "max_suppression": case.limit,
        "k_column": "want" if case.asks else None,
        "entity": "pid" if case.persons else None,
        **options,
    }
    run = Run(settings=Settings(workspace=folder / "work.duckdb"), overwrite=True)
    try:
        return anonymize(source, folder / "out.parquet", job=case.job(), options=Options(**chosen), run=run)
    except Infeasible:
        return None


def labels_of(path: Path, names: Sequence[str]) -> dict[int, Label]:
    """The labels of each released row, by its number."""
    return {row["id"]: tuple(row[name] for name in names) for row in read_rows(path)}


def read_back(case: Case, labels: Mapping[int, Label], rest: Node) -> Recoded:
    """The lowest node that gives a row its labels; raises where none does. Suppressed rows stay at the last node."""
    nodes = [
        tuple(
            next(level for level in column.levels if column.line(row)[level] == label)
            for column, label in zip(case.columns, labels[row], strict=True)
        )
        if row in labels
        else rest
        for row in range(case.rows)
    ]
    return Recoded(case.columns, nodes, [row for row in range(case.rows) if row not in labels])


def close(figure: Any) -> Any:
    return pytest.approx(float(figure), rel=1e-9, abs=1e-9)


def assert_measured(manifest: Mapping[str, Any], recoded: Recoded) -> None:
    """The manifest's figures are those of the released cells."""
    metrics = manifest["metrics"]
    assert manifest["rows"]["suppressed"] == len(recoded.gone)
    assert metrics["loss"] == close(recoded.loss)
    assert list(metrics["loss_by_attribute"].values()) == [close(loss) for loss in recoded.losses]
    assert metrics["loss_sum"] == close(sum(recoded.losses))
    assert metrics["precision"] == close(recoded.precision)
    assert metrics["entropy"] == close(recoded.entropy)
    assert metrics["discernibility"] == recoded.discernibility
    assert metrics["average_class_size"] == close(Fraction(recoded.sizes.total(), len(recoded.sizes)))
    assert manifest["classes"]["count"] == len(recoded.sizes)
    assert manifest["classes"]["smallest"] == min(recoded.sizes.values())
    assert manifest["classes"]["largest"] == max(recoded.sizes.values())


def assert_passes(folder: Path, case: Case, **options: Any) -> None:
    """Row for row what the restatement releases, and every figure of it."""
    expected = case.expected()
    manifest = anonymized(folder, case, **options)
    assert (manifest is not None) == case.is_feasible(expected)
    if manifest is None:
        return
    assert labels_of(folder / "out.parquet", case.names) == expected.labels
    recoding = manifest["recoding"]
    assert recoding["algorithm"] == "local"
    assert "levels" not in recoding
    told = {tuple(one["levels"][name] for name in case.names): (one["rows"], one["classes"]) for one in recoding["passes"]}
    assert list(told.items()) == list(expected.passes.items())
    assert_measured(manifest, expected)


# --- random tables


@st.composite
def columns(draw: st.DrawFn, number: int, rows: int, kind: str = "table") -> Column:
    """Labels of one value below may repeat a level's; NULL may be listed, and may be among the values."""
    lines = draw(hierarchies(number))
    if draw(st.booleans()):
        lines = repeated(lines)
    null = draw(st.sampled_from(["never", "never", "among the values", "listed"]))
    if null == "listed":
        other = draw(st.sampled_from(sorted(lines)))
        lines = {**lines, None: [None, *lines[other][1:]]}
    pool: list[Any] = [*sorted(value for value in lines if value is not None), *([] if null == "never" else [None])]
    values = [draw(st.sampled_from(pool)) for _ in range(rows - 1)] + [pool[0]]
    if kind == "flat":
        lines = {value: [value, "*"] for value in values if value is not None}
    height = len(next(iter(lines.values()))) - 1
    least = draw(st.sampled_from([0, 0, 0, *range(height + 1)]))
    most = draw(st.sampled_from([None, None, *range(least, height + 1)]))
    return Column(lines, values, Decimal(draw(st.sampled_from(["1", "1", "0.5", "2", "3"]))), least, most)


def repeated(lines: Hierarchy) -> Hierarchy:
    """A label that stands for only one label below is called like it, except at the top."""
    found = {value: [*line] for value, line in lines.items()}
    for level in range(1, len(next(iter(lines.values()))) - 1):
        for line in found.values():
            below = {other[level - 1] for other in found.values() if other[level] == line[level]}
            if len(below) == 1:
                [label] = below
                for other in found.values():
                    if other[level - 1] == label:
                        other[level] = label
    return found


@st.composite
def cases(draw: st.DrawFn, *chosen: str, kind: str = "table", most_rows: int = 40) -> Case:
    """A table of two or three quasi-identifiers and a sensitive column, and models with drawn parameters."""
    rows = draw(st.integers(1, most_rows))
    drawn = [draw(columns(number, rows, kind)) for number in range(draw(st.integers(2, 3)))]
    sensitive = [draw(st.sampled_from([*"abc", *draw(st.sampled_from([[], [None]]))])) for _ in range(rows - 1)] + ["a"]
    asked = [
        Asked(name, draw(st.sampled_from(PARAMETERS[name])), 0 if name in OF_SENSITIVE else None)
        for name in chosen
        if name in PARAMETERS and name != "k"
    ]
    return Case(
        drawn,
        sensitive,
        asked,
        k=draw(st.integers(1, 6)) if "k" in chosen else None if "highest-risk" in chosen else 1,
        asks=[draw(st.sampled_from([1, 2, 2, 3, 5])) for _ in range(rows)] if "k-column" in chosen else None,
        persons=[draw(st.sampled_from([None, *"abcdefgh"])) for _ in range(rows)] if "entity" in chosen else None,
        limit=draw(st.sampled_from(LIMITS)),
        kind=kind,
    )


@pytest.mark.parametrize(
    "chosen",
    [
        ("distinct-l",),
        ("entropy-l", "k"),
        ("recursive-cl",),
        ("t",),
        ("t", "distinct-l", "k"),
        ("k-column",),
        ("k-column", "k"),
        ("entity", "k"),
        ("entity", "k-column"),
        ("distinct-l", "highest-risk"),
    ],
    ids="+".join,
)
@settings(max_examples=max(3, EXAMPLES // 4))
@given(data=st.data())
def test_the_release_is_that_of_the_passes(tmp_path: Path, chosen: tuple[str, ...], data: st.DataObject) -> None:
    assert_passes(tmp_path, data.draw(cases(*chosen)))


@settings(max_examples=max(3, EXAMPLES // 2))
@given(case=cases("distinct-l", "average-risk"))
def test_an_average_risk_asks_for_rows_in_the_passes_and_for_classes_at_the_end(tmp_path: Path, case: Case) -> None:
    """Which of equally small classes is removed is nobody's promise."""
    expected = case.expected()
    manifest = anonymized(tmp_path, case)
    assert (manifest is not None) == case.is_feasible(expected)
    if manifest is not None:
        found = Counter(labels_of(tmp_path / "out.parquet", case.names).values())
        assert Counter(found.values()) == Counter(expected.sizes.values())
        assert manifest["rows"]["suppressed"] == len(expected.gone)
        assert len(found) <= Fraction(case.risk or 1) * found.total()


def assert_no_worse(folder: Path, case: Case, **options: Any) -> None:
    """Classes keep what is asked of rows, and rows that were recalled lose no more than the passes took from them."""
    before = case.expected()
    manifest = anonymized(folder, case, **options)
    if manifest is None:
        assert not case.is_feasible(before)
        return
    labels = labels_of(folder / "out.parquet", case.names)
    after = read_back(case, labels, tuple(column.levels[-1] for column in case.columns))
    assert all(case.keeps([row for row in labels if labels[row] == label]) for label in after.sizes)
    assert len(after.sizes) <= Fraction(case.risk or 1) * after.sizes.total()
    assert len(after.gone) <= min(len(before.gone), case.most)
    assert after.loss <= before.loss
    assert_measured({**manifest, "metrics": {**manifest["metrics"], "precision": float(after.precision)}}, after)


@pytest.mark.parametrize("chosen", [("k",), ("highest-risk",), ("average-risk",), ("k", "average-risk")], ids="+".join)
@settings(max_examples=max(3, EXAMPLES // 2))
@given(data=st.data())
def test_rows_are_recalled_only_to_what_loses_less(tmp_path: Path, chosen: tuple[str, ...], data: st.DataObject) -> None:
    assert_no_worse(tmp_path, data.draw(cases(*chosen)))


@settings(max_examples=max(3, EXAMPLES // 2))
@given(data=st.data())
def test_cells_alone_are_suppressed_where_a_hierarchy_has_but_a_star(tmp_path: Path, data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        assert_no_worse(tmp_path, data.draw(cases("k", kind="flat")))
    else:
        assert_passes(tmp_path, data.draw(cases("distinct-l", kind="flat")))
