"""The model of a job: everything that decides a release."""

from collections.abc import Collection
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, field_validator, model_validator

from duckanon.choices import (
    REMOVED,
    Aggregate,
    Algorithm,
    Cuts,
    DateOrder,
    DecideOn,
    DecimalSign,
    Malformed,
    Median,
    MissingPolicy,
    MissingSensitive,
    ObjectiveName,
    Others,
    Ranges,
    Role,
    SuppressionStyle,
    TextTreatment,
)
from duckanon.dataset import encodings
from duckanon.job import accepted
from duckanon.job.adversary import AdversaryPlan
from duckanon.job.column import DEFAULT_LIMIT, ColumnPlan, JobModel, Limit, as_file
from duckanon.job.keys import listed
from duckanon.job.policy import PolicyReference, refuse_weaker
from duckanon.privacy import registry as privacy_models
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.alpha_k_anonymity import AlphaKAnonymity
from duckanon.privacy.models.risk import HighestRisk
from duckanon.privacy.requirement import Dependency

DEFAULT_K = 5
ROWS = "none"
"""The `entity` of a job that counts rows instead of persons."""


def _as_text(value: Any) -> Any:
    return as_file(str(value) if isinstance(value, Path) else value)


Place = Annotated[str, BeforeValidator(_as_text)]
"""A file, a folder, a table, or standard input or output, as on the command line."""
Texts = Annotated[list[str], BeforeValidator(listed)]
"""A list of texts; a single text is a list of one."""


class MissingPlan(JobModel):
    """The missing values (`null` means NULL; default: NULL only), and their treatment."""

    tokens: list[str | None] = []
    """`null` means NULL. `none` alone: no code is a missing value."""
    policy: MissingPolicy = "value"
    """Missing values: value (default) treats them as a value, drop drops their rows, top generalizes them to the top."""
    sensitive: MissingSensitive = "both"
    """Missing sensitive values: `both` requires the models with them as a value and also without them, `value` only as a
    value (the same as `missing-values` in `accept`)."""
    columns: dict[str, Annotated[list[str], Field(min_length=1)]] = {}
    """Codes that are read as NULL, by column; detected together with roles if there are no tokens."""

    @field_validator("tokens", mode="before")
    @classmethod
    def _as_text(cls, tokens: Any) -> Any:
        return [token if token is None else str(token) for token in listed(tokens)]


class KAnonymityRequirement(JobModel):
    """k-anonymity: every class has at least k rows, and at least as many as the `k-column` of each of its records requires."""

    model: Literal["k-anonymity"]
    k: Annotated[int, Field(ge=1)] | None = None
    """The least number of rows, or of persons, in a class."""
    k_column: str | None = None
    """The column of each record's own k; dropped if it has no role."""

    @model_validator(mode="after")
    def _asks(self) -> "KAnonymityRequirement":
        if self.k is None and self.k_column is None:
            raise ValueError("requires nothing; give k, or k-column")
        return self


Requirement = Annotated[
    Annotated[KAnonymityRequirement, Tag("k-anonymity")] | privacy_models.AnyModel, Discriminator(privacy_models.tag)
]
"""The privacy requirements on every class."""


class Suppression(JobModel):
    """The limit and the style of suppression."""

    limit: str = DEFAULT_LIMIT
    """A number of rows, or a share of the rows that take part, rounded down."""
    style: SuppressionStyle = "drop"
    """Suppressed rows: drop (default), or star: they stay as masked records, one class with every quasi-identifier at the
    top."""
    isolated: bool = False
    """Suppress persons whom pseudonyms would isolate, and records that this release and registered ones would isolate
    together, instead of refusing the release."""

    @field_validator("limit", mode="before")
    @classmethod
    def _as_limit(cls, limit: Any) -> str:
        text = str(limit)
        Limit.parse(text)
        return text


class RecodingPlan(JobModel):
    """The search and its objective; `levels` sets the levels without a search."""

    algorithm: Algorithm = "optimal"
    refine: bool = True
    """Lower the levels of a heuristic while the requirements hold (default), or keep them."""
    time_limit: Annotated[float, Field(gt=0)] | None = None
    """In seconds."""
    max_nodes: Annotated[int, Field(ge=1)] | None = None
    """End the search after N nodes, with the best result so far and a bound."""
    all_nodes: Annotated[bool, Field(exclude=True)] = False
    """Evaluate every node of the lattice."""
    objective: ObjectiveName = "loss"
    """Measure that the search minimizes; default: loss."""
    aggregate: Aggregate = "mean"
    """How the information losses of the columns are combined; default: mean."""
    weights: dict[str, Annotated[Decimal, Field(gt=0)]] = {}
    """The weights of quasi-identifiers in the information loss; they override the `weight` of a column."""
    levels: dict[str, Annotated[int, Field(ge=0)]] | None = None
    """The level of each quasi-identifier."""
    passes: Annotated[list[dict[str, Annotated[int, Field(ge=0)]]], Field(min_length=1)] | None = None
    """The nodes of local recoding, in order; default: all nodes of the lattice."""
    fallback: dict[str, Annotated[int, Field(ge=0)]] | None = None
    """The node of `passes` for the rows that no other node releases."""
    partitions: Place | None = None
    """The tree of cuts of an earlier release, which replaces new cuts."""
    cut: Cuts = "median"
    """Where mondrian cuts a partition: its widest column at the median (median, default); or where the most information
    loss is saved (gain)."""
    median: Median = "le-else-lt"
    """Where mondrian cuts a range at its median: after it or, if a side would fail, before it (le-else-lt, default); or
    only after it (le)."""
    show_extremes: bool = False
    """Show the exact ends of ranges: [17, 22], not <= 22, and [46635, 46930], not [46600, 47000]. By default, ranges of
    mondrian and of microaggregation hide the outer ends, and round the others outwards."""

    @field_validator("algorithm", "objective", mode="before")
    @classmethod
    def _not_removed(cls, word: Any) -> Any:
        if isinstance(word, str) and word in REMOVED:
            raise ValueError(f"{word} was removed; use {REMOVED[word]}")
        return word


class OutputPlan(JobModel):
    """The place of the release; rows are shuffled by default."""

    path: Place | None = None
    """A file, a folder, a table, or `-`; default: beside the source."""
    shuffle: bool = True
    """Write rows in random order (default), or in the order of the input."""
    ranges: Ranges = "text"
    """How ranges of numbers and dates are written: as labels, as two columns `X_min` and `X_max`, or as one column with their midpoint."""
    partition_by: Texts = []
    """Write a folder of Parquet files, partitioned by released columns."""
    public_manifest: Annotated[Place | None, Field(exclude=True)] = None
    """Write a manifest to be published with the release: nothing about the input or suppressed rows, no count below k."""


class Job(JobModel):
    """Everything that decides a release."""

    version: Literal[1] = 1
    """The version of the job file format."""
    source: Place | None = None
    """The input, if the command line names none: a file, a pattern, a folder, a table, or `-`."""
    names: Annotated[Texts, Field(min_length=1)] | None = None
    """The column names of a CSV source without a header."""
    missing: MissingPlan = MissingPlan()
    dates: DateOrder | None = None
    """Dates that are text, as 01/02/1980 or 01-02-80: day-first, month-first, year-first, or text. Detected by default if
    no other order is possible."""
    decimal: DecimalSign | None = None
    """Numbers of a CSV file as 1.234,56: comma, point, or text. Detected by default if no other sign is possible."""
    malformed: Malformed = "refuse"
    """Lines of a CSV file that are no records, such as lines with too few values: refuse (default), or drop. Dropped lines
    are counted."""
    encoding: str | None = None
    """Of CSV and JSON files that are not UTF-8, such as `cp1250` or `iso8859-2`; detected by default if the text decides it."""
    columns: dict[str, ColumnPlan] = {}
    others: Others = "drop"
    linked: list[Annotated[list[str], Field(min_length=2)]] = []
    """Columns that disclose each other, one of them a quasi-identifier: generalized and suppressed together."""
    privacy: list[Requirement] = []
    adversaries: dict[str, AdversaryPlan] = {}
    """Who might recognize a person, and by which quasi-identifiers; without adversaries, one who knows all of them."""
    any: Annotated[int, Field(ge=1)] | None = None
    determined: dict[str, list[Annotated[list[str], Field(min_length=1)]]] = {}
    """By quasi-identifier, the sets of others that determine it: an adversary who knows such a set knows it too. duckanon adds those that it detects."""
    policy: PolicyReference | None = None
    population: Place | None = None
    population_size: Annotated[int, Field(ge=1)] | None = None
    """Rows in the population that the input is a sample of, to estimate population uniques."""
    decide_on: DecideOn = "all"
    """all: every model influences the levels (default); qi: sensitive values influence only the suppression."""
    entity: str | Annotated[list[str], Field(min_length=1)] | None = None
    """The column that identifies persons; dropped, unless it is released as pseudonyms. Of several columns, a class has at least k values of each."""
    release: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    linkable: bool = False
    """Accept that pseudonyms link a person's rows, although fewer than k persons have as many rows in the same classes: the
    same as `linked-rows` in `accept`."""
    accept: Texts = []
    """Risks that are refused unless they are accepted: `CASE`, or `CASE@COLUMN` for one column. The message of the refusal
    names the risk; summary, manifest, report and attestation state it."""
    suppression: Suppression = Suppression()
    protect: Texts = []
    target: str | None = None
    recoding: RecodingPlan = RecodingPlan()
    output: OutputPlan = OutputPlan()
    about: dict[str, Any] = {}
    """Facts for the report: purpose, controller, recipient, the date of a review."""

    @field_validator("privacy")
    @classmethod
    def _same_k_column(cls, privacy: list[Requirement]) -> list[Requirement]:
        columns = {model.k_column for model in privacy if isinstance(model, KAnonymityRequirement)} - {None}
        if len(columns) > 1:
            raise ValueError(f"each record's own k is in one column, not in {' and '.join(sorted(map(repr, columns)))}")
        return privacy

    @field_validator("encoding")
    @classmethod
    def _known_encoding(cls, encoding: str | None) -> str | None:
        return None if encoding is None else encodings.known(encoding)

    @field_validator("accept")
    @classmethod
    def _known_cases(cls, accept: list[str]) -> list[str]:
        for text in accept:
            accepted.parsed(text)
        return accept

    @model_validator(mode="after")
    def _not_weaker(self) -> "Job":
        """Raise `ValueError` if the job requires less than its policy."""
        given = [model.k for model in self.privacy if isinstance(model, KAnonymityRequirement) and model.k is not None]
        refuse_weaker(self, max(given, default=None))
        return self

    @model_validator(mode="after")
    def _of_a_release(self) -> "Job":
        """Raise `ValueError` for keyed values without a release name: pseudonyms would link all releases."""
        if self.is_keyed and self.release is None:
            raise ValueError(
                "has pseudonyms or shifted dates, which belong to one release: name it with --release (`release` in a job), "
                "the same name for all its tables and another for the next release"
            )
        return self

    @property
    def texts(self) -> dict[str, TextTreatment]:
        """The columns of text that may hold direct identifiers, with what becomes of these."""
        return {name: plan.text for name, plan in self.columns.items() if plan.text is not None}

    @property
    def is_keyed(self) -> bool:
        """Whether a column needs a key."""
        return any(plan.pseudonym is not None or plan.shift is not None for plan in self.columns.values())

    @property
    def requirements(self) -> list[Requirement]:
        """The requirements of `privacy`, and those of the policy that are stricter."""
        least, more = self.least_k, list[Requirement]()
        if least > 1 and not any(
            isinstance(model, KAnonymityRequirement) and (model.k or 1) >= least for model in self.privacy
        ):
            more.append(KAnonymityRequirement(model="k-anonymity", k=least))
        more += self.policy_models
        return [*self.privacy, *(model for model in more if model not in self.privacy)]

    @property
    def least_k(self) -> int:
        """The smallest k that the policy allows; 1 without a policy. Adversaries of the job have those of `least_k_of`."""
        if self.policy is None:
            return 1
        return self.policy.least_k if self.adversaries else self.policy.largest_k

    def least_k_of(self, columns: Collection[str]) -> int:
        """The smallest k that the policy allows for an adversary who knows these columns; 1 without a policy."""
        return 1 if self.policy is None else self.policy.k_of(columns)

    @property
    def policy_models(self) -> list[PrivacyModel]:
        """The models that the policy requires, of each sensitive column."""
        return [] if self.policy is None else self.policy.models_of(self.of_role("sensitive"))

    def may_suppress(self, limit: Limit, rows: int) -> bool:
        """Whether the policy allows a suppression limit, if so many rows take part."""
        most = None if self.policy is None else self.policy.limit
        return most is None or (self.policy is not None and self.policy.allows(limit) and limit.of(rows) <= most.of(rows))

    @property
    def k(self) -> int:
        """The largest required k. Without one: 1 if a `k-column` or a highest risk is required, else 5."""
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
        """The requirements other than k-anonymity."""
        return [model for model in self.requirements if not isinstance(model, KAnonymityRequirement)]

    @property
    def dependencies(self) -> list[Dependency]:
        """The dependencies of `determined`."""
        return [Dependency(tuple(known), name) for name, sets in self.determined.items() for known in sets]

    def accepts(self, case: str, column: str | None = None) -> bool:
        """Whether the job accepts a case of `accepted.CASES`, for this column or for all."""
        return accepted.accepts(self.accepted, case, column)

    @property
    def accepted(self) -> list[str]:
        """The accepted cases, each once."""
        implied = [
            *(["linked-rows"] if self.linkable else []),
            *(["missing-values"] if self.missing.sensitive == "value" else []),
        ]
        return list(dict.fromkeys([*implied, *self.accept]))

    @property
    def limit(self) -> Limit:
        return Limit.parse(self.suppression.limit)

    @property
    def keep_suppressed_rows(self) -> bool:
        """Whether suppressed rows stay as masked records, with their quasi-identifiers at the top."""
        return self.suppression.style == "star"

    def ranges_of(self, name: str) -> Ranges:
        """The form in which the ranges of a quasi-identifier are written."""
        plan = self.columns.get(name)
        return self.output.ranges if plan is None or plan.ranges is None else plan.ranges

    @property
    def entities(self) -> tuple[str, ...]:
        """The columns that identify persons, or `none`."""
        return () if self.entity is None else (self.entity,) if isinstance(self.entity, str) else tuple(self.entity)

    def of_role(self, role: Role) -> list[str]:
        """The columns with a role, in declared order."""
        return [name for name, plan in self.columns.items() if plan.role == role]
