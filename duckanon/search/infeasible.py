"""Messages for infeasible runs: the requirement, and the closest result."""

from collections.abc import Sequence

from duckanon.hierarchy.attributes import Attribute
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures
from duckanon.privacy.registry import as_written, name_of
from duckanon.privacy.requirement import Requirement
from duckanon.search.distributions import Distribution
from duckanon.search.evaluation.evaluator import Evaluator
from duckanon.search.protected_values import Loss, Protection


def closest(evaluator: Evaluator) -> Node:
    """The visited node that suppresses the fewest rows; ties are broken by height, then lexicographically."""

    def suppressed(node: Node) -> int:
        rows = evaluator.figures(node).suppressed
        possible = evaluator.possible(node) if rows <= evaluator.limit else None
        return rows if possible is None else max(rows, min(evaluator.limit, rows) + possible.failing_rows)

    return min(evaluator.visited, key=lambda node: (suppressed(node), sum(node), node))


def advice(
    evaluator: Evaluator,
    attributes: Sequence[Attribute],
    outside: int = 0,
    *,
    isolated: int = 0,
    is_applied: bool = False,
    node: Node | None = None,
) -> str:
    """The requirement and the closest node (by default the best visited node); `remedies` adds what to change.

    `outside` counts rows that are always suppressed: those that the release would isolate (`isolated`),
    and those that a saved recoding does not cover.
    """
    node = node or closest(evaluator)
    figures, requirement = evaluator.figures(node), evaluator.requirement
    k, rows, limit = requirement.largest_k.k, figures.rows + outside, evaluator.limit + outside
    levels = ", ".join(f"{attribute.name}={level}" for attribute, level in zip(attributes, node, strict=True))
    suppressed = figures.suppressed + outside
    node_named = "the saved recoding" if is_applied else "the closest recoding"
    finding = f"{node_named} ({levels}) suppresses {suppressed:,} of {rows:,} rows"
    finding += _left_out(outside - isolated, isolated)
    if requirement.bounds_presence:
        finding += f", and has {evaluator.absent(node):,} classes of the population without a record (delta-presence with a lower bound allows neither)"
    required, protection = _required(requirement), evaluator.protection
    loss = None if protection is None else evaluator.protected_loss(node)
    keeps_values = protection is None or loss is None or protection.allows(loss)
    possible = evaluator.possible(node) if suppressed <= limit and figures.released else None
    if possible is not None and suppressed + possible.failing_rows > limit:
        return f"infeasible: with at most {limit:,} rows suppressed, {possible.problem}"
    if suppressed <= limit and figures.released and keeps_values:
        finding += ", and exceeds the max-loss of a column"
    if evaluator.stopped is not None:
        return f"infeasible so far: the {evaluator.stopped} ended the search before it found a recoding that satisfies {required}; {finding}"
    if protection is not None and loss is not None and not keeps_values and figures.released and suppressed <= limit:
        return of_protected(protection, loss, _unsatisfied(required, is_applied), f"{node_named} ({levels})")
    if k > rows:
        return f"infeasible: k = {k:,} is larger than the {rows:,} rows that take part, so {finding}"
    stars = " (with the classes that join the masked records)" if evaluator.stars else ""
    return f"infeasible: {_unsatisfied(required, is_applied)} with at most {limit:,} rows suppressed{stars}: {finding}"


def of_protected(protection: Protection, loss: Loss, unsatisfied: str, finding: str) -> str:
    """One line for a run that keeps the limit for all rows, but not for each value of a protected column."""
    return (
        f"infeasible: {unsatisfied} with at most {float(protection.share * 100):.4g}% of the rows with each value of "
        f"{_listed(protection.names)} suppressed: {finding} "
        f"suppresses {loss.suppressed:,} of the {loss.rows:,} rows with one value of {loss.column!r}"
    )


def _left_out(uncovered: int, isolated: int) -> str:
    """The part of a finding about rows that are always suppressed."""
    finding = f", {uncovered:,} of them for values that the recoding does not cover" if uncovered else ""
    return finding + (f", {isolated:,} of them because the release would isolate them" if isolated else "")


def _listed(names: Sequence[str]) -> str:
    return " and ".join(map(repr, names))


def of_regions(
    requirement: Requirement,
    figures: Figures,
    limit: int,
    outside: int = 0,
    *,
    isolated: int = 0,
    unplaced: int = 0,
    is_applied: bool = False,
    protection: Protection | None = None,
    loss: Loss | None = None,
) -> str:
    """The same for local recoding, which has no labels for `unplaced` rows."""
    rows, suppressed = figures.rows + outside, figures.suppressed + outside
    if protection is not None and loss is not None and figures.released and figures.suppressed <= limit:
        what = "the saved recoding" if is_applied else "the search"
        return of_protected(protection, loss, _unsatisfied(_required(requirement), is_applied), what)
    finding = f"the search leaves {suppressed:,} of {rows:,} rows in classes that fail"
    if is_applied:
        finding = f"the saved recoding suppresses {suppressed:,} of {rows:,} rows"
    finding += _left_out(outside - isolated + (unplaced if is_applied else 0), isolated)
    if requirement.largest_k.k > rows:
        return f"infeasible: k = {requirement.largest_k.k:,} is larger than the {rows:,} rows that take part"
    unsatisfied = _unsatisfied(_required(requirement), is_applied)
    return f"infeasible: {unsatisfied} with at most {limit + outside:,} rows suppressed: {finding}"


def _unsatisfied(required: str, is_applied: bool) -> str:
    return f"the saved recoding does not satisfy {required}" if is_applied else f"found no recoding that satisfies {required}"


def impossible(requirement: Requirement, distributions: Sequence[Distribution]) -> str | None:
    """Why no class can satisfy, if a sensitive column has too few values; None if every column has enough."""
    by_name = {distribution.name: distribution for distribution in distributions}
    for model in requirement.every_model:
        if model.sensitive is not None and model.least_values > (column := by_name[model.sensitive]).values:
            required = f"l = {model.parameters['l']}" if "l" in model.parameters else "a value in each class"
            return (
                f"infeasible: {name_of(model)} requires {required}, but {model.sensitive!r} has {column.values:,} "
                f"value{'' if column.values == 1 else 's'} ({'besides' if column.is_partly_missing else 'including'} NULL)"
            )
    return None


def _required(requirement: Requirement) -> str:
    """The requirement as text."""
    if requirement.adversaries:
        parts = [f"{_required(requirement.of(adversary))} for {adversary.name}" for adversary in requirement.adversaries]
        return ", ".join(parts)
    k = requirement.k
    models = [f"k = {k.k:,}" if k.k_column is None else f"each record's own k in {k.k_column!r}"]
    models += [as_written(model) for model in requirement.all_models[1:]]
    return " and ".join(dict.fromkeys(models))
