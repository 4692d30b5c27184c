"""The job: what to protect, and how, as one model."""

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, field_validator, model_validator

from duckanon.choices import (
    Aggregate,
    Algorithm,
    DecideOn,
    Median,
    MissingPolicy,
    ObjectiveName,
    Others,
    Policy,
    Role,
    SuppressionStyle,
)
from duckanon.job.column import ColumnPlan, JobModel, as_file
from duckanon.job.policies import PRESETS
from duckanon.privacy import registry as privacy_models
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.alpha_k_anonymity import AlphaKAnonymity
from duckanon.privacy.models.l_diversity import DistinctLDiversity
from duckanon.privacy.models.risk import HighestRisk

DEFAULT_K = 5
DEFAULT_LIMIT = "5%"
ROWS = "none"
"""The `entity` of a job whose rows are counted, whoever they are of."""


def _as_text(value: Any) -> Any:
    return as_file(str(value) if isinstance(value, Path) else value)


Place = Annotated[str, BeforeValidator(_as_text)]
"""A file, a folder, a table, or standard input or output, as the command line takes it."""


class MissingPlan(JobModel):
    """What counts as missing (null for NULL; without tokens NULL does), and what becomes of it."""

    tokens: list[str | None] = []
    """`null` stands for NULL."""
    policy: MissingPolicy = "value"

    @field_validator("tokens", mode="before")
    @classmethod
    def _as_text(cls, tokens: Any) -> Any:
        return [token if token is None else str(token) for token in tokens] if isinstance(tokens, list) else tokens


class KAnonymityRequirement(JobModel):
    """Every class holds at least k rows, or as many as each of its records asks for in a column of its own."""

    model: Literal["k-anonymity"]
    k: Annotated[int, Field(ge=1)] | None = None
    """Rows, or persons, that a class has at least."""
    k_column: str | None = None
    """The column of each record's own k; it is dropped unless a role names it."""

    @model_validator(mode="after")
    def _asks(self) -> "KAnonymityRequirement":
        if self.k is None and self.k_column is None:
            raise ValueError("asks for nothing; give k, or k-column")
        return self


Requirement = Annotated[
    Annotated[KAnonymityRequirement, Tag("k-anonymity")] | privacy_models.AnyModel, Discriminator(privacy_models.tag)
]
"""What a job asks of every class."""


class Limit(JobModel):
    """How many rows may be suppressed: a number of rows, or a share of those that take part."""

    rows: int | None = None
    share: Decimal | None = None

    def of(self, rows: int) -> int:
        """The limit in rows, rounded down exactly."""
        return self.rows if self.rows is not None else int((self.share or Decimal(0)) * rows)

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """`20` rows, `0.05` a share, `5%` a percentage; raises `ValueError`."""
        try:
            if text.strip().endswith("%"):
                share = Decimal(text.strip()[:-1]) / 100
            elif text.strip().lstrip("+-").isdecimal():
                rows = int(text)
                if rows < 0:
                    raise ValueError(f"suppression limit {text} is below 0 rows")
                return cls(rows=rows)
            else:
                share = Decimal(text)
        except InvalidOperation as error:
            raise ValueError(f"suppression limit {text!r} is no number; write 20 (rows), 0.05 or 5%") from error
        if not share.is_finite() or not 0 <= share <= 1:
            raise ValueError(f"suppression limit {text!r} lies outside 0% to 100%; write 20 (rows), 0.05 or 5%")
        return cls(share=share)


class Suppression(JobModel):
    """How much may be removed, and how."""

    limit: str = DEFAULT_LIMIT
    """A share is of the rows that take part, rounded down."""
    style: SuppressionStyle = "drop"

    @field_validator("limit", mode="before")
    @classmethod
    def _as_limit(cls, limit: Any) -> str:
        text = str(limit)
        Limit.parse(text)
        return text


class RecodingPlan(JobModel):
    """Which search, and what it minimizes; `levels` fixes a node instead of searching."""

    algorithm: Algorithm = "optimal"
    refine: bool = True
    time_limit: Annotated[float, Field(gt=0)] | None = None
    """In seconds."""
    max_nodes: Annotated[int, Field(ge=1)] | None = None
    objective: ObjectiveName = "loss"
    aggregate: Aggregate = "mean"
    levels: dict[str, Annotated[int, Field(ge=0)]] | None = None
    """The level of each quasi-identifier."""
    passes: Annotated[list[dict[str, Annotated[int, Field(ge=0)]]], Field(min_length=1)] | None = None
    """The nodes of local recoding in their order, instead of all of the lattice."""
    fallback: dict[str, Annotated[int, Field(ge=0)]] | None = None
    """The node of `passes` at which rows are released that no other may take."""
    partitions: Place | None = None
    """The tree of cuts of an earlier release, which is followed instead of cutting."""
    median: Median = "le-else-lt"
    show_extremes: bool = False


class OutputPlan(JobModel):
    """Where the release goes; rows are shuffled unless told otherwise."""

    path: Place | None = None
    """A file, a folder, a table, or `-`; beside the source unless given."""
    shuffle: bool = True
    partition_by: list[str] = []


class Job(JobModel):
    """Everything that decides a release."""

    version: Literal[1] = 1
    """Of the format of job files."""
    source: Place | None = None
    """What is read, where the command line names nothing: a file, a pattern, a folder, a table, or `-`."""
    names: Annotated[list[str], Field(min_length=1)] | None = None
    """The columns of a CSV source without a header."""
    missing: MissingPlan = MissingPlan()
    columns: dict[str, ColumnPlan] = {}
    others: Others = "drop"
    linked: list[Annotated[list[str], Field(min_length=2)]] = []
    """Columns that give each other away, the quasi-identifier among them: generalized and suppressed together."""
    privacy: list[Requirement] = []
    policy: Policy | None = None
    population: Place | None = None
    population_size: Annotated[int, Field(ge=1)] | None = None
    decide_on: DecideOn = "all"
    entity: str | None = None
    """The column is dropped, unless it is a pseudonym."""
    release: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    linkable: bool = False
    suppression: Suppression = Suppression()
    protect: list[str] = []
    recoding: RecodingPlan = RecodingPlan()
    output: OutputPlan = OutputPlan()
    about: dict[str, Any] = {}
    """Whatever the report shall tell: purpose, controller, recipient, the date of a review."""

    @field_validator("privacy")
    @classmethod
    def _same_k_column(cls, privacy: list[Requirement]) -> list[Requirement]:
        columns = {model.k_column for model in privacy if isinstance(model, KAnonymityRequirement)} - {None}
        if len(columns) > 1:
            raise ValueError(f"each record's own k stands in one column, not in {' and '.join(sorted(map(repr, columns)))}")
        return privacy

    @model_validator(mode="after")
    def _not_weaker(self) -> "Job":
        """A smaller k than the policy's would be a promise that is not kept."""
        if self.policy is not None:
            least = PRESETS[self.policy].k
            given = [model.k for model in self.privacy if isinstance(model, KAnonymityRequirement) and model.k is not None]
            if given and max(given) < least:
                raise ValueError(
                    f"policy {self.policy} asks for k = {least}, and k = {max(given)} is weaker; leave out one of them"
                )
        return self

    @model_validator(mode="after")
    def _of_a_release(self) -> "Job":
        """Without a name, pseudonyms would link every release with every other."""
        if self.is_keyed and self.release is None:
            raise ValueError(
                "has pseudonyms or shifted dates, which are made for one release: name it with --release (`release` in a job), "
                "the same for all tables of it and another for the next"
            )
        return self

    @property
    def is_keyed(self) -> bool:
        """Whether something is made with a key."""
        return any(plan.pseudonym is not None or plan.shift is not None for plan in self.columns.values())

    @property
    def requirements(self) -> list[Requirement]:
        """All that is asked for: by `privacy`, and by the policy where it asks for more."""
        if self.policy is None:
            return self.privacy
        preset, more = PRESETS[self.policy], list[Requirement]()
        if not any(isinstance(model, KAnonymityRequirement) and (model.k or 1) >= preset.k for model in self.privacy):
            more.append(KAnonymityRequirement(model="k-anonymity", k=preset.k))
        if preset.l is not None:
            more += [DistinctLDiversity(l=preset.l, column=name) for name in self.of_role("sensitive")]
        return [*self.privacy, *(model for model in more if model not in self.privacy)]

    @property
    def k(self) -> int:
        """The largest k asked for, 5 where nothing says one, 1 where records ask for their own alone."""
        values = [model.k or 1 for model in self.requirements if isinstance(model, KAnonymityRequirement | AlphaKAnonymity)]
        is_said = bool(values) or any(isinstance(model, HighestRisk) for model in self.requirements)
        return max(values, default=1 if is_said else DEFAULT_K)

    @property
    def k_column(self) -> str | None:
        """The column of each record's own k."""
        columns = (model.k_column for model in self.requirements if isinstance(model, KAnonymityRequirement))
        return next((column for column in columns if column is not None), None)

    @property
    def models(self) -> list[PrivacyModel]:
        """What is asked for beside k-anonymity."""
        return [model for model in self.requirements if not isinstance(model, KAnonymityRequirement)]

    @property
    def limit(self) -> Limit:
        return Limit.parse(self.suppression.limit)

    @property
    def stars(self) -> bool:
        """Whether suppressed rows stay, with their quasi-identifiers at the top."""
        return self.suppression.style == "star"

    def of_role(self, role: Role) -> list[str]:
        """The columns of a role, in declared order."""
        return [name for name, plan in self.columns.items() if plan.role == role]
