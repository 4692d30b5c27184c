"""Find hierarchies: bundled sets, folders, single files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from duckanon import yaml_file
from duckanon.engine import resources
from duckanon.errors import HierarchyError, did_you_mean
from duckanon.hierarchy.spec import TABLES, YAML

_DESCRIPTION = "set.yaml"


@dataclass(frozen=True)
class HierarchySet:
    """A folder of hierarchy files, one per column; `name` is the name that the user gave."""

    name: str
    folder: Path

    def file_for(self, column: str) -> Path | None:
        """The file of a column: `<column>.csv`, or one whose name ends in `_<column>`; None if there is none.

        Hyphens, blanks and underscores are equal, and so are small and capital letters. Raises `HierarchyError` if several files match.
        """
        files = self.files_for(column)
        if len(files) > 1:
            names = " and ".join(repr(path.name) for path in files)
            raise HierarchyError(
                f"set {self.name!r} has several hierarchies for {column!r}: {names}; choose one with --hierarchies {column}=FILE"
            )
        return files[0] if files else None

    def files_for(self, column: str) -> list[Path]:
        """The candidate files for a column, by the closest match of their names."""
        files = self.files
        exact = [path for path in files if path.stem == column]
        alike = [path for path in files if _plain(path.stem) == _plain(column)]
        alias = [path for path in files if _plain(column) in map(_plain, self._aliases.get(path.stem, ()))]
        ending = [path for path in files if _plain(path.stem).endswith(f"_{_plain(column)}")]
        return exact or alike or alias or ending

    def column_of(self, path: Path) -> str | None:
        """The column of the set that a file belongs to; None if there is none."""
        return next((column for column in self.columns if self.file_for(column) == path), None)

    def reference(self, path: Path) -> str:
        """The name by which `find_file` finds one of the files."""
        return f"{self.name}/{path.stem}" if path.stem in self.columns else str(path)

    @property
    def files(self) -> list[Path]:
        """The hierarchy files of the set, sorted by name."""
        suffixes = (*YAML, *TABLES)
        return [
            path for path in sorted(self.folder.iterdir()) if path.suffix.casefold() in suffixes and path.name != _DESCRIPTION
        ]

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi-identifiers of a bundled set, in lattice order."""
        return tuple(self._description.get("columns", ()))

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive columns of the data for which a bundled set is made."""
        return tuple(self._description.get("sensitive", ()))

    @property
    def title(self) -> str:
        """A one-line description of the set."""
        return str(self._description.get("title", ""))

    @property
    def source(self) -> str:
        """The source of the set."""
        return " ".join(str(self._description.get("source", "")).split())

    @property
    def proposed(self) -> Literal["table", "columns"] | None:
        """How a run without configuration may use the set: for a table that has all its columns, for single columns, or not at all."""
        return self._description.get("proposed")

    def is_usual(self, path: Path, least: float | None, greatest: float | None, distinct: int | None) -> bool:
        """Whether a column of numbers is what a file is made for, by its extremes and its distinct values: an age in years, not in months."""
        usual = self._description.get("usual", {}).get(path.stem)
        if usual is None or least is None or greatest is None:
            return True
        (low, high), (lower, upper) = usual["least"], usual["greatest"]
        return bool(low <= least <= high and lower <= greatest <= upper and (distinct or 0) >= usual["values"])

    @property
    def _aliases(self) -> dict[str, list[str]]:
        """Other names of the columns of a bundled set, by file."""
        return dict(self._description.get("aliases", {}))

    @property
    def _description(self) -> dict[str, Any]:
        folder = self.folder.absolute()
        # a user's file of this name may hold anything
        return _described(folder / _DESCRIPTION) if folder.is_relative_to(resources.folder("hierarchies").absolute()) else {}


@cache
def _described(path: Path) -> dict[str, Any]:
    """The description file of a bundled set."""
    return yaml_file.trusted(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def bundled() -> Iterator[HierarchySet]:
    """The bundled sets, by name."""
    root = resources.folder("hierarchies")
    for description in sorted(root.rglob(_DESCRIPTION)):
        yield HierarchySet(description.parent.relative_to(root).as_posix(), description.parent)


def bundled_for(names: Sequence[str]) -> dict[str, list[str]]:
    """The bundled hierarchies for each column: those of the first set that has one for every column, else of all sets for automatic use."""
    known = sorted(bundled(), key=lambda hierarchy_set: (hierarchy_set.proposed != "table", hierarchy_set.name))
    whole = next(
        (hierarchy_set for hierarchy_set in known if all(hierarchy_set.file_for(name) is not None for name in names)), None
    )
    chosen = [whole] if whole is not None else [hierarchy_set for hierarchy_set in known if hierarchy_set.proposed is not None]
    return {
        name: [hierarchy_set.reference(path) for hierarchy_set in chosen if (path := hierarchy_set.file_for(name)) is not None]
        for name in names
    }


def is_set(name: str, base: Path) -> bool:
    """Whether a name is that of a folder or a bundled set, and not of a single hierarchy."""
    return (bool(name) and (base / name).is_dir()) or any(hierarchy_set.name == name.rstrip("/") for hierarchy_set in bundled())


def column_named(file: Path, names: Sequence[str]) -> str | None:
    """The column that a file is named after, by the rules of `file_for`; None if there is none or several."""
    stem = _plain(file.stem)
    alike = [name for name in names if name == file.stem] or [name for name in names if _plain(name) == stem]
    candidates = alike or [name for name in names if stem.endswith(f"_{_plain(name)}")]
    return candidates[0] if len(candidates) == 1 else None


def find_set(name: str, base: Path) -> HierarchySet:
    """A folder relative to `base`, or a bundled set; raises `HierarchyError` that suggests the nearest bundled set."""
    if (base / name).is_dir():
        return HierarchySet(name, base / name)
    known = {hierarchy_set.name: hierarchy_set for hierarchy_set in bundled()}
    if name.rstrip("/") in known:
        return known[name.rstrip("/")]
    raise HierarchyError(f"no folder or bundled set of hierarchies is named {name!r}{did_you_mean(name, known)}")


def find_file(name: str, base: Path) -> Path:
    """A file relative to `base` or the working folder, or one hierarchy of a bundled set (`adult/five-year/age`)."""
    for candidate in (base / name, Path(name)):
        if candidate.is_file():
            return candidate
    set_name, _, column = name.rpartition("/")
    for hierarchy_set in bundled():
        if hierarchy_set.name == set_name and column in hierarchy_set.columns and (path := hierarchy_set.file_for(column)):
            return path
    if is_set(name, base):
        inside = ", ".join(path.stem for path in find_set(name, base).files) or "no hierarchy file"
        raise HierarchyError(
            f"{name!r} is a set of hierarchies; name one hierarchy, as {name.rstrip('/')}/COLUMN; the set contains {inside}"
        )
    known = [f"{hierarchy_set.name}/{column}" for hierarchy_set in bundled() for column in hierarchy_set.columns]
    way = did_you_mean(name, known) or "; name a CSV, Parquet or YAML file, or a bundled hierarchy (`duckanon hierarchy list`)"
    raise HierarchyError(f"no file or bundled hierarchy is named {name!r}{way}")
