"""Choose a recoding by a search of the lattice or by local recoding."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement
from duckanon.errors import JobError
from duckanon.metrics.figures import Figures
from duckanon.privacy.achieved import Achieved
from duckanon.privacy.requirement import Requirement
from duckanon.search import automatic, local_recoding
from duckanon.search.attribute_inference import Hidden
from duckanon.search.count import Counted
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.full_domain import search as search_lattice
from duckanon.search.possible_values import PossibleValues
from duckanon.search.protected_values import Loss


class SearchResult(Protocol):
    """The result of a search: a recoding that satisfies the requirement, or the closest one."""

    @property
    def counted(self) -> Counted:
        """What it was decided on, its job with the algorithm that decided."""

    @property
    def is_feasible(self) -> bool:
        """Whether the recoding satisfies the requirement."""

    @property
    def full_domain(self) -> FullDomainResult | None:
        """The result of a lattice search, in which every row has the levels of one node; None for local recoding."""

    @property
    def regions(self) -> Sequence[Mapping[str, Any]] | None:
        """The template parameters of each quasi-identifier for local recoding; None for a lattice search."""

    @property
    def requirement(self) -> Requirement:
        """The requirement that judged the classes."""

    @property
    def figures(self) -> Figures:
        """The counts of classes and of suppressed rows."""

    @property
    def limit(self) -> int:
        """The rows that may be suppressed."""

    @property
    def unplaced(self) -> int:
        """Rows without labels, which are suppressed."""

    @property
    def protected_loss(self) -> Loss | None:
        """The value of a protected column that loses the largest share of its rows."""

    def advice(self) -> str:
        """One line that says why no recoding satisfies the requirement."""

    def judged(self) -> dict[str, Any]:
        """The template parameters that judge the classes of `verdicts`."""

    def possible(self) -> PossibleValues | None:
        """The sensitive values that remain possible for persons in several classes; None if no column is judged."""

    def possible_statement(self) -> Statement:
        """The statement whose rows are these persons."""

    def achieved(self) -> Achieved:
        """What the classes achieve under each model."""

    def metrics(self) -> dict[str, Any]:
        """All metrics, with the names of the manifest."""

    def document(self) -> dict[str, Any]:
        """The `recoding` of the manifest."""

    def hidden(self) -> list[Hidden]:
        """The labels that other columns must not disclose."""

    def shows_values(self, name: str) -> bool:
        """Whether every row shows its own value of a quasi-identifier."""

    def content(self, folder: Path) -> dict[str, Any]:
        """The entries of a job's `recoding` that fix it; writes the files that they name into `folder`."""


def decide(engine: Engine, counted: Counted, *, all_nodes: bool) -> SearchResult:
    """Run the job's algorithm, or apply the job's `levels`; with all nodes, `auto` is `optimal`, which searches the lattice."""
    if local_recoding.is_local(counted.job):
        if all_nodes:
            raise JobError(
                f"recoding.all-nodes needs a lattice search, and {counted.job.recoding.algorithm} is a local recoding; leave it out"
            )
        if engine.is_remote("combinations"):
            raise JobError(
                f"{counted.job.recoding.algorithm} needs the combinations locally, and their number exceeds --collect-limit; "
                "raise it, use another algorithm, or set min-level in the job"
            )
        return local_recoding.search(engine, counted)
    if counted.job.recoding.algorithm == "auto":
        if not all_nodes:
            return automatic.search(engine, counted)
        counted = automatic.by("optimal", counted, counted.job.recoding.time_limit)
    return search_lattice(engine, counted, all_nodes=all_nodes)
