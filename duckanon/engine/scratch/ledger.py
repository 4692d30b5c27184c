"""What a run does outside its private folder, written down before it happens, so that whoever finds the folder can undo it."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from duckanon.engine.scratch.moves import Move, remove

HIDDEN = re.compile(r"\.duckanon-[0-9a-f]{16}")
"""How what lies outside is called, and nothing else is removed there."""

_NAME = "ledger"
_OUTSIDE, _MOVES, _SETTLED = "outside", "moves", "settled"


class Ledger:
    """Lines of JSON in a private folder; the last may be cut off where a run was killed."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME

    def outside(self, path: Path) -> None:
        """A file or folder of this run alone is about to be made there."""
        self._write({_OUTSIDE: str(path)})

    def moves(self, moves: Sequence[Move]) -> None:
        """These are about to be made, all or none."""
        self._write({_MOVES: [asdict(move) for move in moves]})

    def settled(self, *, are_made: bool) -> None:
        """The last moves were all made, so that what was kept aside for them can go, or all taken back."""
        self._write({_SETTLED: are_made})

    def undo(self) -> None:
        """Takes back moves that were not settled, and removes what lies outside."""
        unsettled: list[Move] = []
        asides: list[Path] = []
        places: list[Path] = []
        for line in self._lines():
            if _OUTSIDE in line:
                places += [path for path in [Path(line[_OUTSIDE])] if HIDDEN.fullmatch(path.name)]
            elif _MOVES in line:
                unsettled = [_move(document) for document in line[_MOVES]]
            elif _SETTLED in line:
                asides += [move.aside for move in unsettled if move.aside is not None and line[_SETTLED]]
                unsettled = []
        for move in reversed(unsettled):
            move.take_back()
        for path in (*places, *asides):
            remove(path)

    def _write(self, line: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, default=str) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _lines(self) -> Iterator[dict[str, Any]]:
        if self._path.is_symlink() or not self._path.is_file():
            return
        for line in self._path.read_text(encoding="utf-8").split("\n"):
            try:
                yield json.loads(line)
            except ValueError:
                return


def _move(document: dict[str, Any]) -> Move:
    aside = document["aside"]
    return Move(
        Path(document["draft"]), Path(document["final"]), None if aside is None else Path(aside), tuple(document["identity"])
    )
