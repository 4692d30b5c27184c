"""Help with examples that run in their order, shell completion, and the version."""

import re
import shlex
from pathlib import Path

import pytest

import duckanon
from duckanon.cli import app
from duckanon.cli.help_text import EXAMPLES
from tests.support.command_line import Cli, captured, run_command
from tests.support.command_tree import ALL
from tests.support.signing_keys import write_key

COMMANDS = [" ".join(command.words) for command in ALL]


def test_every_command_has_examples_of_itself() -> None:
    assert sorted(EXAMPLES) == sorted(COMMANDS)
    for words, lines in EXAMPLES.items():
        assert lines
        assert all(line.startswith(f"duckanon {words}") for line in lines)


@pytest.mark.slow
def test_the_examples_run_one_after_the_other(tmp_path: Path) -> None:
    folder = tmp_path / "first"
    folder.mkdir()
    write_key(folder / "ed25519.pem")
    for words, lines in EXAMPLES.items():
        # the studio serves until its page is closed: tests/studio
        for line in lines if words != "studio" else ():
            arguments, _, target = line.removeprefix("duckanon ").partition(" > ")
            before = set(folder.iterdir())
            code, out, err = captured(folder, shlex.split(arguments))
            assert code == 0, (line, err)
            assert out or set(folder.iterdir()) - before or words == "job validate", line
            if target:
                (folder / target).write_bytes(out)


def _has_two_lengths(words: str) -> bool:
    return any(
        "--help-all" in parameter.opts
        for command in ALL
        if " ".join(command.words) == words
        for parameter in command.parameters
    )


@pytest.mark.parametrize("words", ["", *COMMANDS])
def test_help_shows_usage_examples_and_every_option(words: str, cli: Cli) -> None:
    run = cli(*words.split(), "--help-all" if _has_two_lengths(words) else "--help")
    assert (run.code, run.err) == (0, "")
    assert f"Usage: duckanon {words}".strip() in run.out
    shown = re.sub(r"\s+", " ", run.out)
    for line in EXAMPLES.get(
        words, ("duckanon demo && duckanon anonymize adult.parquet", "Exit codes: 0 done", "DUCKANON_KEY")
    ):
        assert line in shown
    command = next((entry for entry in ALL if " ".join(entry.words) == words), None)
    for option in command.parameters if command is not None else ():
        assert option.help, (words, option.name)
        if option.opts[0].startswith("-"):
            assert all(name in run.out for name in (*option.opts, *option.secondary_opts))


MOST_LINES = 40
SHORT = [words for words in COMMANDS if _has_two_lengths(words)]
WANTED = "-o --output --job --qi --sensitive --identifying --hierarchies --k --require --max-suppression --algorithm --set --report --dry-run"


@pytest.mark.parametrize("words", ["", *COMMANDS])
def test_short_help_fits_a_screen_and_names_the_full_one(words: str, tmp_path: Path) -> None:
    run = run_command(tmp_path, *words.split(), "--help", environment={"COLUMNS": "100"})
    assert run_command(tmp_path, *words.split(), "-h", environment={"COLUMNS": "100"}) == run
    assert (run.code, run.err) == (0, "")
    if words:
        assert len(run.out.splitlines()) <= MOST_LINES
    if words in SHORT:
        assert run.out.rstrip().splitlines()[-1].strip() == f"duckanon {words} --help-all shows all options."


def test_short_help_of_anonymize_shows_what_most_people_need(cli: Cli) -> None:
    shown = set(re.findall(r"(?<=[ │])--?[a-z][a-z-]*", cli("anonymize", "--help").out.split("Examples:")[0]))
    assert shown == {*WANTED.split(), "-v", "--verbose", "-q", "--quiet", "-h", "--help"}


def test_a_misspelt_option_is_corrected_to_one_that_only_the_full_help_shows(cli: Cli) -> None:
    assert "--time-limit" not in cli("anonymize", "--help").out
    assert "--time-limit" in cli("anonymize", "x.csv", "--time-limi", "3").err


def test_the_version_is_printed_alone(cli: Cli) -> None:
    assert cli("--version").out == f"{duckanon.__version__}\n"


def test_no_command_is_hidden() -> None:
    assert all(not command.hidden for command in app.app.registered_commands)
