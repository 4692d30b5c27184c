"""The statements that tests render: each is one SELECT, and reads what the header of its template says.

`tests/conftest.py` checks the statements of every test behind it, so no list of runs has to reach every template.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from duckanon.engine import templates
from duckanon.engine.catalog import CATALOG, COLUMN
from duckanon.engine.portable import Parsed
from duckanon.engine.templates import Statement

NAMES = {relation.name for relation in CATALOG}
_PREFIXES = sorted((name.removesuffix(COLUMN) for name in NAMES if name.endswith(COLUMN)), key=len, reverse=True)
_PARTS = {"histogram_1": "histogram", "previous": "classes"}
"""What a building block reads of the statement that it stands in, and how its header calls it."""

_IS_GIVEN = re.compile(r"(?:from|join) \{\{ ?[a-z_.]+ ?(?:\| ?ident )?\}\}")
_GIVEN = frozenset({"dataset/copy", "lattice/doubtful_entropies", "release/unique_records", "risk/set_sizes"})
"""Templates that are given the relation to read, as those are whose text has a variable for one; their headers name an example."""

ROW_PASSES = frozenset(
    {
        *("dataset/records", "dataset/row_count", "dataset/null_counts", "dataset/distinct_values"),
        *("dataset/counts", "dataset/population_counts"),
        *("dataset/population", "dataset/column_counts", "dataset/set_counts", "dataset/value_counts"),
        *("dataset/value_groups", "dataset/distinct_texts", "release/recoded"),
        *("release/expected_rows", "release/value_groups"),
        *("release/expected_population", "release/undetermined", "release/known_classes"),
        "release/value_losses",
    }
)
"""What runs where the rows are. Windows are left out although they are portable: without a partition they run in one task."""

AWAY = frozenset(
    {
        *("dataset/unfit_population", "dataset/unfit_k", "lattice/combinations"),
        *("lattice/combinations_of_entities", "lattice/coarse_combinations"),
        *("lattice/entity_places", "lattice/shared_sets", "lattice/sensitive"),
        *("lattice/protected_labels", "lattice/protected_rows"),
        *("release/histogram", "release/written_classes", "release/known_sizes"),
        *("release/split_classes", "release/constant_columns", "release/released_values", "release/notable_losses"),
        *("release/protected_shares", "risk/class_sizes"),
    }
)
"""What decides and verifies where a relation is too large to come home from a cluster."""

JUDGING = frozenset(
    {
        *("lattice/node", "lattice/failing_labels", "lattice/protected_losses", "privacy/achieved", "privacy/class_results"),
        *("release/class_differences", "release/histogram_differences"),
    }
)
"""The same, as far as a cluster knows the models that they hold."""

UNSAID = frozenset(
    {
        *("recursive_cl_diversity", "t_closeness_ordered", "entropy_l_diversity", "delta_disclosure", "average_risk"),
        *("enhanced_beta_likeness", "distinct_l_diversity of persons"),
    }
)
"""Models that no cluster judges: then classes come home, or the run says that they are too many."""

_MOST = 3
"""So many texts of a template are checked in each process; twelve of a template that holds models."""


def faults(statement: Statement) -> Iterator[str]:
    """What is wrong with a statement and its header, with the template's name."""
    of_spark = statement.template.startswith("spark/")
    texts = [(statement.template, statement.sql, "spark" if of_spark else "duckdb")]
    if not of_spark and templates.has_own_sql("spark", statement):
        texts.append((f"spark/{statement.template}", templates.rendered_for("spark", statement), "spark"))
    if mismatches := [f"{text[0]}: {fault}" for text in texts for fault in _faults_of_text(*text)]:
        yield from mismatches
        return
    stated = header(statement.sql).get("builds", "")
    own_name = statement.template.rpartition("/")[2]
    if (
        stated not in (generic(statement.relation), statement.relation, own_name, f"{own_name}_{COLUMN}")
        and statement.relation != own_name
    ):
        yield f"{statement.template}: its header says that it builds {stated}, and it builds {statement.relation}"
    if statement.template in ROW_PASSES and (part := banned(statement.sql)) is not None:
        yield f"{statement.template}: a pass over rows has {part}"
    judges = statement.parameters.get("models")
    if (
        statement.template in AWAY
        and not judges
        and (part := Parsed(templates.rendered_for("spark", statement)).unsupported_node) is not None
    ):
        yield f"{statement.template}: a cluster has no {part}"
    if (
        statement.template in JUDGING
        and judges
        and not statement.parameters["adversaries"]
        and not _models_of(statement) & UNSAID
    ):
        part = Parsed(templates.rendered_for("spark", statement)).unsupported_node
        if part is not None:
            yield f"{statement.template}: a cluster has no {part}, with the models {sorted(_models_of(statement))}"


def _faults_of_text(template: str, sql: str, dialect: str) -> Iterator[str]:
    import sqlglot
    from sqlglot import exp
    from sqlglot.tokens import TokenType

    if header(sql) != header(templates.text(template)) or len(header(sql)) != 3:
        yield "its SQL does not begin with its header"
        return
    tree = sqlglot.parse_one(sql, dialect=dialect)
    if not isinstance(tree, exp.Query) or any(
        token.token_type is TokenType.SEMICOLON for token in sqlglot.tokenize(sql, dialect)
    ):
        yield "it is not one SELECT"
        return
    if template.removeprefix("spark/") in _GIVEN or _IS_GIVEN.search(templates.text(template)):
        return
    always, _, perhaps = header(sql)["reads"].partition("(perhaps ")
    declared = {*_relations(always), *_relations(perhaps)}
    read = reads(tree) & _known()
    if not read <= declared:
        yield f"its header does not say that it reads {sorted(read - declared)}"
    if " or " not in always and not _relations(always) <= read:
        yield f"its header says that it reads {sorted(_relations(always) - read)}, which it does not"


@cache
def _known() -> frozenset[str]:
    return frozenset(NAMES | set(_PARTS.values()))


def _relations(text: str) -> set[str]:
    """The names of relations in the words of a header."""
    return set(re.findall(r"[a-z_]+(?:<column>)?", text)) & _known()


def header(sql: str) -> dict[str, str]:
    """The three lines that say what a statement builds, what it reads, and what one row is."""
    lines = [re.fullmatch(r"-- (builds|reads|one row): (\S.*)", line) for line in sql.split("\n")[:3]]
    return {line[1]: line[2] for line in lines if line is not None}


def generic(name: str) -> str:
    """A relation's name as headers write it, with `<column>` for the name of a column."""
    if name in NAMES or name in _PARTS:
        return _PARTS.get(name, name)
    prefix = next((prefix for prefix in _PREFIXES if name.startswith(prefix)), None)
    return name if prefix is None else f"{prefix}{COLUMN}"


def reads(tree: Any) -> set[str]:
    """The relations that a statement reads; its own CTEs, table functions and tables of databases are none."""
    from sqlglot import exp
    from sqlglot.optimizer.scope import traverse_scope

    sources = [source for scope in traverse_scope(tree) for source in scope.sources.values()]
    tables = [source for source in sources if isinstance(source, exp.Table) and not isinstance(source.this, exp.Func)]
    return {generic(table.name) for table in tables if not table.catalog}


def banned(sql: str) -> str | None:
    """The first part of a pass over rows that means something else on another engine, or has no place in such a pass."""
    from sqlglot import exp

    portable = Parsed(sql)
    # a fixed-size array is the type of a column of the input, not of a template
    if portable.unsupported_node not in (None, "type ARRAY"):
        return portable.unsupported_node
    for node in portable.tree.walk():
        match node:
            case exp.Window():
                return "Window"
            case exp.Alias() if isinstance(node.this, exp.AggFunc | exp.Filter):
                return f"{type(node.this).__name__} without a cast"
    return None


def _models_of(statement: Statement) -> frozenset[str]:
    """The templates of the models that a statement judges by, and the average risk without masked records.

    Who supplies which value is ranked where persons are counted, so diversity is another template then. Recursive diversity needs lists
    only if the most frequent values that it leaves out are several.
    """
    parameters = statement.parameters
    names = {
        str(model.template).rpartition("/")[2].removesuffix(".sql")
        for model in parameters["models"]
        if not ("recursive" in model.template and model["l"] < 3)
    }
    if parameters["persons"]:
        names = {f"{name} of persons" if name == "distinct_l_diversity" else name for name in names}
    return frozenset(
        names
        | ({"average_risk"} if parameters["average_risk"] is not None and not parameters["keep_suppressed_rows"] else set())
    )


class Recorder:
    """Keeps the first texts of each template until they are checked."""

    def __init__(self) -> None:
        self._recorded: Counter[str] = Counter()
        self._texts: set[str] = set()
        self._new: list[Statement] = []

    def record(self, statement: Statement) -> None:
        """Keep a statement, unless its template has been checked often enough."""
        most = 4 * _MOST if statement.template in JUDGING else _MOST
        if self._recorded[statement.template] < most and statement.sql not in self._texts:
            self._recorded[statement.template] += 1
            self._texts.add(statement.sql)
            self._new.append(statement)

    def faults(self) -> list[str]:
        """The faults of the statements that are new since the last call."""
        new, self._new = self._new, []
        return [fault for statement in new for fault in faults(statement)]


def recording(recorder: Recorder, patch: pytest.MonkeyPatch) -> None:
    """Let a recorder see every statement that is made from now on, also by modules that are imported later."""
    make = Statement.__init__

    def made(statement: Statement, *content: Any, **named: Any) -> None:
        make(statement, *content, **named)
        # tests that write a statement by hand give no parameters
        if len(content) == 4:
            recorder.record(statement)

    patch.setattr(Statement, "__init__", made)
