"""The recoding of the quasi-identifiers."""

from typing import Annotated, Any

from pydantic import Discriminator, Tag

from duckanon.release.manifest_model.part import Number, Part


class ObjectiveValue(Part):
    """The value of the objective, and its lower bound."""

    name: str
    """The objective, for example `loss`."""
    aggregate: str | None
    """How the losses of the quasi-identifiers are aggregated; null for objectives of classes."""
    value: Number
    """The value of the recoding."""
    bound: Number
    """The lower bound: no node that satisfies the requirements has a lower value."""
    gap: Number
    """The difference between `value` and `bound`, as a share of `value`."""
    proven: bool
    """Whether the recoding is proven optimal."""


class FullDomainRecoding(Part):
    """Full-domain generalization: one level for each quasi-identifier, the same for all rows."""

    algorithm: str
    """The search algorithm; `levels` if the levels were given."""
    levels: dict[str, int]
    """The level of each quasi-identifier, in the order of the lattice."""
    lattice: int
    """Nodes of the lattice."""
    visited: int
    """Nodes that the search visited."""
    objective: ObjectiveValue
    """The objective of the search."""
    ties: list[dict[str, int]]
    """Other nodes with the same value, as far as they are known."""
    decided_on: str | None = None
    """`quasi-identifiers`, if the choice did not depend on sensitive values."""
    stopped: str | None = None
    """`time-limit` or `max-nodes`, if this limit ended the search."""
    refined_from: dict[str, int] | None = None
    """The levels that a heuristic found before it lowered them again."""
    minimal: list[dict[str, int]] | None = None
    """All minimal nodes; `bidirectional` only."""
    compared: dict[str, Number] | None = None
    """The information loss of each algorithm that `auto` tried."""


class PartitionRecoding(Part):
    """Multidimensional partitions, each with its own labels; `mondrian` only."""

    algorithm: str
    """The search algorithm."""
    partitions: int
    """Number of partitions in the release."""
    rounds: int
    """Number of rounds of cuts."""
    median: str
    """The median at which a partition is cut."""
    stopped: str | None = None
    """`time-limit`, if this limit ended the rounds."""
    objective: ObjectiveValue
    """The value of the objective."""
    decided_on: str | None = None
    """`quasi-identifiers`, if the choice did not depend on sensitive values."""
    compared: dict[str, Number] | None = None
    """The information loss of each algorithm that `auto` tried."""


class PassResult(Part):
    """One pass of `local`."""

    levels: dict[str, int]
    """The level of each quasi-identifier."""
    rows: int
    """Rows that the pass released."""
    classes: int
    """Equivalence classes that the pass released."""


class PassRecoding(Part):
    """Passes of full-domain generalization, each with its own levels; `local` only."""

    algorithm: str
    """The search algorithm."""
    passes: list[PassResult]
    """The passes that released rows, in order."""
    fallback: dict[str, int] | None = None
    """By quasi-identifier, the levels of the recoding that limits every pass."""
    lattice: int
    """Nodes of the lattice."""
    visited: int
    """Nodes that the search visited."""
    stopped: str | None = None
    """`time-limit` or `max-nodes`, if this limit ended the search."""
    objective: ObjectiveValue
    """The value of the objective."""
    decided_on: str | None = None
    """`quasi-identifiers`, if the choice did not depend on sensitive values."""
    compared: dict[str, Number] | None = None
    """The information loss of each algorithm that `auto` tried."""


class AnyColumnsAlternative(Part):
    """What `--any` would lose, where k for all quasi-identifiers together loses much. The release does not use it."""

    any_columns: int
    """The columns of a set, as in `--any`."""
    loss: Number
    """The information loss with `--any`."""
    loss_of_all: Number
    """The information loss of the release, in which a column that was dropped for it is lost; 1 if no recoding is feasible."""
    unique_records: int
    """Records that would be unique over all quasi-identifiers together."""


def _tag(recoding: Any) -> str:
    """The tag of a recoding model, from the key that only this model has."""
    keys = recoding.model_fields_set if isinstance(recoding, Part) else recoding if isinstance(recoding, dict) else ()
    return next((tag for key, tag in TAGS.items() if key in keys), "full-domain recoding")


TAGS = {"levels": "full-domain recoding", "partitions": "recoding by partitions", "passes": "recoding by passes"}
"""The tags of the recoding models. The location of a validation error contains them; the document does not."""
RecodingResult = Annotated[
    Annotated[FullDomainRecoding, Tag("full-domain recoding")]
    | Annotated[PartitionRecoding, Tag("recoding by partitions")]
    | Annotated[PassRecoding, Tag("recoding by passes")],
    Discriminator(_tag),
]
