"""The journal of a run: its changes outside the private folder, recorded in advance, so that the next run can undo them."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from duckanon.engine.scratch.moves import Move, remove

HIDDEN = re.compile(r"\.duckanon-[0-9a-f]{16}")
"""The names of a run's files outside its private folder. The journal removes no others."""

_NAME = "journal"
_OUTSIDE, _MOVES, _SETTLED = "outside", "moves", "settled"


class Journal:
    """Lines of JSON in a private folder. The last line may be incomplete if the run was killed."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME

    def outside(self, path: Path) -> None:
        """Record that a file or folder of this run is about to be created."""
        self._write({_OUTSIDE: str(path)})

    def moves(self, moves: Sequence[Move]) -> None:
        """Record moves that are about to be made, all or none."""
        self._write({_MOVES: [asdict(move) for move in moves]})

    def settled(self, *, are_made: bool) -> None:
        """Record that all of the last moves were made, so that their backups can be removed, or that all were reverted."""
        self._write({_SETTLED: are_made})

    def undo(self) -> None:
        """Revert unfinished moves, and remove the files outside the private folder."""
        unsettled: list[Move] = []
        backups: list[Path] = []
        places: list[Path] = []
        for line in self._lines():
            if _OUTSIDE in line:
                places += [path for path in [Path(line[_OUTSIDE])] if HIDDEN.fullmatch(path.name)]
            elif _MOVES in line:
                unsettled = [_move(document) for document in line[_MOVES]]
            elif _SETTLED in line:
                backups += [move.backup for move in unsettled if move.backup is not None and line[_SETTLED]]
                unsettled = []
        for move in reversed(unsettled):
            move.take_back()
        for path in (*places, *backups):
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
    backup = document["backup"]
    return Move(
        Path(document["staged"]), Path(document["final"]), None if backup is None else Path(backup), tuple(document["identity"])
    )
