"""The draft of a release, read back and judged by its own labels before it gets its name."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from duckanon import relations
from duckanon.engine.protocol import Column, Engine, Form
from duckanon.errors import EngineError, VerificationFailed
from duckanon.privacy.achieved import Achieved
from duckanon.privacy.judgement import Relations, judgement
from duckanon.recoding.base import Recoding
from duckanon.release import file_statement, open_release
from duckanon.sensitive import reference_statements
from duckanon.templates import Statement, render


@dataclass(frozen=True)
class Totals:
    """What the written file holds, by its own labels."""

    rows: int
    classes: int
    smallest: int
    largest: int
    achieved: Achieved
    """Under the models that it can be judged by alone."""


def verify(engine: Engine, recoding: Recoding, draft: Path, form: Form, expected_rows: int) -> Totals:
    """Reads the draft back and judges it by its own labels; raises `VerificationFailed` with what is wrong."""
    try:
        open_release(engine, recoding, draft, form)
        written = file_statement(recoding, draft, form)
        _check_columns(_header(draft, form) if form.format == "csv" else engine.describe(written), recoding, form)
        in_file, in_source = verification_statements(recoding)
        for statement in in_file:
            engine.create_table(statement, stage="reading the release back")
    except (EngineError, OSError, UnicodeDecodeError) as error:
        raise VerificationFailed(
            f"verification failed: the written file cannot be read back ({error}); nothing was released"
        ) from error
    for statement in in_source:
        engine.create_table(statement, stage="grouping the source again")
    for statement in (*in_file, *in_source):
        if not relations.find(statement.relation).kept:
            engine.drop(statement.relation)
    compared, judged = violation_statements(recoding)
    differences = [row for statement in compared for row in engine.query(statement)]
    failing = engine.query(judged)
    [(rows, classes, smallest, largest)] = engine.query(render("release/written_totals"))
    if rows == 0:
        raise VerificationFailed("verification failed: the written file has no rows; nothing was released")
    if rows != expected_rows:
        raise VerificationFailed(
            f"verification failed: the written file has {rows:,} rows, {expected_rows:,} were to be released; nothing was released"
        )
    if failing:
        raise VerificationFailed(
            f"verification failed: {len(failing):,} classes of the written file fail ({'; or '.join(recoding.reasons.values())}), "
            f"the smallest has {failing[0][0]:,} rows; nothing was released"
        )
    if uncovered := sum(len(engine.query(statement)) for statement in recoding.cover_statements):
        raise VerificationFailed(
            f"verification failed: {uncovered:,} labels do not stand for the values under them; nothing was released"
        )
    if recoding.linked and (split := len(engine.query(split_statement(recoding)))):
        raise VerificationFailed(
            f"verification failed: a linked column shows several values in {split:,} classes of the written file; nothing was released"
        )
    if raw := _untreated(engine, recoding):
        raise VerificationFailed(
            f"verification failed: {', '.join(map(repr, raw))} of the written file holds what is no pseudonym and no mask; nothing was released"
        )
    if differences:
        raise VerificationFailed(
            f"verification failed: {len(differences):,} classes of the written file differ from what the source gives; nothing was released"
        )
    [achieved] = engine.query(render("release/written_achieved", **_judged_in_file(recoding)))
    return Totals(rows, classes, smallest, largest, Achieved.of(achieved, recoding.in_file.all_models))


def _untreated(engine: Engine, recoding: Recoding) -> list[str]:
    """The columns of the file that do not show what was to take the place of their values."""
    treatments = [one for one in recoding.treatments.values() if one.is_text]
    if not treatments:
        return []
    [counts] = engine.query(render("release/untreated", treatments=treatments), stage="looking at pseudonyms and masks")
    return [one.column.name for one, count in zip(treatments, counts, strict=True) if count]


def _header(path: Path, form: Form) -> list[Column]:
    """The columns that a CSV file names in its first record."""
    import pyarrow as pa

    with pa.input_stream(str(path), compression=form.compression) as stream:
        text = TextIOWrapper(stream, encoding="utf-8", newline="")
        return [Column(name, "VARCHAR") for name in next(csv.reader(text, delimiter=form.delimiter), [])]


def _check_columns(written: Sequence[Column], recoding: Recoding, form: Form) -> None:
    is_text = form.format == "csv"
    inside = [column for column in recoding.columns if column.name not in form.partition_by]
    expected = [Column(column.name, "VARCHAR" if is_text else recoding.type_of(column)) for column in inside]
    expected += [Column(name, "VARCHAR") for name in sorted(form.partition_by)]
    if list(written) != expected:
        strangers = sorted({column.name for column in written} ^ {column.name for column in expected})
        retyped = [name.name for name, column in zip(written, expected, strict=False) if name != column]
        raise VerificationFailed(
            f"verification failed: columns {strangers or retyped} of the written file are not as decided; nothing was released"
        )


def verification_statements(recoding: Recoding) -> tuple[list[Statement], list[Statement]]:
    """The classes of the written file by its labels, and those that the source gives through the recoding.

    With the rows of each sensitive value in them, where the requirement is about sensitive columns. Rows are grouped by
    their values as they stand, and the groups then by the text of these, which engines write in different ways.
    """
    names, labelling = recoding.names, recoding.labelling
    requirement, shown = recoding.requirement, recoding.in_file.sensitive
    columns = {one.name: one.sensitive.column for one in recoding.distributions}

    def histogram(side: str, name: str) -> list[Statement]:
        groups, relation = f"{side}_value_groups", f"{side}_histogram"
        about = {"quasi_identifiers": names, "column": name}
        floating = columns[name].type if columns[name].is_floating else None
        return [
            render(f"release/{groups}", f"{groups}_{name}", **about, **({} if side == "written" else labelling)),
            render(f"release/{relation}", f"{relation}_{name}", **about, floating=floating),
        ]

    written = [statement for name in shown for statement in histogram("written", name)]
    expected = [statement for name in requirement.sensitive for statement in histogram("expected", name)]
    population = requirement.needs_population
    return [
        render("release/written_groups", quasi_identifiers=names),
        render("release/written_classes", quasi_identifiers=names),
        *written,
    ], [
        *([render("release/expected_population", quasi_identifiers=names, **labelling)] if population else []),
        *(statement for distribution in recoding.distributions for statement in reference_statements(distribution)),
        render(
            "release/expected_classes",
            quasi_identifiers=names,
            k_column=requirement.k.k_column,
            entity=requirement.k.entity,
            population=population,
            **labelling,
        ),
        *expected,
    ]


def violation_statements(recoding: Recoding) -> tuple[list[Statement], Statement]:
    """Queries whose rows are violations: where file and source differ, and classes of the file that fail."""
    names = recoding.names
    expected = judgement(
        recoding.requirement,
        names,
        stars=recoding.stars,
        relations=Relations("expected_classes", "expected_histogram", "reference"),
    )
    differences = "release/starred_differences" if recoding.stars else "release/class_differences"
    return [
        render(differences, quasi_identifiers=names, **expected),
        *(
            [render("release/aggregate_differences", quasi_identifiers=names, **recoding.labelling)]
            if recoding.aggregates
            else []
        ),
        *(
            render("release/histogram_differences", column=name, quasi_identifiers=names, **expected)
            for name in recoding.in_file.sensitive
        ),
    ], render("release/failing_classes", **_judged_in_file(recoding))


def split_statement(recoding: Recoding) -> Statement:
    """The query whose rows are classes of the file that a linked column splits.

    Without such a class, the equivalence classes by labels are also those by labels and linked columns.
    """
    return render("release/split_classes", quasi_identifiers=recoding.names, linked=recoding.linked)


def _judged_in_file(recoding: Recoding) -> dict[str, Any]:
    names = recoding.names
    relations = Relations("written_classes", "written_histogram", "reference")
    return judgement(recoding.in_file, names, stars=False, relations=relations)
