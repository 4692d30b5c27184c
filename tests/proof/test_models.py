"""Every privacy model against its restatement: what `check` measures, and what is enforced."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import duckanon
from duckanon.errors import Infeasible
from duckanon.privacy import entropies, registry
from tests.support.command_line import Cli
from tests.support.oracles import full_domain as oracle
from tests.support.oracles import models
from tests.support.oracles.models import Group, Whole
from tests.support.required_models import ENTRIES, PARAMETERS, RequiredModel, written
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.settings import options_of
from tests.support.small_tables import hierarchies

Row = tuple[Any, ...]
"""Quasi-identifiers, and behind them the sensitive values."""


SOME = settings().max_examples * 2 // 5
"""Examples of what looks at every model at once."""


FEW = max(3, settings().max_examples // 8)
"""Examples of what is run for each model."""


OF_POPULATION = ("k-map", "presence low", "presence high")


def entry(document: Mapping[str, Any], name: str, column: str | None = None, **more: Any) -> dict[str, Any]:
    """The one entry of a model, of a sensitive column and with a threshold where they are given."""
    wanted = ENTRIES[name] | more | ({"column": column} if column is not None else {})
    [selected] = [entry for entry in document["privacy"] if wanted.items() <= entry.items()]
    return dict(selected)


def achieved(document: Mapping[str, Any], name: str, column: str | None = None) -> Any:
    return entry(document, name, column)["achieved"]


def checked(folder: Path, rows: Sequence[Row], sensitive: Sequence[str] = ("s",), **options: Any) -> dict[str, Any]:
    """What `check` says of rows of text, whose last columns are sensitive."""
    names = [f"q{number}" for number in range(len(rows[0]) - len(sensitive))]
    source = write_parquet(folder / "in.parquet", [dict(zip([*names, *sensitive], row, strict=True)) for row in rows])
    return duckanon.check(source, options=options_of(qi=names, sensitive=sensitive, **options))


def keyed(rows: Iterable[Row], width: int, at: int = 0) -> list[tuple[Row, Any]]:
    return [(row[:width], row[width + at]) for row in rows]


def one_class(*counts: int) -> list[Row]:
    """Rows of one class, with so many of each sensitive value."""
    return [("x", f"v{number}") for number, count in enumerate(counts) for _ in range(count)]


# --- what a file achieves


@dataclass(frozen=True)
class Measured:
    """Rows of two quasi-identifiers and a sensitive value, and what has been declared of the sensitive column."""

    rows: list[Row]
    hierarchy: oracle.Hierarchy

    @property
    def whole(self) -> Whole:
        return Whole(Counter(row[2] for row in self.rows), {**self.hierarchy, None: [None, (), "*"]})

    def classes(self, *, left_out: bool = False) -> list[Group]:
        grouped = models.groups(keyed(self.rows, 2))
        return [group for key, group in grouped.items() if not (left_out and key == ("*", "*"))]

    @property
    def names(self) -> list[str]:
        return [name for name in ENTRIES if name not in OF_POPULATION and (name != "t-hierarchical" or self.hierarchy)]


TEXTS: oracle.Hierarchy = {
    "a": ["a", "g", "*"],
    "B": ["B", "g", "*"],
    "b": ["b", "h", "*"],
    "é": ["é", "h", "*"],
    "10": ["10", "h", "*"],
}


NUMBERS: oracle.Hierarchy = {2: ["2", "low", "*"], 10: ["10", "high", "*"], -3: ["-3", "low", "*"], 9: ["9", "high", "*"]}


FLOATS: list[float] = [0.5, -1.25, 10.0, 9.75, 1e-7, 0.1, 0.30000000000000004, 0.3]


COLUMNS: list[tuple[oracle.Hierarchy, list[Any]]] = [(TEXTS, [*TEXTS]), (NUMBERS, [*NUMBERS]), ({}, FLOATS), ({}, [None])]
"""Hierarchies and values of sensitive columns."""


cells = st.sampled_from(["x", "y", "z", "*", None])


@st.composite
def files(draw: st.DrawFn) -> Measured:
    """Classes of any size, or of sizes whose shares have few decimals; NULLs and suppressed rows among them."""
    hierarchy, values = draw(st.sampled_from(COLUMNS))
    sensitive = st.sampled_from(draw(st.sampled_from([values, [*values, None], values[:2]])))
    key = st.one_of(st.just(("*", "*")), st.tuples(cells, cells), st.tuples(cells, cells))
    if draw(st.booleans()):
        rows = [(*labels, value) for labels, value in draw(st.lists(st.tuples(key, sensitive), min_size=1, max_size=40))]
    else:
        size = draw(st.sampled_from([2, 4, 5, 8, 10]))
        keys = draw(st.lists(key, min_size=1, max_size=5, unique=True).filter(lambda keys: len(keys) != 3))
        rows = [(*labels, draw(sensitive)) for labels in keys for _ in range(size)]
    return Measured(rows, hierarchy if any(row[2] is not None for row in rows) else {})


def check_file(folder: Path, file: Measured, require: Sequence[str] = ()) -> dict[str, Any]:
    """What `check` says of it, with the hierarchy of its sensitive column where there is one."""
    given = {}
    if file.hierarchy:
        write_table(folder / "s.csv", list(file.hierarchy.values()))
        given = {"hierarchies": [f"s={folder / 's.csv'}"]}
    return checked(folder, file.rows, require=require, **given)


def close(figure: Any) -> Any:
    return None if figure is None else pytest.approx(float(figure), rel=1e-9, abs=1e-12)


@settings(max_examples=SOME)
@given(file=files())
def test_what_a_file_achieves_is_what_its_classes_do(tmp_path: Path, file: Measured) -> None:
    document, whole = check_file(tmp_path, file), file.whole
    for name in file.names:
        actual = entry(document, name)
        judged = file.classes(left_out=name == "k-anonymity") or file.classes()
        assert actual["achieved"] == close(models.achieved(name, judged, whole)), name
        left = models.achieved(name, file.classes(left_out=True), whole)
        assert actual["achieved_without_suppressed"] == close(left), name
        assert "required" not in actual
        assert "passed" not in actual
    assert document["status"] == "measured"
    names = {name for name in ENTRIES if name not in OF_POPULATION and (name != "t-hierarchical" or file.hierarchy)}
    assert len(document["privacy"]) == len(names) + 1, "every model, and the average risk"


@settings(max_examples=SOME)
@given(file=files())
def test_classes_and_risks_are_counted_over_all_rows(tmp_path: Path, file: Measured) -> None:
    document = check_file(tmp_path, file)
    sizes = [group.rows for group in file.classes()]
    left = [group.rows for group in file.classes(left_out=True)]
    total, suppressed = len(file.rows), sum(sizes) - sum(left)
    assert document["rows"] == {"read": total, "suppressed": suppressed}
    assert document["classes"] == {
        "count": len(sizes),
        "smallest": min(sizes),
        "average": close(Fraction(total, len(sizes))),
        "largest": max(sizes),
    }
    # rows that hide both quasi-identifiers match any row
    judged = left or sizes
    assert document["risk"]["highest"] == close(Fraction(1, min(judged)))
    assert document["risk"]["average"] == close(Fraction(len(judged), sum(judged)))
    for text, threshold in {"0.05": "1/20", "0.09": "9/100", "0.2": "1/5", "0.3333": "1/3"}.items():
        above = sum(size for size in judged if Fraction(1, size) > Fraction(threshold))
        assert document["risk"]["records_at_risk"][text] == close(Fraction(above, sum(judged))), text
    [average] = [entry for entry in document["privacy"] if entry["model"] == "average-risk"]
    assert average["achieved"] == close(Fraction(len(judged), sum(judged)))
    without = Fraction(len(left), sum(left)) if left else None
    assert average["achieved_without_suppressed"] == close(without)
    single = [group.rows for group in file.classes() if len(models.known(group.counts) or [None]) == 1]
    assert document["homogeneous"] == {"s": {"classes": len(single), "rows": sum(single)}}
    assert {group["rows"]: group["classes"] for group in document["smallest_classes"]} == Counter(judged)
    nulls = {name: sum(row[at] is None for row in file.rows) for at, name in enumerate(["q0", "q1", "s"])}
    assert document["nulls"] == {name: rows for name, rows in nulls.items() if rows}


# --- what a file is required to achieve

STEP = Decimal("0.000000001")
"""The least step of a parameter."""


RANGES = {"alpha": (STEP, Decimal(1)), "t": (Decimal(0), Decimal(1)), "beta": (Decimal(0), Decimal(10**6))}
"""Least and most of the parameters that are no whole numbers; others lie above 0."""


def test_every_model_is_drawn() -> None:
    assert set(PARAMETERS) == set(registry.NAMES)


def around(name: str, figure: models.Figure | None) -> list[Decimal]:
    """A parameter at the figure where it has nine decimals, else the nearest ones, and a step below and above."""
    if figure is None:
        # no parameter is large enough, so the largest fails too
        return [RANGES.get(name.partition("-")[0], (STEP, Decimal(1000)))[1]]
    if name in ("k", "distinct-l"):
        return [Decimal(int(figure) + step) for step in (-1, 0, 1) if figure + step >= 1]
    units = floor(Fraction(figure) * 10**9)
    least, most = RANGES.get(name, (Decimal(1) if name == "entropy-l" else STEP, Decimal(10**6)))
    if name.startswith("t-"):
        least, most = RANGES["t"]
    if name == "enhanced-beta":
        least, most = RANGES["beta"]
    return [number for step in (-1, 0, 1, 2) if least <= (number := (units + step) * STEP) <= most]


def thresholds(file: Measured) -> Iterator[tuple[str, str, list[Decimal]]]:
    """Each model of the file by the names of its entry and of `--require`, with parameters around what is achieved."""
    for name in file.names:
        figure = models.achieved(name, file.classes(), file.whole)
        model, _, least = name.partition(" ")
        if name == "alpha":
            model, least = "alpha-k", "1"
        for number in dict.fromkeys(candidate.normalize() for candidate in around(name, figure)):
            yield name, model, [number, *([Decimal(least)] if least else [])]


@settings(max_examples=SOME)
@given(file=files(), data=st.data())
def test_a_file_is_held_against_what_is_required_exactly(tmp_path: Path, file: Measured, data: st.DataObject) -> None:
    every = [threshold for threshold in thresholds(file) if threshold[0] != "k"]
    required = data.draw(
        st.lists(st.sampled_from(every), min_size=1, max_size=8, unique_by=lambda entry: (entry[1], *entry[2]))
    )
    document = check_file(tmp_path, file, [written(model, numbers) for _, model, numbers in required])
    verdicts = []
    for name, model, numbers in required:
        actual = entry(document, name, required=float(numbers[0]))
        failing = [group.rows for group in file.classes() if not models.holds(model, numbers, group, file.whole)]
        assert (actual["failing_classes"], actual["failing_rows"]) == (len(failing), sum(failing)), (name, numbers)
        assert actual["passed"] == (not failing), (name, numbers)
        verdicts.append(not failing)
    assert document["status"] == ("holds" if all(verdicts) else "violated")


@settings(max_examples=SOME)
@given(file=files(), data=st.data())
def test_one_requirement_decides_the_status(tmp_path: Path, file: Measured, data: st.DataObject) -> None:
    risk = Fraction(len(file.classes()), len(file.rows))
    risks = [number for number in around("alpha", risk) if number <= 1]
    required = [(model, numbers) for _, model, numbers in thresholds(file)] + [("average-risk", [number]) for number in risks]
    required += [("highest-risk", [Decimal(1) / size]) for size in (1, 2, 4, 5)]
    model, numbers = data.draw(st.sampled_from(required))
    document = check_file(tmp_path, file, [written(model, numbers)])
    if model == "average-risk":
        expected = risk <= Fraction(numbers[0])
    else:
        expected = all(models.holds(model, numbers, group, file.whole) for group in file.classes())
    assert document["status"] == ("holds" if expected else "violated"), (model, numbers)


def statuses(folder: Path, rows: Sequence[Row], require: Sequence[str]) -> dict[str, str]:
    """What is said of each, all of them required at once."""
    document = checked(folder, rows, require=require)
    decisions = [entry["passed"] for entry in document["privacy"] if "required" in entry and entry["model"] != "k-anonymity"]
    return {text: "holds" if passed else "violated" for text, passed in zip(require, decisions, strict=True)}


def test_bounds_are_open_or_closed_as_the_definitions_say(tmp_path: Path) -> None:
    """Two classes of four in a table of eight: shares 3/4 and 1/4 where the table has 1/2 each."""
    rows = [(key, value) for key, values in {"x": "aaab", "y": "abbb"}.items() for value in values]
    assert statuses(tmp_path, rows, ["t=0.25", "t=0.249999999", "t-ordered=0.25", "t-ordered=0.249999999"]) == {
        "t=0.25": "holds",
        "t=0.249999999": "violated",
        "t-ordered=0.25": "holds",
        "t-ordered=0.249999999": "violated",
    }
    assert statuses(tmp_path, rows, ["delta=1", "delta=1.000000001", "delta-present=1", "delta-present=1.000000001"]) == {
        "delta=1": "violated",
        "delta=1.000000001": "holds",
        "delta-present=1": "violated",
        "delta-present=1.000000001": "holds",
    }
    assert statuses(tmp_path, rows, ["recursive-cl=3,2", "recursive-cl=3.000000001,2"]) == {
        "recursive-cl=3,2": "violated",
        "recursive-cl=3.000000001,2": "holds",
    }
    assert statuses(tmp_path, rows, ["beta=0.5", "beta=0.499999999", "enhanced-beta=0.5", "enhanced-beta=0.499999999"]) == {
        "beta=0.5": "holds",
        "beta=0.499999999": "violated",
        "enhanced-beta=0.5": "holds",
        "enhanced-beta=0.499999999": "violated",
    }
    assert statuses(tmp_path, rows, ["alpha-k=0.75,4", "alpha-k=0.749999999,4"]) == {
        "alpha-k=0.75,4": "holds",
        "alpha-k=0.749999999,4": "violated",
    }
    assert [checked(tmp_path, rows, require=[f"alpha-k=0.75,{k}"])["status"] for k in (4, 5)] == ["holds", "violated"]


def test_a_share_that_no_float_tells_exactly_is_compared_exactly(tmp_path: Path) -> None:
    """Three of ten, and a distance of 1/10 that sums up from thirds and tenths."""
    rows = [("x", value) for value in "aaabbbbccc"] + [("y", value) for value in "aabbbbcccc"]
    assert statuses(tmp_path, rows, ["alpha-k=0.4,1", "alpha-k=0.399999999,1"]) == {
        "alpha-k=0.4,1": "holds",
        "alpha-k=0.399999999,1": "violated",
    }
    assert statuses(tmp_path, rows, ["t=0.05", "t=0.049999999"]) == {"t=0.05": "holds", "t=0.049999999": "violated"}


# --- entropies, exactly


@pytest.mark.parametrize(
    ("counts", "bound", "expected"),
    [
        ((2, 2, 2), "3", True),
        ((2, 2, 2), "3.000000001", False),
        ((4, 1, 1, 1, 1), "4", True),
        ((4, 1, 1, 1, 1), "4.000000001", False),
        ((4, 1, 1, 1, 1), "3.999999999", True),
        ((33333, 33333, 33334), "3", False),
        ((33333, 33333, 33334), "2.999999999", True),
        ((1,), "1", True),
        ((5,), "1.000000001", False),
        ((1, 1), "2.5", False),
        ((400000, 100000, 100000, 100000, 100000), "4", True),
        ((400001, 100000, 100000, 100000, 100000), "4", False),
    ],
)
def test_an_entropy_at_its_bound_is_compared_exactly(
    tmp_path: Path, counts: tuple[int, ...], bound: str, expected: bool
) -> None:
    assert entropies.holds(counts, Decimal(bound)) == expected
    if sum(counts) <= 100_000:
        document = checked(tmp_path, one_class(*counts), require=[f"entropy-l={bound}"])
        assert document["status"] == ("holds" if expected else "violated")


many = st.lists(st.integers(1, 30), min_size=1, max_size=8)


@settings(max_examples=400)
@given(
    counts=many,
    bound=st.one_of(
        st.integers(1, 9).map(Decimal),
        st.decimals(1, 9, places=1),
        st.decimals(1, 9, places=9),
    ),
)
def test_entropies_are_compared_as_whole_numbers_would(counts: list[int], bound: Decimal) -> None:
    assert entropies.holds(counts, bound) == models.entropy_holds(counts, bound)


@settings(max_examples=400)
@given(counts=many, step=st.integers(-2, 2))
def test_entropies_next_to_the_bound_are_too(counts: list[int], step: int) -> None:
    figure = Fraction(models.entropy(Group(Counter(dict(enumerate(counts)))), Whole(Counter())))
    bound = max(Decimal(1), (round(figure * 10**9) + step) * STEP)
    assert entropies.holds(counts, bound) == models.entropy_holds(counts, bound)


@settings(max_examples=SOME)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 12)), min_size=1, max_size=4), st.integers(1, 4))
def test_equal_entropies_of_unequal_counts_hold(tmp_path: Path, shapes: list[tuple[int, int]], times: int) -> None:
    """A value with four rows and four with one have entropy 4 exactly, as four even ones, and any multiple of them."""
    rows: list[Row] = []
    for number, (power, size) in enumerate(shapes):
        half = 2**power
        rows += [(f"even{number}", f"v{value}") for value in range(half) for _ in range(size)]
        rows += [(f"odd{number}", f"v{value}") for value in range(5) for _ in range((4 if value == 0 else 1) * times)]
    least = min(4, *(2**power for power, _ in shapes))
    document = checked(tmp_path, rows, require=[f"entropy-l={least}", f"entropy-l={least}.000000001"])
    assert [entry["passed"] for entry in document["privacy"] if "required" in entry] == [True, False]


@dataclass(frozen=True)
class Case:
    """A table with sensitive columns, what is asked of its classes, and the population that it was taken from."""

    table: oracle.Table
    sensitive: list[Row]
    lines: list[oracle.Hierarchy]
    """The hierarchy of each sensitive column."""
    required: list[RequiredModel]
    limit: str
    k: int = 1
    population: list[Row] | None = None

    @property
    def names(self) -> list[str]:
        return [f"c{number}" for number in range(len(self.table.hierarchies))]

    @property
    def rows(self) -> int:
        return len(self.table.rows)

    @property
    def most(self) -> int:
        """The limit in rows."""
        return int(Fraction(self.limit.rstrip("%")) / 100 * self.rows) if self.limit.endswith("%") else int(self.limit)

    @property
    def risk(self) -> Decimal | None:
        return next((requirement.numbers[0] for requirement in self.required if requirement.model == "average-risk"), None)

    def whole(self, column: int) -> Whole:
        lines = self.lines[column]
        height = len(next(iter(lines.values()))) - 1
        return Whole(Counter(row[column] for row in self.sensitive), {**lines, None: [None, *[()] * (height - 1), "*"]})

    def classes(self, node: tuple[int, ...], labels: Sequence[Row] | None = None) -> list[dict[Row, Group]]:
        """The classes at a node, or of labels that were read back, once a sensitive column."""
        labels = labels if labels is not None else self.table.labels(node)
        like = replace(self.table, rows=self.population or []).labels(node)
        columns = range(len(self.lines))
        return [
            models.groups([(label, row[at]) for label, row in zip(labels, self.sensitive, strict=True)], like) for at in columns
        ]

    def keeps(self, groups: Sequence[Group]) -> bool:
        """Whether a class, once a sensitive column, keeps what each model asks for."""
        return groups[0].rows >= self.k and all(
            models.holds(
                requirement.model, requirement.numbers, groups[requirement.column or 0], self.whole(requirement.column or 0)
            )
            for requirement in self.required
            if requirement.model != "average-risk"
        )

    def withheld(self, node: tuple[int, ...], *, stars: bool) -> set[Row]:
        """The classes that are suppressed at a node."""
        views = self.classes(node)
        groups = {label: [view[label] for view in views] for label in views[0]}
        failing = {label for label, group in groups.items() if not self.keeps(group)}
        if stars:
            return self._masked(groups, failing)
        left = {label: group[0].rows for label, group in groups.items() if label not in failing}
        return failing if self.risk is None else failing | models.without_smallest(left, self.risk)

    def _masked(self, groups: Mapping[Row, list[Group]], failing: set[Row]) -> set[Row]:
        """The fewest of the failing and then the smallest classes that keep everything as one class."""
        queue = sorted(groups, key=lambda label: (label not in failing, groups[label][0].rows, label))
        for count in range(len(failing), len(queue) + 1):
            merged = [Group(Counter()) for _ in self.lines]
            for label in queue[:count]:
                merged = [first + other for first, other in zip(merged, groups[label], strict=True)]
            left = len(queue) - count + (count > 0)
            if (count == 0 or self.keeps(merged)) and (self.risk is None or left <= Fraction(self.risk) * self.rows):
                return set(queue[:count])
        return set(queue)

    def judge(self, node: tuple[int, ...], *, stars: bool) -> oracle.Judged:
        """The node's loss, with the withheld classes asking for more rows than there are."""
        gone = self.withheld(node, stars=stars)
        asks = [self.rows + 1 if label in gone else 1 for label in self.table.labels(node)]
        return oracle.judge(self.table.asking(asks), node, 1, [Fraction(1)] * len(node))

    @property
    def bounds_presence(self) -> bool:
        """Whether every class of the population needs released rows."""
        return any(requirement.model == "delta-presence" and requirement.numbers[0] > 0 for requirement in self.required)

    def lacks(self, node: tuple[int, ...]) -> bool:
        """Whether a class of the population would have no released row."""
        like = replace(self.table, rows=self.population or []).labels(node)
        return bool(self.withheld(node, stars=False) or {*like} - {*self.table.labels(node)})

    def satisfying(self, *, stars: bool = False) -> dict[tuple[int, ...], oracle.Judged]:
        nodes = [node for node in self.table.nodes() if not (self.bounds_presence and self.lacks(node))]
        judged = {node: self.judge(node, stars=stars) for node in nodes}
        return {node: entry for node, entry in judged.items() if entry.suppressed <= self.most and entry.suppressed < self.rows}


OF_NO_COLUMN = ("k", "k-map", "delta-presence", "average-risk", "highest-risk")


@st.composite
def cases(draw: st.DrawFn, *chosen: str, columns: int = 1, most_rows: int = 40) -> Case:
    """A table of two quasi-identifiers, and one model of each name on the sensitive columns in turn."""
    trees = [draw(hierarchies(column)) for column in range(2)]
    row = st.tuples(*(st.sampled_from(sorted(hierarchy)) for hierarchy in trees))
    lines = [draw(hierarchies(8 + column)) for column in range(columns)]
    kinds = [[sorted(values)] if "t-hierarchical" in chosen else [sorted(values), [*NUMBERS], FLOATS[:5]] for values in lines]
    pools = [draw(st.sampled_from(kind)) for kind in kinds]
    values = st.tuples(*(st.sampled_from([*pool, *draw(st.sampled_from([[], [None]]))]) for pool in pools))
    both = [*draw(st.lists(st.tuples(row, values), max_size=most_rows)), (draw(row), tuple(pool[0] for pool in pools))]
    required = [
        RequiredModel(name, draw(st.sampled_from(PARAMETERS[name])), None if name in OF_NO_COLUMN else number % columns)
        for number, name in enumerate(chosen)
    ]
    rows = [row for row, _ in both]
    population = [*rows, *draw(st.lists(row, max_size=40))] if {"k-map", "delta-presence"} & {*chosen} else None
    limit = draw(st.sampled_from(["0", "3", "8", "30%", "100%"]))
    return Case(oracle.Table(rows, trees), [row for _, row in both], lines, required, limit, population=population)


def anonymized(folder: Path, case: Case, **options: Any) -> dict[str, Any] | None:
    """The manifest of a release, or None where it is infeasible."""
    sensitive = [f"s{number}" for number in range(len(case.lines))]
    rows = [
        dict(zip([*case.names, *sensitive], (*row, *values), strict=True))
        for row, values in zip(case.table.rows, case.sensitive, strict=True)
    ]
    write_parquet(folder / "in.parquet", rows)
    for name, hierarchy in zip([*case.names, *sensitive], [*case.table.hierarchies, *case.lines], strict=True):
        write_table(folder / f"{name}.csv", list(hierarchy.values()))
    hierarchical = [f"s{requirement.column}" for requirement in case.required if requirement.model == "t-hierarchical"]
    chosen: dict[str, Any] = {
        "qi": case.names,
        "sensitive": sensitive,
        "hierarchies": [f"{name}={folder / name}.csv" for name in [*case.names, *hierarchical]],
        "require": [requirement.text for requirement in case.required],
        "max_suppression": case.limit,
        **options,
    }
    if case.population is not None:
        people = [dict(zip(case.names, row, strict=True)) for row in case.population]
        chosen["population"] = str(write_parquet(folder / "people.parquet", people))
    if not any(requirement.model in ("k", "alpha-k", "highest-risk") for requirement in case.required):
        chosen["k"] = case.k
    run = duckanon.Run(overwrite=True)
    try:
        return duckanon.anonymize(folder / "in.parquet", folder / "out.parquet", options=options_of(**chosen), run=run).manifest
    except Infeasible:
        return None


def assert_released(folder: Path, case: Case, manifest: Mapping[str, Any], *, stars: bool = False) -> None:
    """The file shows the classes that the restatement releases, and each keeps what is asked for."""
    node = tuple(manifest["recoding"]["levels"].values())
    gone, labels = case.withheld(node, stars=stars), case.table.labels(node)
    top = tuple(next(iter(hierarchy.values()))[-1] for hierarchy in case.table.hierarchies)
    expected: Counter[Row] = Counter()
    for label, values in zip(labels, case.sensitive, strict=True):
        if stars or label not in gone:
            expected[(*(top if label in gone else label), *values)] += 1
    rows = [tuple(row.values()) for row in read_rows(folder / "out.parquet")]
    assert Counter(rows) == expected
    assert manifest["rows"]["suppressed"] == sum(label in gone for label in labels)
    assert all(entry["passed"] for entry in manifest["privacy"])
    width = len(node)
    like = replace(case.table, rows=case.population or []).labels(node)
    if stars:
        like = [top if label in gone else label for label in like]
    views = [models.groups(keyed(rows, width, at), like) for at in range(len(case.lines))]
    assert all(case.keeps([view[label] for view in views]) for label in views[0])
    assert case.risk is None or len(views[0]) <= Fraction(case.risk) * len(rows)
    strictest_k = max([float(model.numbers[-1]) for model in case.required if model.model in ("k", "alpha-k")], default=None)
    for requirement in case.required:
        for name in requirement.entries:
            # alpha-k asks for a k of its own, and a manifest states the stricter one
            required = strictest_k if name == "k" else requirement.required(name)
            actual = entry(manifest, name, None if requirement.column is None else f"s{requirement.column}", required=required)
            figure = models.achieved(name, views[requirement.column or 0].values(), case.whole(requirement.column or 0))
            assert actual["achieved"] == close(figure), name


def assert_optimal(folder: Path, case: Case, *, stars: bool = False) -> None:
    """The canonical optimum among all nodes, released."""
    satisfying = case.satisfying(stars=stars)
    manifest = anonymized(folder, case, **({"suppress": "star"} if stars else {}))
    if not satisfying:
        assert manifest is None
        return
    best = min(satisfying, key=lambda node: oracle.rank(satisfying[node], "loss mean", node))
    assert manifest is not None
    assert manifest["recoding"]["objective"]["value"] == close(satisfying[best].objectives["loss mean"])
    assert tuple(manifest["recoding"]["levels"].values()) == best
    assert manifest["rows"]["suppressed"] == satisfying[best].suppressed
    assert_released(folder, case, manifest, stars=stars)


@pytest.mark.parametrize("name", PARAMETERS)
@settings(max_examples=FEW)
@given(data=st.data())
def test_optimal_equals_brute_force_under_every_model(tmp_path: Path, name: str, data: st.DataObject) -> None:
    assert_optimal(tmp_path, data.draw(cases(name)))


@settings(max_examples=SOME)
@given(data=st.data())
def test_optimal_equals_brute_force_under_models_on_two_columns(tmp_path: Path, data: st.DataObject) -> None:
    names = st.lists(st.sampled_from(sorted(PARAMETERS.keys() - {"average-risk"})), min_size=2, max_size=3, unique=True)
    chosen = [*data.draw(names), *data.draw(st.sampled_from([[], ["average-risk"]]))]
    assert_optimal(tmp_path, data.draw(cases(*chosen, columns=2)))


@settings(max_examples=SOME)
@given(case=st.sampled_from(["t", "alpha-k", "entropy-l", "delta-present", "distinct-l"]).flatmap(cases))
def test_samarati_takes_the_first_node_on_the_lowest_height_under_models(tmp_path: Path, case: Case) -> None:
    satisfying = case.satisfying()
    manifest = anonymized(tmp_path, case, algorithm="samarati")
    assert (manifest is None) == (not satisfying)
    if manifest is not None:
        assert tuple(manifest["recoding"]["levels"].values()) == min(satisfying, key=lambda node: (sum(node), node))
        assert_released(tmp_path, case, manifest)


@pytest.mark.parametrize("name", PARAMETERS)
@settings(max_examples=FEW)
@given(data=st.data())
def test_masked_rows_are_a_class_that_keeps_every_model(tmp_path: Path, name: str, data: st.DataObject) -> None:
    case = data.draw(cases(name).filter(lambda case: not case.bounds_presence))
    node = data.draw(st.sampled_from(case.table.nodes()))
    judged = case.judge(node, stars=True)
    levels = dict(zip(case.names, node, strict=True))
    manifest = anonymized(tmp_path, replace(case, limit="100%"), suppress="star", levels=levels)
    assert (manifest is None) == (judged.suppressed == case.rows)
    if manifest is not None:
        assert manifest["rows"]["suppressed"] == judged.suppressed
        assert_released(tmp_path, case, manifest, stars=True)


@settings(max_examples=SOME)
@given(data=st.data())
def test_optimal_equals_brute_force_with_masked_rows_under_models(tmp_path: Path, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(sorted(PARAMETERS)), min_size=1, max_size=2, unique=True))
    case = data.draw(cases(*names, columns=2).filter(lambda case: not case.bounds_presence))
    assert_optimal(tmp_path, case, stars=True)


@pytest.mark.parametrize(
    ("least", "shapes"),
    [
        (3, {f"even{size}": [size] * 3 for size in range(1, 16)} | {"short": [33333, 33333, 33334]}),
        (4, {f"odd{size}": [4 * size, *[size] * 4] for size in range(1, 16)} | {"short": [5, 1, 1, 1, 1]}),
    ],
)
def test_entropies_that_floats_cannot_tell_apart_decide_what_is_suppressed(
    tmp_path: Path, least: int, shapes: dict[str, list[int]]
) -> None:
    """All but one lie exactly at the bound, whatever logarithms say; 33333, 33333 and 33334 fall short of it by 1e-10."""
    rows = [
        {"q": key, "s": f"v{value}"}
        for key, counts in shapes.items()
        for value, count in enumerate(counts)
        for _ in range(count)
    ]
    options = duckanon.Options(
        qi=["q"],
        sensitive=["s"],
        k=1,
        require=[f"entropy-l={least}"],
        levels={"q": 0},
        max_suppression="100%",
        hierarchies=[f"q={write_table(tmp_path / 'q.csv', [(key, '*') for key in shapes])}"],
    )
    source = write_parquet(tmp_path / "in.parquet", rows)
    manifest = duckanon.anonymize(source, tmp_path / "out.parquet", options=options).manifest
    assert {row["q"] for row in read_rows(tmp_path / "out.parquet")} == shapes.keys() - {"short"}
    assert manifest["rows"]["suppressed"] == sum(shapes["short"])


def test_shares_of_the_whole_table_count_rows_that_take_part(tmp_path: Path) -> None:
    """Of eight rows two are missing: a is 1/2 of the others, so that no class is far from the whole table."""
    rows = [{"q": key, "s": value} for key, value in [*zip("xxxyyy", "aabbab", strict=True), (None, "a"), (None, "a")]]
    write_parquet(tmp_path / "in.parquet", rows)
    options = duckanon.Options(
        qi=["q"],
        sensitive=["s"],
        k=1,
        require=["t=0.17"],
        levels={"q": 0},
        set={"missing.policy": "drop"},
        max_suppression=0,
        hierarchies=[f"q={write_table(tmp_path / 'q.csv', [('x', '*'), ('y', '*')])}"],
    )
    manifest = duckanon.anonymize(tmp_path / "in.parquet", tmp_path / "out.parquet", options=options).manifest
    assert achieved(manifest, "t") == pytest.approx(1 / 6)
    assert manifest["rows"] == {"read": 8, "missing": 2, "suppressed": 0, "released": 6}


def test_a_declared_order_is_that_of_the_ordered_distance(tmp_path: Path) -> None:
    """Of low, mid and high in this order, and not by their letters, a class of mid alone lies next to the others."""
    rows = [{"q": key, "s": value} for key, value in [("x", "mid"), ("x", "mid"), ("y", "low"), ("y", "high")]]
    source = write_parquet(tmp_path / "in.parquet", rows)
    columns: dict[str, Any] = {"q": {"role": "quasi-identifier"}, "s": {"role": "sensitive"}}
    assert achieved(duckanon.check(source, job={"columns": columns}), "t-ordered") == 0.375
    columns["s"]["order"] = ["low", "mid", "high"]
    assert achieved(duckanon.check(source, job={"columns": columns}), "t-ordered") == 0.25


# --- a population


@settings(max_examples=SOME)
@given(
    rows=st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from(["u", "v", None])), max_size=20),
    others=st.lists(st.tuples(st.sampled_from("xyw"), st.sampled_from(["u", "t", None])), max_size=30),
    includes=st.booleans(),
)
def test_a_file_is_measured_against_its_population(tmp_path: Path, rows: list[Row], others: list[Row], includes: bool) -> None:
    """The population has values and combinations that the table lacks, and may lack some of the table's."""
    rows.append(("x", "u"))
    people = [*(rows if includes else []), *others, ("y", "t")]
    population = write_parquet(tmp_path / "people.parquet", [{"q1": second, "q0": first} for first, second in people])
    classes = models.groups([(row, None) for row in rows], people)
    whole = Whole(Counter())
    least = models.achieved("k-map", classes.values(), whole)
    absent = {*people} - classes.keys()
    low = Fraction(0) if absent else models.achieved("presence low", classes.values(), whole)
    high = models.achieved("presence high", classes.values(), whole)
    bounds = [number for number in (around("t", low)[:3] if low is not None else []) if number <= 1]
    require = [f"k-map={max(1, int(least or 0))}", f"k-map={int(least or 0) + 1}"]
    require += [f"delta-presence={bound:f},1" for bound in bounds]
    measured = checked(tmp_path, rows, (), population=str(population))
    for name, figure in {"k-map": least, "presence low": low, "presence high": high}.items():
        assert entry(measured, name)["achieved"] == close(figure)
    for text in require:
        model, _, given_numbers = text.partition("=")
        required = [Decimal(number) for number in given_numbers.split(",")]
        expected = all(models.holds(model, required, group, whole) for group in classes.values())
        # a person of the population whose class the file lacks has presence 0
        expected = expected and not (absent and model == "delta-presence" and required[0] > 0)
        document = checked(tmp_path, rows, (), population=str(population), require=[text])
        assert document["status"] == ("holds" if expected else "violated"), text


def test_a_class_that_the_population_lacks_is_no_one_of_it(tmp_path: Path) -> None:
    population = write_parquet(tmp_path / "people.parquet", [{"q0": value} for value in "xxxxyw"])
    document = checked(tmp_path, [("x",), ("x",), ("z",)], (), population=str(population))
    assert achieved(document, "k-map") == 0
    assert achieved(document, "presence low") == 0, "the file lacks y and w"
    assert achieved(document, "presence high") is None


# --- what others got wrong


def test_a_row_with_null_in_its_only_quasi_identifier_counts(tmp_path: Path) -> None:
    document = checked(tmp_path, [*[("30", "x")] * 5, (None, "x")], require=["k=2"])
    assert achieved(document, "k") == 1
    assert document["status"] == "violated"
    assert document["classes"]["count"] == 2


def test_entropy_l_of_even_values_is_their_number(tmp_path: Path) -> None:
    assert achieved(checked(tmp_path, one_class(5, 5)), "entropy-l") == pytest.approx(2.0, rel=1e-12)
    assert achieved(checked(tmp_path, one_class(4, 4, 4)), "entropy-l") == pytest.approx(3.0, rel=1e-12)
    assert achieved(checked(tmp_path, one_class(9, 1)), "entropy-l") == pytest.approx(1.384145488461686, rel=1e-9)


def test_recursive_diversity_begins_with_the_most_frequent_value(tmp_path: Path) -> None:
    """Of 9 and 1, c has to exceed 9."""
    rows = one_class(9, 1)
    assert achieved(checked(tmp_path, rows), "recursive-cl 2") == 9
    assert statuses(tmp_path, rows, ["recursive-cl=9,2", "recursive-cl=9.000000001,2", "recursive-cl=100,3"]) == {
        "recursive-cl=9,2": "violated",
        "recursive-cl=9.000000001,2": "holds",
        "recursive-cl=100,3": "violated",
    }


def test_the_average_risk_is_that_of_records(tmp_path: Path) -> None:
    document = checked(tmp_path, [*[("x", "a")] * 9, ("y", "a")], require=["average-risk=0.2"])
    assert document["risk"]["average"] == 0.2
    assert document["status"] == "holds"
    assert checked(tmp_path, [*[("x", "a")] * 9, ("y", "a")], require=["average-risk=0.199999999"])["status"] == "violated"


def test_delta_is_unbounded_where_a_class_lacks_a_value(tmp_path: Path) -> None:
    rows = [("x", "a"), ("x", "b"), ("y", "a"), ("y", "a")]
    document = checked(tmp_path, rows, require=["delta=1000"])
    assert achieved(document, "delta") is None
    assert document["status"] == "violated"
    assert achieved(document, "delta-present") == 1


def test_a_constant_sensitive_column_is_no_division_by_zero(tmp_path: Path) -> None:
    document = checked(tmp_path, [("x", 7), ("x", 7), ("y", 7)])
    assert [achieved(document, name) for name in ("t", "t-ordered", "beta", "enhanced-beta", "delta")] == [0, 0, 0, 0, 0]


def test_the_command_tells_of_a_requirement_that_fails(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", [{"q": "x", "s": value} for value in "aabb"])
    arguments = ["check", "in.parquet", "--qi", "q", "--sensitive", "s", "--json", "-q"]
    kept = cli(*arguments, "--require", "entropy-l=2", "--require", "k=4")
    assert (kept.code, kept.manifest["status"]) == (0, "holds")
    broken = cli(*arguments, "--require", "entropy-l=2.1")
    assert (broken.code, broken.manifest["status"]) == (1, "violated")
    assert "entropy l-diversity" in broken.err
