"""The SQL subset with the same meaning on DuckDB and other engines, and its translation. No other SQL is translated."""

from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any, ClassVar, Literal

from duckanon.errors import EngineError, JobError

Target = Literal["duckdb", "spark", "snowflake", "bigquery", "postgres", "trino"]

# fmt: off
NODES = frozenset({
    "Select", "From", "Where", "Group", "GroupingSets", "Having", "With", "CTE", "Subquery", "Union", "Distinct", "Limit",
    "Join", "Order", "Ordered", "Table", "TableAlias", "Column", "Identifier", "Alias", "Star", "Paren", "Tuple",
    "Literal", "Boolean", "Null", "And", "Or", "Not", "EQ", "NEQ", "GT", "GTE", "LT", "LTE", "Is", "In", "Between",
    "Exists", "NullSafeEQ", "NullSafeNEQ", "Case", "If", "Coalesce", "Nullif", "Cast", "TryCast", "DataType", "DataTypeParam",
    "Count", "Sum", "Min", "Max", "Filter", "Grouping", "Add", "Sub", "Mul", "Mod", "IntDiv", "Neg", "Abs", "Greatest", "Least",
    "Floor", "ApproxDistinct", "Ln", "Exp", "DPipe", "Window", "WindowSpec", "RowNumber", "Lead",
    "DenseRank", "Extract", "Left", "Like", "Pad", "Right", "Values", "Var",
})
# fmt: on
"""Functions, by sqlglot's names, that sqlglot translates and that give equal results on the engines, as tests on both show.

Excluded because their meaning would change silently: `log`, `/` unless a side is cast to double, lists and their indices,
quantiles, `hash`, regular expressions, formats, differences of dates, `random`.
"""

# fmt: off
TYPES = frozenset({
    "BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "INT128", "DECIMAL", "DOUBLE", "FLOAT", "DATE",
    "TIMESTAMP", "TIMESTAMPNTZ", "TIMESTAMPTZ", "VARCHAR", "TEXT",
})
# fmt: on
"""The types to which a statement may cast, by sqlglot's names."""


class Parsed:
    """A parsed statement; `dialect` is the dialect of its text."""

    def __init__(self, sql: str, dialect: Target = "duckdb") -> None:
        self.sql, self.dialect = sql, dialect
        self.tree: Any = _sqlglot().parse_one(sql, dialect=dialect)

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """The relations that it reads, without its own CTEs."""
        from sqlglot import exp
        from sqlglot.optimizer.scope import traverse_scope

        sources = (source for scope in traverse_scope(self.tree) for source in scope.sources.values())
        return tuple(dict.fromkeys(source.name for source in sources if isinstance(source, exp.Table) and source.name))

    @property
    def unsupported_node(self) -> str | None:
        """The first part outside the portable subset."""
        return next(self._unsupported_nodes(), None)

    def _unsupported_nodes(self) -> Iterator[str]:
        from sqlglot import exp

        for node in self.tree.walk():
            match node:
                case exp.DataType() if node.this.name not in TYPES:
                    yield f"type {node.this.name}"
                case exp.Grouping() if len(node.expressions) != 1:
                    yield "Grouping of several columns"
                case exp.Star() if node.args.get("replace") or node.args.get("rename"):
                    yield "Star with replace or rename"
                case exp.Table() if not isinstance(node.this, exp.Identifier):
                    yield f"table function {type(node.this).__name__}"
                case exp.Window() if node.args.get("order") is None and not isinstance(node.this, exp.AggFunc):
                    yield "Window without an order"
                case exp.Div() if any(cast.to.this is exp.DataType.Type.DOUBLE for cast in node.find_all(exp.Cast)):
                    continue
                case exp.Anonymous():
                    yield f"function {node.name}"
            if type(node).__name__ not in NODES:
                yield type(node).__name__

    @property
    def columns_as_text(self) -> frozenset[str]:
        """The columns with a value that is cast to text."""
        from sqlglot import exp

        casts = [cast for cast in self.tree.find_all(exp.Cast) if cast.to.this in exp.DataType.TEXT_TYPES]
        return frozenset(column.name for cast in casts for column in cast.this.find_all(exp.Column))

    def translated(self, target: Target, *, pretty: bool = False) -> str:
        """The statement in another dialect, or unchanged in its own; raises `EngineError` if it is outside the portable subset."""
        if target == self.dialect:
            return self.sql
        if self.unsupported_node is not None:
            raise EngineError(f"a statement is outside the portable SQL subset: {self.unsupported_node}")
        return str(_spelled(self.tree, target).sql(dialect=_dialect(target), pretty=pretty, comments=False))


@cache
def _dialect(target: Target) -> Any:
    """sqlglot's dialect. For Spark, nested CTEs stay where they are, because two with the same name would collide at the top."""
    if target != "spark":
        return target
    from sqlglot.dialects.spark import Spark

    class Nesting(Spark):  # type: ignore[misc]
        class Generator(Spark.Generator):  # type: ignore[misc]
            EXPRESSIONS_WITHOUT_NESTED_CTES: ClassVar[set[Any]] = set()

    return Nesting


def _spelled(tree: Any, target: Target) -> Any:
    """The tree without constructs that sqlglot would leave unchanged or translate to another meaning."""
    from sqlglot import exp

    tree = tree.copy()
    huge = [type for type in tree.find_all(exp.DataType) if type.this is exp.DataType.Type.INT128]
    # integer division gives a truncated BIGINT on other engines; replace inner divisions first
    for division in reversed([*tree.find_all(exp.IntDiv)] if huge else []):
        dividend, divisor = exp.paren(division.this), exp.paren(division.expression)
        rest = exp.paren(exp.Sub(this=dividend, expression=exp.Mod(this=dividend.copy(), expression=divisor)))
        whole = exp.Div(this=rest, expression=divisor.copy(), typed=True)
        division.replace(exp.cast(whole, "int128", dialect="duckdb"))
    for type in [*tree.find_all(exp.DataType)]:
        if type.this is exp.DataType.Type.INT128 and target != "duckdb":
            type.replace(exp.DataType.build("decimal(38, 0)", dialect="duckdb"))
    for type in [*tree.find_all(exp.DataType)]:
        # a NUMERIC of BigQuery has at most 29 digits before the point
        if target == "bigquery" and type.this is exp.DataType.Type.DECIMAL:
            type.replace(exp.DataType(this=exp.DataType.Type.BIGDECIMAL))
    for part in tree.find_all(exp.CTE):
        part.set("materialized", None)
    return tree


def _sqlglot() -> Any:
    try:
        import sqlglot
    except ImportError as error:
        raise JobError("sqlglot writes the SQL of other engines; install it: pip install 'duckanon[sql]'") from error
    return sqlglot
