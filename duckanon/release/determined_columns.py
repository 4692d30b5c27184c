"""Retained columns that quasi-identifiers determine: an adversary who knows the postal code knows the county, and sees both in the release."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from duckanon.engine.owner import step
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.job.deidentification import as_shown
from duckanon.observers import Observer
from duckanon.privacy.evaluation import evaluated_sets
from duckanon.privacy.requirement import Adversary, Dependency, closed
from duckanon.release.recoding import Recoding
from duckanon.release.retained_columns import Finding, dropped_columns
from duckanon.risks.sizes import small_sets
from duckanon.search import count
from duckanon.search.count import Counted
from duckanon.search.dependencies import dependencies, sampled_rows
from duckanon.search.sample import STAGE, Sample

_RELATION = "known_classes"


@dataclass(frozen=True)
class Below:
    """The records in classes that fail for an adversary who knows a retained column too, and the adversary."""

    rows: int
    k: int
    splits: bool
    adversary: str | None


@step
def without_determined_columns(
    engine: Engine, counted: Counted, recoding: Recoding, observer: Observer, *, named: Collection[str], suppresses: bool
) -> Counted:
    """Drop retained columns that quasi-identifiers determine and that split the classes below k; reads the class statements of the recoding.

    A determined column that leaves k records (or persons) in each class of labels and its values is harmless. With models of sensitive
    columns, it must not split a class. `named` are the columns that the user named; for these, see `dropped_columns`.
    """
    plan, columns = counted.plan, {column.name: column for column in counted.columns}
    aggregated = {name for name, column in counted.job.columns.items() if column.microaggregate is not None}
    others = {*plan.followers, *aggregated, *(name for name, each in plan.treatments.items() if each.kind == "shift")}
    kept = [column for column in plan.released if plan.roles[column.name] != "quasi-identifier" and column.name not in others]
    kept = [column for column in as_shown(kept, plan.treatments) if not counted.job.accepts("dependency", column.name)]
    known = [qi.column for qi in plan.quasi_identifiers]
    entities = recoding.requirement.k.entities
    most = sampled_rows(len(known), len(kept))
    with Sample(engine, counted.rows, plan.treatments, most=most) as sample:
        determined = dependencies(sample, known, kept, entity=columns[entities[0]] if entities else None)
    if not determined:
        return counted
    candidates = list(dict.fromkeys(each.column for each in determined))
    shown = [columns[name] for name in candidates]
    needed = [*(qi.column for qi in plan.quasi_identifiers), *shown]
    needed += [columns[name] for name in entities if columns[name] not in needed]
    bare = replace(recoding, columns=tuple(needed), treatments={}, carried=(), aggregates=())
    about = {
        "recoded": bare.recoded_statement(suppresses=suppresses, texts=None).sql,
        "names": recoding.names,
        "retained": [
            {"name": column.name, "is_nested": column.is_nested, "treatment": plan.treatments.get(column.name)}
            for column in shown
        ],
        "entities": entities,
    }
    engine.create_table(render("release/known_classes", **about), STAGE)
    harmless: list[str] = []
    findings = []
    for name in candidates:
        follows = [each for each in determined if each.column in (*harmless, name)]
        below = _below(engine, recoding, [*harmless, name], follows)
        if below is None:
            harmless.append(name)
        else:
            findings.append(_finding(name, [each.known for each in determined if each.column == name], below, counted.rows))
    return count.without(counted, dropped_columns(engine, counted, findings, observer, named=named))


def _below(engine: Engine, recoding: Recoding, retained: Sequence[str], follows: Sequence[Dependency]) -> Below | None:
    """What fails for the adversary for whom the most records fail; None if nothing does."""
    requirement, names = recoding.requirement, recoding.names
    everyone = Adversary("", tuple(names), requirement.k, requirement.others)
    results = []
    for adversary in requirement.adversaries or (everyone,):
        k = adversary.k.bounded_k
        if adversary.any_of is not None:
            sets = evaluated_sets(adversary, (*adversary.dependencies, *follows), recoding.constant, retained)
            about = {"known": [*names, *retained], "are_codes": False, "sets": sets, "type": "hugeint"}
            counts = small_sets(engine, _RELATION, about, k)
            results.append(Below(counts.failing_rows, k, False, adversary.name))
            continue
        knows = closed(adversary.columns, follows)
        if not knows.intersection(retained):
            continue
        labels = [name for name in names if name in knows]
        columns = [*labels, *(name for name in retained if name in knows)]
        statement = render("release/known_sizes", columns=columns, labels=labels, k=k, persons=len(requirement.k.entities))
        [(rows, classes, label_classes)] = engine.query(statement, STAGE)
        splits = bool(adversary.others) and classes > label_classes
        results.append(Below(int(rows), k, splits, adversary.name or None))
    failing = [below for below in results if below.rows or below.splits]
    return max(failing, key=lambda below: below.rows, default=None)


def _finding(name: str, known: Sequence[tuple[str, ...]], below: Below, rows: int) -> Finding:
    """What an adversary knows, and how many records that concerns."""
    smallest = min(known, key=len)
    listed = " and ".join(map(repr, smallest)) if len(smallest) <= 3 else f"all {len(smallest)} quasi-identifiers together"
    known_by = f" for adversary {below.adversary!r}" if below.adversary else ""
    counts = f"together with the labels, {below.rows:,} of {rows:,} records are in classes of fewer than {below.k:,}"
    harm = counts if below.rows else "it splits equivalence classes that must satisfy models of sensitive columns"
    return Finding(
        name, f"{name!r} follows from {listed}, so an adversary who knows one knows both: {harm}{known_by}", smallest
    )
