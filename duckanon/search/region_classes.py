"""The equivalence classes of a local recoding, judged and measured; regions with equal labels form one class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.row_count import row_count
from duckanon.engine.templates import render
from duckanon.metrics.document import Sums, withheld_bits
from duckanon.metrics.figures import Figures, Marginals
from duckanon.privacy.doubts import Doubts
from duckanon.privacy.judgement import Relations, judgement
from duckanon.privacy.requirement import Requirement
from duckanon.search.count import Counted
from duckanon.search.protected_values import Loss


@dataclass(frozen=True)
class RegionClasses:
    """The equivalence classes of the regions; regions with equal labels form one class."""

    requirement: Requirement
    figures: Figures
    unplaced: int
    """Rows outside all regions."""
    sums: Sequence[Sums]
    """The losses of each quasi-identifier."""
    protected_loss: Loss | None = None
    """The value of a protected column that loses the largest share of its rows."""


def region_classes(
    engine: Engine, counted: Counted, attributes: Sequence[Mapping[str, Any]], *, positions: bool
) -> RegionClasses:
    """Build the classes of the regions and judge them by the whole requirement."""
    requirement = counted.plan.requirement
    engine.create_table(
        render("local_recoding/placements", attributes=attributes, measures=requirement.measures, positions=positions)
    )
    about = {"sets": "placements", "class_keys": ["_class_number"], "persons": requirement.persons}
    for column in requirement.sensitive:
        engine.create_table(render("privacy/class_values", f"class_values_{column}", column=column, **about))
    if requirement.entropies:
        requirement = Doubts().resolve_exactly(engine, requirement, ["_class_number"], "class_values")
    if requirement.counts_shared_persons or counted.intersected:
        engine.create_table(render("privacy/members", "class_members", **about))
    engine.create_table(render("privacy/verdicts", **judged_classes(requirement)))
    [row] = engine.query(render("lattice/node", **judged_classes(requirement, are_judged=True)))
    classes, smallest, released_smallest, released_largest, failing, suppressed, squares, released_squares = (
        int(figure or 0) for figure in row[:8]
    )
    unplaced = counted.rows - row_count(engine, "placements", has_rows=True)
    figures = Figures(
        rows=counted.rows,
        classes=classes,
        smallest=smallest,
        failing_classes=failing,
        suppressed=suppressed + unplaced,
        squares=squares,
        released_squares=released_squares,
        released_smallest=released_smallest,
        released_largest=released_largest,
        failing_rows=suppressed + unplaced,
        passing_classes=classes - failing,
        rescuable=0,
        least_below=0,
    )
    sums = [
        _sums(engine, attribute, marginal, unplaced, figures.rows)
        for attribute, marginal in zip(attributes, counted.marginals, strict=True)
    ]
    protection, loss = counted.protection, None
    if protection is not None and figures.suppressed:
        keys = {attribute.name: attribute.key(attribute.min_level) for attribute in counted.attributes}
        loss = protection.of_regions(engine, keys)
    return RegionClasses(requirement, figures, unplaced, sums, loss)


def judged_classes(requirement: Requirement, *, are_judged: bool = False) -> dict[str, Any]:
    """The template parameters that judge classes by their numbers, or read their verdicts; adversaries know their labels."""
    shown = {name: [name] for adversary in requirement.adversaries for name in adversary.columns}
    classes = "labelled_classes" if shown else "classes"
    relations = Relations(classes, "class_values", members="class_members", sets="placements")
    judged = judgement(requirement, ["_class_number"], stars=False, relations=relations, shown=shown)
    return judged | {"seen_labels": list(shown), "are_judged": are_judged}


def _sums(engine: Engine, attribute: Mapping[str, Any], marginal: Marginals, unplaced: int, rows: int) -> Sums:
    [row] = engine.query(render("metrics/region_losses", attribute=attribute, rows=rows))
    range_loss, loss, kept, information = (float(figure or 0) for figure in row[:4])
    imprecision, distortion = (None if figure is None else float(figure) + unplaced for figure in row[4:])
    bits = withheld_bits(marginal, information + unplaced * log2(rows))
    return Sums(range_loss + unplaced, loss + unplaced, kept, bits, imprecision, distortion)
