"""The release: written to a draft, and read back."""

from pathlib import Path

from duckanon.destination import Destination
from duckanon.engine.protocol import Engine, Form
from duckanon.errors import EngineError, OutputError
from duckanon.recoding import Recoding
from duckanon.source.location import escaped
from duckanon.templates import Statement, render

DATABASE = "released"
"""The name under which a released table's file is opened for reading."""


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
    statement = recoding.recoded_statement(suppresses=suppresses, shuffle=shuffle)
    try:
        return engine.write(statement, draft, place.form, stage="writing the release")
    except EngineError as error:
        raise OutputError(f"output {place.name!r} could not be written: {error}") from error
