"""An SQL export as files of a dbt project: a model, the table that readers get, tests, and seeds of the lookup tables."""

import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from duckanon.engine.scratch import OWNER_ONLY_FOLDER
from duckanon.engine.staging import StagedFiles
from duckanon.errors import JobError, OutputError
from duckanon.export import dbt_files
from duckanon.export.labels import Label
from duckanon.export.script import preface
from duckanon.export.statements import Exported, LookupSource, statements_of, table_name

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
    source = dbt_files.source_name(table_name(table, "--table"), table)
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
        seed = self._new(f"ref('{dbt_files.seed_name(self._released, label)}')") if dbt_files.has_seed(label) else None
        return LookupSource([row for row in label.rows if not dbt_files.is_plain(row, label)], seed)

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
        "dbt_project.yml": dbt_files.project(),
        ".gitignore": "dbt_packages/\nlogs/\ntarget/\n",
        "models/sources.yml": dbt_files.sources(source),
        f"models/{released}.yml": dbt_files.models(exported, released, published, dialect),
        f"models/{published}.sql": f"-- Grant readers this table only: dbt build skips it if a test of {released} fails.\n"
        f"select * from {{{{ ref('{released}') }}}}\n",
        f"tests/{released}_satisfies_privacy.sql": f"{test}{references.resolved(exported.failing_classes)}\n",
        f"tests/{released}_leaves_few_rows_out.sql": f"{test}{references.resolved(exported.rows_left_out)}\n",
    }
    labels = [label for label in exported.labels if dbt_files.has_seed(label)]
    files |= {f"seeds/{dbt_files.seed_name(released, label)}.csv": dbt_files.seed_text(label) for label in labels}
    return files | ({f"seeds/{released}.yml": dbt_files.seeds(labels, released, dialect)} if labels else {})


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
