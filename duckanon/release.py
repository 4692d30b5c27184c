"""The release: written under a temporary name, read back, verified, and only then given its name."""

import contextlib
import csv
import hashlib
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from duckanon.combinations import Attribute
from duckanon.engine.protocol import Column, Engine, Format
from duckanon.errors import EngineError, JobError, OutputError, VerificationFailed
from duckanon.lattice import Node
from duckanon.privacy.k_anonymity import KAnonymity
from duckanon.source import escaped
from duckanon.templates import Statement, render

_FORMATS: dict[str, Format] = {".parquet": "parquet", ".csv": "csv"}


@dataclass(frozen=True)
class Output:
    """Where the release goes."""

    path: Path
    format: Format
    shuffle: bool


@dataclass(frozen=True)
class Recoding:
    """What the release does to the rows: a level an attribute, the rule by which classes are removed."""

    attributes: tuple[Attribute, ...]
    node: Node
    requirement: KAnonymity
    columns: tuple[Column, ...]
    """The columns of the release, in the order of the input."""

    @property
    def keys(self) -> dict[str, str]:
        """The column of label codes of each quasi-identifier, by its name."""
        return {a.name: a.key(level) for a, level in zip(self.attributes, self.node, strict=True)}

    def keeps_type(self, name: str) -> bool:
        """Whether a column is released as it was read."""
        return all(
            level == 0 and not attribute.is_retyped
            for attribute, level in zip(self.attributes, self.node, strict=True)
            if attribute.name == name
        )


@dataclass(frozen=True)
class Totals:
    """What the written file holds, by its own labels."""

    rows: int
    classes: int
    smallest: int
    largest: int


def output_format(path: Path) -> Format | None:
    """The format that an output's name asks for, or None."""
    return _FORMATS.get(path.suffix.casefold())


def check_output(path: Path, source: Path | None, *, overwrite: bool) -> Format:
    """The output's format; raises `OutputError` or `JobError` before any work is done."""
    format = output_format(path)
    if format is None:
        raise JobError(f"output {str(path)!r} is neither Parquet nor CSV by its name; end it in .parquet or .csv")
    if source is not None and path.exists() and path.samefile(source):
        raise OutputError(f"output {str(path)!r} is the input itself; name another file")
    if path.is_dir():
        raise OutputError(f"output {str(path)!r} is a folder; name a file in it")
    if os.path.lexists(path) and not overwrite:
        raise OutputError(f"output {str(path)!r} exists; give --overwrite, or name another file")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise OutputError(f"the folder {str(folder)!r} of the output does not exist; make it, or name another")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError(f"the folder {str(folder)!r} of the output cannot be written to; choose another")
    return format


def class_statements(recoding: Recoding) -> list[Statement]:
    """The tables of the chosen node: value to label a column, and the classes, released and removed."""
    quasi_identifiers = [
        {"name": attribute.name, "level": level, "key": attribute.key(level)}
        for attribute, level in zip(recoding.attributes, recoding.node, strict=True)
    ]
    keys = list(recoding.keys.values())
    return [
        *(
            render("release/recoding", f"recoding_{attribute.name}", column=attribute.name, level=level)
            for attribute, level in zip(recoding.attributes, recoding.node, strict=True)
        ),
        render("release/verdicts", keys=keys, **recoding.requirement.parameters),
        render("release/classes", quasi_identifiers=quasi_identifiers),
        render("release/suppressed", quasi_identifiers=quasi_identifiers, reason=recoding.requirement.reason),
    ]


def recoded_statement(recoding: Recoding, *, suppresses: bool, shuffle: bool) -> Statement:
    """The pass over the rows that gives what is released."""
    columns = [{"name": column.name, "keeps_type": recoding.keeps_type(column.name)} for column in recoding.columns]
    return render("release/recoded", columns=columns, keys=recoding.keys, suppresses=suppresses, shuffle=shuffle)


def verification_statements(recoding: Recoding) -> list[Statement]:
    """The classes of the written file by its labels, and those that the source gives through the recoding."""
    names = [attribute.name for attribute in recoding.attributes]
    return [
        render("release/written_classes", quasi_identifiers=names),
        render("release/expected_classes", quasi_identifiers=names),
    ]


def violation_statements(recoding: Recoding) -> list[Statement]:
    """Two queries whose rows are violations: classes on which file and source differ, classes that fail."""
    parameters = recoding.requirement.parameters
    names = [attribute.name for attribute in recoding.attributes]
    return [
        render("release/class_differences", quasi_identifiers=names, **parameters | {"classes": "expected_classes"}),
        render("release/failing_classes", **parameters | {"classes": "written_classes"}),
    ]


def file_statement(recoding: Recoding, path: Path, format: Format) -> Statement:
    """A release as read back from its file: Parquet with its types, CSV as text."""
    columns = {column.name: "varchar" for column in recoding.columns}
    return render("release/release", path=escaped(path.absolute()), format=format, columns=columns)


def draft_path(output: Path) -> Path:
    """A hidden name beside the output, on the same file system, that nobody else has."""
    return output.with_name(f".{output.name}.{secrets.token_hex(8)}.part")


def write(engine: Engine, recoding: Recoding, draft: Path, output: Output, *, suppresses: bool) -> int:
    """Writes the release to the draft; gives the number of rows that the engine says it wrote."""
    statement = recoded_statement(recoding, suppresses=suppresses, shuffle=output.shuffle)
    try:
        return engine.write(statement, draft, output.format, stage="writing the release")
    except EngineError as error:
        raise OutputError(f"output {str(output.path)!r} could not be written: {error}") from error


def verify(engine: Engine, recoding: Recoding, draft: Path, format: Format, expected_rows: int) -> Totals:
    """Reads the draft back and judges it by its own labels; raises `VerificationFailed` with what is wrong."""
    written = file_statement(recoding, draft, format)
    try:
        columns = _header(draft) if format == "csv" else engine.describe(written)
        _check_columns(columns, recoding, format)
        engine.create_view(written)
        written_classes, expected_classes = verification_statements(recoding)
        engine.create_table(written_classes, stage="reading the release back")
    except (EngineError, OSError, UnicodeDecodeError) as error:
        raise VerificationFailed(
            f"verification failed: the written file cannot be read back ({error}); nothing was released"
        ) from error
    engine.create_table(expected_classes, stage="grouping the source again")
    differences, failing = (engine.query(statement) for statement in violation_statements(recoding))
    [(rows, classes, smallest, largest)] = engine.query(render("release/written_totals"))
    if rows == 0:
        raise VerificationFailed("verification failed: the written file has no rows; nothing was released")
    if rows != expected_rows:
        raise VerificationFailed(
            f"verification failed: the written file has {rows:,} rows, {expected_rows:,} were to be released; nothing was released"
        )
    if failing:
        raise VerificationFailed(
            f"verification failed: {len(failing):,} classes of the written file hold {recoding.requirement.reason}, "
            f"the smallest {failing[0][0]:,}; nothing was released"
        )
    if differences:
        raise VerificationFailed(
            f"verification failed: {len(differences):,} classes of the written file differ from what the source gives; nothing was released"
        )
    return Totals(rows, classes, smallest, largest)


def publish(draft: Path, path: Path, *, overwrite: bool) -> None:
    """Gives the draft its final name in one step; raises `OutputError` where another file took it meanwhile."""
    if overwrite:
        draft.replace(path)
        return
    try:
        path.hardlink_to(draft)
    except FileExistsError as error:
        raise OutputError(f"output {str(path)!r} appeared while the release was made; it was left as it is") from error
    except OSError:
        # a file system without hard links: the name was free when the run began
        draft.replace(path)
        return
    draft.unlink()


def settle(draft: Path) -> str:
    """Sees to it that the draft is on the disk, not only on its way; gives its SHA-256."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())
        return hashlib.file_digest(file, "sha256").hexdigest()


def discard(draft: Path) -> None:
    """Removes the draft, if there is one."""
    with contextlib.suppress(FileNotFoundError):
        draft.unlink()


def _header(path: Path) -> list[Column]:
    """The columns that a CSV file names in its first record."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Column(name, "VARCHAR") for name in next(csv.reader(file), [])]


def _check_columns(written: Sequence[Column], recoding: Recoding, format: Format) -> None:
    expected = [
        Column(column.name, "VARCHAR" if format == "csv" or not recoding.keeps_type(column.name) else _stored_type(column))
        for column in recoding.columns
    ]
    if list(written) != expected:
        strangers = sorted({column.name for column in written} ^ {column.name for column in expected})
        retyped = [name.name for name, column in zip(written, expected, strict=False) if name != column]
        raise VerificationFailed(
            f"verification failed: columns {strangers or retyped} of the written file are not as decided; nothing was released"
        )


def _stored_type(column: Column) -> str:
    return "VARCHAR" if column.is_text else column.type
