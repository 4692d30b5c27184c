"""Retained columns: whether they identify records directly, disclose a generalized quasi-identifier, or are determined by quasi-identifiers: an adversary who knows the
postal code knows the county, and sees both in the release.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from duckanon.dataset.direct_identifiers import looked_at, unsure
from duckanon.dataset.text_identifiers import may_hold_identifiers, text_identifiers
from duckanon.engine.owner import step
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import Infeasible, JobError
from duckanon.formatting import first_of, shortened
from duckanon.hierarchy.attributes import topped_columns
from duckanon.job import deidentification
from duckanon.job.deidentification import as_shown
from duckanon.job.keys import accepting, assigned
from duckanon.job.options import joined
from duckanon.job.resolve import Plan
from duckanon.observers import Caution, Observer, together
from duckanon.privacy.evaluation import EvaluatedAdversary, evaluated_sets
from duckanon.privacy.requirement import Adversary, Dependency, Requirement, closed
from duckanon.release.recoding import Recoding
from duckanon.risks.sizes import small_sets
from duckanon.search import variants
from duckanon.search.attribute_inference import (
    RELEASED,
    Disclosure,
    Labels,
    disclosures,
    hidden_disclosures,
    rows_below,
    take_all,
)
from duckanon.search.count import Counted
from duckanon.search.dependencies import dependencies, sampled_rows
from duckanon.search.outliers import NearUnique, cautions, near_unique, shifted_parts
from duckanon.search.result import SearchResult
from duckanon.search.sample import STAGE, Sample

_MOST = 0.5
"""A column in which a larger share of the rows has a value of fewer than k rows or persons is retained only if it was named."""


def refuse_direct_identifiers(engine: Engine, counted: Counted, observer: Observer) -> None:
    """Raise `JobError` if `--others keep` would release a column whose values look like direct identifiers, or if a column that is released
    unchanged holds them inside text; warn if only some values do. Applied to new data, the latter is `Infeasible`.
    """
    kept = [column for column in counted.plan.released if counted.plan.roles[column.name] == "kept"]
    matches = counted.persons.looks
    matches = looked_at(engine, kept)[0] if matches is None else matches
    for name, looks in ((column.name, matches[column.name]) for column in kept if column.name in matches):
        if not looks.is_sure:
            observer.warn(Caution("direct-identifiers", unsure(name, looks), name))
            continue
        raise JobError(
            f"column {name!r} has no role, and {looks}; give it a role: --identifying {joined([name])} drops it, "
            f"--pseudonym {joined([name])} or --identifying {joined([name])} {assigned(('columns', name, 'mask'), 'true')} releases it in another form, and --keep {joined([name])} releases it unchanged"
        )
    _refuse_text(engine, counted, observer)


def _refuse_text(engine: Engine, counted: Counted, observer: Observer) -> None:
    """Raise `JobError`, or `Infeasible`, if a column that is released unchanged holds direct identifiers inside text, unless that is accepted."""
    plan, job = counted.plan, counted.job
    detected = [name for name in plan.roles if counted.is_detected(name)]  # the detection has read them
    texts = [
        column
        for column in plan.released
        if plan.roles[column.name] in ("kept", "insensitive", "sensitive")
        and column.name not in (*plan.treatments, *counted.replaced, *detected)
        and not job.accepts("direct-identifiers", column.name)
    ]
    if engine.is_remote("records"):
        if names := [repr(column.name) for column in filter(may_hold_identifiers, texts)]:
            observer.note(
                f"a cluster does not look for direct identifiers inside the text of {first_of(names)}; look at it yourself"
            )
        return
    holding = text_identifiers(engine, texts)
    # an owner who declares a column whose values are direct identifiers, and not text that holds them, knows what it shows
    alike = looked_at(engine, [column for column in texts if column.name in holding and plan.roles[column.name] != "kept"])[0]
    for name, held in holding.items():
        if name in alike and alike[name].is_sure:
            continue
        if counted.is_applied:
            raise Infeasible(
                f"infeasible: in the new data {name!r} holds direct identifiers: {held}; search again without it (duckanon anonymize)"
            )
        raise JobError(
            f"column {name!r} is released unchanged, and {held}; leave it out, empty these cells with {_kept(counted, name)}{assigned(('columns', name, 'text'), 'blank')}, "
            f"or accept it with {accepting('direct-identifiers', name)}"
        )


def _kept(counted: Counted, name: str) -> str:
    """The option that gives a column its role, which `text` needs."""
    return f"--keep {joined([name])} " if counted.plan.roles[name] == "kept" else ""


def warn_of_shown_text(engine: Engine, counted: Counted, decided: SearchResult, observer: Observer) -> None:
    """Warn of quasi-identifiers that may show their own values, if these hold direct identifiers: at least k records share each of them."""
    shown = [qi.column for qi in counted.plan.quasi_identifiers if decided.full_domain is None or decided.shows_values(qi.name)]
    shown = [column for column in shown if not counted.job.accepts("direct-identifiers", column.name)]
    for name, held in ({} if engine.is_remote("records") else text_identifiers(engine, shown)).items():
        text = (
            f"the quasi-identifier {name!r} may show its values, and {held}; generalize it with {assigned(('columns', name, 'min-level'), '1')}, "
            f"or accept it with {accepting('direct-identifiers', name)}"
        )
        observer.warn(Caution("direct-identifiers", text, name))


def refuse_undetermined(engine: Engine, counted: Counted) -> None:
    """Stop the run if a linked column has several values beside one value of its quasi-identifier.

    Such a column would split the equivalence classes in which it is shown. Raises `JobError`, or `Infeasible` for a saved recoding.
    """
    plan = counted.plan
    for name, leader in plan.followers.items():
        if name in counted.job.columns and counted.job.columns[name].microaggregate is not None:
            continue  # each class shows one figure of the column
        if not (values := _undetermined(engine, plan, leader, name)):
            continue
        several = (
            f"linked column {name!r} has several values beside {values:,} {'value' if values == 1 else 'values'} of {leader!r}"
        )
        if counted.is_applied:
            raise Infeasible(
                f"infeasible: in the new data the {several}, so it would split equivalence classes; search again without it (duckanon anonymize)"
            )
        raise JobError(f"{several}, so it would split equivalence classes; drop it, or make it a quasi-identifier")


def _undetermined(engine: Engine, plan: Plan, leader: str, name: str) -> int:
    """The number of values of a quasi-identifier for which a column has several values; values that are always generalized do not count."""
    column = next(qi.column for qi in plan.quasi_identifiers if qi.name == leader)
    topped = plan.missing.generalized(column, always=leader in topped_columns(plan.quasi_identifiers))
    shown = [(leader, topped)] if topped is not None and (topped.tokens or topped.null) else []
    statement = render("release/undetermined", quasi_identifier=leader, column=name, shown=shown)
    return int(engine.query(statement, stage="comparing linked columns")[0][0])


def _refuse_keys(counted: Counted, marked: Collection[NearUnique]) -> None:
    """Raise `JobError` if `--others keep` would release a column in which most rows have a value that fewer than k rows or persons have."""
    keys = [outlier for outlier in marked if outlier.few > _MOST and counted.plan.roles.get(outlier.column) == "kept"]
    if not keys:
        return
    shares = ", ".join(f"{outlier.column!r} ({outlier.described})" for outlier in keys)
    k, of = _counted(counted)
    names, it = joined([outlier.column for outlier in keys]), "it" if len(keys) == 1 else "them"
    raise JobError(
        f"most rows have a value that fewer than {k:,} {of} have in {shares}, and --others keep would release {it}; give {it} a role: "
        f"--identifying {names} drops {it}, --keep {names} releases {it} unchanged, or add {it} to --qi"
    )


def dropped_keys(counted: Counted, keys: Collection[str], observer: Observer, *, named: Collection[str]) -> dict[str, str]:
    """The columns to drop, with the reason: they link rows of persons and have no declared role. Warns of each."""
    dropped, evaluated = {}, {column.name for column in counted.constant}
    for name in [key for key in keys if key not in evaluated]:
        is_guessed = counted.proposal is not None and name not in named
        if (is_guessed or counted.plan.roles[name] == "kept") and not counted.job.accepts("key", name):
            dropped[name] = f"{name!r} links the rows of a person like a pseudonym"
    brief = f"duckanon drops {shortened([*dropped])}, which link the rows of a person like a pseudonym; give a role to keep one"
    for caution in together(
        [Caution("key", f"{text}; duckanon drops the column", name) for name, text in dropped.items()], brief
    ):
        observer.warn(caution)
    return dropped


def _counted(counted: Counted) -> tuple[int, str]:
    """How many must have a value of a retained column, and whether these are persons or rows."""
    k = counted.plan.requirement.largest_k
    return max(2, k.bounded_k), "rows" if k.entity is None else "persons"


@dataclass(frozen=True)
class Finding:
    """A retained column that must not be released as declared."""

    column: str
    text: str
    quasi_identifiers: tuple[str, ...]
    """The quasi-identifiers that it discloses or follows from."""
    reason: str = ""
    """Why that is harmful, for the message of a refusal."""


def dropped_columns(
    engine: Engine, counted: Counted, findings: Sequence[Finding], observer: Observer, *, named: Collection[str]
) -> dict[str, str]:
    """The columns to drop, with the reason: those without a role or with a detected one. A sensitive column gets a warning.

    `named` are the columns that the user named. For another such column, raises `JobError`, or `Infeasible` if a saved recoding is applied.
    """
    plan = counted.plan
    dropped: dict[str, str] = {}
    sensitive: list[Caution] = []
    for finding in findings:
        name, text = finding.column, finding.text
        is_guessed = counted.proposal is not None and name not in named
        if counted.job.accepts("dependency", name):
            continue
        if plan.roles[name] == "sensitive" and not is_guessed:
            sensitive.append(Caution("dependency", f"the sensitive {text}", name))
        elif plan.roles[name] == "kept" or is_guessed:
            dropped.setdefault(name, text)
        elif counted.is_applied:
            raise Infeasible(
                f"infeasible: in the new data the retained column {text}; search again without it (duckanon anonymize)"
            )
        else:
            treatment = plan.treatments.get(name)
            about = f"{text} ({treatment.description})" if treatment else f"the retained column {text}"
            remedies = "drop the column, mask more of it" if treatment else _remedies(engine, plan, finding)
            raise JobError(f"{about}{finding.reason}; {remedies}, or accept it with {accepting('dependency', name)}")
    brief = f"duckanon drops {shortened(dropped)}, which disclose quasi-identifiers or follow from them: give a role to keep one; -v shows why"
    names = dict.fromkeys(column for caution in sensitive for column in caution.columns)
    released = f"the sensitive {shortened(names)} disclose quasi-identifiers or follow from them: drop these columns, or require more; -v shows why"
    lost = [Caution("dependency", f"{text}; duckanon drops the column", name) for name, text in dropped.items()]
    for caution in [*together(sensitive, released), *together(lost, brief)]:
        observer.warn(caution)
    return dropped


def _remedies(engine: Engine, plan: Plan, finding: Finding) -> str:
    """The remedies for a retained column; `linked` only if it is safe."""
    remedies = "drop it from the release, make it a quasi-identifier"
    [leader, *others] = finding.quasi_identifiers
    if others or _undetermined(engine, plan, leader, finding.column):
        return remedies
    return f"{remedies}, declare it in the job: linked: [[{leader}, {finding.column}]]"


def without_disclosing_columns(
    engine: Engine, counted: Counted, decided: SearchResult, recoding: Recoding, observer: Observer, *, named: Collection[str]
) -> Counted:
    """Drop retained columns that disclose a quasi-identifier, and warn of columns with near-unique values; reads the class statements.

    `named` are the columns that the user named. If such a column discloses, raises `JobError`, or `Infeasible` if a saved recoding is applied.
    """
    plan = counted.plan
    kept = [column for column in plan.released if plan.roles[column.name] != "quasi-identifier"]
    aggregated = {name for name, column in counted.job.columns.items() if column.microaggregate is not None}
    kept = [column for column in deidentification.as_shown(kept, plan.treatments) if column.name not in aggregated]
    followers = plan.followers
    shown = [column for column in kept if column.name not in followers or decided.shows_values(followers[column.name])]
    labels, hidden = _labels(recoding, suppresses=decided.figures.suppressed > 0), decided.hidden()
    with Sample(engine, counted.rows, plan.treatments) as sample:
        disclosing = disclosures(sample, kept, hidden, labels)
        masked = {name for name, treatment in plan.treatments.items() if treatment.kind == "mask"}
        singled = [
            column
            for column in shown
            if plan.roles[column.name] in ("kept", "insensitive") and column.name not in plan.treatments
        ]
        person = next((column for column in counted.columns if column.name == plan.requirement.k.entity), None)
        evaluated = [*singled, *(column for column in shown if column.name in masked)]
        parts = shifted_parts(plan.treatments)
        marked = near_unique(sample, evaluated, _counted(counted)[0], person, parts)
    with Sample(engine, counted.rows, plan.treatments, most=sampled_rows(len(kept), len(plan.quasi_identifiers))) as sample:
        disclosing += hidden_disclosures(sample, kept, hidden, disclosing, labels)
    findings = [
        Finding(each.column, str(each), (each.quasi_identifier,), f", and {each.quasi_identifier!r} is generalized or masked")
        for each in disclosing
        if each.share
    ]
    if rare := [each for each in disclosing if not each.share]:
        with Sample(engine, counted.rows, plan.treatments) as sample:
            released = take_all(sample, labels, person)
            findings += _harmful(sample, labels, recoding.requirement, rare, released)
    engine.drop(RELEASED)
    dropped = dropped_columns(engine, counted, findings, observer, named=named)
    outliers = [outlier for outlier in marked if outlier.column not in dropped]
    _refuse_keys(counted, outliers)
    k, of = _counted(counted)
    for line in cautions(outliers, masked, k=k, of=of, parts=[part["name"] for part in parts]):
        observer.warn(line)
    return variants.without(counted, dropped)


def _labels(recoding: Recoding, *, suppresses: bool) -> Labels:
    bare = replace(recoding, aggregates=(), ranged=())
    return Labels(
        tuple(bare.names),
        bare.followers,
        {**bare.labelling, "suppresses": suppresses, "keep_suppressed_rows": bare.keep_suppressed_rows},
    )


def _harmful(
    sample: Sample, labels: Labels, requirement: Requirement, rare: Sequence[Disclosure], released: int
) -> Iterator[Finding]:
    """The columns that disclose what is hidden in few rows, if these rows are in too small classes for an adversary who sees the columns."""
    everyone = Adversary("", labels.quasi_identifiers, requirement.k, requirement.others)
    for each in rare:
        for adversary in requirement.adversaries or (everyone,):
            known = labels.quasi_identifiers if adversary.any_of is None else [each.quasi_identifier]
            known = [name for name in known if adversary.any_of is not None or name in adversary.columns]
            if each.quasi_identifier not in known:
                continue
            k = None if adversary.others else adversary.k.bounded_k
            rows = rows_below(sample, labels, known, each.hidden, k, of_persons=bool(requirement.k.entity))
            if rows:
                which = (
                    f"classes of fewer than {k:,}"
                    if k
                    else "equivalence classes that it splits, which must satisfy models of sensitive columns"
                )
                text = f"{each.what}: together with the labels, {rows:,} of {released:,} records are in {which}"
                yield Finding(each.column, text, (each.quasi_identifier,))
                break


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
    return variants.without(counted, dropped_columns(engine, counted, findings, observer, named=named))


def _below(engine: Engine, recoding: Recoding, retained: Sequence[str], follows: Sequence[Dependency]) -> Below | None:
    """What fails for the adversary for whom the most records fail; None if nothing does."""
    requirement, names = recoding.requirement, recoding.names
    everyone = Adversary("", tuple(names), requirement.k, requirement.others)
    results = []
    for adversary in requirement.adversaries or (everyone,):
        k = adversary.k.bounded_k
        if adversary.any_of is not None:
            sets = evaluated_sets(adversary, (*adversary.dependencies, *follows), recoding.constant, retained)
            counts = small_sets(engine, _RELATION, EvaluatedAdversary([*names, *retained], sets=sets), k)
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
