"""The content of a report, from the manifest and from what was counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.job import accepted
from duckanon.job.merge import ASSUMED_ANY, assumes_any
from duckanon.metrics.document import MEANINGS
from duckanon.privacy.requirement import Requirement
from duckanon.release import manifest_content
from duckanon.release.manifest_model.document import ReleaseManifest
from duckanon.release.manifest_model.figures import PartitionRecoding
from duckanon.release.recoding import Recoding
from duckanon.release.suppressed_values import Losses
from duckanon.release.written_columns import record_sets
from duckanon.reports import evidence
from duckanon.reports.pictures import lattice_picture, partition_picture
from duckanon.reports.study import study
from duckanon.reports.summary import levels
from duckanon.reports.utility import MOST_GROUPS, retained, utility
from duckanon.risks.attackers import named, required_risk
from duckanon.risks.column_sets import ClassRelation, column_sets
from duckanon.risks.special_uniques import attributes, special_uniques
from duckanon.search.alternatives import OTHER_K, alternatives, risk_and_loss, runners_up
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult
from duckanon.search.trace import Visit

_EXAMPLES = 3
_PATIENCE = 30.0
"""The maximum time of searches for other requirements in seconds, estimated from the search of the run."""


@dataclass(frozen=True)
class ReportedRun:
    """A release, and the results of the run that produced it."""

    counted: Counted
    decided: SearchResult
    recoding: Recoding
    losses: Losses
    manifest: ReleaseManifest
    visits: Sequence[Visit]
    job: str
    """The requested job, as YAML."""
    command: str


def report_document(engine: Engine, run: ReportedRun, *, may_search: bool = True) -> dict[str, Any]:
    """The content of a report. If it `may_search`, it searches for other requirements."""
    counted, manifest = run.counted, run.manifest
    names = [attribute.name for attribute in counted.attributes]
    keys = {attribute.name: attribute.key(attribute.min_level) for attribute in counted.attributes}
    classes = ClassRelation("combinations", keys, counted.rows)
    attribute_risks = attributes(engine, classes, special_uniques(engine, classes))
    useful = utility(engine, counted, run.recoding)
    withheld = useful.pop("withheld")
    sensitive = evidence.sensitive_columns(engine, counted, run.recoding)
    useful["distributions"] += [retained(column, counted.rows, manifest.rows.released) for column in sensitive]
    useful["subgroups"] = _subgroups(useful["subgroups"], run.losses)
    metrics = manifest.metrics.document() | {key: useful.pop(key) for key in ("kl_divergence", "ambiguity")}
    nearest, may_search = runners_up(run.decided, run.visits), may_search and _is_quick(run)
    document: dict[str, Any] = {
        "public": None,
        "made": datetime.now(UTC).date().isoformat(),
        "manifest": manifest.document(),
        "verification": {"passed": True, "rows": manifest.rows.released, "classes": manifest.classes.count},
        "examples": evidence.examples(engine, run.recoding, suppresses=bool(manifest.rows.suppressed)),
        "sensitive_columns": sensitive,
        "unique_records": _unique_records(engine, run),
        "columns": _columns(engine, run),
        "missing": counted.job.missing.policy,
        "attackers": {"knows": names, "entity": ", ".join(counted.job.entities) or None, "population": counted.job.population},
        "risk": _risk(manifest.risk.document(), counted.plan.requirement, attribute_risks),
        "utility": {
            "loss": [
                {"column": name, "loss": loss, "withheld": withheld[name]}
                for name, loss in manifest.metrics.loss_by_attribute.items()
            ],
            "metrics": [
                {"name": name, "value": metrics[name], "means": means}
                for name, means in MEANINGS.items()
                if metrics.get(name) is not None
            ],
            **useful,
        },
        "study": study(engine, counted, run.recoding),
        "lattice": None
        if (searched := run.decided.full_domain) is None
        else lattice_picture(names, searched.lattice, searched.evaluator.objective, run.visits),
        "partitions": partition_picture(engine, rounds=manifest.recoding.rounds)
        if isinstance(manifest.recoding, PartitionRecoding)
        else None,
        "runners_up": [
            {"levels": levels(node["levels"]), "loss": node["value"], "suppressed": node["suppressed"], "why": node["why"]}
            for node in nearest
        ],
        "hierarchies": _hierarchies(engine, run),
        "comparison": None,
        "not_covered": _not_covered(run),
        "job": run.job,
        "command": run.command,
        "alternatives": _alternatives(engine, run, nearest) if may_search else None,
        "risk_and_loss": _risk_and_loss(engine, run) if may_search else [],
    }
    return {key: _rounded(value) for key, value in document.items()}


def _unique_records(engine: Engine, run: ReportedRun) -> dict[str, int | None]:
    """Records that are unique on all released columns, before and after. `before` is None if a column shows pseudonyms or masks."""
    written, counted = run.manifest.written, run.manifest.risk.before
    after = None if written is None else written.unique_records
    if run.recoding.treatments:
        return {"before": None, "after": after}
    is_counted = {column.name for column in run.recoding.columns} == set(run.recoding.names)
    if is_counted and counted.unit == "rows" and not counted.levels:
        return {"before": counted.uniques, "after": after}
    return {"before": record_sets(engine, run.recoding.columns, "records")[2], "after": after}


def _rounded(value: Any) -> Any:
    """Round floats to twelve digits: the last digits of a sum depend on the order in which threads add."""
    match value:
        case float():
            return float(f"{round(value, 12):.12g}")
        case dict():
            return {key: _rounded(item) for key, item in value.items()}
        case list():
            return [_rounded(item) for item in value]
    return value


def _subgroups(by_value: Sequence[dict[str, Any]], losses: Losses) -> list[dict[str, Any]]:
    """The groups with the largest share of suppressed rows: values and labels of quasi-identifiers, and values of other columns."""
    groups = {(group["column"], group["value"]): group for group in (*losses.subgroups(), *by_value)}
    return sorted(groups.values(), key=lambda group: (-group["share"], -group["suppressed"]))[:MOST_GROUPS]


def _columns(engine: Engine, run: ReportedRun) -> list[dict[str, Any]]:
    """All columns of the input, released or not; quasi-identifiers with figures of their original values."""
    counted = run.counted
    reasons = manifest_content.reasons(counted)
    figures = {}
    for name in (attribute.name for attribute in counted.attributes):
        [own] = column_sets(engine, ClassRelation(f"values_{name}", {name: "code"}, counted.rows), [[name]])
        figures[name] = own | {"distinct": round(own["distinction"] * counted.rows)}
    return [
        {
            "name": column.name,
            "type": column.type,
            "role": counted.plan.roles[column.name],
            "reason": reasons.get(column.name)
            or ("named in the job" if column.name in counted.job.columns else "no role given"),
            "action": _action(run, column.name),
            **{key: figures.get(column.name, {}).get(key) for key in ("distinct", "distinction", "separation")},
        }
        for column in counted.columns
    ]


def _action(run: ReportedRun, name: str) -> str:
    counted = run.counted
    heights = {attribute.name: attribute.height for attribute in counted.attributes}
    plan = counted.job.columns.get(name)
    if plan is not None and plan.microaggregate is not None:
        return f"all rows of a class show the {plan.microaggregate}"
    if name in counted.plan.treatments:
        return counted.plan.treatments[name].description
    if name in heights:
        written = next(
            (f", written as {' and '.join(column.values)}" for column in run.recoding.ranged if column.name == name), ""
        )
        if run.decided.full_domain is None:
            return f"generalized by region{written}"
        level = run.decided.full_domain.levels[name]
        if not level and any(attribute.name == name and attribute.is_retyped for attribute in counted.attributes):
            return "released unchanged, except values with a label at every level"
        return f"generalized to level {level} of {heights[name]}{written}" if level else f"released unchanged{written}"
    if name in counted.plan.followers:
        return f"released if {counted.plan.followers[name]} is not generalized"
    if any(column.name == name for column in counted.plan.released):
        return "released unchanged"
    used = name in (*counted.job.entities, counted.job.k_column)
    return "identifies persons; dropped" if used else "dropped"


def _risk(risk: Mapping[str, Any], requirement: Requirement, attribute_risks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Risk before and after, at the thresholds that the k of all quasi-identifiers and those of the adversaries require."""
    threshold = None if requirement.adversaries or requirement.k.k_column else required_risk(requirement.k.k)
    required = {adversary.name: _number(required_risk(adversary.k.k)) for adversary in requirement.adversaries}
    by_adversary, any_columns = risk.get("adversaries"), risk.get("any_columns")

    def at_threshold(figures: Mapping[str, Any]) -> dict[str, Any]:
        attackers = {
            name: figures[name] | {"at_risk": None if threshold is None else figures[name]["at_risk"].get(named(threshold))}
            for name in ("prosecutor", "journalist")
        }
        return {**figures, **attackers}

    return {
        "threshold": _number(threshold),
        "adversaries": by_adversary and {name: seen | {"threshold": required[name]} for name, seen in by_adversary.items()},
        "any_columns": any_columns and any_columns | {"threshold": max(filter(None, required.values()), default=None)},
        "before": at_threshold(risk["before"]),
        "after": at_threshold(risk["after"]),
        "attributes": [
            {key: column[key] for key in ("column", "uniques_without", "contribution")} for column in attribute_risks
        ],
        "population_uniques": risk.get("population"),
    }


def _number(share: Fraction | None) -> float | None:
    return None if share is None else float(share)


def _is_quick(run: ReportedRun) -> bool:
    """Whether searches for other requirements are expected to take at most `_PATIENCE` seconds."""
    return run.manifest.seconds.search * (len(run.counted.attributes) + 3 + len(OTHER_K)) <= _PATIENCE


def _risk_and_loss(engine: Engine, run: ReportedRun) -> list[dict[str, Any]]:
    """The released recoding, and the recodings at other k."""
    if (after := run.manifest.risk.after) is None or run.counted.plan.requirement.adversaries:
        return []
    released = {
        "k": run.counted.plan.requirement.k.k,
        "risk": after.prosecutor.highest,
        "loss": run.manifest.metrics.loss,
        "released": True,
    }
    return [released, *({**point, "released": False} for point in risk_and_loss(engine, run.counted))]


def _alternatives(engine: Engine, run: ReportedRun, nearest: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    variants = alternatives(engine, run.counted, run.decided, nearest)
    return [variant | {"levels": None if variant["levels"] is None else levels(variant["levels"])} for variant in variants]


def _hierarchies(engine: Engine, run: ReportedRun) -> list[dict[str, Any]]:
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
        released = chosen.get(attribute.name)
        hierarchies.append(
            {
                "column": attribute.name,
                "named": named,
                "released": released,
                "levels": groups,
                "members": evidence.group_members(engine, attribute),
                "branches": evidence.branches(engine, attribute, released),
            }
        )
    return hierarchies


def _not_covered(run: ReportedRun) -> list[dict[str, str]]:
    """Limits of this run, in addition to those of every release."""
    counted, manifest = run.counted, run.manifest
    gaps = [
        {
            "what": f"the sensitive column {name}",
            "why": "no l-diversity or t-closeness is required: all records of a class may have the same value",
        }
        for name in counted.job.of_role("sensitive")
        if name not in counted.plan.requirement.sensitive
    ]
    if assumes_any(counted.job.model_dump(by_alias=True)):
        gaps.append({"what": "adversaries who know more quasi-identifiers", "why": ASSUMED_ANY})
    gaps += [{"what": "an accepted risk", "why": accepted.described(text)} for text in counted.job.accepted]
    kept = [name for name, role in counted.plan.roles.items() if role == "kept"]
    if kept:
        gaps.append(
            {
                "what": f"retained columns: {', '.join(kept)}",
                "why": "the adversary model assumes that adversaries do not know their values",
            }
        )
    if counted.job.entity is None:
        gaps.append(
            {
                "what": "persons with several rows",
                "why": "equivalence classes count rows; if persons have several rows, name their column with --entity",
            }
        )
    if manifest.roles == "detected":
        gaps.append({"what": "detected roles", "why": "no person confirmed which columns an adversary knows"})
    return gaps
