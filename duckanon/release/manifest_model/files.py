"""The input, the output files, and the duration of the run."""

from pathlib import Path
from typing import Literal

from pydantic import field_validator

from duckanon.dataset.destination import TABLE_MARK
from duckanon.release.manifest_model.part import Number, Part
from duckanon.release.manifest_model.rows import PersonCounts


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

    frozen: SavedFolder
    lost_columns: list[str] | None = None
