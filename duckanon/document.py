"""What a run says of itself: composed once, printed by `--json`, kept as the manifest."""

from collections.abc import Mapping, Sequence
from typing import Any

from duckanon import __version__
from duckanon.combinations import Attribute
from duckanon.counting import Counted
from duckanon.lattice import Node
from duckanon.manifest import Manifest
from duckanon.metrics.document import document as metrics_document
from duckanon.searching import Searched
from duckanon.verification import Totals


def levels_of(attributes: Sequence[Attribute], node: Node) -> dict[str, int]:
    """A node by the names of its attributes."""
    return {attribute.name: level for attribute, level in zip(attributes, node, strict=True)}


def compose(
    status: str, counted: Counted, searched: Searched, seconds: Mapping[str, float], warnings: Sequence[str]
) -> Manifest:
    """The document of a run that came to a node; `output` is added when a file was written."""
    evaluator, job = searched.evaluator, counted.job
    figures = evaluator.figures(searched.node)
    holds = status in ("released", "dry-run")
    outside = counted.drift.rows if counted.drift else 0
    return {
        "duckanon": __version__,
        "status": status,
        "rows": {
            "read": counted.read,
            "missing": counted.read - counted.rows - outside,
            "suppressed": figures.suppressed + outside,
            "released": (figures.rows if job.stars else figures.released) if holds else 0,
        },
        **({"nulls": dict(counted.nulls)} if counted.nulls else {}),
        "classes": {
            "count": figures.released_classes,
            "smallest": figures.released_smallest,
            "average": figures.released / figures.released_classes if figures.released_classes else 0.0,
            "largest": figures.released_largest,
        },
        "recoding": _recoding(counted, searched),
        "suppression": {"limit": job.suppression.limit, "rows": evaluator.limit + outside, "style": job.suppression.style},
        "privacy": evaluator.achieved(searched.node).checks(holds=holds),
        "metrics": metrics_document(counted.marginals, searched.node, figures, evaluator.lost(searched.node)),
        "roles": "guessed" if counted.proposal else "declared",
        "columns": dict(counted.plan.roles),
        **({"reasons": reasons(counted)} if counted.proposal else {}),
        **({"drift": _drift(counted, searched)} if counted.drift else {}),
        "warnings": list(warnings),
        "about": dict(job.about),
        "seconds": {name: round(value, 6) for name, value in seconds.items()},
    }


def as_written(manifest: Manifest, totals: Totals) -> Manifest:
    """The document with what the verification found in the file in place of what the search had counted."""
    classes = {"count": totals.classes, "smallest": totals.smallest, "average": totals.rows / totals.classes}
    return manifest | {
        "rows": manifest["rows"] | {"released": totals.rows},
        "classes": classes | {"largest": totals.largest},
        "privacy": _measured(manifest["privacy"], totals.achieved.checks(holds=True)),
    }


def _measured(checks: Sequence[dict[str, Any]], measured: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The checks, with what the written file achieves wherever it tells that by itself."""
    in_file = {_asked(check): check for check in measured}
    return [check | {"achieved": in_file.get(_asked(check), check)["achieved"]} for check in checks]


def _asked(check: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(value for name, value in check.items() if name not in ("achieved", "passed"))


def reasons(counted: Counted) -> dict[str, str]:
    """Why each column became what it is, where roles are guessed."""
    if counted.proposal is None:
        return {}
    told = {column.name: column.reason for column in counted.proposal.columns}
    return {name: counted.dropped_since.get(name, reason) for name, reason in told.items()}


def _recoding(counted: Counted, searched: Searched) -> dict[str, Any]:
    evaluator, outcome, recoding = searched.evaluator, searched.outcome, counted.job.recoding
    objective = evaluator.objective
    return {
        "algorithm": "levels" if recoding.levels else recoding.algorithm,
        "levels": levels_of(counted.attributes, searched.node),
        "lattice": searched.lattice.size,
        "visited": len(evaluator.visited),
        "objective": {
            "name": objective.name,
            "aggregate": objective.aggregate,
            "value": objective.published(evaluator.value(searched.node)),
            "bound": objective.published(outcome.bound),
            "gap": _gap(objective.published(evaluator.value(searched.node)), objective.published(outcome.bound)),
            "proven": outcome.proven,
        },
        "ties": [levels_of(counted.attributes, tie) for tie in outcome.ties],
        **({"decided_on": "quasi-identifiers"} if counted.job.decide_on == "qi" else {}),
        **({"stopped": evaluator.stopped} if evaluator.stopped else {}),
        **({"refined_from": levels_of(counted.attributes, outcome.refined_from)} if outcome.refined_from else {}),
        **({"minimal": [levels_of(counted.attributes, node) for node in outcome.minimal]} if outcome.minimal else {}),
    }


def _gap(value: float, bound: float) -> float:
    """How far the bound lies below the value, as a share of it."""
    return (value - bound) / value if value > 0 else 0.0


def _drift(counted: Counted, searched: Searched) -> dict[str, Any]:
    """What new data brings that the frozen recoding was not made for."""
    figures = searched.evaluator.figures(searched.node)
    return {
        "rows_outside": counted.drift.rows if counted.drift else 0,
        "new_values": counted.drift.values if counted.drift else {},
        "classes_below": figures.failing_classes,
        "rows_below": figures.suppressed,
    }
