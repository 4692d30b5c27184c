"""The whole manifest."""

from typing import Any, Literal

from duckanon.release.manifest_model.figures import MetricValues, RiskSummary
from duckanon.release.manifest_model.files import InputFile, OutputFile, SavedFolder, Seconds, WrittenColumns
from duckanon.release.manifest_model.part import Part
from duckanon.release.manifest_model.privacy import PrivacyCheck
from duckanon.release.manifest_model.recoding import RecodingResult
from duckanon.release.manifest_model.rows import (
    ClassSizes,
    DriftReport,
    PersonCounts,
    RowCounts,
    SuppressionResult,
    TreatedIdentifier,
    WithheldFigures,
)

Status = Literal["released", "dry-run", "infeasible", "verification-failed"]


class Manifest(Part):
    """The document of a run: what was asked for, what was found, and what was verified in the file."""

    duckanon: str
    """The version that wrote it."""
    status: Status
    """`released`, `dry-run`, `infeasible` or `verification-failed`."""
    rows: RowCounts
    """Rows that were read, dropped, suppressed and released."""
    nulls: dict[str, int] | None = None
    """Rows without a value, of the quasi-identifiers and the sensitive columns that have some."""
    classes: ClassSizes
    """The released equivalence classes, in rows."""
    recoding: RecodingResult
    """What became of the quasi-identifiers."""
    suppression: SuppressionResult
    """What was allowed, and what suppression removes beside rows."""
    policy: str | None = None
    """The preset, where one was named."""
    privacy: list[PrivacyCheck]
    """Each privacy model that was asked for."""
    risk: RiskSummary | None = None
    """The risk before and after."""
    metrics: MetricValues
    """Every [metric](metrics.md) by its name."""
    microaggregation: dict[str, str] | None = None
    """By column, the figure that every row of a class shows."""
    withheld: dict[str, WithheldFigures] | None = None
    """By column, the classes that show no figure."""
    identifiers: dict[str, TreatedIdentifier] | None = None
    """By column, what stands in place of a direct identifier."""
    persons: PersonCounts | None = None
    """What an equivalence class counts: rows or persons."""
    roles: Literal["declared", "guessed"]
    """`declared`, or `guessed` where no quasi-identifier was named."""
    columns: dict[str, str]
    """The role of every column of the input; `dropped` and `kept` where none was named."""
    hierarchies: dict[str, str] | None = None
    """The source of each quasi-identifier's hierarchy: a file, a bundled hierarchy, or `suggested by duckanon`."""
    reasons: dict[str, str] | None = None
    """Why each column got its role, where roles were guessed."""
    drift: DriftReport | None = None
    """What new data bring that an applied recoding was not made for ([saved recodings](../how-to/frozen-recoding.md))."""
    warnings: list[str]
    """The lines that a reader should have seen."""
    about: dict[str, Any]
    """What the job says of purpose, controller, recipient, review."""
    seconds: Seconds
    """How long each part of the run took."""
    input: InputFile
    """What was read."""
    written: WrittenColumns | None = None
    """What the columns of the file come to together, read from the file."""
    output: OutputFile | None = None
    """The release."""
    frozen: SavedFolder | None = None
    """The saved recoding beside the release."""
    job: str | None = None
    """The name of the job file that says the guessed roles."""
    seal: str | None = None
    """SHA-256 of all else as JSON with sorted keys and without blanks: a change shows, though who knows this can seal it anew."""


class ReleaseManifest(Manifest):
    """The manifest of a release in a file, which stands beside it."""

    risk: RiskSummary
    output: OutputFile
    frozen: SavedFolder
    seal: str
