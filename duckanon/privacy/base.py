"""The base classes of the privacy models."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Worst = Literal["least", "most"]
"""The class that determines what a release achieves: the one with the least figure, or with the most."""


def kebab(name: str) -> str:
    """A field's name as it is written in a job file."""
    return name.replace("_", "-")


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, float) else value


Parameter = Annotated[Decimal, BeforeValidator(_as_text), Field(max_digits=18, decimal_places=9, allow_inf_nan=False)]
"""An exact number, so that thresholds are compared as whole numbers. Nine decimal places keep these within the database's range."""


class PrivacyModel(BaseModel):
    """A requirement on every equivalence class; `privacy` in a job file lists models.

    A model is monotone under generalization if a class that is merged from passing classes passes.
    It is also monotone under suppression if, in addition, a failing class contains only classes that fail.
    Then a node suppresses at least as many rows as every node above it, and the search may infer one from the other.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=kebab, populate_by_name=True)

    SQL: ClassVar[str]
    """The name of the model's template in `sql/privacy/models/`."""
    MEANING: ClassVar[str] = ""
    """What the studio says of the model."""
    NAMES: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """The model's names in `--require`, each with the fields that the name sets."""
    PARAMETERS: ClassVar[tuple[str, ...]]
    """The parameters of the model. The first is compared with `achieved`."""
    VARIETY: ClassVar[tuple[str, ...]] = ()
    """The fields that distinguish it from other models of its name."""
    WORST: ClassVar[Worst]
    UNDER_SUPPRESSION: ClassVar[bool] = False
    BOUNDS_ROWS: ClassVar[bool] = False
    """Whether its SQL returns, as `_most_passing`, an upper bound of the rows of a failing class that can pass, however the class is
    split; NULL where it has no bound. If the model is not monotone under generalization, every class with a bound contains a row that cannot pass.
    """
    MEASURES: ClassVar[Sequence[str]] = ()
    """The columns, besides its rows, that a relation of classes needs."""
    NEEDS_WHOLE: ClassVar[bool] = False
    """Whether a class is compared with the whole table, which a release without its suppressed rows does not show."""
    IS_DOUBTFUL: ClassVar[bool] = False
    """Whether floating point may be too imprecise to judge a class."""
    REASON: ClassVar[str]
    """The reason for which a failing class is removed, with its fields in braces."""
    UNREQUESTED: ClassVar[Sequence[Mapping[str, Any]]] = ()
    """The parameters with which `check` measures the model although it is not required; their values do not matter."""

    model: str
    """The model's name in a job file."""

    @classmethod
    def tag(cls) -> str:
        """The key that distinguishes it from all other models of a job: its `model`, and the variant if several share one."""
        name = str(cls.model_fields["model"].default)
        variant = cls.model_fields.get("variant")
        fixed = get_args(variant.annotation) if variant is not None else ()
        return f"{name} {fixed[0]}" if len(fixed) == 1 else name

    @property
    def under_generalization(self) -> bool:
        return True

    @property
    def under_suppression(self) -> bool:
        return self.UNDER_SUPPRESSION

    @property
    def template(self) -> str:
        """The name of its SQL template."""
        return f"privacy/models/{self.SQL}.sql"

    @property
    def bounds_rows(self) -> bool:
        return self.BOUNDS_ROWS

    @property
    def bounds_presence(self) -> bool:
        """Whether every class of the population, also one without a row of the table, must have released rows."""
        return False

    @property
    def counts_pairs(self) -> bool:
        """Whether the model needs shares that sum to 1. Those of persons with several values do not, so pairs of person and value are counted."""
        return False

    @property
    def sensitive(self) -> str | None:
        """The sensitive column of the model; None if it concerns only the quasi-identifiers."""
        return None

    @property
    def needs_hierarchy(self) -> bool:
        """Whether the sensitive column needs a hierarchy."""
        return False

    @property
    def parts(self) -> tuple["PrivacyModel", ...]:
        """The models as which it is judged."""
        return (self,)

    @property
    def least_rows(self) -> int:
        """The minimum rows of a passing class."""
        return 1

    @property
    def parameters(self) -> Mapping[str, Decimal | int]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self.PARAMETERS}

    @property
    def variety(self) -> Mapping[str, str]:
        """The fields and values that distinguish it from other models of its name."""
        return {name: getattr(self, name) for name in self.VARIETY}

    @property
    def figures(self) -> Mapping[str, Any]:
        """The parameters of its template."""
        return {name: exact(number) for name, number in self.parameters.items()}

    @property
    def reason(self) -> str:
        """The reason for which a failing class is removed."""
        return self.REASON.format(**vars(self))

    @property
    def least_values(self) -> int:
        """The minimum number of different sensitive values in the whole table; with fewer, no class passes."""
        return 1


class SensitiveModel(PrivacyModel):
    """A model of the values of a sensitive column within each class."""

    column: str | None = None
    """The sensitive column; by default the only one."""

    @property
    def sensitive(self) -> str | None:
        return self.column


def exact(number: Decimal | int) -> Fraction | int:
    """A parameter for templates: a whole number, or a fraction with `numerator` and `denominator`."""
    return number if isinstance(number, int) else Fraction(number)
