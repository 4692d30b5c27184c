"""Each record's own k, and classes that count persons: whole runs, counted again from the files without our code."""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from duckanon.errors import Infeasible, JobError, VerificationFailed
from duckanon.job.options import Options
from duckanon.release import verify as release_verify
from duckanon.release import write as release_write
from tests.support import levels
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize, apply
from tests.support.settings import options_of

Row = dict[str, Any]
Label = tuple[str, ...]

HIERARCHIES = {
    "age": {str(age): [str(age), f"{age // 10 * 10}s", "*"] for age in range(20, 60)},
    "town": {
        "Bonn": ["Bonn", "west", "*"],
        "Trier": ["Trier", "west", "*"],
        "Jena": ["Jena", "east", "*"],
        "Gera": ["Gera", "east", "*"],
    },
}
"""Value to its labels from level 0 to the top."""

WAYS: dict[str, dict[str, Any]] = {
    "own k": {"k_column": "want"},
    "own k and k": {"k_column": "want", "k": 4},
    "persons": {"entity": "who", "k": 3},
    "persons and own k": {"entity": "who", "k_column": "want"},
}


def visits(count: int = 600, seed: int = 1) -> list[Row]:
    """Visits of people who come several times, at several ages and in several towns; of some nobody knows whose they are."""
    chance = random.Random(seed)
    return [
        {
            "age": min(chance.randint(20, 59), chance.randint(20, 59)),
            "town": chance.choice(list(HIERARCHIES["town"])),
            "ill": f"ill{chance.randint(0, 5)}",
            "want": chance.choice([1, 2, 2, 2, 3, 3, 4, 9]),
            "who": None if number % 9 == 0 else chance.randint(1, 90),
        }
        for number in range(count)
    ]


def released(folder: Path, rows: list[Row], **options: Any) -> dict[str, Any]:
    source = write_parquet(folder / "in.parquet", rows)
    for name, lines in HIERARCHIES.items():
        write_table(folder / f"{name}.csv", list(lines.values()))
    chosen: dict[str, Any] = {
        "qi": list(HIERARCHIES),
        "hierarchies": [f"{name}={folder / name}.csv" for name in HIERARCHIES],
        "sensitive": ["ill"],
        "max_suppression": "20%",
        **options,
    }
    return anonymize(source, folder / "out.parquet", options=options_of(**chosen), overwrite=True)


def labels_of(rows: list[Row], levels: dict[str, int]) -> dict[Label, list[Row]]:
    """The source's rows by the class that these levels put them into."""
    classes: dict[Label, list[Row]] = defaultdict(list)
    for row in rows:
        classes[tuple(HIERARCHIES[name][str(row[name])][level] for name, level in levels.items())].append(row)
    return dict(classes)


def keeps(members: list[Row], way: dict[str, Any]) -> bool:
    """Whether rows may be released as one class."""
    required = max(way.get("k", 1), max((row["want"] for row in members), default=1) if "k_column" in way else 1)
    counted = len({row["who"] for row in members}) if "entity" in way else len(members)
    return bool(counted >= required)


def assert_kept(folder: Path, rows: list[Row], manifest: dict[str, Any], way: dict[str, Any], name: str) -> None:
    """The file holds exactly the classes of the source that satisfy the requirement, row for row."""
    classes = labels_of(rows, manifest["recoding"]["levels"])
    released_rows = read_rows(folder / name)
    written = Counter((str(row["age"]), str(row["town"]), row["ill"]) for row in released_rows)
    expected: Counter[tuple[str, ...]] = Counter()
    gone = 0
    for label, members in classes.items():
        if keeps(members, way):
            expected.update((*label, row["ill"]) for row in members)
        else:
            gone += len(members)
    assert written == expected
    assert manifest["rows"]["suppressed"] == gone
    assert manifest["rows"]["released"] == len(released_rows)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("seed", "algorithm"), [(1, "optimal"), (2, "optimal"), (1, "samarati"), (2, "balanced")])
def test_every_released_class_keeps_what_its_records_ask_for(tmp_path: Path, way: str, seed: int, algorithm: str) -> None:
    rows = visits(seed=seed)
    manifest = released(tmp_path, rows, algorithm=algorithm, **WAYS[way])
    assert_kept(tmp_path, rows, manifest, WAYS[way], "out.parquet")
    assert list(read_rows(tmp_path / "out.parquet")[0]) == ["age", "town", "ill"]
    [check] = manifest["privacy"]
    assert check["passed"]
    assert check["column"] == WAYS[way].get("k_column")
    assert check["of"] == WAYS[way].get("entity", "rows")
    kept = [members for members in labels_of(rows, manifest["recoding"]["levels"]).values() if keeps(members, WAYS[way])]
    if "entity" in WAYS[way]:
        assert check["achieved"] == min(len({row["who"] for row in members}) for members in kept)
    else:
        assert check["achieved"] == min(map(len, kept)) == manifest["classes"]["smallest"]
    if "k_column" in WAYS[way]:
        most = max(row["want"] for members in kept for row in members)
        assert check["required"] == max(most, WAYS[way].get("k", 1))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("levels", [{"age": 1, "town": 0}, {"age": 0, "town": 2}])
def test_every_chosen_node_is_judged_as_counted_by_hand(tmp_path: Path, way: str, levels: dict[str, int]) -> None:
    rows = visits()
    classes = labels_of(rows, levels)
    if not any(keeps(members, WAYS[way]) for members in classes.values()):
        with pytest.raises(Infeasible):
            released(tmp_path, rows, levels=levels, max_suppression="100%", **WAYS[way])
        return
    manifest = released(tmp_path, rows, levels=levels, max_suppression="100%", **WAYS[way])
    assert_kept(tmp_path, rows, manifest, WAYS[way], "out.parquet")


def test_a_person_of_many_rows_is_one(tmp_path: Path) -> None:
    """Ten rows of two people do not hide either among three; nor do nobody's rows, which may all be of one person."""
    seen: dict[int, list[int | None]] = {20: [1, 2], 21: [1, 2, 3], 22: [1, None], 23: [1, 2, None]}
    rows = [
        {"age": age, "town": "Bonn", "ill": "x", "want": 1, "who": person}
        for age, people in seen.items()
        for person in people
        for _ in range(5)
    ]
    manifest = released(tmp_path, rows, entity="who", k=3, levels={"age": 0, "town": 0}, max_suppression="50%")
    assert Counter(row["age"] for row in read_rows(tmp_path / "out.parquet")) == {21: 15, 23: 15}
    assert manifest["rows"]["suppressed"] == 20
    manifest = released(tmp_path, rows, entity="who", k=4, levels={"age": 1, "town": 0})
    assert manifest["privacy"][0]["achieved"] == 4
    with pytest.raises(Infeasible):
        released(tmp_path, rows, entity="who", k=5, max_suppression="100%")


def test_rows_of_nobody_alone_are_one_person(tmp_path: Path) -> None:
    rows = [{**row, "who": None} for row in visits(50)]
    with pytest.raises(Infeasible):
        released(tmp_path, rows, entity="who", k=2, max_suppression="100%")
    assert released(tmp_path, rows, entity="who", k=1)["privacy"][0]["achieved"] == 1


def test_k_1_with_persons_suppresses_nothing(tmp_path: Path) -> None:
    manifest = released(tmp_path, visits(), entity="who", k=1, max_suppression=0)
    assert manifest["recoding"]["levels"] == {"age": 0, "town": 0}
    assert manifest["rows"]["suppressed"] == 0
    assert manifest["rows"]["released"] == 600


def test_a_record_that_asks_for_more_takes_its_class_along(tmp_path: Path) -> None:
    """k below the largest that a class is asked for does not help its other records."""
    rows = [{"age": 20, "town": "Bonn", "ill": "x", "want": 9 if number == 0 else 2, "who": 1} for number in range(8)]
    rows += [{"age": 21, "town": "Bonn", "ill": "y", "want": 2, "who": 1} for _ in range(8)]
    manifest = released(tmp_path, rows, k_column="want", levels={"age": 0, "town": 0}, max_suppression="50%")
    assert {row["age"] for row in read_rows(tmp_path / "out.parquet")} == {21}
    assert manifest["privacy"][0]["required"] == 2


# --- what is released


@pytest.mark.parametrize("others", ["drop", "keep"])
def test_the_columns_that_a_rule_is_judged_by_are_not_released(tmp_path: Path, others: str) -> None:
    manifest = released(tmp_path, visits(), k_column="want", entity="who", others=others)
    assert pq.read_schema(tmp_path / "out.parquet").names == ["age", "town", "ill"]
    assert (manifest["columns"]["want"], manifest["columns"]["who"]) == ("dropped", "dropped")


def test_the_column_of_k_is_released_where_it_is_named(tmp_path: Path) -> None:
    rows = visits()
    released(tmp_path, rows, k_column="want", keep=["want"])
    released_rows = read_rows(tmp_path / "out.parquet")
    assert list(released_rows[0]) == ["age", "town", "ill", "want"]
    sizes = Counter((row["age"], row["town"]) for row in released_rows)
    assert all(sizes[row["age"], row["town"]] >= row["want"] for row in released_rows)


@pytest.mark.parametrize("role", ["keep", "sensitive", "qi"])
def test_the_column_of_persons_cannot_be_released(tmp_path: Path, cli: Cli, role: str) -> None:
    write_parquet(tmp_path / "in.parquet", visits(50))
    options = ["--qi", "age,who", "--hierarchies", "who=who.csv"] if role == "qi" else ["--qi", "age", f"--{role}", "who"]
    write_table(tmp_path / "who.csv", [[str(person), "*"] for person in range(1, 91)])
    assert "cannot be" in cli("anonymize", "in.parquet", *options, "--entity", "who", code=2).err
    assert not (tmp_path / "in.anonymized.parquet").exists()


# --- the saved recoding, masked rows, the verification


@pytest.mark.parametrize("way", WAYS)
def test_a_saved_recoding_asks_the_same_of_other_data(tmp_path: Path, way: str) -> None:
    manifest = released(tmp_path, visits(), **WAYS[way])
    saved = tmp_path / "out.parquet.manifest.json"
    again = apply(saved, tmp_path / "in.parquet", tmp_path / "again.parquet")
    assert again["rows"] == manifest["rows"]
    assert again["privacy"] == manifest["privacy"]
    lines = [Counter(json.dumps(row) for row in read_rows(tmp_path / name)) for name in ("out.parquet", "again.parquet")]
    assert lines[0] == lines[1]
    others = visits(500, seed=7)
    write_parquet(tmp_path / "new.parquet", others)
    gone = [rows for rows in labels_of(others, manifest["recoding"]["levels"]).values() if not keeps(rows, WAYS[way])]
    if sum(map(len, gone)) > 100:
        with pytest.raises(Infeasible):
            apply(saved, tmp_path / "new.parquet", tmp_path / "new.out.parquet")
        return
    drifted = apply(saved, tmp_path / "new.parquet", tmp_path / "new.out.parquet")
    assert_kept(tmp_path, others, drifted, WAYS[way], "new.out.parquet")


@pytest.mark.parametrize("column", ["want", "who"])
def test_a_saved_recoding_needs_the_column_that_it_judges_by(tmp_path: Path, column: str) -> None:
    released(tmp_path, visits(), k_column="want", entity="who")
    rows = [{name: value for name, value in row.items() if name != column} for row in visits()]
    source = write_parquet(tmp_path / "new.parquet", rows)
    with pytest.raises(JobError, match=column):
        apply(tmp_path / "out.parquet.manifest.json", source, tmp_path / "new.out.parquet")
    assert not (tmp_path / "new.out.parquet").exists()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("levels", [{"age": 0, "town": 1}, {"age": 1, "town": 0}])
def test_masked_rows_are_a_class_that_keeps_its_records_k_too(tmp_path: Path, seed: int, levels: dict[str, int]) -> None:
    rows = [{**row, "want": 40 if number == seed else row["want"]} for number, row in enumerate(visits(300, seed))]
    manifest = released(tmp_path, rows, k_column="want", keep=["want"], suppress="star", levels=levels, max_suppression="100%")
    released_rows = read_rows(tmp_path / "out.parquet")
    assert len(released_rows) == len(rows) == manifest["rows"]["released"]
    assert Counter(row["want"] for row in released_rows) == Counter(row["want"] for row in rows)
    sizes = Counter((row["age"], row["town"]) for row in released_rows)
    assert all(sizes[row["age"], row["town"]] >= row["want"] for row in released_rows)
    assert sizes["*", "*"] >= 40
    assert manifest["rows"]["suppressed"] == sizes["*", "*"]
    assert manifest["classes"]["smallest"] == min(sizes.values())


def test_the_few_that_fail_take_classes_along_until_they_have_what_the_joined_ask_for(tmp_path: Path) -> None:
    """One row asks for 3; the class that joins it brings a record that asks for 8, so that another has to join."""
    rows = [
        {"age": age, "town": "Bonn", "ill": "x", "want": want, "who": 1}
        for age, wants in {20: [3], 21: [8, *[2] * 7], 22: [2] * 9, 23: [2] * 30, 24: [12, *[2] * 11]}.items()
        for want in wants
    ]
    released(tmp_path, rows, k_column="want", suppress="star", levels={"age": 0, "town": 0}, max_suppression="50%")
    assert Counter(row["age"] for row in read_rows(tmp_path / "out.parquet")) == {"*": 9, "22": 9, "23": 30, "24": 12}
    rows[0]["want"] = 10
    released(tmp_path, rows, k_column="want", suppress="star", levels={"age": 0, "town": 0}, max_suppression="50%")
    assert Counter(row["age"] for row in read_rows(tmp_path / "out.parquet")) == {"*": 18, "23": 30, "24": 12}


def test_masked_rows_and_persons_are_refused_together(tmp_path: Path) -> None:
    with pytest.raises(JobError, match=r"--entity and suppression.style=star cannot be combined"):
        released(tmp_path, visits(), entity="who", k=3, suppress="star")


def moved(rows: list[Row]) -> list[Row]:
    """One row goes to another class of the file."""
    other = next(row for row in rows if row["town"] != rows[0]["town"] or row["age"] != rows[0]["age"])
    return [{**rows[0], "age": other["age"], "town": other["town"]}, *rows[1:]]


CHANGES: dict[str, Callable[[list[Row]], list[Row]]] = {
    "moved": moved,
    "lost": lambda rows: rows[1:],
    "doubled": lambda rows: [*rows, rows[0]],
    "a label set to NULL": lambda rows: [{**rows[0], "town": None}, *rows[1:]],
}


def damaged_by(monkeypatch: pytest.MonkeyPatch, damage: Callable[..., int]) -> None:
    write = release_write.write
    monkeypatch.setattr(release_write, "write", lambda *arguments, **more: damage(write, *arguments, **more))


@pytest.mark.parametrize(("change", "way"), levels.spread([*CHANGES], ["own k", "persons"]))
def test_a_release_damaged_before_it_is_verified_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, change: str
) -> None:
    def damage(write: Callable[..., int], engine: Any, recoding: Any, draft: Path, place: Any, **more: Any) -> int:
        rows = write(engine, recoding, draft, place, **more)
        write_parquet(draft, CHANGES[change](read_rows(draft)))
        return rows

    damaged_by(monkeypatch, damage)
    with pytest.raises(VerificationFailed) as failure:
        released(tmp_path, visits(), **WAYS[way])
    assert failure.value.manifest is not None
    assert not failure.value.manifest["privacy"][0]["passed"]
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize("way", WAYS)
def test_failing_classes_left_in_are_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """The file itself holds neither k nor persons: the verification goes back to the source for them."""

    def forgets(write: Callable[..., int], *arguments: Any, suppresses: bool, **more: Any) -> int:
        assert suppresses, "some rows are to be suppressed here"
        return write(*arguments, suppresses=False, **more)

    def asks_for_all(engine: Any, recoding: Any, draft: Path, form: Any, expected_rows: int, **more: Any) -> Any:
        assert expected_rows < 600
        return verify(engine, recoding, draft, form, 600, **more)

    verify = release_verify.verify
    damaged_by(monkeypatch, forgets)
    monkeypatch.setattr(release_verify, "verify", asks_for_all)
    with pytest.raises(VerificationFailed, match="classes of the written file"):
        released(tmp_path, visits(), levels={"age": 0, "town": 1}, max_suppression="100%", **WAYS[way])
    assert not (tmp_path / "out.parquet").exists()


# --- what is refused


@pytest.mark.parametrize(
    ("value", "message"),
    [(None, "holds no k"), (0, "a k below 1"), (-3, "a k below 1"), (2.5, "a k that is not a whole number")],
)
def test_a_k_that_is_none_is_refused(tmp_path: Path, cli: Cli, value: Any, message: str) -> None:
    rows = [{**row, "want": float(row["want"])} if isinstance(value, float) else row for row in visits(50)]
    rows[7] = {**rows[7], "want": value}
    write_parquet(tmp_path / "in.parquet", rows)
    run = cli("anonymize", "in.parquet", "--qi", "age", "--set", "privacy=[{model: k-anonymity, k-column: want}]", code=3)
    assert message in run.err
    assert not (tmp_path / "in.anonymized.parquet").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--set", "privacy=[{model: k-anonymity, k-column: ill}]"],
            "k-column 'ill' is VARCHAR; each record's own k must be a whole number",
        ),
        (["--set", "privacy=[{model: k-anonymity, k-column: wants}]"], "'wants'"),
        (["--entity", "whod"], "'whod'"),
        (["--set", "privacy=[{model: k-anonymity, k-column: age}]"], "cannot be quasi-identifier too"),
        (["--entity", "age"], "'age' is the column that identifies persons and cannot be quasi-identifier too"),
        (["--entity", "ill"], "'ill' is the column that identifies persons and cannot be sensitive too"),
        (["--entity", "who", "--keep", "who"], "cannot be insensitive too"),
        (["--k", "0", "--entity", "who"], "--k 0 is below 1"),
    ],
)
def test_a_column_that_does_not_fit_is_refused(tmp_path: Path, cli: Cli, options: list[str], message: str) -> None:
    write_parquet(tmp_path / "in.parquet", visits(50))
    run = cli("anonymize", "in.parquet", "--qi", "age", "--sensitive", "ill", *options, code=2)
    assert message in run.err
    assert "Traceback" not in run.err


def test_the_column_of_persons_may_be_named_as_identifying(tmp_path: Path) -> None:
    manifest = released(tmp_path, visits(), entity="who", k=3, identifying=["who"])
    assert manifest["columns"]["who"] == "identifying"
    assert pq.read_schema(tmp_path / "out.parquet").names == ["age", "town", "ill"]


def test_rows_that_are_dropped_need_no_k(tmp_path: Path) -> None:
    rows = visits()
    rows[0] = {**rows[0], "want": None}
    manifest = released(tmp_path, rows, k_column="want", missing_policy="drop")
    assert manifest["rows"]["missing"] == sum(row["who"] is None or row["want"] is None for row in rows)


# --- job files


JOB = """version: 1
columns:
  age: {{role: quasi-identifier, hierarchy: age.csv}}
  town: {{role: quasi-identifier, hierarchy: town.csv}}
  ill: {{role: sensitive}}
suppression: {{limit: 20%}}
{more}
"""


def job_run(folder: Path, cli: Cli, more: str, *options: str) -> Any:
    write_parquet(folder / "in.parquet", visits())
    for name, lines in HIERARCHIES.items():
        write_table(folder / f"{name}.csv", list(lines.values()))
    (folder / "job.yaml").write_text(JOB.format(more=more))
    return cli("anonymize", "in.parquet", "--job", "job.yaml", "-o", "out.parquet", "--json", "-q", *options)


@pytest.mark.parametrize(
    ("more", "way"),
    [
        ("privacy: [{model: k-anonymity, k-column: want}]", {"k_column": "want"}),
        ("privacy: [{model: k-anonymity, k-column: want, k: 4}]", {"k_column": "want", "k": 4}),
        ("privacy: [{model: k-anonymity, k-column: want}, {model: k-anonymity, k: 4}]", {"k_column": "want", "k": 4}),
        ("entity: who\nprivacy: [{model: k-anonymity, k: 3}]", {"entity": "who", "k": 3}),
        ("entity: who", {"entity": "who", "k": 5}),
    ],
)
def test_a_job_file_asks_for_the_same(tmp_path: Path, cli: Cli, more: str, way: dict[str, Any]) -> None:
    run = job_run(tmp_path, cli, more)
    assert run.code == 0, run.err
    assert_kept(tmp_path, visits(), run.manifest, way, "out.parquet")
    saved = (tmp_path / "out.parquet.recoding" / "job.yaml").read_text()
    assert ("k-column: want" in saved) == ("k_column" in way)
    assert ("entity: who" in saved) == ("entity" in way)


def test_k_and_its_column_hold_together_on_the_command_line(tmp_path: Path, cli: Cli) -> None:
    run = job_run(
        tmp_path,
        cli,
        "privacy: [{model: k-anonymity, k: 50}]",
        "--k 4",
        "--set",
        "privacy=[{model: k-anonymity, k-column: want}]",
    )
    assert run.code == 0, run.err
    assert_kept(tmp_path, visits(), run.manifest, WAYS["own k and k"], "out.parquet")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("privacy: [{model: k-anonymity}]", "requires nothing; give k, or k-column"),
        ("privacy: [{model: k-anonymity, k: 0}]", "privacy.0.k"),
        ("privacy: [{model: k-anonymity, k-colum: want}]", "did you mean 'k-column'"),
        ("entity: 3", "entity"),
    ],
)
def test_a_job_file_that_asks_for_nothing_is_refused(tmp_path: Path, cli: Cli, more: str, message: str) -> None:
    run = job_run(tmp_path, cli, more)
    assert run.code == 2
    assert message in run.err
    assert "Traceback" not in run.err


def test_two_columns_cannot_both_be_each_records_own_k(tmp_path: Path) -> None:
    """The second would be a requirement that nothing enforces."""
    privacy = [{"model": "k-anonymity", "k-column": "want"}, {"model": "k-anonymity", "k-column": "ill"}]
    with pytest.raises(JobError, match="is in one column"):
        anonymize(write_parquet(tmp_path / "in.parquet", visits(10)), job={"privacy": privacy})


def test_masked_rows_count_among_required_and_achieved(tmp_path: Path) -> None:
    rows = [{"town": "Bonn", "want": 2}] * 10 + [{"town": "Trier", "want": 4}] * 3 + [{"town": "Jena", "want": 6}] * 3
    write_parquet(tmp_path / "in.parquet", rows)
    write_table(tmp_path / "town.csv", list(HIERARCHIES["town"].values()))
    options = Options(
        qi=["town"],
        hierarchies=[f"town={tmp_path / 'town.csv'}"],
        set={"privacy": [{"model": "k-anonymity", "k-column": "want"}], "suppression.style": "star"},
        max_suppression="60%",
        levels={"town": 0},
    )
    manifest = anonymize(tmp_path / "in.parquet", options=options)
    [check] = manifest["privacy"]
    assert (check["required"], check["achieved"], check["passed"]) == (6, 6, True)
    assert manifest["classes"]["smallest"] == 6


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (float("nan"), "holds no k (1 row)"),
        (float("inf"), "holds a k that is too large (1 row)"),
        (1e300, "holds a k that is too large (1 row)"),
    ],
)
def test_a_k_that_nobody_can_count_to_is_named(tmp_path: Path, cli: Cli, value: float, problem: str) -> None:
    write_parquet(tmp_path / "in.parquet", [{"town": "Bonn", "want": value}, {"town": "Bonn", "want": 2.0}])
    write_table(tmp_path / "town.csv", list(HIERARCHIES["town"].values()))
    done = cli(
        "anonymize in.parquet --qi town --hierarchies town=town.csv",
        "--set",
        "privacy=[{model: k-anonymity, k-column: want}]",
        code=3,
    )
    assert f"column 'want' {problem}" in done.err


def test_every_node_and_a_limit_on_nodes_contradict_each_other(tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", visits(50))
    write_table(tmp_path / "town.csv", list(HIERARCHIES["town"].values()))
    options = Options(
        qi=["town"], hierarchies=[f"town={tmp_path / 'town.csv'}"], set={"recoding.max-nodes": 1, "recoding.all-nodes": True}
    )
    with pytest.raises(JobError, match="leave one of them out"):
        anonymize(tmp_path / "in.parquet", options=options)
