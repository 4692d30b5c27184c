"""The text of an SQL export: three independent statements with comments."""

import csv
from collections.abc import Sequence
from pathlib import Path

from duckanon.engine.scratch import OWNER_ONLY, OWNER_ONLY_FOLDER
from duckanon.errors import OutputError
from duckanon.export.labels import Label
from duckanon.export.preface import preface
from duckanon.export.statements import LookupSource, statements_of, table_name

_TITLES = (
    "1. The release.",
    "2. The classes of the release that fail the requirements; no rows: the release satisfies them.",
    "3. The rows left out.",
)


def export_sql(
    manifest_path: Path | str,
    *,
    dialect: str = "duckdb",
    table: str = "input",
    released: str = "released",
    like: str | None = None,
    lookup_folder: Path | str | None = None,
) -> str:
    """The saved recoding of a release as SQL that another engine runs on `table`, which has the columns of the first input.

    The column types are those of `like`, by default of the first input. Lookup tables are part of the text, or CSV files in
    `lookup_folder` for tables of the same names. Raises `JobError` if the engines have no SQL with the same meaning, and
    `InputError` or `OutputError` if a file cannot be read or written.
    """
    exported = statements_of(
        Path(manifest_path),
        dialect=dialect,
        table=table_name(table, "--table"),
        released=table_name(released, "--released"),
        like=like,
        lookup=lambda label: LookupSource(label.rows if lookup_folder is None else None),
    )
    written = _write_lookups(Path(lookup_folder), exported.labels) if lookup_folder is not None else []
    comment = preface(
        exported.release, exported.labels, Path(manifest_path), dialect, table, released, [str(file) for file in written]
    )
    statements = (exported.released, exported.failing_classes, exported.rows_left_out)
    parts = [f"-- {title}\n{statement};" for title, statement in zip(_TITLES, statements, strict=True)]
    return "\n\n".join([comment, *parts])


def _write_lookups(folder: Path, labels: Sequence[Label]) -> list[Path]:
    """Write `lookup_N.csv` for each quasi-identifier with a lookup table; raises `OutputError` if a file exists."""
    files = {folder / f"lookup_{label.number}.csv": label for label in labels if label.is_listed}
    if taken := next((file for file in files if file.exists()), None):
        raise OutputError(f"{str(taken)!r} already exists; name another folder with --lookups")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=OWNER_ONLY_FOLDER)
        for file, label in files.items():
            file.touch(mode=OWNER_ONLY, exist_ok=False)
            with file.open("w", newline="", encoding="utf-8") as text:
                writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
                writer.writerow(["value", "label"] if label.has_labels else ["value"])
                writer.writerows([row.text, row.label] if label.has_labels else [row.text] for row in label.rows)
    except OSError as error:
        raise OutputError(f"--lookups {str(folder)!r} cannot be written: {error.strerror}") from error
    return list(files)
