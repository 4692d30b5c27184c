"""The release: written to a draft, and read back."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from duckanon.dataset.destination import Destination
from duckanon.dataset.values import distinct_statement
from duckanon.engine.codes import code_type
from duckanon.engine.protocol import Column, Engine, Form
from duckanon.engine.templates import Statement, escaped, render
from duckanon.errors import EngineError, OutputError
from duckanon.release.recoding.base import Recoding

DATABASE = "released"
"""The name under which a released table's file is opened for reading."""

_MOST_TEXTS = 50_000
_MOST_CODED = 32
"""Columns of text that numbers stand for: each is a join, and to plan them costs the square of their number."""


def read_back(names: Sequence[str], path: Path, form: Form, *, database: str = DATABASE) -> Statement:
    """Released columns as read back: Parquet and tables with their types, CSV and the names of folders as text."""
    files = escaped(path.absolute()) + ("/**/*.parquet" if form.is_folder else "")
    columns = dict.fromkeys(names, "varchar")
    return render("release/release", path=files, form=form, columns=columns, database=database)


def file_statement(recoding: Recoding, path: Path, form: Form) -> Statement:
    """A release as it is read back."""
    return read_back([column.name for column in recoding.columns], path, form)


def open_release(engine: Engine, recoding: Recoding, path: Path, form: Form) -> None:
    """Makes the view `release` on what lies at a path."""
    engine.detach(DATABASE)
    if form.table is not None:
        engine.attach(path, DATABASE)
    engine.create_view(file_statement(recoding, path, form))


def write(
    engine: Engine,
    recoding: Recoding,
    draft: Path,
    place: Destination,
    *,
    suppresses: bool,
    shuffle: bool,
    bound: Mapping[str, bytes] | None = None,
) -> int:
    """Writes the release to the draft; gives the number of rows that the engine says it wrote.

    `bound` is what the keys of pseudonyms and shifted dates give, by the names of the statement's parameters.
    """
    texts = read_texts(engine, recoding) if shuffle and engine.sorts_codes else None
    statement = recoding.recoded_statement(suppresses=suppresses, texts=texts)
    if not engine.sorts_codes:
        engine.create_view(statement)
        columns = [Column(column.name, recoding.type_of(column)) for column in recoding.columns]
        statement = render("spark/release/scattered", columns=columns, shuffle=shuffle)
    try:
        return engine.write(statement, draft, place.form, stage="writing the release", bound=bound)
    except EngineError as error:
        raise OutputError(f"output {place.name!r} could not be written: {error}") from error
    finally:
        for name in ("recoded", *(f"texts_{text}" for text in texts or [])):
            engine.drop(name)


def read_texts(engine: Engine, recoding: Recoding) -> list[str]:
    """Makes `texts_<column>` for the released columns of text that hold few distinct ones; gives their names.

    Sorting 20 million rows by a random number takes a third of the time, and a fifth of the memory, where numbers stand for text.
    """
    columns = recoding.texts
    if not columns:
        return []
    counted = render("dataset/column_counts", columns=columns)
    [(_, *counts)] = engine.query(counted, stage="counting the texts to be shuffled")
    few = [column for column, distinct in zip(columns, counts[1::4], strict=True) if distinct <= _MOST_TEXTS]
    few = few[:_MOST_CODED]
    if few:
        count = engine.create_table(distinct_statement(few), stage="reading the texts to be shuffled")
        for statement in text_statements(few, code_type(count)):
            engine.create_table(statement)
        engine.drop("distinct_values")
    return [column.name for column in few]


def text_statements(columns: Sequence[Column], codes: str) -> list[Statement]:
    """The texts of each column, from what the pass over its distinct values found."""
    return [
        render("release/texts", f"texts_{column.name}", column=column.name, attribute=number, code_type=codes)
        for number, column in enumerate(columns)
    ]
