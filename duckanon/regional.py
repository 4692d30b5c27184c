"""The search for a recoding by regions: what a row shows depends on where its quasi-identifiers lie together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon import infeasible
from duckanon.algorithms import mondrian
from duckanon.counting import Counted, common
from duckanon.engine.protocol import Engine, Form
from duckanon.giveaways import Hidden, ranges
from duckanon.job import Job
from duckanon.metrics.figures import Figures
from duckanon.metrics.regions import Sums, aggregated
from duckanon.metrics.regions import document as metrics_document
from duckanon.privacy.achieved import Achieved
from duckanon.privacy.doubts import Doubts
from duckanon.privacy.judgement import Relations, judgement
from duckanon.privacy.requirement import Requirement
from duckanon.recoding import Recoding, RegionRecoding
from duckanon.sensitive import check_order
from duckanon.templates import render

_PARTITIONS = "partitions.parquet"


@dataclass(frozen=True)
class Regional:
    """What a search for regions settled on."""

    counted: Counted
    engine: Engine
    requirement: Requirement
    told_of: Sequence[Mapping[str, Any]]
    """What the templates need to know of each attribute."""
    figures: Figures
    limit: int
    sums: Sequence[Sums]
    tree: mondrian.Tree
    unplaced: int
    """Rows that no region takes."""

    @property
    def is_found(self) -> bool:
        return self.figures.suppressed <= self.limit and self.figures.released > 0

    def advice(self, outside: int, *, is_frozen: bool) -> str:
        return infeasible.impossible(self.requirement, self.counted.distributions) or infeasible.of_regions(
            self.requirement, self.figures, self.limit, outside, is_frozen=is_frozen
        )

    def achieved(self) -> Achieved:
        judged = judgement(self.requirement, ["_class_number"], stars=False)
        [row] = self.engine.query(render("release/region_achieved", **judged))
        return Achieved.of(row, self.requirement.all_models)

    def metrics(self) -> dict[str, Any]:
        return metrics_document(self.counted.marginals, self.figures, self.sums)

    def told(self) -> dict[str, Any]:
        recoding = self.counted.job.recoding
        losses = [one.loss / self.figures.rows for one in self.sums]
        value = aggregated(recoding.aggregate, self.counted.marginals, losses)
        return {
            "algorithm": recoding.algorithm,
            "partitions": self.tree.partitions,
            "rounds": self.tree.rounds,
            "median": recoding.median,
            "objective": {
                "name": "loss",
                "aggregate": recoding.aggregate,
                "value": value,
                "bound": 0.0,
                "gap": 1.0 if value else 0.0,
                "proven": False,
            },
        }

    def hidden(self) -> list[tuple[list[Hidden], bool]]:
        return [(ranges(self.counted.attributes, [one.loss > 0 for one in self.sums]), False)]

    def shows_values(self, name: str) -> bool:
        names = [attribute.name for attribute in self.counted.attributes]
        return self.sums[names.index(name)].loss == 0

    def recoding(self, counted: Counted) -> Recoding:
        return RegionRecoding(told=self.told_of, **common(counted, self.requirement) | {"stars": False})

    def content(self, folder: Path) -> dict[str, Any]:
        """The tree of cuts with the labels, in a file of its own."""
        tree = render("mondrian/frozen_tree", attributes=self.told_of)
        self.engine.write(tree, folder / _PARTITIONS, Form("parquet"), stage="freezing the recoding")
        return {"partitions": _PARTITIONS}


def is_asked(job: Job) -> bool:
    """Whether a job's algorithm recodes by regions."""
    return job.recoding.algorithm in ("mondrian", "local") and not job.recoding.levels


def search(engine: Engine, counted: Counted) -> Regional:
    """What the job's algorithm makes of the combinations, or the tree of cuts that the job names."""
    return _judged(
        engine, counted, _cut(engine, counted) if counted.job.recoding.partitions is None else _routed(engine, counted)
    )


def _cut(engine: Engine, counted: Counted) -> mondrian.Tree:
    recoding = counted.job.recoding
    for attribute in counted.attributes:
        if attribute.ordering is not None and attribute.ordering.values:
            check_order(engine, attribute.name, attribute.ordering.values, role="quasi-identifier")
    tree = mondrian.search(engine, counted.attributes, counted.marginals, counted.plan.requirement, recoding.median)
    engine.create_table(render("mondrian/extents", attributes=tree.attributes))
    engine.create_table(
        render(
            "release/regions_of_partitions",
            "regions",
            attributes=tree.attributes,
            show_extremes=recoding.show_extremes,
            rows=counted.rows,
        )
    )
    engine.drop("extents")
    return tree


def _routed(engine: Engine, counted: Counted) -> mondrian.Tree:
    """Cells by frozen cuts, without those that lie outside what the labels cover."""
    path = str(counted.job.recoding.partitions)
    engine.create_table(render("mondrian/frozen_partitions", path=path))
    tree = mondrian.route(engine, counted.attributes, counted.marginals, counted.plan.requirement)
    engine.create_table(render("release/regions_of_tree", "regions", attributes=tree.attributes))
    engine.create_table(render("mondrian/covered_cells", "cells", attributes=tree.attributes))
    engine.drop("frozen_partitions")
    return tree


def _judged(engine: Engine, counted: Counted, tree: mondrian.Tree) -> Regional:
    """The classes that the regions make by their labels, under all that is required."""
    requirement, told = counted.plan.requirement, tree.attributes
    measures = mondrian.measures(requirement)
    engine.create_table(render("release/placements", attributes=told, measures=measures, positions=True))
    for column in requirement.sensitive:
        engine.create_table(render("release/class_values", f"class_values_{column}", column=column))
    if requirement.entropies:
        requirement = Doubts().settle(engine, requirement, ["_class_number"], "class_values")
    judged = judgement(requirement, ["_class_number"], stars=False, relations=Relations("classes", "class_values"))
    engine.create_table(render("release/region_verdicts", "verdicts", **judged))
    [row] = engine.query(render("release/region_figures"))
    classes, smallest, released_smallest, released_largest, failing, suppressed, squares, released_squares, placed = (
        int(figure or 0) for figure in row
    )
    unplaced = counted.rows - placed
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
    outside = counted.drift.rows if counted.drift else 0
    limit = counted.job.limit.of(counted.rows + outside) - outside
    sums = [_sums(engine, attribute, unplaced, bits) for attribute, bits in zip(told, _bits_below(counted), strict=True)]
    return Regional(counted, engine, requirement, told, figures, limit, sums, tree, unplaced)


def _sums(engine: Engine, attribute: Mapping[str, Any], unplaced: int, bits_below: float) -> Sums:
    [(loss, kept, leaf_loss, bits)] = engine.query(render("metrics/region_losses", attribute=attribute))
    return Sums(float(loss or 0) + unplaced, float(kept or 0), float(leaf_loss or 0) + unplaced, float(bits or 0) + bits_below)


def _bits_below(counted: Counted) -> list[float]:
    """What the least levels withhold of the values, an attribute."""
    return [
        marginal.information[attribute.min_level] - marginal.information[0]
        for attribute, marginal in zip(counted.attributes, counted.marginals, strict=True)
    ]
