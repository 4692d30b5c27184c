"""The persons and the values that are possible for a record, if the adversary uses the whole release."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import factorial, prod
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duckanon.errors import Infeasible
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from tests.support.demo import Demo
from tests.support.oracles import full_domain, local, mondrian
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize
from tests.support.tables_of_trust import RecordRow
from tests.trust.attacks.people import fits as fits_range
from tests.trust.attacks.people import percent
from tests.trust.attacks.refinement import (
    OUTSIDE,
    Attack,
    Cell,
    Label,
    Lines,
    at_the_ends,
    finer_first,
    fitting,
    passes,
    persons,
    possible,
    share_below,
    starred_row_by_row,
)

ALGORITHMS = ["local", "mondrian", "optimal"]
KS = (2, 5, 11)

# ------------------------------------------------------------------------------------ the Adult-like demo table

NAMES = ("age", "sex", "race", "marital-status")
ROWS = 2_000
ONCE_MARRIED = ("Divorced", "Separated", "Widowed")
MARRIED = ("Married-AF-spouse", "Married-civ-spouse", "Married-spouse-absent")
RACES = ("Amer-Indian-Eskimo", "Asian-Pac-Islander", "Black", "Other", "White")


def band(age: int, width: int) -> str:
    start = age // width * width
    return f"{start}-{start + width - 1}"


LINES: list[Lines] = [
    {age: [str(age), *(band(age, width) for width in (5, 10, 20)), "*"] for age in range(15, 100)},
    {sex: [sex, "*"] for sex in ("Female", "Male")},
    {race: [race, "*"] for race in RACES},
    {
        status: [status, group, "*"]
        for group, members in (("once married", ONCE_MARRIED), ("married", MARRIED), ("single", ("Never-married",)))
        for status in members
    },
]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory, demo: Demo) -> list[Cell]:
    """The quasi-identifiers of each person."""
    rows = read_rows(demo(tmp_path_factory.mktemp("people") / "demo.parquet", ROWS))
    return [tuple(row[name] for name in NAMES) for row in rows]


def fits(place: int, text: str, value: Any) -> bool:
    """Whether a label may stand for a value: by its hierarchy, as a range of ages, or as a star."""
    return text in LINES[place][value] or (place == 0 and fits_range(text, value))


def released(folder: Path, people: Sequence[Cell], algorithm: str, k: int) -> list[tuple[int, Label]]:
    """The number of each released person, which no attack is shown, and her labels."""
    source = write_parquet(
        folder / "people.parquet",
        [{"number": number, **dict(zip(NAMES, cell, strict=True))} for number, cell in enumerate(people)],
    )
    columns: dict[str, Any] = {"number": {"role": "sensitive"}}
    for name, lines in zip(NAMES, LINES, strict=True):
        is_cut_by_order = algorithm == "mondrian" and name == "age"
        rows = [[value, *line[1:]] for value, line in lines.items()]
        columns[name] = {"role": "quasi-identifier"}
        columns[name] |= {} if is_cut_by_order else {"hierarchy": {"kind": "table", "rows": rows}}
    options = Options(algorithm=algorithm, k=k, max_suppression="5%")
    anonymize(source, folder / "out.parquet", job={"columns": columns}, options=options, run=Run(overwrite=True))
    return [(row["number"], tuple(str(row[name]) for name in NAMES)) for row in read_rows(folder / "out.parquet")]


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_register_does_not_leave_fewer_than_k_persons_behind_a_record(
    tmp_path: Path, people: list[Cell], algorithm: str, record_row: RecordRow
) -> None:
    """Naive: each row is masked until its label fits k persons, whatever the labels of the other rows.

    The attacker knows who is in the table, and her quasi-identifiers. Persons who fit few records rule others out of those.
    """
    register = Counter(people)
    before, after = [], []
    for k in KS:
        naive = Counter(starred_row_by_row(people, k))
        among = fitting(naive, register, starred_fits)
        assert share_below(k, persons(among, register), naive) == 0
        before.append(share_below(k, persons(possible(register, naive, among), register), naive))
        ours = Counter(label for _, label in released(tmp_path, people, algorithm, k))
        left = persons(possible(register, ours, fitting(ours, register, fits)), register)
        after.append(share_below(k, left, ours))
        assert all(left[label] >= count >= k for label, count in ours.items())
    assert min(before) > 0
    assert max(after) == 0
    record_row(
        "attacks",
        channel=f"register, {algorithm}, k = 2, 5, 11",
        naive=shares(before, "below k"),
        ours=shares(after, "below k"),
    )


def starred_fits(_: int, text: str, value: Any) -> bool:
    return text in ("*", str(value))


def shares(values: Sequence[float], what: str) -> str:
    return f"{', '.join(f'{share:.1%}' for share in values)} {what}"


@pytest.fixture(scope="module")
def narrowed_passes(people: list[Cell]) -> list[float]:
    """The share of records whose labels the attack narrows in a naive release, for each k; it is never wrong there."""
    collected = []
    for k in KS:
        shown = [(number, label) for number, label in enumerate(passes(people, LINES, k)) if label is not None]
        share, wrong = narrowed(shown, people, finer_first)
        assert wrong == 0
        collected.append(share)
    return collected


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_labels_of_overlapping_classes_are_narrowed(
    tmp_path: Path, people: list[Cell], narrowed_passes: list[float], algorithm: str, record_row: RecordRow
) -> None:
    """Naive: passes of local recoding. `local` discloses as much, which is measured and not prevented.

    Classes of `optimal` and `mondrian` do not overlap. The second sweep of `local` moves some rows to coarser classes; there the
    attack is wrong.
    """
    attack = at_the_ends if algorithm == "mondrian" else finer_first
    narrowed_shares = [narrowed(released(tmp_path, people, algorithm, k), people, attack) for k in KS]
    after, wrong = zip(*narrowed_shares, strict=True)
    assert min(narrowed_passes) > 0.05
    assert max(wrong) < (0.01 if algorithm == "local" else 1e-9)
    if algorithm != "local":
        assert max(after[KS.index(5) :]) == 0
    if algorithm == "optimal":
        assert max(after) == 0
    channel = f"finer labels, {algorithm}, k = 2, 5, 11"
    record_row("attacks", channel=channel, naive=shares(narrowed_passes, "narrowed"), ours=shares(after, "narrowed"))


def narrowed(shown: Sequence[tuple[int, Label]], people: Sequence[Cell], attack: Attack) -> tuple[float, float]:
    """The shares of records that an attack narrows to a part of what the labels stand for, and of those where it is wrong."""
    classes = Counter(label for _, label in shown)
    among = fitting(classes, list(product(*LINES)), fits)
    cells_left = attack(classes, among, LINES)
    records = sum(count for label, count in classes.items() if len(cells_left[label]) < len(among[label]))
    wrong = sum(people[number] not in cells_left[label] for number, label in shown)
    return records / len(shown), wrong / len(shown)


# ------------------------------------------------------------------------------------ all tables of a few rows

SMALL: list[Lines] = [
    {1: ["1", "low", "*"], 2: ["2", "low", "*"], 3: ["3", "high", "*"], 4: ["4", "high", "*"]},
    {"f": ["f", "*"], "m": ["m", "*"]},
]
CELLS = list(product(*SMALL))


def small_fits(place: int, text: str, value: Any) -> bool:
    return text in SMALL[place][value] or (place == 0 and fits_range(text, value))


def by_passes(rows: Sequence[Cell], k: int) -> list[Label | None]:
    return passes(rows, SMALL, k)


def by_local(rows: Sequence[Cell], k: int) -> list[Label | None]:
    columns = [local.Column({**lines}, values) for lines, values in zip(SMALL, zip(*rows, strict=True), strict=True)]  # type: ignore[dict-item]
    labels = local.recode(columns, lambda part: len(part) >= k, local.ordered(columns), k=k).labels
    return [labels.get(row) for row in range(len(rows))]


def by_mondrian(rows: Sequence[Cell], k: int) -> list[Label | None]:
    ages, sexes = zip(*rows, strict=True)
    columns: list[mondrian.Attribute] = [
        mondrian.Ordered(ages, {age: Fraction(age) for age in ages}, str),
        mondrian.Categorical(sexes, {**SMALL[1]}, list(SMALL[1])),  # type: ignore[dict-item]
    ]
    shown: list[Label | None] = [None] * len(rows)
    for part in mondrian.partitions(columns, range(len(rows)), lambda part: len(part) >= k):
        for row in part:
            shown[row] = tuple(str(column.label(part)) for column in columns)
    return shown


def by_optimal(rows: Sequence[Cell], k: int) -> list[Label | None]:
    """The least loss among all nodes, suppressed rows losing all."""
    table = full_domain.Table([*rows], [{**lines} for lines in SMALL])  # type: ignore[dict-item]
    weights = [Fraction(1)] * len(SMALL)
    best = full_domain.best(table, table.nodes(), k, len(rows), "loss mean", weights)
    labels = table.labels(best or ())
    sizes = Counter(labels)
    return [label if sizes[label] >= k else None for label in labels]


WAYS: dict[str, Callable[[Sequence[Cell], int], list[Label | None]]] = {
    "passes": by_passes,
    "local": by_local,
    "mondrian": by_mondrian,
    "optimal": by_optimal,
}


@dataclass(frozen=True)
class Origin:
    """A table that gives a certain release: the cells under each label, and in how many orders its rows may stand."""

    table: Counter[Cell]
    under: Mapping[Label, Collection[Cell]]
    orders: int


@cache
def origins(way: str, rows: int, k: int) -> dict[tuple[tuple[Label, int], ...], list[Origin]]:
    """Every release of a table of so many rows, with all the tables that give it."""
    collected = defaultdict(list)
    for table in combinations_with_replacement(CELLS, rows):
        under = defaultdict(set)
        labels = WAYS[way](table, k)
        for cell, label in zip(table, labels, strict=True):
            if label is not None:
                under[label].add(cell)
        counts = Counter(table)
        orders = factorial(rows) // prod(map(factorial, counts.values()))
        collected[tuple(sorted(Counter(filter(None, labels)).items()))].append(Origin(counts, under, orders))
    return collected


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "k"), [(5, 2), (6, 2), (7, 3)])
def test_the_attack_says_no_more_than_all_tables_with_the_same_release(rows: int, k: int, record_row: RecordRow) -> None:
    """What can be known at all: who holds the release alone, and the program, tries every table.

    The shares are those of tables whose rows are drawn evenly.
    """
    exact, attacked = {}, {}
    for way in WAYS:
        records = narrowed = claimed = 0
        for release, tables in origins(way, rows, k).items():
            classes = Counter(dict(release))
            among = fitting(classes, CELLS, small_fits)
            actual = (at_the_ends if way == "mondrian" else finer_first)(classes, among, SMALL)
            weight = sum(table.orders for table in tables)
            for label, count in release:
                truth = {cell for table in tables for cell in table.under[label]}
                assert truth <= actual[label] <= among[label]
                assert len(truth) > 1 or len(among[label]) == 1
                records += weight * count
                narrowed += weight * count * (truth < among[label])
                claimed += weight * count * (actual[label] < among[label])
        exact[way], attacked[way] = narrowed / records, claimed / records
    assert exact["optimal"] == 0
    assert all(exact[way] >= attacked[way] for way in WAYS)
    assert attacked["passes"] > exact["passes"] / 2 > 0
    for way in ALGORITHMS:
        record_row(
            "attacks",
            channel=f"finer labels, {way}, tables of {rows} rows, k = {k}",
            naive=percent(exact["passes"], "records narrowed"),
            ours=percent(exact[way], "records"),
        )


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "k"), [(5, 2), (6, 2), (7, 3)])
def test_no_table_of_few_rows_leaves_fewer_persons_than_its_classes_have_rows(rows: int, k: int) -> None:
    """Nor where labels are narrowed first: persons of one class can always change places."""
    for way in ALGORITHMS:
        for release, tables in origins(way, rows, k).items():
            classes = Counter(dict(release))
            narrowed = finer_first(classes, fitting(classes, CELLS, small_fits), SMALL)
            for table in tables if release else ():
                known = {label: cells & set(table.table) for label, cells in narrowed.items()}
                left = persons(possible(table.table, classes, known), table.table)
                assert all(left[label] >= count >= k for label, count in release)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_restatements_are_the_program(tmp_path: Path, algorithm: str) -> None:
    """So that all tables that give the same release are those of the program."""
    choice = Random(4)
    hierarchies: dict[str, Any] = {
        name: {
            "role": "quasi-identifier",
            "hierarchy": {"kind": "table", "rows": [[value, *line[1:]] for value, line in lines.items()]},
        }
        for name, lines in zip(("age", "sex"), SMALL, strict=True)
    }
    if algorithm == "mondrian":
        del hierarchies["age"]["hierarchy"]
    for rows, k in ((6, 2), (7, 3), (8, 2)):
        table = [choice.choice(CELLS) for _ in range(rows)]
        expected = Counter(filter(None, WAYS[algorithm](table, k)))
        people = [{"age": age, "sex": sex, "number": number} for number, (age, sex) in enumerate(table)]
        job = {"columns": hierarchies | {"number": {"role": "sensitive"}}}
        options = Options(algorithm=algorithm, k=k, max_suppression="100%")
        try:
            anonymize(
                write_parquet(tmp_path / "in.parquet", people),
                tmp_path / "out.parquet",
                job=job,
                options=options,
                run=Run(overwrite=True),
            )
        except Infeasible:
            assert not expected
        else:
            assert Counter((str(row["age"]), str(row["sex"])) for row in read_rows(tmp_path / "out.parquet")) == expected


@given(data=st.data())
def test_elimination_finds_what_trying_every_assignment_finds(data: st.DataObject) -> None:
    """Six persons at the most, and classes that each may stand for some of the cells."""
    people = data.draw(st.lists(st.sampled_from("abcd").map(tuple), min_size=1, max_size=6))
    drawn = data.draw(st.lists(st.sampled_from(["A", "B", "C", None]), min_size=len(people), max_size=len(people)))
    more = data.draw(st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from("abcd")), max_size=8))
    under: dict[Label, set[Cell]] = defaultdict(set)
    for person, name in [*zip(people, drawn, strict=True), *((tuple(cell), name) for name, cell in more)]:
        if name is not None:
            under[name,].add(person)
    records: list[Label] = [OUTSIDE if name is None else (name,) for name in drawn]
    under[OUTSIDE] = set(people)
    register, classes = Counter(people), Counter(record for record in records if record != OUTSIDE)
    expected = defaultdict(set)
    for order in permutations(people):
        pairs = list(zip(records, order, strict=True))
        if all(person in under[record] for record, person in pairs):
            for record, person in pairs:
                expected[record].add(person)
    known = {label: under[label] & set(people) for label in classes}
    assert possible(register, classes, known) == {label: expected[label] for label in classes}


# ------------------------------------------------------------------------------------ all samples of a population

AGES: Lines = {
    **{age: [str(age), "low", "*"] for age in (1, 2, 3)},
    **{age: [str(age), "high", "*"] for age in (4, 5)},
}
PERSONS, SAMPLE = 9, 4
Sampled = Callable[[Sequence[int], Collection[int], int, int], Mapping[int, Label]]
"""The labels of released persons: of the ages of a population, the persons of the sample, k-map, and k."""


def passes_by_rows(ages: Sequence[int], sample: Collection[int], k_map: int, k: int) -> Mapping[int, Label]:
    """A naive way to count k-map: passes that set only classes aside that they show."""
    return chained(ages, sample, k_map, k, sets_empty_aside=False)


def passes_by_persons(ages: Sequence[int], sample: Collection[int], k_map: int, k: int) -> Mapping[int, Label]:
    """Passes that also set aside who would be shown if she were in the sample."""
    return chained(ages, sample, k_map, k, sets_empty_aside=True)


def chained(ages: Sequence[int], sample: Collection[int], k_map: int, k: int, *, sets_empty_aside: bool) -> Mapping[int, Label]:
    left, shown = set(range(len(ages))), {}
    for level in range(3):
        groups = defaultdict(set)
        for person in left:
            groups[AGES[ages[person]][level]].add(person)
        for label, group in groups.items():
            rows = len(group.intersection(sample))
            if len(group) >= k_map and (max(rows, 1) if sets_empty_aside else rows) >= k:
                left -= group
                shown.update(dict.fromkeys(group.intersection(sample), (label,)))
    return shown


def least_loss(ages: Sequence[int], sample: Collection[int], k_map: int, k: int) -> Mapping[int, Label]:
    """The level of least loss, suppressed rows losing all."""
    collected = []
    for level in range(3):
        people = Counter(AGES[age][level] for age in ages)
        rows = Counter(AGES[ages[person]][level] for person in sample)
        labels = {person: AGES[ages[person]][level] for person in sample}
        shown = {person: (text,) for person, text in labels.items() if people[text] >= k_map and rows[text] >= k}
        leaves = Counter(line[level] for line in AGES.values())
        lost = sum(Fraction(leaves[text] - 1, len(AGES) - 1) for (text,) in shown.values()) + SAMPLE - len(shown)
        collected.append((not shown, lost, level, shown))
    return min(collected, key=lambda entry: entry[:3])[3]


def below_k_map(recode: Sampled, k_map: int, k: int) -> float:
    """The share of records behind which fewer than so many persons of the population may stand.

    The attacker knows the population and the program, and tries every sample of the size of the release.
    """
    choice = Random(1)
    records = below = 0
    for _ in range(60):
        ages = [choice.choice([*AGES]) for _ in range(PERSONS)]
        behind: dict[Any, dict[Label, set[int]]] = defaultdict(lambda: defaultdict(set))
        releases = []
        for sample in combinations(range(PERSONS), SAMPLE):
            shown = recode(ages, sample, k_map, k)
            release = tuple(sorted(Counter(shown.values()).items()))
            releases.append(release)
            for person, label in shown.items():
                behind[release][label].add(person)
        for release in releases:
            records += sum(count for _, count in release)
            below += sum(count for label, count in release if len(behind[release][label]) < k_map)
    return below / records


@pytest.mark.parametrize("k_map", [2, 3])
def test_a_population_does_not_leave_fewer_than_k_map_persons_behind_a_record(k_map: int, record_row: RecordRow) -> None:
    """Naive: a person of the population counts as like a row although, in the sample, she would be shown in a finer class.

    Where k is 1, the level that `optimal` chooses discloses a little about who is in the sample: see Minimality in the threat model.
    """
    naive = below_k_map(passes_by_rows, k_map, 1)
    ours = {"local": below_k_map(passes_by_persons, k_map, 1), "optimal": below_k_map(least_loss, k_map, 1)}
    assert naive > 0.03
    assert ours["local"] == 0
    assert ours["optimal"] < 0.01
    assert below_k_map(passes_by_persons, k_map, 2) == below_k_map(least_loss, k_map, 2) == 0
    for algorithm, share in ours.items():
        channel = f"population, {algorithm}, k-map = {k_map}, k = 1"
        record_row("attacks", channel=channel, naive=f"{naive:.1%} of records below k-map", ours=f"{share:.1%} of records")


@pytest.mark.parametrize(("algorithm", "recode"), [("local", passes_by_persons), ("optimal", least_loss)])
def test_the_restatements_for_samples_are_the_program(tmp_path: Path, algorithm: str, recode: Sampled) -> None:
    """The first table is one that `local` once released with a star behind which only the person aged 2 could stand."""
    choice = Random(5)
    tables = [([1] * 10 + [2, 4, 5], [0, 1, 2, 10])]
    tables += [([choice.choice([*AGES]) for _ in range(PERSONS)], choice.sample(range(PERSONS), SAMPLE)) for _ in range(3)]
    lines = {"kind": "table", "rows": [[age, *line[1:]] for age, line in AGES.items()]}
    job = {"columns": {"age": {"role": "quasi-identifier", "hierarchy": lines}, "number": {"role": "sensitive"}}}
    for ages, sample in tables:
        expected = recode(ages, sample, 2, 1)
        source = write_parquet(tmp_path / "sample.parquet", [{"age": ages[person], "number": person} for person in sample])
        population = write_parquet(tmp_path / "population.parquet", [{"age": age} for age in ages])
        options = Options(
            algorithm=algorithm, k=1, require=["k-map=2"], population=str(population), max_suppression="99%", others="drop"
        )
        if expected:
            anonymize(source, tmp_path / "out.parquet", job=job, options=options, run=Run(overwrite=True))
            shown = {row["number"]: (str(row["age"]),) for row in read_rows(tmp_path / "out.parquet")}
            assert shown == expected
