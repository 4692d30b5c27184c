"""Completion as each shell asks for it, in processes of their own."""

import os
import subprocess
import sys
from collections.abc import Sequence

import pytest


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
    assert {"anonymize", "apply", "attest"} == set(completed("a"))
    assert {"--max-suppression"} <= set(completed("anonymize", "--max"))
    assert "--help-all" in completed("check", "--help")
    assert {"sql", "studio"} == set(completed("s"))
    assert completed("studio", "--no-br") == ["--no-browser"]
    assert {"drop", "keep"} <= set(completed("anonymize", "--others", ""))
    assert "adult/five-year" in completed("anonymize", "--hierarchies", "adu")
    assert "entropy-l=" in completed("anonymize", "--require", "ent")
    assert "snowflake" in completed("sql", "release", "--dialect", "sn")
    assert completed("anonymize", "--algorithm", "sama") == ["samarati"]
    assert completed("compare", "--algorithms", "mon") == ["mondrian"]
    assert completed("sql", "show", "release/range_") == ["release/range_figures"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_completion(shell: str) -> None:
    """As the installed script of that shell asks for it."""
    assert "anonymize" in " ".join(completed("anon", shell=shell))
