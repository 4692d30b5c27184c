"""The register of releases: an internal DuckDB file with the manifest, the saved recoding and the classes of each release.

Releases of the same persons are safe together only if their classes still have k records where they intersect. The register
holds what is needed to see that: for each release the class of each set of quasi-identifier values, or of each person as a
hash. Hashes of rows tell whether it was made from the records of another file. It contains original values, so only its owner may read it (mode 0600).
"""

import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from stat import S_IMODE, S_IRWXG, S_IRWXO
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement, render
from duckanon.errors import EngineError, JobError, LockedFile, OutputError, did_you_mean
from duckanon.release.manifest_model.document import ReleaseManifest
from duckanon.release.manifest_model.files import READING

DATABASE = "register"
"""The name of the attached database."""
VERSION = 1
_TABLES = {"register", "releases"}
_PARTS = ("value_sets", "texts", "withheld", "persons", "records", "files", "comparisons")
"""The tables of one release; their names end in its number."""
_open: set[Path] = set()
"""The registers that this process has open: the database's lock keeps out other processes only."""


@dataclass(frozen=True)
class Pair:
    """A release and an earlier one."""

    number: int
    """The number of the earlier release."""
    few: int
    """The records, or persons, whose two classes fewer than k share."""
    smallest: int | None
    """The smallest intersection of two classes; None if no record is in both releases."""


@dataclass(frozen=True)
class Registered:
    """A release of the register."""

    number: int
    registered: str
    """When it was registered: UTC, ISO 8601."""
    path: Path
    """Its manifest."""
    source: str
    """The input: an absolute path, or the name of a table."""
    k: int
    entity: str | None
    """The column that identifies persons, if it counts them."""
    quasi_identifiers: tuple[str, ...]
    manifest: ReleaseManifest
    has_withheld: bool
    """Whether it left out rows that it would have isolated; the register has their quasi-identifier values, unless it counts persons."""
    has_records: bool
    """Whether the register has hashes of its input's rows; not before version 0.3."""

    @property
    def name(self) -> str:
        """The name of the release's file."""
        return Path(self.manifest.output.path).name


class Register:
    """An open register."""

    def __init__(self, engine: Engine, path: Path, salt: str) -> None:
        self._engine, self.path, self.salt = engine, path, salt
        self._inode = path.stat().st_ino
        tables = {name for _, name, _ in engine.tables(DATABASE)}
        self.releases = [
            Registered(
                number,
                registered,
                Path(manifest),
                source,
                k,
                entity,
                tuple(json.loads(names)),
                ReleaseManifest.model_validate(json.loads(content), context=READING),
                f"withheld_{number}" in tables,
                f"records_{number}" in tables,
            )
            for number, registered, manifest, source, k, entity, names, content in _registered(engine)
        ]

    @property
    def next_number(self) -> int:
        """The number of the next release."""
        return max((release.number for release in self.releases), default=0) + 1

    def smallest_intersections(self, number: int) -> dict[int, int | None]:
        """By earlier release with which a release was compared when it was registered, the smallest intersection of two classes."""
        if (f"comparisons_{number}", "main") not in {(name, schema) for schema, name, _ in self._engine.tables(DATABASE)}:
            return {}
        compared = render("dataset/copy", database=DATABASE, relation=f"comparisons_{number}", columns=["_number", "smallest"])
        return dict(sorted(self._engine.query(compared)))

    def keep_classes(
        self,
        quasi_identifiers: Sequence[str],
        folder: Path,
        pairs: Sequence[Pair],
        *,
        of_persons: bool,
        withheld: Mapping[str, Any] | None,
    ) -> None:
        """Save what `current_classes` has of the new release, the rows left out, the files of its saved recoding, and its comparisons.

        `withheld` has the parameters of the template of the rows left out; None if there are none.
        """
        number, names = self.next_number, list(quasi_identifiers)
        statements = (
            [self.hashes(f"persons_{number}", "current_classes", "_person", name="_person", has_classes=True)]
            if of_persons
            else [
                render("register/value_sets", f"value_sets_{number}", quasi_identifiers=names),
                render("register/texts", f"texts_{number}", quasi_identifiers=names),
            ]
        )
        if withheld is not None and not of_persons:
            statements.append(render("register/withheld", f"withheld_{number}", **withheld))
        statements.append(render("dataset/copy", f"records_{number}", relation="current_records"))
        statements.append(render("register/files", f"files_{number}", files=f"{folder.absolute()}/*"))
        if pairs:
            compared = [[pair.number, pair.smallest] for pair in pairs]
            statements.append(_rows(f"comparisons_{number}", {"_number": "integer", "smallest": "bigint"}, compared))
        for part in _PARTS:
            self._engine.discard(f"{part}_{number}", DATABASE)
        with _private():
            for statement in statements:
                self._engine.save(statement, DATABASE, stage="saving the classes of the release in the register")

    def add(self, manifest: ReleaseManifest, path: Path, source: str, k: int, entity: str | None, names: Sequence[str]) -> None:
        """Register a release whose classes are kept; raises `OutputError` if the register was deleted or replaced meanwhile."""
        try:
            is_same = self.path.stat().st_ino == self._inode
        except OSError:
            is_same = False
        if not is_same:
            raise OutputError(
                f"register {str(self.path)!r} was deleted or replaced during the run; nothing was released: restore it and run again"
            )
        registered, documents = datetime.now(UTC).isoformat(timespec="seconds"), [[*names], manifest.document()]
        texts = [json.dumps(document, default=str) for document in documents]
        self._write(self.next_number, [[self.next_number, registered, str(path.absolute()), source, k, entity, *texts]])

    def withdraw(self) -> None:
        """Remove the release that this run added."""
        self._write(self.next_number)

    def forget(self, number: int) -> None:
        """Delete a release, and write the file again, so that it holds no value of the release."""
        self._write(number)
        for part in _PARTS:
            self._engine.discard(f"{part}_{number}", DATABASE)
        fresh = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with _private():
                self._engine.copy_tables(DATABASE, fresh)
            self._engine.detach(DATABASE)
            fresh.replace(self.path)
        finally:
            fresh.unlink(missing_ok=True)

    def release(self, name: str) -> Registered:
        """The release with a number, or with the name of its file; raises `JobError` if there is none, or several."""
        chosen = [release for release in self.releases if name in (str(release.number), release.name, str(release.path))]
        if len(chosen) == 1:
            return chosen[0]
        if chosen:
            numbers = ", ".join(str(release.number) for release in chosen)
            raise JobError(f"register {str(self.path)!r} has several releases named {name!r}; give a number: {numbers}")
        known = [*(release.name for release in self.releases), *(str(release.number) for release in self.releases)]
        raise JobError(f"register {str(self.path)!r} has no release {name!r}{did_you_mean(name, dict.fromkeys(known))}")

    def hashes(
        self, relation: str, source: str, text: str, *, name: str = "_hash", has_classes: bool = False, most: int | None = None
    ) -> Statement:
        """Build the salted hashes of the text of each row of a relation: all of them, or the smallest ones."""
        about = {"relation": source, "text": text, "name": name, "has_classes": has_classes, "most": most}
        return render("register/hashes", relation, salt=self.salt, **about)

    def _write(self, number: int, added: Sequence[Sequence[Any]] = ()) -> None:
        """Replace or delete a release."""
        with _private():
            self._engine.save(_rows("releases", _RELEASE, added, without=number), DATABASE)


_RELEASE = {
    "_number": "integer",
    "registered": "varchar",
    "path": "varchar",
    "source": "varchar",
    "k": "integer",
    "entity": "varchar",
    "quasi_identifiers": "varchar",
    "manifest": "varchar",
}
"""The columns of the table of releases, with their types."""


def _rows(relation: str, types: Mapping[str, str], rows: Sequence[Sequence[Any]], *, without: int | None = None) -> Statement:
    """Build a table of these rows; `releases` also keeps the rows that it has, except that of the release `without`."""
    columns = {name: (type, [row[place] for row in rows]) for place, (name, type) in enumerate(types.items())}
    return render("register/rows", relation, columns=columns, register=DATABASE, without=without)


def _registered(engine: Engine) -> list[tuple[Any, ...]]:
    """The registered releases, in the order of their numbers."""
    return sorted(engine.query(render("dataset/copy", database=DATABASE, relation="releases", columns=[*_RELEASE])))


@contextmanager
def open_register(engine: Engine, path: Path, *, must_exist: bool = False) -> Iterator[Register]:
    """Open a register, or make a new one; raises `JobError` or `OutputError` if it cannot be used.

    A new register without a release is removed at the end.
    """
    place = path.resolve()
    is_new = _is_new(path, must_exist=must_exist)
    if place in _open:
        raise _busy(path)
    _open.add(place)
    register = None
    try:
        try:
            with _private():
                engine.attach(path, DATABASE, is_writable=True)
        except LockedFile:
            raise _busy(path) from None
        except EngineError as error:
            raise JobError(
                f"{str(path)!r} is not a register of releases ({error}); name the file of an earlier --register, or a new one"
            ) from error
        register = Register(engine, path, _salt(engine, path, is_new=is_new))
        yield register
    finally:
        with _private():
            engine.detach(DATABASE)
        _open.discard(place)
        if is_new and (register is None or not _has_releases(engine, path)):
            path.unlink(missing_ok=True)


@contextmanager
def _private() -> Iterator[None]:
    """Let only the owner read new files, such as the database's log of changes beside the register."""
    mask = os.umask(S_IRWXG | S_IRWXO)
    try:
        yield
    finally:
        os.umask(mask)


def _is_new(path: Path, *, must_exist: bool) -> bool:
    """Whether the register does not exist yet; raises `JobError` if the file cannot be one, or others can read it."""
    if not path.exists():
        if must_exist:
            raise JobError(f"no such register: {str(path)!r}; name the file of an earlier --register")
        if not path.absolute().parent.is_dir():
            raise JobError(f"register {str(path)!r} cannot be made: its folder does not exist; make the folder first")
        return True
    if path.is_dir():
        raise JobError(f"register {str(path)!r} is a folder; name a file, such as {str(path / 'releases.duckdb')!r}")
    if S_IMODE(path.stat().st_mode) & (S_IRWXG | S_IRWXO):
        raise JobError(
            f"register {str(path)!r} contains original values and is accessible to other users; restrict it with: chmod 600 {path.name}"
        )
    return False


def _salt(engine: Engine, path: Path, *, is_new: bool) -> str:
    if is_new:
        with _private():
            about = [[VERSION, secrets.token_hex(16)]]
            engine.save(_rows("register", {"version": "integer", "salt": "varchar"}, about), DATABASE)
            engine.save(_rows("releases", _RELEASE, []), DATABASE)
    tables = {name for _, name, _ in engine.tables(DATABASE)}
    if "register" not in tables:
        raise JobError(
            f"{str(path)!r} is not a register of releases, but another database; name the file of an earlier --register, or a new one"
        )
    [(version, salt)] = engine.query(
        render("dataset/copy", database=DATABASE, relation="register", columns=["version", "salt"])
    )
    if version > VERSION:
        raise JobError(
            f"register {str(path)!r} has version {version}, and this duckanon knows versions up to {VERSION}; update duckanon"
        )
    if not tables >= _TABLES:
        raise JobError(f"register {str(path)!r} is incomplete: it has no list of releases; restore it from a backup")
    return str(salt)


def _has_releases(engine: Engine, path: Path) -> bool:
    try:
        engine.attach(path, DATABASE)
        return bool(_registered(engine))
    except EngineError:
        return False
    finally:
        engine.detach(DATABASE)


def _busy(path: Path) -> OutputError:
    return OutputError(f"register {str(path)!r} is in use by another run; wait until it ends")
