"""Measure a file under every privacy model, and compare it with the requirements of a job, a policy, a manifest or an attestation."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from duckanon import __version__
from duckanon.checks import policy as policies_of_files
from duckanon.checks import required
from duckanon.checks.classes import (
    MeasuredClasses,
    RequiredModels,
    count,
    every_model,
    is_ordered,
    measured_classes,
    model_checks,
    risk_figures,
    sizes,
)
from duckanon.checks.dataset import RuleCheck, check_columns, direct_identifiers, open_dataset
from duckanon.checks.required import RequiredOfFile
from duckanon.dataset import values
from duckanon.dataset.location import Source
from duckanon.dataset.missing import MissingRule
from duckanon.dataset.names import find_column
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import escaped, render
from duckanon.errors import JobError
from duckanon.job import accepted, prepare
from duckanon.job import policy as policies
from duckanon.job.merge import ASSUMED_ANY
from duckanon.job.options import Options, Run
from duckanon.job.prepare import Prepared
from duckanon.job.quasi_identifiers import references
from duckanon.job.requirements import requirement_of, sensitive_columns
from duckanon.job.resolve import missing_rule
from duckanon.observers import Caution, Observer, Silent
from duckanon.privacy.evaluation import evaluation
from duckanon.privacy.models.l_diversity import DistinctLDiversity
from duckanon.privacy.requirement import Adversary, Requirement
from duckanon.release.linkage import links_of_file
from duckanon.release.written_columns import record_sets
from duckanon.risks.column_sets import ClassRelation
from duckanon.risks.sizes import small_sets
from duckanon.risks.special_uniques import special_uniques
from duckanon.search import combinations
from duckanon.search.distributions import Distribution, distributions, refuse_tokens, with_distributions
from duckanon.search.possible_values import constant_columns, read, statement_of_classes

_MOST_CLASSES = 10
_LEFT_OUT = "no class of k-anonymity and of the risks, and as one class of models of sensitive columns"
"""How rows with `*` in every quasi-identifier are counted: they match any record. All other rows are needed for that."""


def check(
    source: Path | str | Source | None = None,
    *,
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    manifest: Path | None = None,
    attestation: Path | None = None,
    public_key: Path | None = None,
    show_values: bool = False,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Measure a file under every privacy model; the file is not changed.

    Returns a document with `status` (`measured`, `holds` or `violated`), `rows`, `nulls`, `classes`, `risk` and:

    - `privacy`: for each model the figure with the suppressed rows as a class and without them; for a required model whether
      it holds. `reference` says whether classes are compared with the distribution in the `source`, which a saved recoding
      contains, or in the `file`.
    - `homogeneous`: classes with only one sensitive value.
    - `smallest_classes`: with their values only if `show_values`.
    - `all_columns`: the classes of all columns of the file together.

    NULL is a value like any other.

    `manifest` is the manifest of the file. It gives the columns and the required models. The document then says under
    `manifest` whether the file is the one of the manifest; if it is not, `status` is `differs`.

    `attestation` and `public_key` replace the manifest: the document has the statement under `attestation`. Raises `AttestationError`
    if the key did not sign it, if the file is another one, or if its policy has expired or is not the given one.

    With a job or a policy, `columns` says whether the file has columns that are not released; of a manifest or an attestation, the file is
    unchanged. Warns of columns whose values look like direct identifiers.

    If persons are counted, `persons` says whether enough sensitive values of the required models remain possible for persons with rows in
    several classes. With a required k, warns of columns that link the rows of persons.

    A policy adds its models to the required ones. The document then says under `policy` whether it applies today, and whether
    the file has a forbidden column; with a manifest also whether the suppression limit is too large.
    """
    run, observer, options = run or Run(), observer or Silent(), options or Options()
    if (attestation is None) != (public_key is None):
        raise JobError("--attestation and --public-key belong together; give both, or leave both out")
    if manifest is not None and attestation is not None:
        raise JobError("--manifest and --attestation both give the columns and models to check; leave out one of them")
    if (manifest or attestation) is not None and (
        job is not None or not set(options.set) <= {"accept", "names"} or replace(options, policy=None, set={}) != Options()
    ):
        option, file = ("--manifest", "manifest") if manifest is not None else ("--attestation", "attestation")
        raise JobError(
            f"{option} gives the columns and models to check; leave out the other options and the job, or the {file}"
        )
    given = None if manifest is None else required.by_manifest(manifest)
    if attestation is not None and public_key is not None:
        given = required.by_attestation(attestation, public_key)
    policy = None if options.policy is None else policies.load(options.policy)
    is_assumed = False
    if given is not None:
        job = given.job if policy is None else policies_of_files.stricter(given.job, policy)
        options = replace(options, set={**options.set, "accept": [*given.job["accept"], *options.accepted]})
        is_assumed = given.is_assumed and not accepted.accepts(options.accepted, "assumed-any")
        job = {**job, "any": None} if is_assumed else job
    prepared = prepare.prepare(source, job, options, run)
    if given is not None and given.attested is not None:
        given.attested.refuse_other(prepared.source, policy)
    with DuckDBEngine(run.settings, observer) as engine:
        measured = MeasuredFile(engine, prepared, observer, show_values=show_values, given=given)
        document = measured.document()
        for line in measured.links():
            observer.warn(line)
        has_job = job is not None or prepared.job.policy is not None
        if given is None and has_job:
            columns = check_columns(prepared.job, measured.columns, options)
            document |= {"columns": columns.document()} | ({} if columns.passed else {"status": "violated"})
        for line in direct_identifiers(engine, prepared.job, measured.columns) if has_job else ():
            observer.warn(line)
    if is_assumed:
        (observer.warn if document["status"] == "violated" else observer.note)(ASSUMED_ANY)
    if given is not None and given.persons is not None and (caution := given.persons.caution) is not None:
        (observer.note if given.persons.column is None else observer.warn)(
            Caution("persons", f"{caution}: release the data again", *caution.columns)
        )
    if prepared.job.policy is not None:
        requirements, names = None if given is None else given.requirements, [column.name for column in measured.columns]
        document = policies_of_files.compared(document, prepared.job.policy, names, requirements)
    return (
        document if given is None else document | given.compared(prepared.source, document["rows"]["read"], measured.unjudged)
    )


class MeasuredFile:
    """One file, counted and checked."""

    def __init__(
        self, engine: Engine, prepared: Prepared, observer: Observer, *, show_values: bool, given: RequiredOfFile | None
    ) -> None:
        self._engine, self._show_values, self._given = engine, show_values, given
        self._by_source: set[str] = set()
        self.unjudged: list[str] = []
        """Required models that cannot be checked, because the file has values that its source does not have."""
        dataset = open_dataset(engine, prepared, observer)
        self._prepared = replace(prepared, job=dataset.job)
        self.columns, self._quasi_identifiers = dataset.columns, dataset.quasi_identifiers
        for name in dataset.job.of_role("sensitive"):
            find_column(self.columns, name, "sensitive column")
        self._requirement = requirement_of(dataset.job, self.columns)
        self._models = self._counted(has_population=dataset.has_population)

    def document(self) -> dict[str, Any]:
        """The results."""
        names = [column.name for column in self._quasi_identifiers]
        classes, checks = self._measured(names, self._models)
        whole, suppressed, sensitive = classes.whole, classes.suppressed, list(self._models.measured.sensitive)
        intersections = self._intersections(names)
        about_classes = {
            "risk": self._risk(names, self._models.measured),
            # classes with only one sensitive value, which k-anonymity does not protect
            "homogeneous": {
                str(model.column): {"classes": measured.single_classes, "rows": measured.single_rows}
                for model, measured in whole.models.items()
                if isinstance(model, DistinctLDiversity)
            },
            "smallest_classes": self._smallest(names),
        }
        # last, because it counts other classes in the same relations
        seen = self._by_adversary()
        checks = sorted(
            [*checks, *(check for each in seen.values() for check in each["privacy"])],
            key=lambda check: "required" not in check,
        )
        needed = [check for check in checks if "required" in check]
        holds = not intersections and all(check["passed"] for check in needed)
        return {
            "duckanon": __version__,
            "status": "measured" if not needed else "holds" if holds else "violated",
            "source": self._prepared.source.name,
            "quasi_identifiers": names,
            "sensitive": sensitive,
            "rows": {"read": whole.rows, "suppressed": suppressed},
            **({"suppressed_rows_are": _LEFT_OUT if classes.shown is classes.left else "one class"} if suppressed else {}),
            "nulls": values.null_rows(self._engine, [*names, *sensitive]),
            "classes": whole.sizes,
            "classes_without_suppressed": classes.left.sizes if suppressed else None,
            "privacy": checks,
            **(
                {"persons": _persons(intersections).document()}
                if self._requirement.k.entity and self._requirement.sensitive
                else {}
            ),
            **about_classes,
            **({"adversaries": {name: each["classes"] for name, each in seen.items()}} if seen else {}),
            "all_columns": self._all_columns(),
        }

    def links(self) -> Iterator[Caution]:
        """Yield a warning for each column that links the rows of persons, if k-anonymity is required of them."""
        job = self._prepared.job
        names = [column.name for column in self._quasi_identifiers]
        others = {*names, *job.of_role("sensitive")}
        columns = [
            column
            for column in self.columns
            if column.name not in others and not job.accepts("key", column.name) and not job.accepts("linked-rows", column.name)
        ]
        if self._models.is_k_required or self._requirement.adversaries:
            yield from links_of_file(self._engine, columns, self._requirement, names)

    @property
    def _counts_suppressed(self) -> bool:
        return self._given is not None

    def _measured(self, names: Sequence[str], models: RequiredModels) -> tuple[MeasuredClasses, list[dict[str, Any]]]:
        """The classes of these columns, which were counted last, and the checks of the models."""
        classes = measured_classes(
            self._engine, names, models.measured, are_counted=self._counts_suppressed, by_source=self._by_source
        )
        is_by_manifest = self._given is not None and self._given.distributions is not None
        checks, unjudged = model_checks(models, classes, is_by_manifest=is_by_manifest)
        self.unjudged += unjudged
        return classes, checks

    def _by_adversary(self) -> dict[str, Any]:
        """For each adversary of the job, the classes of the columns that it knows, and the checks of its models."""
        seen: dict[str, Any] = {}
        for adversary in self._requirement.adversaries:
            if adversary.any_of is not None:
                return {adversary.name: self._by_any_columns(adversary)}
            models = self._models.for_adversary(self._requirement.for_adversary(adversary))
            count(self._engine, adversary.columns, models.measured)
            classes, checks = self._measured(adversary.columns, models)
            about = {"columns": list(adversary.columns), "risk": self._risk(adversary.columns, models.measured)}
            seen[adversary.name] = {
                "classes": classes.whole.sizes | about,
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
        statement = statement_of_classes(columns, "present_classes", "counts", "present_histogram", names)
        possible = read(engine, columns, statement)
        return [possible.problem] if possible.failing else []

    def _by_any_columns(self, adversary: Adversary) -> dict[str, Any]:
        """The classes of each set of so many columns."""
        names = list(adversary.columns)
        [few] = evaluation(self._requirement, names, keep_suppressed_rows=False).adversaries
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
        about = {"columns": names, "sets": len(few.sets), "singled_out": None if special is None else special.document()}
        return {"classes": about, "privacy": [check]}

    def _all_columns(self) -> dict[str, int]:
        """The classes of all columns together: an adversary may also know columns that are not quasi-identifiers."""
        classes, smallest, uniques = record_sets(self._engine, self.columns, "records")
        return {"columns": len(self.columns), "classes": classes, "smallest": smallest, "uniques": uniques}

    def _risk(self, names: Sequence[str], measured: Requirement) -> dict[str, Any]:
        """The risk of a record by the classes of these columns, which were counted last."""
        risk = risk_figures(self._engine, names, measured, counts_suppressed=self._counts_suppressed)
        prosecutor = risk["prosecutor"]
        return {
            "unit": risk["unit"],
            "highest": prosecutor["highest"],
            "average": prosecutor["average"],
            "records_at_risk": prosecutor["at_risk"],
            **{key: risk[key] for key in ("average_of_persons", "person_share") if key in risk},
        }

    def _counted(self, *, has_population: bool) -> RequiredModels:
        """Count the classes; return the models that they are measured under."""
        engine, job, given, base = self._engine, self._prepared.job, self._prepared.hierarchies, self._prepared.base
        own_hierarchies = references({name: job.columns[name] for name in job.of_role("sensitive")}, given, base)
        models = every_model(job, self._requirement, own_hierarchies, has_population=has_population)
        sensitive = sensitive_columns(job, self.columns, models.measured, given, base)
        chosen, columns = self._quasi_identifiers, [attribute.column for attribute in sensitive]
        values.read_values(engine, chosen, MissingRule(), sensitive=columns, population=has_population)
        refuse_tokens(engine, sensitive, missing_rule(job))
        models = models.in_order(engine, sensitive)
        named = [*models.measured.others[: models.required], *self._requirement.every_model]
        ordered = {model.sensitive for model in named if is_ordered(model)}
        column_distributions = distributions(
            engine,
            [replace(attribute, needs_order=attribute.name in ordered) for attribute in sensitive],
            models.measured.k.entity,
            self._read_distributions(),
        )
        measured = with_distributions(models.measured, column_distributions)
        if measured.k.k_column is not None:
            combinations.check_own_k(engine, find_column(self.columns, measured.k.k_column, "column"))
        count(engine, [column.name for column in chosen], measured)
        self._compare_distributions(column_distributions)
        return replace(models, measured=measured)

    def _read_distributions(self) -> Collection[str]:
        """Create `source_distributions`, if there are any; return the columns of which the source has missing values."""
        if self._given is None or self._given.distributions is None:
            return ()
        path = escaped(self._engine.allow(self._given.distributions).absolute())
        self._engine.create_table(render("release/saved_relation", "source_distributions", path=path, renamed=None))
        return {name for (name,) in self._engine.query(render("check/source_nulls"))}

    def _compare_distributions(self, columns: Sequence[Distribution]) -> None:
        """Create `source_shares_<column>` for each column whose values all occur in the source."""
        for column in columns if self._given is not None and self._given.distributions is not None else ():
            about = {"column": column.name, "height": column.height, "partly_missing": column.is_partly_missing}
            if not self._engine.query(render("check/unknown_values", **about)):
                self._engine.create_table(render("check/source_shares", f"source_shares_{column.name}", **about))
                self._by_source.add(column.name)

    def _smallest(self, names: Sequence[str]) -> list[dict[str, Any]]:
        if not self._show_values:
            smallest = sizes(self._engine, counts_suppressed=self._counts_suppressed)[:_MOST_CLASSES]
            return [{"rows": size.size, "classes": size.classes} for size in smallest]
        classes = self._engine.query(render("check/smallest_classes", quasi_identifiers=names, limit=_MOST_CLASSES))
        return [{"rows": int(rows), "values": dict(zip(names, values, strict=True))} for rows, *values in classes]


def _persons(problems: Sequence[str]) -> RuleCheck:
    """The check of the values that remain possible for persons with rows in several classes."""
    message = "; ".join(problems) or "enough values remain possible for persons in several classes"
    return RuleCheck("possible-values", not problems, message)
