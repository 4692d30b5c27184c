"""The shares of values among the cells that show one: where a recoding hides a value more often than others, statistics of these cells are biased."""

from collections.abc import Sequence
from dataclasses import dataclass

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.formatting import first_of
from duckanon.hierarchy.attributes import Attribute
from duckanon.observers import Caution, Observer
from duckanon.release.recoding import Recoding
from duckanon.search.count import Counted

_MOST_VALUES = 20
"""Values of a column whose shares an analysis compares."""
_NOTABLE = 0.1
"""The difference of two shares above which a warning says so."""
_STAGE = "comparing the shares of values"


@dataclass(frozen=True)
class ShownShare:
    """The value of a column whose share differs most: among all records, and among the cells that show a value."""

    column: str
    true: float
    shown: float

    @property
    def difference(self) -> float:
        return abs(self.true - self.shown)


def shown_shares(engine: Engine, counted: Counted, recoding: Recoding) -> list[ShownShare]:
    """Of each quasi-identifier with few values, some of which the written file shows. Reads `written_classes`."""
    if engine.is_remote("combinations"):
        return []
    chosen = [
        attribute
        for attribute, marginal in zip(counted.attributes, counted.marginals, strict=True)
        if 1 < marginal.distinct[attribute.min_level] <= _MOST_VALUES and attribute.name not in recoding.ranged_names
    ]
    return [share for attribute in chosen if (share := _largest(engine, attribute)) is not None]


def warn_of_bias(shares: Sequence[ShownShare], observer: Observer) -> None:
    """Warn of the columns whose shown cells have notably other shares than the records."""
    notable = sorted((share for share in shares if share.difference > _NOTABLE), key=lambda share: -share.difference)
    if notable:
        columns = [
            f"{share.column!r} (one has {share.true:.1%} of the records and {share.shown:.1%} of these cells)"
            for share in notable
        ]
        observer.warn(
            Caution(
                "shown-shares",
                f"shares are off by more than {100 * _NOTABLE:.0f} points among the cells that show a value of {first_of(columns)}: do not compute "
                "shares from these cells alone; the report estimates them from all labels, and --algorithm optimal gives a column equal labels",
            )
        )


def _largest(engine: Engine, attribute: Attribute) -> ShownShare | None:
    rows = [
        (int(count), int(shown)) for count, shown in engine.query(render("release/visible_values", attribute=attribute), _STAGE)
    ]
    all_rows, all_shown = (sum(column) for column in zip(*rows, strict=True))
    if not all_shown:
        return None
    shares = (ShownShare(attribute.name, count / all_rows, shown / all_shown) for count, shown in rows)
    return max(shares, key=lambda share: share.difference)
