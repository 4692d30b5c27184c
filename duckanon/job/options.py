"""The options of a run: what to release, and how to carry it out."""

import csv
import io
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from duckanon.choices import Algorithm, Others, Ranges
from duckanon.engine.settings import Settings
from duckanon.errors import JobError
from duckanon.job import keys
from duckanon.option import Panel, declared, option


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

    qi: Sequence[str] = option(
        "Quasi-identifiers; detected by default. These are columns that an adversary may know.",
        "A,B,C",
        Panel.COLUMNS,
        parse=names,
        is_common=True,
        default=(),
    )
    sensitive: Sequence[str] = option(
        "Sensitive columns; released unchanged.", "S,T", Panel.COLUMNS, parse=names, is_common=True, default=()
    )
    identifying: Sequence[str] = option(
        "Direct identifiers; dropped.", "X,Y", Panel.COLUMNS, parse=names, is_common=True, default=()
    )
    pseudonym: Sequence[str] = option(
        "Identifying columns released as pseudonyms (HMAC-SHA-256), the same within a --release.",
        "X,Y",
        Panel.COLUMNS,
        parse=names,
        default=(),
    )
    shift: Mapping[str, int | str] = option(
        "Date column shifted by up to N days (or weeks, years: N:weeks); the number depends on the person; N:days:truncate hides the time of day; repeatable.",
        "COLUMN=N[:UNIT]",
        Panel.COLUMNS,
        example="COLUMN=180",
        default={},
    )
    release: str | None = option(
        "Name of the release: pseudonyms and shifts are the same in all tables of a release, and different in the next.",
        "NAME",
        Panel.COLUMNS,
        "release",
    )
    keep: Sequence[str] = option("Insensitive columns; released unchanged.", "U,V", Panel.COLUMNS, parse=names, default=())
    others: str | None = option(
        "Columns without a role: drop (default) or keep.", words=Others, panel=Panel.COLUMNS, key="others"
    )
    hierarchies: Sequence[str] = option(
        "Hierarchies: a set, a folder or COLUMN=FILE; repeatable. adult/five-year is a bundled set; a folder holds hierarchy "
        "files. The last one wins. Default: a bundled hierarchy that has the name of the column and covers its values, else one suggested from the values.",
        "SET",
        Panel.COLUMNS,
        is_common=True,
        completion="hierarchies",
        keyword_type=str | Path | Sequence[str] | Mapping[str, Any],
        default=(),
    )
    missing: Sequence[str | None] = option(
        "Value that counts as missing, such as '?' or 'n/a'; repeatable. Default: NULL; with detected roles also codes such as -99 that duckanon finds. none: only NULL.",
        "TOKEN",
        Panel.COLUMNS,
        "missing.tokens",
        default=(),
    )
    k: int | None = option(
        "Minimum size of an equivalence class; default 5. 1 requires nothing.", "K", Panel.REQUIREMENTS, is_common=True
    )
    entity: str | None = option(
        "Column that identifies persons: classes count them instead of rows; `none` counts rows. Default: a column that "
        "identifies persons and repeats.",
        "NAME",
        Panel.REQUIREMENTS,
        "entity",
    )
    require: Sequence[str] = option(
        "Privacy model, such as distinct-l=3 or t=0.2; repeatable. All models: k=5, distinct-l=3, entropy-l=3, recursive-cl=4,3, t=0.2 (t-ordered, t-hierarchical), "
        "alpha-k=0.5,5, beta=1, enhanced-beta=1, delta=1, delta-present=1, delta-presence=0.1,0.6, k-map=5, "
        "average-risk=0.05, highest-risk=0.09; add @COLUMN if several columns are sensitive.",
        "MODEL",
        Panel.REQUIREMENTS,
        is_common=True,
        completion="models",
        default=(),
    )
    adversary: Sequence[str] = option(
        "Someone who knows only these quasi-identifiers; repeatable. Each adversary has its own classes, and --k unless it gives another. "
        "By default, one adversary knows all quasi-identifiers.",
        "NAME=A,B[:k=10]",
        Panel.REQUIREMENTS,
        keyword_type=str | Sequence[str] | Mapping[str, Any],
        default=(),
    )
    any: int | None = option(
        "Adversaries who know any M of the quasi-identifiers, whichever: each set of M columns has its own classes. "
        "By default, one adversary knows all of them; where that loses much, the summary says what --any 3 would lose.",
        "M",
        Panel.REQUIREMENTS,
        "any",
        min=1,
    )
    policy: str | None = option(
        "Policy file, or a preset: internal (k = 5), research (k = 12), public (k = 20, and 2 values of each sensitive column in every "
        "class). Presets are conventions; they do not guarantee compliance.",
        "NAME|FILE.yaml",
        Panel.REQUIREMENTS,
        "policy",
        completion="policies",
        keyword_type=str | Path | None,
    )
    population: str | None = option(
        "Table that INPUT is a sample of, for k-map, delta-presence and the journalist's risk.",
        "FILE",
        Panel.REQUIREMENTS,
        "population",
        keyword_type=str | Path | None,
    )
    max_suppression: str | float | None = option(
        "Records that may be suppressed: 20 or 5%; default 5%. A number, a share (0.05) or a percentage.",
        "LIMIT",
        Panel.REQUIREMENTS,
        "suppression.limit",
        parse=str,
        is_common=True,
    )
    protect: Sequence[str] = option(
        "Released column, such as an outcome: each of its values may lose at most the share of its rows that --max-suppression "
        "allows for all rows, rounded down; repeatable.",
        "COLUMN",
        Panel.REQUIREMENTS,
        "protect",
        parse=names,
        default=(),
    )
    target: str | None = option(
        "Outcome that a study of the release is about, a released column: reports and compare say how its means, shares and a "
        "regression on the quasi-identifiers change. Default: up to three sensitive columns.",
        "COLUMN",
        Panel.REQUIREMENTS,
        "target",
    )
    algorithm: str | None = option(
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
    )
    time_limit: float | None = option(
        "End the search SECONDS after the start of the run, with the best result so far and a bound.",
        "SECONDS",
        Panel.SEARCH,
        "recoding.time-limit",
    )
    levels: Mapping[str, int] = option(
        "Skip the search and use these levels.", "A=2,B=0", Panel.SEARCH, "recoding.levels", parse=parsed_levels, default={}
    )
    ranges: str | None = option(
        "Write ranges of numbers and dates as labels (text, default), as two columns COLUMN_min and COLUMN_max (bounds), or as "
        "one column with their midpoint (midpoint).",
        words=Ranges,
        panel=Panel.OUTPUT,
        key="output.ranges",
    )
    microaggregate: Mapping[str, str] = option(
        "Replace the values of a column in each class by their mean, median, mode, interval or set; mean:0 rounds; repeatable.",
        "COLUMN=mean",
        Panel.OUTPUT,
        default={},
    )

    set: Mapping[str, Any] = option(
        "Set a key of the job: output.shuffle=false. Every key of the job file, and a YAML value; repeatable, and the values of a repeated key "
        "are a list. A column name with a dot or = is in double quotes: 'columns.\"zip.code\".max-loss=0.7'.",
        "KEY=VALUE",
        parse=keys.parsed_setting,
        adds_up=keys.repeated,
        is_common=True,
        default={},
    )

    @property
    def accepted(self) -> list[str]:
        """The risks that `set` accepts."""
        return [str(case) for case in keys.listed(self.set.get("accept") or [])]

    def names_key(self, key: str) -> bool:
        """Whether `set` names a key of the job, or one inside it."""
        return any(keys.parts(each)[0] == key for each in self.set)

    def __post_init__(self) -> None:
        """Raise `JobError` if a list of names is a single text: each letter would become a name."""
        for name, declaration in declared(type(self)).items():
            if declaration.kind is Sequence and isinstance(getattr(self, name), str | Mapping):
                raise JobError(f"Options needs a list of texts for {name}; only anonymize accepts a text or a mapping")


@dataclass(frozen=True)
class Run:
    """The execution of a job; nothing here decides what is released."""

    settings: Settings = field(default_factory=Settings)
    key_file: Path | None = option("HMAC key file (mode 0600); default: $DUCKANON_KEY.", "FILE", Panel.COLUMNS)
    overwrite: bool = option("Replace an output that exists.", panel=Panel.OUTPUT, default=False)
    report: Path | None = option(
        "Write a report; it contains values of the input. It is for those who approve the release.",
        "FILE.html",
        Panel.OUTPUT,
        is_common=True,
    )
    public_report: Path | None = option(
        "Write a report to be published: no value of the input, no count below k.", "FILE.html", Panel.OUTPUT
    )
    register: Path | None = option(
        "Register of releases (made if it does not exist): compare the release with earlier ones of the same input, or of the same persons, "
        "and record it. It contains original values.",
        "FILE.duckdb",
        Panel.OUTPUT,
    )
    dry_run: bool = option("Search, and write nothing.", panel=Panel.OUTPUT, is_common=True, default=False)
    standard_output: BinaryIO | None = None
    """The stream for the output `-`."""
