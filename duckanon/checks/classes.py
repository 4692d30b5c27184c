"""Count the equivalence classes of an unchanged file, measure them under every model, and measure the risk of their records."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.privacy.achieved import Achieved, absent_classes
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.doubts import Doubts
from duckanon.privacy.evaluation import KNOWN_CODE, Relations, evaluation
from duckanon.privacy.models.delta_presence import LeastPresence
from duckanon.privacy.requirement import Requirement
from duckanon.risks import attackers
from duckanon.risks.sizes import Size, person_share, read_sizes
from duckanon.search.combinations import counts_statement

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
