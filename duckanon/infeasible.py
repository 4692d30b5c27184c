"""Where nothing satisfies: what came closest, and which limit to relax."""

import math
from collections.abc import Sequence
from fractions import Fraction

from duckanon.algorithms.evaluate import Evaluator
from duckanon.combinations import Attribute
from duckanon.lattice import Node
from duckanon.metrics.figures import Figures
from duckanon.privacy.models import as_written, name_of
from duckanon.privacy.requirement import Requirement
from duckanon.protected_values import Loss, Protection
from duckanon.sensitive import Distribution


def closest(evaluator: Evaluator) -> Node:
    """The visited node that suppresses least; ties by height, then lexicographically."""
    return min(evaluator.visited, key=lambda node: (evaluator.figures(node).suppressed, sum(node), node))


def advice(
    evaluator: Evaluator,
    attributes: Sequence[Attribute],
    outside: int = 0,
    *,
    is_frozen: bool = False,
    node: Node | None = None,
) -> str:
    """One line: what was asked for, the node (the best found unless given), and the ways out that its figures show.

    `outside` counts rows that a frozen recoding does not cover, which are suppressed in any case.
    """
    node = node or closest(evaluator)
    figures, requirement = evaluator.figures(node), evaluator.requirement
    k, rows, limit = requirement.k.k, figures.rows + outside, evaluator.limit + outside
    levels = ", ".join(f"{attribute.name}={level}" for attribute, level in zip(attributes, node, strict=True))
    suppressed = figures.suppressed + outside
    node_named = "the frozen recoding" if is_frozen else "the best node found"
    found = f"{node_named} ({levels}) suppresses {suppressed:,} of {rows:,} rows"
    if outside:
        found += f", {outside:,} of them for values that the recoding does not cover"
    asked = _asked(requirement)
    lower = "lower --k" if requirement.k.k_column is None else "ask for less in it"
    if requirement.others or requirement.average_risk:
        lower = "ask for less"
    if evaluator.stopped is not None:
        return f"infeasible so far: the {evaluator.stopped} ended the search before a node satisfied {asked}; {found}; raise it, or choose optimal"
    if (protection := evaluator.protection) is not None and figures.released and suppressed <= limit:
        loss = evaluator.protected_loss(node)
        if loss is not None and not protection.allows(loss):
            more = any(attribute.max_level < attribute.height for attribute in attributes) and not is_frozen
            return of_protected(
                protection,
                loss,
                asked,
                f"{node_named} ({levels})",
                Fraction(suppressed, rows),
                ["raise max-level"] if more else [],
            )
    if k > rows:
        return f"infeasible: k = {k:,} is above the {rows:,} rows that take part, so {found}; lower --k to at most {rows:,}"
    ways = [f"raise --max-suppression to {suppressed}"] if figures.released else []
    ways += ["drop a column from the release (--identifying)"] if not is_frozen and len(attributes) > 1 else []
    ways += [lower] if not is_frozen else ["search anew"]
    ways += ["raise max-level"] if any(attribute.max_level < attribute.height for attribute in attributes) else []
    ways += ["raise --max-loss"] if any(attribute.max_loss is not None for attribute in attributes) else []
    stars = " (with the classes that join the starred rows)" if evaluator.stars else ""
    return f"infeasible: {asked} with at most {limit:,} rows suppressed{stars}, but {found}; {', or '.join(ways)}"


def of_protected(
    protection: Protection, loss: Loss, asked: str, found: str, suppressed: Fraction, more: Sequence[str] = ()
) -> str:
    """One line where the limit holds for all rows, and not for each value of a protected column; `suppressed` is the share of all rows."""
    # two decimal places, rounded up, so that who follows the advice is not refused again
    needed = Fraction(math.ceil(max(loss.share, suppressed) * 10_000), 100)
    ways = [f"raise --max-suppression to {float(needed):g}%", *more, f"leave out --protect {loss.column}"]
    return (
        f"infeasible: {asked} with at most {float(protection.share * 100):.4g}% of the rows with each value of {_listed(protection.names)} suppressed, but {found} "
        f"suppresses {loss.suppressed:,} of the {loss.rows:,} rows with one value of {loss.column!r}; {', or '.join(ways)}"
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join(map(repr, names))


def of_regions(
    requirement: Requirement,
    figures: Figures,
    limit: int,
    outside: int = 0,
    *,
    unplaced: int = 0,
    is_frozen: bool = False,
    protection: Protection | None = None,
    loss: Loss | None = None,
) -> str:
    """The same for a recoding by regions, which has no labels for `unplaced` rows."""
    rows, suppressed = figures.rows + outside, figures.suppressed + outside
    if protection is not None and loss is not None and figures.released and figures.suppressed <= limit:
        what = "the frozen recoding" if is_frozen else "the search"
        return of_protected(protection, loss, _asked(requirement), what, Fraction(suppressed, rows))
    found = f"the search leaves {suppressed:,} of {rows:,} rows in classes that fail"
    if is_frozen:
        found = f"the frozen recoding suppresses {suppressed:,} of {rows:,} rows"
        if outside + unplaced:
            found += f", {outside + unplaced:,} of them for values that the recoding does not cover"
    if requirement.k.k > rows:
        return f"infeasible: k = {requirement.k.k:,} is above the {rows:,} rows that take part; lower --k to at most {rows:,}"
    ways = [f"raise --max-suppression to {suppressed}"] if figures.released else []
    ways += ["search anew"] if is_frozen else ["drop a column from the release (--identifying)", "ask for less"]
    return (
        f"infeasible: {_asked(requirement)} with at most {limit + outside:,} rows suppressed, but {found}; {', or '.join(ways)}"
    )


def impossible(requirement: Requirement, distributions: Sequence[Distribution]) -> str | None:
    """Why no class can satisfy, where the sensitive columns have too few values; None where they may have enough."""
    values = {distribution.name: distribution.values for distribution in distributions}
    for model in requirement.models:
        if model.sensitive is not None and model.least_values > values[model.sensitive]:
            return (
                f"infeasible: {name_of(model)} asks for l = {model.asked['l']}, and {model.sensitive!r} has "
                f"{values[model.sensitive]:,} value{'' if values[model.sensitive] == 1 else 's'} (NULL being one); lower l to at most that"
            )
    return None


def _asked(requirement: Requirement) -> str:
    """What is required, as one says it."""
    k = requirement.k
    said = [f"k = {k.k:,}" if k.k_column is None else f"each record's own k in {k.k_column!r}"]
    said += [as_written(model) for model in requirement.all_models[1:]]
    return " and ".join(dict.fromkeys(said))
