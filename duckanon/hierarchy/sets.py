"""Where a hierarchy is found: bundled sets, folders, single files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from duckanon import resources
from duckanon.errors import HierarchyError, did_you_mean

_SUFFIXES = (".yaml", ".yml", ".csv", ".txt", ".parquet")
_DESCRIPTION = "set.yaml"


@dataclass(frozen=True)
class HierarchySet:
    """A folder of hierarchy files, one a column; `name` is how the user called it."""

    name: str
    folder: Path

    def file_for(self, column: str) -> Path | None:
        """The file of a column: `<column>.csv`, or one whose name ends in `_<column>`; None where there is none.

        A hyphen, a blank and an underscore are the same here, and so are small and capital letters.
        """
        files = [
            path for path in sorted(self.folder.iterdir()) if path.suffix.casefold() in _SUFFIXES and path.name != _DESCRIPTION
        ]
        exact = [path for path in files if path.stem == column]
        alike = [path for path in files if _plain(path.stem) == _plain(column)]
        ending = [path for path in files if _plain(path.stem).endswith(f"_{_plain(column)}")]
        found = exact or alike or ending
        if len(found) > 1:
            names = " and ".join(repr(path.name) for path in found)
            raise HierarchyError(
                f"set {self.name!r} has several hierarchies for {column!r}: {names}; choose with --hierarchies {column}=FILE"
            )
        return found[0] if found else None

    def column_of(self, path: Path) -> str | None:
        """The column, of those that the set is made for, whose file this is."""
        return next((column for column in self.columns if self.file_for(column) == path), None)

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi-identifiers that a bundled set is made for, in lattice order."""
        return tuple(self._description.get("columns", ()))

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive columns of the data that a bundled set is made for."""
        return tuple(self._description.get("sensitive", ()))

    @property
    def _description(self) -> dict[str, list[str]]:
        path = self.folder / _DESCRIPTION
        return yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def bundled() -> Iterator[HierarchySet]:
    """The sets that are shipped, by name."""
    root = resources.folder("hierarchies")
    for description in sorted(root.rglob(_DESCRIPTION)):
        yield HierarchySet(description.parent.relative_to(root).as_posix(), description.parent)


def find_set(name: str, base: Path) -> HierarchySet:
    """A folder, from `base` on, or a bundled set; raises `HierarchyError` with the nearest bundled one."""
    if (base / name).is_dir():
        return HierarchySet(name, base / name)
    known = {hierarchy_set.name: hierarchy_set for hierarchy_set in bundled()}
    if name in known:
        return known[name]
    raise HierarchyError(f"no folder and no bundled set of hierarchies is called {name!r}{did_you_mean(name, known)}")


def find_file(name: str, base: Path) -> Path:
    """A file, from `base` or the working folder on, or one hierarchy of a bundled set (`adult/five-year/age`)."""
    for candidate in (base / name, Path(name)):
        if candidate.is_file():
            return candidate
    known = {
        f"{hierarchy_set.name}/{column}": path
        for hierarchy_set in bundled()
        for column in hierarchy_set.columns
        if (path := hierarchy_set.file_for(column)) is not None
    }
    if name in known:
        return known[name]
    raise HierarchyError(f"no file and no bundled hierarchy is called {name!r}{did_you_mean(name, known)}")
