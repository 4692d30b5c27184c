"""The wizard, driven through a pseudo-terminal: every kind, wrong answers, leaving."""

import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest
import yaml

from tests.support.command_line import Cli
from tests.support.rows import write_parquet

PATIENCE = 30


class Terminal:
    """A process in a terminal of its own: what it shows, and what is typed."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "duckanon", *arguments],
            cwd=folder,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "dumb", "COLUMNS": "200"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C is a signal
        )
        os.close(slave)
        self.shown = ""

    def until(self, text: str) -> str:
        """What it shows up to a text, which is the next that it waits behind."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            ready, _, _ = select.select([self._master], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"{text!r} was not shown; the last was {self.shown[-500:]!r}"
            try:
                read = os.read(self._master, 1 << 16)
            except OSError:  # the process has ended
                read = b""
            assert read or text in self.shown, f"{text!r} was not shown; the last was {self.shown[-500:]!r}"
            self.shown += read.decode().replace("\r\n", "\n")
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def rest(self) -> None:
        """Waits until the process waits for what is typed: a signal before that reaches it on its way there."""
        asleep, deadline = 0, time.monotonic() + PATIENCE
        while asleep < 3:
            assert time.monotonic() < deadline, "it never rests"
            state = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()[0]
            asleep = asleep + 1 if state == "S" else 0
            time.sleep(0.05)

    def answer(self, prompt: str, text: str) -> str:
        """Waits for a question and answers it; gives what was shown before."""
        before = self.until(prompt) + self.until("]: ")
        self.type(f"{text}\n")
        return before

    def ended(self) -> int:
        code = self._process.wait(timeout=PATIENCE)
        os.close(self._master)
        return code


@pytest.fixture(autouse=True)
def people(tmp_path: Path) -> None:
    """A table with a column of each sort, in the folder of the terminal."""
    rows = [
        {
            "age": 18 + number * number % 60,
            "town": ["Ulm", "Ulm", "Ulm", "Bonn", "Bonn", "Jena", "Hof"][number % 7],
            "code": f"E{number % 40:02d}.{number % 3}",
            "born": date(1950, 1, 1) + timedelta(days=19 * number),
        }
        for number in range(700)
    ]
    write_parquet(tmp_path / "people.parquet", rows)


def test_every_answer_is_followed_by_what_it_makes_of_the_data(tmp_path: Path, cli: Cli) -> None:
    """Values, levels, groups on each, and the smallest group on the data, as the pages of ARX's wizard end."""
    terminal = Terminal(tmp_path, "hierarchy", "wizard", "people.parquet", "--column", "age")
    first = terminal.answer("kind (", "")
    assert "age: BIGINT" in first
    assert "700 rows" in first
    assert "smallest group" in first
    terminal.answer("intervals, every", "every 10, 20")
    second = terminal.answer("how many together", "")
    assert "[20, 30)  [20, 40)" in second
    assert "smallest group" in second
    terminal.answer("write age.yaml", "yes")
    terminal.until("age.yaml; next: duckanon anonymize")
    assert terminal.ended() == 0
    assert yaml.safe_load((tmp_path / "age.yaml").read_text()) == {"kind": "intervals", "widths": [10, 20]}
    assert cli("hierarchy", "check", "age.yaml", "--data", "people.parquet").code == 0


@pytest.mark.parametrize(
    ("column", "answers", "written"),
    [
        (
            "age",
            [("kind (", "intervals"), ("intervals, every", "at 25, 40, 65"), ("how many together", "2")],
            {
                "kind": "intervals",
                "intervals": [[10, 25], [25, 40], [40, 65], [65, 80]],
                "range": {"repeat": [10, 80]},
                "groups": [[2]],
            },
        ),
        ("age", [("kind (", "flat")], {"kind": "flat"}),
        (
            "age",
            [("kind (", "order"), ("the order", ""), ("how many together", "5, 2+3")],
            {"kind": "order", "groups": [[5], [2, 3]], "function": "bounds"},
        ),
        (
            "town",
            [("kind (", "rare"), ("shares of", "15%, 30%"), ("label of", "elsewhere")],
            {"kind": "rare", "below": [0.15, 0.3], "label": "elsewhere"},
        ),
        (
            "town",
            [("kind (", "levels"), ("groups, such as", "west: Bonn; east: Jena, Hof, Ulm")],
            {"kind": "levels", "levels": [{"west": ["Bonn"], "east": ["Jena", "Hof", "Ulm"]}, "*"]},
        ),
        (
            "code",
            [("kind (", "redaction"), ("aligned", "left"), ("hidden from", "right"), ("how many characters", "2, 4")],
            {"kind": "redaction", "align": "left", "redact": "right", "steps": [2, 4]},
        ),
        (
            "code",
            [("kind (", "codes"), ("how many first", "3, 1"), ("characters that", ".")],
            {"kind": "codes", "levels": [3, 1], "ignore": "."},
        ),
        ("born", [("kind (", "dates"), ("units from", "year, decade")], {"kind": "dates", "units": ["year", "decade"]}),
    ],
)
def test_every_kind_can_be_made_and_is_valid(
    tmp_path: Path, cli: Cli, column: str, answers: Sequence[tuple[str, str]], written: dict[str, object]
) -> None:
    terminal = Terminal(tmp_path, "hierarchy", "wizard", "people.parquet", "--column", column, "-o", "made.yaml")
    for prompt, text in answers:
        terminal.answer(prompt, text)
    terminal.answer("write made.yaml", "y")
    terminal.until("next:")
    assert terminal.ended() == 0
    content = yaml.safe_load((tmp_path / "made.yaml").read_text())
    content.pop("length", None)
    content.pop("source", None)
    assert content == written
    assert cli("hierarchy", "check", "made.yaml", "--data", "people.parquet", "--column", column).code == 0


def test_wrong_answers_are_reported_and_can_be_corrected(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "hierarchy", "wizard", "people.parquet", "--column", "age")
    terminal.answer("kind (", "intervalls")
    assert "is not one of them; did you mean 'intervals'" in terminal.answer("kind (", "i")
    terminal.answer("intervals, every", "10")
    assert "begin with every" in terminal.answer("intervals, every", "every ten")
    assert "is not valid" in terminal.answer("intervals, every", "every 10, 15")
    assert "is not a larger multiple" in terminal.answer("intervals, every", "every inf")
    assert "is not a number of at most 18 digits" in terminal.answer("intervals, every", "every 1e9999999")
    assert "is not a number of at most 18 digits" in terminal.answer("intervals, every", "every 10")
    terminal.answer("how many together", "2")
    assert "is not valid" in terminal.answer("how many together", "none")
    terminal.answer("write age.yaml", "again")
    terminal.answer("kind (", "flat")
    terminal.answer("write age.yaml", "no")
    terminal.until("nothing was written")
    assert terminal.ended() == 0
    assert not (tmp_path / "age.yaml").exists()


def test_enter_keeps_an_answer_that_cannot_be_typed(tmp_path: Path) -> None:
    """A comma in a value would separate two values."""
    write_parquet(tmp_path / "people.parquet", [{"job": ["Doctor, GP", "Nurse", "Cook"][n % 3]} for n in range(60)])
    terminal = Terminal(tmp_path, "hierarchy", "wizard", "people.parquet", "--column", "job")
    terminal.answer("kind (", "levels")
    terminal.answer("groups, such as", "")
    assert "is not valid" not in terminal.answer("write job.yaml", "no")
    terminal.until("nothing was written")
    assert terminal.ended() == 0


@pytest.mark.parametrize(("key", "message", "code"), [("\x03", "interrupted", 130), ("\x04", "nothing was written", 0)])
def test_leaving_writes_nothing(tmp_path: Path, key: str, message: str, code: int) -> None:
    """Ctrl-C, and the end of the input."""
    terminal = Terminal(tmp_path, "hierarchy", "wizard", "people.parquet", "--column", "age")
    terminal.until("kind (")
    terminal.until("]: ")
    terminal.rest()
    terminal.type(key)
    terminal.until(message)
    assert terminal.ended() == code
    assert [path.name for path in tmp_path.iterdir()] == ["people.parquet"]


def test_without_a_terminal_it_says_what_to_do_instead(cli: Cli) -> None:
    run = cli("hierarchy", "wizard", "people.parquet", "--column", "age")
    assert run.code == 2
    assert "duckanon hierarchy suggest" in run.err
    assert len(run.err.splitlines()) == 1
