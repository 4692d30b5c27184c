"""The models that a file is measured under, and their checks: what its classes achieve, and whether that is what is required."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from duckanon.checks.classes import MeasuredClasses
from duckanon.checks.required import model_text
from duckanon.engine.protocol import Engine
from duckanon.hierarchy.attributes import Sensitive
from duckanon.job.model import Job
from duckanon.job.requirements import needs_population
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.models.l_diversity import RecursiveCLDiversity
from duckanon.privacy.models.risk import AverageRisk
from duckanon.privacy.models.t_closeness import TCloseness
from duckanon.privacy.registry import every_model_of, every_model_of_quasi_identifiers, name_of
from duckanon.privacy.requirement import Requirement
from duckanon.search.distributions import is_misordered


@dataclass(frozen=True)
class RequiredModels:
    """The models that are measured, and those that are required."""

    measured: Requirement
    """All models: first the required ones, then those that are only measured."""
    required: int
    """The number of required models without k-anonymity."""
    is_k_required: bool
    risk: AverageRisk | None

    def in_order(self, engine: Engine, sensitive: Sequence[Sensitive]) -> "RequiredModels":
        """The same without ordered distances that are only measured of columns whose only order is that of text."""
        ordered = [attribute.column for attribute in sensitive if not attribute.order]
        unordered = {column.name for column in ordered if is_misordered(engine, column)}
        required, more = self.measured.others[: self.required], self.measured.others[self.required :]
        more = tuple(model for model in more if not (is_ordered(model) and model.sensitive in unordered))
        return replace(self, measured=replace(self.measured, others=(*required, *more)))

    def for_adversary(self, part: Requirement) -> "RequiredModels":
        """The models of an adversary, with what is known of the sensitive columns."""
        part = replace(part, heights=self.measured.heights, partly_missing=self.measured.partly_missing)
        return RequiredModels(part, len(part.others), is_k_required=True, risk=None)


def every_model(job: Job, requirement: Requirement, with_hierarchy: Collection[str], *, has_population: bool) -> RequiredModels:
    """The models that the job requires, followed by one of every other kind to measure what it achieves."""
    # those of adversaries are measured by their own classes
    own = replace(requirement, adversaries=())
    known = [_kind(model) for model in own.others]
    more = every_model_of_quasi_identifiers() if has_population else []
    for name in job.of_role("sensitive"):
        more += every_model_of(name, has_hierarchy=name in with_hierarchy)
    more = [model for model in more if _kind(model) not in known]
    measured = replace(own, others=(*own.others, *more), average_risk=None)
    needs_population(job, measured)
    names_k = any(entry.model in ("k-anonymity", "alpha-k-anonymity") for entry in job.requirements)
    is_k_required = names_k and not requirement.adversaries
    if not is_k_required:
        measured = replace(measured, k=measured.k.model_copy(update={"k": 1}))
    return RequiredModels(measured, len(own.others), is_k_required, own.average_risk)


def _kind(model: PrivacyModel) -> tuple[Any, ...]:
    """What a model measures; equal for two models that measure the same."""
    return name_of(model), model.sensitive, model.parameters.get("l") if isinstance(model, RecursiveCLDiversity) else None


def is_ordered(model: PrivacyModel) -> bool:
    """Whether a model needs an order of the sensitive values."""
    return isinstance(model, TCloseness) and model.distance == "ordered"


def model_checks(
    models: RequiredModels, classes: MeasuredClasses, *, is_by_manifest: bool
) -> tuple[list[dict[str, Any]], list[str]]:
    """One entry for each model, required models first; and the required models that cannot be checked.

    `is_by_manifest`: a manifest requires the models, and a model that compares with the source is checked only if that is known.
    """
    checks, unjudged = list[dict[str, Any]](), list[str]()
    whole, left = classes.whole, classes.left if classes.suppressed else None
    for number, model in enumerate(models.measured.models):
        is_required = models.is_k_required if number == 0 else number <= models.required
        # whose sensitive values suppressed rows show may still be inferred
        evaluated = classes.shown if model.sensitive is None else whole
        measured = evaluated.models[model]
        check = measured.achieved(evaluated).of_model(0, holds=not measured.failing_classes)
        without = check["achieved"]
        if left is not None:
            without = left.models[model].achieved(left).of_model(0, holds=True)["achieved"] if left.rows else None
        check["achieved_without_suppressed"] = without
        if model.NEEDS_WHOLE:
            is_by_source = model.sensitive in classes.by_source
            check["reference"] = "source" if is_by_source else "file"
            if is_by_source and classes.own is not None:
                check["achieved_in_file"] = classes.own.models[model].achieved(classes.own).of_model(0, holds=True)["achieved"]
            elif is_required and is_by_manifest:
                is_required = False
                unjudged.append(model_text(check))
        if is_required:
            check |= {"failing_classes": measured.failing_classes, "failing_rows": measured.failing_rows}
        else:
            # parameters of models that are only measured have no meaning, except the l of recursive diversity
            check = {key: value for key, value in check.items() if key not in ("required", "passed", "k")}
        checks.append(check)
    checks.append(_average(models, classes))
    return sorted(checks, key=lambda check: "required" not in check), unjudged


def _average(models: RequiredModels, classes: MeasuredClasses) -> dict[str, Any]:
    """The average risk of the unchanged file: the mean over the rows of 1 / size of their class."""
    evaluated, left = classes.shown, classes.left
    check: dict[str, Any] = {
        "model": "average-risk",
        "column": None,
        "achieved": float(evaluated.average_risk),
        "achieved_without_suppressed": float(left.average_risk) if left.rows else None,
    }
    if models.risk is not None:
        holds = evaluated.average_risk <= Fraction(models.risk.risk)
        check |= {"required": float(models.risk.risk), "passed": holds}
    return check
