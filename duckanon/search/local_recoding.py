"""Search for a local recoding: the labels of a row depend on the region of its quasi-identifier values."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from duckanon.engine.owner import Owned, step, temporary
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import escaped, render
from duckanon.errors import EngineError, JobError, did_you_mean
from duckanon.hierarchy.attributes import Attribute, lattice_of
from duckanon.hierarchy.bounds import grid_of
from duckanon.job.column import DEFAULT_LIMIT, Limit
from duckanon.job.model import Job
from duckanon.lattice import Node
from duckanon.metrics.loss import rounded
from duckanon.search.algorithms import local, mondrian
from duckanon.search.budget import Budget
from duckanon.search.count import Counted
from duckanon.search.distributions import check_order
from duckanon.search.full_domain import search as search_lattice
from duckanon.search.region_result import (
    CELLS,
    PARTITIONS,
    LocalResult,
    MondrianResult,
    RegionClasses,
    RegionResult,
    region_classes,
)
from duckanon.search.variants import variant

_MOST_NODES = 2_000_000
"""The most nodes that are sorted for the passes of local recoding."""
_MOST_JOINED = 12
"""Attributes whose labels one statement joins."""


def is_local(job: Job) -> bool:
    """Whether the job's algorithm is a local recoding."""
    return job.recoding.algorithm in ("mondrian", "local")


def search(engine: Engine, counted: Counted) -> RegionResult:
    """Run the job's algorithm on the combinations, or apply the cuts or passes that the job gives."""
    if counted.plan.requirement.bounds_presence:
        raise JobError(
            f"{counted.job.recoding.algorithm} gives no labels to persons of the population without a released record, and delta-presence with a lower "
            "bound needs a record in each class of the population; use --algorithm optimal, or the lower bound 0"
        )
    for attribute in counted.attributes:
        about = {"column": attribute.name, "level": attribute.min_level, "height": attribute.height}
        if engine.query(render("local_recoding/mistaken_values", **about)):
            raise JobError(
                f"column {attribute.name!r} holds a value that equals the label of its missing values (missing.policy=top); "
                "rename it, or choose another missing.policy"
            )
    if counted.job.recoding.algorithm == "local":
        return _passed(engine, counted)
    with Owned(engine) as relations:
        if counted.job.recoding.partitions is None:
            tree = _cut(engine, counted)
        else:
            tree, counted = _routed(engine, counted)
        classes = region_classes(engine, counted, tree.attributes, positions=True)
    return MondrianResult(counted, engine, tree.attributes, classes, relations, tree)


def encoded(engine: Engine, counted: Counted, folder: Path) -> RegionResult:
    """Assign the combinations of further rows to the regions of a saved recoding, whose folder is given; no region is suppressed.

    Each number has a side of every cut. A new combination gets the first pass with a released class for its labels. Combinations
    without a region are left out.
    """
    if counted.job.recoding.passes is None:
        with Owned(engine) as relations:
            tree, counted = _routed(engine, counted, is_total=True)
            classes = region_classes(engine, counted, tree.attributes, positions=True)
        return MondrianResult(counted, engine, tree.attributes, classes, relations, tree)
    order = tuple(_node(counted.attributes, levels) for levels in counted.job.recoding.passes)
    with Owned(engine) as relations, temporary(engine):
        attributes = local.prepare(engine, counted.attributes, counted.marginals, counted.plan.requirement)
        local.load_nodes(engine, dict(enumerate(order)))
        saved = escaped(engine.allow(folder / CELLS).absolute())
        engine.create_table(render("release/saved_relation", "saved_cells", path=saved, renamed=None))
        engine.create_table(render("local_recoding/recalled", "passed", attributes=attributes))
        classes = _placed(engine, counted, attributes)
    passes = local.Passes(order, tuple(range(len(order))), 0, None)
    return LocalResult(counted, engine, attributes, classes, relations, passes, lattice_of(counted.attributes).size)


def uniform(engine: Engine, result: object) -> LocalResult | None:
    """The full-domain optimum as the only pass, in place of a searched `LocalResult`; None if there is none.

    Each column shows the same level in every row, so that a retained column may be released that the labels of regions forbid.
    """
    if not isinstance(result, LocalResult) or result.counted.is_applied or result.counted.job.recoding.passes:
        return None
    counted, recoding = result.counted, result.counted.job.recoding
    algorithm = "descent" if counted.plan.requirement.judges_sets else "optimal"
    budget = Budget(recoding.time_limit, recoding.max_nodes, counted.deadline)
    optimum = search_lattice(engine, variant(counted, algorithm=algorithm), all_nodes=False, budget=budget)
    if not optimum.is_feasible:
        return None
    result.relations.drop()
    return _through(engine, counted, [optimum.node], Budget())


@step
def _cut(engine: Engine, counted: Counted) -> mondrian.PartitionTree:
    recoding = counted.job.recoding
    for attribute in counted.attributes:
        if attribute.ordering is not None and attribute.ordering.values:
            check_order(engine, attribute.name, attribute.ordering.values, role="quasi-identifier")
    attributes = mondrian.prepare(engine, counted.attributes, counted.marginals, counted.plan.requirement)
    tree = mondrian.search(engine, attributes, counted.decisive, recoding, counted.deadline)
    engine.create_table(render("mondrian/spans", "extents", attributes=attributes, round=None))
    about = {"attributes": attributes, "show_extremes": recoding.show_extremes, "rows": counted.rows}
    for parameters, attribute in zip(attributes, counted.attributes, strict=True):
        if parameters["is_ordered"]:
            grid = None if recoding.show_extremes or parameters["order"] else grid_of(attribute.column)
            engine.create_table(render("mondrian/ends", f"ends_{attribute.name}", attribute=parameters | {"grid": grid}))
    _label_partitions(engine, about)
    return tree


def _label_partitions(engine: Engine, about: Mapping[str, Any]) -> None:
    """Create `regions`. The time to plan its joins grows with their square, so that many attributes are labelled in parts."""
    attributes = about["attributes"]
    parts = [attributes[start : start + _MOST_JOINED] for start in range(0, len(attributes), _MOST_JOINED)]
    names = [part[0]["name"] for part in parts]
    for name, part in zip(names, parts, strict=True):
        relation = f"region_labels_{name}"
        engine.create_table(render("local_recoding/region_labels", relation, **{**about, "attributes": part}))
    engine.create_table(render("local_recoding/regions_of_parts", "regions", parts=names, attributes=attributes))


@step
def _routed(engine: Engine, counted: Counted, *, is_total: bool = False) -> tuple[mondrian.PartitionTree, Counted]:
    """Assign the cells by saved cuts, without cells that the labels do not cover (but if it `is_total`, with numbers outside of their label); the attributes get these cuts."""
    saved = Path(str(counted.job.recoding.partitions))
    statement = render("release/saved_relation", "saved_partitions", path=escaped(engine.allow(saved).absolute()), renamed=None)
    try:
        columns = [column.name for column in engine.describe(statement)] if saved.is_file() else []
    except EngineError:
        columns = []
    if not {"_partition", "_parent", "_is_region", *(attribute.name for attribute in counted.attributes)} <= set(columns):
        raise JobError(
            f"{str(saved)!r} is not a tree of cuts for these quasi-identifiers; name the file {PARTITIONS} in OUTPUT.recoding/"
        )
    engine.create_table(statement)
    attributes = _as_cut(engine, counted.attributes, columns)
    placed = mondrian.prepare(engine, attributes, counted.marginals, counted.plan.requirement)
    tree = mondrian.route(engine, placed)
    engine.create_table(render("local_recoding/regions_of_tree", "regions", attributes=placed))
    engine.create_table(render("local_recoding/covered_cells", "cells", attributes=placed, is_total=is_total))
    return tree, replace(counted, attributes=attributes)


def _as_cut(engine: Engine, attributes: Sequence[Attribute], columns: Collection[str]) -> list[Attribute]:
    """The attributes with the cuts of the earlier release (ranges or hierarchy), whatever the types of the columns are now."""
    typed = []
    for number, attribute in enumerate(attributes, start=1):
        if f"_level_{number}" in columns:
            typed.append(replace(attribute, ordering=None))
        elif f"_type_{number}" in columns:
            types = engine.query(render("dataset/copy", relation="saved_partitions", columns=[f"_type_{number}"]))
            type = next(str(name) for (name,) in types if name is not None)
            values = attribute.ordering.values if attribute.ordering is not None else ()
            ordering = mondrian.ordering_by(type)
            typed.append(replace(attribute, ordering=attribute.ordering if values else ordering))
        elif f"_from_{number}" in columns and attribute.ordering is not None:
            typed.append(replace(attribute, ordering=mondrian.untyped_ordering(attribute.column, attribute.ordering)))
        else:
            raise JobError(
                f"version 0.1 saved the cuts of {attribute.name!r} without their type, and the column has no order now; "
                f"give it the type of the first data, or release those again"
            )
    return typed


def _passed(engine: Engine, counted: Counted) -> LocalResult:
    """Run the passes; a limit that ended one of the searches counts as the end of all, since another result might be better."""
    budget = Budget(counted.job.recoding.time_limit, counted.job.recoding.max_nodes, counted.deadline)
    result = _best(engine, counted, budget)
    return replace(result, passes=replace(result.passes, stopped=budget.spent_in_part))


def _best(engine: Engine, counted: Counted, budget: Budget) -> LocalResult:
    """Run the passes of the job, or else the best of: passes with a fallback, passes without one, only the fallback.

    The fallback is the node of a full-domain search, so local recoding never loses more than full-domain recoding.
    """
    recoding = counted.job.recoding
    if recoding.passes:
        given = [_node(counted.attributes, levels) for levels in recoding.passes]
        fallback = None if recoding.fallback is None else _node(counted.attributes, recoding.fallback)
        return _through(engine, counted, given, budget, fallback)
    if counted.plan.requirement.judges_sets:
        following = partial(local.next_node, engine, lattice_of(counted.attributes), counted.marginals, all_rows=counted.rows)
        result = _through(engine, counted, [], budget, following=following)
        uniform = search_lattice(engine, variant(counted, algorithm="descent"), all_nodes=False, budget=budget)
        if not uniform.is_feasible or _loses_at_most(result, rounded(uniform.document()["objective"]["value"])):
            return result
        result.relations.drop()
        return _through(engine, counted, [uniform.node], Budget())
    if (nodes := lattice_of(counted.attributes).size) > _MOST_NODES:
        raise JobError(
            f"local recoding passes at each of the {nodes:,} nodes of the lattice, and at most {_MOST_NODES:,} are passed; use --algorithm mondrian, "
            "fewer quasi-identifiers, or min-level and max-level in a job"
        )
    order = local.ordered(counted.marginals, lattice_of(counted.attributes), counted.rows)
    optimum = search_lattice(engine, variant(counted, algorithm="optimal"), all_nodes=False, budget=budget.half())
    if not optimum.is_feasible:
        return _unbacked(engine, counted, order, budget)
    tried = []
    if counted.plan.requirement.sensitive:
        # the optimum of a looser limit suppresses rows that passes release with the fallback of a stricter one
        default = Limit.parse(DEFAULT_LIMIT).of(counted.rows)
        limits = [most for most in {default, 0} if most < optimum.figures.suppressed]
        stricter = [variant(counted, algorithm="optimal", limit=str(most)) for most in sorted(limits)]
        results = [search_lattice(engine, each, all_nodes=False, budget=budget.half()) for each in stricter]
        fallbacks = dict.fromkeys(result.node for result in (*results, optimum) if result.is_feasible)
        tried += [_through(engine, counted, order, budget.half(), fallback) for fallback in fallbacks]
    tried.append(_through(engine, counted, order, budget))
    most = rounded(optimum.document()["objective"]["value"])
    if len(tried) == 1 and not _loses_at_most(tried[0], most):
        tried.append(_through(engine, counted, order, budget, optimum.node))
    best = min((result for result in tried if _loses_at_most(result, most)), key=lambda result: result.value, default=None)
    if best is None:
        best = _through(engine, counted, [optimum.node], Budget())
    for result in tried:
        if result is not best:
            result.relations.drop()
    best.relations.restore()
    return best


def _loses_at_most(result: LocalResult, value: float) -> bool:
    return result.is_feasible and rounded(result.value) <= value


def _unbacked(engine: Engine, counted: Counted, order: Sequence[Node], budget: Budget) -> LocalResult:
    """If no node satisfies the requirement: try passes at all nodes, then repeatedly at the half with the larger losses."""
    result = _through(engine, counted, order, budget)
    while not result.is_feasible and result.passes.stopped is None and len(order) > 1:
        order = order[(len(order) + 1) // 2 :]
        result.relations.drop()
        result = _through(engine, counted, order, budget)
    return result


def _through(
    engine: Engine,
    counted: Counted,
    order: Sequence[Node],
    budget: Budget,
    fallback: Node | None = None,
    following: local.Following | None = None,
) -> LocalResult:
    """Run passes at these nodes and build their classes."""
    requirement = counted.plan.requirement
    with Owned(engine) as relations, temporary(engine):
        attributes = local.prepare(engine, counted.attributes, counted.marginals, requirement)
        passes = local.search(engine, counted.attributes, attributes, counted.decisive, order, budget, fallback, following)
        classes = _placed(engine, counted, attributes)
    return LocalResult(counted, engine, attributes, classes, relations, passes, lattice_of(counted.attributes).size)


def _placed(engine: Engine, counted: Counted, attributes: Sequence[Mapping[str, Any]]) -> RegionClasses:
    """Build the regions of `passed`, and their classes."""
    measures = counted.plan.requirement.measures
    engine.create_table(render("local_recoding/located", attributes=attributes))
    engine.create_table(render("local_recoding/regions_of_passes", "regions", attributes=attributes))
    engine.create_table(render("local_recoding/placed_cells", "cells", attributes=attributes, measures=measures))
    return region_classes(engine, counted, attributes, positions=False)


def _node(attributes: Sequence[Attribute], levels: Mapping[str, int]) -> Node:
    """The node of a pass in the job; raises `JobError` if a level is missing or does not exist."""
    names = [attribute.name for attribute in attributes]
    if strange := next((name for name in levels if name not in names), None):
        raise JobError(f"a pass in the job names {strange!r}, which is not a quasi-identifier{did_you_mean(strange, names)}")
    for attribute in attributes:
        if attribute.name not in levels:
            raise JobError(
                f"a pass in the job gives no level for {attribute.name!r}; give every pass a level for each quasi-identifier"
            )
        if not attribute.min_level <= levels[attribute.name] <= attribute.max_level:
            raise JobError(
                f"a pass in the job gives {attribute.name!r} the level {levels[attribute.name]}; choose one from {attribute.min_level} to "
                f"{attribute.max_level}"
            )
    return tuple(levels[attribute.name] for attribute in attributes)
