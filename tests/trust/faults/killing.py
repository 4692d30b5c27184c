"""Runs a scenario again and again, each time killed with SIGKILL at a later step, and looks at what is left.

A step is a file or folder that the process opens for writing, makes, renames, links or removes (Python's audit events), and a statement that
the database begins or has ended from the write on. Started as a process of its own: it forks before any database is open.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Settings
from duckanon.job.prepare import Run
from tests.support.runs import anonymize
from tests.support.settings import options_of
from tests.trust.faults.outcomes import BROKEN
from tests.trust.faults.scenarios import SCENARIOS, Scenario, end_later, left_later, problems_at_once, state

_CHANGES = {"os.rename", "os.link", "os.symlink", "os.remove", "os.mkdir", "os.rmdir", "os.chmod"}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Steps:
    """Counts steps, and kills the process at one of them."""

    def __init__(self, deadly: int, folder: Path) -> None:
        self.taken, self._deadly, self._folder, self._writes = 0, deadly, str(folder), False
        sys.addaudithook(self._heard)
        ran: Any = DuckDBEngine._run
        wrote: Any = DuckDBEngine.write

        def run(*about: Any) -> Any:
            self._step_of_database()
            result = ran(*about)
            self._step_of_database()
            return result

        def write(*about: Any, **more: Any) -> Any:
            self._writes = True
            return wrote(*about, **more)

        setattr(DuckDBEngine, "_run", run)  # noqa: B010 - a method put in the place of another
        setattr(DuckDBEngine, "write", write)  # noqa: B010

    def _heard(self, event: str, about: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = about
            is_step = isinstance(path, str | os.PathLike) and isinstance(flags, int) and bool(flags & _WRITES)
        else:
            is_step = event in _CHANGES
        if is_step and any(self._folder in str(argument) for argument in about[:2]):
            self._step()

    def _step_of_database(self) -> None:
        if self._writes:
            self._step()

    def _step(self) -> None:
        self.taken += 1
        if self.taken == self._deadly:
            os.kill(os.getpid(), signal.SIGKILL)


def forked(work: Callable[[], object]) -> int:
    """How a child that does the work ends: its exit code, or the negative number of the signal that ended it."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def run(folder: Path, scenario: Scenario, deadly: int) -> None:
    steps = Steps(deadly, folder)
    work = scenario.folder(folder)
    os.chdir(work)
    settings = Settings(threads=1, workspace=Path("work.duckdb") if scenario.workspace else None)
    anonymize(
        Path("people.parquet"),
        scenario.output,
        options=options_of(**scenario.options),
        run=Run(settings=settings, overwrite=scenario.is_old_there),
    )
    (folder / "steps").write_text(str(steps.taken))


def next_start() -> None:
    """What every command that opens the database does first."""
    DuckDBEngine(Settings(threads=1)).close()


def main(folder: Path, scenario: Scenario, every: int) -> dict[str, Any]:
    """How each run of a scenario ended and what it left, killed at the first step, at every so many after it, and at the last one."""
    folder.mkdir()
    os.environ["TMPDIR"] = str(folder / "temp")
    outcome: dict[str, Any] = {"ends": [], "left": [], "problems": []}
    deadly, is_last = 1, False
    while True:
        scenario.prepare(folder)
        before = state(scenario.folder(folder))
        code = forked(partial(run, folder, scenario, deadly))
        if code != -signal.SIGKILL:
            assert code == 0, f"the run itself ends with {code}"
            steps = int((folder / "steps").read_text())
            assert steps < deadly
            deadly, is_last = steps, True
            continue
        problems = problems_at_once(folder, scenario)
        assert forked(next_start) == 0
        outcome["ends"].append(BROKEN if problems else end_later(folder, scenario, before))
        outcome["left"].append(left_later(folder, scenario))
        outcome["problems"] += [f"step {deadly}: {problem}" for problem in problems]
        if is_last:
            return outcome
        deadly += every


if __name__ == "__main__":
    json.dump(main(Path(sys.argv[1]).absolute(), SCENARIOS[sys.argv[2]], int(sys.argv[3])), sys.stdout)
