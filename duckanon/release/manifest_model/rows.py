"""What became of rows and of columns that are no quasi-identifiers."""

from duckanon.release.manifest_model.part import Number, Part


class RowCounts(Part):
    """What became of the rows."""

    read: int
    """Rows of the input."""
    missing: int
    """Rows that the rule for missing values drops."""
    suppressed: int
    """Rows that are suppressed, with those that an applied recoding does not cover."""
    released: int
    """Rows of the release, as counted in the file."""


class ClassSizes(Part):
    """The released equivalence classes, in rows."""

    count: int
    """Released equivalence classes."""
    smallest: int
    """Rows of the smallest class."""
    average: Number
    """Rows of a class on average."""
    largest: int
    """Rows of the largest class."""


class RemovedValues(Part):
    """Values of a column that suppression removes from the release."""

    values: int
    """Values of the column in the input."""
    removed: int
    """Those of them that no released record shows, because every record with them is suppressed."""
    rows: int
    """Rows with a removed value."""


class Subgroups(Part):
    """Groups of a column that lose far more rows than others."""

    groups: int
    """Groups that the values of the column make."""
    above: int
    """Those of them that lose more than three times the average share of their rows, three rows or more."""
    highest: Number
    """The largest share of its rows that a group loses."""


class ProtectedColumn(Part):
    """What the values of a protected column lose."""

    values: int
    """Values of the column of `--protect`."""
    allowed: Number
    """The share of its rows that each value may lose."""
    highest: Number
    """The largest share that a value loses, counted again from the rows."""


class SuppressionResult(Part):
    """The limit of suppression and what it removes."""

    limit: str
    """The limit as it was asked for."""
    rows: int
    """Rows that the limit allows."""
    style: str
    """`drop`, or `star` for masked records."""
    removed_values: dict[str, RemovedValues] | None = None
    """By column, where suppression removes values."""
    subgroups: dict[str, Subgroups] | None = None
    """By column, where groups lose far more than others."""
    protected: dict[str, ProtectedColumn] | None = None
    """By column of `--protect`."""


class WithheldFigures(Part):
    """Figures of microaggregation that are not shown."""

    classes: int
    """Released classes that show no figure, because fewer than k rows (or persons) of each have a value."""
    rows: int
    """Rows of these classes."""


class LinkedPersons(Part):
    """What pseudonyms tell by linking the rows of a person."""

    persons: int
    """Persons whose rows the pseudonyms link: pseudonyms in the file."""
    required: int
    """The k that was asked for."""
    achieved: int
    """The fewest persons that share a set of classes."""
    persons_below: int
    """Persons in smaller groups than k, which `--linkable` accepted."""


class TreatedIdentifier(Part):
    """What replaces the values of a direct identifier."""

    treatment: str
    """`pseudonym`, `mask` or `date shift`."""
    algorithm: str | None = None
    """What pseudonyms are made with."""
    release: str | None = None
    """The name that the keys are made for, of pseudonyms and shifted dates."""
    domain: str | None = None
    """Columns of one domain give a value the same pseudonym."""
    scope: str | None = None
    """Where equal values have equal pseudonyms: `release` or `class`."""
    first: int | None = None
    """Characters that a mask leaves at the beginning."""
    last: int | None = None
    """Characters that a mask leaves at the end."""
    days: int | None = None
    """Dates move by at most so many days."""
    by: str | None = None
    """The column that tells persons apart whose dates are shifted."""
    linked: LinkedPersons | None = None
    """What pseudonyms tell by linking the rows of a person."""


class PersonCounts(Part):
    """Whether rows or persons count."""

    counted: str
    """What an equivalence class counts: `rows`, or `persons` of a column."""
    column: str | None = None
    """The column that identifies persons."""
    chosen: str | None
    """`named` with `--entity`, or `detected` because the column identifies persons and repeats; null where no column does."""
    persons: int | None = None
    """Persons in the input."""
    rows: int | None = None
    """Rows that were counted."""
    rows_without: int | None = None
    """Rows without a value in the column."""


class NewValues(Part):
    """Values of a column that an applied recoding does not cover."""

    values: int
    """Values that the recoding does not cover."""
    rows: int
    """Rows with such a value."""


class DriftReport(Part):
    """Rows that an applied recoding does not cover, or whose classes do not satisfy the requirements."""

    rows_outside: int
    """Rows with a value that the recoding does not cover."""
    new_values: dict[str, NewValues]
    """By quasi-identifier."""
    classes_below: int
    """Classes that do not satisfy the requirements."""
    rows_below: int
    """Rows of these classes."""
