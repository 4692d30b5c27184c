"""The contribution of each quasi-identifier to the risk."""

from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.risks.column_sets import ClassRelation, column_sets, without_each
from duckanon.risks.special_uniques import SpecialUniques


def attributes(engine: Engine, classes: ClassRelation, special: SpecialUniques | None) -> list[dict[str, Any]]:
    """One entry per quasi-identifier: its distinction and separation, the unique records that remain without it, and its
    contribution, which is the share of the special-uniques score from column sets that contain it; None if it was not measured.
    """
    names = list(classes.keys)
    alone = column_sets(engine, classes, [[name] for name in names])
    without = column_sets(engine, classes, list(without_each(names)))
    contributions = special.contributions(names) if special is not None else {}
    return [
        {
            "column": name,
            "distinction": own["distinction"],
            "separation": own["separation"],
            "uniques_without": others["uniques"],
            "contribution": contributions.get(name),
        }
        for name, own, others in zip(names, alone, without, strict=True)
    ]
