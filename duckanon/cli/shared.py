"""Options and words of help that several commands have, each said once."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli.help import UNCOMMON

INPUT_HELP = "Parquet, CSV or JSON lines (file, pattern in quotes, folder), FILE.duckdb::TABLE, or - for standard input."
OUTPUT_HELP = (
    "File to write; by default NAME.anonymized beside INPUT. Parquet, CSV, FILE.duckdb::TABLE, or - for CSV on standard output; "
    "by default in the format of INPUT."
)

Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Only warnings and errors.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Why each role was detected, and a line for every statement.")]
Strict = Annotated[
    bool, typer.Option("--strict", help="Exit code 1 if there is a warning; the output is still written."), UNCOMMON
]
Input = Annotated[str | None, typer.Argument(metavar="INPUT", help=INPUT_HELP, show_default=False)]
Manifest = Annotated[
    Path,
    typer.Argument(
        metavar="MANIFEST", help="OUTPUT.manifest.json, beside the release and OUTPUT.recoding/.", show_default=False
    ),
]
MovedInput = Annotated[
    str | None, typer.Option("--input", metavar="INPUT", help="The input, where it has moved since the run.")
]
