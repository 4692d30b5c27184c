"""Every option that takes a list may be repeated, and its values add up, in every command."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import typer

import duckanon
from duckanon.api.arguments import split_arguments
from duckanon.cli.app import app
from duckanon.engine.scratch import Scratch
from duckanon.engine.settings import Settings
from duckanon.errors import JobError
from duckanon.job.options import Options, Run
from duckanon.option import Option, declared
from tests.support.command_line import Cli, refused
from tests.support.rows import read_rows, write_parquet

ITEMS: Mapping[str, Sequence[str]] = {
    "shift": ("a=3", "b=4"),
    "set": ("a=3", "b=4"),
    "levels": ("a=1", "b=2"),
    "microaggregate": ("a=mean", "b=set"),
    "adversary": ("one=a", "two=b"),
    "k": ("2", "3"),
    "max_suppression": ("1%", "2%"),
    "algorithms": ("optimal", "greedy"),
}
"""Two values of the options whose values are not names."""
LISTS = {name: option for name, option in declared(Options, Run, Settings).items() if option.takes_many}
WORDS = ("repeatable", "A,B", "X,Y", "S,T", "U,V", "2,5", "0,1%")
"""What the help or the metavar of an option for several values has."""


def commands(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every command of the command line with its name."""
    below = getattr(command, "commands", None)
    if below is None:
        yield path, command
    for name, child in (below or {}).items():
        yield from commands(child, f"{path} {name}".strip())


COMMANDS = dict(commands(typer.main.get_command(app)))
OPTIONS = [
    (path, parameter.name)
    for path, command in COMMANDS.items()
    for parameter in command.params
    if parameter.param_type_name == "option"
    and (parameter.name in LISTS or any(word in f"{parameter.help} {parameter.metavar}" for word in WORDS))
    # one limit, or k, of a run is no list; in `compare` both are
    and (parameter.name not in ("k", "max_suppression", "key_file") or path == "compare")
]


def items(name: str) -> Sequence[str]:
    return ITEMS.get(name, ("a", "b"))


def test_the_commands_have_list_options() -> None:
    """The next test would pass without any."""
    assert {"anonymize", "check", "risk", "profile", "compare", "explain", "studio", "hierarchy show"} <= {
        path for path, _ in OPTIONS
    }
    assert set(LISTS) <= {name for path, name in OPTIONS if path == "anonymize"}
    assert len(OPTIONS) > 55


@pytest.mark.parametrize(("path", "name"), OPTIONS)
def test_a_repeated_option_keeps_all_its_values(path: str, name: str) -> None:
    command = COMMANDS[path]
    [parameter] = [parameter for parameter in command.params if parameter.name == name]
    first, second = items(name)
    arguments = ["x" for argument in command.params if argument.param_type_name == "argument" and argument.required]
    required = [
        part
        for option in command.params
        if option.required and option.param_type_name == "option"
        for part in (option.opts[0], "x")
    ]
    flag = parameter.opts[0]
    context = command.make_context(path, [*arguments, *required, flag, first, flag, second], resilient_parsing=True)
    assert list(context.params[name]) == [first, second]


@pytest.mark.parametrize(("name", "option"), [(name, option) for name, option in LISTS.items() if name != "set"])
def test_values_of_several_options_are_those_of_one(name: str, option: Option, tmp_path: Path) -> None:
    first, second = items(name)
    together = option.read([first, second])
    assert len(together) == 2
    if option.parse is not None:
        assert together == option.read([f"{first},{second}"])
    if isinstance(together, list):
        keywords, run = split_arguments({name: [first, second]}, None, None, Scratch(tmp_path))
        assert list(getattr(keywords if hasattr(keywords, name) else run, name)) == together
    else:
        column, value = first.split("=")
        assert str(together[column]) == value
        assert option.read([first, first, second]) == together
        with pytest.raises(JobError, match=rf"^{option.flag} gives 'a' both .+ and .+; leave one of them out$"):
            option.read([first, f"a={'7' if value.isdecimal() else 'mode'}"])


def test_the_values_of_a_key_add_up() -> None:
    read = LISTS["set"].read
    assert read(["accept=key@a", "accept=[dependency, linked-rows]", "accept=key@b"])["accept"] == [
        "key@a",
        "dependency",
        "linked-rows",
        "key@b",
    ]
    assert read(["output.shuffle=false", 'columns."a.b=c".weight=2']) == {"output.shuffle": False, 'columns."a.b=c".weight': 2}


@pytest.fixture
def staff(tmp_path: Path) -> Path:
    """Two hundred persons; no row has the badge and the sex of 50 others."""
    return write_parquet(
        tmp_path / "staff.parquet",
        [{"employer": f"firm {n % 40}", "badge": f"b{n % 100}", "sex": "mf"[n % 2], "age": 20 + n % 5} for n in range(200)],
    )


@pytest.mark.parametrize("given", [("employer", "badge"), ("badge", "employer"), ("employer,badge",)])
def test_every_identifying_column_is_dropped(given: Sequence[str], staff: Path, cli: Cli, tmp_path: Path) -> None:
    options = [part for columns in given for part in ("--identifying", columns)]
    cli("anonymize", staff, "--qi", "age", "--qi", "sex", *options, "--others", "keep", "-o", "out.parquet", code=0)
    assert list(read_rows(tmp_path / "out.parquet")[0]) == ["sex", "age"]


@pytest.mark.parametrize("given", [("badge", "sex"), ("sex", "badge"), ("badge,sex",)])
def test_check_and_risk_count_all_named_columns(given: Sequence[str], staff: Path, cli: Cli) -> None:
    options = [part for columns in given for part in ("--qi", columns)]
    smallest = min(Counter((row["badge"], row["sex"]) for row in read_rows(staff)).values())
    checked = cli("check", staff, *options, "--require", f"k={smallest + 1}", "--json")
    assert (checked.code, checked.manifest["privacy"][0]["achieved"]) == (1, smallest)
    risk = cli("risk", staff, *options, "--json").manifest["risk"]
    assert risk["prosecutor"]["highest"] == 1 / smallest
    assert (
        duckanon.check(staff, qi=list(given[0].split(",") + list(given[1:])), require="k=1")["classes"]["smallest"] == smallest
    )


def test_names_of_a_file_without_header_add_up(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bare.csv").write_text("1,a\n2,b\n1,a\n", encoding="utf-8")
    names = ["--set", "names=number", "--set", "names=letter"]
    profiled = cli("profile", "bare.csv", *names, "--json")
    assert [column["column"] for column in profiled.manifest["columns"]] == ["number", "letter"]
    columns = ["--columns", "number", "--columns", "letter"]
    cli("hierarchy", "suggest", "bare.csv", *columns, "--column", "letter", code=0)
    compared = cli("compare", "bare.csv", *names, "--qi", "number", "--qi", "letter", "--k", "1", "--k", "2,3", "--json")
    assert [run["k"] for run in compared.manifest["runs"]] == [1, 2, 3]


def test_protected_columns_are_separated_by_commas_too(staff: Path, cli: Cli) -> None:
    arguments = ["anonymize", staff, "--qi", "age,sex", "--sensitive", "employer", "--dry-run", "--json"]
    once = cli(*arguments, "--protect", "sex,employer").manifest["suppression"]["protected"]
    assert set(once) == {"sex", "employer"}
    assert once == cli(*arguments, "--protect", "sex", "--protect", "employer").manifest["suppression"]["protected"]


def test_a_column_that_is_given_twice_is_refused_as_within_one_list(staff: Path, cli: Cli) -> None:
    for twice in (["--qi", "age,age"], ["--qi", "age", "--qi", "age"]):
        refused(cli("anonymize", staff, *twice), 2, "column 'age' is twice in --qi")
    refused(cli("anonymize", staff, "--qi", "age", "--keep", "age"), 2, "column 'age' is in --qi and in --keep")
    refused(
        cli("anonymize", staff, "--qi", "age,sex", "--levels", "age=0", "--levels", "age=1"),
        2,
        "--levels gives 'age' both 0 and 1",
    )
    refused(
        cli("anonymize", staff, "--qi", "age,sex", "--set", "recoding.weights.age=2", "--set", "recoding.weights.age=3"),
        2,
        "--set gives recoding.weights.age more than once",
    )
