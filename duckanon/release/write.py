"""Write the release to a draft, and read it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from duckanon.dataset.destination import Destination
from duckanon.dataset.values import code_type, distinct_statement
from duckanon.engine.owner import step
from duckanon.engine.protocol import Column, Engine, Form
from duckanon.engine.templates import Statement, escaped, render
from duckanon.errors import EngineError, OutputError
from duckanon.release.recoding import Recoding

DATABASE = "released"
"""The name of the attached database when a released table is read."""

_MOST_TEXTS = 50_000
_MOST_CODED = 32
"""The maximum number of text columns that are replaced by codes. Each is a join, and the planning time grows with the square of their number."""


def read_back(
    names: Sequence[str], path: Path, form: Form, *, database: str = DATABASE, relation: str = "release"
) -> Statement:
    """The released columns as read from the file: Parquet and tables with their types, CSV and the names of folders as text."""
    files = escaped(path.absolute()) + ("/**/*.parquet" if form.is_folder else "")
    columns = dict.fromkeys(names, "varchar")
    return render("release/release", relation, path=files, form=form, columns=columns, database=database)


def file_statement(recoding: Recoding, path: Path, form: Form) -> Statement:
    """The SELECT that reads a release. If ranges are written as numbers, it builds `written_rows`, and `release` shows their labels."""
    relation = "written_rows" if recoding.ranged else "release"
    return read_back([column.name for column in recoding.file_columns], path, form, relation=relation)


def open_release(engine: Engine, recoding: Recoding, path: Path, form: Form) -> None:
    """Create the view `release` on the file or folder at a path."""
    engine.detach(DATABASE)
    if form.table is not None:
        engine.attach(path, DATABASE)
    engine.create_view(file_statement(recoding, path, form))
    if recoding.ranged:
        relations = {column.name: column.relation for column in recoding.ranged}
        columns = {column.name: relations.get(column.name) for column in recoding.columns}
        about = {"columns": columns, "ranges": recoding.ranged, "is_text": form.format == "csv"}
        engine.create_view(render("release/labelled_release", "release", **about))


@step
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
    """Write the release to the draft; returns the number of rows that the engine reports.

    `bound` has the derived keys of pseudonyms and shifted dates, by the name of the parameter in the statement.
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


def read_texts(engine: Engine, recoding: Recoding) -> list[str]:
    """Build `texts_<column>` for each released text column with few distinct texts; returns their names.

    With codes instead of texts, sorting 20 million rows by a random number takes a third of the time and a fifth of the memory.
    """
    columns = recoding.texts
    if not columns:
        return []
    counted = render("dataset/column_counts", columns=columns)
    [(_, *counts)] = engine.query(counted, stage="counting distinct texts for the shuffle")
    few = [column for column, distinct in zip(columns, counts[1::4], strict=True) if distinct <= _MOST_TEXTS]
    few = few[:_MOST_CODED]
    if few:
        count = engine.create_table(distinct_statement(few), stage="reading distinct texts for the shuffle")
        for number, column in enumerate(few):
            about = {"column": column.name, "attribute": number, "code_type": code_type(count)}
            engine.create_table(render("release/texts", f"texts_{column.name}", **about))
    return [column.name for column in few]
