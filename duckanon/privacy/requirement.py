"""The requirement on every class of a release: k-anonymity, and the other models of a job.

With several adversaries, each knows some of the quasi-identifiers, and its requirement applies to the classes that these form. A record
is suppressed if it is in a failing class of some adversary, and so on with the records that are left, until no class fails.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.models.l_diversity import EntropyLDiversity
from duckanon.privacy.models.risk import AverageRisk, HighestRisk
from duckanon.privacy.registry import name_of

_LONGEST_NAME = 40
"""Some databases cut names of more than 63 characters off."""


@dataclass(frozen=True)
class Dependency:
    """Columns that determine another one: an adversary who knows them knows it too."""

    known: tuple[str, ...]
    column: str


def closed(columns: Iterable[str], dependencies: Iterable[Dependency]) -> frozenset[str]:
    """The columns, and those that they determine."""
    known = set(columns)
    left = list(dependencies)
    while follows := [each for each in left if known.issuperset(each.known)]:
        known.update(each.column for each in follows)
        left = [each for each in left if each not in follows]
    return frozenset(known)


@dataclass(frozen=True)
class Adversary:
    """Someone who knows some of the quasi-identifiers of a person; records that share these are one class for the adversary."""

    name: str
    columns: tuple[str, ...]
    k: KAnonymity
    others: tuple[PrivacyModel, ...] = ()
    any_of: int | None = None
    """If set, the adversary knows any so many of the columns, instead of all of them."""
    dependencies: tuple[Dependency, ...] = ()
    """With `any_of`: what the adversary knows beside these columns."""

    @property
    def models(self) -> tuple[PrivacyModel, ...]:
        """The models that judge each class of the adversary."""
        return (self.k, *self.others)


@dataclass(frozen=True)
class Requirement:
    """A class fails if it fails one of the models. A threshold on the average risk is judged after them."""

    k: KAnonymity = field(default_factory=KAnonymity)
    others: tuple[PrivacyModel, ...] = ()
    average_risk: AverageRisk | None = None
    heights: Mapping[str, int] = field(default_factory=dict)
    """The number of levels above the values, for the sensitive columns that have a hierarchy."""
    partly_missing: frozenset[str] = frozenset()
    """The sensitive columns with missing values whose models must also hold without these: a class without a value fails."""
    counts_population: bool = False
    """Whether to count the rows of a population for the journalist's risk, even if no model needs them."""
    is_decided: bool = False
    """Whether `entropy_comparisons` contains the exact comparisons."""
    adversaries: tuple[Adversary, ...] = ()
    """If there are any, their models judge the records, and `k` and `others` require nothing."""

    def for_adversary(self, adversary: Adversary) -> "Requirement":
        """The requirement on the classes of one adversary."""
        return replace(self, k=adversary.k, others=adversary.others, adversaries=())

    @property
    def models(self) -> tuple[PrivacyModel, ...]:
        """The models that judge each class on its own; none with adversaries, whose classes overlap."""
        return () if self.adversaries else (self.k, *self.others)

    @property
    def every_model(self) -> tuple[PrivacyModel, ...]:
        """The models of all adversaries, or else those of each class."""
        return tuple(model for adversary in self.adversaries for model in adversary.models) or self.models

    @property
    def all_models(self) -> tuple[PrivacyModel, ...]:
        return self.models if self.average_risk is None else (*self.models, self.average_risk)

    @property
    def by_class(self) -> "Requirement":
        """The requirement for each class on its own: an average risk becomes a highest risk."""
        if self.average_risk is None:
            return self
        return replace(self, others=(*self.others, HighestRisk(risk=self.average_risk.risk)), average_risk=None)

    @property
    def for_all(self) -> "Requirement":
        """A requirement on the classes of all quasi-identifiers that implies those of all adversaries: the largest k, and every model."""
        if not self.adversaries:
            return self
        others = dict.fromkeys(model for adversary in self.adversaries for model in adversary.others)
        return replace(self, k=self.largest_k, others=tuple(others), adversaries=())

    @property
    def judges_sets(self) -> bool:
        """Whether an adversary knows any few of the columns, so that each set of so many is judged."""
        return any(adversary.any_of is not None for adversary in self.adversaries)

    @property
    def largest_k(self) -> KAnonymity:
        """The k of the classes, or the largest k of the adversaries."""
        return max((self.k, *(adversary.k for adversary in self.adversaries)), key=lambda k: k.k)

    @property
    def rules(self) -> tuple[tuple[str, PrivacyModel], ...]:
        """The reasons for which a class is suppressed, each with the model or, for an adversary, with its k."""
        if not self.adversaries:
            return tuple((model.reason, model) for model in self.models)
        return tuple(
            (f"{' or '.join(model.reason for model in adversary.models)} for {adversary.name}", adversary.k)
            for adversary in self.adversaries
        )

    @property
    def rule_names(self) -> list[str]:
        """The names of the rules in columns of verdicts, such as `_fails_distinct_l_income`: of each model, or of each adversary."""
        names: dict[str, None] = {}
        texts = [adversary.name for adversary in self.adversaries] or [
            " ".join(filter(None, (name_of(model), model.sensitive))) for model in self.models
        ]
        for number, text in enumerate(texts, start=1):
            name = re.sub(r"[^a-z0-9]+", "_", text.lower())[:_LONGEST_NAME].strip("_") or str(number)
            while name in names:
                name = f"{name}_{number}"
            names[name] = None
        return [*names]

    def closed(self, names: Sequence[str], dependencies: Sequence[Dependency]) -> "Requirement":
        """The same if adversaries know what their columns determine; `names` are the quasi-identifiers in their order."""
        known = []
        for each in self.adversaries:
            if each.any_of is not None:
                known.append(replace(each, dependencies=tuple(dict.fromkeys([*each.dependencies, *dependencies]))))
            else:
                columns = closed(each.columns, dependencies)
                known.append(replace(each, columns=tuple(name for name in names if name in columns)))
        return replace(self, adversaries=tuple(known))

    def restricted_to(self, names: Collection[str]) -> "Requirement":
        """The same if only these quasi-identifiers exist."""
        known = [replace(each, columns=tuple(name for name in each.columns if name in names)) for each in self.adversaries]
        return replace(self, adversaries=tuple(adversary for adversary in known if adversary.columns))

    def with_k(self, adversary: str, k: int) -> "Requirement":
        """The same with another k of one adversary."""
        return replace(
            self,
            adversaries=tuple(
                replace(each, k=each.k.model_copy(update={"k": k})) if each.name == adversary else each
                for each in self.adversaries
            ),
        )

    @property
    def is_trivial(self) -> bool:
        """Whether every class passes."""
        return self == Requirement(heights=self.heights, partly_missing=self.partly_missing, is_decided=self.is_decided)

    @property
    def is_monotone(self) -> bool:
        """Whether a node suppresses at least as many rows as a node above it."""
        is_weighted = self.average_risk is not None and self.counts_persons
        return not is_weighted and all(self.under_suppression(model) for model in self.every_model)

    @property
    def is_monotone_without_suppression(self) -> bool:
        """Whether every class passes at each node above a node where every class passes."""
        return all(self.under_generalization(model) for model in self.every_model)

    def under_suppression(self, model: PrivacyModel) -> bool:
        """Whether a class that fails the model contains only classes that fail it."""
        return model.under_suppression and self.under_generalization(model)

    def under_generalization(self, model: PrivacyModel) -> bool:
        """Whether a class merged from passing classes passes the model. False for models of sensitive values if persons are counted, because
        a person may be in both classes.
        """
        return model.under_generalization and not (self.counts_persons and model.sensitive is not None)

    @property
    def counts_persons(self) -> bool:
        """Whether a class counts persons, in total and for each sensitive value."""
        return self.persons > 0

    @property
    def persons(self) -> int:
        """The number of columns of persons that are counted; a class has the fewest of them."""
        return len(self.k.entities)

    @property
    def counts_shared_persons(self) -> bool:
        """Whether a person with records in several classes is counted once for an adversary."""
        return self.counts_persons and bool(self.adversaries)

    @property
    def least_rows(self) -> int:
        """The minimum rows of a passing class."""
        return max((model.least_rows for model in self.models), default=1)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive columns of the models, each once, in the order of the models."""
        return tuple(dict.fromkeys(model.sensitive for model in self.every_model if model.sensitive is not None))

    @property
    def bounds_presence(self) -> bool:
        """Whether every class of the population must have released rows."""
        return any(model.bounds_presence for model in self.every_model)

    @property
    def needs_population(self) -> bool:
        """Whether the rows of a population are counted."""
        return self.counts_population or any("population" in model.MEASURES for model in self.every_model)

    @property
    def measures(self) -> list[str]:
        """The columns, besides its rows, of a relation of combinations of quasi-identifier values."""
        counted = {"_k": self.k.k_column, "_persons": self.k.entity, "_population": self.needs_population}
        return [name for name, is_counted in counted.items() if is_counted]

    @property
    def settles_doubts(self) -> bool:
        """Whether entropies within 1e-9 of the bound are compared exactly. Else a class fails there, unless it has exactly l values: the
        classes of persons are not sets of rows, and those of adversaries change with each suppressed record.
        """
        return not (self.counts_persons or self.adversaries)

    @property
    def entropies(self) -> tuple[EntropyLDiversity, ...]:
        """The models for which floating point may be too imprecise."""
        if not self.settles_doubts:
            return ()
        return tuple(model for model in self.models if isinstance(model, EntropyLDiversity))

    @property
    def of_quasi_identifiers(self) -> "Requirement":
        """The part that does not depend on sensitive values."""
        adversaries = tuple(replace(known, others=_of_quasi_identifiers(known.others)) for known in self.adversaries)
        return replace(self, others=_of_quasi_identifiers(self.others), adversaries=adversaries)

    @property
    def distribution_models(self) -> "Requirement":
        """The models that compare classes with the distribution in the whole table, and k."""
        adversaries = tuple(replace(known, others=_of_distributions(known.others)) for known in self.adversaries)
        return replace(self, others=_of_distributions(self.others), average_risk=None, adversaries=adversaries)

    def in_file(self, columns: Iterable[str]) -> "Requirement":
        """The part that can be judged from a file with only these columns: without persons, population and each record's own k."""
        known = set() if self.counts_persons else set(columns)

        def seen(models: Iterable[PrivacyModel]) -> tuple[PrivacyModel, ...]:
            return tuple(
                model for model in models if not model.MEASURES and (model.sensitive is None or model.sensitive in known)
            )

        risk = None if self.k.entity is not None else self.average_risk
        adversaries = tuple(replace(each, k=each.k.by_rows, others=seen(each.others)) for each in self.adversaries)
        return replace(
            self,
            k=self.k.by_rows,
            others=seen(self.others),
            average_risk=risk,
            counts_population=False,
            adversaries=adversaries,
        )


def _of_distributions(models: Iterable[PrivacyModel]) -> tuple[PrivacyModel, ...]:
    return tuple(model for model in models if model.NEEDS_WHOLE)


def _of_quasi_identifiers(models: Iterable[PrivacyModel]) -> tuple[PrivacyModel, ...]:
    return tuple(model for model in models if model.sensitive is None)
