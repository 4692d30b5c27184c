"""The checks of the models of a file: what its classes achieve, and whether that is what is required."""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from duckanon.privacy.models.risk import AverageRisk
from duckanon.privacy.requirement import Requirement
from duckanon.workflows.conformance import model_text
from duckanon.workflows.measure import MeasuredFigures


@dataclass(frozen=True)
class RequiredModels:
    """The models that are measured, and those that are required."""

    measured: Requirement
    """All models: first the required ones, then those that are only measured."""
    required: int
    """The number of required models without k-anonymity."""
    is_k_required: bool
    risk: AverageRisk | None


@dataclass(frozen=True)
class MeasuredClasses:
    """The figures of the classes of some columns."""

    whole: MeasuredFigures
    left: MeasuredFigures
    """Without the class of suppressed rows."""
    own: MeasuredFigures | None
    """With the distributions in the file, where `whole` compares with those in the source."""
    are_counted: bool
    """Whether suppressed rows are a class of all models: in duckanon's own releases, masked records satisfy the requirement together."""
    by_source: Collection[str]
    """The sensitive columns that `whole` compares with their distribution in the source."""

    @property
    def shown(self) -> MeasuredFigures:
        """The classes of models without a sensitive column: suppressed rows match any record, so they are no class if there are others."""
        return self.left if self.left.rows and not self.are_counted else self.whole

    @property
    def suppressed(self) -> int:
        """The suppressed rows."""
        return self.whole.rows - self.left.rows


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
        judged = classes.shown if model.sensitive is None else whole
        measured = judged.models[model]
        check = measured.achieved(judged).of_model(0, holds=not measured.failing_classes)
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
    judged, left = classes.shown, classes.left
    check: dict[str, Any] = {
        "model": "average-risk",
        "column": None,
        "achieved": float(judged.average_risk),
        "achieved_without_suppressed": float(left.average_risk) if left.rows else None,
    }
    if models.risk is not None:
        holds = judged.average_risk <= Fraction(models.risk.risk)
        check |= {"required": float(models.risk.risk), "passed": holds}
    return check
