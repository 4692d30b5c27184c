"""Risk and metrics."""

from pydantic import Field

from duckanon.release.manifest_model.part import Number, Part


class AdversaryRisk(Part):
    """The risk that one kind of adversary is to the records."""

    highest: Number
    """The highest risk of a record."""
    average: Number
    """The average risk of a record."""
    at_risk: dict[str, Number]
    """The share of the rows above each threshold."""


class SizeBin(Part):
    """Equivalence classes of about the same size."""

    from_: int = Field(alias="from")
    """The smallest size of these classes."""
    to: int
    """The largest size of these classes."""
    classes: int
    """Classes of these sizes."""
    rows: int
    """Rows of these classes."""


class RiskFigures(Part):
    """Re-identification risk at one recoding."""

    of: str
    """`rows`, or the column of persons."""
    rows: int
    """Rows that were counted."""
    classes: int
    """Equivalence classes."""
    uniques: int
    """Rows, or persons, that are unique by the quasi-identifiers."""
    prosecutor: AdversaryRisk
    """The adversary who knows that a person is in the table."""
    journalist: AdversaryRisk
    """The adversary who knows that a person is in the population."""
    marketer: Number
    """The share of the rows that an adversary re-identifies correctly who wants as many as possible."""
    sizes: list[SizeBin]
    """Rows and classes by the size of the class."""
    levels: dict[str, int] | None = None
    """Of `before`: the least levels that the job allows, where these are not the values themselves."""


class UniquesEstimate(Part):
    """What one estimator says about the population."""

    model: str
    """The estimator: `zayatz`, `pitman` or `snb`."""
    uniques: Number | None
    """Unique records of the population; null where the estimator has no solution."""
    share: Number | None
    """The same as a share of the population."""
    failed: str | None
    """Why the estimator has no solution."""


class PopulationUniques(Part):
    """Unique records of the population, by every estimator."""

    population: int
    """Rows of the population."""
    sample_fraction: Number
    """The share of the population that the input is."""
    model: str
    """The estimator to trust."""
    estimates: list[UniquesEstimate]
    """Every estimator."""


class RiskSummary(Part):
    """Re-identification risk before and after."""

    before: RiskFigures
    """At the least levels that the job allows."""
    after: RiskFigures | None
    """Of the release; null where there is none."""
    population: PopulationUniques | None = None
    """Estimates of the unique records of the population."""


class MetricValues(Part):
    """Metrics that not every recoding or every version has are left out."""

    loss: Number
    """Mean loss of a cell."""
    loss_by_attribute: dict[str, Number]
    """By quasi-identifier."""
    loss_sum: Number
    """The sum of the losses of the quasi-identifiers."""
    loss_kept: Number
    """The same over released rows."""
    leaf_loss: Number | None = None
    """The loss by leaves, of recodings by regions."""
    leaf_loss_by_attribute: dict[str, Number] | None = None
    """By quasi-identifier."""
    range_loss: Number | None = None
    """The loss by the width of ranges, of recodings by regions."""
    range_loss_by_attribute: dict[str, Number] | None = None
    """By quasi-identifier."""
    granularity: Number
    """1 less the unweighted loss."""
    precision: Number | None
    """1 less the mean of level over height; null where cells have no level."""
    distortion: Number | None
    """The mean of what the hierarchies say that a level loses; null where one does not say it."""
    discernibility: Number
    """The sum of squared class sizes, a suppressed row counting as the whole table."""
    discernibility_star: Number
    """The sum of squared class sizes."""
    average_class_size: Number | None
    """Rows of a released class; null where none is released."""
    entropy: Number
    """Bits about the values that are withheld."""
