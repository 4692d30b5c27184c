"""The release: what becomes of rows and classes, written to a draft, and read back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from duckanon.combinations import Attribute
from duckanon.destination import Destination
from duckanon.engine.protocol import Column, Engine, Form
from duckanon.errors import EngineError, OutputError
from duckanon.lattice import Node
from duckanon.privacy.judgement import judgement
from duckanon.privacy.requirement import Requirement
from duckanon.sensitive import Distribution
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


def _cast(recoding: Recoding, column: Column) -> str | None:
    """The type that a column's own values are turned into, None where they stay what they are."""
    if not recoding.keeps_type(column.name):
        return "varchar"
    return column.file_type if column.file_type != column.type else None
