"""The re-identification risk of a run: of its input, and of its release."""

from itertools import combinations
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.privacy.evaluation import EvaluatedAdversary, evaluation
from duckanon.release.recoding import Recoding
from duckanon.risks.attackers import figures, required_risk
from duckanon.risks.sizes import Size, person_share, read_person_sizes, read_sizes, read_sizes_by_adversary, singled_out
from duckanon.risks.uniqueness import estimates
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult


def risk_summary(engine: Engine, counted: Counted, decided: SearchResult) -> dict[str, Any]:
    """The figures of all adversaries before and, if the search found a recoding, after it, from `combinations` and `class_results`.

    `before` is the risk at the least levels that the job allows; `before.levels` lists them if they are not the original values.
    """
    k, has_population = counted.plan.requirement.k, counted.plan.has_population
    if k.entity is None:
        sizes = read_sizes(engine, "combinations")
    else:
        keys = [attribute.key(attribute.min_level) for attribute in counted.attributes]
        sizes = read_person_sizes(engine, keys, own_k=k.k_column is not None, persons=len(k.entities))
    population = read_sizes(engine, "combinations", size="_population") if has_population else None
    least = {attribute.name: attribute.min_level for attribute in counted.attributes if attribute.min_level}
    before = figures(sizes, population, unit=k.of, required=required_risk(k.k)) | ({"levels": least} if least else {})
    after = _after(engine, counted) if decided.is_feasible else None
    adversaries = _by_adversary(engine, counted, decided) if counted.plan.requirement.adversaries else {}
    size = counted.population_size
    uniques = {} if size is None else {"population": estimates(read_sizes(engine, "combinations"), size)}
    return {"before": before, "after": after, **uniques, **adversaries}


def with_file(engine: Engine, counted: Counted, recoding: Recoding, risk: dict[str, Any]) -> dict[str, Any]:
    """The same by the written file: the largest share of one person in a class, and the classes of masked records, which form one with records at the
    top of all hierarchies.
    """
    k, names = counted.plan.requirement.k, recoding.names
    if k.entity is not None and risk["after"] is not None:
        share = person_share(engine, recoding.labels, "expected_members", within="written_classes", within_keys=names)
        return risk | {"after": risk["after"] | {"person_share": share}}
    if not counted.job.keep_suppressed_rows:
        return risk
    own = figures(read_sizes(engine, "written_classes"), required=required_risk(counted.plan.requirement.k.k))
    known = ("journalist", "marketer") if counted.plan.has_population else ()
    evaluated = evaluation(counted.plan.requirement.in_file(()), names, keep_suppressed_rows=False)
    seen = {
        adversary.name: risk["adversaries"][adversary.name]
        | {"after": figures(read_sizes_by_adversary(engine, "written_classes", adversary, evaluated))}
        for adversary in evaluated.adversaries
        if not adversary.sets
    }
    if (few := risk.get("any_columns")) is not None:
        [about] = evaluated.adversaries
        few = {"any_columns": few | {"after": singled_out(engine, "written_classes", about)}}
    return risk | {"after": own | {key: risk["after"][key] for key in known}} | ({"adversaries": seen} if seen else few or {})


def _by_any_columns(
    engine: Engine, counted: Counted, size: int, adversary: EvaluatedAdversary, *, is_feasible: bool
) -> dict[str, Any]:
    """The records that any so many columns single out, before and after."""
    least = EvaluatedAdversary(
        [attribute.key(attribute.min_level) for attribute in counted.attributes],
        type=adversary.type,
        are_codes=True,
        sets=list(combinations(range(1, len(counted.attributes) + 1), size)),
    )
    return {
        "columns": size,
        "sets": len(least.sets),
        "judged": len(adversary.sets),
        "before": singled_out(engine, "combinations", least),
        "after": singled_out(engine, "class_results", adversary, without="_fails") if is_feasible else None,
    }


def _by_adversary(engine: Engine, counted: Counted, decided: SearchResult) -> dict[str, Any]:
    """The figures of each adversary, before and after: of the classes of the columns that it knows."""
    requirement, evaluated = counted.plan.requirement, decided.evaluated()
    least = {attribute.name: attribute.key(attribute.min_level) for attribute in counted.attributes}
    of = requirement.k.of
    seen = {}
    for adversary, about in zip(requirement.adversaries, evaluated.adversaries, strict=True):
        if adversary.any_of is not None:
            return {"any_columns": _by_any_columns(engine, counted, adversary.any_of, about, is_feasible=decided.is_feasible)}
        keys = [least[name] for name in adversary.columns]
        if requirement.counts_persons:
            before = read_person_sizes(engine, keys, own_k=requirement.k.k_column is not None, persons=requirement.persons)
        else:
            before = read_sizes_by_adversary(engine, "combinations", EvaluatedAdversary(keys), evaluated)
        after = (
            read_sizes_by_adversary(engine, "class_results", about, evaluated, without="_fails")
            if decided.is_feasible
            else None
        )
        seen[adversary.name] = {
            "columns": list(adversary.columns),
            "before": figures(before, unit=of),
            "after": None if after is None else figures(after, unit=of),
        }
    return {"adversaries": seen} if seen else {}


def _after(engine: Engine, counted: Counted) -> dict[str, Any]:
    """The figures of the released classes; masked records form one more class."""
    k = counted.plan.requirement.k

    def released(size: str) -> list[Size]:
        sizes = read_sizes(engine, "class_results", size=size, fails=False)
        if not counted.job.keep_suppressed_rows:
            return sizes
        masked = read_sizes(engine, "class_results", size=size, fails=True)
        masked_class = Size(sum(part.size * part.classes for part in masked), 1, sum(part.rows for part in masked))
        return sorted([*sizes, masked_class]) if masked else sizes

    population = released("_population") if counted.plan.has_population else None
    return figures(released("_persons" if k.entities else "_rows"), population, unit=k.of, required=required_risk(k.k))
