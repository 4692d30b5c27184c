"""Trees, written as nested mappings or as child, parent pairs."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import Field, field_validator

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement
from duckanon.hierarchy.base import MOST_LEVELS, Label, ListedHierarchy, parts_of
from duckanon.hierarchy.checks import alike, examples, queried, quoted
from duckanon.hierarchy.lookup import HierarchyFault, Lookup, lookup_statement, opened, topped


class HierarchyTree(ListedHierarchy):
    """A tree, written as nested mappings or as child, parent pairs. On a shorter branch, the leaf repeats on the lower levels."""

    WHAT = "a tree, nested or as child,parent pairs"
    REPEATS_VALUES = True
    PLACES = ("file", "tree", "pairs")

    kind: Literal["tree"] = "tree"
    tree: dict[Label, Any] | None = Field(None, min_length=1)
    """Labels, each with the labels or values below it."""
    pairs: list[tuple[Label, Label]] | None = Field(None, min_length=1)
    """Pairs of child and parent."""

    @field_validator("tree")
    @classmethod
    def _plain(cls, tree: dict[str, Any] | None) -> dict[str, Any] | None:
        plain = None if tree is None else {label: _branch(label, below) for label, below in tree.items()}
        if plain is not None and not any(plain.values()):
            raise ValueError("lists no values; write them below their labels, as {North: [Norway, Sweden]}")
        return plain

    @property
    def edges(self) -> list[tuple[str, str]]:
        """The child, parent pairs of a tree that is not in a file."""
        return list(self.pairs) if self.pairs is not None else list(_edges(self.tree or {}))

    def lookup(self, engine: Engine, column: Column) -> Lookup:
        return topped(tree_lookup(engine, column, *opened(engine, column, self.file, self.edges)), column, self.top)


def tree_lookup(engine: Engine, column: Column, cells: list[str], listed: Statement) -> Lookup:
    """The lookup of a tree of child, parent pairs, which are the first two cells of each line."""
    height, faults = _tree_faults(engine, column, cells)
    if faults:
        return Lookup(lookup_statement("leaves", column, cells=cells), 0, listed, faults=faults)
    return Lookup(lookup_statement("tree", column, cells=cells, height=height), height, listed)


def _tree_faults(engine: Engine, column: Column, cells: Sequence[str]) -> tuple[int, tuple[HierarchyFault, ...]]:
    """The height of a tree of pairs, and the faults that prevent it from being a tree."""
    faults = list(
        alike(
            queried(engine, "two_parents", column, cells=cells),
            lambda row: HierarchyFault(
                "error",
                f"gives {quoted(row[0])} two parents, {quoted(row[1])} and {quoted(row[2])}; keep one",
                value=row[0],
            ),
            "gives {} more nodes two parents",
        )
    )
    if faults:
        # a graph whose paths meet again may have too many paths to follow
        return 0, tuple(faults)
    [(height, unrooted)] = queried(engine, "tree_depth", column, cells=cells, most=MOST_LEVELS)
    if height > MOST_LEVELS:
        return 0, (HierarchyFault("error", f"has more than {MOST_LEVELS} levels; check that it is a tree of groups"),)
    if unrooted:
        message = f"has a cycle: {examples(unrooted)}; give one of them a parent outside it"
        faults.append(HierarchyFault("error", message, value=unrooted[0]))
    return int(height), tuple(faults)


def _branch(label: str, below: Any) -> Any:
    """A branch with every list expanded; raises `ValueError` if it is neither labels nor branches."""
    if isinstance(below, dict):
        return {_text(label, child): _branch(str(child), rest) for child, rest in below.items()}
    return [_text(label, child) for child in parts_of(below)]


def _text(label: str, child: Any) -> str:
    if isinstance(child, bool) or not isinstance(child, str | int):
        raise ValueError(f"{child!r} below {label!r} is {type(child).__name__}, not text; write labels in quotes")  # noqa: TRY004
    return str(child)


def _edges(tree: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for label, below in tree.items():
        for child in below:
            yield child, label
        if isinstance(below, dict):
            yield from _edges(below)
