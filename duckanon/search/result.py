"""The decision: which recoding, by a search of the lattice or of the regions of the table."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from duckanon.engine.protocol import Engine
from duckanon.errors import JobError
from duckanon.metrics.figures import Figures
from duckanon.privacy.achieved import Achieved
from duckanon.privacy.requirement import Requirement
from duckanon.search import local_recoding
from duckanon.search.attribute_inference import Hidden
from duckanon.search.count import Counted
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.full_domain import search as search_lattice
from duckanon.search.protected_values import Loss


class SearchResult(Protocol):
    """What a search settled on: a recoding that satisfies, or the one that came closest."""

    @property
    def is_feasible(self) -> bool:
        """Whether it satisfies."""

    @property
    def full_domain(self) -> FullDomainResult | None:
        """The search of a lattice, where every row has the levels of one node."""

    @property
    def regions(self) -> Sequence[Mapping[str, Any]] | None:
        """What templates need to know of each quasi-identifier, where rows have the labels of their region."""

    @property
    def requirement(self) -> Requirement:
        """What its classes were judged by."""

    @property
    def figures(self) -> Figures:
        """Its classes, and the rows that it suppresses."""

    @property
    def limit(self) -> int:
        """The rows that may be suppressed."""

    @property
    def unplaced(self) -> int:
        """Rows that it has no labels for, which are suppressed."""

    @property
    def protected_loss(self) -> Loss | None:
        """The value of a protected column that loses the largest share of its rows."""

    def advice(self) -> str:
        """One line of why nothing satisfies."""

    def achieved(self) -> Achieved:
        """What its classes achieve under each model."""

    def metrics(self) -> dict[str, Any]:
        """Every metric, by the names of the manifest."""

    def document(self) -> dict[str, Any]:
        """The manifest's `recoding`."""

    def hidden(self) -> list[tuple[list[Hidden], bool]]:
        """What rows show of each quasi-identifier and must not tell more of; with True, what starred rows hide."""

    def shows_values(self, name: str) -> bool:
        """Whether every row shows its own value of a quasi-identifier."""

    def content(self, folder: Path) -> dict[str, Any]:
        """What fixes it in a job's `recoding`; writes what that names beside the job."""


def decide(engine: Engine, counted: Counted, *, all_nodes: bool) -> SearchResult:
    """What the job's algorithm finds, or what its `levels` give."""
    if local_recoding.is_local(counted.job):
        if all_nodes:
            raise JobError(f"--all-nodes decides a lattice, and {counted.job.recoding.algorithm} is none; leave it out")
        if engine.is_away("combinations"):
            raise JobError(
                f"{counted.job.recoding.algorithm} decides on the combinations at home, and they are more than --collect-limit lets come; "
                "raise it, take another algorithm, or generalize from the start (min-level in the job)"
            )
        return local_recoding.search(engine, counted)
    return search_lattice(engine, counted, all_nodes=all_nodes)
