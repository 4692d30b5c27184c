"""Privacy models restated in plain Python, from the definitions and without our code."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from math import exp, inf, log, log2
from typing import Any

Figure = Fraction | float | int
"""What a class achieves; infinite where no parameter is large enough."""


@dataclass(frozen=True)
class Whole:
    """A sensitive column over the whole table: rows a value, and a hierarchy where the column has one."""

    counts: Counter[Any]
    lines: Mapping[Any, Sequence[Any]] = field(default_factory=dict)
    """Value to its labels from level 0 to the top."""

    @property
    def shares(self) -> dict[Any, Fraction]:
        return {value: Fraction(count, self.counts.total()) for value, count in self.counts.items()}

    @property
    def order(self) -> list[Any]:
        """By number or by text; NULL is the last."""
        return sorted(self.counts, key=lambda value: (value is None, 0 if value is None else value))


@dataclass(frozen=True)
class Group:
    """A class: rows a sensitive value, and rows of the population that are like it."""

    counts: Counter[Any]
    population: int = 0

    @property
    def rows(self) -> int:
        return self.counts.total()

    def share(self, value: Any) -> Fraction:
        return Fraction(self.counts[value], self.rows)

    def __add__(self, other: "Group") -> "Group":
        return Group(self.counts + other.counts, self.population + other.population)


def groups(rows: Iterable[tuple[Hashable, Any]], population: Iterable[Hashable] = ()) -> dict[Any, Group]:
    """The classes of rows, each a key and a sensitive value."""
    collected: dict[Any, Counter[Any]] = {}
    for key, value in rows:
        collected.setdefault(key, Counter())[value] += 1
    like = Counter(population)
    return {key: Group(counts, like[key]) for key, counts in collected.items()}


def entropy(group: Group, _: Whole) -> Figure:
    return exp(-sum(float(group.share(value)) * log(group.share(value)) for value in group.counts))


def entropy_holds(counts: Sequence[int], least: Decimal | int) -> bool:
    """H >= ln l in whole numbers: prod f^f * l^n <= n^n."""
    total, product = sum(counts), Fraction(least) ** sum(counts)
    for count in counts:
        product *= count**count
    return bool(product <= total**total)


def recursive(group: Group, least: int) -> Figure:
    """The bound that c has to exceed."""
    frequencies = sorted(group.counts.values(), reverse=True)
    return Fraction(frequencies[0], sum(frequencies[least - 1 :])) if len(frequencies) >= least else inf


def t_equal(group: Group, whole: Whole) -> Figure:
    return sum((abs(group.share(value) - share) for value, share in whole.shares.items()), Fraction(0)) / 2


def t_ordered(group: Group, whole: Whole) -> Figure:
    ahead, total = Fraction(0), Fraction(0)
    for value in whole.order:
        ahead += group.share(value) - whole.shares[value]
        total += abs(ahead)
    return total / max(1, len(whole.counts) - 1)


def t_hierarchical(group: Group, whole: Whole) -> Figure:
    """Each inner node moves what its children have too much to those that have too little (Li et al. 2007)."""
    lines = {value: whole.lines[value] for value in whole.counts}
    height, total = len(next(iter(whole.lines.values()))) - 1, Fraction(0)
    for level in range(1, height + 1):
        children: dict[Any, dict[Any, Fraction]] = {}
        for value, line in lines.items():
            excess = children.setdefault(line[level], {})
            excess[line[level - 1]] = excess.get(line[level - 1], Fraction(0)) + group.share(value) - whole.shares[value]
        for excess in children.values():
            more = sum((share for share in excess.values() if share > 0), Fraction(0))
            less = sum((-share for share in excess.values() if share < 0), Fraction(0))
            total += Fraction(level, height) * min(more, less)
    return total


def beta(group: Group, whole: Whole) -> Figure:
    return max((group.share(value) - share) / share for value, share in whole.shares.items())


def enhanced_beta(group: Group, whole: Whole) -> Figure:
    for value, share in whole.shares.items():
        gain = (group.share(value) - share) / share
        if gain > 0 and gain > -_ln(share):
            return inf
    return beta(group, whole)


def _ratios(group: Group, whole: Whole, *, present: bool) -> list[Fraction]:
    return [group.share(value) / share for value, share in whole.shares.items() if not present or group.counts[value]]


def delta(group: Group, whole: Whole, *, present: bool = False) -> Figure:
    return max(abs(log2(ratio)) if ratio else inf for ratio in _ratios(group, whole, present=present))


def delta_holds(group: Group, whole: Whole, bound: Decimal, *, present: bool = False) -> bool:
    """Strictly below; a ratio that is no power of two equals no bound with decimals."""
    ratios = _ratios(group, whole, present=present)
    if not all(ratios):
        return False
    worst = max(max(ratio, 1 / ratio) for ratio in ratios)
    if bound == int(bound):
        return bool(worst < 2 ** int(bound))
    with localcontext() as context:
        context.prec = 60
        return _ln(worst) < Fraction(bound * Decimal(2).ln())


def _ln(number: Fraction) -> Fraction:
    with localcontext() as context:
        context.prec = 60
        return Fraction(Decimal(number.numerator).ln() - Decimal(number.denominator).ln())


def presence(group: Group) -> Figure:
    return Fraction(group.rows, group.population) if group.population else inf


ACHIEVED: dict[str, tuple[Callable[..., Any], Callable[[Group, Whole], Figure]]] = {
    "k": (min, lambda group, _: group.rows),
    "distinct-l": (min, lambda group, _: len(group.counts)),
    "entropy-l": (min, entropy),
    "recursive-cl 2": (max, lambda group, _: recursive(group, 2)),
    "recursive-cl 3": (max, lambda group, _: recursive(group, 3)),
    "alpha": (max, lambda group, _: max(map(group.share, group.counts))),
    "t": (max, t_equal),
    "t-ordered": (max, t_ordered),
    "t-hierarchical": (max, t_hierarchical),
    "beta": (max, beta),
    "enhanced-beta": (max, enhanced_beta),
    "delta": (max, delta),
    "delta-present": (max, lambda group, whole: delta(group, whole, present=True)),
    "k-map": (min, lambda group, _: group.population),
    "presence low": (min, lambda group, _: presence(group)),
    "presence high": (max, lambda group, _: presence(group)),
}
"""What a class achieves under each model, and which class determines what all achieve."""


OF_ROWS = ("k", "k-map", "presence low", "presence high", "delta-presence", "highest-risk")
"""The models without a sensitive column."""


def known(counts: Counter[Any]) -> Counter[Any]:
    """The same without missing values."""
    return Counter({value: count for value, count in counts.items() if value is not None})


def readings(name: str, group: Group, whole: Whole) -> Iterator[tuple[Group, Whole]]:
    """A class and the table with missing values as a value, and without them if the table has any."""
    yield group, whole
    if name not in OF_ROWS and None in whole.counts:
        yield replace(group, counts=known(group.counts)), replace(whole, counts=known(whole.counts))


def figure(name: str, group: Group, whole: Whole) -> Figure:
    """What a class achieves under the worse reading; nothing if it has only missing values."""
    worst, achieves = ACHIEVED[name]
    nothing = 0 if worst is min else inf
    reached: Figure = worst(achieves(*reading) if reading[0].counts else nothing for reading in readings(name, group, whole))
    return reached


def achieved(name: str, classes: Iterable[Group], whole: Whole) -> Figure | None:
    """The figure of the worst class; None where it is infinite, or there is no class."""
    extreme = ACHIEVED[name][0]((figure(name, group, whole) for group in classes), default=None)
    return None if extreme == inf else extreme


def holds(model: str, numbers: Sequence[Decimal], group: Group, whole: Whole) -> bool:
    """Whether a class keeps what `--require MODEL=NUMBERS` asks for under each reading; n >= k is about all rows."""
    if model == "alpha-k" and group.rows < numbers[1]:
        return False
    return all(seen.counts and _holds(model, numbers, seen, table) for seen, table in readings(model, group, whole))


def _holds(model: str, numbers: Sequence[Decimal], group: Group, whole: Whole) -> bool:
    first, last = Fraction(numbers[0]), Fraction(numbers[-1])
    reached: Figure
    match model:
        case "entropy-l":
            return len(group.counts) >= first and entropy_holds(list(group.counts.values()), numbers[0])
        case "recursive-cl":
            return recursive(group, int(last)) < first
        case "delta" | "delta-present":
            return delta_holds(group, whole, numbers[0], present=model == "delta-present")
        case "alpha-k":
            return max(map(group.share, group.counts)) <= first
        case "delta-presence":
            return first <= presence(group) <= last
        case "highest-risk":
            return Fraction(1, group.rows) <= first
        case _:
            worst, achieves = ACHIEVED[model]
            reached = achieves(group, whole)
            return reached >= first if worst is min else reached <= first


def without_smallest(sizes: Mapping[Any, int], most: Decimal) -> set[Any]:
    """The classes that are removed, the smallest first, until classes / rows is at most so much."""
    left = sorted(sizes, key=lambda key: (sizes[key], key))
    removed = set()
    while left and len(left) > Fraction(most) * sum(sizes[key] for key in left):
        removed.add(left.pop(0))
    return removed
