"""The shares of values among the cells that show them: where a recoding hides a value more often than others, statistics of these cells are biased."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import ident, render
from duckanon.formatting import first_of, shortened
from duckanon.observers import Caution, Observer
from duckanon.search.count import Counted

NOTABLE = 0.1
"""The difference of two shares above which a warning says so."""
_MOST_VALUES = 20
"""Values of a column whose shares an analysis compares."""
_FEWEST_CELLS = 0.05
"""The share of the released cells that must distinguish values: fewer look like no distribution."""
_STAGE = "comparing the shares of values"

Cells = Iterable[tuple[int, str | None, int, int]]
"""Of a column: a value, a label, the rows with both, and those that are released."""


@dataclass(frozen=True)
class ShownShare:
    """The value or label of a column whose share differs most: among all records, and among the cells that decide whether a record has it."""

    column: str
    true: float
    shown: float

    @property
    def difference(self) -> float:
        return abs(self.true - self.shown)


def shown_shares(
    engine: Engine, counted: Counted, levels: Mapping[str, int], class_keys: Sequence[str], *, without: Sequence[str] = ()
) -> list[ShownShare]:
    """Of each quasi-identifier with few values. Reads `class_results`, and `regions` if there are no `levels` that all rows have."""
    chosen = {
        number: attribute
        for number, (attribute, marginal) in enumerate(zip(counted.attributes, counted.marginals, strict=True), start=1)
        if 1 < marginal.distinct[attribute.min_level] <= _MOST_VALUES and attribute.name not in without
    }
    if not chosen or engine.is_remote("combinations"):
        return []
    attributes = [
        {
            "number": number,
            "value": attribute.key(attribute.min_level) if levels else attribute.name,
            "label": f"sets.{ident(attribute.key(levels[attribute.name]))}" if levels else f"regions.{ident(attribute.name)}",
        }
        for number, attribute in chosen.items()
    ]
    statement = render("local_recoding/shown_labels", attributes=attributes, regional=not levels, class_keys=class_keys)
    cells: dict[int, list[tuple[int, str | None, int, int]]] = {number: [] for number in chosen}
    for number, *cell in engine.query(statement, _STAGE):
        cells[number].append(tuple(cell))
    shares = ((chosen[number].name, _largest(own, chosen[number].ordering is None)) for number, own in cells.items())
    return [ShownShare(name, *pair) for name, pair in shares if pair is not None]


def warn_of_bias(shares: Sequence[ShownShare], observer: Observer) -> None:
    """Warn of the columns whose shown cells have notably other shares than the records."""
    notable = sorted((share for share in shares if share.difference > NOTABLE), key=lambda share: -share.difference)
    if notable:
        columns = [
            f"{share.column!r} (one has {share.true:.1%} of the records and {share.shown:.1%} of these cells)"
            for share in notable
        ]
        observer.warn(
            Caution(
                "shown-shares",
                f"shares are off by more than {100 * NOTABLE:.0f} points among the cells that show a value of {first_of(columns)}: do not compute "
                "shares from these cells alone; the report estimates them from all labels, and --algorithm optimal gives a column equal labels",
                *(share.column for share in notable),
                brief=f"shares among shown values of {shortened([share.column for share in notable], 40)} are off by more than "
                f"{100 * NOTABLE:.0f} points: take them from the report",
            )
        )


def _largest(cells: Cells, has_groups: bool) -> tuple[float, float] | None:
    """The true and the shown share of the set of values for which they differ most; None if no cell distinguishes two values.

    The sets are the values that a label shows or that no label shows, and the groups of values that labels name; ranges overlap. A cell
    decides whether a record is in the set if its label covers only values of the set, or none of them.
    """
    covered: dict[str | None, frozenset[int]] = {}
    rows, released = Counter[int](), Counter[str | None]()
    for value, label, count, kept in cells:
        covered[label] = covered.get(label, frozenset()) | {value}
        rows[value] += count
        released[label] += kept
    labels = {label: values for label, values in covered.items() if len(values) < len(rows) and label != "*"}
    labelled = frozenset[int]().union(*labels.values())
    sets = {values for values in labels.values() if has_groups or len(values) == 1} | {
        frozenset([value]) for value in rows.keys() - labelled
    }
    pairs = []
    for values in sets:
        inside = sum(released[label] for label, own in labels.items() if own <= values)
        outside = sum(released[label] for label, own in labels.items() if not own & values)
        if inside + outside >= max(1, _FEWEST_CELLS * released.total()):
            pairs.append((sum(rows[value] for value in values) / rows.total(), inside / (inside + outside)))
    return max(pairs, key=lambda pair: abs(pair[0] - pair[1]), default=None)
