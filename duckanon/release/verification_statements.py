"""The statements of the verification: they group the written file and the recoded source, and compare the two.

Labels are compared as equivalence classes, the cells of other columns by fingerprints of whole rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from duckanon.engine.protocol import Column, Form
from duckanon.engine.templates import Statement, ident, render
from duckanon.job.column import Treatment
from duckanon.privacy.evaluation import KNOWN_TEXT, Evaluation, Relations, evaluation
from duckanon.release.microaggregation import parameters_of
from duckanon.release.recoding import Recoding
from duckanon.search.distributions import reference_statements

_EXACT = ("VARCHAR", "DECIMAL", "BOOLEAN", "DATE", "TIME", "TIMESTAMP", "UUID", "BLOB")
"""Prefixes of the names of types whose values have the same hash only if they have the same text."""

Comparison = Literal["value", "sign", "text"]


@dataclass(frozen=True)
class Cell:
    """A released column. The verification compares each of its cells with the source."""

    name: str
    number: int
    """The position of the column in the release, from 1."""
    expected: str
    """The SQL of the cell that the file must show."""
    leader_number: int | None
    """The number of the quasi-identifier without whose own value the column is `*`."""
    masked: bool
    """Whether the column is `*` in masked records."""
    treatment: Treatment | None
    labels: Sequence[str]
    """The quasi-identifiers. Their labels are part of the input of a pseudonym with the scope `class`."""
    compared: Comparison
    """The input of the hash: the value, the value and its sign, or the text of the value."""
    is_nested: bool


def compared_cells(recoding: Recoding, form: Form, *, has_keys: bool) -> list[Cell]:
    """The columns to compare. Labels are compared as equivalence classes; columns that need a key are compared only if the key is known.

    CSV files and the names of folders contain text, so the text of the values is compared.
    """
    cells = []
    for number, column in enumerate(recoding.columns, start=1):
        written = Column(column.name, recoding.type_of(column))
        treatment = recoding.treatments.get(column.name)
        if column.name in recoding.names and not written.is_floating:
            continue
        if treatment is not None and treatment.is_keyed and not has_keys:
            continue
        is_text = form.format == "csv" or column.name in form.partition_by
        leader = recoding.names.index(recoding.followers[column.name]) + 1 if column.name in recoding.followers else None
        cells.append(
            Cell(
                name=column.name,
                number=number,
                expected=_expected(recoding, column, written, leader),
                leader_number=leader,
                masked=recoding.keep_suppressed_rows and column.name in recoding.followers,
                treatment=treatment,
                labels=recoding.treated_labels,
                compared="text" if is_text else _comparison(written),
                is_nested=written.is_nested and not is_text,
            )
        )
    return cells


def _expected(recoding: Recoding, column: Column, written: Column, leader: int | None) -> str:
    """The SQL of the cell that the file must show for a row, by what the job says of the column: not the expression that wrote the cell."""
    figures = {aggregate.name: f"aggregates._shown_{aggregate.number}" for aggregate in recoding.aggregates}
    value = f"{ident(f'recoding_{column.name}')}.value" if column.name in recoding.names else f"records.{ident(column.name)}"
    value = figures.get(column.name, value)
    if column.name in figures or written.type != column.type:
        value = f"cast({value} as {written.type})"
    if leader is None or column.name in figures:
        return value
    attribute = recoding.attributes[leader - 1]
    if attribute.name in figures or recoding.levels.get(attribute.name, 0) > 0:
        return "'*'"
    if not (recoding.is_regional or attribute.is_retyped):
        return value
    label, own = recoding.label_of(attribute.name), f"cast({ident(f'recoding_{attribute.name}')}.value as varchar)"
    differs = [f"{label} <> {own}", f"({label} is null) <> ({own} is null)"]
    differs += [f"not shown_classes._is_value_{leader}"] if recoding.is_regional else []
    return f"case when {' or '.join(differs)} then '*' else {value} end"


def _comparison(column: Column) -> Comparison:
    if column.is_floating:
        return "sign"
    return "value" if column.is_whole or (column.type.startswith(_EXACT) and not column.is_nested) else "text"


def _columns_of(cells: Sequence[Cell]) -> dict[str, str]:
    """The columns of `expected_rows`: each cell, the star of a masked record, and the cell that a treatment depends on."""
    columns = {f"_cell_{cell.number}": cell.expected for cell in cells}
    columns |= {f"_masked_{cell.number}": "'*'" for cell in cells if cell.masked}
    by = {cell.number: cell.treatment.by for cell in cells if cell.treatment is not None}
    return columns | {f"_by_{number}": f"records.{ident(name)}" for number, name in by.items() if name}


def sums(fingerprints: Sequence[Sequence[Cell]]) -> list[str]:
    """The names of the columns with the fingerprints of these sets of cells: two sums for each set."""
    return [f"{name}_{number}" for number in range(1, len(fingerprints) + 1) for name in ("_sum", "_salted_sum")]


def rows_of(cells: Sequence[Cell]) -> list[Sequence[Cell]]:
    """The sets of cells to fingerprint: all compared cells of a row together, if there are any."""
    return [cells] if cells else []


def verification_statements(recoding: Recoding, cells: Sequence[Cell]) -> tuple[list[Statement], list[Statement]]:
    """The equivalence classes of the written file by its labels, and those of the recoded source.

    Each class has fingerprints of the other cells of its rows, and the number of rows of each sensitive value if the requirement is
    about sensitive columns. Rows are grouped by their values first, then by the text of the values, because engines write texts
    in different ways.
    """
    names, labels, labelling = recoding.names, recoding.labels, recoding.labelling
    requirement, shown = recoding.requirement, recoding.compared
    entity = requirement.k.entity
    columns = {distribution.name: distribution.sensitive.column for distribution in recoding.distributions}
    floating = {name: column.type if column.is_floating else None for name, column in columns.items()}

    written = [statement for name in shown for statement in histogram_statements("written", name, names, floating[name])]
    expected: list[Statement] = []
    for number, name in enumerate(requirement.sensitive, start=1):
        if entity is None:
            expected += histogram_statements("expected", name, labels, floating[name], number)
            continue
        known_value = KNOWN_TEXT if name in requirement.partly_missing else None
        about = {"relation": "expected_rows", "number": number, "is_coded": False, "floating": floating[name]}
        relation = f"expected_histogram_{name}"
        expected.append(render("privacy/histogram_of_persons", relation, keys=labels, known_value=known_value, **about))
    written_groups, written_classes, expected_classes = fingerprint_statements(recoding, rows_of(cells))
    about = {"quasi_identifiers": names, "labels": labels, **labelling}
    rows = render(
        "release/expected_rows",
        cells=_columns_of(cells),
        leaders=[*dict.fromkeys(cell.leader_number for cell in cells if cell.leader_number is not None)],
        k_column=requirement.k.k_column,
        entities=requirement.k.entities,
        sensitive=requirement.sensitive,
        **about,
    )
    return [written_groups, written_classes, *written], [
        *([render("release/expected_population", **about)] if requirement.needs_population else []),
        *(statement for distribution in recoding.distributions for statement in reference_statements(distribution, entity)),
        rows,
        expected_classes,
        *(
            []
            if entity is None
            else [render("release/expected_members", quasi_identifiers=labels, persons=requirement.persons)]
        ),
        *expected,
    ]


def histogram_statements(
    side: Literal["written", "expected"], column: str, keys: Sequence[str], floating: str | None, number: int = 0
) -> list[Statement]:
    """The rows of each sensitive value in the classes of the written file, or of the source: by values first, then by their texts.

    `number` is the place of the column among the sensitive values of `expected_rows`; `floating` is its type, if that is floating-point.
    """
    groups = f"{side}_value_groups_{column}"
    relation, value = ("release", ident(column)) if side == "written" else ("expected_rows", f"_value_{number}")
    return [
        render("release/value_groups", groups, relation=relation, keys=keys, value=value),
        render("release/histogram", f"{side}_histogram_{column}", relation=groups, keys=keys, floating=floating),
    ]


def fingerprint_statements(recoding: Recoding, fingerprints: Sequence[Sequence[Cell]]) -> list[Statement]:
    """The classes of the file and of the source, with a fingerprint of each of these sets of cells."""
    names, labels, requirement, linked = recoding.names, recoding.labels, recoding.requirement, recoding.linked
    source = {
        "population": requirement.needs_population,
        "own_k": requirement.k.k_column is not None,
        "persons": requirement.persons,
        "keep_suppressed_rows": recoding.keep_suppressed_rows,
        "adversaries": requirement.adversaries,
    }
    return [
        render("release/written_groups", quasi_identifiers=names, fingerprints=fingerprints, linked=linked),
        render("release/written_classes", quasi_identifiers=names, sums=sums(fingerprints), linked=linked),
        render("release/expected_classes", quasi_identifiers=labels, fingerprints=fingerprints, **source),
    ]


def violation_statements(recoding: Recoding, fingerprints: Sequence[Sequence[Cell]]) -> list[Statement]:
    """Queries whose rows are differences between file and source."""
    names = recoding.names
    evaluated = evaluation(
        recoding.requirement,
        recoding.labels,
        keep_suppressed_rows=recoding.keep_suppressed_rows,
        relations=Relations("expected_classes", "expected_histogram", "reference", "expected_members", is_text=True),
        shown=recoding.shown_labels,
        constant=recoding.constant,
    )
    expected = {**evaluated, "ranged": recoding.ranged_names, "quasi_identifiers": names}
    figures = {**expected, **parameters_of(recoding), **recoding.labelling, "own_names": recoding.own_names}
    return [
        render("release/class_differences", sums=sums(fingerprints), **expected),
        *([render("release/aggregate_differences", **figures)] if recoding.aggregates else []),
        *(render("release/histogram_differences", column=name, **expected) for name in recoding.compared),
    ]


def evaluated_in_file(recoding: Recoding, constant: Sequence[str] = ()) -> Evaluation:
    """The terms that judge the classes of the written file; `constant`: quasi-identifiers with one label in the whole file."""
    names = recoding.names
    catalog = Relations("written_classes", "written_histogram", "reference")
    return evaluation(recoding.in_file, names, keep_suppressed_rows=False, relations=catalog, constant=constant)
