"""Count the rows into `combinations`: after the values are read, the only pass over all rows before the release is written."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from duckanon.engine.owner import step
from duckanon.engine.protocol import Column, Engine, row_count
from duckanon.engine.templates import Statement, render
from duckanon.errors import HierarchyError, InputError, JobError
from duckanon.hierarchy import checks
from duckanon.hierarchy.attributes import Attribute, QuasiIdentifier, counted_values
from duckanon.hierarchy.base import Functional
from duckanon.hierarchy.lookup import Lookup, create_lookup, create_relations
from duckanon.hierarchy.spec import located
from duckanon.metrics.figures import Marginals
from duckanon.privacy.evaluation import KNOWN_CODE
from duckanon.privacy.requirement import Requirement


def build_hierarchies(
    engine: Engine, declared: Sequence[QuasiIdentifier], *, is_sensitive: bool = False, suggested: Collection[str] = ()
) -> list[Attribute]:
    """Build every hierarchy and check it against the values; raises `HierarchyError` with all faults, or `JobError`.

    `suggested`: the quasi-identifiers whose hierarchies this run has suggested, and so checked.
    """
    attributes: list[Attribute] = []
    refused: list[str] = []
    for qi in declared:
        lookup = qi.hierarchy.lookup(engine, qi.column)
        create_lookup(engine, qi.column, lookup)
        is_checked = qi.name in suggested
        if errors := checks.errors(
            engine, qi.column, lookup, qi.hierarchy, has_missing_tokens=not is_sensitive, is_checked=is_checked
        ):
            refused += checks.refusal(
                f"hierarchy {qi.hierarchy_name!r} of column {qi.name!r}", located(errors, qi.hierarchy, qi.file, qi.name)
            ).lines
            continue
        create_relations(engine, qi.column, lookup, qi.hierarchy.domain)
        attributes.append(attribute_of(qi, lookup, is_retyped=_is_retyped(engine, qi.column)))
    if refused:
        raise HierarchyError(*refused)
    return attributes


def attribute_of(qi: QuasiIdentifier, lookup: Lookup, *, is_retyped: bool = False) -> Attribute:
    """A declared quasi-identifier with the height of its hierarchy; raises `JobError` if its bounds are outside the hierarchy."""
    height = lookup.height
    max_level = height if qi.max_level is None else qi.max_level
    if not 0 <= qi.min_level <= max_level <= height:
        raise JobError(
            f"levels {qi.min_level} to {max_level} of column {qi.name!r} are outside its hierarchy, which has levels 0 to {height}"
        )
    losses = tuple(Fraction(loss) for loss in qi.hierarchy.loss) if qi.hierarchy.loss else None
    return Attribute(
        qi.column,
        height,
        qi.min_level,
        max_level,
        qi.weight,
        is_retyped,
        qi.hierarchy.nested,
        losses,
        lookup.rule,
        qi.max_loss,
        qi.ordering,
        lists_leaves=qi.hierarchy.domain != "data" and not isinstance(qi.hierarchy, Functional),
    )


@step
def count(
    engine: Engine, attributes: Sequence[Attribute], requirement: Requirement | None = None, protected: Sequence[str] = ()
) -> int:
    """Build `combinations`, `sensitive_<column>` and `protected_<column>` in one pass over the rows; return the number of rows N.

    If the requirement counts persons, `combination_entities` holds the persons with several combinations. If it counts a
    population, `combinations` also holds the combinations that only the population has, with 0 rows.
    """
    counts, *rest = count_statements(attributes, requirement or Requirement(), protected)
    engine.create_table(counts, stage="counting the combinations")
    for statement in rest:
        engine.create_table(statement)
    return row_count(engine, "combinations", has_rows=True)


def count_statements(
    attributes: Sequence[Attribute], requirement: Requirement, protected: Sequence[str] = ()
) -> list[Statement]:
    """The statements of `count`: the pass over the rows, and the statements that add the level columns."""
    names, k, sensitive = [attribute.name for attribute in attributes], requirement.k, requirement.sensitive
    own_k, population = k.k_column is not None, requirement.needs_population
    counted = counted_values(requirement.sensitive, protected, names)
    merged = any(attribute.min_level > 0 for attribute in attributes)
    # labels on their lowest levels are counted at once, if only the rows count, and one label determines those above it
    is_plain = not (counted or protected or own_k or population or k.entity is not None)
    if merged and is_plain and all(attribute.is_nested for attribute in attributes):
        return [render("lattice/coarse_combinations", "combinations", quasi_identifiers=attributes)]
    counts = counts_statement(names, counted, requirement)
    levels = {"quasi_identifiers": attributes, "own_k": own_k, "persons": requirement.persons, "has_sensitive": bool(counted)}
    histograms = [
        statement
        for number, name in enumerate(sensitive, start=1)
        for statement in (
            [render("lattice/sensitive", f"sensitive_{name}", quasi_identifiers=attributes, number=number, is_merged=merged)]
            if k.entity is None
            else [
                render(
                    "lattice/value_places",
                    f"value_places_{name}",
                    quasi_identifiers=attributes,
                    number=number,
                    column=name,
                    known_value=KNOWN_CODE if name in requirement.partly_missing else None,
                ),
                render("lattice/sensitive_persons", f"sensitive_{name}", column=name),
                _shared(f"value_entities_{name}", f"value_places_{name}", "_places"),
            ]
        )
    ]
    limits = [_protected(name, attributes, counted) for name in protected]
    if k.entity is None:
        people = [render("dataset/population_counts", quasi_identifiers=names)] if population else []
        combined = render("lattice/combinations", population=population, is_merged=merged or population, **levels)
        return [counts, *people, combined, *histograms, *limits]
    return [
        counts,
        render("lattice/entity_places", **levels),
        render("lattice/combinations_of_entities", "combinations", own_k=own_k, persons=requirement.persons),
        _shared("combination_entities", "entity_places", f"_places, _rows{', _k' if own_k else ''}"),
        *histograms,
        *limits,
    ]


def counts_statement(quasi_identifiers: Sequence[str], counted: Sequence[str], requirement: Requirement) -> Statement:
    """The pass over the rows: it counts the sets of quasi-identifier values, and the values of other columns in each set."""
    return render(
        "dataset/counts",
        quasi_identifiers=list(quasi_identifiers),
        k_column=requirement.k.k_column,
        entities=requirement.k.entities,
        counted=list(counted),
    )


def _shared(relation: str, places: str, left_out: str) -> Statement:
    """The persons with several sets, without the columns that the sets of other persons need."""
    return render("lattice/shared_sets", relation, relation=places, left_out=left_out)


def _protected(name: str, attributes: Sequence[Attribute], counted: Sequence[str]) -> Statement:
    """The rows of each value of a protected column, in each set of quasi-identifier values."""
    if name in counted:
        number = counted.index(name) + 1
        about = {"quasi_identifiers": attributes, "number": number, "is_merged": True}
        return render("lattice/sensitive", f"protected_{name}", **about)
    [key] = [attribute.key(attribute.min_level) for attribute in attributes if attribute.name == name]
    return render("lattice/protected_labels", f"protected_{name}", quasi_identifiers=attributes, key=key)


def check_own_k(engine: Engine, column: Column) -> None:
    """Raise `InputError` or `JobError` if a column does not hold a k of 1 or more for each record."""
    if not column.is_number:
        raise JobError(f"k-column {column.name!r} is {column.type}; each record's own k must be a whole number")
    [(missing, below, fractions, beyond)] = engine.query(
        render("dataset/unfit_k", k_column=column.name), stage="reading each record's k"
    )
    faults = {
        "no k": missing,
        "a k below 1": below,
        "a k that is not a whole number": fractions,
        "a k that is too large": beyond,
    }
    listed = " and ".join(f"{fault} ({rows:,} row{'' if rows == 1 else 's'})" for fault, rows in faults.items() if rows)
    if listed:
        raise InputError(f"column {column.name!r} holds {listed}; give each row a whole number of 1 or more")


def unread_attributes(declared: Sequence[QuasiIdentifier], engine: Engine) -> list[Attribute]:
    """The attributes of quasi-identifiers by their hierarchy files, without a look at the data."""
    return [attribute_of(qi, qi.hierarchy.lookup(engine, qi.column)) for qi in declared]


def read_marginals(engine: Engine, attributes: Sequence[Attribute]) -> list[Marginals]:
    """Read the figures of each attribute that the metrics need, from its labels."""
    return [_read_marginal(engine, attribute) for attribute in attributes]


def _read_marginal(engine: Engine, attribute: Attribute) -> Marginals:
    levels = engine.query(render("lattice/level_totals", column=attribute.name))
    _, excess, information, original, present, labels, domain, codes, leaves, rows = zip(*levels, strict=True)
    return Marginals(
        name=attribute.name,
        weight=attribute.weight,
        height=attribute.height,
        domain=int(domain[0]),
        excess=tuple(map(int, excess)),
        information=tuple(map(float, information)),
        original=float(original[0]),
        distinct=tuple(map(int, present)),
        codes=max(map(int, labels)),
        leaves=_by_code(codes, leaves),
        rows=_by_code(codes, rows),
        losses=attribute.losses,
    )


def _by_code(codes: Sequence[list[int] | None], numbers: Sequence[list[int] | None]) -> tuple[dict[int, int], ...]:
    return tuple(dict(zip(of or (), each or (), strict=True)) for of, each in zip(codes, numbers, strict=True))


def _is_retyped(engine: Engine, column: Column) -> bool:
    [(is_retyped,)] = engine.query(render("hierarchy/is_retyped", column=column.name))
    return bool(is_retyped)


def create_cells(
    engine: Engine,
    attributes: Sequence[Mapping[str, Any]],
    requirement: Requirement,
    keys: Sequence[str] = (),
) -> None:
    """Build `cells` with their sensitive values and persons: by label codes, of which cells have all of `keys`, or by positions in one partition."""
    places = [
        {"name": a["name"], "key": a["key"], "column": a["key"] if keys else a["name"], "is_position": not keys}
        for a in attributes
    ]
    held = [{"key": key, "column": key, "is_position": False} for key in keys] or places
    engine.create_table(render("local_recoding/cells", places=held, measures=requirement.measures, is_one_partition=not keys))
    seen = {f"cell_values_{column}": (f"sensitive_{column}", ["_value", "_value_rows"]) for column in requirement.sensitive}
    if requirement.counts_persons:
        persons = ["_entity", *(f"_entity_{number}" for number in range(2, requirement.persons + 1))]
        seen["cell_entities"] = ("combination_entities", persons)
        for column in requirement.sensitive:
            seen[f"cell_value_entities_{column}"] = (f"value_entities_{column}", ["_value", "_entity"])
    for name, (relation, columns) in seen.items():
        engine.create_table(render("local_recoding/in_cells", name, relation=relation, columns=columns, places=places))


MOST_COMBINATIONS = 200_000
"""Estimated combinations that a search of regions divides within a minute; there may be several times more."""
_SAMPLED_ROWS = 200_000
"""Rows of the sample on which combinations are counted."""


@step
def coarse_levels(engine: Engine, attributes: Sequence[Attribute], marginals: Sequence[Marginals], rows: int) -> dict[str, int]:
    """Lowest levels for a table with very many combinations, on all of which a search of regions would take hours.

    These are the levels by column, above its lowest, from which the table has about `MOST_COMBINATIONS` combinations.
    Levels are raised in the order of the entropy that they remove for the loss that they cost. The number of combinations is
    estimated from a sample, which is a lower bound (Chao, Scandinavian Journal of Statistics 11, 1984). A column stays below its top.
    """
    about = {"quasi_identifiers": attributes, "percent": f"{min(100, 100 * _SAMPLED_ROWS / rows):.6f}"}
    engine.create_table(render("lattice/sampled_levels", **about), stage="counting combinations in a sample")
    levels = [attribute.min_level for attribute in attributes]
    while _estimated(engine, attributes, levels) > MOST_COMBINATIONS:
        raised = [
            (_entropy_for_loss(marginal, level, higher), position, higher)
            for position, (attribute, marginal, level) in enumerate(zip(attributes, marginals, levels, strict=True))
            if attribute.is_nested
            for higher in range(level + 1, attribute.max_level)
        ]
        if not raised:
            break
        _, position, level = max(raised, key=lambda way: (way[0], -way[2]))
        levels[position] = level
    return {attribute.name: level for attribute, level in zip(attributes, levels, strict=True) if level > attribute.min_level}


def _estimated(engine: Engine, attributes: Sequence[Attribute], levels: Sequence[int]) -> float:
    keys = [attribute.key(level) for attribute, level in zip(attributes, levels, strict=True)]
    [(combinations, once, twice)] = engine.query(render("lattice/sampled_combinations", keys=keys))
    return float(combinations + once * (once - 1) / (2 * (twice + 1)))


def _entropy_for_loss(marginal: Marginals, level: int, higher: int) -> float:
    entropy = marginal.information[higher] - marginal.information[level]
    loss = float(marginal.weight) * (marginal.excess[higher] - marginal.excess[level]) / marginal.span
    return entropy / loss if loss else float("inf")
