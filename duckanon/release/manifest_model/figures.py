"""Risk and metrics."""

from pydantic import Field

from duckanon.release.manifest_model.part import Number, Part


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

    of: str
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
