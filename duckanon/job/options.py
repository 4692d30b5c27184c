"""The options of a run: what to release, and how to carry it out."""

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
    DateOrder,
    DecideOn,
    DecimalSign,
    Malformed,
    Median,
    MissingPolicy,
    MissingSensitive,
    ObjectiveName,
    Others,
    PseudonymScope,
    Ranges,
    SuppressionStyle,
)
from duckanon.engine.settings import Settings
from duckanon.errors import JobError
from duckanon.option import Option, Panel, declared


def names(text: str) -> list[str]:
    """Column names separated by commas; a name with a comma is in double quotes."""
    try:
        columns = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        columns = []
    if not columns or not all(columns):
        raise JobError(f"{text!r} is not a list of column names; write a,b,c")
    return columns


def every_name(texts: Iterable[str] | None) -> list[str]:
    """The names in all texts of a repeated option."""
    return [name for text in texts or () for name in names(text)]


def joined(items: Iterable[str]) -> str:
    """Items as one argument for a shell, separated by commas; an item is in double quotes if necessary."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="")
    quoting = csv.writer(text, lineterminator="", quoting=csv.QUOTE_ALL)
    for number, item in enumerate(items):
        text.write("," if number else "")
        (writer if item == item.strip() and item else quoting).writerow([item])
    return shlex.quote(text.getvalue())


def parsed_levels(text: str) -> list[tuple[str, int]]:
    """Parse `age=2,sex=0` as columns with their levels."""
    chosen = []
    for item in names(text):
        name, equals, level = item.rpartition("=")
        if not equals or not level.strip().isdecimal():
            raise JobError(f"{item!r} is not a level; write COLUMN=NUMBER, as in age=2,sex=0")
        chosen.append((name.rstrip(), int(level)))
    return chosen


@dataclass(frozen=True)
class Options:
    """The options of `anonymize` that change a job; None and empty values leave the job unchanged."""

    qi: Annotated[
        Sequence[str],
        Option(
            "Quasi-identifiers; detected by default. These are columns that an adversary may know.",
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
            "Identifying column released as stars, except its last N characters; repeatable.",
            "COLUMN[=N]",
            Panel.COLUMNS,
            keyword=str | Sequence[str] | Mapping[str, Any],
        ),
    ] = ()
    shift: Annotated[
        Mapping[str, int | str],
        Option(
            "Date column shifted by up to N days (or weeks, years: N:weeks); the number depends on the person; N:days:truncate hides the time of day; repeatable.",
            "COLUMN=N[:UNIT]",
            Panel.COLUMNS,
            example="COLUMN=180",
        ),
    ] = field(default_factory=dict)
    shift_by: Annotated[
        str | None,
        Option("Column that identifies persons for --shift; default: that of --entity.", "NAME", Panel.COLUMNS),
    ] = None
    pseudonym_scope: Annotated[
        str | None,
        Option(
            "Scope of equal pseudonyms for equal values: the whole release (default), or an equivalence class.",
            words=PseudonymScope,
            panel=Panel.COLUMNS,
        ),
    ] = None
    linkable: Annotated[
        bool | None,
        Option(
            "Accept that pseudonyms link a person's rows, although fewer than k persons have as many rows in the same classes.",
            panel=Panel.COLUMNS,
            key="linkable",
        ),
    ] = None
    accept: Annotated[
        Sequence[str],
        Option(
            "Accept a risk that is refused otherwise, for all columns or for one; repeatable. The message of the refusal names it, and "
            "summary, manifest, report and attestation state it.",
            "CASE[@COLUMN]",
            Panel.COLUMNS,
            "accept",
        ),
    ] = ()
    release: Annotated[
        str | None,
        Option(
            "Name of the release: pseudonyms and shifts are the same in all tables of a release, and different in the next.",
            "NAME",
            Panel.COLUMNS,
            "release",
        ),
    ] = None
    keep: Annotated[Sequence[str], Option("Insensitive columns; released unchanged.", "U,V", Panel.COLUMNS, parse=names)] = ()
    others: Annotated[
        str | None, Option("Columns without a role: drop (default) or keep.", words=Others, panel=Panel.COLUMNS, key="others")
    ] = None
    hierarchies: Annotated[
        Sequence[str],
        Option(
            "Hierarchies: a set, a folder or COLUMN=FILE; repeatable. adult/five-year is a bundled set; a folder holds hierarchy "
            "files. The last one wins. Default: a bundled hierarchy that has the name of the column and covers its values, else one suggested from the values.",
            "SET",
            Panel.COLUMNS,
            is_common=True,
            completion="hierarchies",
            keyword=str | Path | Sequence[str] | Mapping[str, Any],
        ),
    ] = ()
    missing: Annotated[
        Sequence[str | None],
        Option(
            "Value that counts as missing, such as '?' or 'n/a'; repeatable. Default: NULL; with detected roles also codes such as -99 that duckanon finds. none: only NULL.",
            "TOKEN",
            Panel.COLUMNS,
            "missing.tokens",
        ),
    ] = ()
    missing_policy: Annotated[
        str | None,
        Option(
            "Missing values: value (default) treats them as a value, drop drops their rows, top generalizes them to the top.",
            words=MissingPolicy,
            panel=Panel.COLUMNS,
            key="missing.policy",
        ),
    ] = None
    missing_sensitive: Annotated[
        str | None,
        Option(
            "Missing sensitive values: both (default) requires the models with them as a value and also without them; value, only as a value.",
            words=MissingSensitive,
            panel=Panel.COLUMNS,
            key="missing.sensitive",
        ),
    ] = None
    dates: Annotated[
        str | None,
        Option(
            "Dates that are text, as 01/02/1980 or 01-02-80: day-first, month-first, year-first, or text. Detected by default if no other order is possible.",
            words=DateOrder,
            panel=Panel.COLUMNS,
            key="dates",
        ),
    ] = None
    decimal: Annotated[
        str | None,
        Option(
            "Numbers of a CSV file as 1.234,56: comma, point, or text. Detected by default if no other sign is possible.",
            words=DecimalSign,
            panel=Panel.COLUMNS,
            key="decimal",
        ),
    ] = None
    encoding: Annotated[
        str | None,
        Option(
            "Encoding of a CSV or JSON file that is not UTF-8, such as cp1250 or iso8859-2. Detected by default if the text decides it.",
            "NAME",
            Panel.COLUMNS,
            "encoding",
        ),
    ] = None
    malformed: Annotated[
        str | None,
        Option(
            "Lines of a CSV file that are no records, such as lines with too few values: refuse (default), or drop. Dropped lines are counted.",
            words=Malformed,
            panel=Panel.COLUMNS,
            key="malformed",
        ),
    ] = None
    k: Annotated[
        int | None,
        Option("Minimum size of an equivalence class; default 5. 1 requires nothing.", "K", Panel.REQUIREMENTS, is_common=True),
    ] = None
    k_column: Annotated[str | None, Option("Column of each record's own k; dropped.", "NAME", Panel.REQUIREMENTS)] = None
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
            is_common=True,
            completion="models",
        ),
    ] = ()
    adversary: Annotated[
        Sequence[str],
        Option(
            "Someone who knows only these quasi-identifiers; repeatable. Each adversary has its own classes, and --k unless it gives another. "
            "By default, one adversary knows all quasi-identifiers.",
            "NAME=A,B[:k=10]",
            Panel.REQUIREMENTS,
            keyword=str | Sequence[str] | Mapping[str, Any],
        ),
    ] = ()
    any: Annotated[
        int | None,
        Option(
            "Adversaries who know any M of the quasi-identifiers, whichever: each set of M columns has its own classes. "
            "By default, one adversary knows all of them; where that loses much, the summary says what --any 3 would lose.",
            "M",
            Panel.REQUIREMENTS,
            "any",
            min=1,
        ),
    ] = None
    policy: Annotated[
        str | None,
        Option(
            "Policy file, or a preset: internal (k = 5), research (k = 12), public (k = 20, and 2 values of each sensitive column in every "
            "class). Presets are conventions; they do not guarantee compliance.",
            "NAME|FILE.yaml",
            Panel.REQUIREMENTS,
            "policy",
            completion="policies",
            keyword=str | Path | None,
        ),
    ] = None
    population: Annotated[
        str | None,
        Option(
            "Table that INPUT is a sample of, for k-map, delta-presence and the journalist's risk.",
            "FILE",
            Panel.REQUIREMENTS,
            "population",
            keyword=str | Path | None,
        ),
    ] = None
    population_size: Annotated[
        int | None,
        Option(
            "Rows in the population that INPUT is a sample of, to estimate population uniques.",
            "N",
            Panel.REQUIREMENTS,
            "population-size",
            min=1,
        ),
    ] = None
    decide_on: Annotated[
        str | None,
        Option(
            "all: every model influences the levels (default); qi: sensitive values influence only the suppression.",
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
            "Suppressed rows: drop (default), or star: they stay as masked records, one class with every quasi-identifier at the top.",
            words=SuppressionStyle,
            panel=Panel.REQUIREMENTS,
            key="suppression.style",
        ),
    ] = None
    protect: Annotated[
        Sequence[str],
        Option(
            "Released column, such as an outcome: each of its values may lose at most the share of its rows that --max-suppression "
            "allows for all rows, rounded down; repeatable.",
            "COLUMN",
            Panel.REQUIREMENTS,
            "protect",
            parse=names,
        ),
    ] = ()
    algorithm: Annotated[
        str | None,
        Option(
            "Search: auto, optimal, mondrian, local and others. auto (default if roles are detected): the best of optimal, local "
            "and mondrian within 2 seconds for the first two, where equal labels for all records may lose twice as much; optimal: least "
            "information loss, proven; samarati: a "
            "satisfying node at the lowest height; bidirectional: the best of the minimal nodes; greedy, balanced: fast "
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
        Option(
            "Measure that the search minimizes; default: loss.",
            words=ObjectiveName,
            panel=Panel.SEARCH,
            key="recoding.objective",
        ),
    ] = None
    aggregate: Annotated[
        str | None,
        Option(
            "How the information losses of the columns are combined; default: mean.",
            words=Aggregate,
            panel=Panel.SEARCH,
            key="recoding.aggregate",
        ),
    ] = None
    max_loss: Annotated[
        Mapping[str, float | str],
        Option(
            "Maximum information loss of a column; repeatable.",
            "COLUMN=0.7",
            Panel.SEARCH,
            "columns.*.max-loss",
        ),
    ] = field(default_factory=dict)
    min_level: Annotated[
        Mapping[str, int | str],
        Option(
            "Lowest level of a column's hierarchy that may be released; repeatable. Default 0, the values.",
            "COLUMN=1",
            Panel.SEARCH,
            "columns.*.min-level",
        ),
    ] = field(default_factory=dict)
    weight: Annotated[
        Mapping[str, float | str],
        Option(
            "Weight of a column in the information loss: 2 counts twice; repeatable. Default 1; for detected roles more if a column "
            "has few values and is associated with others.",
            "COLUMN=2",
            Panel.SEARCH,
            "recoding.weights",
        ),
    ] = field(default_factory=dict)
    refine: Annotated[
        bool | None,
        Option(
            "Lower the levels of a heuristic while the requirements hold (default), or keep them.",
            panel=Panel.SEARCH,
            key="recoding.refine",
            negation="--no-refine",
        ),
    ] = None
    time_limit: Annotated[
        float | None,
        Option(
            "End the search SECONDS after the start of the run, with the best result so far and a bound.",
            "SECONDS",
            Panel.SEARCH,
            "recoding.time-limit",
        ),
    ] = None
    max_nodes: Annotated[
        int | None,
        Option(
            "End the search after N nodes, with the best result so far and a bound.", "N", Panel.SEARCH, "recoding.max-nodes"
        ),
    ] = None
    cut: Annotated[
        Mapping[str, str],
        Option(
            "How mondrian cuts a column: into ranges in its order (text: alphabetical), or into labels of its hierarchy "
            "(COLUMN=hierarchy); repeatable. Default: ranges for numbers and dates.",
            "COLUMN=order",
            Panel.SEARCH,
            "columns.*.cut",
        ),
    ] = field(default_factory=dict)
    median: Annotated[
        str | None,
        Option(
            "Where mondrian cuts a range: after its median or, if a side would fail, before it (le-else-lt, default); or only "
            "after it (le).",
            words=Median,
            panel=Panel.SEARCH,
            key="recoding.median",
        ),
    ] = None
    levels: Annotated[
        Mapping[str, int],
        Option("Skip the search and use these levels.", "A=2,B=0", Panel.SEARCH, "recoding.levels", parse=parsed_levels),
    ] = field(default_factory=dict)
    shuffle: Annotated[
        bool | None,
        Option(
            "Write rows in random order (default), or in the order of the input.",
            panel=Panel.OUTPUT,
            key="output.shuffle",
            negation="--no-shuffle",
        ),
    ] = None
    ranges: Annotated[
        str | None,
        Option(
            "Write ranges of numbers and dates as labels (text, default), as two columns COLUMN_min and COLUMN_max (bounds), or as "
            "one column with their midpoint (midpoint).",
            words=Ranges,
            panel=Panel.OUTPUT,
            key="output.ranges",
        ),
    ] = None
    microaggregate: Annotated[
        Mapping[str, str],
        Option(
            "Replace the values of a column in each class by their mean, median, mode, interval or set; mean:0 rounds; "
            "repeatable.",
            "COLUMN=mean",
            Panel.OUTPUT,
        ),
    ] = field(default_factory=dict)
    show_extremes: Annotated[
        bool | None,
        Option(
            "Show the exact ends of ranges: [17, 22], not <= 22, and [46635, 46930], not [46600, 47000]. By default, ranges of "
            "mondrian and of --microaggregate hide the outer ends, and round the others outwards.",
            panel=Panel.OUTPUT,
            key="recoding.show-extremes",
            negation="--hide-extremes",
        ),
    ] = None
    partition_by: Annotated[
        Sequence[str],
        Option(
            "Write a folder of Parquet files, partitioned by released columns.",
            "A,B",
            Panel.OUTPUT,
            "output.partition-by",
            parse=names,
        ),
    ] = ()

    def __post_init__(self) -> None:
        """Raise `JobError` if a list of names is a single text: each letter would become a name."""
        for name, declaration in declared(type(self)).items():
            if declaration.kind is Sequence and isinstance(getattr(self, name), str | Mapping):
                raise JobError(f"Options needs a list of texts for {name}; only anonymize accepts a text or a mapping")


@dataclass(frozen=True)
class Run:
    """The execution of a job; nothing here decides what is released."""

    settings: Settings = field(default_factory=Settings)
    columns: Annotated[
        Sequence[str] | None,
        Option("Names for a CSV file without a header.", "A,B,C", Panel.COLUMNS, parse=names, after="others"),
    ] = None
    key_file: Annotated[
        Path | None,
        Option(
            "HMAC key file (mode 0600); default: $DUCKANON_KEY.",
            "FILE",
            Panel.COLUMNS,
            after="release",
        ),
    ] = None
    all_nodes: Annotated[bool, Option("Evaluate every node of the lattice.", panel=Panel.SEARCH)] = False
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
        Path | None,
        Option("Write a report to be published: no value of the input, no count below k.", "FILE.html", Panel.OUTPUT),
    ] = None
    public_manifest: Annotated[
        Path | None,
        Option(
            "Write a manifest to be published with the release: nothing about the input or suppressed rows, no count below k.",
            "FILE.json",
            Panel.OUTPUT,
        ),
    ] = None
    register: Annotated[
        Path | None,
        Option(
            "Register of releases (made if it does not exist): compare the release with earlier ones of the same input, or of the same persons, "
            "and record it. It contains original values.",
            "FILE.duckdb",
            Panel.OUTPUT,
        ),
    ] = None
    suppress_isolated: Annotated[
        bool,
        Option(
            "Suppress persons whom pseudonyms would isolate, and records that this release and registered ones would isolate together, instead of refusing the release.",
            panel=Panel.OUTPUT,
        ),
    ] = False
    dry_run: Annotated[bool, Option("Search, and write nothing.", panel=Panel.OUTPUT, is_common=True)] = False
    standard_output: BinaryIO | None = None
    """The stream for the output `-`."""
