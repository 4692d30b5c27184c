"""The lookup tables of an SQL export as CSV files, for tables of the same names in the warehouse."""

import csv
from collections.abc import Sequence
from pathlib import Path

from duckanon.engine.scratch.modes import OWNER_ONLY, OWNER_ONLY_FOLDER
from duckanon.errors import OutputError
from duckanon.workflows.sql_export.labels import Label


def write(folder: Path, labels: Sequence[Label]) -> list[Path]:
    """Write `lookup_N.csv` for each quasi-identifier with a lookup table; raises `OutputError` if a file exists."""
    files = {folder / f"lookup_{label.number}.csv": label for label in labels if label.lookup}
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
