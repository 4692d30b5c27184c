"""Tables of a kept workspace that Python writes, in addition to the relations that SQL builds."""

from collections.abc import Mapping, Sequence

from duckanon.engine.catalog import CATALOG, COLUMN, Relation
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.metrics.loss import MeanLoss
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


def load_lattice(engine: Engine, counted: Counted, searched: FullDomainResult, *, all_losses: bool) -> None:
    """One row per visited node; failing nodes have a loss only with `all_losses`.

    If `_counted` is false, the quasi-identifiers ruled the node out; at least `_suppressed` rows would be suppressed.
    """
    attributes, evaluator = counted.attributes, searched.evaluator
    loss = MeanLoss(counted.marginals, counted.rows)
    shown = [node for node in list(evaluator.visited) if evaluator.satisfies(node) or all_losses]
    evaluator.count(shown)
    rows = []
    for number, visit in enumerate(visits_of(searched), start=1):
        node, value = visit.node, None
        if visit.satisfies or all_losses:
            figures = evaluator.figures(node)
            value = loss.published(loss.value(node, figures, lambda node=node: evaluator.lost(node)))  # type: ignore[misc]
        rows.append(
            {attribute.name: level for attribute, level in zip(attributes, node, strict=True)}
            | {
                "_height": sum(node),
                "_classes": visit.classes,
                "_smallest": visit.smallest,
                "_suppressed": visit.suppressed,
                "_counted": visit.is_counted,
                "_loss": value,
                "_at_least": visit.at_least,
                "_verdict": "satisfies" if visit.satisfies else "fails",
                "_chosen": visit.is_chosen,
                "_visit": number,
            }
        )
    schema = dict[str, type](
        **dict.fromkeys([attribute.name for attribute in attributes], int),
        _height=int,
        _classes=int,
        _smallest=int,
        _suppressed=int,
        _counted=bool,
        _loss=float,
        _at_least=float,
        _verdict=str,
        _chosen=bool,
        _visit=int,
    )
    engine.load("lattice", rows, schema)


def load_document(engine: Engine, manifest: Manifest) -> None:
    """Load `privacy_checks` and `metrics` from the manifest."""
    checks = dict[str, type](model=str, column=str, adversary=str, required=float, achieved=float, passed=bool)
    engine.load("privacy_checks", [check.document() for check in manifest.privacy], checks)
    metrics = manifest.metrics.document()
    rows = [{"metric": name, "column": None, "value": value} for name, value in metrics.items() if not isinstance(value, dict)]
    rows += [{"metric": "loss", "column": name, "value": value} for name, value in manifest.metrics.loss_by_attribute.items()]
    engine.load("metrics", rows, dict[str, type](metric=str, column=str, value=float))
    if manifest.risk is not None:
        load_risk(engine, manifest.risk)


def load_risk(engine: Engine, risk: RiskSummary) -> None:
    """Load `risk_summary`: the highest and the average risk under each adversary model, before and after."""
    rows = [
        {"moment": moment, "attacker": name, "highest": highest, "average": average, "uniques": figures.uniques}
        for moment, figures in (("before", risk.before), ("after", risk.after))
        if figures is not None
        for name, highest, average in (
            ("prosecutor", figures.prosecutor.highest, figures.prosecutor.average),
            ("journalist", figures.journalist.highest, figures.journalist.average),
            ("marketer", None, figures.marketer),
        )
    ]
    schema = dict[str, type](moment=str, attacker=str, highest=float, average=float, uniques=int)
    engine.load("risk_summary", rows, schema)


def load_log(engine: Engine, columns: Sequence[str], known_rows: Mapping[str, int]) -> None:
    """Load `steps`, and `relations`, the index of all relations of the workspace; `known_rows` has the numbers of rows of the views."""
    steps = [
        {"number": s.number, "relation": s.relation, "template": s.template, "sql": s.sql, "seconds": s.seconds, "rows": s.rows}
        for s in engine.steps
    ]
    engine.load("steps", steps, dict[str, type](number=int, relation=str, template=str, sql=str, seconds=float, rows=int))
    if engine.has_relation("source_file"):  # `source` reads a private copy, which does not outlive the run
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
        {
            "number": number,
            "folder": relation.folder,
            "relation": name,
            "one_row_per": relation.row,
            "rows": len(listed) if name == "relations" else known.get(name, standing[name]),
        }
        for number, (relation, name) in enumerate(listed, start=1)
    ]
    engine.load("relations", index, dict[str, type](number=int, folder=str, relation=str, one_row_per=str, rows=int))


def _names(relation: Relation, columns: Sequence[str]) -> list[str]:
    """The names of a relation in a workspace: one name, or one for each column."""
    return [relation.named(name) for name in columns] if COLUMN in relation.name else [relation.name]
