"""Options: each is declared once, those of lists add up, and help and completion name them; what a mistyped one means."""

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
import typer
from typer.testing import CliRunner

import duckanon
from docs import generate, job_page
from duckanon.api.verbs import split_arguments
from duckanon.cli.app import app
from duckanon.cli.help_text import EXAMPLES
from duckanon.cli.parameters import takes
from duckanon.engine.scratch import Scratch
from duckanon.engine.settings import Settings
from duckanon.errors import JobError
from duckanon.job import file, keys
from duckanon.job.merge import merged
from duckanon.job.options import Options, Run, names
from duckanon.observers import Silent
from duckanon.option import Option, Panel, declared, option
from duckanon.privacy import registry
from tests.support.command_line import Cli, captured, refused, run_command
from tests.support.command_tree import ALL
from tests.support.rows import read_rows, write_parquet
from tests.support.signing_keys import write_key


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


# Help with examples that run in their order, shell completion, and the version


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
    for parameter in command.parameters if command is not None else ():
        assert parameter.help, (words, parameter.name)
        if parameter.opts[0].startswith("-"):
            assert all(name in run.out for name in (*parameter.opts, *parameter.secondary_opts))


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
    assert all(not command.hidden for command in app.registered_commands)


# Every option that takes a list may be repeated, and its values add up, in every command


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


COMMAND_TREE = {" ".join(command.words): command.node for command in ALL}
OPTIONS = [
    (path, parameter.name)
    for path, command in COMMAND_TREE.items()
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
    command = COMMAND_TREE[path]
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


def test_a_key_of_a_misspelt_column_proposes_the_nearest_of_the_input(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": 20 + n % 5, "sex": "mf"[n % 2]} for n in range(40)])
    for roles in ([], ["--qi", "sex"], ["--qi", "age"]):
        refused(cli("anonymize", "in.parquet", *roles, "--set", "columns.aage.weight=2"), 2, "'aage'", "did you mean 'age'?")
    assert "did you mean" not in cli("anonymize", "in.parquet", "--set", "columns.age.weight=2", code=2).err


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


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("empl0yer", "--target names 'empl0yer', which is not released; did you mean 'employer'?"),
        ("badge", "--target names 'badge', which is not released; known: employer, sex; name it with --sensitive or --qi"),
    ],
)
def test_a_target_is_a_released_column(target: str, message: str, staff: Path, cli: Cli) -> None:
    run = cli(
        "anonymize",
        staff,
        "--qi",
        "sex",
        "--sensitive",
        "employer",
        "--identifying",
        "badge",
        "--k",
        "1",
        "--target",
        target,
        code=2,
    )
    assert message in run.err


def test_a_target_is_kept_in_the_job_of_the_release(staff: Path, cli: Cli, tmp_path: Path) -> None:
    cli(
        "anonymize", staff, "--qi", "sex", "--sensitive", "employer", "--k", "1", "-o", "out.parquet", "--target", "sex", code=0
    )
    assert file.read(tmp_path / "out.parquet.recoding/asked.yaml")["target"] == "sex"


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


# What a mistyped option or value means, and how much `--quiet` prints


MEANT = {
    "--quasi-identifiers": "--qi",
    "--quasi_identifier": "--qi",
    "--direct-identifiers": "--identifying",
    "--identifiers": "--identifying",
    "--sensitive-attributes": "--sensitive",
    "--persons": "--entity",
    "--suppression-limit": "--max-suppression",
    "--max_suppression": "--max-suppression",
    "--max-supression": "--max-suppression",
    "--hierarchy": "--hierarchies",
    "--out": "--output",
    "--replace": "--overwrite",
    "-k": "--k",
    "--K": "--k",
    "--k-anonymity": "--k",
    "--l-diversity": "--require distinct-l=3",
    "--t-closeness": "--require t=0.1",
    "--missing-values": "--missing",
}


@pytest.mark.parametrize("typed", MEANT)
def test_an_unknown_option_names_the_one_that_it_means(typed: str, cli: Cli) -> None:
    run = cli("anonymize", "in.parquet", typed, "x", code=2)
    assert (
        run.err == f"duckanon: error: No such option: {typed}; did you mean '{MEANT[typed]}'? (see duckanon anonymize --help)\n"
    )


@pytest.mark.parametrize("name", [*keys.FORMER, "no-shuffle", "weights", "max-node"])
def test_an_option_that_is_a_key_now_names_the_key(name: str, cli: Cli) -> None:
    run = cli("anonymize", "in.parquet", f"--{name}", "x", code=2)
    setting = keys.FORMER[{"no-shuffle": "shuffle", "weights": "weight", "max-node": "max-nodes"}.get(name, name)]
    begun, _, end = run.err.partition(" --set ")
    assert begun == f"duckanon: error: No such option: --{name}; it is now a key of the job:"
    assert shlex.split(end)[0] == setting


def test_the_former_options_of_the_library_are_keys_now() -> None:
    with pytest.raises(
        JobError, match=r"no such argument: 'max_nodes'; it is now a key of the job: set={'recoding.max-nodes': 'N'}"
    ):
        duckanon.anonymize("in.parquet", max_nodes=3)  # type: ignore[call-arg]


@pytest.mark.parametrize("typed", ["--seed", "--delimiter", "--drop", "--force", "--zzz"])
def test_an_option_that_means_none_of_ours_suggests_none(typed: str, cli: Cli) -> None:
    assert "did you mean" not in cli("anonymize", "in.parquet", typed, "x").err


def test_the_nearest_value_of_an_option_is_named(cli: Cli) -> None:
    assert "did you mean 'mondrian'? (see" in cli("anonymize", "in.parquet", "--algorithm", "mondrain").err
    assert "did you mean" not in cli("anonymize", "in.parquet", "--algorithm", "genetic").err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--microaggregate", "age"), "--microaggregate 'age' gives the column no value; write age=mean"),
        (("--microaggregate", "=mean"), "--microaggregate '=mean' names no column; write COLUMN=mean"),
        (("--shift", "180"), "--shift '180' names no column; write COLUMN=180"),
    ],
)
def test_what_a_pair_lacks_is_named(given: tuple[str, str], message: str, cli: Cli) -> None:
    assert cli("anonymize", "in.parquet", *given).err == f"duckanon: error: {message}\n"


def test_quiet_prints_the_result_alone(tmp_path: Path, cli: Cli) -> None:
    """Classes of four rows; each line is the verdict, an error or nothing."""
    write_parquet(tmp_path / "in.parquet", [{"age": number // 4} for number in range(40)])
    check = ("check", "in.parquet", "--qi", "age", "--quiet")
    held = cli(*check, "--k", "4")
    assert (held.code, held.out, held.err) == (0, "PASS\n", "")
    failed = cli(*check, "--k", "5", "--require", "k=4")
    assert (failed.code, failed.out, len(failed.err.splitlines())) == (1, "FAIL (1 of 1)\n", 1)
    assert cli(*check).out == ""
    assert cli(*check, "--k", "4", "--json").out.startswith("{")
    risk = ("risk", "in.parquet", "--qi", "age", "--quiet", "--max-risk")
    assert [(cli(*risk, limit).code, cli(*risk, limit).out) for limit in ("0.25", "0.2")] == [(0, ""), (1, "")]
    compared = cli("compare", "in.parquet", "--qi", "age", "--k", "2,4", "--quiet")
    assert (len(compared.out.splitlines()), compared.err) == (3, "")


def test_check_and_compare_take_k_as_the_library_does(tmp_path: Path, cli: Cli) -> None:
    path = write_parquet(tmp_path / "in.parquet", [{"age": number // 4} for number in range(40)])
    assert duckanon.check(path, qi="age", k=5)["status"] == "violated"
    assert cli("check", path, "--qi", "age", "--k", "5").code == 1
    runs = duckanon.compare(path, qi="age", k=[2, 4], max_suppression=["0", "5%"])["runs"]
    assert [(run["k"], run["limit"]) for run in runs] == [(2, "0"), (2, "5%"), (4, "0"), (4, "5%")]
    assert [run["k"] for run in duckanon.compare(path, qi="age", k=4)["runs"]] == [4]


class Warned(Silent):
    """Keeps the warnings."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, message: str) -> None:
        self.warnings.append(message)


def test_the_names_of_version_0_2_are_taken_with_a_warning(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "in.parquet", [{"age": number // 4, "sex": number % 2} for number in range(40)])
    observer = Warned()
    runs = duckanon.compare(path, qi="age", ks=[2, 4], limits=["0"], observer=observer)["runs"]
    assert [(run["k"], run["limit"]) for run in runs] == [(2, "0"), (4, "0")]
    assert duckanon.risk(path, qi="age,sex", sets=[["age"]], observer=observer)["sets"]
    assert [message.split("'")[1::2] for message in observer.warnings] == [["ks", "k"], ["limits", "max_suppression"]]


@pytest.mark.parametrize("delimiter", "#~^¦§")
def test_a_rare_delimiter_separates_columns(delimiter: str, tmp_path: Path, cli: Cli) -> None:
    text = "a,b,c\n" + "1,2,3\n" * 5
    (tmp_path / "in.csv").write_text(text.replace(",", delimiter), encoding="utf-8")
    assert cli("anonymize", "in.csv", "--qi", "a,b,c", "-o", "out.csv").code == 0
    assert (tmp_path / "out.csv").read_text() == text


@pytest.mark.parametrize(("text", "asks"), [("a:b:c\n1:2:3\n", True), ("a b c\n1 2 3\n", True), ("at\n12:30:00\n", False)])
def test_an_unusual_delimiter_is_asked_about(text: str, asks: bool, tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "in.csv").write_text(text)
    assert ("write the line sep=" in cli("profile", "in.csv").err) is asks
    (tmp_path / "in.csv").write_text(f"sep={text[1]}\n{text}")
    assert not asks or "\nc " in cli("profile", "in.csv").out


def test_nested_json_is_refused_with_its_reason_and_the_remedy_works(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "in.json").write_text('{"people": [{"age": 1}, {"age": 1}], "meta": {"year": 2}}')
    run = cli("anonymize", "in.json", "--k", "2", code=2)
    assert "'people', 'meta' hold lists or objects, which cannot be generalized; unnest them" in run.err
    statement = run.err.partition("in DuckDB: ")[2].strip()
    duckdb.execute(statement.replace("FILE", str(tmp_path / "in.json")))
    assert cli("anonymize", "in.json.parquet", "--qi", "age,year", "--k", "2").code == 0
    (tmp_path / "in.json").write_text('[{"age": 1, "visits": [1, 2]}, {"age": 1, "visits": [3]}]')
    assert "'visits' holds lists or objects" in cli("anonymize", "in.json", "--k", "2").err
