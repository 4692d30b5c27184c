"""Charts of what a release costs and what it protects."""

from collections.abc import Callable, Iterator, Sequence
from math import ceil, log10
from pathlib import Path
from typing import Any

import duckanon
from docs.pictures import runs
from docs.pictures.svg import line, picture, polyline, rect, text

Place = Callable[[float, float], tuple[float, float]]

_K = 5
"""The k of the releases that charts show."""


def loss_by_k(folder: Path) -> str:
    """The information loss of releases of one table, for k from 2 to 50."""
    options: Any = {"qi": "age,sex,marital-status,education", "hierarchies": "adult/life-stages", "threads": 1}
    source = folder / "hidden" / "sample.parquet"
    optimal = duckanon.compare(source, k=[*range(2, 21), *range(22, 51, 2)], max_suppression=["1%", "5%"], **options)["runs"]
    mondrian = duckanon.compare(source, algorithms=["mondrian"], k=[2, 5, 10, 20, 30, 40, 50], **options)["runs"]
    lines = [
        ("optimal, at most 1% suppressed", "accent", [(run["k"], run["loss"]) for run in optimal if run["limit"] == "1%"]),
        ("optimal, at most 5% suppressed", "after", [(run["k"], run["loss"]) for run in optimal if run["limit"] == "5%"]),
        ("mondrian, none suppressed", "good", [(run["k"], run["loss"]) for run in mondrian]),
    ]
    left, top, across, down = 62.0, 66.0, 590.0, 300.0

    def place(k: float, loss: float) -> tuple[float, float]:
        return left + across * k / 50, top + down * (1 - loss / 0.6)

    body = [text(20, 32, "Information loss by k: a table of 2,000 records with four quasi-identifiers", "strong")]
    body += _grid(
        place, [(k, str(k)) for k in (2, 5, 10, 20, 30, 40, 50)], [(loss / 10, f"{loss}0%") for loss in range(1, 7)], 50
    )
    lowest = top
    for name, kind, points in lines:
        body.append(polyline([place(*point) for point in points], f"hollow line-{kind}", width=2.5))
        x, y = place(*points[-1])
        lowest = max(lowest + 38, y)
        algorithm, _, limit = name.partition(", ")
        body += [text(x + 12, lowest - 3, algorithm, f"strong small {kind}"), text(x + 12, lowest + 12, limit, "small soft")]
    body.append(text(left + across / 2, top + down + 44, "k", "middle"))
    described = "; ".join(f"{name}: {points[0][1]:.0%} for k = 2, {points[-1][1]:.0%} for k = 50" for name, _, points in lines)
    return picture(left + across + 190, top + down + 62, "Information loss by k", f"Three rising lines. {described}.", body)


_SIZES = ((1, 1), (2, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 199), (200, 10**9))


def class_sizes(folder: Path) -> str:
    """The share of records in equivalence classes of each size, before and after."""
    before, after = (_shares(folder, sizes) for sizes in (_BEFORE, _AFTER))
    names = [f"{low}" if low == high else f"{low}+" if high > 10**6 else f"{low}-{high}" for low, high in _SIZES]
    left, top, across, down = 62.0, 80.0, 800.0, 280.0
    tenths = ceil(10 * max(*before, *after))
    wide = across / len(names)

    def place(number: float, share: float) -> tuple[float, float]:
        return left + wide * number, top + down * (1 - 10 * share / tenths)

    body = [text(20, 32, "Records by the size of their equivalence class", "strong")]
    body += _legend(20, 54, [("before", "before"), ("after", "after"), (f"classes below k = {_K}", "pale-bad")])
    below = sum(low < _K for low, _ in _SIZES)
    body.append(rect(left, top, wide * below, down, "pale-bad"))
    body += _grid(place, [], [(share / 10, f"{share}0%") for share in range(1, tenths + 1)], len(names))
    for number, name in enumerate(names):
        body.append(text(left + wide * (number + 0.5), top + down + 20, name, "middle small"))
        for side, (share, kind) in enumerate(((before[number], "before"), (after[number], "after"))):
            x, y = place(number + 0.12 + 0.38 * side, share)
            body.append(rect(x, y, wide * 0.36, top + down - y, kind))
            body.append(text(x + wide * 0.18, y - 5, f"{share:.1%}" if share else "0", "middle tiny"))
    body.append(text(left + across / 2, top + down + 46, "records in the class", "middle"))
    described = ", ".join(
        f"{name} records: {old:.1%} before, {new:.1%} after" for name, old, new in zip(names, before, after, strict=True)
    )
    return picture(
        left + across + 24,
        top + down + 64,
        "Sizes of equivalence classes before and after",
        f"Pairs of bars. Classes of {described}.",
        body,
    )


_BEFORE = 'select sum(_rows) from duckanon.combinations group by age_0, sex_0, race_0, "marital-status_0"'
_AFTER = "select _rows from duckanon.classes_explained where _verdict = 'released'"


def _sizes(folder: Path, sql: str) -> list[int]:
    """The sizes of all classes of the release of `adult.parquet`, from the largest."""
    return sorted((int(size) for (size,) in runs.query(folder, runs.FOUR, sql)), reverse=True)


def _shares(folder: Path, sql: str) -> list[float]:
    sizes = _sizes(folder, sql)
    return [sum(size for size in sizes if low <= size <= high) / sum(sizes) for low, high in _SIZES]


def risk_curve(folder: Path) -> str:
    """The share of records whose risk is at most some value, before and after, and the threshold."""
    left, top, across, down = 62.0, 76.0, 700.0, 300.0
    least = 3.5

    def place(power: float, share: float) -> tuple[float, float]:
        return left + across * (1 + power / least), top + down * (1 - share)

    body = [text(20, 32, "Share of records with at most this re-identification risk", "strong")]
    body += _legend(20, 54, [("before", "before"), ("after", "after"), (f"risk above 1/{_K}", "pale-bad")])
    threshold, _ = place(log10(1 / _K), 0)
    body.append(rect(threshold, top, left + across - threshold, down, "pale-bad"))
    ticks = [(log10(risk), f"{100 * risk:g}%") for risk in (0.001, 0.01, 0.05, 0.2, 0.5, 1)]
    body += _grid(place, ticks, [(share / 4, f"{25 * share}%") for share in range(1, 5)], 0, start=-least)
    safe = {}
    for name, kind, sql in (("before", "before", _BEFORE), ("after", "after", _AFTER)):
        sizes = _sizes(folder, sql)
        points, share = [(-least, 0.0)], 0.0
        for size in sizes:
            points.append((-log10(size), share))
            share += size / sum(sizes)
            points.append((-log10(size), share))
        points.append((0.0, 1.0))
        safe[name] = sum(size for size in sizes if size >= _K) / sum(sizes)
        body.append(polyline(_thinned([place(*point) for point in points]), f"hollow line-{kind}", width=3))
    body += [
        line(threshold, top - 6, threshold, top + down, "line-bad", width=1.5, dashes="5 4"),
        text(threshold - 8, top - 2, f"threshold 1/{_K}", "end small"),
        text(left + across / 2, top + down + 46, "re-identification risk of a record (logarithmic)", "middle"),
    ]
    description = (
        f"Two rising step lines. Before, {safe['before']:.1%} of the records have at most the threshold of 1/{_K}; after, all of them. "
        "The line of the release reaches 100 % at the threshold."
    )
    return picture(left + across + 30, top + down + 64, "The risk curve before and after", description, body)


def _thinned(points: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """The points without those that round to the one before."""
    last = None
    for x, y in points:
        if (round(x), round(y)) != last:
            yield round(x), round(y)
        last = (round(x), round(y))


def sensitive(folder: Path) -> str:
    """The diagnoses of all patients, and those of the class that differs most, with k-anonymity and with t-closeness."""
    whole, worst = _distributions(folder / "patients.anonymized.csv")
    _, worst_close = _distributions(folder / runs.CLOSE / "patients.anonymized.csv")
    names = sorted(whole, key=lambda name: -whole[name])
    left, top, leading, across = 122.0, 84.0, 52.0, 600.0
    tenths = ceil(10 * max(*whole.values(), *worst.values(), *worst_close.values()))
    scale = 10 * across / tenths
    series = (
        ("all records", "before", whole),
        ("worst class, k = 5", "accent", worst),
        ("worst class, k = 5 and t = 0.3", "after", worst_close),
    )
    distances = [sum(abs(of_class.get(name, 0) - whole[name]) for name in names) / 2 for _, _, of_class in series]
    body = [text(20, 32, "Diagnoses in the release, and in the class that differs most", "strong")]
    labels = [
        f"{name} (distance {distance:.2f})" if distance else name
        for (name, _, _), distance in zip(series, distances, strict=True)
    ]
    body += _legend(20, 56, list(zip(labels, (kind for _, kind, _ in series), strict=True)))
    down = leading * len(names)
    for share in range(tenths + 1):
        x = left + scale * share / 10
        body += [line(x, top, x, top + down, "line-grid"), text(x, top + down + 18, f"{10 * share}%", "middle small soft")]
    for number, name in enumerate(names):
        y = top + leading * number + 6
        body.append(text(left - 10, y + 25, name, "end"))
        for step, (_, kind, of_class) in enumerate(series):
            length = scale * of_class.get(name, 0)
            body.append(rect(left, y + 14 * step, max(length, 1), 12, kind))
            body.append(text(left + max(length, 1) + 5, y + 14 * step + 10, f"{of_class.get(name, 0):.0%}", "tiny soft"))
    description = (
        f"Bars for {len(names)} diagnoses. The distance between the worst class and all records, the t of t-closeness, "
        f"is {distances[1]:.2f} with k-anonymity and {distances[2]:.2f} where t = 0.3 is required too."
    )
    return picture(left + across + 60, top + down + 36, "The sensitive distribution of the worst class", description, body)


def _distributions(path: Path) -> tuple[dict[str, float], dict[str, float]]:
    """The shares of the diagnoses in a release, and in the class whose distance from them is largest."""
    classes: dict[tuple[str, ...], dict[str, int]] = {}
    whole: dict[str, int] = {}
    names, *rows = runs.rows(path)
    for row in rows:
        record = dict(zip(names, row, strict=True))
        diagnosis = record["diagnosis"]
        of_class = classes.setdefault((record["age"], record["sex"], record["postcode"]), {})
        of_class[diagnosis] = of_class.get(diagnosis, 0) + 1
        whole[diagnosis] = whole.get(diagnosis, 0) + 1
    shares = {name: count / len(rows) for name, count in whole.items()}
    of_classes = [
        {name: count / sum(of_class.values()) for name, count in of_class.items()} for _, of_class in sorted(classes.items())
    ]
    return shares, max(of_classes, key=lambda entry: sum(abs(entry.get(name, 0) - share) for name, share in shares.items()))


def _grid(
    place: Place, below: Sequence[tuple[float, str]], beside: Sequence[tuple[float, str]], end: float, *, start: float = 0
) -> Iterator[str]:
    """The lines of a chart from `start` to `end`, with the words of its axes."""
    for share, name in beside:
        x, y = place(start, share)
        yield line(x, y, place(end, 0)[0], y, "line-grid")
        yield text(x - 10, y + 4, name, "end small soft")
    x, y = place(start, 0)
    yield line(x, y, place(end, 0)[0], y, "line-soft")
    for value, name in below:
        x, y = place(value, 0)
        yield line(x, y, x, y + 5, "line-soft")
        yield text(x, y + 20, name, "middle small soft")


def _legend(x: float, y: float, entries: Sequence[tuple[str, str]]) -> Iterator[str]:
    for name, kind in entries:
        yield rect(x, y - 11, 14, 14, kind, round_by=2)
        yield text(x + 20, y, name, "small")
        x += 44 + 6.9 * len(name)
