"""The release: written to a draft, read back, and verified before the draft gets its name."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import pyarrow as pa

from duckanon.combinations import Attribute
from duckanon.destination import Destination
from duckanon.engine.protocol import Column, Engine, Form
from duckanon.errors import EngineError, OutputError, VerificationFailed
from duckanon.lattice import Node
from duckanon.privacy.achieved import Achieved
from duckanon.privacy.judgement import Relations, judgement
from duckanon.privacy.requirement import Requirement
from duckanon.sensitive import Distribution, reference_statement
from duckanon.source.location import escaped
from duckanon.templates import Statement, render

DATABASE = "released"
"""The name under which a released table's file is opened for reading."""


@dataclass(frozen=True)
class Recoding:
    """What the release does to the rows: a level an attribute, the rule by which classes are removed."""

    attributes: tuple[Attribute, ...]
    node: Node
    requirement: Requirement
    columns: tuple[Column, ...]
    """The columns of the release, in the order of the input."""
    followers: Mapping[str, str] = field(default_factory=dict)
    """Columns that show their values only where a quasi-identifier shows its own."""
    stars: bool = False
    """Whether suppressed rows stay, with every quasi-identifier at the top of its hierarchy."""
    distributions: tuple[Distribution, ...] = ()
    """Of the sensitive columns that the requirement is about."""

    @property
    def in_file(self) -> Requirement:
        """The part of the requirement that the released file can be judged by alone."""
        return self.requirement.in_file(column.name for column in self.columns)

    @property
    def reasons(self) -> dict[str, str]:
        """Why a class is removed, by the column of its verdict that says so."""
        return {f"_fails_{number}": model.reason for number, model in enumerate(self.requirement.models, start=1)}

    @property
    def keys(self) -> dict[str, str]:
        """The column of label codes of each quasi-identifier, by its name."""
        return {a.name: a.key(level) for a, level in zip(self.attributes, self.node, strict=True)}

    def shows(self, name: str) -> str:
        """What a column shows: its value or label by the recoding, itself, `itself or star`, or `star` alone.

        `itself where shown`: a star also where its quasi-identifier is missing and shows the top.
        """
        levels = {a.name: (a, level) for a, level in zip(self.attributes, self.node, strict=True)}
        if name in levels:
            attribute, level = levels[name]
            return "label" if level or attribute.is_retyped or self.stars else "value"
        if name in self.followers:
            leader, level = levels[self.followers[name]]
            return "star" if level else "itself where shown" if leader.is_retyped else "itself or star"
        return "itself"

    def keeps_type(self, name: str) -> bool:
        """Whether a column is released as it was read."""
        shown = self.shows(name)
        return shown in ("value", "itself") or (shown == "itself or star" and not self.stars)


@dataclass(frozen=True)
class Totals:
    """What the written file holds, by its own labels."""

    rows: int
    classes: int
    smallest: int
    largest: int
    achieved: Achieved
    """Under the models that it can be judged by alone."""


def class_statements(recoding: Recoding) -> list[Statement]:
    """The tables of the chosen node: value to label a column, and the classes, released and removed."""
    quasi_identifiers = [
        {"name": attribute.name, "level": level, "key": attribute.key(level)}
        for attribute, level in zip(recoding.attributes, recoding.node, strict=True)
    ]
    keys = list(recoding.keys.values())
    return [
        *(
            render(
                "release/recoding",
                f"recoding_{attribute.name}",
                column=attribute.name,
                level=level,
                height=attribute.height,
                stars=recoding.stars,
            )
            for attribute, level in zip(recoding.attributes, recoding.node, strict=True)
        ),
        render("release/verdicts", keys=keys, **judgement(recoding.requirement, keys, stars=recoding.stars)),
        render("release/classes", quasi_identifiers=quasi_identifiers),
        render(
            "release/suppressed",
            quasi_identifiers=quasi_identifiers,
            reasons=recoding.reasons,
            last_reason=risk.reason if (risk := recoding.requirement.average_risk) is not None else None,
            stars=recoding.stars,
        ),
    ]


def recoded_statement(recoding: Recoding, *, suppresses: bool, shuffle: bool) -> Statement:
    """The pass over the rows that gives what is released."""
    columns = [
        {
            "name": column.name,
            "shows": recoding.shows(column.name),
            "cast": _cast(recoding, column),
            "leader": recoding.followers.get(column.name),
        }
        for column in recoding.columns
    ]
    return render(
        "release/recoded",
        columns=columns,
        keys=recoding.keys,
        suppresses=suppresses,
        stars=recoding.stars and suppresses,
        shuffle=shuffle,
    )


def verification_statements(recoding: Recoding) -> tuple[list[Statement], list[Statement]]:
    """The classes of the written file by its labels, and those that the source gives through the recoding.

    With the rows of each sensitive value in them, where the requirement is about sensitive columns.
    """
    names = [attribute.name for attribute in recoding.attributes]
    requirement, shown = recoding.requirement, recoding.in_file.sensitive
    floating = {distribution.name: distribution.sensitive.column.is_floating for distribution in recoding.distributions}
    written = [
        render(
            "release/written_histogram",
            f"written_histogram_{name}",
            quasi_identifiers=names,
            column=name,
            floating=floating[name],
        )
        for name in shown
    ]
    expected = [
        render(
            "release/expected_histogram",
            f"expected_histogram_{name}",
            quasi_identifiers=names,
            column=name,
            floating=floating[name],
        )
        for name in requirement.sensitive
    ]
    population = requirement.needs_population
    return [render("release/written_classes", quasi_identifiers=names), *written], [
        *([render("release/expected_population", quasi_identifiers=names)] if population else []),
        *(reference_statement(distribution) for distribution in recoding.distributions),
        render(
            "release/expected_classes",
            quasi_identifiers=names,
            k_column=requirement.k.k_column,
            entity=requirement.k.entity,
            population=population,
        ),
        *expected,
    ]


def violation_statements(recoding: Recoding) -> tuple[list[Statement], Statement]:
    """Queries whose rows are violations: where file and source differ, and classes of the file that fail."""
    names = [attribute.name for attribute in recoding.attributes]
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
            render("release/histogram_differences", column=name, quasi_identifiers=names, **expected)
            for name in recoding.in_file.sensitive
        ),
    ], render("release/failing_classes", **_judged_in_file(recoding))


def _judged_in_file(recoding: Recoding) -> dict[str, Any]:
    names = [attribute.name for attribute in recoding.attributes]
    relations = Relations("written_classes", "written_histogram", "reference")
    return judgement(recoding.in_file, names, stars=False, relations=relations)


def file_statement(recoding: Recoding, path: Path, form: Form) -> Statement:
    """A release as read back: Parquet and tables with their types, CSV and the names of folders as text."""
    columns = {column.name: "varchar" for column in recoding.columns}
    files = escaped(path.absolute()) + ("/**/*.parquet" if form.partition_by else "")
    return render("release/release", path=files, form=form, columns=columns, database=DATABASE)


def open_release(engine: Engine, recoding: Recoding, path: Path, form: Form) -> None:
    """Makes the view `release` on what lies at a path."""
    engine.detach(DATABASE)
    if form.table is not None:
        engine.attach(path, DATABASE)
    engine.create_view(file_statement(recoding, path, form))


def write(engine: Engine, recoding: Recoding, draft: Path, place: Destination, *, suppresses: bool, shuffle: bool) -> int:
    """Writes the release to the draft; gives the number of rows that the engine says it wrote."""
    statement = recoded_statement(recoding, suppresses=suppresses, shuffle=shuffle)
    try:
        return engine.write(statement, draft, place.form, stage="writing the release")
    except EngineError as error:
        raise OutputError(f"output {place.name!r} could not be written: {error}") from error


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
    if differences:
        raise VerificationFailed(
            f"verification failed: {len(differences):,} classes of the written file differ from what the source gives; nothing was released"
        )
    [achieved] = engine.query(render("release/written_achieved", **_judged_in_file(recoding)))
    return Totals(rows, classes, smallest, largest, Achieved.of(achieved, recoding.in_file))


def _header(path: Path, form: Form) -> list[Column]:
    """The columns that a CSV file names in its first record."""
    with pa.input_stream(str(path), compression=form.compression) as stream:
        text = TextIOWrapper(stream, encoding="utf-8", newline="")
        return [Column(name, "VARCHAR") for name in next(csv.reader(text, delimiter=form.delimiter), [])]


def _check_columns(written: Sequence[Column], recoding: Recoding, form: Form) -> None:
    is_text = form.format == "csv"
    inside = [column for column in recoding.columns if column.name not in form.partition_by]
    expected = [
        Column(column.name, "VARCHAR" if is_text or not recoding.keeps_type(column.name) else column.file_type)
        for column in inside
    ]
    expected += [Column(name, "VARCHAR") for name in sorted(form.partition_by)]
    if list(written) != expected:
        strangers = sorted({column.name for column in written} ^ {column.name for column in expected})
        retyped = [name.name for name, column in zip(written, expected, strict=False) if name != column]
        raise VerificationFailed(
            f"verification failed: columns {strangers or retyped} of the written file are not as decided; nothing was released"
        )


def _cast(recoding: Recoding, column: Column) -> str | None:
    """The type that a column's own values are turned into, None where they stay what they are."""
    if not recoding.keeps_type(column.name):
        return "varchar"
    return column.file_type if column.file_type != column.type else None
