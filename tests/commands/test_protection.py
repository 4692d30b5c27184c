"""Models beyond k, as options and in a job: refusals, decisions and verification."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from duckanon import check
from duckanon.errors import Infeasible, JobError, VerificationFailed
from duckanon.job.options import Options
from tests.support import levels
from tests.support.command_line import Cli
from tests.support.damage import change_drafts
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize

QI = ["age", "sex"]
FLAT = {"kind": "flat"}


def people(rows: int = 240) -> list[dict[str, Any]]:
    """Ages 20 to 23, both sexes, and an illness that leans on the age."""
    illnesses = ["flu", "flu", "cold", "asthma", None, "gout"]
    return [
        {
            "age": 20 + number % 4,
            "sex": "fm"[number // 4 % 2],
            "illness": illnesses[(number * 7 + number // 8 * (number % 4)) % 6],
            "pay": number % 10 * 100,
        }
        for number in range(rows)
    ]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_parquet(tmp_path / "people.parquet", people())


def job(**more: Any) -> dict[str, Any]:
    columns: dict[str, Any] = {name: {"role": "quasi-identifier", "hierarchy": FLAT} for name in QI}
    return {"columns": columns | {"illness": {"role": "sensitive"}, "pay": {"role": "sensitive"}}, **more}


REFUSED = {
    "a sensitive column that is a quasi-identifier too": (["--qi", "age,sex,illness", "--sensitive", "illness"], 2, "one role"),
    "a model about a quasi-identifier": (["--require", "t=0.2@age"], 2, "is a quasi-identifier"),
    "a model without its sensitive column": (["--require", "distinct-l=2"], 2, "--sensitive COLUMN"),
    "a model that two columns could be meant by": (
        ["--sensitive", "illness,pay", "--require", "distinct-l=2"],
        2,
        "distinct-l=...@illness",
    ),
    "a model about a column that is not sensitive": (["--require", "distinct-l=2@pay"], 2, "--sensitive pay"),
    "a model about no column": (["--require", "distinct-l=2@illness-2"], 2, "did you mean 'illness'"),
    "a column for a model that has none": (["--require", "k=5@illness"], 2, "leave out @illness"),
    "l above the number of values": (["--sensitive", "illness", "--require", "distinct-l=6"], 1, "4 values (besides NULL)"),
    "an entropy above it": (["--sensitive", "illness", "--require", "entropy-l=5.000001"], 1, "4 values"),
    "t above 1": (["--sensitive", "illness", "--require", "t=1.5"], 2, "'1.5' is not at most 1"),
    "t below 0": (["--sensitive", "illness", "--require", "t=-0.1"], 2, "'-0.1' is not at least 0"),
    "t that is no number": (["--sensitive", "illness", "--require", "t=low"], 2, "write t=0.1"),
    "t that is not a number at all": (["--sensitive", "illness", "--require", "t=nan"], 2, "finite"),
    "ten decimal places": (["--sensitive", "illness", "--require", "t=0.1234567891"], 2, "9 decimal places"),
    "an unknown model": (["--sensitive", "illness", "--require", "entropyl=3"], 2, "did you mean 'entropy-l'"),
    "one of two numbers": (["--sensitive", "illness", "--require", "recursive-cl=3"], 2, "its numbers c and l"),
    "a hierarchical distance without a hierarchy": (
        ["--sensitive", "illness", "--require", "t-hierarchical=0.2"],
        2,
        "--hierarchies illness=FILE",
    ),
    "bounds that are crossed": (["--population", "PEOPLE", "--require", "delta-presence=0.6,0.1"], 2, "exceeds the upper"),
    "a model of the population without one": (["--require", "k-map=5"], 2, "--population FILE"),
    "a population that lacks a column": (
        ["--population", "LACKING", "--require", "k-map=5"],
        2,
        "lacks the quasi-identifier 'sex'",
    ),
    "a population with another type": (["--population", "RETYPED", "--require", "k-map=5"], 2, "make them alike"),
    "a population that is not there": (["--population", "nobody.parquet", "--require", "k-map=5"], 3, "nobody.parquet"),
    "a population of persons": (["--population", "PEOPLE", "--entity", "pay", "--require", "k-map=5"], 2, "--entity"),
}


IN_A_CHECK = ["a model about no column", "an unknown model", "bounds that are crossed", "a population of persons"]
"""One of each kind: `check` reads its requirements as `anonymize` does."""


@pytest.mark.parametrize(
    ("case", "command"), [*((case, "anonymize") for case in REFUSED), *((case, "check") for case in IN_A_CHECK)]
)
def test_what_makes_no_sense_is_refused_in_one_line(cli: Cli, table: Path, command: str, case: str) -> None:
    arguments, code, phrase = REFUSED[case]
    rows = people()
    files = {
        "PEOPLE": table,
        "LACKING": write_parquet(table.with_name("lacking.parquet"), [{"age": row["age"], "sec": "f"} for row in rows]),
        "RETYPED": write_parquet(table.with_name("retyped.parquet"), [{**row, "age": str(row["age"])} for row in rows]),
    }
    given = [str(files.get(argument, argument)) for argument in arguments]
    qi = [] if "--qi" in given else ["--qi", "age,sex"]
    job_file = table.with_name("job.json")
    job_file.write_text(json.dumps({"columns": {name: {"role": "quasi-identifier", "hierarchy": FLAT} for name in QI}}))
    run = cli(command, table, "--job", job_file, *qi, *given)
    assert (run.code, "Traceback" in run.err) == (code, False), run.err
    [line] = [line for line in run.err.splitlines() if "error:" in line]
    assert phrase in line


def test_too_many_values_requested_is_reported_before_the_search(table: Path) -> None:
    with pytest.raises(Exception, match="lower l") as failure:
        anonymize(table, job=job(privacy=[{"model": "l-diversity", "l": 99, "column": "illness"}]))
    manifest = failure.value.manifest  # type: ignore[attr-defined]
    assert (manifest["status"], manifest["recoding"]["visited"]) == ("infeasible", 1)


def test_several_models_of_several_columns_hold_together(tmp_path: Path, table: Path) -> None:
    privacy = [
        {"model": "k-anonymity", "k": 3},
        {"model": "l-diversity", "variant": "distinct", "l": 3, "column": "illness"},
        {"model": "t-closeness", "distance": "ordered", "t": 0.2, "column": "pay"},
        {"model": "highest-risk", "risk": 0.1},
    ]
    manifest = anonymize(table, tmp_path / "out.parquet", job=job(privacy=privacy, suppression={"limit": "100%"}))
    by_model = {(entry["model"], entry["column"]): entry for entry in manifest["privacy"]}
    assert set(by_model) == {("k-anonymity", None), ("l-diversity", "illness"), ("t-closeness", "pay"), ("highest-risk", None)}
    assert all(entry["passed"] for entry in by_model.values())
    classes = defaultdict(list)
    for row in read_rows(tmp_path / "out.parquet"):
        classes[row["age"], row["sex"]].append(row["illness"])
    assert by_model["k-anonymity", None]["achieved"] == min(map(len, classes.values())) >= 10
    assert by_model["l-diversity", "illness"]["achieved"] == min(len({*values} - {None}) for values in classes.values()) >= 3
    assert by_model["highest-risk", None]["achieved"] == 1 / min(map(len, classes.values()))


def test_deciding_on_quasi_identifiers_takes_the_levels_of_k_alone(table: Path) -> None:
    """At those levels a quarter of the rows are in classes that lean too far; nothing else is tried."""
    plain = anonymize(table, job=job(), dry_run=True)
    given = job(privacy=[{"model": "t-closeness", "t": 0.25, "column": "illness"}])
    on_all = anonymize(table, job=given, dry_run=True)
    assert (on_all["recoding"]["levels"], on_all["rows"]["suppressed"]) == ({"age": 0, "sex": 1}, 0)
    with pytest.raises(Infeasible, match="raise --max-suppression to 60") as failure:
        anonymize(table, job={**given, "decide-on": "qi"}, dry_run=True)
    assert failure.value.manifest is not None
    assert failure.value.manifest["recoding"]["levels"] == plain["recoding"]["levels"] == {"age": 0, "sex": 0}
    on_some = anonymize(table, job={**given, "decide-on": "qi", "suppression": {"limit": "25%"}}, dry_run=True)
    assert on_some["recoding"]["levels"] == plain["recoding"]["levels"]
    assert on_some["recoding"]["decided_on"] == "quasi-identifiers"
    assert on_some["rows"]["suppressed"] == 60


def test_a_model_is_judged_by_the_rows_that_take_part(tmp_path: Path) -> None:
    rows = [{"age": 1, "s": value} for value in "aabb?"] * 2
    columns = {"age": {"role": "quasi-identifier", "hierarchy": FLAT}, "s": {"role": "sensitive"}}
    given = {"columns": columns, "privacy": [{"model": "l-diversity", "variant": "entropy", "l": 2}]}
    kept = anonymize(
        write_parquet(tmp_path / "in.parquet", rows), job={**given, "missing": {"tokens": ["?"], "policy": "drop"}}
    )
    assert (kept["rows"]["released"], kept["privacy"][1]["achieved"]) == (8, pytest.approx(2))
    valued = anonymize(tmp_path / "in.parquet", job={**given, "missing": {"tokens": ["?"], "sensitive": "value"}}, dry_run=True)
    assert valued["privacy"][1]["achieved"] > 2
    with pytest.raises(JobError, match=r"2 rows of sensitive column 's' hold '\?', which --missing declares missing"):
        anonymize(tmp_path / "in.parquet", job={**given, "missing": {"tokens": ["?"]}}, dry_run=True)


def test_null_is_shown_as_a_value_of_its_own(cli: Cli, tmp_path: Path) -> None:
    rows = [{"age": None if number < 6 else 30, "s": (None, None, "xy"[number % 2])[number % 3]} for number in range(60)]
    write_parquet(tmp_path / "in.parquet", rows)
    job = {"columns": {"age": {"role": "quasi-identifier", "hierarchy": FLAT}, "s": {"role": "sensitive"}}}
    (tmp_path / "job.json").write_text(json.dumps(job))
    run = cli("anonymize", "in.parquet", "--job", "job.json", "--require", "distinct-l=2", "--dry-run")
    assert "counts as a value: age 6 rows, s 40 rows" in run.err
    topped = cli("anonymize in.parquet --job job.json --require distinct-l=2 --set missing.policy=top --dry-run --json")
    assert topped.manifest["nulls"] == {"s": 40}


def swapped(path: Path) -> None:
    """Swaps the sensitive values of two rows of different classes."""
    with duckdb.connect() as connection:
        connection.execute(f"create table t as select row_number() over () as n, * from read_parquet('{path}')")
        [(number, a, x)] = connection.execute("select n, age, illness from t where illness = 'flu' limit 1").fetchall()
        [(other, y)] = connection.execute(
            "select n, illness from t where age <> ? and illness = 'cold' limit 1", [a]
        ).fetchall()
        connection.execute("update t set illness = ? where n = ?", [y, number])
        connection.execute("update t set illness = ? where n = ?", [x, other])
        connection.execute(f"copy (select * exclude (n) from t) to '{path}' (format parquet)")


def flattened(path: Path) -> None:
    """Gives all rows of one class the same sensitive value."""
    with duckdb.connect() as connection:
        connection.execute(f"create table t as select * from read_parquet('{path}')")
        connection.execute("update t set illness = 'flu' where age = (select min(age) from t)")
        connection.execute(f"copy t to '{path}' (format parquet)")


@pytest.mark.parametrize("damage", [swapped, flattened])
def test_sensitive_values_changed_between_write_and_verify_are_caught(
    tmp_path: Path, table: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None]
) -> None:
    change_drafts(monkeypatch, damage)
    entropy = {"model": "l-diversity", "variant": "entropy", "l": 2, "column": "illness"}
    given = job(privacy=[entropy], suppression={"limit": "100%"})
    with pytest.raises(VerificationFailed):
        anonymize(table, tmp_path / "out.parquet", job={**given, "recoding": {"levels": {"age": 0, "sex": 0}}})
    assert not (tmp_path / "out.parquet").exists()


def test_a_saved_recoding_asks_for_the_same_models(tmp_path: Path, table: Path, cli: Cli) -> None:
    """With the order and the hierarchy of its sensitive columns; the population is named anew."""
    lines = [
        (illness, "lung" if illness in ("flu", "asthma") else "other", "*") for illness in ("flu", "cold", "asthma", "gout")
    ]
    columns = job()["columns"]
    columns["illness"] |= {
        "order": ["gout", "asthma", "cold", "flu"],
        "hierarchy": {"kind": "table", "rows": [*map(list, lines)], "missing": "top"},
    }
    privacy = [
        {"model": "l-diversity", "l": 2, "column": "illness"},
        *({"model": "t-closeness", "distance": text, "t": 0.9, "column": "illness"} for text in ("ordered", "hierarchical")),
        {"model": "k-map", "k": 7},
    ]
    anonymize(table, tmp_path / "out.parquet", job={"columns": columns, "privacy": privacy, "population": str(table)})
    new = write_parquet(tmp_path / "new.parquet", people(160))
    refused = cli("apply", "out.parquet.manifest.json", new)
    assert (refused.code, "--population FILE" in refused.err) == (2, True)
    applied = cli("apply", "out.parquet.manifest.json", new, "--population", table, "--json").manifest
    assert [entry["model"] for entry in applied["privacy"]] == [
        "k-anonymity",
        "l-diversity",
        "t-closeness",
        "t-closeness",
        "k-map",
    ]
    assert applied["status"] == "released"


def test_the_order_of_a_text_column_is_declared(table: Path, tmp_path: Path) -> None:
    columns = job()["columns"]
    columns["illness"]["order"] = ["gout", "asthma", "cold", "flu"]
    privacy = [{"model": "t-closeness", "distance": "ordered", "t": 1, "column": "illness"}]
    levels = {"age": 0, "sex": 0}
    manifest = anonymize(
        table, tmp_path / "o.parquet", job={"columns": columns, "privacy": privacy, "recoding": {"levels": levels}}
    )
    order = [*columns["illness"]["order"], None]
    rows = people()
    whole = Counter(row["illness"] for row in rows)
    distances = []
    for key in {(row["age"], row["sex"]) for row in rows}:
        inside = Counter(row["illness"] for row in rows if (row["age"], row["sex"]) == key)
        gaps = [inside[value] / inside.total() - whole[value] / whole.total() for value in order]
        distances.append(sum(abs(sum(gaps[: place + 1])) for place in range(len(order))) / (len(order) - 1))
    assert manifest["privacy"][1]["achieved"] == pytest.approx(max(distances))
    columns["illness"]["order"] = ["gout", "flu"]
    with pytest.raises(Exception, match="leaves out 2 of its values"):
        anonymize(table, tmp_path / "p.parquet", job={"columns": columns, "privacy": privacy})


def test_a_check_guards_a_pipeline(cli: Cli, table: Path) -> None:
    held = cli("check", table, "--qi", "age,sex", "--sensitive", "illness", "--require", "k=5", "--json")
    assert (held.code, held.manifest["status"]) == (0, "holds")
    broken = cli("check", table, "--qi", "age,sex", "--sensitive", "illness", "--require", "k=500", code=1)
    assert "FAILS" in broken.out
    assert "does not satisfy k-anonymity" in broken.err
    missing = sum(row["illness"] is None for row in people())
    assert f"NULL counts as a value: illness {missing} rows" in broken.out
    assert "gout" not in broken.out


def test_values_of_the_smallest_classes_are_shown_only_on_request(cli: Cli, table: Path) -> None:
    shown = cli("check", table, "--qi", "age,sex", "--show-values", "--json").manifest
    assert all(set(group["values"]) == {"age", "sex"} for group in shown["smallest_classes"])
    hidden = cli("check", table, "--qi", "age,sex", "--json").manifest
    assert all(set(group) == {"rows", "classes"} for group in hidden["smallest_classes"])


OWN = [
    "present",
    "most",
    "entropy",
    "gain",
    "beyond",
    "gaps",
    "unseen",
    "level",
    "first",
    "last",
    "before",
    "behind",
    "is_first",
    "crossed",
    "reached",
    "steps",
    "distance",
    "beyond_log",
    "more_frequent",
    "rarer",
    "rare_rows",
    "frequent",
    "bound_share",
    "bound_rows",
    "classes_left",
    "rows_left",
    "smaller_classes",
    "smaller_rows",
    "failing",
    "classes",
    "needed",
    "enough",
    "masked_records",
    "evaluated",
    "class_results",
    "ordered",
    "value_counts_1",
    "evaluated_1",
    "histogram_1",
    "numbered",
    "counted",
    "grouped",
    "shares",
    "label",
    "value",
    "final",
    "excess",
    "above",
]
"""Names that our statements give to their own parts, and that a column may have too."""


@pytest.mark.slow
@pytest.mark.parametrize("style", ["drop", "star"])
def test_a_column_may_be_called_as_a_part_of_a_statement_is(tmp_path: Path, style: str) -> None:
    """Every name at once, as quasi-identifiers that say nothing beside one that does, and one as the sensitive column."""
    names = [name.title() if number % 3 else name for number, name in enumerate(OWN)]
    rows = [
        {**dict.fromkeys(names, "x"), "half": str(number % 2), "measured": "ill" if number % 2 else "well"}
        for number in range(20)
    ]
    write_parquet(tmp_path / "in.parquet", rows)
    document = check(tmp_path / "in.parquet", options=Options(qi=[*names, "half"], sensitive=["measured"]))
    figures = {
        (entry["model"], entry.get("distance", entry.get("variant", entry.get("values")))): entry["achieved"]
        for entry in document["privacy"]
    }
    assert figures["t-closeness", "equal"] == figures["t-closeness", "ordered"] == 0.5
    assert figures["beta-likeness", "basic"] == figures["delta-disclosure", "present"] == 1
    columns: dict[str, Any] = {name: {"role": "quasi-identifier", "hierarchy": FLAT, "max-level": 0} for name in names}
    columns |= {"half": {"role": "quasi-identifier", "hierarchy": FLAT}, "measured": {"role": "sensitive"}}
    privacy = [{"model": "t-closeness", "distance": distance, "t": 0.1} for distance in ("equal", "ordered")]
    privacy += [{"model": "l-diversity", "variant": "recursive", "c": 3, "l": 2}, {"model": "beta-likeness", "beta": 1}]
    privacy += [{"model": "average-risk", "risk": 0.5}, {"model": "l-diversity", "variant": "entropy", "l": 1.5}]
    suppression = {"limit": "100%", "style": style}
    manifest = anonymize(
        tmp_path / "in.parquet", job={"columns": columns, "privacy": privacy, "suppression": suppression}, overwrite=True
    )
    assert manifest["recoding"]["levels"]["half"] == 1
    assert manifest["rows"]["released"] == 20


def test_single_precision_and_signed_zeros_are_verified_in_text_too(tmp_path: Path) -> None:
    query = "select (i // 7) % 4 as a, [0.1::real, 0.3::real, 1e20::real, -0.0::real][i % 4 + 1] as s from range(420) t(i)"
    duckdb.connect().execute(f"copy ({query}) to '{tmp_path / 'in.parquet'}'")
    columns = {"a": {"role": "quasi-identifier", "hierarchy": FLAT}, "s": {"role": "sensitive"}}
    manifest = anonymize(
        tmp_path / "in.parquet", tmp_path / "out.csv", job={"columns": columns, "privacy": [{"model": "t-closeness", "t": 0.9}]}
    )
    assert manifest["status"] == "released"


def test_each_bound_of_a_presence_is_judged_for_itself(cli: Cli, table: Path) -> None:
    run = cli("check", table, "--qi", "age,sex", "--population", table, "--require", "delta-presence=0.5,0.9", "--json")
    bounds = {entry["bound"]: entry["passed"] for entry in run.manifest["privacy"] if entry["model"] == "delta-presence"}
    assert (run.code, bounds) == (1, {"low": True, "high": False})


def test_a_population_of_wider_numbers_is_refused_by_name_where_they_do_not_fit(cli: Cli, tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"copy (select (i % 4)::tinyint as a from range(40) t(i)) to '{tmp_path / 'in.parquet'}'")
        connection.execute(f"copy (select i % 300 as a from range(900) t(i)) to '{tmp_path / 'wide.parquet'}'")
        connection.execute(f"copy (select i % 5 as a from range(900) t(i)) to '{tmp_path / 'fits.parquet'}'")
        connection.execute(f"copy (select 1 as a where false) to '{tmp_path / 'empty.parquet'}'")
    wide = cli("check", "in.parquet", "--qi", "a", "--population", "wide.parquet", "--require", "k-map=2")
    assert (wide.code, "'wide.parquet' has" in wide.err) == (2, True)
    cli("check", "in.parquet", "--qi", "a", "--population", "fits.parquet", "--require", "k-map=180", code=0)
    empty = cli("check", "in.parquet", "--qi", "a", "--population", "empty.parquet", "--require", "k-map=2")
    assert (empty.code, "population has no rows" in empty.err) == (3, True)


def test_persons_count_in_every_figure_of_risk(tmp_path: Path) -> None:
    rows = [{"a": number % 4, "pid": number % 8 // 4, "s": number % 3} for number in range(40)]
    write_parquet(tmp_path / "in.parquet", rows)
    options = Options(qi=["a"], entity="pid", require=["highest-risk=0.2", "average-risk=0.2"])
    document = check(tmp_path / "in.parquet", options=options)
    assert document["risk"]["highest"] == document["risk"]["average"] == 0.5
    assert [entry["passed"] for entry in document["privacy"] if "passed" in entry] == [False, False]


@pytest.mark.slow
def test_many_sensitive_columns_are_measured_one_by_one(tmp_path: Path) -> None:
    rows = [{"a": number % 4, **{f"s{place}": number * 3 % (place + 3) for place in range(12)}} for number in range(400)]
    document = check(
        write_parquet(tmp_path / "in.parquet", rows), options=Options(qi=["a"], sensitive=[f"s{place}" for place in range(12)])
    )
    assert len(document["privacy"]) == 2 + 12 * 11


def test_what_a_terminal_would_obey_is_shown_escaped(cli: Cli, tmp_path: Path) -> None:
    write_parquet(tmp_path / "in.parquet", [{"a": "x\x1b[31mred\n   0 rows: fake"}])
    run = cli("check", "in.parquet", "--qi", "a", "--show-values")
    assert "\x1b" not in run.out
    assert not [line for line in run.out.splitlines() if line.strip().startswith("0 rows: fake")]


def test_a_job_is_validated_for_the_columns_of_its_models(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "job.yaml").write_text(
        "columns:\n  a: {role: quasi-identifier, hierarchy: {kind: flat}}\n  job: {role: insensitive, order: [1, 2]}\n  pay: {role: sensitive, order: [x, x]}\n"
        "privacy: [{model: t-closeness, t: 0.2, column: pai}]\n"
    )
    run = cli("job", "validate", "job.yaml", code=2)
    assert "only sensitive columns and quasi-identifiers can have an order" in run.out + run.err
    assert "contains 'x' twice" in run.out + run.err
    (tmp_path / "job.yaml").write_text(
        "columns: {pay: {role: sensitive}}\nprivacy: [{model: t-closeness, t: 0.2, column: pai}]\n"
    )
    run = cli("job", "validate", "job.yaml")
    assert "did you mean 'pay'" in run.out + run.err


@pytest.mark.parametrize(
    ("read", "write"),
    levels.spread(["people.parquet", "population.parquet", "age.csv", "job.yaml"], ["-o", "--report", "--workspace"]),
)
def test_nothing_that_is_read_is_written_over(cli: Cli, table: Path, read: str, write: str) -> None:
    folder = table.parent
    (folder / "population.parquet").write_bytes(table.read_bytes())
    (folder / "age.csv").write_text("".join(f"{age};*\n" for age in range(20, 24)))
    (folder / "job.yaml").write_text(
        "columns:\n  age: {role: quasi-identifier, hierarchy: age.csv}\n  sex: {role: quasi-identifier, hierarchy: {kind: flat}}\n"
        "population: population.parquet\nprivacy: [{model: k-map, k: 2}]\n"
    )
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    if write == "--report":
        run = cli("compare", table, "--job", "job.yaml", "--k", "2", "--report", read, "--overwrite")
    else:
        run = cli("anonymize", table, "--job", "job.yaml", write, read, "--overwrite")
    if (write, read) == ("-o", "job.yaml"):
        assert (run.code, "neither Parquet nor CSV" in run.err) == (2, True)
    else:
        assert (run.code, "name another file" in run.err) == (3, True), run.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_release_beside_the_hierarchies_of_a_folder_is_replaced(cli: Cli, table: Path) -> None:
    (table.parent / "sets").mkdir()
    for name, values in (("age", range(20, 24)), ("sex", "fm")):
        (table.parent / "sets" / f"{name}.csv").write_text("".join(f"{value};*\n" for value in values))
    arguments = ("anonymize", table, "--qi", "age,sex", "--hierarchies", "sets", "--overwrite", "-o")
    assert [cli(*arguments, "sets/out.parquet").code for _ in range(2)] == [0, 0]
    assert cli(*arguments, "sets/sex.csv").code == 3
