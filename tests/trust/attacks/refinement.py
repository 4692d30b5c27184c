"""Attacks on overlapping classes, and naive local recodings. It uses no code of duckanon.

A cell is a combination of quasi-identifier values; a label is what a release shows in its place, one text a column.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations, product
from typing import Any

Cell = tuple[Any, ...]
Label = tuple[str, ...]
Lines = Mapping[Any, Sequence[str]]
"""A hierarchy: value to its labels from level 0 to the top."""
Fits = Callable[[int, str, Any], bool]
"""Whether a text may stand for a value, in the column of that number."""
Attack = Callable[[Counter[Label], Mapping[Label, Collection[Cell]], Sequence[Lines]], dict[Label, set[Cell]]]
"""Narrows the cells that each label may stand for."""

OUTSIDE: Label = ()
"""The class of those who are in the register and not in the release."""


# ------------------------------------------------------------------------------------ with a register


def fitting(labels: Collection[Label], cells: Collection[Cell], fits: Fits) -> dict[Label, set[Cell]]:
    """The cells that each label may stand for."""
    values = [set(column) for column in zip(*cells, strict=True)]
    texts = {(place, text) for label in labels for place, text in enumerate(label)}
    under = {(place, text): {value for value in values[place] if fits(place, text, value)} for place, text in texts}
    known = set(cells)
    return {label: known.intersection(product(*(under[place, text] for place, text in enumerate(label)))) for label in labels}


def possible(
    register: Counter[Cell], classes: Counter[Label], fitting: Mapping[Label, Collection[Cell]]
) -> dict[Label, set[Cell]]:
    """The cells whose persons are in a class in at least one complete assignment of the register to the release.

    An assignment gives each record a person who fits its label, and each person at most one record. A pair of cell and class
    is in one of them if it is in the first one found, or on a cycle of exchanges from there: both lie in one strongly
    connected component (Hall's theorem in the form of Dulmage and Mendelsohn).
    """
    spaces = classes + Counter({OUTSIDE: register.total() - classes.total()})
    allowed: dict[Label, set[Cell]] = {**{label: set(fitting[label]) for label in classes}, OUTSIDE: set(register)}
    flow = _assigned(register, spaces, allowed)
    edges: dict[Any, list[Any]] = {("cell", cell): [] for cell in register}
    for label in spaces:
        edges["class", label] = [("cell", cell) for cell in flow[label]]
        for cell in allowed[label]:
            edges["cell", cell].append(("class", label))
    part = _components(edges)
    return {
        label: {cell for cell in allowed[label] if cell in flow[label] or part["cell", cell] == part["class", label]}
        for label in classes
    }


def _assigned(
    register: Counter[Cell], spaces: Counter[Label], allowed: Mapping[Label, Collection[Cell]]
) -> dict[Label, Counter[Cell]]:
    """One complete assignment: for each class the number of persons of each cell."""
    flow: dict[Label, Counter[Cell]] = {label: Counter() for label in spaces}
    free, room = Counter(register), Counter(spaces)
    choices: dict[Cell, list[Label]] = defaultdict(list)
    for label in sorted(spaces, key=lambda entry: len(allowed[entry])):
        for cell in allowed[label]:
            choices[cell].append(label)
    for cell in sorted(register, key=lambda entry: len(choices[entry])):
        for label in choices[cell]:
            moved = min(free[cell], room[label])
            if moved:
                flow[label][cell] += moved
                free[cell] -= moved
                room[label] -= moved
    while +free:
        path = _exchange(free, room, flow, choices)
        for cell, left, entered in path:
            flow[entered][cell] += 1
            if left is None:
                free[cell] -= 1
            else:
                flow[left] -= Counter([cell])
        room[path[-1][2]] -= 1
    return flow


def _exchange(
    free: Counter[Cell], room: Counter[Label], flow: Mapping[Label, Counter[Cell]], choices: Mapping[Cell, Sequence[Label]]
) -> list[tuple[Cell, Label | None, Label]]:
    """A chain of moves that finds a place for one more person: cell, class left, class entered."""
    came: dict[Label, tuple[Cell, Label | None]] = {}
    queue: deque[tuple[Cell, Label | None]] = deque((cell, None) for cell in +free)
    while queue:
        cell, left = queue.popleft()
        for label in choices[cell]:
            if label in came:
                continue
            came[label] = (cell, left)
            if room[label]:
                chain, entered = [], label
                while True:
                    cell, left = came[entered]
                    chain.append((cell, left, entered))
                    if left is None:
                        return chain[::-1]
                    entered = left
            queue.extend((other, label) for other in flow[label])
    raise AssertionError("the register does not fill the release")


def _components(edges: Mapping[Any, Sequence[Any]]) -> dict[Any, int]:
    """The number of the strongly connected component of each point (Kosaraju)."""
    order: list[Any] = []
    seen: set[Any] = set()
    for start in edges:
        if start not in seen:
            seen.add(start)
            stack = [(start, iter(edges[start]))]
            while stack:
                point, rest = stack[-1]
                for following in rest:
                    if following not in seen:
                        seen.add(following)
                        stack.append((following, iter(edges[following])))
                        break
                else:
                    order.append(point)
                    stack.pop()
    back: dict[Any, list[Any]] = {point: [] for point in edges}
    for point, neighbours in edges.items():
        for following in neighbours:
            back[following].append(point)
    part: dict[Any, int] = {}
    for start in reversed(order):
        if start not in part:
            part[start] = number = len(part)
            waiting = [start]
            while waiting:
                for following in back[waiting.pop()]:
                    if following not in part:
                        part[following] = number
                        waiting.append(following)
    return part


def persons(reached: Mapping[Label, Collection[Cell]], register: Counter[Cell]) -> dict[Label, int]:
    """The persons of the register who may stand behind a record of each class: its effective anonymity."""
    return {label: sum(register[cell] for cell in cells) for label, cells in reached.items()}


def share_below(k: int, counts: Mapping[Label, int], classes: Counter[Label]) -> float:
    """The share of records with fewer than k persons behind them."""
    return sum(count for label, count in classes.items() if counts[label] < k) / classes.total()


# ------------------------------------------------------------------------------------ without a register


def finer_first(
    classes: Counter[Label], fitting: Mapping[Label, Collection[Cell]], lines: Sequence[Lines]
) -> dict[Label, set[Cell]]:
    """The cells that are left to each label if every row is shown in the finest class that it fits.

    After the idea of combinatorial refinement (Chhillar, Righi, Sutter, Kornaropoulos 2025): a row with a coarse label lies in
    none of the finer classes of the same release, which passes of local recoding fill first.
    """
    above = [ancestors(line) for line in lines]
    left_over = {label: set(fitting[label]) for label in classes}
    for label in classes:
        for other in classes:
            is_finer = other != label and all(mine in those[its] for mine, its, those in zip(label, other, above, strict=True))
            if is_finer:
                left_over[label] -= set(fitting[other])
    return left_over


def ancestors(lines: Lines) -> dict[str, set[str]]:
    """For each label of a hierarchy itself and the labels above it."""
    collected: dict[str, set[str]] = defaultdict(set)
    for line in lines.values():
        for level, label in enumerate(line):
            collected[label].update(line[level:])
    return collected


def at_the_ends(
    classes: Counter[Label],
    fitting: Mapping[Label, Collection[Cell]],
    lines: Sequence[Lines],  # noqa: ARG001
) -> dict[Label, set[Cell]]:
    """The cells that are left to each label if ranges end at values of the class: of two rows one is at either end."""
    left_over = {label: set(fitting[label]) for label in classes}
    for label, count in classes.items():
        for place, text in enumerate(label):
            if count == 2 and text.startswith("["):
                ends = text.strip("[]").split(", ")
                left_over[label] = {cell for cell in left_over[label] if str(cell[place]) in ends}
    return left_over


# ------------------------------------------------------------------------------------ naive releases


def starred_row_by_row(rows: Sequence[Cell], k: int) -> list[Label]:
    """Local suppression that looks at each row alone: the fewest stars with which its label fits k persons of the table."""
    width = len(rows[0])
    sets = [frozenset(chosen) for size in range(width + 1) for chosen in combinations(range(width), size)]
    sizes = {chosen: Counter(_starred(row, chosen) for row in rows) for chosen in sets}
    return [next(label for chosen in sets if sizes[chosen][label := _starred(row, chosen)] >= k) for row in rows]


def _starred(row: Cell, chosen: Collection[int]) -> Label:
    return tuple("*" if place in chosen else str(value) for place, value in enumerate(row))


def passes(rows: Sequence[Cell], lines: Sequence[Lines], k: int) -> list[Label | None]:
    """Local recoding as it is commonly done: full-domain levels again and again, on the rows without a class of k; None at the end."""
    heights = [len(next(iter(line.values()))) for line in lines]
    nodes = sorted(product(*map(range, heights)), key=lambda node: (sum(level * level for level in node), node))
    shown: list[Label | None] = [None] * len(rows)
    for node in nodes:
        labels = {
            place: tuple(line[value][level] for line, value, level in zip(lines, row, node, strict=True))
            for place, row in enumerate(rows)
            if shown[place] is None
        }
        sizes = Counter(labels.values())
        for place, label in labels.items():
            if sizes[label] >= k:
                shown[place] = label
    return shown
