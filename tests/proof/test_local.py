"""Local recoding: against a restatement of its passes, the reference implementation's figures, and its own saved form."""

import csv
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from duckanon.engine.protocol import Settings
from duckanon.errors import DuckanonError, Infeasible
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.search import nodes
from duckanon.search.algorithms import local
from tests.support.arx import QI_SETS
from tests.support.command_line import Cli
from tests.support.oracles import models
from tests.support.oracles.full_domain import Hierarchy
from tests.support.oracles.local import Column, Label, Node, Recoded, Rows, judged, ordered, recode
from tests.support.oracles.models import Group, Whole
from tests.support.required_models import PARAMETERS, RequiredModel
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply
from tests.support.settings import options_of
from tests.support.small_tables import hierarchies

EXAMPLES = settings().max_examples // 2
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
"""A failing table is small as it is, and shrinking it takes minutes."""

OF_SENSITIVE = ("distinct-l", "entropy-l", "recursive-cl", "t")

LIMITS = ("0", "3", "30%", "100%")


@dataclass(frozen=True)
class Case:
    """A table with its hierarchies, what is asked of its classes, and how many rows may go."""

    columns: list[Column]
    sensitive: list[Any]
    required: list[RequiredModel] = field(default_factory=list)
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
        return next((requirement.numbers[0] for requirement in self.required if requirement.model == "average-risk"), None)

    def keeps(self, rows: Rows) -> bool:
        """Whether rows may stand in one class."""
        group = Group(Counter(self.sensitive[row] for row in rows))
        least = max([self.k or 1, *((self.asks[row] or 1 for row in rows) if self.asks else ())])
        counted = len({self.persons[row] for row in rows}) if self.persons else len(rows)
        return counted >= least and all(
            models.holds(requirement.model, requirement.numbers, group, Whole(Counter(self.sensitive)))
            for requirement in self.required
            if requirement.model != "average-risk"
        )

    def expected(self, k: int | None = None) -> Recoded:
        """The least lossy of passes with the full-domain optimum as fallback, passes without, and that optimum.

        Passes that go wrong for rows alone are tried again with the fallback. Without an optimum: passes through all nodes, or
        where those leave too many rows, through the dearer half, and again.
        """
        order, optimum = ordered(self.columns), self.optimum()
        if optimum is None:
            recoded = recode(self.columns, self.keeps, order, self.risk, k)
            while not self.is_feasible(recoded) and len(order) > 1:
                order = order[(len(order) + 1) // 2 :]
                recoded = recode(self.columns, self.keeps, order, self.risk, k)
            return recoded
        alone = recode(self.columns, self.keeps, [optimum], self.risk, k)

        def is_good(actual: Recoded) -> bool:
            return self.is_feasible(actual) and actual.loss <= alone.loss

        tried = [recode(self.columns, self.keeps, order, self.risk, k)]
        if any(requirement.column is not None for requirement in self.required) or not is_good(tried[0]):
            tried.insert(0, recode(self.columns, self.keeps, order, self.risk, k, fallback=optimum))
        return min(filter(is_good, tried), key=lambda actual: actual.loss, default=alone)

    def optimum(self) -> Node | None:
        """The node that loses least of those that suppress few enough rows, the lowest and first of equals."""
        collected = {}
        for node in ordered(self.columns):
            outcome = judged(self.columns, dict.fromkeys(range(self.rows), node), self.keeps, self.risk)
            if self.is_feasible(outcome):
                collected[node] = outcome.loss
        return min(collected, key=lambda node: (collected[node], sum(node), node), default=None)

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
        policy = "top" if any(column.masked for column in self.columns) else "value"
        plans = dict(zip(self.names, map(self._plan, self.columns), strict=True))
        return {"columns": {"id": {"role": "insensitive"}, **plans}, "missing": {"policy": policy}}

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
        "require": [requirement.text for requirement in case.required],
        "max_suppression": case.limit,
        "k_column": "want" if case.asks else None,
        "entity": "pid" if case.persons else None,
        # in small tables, sensitive values may link the rows of persons
        "accept": ["key"] if case.persons else [],
        **options,
    }
    run = Run(settings=Settings(workspace=folder / "work.duckdb"), overwrite=True)
    try:
        return anonymize(source, folder / "out.parquet", job=case.job(), options=options_of(**chosen), run=run)
    except Infeasible:
        return None


def labels_of(path: Path, names: Sequence[str]) -> dict[int, Label]:
    """The labels of each released row, by its number."""
    return {row["id"]: tuple(row[name] for name in names) for row in read_rows(path)}


def read_back(case: Case, labels: Mapping[int, Label], rest: Node) -> Recoded:
    """The lowest node that gives a row its labels; raises where none does. Suppressed rows are at the node `rest`."""
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


def node_of_the_rest(case: Case, recoding: Mapping[str, Any]) -> Node:
    """The node of suppressed rows: the fallback, the only node that was tried, or the last of the lattice."""
    last = {name: column.levels[-1] for name, column in zip(case.names, case.columns, strict=True)}
    only = recoding["passes"][0]["levels"] if recoding["visited"] == 1 else None
    return tuple((recoding.get("fallback") or only or last).values())


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
    by_node = {
        tuple(entry["levels"][name] for name in case.names): (entry["rows"], entry["classes"]) for entry in recoding["passes"]
    }
    assert list(by_node.items()) == list(expected.passes.items())
    assert_measured(manifest, expected)


# --- random tables


@st.composite
def columns(draw: st.DrawFn, number: int, rows: int, kind: str = "table", *, masked: bool = False) -> Column:
    """Labels of one value below may repeat a level's; NULL may be listed, and may be among the values."""
    lines = draw(hierarchies(number))
    null = draw(st.sampled_from(["never", "never", "among the values", "listed"]))
    if null == "listed":
        other = draw(st.sampled_from(sorted(lines)))
        lines = {**lines, None: [None, *lines[other][1:]]}
    if masked:
        lines.pop(None, None)
    if draw(st.booleans()):
        lines = repeated(lines)
    pool: list[Any] = [*sorted(value for value in lines if value is not None), *([] if null == "never" else [None])]
    values = [draw(st.sampled_from(pool)) for _ in range(rows - 1)] + [pool[0]]
    if kind == "flat":
        lines = {value: [value, "*"] for value in values if value is not None}
    height = len(next(iter(lines.values()))) - 1
    least = draw(st.sampled_from([0, 0, 0, *range(height + 1)]))
    most = draw(st.sampled_from([None, None, *range(least, height + 1)]))
    return Column(lines, values, Decimal(draw(st.sampled_from(["1", "1", "0.5", "2", "3"]))), least, most, masked)


def repeated(lines: Hierarchy) -> Hierarchy:
    """A label that stands for only one label below is called like it, except at the top."""
    copied = {value: [*line] for value, line in lines.items()}
    for level in range(1, len(next(iter(lines.values()))) - 1):
        for line in copied.values():
            below = {other[level - 1] for other in copied.values() if other[level] == line[level]}
            if len(below) == 1 and None not in below:
                [label] = below
                for other in copied.values():
                    if other[level - 1] == label:
                        other[level] = label
    return copied


@st.composite
def cases(draw: st.DrawFn, *chosen: str, kind: str = "table", most_rows: int = 40) -> Case:
    """A table of two or three quasi-identifiers and a sensitive column, and models with drawn parameters."""
    rows = draw(st.integers(1, most_rows))
    masked = draw(st.sampled_from([False, False, True]))
    drawn = [draw(columns(number, rows, kind, masked=masked)) for number in range(draw(st.integers(2, 3)))]
    sensitive = [draw(st.sampled_from([*"abc", *draw(st.sampled_from([[], [None]]))])) for _ in range(rows - 1)] + ["a"]
    required = [
        RequiredModel(name, draw(st.sampled_from(PARAMETERS[name])), 0 if name in OF_SENSITIVE else None)
        for name in chosen
        if name in PARAMETERS and name != "k"
    ]
    return Case(
        drawn,
        sensitive,
        required,
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
@settings(phases=UNSHRUNK, max_examples=max(3, EXAMPLES // 4))
@given(data=st.data())
def test_the_release_is_that_of_the_passes(tmp_path: Path, chosen: tuple[str, ...], data: st.DataObject) -> None:
    assert_passes(tmp_path, data.draw(cases(*chosen)))


@settings(phases=UNSHRUNK, max_examples=max(3, EXAMPLES // 2))
@given(case=cases("distinct-l", "average-risk"))
def test_an_average_risk_asks_for_rows_in_the_passes_and_for_classes_at_the_end(tmp_path: Path, case: Case) -> None:
    """Which of equally small classes is removed is not specified."""
    expected = case.expected()
    manifest = anonymized(tmp_path, case)
    assert (manifest is not None) == case.is_feasible(expected)
    if manifest is not None:
        sizes = Counter(labels_of(tmp_path / "out.parquet", case.names).values())
        assert Counter(sizes.values()) == Counter(expected.sizes.values())
        assert manifest["rows"]["suppressed"] == len(expected.gone)
        assert len(sizes) <= Fraction(case.risk or 1) * sizes.total()


@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize("values", ["aaabbbccccc", "aaabbb-----", "b--aabb---a"])
def test_one_of_two_equally_small_classes_goes_for_the_average_risk(tmp_path: Path, values: str, least: int) -> None:
    """Whichever it is, what is written and what verification expects agree on it."""
    case = small(values, ["a*", "b*", "c*"], most=0, required=[RequiredModel("average-risk", (Decimal("0.25"),), None)], k=1)
    case = replace(case, columns=[case.columns[0], replace(case.columns[1], least=least)])
    manifest = anonymized(tmp_path, case)
    assert manifest is not None
    assert manifest["rows"]["suppressed"] == len(case.expected().gone) == 3


def assert_no_worse(folder: Path, case: Case, **options: Any) -> None:
    """Classes keep what is asked of rows, and the release loses no more than that of the passes.

    It suppresses more than the passes only if a single node loses less than they do: the lowest loss wins, within the limit.

    Precision, and the entropy of what reads the top at every level, go by the pass, which labels alone do not tell.
    """
    before = case.expected()
    manifest = anonymized(folder, case, **options)
    if manifest is None:
        assert not case.is_feasible(before)
        return
    labels = labels_of(folder / "out.parquet", case.names)
    after = read_back(case, labels, node_of_the_rest(case, manifest["recoding"]))
    assert all(case.keeps([row for row in labels if labels[row] == label]) for label in after.sizes)
    assert len(after.sizes) <= Fraction(case.risk or 1) * after.sizes.total()
    assert len(after.gone) <= case.most
    through_all = recode(case.columns, case.keeps, ordered(case.columns), case.risk)
    if case.is_feasible(through_all):
        alone = [recode(case.columns, case.keeps, [node], case.risk) for node in ordered(case.columns)]
        assert after.loss <= min(recoded.loss for recoded in (through_all, *filter(case.is_feasible, alone)))
        if all(through_all.loss <= recoded.loss for recoded in alone if case.is_feasible(recoded)):
            assert len(after.gone) <= len(through_all.gone)
    hidden = {"precision": float(after.precision)}
    if any(column.masked for column in case.columns):
        hidden["entropy"] = after.entropy
    assert_measured({**manifest, "metrics": {**manifest["metrics"], **hidden}}, after)


@pytest.mark.parametrize("chosen", [("k",), ("highest-risk",), ("average-risk",), ("k", "average-risk")], ids="+".join)
@settings(phases=UNSHRUNK, max_examples=max(3, EXAMPLES // 2))
@given(data=st.data())
def test_rows_are_recalled_only_to_what_loses_less(tmp_path: Path, chosen: tuple[str, ...], data: st.DataObject) -> None:
    assert_no_worse(tmp_path, data.draw(cases(*chosen)))


@settings(phases=UNSHRUNK, max_examples=max(3, EXAMPLES))
@given(case=cases("k", most_rows=20), data=st.data())
def test_the_second_sweep_is_that_of_the_restatement(tmp_path: Path, case: Case, data: st.DataObject) -> None:
    """Row for row: which rows move, and which class joins them; whether classes are listed for many nodes, for few, or for none."""
    expected = case.expected(case.k)
    with pytest.MonkeyPatch.context() as patch:
        for pairs in ("_PLACED_AT_ONCE", "_LISTED_AT_ONCE"):
            patch.setattr(local, pairs, data.draw(st.sampled_from([1, 60, 1_000_000])))
        patch.setattr(local, "_MOST_LISTED", data.draw(st.sampled_from([0, 5, 50_000])))
        patch.setattr(nodes, "_TYPES", data.draw(st.sampled_from([{0: "bigint"}, {63: "bigint"}, {127: "hugeint"}])))
        manifest = anonymized(tmp_path, case)
    assert (manifest is not None) == case.is_feasible(expected)
    if manifest is not None:
        assert labels_of(tmp_path / "out.parquet", case.names) == expected.labels


def test_rows_that_an_average_keeps_are_not_recalled_to_what_loses_more(tmp_path: Path) -> None:
    """What is left at the last node has too few rows for a pass, and stays all the same: the average risk holds."""
    rows = ["ax", "ax", "ay", "bx", "bx", "by", "cx", "cx", "cx", "cx", "cy", "dx"]
    lines = {"a": ["a", "m", "*"], "b": ["b", "m", "*"], "c": ["c", "n", "*"], "d": ["d", "n", "*"]}
    first = Column(lines, [row[0] for row in rows], most=1)
    second = Column({"x": ["x", "*"], "y": ["y", "*"]}, [row[1] for row in rows])
    assert_no_worse(tmp_path, Case([first, second], ["a"] * 12, [RequiredModel("average-risk", (Decimal("0.34"),), None)], k=1))


@settings(phases=UNSHRUNK, max_examples=max(3, EXAMPLES // 2))
@given(data=st.data())
def test_cells_alone_are_suppressed_where_a_hierarchy_has_but_a_star(tmp_path: Path, data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        assert_no_worse(tmp_path, data.draw(cases("k", kind="flat")))
    else:
        assert_passes(tmp_path, data.draw(cases("distinct-l", kind="flat")))


# --- never worse than full-domain generalization


STRICTER: dict[str, list[Any]] = {"k": [2, 3, 5], "distinct-l": [1, 2, 3], "t": ["0.9", "0.5", "0.3"]}


@settings(phases=UNSHRUNK, max_examples=max(3, EXAMPLES // 2))
@given(case=cases("k"), data=st.data())
def test_local_loses_no_more_than_optimal_and_optimal_no_more_than_under_a_stricter_requirement(
    tmp_path: Path, case: Case, data: st.DataObject
) -> None:
    """Passes are a heuristic, and guarantee only the first."""
    levels = {name: sorted(data.draw(st.lists(st.integers(0, 2), min_size=2, max_size=2))) for name in STRICTER}
    losses: dict[tuple[str, int], float | None] = {}
    for which in (0, 1):
        k, least, most = (STRICTER[name][levels[name][which]] for name in STRICTER)
        required = [RequiredModel("distinct-l", (Decimal(least),), 0), RequiredModel("t", (Decimal(most),), 0)]
        for algorithm in ("optimal", "local"):
            manifest = anonymized(tmp_path, replace(case, k=k, required=required), algorithm=algorithm)
            losses[algorithm, which] = None if manifest is None else manifest["metrics"]["loss"]
    for which in (0, 1):
        optimum, passed = losses["optimal", which], losses["local", which]
        assert optimum is None or (passed is not None and passed <= optimum + 1e-12)
    loose, strict = losses["optimal", 0], losses["optimal", 1]
    assert strict is None or (loose is not None and loose <= strict + 1e-12)


# --- equal labels of different passes


def small(values: str, lines: Sequence[str], **more: Any) -> Case:
    """A column of one-letter values and labels, `-` for NULL, and a column that says nothing."""
    column = Column(
        {line[0]: list(line) for line in lines},
        [None if value == "-" else value for value in values],
        masked="-" in values,
        most=more.pop("most", None),
    )
    still = Column({"x": ["x", "*"]}, ["x"] * len(values), least=1)
    return Case([column, still], ["a", "b"] * (len(values) // 2) + ["a"] * (len(values) % 2), **more)


@pytest.mark.parametrize("asks", [[3] * 5, [3, 3, 3, 4, 1], [3, 3, 3, 1, 5], [3, 3, 3, 1, 6], [6] * 5], ids=str)
@pytest.mark.parametrize(("values", "lines"), [("---ab", ["a*", "b*"]), ("aaabc", ["aa*", "ba*", "ca*"])], ids=["top", "named"])
def test_equal_labels_of_different_passes_are_one_class(
    tmp_path: Path, values: str, lines: list[str], asks: list[int | None]
) -> None:
    """Three rows leave at once under the label under which the others end, and all are judged together."""
    case = small(values, lines, most=1, asks=asks)
    expected = case.expected()
    manifest = anonymized(tmp_path, case)
    assert (manifest is not None) == case.is_feasible(expected)
    if manifest is not None:
        assert labels_of(tmp_path / "out.parquet", case.names) == expected.labels


# --- the saved recoding


@pytest.mark.parametrize(
    "chosen", [("k",), ("t", "distinct-l"), ("entity", "k"), ("k-column",), ("average-risk",)], ids="+".join
)
@settings(phases=UNSHRUNK, max_examples=max(3, EXAMPLES // 6))
@given(data=st.data())
def test_the_saved_passes_give_the_same_release_again(tmp_path: Path, chosen: tuple[str, ...], data: st.DataObject) -> None:
    case = replace(data.draw(cases(*chosen)), limit="100%")
    manifest = anonymized(tmp_path, case)
    if manifest is not None:
        assert_applied_again(tmp_path, case, manifest)


def assert_applied_again(folder: Path, case: Case, manifest: Mapping[str, Any]) -> None:
    run = Run(overwrite=True)
    again = apply(folder / "out.parquet.manifest.json", folder / "in.parquet", folder / "again.parquet", run=run)
    assert labels_of(folder / "again.parquet", case.names) == labels_of(folder / "out.parquet", case.names)
    for key in ("rows", "classes", "privacy"):
        assert again[key] == manifest[key]
    for name, figure in manifest["metrics"].items():
        assert again["metrics"][name] == (figure and pytest.approx(figure, rel=1e-9, abs=1e-9)), name
    assert again["recoding"]["passes"] == manifest["recoding"]["passes"]
    assert again["drift"]["rows_outside"] == 0


@pytest.mark.parametrize(("values", "lines"), [("---ab", ["a*", "b*"]), ("aaabc", ["aa*", "ba*", "ca*"])], ids=["top", "named"])
def test_what_ended_at_the_last_node_ends_there_again(tmp_path: Path, values: str, lines: list[str]) -> None:
    """No pass released anything at the last node, where two rows joined the class of an earlier one."""
    case = small(values, lines, most=1, asks=[3] * 5)
    manifest = anonymized(tmp_path, case)
    assert manifest is not None
    assert manifest["rows"]["suppressed"] == 0
    assert_applied_again(tmp_path, case, manifest)


def test_new_values_are_left_out_as_drift(tmp_path: Path) -> None:
    case = small("aaabbbcd", ["am*", "bm*", "cm*", "dm*"], k=2)
    assert anonymized(tmp_path, case) is not None
    new = [{**row, "c0": "e"} if row["id"] < 2 else row for row in case.table()]
    source = write_parquet(tmp_path / "new.parquet", [*new, {**new[0], "id": 99, "c0": "d"}])
    manifest = apply(tmp_path / "out.parquet.manifest.json", source, tmp_path / "new.out.parquet")
    labels = labels_of(tmp_path / "new.out.parquet", case.names)
    assert manifest["drift"]["rows_outside"] == 2
    assert manifest["drift"]["new_values"] == {"c0": {"values": 1, "rows": 2}}
    assert not labels.keys() & {0, 1}
    assert min(Counter(labels.values()).values()) >= 2
    assert manifest["rows"]["released"] == len(labels) == 9 - manifest["rows"]["suppressed"]


# --- the reference implementation on Adult


def lines_of(folder: Path, name: str) -> list[list[str]]:
    with (folder / f"adult_hierarchy_{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=";"))


def leaves_under(lines: list[list[str]]) -> dict[str, int]:
    """The leaves of each label, which are the same on all levels where it stands."""
    leaves_of = {label: {line[0] for line in lines if label in line} for label in {label for line in lines for label in line}}
    height = len(lines[0])
    for label, leaves in leaves_of.items():
        on_levels = [{line[0] for line in lines if line[level] == label} for level in range(height)]
        assert all(leaf in (set(), leaves) for leaf in on_levels), label
    return {label: len(leaves) for label, leaves in leaves_of.items()}


@pytest.mark.parametrize("qi_set", QI_SETS)
def test_no_local_result_of_the_reference_loses_less(tmp_path: Path, shared: Path, qi_set: str) -> None:
    """Losses counted again from the released cells and the hierarchy files."""
    entries = [
        entry
        for entry in json.loads((shared / "truth/arx_adult_reference.json").read_text())
        if (entry["group"], entry["qi_set"], entry["models"], entry["sensitive"]) == ("local", qi_set, "k:5", None)
    ]
    assert entries
    folder, names, rows = shared / "data/arx-adult", QI_SETS[qi_set], 30162
    manifest = anonymize(
        folder / "adult.csv",
        tmp_path / "out.parquet",
        job={},
        options=Options(
            qi=names,
            hierarchies=[str(folder)],
            k=5,
            set={"recoding.aggregate": "geometric-mean"},
            max_suppression="1%",
            algorithm="local",
        ),
        run=Run(settings=Settings(workspace=tmp_path / "work.duckdb")),
    )
    classes = Counter(tuple(row[name] for name in names) for row in read_rows(tmp_path / "out.parquet"))
    suppressed = rows - classes.total()
    assert suppressed == manifest["rows"]["suppressed"] <= rows // 100
    assert min(classes.values()) >= 5
    product = 1.0
    for at, name in enumerate(names):
        leaves = leaves_under(lines := lines_of(folder, name))
        lost = sum(count * (leaves[label[at]] - 1) for label, count in classes.items()) / (len(lines) - 1)
        product *= 1 + (lost + suppressed) / rows
    loss = product ** (1 / len(names)) - 1
    assert manifest["recoding"]["objective"]["value"] == pytest.approx(loss, rel=0, abs=1e-9)
    assert loss <= min(entry["output_loss_geometric"] for entry in entries)


# --- bad input


@pytest.mark.parametrize(
    "refused",
    [
        ["--set", "suppression.style=star"],
        ["--set", "columns.town.max-loss=0.5"],
    ],
    ids=" ".join,
)
def test_what_passes_cannot_keep_is_refused_with_one_line(tmp_path: Path, cli: Cli, refused: list[str]) -> None:
    write_parquet(tmp_path / "in.parquet", [{"town": town} for town in "aaabbb"])
    (tmp_path / "town.yaml").write_text("kind: flat\n", encoding="utf-8")
    arguments = [
        "anonymize",
        "in.parquet",
        "--qi town --hierarchies town=town.yaml --algorithm local --k 3",
    ]
    finished = cli(*arguments, *refused, "-q", code=2)
    assert finished.out == ""
    assert len(finished.err.strip().splitlines()) == 1, finished.err
    assert "local" in finished.err
    assert not (tmp_path / "in.anonymized.parquet").exists()
    assert cli(*arguments, "-q").code == 0


@pytest.mark.parametrize(
    ("passes", "message"),
    [([], "passes"), ([{"c0": 9, "c1": 1}], "c0"), ([{"c0": 1}], "c1"), ([{"c0": -1, "c1": 1}], "passes"), ("all", "passes")],
)
def test_passes_that_no_lattice_has_are_refused(tmp_path: Path, passes: Any, message: str) -> None:
    case = small("aaabbb", ["am*", "bm*"], k=3)
    source = write_parquet(tmp_path / "in.parquet", case.table())
    job = {**case.job(), "recoding": {"algorithm": "local", "passes": passes}}
    with pytest.raises(DuckanonError, match=message) as refused:
        anonymize(source, tmp_path / "out.parquet", job=job, options=Options(sensitive=["s0"], k=3))
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "out.parquet").exists()


def test_passes_of_a_job_are_few_nodes_of_a_lattice_of_any_size(tmp_path: Path) -> None:
    """24 columns of four levels have 2.8e14 nodes."""
    names = [f"c{number}" for number in range(24)]
    rows = [{name: "ab"[(row >> place % 3) & 1] for place, name in enumerate(names)} for row in range(40)]
    hierarchy = {"kind": "levels", "levels": [{"x": ["a", "b"]}, {"y": ["x"]}, {"z": ["y"]}]}
    job = {
        "columns": {name: {"role": "quasi-identifier", "hierarchy": hierarchy} for name in names},
        "privacy": [{"model": "k-anonymity", "k": 6}],
        "recoding": {"algorithm": "local", "passes": [dict.fromkeys(names, level) for level in (0, 1)]},
    }
    manifest = anonymize(write_parquet(tmp_path / "in.parquet", rows), tmp_path / "out.parquet", job=job)
    assert manifest["rows"]["released"] == 40
    assert manifest["classes"]["smallest"] >= 6


def test_a_node_that_a_job_names_twice_is_passed_where_it_stands_first(tmp_path: Path) -> None:
    """The value with three rows is released as it is, before the pass that generalizes all."""
    source = write_parquet(tmp_path / "in.parquet", [{"x": value} for value in "aaab"])
    hierarchy = {"kind": "levels", "levels": [{"*": ["a", "b"]}]}
    job = {
        "columns": {"x": {"role": "quasi-identifier", "hierarchy": hierarchy}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "suppression": {"limit": "100%"},
        "recoding": {"algorithm": "local", "passes": [{"x": level} for level in (0, 1, 0)]},
    }
    anonymize(source, tmp_path / "out.parquet", job=job)
    assert pq.read_table(tmp_path / "out.parquet")["x"].to_pylist() == ["a"] * 3


def test_too_few_rows_are_infeasible(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", small("ab", ["a*", "b*"]).table())
    with pytest.raises(Infeasible):
        anonymize(
            source, tmp_path / "out.parquet", job=small("ab", ["a*", "b*"]).job(), options=Options(algorithm="local", k=3)
        )
    assert not (tmp_path / "out.parquet").exists()
