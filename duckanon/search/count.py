"""Open the input, resolve the roles, check the hierarchies and count the rows into `combinations`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from duckanon.dataset import values
from duckanon.dataset.csv import MALFORMED_LINES
from duckanon.dataset.names import find_column, listed
from duckanon.dataset.opening import create_population, open_population, open_source, population_size
from duckanon.dataset.text_identifiers import ReplacedTexts
from duckanon.engine.protocol import Column, Engine, row_count
from duckanon.engine.templates import ident
from duckanon.errors import HierarchyError, JobError, OutOfMemory
from duckanon.formatting import first_of
from duckanon.hierarchy.attributes import Attribute
from duckanon.hierarchy.kinds.order import Order
from duckanon.hierarchy.suggest import is_suggested
from duckanon.job.export import explicit
from duckanon.job.keys import accepting
from duckanon.job.model import Job
from duckanon.job.persons import Persons, with_persons
from duckanon.job.prepare import Prepared
from duckanon.job.quasi_identifiers import given_hierarchies
from duckanon.job.resolve import Plan, create_records, missing_rule, read_values, resolve, valued
from duckanon.job.roles import Proposal, with_hierarchies
from duckanon.metrics.figures import Marginals
from duckanon.observers import Caution, Observer
from duckanon.privacy.requirement import Requirement
from duckanon.search import combinations, detected_columns
from duckanon.search.combinations import coarse_levels
from duckanon.search.dependencies import dependencies, sampled_rows
from duckanon.search.distributions import Distribution, distributions, refuse_tokens, with_distributions
from duckanon.search.drift import Drift, leave_out
from duckanon.search.possible_values import ConstantColumn, constant_columns
from duckanon.search.protected_values import Protected, Protection, read_protected
from duckanon.search.sample import Sample
from duckanon.search.unnamed_persons import proposed_roles, warn_of_unnamed_persons

_MANY_ROWS = 1_000_000
"""Maximum number of rows at which every combination of values is searched."""
_MOST_REASONS = 3
"""Reasons of roles in a refusal."""
_NOTABLE_SHARE = 0.2
"""Of the rows that are read, if more are left out for missing values, a warning says so."""


@dataclass(frozen=True)
class Counted:
    """The result of the count pass, which the search reads."""

    job: Job
    """The job of the run, including the detected roles."""
    columns: list[Column]
    plan: Plan
    proposal: Proposal | None
    """Set if the roles are detected."""
    attributes: list[Attribute]
    marginals: list[Marginals]
    read: int
    rows: int
    """Records that take part, N."""
    drift: Drift | None
    """Set if a saved recoding is applied: what it does not cover."""
    distributions: Sequence[Distribution] = ()
    """The distributions of the sensitive columns that the requirement names."""
    nulls: Mapping[str, int] = field(default_factory=dict)
    """Rows without a value per quasi-identifier and sensitive column; columns without such rows are left out."""
    dropped_since: Mapping[str, str] = field(default_factory=dict)
    """Retained columns that the run drops later, with the reason."""
    population_size: int | None = None
    """Rows of the population from which the table is a sample, if known."""
    persons: Persons = field(default_factory=Persons)
    protected: tuple[Protected, ...] = ()
    bundled: Mapping[str, str] = field(default_factory=dict)
    """The bundled hierarchy of each quasi-identifier for which the job and the command line name none."""
    malformed: int = 0
    """Malformed lines of the input that were left out."""
    isolated: int = 0
    """Rows left out because the release would isolate them; they are always suppressed."""
    isolated_by: Mapping[str, Sequence[Column]] = field(default_factory=dict)
    """The relations that hold these rows, and the columns whose values each holds."""
    constant: tuple[ConstantColumn, ...] = ()
    """The sensitive columns that are constant for persons; the classes of a person are intersected."""
    replaced: Mapping[str, ReplacedTexts] = field(default_factory=dict)
    """The columns whose text is released without direct identifiers."""
    spared: Collection[str] = ()
    """Dropped columns that the loss over all columns does not count: direct identifiers, columns with a single value, and copies."""
    compared: Mapping[str, float] = field(default_factory=dict)
    """The information loss of each algorithm that `auto` tried."""
    alternatives: Sequence[Mapping[str, Any]] = ()
    """What other options would give; keys of `manifest.alternatives`."""

    deadline: float | None = None
    """When the run must end, on the clock of `time.monotonic`; each search ends by then with its best result so far."""

    @property
    def is_applied(self) -> bool:
        """Whether a saved recoding is applied to new data."""
        return self.drift is not None

    def is_detected(self, name: str) -> bool:
        """Whether the role of a column was detected."""
        return self.proposal is not None and self.proposal.is_detected(name)

    @property
    def outside(self) -> int:
        """Rows that a saved recoding does not cover, or that the release would isolate; they are always suppressed."""
        return self.isolated + (self.drift.rows if self.drift else 0)

    @property
    def limit(self) -> int:
        """How many of the rows that take part may be suppressed; negative if too many rows are outside the recoding."""
        if self.plan.requirement.bounds_presence:
            return -self.outside
        return self.job.limit.of(self.rows + self.outside) - self.outside

    @property
    def intersected(self) -> list[ConstantColumn]:
        """The constant columns of which enough values must remain possible, because the job does not accept fewer."""
        return [column for column in self.constant if not self.job.accepts("possible-values", column.name)]

    @property
    def protection(self) -> Protection | None:
        """The share of its rows that each value of a protected column may lose: the share that the limit allows for all rows."""
        if not self.protected:
            return None
        limit = self.job.limit
        share = Fraction(limit.share or 0) if limit.rows is None else Fraction(limit.rows, self.rows + self.outside)
        return Protection(self.protected, min(share, Fraction(1)))

    @property
    def decisive(self) -> Requirement:
        """The requirement that chooses the recoding; the release is always checked against the whole requirement."""
        requirement = self.plan.requirement
        return requirement if self.job.decide_on == "all" else requirement.of_quasi_identifiers


def count(engine: Engine, prepared: Prepared, observer: Observer) -> Counted:
    """Build `records`, the relations of the hierarchies and `combinations`; an applied recoding leaves out rows that it does not cover."""
    for line in prepared.cautions:
        observer.warn(line)
    # first, because opening a file uses the view `source` temporarily
    is_open = bool(prepared.opened)
    population = None if prepared.population is None or is_open else open_population(engine, prepared.population)
    columns = list(prepared.opened) if is_open else open_source(engine, prepared.source)
    job, proposal = prepared.job, None
    replaced = create_records(engine, columns, job)
    left_out = {
        relation: [find_column(columns, name, "column") for name in names] for relation, names in prepared.isolated.items()
    }
    isolated = _leave_out_isolated(engine, prepared, columns, left_out)
    if not job.of_role("quasi-identifier"):
        job, proposal = detect_roles(engine, columns, job, prepared.hierarchies, observer)
    job, persons = with_persons(engine, job, columns, proposal.looks if proposal else None)
    if prepared.names_missing and not prepared.is_applied:
        values.check_declared(engine, columns, job.columns.keys(), missing_rule(job))
    job = with_hierarchies(engine, job, columns, prepared.hierarchies, prepared.base, observer)
    plan = resolve(job, columns, prepared.hierarchies, prepared.base, observer)
    persons.tell(observer)
    chosen = [qi.column for qi in plan.quasi_identifiers]
    if population is not None and plan.has_population:
        create_population(engine, population, chosen, plan.missing)
    for qi in [] if prepared.is_applied else plan.quasi_identifiers:
        if isinstance(qi.hierarchy, Order) and qi.hierarchy.shows_data:
            text = (
                f"the hierarchy of {qi.name!r} (kind order without `values`) takes its labels from the data: they may show values of suppressed rows, "
                "and the least and the greatest value; list the values, or use intervals"
            )
            observer.warn(Caution("order-labels", text, qi.name))
    read_values(engine, plan)
    drift = leave_out(engine, columns, plan, left_out, keeps_rows=prepared.keeps_rows) if prepared.is_applied else None
    attributes = combinations.build_hierarchies(engine, plan.quasi_identifiers, suggested=_suggested(prepared, plan))
    refuse_tokens(engine, plan.sensitive, plan.missing)
    distributions = _distributions(engine, plan, is_applied=prepared.is_applied)
    plan = replace(plan, requirement=with_distributions(plan.requirement, distributions))
    if plan.requirement.k.k_column is not None:
        combinations.check_own_k(engine, find_column(columns, plan.requirement.k.k_column, "column"))
    protected = [column.name for column in plan.protected]
    marginals = combinations.read_marginals(engine, attributes)
    if job.recoding.algorithm == "auto" and not engine.is_remote("records"):
        job, plan, attributes = _coarse(engine, job, plan, attributes, marginals, observer)
    rows = _counted(engine, attributes, plan.requirement, protected)
    warn_of_unnamed_persons(engine, job, columns, persons, rows, observer)
    if plan.requirement.adversaries:
        job, plan = _closed(engine, job, plan, columns, rows, observer)
    outside = isolated + (drift.rows if drift else 0)
    # `records` lacks rows that were dropped for missing values; for Parquet this count reads only the footer
    read = row_count(engine, "source") if plan.missing.policy == "drop" else rows + outside
    if read - rows - outside > _NOTABLE_SHARE * read:
        text = (
            f"{read - rows - outside:,} of {read:,} rows have a missing value in some column and are left out (--set missing.policy=drop); "
            "the suppression limit does not count them"
        )
        observer.warn(Caution("missing-rows", text))
    released = [column.name for column in plan.released if plan.roles[column.name] == "sensitive"]
    nulls = values.null_rows(engine, [*valued(plan), *plan.requirement.sensitive], released)
    people = population_size(engine, job.population_size, rows, is_open=plan.has_population)
    constant = constant_columns(engine, job, plan.requirement, [column.name for column in plan.released])
    counted = Counted(
        job,
        columns,
        plan,
        proposal,
        attributes,
        marginals,
        read,
        rows,
        drift,
        distributions,
        nulls,
        population_size=people,
        malformed=engine.relations().get(MALFORMED_LINES) or 0,
        persons=persons,
        protected=read_protected(engine, protected),
        bundled=_bundled(prepared, job, plan),
        isolated=isolated,
        isolated_by=left_out,
        constant=constant,
        replaced=replaced,
    )
    if counted.intersected and engine.is_remote("records"):
        name = counted.intersected[0].name
        raise JobError(
            f"the sensitive {name!r} is constant for persons, and a cluster does not intersect the classes of a person; leave --engine out, "
            f"or accept it with {accepting('possible-values', name)}"
        )
    return counted


def _closed(engine: Engine, job: Job, plan: Plan, columns: Sequence[Column], rows: int, observer: Observer) -> tuple[Job, Plan]:
    """The same with adversaries who know what their columns determine; the job has what was detected."""
    known = [qi.column for qi in plan.quasi_identifiers]
    entity = next((column for column in columns if column.name in job.entities[:1]), None)
    with Sample(engine, rows, plan.treatments, most=sampled_rows(len(known), len(known))) as sample:
        detected = dependencies(sample, known, known, entity=entity)
    names = [column.name for column in known]
    requirement = plan.requirement.closed(names, detected)
    determined = {name: list(sets) for name, sets in job.determined.items()}
    for each in detected:
        sets = determined.setdefault(each.column, [])
        if list(each.known) not in sets:
            sets.append(list(each.known))
    if requirement != plan.requirement:
        listed = first_of([f"{each.column!r} from {' and '.join(map(repr, each.known))}" for each in detected])
        observer.note(f"some quasi-identifiers follow from others ({listed}): adversaries who know these know both")
        job = job.model_copy(update={"determined": determined})
    return job, replace(plan, requirement=requirement)


def _leave_out_isolated(
    engine: Engine, prepared: Prepared, columns: Sequence[Column], isolated: Mapping[str, Sequence[Column]]
) -> int:
    """Leave out the records that the release would isolate; return their number."""
    if not isolated:
        return 0
    rows = row_count(engine, "records", stage="counting the rows")
    values.create_records(engine, values.records_statement(columns, missing_rule(prepared.job), isolated=isolated))
    return rows - row_count(engine, "records", stage="counting the rows")


def _suggested(prepared: Prepared, plan: Plan) -> list[str]:
    """The quasi-identifiers whose hierarchies this run has suggested."""
    given = {name for name, column in prepared.job.columns.items() if column.hierarchy is not None}
    return [qi.name for qi in plan.quasi_identifiers if qi.name not in given and is_suggested(qi.hierarchy)]


def _bundled(prepared: Prepared, job: Job, plan: Plan) -> dict[str, str]:
    given = given_hierarchies([qi.column for qi in plan.quasi_identifiers], prepared.hierarchies)
    named = {name for name, column in prepared.job.columns.items() if column.hierarchy is not None}
    chosen = {qi.name: job.columns[qi.name].hierarchy for qi in plan.quasi_identifiers if qi.name not in named.union(given)}
    return {name: hierarchy for name, hierarchy in chosen.items() if isinstance(hierarchy, str)}


def _counted(engine: Engine, attributes: Sequence[Attribute], requirement: Requirement, protected: Sequence[str]) -> int:
    """Count the rows that take part; raises `OutOfMemory` with the column that has the most distinct values."""
    try:
        return combinations.count(engine, attributes, requirement, protected)
    except OutOfMemory as error:
        standing = engine.relations()
        distinct = {attribute.name: standing[f"values_{attribute.name}"] or 0 for attribute in attributes}
        name = max(distinct, key=lambda attribute: distinct[attribute])
        raise OutOfMemory(
            f"{error}; or raise min-level of {name!r} ({distinct[name]:,} distinct values) in the job file"
        ) from error


def _coarse(
    engine: Engine, job: Job, plan: Plan, attributes: list[Attribute], marginals: Sequence[Marginals], observer: Observer
) -> tuple[Job, Plan, list[Attribute]]:
    """The same with higher least levels, if the table has very many combinations."""
    # the top of a column with one leaf is not among its general labels
    rows = max((sum(marginal.rows[-1].values()) for marginal in marginals), default=0)
    raised = coarse_levels(engine, attributes, marginals, rows) if rows > _MANY_ROWS else {}
    if not raised:
        return job, plan, attributes
    columns = {
        name: job.columns[name].model_copy(update={"min_level": level, "order": None, "cut": "hierarchy"})
        for name, level in raised.items()
    }
    attributes = [
        replace(attribute, min_level=raised[attribute.name], ordering=None) if attribute.name in raised else attribute
        for attribute in attributes
    ]
    generalized = tuple(
        replace(qi, min_level=raised[qi.name], ordering=None) if qi.name in raised else qi for qi in plan.quasi_identifiers
    )
    listed = ", ".join(f"{name} from level {level} up" for name, level in raised.items())
    observer.note(f"very many combinations of values: {listed}; --algorithm mondrian starts at the values")
    job = job.model_copy(update={"columns": {**job.columns, **columns}})
    return job, replace(plan, quasi_identifiers=generalized), attributes


def _distributions(engine: Engine, plan: Plan, *, is_applied: bool) -> list[Distribution]:
    """The distributions of the sensitive columns; raises `HierarchyError` if a hierarchy does not cover their values."""
    try:
        return distributions(engine, plan.sensitive, plan.requirement.k.entity)
    except HierarchyError as error:
        if not is_applied:
            raise
        raise HierarchyError(
            "the new data holds sensitive values that the saved hierarchy does not cover, so distances along it are undefined; "
            f"search again with a hierarchy that covers them ({error.lines[0]})"
        ) from error


def detect_roles(
    engine: Engine, columns: list[Column], job: Job, hierarchies: Sequence[str], observer: Observer
) -> tuple[Job, Proposal]:
    """Detect a role for every column from a profile; the observer gets each role with its reason.

    A column with a hierarchy from `--hierarchies` is a quasi-identifier.
    """
    observer.note("no quasi-identifiers given: detecting roles (one extra scan)", is_detail=True)
    named = {name: plan.role for name, plan in job.columns.items()}
    declared = dict.fromkeys(given_hierarchies(columns, hierarchies), "quasi-identifier") | named
    proposal = proposed_roles(engine, columns, missing_rule(job), declared, job.k)
    for line in lines(proposal):
        observer.note(f"  {line}", is_detail=True)
    if nested := [column.name for column in columns if column.is_nested and proposal.role_of(column.name) == "dropped"]:
        unnested = ", ".join(f"unnest({ident(name)}, recursive => true)" for name in nested)
        reason = (
            f"{first_of([repr(name) for name in nested])} hold{'s' if len(nested) == 1 else ''} lists or objects, which cannot be generalized; "
            f"unnest them before the run, in DuckDB: copy (select * exclude ({', '.join(map(ident, nested))}), {unnested} from 'FILE') to 'FILE.parquet'"
        )
        if not proposal.of_role("quasi-identifier"):
            raise JobError(f"no quasi-identifier detected: {reason}")
        observer.note(reason)
    if not proposal.of_role("quasi-identifier"):
        raise JobError(
            f"no quasi-identifier detected ({'; '.join(lines(proposal)[:_MOST_REASONS])}): name the quasi-identifiers with --qi a,b,c, or in a job "
            f"file; columns: {listed(columns)}"
        )
    if job.others == "keep":
        text = "the roles are detected, so duckanon does not keep columns without a declared role; name the quasi-identifiers with --qi"
        observer.warn(Caution("detected-roles", text))
    detected_columns.warn_of_identifiers(proposal, observer)
    for column in columns:
        if column.unread is not None and proposal.role_of(column.name) == "quasi-identifier" and column.name not in declared:
            observer.warn(Caution("unread-values", f"{column.name!r} {column.unread}", column.name))
    detected_columns.note_marks(job, proposal, declared, observer)
    return explicit(job, proposal), proposal


def lines(proposal: Proposal) -> list[str]:
    """One line per column, released columns first; columns dropped for the same reason share a line."""
    texts = [
        f"{column.name}: {column.role}; {column.reason}"
        for column in proposal.columns
        if column.role in ("quasi-identifier", "sensitive", "insensitive")
    ]
    reasons: dict[str, list[str]] = {}
    for column in proposal.columns:
        if column.role in ("identifying", "dropped"):
            reasons.setdefault(column.reason, []).append(column.name)
    return texts + [f"{first_of(names)}: dropped; {reason}" for reason, names in reasons.items()]
