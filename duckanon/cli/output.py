"""The only writer of stdout and stderr: data goes to the one, narration to the other."""

import csv as csv_format
import io
import os
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from duckanon.errors import GuaranteeError

PROGRAM = "duckanon"


class Format(StrEnum):
    """How data is printed."""

    table = "table"
    csv = "csv"
    json = "json"


_UNBOUNDED = 10_000
INPUT_HELP = "Parquet, CSV or JSON lines (file, pattern in quotes, folder), FILE.duckdb::TABLE, or - for standard input."
OUTPUT_HELP = "Parquet or CSV file, FILE.duckdb::TABLE, or - for CSV on standard output; NAME.anonymized.parquet beside the input unless given."

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


def data(text: str) -> None:
    """What the user asked for, to stdout; a reader that has gone is no error."""
    try:
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Python would say so once more when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, right: Collection[int] = ()) -> str:
    """Aligned columns as plain text; `right` names those that are numbers."""
    found = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for number, head in enumerate(heads):
        found.add_column(head, justify="right" if number in right else "left", no_wrap=True)
    for row in rows:
        found.add_row(*map(Text, row))
    text = io.StringIO()
    Console(file=text, width=_UNBOUNDED, highlight=False, color_system=None).print(found)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def csv(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The same as CSV."""
    text = io.StringIO()
    writer = csv_format.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return text.getvalue()


def error(message: str, *more: str) -> None:
    """One plain line on stderr, and one for each further fault; those that begin with a blank are indented."""
    sys.stderr.write(f"{PROGRAM}: error: {' '.join(message.split())}\n")
    sys.stderr.writelines(f"{'  ' if line.startswith(' ') else ''}{' '.join(line.split())}\n" for line in more)


def console() -> Console:
    """The terminal behind stderr; colours only where it is one and `NO_COLOR` is not set."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


class Narrator:
    """Shows a run on stderr: notes and warnings as lines, passes and search as bars on a terminal."""

    def __init__(self, *, quiet: bool = False, verbose: bool = False) -> None:
        self._console = console()
        self._quiet = quiet
        self._verbose = verbose
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def note(self, message: str) -> None:
        if not self._quiet:
            self._console.print(Text(message))

    def warn(self, message: str) -> None:
        self._console.print(Text(f"warning: {message}", style="yellow"))

    def step(self, relation: str, rows: int | None, seconds: float) -> None:
        if self._verbose:
            self._console.print(
                Text(f"{relation}: {'a view' if rows is None else f'{rows:,} rows'}, {seconds:.3f} s", style="dim")
            )

    def stage(self, title: str, total: int | None = None) -> None:
        if self._quiet or not self._console.is_terminal:
            return
        columns = [TextColumn("{task.description}"), BarColumn(), TaskProgressColumn()]
        if total is not None:
            columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("nodes visited")]
        self._progress = Progress(*columns, TimeElapsedColumn(), console=self._console, transient=True)
        self._progress.start()
        self._task = self._progress.add_task(title, total=1 if total is None else total)

    def advance(self, done: float) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=done)

    def finish(self) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def summary(self, manifest: Mapping[str, Any]) -> None:
        """A run's document, for a reader."""
        if not self._quiet:
            self._console.print(_summary(manifest))


def told(carried_out: Callable[[], Mapping[str, Any]], narrator: Narrator, *, as_json: bool) -> None:
    """A run's document: as JSON on stdout, also where the promise cannot be kept, else as a summary."""
    from duckanon.manifest import dumps

    try:
        document = carried_out()
    except GuaranteeError as failure:
        if as_json and failure.manifest is not None:
            data(dumps(failure.manifest))
        raise
    if as_json:
        data(dumps(document))
    else:
        narrator.summary(document)


def _summary(manifest: Mapping[str, Any]) -> Table:
    rows, classes, recoding, metrics = (manifest[part] for part in ("rows", "classes", "recoding", "metrics"))
    objective = recoding["objective"]
    losses = ", ".join(f"{name} {loss:.3f}" for name, loss in metrics["loss_by_attribute"].items())
    share = rows["suppressed"] / max(1, rows["read"] - rows["missing"])
    kind = f"{objective['name']} ({objective['aggregate']})" if objective["aggregate"] else objective["name"]
    limit = manifest["suppression"]
    lines = {
        "rows": f"{rows['read']:,} read, {rows['missing']:,} dropped as missing, {rows['released']:,} released",
        **_nulls(manifest.get("nulls")),
        "suppressed": f"{rows['suppressed']:,} rows ({share:.2%}); the limit is {limit['limit']}"
        + (f", {limit['rows']:,} rows" if limit["limit"] != str(limit["rows"]) else " rows"),
        **_recoded(recoding),
        **_drift(manifest.get("drift")),
        "classes": f"{classes['count']:,}, the smallest of {classes['smallest']:,} rows, {classes['average']:,.1f} on average",
        **_checks(manifest["privacy"]),
        **_risk(manifest["risk"]),
        kind: f"{objective['value']:.6g}, {search(recoding)}",
        "loss by column": losses,
        "seconds": ", ".join(f"{part} {value:.2f}" for part, value in manifest["seconds"].items()),
    }
    if "output" in manifest:
        lines["released"] = f"{manifest['output']['path']}, verified as read back"
    if "job" in manifest:
        lines["job"] = f"{manifest['job']} says the roles that were guessed; look at it, correct it, run it with --job"
    if "frozen" in manifest:
        lines["recoding"] = f"frozen in {manifest['frozen']['path']}/, for duckanon apply; it holds original values"
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, line in lines.items():
        table.add_row(Text(name, style="bold"), Text(line))
    return table


def _recoded(recoding: Mapping[str, Any]) -> dict[str, str]:
    """The levels of every row, or the regions that are recoded apart."""
    if "partitions" in recoding:
        return {"partitions": f"{recoding['partitions']:,}, cut in {recoding['rounds']:,} rounds"}
    if "passes" in recoding:
        first, *more = recoding["passes"]
        others = f"; {len(more):,} more passes released the rest" if more else ""
        return {"passes": f"{levels(first['levels'])} for {first['rows']:,} rows{others}"}
    return {"levels": levels(recoding["levels"])}


def levels(levels: Mapping[str, int]) -> str:
    """A node as people read it."""
    return ", ".join(f"{name} {level}" for name, level in levels.items())


def search(recoding: Mapping[str, Any]) -> str:
    """How the recoding was found."""
    if recoding["algorithm"] == "levels":
        return "at the levels given, not searched"
    if "levels" not in recoding:
        stopped = f", stopped by the {recoding['stopped']}" if "stopped" in recoding else ""
        return f"by {recoding['algorithm']}{stopped}"
    return f"{_proof(recoding)}; {recoding['visited']:,} of {recoding['lattice']:,} nodes visited"


def check_name(check: Mapping[str, Any]) -> str:
    """A privacy model as a heading: its name, and what tells it apart."""
    variety = [check[key] for key in ("variant", "distance", "values", "bound") if key in check and check[key] != "all"]
    return " ".join([*variety, check["model"]])


def _nulls(nulls: Mapping[str, int] | None) -> dict[str, str]:
    if not nulls:
        return {}
    return {"NULL": "a value of its own; " + ", ".join(f"{name} {rows:,} rows" for name, rows in nulls.items())}


def _checks(checks: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """A line a model; where one is asked of several columns, or twice, they share it."""
    told: dict[str, list[str]] = {}
    for check in checks:
        told.setdefault(check_name(check), []).append(_check(check))
    return {name: "; ".join(lines) for name, lines in told.items()}


def _check(check: Mapping[str, Any]) -> str:
    if check["model"] == "k-anonymity" and check["column"] is not None:
        return (
            f"each record's own {check['column']}, {check['required']} at the most; the smallest class has {check['achieved']}"
        )
    of = f" persons ({check['of']})" if "of" in check else ""
    extra = "".join(f" with {name} = {check[name]:g}" for name in ("l", "k") if name in check)
    about = f"{check['column']}: " if check["column"] is not None else ""
    return f"{about}{check['required']:,.9g}{of}{extra} asked for, {figure(check['achieved'])} achieved"


def _risk(risk: Mapping[str, Any]) -> dict[str, str]:
    """What the prosecutor risks to find, before and after."""
    before, after = risk["before"], risk["after"]
    if after is None:
        return {}
    highest, average = ([one["prosecutor"][which] for one in (before, after)] for which in ("highest", "average"))
    return {
        "risk": f"highest {highest[0]:.3g}, now {highest[1]:.3g}; average {average[0]:.3g}, now {average[1]:.3g}; "
        f"unique records {before['uniques']:,}, now {after['uniques']:,}"
    }


def figure(number: float | None) -> str:
    """A figure as people read it; one that nothing bounds is called unbounded."""
    if number is None:
        return "unbounded"
    return f"{number:,}" if isinstance(number, int) else f"{number:.6g}"


def _proof(recoding: Mapping[str, Any]) -> str:
    """What is known of the node's objective."""
    objective = recoding["objective"]
    if objective["proven"]:
        return "proven optimal"
    if "decided_on" in recoding:
        return f"decided on the {recoding['decided_on']}"
    limit = f", stopped by the {recoding['stopped']}" if "stopped" in recoding else ""
    if recoding["algorithm"] == "optimal":
        return f"best found{limit}, lower bound {objective['bound']:.6g}, gap {objective['gap']:.1%}"
    return f"not proven optimal{limit}"


def _drift(drift: Mapping[str, Any] | None) -> dict[str, str]:
    if drift is None:
        return {}
    new = ", ".join(f"{name} {found['values']:,} in {found['rows']:,} rows" for name, found in drift["new_values"].items())
    return {
        "new values": new or "none",
        "classes below": f"{drift['classes_below']:,} with {drift['rows_below']:,} rows",
    }
