"""Options and help texts that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli.help import UNCOMMON

INPUT_HELP = "Parquet, CSV, JSON, Arrow or SQLite (file, quoted pattern, folder), FILE.duckdb::TABLE, or - for standard input."
OUTPUT_HELP = (
    "Output: Parquet, CSV, FILE.duckdb::TABLE; - prints CSV. "
    "Default: NAME.anonymized beside INPUT, as CSV if INPUT is CSV or a spreadsheet, else as Parquet."
)

Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print only warnings and errors.")]
QuietResult = Annotated[bool, typer.Option("-q", "--quiet", help="Print only the result, warnings and errors.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Print the reasons of detected roles, and each statement.")]
Strict = Annotated[
    bool, typer.Option("--strict", help="Exit code 1 if there is a warning; the output is still written."), UNCOMMON
]
Input = Annotated[str | None, typer.Argument(metavar="INPUT", help=INPUT_HELP, show_default=False)]
Job = Annotated[Path | None, typer.Option(metavar="JOB.yaml", help="Job file; options override it.")]
Manifest = Annotated[
    Path,
    typer.Argument(
        metavar="MANIFEST", help="OUTPUT.manifest.json, beside the release and OUTPUT.recoding/.", show_default=False
    ),
]
MovedInput = Annotated[str | None, typer.Option("--input", metavar="INPUT", help="The input, if it has moved since the run.")]
