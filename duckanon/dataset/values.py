"""The rows that take part, and the distinct values of their columns, each with a small code."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from shlex import quote

from duckanon.dataset.missing import FOLDED_MISSING_TOKENS, USUAL_MISSING_TOKENS, ColumnTokens, MissingRule, is_nan
from duckanon.engine.owner import step
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, render
from duckanon.errors import InputError, JobError, did_you_mean

_CODE_TYPES = ((2**8, "utinyint"), (2**16, "usmallint"), (2**32, "uinteger"))
ROW_SAMPLE = "row_sample"
"""The rows of `records` that samples are taken from, once one was taken."""

COLUMNS = [
    *(Column("value", "varchar"), Column("text", "varchar"), Column("code", "uinteger")),
    *(Column("missing", "boolean"), Column("_rows", "bigint")),
]
"""The columns of `values_<column>` for values that are text."""


def code_type(count: int) -> str:
    """The smallest integer type for `count` different codes, which represent values in the relations."""
    return next((name for limit, name in _CODE_TYPES if count <= limit), "ubigint")


def records_statement(
    columns: Sequence[Column],
    missing: MissingRule,
    outside: Sequence[str] = (),
    isolated: Mapping[str, Sequence[Column]] | None = None,
    hidden: Sequence[str] = (),
) -> Statement:
    """The rows that take part, without rows whose value is in `outside_<column>` of one of the columns.

    Rows whose values of some columns are in a relation of `isolated`, which has these columns as text, are left out too.
    In the columns of `hidden`, values in `outside_<column>` are NULL.
    """
    dropped = missing.dropping(list(columns))
    replaced = {column.name: column.type for column in columns if column.name in missing.replaced}
    names = [column.name for column in columns]
    about = {"replaced": replaced, "outside": outside, "isolated": isolated or {}, "hidden": hidden}
    return render("dataset/records", columns=names, dropped=dropped, **about)


def create_records(engine: Engine, statement: Statement) -> None:
    """Create `records`, or replace it and forget the rows that were sampled of it."""
    engine.drop(ROW_SAMPLE)
    engine.create_view(statement)


@step
def read_values(
    engine: Engine,
    columns: Sequence[Column],
    missing: MissingRule,
    topped: Collection[str] = (),
    *,
    sensitive: Sequence[Column] = (),
    population: bool = False,
) -> None:
    """Create `values_<column>` for each column in one pass, quasi-identifiers first; raises `InputError` if no row takes part.

    Missing values of the columns in `topped` generalize to the top under any rule. The values of
    quasi-identifiers include those of the view `population`, if it exists.
    """
    count = engine.create_table(distinct_statement([*columns, *sensitive]), stage="reading the distinct values")
    if not count:
        rule = (
            " after rows with missing values in any column are dropped (leave out a column that is empty)"
            if missing.policy == "drop"
            else ""
        )
        raise InputError(f"the input has no rows{rule}; there is nothing to release")
    if population:
        statement = distinct_statement(columns, "population")
        people = engine.create_table(statement, stage="reading the population's values")
        if not people:
            raise InputError("the population has no rows; name the table that the input was taken from")
        count += people
    numbers = number_columns(engine, columns, sensitive, population=population)
    for statement in value_statements(
        columns, missing, code_type(count), topped, sensitive=sensitive, numbers=numbers, population=population
    ):
        engine.create_table(statement)


def distinct_statement(columns: Sequence[Column], relation: str = "records") -> Statement:
    """The statement of `read_values` that reads the rows, of the input or of the population."""
    names = [column.name for column in columns]
    builds = "distinct_values" if relation == "records" else f"{relation}_values"
    return render("dataset/distinct_values", builds, relation=relation, quasi_identifiers=names)


def number_columns(
    engine: Engine, columns: Sequence[Column], sensitive: Sequence[Column] = (), *, population: bool = False
) -> set[str]:
    """The text columns whose values in `distinct_values` are numbers."""
    texts = {number: column.name for number, column in enumerate([*columns, *sensitive]) if column.type == "VARCHAR"}
    relations = {"distinct_values": texts}
    if population:
        relations["population_values"] = {number: name for number, name in texts.items() if number < len(columns)}
    read = {relation: attributes for relation, attributes in relations.items() if attributes}
    rows = engine.query(render("dataset/number_columns", relations=read, missing_tokens=FOLDED_MISSING_TOKENS)) if read else []
    return {texts[number] for (number,) in rows}


def value_statements(
    columns: Sequence[Column],
    missing: MissingRule,
    codes: str,
    topped: Collection[str] = (),
    *,
    sensitive: Sequence[Column] = (),
    numbers: Collection[str] = (),
    population: bool = False,
) -> list[Statement]:
    """The values of each column from `distinct_values`; values of the columns in `numbers` are in numeric order.

    Values of sensitive columns are never missing.
    """
    return [
        render(
            "dataset/values",
            f"values_{column.name}",
            qi=column.name,
            attribute=number,
            floating=column.is_floating,
            holds_numbers=column.name in numbers,
            code_type=codes,
            missing=missing.generalized(column, always=column.name in topped) if number < len(columns) else None,
            population=population and number < len(columns),
        )
        for number, column in enumerate([*columns, *sensitive])
    ]


def check_declared(engine: Engine, columns: Sequence[Column], roles: Collection[str], missing: MissingRule) -> None:
    """Raise `JobError` for a declared missing value that no column of `source` holds; those with a role are read first."""
    if not missing.texts or engine.is_remote("source"):
        return
    read = {code for column in columns for code in column.missing}
    unheld = [text for text in missing.texts if text not in read and not (is_nan(text) and any(map(is_nan, read)))]
    missing_tokens: list[str] = []
    for part in ([c for c in columns if c.name in roles], [c for c in columns if c.name not in roles and not c.is_nested]):
        if unheld and part:
            held = _held(engine, part, (*unheld, *USUAL_MISSING_TOKENS))
            unheld = [text for text in unheld if text not in held]
            missing_tokens += [mark for mark in USUAL_MISSING_TOKENS if mark in held]
    if unheld:
        raise JobError(
            f"--missing {quote(unheld[0])} names a value that no column holds{did_you_mean(unheld[0], missing_tokens) or '; leave it out'}"
        )


def _held(engine: Engine, columns: Sequence[Column], tokens: Sequence[str]) -> set[str]:
    """The texts that some of the columns hold."""
    rules = [MissingRule((token,)) for token in tokens]
    declared = [[(column.name, replace(rule.tokens_of(column), null=False)) for column in columns] for rule in rules]
    [rows] = engine.query(render("dataset/declared_missing", declared=declared), stage="looking for declared missing values")
    return {token for token, count in zip(tokens, rows, strict=True) if count}


def null_rows(engine: Engine, columns: Sequence[str], others: Collection[str] = ()) -> dict[str, int]:
    """The rows without a value, by column, for columns with such rows; reads `values_<column>`, and `records` for other columns."""
    rows = {name: _rows_of(engine, name, None) for name in columns}
    if uncounted := [name for name in others if name not in rows]:
        counts = engine.query(render("dataset/null_counts", columns=uncounted), stage="counting missing values")[0]
        rows |= dict(zip(uncounted, map(int, counts), strict=True))
    return {name: count for name, count in rows.items() if count}


def token_rows(engine: Engine, column: Column, missing: MissingRule) -> int:
    """The rows with a value that the rule declares missing, besides NULL; reads `values_<column>`."""
    if not missing.texts:
        return 0
    return _rows_of(engine, column.name, missing.tokens_of(column)) - _rows_of(engine, column.name, None)


def _rows_of(engine: Engine, name: str, missing: ColumnTokens | None) -> int:
    return int(engine.query(render("dataset/null_rows", column=name, missing=missing))[0][0])
