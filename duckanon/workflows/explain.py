"""Explain a release: its generalization levels, its information loss, and why rows and classes were suppressed."""

from collections.abc import Mapping, Sequence
from numbers import Integral
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
from duckanon.release.manifest_model.document import ReleaseManifest
from duckanon.search.advice import alternatives, columns, runners_up
from duckanon.search.count import Counted
from duckanon.search.result import SearchResult
from duckanon.search.trace import Visit
from duckanon.workflows import replay
from duckanon.workflows.record_outcome import outcome_of_class, outcome_of_row, parsed_labels
from duckanon.workflows.replay import Reopened

_LEAST_SECONDS, _PATIENCE, _LEAST_NODES = 1.0, 1.5, 60
"""Searches for other requirements may visit the nodes that the search of the release would have visited in these seconds, or in
this multiple of its own, and always so many. A limit of nodes gives the same explanation each time."""


def explain(
    manifest_path: Path | str,
    *,
    source: str | Source | None = None,
    row: int | None = None,
    labels: Mapping[str, str] | Sequence[str] = (),
    run: Run | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Explain the generalization levels and the suppressed classes of a release, and describe the nearest other releases.

    With `row` (a position in the input, from 1) or `labels` (of a class, by column, or as COLUMN=LABEL) explain only that row or
    class: whether it is released, the requirements that it fails, and the changes that would keep it, with the least loss first.
    The document then has the keys `release` and `row` or `class`. The input is counted again; nothing is written.
    `source` names the input if it has moved. Raises `JobError` or `InputError` if the manifest, the release or the input was
    changed.
    """
    run, observer = run or Run(), observer or Silent()
    if row is not None and labels:
        raise JobError("--row and --class cannot be combined; give one of them")
    if row is not None and not isinstance(row, Integral):
        raise JobError(f"row needs a whole number, not {type(row).__name__}")
    reopened = replay.reopen(manifest.located(manifest_path), source, run)
    if row is not None and not 1 <= row <= reopened.manifest.rows.read:
        raise JobError(f"row {row:,} does not exist: the input has rows 1 to {reopened.manifest.rows.read:,}")
    with DuckDBEngine(run.settings, observer) as engine:
        counted, decided, recoding = replay.recount(engine, reopened)
        release = reopened.manifest.output.path
        if row is not None:
            return {"release": release, "row": {"row": row, **outcome_of_row(engine, counted, decided, row).document()}}
        if labels:
            names = [attribute.name for attribute in counted.attributes]
            class_labels = labels if isinstance(labels, Mapping) else parsed_labels(labels, names)
            return {"release": release, "class": outcome_of_class(engine, counted, decided, class_labels).document()}
        engine.create_view(recoding.explained_statement())
        visits = replay.visits_in(reopened.folder)
        document = _document(engine, reopened, counted, decided, visits)
        document["alternatives"] = alternatives(
            engine, counted, decided, document["runners_up"], _most_nodes(reopened.manifest)
        )
        return document


def _most_nodes(content: ReleaseManifest) -> int:
    """The nodes that all searches for other requirements may visit, by the manifest."""
    seconds = max(content.seconds.search, 0.001)
    visited = content.recoding.document().get("visited", 1)
    return max(_LEAST_NODES, int(visited * max(_LEAST_SECONDS / seconds, _PATIENCE)))


def _document(
    engine: Engine, reopened: Reopened, counted: Counted, decided: SearchResult, visits: Sequence[Visit]
) -> dict[str, Any]:
    content = reopened.manifest
    return {
        "duckanon": __version__,
        "release": content.output.path,
        "recoding": content.recoding.document(),
        "loss": content.metrics.loss,
        "loss_with_dropped": content.metrics.loss_with_dropped,
        "lost_columns": content.lost_columns or [],
        "rows": content.rows.document(),
        "runners_up": runners_up(decided, visits),
        "columns": columns(engine, counted, decided),
        "suppressed": suppressed(engine),
    }


def suppressed(engine: Engine) -> list[dict[str, Any]]:
    """The reasons for suppressed classes, with the numbers of classes and rows, from the relation `suppressed`."""
    rows = engine.query(render("release/suppressed_by_reason"))
    return [{"reason": reason, "classes": int(classes), "rows": int(count)} for reason, classes, count in rows]
