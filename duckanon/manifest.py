"""The document of a run: what `--json` prints and what stands beside the output."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from duckanon import __version__
from duckanon.algorithms.base import Outcome
from duckanon.algorithms.evaluate import Evaluator
from duckanon.combinations import Attribute
from duckanon.lattice import Lattice, Node
from duckanon.metrics.document import document as metrics_document
from duckanon.metrics.figures import Marginals
from duckanon.release import Totals

Manifest = dict[str, Any]


def levels_of(attributes: Sequence[Attribute], node: Node) -> dict[str, int]:
    """A node by the names of its attributes."""
    return {attribute.name: level for attribute, level in zip(attributes, node, strict=True)}


def compose(
    *,
    status: str,
    evaluator: Evaluator,
    outcome: Outcome,
    node: Node,
    algorithm: str,
    attributes: Sequence[Attribute],
    marginals: Sequence[Marginals],
    lattice: Lattice,
    limit: str,
    read: int,
    roles: Mapping[str, str],
    is_guessed: bool,
    seconds: Mapping[str, float],
    warnings: Sequence[str],
    about: Mapping[str, Any],
) -> Manifest:
    """The document of a run that came to a node; `output` is added when a file was written."""
    figures = evaluator.figures(node)
    objective = evaluator.objective
    requirement = evaluator.requirement
    holds = status in ("released", "dry-run")
    return {
        "duckanon": __version__,
        "status": status,
        "rows": {
            "read": read,
            "missing": read - figures.rows,
            "suppressed": figures.suppressed,
            "released": figures.released if holds else 0,
        },
        "classes": {
            "count": figures.released_classes,
            "smallest": figures.released_smallest,
            "average": figures.released / figures.released_classes if figures.released_classes else 0.0,
            "largest": figures.released_largest,
        },
        "recoding": {
            "algorithm": algorithm,
            "levels": levels_of(attributes, node),
            "lattice": len(lattice),
            "visited": len(evaluator.visited),
            "objective": {
                "name": objective.name,
                "aggregate": objective.aggregate,
                "value": objective.published(evaluator.value(node)),
                "bound": objective.published(outcome.bound),
                "proven": outcome.proven,
            },
            "ties": [levels_of(attributes, tie) for tie in outcome.ties],
        },
        "suppression": {"limit": limit, "rows": evaluator.limit},
        "privacy": [
            {
                "model": requirement.name,
                "column": None,
                "required": requirement.k,
                "achieved": figures.released_smallest,
                "passed": holds and figures.released_smallest >= requirement.k,
            }
        ],
        "metrics": metrics_document(marginals, node, figures, evaluator.lost(node)),
        "roles": "guessed" if is_guessed else "declared",
        "columns": dict(roles),
        "warnings": list(warnings),
        "about": dict(about),
        "seconds": {name: round(value, 6) for name, value in seconds.items()},
    }


def as_written(manifest: Manifest, totals: Totals) -> Manifest:
    """The document with what the verification found in the file in place of what the search had counted."""
    classes = {"count": totals.classes, "smallest": totals.smallest, "average": totals.rows / totals.classes}
    return manifest | {
        "rows": manifest["rows"] | {"released": totals.rows},
        "classes": classes | {"largest": totals.largest},
        "privacy": [check | {"achieved": totals.smallest} for check in manifest["privacy"]],
    }


def path_for(output: Path) -> Path:
    """Where the manifest of an output lies."""
    return output.with_name(f"{output.name}.manifest.json")


def dumps(manifest: Manifest) -> str:
    """The document as JSON text."""
    return json.dumps(manifest, indent=2, ensure_ascii=False, default=str)
