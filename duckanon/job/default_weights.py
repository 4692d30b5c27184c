"""Default weights: columns with few values that are associated with others count more in the information loss."""

from collections.abc import Sequence
from decimal import Decimal

from duckanon.dataset.column_profile import ColumnProfile
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render

_FEW_VALUES = 20
"""Distinct values up to which a column is used as categories in an analysis."""
_ROWS = 5_000
"""Rows of the sample on which associations are measured."""
_LARGEST = 3
"""Associations of a column that count: one strong association is a coincidence, the mean over all vanishes in wide tables."""


def default_weights(engine: Engine, profiles: Sequence[ColumnProfile]) -> dict[str, Decimal]:
    """The weights above 1 by column, up to 2: 1 plus the mean of its three largest associations, for columns of at most 20 values.

    An association is Cramer's V, 0 to 1, in the table or in a random sample of about 5,000 of its rows. Numbers and dates with more
    than 20 values take part as tenths of the rows, other columns with more values do not.
    """
    chosen = [profile for profile in profiles if _is_few(profile) or profile.column.is_numeric or profile.column.is_date]
    if len(chosen) < 2 or not any(map(_is_few, chosen)):
        return {}
    rows = chosen[0].rows
    kept = [
        {
            "name": profile.name,
            "holds_numbers": profile.column.holds_numbers,
            "is_text": profile.column.is_text,
            "treatment": None,
        }
        for profile in chosen
    ]
    percent = f"{100 * _ROWS / rows:.6f}" if rows > _ROWS else None
    sample = render("dataset/sampled_records", kept=kept, quasi_identifiers=[], percent=percent, rows="records")
    engine.create_table(sample, stage="weighting the columns")
    statement = render("dataset/associations", columns=[{"is_cut": not _is_few(profile)} for profile in chosen])
    associations: list[list[float]] = [[] for _ in chosen]
    for left, right, association in engine.query(statement):
        associations[left].append(association)
        associations[right].append(association)
    engine.drop("sampled_records")
    weights = {}
    for profile, measured in zip(chosen, associations, strict=True):
        largest = sorted(measured)[-_LARGEST:]
        bonus = Decimal(f"{sum(largest) / len(largest):.1f}") if largest else Decimal(0)
        if bonus and _is_few(profile):
            weights[profile.name] = 1 + bonus
    return weights


def _is_few(profile: ColumnProfile) -> bool:
    return profile.distinct is not None and profile.distinct <= _FEW_VALUES
