"""Why a release is what it is: its generalization levels, what costs most, and why a row or a class was suppressed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from duckanon import __version__
from duckanon.dataset.location import Source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Engine
from duckanon.engine.templates import render
from duckanon.errors import JobError
from duckanon.job.options import Run
from duckanon.observers import Observer, Silent
from duckanon.release import manifest
from duckanon.search.alternatives import alternatives, columns, runners_up
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult
from duckanon.search.trace import Visit
from duckanon.workflows import replay
from duckanon.workflows.record_outcome import Fate, fate_of_class, fate_of_row, parsed_labels
from duckanon.workflows.replay import Reopened

_LEAST_SECONDS, _PATIENCE = 1.0, 2.0
"""What searches for other promises may take together: the least, and how many times what the release's own search took."""


def explain(
    manifest_path: Path | str,
    *,
    source: str | Source | None = None,
    row: int | None = None,
    labels: Mapping[str, str] | Sequence[str] = (),
    run: Run | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Why a release has its generalization levels and its suppressed classes, and what the nearest other releases would be.

    With `row` (a place in the input, from 1 on) or `labels` (of a class, by column, or as COLUMN=LABEL) only the outcome of that
    row or class: whether it is released, the rules that it fails, and the changes that would keep it, the cheapest first. The
    document then has the keys `release` and `row` or `class`. The input is counted again; nothing is written.
    `source` names it where it has moved. Raises `JobError` or `InputError` where the manifest, the release or the input is not
    what it was.
    """
    run, observer = run or Run(), observer or Silent()
    if row is not None and labels:
        raise JobError("--row and --class both name what is to be explained; give one of them")
    reopened = replay.reopen(manifest.located(manifest_path), source, run)
    if row is not None and not 1 <= row <= reopened.manifest.rows.read:
        raise JobError(f"row {row:,} does not exist: the input has rows 1 to {reopened.manifest.rows.read:,}")
    with DuckDBEngine(run.settings, observer) as engine:
        counted, decided, recoding = replay.recount(engine, reopened)
        release = reopened.manifest.output.path
        if row is not None:
            return {"release": release, "row": {"row": row, **_fate(fate_of_row(engine, counted, decided, row))}}
        if labels:
            names = [attribute.name for attribute in counted.attributes]
            class_labels = labels if isinstance(labels, Mapping) else parsed_labels(labels, names)
            return {"release": release, "class": _fate(fate_of_class(engine, counted, decided, class_labels))}
        for statement in recoding.listed_statements():
            engine.create_table(statement)
        visits = replay.visits_in(reopened.folder)
        document = _document(engine, reopened, counted, decided, visits)
        document["alternatives"] = alternatives(
            engine, counted, document["runners_up"], max(_LEAST_SECONDS, _PATIENCE * reopened.manifest.seconds.search)
        )
        return document


def _document(
    engine: Engine, reopened: Reopened, counted: Counted, decided: SearchResult, visits: Sequence[Visit]
) -> dict[str, Any]:
    content = reopened.manifest
    return {
        "duckanon": __version__,
        "release": content.output.path,
        "recoding": content.recoding.document(),
        "loss": content.metrics.loss,
        "rows": content.rows.document(),
        "runners_up": runners_up(decided, visits),
        "columns": columns(engine, counted, decided),
        "suppressed": suppressed(engine),
    }


def suppressed(engine: Engine) -> list[dict[str, Any]]:
    """The reasons why classes were removed, with these classes and their rows, from the relation `suppressed`."""
    rows = engine.query(render("release/suppressed_by_reason"))
    return [{"reason": reason, "classes": int(classes), "rows": int(count)} for reason, classes, count in rows]


def _fate(fate: Fate) -> dict[str, Any]:
    return {
        "status": fate.status,
        "class": dict(fate.labels),
        "rows": fate.rows,
        "rules": [dict(rule) for rule in fate.rules],
        "changes": [dict(change) for change in fate.changes],
        "cheapest": dict(fate.changes[0]) if fate.changes else None,
        **({} if fate.is_searched else {"note": "more nodes than were looked at might keep it"}),
    }
