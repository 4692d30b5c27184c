"""The recoding and its figures: privacy, risk, metrics, and the comparison with registered releases."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Discriminator, Field, SerializerFunctionWrapHandler, Tag, model_serializer

from duckanon.release.manifest_model.files import Number, Part


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


class SearchedRecoding(Part):
    """What every kind of recoding has."""

    algorithm: str
    """The search algorithm; `levels` if the levels were given."""
    objective: ObjectiveValue
    """The value of the objective, and how far it is known to be from the optimum."""
    decided_on: str | None = None
    """`quasi-identifiers`, if the choice did not depend on sensitive values."""
    stopped: str | None = None
    """`time-limit` or `max-nodes`, if this limit ended the search."""
    compared: dict[str, Number] | None = None
    """The information loss of each algorithm that `auto` tried."""


class FullDomainRecoding(SearchedRecoding):
    """Full-domain generalization: one level for each quasi-identifier, the same for all rows."""

    levels: dict[str, int]
    """The level of each quasi-identifier, in the order of the lattice."""
    lattice: int
    """Nodes of the lattice."""
    visited: int
    """Nodes that the search visited."""
    ties: list[dict[str, int]]
    """Other nodes with the same value, as far as they are known."""
    refined_from: dict[str, int] | None = None
    """The levels that a heuristic found before it lowered them again."""
    minimal: list[dict[str, int]] | None = None
    """All minimal nodes; `bidirectional` only."""


class PartitionRecoding(SearchedRecoding):
    """Multidimensional partitions, each with its own labels; `mondrian` only."""

    partitions: int
    """Number of partitions in the release."""
    rounds: int
    """Number of rounds of cuts."""
    cut: str = "median"
    """Where a partition is cut: `gain` or `median`."""
    median: str | None = None
    """The median at which a partition is cut."""


class PassResult(Part):
    """One pass of `local`."""

    levels: dict[str, int]
    """The level of each quasi-identifier."""
    rows: int
    """Rows that the pass released."""
    classes: int
    """Equivalence classes that the pass released."""


class PassRecoding(SearchedRecoding):
    """Passes of full-domain generalization, each with its own levels; `local` only."""

    passes: list[PassResult]
    """The passes that released rows, in order."""
    fallback: dict[str, int] | None = None
    """By quasi-identifier, the levels of the recoding that limits every pass."""
    lattice: int
    """Nodes of the lattice."""
    visited: int
    """Nodes that the search visited."""


class Alternative(Part):
    """What other options would give. Version 0.2 wrote only that of `--any`, as `alternative`."""

    EARLIER: ClassVar[Mapping[str, str]] = {"loss_of_all": "loss_of_release"}

    options: str
    """The options to add to the command."""
    loss: Number
    """The information loss with these options."""
    loss_of_release: Number
    """The information loss of the release, in which a column that was dropped for it is lost; 1 if no recoding is feasible."""
    exact: bool | None = None
    """False if the search ended early: a run with these options may lose less."""
    suppressed: int | None = None
    """Rows that would be suppressed."""
    lost_columns: list[str] | None = None
    """The quasi-identifiers that would show no value."""
    any_columns: int | None = None
    """The columns of a set, for `--any`."""
    unique_records: int | None = None
    """Records that would be unique over all quasi-identifiers together, for `--any`."""


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


class RequiredModel(Part):
    """A required privacy model: the keys of a check that the manifest and the public manifest have."""

    model: str
    """The privacy model."""
    column: str | None
    """The sensitive column, or the column with the k of each record; null for models of the quasi-identifiers only."""
    variant: str | None = None
    """The variant of l-diversity or beta-likeness."""
    distance: str | None = None
    """The distance of t-closeness."""
    values: str | None = None
    """The values that delta-disclosure privacy considers."""
    bound: str | None = None
    """The bound, of a model that has several."""
    required: Number
    """The required value."""
    l: Number | None = None  # noqa: E741
    """The l of recursive (c, l)-diversity."""
    k: Number | None = None
    """The k of (alpha, k)-anonymity."""
    adversary: str | None = None
    """The adversary whose classes are judged; without it, the classes of all quasi-identifiers."""


class PrivacyCheck(RequiredModel):
    """A privacy model. Models of other packages have more keys: texts that identify variants, and parameters."""

    model_config = ConfigDict(extra="allow")

    high: Number | None = None
    """The upper bound of delta-presence."""
    of: str | None = None
    """The column that identifies persons, if persons are counted instead of rows."""
    reference: str | None = None
    """`source`: classes are compared with the distribution in the source."""
    achieved: Number | None
    """The value of the worst class, computed from the written file if the file is enough; null if it is not bounded."""
    passed: bool
    """Whether the model is satisfied."""
    achieved_in_file: Number | None = None
    """The same value, compared with the distribution in the released file. It does not decide; `check` without the manifest prints it."""

    @model_serializer(mode="wrap")
    def _in_order(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Sort the keys of models of other packages: texts before `required`, parameters after it."""
        document: dict[str, Any] = handler(self)
        own, more = [key for key in type(self).model_fields if key in document], self.model_extra or {}
        texts = [key for key, value in more.items() if isinstance(value, str)]
        numbers = [key for key in more if key not in texts]
        first, second = own.index("required"), sum(key in own for key in _UP_TO_PARAMETERS)
        ordered = [*own[:first], *texts, *own[first:second], *numbers, *own[second:]]
        return {key: document[key] for key in ordered}


_UP_TO_PARAMETERS = ("model", "column", "variant", "distance", "values", "bound", "required", "l", "k", "high")


class AdversaryRisk(Part):
    """Re-identification risk of the records under one adversary model."""

    highest: Number
    """The highest risk of a record."""
    average: Number
    """The average risk of a record: the mean over the rows of 1 / size of their equivalence class."""
    at_risk: dict[str, Number]
    """The share of the rows above each threshold."""


class SizeBin(Part):
    """Equivalence classes of about the same size."""

    from_: int = Field(alias="from")
    """The smallest size of these classes."""
    to: int
    """The largest size of these classes."""
    classes: int
    """Number of these classes."""
    rows: int
    """Rows in these classes."""


class RiskFigures(Part):
    """Re-identification risk at one recoding."""

    EARLIER: ClassVar[Mapping[str, str]] = {"of": "unit"}

    unit: str
    """`rows`, or the column that identifies persons."""
    rows: int
    """Rows that were counted."""
    classes: int
    """Equivalence classes."""
    uniques: int
    """Rows that are unique by the quasi-identifiers; if persons are counted, equivalence classes of one person."""
    prosecutor: AdversaryRisk
    """The adversary who knows that a person is in the table."""
    journalist: AdversaryRisk
    """The adversary who knows that a person is in the population."""
    marketer: Number
    """The share of the rows that an adversary correctly re-identifies who attacks all of them."""
    sizes: list[SizeBin]
    """Rows and classes by the size of the class."""
    average_of_persons: Number | None = None
    """Only if persons are counted: the average risk of a person, who counts once in each equivalence class; the other averages are those of a row."""
    person_share: Number | None = None
    """Only in a written release of persons: the largest share of the rows of an equivalence class that are of one person."""
    levels: dict[str, int] | None = None
    """Only in `before`: the least levels that the job allows, if these are not the original values."""


class UniquesEstimate(Part):
    """The result of one estimator of population uniques."""

    model: str
    """The estimator: `zayatz`, `pitman` or `snb`."""
    uniques: Number | None
    """Population uniques; null if the estimator has no solution."""
    share: Number | None
    """Population uniques as a share of the population."""
    failed: str | None
    """The reason why the estimator has no solution."""


class PopulationUniques(Part):
    """Estimated population uniques."""

    population: int
    """Rows of the population."""
    sample_fraction: Number
    """Rows of the input as a share of the population."""
    model: str
    """The recommended estimator."""
    estimates: list[UniquesEstimate]
    """The results of all estimators."""


class KnownByAdversary(Part):
    """Re-identification risk by the quasi-identifiers that an adversary of the job knows."""

    columns: list[str]
    """The quasi-identifiers that the adversary knows."""
    before: RiskFigures
    """At the least levels that the job allows."""
    after: RiskFigures | None
    """In the release; null if there is no release."""


class SingledOut(Part):
    """The records that few columns single out."""

    highest: Number
    """The highest risk of a record by any of the sets of columns."""
    uniques: int
    """Records that are unique on some set of columns."""


class KnownByAnyColumns(Part):
    """Re-identification risk by any few of the quasi-identifiers."""

    columns: int
    """The columns of a set."""
    sets: int
    """The sets of so many quasi-identifiers."""
    judged: int
    """The sets that were judged; the others have a column with only one label, so that others imply them."""
    before: SingledOut
    """At the least levels that the job allows."""
    after: SingledOut | None
    """In the release; null if there is no release."""


class RiskSummary(Part):
    """Re-identification risk before and after."""

    before: RiskFigures
    """At the least levels that the job allows."""
    after: RiskFigures | None
    """In the release; null if there is no release."""
    population: PopulationUniques | None = None
    """Estimates of the population uniques."""
    any_columns: KnownByAnyColumns | None = None
    """The same for an adversary who knows any few of the quasi-identifiers."""
    adversaries: dict[str, KnownByAdversary] | None = None
    """The same for each adversary of the job, who knows only some quasi-identifiers."""


class MetricValues(Part):
    """The metrics. Metrics that a recoding or a version does not have are left out."""

    loss: Number
    """Mean information loss of a cell of the quasi-identifiers."""
    loss_with_dropped: Number | None = None
    """Mean information loss of a cell over all columns, where a dropped column loses 1, if one is dropped; direct identifiers and columns with one value are not counted."""
    loss_by_attribute: dict[str, Number]
    """The same by quasi-identifier."""
    loss_sum: Number
    """The sum of the losses of the quasi-identifiers."""
    loss_kept: Number
    """Mean information loss of a cell of the released rows."""
    leaf_loss: Number | None = None
    """Information loss by leaves of the hierarchy; local recodings only."""
    leaf_loss_by_attribute: dict[str, Number] | None = None
    """The same by quasi-identifier."""
    range_loss: Number | None = None
    """Information loss by width of the ranges; local recodings only."""
    range_loss_by_attribute: dict[str, Number] | None = None
    """The same by quasi-identifier."""
    granularity: Number
    """1 minus the unweighted information loss."""
    precision: Number | None
    """1 minus the mean of level / height; null if cells have no level."""
    distortion: Number | None
    """The mean of the losses that the hierarchies declare for their levels; null if a hierarchy declares none."""
    discernibility: Number
    """The sum of squared class sizes; a suppressed row counts as the whole table."""
    discernibility_star: Number
    """The sum of squared class sizes."""
    average_class_size: Number | None
    """Rows of a released class on average; null if no class is released."""
    entropy: Number
    """Information about the values that the release withholds, in bits."""


class RegisterComparison(Part):
    """The comparison with the releases of a register ([releasing again](../how-to/re-release.md))."""

    releases: list[str]
    """The earlier releases with which the release was compared."""
    counted: str
    """`rows` or `persons`: what is counted in intersections of classes."""
    smallest: int | None
    """The smallest intersection of a class with one of an earlier release, in rows or persons; null if they have no record in common."""
    suppressed: int
    """Rows suppressed because they would be isolated; `rows.suppressed` includes them."""
