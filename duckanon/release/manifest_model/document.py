"""The whole manifest."""

from typing import Any, Literal

from duckanon.release.manifest_model.figures import MetricValues, RiskSummary
from duckanon.release.manifest_model.files import (
    InputFile,
    OutputFile,
    PolicyFile,
    SavedFolder,
    Seconds,
    WrittenColumns,
    WrittenRanges,
)
from duckanon.release.manifest_model.part import Part
from duckanon.release.manifest_model.privacy import PrivacyCheck
from duckanon.release.manifest_model.recoding import AnyColumnsAlternative, RecodingResult
from duckanon.release.manifest_model.register import RegisterComparison
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
    """The document of a run: its requirements, its result, and the figures verified in the file."""

    duckanon: str
    """The version of duckanon that wrote the manifest."""
    version: int | None = None
    """The version of the manifest format; version 0.1 of duckanon wrote none, which means 1."""
    status: Status
    """`released`, `dry-run`, `infeasible` or `verification-failed`."""
    rows: RowCounts
    """Numbers of rows read, dropped, suppressed and released."""
    nulls: dict[str, int] | None = None
    """By quasi-identifier or sensitive column that contains NULL, the number of rows with NULL."""
    classes: ClassSizes
    """The released equivalence classes, in rows."""
    recoding: RecodingResult
    """The recoding of the quasi-identifiers."""
    suppression: SuppressionResult
    """The suppression limit, and the values and groups that suppression removes."""
    alternative: AnyColumnsAlternative | None = None
    """What `--any` would lose, where k for all quasi-identifiers together loses much. The release does not use it."""
    policy: str | None = None
    """The name of the policy, if one was given."""
    policy_file: PolicyFile | None = None
    """The content of the policy, by its SHA-256."""
    adversaries: dict[str, list[str]] | None = None
    """By adversary of the job, the quasi-identifiers that it knows; without it, one adversary knows all of them."""
    any_columns: int | None = None
    """With `--any`, the columns of a set: each set of so many quasi-identifiers is judged."""
    any_chosen: Literal["declared"] | None = None
    """`declared`: the job has `any`. Without the key, version 0.2 wrote the manifest, which assumed `any` in wide tables with detected roles."""
    determined: dict[str, list[list[str]]] | None = None
    """By quasi-identifier, the sets of others that determine it: adversaries who know such a set know it too."""
    accepted: list[str] | None = None
    """Risks that the job accepts: `CASE`, or `CASE@COLUMN` for one column."""
    privacy: list[PrivacyCheck]
    """Each required privacy model."""
    risk: RiskSummary | None = None
    """Re-identification risk before and after."""
    metrics: MetricValues
    """Every [metric](metrics.md) by its name."""
    lost_columns: list[str] | None = None
    """The dropped columns that `loss_with_dropped` counts: all but direct identifiers and columns with one value."""
    microaggregation: dict[str, str] | None = None
    """By microaggregated column, the aggregate function whose result all rows of a class show."""
    withheld: dict[str, WithheldFigures] | None = None
    """By microaggregated column, the classes that show no figure."""
    identifiers: dict[str, TreatedIdentifier] | None = None
    """By direct identifier, the treatment that replaces its values."""
    persons: PersonCounts | None = None
    """Whether equivalence classes count rows or persons."""
    roles: Literal["declared", "guessed"]
    """`declared`, or `guessed` if duckanon detected the roles because no quasi-identifier was given."""
    columns: dict[str, str]
    """The role of each input column; `dropped` or `kept` if none was given."""
    hierarchies: dict[str, str] | None = None
    """The source of each quasi-identifier's hierarchy: a file, a bundled hierarchy, or `suggested by duckanon`."""
    reasons: dict[str, str] | None = None
    """The reason for the role of each column, if roles were detected."""
    drift: DriftReport | None = None
    """New data that an applied recoding does not cover ([saved recodings](../how-to/re-release.md))."""
    earlier_releases: RegisterComparison | None = None
    """The comparison with registered releases, if the run has a register."""
    warnings: list[str]
    """The warnings of the run."""
    about: dict[str, Any]
    """Purpose, controller, recipient, review and other entries of `about` in the job."""
    seconds: Seconds
    """Duration of each step of the run."""
    input: InputFile
    """The input."""
    ranges: dict[str, WrittenRanges] | None = None
    """The quasi-identifiers that are written as numbers or dates instead of labels, each with its columns in the file."""
    written: WrittenColumns | None = None
    """Figures of the written file over all columns together."""
    output: OutputFile | None = None
    """The release."""
    frozen: SavedFolder | None = None
    """The folder of the saved recoding, beside the release."""
    job: str | None = None
    """The name of the job file with the detected roles."""
    seal: str | None = None
    """SHA-256 of all other keys as JSON with sorted keys and without blanks. It detects accidental changes; anyone can compute a new one."""


class ReleaseManifest(Manifest):
    """The manifest of a release in a file; the manifest is beside it."""

    risk: RiskSummary
    output: OutputFile
    frozen: SavedFolder
    seal: str
