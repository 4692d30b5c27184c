"""What a run reads and writes: rows, classes and persons, the input, the output files, and the time.

A field with the default None is a key that some manifests do not have. A field without a default is a key that every manifest has; its value may be
null.
"""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationInfo, WithJsonSchema, field_validator, model_validator

from duckanon.dataset.destination import TABLE_MARK
from duckanon.job.policy import expired
from duckanon.observers import Caution

READING = "reading"
"""The validation context of a file. Another version may have written it, so unknown keys are ignored."""

VERSION = 2
"""The version of the manifest format. A change that an older duckanon would misread needs a new version; a new key does not."""

Number = Annotated[int | float, WithJsonSchema({"type": "number"})]
"""A number; an integer stays an integer."""


class Part(BaseModel):
    """A part of a manifest. In a new manifest an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True, defer_build=True)
    EARLIER: ClassVar[Mapping[str, str]] = {"frozen": "saved_recoding", "seal": "checksum"}
    """The keys that version 0.2 wrote under other names."""

    @model_validator(mode="before")
    @classmethod
    def _known(cls, content: Any, info: ValidationInfo) -> Any:
        if info.context != READING or not isinstance(content, dict) or cls.model_config["extra"] == "allow":
            return content
        known = {field.alias or name for name, field in cls.model_fields.items()}
        named = {cls.EARLIER.get(key, key): value for key, value in content.items()}
        return {key: value for key, value in named.items() if key in known}

    def document(self) -> dict[str, Any]:
        """The part as a plain dictionary, as `--json` prints it: without keys that were not set."""
        return self.model_dump(by_alias=True, exclude_unset=True)

    def having(self, **parts: Any) -> Self:
        """A copy with new values of these keys."""
        return self.model_validate(self.parts() | parts)

    def parts(self) -> dict[str, Any]:
        """The values that were set, by the name of the field."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class RowCounts(Part):
    """Numbers of rows read, dropped, suppressed and released."""

    read: int
    """Rows of the input."""
    malformed: int | None = None
    """Malformed lines of CSV files that were left out with `malformed: drop`; `read` does not count them."""
    missing: int
    """Rows dropped because of missing values."""
    suppressed: int
    """Suppressed rows, including rows that an applied recoding does not cover."""
    released: int
    """Rows of the release, counted in the file."""


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
    """Distinct values of the column in the input."""
    removed: int
    """Values that no released record shows, because every record with the value is suppressed."""
    rows: int
    """Rows with a removed value."""


class Subgroups(Part):
    """Groups of a column that lose a notably larger share of their rows than the average."""

    groups: int
    """Number of groups, one for each value or label of the column."""
    above: int
    """Groups that lose more than three times the average share of rows, and at least three rows; or all of their rows."""
    highest: Number
    """The largest share of its rows that a group loses."""


class ProtectedColumn(Part):
    """Suppression by value of a protected column."""

    values: int
    """Distinct values of the column."""
    allowed: Number
    """The largest share of its rows that each value may lose."""
    highest: Number
    """The largest share that a value loses, counted from the rows."""


class SuppressionResult(Part):
    """The suppression limit, and the values and groups that suppression removes."""

    limit: str
    """The limit as it was given."""
    rows: int
    """Rows that the limit allows."""
    style: str
    """`drop`, or `star` for masked records."""
    removed_values: dict[str, RemovedValues] | None = None
    """By column, the values that suppression removes."""
    subgroups: dict[str, Subgroups] | None = None
    """By column, the groups that lose notably more than the average."""
    protected: dict[str, ProtectedColumn] | None = None
    """Suppression by value for each column of `--protect`."""


class WithheldFigures(Part):
    """Figures of microaggregation that the release does not show."""

    classes: int
    """Released classes that show no figure, because fewer than k of their rows (or persons) have a value."""
    rows: int
    """Rows in these classes."""


class LinkedPersons(Part):
    """What a column discloses by linking the rows of a person: the equivalence classes of the person, and the number of rows in each."""

    persons: int
    """Persons whose rows the column links: distinct pseudonyms in the file, or persons with a retained value that fewer than k persons have."""
    required: int
    """The required k."""
    achieved: int
    """The smallest number of persons that have as many rows in the same equivalence classes."""
    persons_below: int
    """Persons who share these numbers with fewer than k persons; `linkable` or `accept` accepted them."""


class TreatedIdentifier(Part):
    """The treatment that replaces the values of a direct identifier, or direct identifiers inside text."""

    treatment: str
    """`pseudonym`, `mask`, `date shift`, or for text `blanked cells` or `replaced text`."""
    algorithm: str | None = None
    """The algorithm of pseudonyms."""
    release: str | None = None
    """The name of the release from which the keys of pseudonyms and shifted dates are derived."""
    domain: str | None = None
    """The domain. Columns with the same domain give a value the same pseudonym."""
    scope: str | None = None
    """The scope within which equal values have equal pseudonyms: `release` or `class`."""
    first: int | None = None
    """Characters that a mask shows at the beginning."""
    last: int | None = None
    """Characters that a mask shows at the end."""
    days: int | None = None
    """The maximum shift of a date in days."""
    weeks: int | None = None
    """The same in weeks."""
    years: int | None = None
    """The same in years."""
    truncate: bool | None = None
    """Whether shifted times became midnight."""
    by: str | None = None
    """The column that identifies the persons whose dates are shifted."""
    blanked: int | None = None
    """Cells of the input that are released as NULL, because direct identifiers are inside their text."""
    replaced: int | None = None
    """Cells of the input that are released as another text."""
    linked: LinkedPersons | None = None
    """What pseudonyms disclose by linking the rows of a person."""


class PossibleValueCounts(Part):
    """The values of a sensitive column that remain possible for persons with rows in several equivalence classes."""

    persons: int
    """These persons, if their value is the same in all their rows."""
    required: int
    """The values that must remain possible."""
    achieved: int
    """The fewest values that all classes of such a person have; 0 without such persons."""
    persons_below: int
    """Persons with fewer; `accept: possible-values` accepted them."""


class PersonCounts(Part):
    """Whether equivalence classes count rows or persons."""

    EARLIER: ClassVar[Mapping[str, str]] = {"counted": "unit"}

    unit: str
    """`rows` or `persons`."""
    column: str | None = None
    """The column that identifies persons; of several, the one with the most values."""
    columns: list[str] | None = None
    """All counted columns: a class has at least k values of each. Manifests of version 0.2 do not have them."""
    chosen: str | None
    """`named` with `--entity`, or `detected` because the column identifies persons and repeats; null if no column does."""
    persons: int | None = None
    """Persons in the input."""
    rows: int | None = None
    """Rows that were counted."""
    rows_without: int | None = None
    """Rows without a value in the column."""
    possible_values: dict[str, PossibleValueCounts] | None = None
    """What remains possible for persons in several equivalence classes, by sensitive column that is constant for nearly all persons."""

    @property
    def caution(self) -> Caution | None:
        """What version 0.2 did not count, which chose one column by its name, or rows; None if the user named it, or every column was looked at."""
        if self.columns is not None or self.chosen == "named":
            return None
        counted = "rows" if self.column is None else f"persons only by {self.column!r}, which it had detected"
        text = f"version 0.2 counted {counted}; now every identifying column that repeats is counted, such as badge_id, iban or iid"
        return Caution("persons", text, self.column)


class NewValues(Part):
    """Values of a quasi-identifier that an applied recoding does not cover."""

    values: int
    """Number of these values."""
    rows: int
    """Rows with such a value."""


class DriftReport(Part):
    """Rows that an applied recoding does not cover, or whose classes do not satisfy the requirements."""

    rows_outside: int
    """Rows with a value that the recoding does not cover."""
    new_values: dict[str, NewValues]
    """New values by quasi-identifier."""
    classes_below: int
    """Classes that do not satisfy the requirements."""
    rows_below: int
    """Rows in these classes."""


class InputFile(Part):
    """The input."""

    name: str
    """The name of the input."""
    rows: int
    """Rows that were read."""
    columns: int
    """Columns that were read."""
    fingerprint: str
    """SHA-256 of the columns, their types and the number of rows; it discloses no value."""


class PolicyFile(Part):
    """The policy of a release: a policy file or a preset."""

    name: str
    """The name of the policy."""
    sha256: str
    """SHA-256 of its keys as JSON with sorted keys and without blanks."""
    expires: str | None = None
    """The last day on which the policy applies, if it has one."""

    @property
    def expiry(self) -> str | None:
        """The message if the policy has expired, or its date is none; None if it applies today."""
        try:
            return None if self.expires is None else expired(self.name, date.fromisoformat(self.expires))
        except ValueError:
            return f"policy {self.name!r} has no valid date of expiry"


class WrittenColumns(Part):
    """Figures of the written file over all columns together."""

    columns: int
    """Columns of the file."""
    unique_records: int
    """Records that are unique on all columns: quasi-identifiers, sensitive and retained columns together."""
    constant_columns: list[str]
    """Columns in which all released records show the same value."""
    became_constant: list[str]
    """Constant columns that have several values in the input."""
    labels: dict[str, list[str]] | None = None
    """By generalized quasi-identifier, up to three of the most frequent labels of the release."""


class WrittenRanges(Part):
    """A quasi-identifier whose ranges are written as numbers or dates (`--ranges`)."""

    written: Literal["bounds", "midpoint"]
    """`bounds`: the lower and the upper bound of each range; `midpoint`: their mean."""
    columns: list[str]
    """The columns of the file that replace the quasi-identifier."""
    max: Literal["excluded", "included", "mixed"] | None = None
    """Whether ranges include their upper bound, if it differs from the lower bound."""


class OutputFile(Part):
    """The release."""

    path: str
    """The path of the release."""
    sha256: str
    """SHA-256 of the file. For a folder, SHA-256 of the lines `SHA-256  relative/path` of its files, sorted by path."""

    @field_validator("path")
    @classmethod
    def _names_a_file(cls, path: str) -> str:
        if not Path(path.partition(TABLE_MARK)[0]).name:
            raise ValueError(f"{path!r} has no file name")
        return path

    @property
    def file(self) -> Path:
        """The file or folder, without the table in it."""
        return Path(self.path.partition(TABLE_MARK)[0])

    @property
    def table(self) -> str:
        """The table in the file, with the mark before it; empty if there is none."""
        return self.path.removeprefix(self.path.partition(TABLE_MARK)[0])


class SavedFolder(Part):
    """The folder of the saved recoding."""

    path: str
    """The name of the folder."""
    sha256: str
    """The SHA-256 of the folder, as of an `output`."""


class Seconds(Part):
    """Duration of each step in seconds."""

    count: Number
    """Reading the input and counting its combinations."""
    search: Number
    """The search."""
    write: Number
    """Writing the release."""
    verify: Number
    """The verification of the written file."""
    total: Number
    """The whole run."""


class ReleaseReference(Part):
    """The release of a manifest."""

    output: OutputFile


class CountedReference(Part):
    """What the classes of a manifest count."""

    persons: PersonCounts | None = None


class SavedRecodingReference(CountedReference, ReleaseReference):
    """The release and the saved recoding of a manifest, and what it counts."""

    saved_recoding: SavedFolder
    lost_columns: list[str] | None = None
