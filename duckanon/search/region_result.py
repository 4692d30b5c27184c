"""The result of local recoding: its regions, by Mondrian or by passes."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon.engine.protocol import Engine, Form
from duckanon.engine.templates import Statement, render
from duckanon.hierarchy.attributes import levels_of
from duckanon.lattice import Node
from duckanon.metrics.document import aggregated
from duckanon.metrics.document import region_document as metrics_document
from duckanon.metrics.figures import Figures
from duckanon.privacy.achieved import Achieved, read_achieved
from duckanon.privacy.requirement import Requirement
from duckanon.search import infeasible
from duckanon.search.algorithms import local, mondrian
from duckanon.search.attribute_inference import Hidden, finer_labels, ranges
from duckanon.search.count import Counted
from duckanon.search.possible_values import PossibleValues, read, statement_of_classes
from duckanon.search.protected_values import Loss
from duckanon.search.region_classes import RegionClasses, judged_classes

_NOTHING = 1e-6
"""Rows times the share of a range that they lose: less is a rounding error."""
PARTITIONS = "partitions.parquet"
"""The file of a saved recoding with the tree of cuts."""


@dataclass(frozen=True)
class RegionResult(ABC):
    """The result of a search for regions."""

    counted: Counted
    engine: Engine
    attributes: Sequence[Mapping[str, Any]]
    """The template parameters of each quasi-identifier."""
    classes: RegionClasses

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

    def advice(self) -> str:
        requirement = self.requirement
        return infeasible.impossible(requirement, self.counted.distributions) or infeasible.of_regions(
            requirement,
            self.figures,
            self.limit,
            self.counted.outside,
            isolated=self.counted.isolated,
            unplaced=self.unplaced,
            is_applied=self.counted.is_applied,
            protection=self.counted.protection,
            loss=self.protected_loss,
        )

    def judged(self) -> dict[str, Any]:
        return judged_classes(self.requirement, are_judged=True)

    def possible(self) -> PossibleValues | None:
        columns = self.counted.intersected
        return read(self.engine, columns, self.possible_statement()) if columns else None

    def possible_statement(self) -> Statement:
        return statement_of_classes(
            self.counted.intersected, "verdicts", "class_members", "class_values", ["_class_number"], have_results=True
        )

    def achieved(self) -> Achieved:
        return read_achieved(self.engine, self.requirement, self.judged())

    def metrics(self) -> dict[str, Any]:
        return metrics_document(self.counted.marginals, self.figures, self.classes.sums)

    def document(self) -> dict[str, Any]:
        recoding = self.counted.job.recoding
        losses = [column.loss / self.figures.rows for column in self.classes.sums]
        value = aggregated(recoding.aggregate, self.counted.marginals, losses)
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

    def shows_values(self, name: str) -> bool:
        names = [attribute.name for attribute in self.counted.attributes]
        # a suppressed row is lost entirely, and shows no label
        return self.classes.sums[names.index(name)].range_loss - self.figures.suppressed < _NOTHING


@dataclass(frozen=True)
class MondrianResult(RegionResult):
    """The partitions of Mondrian."""

    tree: mondrian.PartitionTree

    def details(self) -> dict[str, Any]:
        stopped = {"stopped": self.tree.stopped} if self.tree.stopped else {}
        median = self.counted.job.recoding.median
        return {"partitions": self.tree.partitions, "rounds": self.tree.rounds, "median": median, **stopped}

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
        del folder
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
