"""Columns that are released as they are: whether they identify by themselves, or give away what others hide."""

from collections.abc import Collection

from duckanon.dataset.direct_identifiers import resemblances
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import Infeasible, JobError
from duckanon.hierarchy.attributes import topped_columns
from duckanon.job import deidentification
from duckanon.job.options import joined
from duckanon.job.resolve import Plan
from duckanon.observers import Observer
from duckanon.search import count
from duckanon.search.attribute_inference import Giveaway, giveaways
from duckanon.search.count import Counted
from duckanon.search.outliers import Conspicuous, cautions, conspicuous
from duckanon.search.result import SearchResult
from duckanon.search.sample import Sample

_MOST = 0.5
"""A column in which a larger share of the rows are alone with their value is kept only where somebody names it."""


def refuse_lookalikes(engine: Engine, counted: Counted) -> None:
    """Raises `JobError` where a column that nobody named is to be kept, and its values identify directly."""
    kept = [column for column in counted.plan.released if counted.plan.roles[column.name] == "kept"]
    for name, looks in (resemblances(engine, kept) if kept else {}).items():
        raise JobError(
            f"column {name!r} is not named, and {looks}; say what it is: --identifying {joined([name])} drops it, "
            f"--pseudonym {joined([name])} or --mask {joined([name])} release it in another form, and --keep {joined([name])} as it is"
        )


def refuse_undetermined(engine: Engine, counted: Counted) -> None:
    """Stop the run if a linked column has several values beside one value of its quasi-identifier.

    Such a column would split the equivalence classes in which it is shown. Raises `JobError`, or `Infeasible` for a saved recoding.
    """
    plan = counted.plan
    for name, leader in plan.followers.items():
        if name in counted.job.columns and counted.job.columns[name].microaggregate is not None:
            continue  # each class shows one figure of it
        if not (values := _undetermined(engine, plan, leader, name)):
            continue
        several = (
            f"linked column {name!r} has several values beside {values:,} {'value' if values == 1 else 'values'} of {leader!r}"
        )
        if counted.is_applied:
            raise Infeasible(
                f"infeasible: in the new data the {several}, so it would split equivalence classes; search anew, without it"
            )
        raise JobError(f"{several}, so it would split equivalence classes; drop it, or make it a quasi-identifier")


def _undetermined(engine: Engine, plan: Plan, leader: str, name: str) -> int:
    """The number of values of a quasi-identifier beside which a column has more than one; values that are always generalized do not count."""
    column = next(qi.column for qi in plan.quasi_identifiers if qi.name == leader)
    topped = plan.missing.generalized(column, always=leader in topped_columns(plan.quasi_identifiers))
    shown = [(leader, topped)] if topped is not None and (topped.tokens or topped.null) else []
    statement = render("release/undetermined", quasi_identifier=leader, column=name, shown=shown)
    return int(engine.query(statement, stage="comparing linked columns")[0][0])


def _refuse_keys(counted: Counted, marked: Collection[Conspicuous]) -> None:
    """Raises `JobError` where a column that nobody named is to be kept, and most rows are alone with their value of it."""
    keys = [outlier for outlier in marked if outlier.alone > _MOST and counted.plan.roles[outlier.column] == "kept"]
    if not keys:
        return
    shares = ", ".join(
        f"{outlier.column!r} ({'about ' if outlier.is_estimate else ''}{outlier.alone:.0%} of the rows)" for outlier in keys
    )
    names, it = joined([outlier.column for outlier in keys]), "it" if len(keys) == 1 else "them"
    raise JobError(
        f"rows are alone with their value in {shares}, and --others keep would release {it}; say what becomes of {it}: "
        f"--identifying {names} drops {it}, --keep {names} releases {it} unchanged, or add {it} to --qi"
    )


def _ways(engine: Engine, plan: Plan, giveaway: Giveaway) -> str:
    """What to do with a retained column that discloses a quasi-identifier; `linked` only if it is safe."""
    ways = "drop it from the release, or make it a quasi-identifier"
    if _undetermined(engine, plan, giveaway.quasi_identifier, giveaway.column):
        return ways
    return f"drop it from the release, make it a quasi-identifier, or declare it in the job: linked: [[{giveaway.quasi_identifier}, {giveaway.column}]]"


def without_giveaways(
    engine: Engine, counted: Counted, decided: SearchResult, observer: Observer, *, named: Collection[str]
) -> Counted:
    """Drops kept columns that give a quasi-identifier away, and warns of what single rows are known by.

    `named` are the columns that somebody named. Raises `JobError` where such a one would have to be dropped, `Infeasible` where a saved recoding is applied.
    """
    plan = counted.plan
    kept = [column for column in plan.released if plan.roles[column.name] != "quasi-identifier"]
    aggregated = {name for name, column in counted.job.columns.items() if column.microaggregate is not None}
    kept = [column for column in deidentification.as_shown(kept, plan.treatments) if column.name not in aggregated]
    unlinked = [column for column in kept if column.name not in plan.followers]
    shown = [column for column in kept if column in unlinked or decided.shows_values(plan.followers[column.name])]
    disclosures = []
    with Sample(engine, counted.rows, plan.treatments) as sample:
        for hidden, is_starred in decided.hidden():
            judged, exempt = (unlinked, None) if is_starred else (shown, plan.followers)
            disclosures += giveaways(sample, judged, hidden, exempt=exempt)
        masked = {name for name, treatment in plan.treatments.items() if treatment.kind == "mask"}
        singled = [
            column
            for column in shown
            if plan.roles[column.name] in ("kept", "insensitive") and column.name not in plan.treatments
        ]
        marked = conspicuous(sample, [*singled, *(column for column in shown if column.name in masked)])
    dropped: dict[str, str] = {}
    for giveaway in disclosures:
        name = giveaway.column
        is_guessed = counted.proposal is not None and name not in named
        if plan.roles[name] == "sensitive" and not is_guessed:
            observer.warn(f"the sensitive {giveaway}")
        elif plan.roles[name] == "kept" or is_guessed:
            if name not in dropped:
                observer.warn(f"{giveaway}; it is dropped")
            dropped.setdefault(name, str(giveaway))
        elif counted.is_applied:
            raise Infeasible(f"infeasible: on the new data the kept column {giveaway}; search anew, without it")
        elif name in plan.treatments:
            raise JobError(
                f"{giveaway} ({plan.treatments[name].description}), and {giveaway.quasi_identifier!r} is generalized or starred; drop the column, or hide more of it"
            )
        else:
            raise JobError(
                f"the kept column {giveaway}, and {giveaway.quasi_identifier!r} is generalized or starred; {_ways(engine, plan, giveaway)}"
            )
    outliers = [outlier for outlier in marked if outlier.column not in dropped]
    _refuse_keys(counted, outliers)
    for line in cautions(outliers, masked):
        observer.warn(line)
    return count.without(counted, dropped)
