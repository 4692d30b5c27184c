"""Choose a recoding by a search of the lattice or by local recoding."""

from duckanon.engine.protocol import Engine
from duckanon.errors import JobError
from duckanon.search import automatic, local_recoding
from duckanon.search.count import Counted
from duckanon.search.full_domain import search as search_lattice
from duckanon.search.region_result import SearchResult as SearchResult


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
