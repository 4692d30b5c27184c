"""The manifest that may be published."""

from typing import Any

from pydantic import Field

from duckanon.release.manifest_model.document import Status
from duckanon.release.manifest_model.files import OutputFile
from duckanon.release.manifest_model.part import Number, Part
from duckanon.release.manifest_model.privacy import PrivacyCheck, RequiredModel


class PublicRows(Part):
    """The rows of the release."""

    released: int | None
    """Rows of the release."""


class PublicClasses(Part):
    """The released equivalence classes, in rows."""

    count: int | None
    """Released equivalence classes."""
    smallest: int | None
    """Rows of the smallest class."""
    average: Number | None
    """Rows of a class on average."""
    largest: int | None
    """Rows of the largest class."""


class PublicObjective(Part):
    """What the search minimized, without its value."""

    name: str
    """The objective."""
    aggregate: str | None
    """How the losses of the quasi-identifiers are put together."""


class PublicRecoding(Part):
    """The recoding, without the search."""

    algorithm: str
    """The search."""
    levels: dict[str, int] | None = None
    """By quasi-identifier, where every row has the same."""
    objective: PublicObjective
    """What the search minimized."""


class PublicSuppression(Part):
    """How rows are suppressed, without counts."""

    style: str
    """`drop`, or `star` for masked records."""


class PublicCheck(RequiredModel):
    """A privacy model with what it was asked for and whether it holds."""

    of: str | None = None
    """The column of persons, where persons count instead of rows."""
    achieved: Number | None = Field(default_factory=lambda: None)
    """What the worst class has, of models that the released file alone shows; null where no number bounds it."""
    passed: bool
    """Whether the model holds."""


class PublicWritten(Part):
    """What the columns of the file come to together."""

    columns: int
    """Columns of the file."""
    unique_records: int | None
    """Records that no other record equals in all columns."""
    constant_columns: list[str]
    """Columns that show one value."""


class PublicManifest(Part):
    """What may be published of a manifest, and nothing else. A count below k (or 5, if k is less) is null."""

    duckanon: str
    """The version that wrote it."""
    status: Status
    """`released`."""
    policy: str | None = None
    """The preset, where one was named."""
    roles: str
    """`declared`, or `guessed` where no quasi-identifier was named."""
    about: dict[str, Any]
    """What the job says of purpose, controller, recipient, review."""
    columns: dict[str, str]
    """The role of every released column."""
    microaggregation: dict[str, str] | None = None
    """By column, the figure that every row of a class shows."""
    rows: PublicRows
    """Rows of the release."""
    classes: PublicClasses
    """The released equivalence classes, in rows."""
    recoding: PublicRecoding
    """What became of the quasi-identifiers."""
    suppression: PublicSuppression
    """How rows are suppressed."""
    privacy: list[PublicCheck]
    """Each privacy model that was asked for."""
    written: PublicWritten | None = None
    """What the columns of the file come to together."""
    output: OutputFile
    """The name of the file, and its SHA-256."""
    seal: str
    """SHA-256 of all else."""


class RequiredCheck(PrivacyCheck):
    """A privacy model of either manifest."""

    achieved: Number | None = Field(default_factory=lambda: None)


class Requirements(Part):
    """What a file can be checked by: keys that the manifest and the public manifest have."""

    status: Status
    rows: PublicRows
    columns: dict[str, str]
    privacy: list[RequiredCheck]
    output: OutputFile
    seal: str
