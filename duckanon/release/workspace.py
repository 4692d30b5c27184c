"""Tables of a kept workspace that Python writes, in addition to the relations that SQL builds."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from duckanon.engine.catalog import CATALOG, COLUMN, Relation
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.metrics.objective import MeanLoss
from duckanon.release.manifest_content import reasons as document_reasons
from duckanon.release.manifest_model.document import Manifest
from duckanon.release.manifest_model.figures import RiskSummary
from duckanon.search.count import Counted
from duckanon.search.full_domain import FullDomainResult
from duckanon.search.result import SearchResult
from duckanon.search.trace import visits_of


def load(engine: Engine, counted: Counted, decided: SearchResult, document: Manifest, *, all_losses: bool) -> None:
    """Write the decisions made in Python to a workspace."""
    load_profile(engine, counted)
    if decided.full_domain is not None:
        load_lattice(engine, counted, decided.full_domain, all_losses=all_losses)
    load_document(engine, document)
    known = {"source": counted.read, "source_file": counted.read, "records": counted.rows, "release": document.rows.released}
    columns = [attribute.name for attribute in counted.attributes] + [
        distribution.name for distribution in counted.distributions
    ]
    # persons and pseudonyms may be left out by columns that have no other relation
    isolated = [name.removeprefix("isolated_") for name in engine.relations() if name.startswith("isolated_")]
    load_log(engine, [*dict.fromkeys([*columns, *isolated])], known)


def load_profile(engine: Engine, counted: Counted) -> None:
    """One row per column of the input."""
    standing = engine.relations()
    profiles = {column.name: column.profile for column in counted.proposal.columns} if counted.proposal else {}
    reasons, rows = document_reasons(counted), []
    for column in counted.columns:
        profile = profiles.get(column.name)
        distinct = standing.get(f"values_{column.name}") if profile is None or profile.distinct is None else profile.distinct
        figures = [getattr(profile, figure, None) for figure in ("missing", "distinction", "separation")]
        role, reason = counted.plan.roles[column.name], reasons.get(column.name)
        rows.append((column.name, role, reason, column.type, distinct, *figures))
    texts = dict.fromkeys(("column", "role", "reason", "type"), str)
    _load(engine, "profile", rows, {**texts, "distinct_values": int, "missing": int, "distinction": float, "separation": float})


def load_lattice(engine: Engine, counted: Counted, searched: FullDomainResult, *, all_losses: bool) -> None:
    """One row per visited node; failing nodes have a loss only with `all_losses`.

    If `_counted` is false, the quasi-identifiers ruled the node out; at least `_suppressed` rows would be suppressed.
    """
    evaluator, loss = searched.evaluator, MeanLoss(counted.marginals, counted.rows)
    evaluator.count([node for node in list(evaluator.visited) if evaluator.satisfies(node) or all_losses])
    rows = []
    for number, visit in enumerate(visits_of(searched), start=1):
        node, value = visit.node, None
        if visit.satisfies or all_losses:
            figures = evaluator.figures(node)
            value = loss.published(loss.value(node, figures, lambda node=node: evaluator.lost(node)))  # type: ignore[misc]
        classes = (sum(node), visit.classes, visit.smallest, visit.suppressed, visit.is_counted)
        verdict = "satisfies" if visit.satisfies else "fails"
        rows.append((*node, *classes, value, visit.at_least, verdict, visit.is_chosen, number))
    types: dict[str, type] = dict.fromkeys([attribute.name for attribute in counted.attributes], int)
    types |= dict.fromkeys(("_height", "_classes", "_smallest", "_suppressed"), int)
    types |= {"_counted": bool, "_loss": float, "_at_least": float, "_verdict": str, "_chosen": bool, "_visit": int}
    _load(engine, "lattice", rows, types)


def load_document(engine: Engine, manifest: Manifest) -> None:
    """Load `privacy_checks` and `metrics` from the manifest."""
    checks = dict[str, type](model=str, column=str, adversary=str, required=float, achieved=float, passed=bool)
    engine.load("privacy_checks", [check.document() for check in manifest.privacy], checks)
    metrics = manifest.metrics.document()
    rows: list[tuple[Any, ...]] = [(name, None, value) for name, value in metrics.items() if not isinstance(value, dict)]
    rows += [("loss", name, value) for name, value in manifest.metrics.loss_by_attribute.items()]
    _load(engine, "metrics", rows, {"metric": str, "column": str, "value": float})
    if manifest.risk is not None:
        load_risk(engine, manifest.risk)


def load_risk(engine: Engine, risk: RiskSummary) -> None:
    """Load `risk_summary`: the highest and the average risk under each adversary model, before and after."""
    rows = [
        (moment, name, highest, average, figures.uniques)
        for moment, figures in (("before", risk.before), ("after", risk.after))
        if figures is not None
        for name, highest, average in (
            ("prosecutor", figures.prosecutor.highest, figures.prosecutor.average),
            ("journalist", figures.journalist.highest, figures.journalist.average),
            ("marketer", None, figures.marketer),
        )
    ]
    _load(engine, "risk_summary", rows, {"moment": str, "attacker": str, "highest": float, "average": float, "uniques": int})


def load_log(engine: Engine, columns: Sequence[str], known_rows: Mapping[str, int]) -> None:
    """Load `steps`, and `relations`, the index of all relations of the workspace; `known_rows` has the numbers of rows of the views."""
    steps = [(step.number, step.relation, step.template, step.sql, step.seconds, step.rows) for step in engine.steps]
    texts = dict.fromkeys(("relation", "template", "sql"), str)
    _load(engine, "steps", steps, {"number": int, **texts, "seconds": float, "rows": int})
    if "source_file" in engine.names:  # `source` reads a private copy, which does not outlive the run
        engine.create_view(render("dataset/copy", "source", relation="source_file"))
    for relation in CATALOG:
        for name in [] if relation.kept else _names(relation, columns):
            engine.drop(name)
    standing = engine.relations()
    known = {"classes_explained": standing.get("class_results"), **known_rows}
    listed = [
        (relation, name)
        for relation in CATALOG
        for name in _names(relation, columns)
        if name in standing or name == "relations"
    ]
    index = [
        (number, relation.folder, name, relation.row, len(listed) if name == "relations" else known.get(name, standing[name]))
        for number, (relation, name) in enumerate(listed, start=1)
    ]
    texts = dict.fromkeys(("folder", "relation", "one_row_per"), str)
    _load(engine, "relations", index, {"number": int, **texts, "rows": int})


def _load(engine: Engine, relation: str, rows: Iterable[Sequence[Any]], types: Mapping[str, type]) -> None:
    """Load rows whose cells are in the order of the columns."""
    engine.load(relation, [dict(zip(types, row, strict=True)) for row in rows], types)


def _names(relation: Relation, columns: Sequence[str]) -> list[str]:
    """The names of a relation in a workspace: one name, or one for each column."""
    return [relation.named(name) for name in columns] if COLUMN in relation.name else [relation.name]
