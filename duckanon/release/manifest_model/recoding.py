"""What became of the quasi-identifiers."""

from typing import Annotated, Any

from pydantic import Discriminator, Tag

from duckanon.release.manifest_model.part import Number, Part


class ObjectiveValue(Part):
    """The value of the objective and how far from the best it can be."""

    name: str
    """The objective, as `loss`."""
    aggregate: str | None
    """How the losses of the quasi-identifiers are put together; null for objectives of classes."""
    value: Number
    """The value of the recoding."""
    bound: Number
    """No node that satisfies has a lower value."""
    gap: Number
    """The difference between `value` and `bound`, as a share of `value`."""
    proven: bool
    """Whether the recoding is proven optimal."""


class FullDomainRecoding(Part):
    """One level of each quasi-identifier, for every row."""

    algorithm: str
    """The search; `levels` where the levels were given."""
    levels: dict[str, int]
    """By quasi-identifier, in the order of the lattice."""
    lattice: int
    """Nodes of the lattice."""
    visited: int
    """Nodes that the search looked at."""
    objective: ObjectiveValue
    """What the search minimized."""
    ties: list[dict[str, int]]
    """Other nodes of the same value, where they are known."""
    decided_on: str | None = None
    """`quasi-identifiers`, where sensitive values took no part in the choice."""
    stopped: str | None = None
    """`time-limit` or `max-nodes`, where one of them ended the search."""
    refined_from: dict[str, int] | None = None
    """Where a heuristic ended before it passed back down."""
    minimal: list[dict[str, int]] | None = None
    """All minimal nodes, of `bidirectional`."""


class PartitionRecoding(Part):
    """Partitions that are recoded one by one, of `mondrian`."""

    algorithm: str
    """The search."""
    partitions: int
    """Partitions of the release."""
    rounds: int
    """Rounds of cuts."""
    median: str
    """The median at which a partition is cut."""
    objective: ObjectiveValue
    """What the release loses."""
    decided_on: str | None = None
    """`quasi-identifiers`, where sensitive values took no part in the choice."""


class PassResult(Part):
    """One pass of `local`."""

    levels: dict[str, int]
    """By quasi-identifier."""
    rows: int
    """Rows that the pass released."""
    classes: int
    """Equivalence classes that the pass released."""


class PassRecoding(Part):
    """Passes of full-domain generalization, each with levels of its own, of `local`."""

    algorithm: str
    """The search."""
    passes: list[PassResult]
    """The passes that released rows, in order."""
    fallback: dict[str, int] | None = None
    """Levels of the recoding that every pass keeps to, by quasi-identifier."""
    lattice: int
    """Nodes of the lattice."""
    visited: int
    """Nodes that the search looked at."""
    stopped: str | None = None
    """`time-limit` or `max-nodes`, where one of them ended the search."""
    objective: ObjectiveValue
    """What the release loses."""
    decided_on: str | None = None
    """`quasi-identifiers`, where sensitive values took no part in the choice."""


def _tag(recoding: Any) -> str:
    """The tag of the model of a recoding, from the key that only this model has."""
    keys = recoding.model_fields_set if isinstance(recoding, Part) else recoding if isinstance(recoding, dict) else ()
    return next((tag for key, tag in TAGS.items() if key in keys), "full-domain recoding")


TAGS = {"levels": "full-domain recoding", "partitions": "recoding by partitions", "passes": "recoding by passes"}
"""The tags of the models of a recoding. A place in a document that does not validate names them, and the document does not."""
RecodingResult = Annotated[
    Annotated[FullDomainRecoding, Tag("full-domain recoding")]
    | Annotated[PartitionRecoding, Tag("recoding by partitions")]
    | Annotated[PassRecoding, Tag("recoding by passes")],
    Discriminator(_tag),
]
