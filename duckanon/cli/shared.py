"""Options and words of help that several commands have, each said once."""

from pathlib import Path
from typing import Annotated

import typer

INPUT_HELP = "Parquet, CSV or JSON lines (file, pattern in quotes, folder), FILE.duckdb::TABLE, or - for standard input."
OUTPUT_HELP = "Parquet or CSV file, FILE.duckdb::TABLE, or - for CSV on standard output; NAME.anonymized beside the input, in its format, unless given."

ENGINE_HELP = (
    "Where the passes over rows run: duckdb (default), sc://HOST:15002 (Spark Connect), spark://HOST:7077, local[*]. A cluster reads Parquet "
    "and writes a folder of it, on storage that its workers see."
)
COLLECT_HELP = "Rows that a cluster hands back at most; a larger relation stays there, and what reads it runs there too. 20,000,000 unless given."
RELEASE_HELP = "What pseudonyms and shifted dates are made for: the same in all tables of a release, others in the next."
KEY_HELP = "The file of their key, for its owner alone; the environment's DUCKANON_KEY unless given."
MODEL_HELP = (
    "A privacy model, repeatable: k=5, distinct-l=3, entropy-l=3, recursive-cl=4,3, t=0.2 (t-ordered, t-hierarchical), alpha-k=0.5,5, "
    "beta=1, enhanced-beta=1, delta=1, delta-present=1, delta-presence=0.1,0.6, k-map=5, average-risk=0.05, highest-risk=0.09; "
    "behind it @COLUMN where several are sensitive."
)

PANEL_MACHINE = "What the machine may use"

Engine = Annotated[str, typer.Option(metavar="ENGINE", help=ENGINE_HELP, rich_help_panel=PANEL_MACHINE, show_default=False)]
CollectLimit = Annotated[
    int, typer.Option(metavar="ROWS", min=1, help=COLLECT_HELP, rich_help_panel=PANEL_MACHINE, show_default=False)
]
Threads = Annotated[int | None, typer.Option(metavar="N", min=1, max=1024, help="Threads.", rich_help_panel=PANEL_MACHINE)]
MemoryLimit = Annotated[
    str | None,
    typer.Option(metavar="4GB", help="Memory; what does not fit is spilled to disk.", rich_help_panel=PANEL_MACHINE),
]
TempDirectory = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Where to spill to, and to keep what is half-written.", rich_help_panel=PANEL_MACHINE),
]

Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Only warnings and errors.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="A line for every statement that ran.")]
Columns = Annotated[str | None, typer.Option(metavar="A,B,C", help="Names for a CSV file without a header.")]
ReleaseName = Annotated[str | None, typer.Option(metavar="NAME", help=RELEASE_HELP)]
KeyFile = Annotated[Path | None, typer.Option(metavar="FILE", help=KEY_HELP)]
Input = Annotated[str | None, typer.Argument(metavar="INPUT", help=INPUT_HELP, show_default=False)]
Manifest = Annotated[
    Path,
    typer.Argument(
        metavar="MANIFEST", help="OUTPUT.manifest.json, beside the release and OUTPUT.recoding/.", show_default=False
    ),
]
PublicManifest = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.json",
        help="Write a manifest to be published with the release: nothing about the input or suppressed rows, no count below k.",
    ),
]
MovedInput = Annotated[
    str | None, typer.Option("--input", metavar="INPUT", help="The input, where it has moved since the run.")
]


def names(text: str | None) -> tuple[str, ...]:
    """A list of columns as it is typed; none where nothing is."""
    from duckanon.job import options

    return () if text is None else tuple(options.names(text))
