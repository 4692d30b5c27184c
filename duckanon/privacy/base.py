"""What every privacy model says of itself."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Worst = Literal["least", "most"]
"""Which class tells what a release achieves: the one with the least figure, or with the most."""


def kebab(name: str) -> str:
    """A field's name as it is written in a job."""
    return name.replace("_", "-")


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, float) else value


Parameter = Annotated[Decimal, BeforeValidator(_as_text), Field(max_digits=18, decimal_places=9, allow_inf_nan=False)]
"""An exact number, so that thresholds are compared in whole numbers; nine decimal places keep those within the database's."""


class PrivacyModel(BaseModel):
    """What every class has to satisfy; a job file's `privacy` lists some.

    A model is monotone under generalization where a class that is merged from passing ones passes,
    and under suppression where, besides, whatever fails holds only what fails: then a node
    suppresses at least as many rows as every node above it, and the search may conclude from one to the other.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=kebab, populate_by_name=True)

    SQL: ClassVar[str]
    """The name of its template in `sql/privacy/models/`."""
    NAMES: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """How `--require` calls it, and the fields that each name settles."""
    PARAMETERS: ClassVar[tuple[str, ...]]
    """What it asks for, the one that `achieved` is held against first."""
    VARIETY: ClassVar[tuple[str, ...]] = ()
    """The fields that tell it apart from other models of its name."""
    WORST: ClassVar[Worst]
    UNDER_SUPPRESSION: ClassVar[bool] = False
    BOUNDS_ROWS: ClassVar[bool] = False
    """Whether its SQL tells, as `_kept`, how many rows of a failing class may pass, whatever the class is parted into."""
    MEASURES: ClassVar[Sequence[str]] = ()
    """What a relation of classes has to tell beside its rows."""
    NEEDS_WHOLE: ClassVar[bool] = False
    """Whether a class is held against the whole table, of which a release without its suppressed rows does not tell."""
    IS_DOUBTFUL: ClassVar[bool] = False
    """Whether floating point may be too coarse to judge a class."""
    UNREQUESTED: ClassVar[Sequence[Mapping[str, Any]]] = ()
    """Parameters with which `check` measures it although nobody requires it; their values do not matter."""

    model: str
    """Its name in a job."""

    @classmethod
    def tag(cls) -> str:
        """What tells it apart from every other model in a job: its `model`, and the variant where several share one."""
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
        """Its SQL."""
        return f"privacy/models/{self.SQL}.sql"

    @property
    def bounds_rows(self) -> bool:
        return self.BOUNDS_ROWS

    @property
    def counts_pairs(self) -> bool:
        """Whether it needs shares that add up to 1, which those of persons with several values do not: then pairs are counted."""
        return False

    @property
    def sensitive(self) -> str | None:
        """The sensitive column that it is about, None where it is about the quasi-identifiers alone."""
        return None

    @property
    def needs_hierarchy(self) -> bool:
        """Whether the sensitive column needs a hierarchy."""
        return False

    @property
    def parts(self) -> tuple["PrivacyModel", ...]:
        """The models that it is judged as."""
        return (self,)

    @property
    def least_rows(self) -> int:
        """No class with fewer rows passes."""
        return 1

    @property
    def parameters(self) -> Mapping[str, Decimal | int]:
        """The parameters by their names."""
        return {name: getattr(self, name) for name in self.PARAMETERS}

    @property
    def variety(self) -> Mapping[str, str]:
        """What tells it apart from other models of its name."""
        return {name: getattr(self, name) for name in self.VARIETY}

    @property
    def figures(self) -> Mapping[str, Any]:
        """What its template needs."""
        return {name: exact(number) for name, number in self.parameters.items()}

    @property
    def reason(self) -> str:
        """Why a class that fails is removed."""
        raise NotImplementedError

    @property
    def least_values(self) -> int:
        """With fewer sensitive values in the whole table no class passes."""
        return 1


class SensitiveModel(PrivacyModel):
    """A model about the values of a sensitive column within each class."""

    column: str | None = None
    """The sensitive column; the only one, unless given."""

    @property
    def sensitive(self) -> str | None:
        return self.column


def exact(number: Decimal | int) -> Fraction | int:
    """A parameter for templates: `numerator` and `denominator` of what is no whole number's place."""
    return number if isinstance(number, int) else Fraction(number)
