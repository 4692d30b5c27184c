"""The result of local recoding: its regions, by Mondrian or by passes."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log2
from pathlib import Path
from typing import Any

from duckanon.engine.owner import Owned
from duckanon.engine.protocol import Engine, Form, row_count
from duckanon.engine.templates import Statement, render
from duckanon.hierarchy.attributes import levels_of
from duckanon.lattice import Node
from duckanon.metrics.document import Sums, aggregated, withheld_bits
from duckanon.metrics.document import region_document as metrics_document
from duckanon.metrics.figures import Figures, Marginals
from duckanon.privacy.achieved import Achieved, read_achieved
from duckanon.privacy.entropies import Doubts
from duckanon.privacy.evaluation import Evaluation, Relations, evaluation
from duckanon.privacy.requirement import Requirement
from duckanon.search.algorithms import local, mondrian
from duckanon.search.attribute_inference import Hidden, finer_labels, ranges
from duckanon.search.count import Counted
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.possible_values import PossibleValues, read, statement_of_classes
from duckanon.search.protected_values import Loss

_NOTHING = 1e-6
"""Rows times the share of a range that they lose: less is a rounding error."""
PARTITIONS = "partitions.parquet"
"""The file of a saved recoding with the tree of cuts."""
CELLS = "cells.parquet"
"""The file of a saved recoding with the sets of values that the passes of local recoding released."""


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
        render("local_recoding/region_assignments", attributes=attributes, measures=requirement.measures, positions=positions)
    )
    about = {"sets": "region_assignments", "class_keys": ["_class_number"], "persons": requirement.persons}
    for column in requirement.sensitive:
        engine.create_table(render("privacy/class_values", f"class_values_{column}", column=column, **about))
    if requirement.entropies:
        requirement = Doubts().resolve_exactly(engine, requirement, ["_class_number"], "class_values")
    if requirement.counts_shared_persons or counted.intersected:
        engine.create_table(render("privacy/members", "class_members", **about))
    engine.create_table(render("privacy/class_results", **evaluated_classes(requirement)))
    [row] = engine.query(render("lattice/node", **evaluated_classes(requirement, are_evaluated=True)))
    unplaced = counted.rows - row_count(engine, "region_assignments", has_rows=True)
    *counts, _ = (int(figure or 0) for figure in row)
    figures = Figures.counted(counted.rows, requirement.least_rows, counts)
    suppressed = figures.suppressed + unplaced
    figures = replace(figures, suppressed=suppressed, failing_rows=suppressed)
    sums = [
        _sums(engine, attribute, marginal, unplaced, figures.rows)
        for attribute, marginal in zip(attributes, counted.marginals, strict=True)
    ]
    protection, loss = counted.protection, None
    if protection is not None and figures.suppressed:
        keys = {attribute.name: attribute.key(attribute.min_level) for attribute in counted.attributes}
        loss = protection.of_regions(engine, keys)
    return RegionClasses(requirement, figures, unplaced, sums, loss)


def evaluated_classes(requirement: Requirement, *, are_evaluated: bool = False) -> Evaluation:
    """The terms that judge classes by their numbers, or read their verdicts; adversaries know their labels."""
    shown = {name: [name] for adversary in requirement.adversaries for name in adversary.columns}
    classes = "labelled_classes" if shown else "classes"
    relations = Relations(classes, "class_values", members="class_members", sets="region_assignments")
    evaluated = evaluation(requirement, ["_class_number"], keep_suppressed_rows=False, relations=relations, shown=shown)
    return replace(evaluated, seen_labels=list(shown), are_evaluated=are_evaluated)


def _sums(engine: Engine, attribute: Mapping[str, Any], marginal: Marginals, unplaced: int, rows: int) -> Sums:
    [row] = engine.query(render("metrics/region_losses", attribute=attribute, rows=rows))
    range_loss, loss, kept, information = (float(figure or 0) for figure in row[:4])
    imprecision, distortion = (None if figure is None else float(figure) + unplaced for figure in row[4:])
    bits = withheld_bits(marginal, information + unplaced * log2(rows))
    return Sums(range_loss + unplaced, loss + unplaced, kept, bits, imprecision, distortion)


@dataclass(frozen=True)
class RegionResult(ABC):
    """The result of a search for regions; its properties are those of `FullDomainResult`."""

    counted: Counted
    engine: Engine
    attributes: Sequence[Mapping[str, Any]]
    """The template parameters of each quasi-identifier."""
    classes: RegionClasses
    relations: Owned
    """The relations of the regions and of their classes."""

    @property
    def full_domain(self) -> None:
        return None

    @property
    def regions(self) -> Sequence[Mapping[str, Any]]:
        return self.attributes

    @property
    def requirement(self) -> Requirement:
        return self.classes.requirement

    @property
    def is_feasible(self) -> bool:
        protection = self.counted.protection
        is_allowed = protection is None or protection.allows(self.protected_loss)
        return self.figures.suppressed <= self.limit and self.figures.released > 0 and is_allowed

    @property
    def figures(self) -> Figures:
        return self.classes.figures

    @property
    def protected_loss(self) -> Loss | None:
        return self.classes.protected_loss

    @property
    def limit(self) -> int:
        return self.counted.limit

    @property
    def unplaced(self) -> int:
        return self.classes.unplaced

    def evaluated(self) -> Evaluation:
        return evaluated_classes(self.requirement, are_evaluated=True)

    def possible(self) -> PossibleValues | None:
        columns = self.counted.intersected
        return read(self.engine, columns, self.possible_statement()) if columns else None

    def possible_statement(self) -> Statement:
        return statement_of_classes(
            self.counted.intersected, "class_results", "class_members", "class_values", ["_class_number"], have_results=True
        )

    def achieved(self) -> Achieved:
        return read_achieved(self.engine, self.requirement, self.evaluated())

    def metrics(self) -> dict[str, Any]:
        return metrics_document(self.counted.marginals, self.figures, self.classes.sums)

    @property
    def value(self) -> float:
        """The information loss, aggregated as the job says."""
        losses = [column.loss / self.figures.rows for column in self.classes.sums]
        return aggregated(self.counted.job.recoding.aggregate, self.counted.marginals, losses)

    def document(self) -> dict[str, Any]:
        recoding, value = self.counted.job.recoding, self.value
        objective = {"name": "loss", "aggregate": recoding.aggregate, "value": value}
        objective |= {"bound": 0.0, "gap": 1.0 if value else 0.0, "proven": False}
        decided = {"decided_on": "quasi-identifiers"} if self.counted.job.decide_on == "qi" else {}
        compared = {"compared": dict(self.counted.compared)} if self.counted.compared else {}
        return {"algorithm": recoding.algorithm, **self.details(), "objective": objective, **decided, **compared}

    @abstractmethod
    def details(self) -> dict[str, Any]:
        """The entries of the manifest that describe the regions."""

    @abstractmethod
    def content(self, folder: Path) -> dict[str, Any]:
        """The entries of a job's `recoding` that fix the regions; writes the files that they name into `folder`."""

    def hidden(self) -> list[Hidden]:
        attributes, is_hidden = self.counted.attributes, [not self.shows_values(each.name) for each in self.counted.attributes]
        tops = [attribute.height if is_open else 0 for attribute, is_open in zip(attributes, is_hidden, strict=True)]
        return [*finer_labels(attributes, tops), *ranges(attributes, is_hidden)]

    def drop_relations(self) -> None:
        self.relations.drop()

    def shows_values(self, name: str) -> bool:
        names = [attribute.name for attribute in self.counted.attributes]
        # a suppressed row is lost entirely, and shows no label
        return self.classes.sums[names.index(name)].range_loss - self.figures.suppressed < _NOTHING


SearchResult = FullDomainResult | RegionResult
"""The result of a search: a recoding that satisfies the requirement, or the closest one."""


@dataclass(frozen=True)
class MondrianResult(RegionResult):
    """The partitions of Mondrian."""

    tree: mondrian.PartitionTree

    def details(self) -> dict[str, Any]:
        stopped = {"stopped": self.tree.stopped} if self.tree.stopped else {}
        recoding = self.counted.job.recoding
        cut = {"cut": "gain"} if recoding.cut == "gain" else {"median": recoding.median}
        return {"partitions": self.tree.partitions, "rounds": self.tree.rounds, **cut, **stopped}

    def content(self, folder: Path) -> dict[str, Any]:
        tree = render("mondrian/saved_tree", attributes=self.attributes)
        self.engine.write(tree, folder / PARTITIONS, Form("parquet"), stage="saving the recoding")
        return {"partitions": PARTITIONS}


@dataclass(frozen=True)
class LocalResult(RegionResult):
    """Passes of full-domain generalization, each with its own levels."""

    passes: local.Passes
    lattice: int

    def details(self) -> dict[str, Any]:
        released = {visit: (rows, classes) for visit, rows, classes in self.engine.query(render("local_recoding/passes"))}
        passes = [
            {"levels": self._levels(visit), "rows": int(rows), "classes": int(classes)}
            for visit, (rows, classes) in released.items()
        ]
        stopped = {"stopped": self.passes.stopped} if self.passes.stopped else {}
        return {"passes": passes, **self._fallback, "lattice": self.lattice, "visited": self.passes.visited, **stopped}

    def content(self, folder: Path) -> dict[str, Any]:
        cells = render("local_recoding/saved_cells", attributes=self.attributes)
        self.engine.write(cells, folder / CELLS, Form("parquet"), stage="saving the recoding")
        levels = [levels_of(self.counted.attributes, node) for node in self.lasting]
        return {"passes": levels, **self._fallback}

    @property
    def lasting(self) -> list[Node]:
        """The nodes that reproduce the same regions; the last node takes all rows that no other pass releases."""
        passes = self.passes
        used = {passes.order[visit] for visit in passes.used} | {passes.order[-1], passes.fallback or passes.order[-1]}
        return [node for node in passes.order if node in used]

    @property
    def _fallback(self) -> dict[str, Any]:
        fallback = self.passes.fallback
        return {} if fallback is None else {"fallback": levels_of(self.counted.attributes, fallback)}

    def _levels(self, visit: int) -> dict[str, int]:
        return levels_of(self.counted.attributes, self.passes.order[visit])
