"""The register of releases: records that two releases isolate, counted from the released files in plain Python, and what is refused."""

import json
import re
import stat
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

import duckanon
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.staging import StagedFiles
from duckanon.errors import Infeasible, JobError, OutputError
from duckanon.release import register as release_register
from duckanon.workflows import anonymize as workflow
from duckanon.workflows import registration
from tests.support.command_line import Cli, refused, run_process
from tests.support.oracles.registered import few_left, few_together
from tests.support.paths import SHARED
from tests.support.rows import read_rows, write_parquet
from tests.support.settings import keywords_of

QI = ("age", "sex", "race", "marital-status")
LEVELS = {"age": 2, "sex": 0, "race": 0, "marital-status": 1}
OTHER_LEVELS = {"age": 1, "sex": 0, "race": 1, "marital-status": 1}
QIS = ("age", "town", "job")


def classes(path: Path, names: Sequence[str] = QI) -> dict[Any, tuple[Any, ...]]:
    """The class of each record of a release, by its number in the column `id`."""
    return {row["id"]: tuple(row[name] for name in names) for row in read_rows(path)}


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """400 records of four columns, and a number for each."""
    random = Random(4)
    rows = [
        {
            "id": number,
            "age": random.randrange(20, 60),
            "town": f"town {random.randrange(6)}",
            "job": f"job {random.randrange(4)}",
            "disease": f"disease {random.randrange(9)}",
        }
        for number in range(400)
    ]
    return write_parquet(tmp_path / "people.parquet", rows)


@pytest.fixture
def register(tmp_path: Path) -> Path:
    """The file of a register."""
    return tmp_path / "releases.duckdb"


INLINE = {"age": {"kind": "intervals", "widths": [5, 10, 20]}, "town": {"kind": "flat"}, "job": {"kind": "flat"}}
FIRST, SECOND = {"age": 2, "town": 0, "job": 1}, {"age": 3, "town": 1, "job": 0}


def release(source: Path, output: str, register: Path | None = None, **options: Any) -> dict[str, Any]:
    """Release the people with these options; return the manifest."""
    chosen: dict[str, Any] = {"qi": ["age", "town", "job"], "keep": ["id"], "k": 4, "max_suppression": "100%", "entity": "none"}
    chosen["hierarchies"] = {name: INLINE[name] for name in options.get("qi", QIS)}
    made = duckanon.anonymize(source, source.with_name(output), register=register, **keywords_of(**chosen | options))
    return dict(made.manifest)


def isolated(message: str) -> tuple[int, int]:
    """The records that a refusal counts: in intersections, and where one release is subtracted from the other."""
    shared = re.search(r"([\d,]+) \w+ share their classes", message)
    left = re.search(r"([\d,]+) \w+ are left", message)
    return tuple(int(match[1].replace(",", "")) if match else 0 for match in (shared, left))  # type: ignore[return-value]


@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian"])
def test_the_isolated_records_are_those_of_a_plain_count(people: Path, tmp_path: Path, register: Path, algorithm: str) -> None:
    release(people, "first.parquet", register, levels=FIRST)
    options: dict[str, Any] = {"levels": SECOND} if algorithm == "optimal" else {"algorithm": algorithm}
    release(people, "second.parquet", **options)
    first, second = classes(tmp_path / "first.parquet", QIS), classes(tmp_path / "second.parquet", QIS)
    expected = len(few_together([first, second], 4)), few_left(first, second, 4)
    assert any(expected)
    with pytest.raises(Infeasible) as refusal:
        release(people, "refused.parquet", register, **options)
    assert isolated(str(refusal.value)) == expected
    assert not list(tmp_path.glob("refused*"))
    assert [each["release"] for each in registration.listed(register)] == ["first.parquet"]


def test_three_releases_are_compared_together(people: Path, tmp_path: Path) -> None:
    """All three together isolate records that no pair of them does."""
    register, third = tmp_path / "releases.duckdb", {"age": 3, "town": 0, "job": 1}
    release(people, "first.parquet", register, levels={"age": 2, "town": 1, "job": 1})
    release(people, "second.parquet", register, levels={"age": 3, "town": 1, "job": 0})
    release(people, "third.parquet", levels=third)
    made = [classes(tmp_path / f"{name}.parquet", QIS) for name in ("first", "second", "third")]
    pairs = [few_together([earlier, made[2]], 4) for earlier in made[:2]]
    expected = few_together(made, 4)
    assert len(expected) > len(pairs[0] | pairs[1])
    with pytest.raises(Infeasible) as refusal:
        release(people, "refused.parquet", register, levels=third)
    assert isolated(str(refusal.value)) == (len(expected), few_left(made[0], made[2], 4) + few_left(made[1], made[2], 4))


def test_suppressing_isolated_records_leaves_none(people: Path, tmp_path: Path, register: Path) -> None:
    release(people, "first.parquet", register, levels=FIRST)
    manifest = release(people, "second.parquet", register, levels=SECOND, suppress_isolated=True)
    first, second = classes(tmp_path / "first.parquet", QIS), classes(tmp_path / "second.parquet", QIS)
    assert not few_together([first, second], 4)
    assert not few_left(first, second, 4)
    assert min(Counter(second.values()).values()) >= 4
    compared = manifest["earlier_releases"]
    assert compared["releases"] == ["first.parquet"]
    assert compared["suppressed"] > 0
    assert manifest["rows"]["suppressed"] == 400 - len(second) >= compared["suppressed"]
    both = Counter((first[record], second[record]) for record in first.keys() & second.keys())
    assert compared["smallest"] == min(both.values())


def test_what_a_refusal_advises_passes(people: Path, tmp_path: Path, register: Path, cli: Cli) -> None:
    """Each way of the message, followed, gives a release that isolates nobody."""
    release(people, "first.parquet", register, levels=FIRST)
    with pytest.raises(Infeasible) as refusal:
        release(people, "second.parquet", register, levels=SECOND)
    ways = str(refusal.value)
    first = classes(tmp_path / "first.parquet", QIS)
    [command] = re.findall(r"duckanon (apply .*?) \(information", ways)
    assert cli(*command.split(), "-o", "applied.parquet", "--quiet").code == 0
    assert classes(tmp_path / "applied.parquet", QIS) == first
    [rows] = re.findall(r"suppress ([\d,]+) rows: --set suppression.isolated=true", ways)
    manifest = release(people, "suppressed.parquet", register, levels=SECOND, suppress_isolated=True)
    assert manifest["earlier_releases"]["suppressed"] == int(rows)
    if levels := re.findall(r"--levels (\S+)", ways):
        fixed = {name: int(level) for name, level in (item.split("=") for item in levels[0].split(","))}
        release(people, "raised.parquet", register, levels=fixed)


@pytest.mark.slow
def test_two_releases_of_adult(tmp_path: Path, cli: Cli) -> None:
    """The records in intersections below 5 equal a plain count; the advice of the refusal, followed, passes."""
    source, register = tmp_path / "adult.parquet", tmp_path / "releases.duckdb"
    with duckdb.connect() as connection:
        adult = f"read_parquet('{SHARED / 'data' / 'adult.parquet'}')"
        connection.execute(f"copy (select row_number() over () as id, * from {adult}) to '{source}' (format parquet)")
    options: dict[str, Any] = {"qi": list(QI), "keep": ["id"], "k": 5, "max_suppression": "10%", "entity": "none"}
    options["hierarchies"] = "adult/five-year"
    duckanon.anonymize(source, tmp_path / "first.parquet", register=register, levels=LEVELS, **options)
    duckanon.anonymize(source, tmp_path / "second.parquet", levels=OTHER_LEVELS, **options)
    first, second = classes(tmp_path / "first.parquet"), classes(tmp_path / "second.parquet")
    expected = len(few_together([first, second], 5)), few_left(first, second, 5)
    with pytest.raises(Infeasible, match=r"'first.parquet'") as refusal:
        duckanon.anonymize(source, tmp_path / "third.parquet", register=register, levels=OTHER_LEVELS, **options)
    assert isolated(str(refusal.value)) == expected
    assert expected[0] > 100
    [command] = re.findall(r"duckanon (apply .*?) \(information", str(refusal.value))
    assert cli(*command.split(), "-o", "applied.parquet", "--quiet").code == 0
    assert not few_together([first, classes(tmp_path / "applied.parquet")], 5)
    duckanon.anonymize(
        source,
        tmp_path / "fourth.parquet",
        register=register,
        levels=OTHER_LEVELS,
        set={"suppression.isolated": True},
        **options,
    )
    fourth = classes(tmp_path / "fourth.parquet")
    assert not few_together([first, fourth], 5)
    assert not few_left(first, fourth, 5)


def test_other_quasi_identifiers_are_compared(people: Path, tmp_path: Path, register: Path) -> None:
    """The classes of each release are formed by its own columns."""
    release(people, "first.parquet", register, qi=["age", "town"], levels={"age": 2, "town": 0})
    release(people, "second.parquet", qi=["age", "job"], levels={"age": 2, "job": 0})
    first, second = classes(tmp_path / "first.parquet", QIS[:2]), classes(tmp_path / "second.parquet", ("age", "job"))
    expected = len(few_together([first, second], 4)), few_left(first, second, 4)
    with pytest.raises(Infeasible) as refusal:
        release(people, "refused.parquet", register, qi=["age", "job"], levels={"age": 2, "job": 0})
    assert isolated(str(refusal.value)) == expected
    assert expected[0] > 0


def test_a_grown_table_shows_nobody_who_was_added(people: Path, tmp_path: Path) -> None:
    register, rows = tmp_path / "releases.duckdb", read_rows(people)
    write_parquet(people, rows[:390])
    release(people, "first.parquet", register, levels=FIRST)
    write_parquet(people, rows)
    release(people, "second.parquet", levels=FIRST)
    first, second = classes(tmp_path / "first.parquet", QIS), classes(tmp_path / "second.parquet", QIS)
    assert few_left(first, second, 4) > 0
    with pytest.raises(Infeasible) as refusal:
        release(people, "refused.parquet", register, levels=FIRST)
    assert isolated(str(refusal.value))[1] > 0
    duckanon.apply(tmp_path / "first.parquet.manifest.json", people, tmp_path / "applied.parquet", register=register)
    applied = classes(tmp_path / "applied.parquet", QIS)
    assert few_left(first, applied, 4) == 0
    assert applied


def _months(tmp_path: Path, persons: int = 3000) -> tuple[list[Path], dict[int, Any]]:
    """Twelve monthly files of payments to staff: a few join, leave, are absent or move; ages rise in the month of a birthday.

    Returns the files, and the person of each record.
    """
    random, files, person_of = Random(12), [], {}
    numbers = random.sample(range(10**9), persons * 24)
    people = [
        {
            "age": random.randrange(20, 64),
            "birthday": random.randrange(12),
            "region": random.choice("NSEW"),
            "from": random.choice([0] * 8 + [*range(12)]),
            "until": random.choice([12] * 8 + [*range(12)]),
        }
        for _ in range(persons)
    ]
    for month in range(12):
        rows = []
        for name, person in enumerate(people):
            if random.random() < 0.005:
                person["region"] = random.choice("NSEW")
            if not person["from"] <= month < person["until"] or random.random() < 0.02:
                continue
            for _ in range(random.choice((1, 1, 1, 2))):
                number = numbers.pop()
                person_of[number] = name
                age = person["age"] + (month >= person["birthday"])
                rows.append(
                    {"id": number, "person": f"p{name}", "age": age, "region": person["region"], "pay": random.randrange(90)}
                )
        files.append(write_parquet(tmp_path / f"payments-{month + 1:02}.parquet", rows))
    return files, person_of


def _isolated_in_all(releases: Sequence[Mapping[int, Any]], person_of: Mapping[int, Any], k: int) -> set[Any]:
    """The persons of whom some record's classes, one in each month that shows her, fewer than k persons share."""
    shown: list[dict[Any, set[Any]]] = [defaultdict(set) for _ in releases]
    members: list[dict[Any, set[Any]]] = [defaultdict(set) for _ in releases]
    for number, release_classes in enumerate(releases):
        for record, label in release_classes.items():
            members[number][label].add(person_of[record])
            shown[number][person_of[record]].add(label)
    few = set()
    for person in set(person_of.values()):
        candidates: list[set[Any]] = []
        months = [number for number in range(len(releases)) if person in shown[number]]
        for number in months:
            groups = [members[number][label] for label in shown[number][person]]
            candidates = [group & before for group in groups for before in candidates] if candidates else groups
        if len(months) > 1 and any(len(group) < k for group in candidates):
            few.add(person)
    return few


@pytest.mark.slow
@pytest.mark.parametrize("with_register", [True, False])
def test_a_feed_of_twelve_months_isolates_nobody(tmp_path: Path, *, with_register: bool) -> None:
    files, person_of = _months(tmp_path)
    register = tmp_path / "releases.duckdb" if with_register else None
    options: dict[str, Any] = {"qi": ["age", "region"], "keep": ["id"], "entity": "person", "k": 5, "max_suppression": "20%"}
    options |= {
        "levels": {"age": 2, "region": 0},
        "hierarchies": {"age": {"kind": "intervals", "widths": [5, 10, 20]}, "region": {"kind": "flat"}},
    }
    made = [tmp_path / f"release-{number + 1:02}.parquet" for number in range(12)]
    duckanon.anonymize(files[0], made[0], register=register, **options)
    for source, output in zip(files[1:], made[1:], strict=True):
        duckanon.apply(f"{made[0]}.manifest.json", source, output, register=register)
    shown = [classes(path, ("age", "region")) for path in made]
    assert bool(_isolated_in_all(shown, person_of, 5)) is not with_register


# ------------------------------------------------------------------------------------------------- the file, and bad input


def test_a_register_is_private_and_lists_what_it_holds(people: Path, tmp_path: Path, register: Path, cli: Cli) -> None:
    release(people, "first.parquet", register, levels=FIRST)
    release(people, "second.parquet", register, levels=FIRST)
    assert stat.S_IMODE(register.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.glob("releases*")) == ["releases.duckdb"]
    listed = json.loads(cli("register", "list", register, "--json").out)
    assert [(each["number"], each["release"], each["k"], each["levels"]) for each in listed] == [
        (1, "first.parquet", 4, FIRST),
        (2, "second.parquet", 4, FIRST),
    ]
    [pair] = json.loads(cli("register", "compare", register, "--json").out)
    sizes = Counter(classes(tmp_path / "first.parquet", QIS).values())
    assert (pair["earlier"], pair["smallest"]) == ("first.parquet", min(sizes.values()))
    assert "second.parquet" in cli("register", "list", register).out
    assert "first.parquet" in cli("register", "compare", register).out
    with duckdb.connect(str(register)) as connection:
        files = {name for (name,) in connection.execute("select name from files_1").fetchall()}
    assert {"job.yaml", "asked.yaml"} <= files


def test_a_forgotten_release_leaves_no_value(tmp_path: Path, register: Path, cli: Cli) -> None:
    rows = [{"id": number, "age": 30, "town": f"Unmistakable{number % 2}", "job": "j"} for number in range(40)]
    release(write_parquet(tmp_path / "people.parquet", rows), "first.parquet", register, levels=FIRST)
    assert b"Unmistakable" in register.read_bytes()
    assert cli("register", "forget", register, "first.parquet").code == 0
    assert b"Unmistakable" not in register.read_bytes()
    assert stat.S_IMODE(register.stat().st_mode) == 0o600
    assert registration.listed(register) == []
    refused(cli("register", "forget", register, "first.parquet"), 2, "has no release 'first.parquet'")


def test_explain_and_report_know_what_was_suppressed(people: Path, tmp_path: Path, register: Path, cli: Cli) -> None:
    release(people, "first.parquet", register, levels=FIRST)
    release(people, "second.parquet", register, levels=SECOND, suppress_isolated=True)
    manifest = tmp_path / "second.parquet.manifest.json"
    assert cli("report", manifest, "-o", "report.html").code == 0
    shown = classes(tmp_path / "second.parquet", QIS)
    for number in (0, 17, 250, 399):
        assert ("is released" in cli("explain", manifest, "--row", str(number + 1), code=0).out) is (number in shown)


def test_a_dry_run_compares_and_registers_nothing(people: Path, register: Path) -> None:
    duckanon.anonymize(people, None, register=register, qi=["age"], dry_run=True, entity="none")
    assert not register.exists()
    release(people, "first.parquet", register, levels=FIRST)
    with pytest.raises(Infeasible):
        release(people, "second.parquet", register, levels=SECOND, dry_run=True)
    assert len(registration.listed(register)) == 1


def test_a_failed_release_is_not_registered(people: Path, register: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release(people, "first.parquet", register, levels=FIRST)

    def fail(self: StagedFiles) -> None:  # noqa: ARG001
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(StagedFiles, "publish", fail)
    with pytest.raises(OSError, match="No space"):
        release(people, "second.parquet", register, levels=FIRST)
    assert [each["release"] for each in registration.listed(register)] == ["first.parquet"]


def _register_with(tmp_path: Path, sql: str) -> Path:
    path = tmp_path / "other.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(sql)
    path.chmod(0o600)
    return path


@pytest.mark.usefixtures("people")
def test_bad_registers_are_refused(tmp_path: Path, cli: Cli) -> None:
    arguments = ["anonymize", "people.parquet", "--qi", "age,town", "--entity", "none", "-o", "out.parquet", "--register"]
    newer = _register_with(
        tmp_path, "create table register as select 99 as version, 'x' as salt; create table releases (i int)"
    )
    refused(cli(*arguments, newer), 2, "version 99", "update duckanon", narrates=True)
    newer.unlink()
    other = _register_with(tmp_path, "create table people (i int)")
    refused(cli(*arguments, other), 2, "is not a register of releases, but another database", narrates=True)
    refused(cli(*arguments, "people.parquet"), 3, "register", "name another file")
    refused(cli(*arguments, "."), 2, "is a folder", narrates=True)
    refused(cli(*arguments, "none/releases.duckdb"), 2, "its folder does not exist", narrates=True)
    other.chmod(0o640)
    refused(cli(*arguments, other), 2, "accessible to other users", "chmod 600", narrates=True)
    refused(cli("register", "list", "none.duckdb"), 2, "no such register")
    adversaries = ["--adversary", "neighbour=age,town", "--register", "releases.duckdb"]
    refused(cli(*arguments[:-1], *adversaries), 2, "leave out one of them", narrates=True)
    refused(cli(*arguments[:6], "-o", "-", "--register", "r.duckdb"), 2, "name a file with -o", narrates=True)
    assert not (tmp_path / "out.parquet").exists()
    assert not list(tmp_path.glob("r*.duckdb*"))


def test_a_register_in_use_is_refused(people: Path, tmp_path: Path, register: Path, cli: Cli) -> None:
    release(people, "first.parquet", register, levels=FIRST)
    with DuckDBEngine() as engine, release_register.open_register(engine, register):
        with pytest.raises(OutputError, match="in use by another run"):
            release(people, "second.parquet", register, levels=FIRST)
        refused(run_process(tmp_path, "register", "list", register), 3, "in use by another run")
    assert len(registration.listed(register)) == 1
    assert cli("register", "list", register).code == 0


@pytest.mark.parametrize("act", ["deleted", "replaced"])
def test_a_register_that_goes_during_the_run(
    people: Path, tmp_path: Path, register: Path, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    release(people, "first.parquet", register, levels=FIRST)
    write = workflow.write

    def interfering(*arguments: Any) -> Any:
        register.unlink()
        if act == "replaced":
            register.write_bytes(b"something else")
        return write(*arguments)

    monkeypatch.setattr(workflow, "write", interfering)
    with pytest.raises(OutputError, match="was deleted or replaced during the run; nothing was released"):
        release(people, "second.parquet", register, levels=FIRST)
    assert not list(tmp_path.glob("second*"))


def test_releases_of_another_input_are_named(people: Path, tmp_path: Path, register: Path, cli: Cli) -> None:
    release(people, "first.parquet", register, levels=FIRST)
    rows = read_rows(people)
    write_parquet(tmp_path / "some.parquet", rows[:300])
    some = ("anonymize", "some.parquet", "--qi", "age,town", "--entity", "none", "-o", "o.parquet", "--register", register)
    refused(cli(*some), 2, "the records cannot be matched; give the quasi-identifiers age, town, job", narrates=True)
    write_parquet(tmp_path / "others.parquet", [row | {"id": row["id"] + 400} for row in rows[:300]])
    run = cli(
        "anonymize", "others.parquet", "--qi", "age,town", "--entity", "none", "-o", "o.parquet", "--register", register, code=0
    )
    assert "no registered release is of this input, so nothing was compared" in run.err
    assert str(people) in run.err


def test_a_copy_is_the_same_input_and_another_file_of_equal_length_is_not(people: Path, tmp_path: Path, cli: Cli) -> None:
    register, rows = tmp_path / "releases.duckdb", read_rows(people)
    release(people, "first.parquet", register, levels=FIRST)
    copy = write_parquet(tmp_path / "copy.parquet", list(reversed(rows)))
    with pytest.raises(Infeasible, match=r"'first.parquet'"):
        release(copy, "second.parquet", register, levels=SECOND)
    other = write_parquet(tmp_path / "other.parquet", [{**row, "age": row["age"] + 1} for row in rows])
    manifest = release(other, "other-release.parquet", register, levels=SECOND)
    assert manifest["earlier_releases"]["releases"] == []
    assert any("no registered release is of this input" in line for line in manifest["warnings"])
    assert cli("register", "compare", register).out.strip() == "no release was compared with an earlier one"


@pytest.mark.parametrize("form", ["people.csv", "people.duckdb::people", "-"])
def test_each_form_of_an_input_is_known_again(people: Path, tmp_path: Path, cli: Cli, form: str) -> None:
    """Standard input is known by its records."""
    path = tmp_path / "people.csv"
    with duckdb.connect(str(tmp_path / "people.duckdb")) as connection:
        connection.execute(f"create table people as from '{people}'")
        connection.execute(f"copy people to '{path}' (format csv)")
    arguments = ["anonymize", form, "--qi", "age,town,job", "--k", "4", "--entity", "none", "--register", "releases.duckdb"]
    arguments += ["--hierarchies", "age=age.yaml", "--max-suppression", "100%", "-q"]
    (tmp_path / "age.yaml").write_text("kind: intervals\nwidths: [5, 10, 20]\n", encoding="utf-8")
    for levels, output, code in (("age=2,town=0,job=1", "first.csv", 0), ("age=3,town=1,job=0", "second.csv", 1)):
        given = path.read_bytes() if form == "-" else b""
        run = cli(*arguments, "--levels", levels, "-o", output, stdin=given)
        assert run.code == code, run.err
    assert "'first.csv'" in run.err


def test_a_changed_input_with_other_quasi_identifiers_is_refused(people: Path, tmp_path: Path) -> None:
    register, rows = tmp_path / "releases.duckdb", read_rows(people)
    release(people, "first.parquet", register, levels=FIRST)
    write_parquet(people, [*rows[10:], *({**row, "id": row["id"] + 1000, "age": 88} for row in rows[:5])])
    with pytest.raises(JobError, match=r"has changed since release 1 .*5 records more, 10 fewer"):
        release(people, "second.parquet", register, qi=["age", "town"], levels={"age": 2, "town": 0})
    write_parquet(people, [{"id": row["id"], "age": row["age"], "town": row["town"]} for row in rows])
    with pytest.raises(JobError, match="'job', which the input lacks"):
        release(people, "second.parquet", register, qi=["age", "town"], levels={"age": 2, "town": 0})


def test_persons_and_rows_are_not_mixed(tmp_path: Path, register: Path) -> None:
    files, _ = _months(tmp_path, 60)
    duckanon.anonymize(files[0], tmp_path / "first.parquet", register=register, qi=["age", "region"], entity="person")
    with pytest.raises(JobError, match=r"counts persons by 'person'.*--entity person"):
        duckanon.anonymize(files[0], tmp_path / "second.parquet", register=register, qi=["age", "region"], entity="none")


def test_no_value_of_a_person_is_in_a_register_of_persons(tmp_path: Path, register: Path) -> None:
    """Persons are salted hashes there."""
    files, _ = _months(tmp_path, 60)
    duckanon.anonymize(files[0], tmp_path / "first.parquet", register=register, qi=["age", "region"], entity="person")
    with duckdb.connect(str(register)) as connection:
        texts = json.dumps(connection.execute("select _person from persons_1").fetchall(), default=str)
    assert '"p1"' not in texts


def monthly(persons: Sequence[int]) -> list[dict[str, Any]]:
    """Records of these persons, who keep their town, age and disease."""
    return [
        {
            "id": f"person {number}",
            "town": f"town {number % 5}",
            "age": number * 7 % 40,
            "disease": f"disease {number * 7919 % 1009}",
        }
        for number in persons
    ]


OF_MONTHS: dict[str, Any] = {
    "qi": ["town", "age"],
    "levels": {"town": 0, "age": 1},
    "hierarchies": {"town": {"kind": "flat"}, "age": {"kind": "intervals", "widths": [20]}},
    "keep": ["disease"],
    "k": 4,
    "max_suppression": "90%",
}


@pytest.mark.parametrize("entity", ["id", "none"])
@pytest.mark.parametrize(
    ("before", "after", "form"),
    [
        (range(400), range(401), "csv"),
        (range(401), range(400), "parquet"),
        (range(200), [*range(200), *range(1000, 1012)], "parquet"),
    ],
)
def test_a_file_with_another_name_is_subtracted(
    tmp_path: Path, before: Sequence[int], after: Sequence[int], form: str, entity: str
) -> None:
    """The file of the next month has the records of the last one and few others: an adversary who subtracts them learns these records."""
    options = {**OF_MONTHS, "entity": entity, "register": tmp_path / "releases.duckdb"}
    for name, numbers in (("jan", before), ("feb", after)):
        table = write_parquet(tmp_path / f"{name}.parquet", monthly(numbers))
        if form == "csv":
            duckdb.execute(f"copy (select * from '{table}') to '{tmp_path / name}.csv'")
    jan, feb = tmp_path / f"jan.{form}", tmp_path / f"feb.{form}"
    duckanon.anonymize(jan, tmp_path / "jan.out.parquet", **options)
    with pytest.raises(Infeasible, match="where one release is subtracted from the other"):
        duckanon.anonymize(feb, tmp_path / "feb.out.parquet", **options)
    duckanon.anonymize(feb, tmp_path / "feb.out.parquet", **options, set={"suppression.isolated": True})
    first, second = (
        {row["disease"]: (row["town"], row["age"]) for row in read_rows(tmp_path / f"{name}.out.parquet")}
        for name in ("jan", "feb")
    )
    assert second
    assert few_left(first, second, 4) == 0


def test_files_of_other_people_are_not_subtracted(tmp_path: Path, register: Path) -> None:
    """Less than half of the persons of each file are in the other: only intersections are judged; without persons, nothing is compared."""
    for name, numbers in (("jan", range(200)), ("feb", range(101, 301))):
        source = write_parquet(tmp_path / f"{name}.parquet", monthly(numbers))
        made = duckanon.anonymize(source, tmp_path / f"{name}.out.parquet", **OF_MONTHS, entity="id", register=register)
    assert made.manifest["earlier_releases"]["releases"] == ["jan.out.parquet"]
    made = duckanon.anonymize(source, tmp_path / "rows.parquet", **OF_MONTHS, entity="none", register=tmp_path / "rows.duckdb")
    other = write_parquet(tmp_path / "mar.parquet", monthly(range(250, 460)))
    made = duckanon.anonymize(
        other, tmp_path / "mar.out.parquet", **OF_MONTHS, entity="none", register=tmp_path / "rows.duckdb"
    )
    assert any("nothing was compared" in line for line in made.manifest["warnings"])


def test_persons_of_another_column_are_the_same(tmp_path: Path, register: Path) -> None:
    """The next file has another name for the column of the persons."""
    jan = write_parquet(tmp_path / "jan.parquet", monthly(range(200)))
    feb = write_parquet(tmp_path / "feb.parquet", [{"who": row.pop("id")} | row for row in monthly(range(201))])
    duckanon.anonymize(jan, tmp_path / "jan.out.parquet", **OF_MONTHS, entity="id", register=register)
    with pytest.raises(Infeasible, match="subtracted"):
        duckanon.anonymize(feb, tmp_path / "feb.out.parquet", **OF_MONTHS, entity="who", register=register)
    rows = write_parquet(tmp_path / "rows.parquet", monthly(range(201)))
    with pytest.raises(JobError, match="counts persons by 'id'"):
        duckanon.anonymize(rows, tmp_path / "rows.out.parquet", **OF_MONTHS, entity="none", register=register)


def test_a_warning_names_records_that_only_persons_would_match(tmp_path: Path) -> None:
    register, options = tmp_path / "releases.duckdb", {**OF_MONTHS, "entity": "none", "set": {"suppression.isolated": True}}
    jan, feb = (
        write_parquet(tmp_path / f"{name}.parquet", monthly(numbers))
        for name, numbers in (("jan", range(200)), ("feb", range(5, 205)))
    )
    duckanon.anonymize(jan, tmp_path / "jan.out.parquet", **options, register=register)
    made = duckanon.anonymize(feb, tmp_path / "feb.out.parquet", **options, register=register)
    assert any("others removed" in line and "--entity" in line for line in made.manifest["warnings"])
