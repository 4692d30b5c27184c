"""The text of an SQL export: three independent statements with comments, and a comment about their origin and limits at the start."""

import csv
from collections.abc import Sequence
from pathlib import Path

from duckanon import __version__
from duckanon.engine.scratch import OWNER_ONLY, OWNER_ONLY_FOLDER
from duckanon.engine.templates import environment
from duckanon.errors import OutputError
from duckanon.export import requirement as thresholds
from duckanon.export.labels import Label
from duckanon.export.statements import LookupSource, OpenedRelease, statements_of, table_name
from duckanon.hierarchy.attributes import levels_of
from duckanon.privacy.registry import as_written
from duckanon.release import manifest
from duckanon.release.manifest_model.document import ReleaseManifest

_TITLES = (
    "1. The release.",
    "2. The classes of the release that fail the requirements; no rows: the release satisfies them.",
    "3. The rows left out.",
)


def export_sql(
    manifest_path: Path | str,
    *,
    dialect: str = "duckdb",
    table: str = "input",
    released: str = "released",
    like: str | None = None,
    lookup_folder: Path | str | None = None,
) -> str:
    """The saved recoding of a release as SQL that another engine runs on `table`, which has the columns of the first input.

    The column types are those of `like`, by default of the first input. Lookup tables are part of the text, or CSV files in
    `lookup_folder` for tables of the same names. Raises `JobError` if the engines have no SQL with the same meaning, and
    `InputError` or `OutputError` if a file cannot be read or written.
    """
    exported = statements_of(
        Path(manifest_path),
        dialect=dialect,
        table=table_name(table, "--table"),
        released=table_name(released, "--released"),
        like=like,
        lookup=lambda label: LookupSource(label.rows if lookup_folder is None else None),
    )
    written = _write_lookups(Path(lookup_folder), exported.labels) if lookup_folder is not None else []
    comment = preface(
        exported.release, exported.labels, Path(manifest_path), dialect, table, released, [str(file) for file in written]
    )
    statements = (exported.released, exported.failing_classes, exported.rows_left_out)
    parts = [f"-- {title}\n{statement};" for title, statement in zip(_TITLES, statements, strict=True)]
    return "\n\n".join([comment, *parts])


def _write_lookups(folder: Path, labels: Sequence[Label]) -> list[Path]:
    """Write `lookup_N.csv` for each quasi-identifier with a lookup table; raises `OutputError` if a file exists."""
    files = {folder / f"lookup_{label.number}.csv": label for label in labels if label.is_listed}
    if taken := next((file for file in files if file.exists()), None):
        raise OutputError(f"{str(taken)!r} already exists; name another folder with --lookups")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=OWNER_ONLY_FOLDER)
        for file, label in files.items():
            file.touch(mode=OWNER_ONLY, exist_ok=False)
            with file.open("w", newline="", encoding="utf-8") as text:
                writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
                writer.writerow(["value", "label"] if label.has_labels else ["value"])
                writer.writerows([row.text, row.label] if label.has_labels else [row.text] for row in label.rows)
    except OSError as error:
        raise OutputError(f"--lookups {str(folder)!r} cannot be written: {error.strerror}") from error
    return list(files)


def preface(
    release: OpenedRelease,
    labels: Sequence[Label],
    path: Path,
    dialect: str,
    table: str,
    released: str,
    files: Sequence[str],
    *,
    published: str | None = None,
) -> str:
    """The comment at the start of the text; names are quoted as in Python, so that each is on one line.

    `published` names the model of a dbt project that readers get.
    """
    document = manifest.read(path, ReleaseManifest)
    requirement = release.plan.requirement
    template = environment().get_template("export/preface.jinja")
    levels = levels_of(release.attributes, release.node)
    return template.render(
        version=__version__,
        manifest=repr(path.name),
        release=repr(document.output.path),
        fingerprint=document.saved_recoding.sha256,
        dialect=dialect,
        table=repr(table),
        released=repr(released),
        published=published,
        columns=", ".join(f"{column.name!r} {_single_line(column.file_type)}" for column in release.columns),
        required=[_single_line(text) for text in thresholds.requirement_texts(requirement)],
        levels=[f"{name!r} {level}" for name, level in levels.items()],
        limit=release.job.suppression.limit,
        lookups=_lookup_lines(labels, files) if published is None else [],
        notes=_notes(release, labels, dialect, "statement 2" if published is None else "the test of the classes"),
        holder="The project holds" if published is not None else "The lookup tables hold" if files else "This text holds",
    ).rstrip()


def _lookup_lines(labels: Sequence[Label], files: Sequence[str]) -> list[str]:
    """The content of each lookup table, and the file to load it from."""
    listed = [label for label in labels if label.is_listed]
    places = [f"; load it from {file!r}" for file in files] or [""] * len(listed)
    return [
        f"lookup_{label.number}: the {len(label.rows):,} values of {label.name!r} that are covered ({label.column.type})"
        f"{', and their labels' if label.has_labels else ''}{place}"
        for label, place in zip(listed, places, strict=True)
    ]


def _notes(release: OpenedRelease, labels: Sequence[Label], dialect: str, judge: str) -> list[str]:
    """Other differences from duckanon apply."""
    requirement = release.plan.requirement
    shown = [column.name for column in release.plan.released]
    part = thresholds.in_release(requirement, shown).models
    unseen = [as_written(model) for model in requirement.others if model not in part]
    unseen += ["the persons"] if requirement.k.entity else []
    unseen += ["the records' own k"] if requirement.k.k_column else []
    notes = (
        [f"{judge} cannot check {', '.join(map(_single_line, unseen))}, which the released table does not show;"]
        if unseen
        else []
    )
    if release.job.keep_suppressed_rows:
        notes.append("masked records are not counted as left out;")
    if requirement.entropies:
        notes.append("a class whose entropy is within 1e-9 of the bound is left out; duckanon apply computes more digits;")
    if any(label.as_text and not label.column.is_text for label in labels):
        notes.append("columns in which missing values or stars show the label of the top are text;")
    notes += [f"{limits} are left out;" for limits in sorted({label.limits for label in labels if label.limits})]
    if dialect == "spark":
        notes.append("set spark.sql.variable.substitute=false before; otherwise Spark replaces ${...} in texts.")
    return notes


def _single_line(text: str) -> str:
    """A text with a column name, on one line for a comment."""
    return repr(text)[1:-1]
