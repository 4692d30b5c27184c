"""The level of a run, a marker for each folder, and the fixtures that every folder uses."""

import gc
import os
import shutil
import signal
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import browser as browsers
from tests.support import levels, tables_of_trust
from tests.support.absence import absent
from tests.support.command_line import Cli, Finished, run_command
from tests.support.demo import Demo, cached
from tests.support.paths import SHARED
from tests.support.statements import Recorder, recording
from tests.support.tables_of_trust import RecordRow

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ENDED = pytest.StashKey[int]()
FOLDER = Path(__file__).parent
CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
"""None where processes cannot be bound to cores."""
MEMORY = Path("/dev/shm")
ROOM = 8 * 2**30
"""The bytes that must be free in memory for the files of all tests to lie there, where a run costs a tenth less."""


def _has_room(folder: Path) -> bool:
    """Whether files may be written there, and programs run, which containers may forbid in memory."""
    writable = os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= ROOM
    return writable and not os.statvfs(folder).f_flag & os.ST_NOEXEC


if "TMPDIR" not in os.environ and _has_room(MEMORY):
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--level", choices=list(levels.LEVELS), default="check", help="how much the suites do")


def pytest_configure(config: pytest.Config) -> None:
    levels.choose(config.getoption("level"))
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # a shell starts background jobs so; the processes of tests that are interrupted would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test with the name of its folder."""
    item.add_marker(item.path.relative_to(FOLDER).parts[0])


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Bind a test that starts no processes to the core of its worker: its small statements cost a quarter less there."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if not CORES or worker is None:
        return
    mine = CORES[int(worker.removeprefix("gw")) % len(CORES)]
    needs_all = any(map(item.get_closest_marker, ("spark", "system", "trust"))) and "fuzz" not in item.path.parts
    os.sched_setaffinity(0, CORES if needs_all else {mine})


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the level leaves out; begin with the folders whose tests take longest, so that no core waits at the end."""
    level = levels.current()
    left_out = {item for item in items if any(map(item.get_closest_marker, level.left_out))}
    tests: defaultdict[tuple[Path, str], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item not in left_out:
            tests[item.path, item.nodeid.partition("[")[0]].append(item)
    modules: Counter[Path] = Counter()
    for (module, _), cases in tests.items():
        folder = module.relative_to(FOLDER).parts[0]
        modules[module] += 1
        is_left_out = modules[module] > level.tests_of.get(folder, len(items))
        left_out.update(cases if is_left_out else cases[level.cases_of.get(folder, len(cases)) :])
    kept = [item for item in items if item not in left_out]
    items[:] = sorted(kept, key=lambda item: not any(map(item.get_closest_marker, ("spark", "trust"))))
    config.hook.pytest_deselected(items=[*left_out])


def pytest_collection_finish() -> None:
    """Take what collecting the tests made out of all later garbage collections, some of which tests ask for."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Remember how the session ended."""
    session.config.stash[ENDED] = exitstatus


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the files of an interrupted run, as pytest does those of tests that passed."""
    is_worker = hasattr(config, "workerinput")
    if config.stash.get(ENDED, None) == pytest.ExitCode.INTERRUPTED and not is_worker:
        shutil.rmtree(config._tmp_path_factory.getbasetemp(), ignore_errors=True)  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def statements() -> Iterator[Recorder]:
    """Records the statements that all tests render."""
    with pytest.MonkeyPatch.context() as patch:
        recorder = Recorder()
        recording(recorder, patch)
        yield recorder


@pytest.fixture(autouse=True)
def checked_statements(statements: Recorder) -> Iterator[None]:
    """Check the statements that a test rendered against the headers of their templates."""
    yield
    if faults := statements.faults():
        pytest.fail("\n".join(faults))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data beside the checkout."""
    if not SHARED.is_dir():
        absent("the reference data (a folder 'shared' beside the checkout) is absent")
    return SHARED


@pytest.fixture(scope="session")
def adult(shared: Path) -> Path:
    """The real UCI Adult file."""
    return shared / "data" / "adult.parquet"


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """Puts a demo file of so many rows at a path; each size is made once per worker."""
    return cached(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """A headless Chromium."""
    with browsers.started() as chromium:
        yield chromium


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    """Runs `duckanon ARGUMENTS` in this process, in the test's own folder or in `cwd`; it must end with `code`, if that is given."""

    def run(*arguments: str | Path, cwd: Path = tmp_path, stdin: bytes = b"", code: int | None = None) -> Finished:
        return run_command(cwd, *arguments, stdin=stdin, code=code)

    return run


@pytest.fixture
def record_row(request: pytest.FixtureRequest) -> RecordRow:
    """Adds a row to a table that the run ends with: `record_row("attacks", channel=..., naive=..., ours=...)`."""

    def tell(title: str, **row: object) -> None:
        assert title in tables_of_trust.TITLES
        cells = {name: str(value) for name, value in row.items()}
        request.node.user_properties.append((tables_of_trust.PROPERTY, (title, cells)))

    return tell


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables of `tests/trust`."""
    reports = [report for group in terminalreporter.stats.values() for report in group if isinstance(report, pytest.TestReport)]
    properties = [pair for report in reports if report.when == "call" for pair in report.user_properties]
    for line in tables_of_trust.tables(properties):
        terminalreporter.write_line(line)
