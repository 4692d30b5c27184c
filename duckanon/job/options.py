"""What a run is asked for and how it is carried out: the declarations of its options."""

import csv
import io
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, BinaryIO

from duckanon.choices import (
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
from duckanon.engine.settings import Settings
from duckanon.errors import JobError
from duckanon.option import Option, Panel, declared


def names(text: str) -> list[str]:
    """A list of column names, parted by commas; a name that holds one stands in double quotes."""
    try:
        columns = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        columns = []
    if not columns or not all(columns):
        raise JobError(f"{text!r} is no list of column names; write a,b,c")
    return columns


def joined(items: Iterable[str]) -> str:
    """Names, or what is said of them, as a shell takes a list of the command line: an item that needs it stands in double quotes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="")
    quoting = csv.writer(text, lineterminator="", quoting=csv.QUOTE_ALL)
    for number, item in enumerate(items):
        text.write("," if number else "")
        (writer if item == item.strip() and item else quoting).writerow([item])
    return shlex.quote(text.getvalue())


def parsed_levels(text: str) -> dict[str, int]:
    """`age=2,sex=0` as a level a column."""
    chosen = {}
    for item in names(text):
        name, equals, level = item.rpartition("=")
        if not equals or not level.strip().isdecimal():
            raise JobError(f"{item!r} is no level; write COLUMN=NUMBER, as in age=2,sex=0")
        chosen[name.rstrip()] = int(level)
    return chosen


@dataclass(frozen=True)
class Options:
    """What `anonymize` takes beside a job file; None and empty leave the job as it is."""

    qi: Annotated[
        Sequence[str],
        Option(
            "Quasi-identifiers; detected by default. These are columns that an attacker may know.",
            "A,B,C",
            Panel.COLUMNS,
            parse=names,
            is_common=True,
        ),
    ] = ()
    sensitive: Annotated[
        Sequence[str],
        Option("Sensitive columns; released unchanged.", "S,T", Panel.COLUMNS, parse=names, is_common=True),
    ] = ()
    identifying: Annotated[
        Sequence[str], Option("Direct identifiers; dropped.", "X,Y", Panel.COLUMNS, parse=names, is_common=True)
    ] = ()
    pseudonym: Annotated[
        Sequence[str],
        Option(
            "Identifying columns released as pseudonyms (HMAC-SHA-256), the same within a --release.",
            "X,Y",
            Panel.COLUMNS,
            parse=names,
        ),
    ] = ()
    mask: Annotated[
        Sequence[str],
        Option(
            "An identifying column released as stars, with its last N characters; repeatable.",
            "COLUMN[=N]",
            Panel.COLUMNS,
            is_repeated=True,
            keyword=str | Sequence[str] | Mapping[str, Any],
        ),
    ] = ()
    shift: Annotated[
        Mapping[str, int | str],
        Option(
            "Dates moved by up to so many days, each person's by another number; repeatable.",
            "COLUMN=DAYS",
            Panel.COLUMNS,
            is_repeated=True,
            example="COLUMN=180",
        ),
    ] = field(default_factory=dict)
    shift_by: Annotated[
        str | None,
        Option("The column that tells persons apart for --shift; that of --entity unless given.", "NAME", Panel.COLUMNS),
    ] = None
    pseudonym_scope: Annotated[
        str | None,
        Option(
            "Where a value has the same pseudonym: in the whole release (default), or only within an equivalence class.",
            words=PseudonymScope,
            panel=Panel.COLUMNS,
        ),
    ] = None
    linkable: Annotated[
        bool | None,
        Option(
            "Accept that pseudonyms link a person's rows, although fewer than k persons share her set of classes.",
            panel=Panel.COLUMNS,
            key="linkable",
        ),
    ] = None
    release: Annotated[
        str | None,
        Option(
            "What pseudonyms and shifted dates are made for: the same in all tables of a release, others in the next.",
            "NAME",
            Panel.COLUMNS,
            "release",
        ),
    ] = None
    keep: Annotated[Sequence[str], Option("Insensitive columns, released as they are.", "U,V", Panel.COLUMNS, parse=names)] = ()
    others: Annotated[
        str | None, Option("Columns not named: drop (default) or keep.", words=Others, panel=Panel.COLUMNS, key="others")
    ] = None
    hierarchies: Annotated[
        Sequence[str],
        Option(
            "Hierarchies: a set, a folder or COLUMN=FILE; repeatable. adult/five-year is a bundled set; a folder holds hierarchy "
            "files. The last one wins. By default they are suggested from the values.",
            "SET",
            Panel.COLUMNS,
            is_repeated=True,
            is_common=True,
            completion="hierarchies",
            keyword=str | Path | Sequence[str] | Mapping[str, Any],
        ),
    ] = ()
    missing: Annotated[
        Sequence[str | None],
        Option(
            "What counts as missing, such as '?' or 'n/a'; repeatable. NULL where none is given.",
            "TOKEN",
            Panel.COLUMNS,
            "missing.tokens",
            is_repeated=True,
        ),
    ] = ()
    missing_policy: Annotated[
        str | None,
        Option(
            "value: a value like any other (default); drop: the row goes; top: generalized to the top.",
            words=MissingPolicy,
            panel=Panel.COLUMNS,
            key="missing.policy",
        ),
    ] = None
    k: Annotated[
        int | None,
        Option("Least size of an equivalence class; default 5. 1 requires nothing.", "K", Panel.REQUIREMENTS, is_common=True),
    ] = None
    k_column: Annotated[str | None, Option("The column of each record's own k; dropped.", "NAME", Panel.REQUIREMENTS)] = None
    entity: Annotated[
        str | None,
        Option(
            "Column that identifies persons: classes count them instead of rows; `none` counts rows. Default: a column that "
            "identifies persons and repeats.",
            "NAME",
            Panel.REQUIREMENTS,
            "entity",
        ),
    ] = None
    require: Annotated[
        Sequence[str],
        Option(
            "Privacy model, such as distinct-l=3 or t=0.2; repeatable. All models: k=5, distinct-l=3, entropy-l=3, recursive-cl=4,3, t=0.2 (t-ordered, t-hierarchical), "
            "alpha-k=0.5,5, beta=1, enhanced-beta=1, delta=1, delta-present=1, delta-presence=0.1,0.6, k-map=5, "
            "average-risk=0.05, highest-risk=0.09; add @COLUMN if several columns are sensitive.",
            "MODEL",
            Panel.REQUIREMENTS,
            is_repeated=True,
            is_common=True,
            completion="models",
        ),
    ] = ()
    policy: Annotated[
        str | None,
        Option(
            "A preset: internal (k = 5), research (k = 12), public (k = 20, and 2 values of each sensitive column in every "
            "class). Conventions, no safe harbours.",
            words=Policy,
            panel=Panel.REQUIREMENTS,
            key="policy",
        ),
    ] = None
    population: Annotated[
        str | None,
        Option(
            "The table that INPUT was taken from, for k-map, delta-presence and the journalist's risk.",
            "FILE",
            Panel.REQUIREMENTS,
            "population",
            keyword=str | Path | None,
        ),
    ] = None
    population_size: Annotated[
        int | None,
        Option(
            "Rows of the population that INPUT is a sample of, to estimate its unique records.",
            "N",
            Panel.REQUIREMENTS,
            "population-size",
            min=1,
        ),
    ] = None
    decide_on: Annotated[
        str | None,
        Option(
            "all: every model takes part in the choice of the levels (default); qi: sensitive values only decide what is "
            "suppressed.",
            words=DecideOn,
            panel=Panel.REQUIREMENTS,
            key="decide-on",
        ),
    ] = None
    max_suppression: Annotated[
        str | float | None,
        Option(
            "Records that may be suppressed: 20 or 5%; default 5%. A number, a share (0.05) or a percentage.",
            "LIMIT",
            Panel.REQUIREMENTS,
            "suppression.limit",
            parse=str,
            is_common=True,
        ),
    ] = None
    suppress: Annotated[
        str | None,
        Option(
            "Suppressed rows are dropped, or stay as one class with every quasi-identifier at the top (star).",
            words=SuppressionStyle,
            panel=Panel.REQUIREMENTS,
            key="suppression.style",
        ),
    ] = None
    protect: Annotated[
        Sequence[str],
        Option(
            "A released column, as an outcome: each value of it may lose the share of its rows that --max-suppression allows of "
            "all rows, rounded down; repeatable.",
            "COLUMN",
            Panel.REQUIREMENTS,
            "protect",
            parse=names,
            is_repeated=True,
        ),
    ] = ()
    algorithm: Annotated[
        str | None,
        Option(
            "Search: optimal (default), mondrian, local and others. optimal: least information loss, proven; samarati: a "
            "satisfying node at the lowest height; bidirectional: the best of the minimal nodes; greedy, balanced, datafly: fast "
            "heuristics; mondrian: ranges cut at medians; local: passes of recoding, each for the records that the passes before "
            "it left.",
            "NAME",
            words=Algorithm,
            panel=Panel.SEARCH,
            key="recoding.algorithm",
            is_common=True,
        ),
    ] = None
    objective: Annotated[
        str | None,
        Option("What is minimized; loss unless given.", words=ObjectiveName, panel=Panel.SEARCH, key="recoding.objective"),
    ] = None
    aggregate: Annotated[
        str | None,
        Option(
            "How the losses of the columns become one; mean unless given.",
            words=Aggregate,
            panel=Panel.SEARCH,
            key="recoding.aggregate",
        ),
    ] = None
    max_loss: Annotated[
        Mapping[str, float | str],
        Option(
            "The most that may be lost of a column; repeatable.",
            "COLUMN=0.7",
            Panel.SEARCH,
            "columns.*.max-loss",
            is_repeated=True,
        ),
    ] = field(default_factory=dict)
    refine: Annotated[
        bool | None,
        Option(
            "Whether a heuristic passes back down while the promise holds (default), or ends where it ends.",
            panel=Panel.SEARCH,
            key="recoding.refine",
            negation="--no-refine",
        ),
    ] = None
    time_limit: Annotated[
        float | None, Option("End the search with the best found and a bound.", "SECONDS", Panel.SEARCH, "recoding.time-limit")
    ] = None
    max_nodes: Annotated[int | None, Option("The same after so many nodes.", "N", Panel.SEARCH, "recoding.max-nodes")] = None
    cut: Annotated[
        Mapping[str, str],
        Option(
            "What mondrian cuts a column into: ranges in its order (text: by the alphabet), or labels of its hierarchy "
            "(COLUMN=hierarchy); repeatable. Numbers and dates are cut into ranges unless said.",
            "COLUMN=order",
            Panel.SEARCH,
            "columns.*.cut",
            is_repeated=True,
        ),
    ] = field(default_factory=dict)
    median: Annotated[
        str | None,
        Option(
            "Where mondrian cuts a range: after its median m, or where a side would fail before it (le-else-lt, default); or "
            "only after it (le).",
            words=Median,
            panel=Panel.SEARCH,
            key="recoding.median",
        ),
    ] = None
    levels: Annotated[
        Mapping[str, int],
        Option("No search: this node, verified.", "A=2,B=0", Panel.SEARCH, "recoding.levels", parse=parsed_levels),
    ] = field(default_factory=dict)
    shuffle: Annotated[
        bool | None,
        Option(
            "Rows in random order (default), or as they came.",
            panel=Panel.OUTPUT,
            key="output.shuffle",
            negation="--no-shuffle",
        ),
    ] = None
    microaggregate: Annotated[
        Mapping[str, str],
        Option(
            "Every row of a class shows the same of the column: its mean, median, mode, interval or set; mean:0 rounds; "
            "repeatable.",
            "COLUMN=mean",
            Panel.OUTPUT,
            is_repeated=True,
        ),
    ] = field(default_factory=dict)
    show_extremes: Annotated[
        bool | None,
        Option(
            "Print where the first and the last range of a column end: [17, 22], not <= 22; ranges of mondrian and of "
            "--microaggregate hide it unless told.",
            panel=Panel.OUTPUT,
            key="recoding.show-extremes",
            negation="--hide-extremes",
        ),
    ] = None
    partition_by: Annotated[
        Sequence[str],
        Option(
            "Write a folder of Parquet files, parted by released columns.",
            "A,B",
            Panel.OUTPUT,
            "output.partition-by",
            parse=names,
        ),
    ] = ()

    def __post_init__(self) -> None:
        """Raises `JobError` where a list of names is one text, of which every letter would be a name."""
        for name, declaration in declared(type(self)).items():
            if declaration.kind is Sequence and isinstance(getattr(self, name), str | Mapping):
                raise JobError(f"{name} of the options needs a list of texts; a text or a mapping goes to anonymize itself")


@dataclass(frozen=True)
class Run:
    """How a job is carried out; nothing here decides what is released."""

    settings: Settings = field(default_factory=Settings)
    columns: Annotated[
        Sequence[str] | None,
        Option("Names for a CSV file without a header.", "A,B,C", Panel.COLUMNS, parse=names, after="others"),
    ] = None
    key_file: Annotated[
        Path | None,
        Option(
            "The file of their key, for its owner alone; the environment's DUCKANON_KEY unless given.",
            "FILE",
            Panel.COLUMNS,
            after="release",
        ),
    ] = None
    all_nodes: Annotated[bool, Option("Decide every node of the lattice.", panel=Panel.SEARCH)] = False
    overwrite: Annotated[bool, Option("Replace an output that exists.", panel=Panel.OUTPUT)] = False
    report: Annotated[
        Path | None,
        Option(
            "Write a report; it contains values of the input. It is for those who approve the release.",
            "FILE.html",
            Panel.OUTPUT,
            is_common=True,
        ),
    ] = None
    public_report: Annotated[
        Path | None, Option("The same to be published: no value of the input, no count below k.", "FILE.html", Panel.OUTPUT)
    ] = None
    public_manifest: Annotated[
        Path | None,
        Option(
            "Write a manifest to be published with the release: nothing about the input or suppressed rows, no count below k.",
            "FILE.json",
            Panel.OUTPUT,
        ),
    ] = None
    dry_run: Annotated[bool, Option("Search, and write nothing.", panel=Panel.OUTPUT, is_common=True)] = False
    standard_output: BinaryIO | None = None
    """Where an output called `-` goes."""
