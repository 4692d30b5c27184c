"""A file, measured under every privacy model and compared with the requirements of a job."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from duckanon import __version__
from duckanon.dataset import values
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.names import find_column
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import escaped, render
from duckanon.hierarchy.attributes import Sensitive
from duckanon.job.model import Job
from duckanon.job.prepare import Prepared
from duckanon.job.quasi_identifiers import references
from duckanon.job.requirements import needs_population, requirement_of, sensitive_columns
from duckanon.job.resolve import missing_rule
from duckanon.observers import Observer
from duckanon.privacy.base import PrivacyModel
from duckanon.privacy.judgement import judgement
from duckanon.privacy.models.l_diversity import DistinctLDiversity, RecursiveCLDiversity
from duckanon.privacy.models.t_closeness import TCloseness
from duckanon.privacy.registry import every_model_of, every_model_of_quasi_identifiers, name_of
from duckanon.privacy.requirement import Adversary, Requirement
from duckanon.release.linkage import links_of_file
from duckanon.risks.attackers import figures
from duckanon.risks.column_sets import ClassRelation
from duckanon.risks.sizes import person_share, read_sizes
from duckanon.risks.small_sets import small_sets
from duckanon.risks.special_uniques import special_uniques
from duckanon.search import combinations
from duckanon.search.distributions import Distribution, distributions, is_misordered, refuse_tokens, with_distributions
from duckanon.search.possible_values import constant_columns, read, statement_of
from duckanon.workflows import measure
from duckanon.workflows.measure import MeasuredFigures
from duckanon.workflows.measured_dataset import open_dataset
from duckanon.workflows.model_checks import MeasuredClasses, RequiredModels, model_checks

_MOST_CLASSES = 10
_LEFT_OUT = "no class of k-anonymity and of the risks, and as one class of models of sensitive columns"
"""How rows with `*` in every quasi-identifier are counted: they match any record. All other rows are needed for that."""


class MeasuredFile:
    """One file, counted and checked."""

    def __init__(
        self,
        engine: Engine,
        prepared: Prepared,
        observer: Observer,
        *,
        show_values: bool,
        counts_suppressed: bool = False,
        distributions: Path | None = None,
    ) -> None:
        self._engine, self._show_values = engine, show_values
        self._counts_suppressed = counts_suppressed
        self._without = None if counts_suppressed else "_suppressed"
        self._distributions = distributions
        self._by_source: set[str] = set()
        self.unjudged: Sequence[str] = ()
        """Required models that cannot be checked, because the file has values that its source does not have."""
        dataset = open_dataset(engine, prepared, observer)
        self._prepared = replace(prepared, job=dataset.job)
        self.columns, self._quasi_identifiers, population = (
            dataset.columns,
            dataset.quasi_identifiers,
            dataset.has_population,
        )
        self._sensitive_names = dataset.job.of_role("sensitive")
        for name in self._sensitive_names:
            find_column(self.columns, name, "sensitive column")
        self._requirement = requirement_of(dataset.job, self.columns)
        self._models = self._everything(dataset.job, has_population=population)
        self._count(has_population=population)

    def document(self) -> dict[str, Any]:
        """The results."""
        names = [column.name for column in self._quasi_identifiers]
        classes = self._measured(names, self._models)
        whole, left, suppressed = classes.whole, classes.left, classes.suppressed
        checks, self.unjudged = model_checks(self._models, classes, is_by_manifest=self._distributions is not None)
        intersections = self._intersections(names)
        about_classes = {
            "risk": self._risk(names, self._models.measured),
            "homogeneous": self._homogeneous(whole),
            "smallest_classes": self._smallest(names),
        }
        seen = self._by_adversary()
        checks = sorted(
            [*checks, *(check for each in seen.values() for check in each["privacy"])],
            key=lambda check: "required" not in check,
        )
        required = [check for check in checks if "required" in check]
        holds = not intersections and all(check["passed"] for check in required)
        status = "measured" if not required else "holds" if holds else "violated"
        return {
            "duckanon": __version__,
            "status": status,
            "source": self._prepared.source.name,
            "quasi_identifiers": names,
            "sensitive": list(self._models.measured.sensitive),
            "rows": {"read": whole.rows, "suppressed": suppressed},
            **({"suppressed_rows_are": _LEFT_OUT if classes.shown is left else "one class"} if suppressed else {}),
            "nulls": values.null_rows(self._engine, [*names, *self._models.measured.sensitive]),
            "classes": _sizes(whole),
            "classes_without_suppressed": _sizes(left) if suppressed else None,
            "privacy": checks,
            **({"persons": _persons(intersections)} if self._requirement.k.entity and self._requirement.sensitive else {}),
            **about_classes,
            **({"adversaries": {name: each["classes"] for name, each in seen.items()}} if seen else {}),
            "all_columns": self._all_columns(),
        }

    def links(self) -> Iterator[str]:
        """Yield a warning for each column that links the rows of persons, if k-anonymity is required of them."""
        others = {column.name for column in self._quasi_identifiers} | {*self._sensitive_names}
        accepts = self._prepared.job.accepts
        columns = [
            column
            for column in self.columns
            if column.name not in others and not accepts("key", column.name) and not accepts("linked-rows", column.name)
        ]
        if self._models.is_k_required or self._requirement.adversaries:
            names = [column.name for column in self._quasi_identifiers]
            yield from links_of_file(self._engine, columns, self._requirement, names)

    def _measured(self, names: Sequence[str], models: RequiredModels) -> MeasuredClasses:
        """The classes of these columns, all of them and without the suppressed rows."""
        by_source = self._by_source
        whole, left = (
            measure.figures(self._engine, names, models.measured, left_out=is_left_out, by_source=by_source)
            for is_left_out in (False, True)
        )
        own = measure.figures(self._engine, names, models.measured, left_out=False) if by_source else None
        return MeasuredClasses(whole, left, own, self._counts_suppressed, by_source)

    def _by_adversary(self) -> dict[str, Any]:
        """For each adversary of the job, the classes of the columns that it knows, and the checks of its models."""
        seen: dict[str, Any] = {}
        for adversary in self._requirement.adversaries:
            if adversary.any_of is not None:
                return {adversary.name: self._by_any_columns(adversary)}
            part = replace(
                self._requirement.of(adversary),
                heights=self._models.measured.heights,
                partly_missing=self._models.measured.partly_missing,
            )
            models = RequiredModels(part, len(part.others), is_k_required=True, risk=None)
            measure.count(self._engine, adversary.columns, part)
            classes = self._measured(adversary.columns, models)
            checks, unjudged = model_checks(models, classes, is_by_manifest=self._distributions is not None)
            self.unjudged = [*self.unjudged, *unjudged]
            seen[adversary.name] = {
                "classes": _sizes(classes.whole)
                | {"columns": list(adversary.columns), "risk": self._risk(adversary.columns, part)},
                "privacy": [check | {"adversary": adversary.name} for check in checks if "required" in check],
            }
        return seen

    def _intersections(self, names: Sequence[str]) -> list[str]:
        """The problem of persons for whom too few values of a required model remain possible in their classes, which were counted last.

        Models of adversaries refuse persons.
        """
        engine, job = self._engine, self._prepared.job
        constant = constant_columns(engine, job, self._requirement, self._requirement.sensitive)
        columns = [column for column in constant if not job.accepts("possible-values", column.name)]
        if not columns:
            return []
        histograms = [{"column": column.name, "histogram": f"present_histogram_{column.name}"} for column in columns]
        about = {"sensitives": histograms, "quasi_identifiers": list(names)}
        possible = read(engine, columns, statement_of("check/possible_values", columns, about))
        return [possible.problem] if possible.failing else []

    def _by_any_columns(self, adversary: Adversary) -> dict[str, Any]:
        """The classes of each set of so many columns."""
        names = list(adversary.columns)
        [few] = judgement(self._requirement, names, stars=False)["adversaries"]
        counts, left = (
            small_sets(self._engine, "present_classes", few, adversary.k.k, without=without)
            for without in (None, "_suppressed")
        )
        counts = left if left.smallest and not self._counts_suppressed else counts
        check = {
            "model": "k-anonymity",
            "column": None,
            "required": adversary.k.k,
            "achieved": counts.smallest,
            "passed": not counts.failing_rows,
            "achieved_without_suppressed": left.smallest,
            "failing_classes": counts.failing_classes,
            "failing_rows": counts.failing_rows,
            "adversary": adversary.name,
        }
        special = special_uniques(self._engine, ClassRelation("present_classes", {name: name for name in names}, 0))
        about = {"columns": names, "sets": len(few["sets"]), "singled_out": None if special is None else special.document()}
        return {"classes": about, "privacy": [check]}

    def _all_columns(self) -> dict[str, int]:
        """The classes of all columns together: an adversary may also know columns that are not quasi-identifiers."""
        statement = render("check/all_columns", columns=self.columns)
        [(classes, smallest, uniques)] = self._engine.query(statement, "comparing all columns")
        return {"columns": len(self.columns), "classes": int(classes), "smallest": int(smallest), "uniques": int(uniques)}

    def _risk(self, names: Sequence[str], measured: Requirement) -> dict[str, Any]:
        """The risk of a record by the classes of these columns, which were counted last."""
        k = measured.k
        size = "_persons" if k.entities else "_rows"
        sizes = read_sizes(self._engine, "present_classes", size=size, without=self._without)
        sizes = sizes or read_sizes(self._engine, "present_classes", size=size)
        share = person_share(self._engine, names, has_sensitive=bool(measured.sensitive)) if k.entities else None
        risk = figures(sizes, of=k.of, person_share=share)
        prosecutor = risk["prosecutor"]
        return {
            "of": risk["of"],
            "highest": prosecutor["highest"],
            "average": prosecutor["average"],
            "records_at_risk": prosecutor["at_risk"],
            **{key: risk[key] for key in ("average_of_persons", "person_share") if key in risk},
        }

    def _everything(self, job: Job, *, has_population: bool) -> RequiredModels:
        """The models that the job requires, followed by one of every other kind to measure what it achieves."""
        # those of adversaries are measured by their own classes
        requirement = replace(self._requirement, adversaries=())
        known = [_kind(model) for model in requirement.others]
        known_hierarchies = self._hierarchies(job)
        more = every_model_of_quasi_identifiers() if has_population else []
        for name in self._sensitive_names:
            more += every_model_of(name, has_hierarchy=name in known_hierarchies)
        more = [model for model in more if _kind(model) not in known]
        measured = replace(requirement, others=(*requirement.others, *more), average_risk=None)
        needs_population(job, measured)
        names_k = any(entry.model in ("k-anonymity", "alpha-k-anonymity") for entry in job.requirements)
        is_k_required = names_k and not self._requirement.adversaries
        if not is_k_required:
            measured = replace(measured, k=measured.k.model_copy(update={"k": 1}))
        return RequiredModels(measured, len(requirement.others), is_k_required, requirement.average_risk)

    def _hierarchies(self, job: Job) -> Collection[str]:
        """The sensitive columns that have a hierarchy; raises `JobError` for a hierarchy of another column."""
        sensitive = {name: job.columns[name] for name in self._sensitive_names}
        return references(sensitive, self._prepared.hierarchies, self._prepared.base)

    def _count(self, *, has_population: bool) -> None:
        engine, models = self._engine, self._models
        sensitive = sensitive_columns(
            self._prepared.job, self.columns, models.measured, self._prepared.hierarchies, self._prepared.base
        )
        chosen, columns = self._quasi_identifiers, [attribute.column for attribute in sensitive]
        values.read_values(engine, chosen, MissingRule(), sensitive=columns, population=has_population)
        refuse_tokens(engine, sensitive, missing_rule(self._prepared.job))
        models = self._in_order(sensitive)
        named = [*models.measured.others[: models.required], *self._requirement.every_model]
        required = {model.sensitive for model in named if _is_ordered(model)}
        column_distributions = distributions(
            engine,
            [replace(attribute, needs_order=attribute.name in required) for attribute in sensitive],
            models.measured.k.entity,
            self._read_distributions(),
        )
        measured = with_distributions(models.measured, column_distributions)
        self._models = replace(models, measured=measured)
        if measured.k.k_column is not None:
            combinations.check_own_k(engine, find_column(self.columns, measured.k.k_column, "column"))
        measure.count(engine, [column.name for column in chosen], measured)
        if self._distributions is not None:
            self._compare_distributions(column_distributions)

    def _read_distributions(self) -> Collection[str]:
        """Create `source_distributions`, if there are any; return the columns of which the source has missing values."""
        if self._distributions is None:
            return ()
        path = escaped(self._engine.allow(self._distributions).absolute())
        self._engine.create_table(render("check/source_distributions", path=path))
        return {name for (name,) in self._engine.query(render("check/source_nulls"))}

    def _compare_distributions(self, columns: Sequence[Distribution]) -> None:
        """Create `source_shares_<column>` for each column whose values all occur in the source."""
        for column in columns:
            about = {"column": column.name, "height": column.height, "partly_missing": column.is_partly_missing}
            if not self._engine.query(render("check/unknown_values", **about)):
                self._engine.create_table(render("check/source_shares", f"source_shares_{column.name}", **about))
                self._by_source.add(column.name)

    def _in_order(self, sensitive: Sequence[Sensitive]) -> RequiredModels:
        """Remove ordered distances that are only measured from columns whose only order is that of text."""
        models = self._models
        ordered = [attribute.column for attribute in sensitive if not attribute.order]
        unordered = {column.name for column in ordered if is_misordered(self._engine, column)}
        required, more = models.measured.others[: models.required], models.measured.others[models.required :]
        more = tuple(model for model in more if not (_is_ordered(model) and model.sensitive in unordered))
        return replace(models, measured=replace(models.measured, others=(*required, *more)))

    def _homogeneous(self, whole: MeasuredFigures) -> dict[str, dict[str, int]]:
        """Classes with only one sensitive value, which k-anonymity does not protect."""
        return {
            str(model.column): {"classes": measured.single_classes, "rows": measured.single_rows}
            for model, measured in whole.models.items()
            if isinstance(model, DistinctLDiversity)
        }

    def _smallest(self, names: Sequence[str]) -> list[dict[str, Any]]:
        if not self._show_values:
            sizes = read_sizes(self._engine, "present_classes", without=self._without)
            sizes = sizes or read_sizes(self._engine, "present_classes")
            return [{"rows": size.size, "classes": size.classes} for size in sizes[:_MOST_CLASSES]]
        classes = self._engine.query(render("check/smallest_classes", quasi_identifiers=names, limit=_MOST_CLASSES))
        return [{"rows": int(rows), "values": dict(zip(names, values, strict=True))} for rows, *values in classes]


def _persons(problems: Sequence[str]) -> dict[str, Any]:
    """The check of the values that remain possible for persons with rows in several classes."""
    message = "; ".join(problems) or "enough values remain possible for persons in several classes"
    return {"rule": "possible-values", "passed": not problems, "message": message}


def _kind(model: PrivacyModel) -> tuple[Any, ...]:
    """What a model measures; equal for two models that measure the same."""
    return name_of(model), model.sensitive, model.parameters.get("l") if isinstance(model, RecursiveCLDiversity) else None


def _is_ordered(model: PrivacyModel) -> bool:
    return isinstance(model, TCloseness) and model.distance == "ordered"


def _sizes(whole: MeasuredFigures) -> dict[str, Any]:
    average = whole.rows / whole.classes if whole.classes else 0.0
    return {"count": whole.classes, "smallest": whole.smallest, "average": average, "largest": whole.largest}
