"""The account of a run, from its manifest and from what was counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.metrics.document import MEANINGS
from duckanon.release import manifest_content
from duckanon.release.manifest_model.document import ReleaseManifest
from duckanon.release.manifest_model.recoding import PartitionRecoding
from duckanon.release.recoding.base import Recoding
from duckanon.release.suppressed_values import Losses, suppressed_values
from duckanon.reports.document import lattice, partitions
from duckanon.reports.summary import levels
from duckanon.reports.utility.distributions import MOST_GROUPS
from duckanon.reports.utility.document import utility
from duckanon.risks.attackers import THRESHOLDS, named
from duckanon.risks.attributes import attributes
from duckanon.risks.column_sets import ClassRelation
from duckanon.search.alternatives import alternatives, runners_up
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult
from duckanon.search.trace import Visit

_EXAMPLES = 3
_PATIENCE = 30.0
"""Seconds that searches for other promises may take, by the measure of the run's own."""


@dataclass(frozen=True)
class Accounted:
    """What a release was made of and by."""

    counted: Counted
    decided: SearchResult
    recoding: Recoding
    manifest: ReleaseManifest
    visits: Sequence[Visit]
    job: str
    """The job as it was asked for, as YAML."""
    command: str


def account(engine: Engine, run: Accounted, *, may_search: bool = True) -> dict[str, Any]:
    """All that a report shows of a run; where it `may_search` for other promises, relations of regions are made anew."""
    counted, manifest = run.counted, run.manifest
    names = [attribute.name for attribute in counted.attributes]
    keys = {attribute.name: attribute.key(attribute.min_level) for attribute in counted.attributes}
    apart = attributes(engine, ClassRelation("combinations", keys, counted.rows))
    useful = utility(engine, counted, run.recoding)
    withheld = useful.pop("withheld")
    useful["subgroups"] = _subgroups(useful["subgroups"], suppressed_values(engine, counted, run.decided, run.recoding))
    document: dict[str, Any] = {
        "public": None,
        "made": datetime.now(UTC).date().isoformat(),
        "manifest": manifest.document(),
        "verification": {"passed": True, "rows": manifest.rows.released, "classes": manifest.classes.count},
        "columns": _columns(run, {column["column"]: column for column in apart}),
        "missing": counted.job.missing.policy,
        "attackers": {"knows": names, "entity": counted.job.entity, "population": counted.job.population},
        "risk": _risk(manifest.risk.document(), counted.plan.requirement.k.k, apart),
        "utility": {
            "loss": [
                {"column": name, "loss": loss, "withheld": withheld[name]}
                for name, loss in manifest.metrics.loss_by_attribute.items()
            ],
            "metrics": _metrics(manifest.metrics.document() | {key: useful.pop(key) for key in ("kl_divergence", "ambiguity")}),
            **useful,
        },
        "lattice": _lattice(run, names),
        "partitions": partitions.picture(engine, rounds=manifest.recoding.rounds)
        if isinstance(manifest.recoding, PartitionRecoding)
        else None,
        "runners_up": _runners_up(run),
        "hierarchies": _hierarchies(engine, run),
        "comparison": None,
        "not_covered": _not_covered(run),
        "job": run.job,
        "command": run.command,
        "alternatives": _alternatives(engine, run) if may_search else [],
    }
    return {key: _settled(value) for key, value in document.items()}


def _settled(value: Any) -> Any:
    """The same with floats to twelve digits: sums of them end in other digits whenever threads add in another order."""
    match value:
        case float():
            return float(f"{round(value, 12):.12g}")
        case dict():
            return {key: _settled(item) for key, item in value.items()}
        case list():
            return [_settled(item) for item in value]
    return value


def _subgroups(by_value: Sequence[dict[str, Any]], losses: Losses) -> list[dict[str, Any]]:
    """The groups that lose the largest share of their rows first: by values of quasi-identifiers, by their labels, and by values of other columns."""
    groups = {(group["column"], group["value"]): group for group in (*losses.subgroups(), *by_value)}
    return sorted(groups.values(), key=lambda group: (-group["share"], -group["suppressed"]))[:MOST_GROUPS]


def _columns(run: Accounted, apart: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The inventory: every column of the input, whether it is released or not."""
    counted = run.counted
    reasons = manifest_content.reasons(counted)
    values = {marginal.name: marginal.distinct[0] for marginal in counted.marginals}
    return [
        {
            "name": column.name,
            "type": column.type,
            "role": counted.plan.roles[column.name],
            "reason": reasons.get(column.name) or ("declared" if column.name in counted.job.columns else "not named"),
            "action": _action(run, column.name),
            "distinct": values.get(column.name),
            "distinction": apart[column.name]["distinction"] if column.name in apart else None,
            "separation": apart[column.name]["separation"] if column.name in apart else None,
        }
        for column in counted.columns
    ]


def _action(run: Accounted, name: str) -> str:
    counted = run.counted
    heights = {attribute.name: attribute.height for attribute in counted.attributes}
    plan = counted.job.columns.get(name)
    if plan is not None and plan.microaggregate is not None:
        return f"every row of a class shows the {plan.microaggregate}"
    if name in counted.plan.treatments:
        return counted.plan.treatments[name].description
    if name in heights:
        if run.decided.full_domain is None:
            return "generalized, region by region"
        level = run.decided.full_domain.levels[name]
        return f"generalized to level {level} of {heights[name]}" if level else "released as it is"
    if name in counted.plan.followers:
        return f"released where {counted.plan.followers[name]} shows its own value"
    if any(column.name == name for column in counted.plan.released):
        return "released as it is"
    used = name in (counted.job.entity, counted.job.k_column)
    return "counted by, and dropped" if used else "dropped"


def _risk(risk: Mapping[str, Any], k: int, apart: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Before and after, at the least threshold of practice that k rows a class promise."""
    threshold = min((step for step in THRESHOLDS if step * k >= 1), default=THRESHOLDS[-1])

    def at_threshold(figures: Mapping[str, Any]) -> dict[str, Any]:
        attackers = {
            name: figures[name] | {"at_risk": figures[name]["at_risk"][named(threshold)]}
            for name in ("prosecutor", "journalist")
        }
        return {**figures, **attackers}

    return {
        "threshold": float(threshold),
        "before": at_threshold(risk["before"]),
        "after": at_threshold(risk["after"]),
        "attributes": [{key: column[key] for key in ("column", "uniques_without", "contribution")} for column in apart],
        "population_uniques": risk.get("population"),
    }


def _metrics(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"name": name, "value": values[name], "means": means}
        for name, means in MEANINGS.items()
        if values.get(name) is not None
    ]


def _lattice(run: Accounted, names: Sequence[str]) -> dict[str, Any] | None:
    searched = run.decided.full_domain
    return None if searched is None else lattice.picture(names, searched.lattice, searched.evaluator.objective, run.visits)


def _runners_up(run: Accounted) -> list[dict[str, Any]]:
    nodes = runners_up(run.decided, run.visits)
    return [
        {"levels": levels(node["levels"]), "loss": node["value"], "suppressed": node["suppressed"], "why": node["why"]}
        for node in nodes
    ]


def _alternatives(engine: Engine, run: Accounted) -> list[dict[str, Any]]:
    """None where the run's own search says that these would take too long."""
    if run.manifest.seconds.search * (len(run.counted.attributes) + 3) > _PATIENCE:
        return []
    variants = alternatives(engine, run.counted, runners_up(run.decided, run.visits))
    return [variant | {"levels": None if variant["levels"] is None else levels(variant["levels"])} for variant in variants]


def _hierarchies(engine: Engine, run: Accounted) -> list[dict[str, Any]]:
    chosen = run.decided.full_domain.levels if run.decided.full_domain is not None else {}
    hierarchies = []
    for attribute, marginal in zip(run.counted.attributes, run.counted.marginals, strict=True):
        examples: dict[int, list[str]] = {}
        for level, label in engine.query(render("hierarchy/example_labels", column=attribute.name, most=_EXAMPLES)):
            examples.setdefault(level, []).append("NULL" if label is None else label)
        groups = [
            {"level": level, "groups": count, "examples": examples.get(level, [])}
            for level, count in enumerate(marginal.distinct)
        ]
        named = (run.manifest.hierarchies or {}).get(attribute.name)
        hierarchies.append({"column": attribute.name, "named": named, "released": chosen.get(attribute.name), "levels": groups})
    return hierarchies


def _not_covered(run: Accounted) -> list[dict[str, str]]:
    """What this run leaves open, beside what every release does."""
    counted, manifest = run.counted, run.manifest
    gaps = [
        {
            "what": f"the sensitive column {name}",
            "why": "neither l-diversity nor t-closeness was asked for: a class may share one value of it",
        }
        for name in counted.job.of_role("sensitive")
        if name not in counted.plan.requirement.sensitive
    ]
    kept = [name for name, role in counted.plan.roles.items() if role == "kept"]
    if kept:
        gaps.append(
            {
                "what": f"columns kept as they are: {', '.join(kept)}",
                "why": "nobody is taken to know them; whoever does, knows more",
            }
        )
    if counted.job.entity is None:
        gaps.append(
            {
                "what": "persons with several rows",
                "why": "rows were counted, not persons; name their column as the entity where there is one",
            }
        )
    if manifest.roles == "guessed":
        gaps.append({"what": "roles that were guessed", "why": "nobody has confirmed which columns an attacker knows"})
    return gaps
