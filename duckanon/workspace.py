"""What a kept workspace tells beside the relations that SQL built: tables of what Python decided."""

from collections.abc import Mapping, Sequence

from duckanon.counting import Counted
from duckanon.deciding import Decided
from duckanon.document import reasons as document_reasons
from duckanon.engine.protocol import Engine
from duckanon.manifest import Manifest
from duckanon.metrics.loss import MeanLoss
from duckanon.relations import CATALOGUE, COLUMN, Relation
from duckanon.searching import Searched


def load(engine: Engine, counted: Counted, decided: Decided, document: Manifest, *, all_losses: bool) -> None:
    """Completes a workspace with what was decided outside the database."""
    load_profile(engine, counted)
    if isinstance(decided, Searched):
        load_lattice(engine, counted, decided, all_losses=all_losses)
    load_document(engine, document)
    known = {"source": counted.read, "records": counted.rows, "release": document["rows"]["released"]}
    columns = [attribute.name for attribute in counted.attributes] + [one.name for one in counted.distributions]
    load_log(engine, columns, known)


def load_profile(engine: Engine, counted: Counted) -> None:
    """One row per column of the input."""
    standing = engine.standing()
    profiles = {column.name: column.profile for column in counted.proposal.columns} if counted.proposal else {}
    reasons, rows = document_reasons(counted), []
    for column in counted.columns:
        profile = profiles.get(column.name)
        counted_values = standing.get(f"values_{column.name}")
        rows.append(
            {
                "column": column.name,
                "role": counted.plan.roles[column.name],
                "reason": reasons.get(column.name),
                "type": column.type,
                "distinct_values": counted_values if profile is None or profile.distinct is None else profile.distinct,
                "missing": profile.missing if profile else None,
                "distinction": profile.distinction if profile else None,
                "separation": profile.separation if profile else None,
            }
        )
    schema = dict[str, type](
        column=str, role=str, reason=str, type=str, distinct_values=int, missing=int, distinction=float, separation=float
    )
    engine.load("profile", rows, schema)


def load_lattice(engine: Engine, counted: Counted, searched: Searched, *, all_losses: bool) -> None:
    """One row per node visited; the loss of a failing node only where every node was asked for."""
    attributes, evaluator = counted.attributes, searched.evaluator
    loss = MeanLoss(counted.marginals, counted.rows)
    visits = []
    for number, (node, figures) in enumerate(list(evaluator.visited.items()), start=1):
        satisfies = evaluator.satisfies(node)
        value = None
        if satisfies or all_losses:
            value = loss.published(loss.value(node, figures, lambda node=node: evaluator.lost(node)))  # type: ignore[misc]
        visits.append(
            {attribute.name: level for attribute, level in zip(attributes, node, strict=True)}
            | {
                "_height": sum(node),
                "_classes": figures.classes,
                "_smallest": figures.smallest,
                "_suppressed": figures.suppressed,
                "_loss": value,
                "_verdict": "satisfies" if satisfies else "fails",
                "_chosen": node == searched.node,
                "_visit": number,
            }
        )
    schema = dict[str, type](
        **dict.fromkeys([attribute.name for attribute in attributes], int),
        _height=int,
        _classes=int,
        _smallest=int,
        _suppressed=int,
        _loss=float,
        _verdict=str,
        _chosen=bool,
        _visit=int,
    )
    engine.load("lattice", visits, schema)


def load_document(engine: Engine, manifest: Manifest) -> None:
    """`privacy_checks` and `metrics`, from the manifest."""
    checks = dict[str, type](model=str, column=str, required=float, achieved=float, passed=bool)
    engine.load("privacy_checks", manifest["privacy"], checks)
    rows = [
        {"metric": name, "column": None, "value": value}
        for name, value in manifest["metrics"].items()
        if not isinstance(value, dict)
    ]
    rows += [
        {"metric": "loss", "column": name, "value": value} for name, value in manifest["metrics"]["loss_by_attribute"].items()
    ]
    engine.load("metrics", rows, dict[str, type](metric=str, column=str, value=float))


def load_log(engine: Engine, columns: Sequence[str], known_rows: Mapping[str, int]) -> None:
    """`steps`, and `story`, which names every relation that stands; `known_rows` tells those of the views."""
    steps = [
        {"number": s.number, "relation": s.relation, "template": s.template, "sql": s.sql, "seconds": s.seconds, "rows": s.rows}
        for s in engine.steps
    ]
    engine.load("steps", steps, dict[str, type](number=int, relation=str, template=str, sql=str, seconds=float, rows=int))
    for relation in CATALOGUE:
        for name in [] if relation.kept else _names(relation, columns):
            engine.drop(name)
    standing = engine.standing()
    told = [
        (relation, name) for relation in CATALOGUE for name in _names(relation, columns) if name in standing or name == "story"
    ]
    story = [
        {
            "number": number,
            "chapter": relation.chapter,
            "relation": name,
            "one_row_per": relation.row,
            "rows": len(told) if name == "story" else known_rows.get(name, standing[name]),
        }
        for number, (relation, name) in enumerate(told, start=1)
    ]
    engine.load("story", story, dict[str, type](number=int, chapter=str, relation=str, one_row_per=str, rows=int))


def _names(relation: Relation, columns: Sequence[str]) -> list[str]:
    """The relation's names in a workspace: one, or one a column."""
    return [relation.named(name) for name in columns] if COLUMN in relation.name else [relation.name]
