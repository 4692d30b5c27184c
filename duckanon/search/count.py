"""The count: from the opened input to `combinations`, with the roles settled and the hierarchies checked on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from shlex import quote

from duckanon.dataset import values
from duckanon.dataset.names import find_column, listed
from duckanon.dataset.opening import open_source
from duckanon.dataset.population import create_population, open_population, population_size
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.errors import HierarchyError, JobError, OutOfMemory
from duckanon.hierarchy.attributes import Attribute
from duckanon.hierarchy.kinds.order import Order
from duckanon.job.default_hierarchies import with_hierarchies
from duckanon.job.export import explicit
from duckanon.job.hierarchy_resolver import given_hierarchies
from duckanon.job.model import Job
from duckanon.job.persons import Persons, with_persons
from duckanon.job.prepare import Prepared
from duckanon.job.resolve import Plan, check_partitions, missing_rule, read_values, settle, valued
from duckanon.job.role_proposal import Proposal, propose
from duckanon.metrics.figures import Marginals
from duckanon.observers import Observer
from duckanon.privacy.requirement import Requirement
from duckanon.search import combinations
from duckanon.search.distributions import Distribution, distributions
from duckanon.search.drift import Drift, leave_out
from duckanon.search.protected_values import Protected, Protection, read_protected


@dataclass(frozen=True)
class Counted:
    """What the count pass left for the search."""

    job: Job
    """The job as it is carried out: with a role for every column, where none was declared."""
    columns: list[Column]
    plan: Plan
    proposal: Proposal | None
    """Where the roles are guessed."""
    attributes: list[Attribute]
    marginals: list[Marginals]
    read: int
    rows: int
    """Rows that take part, N."""
    drift: Drift | None
    """Where a saved recoding is applied: what it does not cover."""
    distributions: Sequence[Distribution] = ()
    """Of the sensitive columns that the requirement is about."""
    nulls: Mapping[str, int] = field(default_factory=dict)
    """Rows without a value, of the quasi-identifiers and of those columns, where there are some."""
    dropped_since: Mapping[str, str] = field(default_factory=dict)
    """Columns that were to be kept and are dropped after all, with the reason."""
    population_size: int | None = None
    """Rows of the population that the table is a sample of, where it is known."""
    persons: Persons = field(default_factory=Persons)
    protected: tuple[Protected, ...] = ()
    bundled: Mapping[str, str] = field(default_factory=dict)
    """Of quasi-identifiers without a hierarchy of the job or the command line: the bundled one that was taken."""

    @property
    def is_applied(self) -> bool:
        """Whether a saved recoding is applied to other data than those that it was found on."""
        return self.drift is not None

    @property
    def outside(self) -> int:
        """Rows that a frozen recoding does not cover, which are left out in any case."""
        return self.drift.rows if self.drift else 0

    @property
    def limit(self) -> int:
        """Of the rows that take part, those that may be suppressed; below 0 where too many are left out already."""
        return self.job.limit.of(self.rows + self.outside) - self.outside

    @property
    def protection(self) -> Protection | None:
        """What each value of the protected columns may lose: the share of its rows that the limit allows of all rows."""
        if not self.protected:
            return None
        limit = self.job.limit
        share = Fraction(limit.share or 0) if limit.rows is None else Fraction(limit.rows, self.rows + self.outside)
        return Protection(self.protected, min(share, Fraction(1)))

    @property
    def decisive(self) -> Requirement:
        """What the recoding is chosen by; what it releases is judged by all that is required."""
        requirement = self.plan.requirement
        return requirement if self.job.decide_on == "all" else requirement.of_quasi_identifiers


def count(engine: Engine, prepared: Prepared, observer: Observer) -> Counted:
    """Makes `records`, the hierarchies' relations and `combinations`; an applied recoding leaves out what it does not cover."""
    # first, because opening a file uses the view `source` on the way
    population = open_population(engine, prepared.population) if prepared.population is not None else None
    columns = open_source(engine, prepared.source)
    job, proposal = prepared.job, None
    engine.create_view(values.records_statement(columns, missing_rule(job)))
    if not job.of_role("quasi-identifier"):
        job, proposal = guessed(engine, columns, job, prepared.hierarchies, observer)
    job, persons = with_persons(engine, job, columns, prepared.job.columns, proposal.looks if proposal else None)
    job = with_hierarchies(engine, job, columns, prepared.hierarchies, prepared.base, observer)
    plan = settle(job, columns, prepared.hierarchies, prepared.base, observer)
    for line in persons.notes:
        observer.note(line)
    chosen = [qi.column for qi in plan.quasi_identifiers]
    if population is not None and plan.has_population:
        create_population(engine, population, chosen, plan.missing)
    for qi in [] if prepared.is_applied else plan.quasi_identifiers:
        if isinstance(qi.hierarchy, Order) and qi.hierarchy.shows_data:
            observer.warn(
                f"the hierarchy of {qi.name!r} makes its labels of the values of the data (kind order without `values`): those of suppressed rows, "
                "and the least and the greatest, may stand in them; list the values, or take intervals"
            )
    read_values(engine, plan)
    drift = leave_out(engine, columns, plan) if prepared.is_applied else None
    attributes = combinations.build_hierarchies(engine, plan.quasi_identifiers)
    distributions = _distributions(engine, plan, is_applied=prepared.is_applied)
    plan = replace(
        plan,
        requirement=replace(
            plan.requirement, heights={distribution.name: distribution.height for distribution in distributions}
        ),
    )
    if plan.requirement.k.k_column is not None:
        combinations.check_own_k(engine, find_column(columns, plan.requirement.k.k_column, "column"))
    protected = [column.name for column in plan.protected]
    rows = _counted(engine, attributes, plan.requirement, protected)
    marginals = combinations.read_marginals(engine, attributes)
    outside = drift.rows if drift else 0
    # only rows that were dropped need a second look; Parquet answers it from its footer
    read = int(engine.query(render("dataset/source_rows"))[0][0]) if plan.missing.policy == "drop" else rows + outside
    nulls = values.null_rows(engine, [*valued(plan), *plan.requirement.sensitive])
    people = population_size(engine, job.population_size, rows, is_open=plan.has_population)
    return Counted(
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
        persons=persons,
        protected=read_protected(engine, protected),
        bundled=_bundled(prepared, job, plan),
    )


def _bundled(prepared: Prepared, job: Job, plan: Plan) -> dict[str, str]:
    given = given_hierarchies([qi.column for qi in plan.quasi_identifiers], prepared.hierarchies)
    named = {name for name, column in prepared.job.columns.items() if column.hierarchy is not None}
    chosen = {qi.name: job.columns[qi.name].hierarchy for qi in plan.quasi_identifiers if qi.name not in named.union(given)}
    return {name: hierarchy for name, hierarchy in chosen.items() if isinstance(hierarchy, str)}


def _counted(engine: Engine, attributes: Sequence[Attribute], requirement: Requirement, protected: Sequence[str]) -> int:
    """The rows that take part; raises `OutOfMemory` with the column that makes most combinations."""
    try:
        return combinations.count(engine, attributes, requirement, protected)
    except OutOfMemory as error:
        standing = engine.standing()
        distinct = {attribute.name: standing[f"values_{attribute.name}"] or 0 for attribute in attributes}
        name = max(distinct, key=lambda attribute: distinct[attribute])
        raise OutOfMemory(
            f"{error}; or generalize {name!r} from the start, which has {distinct[name]:,} distinct values: min-level in its part of the job file"
        ) from error


def _distributions(engine: Engine, plan: Plan, *, is_applied: bool) -> list[Distribution]:
    """Of the sensitive columns; raises `HierarchyError` where a hierarchy does not cover their values."""
    try:
        return distributions(engine, plan.sensitive, plan.requirement.k.entity)
    except HierarchyError as error:
        if not is_applied:
            raise
        raise HierarchyError(
            "the new data holds sensitive values that the frozen hierarchy does not cover, so that no distance goes along it; "
            f"search anew with one that does ({error.lines[0]})"
        ) from error


def guessed(
    engine: Engine, columns: list[Column], job: Job, hierarchies: Sequence[str], observer: Observer
) -> tuple[Job, Proposal]:
    """The job with a role for every column, by a profile, each told to the observer with its reason.

    A column that `--hierarchies` gives a hierarchy is a quasi-identifier.
    """
    observer.note("no quasi-identifiers given: detecting roles (one extra scan)")
    named = {name: plan.role for name, plan in job.columns.items()}
    declared = dict.fromkeys(given_hierarchies(columns, hierarchies), "quasi-identifier") | named
    proposal = propose(engine, columns, missing_rule(job), declared)
    for line in lines(proposal):
        observer.note(f"  {line}", is_detail=True)
    if not proposal.of_role("quasi-identifier"):
        raise JobError(
            f"no column can be proposed as a quasi-identifier: name some with --qi a,b,c, or in a job file; columns: {listed(columns)}"
        )
    if job.others == "keep":
        observer.warn("the roles are guessed, so columns that nobody names are not kept; name the quasi-identifiers with --qi")
    for name, marks in proposal.marks.items() if not job.missing.tokens else ():
        if name in declared or proposal.role_of(name) not in ("quasi-identifier", "sensitive"):
            continue
        tokens = " ".join(f"--missing {quote(mark)}" for mark in marks)
        top = ", or top, which generalizes these cells" if proposal.role_of(name) == "quasi-identifier" else ""
        observer.note(
            f"  {name} holds {', '.join(map(repr, marks))}: where that means missing, give {tokens} --missing-policy drop, "
            f"which leaves these rows out{top}"
        )
    return explicit(job, proposal), proposal


def lines(proposal: Proposal) -> list[str]:
    """A line a column, what is released before what is dropped; dropped columns of one reason share a line."""
    texts = [
        f"{column.name}: {column.role}; {column.reason}"
        for column in proposal.columns
        if column.role in ("quasi-identifier", "sensitive", "insensitive")
    ]
    reasons: dict[str, list[str]] = {}
    for column in proposal.columns:
        if column.role in ("identifying", "dropped"):
            reasons.setdefault(column.reason, []).append(column.name)
    return texts + [f"{_some(names)}: dropped; {reason}" for reason, names in reasons.items()]


def _some(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 12 else f"{', '.join(names[:10])} and {len(names) - 10} more"


def without(counted: Counted, dropped: Mapping[str, str]) -> Counted:
    """The same with some columns dropped after all."""
    roles = counted.plan.roles | dict.fromkeys(dropped, "dropped")
    released = tuple(column for column in counted.plan.released if column.name not in dropped)
    columns = {name: plan for name, plan in counted.job.columns.items() if name not in dropped}
    protect = [name for name in counted.job.protect if name not in dropped]
    job = counted.job.model_copy(update={"columns": columns, "protect": protect})
    check_partitions(job, released)
    plan = replace(counted.plan, roles=roles, released=released)
    return replace(counted, job=job, plan=plan, dropped_since={**counted.dropped_since, **dropped})
