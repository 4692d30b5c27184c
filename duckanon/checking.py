"""What a file already guarantees: measured as it stands, and held against what is required."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from duckanon import __version__, combinations, preparation
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Column, Engine
from duckanon.errors import JobError
from duckanon.job import Job
from duckanon.missing import MissingRule
from duckanon.observer import Observer, Silent
from duckanon.options import Options
from duckanon.population import create_population, open_population
from duckanon.preparation import Prepared, Run
from duckanon.privacy.achieved import Achieved
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.doubts import Doubts
from duckanon.privacy.judgement import Relations, judgement
from duckanon.privacy.l_diversity import DistinctLDiversity, RecursiveCLDiversity
from duckanon.privacy.models import every_model_of, every_model_of_quasi_identifiers, name_of
from duckanon.privacy.requirement import Requirement
from duckanon.privacy.risk import AverageRisk
from duckanon.protection import requirement_of, sensitive_columns
from duckanon.references import references
from duckanon.sensitive import distributions
from duckanon.source.names import find_column
from duckanon.source.opening import open_source
from duckanon.templates import render

SUPPRESSED = "*"
"""What a suppressed row shows in every quasi-identifier."""

RISKS = (Fraction(1, 20), Fraction(9, 100), Fraction(1, 5), Fraction(1, 3))
"""Risks that a record's 1 / class size is held against: thresholds of practice, from public release to trusted recipients."""

_MOST_CLASSES = 10
_RELATIONS = Relations("present_classes", "present_histogram", "shares")


@dataclass(frozen=True)
class _Asked:
    """What is measured, and which of it is required."""

    measured: Requirement
    """All models: first those required, then those that are merely measured."""
    required: int
    """How many of them are required, k-anonymity not counted."""
    is_k_required: bool
    risk: AverageRisk | None


@dataclass(frozen=True)
class _Measured:
    """One model over all classes: the figures of the extreme ones, and what fails."""

    model: PrivacyModel
    least: Any
    most: Any
    failing_classes: int
    failing_rows: int
    single_classes: int
    """Classes with a figure of 1 at the most, and their rows."""
    single_rows: int

    def achieved(self, figures: "_Figures") -> Achieved:
        pair = [self.least, self.most]
        return Achieved.of([*pair, figures.asked, figures.classes, figures.counted], (self.model,))


@dataclass(frozen=True)
class _Figures:
    """The classes of a file, all or without that of suppressed rows."""

    models: dict[PrivacyModel, _Measured]
    at_risk: tuple[int, ...]
    """Rows whose risk lies above each of `RISKS`."""
    asked: int
    classes: int
    smallest: int
    largest: int
    rows: int
    counted: int
    """Rows, or persons of each class."""
    least_counted: int


def check(
    source: Path | str | None = None,
    *,
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    show_values: bool = False,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Every privacy model's figure for a file as it stands, read and not changed.

    Gives a document: `status` (`measured`, `holds` or `violated`), `rows`, `nulls`, `classes`, `privacy` (a model
    each: achieved with the suppressed rows as a class and without them, and where it is required whether it holds),
    `risk`, `homogeneous` (classes that share one sensitive value) and `smallest_classes`, their values only
    where `show_values`. NULL is a value like any other, and shares are held against all rows of the file.
    """
    run, observer = run or Run(), observer or Silent()
    prepared = preparation.prepare(source, job, options or Options(), run)
    with DuckDBEngine(run.settings, observer) as engine:
        return _Check(engine, prepared, show_values=show_values).document()


class _Check:
    """One file, counted and judged."""

    def __init__(self, engine: Engine, prepared: Prepared, *, show_values: bool) -> None:
        self._engine, self._prepared, self._show_values = engine, prepared, show_values
        self._doubts = Doubts()
        population = open_population(engine, prepared.population) if prepared.population is not None else None
        self._columns = open_source(engine, prepared.source)
        job = prepared.job
        self._quasi_identifiers = _quasi_identifiers(job, self._columns)
        self._sensitive_names = job.of_role("sensitive")
        for name in self._sensitive_names:
            find_column(self._columns, name, "sensitive column")
        self._asked = self._everything(job, has_population=population is not None)
        rule = MissingRule()
        engine.create_view(combinations.records_statement(self._columns, rule))
        if population is not None:
            create_population(engine, population, self._quasi_identifiers, rule)
        self._count(has_population=population is not None)

    def document(self) -> dict[str, Any]:
        """What was found."""
        whole, left = self._figures(left_out=False), self._figures(left_out=True)
        names, suppressed = [column.name for column in self._quasi_identifiers], whole.rows - left.rows
        checks = self._checks(whole, left if suppressed else None)
        required = [one for one in checks if "required" in one]
        status = "measured" if not required else "holds" if all(one["passed"] for one in required) else "violated"
        return {
            "duckanon": __version__,
            "status": status,
            "source": self._prepared.source.name,
            "quasi_identifiers": names,
            "sensitive": list(self._asked.measured.sensitive),
            "rows": {"read": whole.rows, "suppressed": suppressed},
            "nulls": combinations.null_rows(self._engine, [*names, *self._asked.measured.sensitive]),
            "classes": _sizes(whole),
            "classes_without_suppressed": _sizes(left) if suppressed else None,
            "privacy": checks,
            "risk": {
                "of": self._asked.measured.k.entity or "rows",
                "highest": 1 / whole.least_counted,
                "average": whole.classes / whole.counted,
                "records_at_risk": {
                    f"{float(risk):.4g}": rows / whole.rows for risk, rows in zip(RISKS, whole.at_risk, strict=True)
                },
            },
            "homogeneous": self._homogeneous(whole),
            "smallest_classes": self._smallest(names),
        }

    def _everything(self, job: Job, *, has_population: bool) -> _Asked:
        """The models that the job requires, and behind them one of every other kind, for what it achieves."""
        asked = requirement_of(job, self._columns)
        known = [_kind(model) for model in asked.others]
        known_hierarchies = self._hierarchies(job)
        more = every_model_of_quasi_identifiers() if has_population else []
        for name in self._sensitive_names:
            more += every_model_of(name, has_hierarchy=name in known_hierarchies)
        more = [model for model in more if _kind(model) not in known]
        measured = replace(asked, others=(*asked.others, *more), average_risk=None)
        if measured.needs_population and not has_population:
            counting = next(name_of(model) for model in measured.others if model.MEASURES)
            raise JobError(f"{counting} counts the rows of a population; give it with --population FILE")
        said = any(one.model in ("k-anonymity", "alpha-k-anonymity") for one in job.privacy)
        if not said:
            measured = replace(measured, k=measured.k.model_copy(update={"k": 1}))
        return _Asked(measured, len(asked.others), said, asked.average_risk)

    def _hierarchies(self, job: Job) -> Collection[str]:
        """The sensitive columns that have a hierarchy; raises `JobError` for one of another column."""
        sensitive = {name: job.columns[name] for name in self._sensitive_names}
        return references(sensitive, self._prepared.hierarchies, self._prepared.base)

    def _count(self, *, has_population: bool) -> None:
        engine, asked = self._engine, self._asked
        sensitive = sensitive_columns(
            self._prepared.job, self._columns, asked.measured, self._prepared.hierarchies, self._prepared.base
        )
        chosen, columns = self._quasi_identifiers, [one.column for one in sensitive]
        combinations.read_values(engine, chosen, MissingRule(), sensitive=columns, population=has_population)
        found = distributions(engine, sensitive)
        self._asked = replace(asked, measured=replace(asked.measured, heights={one.name: one.height for one in found}))
        measured, names = self._asked.measured, [column.name for column in chosen]
        if measured.k.k_column is not None:
            combinations.check_own_k(engine, find_column(self._columns, measured.k.k_column, "column"))
        counts = render(
            "source/counts",
            quasi_identifiers=names,
            k_column=measured.k.k_column,
            entity=measured.k.entity,
            sensitive=list(measured.sensitive),
        )
        engine.create_table(counts, stage="counting the classes")
        if has_population:
            engine.create_table(render("source/population_counts", quasi_identifiers=names), stage="counting the population")
        engine.create_table(
            render(
                "check/present_classes",
                quasi_identifiers=names,
                own_k=measured.k.k_column is not None,
                persons=measured.k.entity is not None,
                has_sensitive=bool(measured.sensitive),
                population=measured.needs_population,
                token=SUPPRESSED,
            )
        )
        for number, name in enumerate(measured.sensitive, start=1):
            histogram = render("check/present_histogram", f"present_histogram_{name}", quasi_identifiers=names, number=number)
            engine.create_table(histogram)

    def _parts(self) -> list[Requirement]:
        """What is judged in one statement each: quasi-identifiers, and then every sensitive column for itself."""
        measured = self._asked.measured
        of_column = [
            replace(measured, others=tuple(model for model in measured.others if model.sensitive == name))
            for name in measured.sensitive
        ]
        return [measured.of_quasi_identifiers, *of_column]

    def _figures(self, *, left_out: bool) -> _Figures:
        """What all classes achieve, or all but that of suppressed rows."""
        found: dict[PrivacyModel, _Measured] = {}
        figures = None
        for part in self._parts():
            row = self._row(part, left_out=left_out)
            count = len(part.models)
            for number, model in enumerate(part.models):
                found.setdefault(model, _Measured(model, *row[6 * number : 6 * number + 6]))
            if figures is None:
                rest = [int(number) for number in row[6 * count :]]
                figures = _Figures(found, tuple(rest[: len(RISKS)]), *rest[len(RISKS) + 1 :])
        assert figures is not None, "k-anonymity is always measured"
        return figures

    def _row(self, part: Requirement, *, left_out: bool) -> tuple[Any, ...]:
        """One part's figures; entropies that floating point cannot tell are decided on the way."""
        names = [column.name for column in self._quasi_identifiers]
        asked = {"risks": RISKS, "left_out": left_out}
        [row] = self._engine.query(render("check/present_figures", **asked, **_judged(part, names)))
        if row[6 * len(part.models) + len(RISKS)]:
            part = self._doubts.settle(self._engine, part, names, "present_histogram")
            [row] = self._engine.query(render("check/present_figures", **asked, **_judged(part, names)))
        return row

    def _checks(self, whole: _Figures, left: _Figures | None) -> list[dict[str, Any]]:
        """An entry a model, those required first."""
        told = []
        for number, model in enumerate(self._asked.measured.models):
            is_required = self._asked.is_k_required if number == 0 else number <= self._asked.required
            one = whole.models[model]
            entry = one.achieved(whole).of_model(0, holds=not one.failing_rows)
            without = entry["achieved"]
            if left is not None:
                without = left.models[model].achieved(left).of_model(0, holds=True)["achieved"] if left.rows else None
            found = entry | {"achieved_without_suppressed": without}
            if is_required:
                found |= {"failing_classes": one.failing_classes, "failing_rows": one.failing_rows}
            else:
                # what a model that is merely measured asks for means nothing, but for the l of a recursive diversity
                found = {key: value for key, value in found.items() if key not in ("required", "passed", "k")}
            told.append(found)
        told.append(self._average(whole, left or whole))
        return sorted(told, key=lambda one: "required" not in one)

    def _average(self, whole: _Figures, left: _Figures) -> dict[str, Any]:
        """The average risk, classes over rows or persons: of a file as it is, nothing is removed until it holds."""
        found: dict[str, Any] = {
            "model": "average-risk",
            "column": None,
            "achieved": whole.classes / whole.counted,
            "achieved_without_suppressed": left.classes / left.counted if left.counted else None,
        }
        if self._asked.risk is not None:
            holds = Fraction(whole.classes, whole.counted) <= Fraction(self._asked.risk.risk)
            found |= {"required": float(self._asked.risk.risk), "passed": holds}
        return found

    def _homogeneous(self, whole: _Figures) -> dict[str, dict[str, int]]:
        """Classes whose rows all share one sensitive value, which k alone does not hide."""
        return {
            str(model.column): {"classes": one.single_classes, "rows": one.single_rows}
            for model, one in whole.models.items()
            if isinstance(model, DistinctLDiversity)
        }

    def _smallest(self, names: Sequence[str]) -> list[dict[str, Any]]:
        if not self._show_values:
            sizes = self._engine.query(render("check/class_sizes", limit=_MOST_CLASSES))
            return [{"rows": int(rows), "classes": int(classes)} for rows, classes in sizes]
        classes = self._engine.query(render("check/smallest_classes", quasi_identifiers=names, limit=_MOST_CLASSES))
        return [{"rows": int(rows), "values": dict(zip(names, values, strict=True))} for rows, *values in classes]


def _kind(model: PrivacyModel) -> tuple[Any, ...]:
    """What tells that two models measure the same."""
    return name_of(model), model.sensitive, model.asked.get("l") if isinstance(model, RecursiveCLDiversity) else None


def _judged(part: Requirement, names: Sequence[str]) -> dict[str, Any]:
    return judgement(part, names, stars=False, relations=_RELATIONS)


def _sizes(found: _Figures) -> dict[str, Any]:
    average = found.rows / found.classes if found.classes else 0.0
    return {"count": found.classes, "smallest": found.smallest, "average": average, "largest": found.largest}


def _quasi_identifiers(job: Job, columns: Sequence[Column]) -> list[Column]:
    """The columns whose values make the classes; raises `JobError` where none is named."""
    found = [find_column(columns, name, "quasi-identifier") for name in job.of_role("quasi-identifier")]
    if not found:
        names = ", ".join(column.name for column in columns[:20])
        raise JobError(f"no quasi-identifiers: name them with --qi a,b,c, or in a job file; columns: {names}")
    for column in found:
        if column.is_nested or column.type == "BLOB":
            raise JobError(f"column {column.name!r} is {column.type} and cannot be a quasi-identifier; unnest it first")
    return found
