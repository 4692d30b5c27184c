"""The whole manifest, and the public one."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from duckanon.release.manifest_model.figures import (
    Alternative,
    MetricValues,
    PrivacyCheck,
    RecodingResult,
    RegisterComparison,
    RequiredModel,
    RiskSummary,
)
from duckanon.release.manifest_model.files import (
    READING,
    ClassSizes,
    DriftReport,
    InputFile,
    Number,
    OutputFile,
    Part,
    PersonCounts,
    PolicyFile,
    RowCounts,
    SavedFolder,
    Seconds,
    SuppressionResult,
    TreatedIdentifier,
    WithheldFigures,
    WrittenColumns,
    WrittenRanges,
)

Status = Literal["released", "dry-run", "infeasible", "verification-failed"]


def _detected(roles: Any) -> Any:
    return "detected" if roles == "guessed" else roles


class Head(Part):
    """The first keys of the manifest and of the public manifest."""

    duckanon: str
    """The version of duckanon that wrote the manifest."""
    version: int | None = None
    """The version of the manifest format; version 0.1 of duckanon wrote none, which means 1."""
    status: Status
    """`released`, `dry-run`, `infeasible` or `verification-failed`."""
    policy: str | None = None
    """The name of the policy, if one was given."""
    policy_file: PolicyFile | None = None
    """The content of the policy, by its SHA-256."""
    roles: Annotated[Literal["declared", "detected"], BeforeValidator(_detected)]
    """`declared`, or `detected` if duckanon detected the roles because no quasi-identifier was given."""
    about: dict[str, Any]
    """Purpose, controller, recipient, review and other entries of `about` in the job."""
    columns: dict[str, str]
    """The role of each input column, in the public manifest of each released one; `dropped` or `kept` if none was given."""


class Conditions(Part):
    """What the requirements depend on: keys of the manifest, the public manifest and the attestation."""

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
    ranges: dict[str, WrittenRanges] | None = None
    """The quasi-identifiers that are written as numbers or dates instead of labels, each with its columns in the file."""
    microaggregation: dict[str, str] | None = None
    """By microaggregated column, the aggregate function whose result all rows of a class show."""


class Manifest(Conditions, Head):
    """The document of a run: its requirements, its result, and the figures verified in the file."""

    @model_validator(mode="before")
    @classmethod
    def _with_alternatives(cls, content: Any, info: ValidationInfo) -> Any:
        """Version 0.2 wrote one alternative, that of `--any`."""
        if info.context != READING or not isinstance(content, dict) or not isinstance(few := content.get("alternative"), dict):
            return content
        return {**content, "alternatives": [{"options": f"--any {few.get('any_columns')}", **few}]}

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
    alternatives: list[Alternative] | None = None
    """What other options would give, as the search has counted it. The release does not use them."""
    privacy: list[PrivacyCheck]
    """Each required privacy model."""
    risk: RiskSummary | None = None
    """Re-identification risk before and after."""
    metrics: MetricValues
    """Every [metric](metrics.md) by its name."""
    lost_columns: list[str] | None = None
    """The dropped columns that `loss_with_dropped` counts: all but direct identifiers and columns with one value."""
    withheld: dict[str, WithheldFigures] | None = None
    """By microaggregated column, the classes that show no figure."""
    identifiers: dict[str, TreatedIdentifier] | None = None
    """By column, the treatment that replaces direct identifiers, or text that holds them."""
    persons: PersonCounts | None = None
    """Whether equivalence classes count rows or persons."""
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
    warning_codes: list[str] | None = None
    """The [code](errors.md#warnings) of each of these warnings."""
    seconds: Seconds
    """Duration of each step of the run."""
    input: InputFile
    """The input."""
    written: WrittenColumns | None = None
    """Figures of the written file over all columns together."""
    output: OutputFile | None = None
    """The release."""
    saved_recoding: SavedFolder | None = None
    """The folder of the saved recoding, beside the release."""
    job: str | None = None
    """The name of the job file with the detected roles."""
    checksum: str | None = None
    """SHA-256 of all other keys as JSON with sorted keys and without blanks. It detects accidental changes; anyone can compute a new one."""


class ReleaseManifest(Manifest):
    """The manifest of a release in a file; the manifest is beside it."""

    risk: RiskSummary
    output: OutputFile
    saved_recoding: SavedFolder
    checksum: str


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
    """The objective of the search, without its value."""

    name: str
    """The objective."""
    aggregate: str | None
    """How the losses of the quasi-identifiers are aggregated."""


class PublicRecoding(Part):
    """The recoding, without the search."""

    algorithm: str
    """The search algorithm."""
    levels: dict[str, int] | None = None
    """The level of each quasi-identifier, if all rows have the same levels."""
    objective: PublicObjective
    """The objective of the search."""


class PublicSuppression(Part):
    """How rows are suppressed, without counts."""

    style: str
    """`drop`, or `star` for masked records."""


class PublicCheck(RequiredModel):
    """A privacy model with its required value and its verdict."""

    of: str | None = None
    """The column that identifies persons, if persons are counted instead of rows."""
    achieved: Number | None = Field(default_factory=lambda: None)
    """The value of the worst class, for models that can be computed from the released file only; null if it is not bounded."""
    passed: bool
    """Whether the model is satisfied."""


class PublicWritten(Part):
    """Figures of the written file over all columns together."""

    columns: int
    """Columns of the file."""
    unique_records: int | None
    """Records that are unique on all columns."""
    constant_columns: list[str]
    """Columns in which all released records show the same value."""


class PublicManifest(Conditions, Head):
    """The parts of a manifest that may be published. A count below k (or below 5, if k is less) is null."""

    rows: PublicRows
    """Rows of the release."""
    classes: PublicClasses
    """The released equivalence classes, in rows."""
    recoding: PublicRecoding
    """The recoding of the quasi-identifiers."""
    suppression: PublicSuppression
    """How rows are suppressed."""
    privacy: list[PublicCheck]
    """Each required privacy model."""
    written: PublicWritten | None = None
    """Figures of the written file over all columns together."""
    output: OutputFile
    """The name of the file, and its SHA-256."""
    checksum: str
    """SHA-256 of all other keys."""


class RequiredCheck(PrivacyCheck):
    """A privacy model of the manifest or of the public manifest."""

    achieved: Number | None = Field(default_factory=lambda: None)


class RequiredRows(PublicRows):
    """The rows of the release, and those of the source, which only the manifest has."""

    read: int | None = None
    missing: int | None = None


class RequiredSuppression(Part):
    """The suppression limit, which only the manifest has."""

    limit: str | None = None
    rows: int | None = None


class Requirements(Conditions):
    """The requirements of a file: the keys that the manifest and the public manifest have."""

    status: Status
    rows: RequiredRows
    suppression: RequiredSuppression | None = None
    columns: dict[str, str]
    roles: Annotated[str | None, BeforeValidator(_detected)] = None
    """`detected` if duckanon detected the roles; an attestation does not say it."""
    privacy: list[RequiredCheck]
    output: OutputFile
    checksum: str
