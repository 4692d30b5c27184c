"""Re-read the draft of a release and check it by its own labels before it is moved into place."""

import csv
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

from duckanon.dataset.text_identifiers import TextIdentifiers, text_identifiers
from duckanon.engine import catalog
from duckanon.engine.owner import step
from duckanon.engine.protocol import Column, Engine, Form
from duckanon.engine.templates import Statement, render
from duckanon.errors import EngineError, VerificationFailed
from duckanon.privacy.achieved import Achieved, absent_classes, read_achieved
from duckanon.privacy.evaluation import Relations, evaluation
from duckanon.release.ranges import outside_statement
from duckanon.release.recoding import Recoding
from duckanon.release.verification_statements import (
    Cell,
    compared_cells,
    evaluated_in_file,
    fingerprint_statements,
    rows_of,
    verification_statements,
    violation_statements,
)
from duckanon.release.write import file_statement, open_release
from duckanon.release.written_columns import constant_columns
from duckanon.risks.sizes import read_sizes


@dataclass(frozen=True)
class Totals:
    """Figures of the written file, by its own labels."""

    rows: int
    classes: int
    smallest: int
    largest: int
    achieved: Achieved
    """The values of the models that can be computed from the file; classes are compared with the distribution in the source."""
    by_file: Achieved | None = None
    """The values of the models that compare classes with a distribution, if it is the distribution in the file."""


@dataclass(frozen=True)
class Differences:
    """The classes of the written file that differ from the recoded source."""

    classes: int
    is_of_cells: bool = False
    """Whether the classes are those of the source, and only other cells of their rows differ."""
    columns: Sequence[str] = ()
    """The columns of these cells; none if each column has the cells of the source, in other rows."""


@dataclass(frozen=True)
class FileCounts:
    """What the verification counts in the written file, and in the source; all but the rows are violations."""

    rows: int
    expected_rows: int
    failing_by_adversary: Sequence[tuple[str, int]] = ()
    """For each adversary what its requirement says of classes that fail it, and their number."""
    failing: int = 0
    """Classes that fail the requirement without adversaries."""
    smallest_failing: int | None = None
    """The rows of the smallest of them."""
    reasons: Sequence[str] = ()
    """What the requirement says of classes that fail it."""
    uncovered_labels: int = 0
    split_classes: int = 0
    """Classes in which a linked column shows several values."""
    absent_classes: int = 0
    """Classes of the population without a row, if the presence of its persons is bounded."""
    untreated_columns: Sequence[str] = ()
    """Columns of pseudonyms or masks with other values."""
    identifiers: Mapping[str, TextIdentifiers] = field(default_factory=dict)
    """Direct identifiers in columns whose text must hold none."""
    differences: Differences | None = None


def violations(counts: FileCounts) -> Iterator[str]:
    """The decision of the verification: yield what forbids to release the file. The file alone is judged first, then beside its source."""
    if counts.rows == 0:
        yield "the written file has no rows"
    if counts.rows != counts.expected_rows:
        yield f"the written file has {counts.rows:,} rows instead of {counts.expected_rows:,}"
    for reason, failing in counts.failing_by_adversary:
        if failing:
            yield f"{failing:,} classes of the written file have {reason}"
    if counts.failing:
        yield (
            f"{counts.failing:,} classes of the written file do not satisfy the requirements ({'; or '.join(counts.reasons)}); "
            f"the smallest has {counts.smallest_failing:,} rows"
        )
    if counts.uncovered_labels:
        yield f"{counts.uncovered_labels:,} labels of the written file do not cover the original values"
    if counts.split_classes:
        yield f"a linked column shows several values in {counts.split_classes:,} classes of the written file"
    if counts.absent_classes:
        yield f"{counts.absent_classes:,} classes of the population have no row in the written file, so their presence is 0"
    if counts.untreated_columns:
        names = ", ".join(map(repr, counts.untreated_columns))
        yield f"{names} of the written file contains values that are neither pseudonyms nor masked"
    for name, held in counts.identifiers.items():
        yield f"{name!r} of the written file: {held}, but its text must hold no direct identifiers"
    if (differences := counts.differences) is None:
        return
    if not differences.is_of_cells:
        yield f"{differences.classes:,} classes of the written file differ from the recoded source"
    else:
        names = ", ".join(map(repr, differences.columns))
        where = f", in {names}" if names else ": the cells of a column are in other rows"
        yield f"{differences.classes:,} classes of the written file have other cells than the recoded source{where}"


def verify(
    engine: Engine, recoding: Recoding, draft: Path, form: Form, expected_rows: int, *, bound: Mapping[str, bytes] | None = None
) -> Totals:
    """Re-read the draft and compare it with the source; raises `VerificationFailed` with the difference.

    `bound` has the derived keys of pseudonyms and shifted dates. Without it, these columns are not compared.
    """
    cells = compared_cells(recoding, form, has_keys=bound is not None)
    # random for each run, so that nobody can construct a file with the fingerprint of another file
    bound = {**(bound or {}), "salt": secrets.token_bytes(16)}
    try:
        open_release(engine, recoding, draft, form)
        written = file_statement(recoding, draft, form)
        _check_columns(_header(draft, form) if form.format == "csv" else engine.describe(written), recoding, form)
        in_file, in_source = verification_statements(recoding, cells)
        for statement in in_file:
            _create(engine, statement, "re-reading the release", bound)
    except (EngineError, OSError, UnicodeDecodeError) as error:
        raise _failed(f"the written file cannot be read ({error})") from error
    _check_ranges(engine, recoding, form)
    try:
        for statement in in_source:
            _create(engine, statement, "grouping the source for the verification", bound)
        differences = _differences(engine, recoding, cells, bound)
        lacks = recoding.requirement.bounds_presence
        absent = absent_classes(engine, "expected_population", "written_classes", recoding.names) if lacks else 0
    finally:
        for statement in (*in_file, *in_source):
            if not catalog.find(statement.relation).kept:
                engine.drop(statement.relation)
    # the quasi-identifiers that show one label in the whole file, if the sets of the others are judged
    judged = recoding.names if recoding.requirement.judges_sets else []
    evaluated = evaluated_in_file(recoding, constant_columns(engine, judged, "written_classes"))
    sizes = read_sizes(engine, "written_classes")
    counts = FileCounts(sum(size.rows for size in sizes), expected_rows, differences=differences, absent_classes=absent)
    if counts.rows != expected_rows:
        raise _failed(next(violations(counts)))
    achieved = read_achieved(engine, recoding.in_file, evaluated)
    parts = zip(recoding.reasons.values(), achieved.adversaries, strict=False)
    counts = replace(
        counts,
        failing_by_adversary=[(reason, part.failing) for reason, (_, part) in parts],
        failing=achieved.failing,
        smallest_failing=achieved.smallest_failing,
        reasons=[*recoding.reasons.values()],
        uncovered_labels=sum(
            len(engine.query(render("local_recoding/uncovered", attribute=attribute))) for attribute in recoding.regional_params
        ),
        split_classes=len(engine.query(render("release/split_classes", linked=recoding.linked))) if recoding.linked else 0,
        untreated_columns=_untreated(engine, recoding),
        identifiers=text_identifiers(engine, recoding.replaced, "release"),
    )
    for violation in violations(counts):
        raise _failed(violation)
    classes = sum(size.classes for size in sizes)
    return Totals(counts.rows, classes, sizes[0].size, sizes[-1].size, achieved, _by_file(engine, recoding))


def _failed(violation: str) -> VerificationFailed:
    return VerificationFailed(f"verification failed: {violation}; nothing was released")


@step
def _by_file(engine: Engine, recoding: Recoding) -> Achieved | None:
    """The values of the models that compare classes with a distribution, if it is the distribution in the file; None if that is on a cluster."""
    requirement = recoding.in_file.distribution_models
    if not requirement.sensitive or any(engine.is_remote(f"written_histogram_{column}") for column in requirement.sensitive):
        return None
    for column in requirement.sensitive:
        about = {"height": requirement.heights.get(column, 0), "partly_missing": column in requirement.partly_missing}
        engine.create_table(render("release/written_shares", f"written_shares_{column}", column=column, **about))
    relations_of_file = Relations("written_classes", "written_histogram", "written_shares")
    evaluated = evaluation(requirement, recoding.names, keep_suppressed_rows=False, relations=relations_of_file)
    return read_achieved(engine, requirement, evaluated)


def _create(engine: Engine, statement: Statement, stage: str, bound: Mapping[str, bytes]) -> None:
    """Build a relation of the verification; `expected_rows` is a view."""
    if statement.relation == "expected_rows":
        engine.create_view(statement)
        return
    named = {name: value for name, value in bound.items() if re.search(rf"\${name}\b", statement.sql)}
    engine.create_table(statement, stage=stage, bound=named)


def _differences(engine: Engine, recoding: Recoding, cells: Sequence[Cell], bound: Mapping[str, bytes]) -> Differences | None:
    """How the written file differs from the recoded source; None if it does not."""
    compared, *others = violation_statements(recoding, rows_of(cells))
    differing = engine.query(compared)
    if not differing:
        more = sum(len(engine.query(statement)) for statement in others)
        return Differences(more) if more else None
    if classes := sum(row[0] != row[1] for row in differing):
        return Differences(classes)
    by_column = [[cell] for cell in cells]
    for statement in fingerprint_statements(recoding, by_column):
        _create(engine, statement, "finding the columns that differ", bound)
    compared_rows = engine.query(violation_statements(recoding, by_column)[0])
    same = [all(flags) for flags in zip(*(row[2:] for row in compared_rows), strict=True)]
    names = [cell.name for number, cell in enumerate(cells) if compared_rows and not all(same[2 * number : 2 * number + 2])]
    return Differences(len(differing), is_of_cells=True, columns=names)


def _untreated(engine: Engine, recoding: Recoding) -> list[str]:
    """The treated columns of the file that have values other than pseudonyms and masks."""
    treatments = [treatment for treatment in recoding.treatments.values() if treatment.is_text]
    if not treatments:
        return []
    [counts] = engine.query(render("release/untreated", treatments=treatments), stage="checking pseudonyms and masks")
    return [treatment.column.name for treatment, count in zip(treatments, counts, strict=True) if count]


def _header(path: Path, form: Form) -> list[Column]:
    """The columns in the header of a CSV file."""
    with TextIOWrapper(_uncompressed(path, form), encoding="utf-8", newline="") as text:
        return [Column(name, "VARCHAR") for name in next(csv.reader(text, delimiter=form.delimiter), [])]


def _uncompressed(path: Path, form: Form) -> BinaryIO:
    if form.compression is None:
        return path.open("rb")
    import pyarrow as pa

    stream: BinaryIO = pa.input_stream(str(path), compression=form.compression)
    return stream


def _check_columns(written: Sequence[Column], recoding: Recoding, form: Form) -> None:
    is_text = form.format == "csv"
    inside = [column for column in recoding.file_columns if column.name not in form.partition_by]
    expected = [Column(column.name, "VARCHAR") if is_text else column for column in inside]
    expected += [Column(name, "VARCHAR") for name in sorted(form.partition_by)]
    if list(written) != expected:
        unexpected = sorted({column.name for column in written} ^ {column.name for column in expected})
        retyped = [name.name for name, column in zip(written, expected, strict=False) if name != column]
        raise _failed(f"columns {unexpected or retyped} of the written file have other names or types than expected")


def _check_ranges(engine: Engine, recoding: Recoding, form: Form) -> None:
    """Raise `VerificationFailed` if the file has numbers without a label, or if source values are outside the written range."""
    for column in recoding.ranged:
        about = {"column": column, "is_text": form.format == "csv"}
        if unknown := engine.query(render("release/unknown_ranges", **about), stage="re-reading the ranges"):
            names = ", ".join(map(repr, column.values))
            raise _failed(f"{len(unknown):,} different cells of {names} in the written file match no range of the recoding")
        if outside := engine.query(outside_statement(recoding, column)):
            raise _failed(f"{len(outside):,} values of {column.name!r} are outside the ranges that are written for them")
