"""The equivalence classes of an unchanged file: counted, measured under every model, with the checks of the models and the risk of the records."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from duckanon.checks.required import model_text
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.hierarchy.attributes import Sensitive
from duckanon.job.model import Job
from duckanon.job.requirements import needs_population
from duckanon.privacy.achieved import Achieved, absent_classes
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.entropies import Doubts
from duckanon.privacy.evaluation import KNOWN_CODE, Relations, evaluation
from duckanon.privacy.models.delta_presence import LeastPresence
from duckanon.privacy.models.l_diversity import RecursiveCLDiversity
from duckanon.privacy.models.risk import AverageRisk
from duckanon.privacy.models.t_closeness import TCloseness
from duckanon.privacy.registry import every_model_of, every_model_of_quasi_identifiers, name_of
from duckanon.privacy.requirement import Requirement
from duckanon.risks import attackers
from duckanon.risks.sizes import Size, person_share, read_sizes
from duckanon.search.combinations import counts_statement
from duckanon.search.distributions import is_misordered

SUPPRESSED = "*"
"""The value of a suppressed row in every quasi-identifier."""


@dataclass(frozen=True)
class Measured:
    """One model over all classes: the least and the greatest figure, and the failing classes and rows."""

    model: PrivacyModel
    least: Any
    most: Any
    failing_classes: int
    failing_rows: int
    single_classes: int
    """Classes with a figure of at most 1, and their rows."""
    single_rows: int

    def achieved(self, figures: "MeasuredFigures") -> Achieved:
        pair = [self.least, self.most]
        return Achieved.of([*pair, figures.greatest_k, figures.expected, figures.rows], (self.model,), figures.entity)


@dataclass(frozen=True)
class MeasuredFigures:
    """The classes of a file, with or without the class of suppressed rows."""

    models: dict[PrivacyModel, Measured]
    greatest_k: int
    classes: int
    smallest: int
    largest: int
    rows: int
    expected: int
    """The sum over the classes of rows / size, as in `Achieved`."""
    entity: str | None

    @property
    def average_risk(self) -> Fraction:
        """The mean over the rows of 1 / size of their class."""
        return Achieved.of([0, self.expected, self.rows], (), self.entity).average_risk

    @property
    def sizes(self) -> dict[str, Any]:
        """The number of classes and their rows, for a document."""
        average = self.rows / self.classes if self.classes else 0.0
        return {"count": self.classes, "smallest": self.smallest, "average": average, "largest": self.largest}


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


def count(engine: Engine, quasi_identifiers: Sequence[str], measured: Requirement, *, shown_only: bool = False) -> None:
    """Create `present_classes`, and `present_histogram_<column>` for each sensitive column, in one scan of the rows.

    `shown_only` leaves suppressed rows out of the classes, unless all rows are suppressed.
    """
    names, has_population = list(quasi_identifiers), measured.needs_population
    counts = counts_statement(names, measured.sensitive, measured)
    engine.create_table(counts, stage="counting the classes")
    if has_population:
        engine.create_table(render("dataset/population_counts", quasi_identifiers=names), stage="counting the population")
    classes = render(
        "check/present_classes",
        quasi_identifiers=names,
        own_k=measured.k.k_column is not None,
        persons=measured.persons,
        has_sensitive=bool(measured.sensitive),
        population=has_population,
        token=SUPPRESSED,
        shown_only=shown_only,
    )
    engine.create_table(classes)
    for number, name in enumerate(measured.sensitive, start=1):
        relation, about = f"present_histogram_{name}", {"keys": names, "number": number}
        if measured.counts_persons:
            known_value = KNOWN_CODE if name in measured.partly_missing else None
            about |= {"relation": "counts", "is_coded": True, "column": name, "known_value": known_value}
        template = "privacy/histogram_of_persons" if measured.counts_persons else "check/present_histogram"
        engine.create_table(render(template, relation, **about))


def figures(
    engine: Engine, quasi_identifiers: Sequence[str], measured: Requirement, *, left_out: bool, by_source: Collection[str] = ()
) -> MeasuredFigures:
    """The figures of all classes, or without the class of suppressed rows. Columns in `by_source` are compared with their
    distribution in the source."""
    by_model: dict[PrivacyModel, Measured] = {}
    rest: list[int] = []
    for part in _parts(measured):
        shares = "source_shares" if by_source and set(part.sensitive) & set(by_source) else "distribution"
        row = _row(engine, quasi_identifiers, part, left_out=left_out, shares=shares)
        width = 6 * len(part.models)
        for number, model in enumerate(part.models):
            by_model.setdefault(model, Measured(model, *row[6 * number : 6 * number + 6]))
            if isinstance(model, LeastPresence) and (
                absent := absent_classes(engine, "population_counts", "present_classes", quasi_identifiers)
            ):
                failing = absent if model.bounds_presence else 0
                measured_presence = by_model[model]
                by_model[model] = replace(
                    measured_presence, least=0, failing_classes=measured_presence.failing_classes + failing
                )
        rest = rest or [int(number) for number in row[width:]]
    greatest_k, classes, smallest, largest, rows, expected = rest[1:]
    return MeasuredFigures(by_model, greatest_k, classes, smallest, largest, rows, expected, measured.k.entity)


def measured_classes(
    engine: Engine, quasi_identifiers: Sequence[str], measured: Requirement, *, are_counted: bool, by_source: Collection[str]
) -> MeasuredClasses:
    """The figures of the classes that were counted last, all of them and without the class of suppressed rows."""
    whole, left = (
        figures(engine, quasi_identifiers, measured, left_out=is_left_out, by_source=by_source) for is_left_out in (False, True)
    )
    own = figures(engine, quasi_identifiers, measured, left_out=False) if by_source else None
    return MeasuredClasses(whole, left, own, are_counted, by_source)


def sizes(engine: Engine, *, size: str = "_rows", counts_suppressed: bool = False) -> list[Size]:
    """The sizes of the classes that were counted last; suppressed rows match any record, so they are no class if there are others."""
    without = None if counts_suppressed else "_suppressed"
    return read_sizes(engine, "present_classes", size=size, without=without) or read_sizes(engine, "present_classes", size=size)


def risk_figures(
    engine: Engine, quasi_identifiers: Sequence[str], measured: Requirement, *, counts_suppressed: bool = False
) -> dict[str, Any]:
    """The risk of the records by the classes that were counted last, under each adversary model."""
    k = measured.k
    own = sizes(engine, size="_persons" if k.entities else "_rows", counts_suppressed=counts_suppressed)
    population = sizes(engine, size="_population") if measured.counts_population else None
    share = person_share(engine, quasi_identifiers, has_sensitive=bool(measured.sensitive)) if k.entities else None
    return attackers.figures(own, population, unit=k.of, person_share=share)


def _parts(measured: Requirement) -> list[Requirement]:
    """The parts that one statement measures: the quasi-identifiers, and each sensitive column."""
    of_column = [
        replace(measured, others=tuple(model for model in measured.others if model.sensitive == name))
        for name in measured.sensitive
    ]
    return [measured.of_quasi_identifiers, *of_column]


def _row(
    engine: Engine, quasi_identifiers: Sequence[str], part: Requirement, *, left_out: bool, shares: str
) -> tuple[Any, ...]:
    """The figures of one part; entropies that are too close for floating point are decided exactly."""

    def queried(part: Requirement) -> tuple[Any, ...]:
        evaluated = evaluation(
            part,
            quasi_identifiers,
            keep_suppressed_rows=False,
            relations=Relations("present_classes", "present_histogram", shares),
        )
        [row] = engine.query(render("check/present_figures", left_out=left_out, **evaluated))
        return row

    row = queried(part)
    is_doubtful = row[6 * len(part.models)] > 0
    return queried(Doubts().resolve_exactly(engine, part, quasi_identifiers, "present_histogram")) if is_doubtful else row


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
