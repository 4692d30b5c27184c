"""An SQL export as a dbt project: a model, the table that readers get, tests, and seeds of the lookup tables, CSV files in which every value is text."""

import csv
import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

import yaml

from duckanon.engine.scratch import OWNER_ONLY_FOLDER
from duckanon.engine.staging import StagedFiles
from duckanon.errors import JobError, OutputError
from duckanon.export.labels import Label, ListedLabels
from duckanon.export.requirement import requirement_texts
from duckanon.export.script import preface
from duckanon.export.statements import Exported, LookupSource, statements_of, table_name
from duckanon.privacy.registry import as_written

_RANDOM = {"bigquery": "rand()", "spark": "rand()"}
"""The random number of engines that do not call it `random()`."""
_SHARED = ("dbt_project.yml", ".gitignore", "models/sources.yml")
"""Files that other models of the project use too: if they exist, they stay unchanged."""


def export_dbt(
    manifest_path: Path | str,
    folder: Path | str,
    *,
    dialect: str = "duckdb",
    table: str = "input",
    released: str = "released",
    like: str | None = None,
    overwrite: bool = False,
) -> list[Path]:
    """Write the saved recoding of a release as a dbt project for `table`, as `schema.name`; return the written files.

    `released` names the model. With `overwrite`, the files of this model are replaced in an existing folder; all other files,
    `dbt_project.yml`, `.gitignore` and `models/sources.yml` stay. Raises `JobError` if dbt or the engine cannot have such a
    release, and `InputError` or `OutputError` if a file cannot be read or written.
    """
    folder, manifest_path = Path(folder), Path(manifest_path)
    source = _source_name(table_name(table, "--table"), table)
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", released):
        raise JobError(
            f"--released {released!r} is not a name for a dbt model; use letters, digits and _, such as people_released"
        )
    _check(folder, overwrite=overwrite)
    references = _References(source, released)
    exported = statements_of(
        manifest_path,
        dialect=dialect,
        table=(references.source,),
        released=(references.released,),
        like=like,
        lookup=references.lookup,
        is_limited=True,
    )
    files = _files(exported, references, source, released, dialect)
    comment = preface(
        exported.release, exported.labels, manifest_path, dialect, table, released, [], published=published_name(released)
    )
    files[f"models/{released}.sql"] = (
        # the order of the source can disclose who a row is
        f"{_safe(comment)}\n{references.resolved(exported.released)}\norder by {_RANDOM.get(dialect, 'random()')}\n"
    )
    is_kept = {name for name in _SHARED if (folder / name).exists()}
    written = _write(folder, {name: text for name, text in files.items() if name not in is_kept}, overwrite=overwrite)
    if overwrite:
        _remove_stale(folder, released, files)
    return written


def published_name(released: str) -> str:
    """The model that readers get: it depends on the tests of the released one."""
    return f"{released.removesuffix('_released')}_published"


class _References:
    """Stand-ins for table names in the statements, which become dbt's references. They are random: no value contains one."""

    def __init__(self, source: tuple[str, ...], released: str) -> None:
        self._targets: dict[str, str] = {}
        self._released = released
        self.source = self._new(f"source('{source[-2]}', '{source[-1]}')")
        self.released = self._new(f"ref('{released}')")

    def _new(self, target: str) -> str:
        name = f"duckanon_{secrets.token_hex(16)}"
        self._targets[name] = f"{{{{ {target} }}}}"
        return name

    def lookup(self, label: Label) -> LookupSource:
        """The seed of a lookup table, and the rows that no seed can hold."""
        seed = self._new(f"ref('{_seed_name(self._released, label)}')") if _has_seed(label) else None
        return LookupSource([row for row in label.rows if not _is_plain(row, label)], seed)

    def resolved(self, statement: str) -> str:
        """A statement as dbt reads it: references in place of the names, all other braces as text."""
        pieces = re.split(rf"""["`]({"|".join(self._targets)})["`]""", statement)
        return "".join(self._targets.get(piece) or _safe(piece) for piece in pieces)


def _safe(text: str) -> str:
    """A text that Jinja leaves as it is: values and names can contain `{{`, and Jinja replaces carriage returns."""
    return text.replace("{", "{{ '{' }}").replace("\r", "{{ '\\r' }}")


def _files(exported: Exported, references: _References, source: tuple[str, ...], released: str, dialect: str) -> dict[str, str]:
    """The text of each file but the model, by its path in the project."""
    published = published_name(released)
    test = "{{ config(store_failures=false) }}\n"
    files = {
        "dbt_project.yml": _project(),
        ".gitignore": "dbt_packages/\nlogs/\ntarget/\n",
        "models/sources.yml": _sources(source),
        f"models/{released}.yml": _models(exported, released, published, dialect),
        f"models/{published}.sql": f"-- Grant readers this table only: dbt build skips it if a test of {released} fails.\n"
        f"select * from {{{{ ref('{released}') }}}}\n",
        f"tests/{released}_satisfies_privacy.sql": f"{test}{references.resolved(exported.failing_classes)}\n",
        f"tests/{released}_leaves_few_rows_out.sql": f"{test}{references.resolved(exported.rows_left_out)}\n",
    }
    labels = [label for label in exported.labels if _has_seed(label)]
    files |= {f"seeds/{_seed_name(released, label)}.csv": _seed_text(label) for label in labels}
    return files | ({f"seeds/{released}.yml": _seeds(labels, released, dialect)} if labels else {})


def _check(folder: Path, *, overwrite: bool) -> None:
    """Raise `OutputError` if the folder cannot be made, or has files and `overwrite` is false."""
    name = str(folder)
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"output {name!r} is a file, and --as dbt writes a folder; name another")
    if folder.is_dir() and any(folder.iterdir()) and not overwrite:
        raise OutputError(
            f"output folder {name!r} is not empty; give --overwrite to replace the files of this model in it, or name another"
        )
    if not folder.absolute().parent.is_dir():
        raise OutputError(
            f"the folder {str(folder.absolute().parent)!r} of the output does not exist; make it, or name another"
        )


def _write(folder: Path, files: Mapping[str, str], *, overwrite: bool) -> list[Path]:
    """Publish all files together; after a failure, no new file or folder is left."""
    paths = {folder / name: text for name, text in sorted(files.items())}
    made = [place for place in dict.fromkeys([folder, *(path.parent for path in paths)]) if not place.exists()]
    try:
        for place in made:
            place.mkdir(mode=OWNER_ONLY_FOLDER)
        with StagedFiles() as staged:
            for path, text in paths.items():
                staged.write(path, text, overwrite=overwrite, is_private=True)
            staged.publish()
    except BaseException as error:
        for place in reversed(made):
            with suppress(OSError):
                place.rmdir()
        if isinstance(error, OSError):
            raise OutputError(f"output folder {str(folder)!r} cannot be written: {error.strerror}") from error
        raise
    return list(paths)


def _remove_stale(folder: Path, released: str, files: Mapping[str, str]) -> None:
    """Remove seeds of an earlier export of this model: they contain original values."""
    for pattern in (f"{released}_lookup_*.csv", f"{released}.yml"):
        for path in (folder / "seeds").glob(pattern):
            if f"seeds/{path.name}" not in files:
                path.unlink()


_TEXT = {"bigquery": "string", "spark": "string"}
"""The type of text in engines that do not call it varchar."""
_SIMPLE_TYPE = re.compile(r"[A-Z_]+(\(\d+,\d+\))?")
_MAY_CHANGE = frozenset("\"'\\")
"""Characters that readers of CSV treat in different ways."""


def _source_name(parts: tuple[str, ...], table: str) -> tuple[str, ...]:
    """The parts of the name of a source; raises `JobError` if dbt cannot have such a source."""
    if len(parts) not in (2, 3):
        raise JobError(f"--table {table!r} is not a table with its schema, which a dbt source needs; write schema.name")
    if not all(_is_quotable(part) for part in parts):
        raise JobError(
            f"--table {table!r} has a quote, brace or backslash, which dbt cannot quote; make a view with another name"
        )
    return parts


def _project() -> str:
    """`dbt_project.yml`."""
    return _dump(
        {
            "name": "releases",
            "version": "1.0.0",
            "config-version": 2,
            "profile": "releases",
            "flags": {"send_anonymous_usage_stats": False},
        }
    )


def _sources(parts: Sequence[str]) -> str:
    """`models/sources.yml`: the table to release."""
    *database, schema, name = parts
    quoting = dict.fromkeys(["database"] * len(database) + ["schema", "identifier"], True)
    place = {"database": database[0]} if database else {}
    return _dump({"sources": [{"name": schema, **place, "schema": schema, "quoting": quoting, "tables": [{"name": name}]}]})


def _models(exported: Exported, released: str, published: str, dialect: str) -> str:
    """The properties of both models: tables, their columns, and which columns are never NULL."""
    columns = [_column(exported, column) for column in exported.columns]
    types = [_type_of(exported, column) for column in exported.columns]
    is_plain = all(_is_quotable(column["name"]) for column in exported.columns)
    config: dict[str, Any] = {"materialized": "table"}
    if dialect == "duckdb" and is_plain and all(_SIMPLE_TYPE.fullmatch(type) for type in types):
        config["contract"] = {"enforced": True}
        columns = [{**column, "data_type": type.lower()} for column, type in zip(columns, types, strict=True)]
    required = "; ".join(requirement_texts(exported.release.plan.requirement))
    return _dump(
        {
            "models": [
                {
                    "name": released,
                    "description": _safe(f"Release with {required}. Not for readers: it exists before it is tested."),
                    "config": config,
                    "columns": columns,
                },
                {
                    "name": published,
                    "description": _safe(f"The rows of {released}, after its tests. Grant readers this table only."),
                    "config": {"materialized": "table"},
                },
            ]
        }
    )


def _seeds(labels: Sequence[Label], released: str, dialect: str) -> str:
    """The properties of the seeds: every column is text, and no value is lost or doubled."""
    text = _TEXT.get(dialect, "varchar")
    return _dump(
        {
            "seeds": [
                {
                    "name": _seed_name(released, label),
                    "description": _safe(
                        f"Original values of {label.name!r} that are covered. Never grant readers this table."
                    ),
                    "config": {"column_types": dict.fromkeys(_columns_of(label), text), "quote_columns": False},
                    "columns": [
                        {"name": name, "data_tests": ["not_null", "unique"] if name == "value" else ["not_null"]}
                        for name in _columns_of(label)
                    ],
                }
                for label in labels
            ]
        }
    )


def _seed_name(released: str, label: Label) -> str:
    """The name of the seed of a lookup table."""
    return f"{released}_lookup_{label.number}"


def _has_seed(label: Label) -> bool:
    """Whether a seed holds rows of the lookup table of a quasi-identifier."""
    return label.is_listed and any(_is_plain(row, label) for row in label.rows)


def _is_plain(row: ListedLabels, label: Label) -> bool:
    """Whether every adapter of dbt reads the row as written. dbt reads empty text and `null` as NULL, and changes line breaks."""
    return all(
        text is not None
        and text.isprintable()
        and text == text.strip()
        and text.casefold() not in ("", "null")
        and _MAY_CHANGE.isdisjoint(text)
        for text in _cells(row, label)
    )


def _seed_text(label: Label) -> str:
    """The seed: columns `value` and, if the recoding changes values, `label`."""
    text = StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(_columns_of(label))
    writer.writerows(_cells(row, label) for row in label.rows if _is_plain(row, label))
    return text.getvalue()


def _columns_of(label: Label) -> list[str]:
    """The names of the columns of the seed."""
    return ["value", "label"] if label.has_labels else ["value"]


def _cells(row: ListedLabels, label: Label) -> list[str | None]:
    # floating-point numbers have names for infinity that every engine reads
    value = str(row.value.value) if row.value.type == "double" else row.text
    return [value, row.label] if label.has_labels else [value]


def _column(exported: Exported, column: Mapping[str, Any]) -> dict[str, Any]:
    name = column["name"]
    described = {"name": _safe(name), "quote": True, "description": _description(exported, column)}
    # dbt writes the name of a tested column into SQL between quotes, without doubling those in the name
    is_tested = _is_quotable(name) and _is_never_null(exported, column)
    return {**described, "data_tests": ["not_null"]} if is_tested else described


def _description(exported: Exported, column: Mapping[str, Any]) -> str:
    if column["label"] is not None:
        return f"Quasi-identifier, level {exported.labels[column['label'] - 1].level} of its hierarchy."
    if column["name"] in exported.release.plan.requirement.sensitive:
        models = [model for model in exported.release.plan.requirement.others if model.sensitive == column["name"]]
        return _safe(f"Sensitive attribute, released unchanged; {', '.join(as_written(model) for model in models)}.")
    return "Released as '*'." if column["shows"] == "star" else "Retained column."


def _is_never_null(exported: Exported, column: Mapping[str, Any]) -> bool:
    """Whether NULL has a label, excludes its row, or is replaced by a star."""
    if ((missing := exported.dropped.get(column["name"])) is not None and missing.null) or column["shows"] == "star":
        return True
    if column["label"] is None:
        return False
    label = exported.labels[column["label"] - 1]
    return label.null_label is not None or bool(label.missing and label.missing.null)


def _type_of(exported: Exported, column: Mapping[str, Any]) -> str:
    """The type of a released column in DuckDB."""
    by_name = {source.name: source.type for source in exported.release.plan.released}
    if column["shows"] == "star":
        return "VARCHAR"
    if column["label"] is None:
        return str(column["cast"] or by_name[column["name"]]).upper()
    label = exported.labels[column["label"] - 1]
    return label.column.type if label.form == "value" and not label.as_text and not label.is_enum else "VARCHAR"


def _is_quotable(name: str) -> bool:
    """Whether dbt and its adapters can quote a name."""
    return name.isprintable() and not set(name) & set("\"'`\\{}%")


def _dump(content: Any) -> str:
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1_000)
