"""`explain`: the class, the rule that it failed and the cheapest change, each checked by running that change."""

import json
import random
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duckanon.errors import DuckanonError, Infeasible, InputError, JobError
from duckanon.job.options import Options, names, parsed_levels
from duckanon.job.prepare import Run
from duckanon.search import alternatives as alternatives_search
from duckanon.workflows import explain as explain_workflow
from duckanon.workflows.explain import explain
from tests.support import levels as levels_of_tests
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize, apply

TREES: dict[str, list[tuple[str, ...]]] = {
    "a": [("1", "low", "*"), ("2", "low", "*"), ("3", "high", "*"), ("4", "high", "*")],
    "b": [("x", "*"), ("y", "*")],
}
ROWS = st.lists(st.tuples(*(st.sampled_from([line[0] for line in tree]) for tree in TREES.values())), min_size=8, max_size=40)


WAYS: list[dict[str, Any]] = [
    {"recoding": {"algorithm": "local"}},
    {"recoding": {"algorithm": "mondrian"}},
    {"suppression": {"limit": 4, "style": "star"}},
    {"recoding": {"algorithm": "greedy", "objective": "discernibility"}},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("explain")
    for name, tree in TREES.items():
        write_table(made / f"{name}.csv", tree)
    return made


def job_of(folder: Path, *, k: int = 3, limit: int = 4, **more: Any) -> dict[str, Any]:
    return {
        "columns": {name: {"role": "quasi-identifier", "hierarchy": str(folder / f"{name}.csv")} for name in TREES},
        "privacy": [{"model": "k-anonymity", "k": k}],
        "suppression": {"limit": limit},
        **more,
    }


def label(row: Sequence[str], node: Mapping[str, int]) -> tuple[str, ...]:
    """What a row shows at a node."""
    lines = {name: {line[0]: line for line in tree} for name, tree in TREES.items()}
    return tuple(lines[name][value][node[name]] for name, value in zip(TREES, row, strict=True))


def loss(rows: Sequence[Sequence[str]], node: Mapping[str, int], k: int) -> tuple[Fraction, set[tuple[str, ...]]]:
    """The mean loss of a node, and the labels of the classes that it releases (Iyengar 2002)."""
    classes = Counter(label(row, node) for row in rows)
    kept = {shown for shown, count in classes.items() if count >= k}
    losses = Fraction(0)
    for place, (name, tree) in enumerate(TREES.items()):
        under = Counter(line[node[name]] for line in tree)
        for row in rows:
            shown = label(row, node)
            losses += Fraction(under[shown[place]] - 1, len(tree) - 1) if shown in kept else 1
    return losses / len(rows) / len(TREES), kept


@pytest.mark.slow
@settings(max_examples=levels_of_tests.at_most(25), deadline=None)
@given(ROWS, st.integers(1, 40))
def test_the_cheapest_change_is_the_cheapest_and_keeps_the_row(folder: Path, rows: list[tuple[str, ...]], place: int) -> None:
    source = write_parquet(folder / "rows.parquet", [dict(zip(TREES, row, strict=True)) for row in rows])
    row = (place - 1) % len(rows) + 1
    try:
        result = anonymize(source, folder / "out.parquet", job=job_of(folder), overwrite=True)
    except Infeasible:
        return
    node, document = result["recoding"]["levels"], explain(folder / "out.parquet.manifest.json", row=row)
    mine = document["row"]
    value, kept = loss(rows, node, 3)
    assert set(document) == {"release", "row"}
    assert result["metrics"]["loss"] == pytest.approx(float(value))
    shown = label(rows[row - 1], node)
    assert tuple(mine["class"].values()) == shown
    assert mine["rows"] == Counter(label(row, node) for row in rows)[shown]
    assert mine["status"] == ("released" if shown in kept else "suppressed")
    if mine["status"] == "released":
        assert mine["changes"] == []
        return
    [rule] = mine["rules"]
    assert (rule["rule"], rule["achieved"], rule["required"]) == ("fewer than 3 rows", mine["rows"], 3)
    expected = least(rows, rows[row - 1])
    nodes = [change for change in mine["changes"] if change["change"] == "other levels"]
    assert [change["loss"] for change in nodes] == ([] if expected is None else [pytest.approx(float(expected))])
    assert mine["cheapest"] == min(mine["changes"], key=lambda change: change["loss"], default=None)
    assert all(int(k) > 1 for change in mine["changes"] for k in re.findall(r"--k (\d+)", change["option"]))
    for change in mine["changes"]:
        run_change(folder, source, rows[row - 1], change)


def least(rows: Sequence[Sequence[str]], row: Sequence[str]) -> Fraction | None:
    """The least loss of a node that satisfies and shows the row, by trying all."""
    candidates = []
    for heights in product(*(range(len(tree[0])) for tree in TREES.values())):
        node = dict(zip(TREES, heights, strict=True))
        value, kept = loss(rows, node, 3)
        suppressed = sum(label(row, node) not in kept for row in rows)
        if suppressed <= 4 and kept and label(row, node) in kept:
            candidates.append(value)
    return min(candidates, default=None)


def run_change(folder: Path, source: Path, row: Sequence[str], change: Mapping[str, Any]) -> None:
    """Does what a change says, and looks for the row's class in the release."""
    options_of_change = dict(re.findall(r"--(k|levels) (\S+)", change["option"]))
    options = Options(
        k=int(options_of_change["k"]) if "k" in options_of_change else None,
        levels=dict(parsed_levels(options_of_change["levels"])),
    )
    result = anonymize(source, folder / "changed.parquet", job=job_of(folder), options=options, overwrite=True)
    released = Counter(tuple(row[name] for name in TREES) for row in read_rows(folder / "changed.parquet"))
    assert label(row, result["recoding"]["levels"]) in released
    assert result["metrics"]["loss"] == pytest.approx(change["loss"])
    assert result["rows"]["suppressed"] == change["suppressed"]


def test_adult_names_the_class_the_rule_and_the_change(
    adult: Path, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a user types who misses a class."""
    monkeypatch.setattr(explain_workflow, "_LEAST_NODES", 100_000)  # to the end on a slow machine too
    names = "age,sex,race,marital-status"
    arguments = ("--qi", names, "--hierarchies", "adult/five-year", "--missing", "?", "--set", "missing.policy=drop")
    limits = ("--k", "10", "--max-suppression", "20", "-q")
    assert cli("anonymize", adult, "-o", "out.parquet", *arguments, *limits, "--workspace", "work.duckdb").code == 0
    labels = [f"--class={text}" for text in ("age=*", "sex=Male", "race=Other", "marital-status=Widowed or spouse absent")]
    run = cli("explain", "out.parquet.manifest.json", *labels, code=0)
    first, rule, cheapest, *_ = run.out.splitlines()
    assert (
        first
        == "this class is suppressed, in the class age=*, sex=Male, race=Other, marital-status=Widowed or spouse absent, of 9 rows"
    )
    assert rule == "  failed: fewer than 10 rows (achieved 9, required 10)"
    match = re.search(r"keeps it: (--k 9 --levels \S+) \(.*loss (\S+), (\d+) rows suppressed", cheapest)
    assert match is not None, cheapest
    again = cli("anonymize", adult, "-o", "again.parquet", *arguments, "--max-suppression", "20", *match[1].split(), "--json")
    assert (again.code, again.manifest["rows"]["suppressed"]) == (0, int(match[3]))
    [exact, *_] = cli("explain", "out.parquet.manifest.json", *labels, "--json").manifest["class"]["changes"]
    assert f"{exact['loss']:.3g}" == match[2]
    assert again.manifest["metrics"]["loss"] == pytest.approx(exact["loss"], abs=1e-6)
    shown = {tuple(row[name] for name in names.split(",")) for row in read_rows(tmp_path / "again.parquet")}
    assert ("*", "Male", "Other", "Widowed or spouse absent") in shown
    assert all(line.startswith("  ") for line in run.out.splitlines()[1:])
    explained = cli("explain", "out.parquet.manifest.json").out
    assert "age is dropped" in explained
    assert "race is dropped" not in explained


@pytest.fixture(scope="module")
def released(folder: Path) -> Path:
    """A manifest of a release with a suppressed class."""
    rows = [dict(zip(TREES, row, strict=True)) for row in [("1", "x")] * 5 + [("2", "y")] * 4 + [("4", "y")]]
    source = write_parquet(folder / "few.parquet", rows)
    anonymize(source, folder / "few.out.parquet", job=job_of(folder, recoding={"levels": {"a": 0, "b": 0}}))
    return folder / "few.out.parquet.manifest.json"


def test_every_way_to_recode_can_be_explained(folder: Path, released: Path) -> None:
    assert explain(released, row=10)["row"]["rows"] == 1
    for number, more in enumerate(WAYS):
        output = folder / f"way_{number}.parquet"
        result = anonymize(folder / "few.parquet", output, job=job_of(folder, **more))
        assert explain(f"{output}.manifest.json", row=10)["row"]["row"] == 10
        document = explain(f"{output}.manifest.json")
        assert document["loss"] == result["metrics"]["loss"]
        assert all(
            alternative["loss"] < document["loss"] for alternative in document["alternatives"] if alternative["feasible"]
        )
        assert {column["column"] for column in document["columns"]} == set(TREES)
    applied = apply(released, folder / "few.parquet", folder / "applied.parquet", overwrite=True)
    assert applied["status"] == "released"
    assert explain(folder / "applied.parquet.manifest.json", row=1)["row"]["status"] == "released"


def test_a_row_or_a_class_is_explained_alone(released: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is searched, nor printed, beside what was asked for."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("searched")

    for name in ("alternatives", "runners_up", "columns", "suppressed"):
        monkeypatch.setattr(explain_workflow, name, refuse)
    for flags, key in ((("--row", "10"), "row"), (("--class", "a=4", "--class", "b=y"), "class")):
        first, *more = cli("explain", released, *flags, code=0).out.splitlines()
        which = "row 10" if key == "row" else "this class"
        assert first == f"{which} is suppressed, in the class a=4, b=y, of 1 rows"
        assert all(line.startswith("  ") for line in more)
        document = json.loads(cli("explain", released, *flags, "--json").out)
        assert set(document) == {"release", key}
        assert (Path(document["release"]).name, document[key]["rows"]) == ("few.out.parquet", 1)


def test_a_figure_that_is_infinite_is_null_in_json(tmp_path: Path, cli: Cli) -> None:
    """A class without a value that the table has is infinitely far from it under delta-disclosure privacy; JSON has no such number."""
    rows = [{"age": 1, "diagnosis": "x"}] * 30 + [
        {"age": 2 + number % 2, "diagnosis": "xyz"[number % 3]} for number in range(170)
    ]
    words = ["--qi", "age", "--sensitive", "diagnosis", "--require", "delta=3", "--levels", "age=0", "--max-suppression", "30%"]
    cli("anonymize", write_parquet(tmp_path / "in.parquet", rows), *words, "-o", tmp_path / "out.parquet", code=0)
    run = cli("explain", tmp_path / "out.parquet.manifest.json", "--row", "1", "--json")

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    [rule] = json.loads(run.out, parse_constant=refuse)["row"]["rules"]
    assert (rule["achieved"], rule["required"]) == (None, 3)


def test_a_row_that_was_left_out_is_reported(folder: Path) -> None:
    rows = [{"a": "1", "b": "x"}] * 4 + [{"a": None, "b": "x"}]
    source = write_parquet(folder / "missing.parquet", rows)
    anonymize(source, folder / "left.parquet", job=job_of(folder, missing={"policy": "drop"}))
    assert explain(folder / "left.parquet.manifest.json", row=5)["row"]["status"] == "missing"


AWKWARD = ("a,b", 'q"uote', "{{ 7*7 }}", " blank", "*", "a=1,b=2", "$(touch F)", "it's")


@pytest.mark.slow
@pytest.mark.parametrize("name", AWKWARD)
def test_what_is_printed_can_be_pasted_into_a_shell(tmp_path: Path, name: str) -> None:
    rows = [{name: value, "z": "x"} for value in ("u", "u", "u", "u", "v", "v")]
    tree = write_table(tmp_path / "tree.csv", [("u", "*"), ("v", "*")])
    columns = {
        column: {"role": "quasi-identifier", "hierarchy": str(tree) if column == name else {"kind": "flat"}}
        for column in (name, "z")
    }
    job = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 3}], "suppression": {"limit": 2}}
    levels_of = {"recoding": {"levels": {name: 0, "z": 0}}}
    source = write_parquet(tmp_path / "rows.parquet", rows)
    anonymize(source, tmp_path / "out.parquet", job={**job, **levels_of})
    document = explain(tmp_path / "out.parquet.manifest.json", labels=[f"{name}=v", "z=x"])
    assert document["class"]["status"] == "suppressed"
    for change in document["class"]["changes"]:
        *more, flag, argument = shlex.split(change["option"])
        assert (flag, set(dict(parsed_levels(argument)))) == ("--levels", {name, "z"})
        k = int(more[1]) if more else None
        result = anonymize(
            source, tmp_path / "again.parquet", job=job, k=k, levels=dict(parsed_levels(argument)), overwrite=True
        )
        assert result["rows"]["released"] == 6
    alternatives = explain(tmp_path / "out.parquet.manifest.json")["alternatives"]
    dropped = [shlex.split(alternative["option"]) for alternative in alternatives if alternative["option"].startswith("--qi")]
    # without `name`, the other column loses less; without the other, `name` loses as much as the release
    assert [(names(kept), flag, names(gone)) for _, kept, flag, gone, *_ in dropped] == [(["z"], "--identifying", [name])]


@pytest.mark.slow
def test_a_dropped_column_changes_no_hierarchy_of_the_others(tmp_path: Path) -> None:
    """Bundled hierarchies are found by the names of all quasi-identifiers: adult/decades has none for `sex`, adult/five-year has one."""
    draw = random.Random(7)
    rows = [
        {"age": draw.randrange(17, 90), "race": draw.choice(["White", "Black"]), "sex": draw.choice(["Male", "Female"])}
        for _ in range(300)
    ]
    source, qi = write_parquet(tmp_path / "rows.parquet", rows), ["age", "race", "sex"]
    result = anonymize(source, tmp_path / "out.parquet", qi=qi, k=5)
    for alternative in explain(tmp_path / "out.parquet.manifest.json")["alternatives"]:
        arguments = shlex.split(alternative["option"])
        if arguments[0] != "--qi":
            continue
        pairs = list(zip(arguments[::2], arguments[1::2], strict=True))
        flags, pinned = dict(pairs), [value for flag, value in pairs if flag == "--hierarchies"]
        options = Options(
            qi=names(flags["--qi"]),
            identifying=names(flags["--identifying"]),
            entity=flags["--entity"],
            k=5,
            hierarchies=pinned,
        )
        again = anonymize(source, tmp_path / "again.parquet", options=options, overwrite=True)
        assert again["hierarchies"].items() <= result["hierarchies"].items()
        assert again["metrics"]["loss"] == pytest.approx(alternative["loss"])


def edits(released: Path) -> Iterator[tuple[str, type[DuckanonError]]]:
    """Each thing that a release consists of, changed in turn."""
    manifest, release = released.read_text(encoding="utf-8"), released.with_name("few.out.parquet")
    yield "changed after it was written", JobError
    document = json.loads(manifest)
    document["privacy"][0]["required"] = 50
    released.write_text(json.dumps(document), encoding="utf-8")
    yield "changed after it was written", JobError
    released.write_text(manifest, encoding="utf-8")
    written = release.read_bytes()
    release.write_bytes(written + b" ")
    yield "SHA-256", InputError
    release.unlink()
    yield "does not exist", InputError
    release.write_bytes(written)
    edited = released.with_name("few.out.parquet.recoding") / "asked.yaml"
    text = edited.read_text(encoding="utf-8")
    edited.write_text(text.replace("k: 3", "k: 2"), encoding="utf-8")
    yield "its SHA-256 differs", JobError
    edited.write_text(text, encoding="utf-8")
    source = released.with_name("few.parquet")
    rows = read_rows(source)
    write_parquet(source, [*rows[:-1], {"a": "1", "b": "x"}])
    yield "its rows or their classes differ", InputError
    write_parquet(source, rows[:-1])
    yield "the number of its rows differ", InputError
    source.rename(source.with_name("moved.parquet"))
    yield "name it with --input", InputError
    source.with_name("moved.parquet").rename(source)
    write_parquet(source, rows)


def test_what_changed_since_is_refused(released: Path) -> None:
    changed = edits(released)
    next(changed)
    for message, kind in changed:
        with pytest.raises(kind, match=re.escape(message)):
            explain(released)
    assert explain(released)["loss"] >= 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"row": 0}, "row 0 does not exist: the input has rows 1 to 10"),
        ({"row": 11}, "row 11 does not exist"),
        ({"labels": {"a": "1"}}, "no label of b"),
        ({"labels": {"a": "1", "b": "x", "c": "y"}}, "'c', which is not a quasi-identifier"),
        ({"labels": {"a": "9", "b": "x"}}, "no label '9' on its released level 0"),
        ({"labels": {"a": "4", "b": "x"}}, "no row of the input"),
        ({"row": 1, "labels": {"a": "1"}}, "give one of them"),
        ({"labels": ["a"]}, "--class 'a' names no column"),
        ({"labels": ["a=1", "a=2", "b=x"]}, "two labels of 'a'"),
    ],
)
def test_bad_input_is_one_line(released: Path, more: dict[str, Any], message: str) -> None:
    with pytest.raises(JobError, match=re.escape(message)):
        explain(released, **more)


def test_the_command_refuses_what_is_no_manifest(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "x.json").write_text("[]")
    for name, message in (("x.json", "not the manifest of a release"), ("y.json", "no such manifest")):
        run = cli("explain", name)
        assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
        assert message in run.err
    assert "say" not in cli("explain", "x.json", "--class", "a").out


def wages(folder: Path) -> Path:
    """300 made-up workers of whom some groups earn alike, so that models of sensitive values fail where k holds."""
    chance = random.Random(27)
    people = [
        {"age": str(chance.randrange(20, 60)), "school": str(chance.randrange(8)), "town": chance.choice("abcdef")}
        for _ in range(300)
    ]
    for person in people:
        alike = int(person["age"]) < 30 or person["town"] == "a"
        person["wage"] = "low" if alike and chance.random() < 0.9 else chance.choice(["low", "middle", "high"])
    return write_parquet(folder / "wages.parquet", people)


WORKERS = {
    "columns": {
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10, 20]}},
        "school": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [2, 4]}},
        "town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
        "wage": {"role": "sensitive"},
    }
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("search", "require", "limit"),
    levels_of_tests.spread(
        [("local", "loss"), ("optimal", "loss"), ("optimal", "discernibility"), ("mondrian", "loss")],
        [(), ("t=0.3",), ("distinct-l=3",), ("t=0.25", "entropy-l=2")],
        ["0", "10%"],
    ),
    ids=lambda value: "+".join(value) if isinstance(value, tuple) else value,
)
def test_every_other_node_and_promise_is_what_the_text_describes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, search: tuple[str, str], require: tuple[str, ...], limit: str
) -> None:
    """Each alternative is run: nodes by their levels, requirements by their option."""
    algorithm, objective = search
    monkeypatch.setattr(explain_workflow, "_LEAST_NODES", 100_000)  # to the end on a slow machine too
    source, options = (
        wages(tmp_path),
        Options(k=4, require=require, max_suppression=limit, algorithm=algorithm, set={"recoding.objective": objective}),
    )
    run = Run(overwrite=True)
    result = anonymize(source, tmp_path / "out.parquet", job=WORKERS, options=options, run=run)
    document = explain(tmp_path / "out.parquet.manifest.json")
    assert bool(document["runners_up"]) == (algorithm == "optimal")
    assert all(alternative["exact"] for alternative in document["alternatives"])
    for node in document["runners_up"]:
        fixed = replace(options, levels=node["levels"])
        if not node["satisfies"]:
            with pytest.raises(Infeasible):
                anonymize(source, tmp_path / "other.parquet", job=WORKERS, options=fixed, run=run)
        allowed = fixed if node["satisfies"] else replace(fixed, max_suppression="100%")
        release = anonymize(source, tmp_path / "other.parquet", job=WORKERS, options=allowed, run=run)
        assert release["rows"]["suppressed"] == node["suppressed"]
        assert release["recoding"]["objective"]["value"] == pytest.approx(node["value"])
        change = release["recoding"]["objective"]["value"] - result["recoding"]["objective"]["value"]
        assert (change >= 0) == node["satisfies"]
        match = re.search(r"costs? (\S+) (more|less)", node["why"])
        assert (match is None) == (node["why"] == "costs the same")
        if match is not None:
            assert match[1] == (f"{abs(change):,.0f}" if abs(change) >= 100 else f"{abs(change):.3g}")
        if match is not None and match[2] == "less":
            limited = re.search(r"suppresses (\S+) rows, and (\S+) are allowed", node["why"])
            assert limited is not None
            assert int(limited[1].replace(",", "")) == node["suppressed"] > int(limited[2])
    for alternative in document["alternatives"]:
        flags = dict(zip(*[iter(shlex.split(alternative["option"]))] * 2, strict=True))
        job: Any = WORKERS
        if gone := flags.get("--identifying"):
            job = {"columns": {name: plan for name, plan in WORKERS["columns"].items() if name != gone}}
        changed = replace(options, k=int(flags.get("--k", "4")), max_suppression=flags.get("--max-suppression", limit))
        if alternative["feasible"]:
            release = anonymize(source, tmp_path / "other.parquet", job=job, options=changed, run=run)
            assert (release["metrics"]["loss"], release["recoding"].get("levels")) == (
                pytest.approx(alternative["loss"]),
                alternative["levels"],
            )
            assert release["rows"]["suppressed"] == alternative["suppressed"]
        else:
            with pytest.raises(Infeasible):
                anonymize(source, tmp_path / "other.parquet", job=job, options=changed, run=run)
        if "better node" in alternative["change"]:
            assert release["recoding"]["objective"]["value"] < result["recoding"]["objective"]["value"]


def test_what_is_not_searched_to_the_end_is_reported_as_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    monkeypatch.setattr(explain_workflow, "_most_nodes", lambda _: 0)
    monkeypatch.setattr(alternatives_search, "_LEAST_NODES", 8)
    options = Options(k=4, require=("t=0.25",), max_suppression="10%", algorithm="optimal")
    source = wages(tmp_path)
    result = anonymize(source, tmp_path / "out.parquet", job=WORKERS, options=options)
    document = explain(tmp_path / "out.parquet.manifest.json")
    bounds = [alternative for alternative in document["alternatives"] if not alternative["exact"]]
    assert {entry["feasible"] for entry in bounds} == {True, False}
    printed = cli("explain", tmp_path / "out.parquet.manifest.json").out
    assert "at most: the search ended early, at its max-nodes" in printed
    assert "nothing better found before the search ended" in printed
    for bound in bounds:
        assert (bound["loss"] is None) == (not bound["feasible"])
        assert bound["loss"] is None or (
            bound["loss"] < result["metrics"]["loss"] and f"at most {bound['loss']:.3g}" in printed
        )


@pytest.mark.slow
def test_local_recoding_is_exact_only_if_each_of_its_searches_came_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the best of several searches, and another may be the best as soon as one of them has a limit."""
    options = Options(k=4, require=("t=0.3",), max_suppression="0", algorithm="local")
    source, run = wages(tmp_path), Run(dry_run=True)
    anonymize(source, tmp_path / "out.parquet", job=WORKERS, options=options)
    seen = set()
    for nodes in (100, 1_000):
        monkeypatch.setattr(explain_workflow, "_most_nodes", lambda _, nodes=nodes: nodes)
        document = explain(tmp_path / "out.parquet.manifest.json")
        [lower] = [alternative for alternative in document["alternatives"] if alternative["option"] == "--k 3"]
        seen.add(lower["exact"])
        if lower["exact"]:
            whole = anonymize(source, job=WORKERS, options=replace(options, k=3), run=run)
            assert lower["loss"] == pytest.approx(whole["metrics"]["loss"])
    assert seen == {True, False}


def test_the_same_call_gives_the_same_explanation_on_a_slow_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anonymize(wages(tmp_path), tmp_path / "out.parquet", job=WORKERS, k=4, algorithm="optimal")
    first = explain(tmp_path / "out.parquet.manifest.json")
    clock = count(step=60.0)
    monkeypatch.setattr("duckanon.search.budget.time.monotonic", lambda: next(clock))
    assert explain(tmp_path / "out.parquet.manifest.json") == first


def test_every_alternative_loses_less_than_the_release(tmp_path: Path) -> None:
    """Without the column that loses nothing, the mean of the others is higher; lower k and more suppression change nothing."""
    rows = [{"a": str(row // 5), "b": str(row)} for row in range(40)]
    job = {
        "columns": {name: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}} for name in ("a", "b")},
        "recoding": {"algorithm": "optimal"},
    }
    anonymize(write_parquet(tmp_path / "rows.parquet", rows), tmp_path / "out.parquet", job=job)
    document = explain(tmp_path / "out.parquet.manifest.json")
    assert document["loss"] == 0.5
    assert [(alternative["option"].split()[-3], alternative["loss"]) for alternative in document["alternatives"]] == [
        ("b", 0.0)
    ]


def test_shares_of_the_loss_are_weighted(tmp_path: Path, cli: Cli) -> None:
    """Both columns become `*`, so each loses 1; the weights 3 and 1 give them 3/4 and 1/4 of the loss."""
    rows = [{"a": str(row), "b": str(row)} for row in range(10)]
    flat = {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}
    job = {"columns": {"a": flat, "b": flat | {"weight": 3}}, "recoding": {"algorithm": "optimal"}}
    anonymize(write_parquet(tmp_path / "rows.parquet", rows), tmp_path / "out.parquet", job=job)
    columns = explain(tmp_path / "out.parquet.manifest.json")["columns"]
    assert [(column["column"], column["loss"], column["weight"], column["share"]) for column in columns] == [
        ("b", 1, 3, 0.75),
        ("a", 1, 1, 0.25),
    ]
    printed = cli("explain", tmp_path / "out.parquet.manifest.json").out
    assert re.search(r"column +loss +weight +weighted share .*\nb +1 +3 +75%", printed)
