"""All that every class of a release has to satisfy: k-anonymity, and the models that a job lists beside it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.models.l_diversity import EntropyLDiversity
from duckanon.privacy.models.risk import AverageRisk, HighestRisk


@dataclass(frozen=True)
class Requirement:
    """A class fails where it fails one of the models; a threshold on the average risk is judged after them."""

    k: KAnonymity = field(default_factory=KAnonymity)
    others: tuple[PrivacyModel, ...] = ()
    average_risk: AverageRisk | None = None
    heights: Mapping[str, int] = field(default_factory=dict)
    """Levels above the values, of the sensitive columns that have a hierarchy."""
    counts_population: bool = False
    """Whether the rows of a population are counted although no model asks for them: for the journalist's risk."""
    is_decided: bool = False
    """Whether `decided_entropies` tells what floating point could not."""

    @property
    def models(self) -> tuple[PrivacyModel, ...]:
        """What a class is judged by for itself."""
        return (self.k, *self.others)

    @property
    def all_models(self) -> tuple[PrivacyModel, ...]:
        return self.models if self.average_risk is None else (*self.models, self.average_risk)

    @property
    def by_class(self) -> "Requirement":
        """The same where every class is judged for itself: for an average risk no class has a higher one."""
        if self.average_risk is None:
            return self
        return replace(self, others=(*self.others, HighestRisk(risk=self.average_risk.risk)), average_risk=None)

    @property
    def is_monotone(self) -> bool:
        """Whether a node suppresses at least as many rows as a node above it."""
        return all(self.under_suppression(model) for model in self.models)

    @property
    def is_monotone_without_suppression(self) -> bool:
        """Whether a node above one where every class passes is another."""
        return all(self.under_generalization(model) for model in self.models)

    def under_suppression(self, model: PrivacyModel) -> bool:
        """Whether whatever fails the model holds only what fails it."""
        return model.under_suppression and self.under_generalization(model)

    def under_generalization(self, model: PrivacyModel) -> bool:
        """Whether a class merged from passing ones passes the model; with persons, who may be in both, none of sensitive values does."""
        return model.under_generalization and not (self.counts_persons and model.sensitive is not None)

    @property
    def counts_persons(self) -> bool:
        """Whether a class counts persons, and of each sensitive value those who have it."""
        return self.k.entity is not None

    @property
    def least_rows(self) -> int:
        """No class with fewer rows passes."""
        return max(model.least_rows for model in self.models)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive columns that models are about, each once, in the order of the models."""
        return tuple(dict.fromkeys(model.sensitive for model in self.models if model.sensitive is not None))

    @property
    def needs_population(self) -> bool:
        """Whether the rows of a population are counted."""
        return self.counts_population or any("population" in model.MEASURES for model in self.models)

    @property
    def measures(self) -> list[str]:
        """The columns that a set of quasi-identifier values has beside its rows."""
        counted = {"_k": self.k.k_column, "_persons": self.k.entity, "_population": self.needs_population}
        return [name for name, is_counted in counted.items() if is_counted]

    @property
    def entropies(self) -> tuple[EntropyLDiversity, ...]:
        """The models whose verdict floating point may be too coarse for."""
        if self.counts_persons:
            return ()  # within 1e-9 of the bound a class fails, unless its values are exactly l
        return tuple(model for model in self.models if isinstance(model, EntropyLDiversity))

    @property
    def of_quasi_identifiers(self) -> "Requirement":
        """The part that does not look at sensitive values."""
        return replace(self, others=tuple(model for model in self.others if model.sensitive is None))

    def in_file(self, columns: Iterable[str]) -> "Requirement":
        """The part that a file with these columns can be judged by alone: no persons, no population, no k of their own."""
        known = set() if self.counts_persons else set(columns)
        others = tuple(
            model for model in self.others if not model.MEASURES and (model.sensitive is None or model.sensitive in known)
        )
        risk = None if self.k.entity is not None else self.average_risk
        return replace(self, k=self.k.by_rows, others=others, average_risk=risk, counts_population=False)
