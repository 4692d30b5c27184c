"""The records that are left on a path down the lattice."""

from dataclasses import replace

from duckanon.engine.protocol import Engine, row_count
from duckanon.engine.templates import render
from duckanon.privacy.evaluation import Evaluation


class UnsuppressedCombinations:
    """The relation `unsuppressed`: the rows of `combinations`, or of `start`, that are left at the current node of a path downwards.

    They are followed if every set of a few columns is judged. A record that leaves at a node leaves at every node below it. And only the
    sets with the column that a step lowers get smaller classes, so these are judged first: if none of them fails, nothing changes.
    """

    def __init__(self, engine: Engine, rows: int, start: str = "combinations") -> None:
        self._engine, self._all = engine, rows
        engine.create_table(render("dataset/copy", "unsuppressed", relation=start))

    def below(self, evaluated: Evaluation, place: int, most: int) -> int | None:
        """The rows that are suppressed one level lower in the column at a place, from 1; None if they are more than `most`.

        `evaluated`: the terms of the lower node.
        """
        [adversary] = evaluated.adversaries
        changed = [places for places in adversary.sets if place in places]
        about = replace(evaluated, adversaries=[replace(adversary, sets=changed)])
        [(rows, newly_suppressed)] = self._engine.query(render("lattice/newly_suppressed", **about))
        suppressed = self._all - int(rows)
        if not newly_suppressed:
            self._engine.drop("unsuppressed_below")
            return suppressed
        if suppressed + newly_suppressed > most:
            return None
        self._engine.create_table(render("lattice/unsuppressed_below", **evaluated))
        rows = row_count(self._engine, "unsuppressed_below", has_rows=True)
        suppressed = self._all - rows
        return suppressed if suppressed <= most else None

    def descend(self) -> None:
        """Take the step that `below` judged last."""
        if "unsuppressed_below" in self._engine.names:
            self._engine.create_table(render("dataset/copy", "unsuppressed", relation="unsuppressed_below"))
