"""An option is declared once: command line, keywords, job and documentation are built from its field."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from docs import generate, job_page
from duckanon.api.arguments import split_arguments
from duckanon.cli.parameters import takes
from duckanon.engine.scratch import Scratch
from duckanon.engine.settings import Settings
from duckanon.errors import JobError
from duckanon.job import file
from duckanon.job.merge import merged
from duckanon.job.options import Options, Run, names
from duckanon.option import Panel, declared, option
from duckanon.privacy import registry


@dataclass(frozen=True)
class More(Options):
    """The options and three more, declared as those are."""

    purpose: str | None = option("Why the data is released.", "TEXT", Panel.OUTPUT, "about.purpose")
    recipients: Sequence[str] = option("Who gets it.", "A,B", Panel.OUTPUT, "about.recipients", parse=names, default=())
    reviews: Mapping[str, str] = option("When it is reviewed.", "WHO=DATE", Panel.OUTPUT, "about.reviews", default={})


GIVEN = More(purpose="a study", recipients=["a", "b,c"], reviews={"x": "2029", "y": "2030"})


def typed(*arguments: str) -> tuple[str, list[tuple[More, Run]]]:
    """What a command with all options prints, and what it receives."""
    received = []
    app = typer.Typer()

    @app.command()
    @takes(options=More)
    def command(*, options: More, run: Run) -> None:
        received.append((options, run))

    done = CliRunner().invoke(app, [*arguments], env={"COLUMNS": "200", "TERMINAL_WIDTH": "200"}, catch_exceptions=False)
    return done.output, received


def test_an_option_more_arrives_at_the_command_line() -> None:
    line = ("--purpose", "a study", "--recipients", 'a,"b,c"', "--reviews", "x=2029", "--reviews", "y=2030", "--threads", "2")
    assert typed(*line)[1] == [(GIVEN, Run(settings=Settings(threads=2)))]
    assert typed()[1] == [(More(), Run())]
    shown = typed("--help-all")[0]
    for words in (("--purpose", "TEXT", "Why the data is released."), ("--recipients", "A,B", "Who gets it.")):
        assert any(all(word in row for word in words) for row in shown.splitlines()), shown
    with pytest.raises(JobError, match=r"^--reviews 'x' gives the column no value; write x=DATE$"):
        typed("--reviews", "x")


def test_an_option_more_arrives_in_the_keywords(tmp_path: Any) -> None:
    written = generate.keywords(More, Run, Settings).splitlines()
    assert {"    purpose: str | None", "    recipients: str | Sequence[str]", "    reviews: Mapping[str, str]"} <= set(written)
    keywords = {"purpose": "a study", "recipients": 'a,"b,c"', "reviews": GIVEN.reviews, "threads": 2}
    options, run = split_arguments(keywords, More(), None, Scratch(tmp_path))
    assert (options, run.settings.threads) == (replace(GIVEN, recipients=("a", "b,c")), 2)
    with pytest.raises(JobError, match=r"^purpose needs a text, not int$"):
        split_arguments({"purpose": 5}, More(), None, Scratch(tmp_path))
    with pytest.raises(JobError, match=r"^no such argument: 'purposes'; did you mean 'purpose'"):
        split_arguments({"purposes": ""}, More(), None, Scratch(tmp_path))


def test_an_option_more_arrives_in_the_job() -> None:
    options = {"purpose": "a study", "recipients": ["a", "b,c"], "reviews": {"x": "2029", "y": "2030"}}
    assert merged({}, GIVEN).about == options
    assert merged({"about": {"purpose": "none", "until": 2030}}, More(purpose="a study")).about == {
        "purpose": "a study",
        "until": 2030,
    }
    assert merged({"about": options}, More()).about == options


def test_a_key_of_an_option_is_described_by_its_sentence_and_names_it_in_the_page() -> None:
    schema, page = file.schema(), job_page.job()
    sections = {"missing": "MissingPlan", "suppression": "Suppression", "recoding": "RecodingPlan", "output": "OutputPlan"}
    described = 0
    for name, each in declared(Options).items():
        section, _, key = (each.key or "").rpartition(".")
        if not key:
            continue
        model = {"columns.*": "ColumnPlan", **sections}.get(section)
        place = schema if model is None else schema["$defs"][model]
        sentence = each.help.replace("; repeatable", "")
        assert place["properties"][key]["description"] == sentence
        assert re.search(rf"^- `{key}` \(.+\): `--{name.replace('_', '-')}`\.", page, re.MULTILINE), key
        described += 1
    assert described > 10


def test_the_help_of_require_names_every_model() -> None:
    sentence = declared(Options)["require"].help
    assert [name for name in registry.NAMES if not re.search(rf"(^|[ (]){name}[=,)]", sentence)] == []


@pytest.mark.parametrize("name", list(declared(Options, Run, Settings)))
def test_none_leaves_an_option_at_its_default(name: str, tmp_path: Any) -> None:
    assert split_arguments({name: None}, None, None, Scratch(tmp_path)) == (Options(), Run())
