"""What a stranger is told: help with examples that run in their order, completion, a version."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import duckanon
from duckanon.cli import app
from duckanon.cli.examples import EXAMPLES
from tests.conftest import Cli
from tests.fuzz import running
from tests.fuzz.commands import ALL

COMMANDS = [" ".join(command.words) for command in ALL]


def test_every_command_has_examples_of_itself() -> None:
    assert sorted(EXAMPLES) == sorted(COMMANDS)
    for words, lines in EXAMPLES.items():
        assert lines
        assert all(line.startswith(f"duckanon {words}") for line in lines)


def test_the_examples_run_one_after_the_other(tmp_path: Path) -> None:
    folder = tmp_path / "first"
    folder.mkdir()
    for words, lines in EXAMPLES.items():
        for line in lines:
            arguments, _, target = line.removeprefix("duckanon ").partition(" > ")
            ended = running.run(folder, shlex.split(arguments))
            if words == "hierarchy wizard":
                assert (ended.code, "asks in a terminal" in ended.err) == (2, True), ended.err
                continue
            assert ended.code == 0, (line, ended.err)
            assert ended.out or ended.new or words == "job validate", line
            if target:
                (folder / target).write_bytes(ended.out)


@pytest.mark.parametrize("words", ["", *COMMANDS])
def test_help_shows_usage_examples_and_every_option(words: str, cli: Cli) -> None:
    told = cli(*words.split(), "--help")
    assert (told.code, told.err) == (0, "")
    assert f"Usage: duckanon {words}".strip() in told.out
    assert cli(*words.split(), "-h").out == told.out
    shown = re.sub(r"\s+", " ", told.out)
    for line in EXAMPLES.get(
        words, ("duckanon demo && duckanon anonymize adult.parquet", "Exit codes: 0 done", "DUCKANON_KEY")
    ):
        assert line in shown
    command = next((one for one in ALL if " ".join(one.words) == words), None)
    for option in command.parameters if command is not None else ():
        assert option.help, (words, option.name)
        if option.opts[0].startswith("-"):
            assert all(name in told.out for name in (*option.opts, *option.secondary_opts))


def test_the_version_is_printed_alone(cli: Cli) -> None:
    assert cli("--version").out == f"{duckanon.__version__}\n"


def completed(*words: str, shell: str = "bash") -> Sequence[str]:
    """What a shell offers for the last of the words."""
    line = " ".join(["duckanon", *words])
    ended = subprocess.run(
        [sys.executable, "-c", "from duckanon.cli import main; import sys; sys.argv[0] = 'duckanon'; main()"],
        env={
            **os.environ,
            "_DUCKANON_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words)),
            "_TYPER_COMPLETE_ARGS": line,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.stdout.split()


def test_a_shell_completes_commands_options_and_choices() -> None:
    assert {"anonymize", "apply"} == set(completed("a"))
    assert "--max-suppression" in completed("anonymize", "--max")
    assert {"drop", "star"} <= set(completed("anonymize", "--suppress", ""))
    assert "adult/five-year" in completed("anonymize", "--hierarchies", "adu")
    assert "entropy-l=" in completed("anonymize", "--require", "ent")
    assert "snowflake" in completed("sql", "release", "--dialect", "sn")
    assert completed("anonymize", "--objective", "disc") == ["discernibility"]
    assert completed("compare", "--algorithms", "mon") == ["mondrian"]
    assert completed("sql", "show", "release/recoded_") == ["release/recoded_by_region"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_completion(shell: str) -> None:
    """As the installed script of that shell asks for it."""
    assert "anonymize" in " ".join(completed("anon", shell=shell))


def test_no_command_is_hidden() -> None:
    assert all(not one.hidden for one in app.app.registered_commands)
