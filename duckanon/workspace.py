"""What a kept workspace tells beside the relations that SQL built: tables of what Python decided."""

from collections.abc import Mapping, Sequence

from duckanon.counting import Counted
from duckanon.deciding import Decided
from duckanon.document import reasons as document_reasons
from duckanon.engine.protocol import Engine
from duckanon.manifest import Manifest
from duckanon.relations import CATALOGUE, COLUMN, Relation
from duckanon.searching import Searched
from duckanon.visits import load_lattice


def load(engine: Engine, counted: Counted, decided: Decided, document: Manifest, *, all_losses: bool) -> None:
    """Completes a workspace with what was decided outside the database."""
    load_profile(engine, counted)
    if isinstance(decided, Searched):
        load_lattice(engine, counted, decided, losses="all" if all_losses else "satisfying")
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
