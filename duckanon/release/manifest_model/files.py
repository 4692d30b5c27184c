"""What was read, what was written, and how long it took."""

from pathlib import Path

from pydantic import field_validator

from duckanon.dataset.destination import TABLE_MARK
from duckanon.release.manifest_model.part import Number, Part


class InputFile(Part):
    """The input."""

    name: str
    """The name of the input."""
    rows: int
    """Rows that were read."""
    columns: int
    """Columns that were read."""
    fingerprint: str
    """SHA-256 of the columns, their types and the number of rows; it tells no value."""


class WrittenColumns(Part):
    """What the columns of the written file come to together."""

    columns: int
    """Columns of the file."""
    unique_records: int
    """Records that no other record equals in all columns: quasi-identifiers, sensitive and retained ones together."""
    constant_columns: list[str]
    """Columns that show one value."""
    became_constant: list[str]
    """Those of them that have several values in the input."""
    labels: dict[str, list[str]] | None = None
    """By quasi-identifier whose values were generalized, the one or two labels that most released records have."""


class OutputFile(Part):
    """The release."""

    path: str
    """The path of the release."""
    sha256: str
    """Of a file its SHA-256; of a folder that of the lines `SHA-256  relative/path` of its files, sorted by path."""

    @field_validator("path")
    @classmethod
    def _names_a_file(cls, path: str) -> str:
        if not Path(path.partition(TABLE_MARK)[0]).name:
            raise ValueError(f"{path!r} names no file")
        return path

    @property
    def file(self) -> Path:
        """The file or folder, without the table in it."""
        return Path(self.path.partition(TABLE_MARK)[0])

    @property
    def table(self) -> str:
        """The table in the file with the mark before it; empty where there is none."""
        return self.path.removeprefix(self.path.partition(TABLE_MARK)[0])


class SavedFolder(Part):
    """The folder of the saved recoding."""

    path: str
    """The name of the folder."""
    sha256: str
    """The SHA-256 of the folder, as of an `output`."""


class Seconds(Part):
    """How long each step took, in seconds."""

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
    """What a manifest says of the release that it belongs to."""

    output: OutputFile


class SavedRecodingReference(ReleaseReference):
    """What it says of the saved recoding too."""

    frozen: SavedFolder
