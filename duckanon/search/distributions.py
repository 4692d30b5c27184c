"""Distributions of the sensitive columns that a privacy model names, with their order and hierarchy."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from duckanon.dataset import values
from duckanon.dataset.missing import FOLDED_MISSING_TOKENS, MissingRule
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, render
from duckanon.errors import JobError
from duckanon.hierarchy.attributes import Sensitive
from duckanon.job.keys import accepting
from duckanon.privacy.registry import name_of
from duckanon.privacy.requirement import Requirement
from duckanon.search.combinations import build_hierarchies


@dataclass(frozen=True)
class Distribution:
    """The distribution of a sensitive column in the whole table; `distribution_<column>` holds the shares."""

    sensitive: Sensitive
    height: int
    """Levels of its hierarchy, 0 without one."""
    values: int
    """Distinct values, including NULL unless models must also hold without it."""
    is_partly_missing: bool = False
    """Whether rows without a value are also judged as unknown; then `distribution_<column>` has the shares without them, too."""

    @property
    def name(self) -> str:
        return self.sensitive.name


def distributions(
    engine: Engine, columns: Sequence[Sensitive], entity: str | None = None, partly_missing: Collection[str] = ()
) -> list[Distribution]:
    """Build `distribution_<column>` for each column, by rows or by the persons of `entity`.

    `partly_missing`: columns that have missing values elsewhere. Raises `HierarchyError`, or `JobError` if an order leaves values out.
    """
    declared = [column.hierarchy for column in columns if column.hierarchy is not None]
    attributes = build_hierarchies(engine, declared, is_sensitive=True)
    heights = {attribute.name: attribute.height for attribute in attributes}
    results, nulls = [], values.null_rows(engine, [column.name for column in columns])
    for column in columns:
        if column.order:
            check_order(engine, column.name, column.order, role="sensitive column")
        elif column.needs_order and is_misordered(engine, column.column):
            raise JobError(
                f"t-ordered needs the order of the values of {column.name!r}: most look like numbers, but some are not, and as text 10 sorts before 9; "
                f"list the values in order in the job file (columns: {column.name}: order: [...]), or write them as plain numbers"
            )
        height = heights.get(column.name, 0)
        is_partly_missing = not column.null_is_value and (column.name in nulls or column.name in partly_missing)
        for statement in shares_statements(column, height, entity, is_partly_missing=is_partly_missing):
            distinct = engine.create_table(statement)
        present = distinct - 1 if is_partly_missing and column.name in nulls else distinct
        results.append(Distribution(column, height, present, is_partly_missing))
    return results


def with_distributions(requirement: Requirement, columns: Sequence[Distribution]) -> Requirement:
    """The requirement with what is known of its sensitive columns."""
    partly_missing = frozenset(column.name for column in columns if column.is_partly_missing)
    return replace(requirement, heights={column.name: column.height for column in columns}, partly_missing=partly_missing)


def refuse_tokens(engine: Engine, columns: Sequence[Sensitive], missing: MissingRule) -> None:
    """Raise `JobError` if a sensitive column has values that `missing` declares missing: models would count them as values."""
    for column in columns:
        if not column.null_is_value and (rows := values.token_rows(engine, column.column, missing)):
            tokens = ", ".join(map(repr, missing.texts))
            raise JobError(
                f"{rows:,} rows of sensitive column {column.name!r} hold {tokens}, which --missing declares missing, but models would count as a value; "
                f"read it as NULL (in the job: missing: {{columns: {{{column.name}: [{tokens}]}}}}), drop the rows with --set missing.policy=drop, "
                f"or accept it with {accepting('missing-values', column.name)}"
            )


def is_misordered(engine: Engine, column: Column) -> bool:
    """Whether most values of a text column look like numbers but sort differently as text."""
    if column.type != "VARCHAR":
        return False
    [counts] = engine.query(render("privacy/number_like", column=column.name, missing_tokens=FOLDED_MISSING_TOKENS))
    present, numbers, like_numbers, dates, digits = map(int, counts)
    return 2 * like_numbers > present and present not in (numbers, dates, digits)


def shares_statements(
    column: Sensitive, height: int, entity: str | None, *, is_partly_missing: bool = False
) -> list[Statement]:
    """The statements for the distribution of a sensitive column, by the codes of its values."""
    name, persons = column.name, entity is not None
    shares = render(
        "privacy/distribution",
        f"distribution_{name}",
        column=name,
        order=list(column.order),
        height=height,
        persons=persons,
        partly_missing=is_partly_missing,
    )
    if not persons:
        return [shares]
    return [render("dataset/value_persons", f"value_persons_{name}", column=name, entity=entity), shares]


def reference_statements(distribution: Distribution, entity: str | None) -> list[Statement]:
    """The statements for the same distribution by the texts of the values, computed from the source only."""
    column = distribution.sensitive
    groups, floating = f"value_groups_{column.name}", column.column.type if column.column.is_floating else None
    return [
        render("dataset/value_groups", groups, column=column.name)
        if entity is None
        else render("dataset/value_group_persons", groups, column=column.name, entity=entity, floating=floating),
        render(
            "privacy/reference",
            f"reference_{column.name}",
            column=column.name,
            order=list(column.order),
            height=distribution.height,
            floating=floating,
            persons=entity is not None,
            is_text=column.column.type == "VARCHAR",
            missing_tokens=FOLDED_MISSING_TOKENS,
            partly_missing=distribution.is_partly_missing,
        ),
    ]


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


def check_order(engine: Engine, name: str, order: Sequence[str], *, role: str) -> None:
    """Raise `JobError` if an order leaves out values of a column."""
    [(values, rows)] = engine.query(render("privacy/unordered_values", column=name, order=list(order)))
    if values:
        raise JobError(f"the order of {role} {name!r} leaves out {values:,} of its values ({rows:,} rows); list every value")
