"""Drawings of what a search works on: the lattice, a hierarchy, regions; and records before and after."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, product
from pathlib import Path

from docs.pictures import runs
from docs.pictures.svg import line, picture, rect, text

Node = tuple[int, ...]


def lattice(folder: Path) -> str:
    """Every node of the lattice of `adult.parquet`, by its height, and what the search knows of it, with k = 20."""
    names = [name for (name,) in runs.query(folder, runs.SEARCH, "select column_name from (describe duckanon.lattice)")]
    names = [name for name in names if not name.startswith("_")]
    columns = ", ".join(f'"{name}"' for name in names)
    visited = {
        tuple(row[:-3]): row[-3:]
        for row in runs.query(folder, runs.SEARCH, f"select {columns}, _verdict, _suppressed, _chosen from duckanon.lattice")
    }
    nodes = sorted(
        product(*(range(_levels(folder, name)) for name in names)), key=lambda node: (sum(node), [-level for level in node])
    )
    failing = [node for node, (verdict, _, _) in visited.items() if verdict == "fails"]
    width, gap, rise, top = 900, 66, 64, 60
    highest = sum(nodes[-1])
    places: dict[Node, tuple[float, float]] = {}
    for height, row in groupby(nodes, sum):
        of_height = list(row)
        for number, node in enumerate(of_height):
            places[node] = (width / 2 + 35 + gap * (number - (len(of_height) - 1) / 2), top + 14 + rise * (highest - height))
    states = {node: _state(node, visited.get(node), failing) for node in nodes}
    body = [
        text(
            20,
            32,
            f"Each node gives the levels of {', '.join(names)}, in this order. Below a visited node: rows to suppress (limit 300).",
        )
    ]
    body += [
        line(x, y - 11, places[above][0], places[above][1] + 11, "line-before", width=0.5)
        for node, (x, y) in places.items()
        for above in (tuple(level + (at == place) for at, level in enumerate(node)) for place in range(len(node)))
        if above in places
    ]
    body += [text(20, top + 18 + rise * (highest - height), f"height {height}", "soft small") for height in range(highest + 1)]
    for node, (x, y) in places.items():
        body += _box(x, y, " ".join(map(str, node)), states[node])
        if node in visited:
            body += [rect(x - 20, y + 13, 40, 13, "pale-paper"), text(x, y + 24, f"{visited[node][1]:,}", "middle small")]
    counts = {state: sum(value == state for value in states.values()) for state in _STATES}
    foot = top + rise * highest + 62
    x = 20.0
    for state, (words, across) in _STATES.items():
        body += [*_box(x + 14, foot, "", state, half=14), text(x + 34, foot + 4, f"{words}: {counts[state]}", "small")]
        x += across
    description = (
        f"The {len(nodes)} nodes of the lattice in rows by height. The search visited {len(visited)}: "
        f"{counts['satisfies'] + 1} satisfy the requirement, one of them is chosen, {counts['fails']} fail. "
        f"{counts['below']} fail because they lie below a failing node, and {counts['bound']} cannot lose less than the chosen one."
    )
    return picture(width, foot + 34, "The lattice of a search", description, body)


_STATES = {
    "chosen": ("chosen", 110),
    "satisfies": ("visited, satisfies", 170),
    "fails": ("visited, fails", 145),
    "below": ("fails: below a failing node", 220),
    "bound": ("ruled out by its bound", 190),
}
"""What is known of a node, in words, with the room that they take."""
_LOOKS = {
    "chosen": "good",
    "satisfies": "pale-good line-good",
    "fails": "pale-bad line-bad",
    "below": "pale-paper line-bad",
    "bound": "pale line-before",
}


def _levels(folder: Path, name: str) -> int:
    """How many levels the hierarchy of a column has."""
    described = runs.query(folder, runs.SEARCH, f'select column_name from (describe duckanon."hierarchy_{name}")')
    return sum(column.startswith("level_") for (column,) in described)


def _state(node: Node, visit: tuple[str, int, bool] | None, failing: Sequence[Node]) -> str:
    if visit is not None:
        return "chosen" if visit[2] else visit[0]
    is_below = any(all(map(int.__le__, node, other)) for other in failing)
    return "below" if is_below else "bound"


def _box(x: float, y: float, label: str, state: str, *, half: float = 28) -> Iterator[str]:
    dashes = ' stroke-dasharray="3 2"' if state == "below" else ""
    yield rect(x - half, y - 11, 2 * half, 22, _LOOKS[state], round_by=5, more=dashes)
    yield text(x, y + 4, label, "mono small middle" + (" on" if state == "chosen" else ""))


def hierarchy(folder: Path) -> str:
    """A hierarchy as a tree, with the level that a release shows."""
    [(chosen,)] = runs.query(folder, runs.EDUCATION, "select education from duckanon.lattice where _chosen")
    levels = ", ".join(f"level_{level}" for level in range(4, -1, -1))
    paths = runs.query(
        folder,
        runs.EDUCATION,
        f"select {levels}, _rows from duckanon.hierarchy_education join duckanon.values_education using (value) order by all",
    )
    left, across, top, leading, wide = 20, 186, 62, 28, 162
    cut = len(paths[0]) - 2 - chosen
    x_of_cut = left + across * cut - 12
    body = [
        rect(x_of_cut, 14, wide + 24, top + leading * len(paths) - 6, "pale-after", round_by=8),
        text(x_of_cut + (wide + 24) / 2, 32, "released", "middle strong"),
    ]
    body += [text(left + across * at + wide / 2, 52, f"level {4 - at}", "middle soft small") for at in range(5)]
    places: dict[tuple[str, ...], float] = {}
    for branch in dict.fromkeys(path[:depth] for depth in range(5, 0, -1) for path in paths):
        numbers = [number for number, path in enumerate(paths) if path[: len(branch)] == branch]
        places[branch] = top + 12 + leading * (numbers[0] + numbers[-1]) / 2
    for branch, y in places.items():
        x = left + across * (len(branch) - 1)
        if len(branch) > 1:
            start, end = x - across + wide, places[branch[:-1]]
            middle = (start + x) / 2
            body.append(f'<path class="line-before" d="M{start} {end}C{middle} {end} {middle} {y} {x} {y}"/>')
        rows = sum(path[5] for path in paths if path[: len(branch)] == branch)
        is_cut = len(branch) - 1 == cut
        body.append(rect(x, y - 11, wide, 22, "after" if is_cut else "pale line-before", round_by=5))
        body.append(text(x + 8, y + 4, branch[-1], "small on" if is_cut else "small"))
        body.append(text(x + wide - 8, y + 4, f"{rows:,}", "small end on" if is_cut else "small end soft"))
    height = top + leading * len(paths) + 18
    description = (
        f"The values of education at the right, their labels on the levels 1 to 4 to the left of them, and the rows of each. "
        f"The release shows level {chosen}."
    )
    return picture(left * 2 + across * 4 + wide, height, "A generalization hierarchy and the released level", description, body)


def regions(folder: Path) -> str:
    """The regions of two columns that `mondrian` makes, over the records."""
    rectangles = runs.query(
        folder,
        runs.REGIONS,
        "select _from_1::int, _to_1::int, _from_2::int, _to_2::int, _rows "
        "from duckanon.regions join duckanon.classes_explained using (age, \"hours-per-week\") where _verdict = 'released' order by all",
    )
    points = runs.query(
        folder, runs.REGIONS, 'select age, "hours-per-week", count(*) from duckanon.records group by all order by all'
    )
    left, top, across, down = 62.0, 76.0, 800.0, 440.0

    def place(age: float, hours: float) -> tuple[float, float]:
        return left + across * (age - 15) / 77, top + down * (101 - hours) / 101

    body = [
        text(
            20,
            32,
            f"Each rectangle is one equivalence class, of at least {min(rectangle[-1] for rectangle in rectangles)} records. A dot stands for one or more records.",
        )
    ]
    for number, (first, last, low, high, _) in enumerate(rectangles):
        x, y = place(first - 0.5, high + 0.5)
        right, bottom = place(last + 0.5, low - 0.5)
        tint = ("pale-after", "pale-accent", "pale-good", "pale-mask")[number % 4]
        body.append(rect(x, y, right - x, bottom - y, f"{tint} line-soft"))
    dots = "".join("M{:.0f} {:.0f}h0".format(*place(age, hours)) for age, hours, _ in points)
    body.append(f'<path class="line-after" stroke-width="3" stroke-linecap="round" opacity="0.55" d="{dots}"/>')
    for first, last, low, high, rows in rectangles:
        x, y = place((first + last) / 2, (low + high) / 2)
        if high - low >= 6:
            body += [rect(x - 15, y - 9, 30, 17, "pale-paper", round_by=4), text(x, y + 4, str(rows), "middle small strong")]
    body += _axes(place, range(20, 91, 10), range(0, 101, 20))
    body += [text(left + across / 2, top + down + 46, "age", "middle"), text(20, top - 6, "hours per week", "soft small")]
    description = (
        f"A plane of age and weekly hours with the {len(rectangles)} rectangles into which mondrian cut {sum(rectangle[-1] for rectangle in rectangles):,} "
        "records. Where records are dense the rectangles are small, where they are sparse the rectangles are large."
    )
    return picture(left + across + 30, top + down + 64, "Regions of local recoding", description, body)


def _axes(place: Callable[[float, float], tuple[float, float]], below: Sequence[int], beside: Sequence[int]) -> Iterator[str]:
    for value in below:
        x, y = place(value, 0)
        yield line(x, y, x, y + 5, "line-soft")
        yield text(x, y + 20, str(value), "middle small soft")
    for value in beside:
        x, y = place(15, value)
        yield line(x - 5, y, x, y, "line-soft")
        yield text(x - 9, y + 4, str(value), "end small soft")


def before_after(folder: Path) -> str:
    """Four records of `patients.csv`, one of which is suppressed, and what the release shows of them."""
    names, *source = runs.rows(folder / "patients.csv")
    released_names, *released = runs.rows(folder / "patients.anonymized.csv")
    labels = {
        tuple(map(str, row[:3])): row[3]
        for row in runs.query(
            folder,
            runs.PATIENTS,
            "select a.value, s.value, p.value, "
            "(a.label, s.label, p.label) in (select (age, sex, postcode) from duckanon.classes_explained where _verdict = 'suppressed') "
            "from duckanon.recoding_age a, duckanon.recoding_sex s, duckanon.recoding_postcode p",
        )
    }
    places = [names.index(name) for name in ("age", "sex", "postcode")]
    outcomes = []
    rest = iter(released)
    for row in source:
        is_suppressed = labels[tuple(row[place] for place in places)]
        outcomes.append((row, None if is_suppressed else dict(zip(released_names, next(rest), strict=True))))
    first = next(number for number, (_, after) in enumerate(outcomes) if after is None)
    shown = [*outcomes[:3], outcomes[first]]
    widths = [178, 104, 92, 52, 92, 130]
    left, leading, top = 20, 32, 46
    width = left * 2 + sum(widths)
    body = [
        text(left, 34, "patients.csv", "mono strong"),
        *_grid(names, left, top, widths, [[(cell, "plain") for cell in row] for row, _ in shown]),
    ]
    second = top + leading * 5 + 46
    cells = [[_cell(name, before, after) for name, before in zip(names, row, strict=True)] for row, after in shown]
    body += [text(left, second - 12, "patients.anonymized.csv", "mono strong"), *_grid(names, left, second, widths, cells)]
    body.append(rect(left + 0.5, second + leading * 4 + 0.5, sum(widths), leading, _CELLS["suppressed"]))
    body.append(text(left + 10, second + leading * 4 + 21, "suppressed: fewer than 5 records share these quasi-identifiers"))
    foot = second + leading * 5 + 26
    x = left
    for kind, words, across in (
        ("generalized", "generalized", 118),
        ("masked", "masked", 90),
        ("dropped", "column dropped", 138),
        ("suppressed", "record suppressed", 154),
        ("plain", "unchanged", 100),
    ):
        body += [rect(x + 0.5, foot - 12, 18, 16, _CELLS[kind], round_by=3), text(x + 26, foot + 1, words, "small")]
        x += across
    description = (
        "Three records whose name is dropped, whose insurance number is masked, and whose age and postcode are generalized, "
        "while sex and diagnosis are unchanged. A fourth record, of which fewer than five share the quasi-identifiers, is suppressed."
    )
    return picture(width, foot + 24, "Records before and after", description, body)


_CELLS = {
    "plain": "hollow line-grid",
    "generalized": "pale-after line-grid",
    "masked": "pale-mask line-grid",
    "dropped": "pale line-grid",
    "suppressed": "pale-bad line-grid",
}


def _cell(name: str, before: str, after: dict[str, str] | None) -> tuple[str, str]:
    """What the release shows of a cell, and how."""
    if after is None:
        return "", "suppressed"
    if name not in after:
        return "", "dropped"
    if name == "insurance":
        return after[name], "masked"
    return after[name], "plain" if after[name] == before else "generalized"


def _grid(
    names: Sequence[str], left: float, top: float, widths: Sequence[int], cells: Sequence[Sequence[tuple[str, str]]]
) -> Iterator[str]:
    x = left
    for number, (name, width) in enumerate(zip(names, widths, strict=True)):
        yield text(x + 10, top + 21, name, "strong small")
        for row, of_row in enumerate(cells, 1):
            content, kind = of_row[number]
            yield rect(x + 0.5, top + 32 * row + 0.5, width, 32, _CELLS[kind])
            if content:
                yield text(x + 10, top + 32 * row + 21, content, "mono")
        x += width
