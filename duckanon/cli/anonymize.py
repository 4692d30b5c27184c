"""`duckanon anonymize`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from duckanon.choices import (
    COLLECT_LIMIT,
    DUCKDB,
    Aggregate,
    Algorithm,
    DecideOn,
    Median,
    MissingPolicy,
    ObjectiveName,
    Others,
    Policy,
    PseudonymScope,
    SuppressionStyle,
)
from duckanon.cli import completion, output, shared

PANEL_WHAT, PANEL_PROMISE, PANEL_SEARCH, PANEL_OUTPUT = (
    "What the columns are",
    "What is promised",
    "How it is searched",
    "What comes out",
)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("anonymize")(anonymize)


def anonymize(
    source: shared.Input = None,
    target: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="OUTPUT",
            help=shared.OUTPUT_HELP,
            rich_help_panel=PANEL_OUTPUT,
        ),
    ] = None,
    job: Annotated[Path | None, typer.Option(metavar="JOB.yaml", help="Job file; options on the command line win.")] = None,
    qi: Annotated[
        str | None, typer.Option(metavar="A,B,C", help="Quasi-identifiers, in lattice order.", rich_help_panel=PANEL_WHAT)
    ] = None,
    sensitive: Annotated[
        str | None, typer.Option(metavar="S,T", help="Sensitive columns, released as they are.", rich_help_panel=PANEL_WHAT)
    ] = None,
    identifying: Annotated[
        str | None, typer.Option(metavar="X,Y", help="Identifying columns, dropped.", rich_help_panel=PANEL_WHAT)
    ] = None,
    pseudonym: Annotated[
        str | None,
        typer.Option(
            metavar="X,Y",
            help="Identifying columns released as pseudonyms (HMAC-SHA-256), the same within a --release.",
            rich_help_panel=PANEL_WHAT,
        ),
    ] = None,
    mask: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN[=N]",
            help="An identifying column released as stars, with its last N characters; repeatable.",
            rich_help_panel=PANEL_WHAT,
        ),
    ] = None,
    shift: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=DAYS",
            help="Dates moved by up to so many days, each person's by another number; repeatable.",
            rich_help_panel=PANEL_WHAT,
        ),
    ] = None,
    shift_by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The column that tells persons apart for --shift; that of --entity unless given.",
            rich_help_panel=PANEL_WHAT,
        ),
    ] = None,
    pseudonym_scope: Annotated[
        PseudonymScope | None,
        typer.Option(
            help="Where a value has the same pseudonym: in the whole release (default), or only within an equivalence class.",
            rich_help_panel=PANEL_WHAT,
        ),
    ] = None,
    linkable: Annotated[
        bool | None,
        typer.Option(
            "--linkable",
            help="Accept that pseudonyms link a person's rows, although fewer than k persons share her set of classes.",
            rich_help_panel=PANEL_WHAT,
        ),
    ] = None,
    release: Annotated[str | None, typer.Option(metavar="NAME", help=shared.RELEASE_HELP, rich_help_panel=PANEL_WHAT)] = None,
    key_file: Annotated[Path | None, typer.Option(metavar="FILE", help=shared.KEY_HELP, rich_help_panel=PANEL_WHAT)] = None,
    keep: Annotated[
        str | None, typer.Option(metavar="U,V", help="Insensitive columns, released as they are.", rich_help_panel=PANEL_WHAT)
    ] = None,
    others: Annotated[
        Others | None, typer.Option(help="Columns not named: drop (default) or keep.", rich_help_panel=PANEL_WHAT)
    ] = None,
    columns: Annotated[
        str | None, typer.Option(metavar="A,B,C", help="Names for a CSV file without a header.", rich_help_panel=PANEL_WHAT)
    ] = None,
    hierarchies: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SET",
            autocompletion=completion.hierarchies,
            help="A bundled set (adult/five-year), a folder of hierarchy files, or COLUMN=FILE; repeatable, the later wins. Suggested from the "
            "values where none is given.",
            rich_help_panel=PANEL_WHAT,
        ),
    ] = None,
    missing: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TOKEN",
            help="What counts as missing, as '?'; repeatable. NULL where none is given.",
            rich_help_panel=PANEL_WHAT,
        ),
    ] = None,
    missing_policy: Annotated[
        MissingPolicy | None,
        typer.Option(
            help="value: a value like any other (default); drop: the row goes; top: generalized to the top.",
            rich_help_panel=PANEL_WHAT,
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k",
            metavar="K",
            help="Rows that share their quasi-identifiers; 5 unless given, 1 switches it off.",
            rich_help_panel=PANEL_PROMISE,
        ),
    ] = None,
    k_column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The column of each record's own k; dropped.", rich_help_panel=PANEL_PROMISE),
    ] = None,
    entity: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Column that identifies persons: classes count them instead of rows; `none` counts rows. Default: a column that identifies persons and repeats.",
            rich_help_panel=PANEL_PROMISE,
        ),
    ] = None,
    require: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL", help=shared.MODEL_HELP, autocompletion=completion.models, rich_help_panel=PANEL_PROMISE),
    ] = None,
    policy: Annotated[
        Policy | None,
        typer.Option(
            help="A preset: internal (k = 5), research (k = 12), public (k = 20, and 2 values of each sensitive column in every class). "
            "Conventions, no safe harbours.",
            rich_help_panel=PANEL_PROMISE,
        ),
    ] = None,
    population: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The table that INPUT was taken from, for k-map, delta-presence and the journalist's risk.",
            rich_help_panel=PANEL_PROMISE,
        ),
    ] = None,
    population_size: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Rows of the population that INPUT is a sample of, to estimate its unique records.",
            rich_help_panel=PANEL_PROMISE,
        ),
    ] = None,
    decide_on: Annotated[
        DecideOn | None,
        typer.Option(
            help="all: every model takes part in the choice of the levels (default); qi: sensitive values only decide what is suppressed.",
            rich_help_panel=PANEL_PROMISE,
        ),
    ] = None,
    max_suppression: Annotated[
        str | None,
        typer.Option(
            metavar="LIMIT",
            help="Rows that may be suppressed: 20 (rows), 0.05 or 5%; 5% unless given.",
            rich_help_panel=PANEL_PROMISE,
        ),
    ] = None,
    suppress: Annotated[
        SuppressionStyle | None,
        typer.Option(
            help="Suppressed rows are dropped, or stay as one class with every quasi-identifier at the top (star).",
            rich_help_panel=PANEL_PROMISE,
        ),
    ] = None,
    protect: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="A released column, as an outcome: each value of it may lose the share of its rows that --max-suppression allows of all rows, "
            "rounded down; repeatable.",
            rich_help_panel=PANEL_PROMISE,
        ),
    ] = None,
    algorithm: Annotated[
        Algorithm | None,
        typer.Option(
            help="optimal (default): least objective, proven; samarati: first node on the lowest height; bidirectional: the best of the "
            "minimal nodes; greedy, balanced, datafly: heuristics that walk upwards; mondrian: ranges cut at medians, and local: passes of "
            "recoding, each for the rows that the ones before left: both recode regions of the table apart.",
            rich_help_panel=PANEL_SEARCH,
        ),
    ] = None,
    objective: Annotated[
        ObjectiveName | None, typer.Option(help="What is minimized; loss unless given.", rich_help_panel=PANEL_SEARCH)
    ] = None,
    aggregate: Annotated[
        Aggregate | None,
        typer.Option(help="How the losses of the columns become one; mean unless given.", rich_help_panel=PANEL_SEARCH),
    ] = None,
    max_loss: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=0.7", help="The most that may be lost of a column; repeatable.", rich_help_panel=PANEL_SEARCH
        ),
    ] = None,
    refine: Annotated[
        bool | None,
        typer.Option(
            "--refine/--no-refine",
            help="Whether a heuristic passes back down while the promise holds (default), or ends where it ends.",
            rich_help_panel=PANEL_SEARCH,
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="End the search with the best found and a bound.", rich_help_panel=PANEL_SEARCH),
    ] = None,
    max_nodes: Annotated[
        int | None, typer.Option(metavar="N", help="The same after so many nodes.", rich_help_panel=PANEL_SEARCH)
    ] = None,
    cut: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=order",
            help="What mondrian cuts a column into: ranges in its order (text: by the alphabet), or labels of its hierarchy (COLUMN=hierarchy); "
            "repeatable. Numbers and dates are cut into ranges unless said.",
            rich_help_panel=PANEL_SEARCH,
        ),
    ] = None,
    median: Annotated[
        Median | None,
        typer.Option(
            help="Where mondrian cuts a range: after its median m, or where a side would fail before it (le-else-lt, default); or only after it (le).",
            rich_help_panel=PANEL_SEARCH,
        ),
    ] = None,
    levels: Annotated[
        str | None, typer.Option(metavar="A=2,B=0", help="No search: this node, verified.", rich_help_panel=PANEL_SEARCH)
    ] = None,
    all_nodes: Annotated[
        bool, typer.Option("--all-nodes", help="Decide every node of the lattice.", rich_help_panel=PANEL_SEARCH)
    ] = False,
    shuffle: Annotated[
        bool | None,
        typer.Option(
            "--shuffle/--no-shuffle", help="Rows in random order (default), or as they came.", rich_help_panel=PANEL_OUTPUT
        ),
    ] = None,
    microaggregate: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN=mean",
            help="Every row of a class shows the same of the column: its mean, median, mode, interval or set; mean:0 rounds; repeatable.",
            rich_help_panel=PANEL_OUTPUT,
        ),
    ] = None,
    show_extremes: Annotated[
        bool | None,
        typer.Option(
            "--show-extremes/--hide-extremes",
            help="Print where the first and the last range of a column end: [17, 22], not <= 22; ranges of mondrian and of --microaggregate hide it unless told.",
            rich_help_panel=PANEL_OUTPUT,
        ),
    ] = None,
    partition_by: Annotated[
        str | None,
        typer.Option(
            metavar="A,B", help="Write a folder of Parquet files, parted by released columns.", rich_help_panel=PANEL_OUTPUT
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an output that exists.", rich_help_panel=PANEL_OUTPUT)
    ] = False,
    workspace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.duckdb",
            help="Keep every relation; `from duckanon.relations` lists them. Holds original values.",
            rich_help_panel=PANEL_OUTPUT,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html",
            help="Write a report: what was done and why, for who signs it. Holds values of the input.",
            rich_help_panel=PANEL_OUTPUT,
        ),
    ] = None,
    public_report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html",
            help="The same to be published: no value of the input, no count below k.",
            rich_help_panel=PANEL_OUTPUT,
        ),
    ] = None,
    public_manifest: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json",
            help="Write a manifest to be published with the release: nothing about the input or suppressed rows, no count below k.",
            rich_help_panel=PANEL_OUTPUT,
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Search, and write nothing.", rich_help_panel=PANEL_OUTPUT)
    ] = False,
    sql: Annotated[
        bool, typer.Option("--sql", help="Print the statements; nothing is searched or written.", rich_help_panel=PANEL_OUTPUT)
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the manifest.", rich_help_panel=PANEL_OUTPUT)] = False,
    verbose: shared.Verbose = False,
    quiet: shared.Quiet = False,
    engine: shared.Engine = DUCKDB,
    collect_limit: shared.CollectLimit = COLLECT_LIMIT,
    threads: shared.Threads = None,
    memory_limit: shared.MemoryLimit = None,
    temp_directory: shared.TempDirectory = None,
) -> None:
    """Release a table in which every record shares its quasi-identifiers with at least k - 1 others.

    Counts the combinations of the quasi-identifiers, searches the best recoding, writes it, and verifies the written file.
    """
    from duckanon.engine.protocol import Settings
    from duckanon.job import options, prepare
    from duckanon.reports import summary
    from duckanon.workflows import anonymize as anonymize_workflow
    from duckanon.workflows import preview

    typed = options.Options(
        qi=shared.names(qi),
        sensitive=shared.names(sensitive),
        identifying=shared.names(identifying),
        keep=shared.names(keep),
        hierarchies=hierarchies or (),
        k=k,
        k_column=k_column,
        entity=entity,
        require=require or (),
        max_suppression=max_suppression,
        suppress=suppress,
        protect=protect or (),
        missing=missing or (),
        missing_policy=missing_policy,
        levels=options.levels(levels) if levels is not None else {},
        max_loss=options.said_of_columns(max_loss or (), "--max-loss", "COLUMN=0.7"),
        algorithm=algorithm,
        objective=objective,
        aggregate=aggregate,
        refine=refine,
        time_limit=time_limit,
        max_nodes=max_nodes,
        others=others,
        shuffle=shuffle,
        partition_by=shared.names(partition_by),
        population=population,
        population_size=population_size,
        policy=policy,
        decide_on=decide_on,
        cut=options.said_of_columns(cut or (), "--cut", "COLUMN=order"),
        pseudonym=shared.names(pseudonym),
        pseudonym_scope=pseudonym_scope,
        linkable=linkable,
        mask=mask or (),
        shift=options.said_of_columns(shift or (), "--shift", "COLUMN=180"),
        shift_by=shift_by,
        release=release,
        median=median,
        microaggregate=options.said_of_columns(microaggregate or (), "--microaggregate", "COLUMN=mean"),
        show_extremes=show_extremes,
    )
    run = prepare.Run(
        settings=Settings(threads, memory_limit, temp_directory, workspace, engine, collect_limit),
        columns=shared.names(columns),
        all_nodes=all_nodes,
        overwrite=overwrite,
        dry_run=dry_run,
        report=report,
        public_report=public_report,
        public_manifest=public_manifest,
        key_file=key_file,
        standard_output=None if json else sys.stdout.buffer,
    )
    narrator = output.Narrator(quiet=quiet, verbose=verbose)
    if sql:
        statements = preview.statements(source, target, job=job, options=typed, run=run, observer=narrator)
        output.data(";\n\n".join(statement.sql for statement in statements) + ";")
        return
    output.told(
        lambda: anonymize_workflow.carry_out(prepare.prepare(source, job, typed, run), target, run, narrator).manifest,
        narrator,
        as_json=json,
        files=summary.files_of(run.report, run.public_report, run.public_manifest, run.settings.workspace),
    )
