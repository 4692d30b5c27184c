"""Searching again without the records that a release would isolate."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement
from duckanon.errors import Infeasible, InputError
from duckanon.observers import Remembering, Silent
from duckanon.workflows.step_results import Choice
from duckanon.workflows.task import Task

Choose = Callable[[Task], Choice]
MOST_ROUNDS = 100


@dataclass(frozen=True)
class LeftOut:
    """Records that a release would isolate."""

    rows: Statement
    """Selects them; builds `isolated_<column>` with the distinct values of a column as text (all rows with such a value are left out), or
    `isolated` with sets of values of several columns. A column has the name of the column of the input."""
    columns: Sequence[str]
    """The columns of the input that identify them."""
    reason: str
    """Why they are isolated: "registered releases and this one would isolate them"."""


Find = Callable[[Choice], LeftOut | None]
"""Looks at the relations of a choice (`verdicts`, `recoding_<column>`) for isolated records; None, or a statement without rows, if there are none."""


def choose_without_isolated(
    engine: Engine, task: Task, choice: Choice, choose: Choose, finders: Sequence[Find], rounds: int = MOST_ROUNDS
) -> Choice:
    """Search again without the records that the finders name, and that count against the suppression limit, until there are none.

    Each round asks all finders, in order, and `choose` counts and searches the remaining records: the search raises `Infeasible`
    if the limit does not allow this. `Counted.isolated` has the number of rows left out. The saved recoding and `explain` know them.
    Leave records out only if `suppresses_isolated`. Raises `Infeasible` if records remain isolated after all rounds.
    """
    relations, reasons = dict(task.prepared.isolated), dict[str, None]()
    for _ in range(rounds):
        is_done = True
        for find in finders:
            if (left_out := find(choice)) is None:
                continue
            name = str(left_out.rows.relation)
            if engine.append(left_out.rows) if name in relations else engine.create_table(left_out.rows):
                relations[name], reasons[left_out.reason], is_done = left_out.columns, None, False
        if is_done:
            if reasons:
                task.observer.note(f"{choice.counted.isolated:,} rows are suppressed, because {', and because '.join(reasons)}")
            return choice
        try:
            choice = choose(again(task, choice, isolated=dict(relations)))
        except InputError:
            raise Infeasible(f"infeasible: all rows would be suppressed, because {', and because '.join(reasons)}") from None
    raise Infeasible(
        f"infeasible: after {rounds} rounds of suppression, records are still isolated, because {', and because '.join(reasons)}; "
        "generalize more, or use the recoding of an earlier release (duckanon apply)"
    )


def suppresses_isolated(task: Task) -> bool:
    """Whether the run suppresses isolated records instead of refusing the release: with `suppression.isolated`, and if a recoding is applied."""
    return (task.prepared.job.suppression.isolated or task.prepared.is_applied) and not task.run.settings.is_cluster


def again(task: Task, choice: Choice, **changes: Any) -> Task:
    """The same task for a further count and search of the open input, which gives the warnings of the first."""
    prepared = replace(task.prepared, opened=tuple(choice.counted.columns), **changes)
    return replace(task, prepared=prepared, observer=Remembering(Silent()))
