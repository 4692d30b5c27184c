"""Missing sensitive values: a class must satisfy its models with them as a value, and also without them."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from duckanon.errors import Infeasible
from duckanon.job.options import Options, Run
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply
from tests.support.settings import options_of

WARDS: dict[str, dict[str | None, int]] = {
    "a": {"hiv": 5, None: 1},
    "b": {"hiv": 3, "flu": 3, "cold": 2},
    "c": {"flu": 4, "hiv": 2, None: 4},
    "d": {None: 6},
}
"""The rows of each diagnosis by ward: `a` has two values only if NULL is one, `d` has none."""


@pytest.fixture
def wards(tmp_path: Path) -> str:
    rows = [{"ward": ward, "dx": dx} for ward, counts in WARDS.items() for dx, count in counts.items() for _ in range(count)]
    return str(write_parquet(tmp_path / "wards.parquet", rows))


def least_known(file: Path | str, keys: str = "ward") -> int:
    """The least number of different diagnoses of a class of the file, without NULL."""
    query = f"select min(known) from (select count(distinct dx) as known from '{file}' group by {keys})"
    [(least,)] = duckdb.connect().execute(query).fetchall()
    return int(least)


def test_one_missing_value_is_not_a_second_value(wards: str, cli: Cli) -> None:
    checked = cli("check", wards, "--qi", "ward", "--sensitive", "dx", "--require", "distinct-l=2", "--json", code=1)
    [entry] = [entry for entry in checked.manifest["privacy"] if entry["model"] == "l-diversity" and "required" in entry]
    assert (entry["achieved"], entry["failing_classes"], entry["failing_rows"]) == (0, 2, 12)
    assert checked.manifest["homogeneous"] == {"dx": {"classes": 2, "rows": 12}}


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_every_class_of_a_release_has_known_values(wards: str, tmp_path: Path, cli: Cli, algorithm: str) -> None:
    out = tmp_path / "out.parquet"
    cli(
        *("anonymize", wards, "--qi", "ward", "--sensitive", "dx", "--require", "distinct-l=2", "-o", str(out)),
        *("--algorithm", algorithm, "--max-suppression", "50%"),
        code=0,
    )
    assert least_known(out) >= 2
    assert cli("check", str(out), "--manifest", f"{out}.manifest.json").code == 0


REQUIRED = (
    "entropy-l=1.5",
    "recursive-cl=4,2",
    "alpha-k=0.8,5",
    "t=0.35",
    "t-ordered=0.35",
    "beta=1",
    "enhanced-beta=1",
    "delta=2",
)
"""Each holds for a class of NULL and hiv as two values, or for one of NULL only as one."""


@pytest.mark.parametrize("required", REQUIRED)
def test_a_class_without_a_known_value_satisfies_no_model(tmp_path: Path, cli: Cli, required: str) -> None:
    file = write_parquet(tmp_path / "x.parquet", [{"q": key, "dx": dx} for key in "xy" for dx in ("u", "v", None) * 2])
    only = write_parquet(tmp_path / "y.parquet", [{"q": "x", "dx": None}] * 6)
    arguments = ("--qi", "q", "--sensitive", "dx", "--require", required, "-q")
    assert cli("check", str(file), *arguments).code == 0
    assert cli("check", str(only), *arguments).code == 1


def test_the_first_reading_is_an_option_that_is_stated(wards: str, tmp_path: Path, cli: Cli) -> None:
    out = tmp_path / "out.parquet"
    arguments = ("--qi", "ward", "--sensitive", "dx", "--require", "distinct-l=2", "--set", "missing.sensitive=value")
    assert cli("check", wards, *arguments).code == 1, "the ward without a value"
    done = cli("anonymize", wards, *arguments, "-o", str(out), "--levels", "ward=0", "--max-suppression", "30%")
    assert "a missing sensitive value counts as a value" in done.err
    manifest = f"{out}.manifest.json"
    assert "sensitive: value" in (tmp_path / "out.parquet.recoding" / "job.yaml").read_text()
    assert least_known(out) == 1
    assert cli("check", str(out), "--manifest", manifest, "--json").code == 0
    again = cli("apply", manifest, wards, "-o", str(tmp_path / "again.parquet"), "--json")
    assert again.manifest["accepted"] == ["missing-values"]
    assert cli("report", manifest, "-o", str(tmp_path / "report.html")).code == 0
    assert "a missing sensitive value counts as a value" in (tmp_path / "report.html").read_text()


def test_an_empty_text_is_a_value_in_parquet_and_missing_in_csv(tmp_path: Path, cli: Cli) -> None:
    arguments = ("--qi", "q", "--sensitive", "dx", "--require", "distinct-l=2", "--levels", "q=0", "--json")
    for name, other, options, is_known in (("value", "?", (), True), ("empty", "", (), True), ("null", None, (), False)):
        file = write_parquet(tmp_path / f"{name}.parquet", [{"q": "x", "dx": dx} for dx in ["hiv"] * 5 + [other]])
        done = cli("anonymize", str(file), *arguments, *options, "-o", str(tmp_path / f"{name}.out.parquet"))
        assert (done.code == 0) == is_known, name
    (tmp_path / "empty.csv").write_text("q,dx\n" + "x,hiv\n" * 5 + "x,\n")
    assert cli("anonymize", str(tmp_path / "empty.csv"), *arguments, "-o", str(tmp_path / "out.csv")).code != 0


def test_a_declared_token_in_a_sensitive_column_is_refused(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "in.csv").write_text("q,dx\n" + "x,1\n" * 5 + "x,-9\n")
    arguments = ("anonymize", str(tmp_path / "in.csv"), "--qi q --sensitive dx --require distinct-l=2 --missing -9")
    done = cli(*arguments, "-o", str(tmp_path / "out.csv"), code=2)
    assert "1 rows of sensitive column 'dx' hold '-9'" in done.err
    assert "--set accept=missing-values@dx" in done.err
    accepted = cli(*arguments, "-o", str(tmp_path / "out.csv"), "--set", "accept=missing-values@dx", code=0)
    assert "dx: a missing sensitive value counts as a value" in accepted.err


def test_adversaries_and_masked_records_need_known_values(wards: str, tmp_path: Path, cli: Cli) -> None:
    arguments = ("anonymize", wards, "--qi", "ward", "--sensitive", "dx", "--require", "distinct-l=2", "--levels", "ward=0")
    seen = tmp_path / "seen.parquet"
    assert cli(*arguments, "--adversary", "nurse=ward", "-o", str(seen), "--max-suppression", "50%").code == 0
    assert least_known(seen) >= 2
    masked = tmp_path / "masked.parquet"
    done = cli(*arguments, "--set", "suppression.style=star", "-o", str(masked), "--max-suppression", "100%", "--json", code=0)
    assert least_known(masked) >= 2
    assert done.manifest["rows"]["suppressed"] == 20, "both wards that fail, and the one that gives them a second value"


def test_persons_without_a_known_value_are_left_out(tmp_path: Path, cli: Cli) -> None:
    """Six patients, five with hiv; the sixth has NULL in all rows, or in one of two."""

    def checked(*more: Mapping[str, Any]) -> bool:
        rows: list[dict[str, Any]] = [{"q": "x", "who": f"p{number}", "dx": "hiv"} for number in range(5)]
        file = write_parquet(tmp_path / "visits.parquet", [*rows, *({"q": "x", "who": "last", **row} for row in more)])
        arguments = ("--qi", "q", "--sensitive", "dx", "--entity", "who", "--require", "distinct-l=2", "-q")
        return cli("check", str(file), *arguments).code == 0

    assert not checked({"dx": None}, {"dx": None})
    assert checked({"dx": None}, {"dx": "flu"})


# The classes of a person's rows, intersected: the sensitive values that remain possible, against an intersection in plain Python


Row = dict[str, Any]


def visits(patients: int, each: int = 6, conditions: int = 40, seed: int = 5, missing: float = 0.0) -> list[Row]:
    """Visits in a random ward and month; `condition` is that of the patient, `mood` that of the visit. `place` is the number of the row."""
    random = Random(seed)
    rows: list[Row] = []
    for number in range(patients):
        condition = f"cond{random.randrange(conditions):02}"
        for _ in range(each):
            shown = None if random.random() < missing else condition
            rows.append(
                {
                    "patient": f"p{number:04}",
                    "ward": random.choice("abcdefgh"),
                    "month": random.randrange(1, 13),
                    "condition": shown,
                    "mood": random.choice("uvwxyz"),
                }
            )
    random.shuffle(rows)
    return [row | {"place": number} for number, row in enumerate(rows)]


def possible(rows: Sequence[Row], released: Sequence[Row], column: str = "condition") -> dict[str, int]:
    """For each patient with one value and rows in several classes, the values that all these classes have."""
    values, classes, of = defaultdict(set), defaultdict(set), defaultdict(set)
    for row in rows:
        values[row["patient"]].add(row[column])
    for row in released:
        label = (row["ward"], row["month"])
        if row[column] is not None:
            classes[label].add(row[column])
        of[rows[row["place"]]["patient"]].add(label)
    constant = [name for name, entries in values.items() if len(entries) == 1 and None not in entries and len(of[name]) > 1]
    return {name: len(set.intersection(*(classes[label] for label in of[name]))) for name in constant}


def options(**more: Any) -> Options:
    given = {"require": ["distinct-l=10@condition"], "accept": ["key@place"], **more}
    return options_of(qi=["ward", "month"], sensitive=["condition"], entity="patient", keep=["place"], **given)


LEVELS = {"ward": 0, "month": 0}


@pytest.mark.parametrize(
    ("model", "least"),
    [("distinct-l=10", 10), ("entropy-l=5.5", 6), ("recursive-cl=9,8", 8), ("t=0.9", 2), ("beta=90", 2), ("alpha-k=0.9,5", 2)],
)
def test_the_search_leaves_enough_values(tmp_path: Path, model: str, least: int) -> None:
    rows = visits(250, conditions=30)
    source = write_parquet(tmp_path / "in.parquet", rows)
    unsafe = options(
        require=[f"{model}@condition"], accept=["key@place", "possible-values"], levels=LEVELS, max_suppression="99%"
    )
    anonymize(source, tmp_path / "unsafe.parquet", options=unsafe, run=Run())
    assert min(possible(rows, read_rows(tmp_path / "unsafe.parquet")).values()) < least
    document = anonymize(source, tmp_path / "out.parquet", options=options(require=[f"{model}@condition"]), run=Run())
    left = possible(rows, read_rows(tmp_path / "out.parquet"))
    counts = document["persons"]["possible_values"]["condition"]
    assert counts["required"] == least
    assert counts["achieved"] == min(left.values(), default=0) >= (least if left else 0)
    assert counts["persons"] == len(left)


def test_fixed_levels_are_refused_with_the_number_of_persons(tmp_path: Path, cli: Cli) -> None:
    rows = visits(500)
    source = write_parquet(tmp_path / "in.parquet", rows)
    words = ["--qi ward,month --sensitive condition --entity patient --keep place --set accept=key@place"]
    common = ["anonymize", source, *words, "--require", "distinct-l=10", "--levels", "ward=0,month=0"]
    refused = cli(*common, "-o", tmp_path / "no.parquet", code=1)
    accepted = cli(*common, "-o", tmp_path / "out.parquet", "--set", "accept=possible-values@condition", code=0)
    left = possible(rows, read_rows(tmp_path / "out.parquet"))
    few = sum(count < 10 for count in left.values())
    assert f"remain possible for {few:,} of {len(left):,} persons" in refused.err
    assert "--set accept=possible-values@condition" in refused.err
    counts = json.loads((tmp_path / "out.parquet.manifest.json").read_text())["persons"]["possible_values"]["condition"]
    assert (counts["persons_below"], counts["achieved"]) == (few, min(left.values()))
    assert "condition: fewer values than required remain possible" in accepted.err


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_persons_are_left_out_as_far_as_the_limit_allows(tmp_path: Path, cli: Cli, algorithm: str) -> None:
    rows = visits(1250)
    source = write_parquet(tmp_path / "in.parquet", rows)
    chosen: dict[str, Any] = {"levels": LEVELS} if algorithm == "optimal" else {"algorithm": algorithm}
    given = options(require=["distinct-l=11@condition"], max_suppression="20%", **chosen)
    document = anonymize(source, tmp_path / "out.parquet", options=given, run=Run())
    assert 0 < document["rows"]["suppressed"] <= 0.2 * len(rows)
    assert min(possible(rows, read_rows(tmp_path / "out.parquet")).values()) >= 11
    assert cli("check", tmp_path / "out.parquet", "--manifest", tmp_path / "out.parquet.manifest.json").code == 0
    assert cli("report", tmp_path / "out.parquet.manifest.json", "-o", tmp_path / "report.html").code == 0


def test_a_recoding_is_applied_without_the_persons_that_fail(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", visits(2000))
    anonymize(source, tmp_path / "out.parquet", options=options(levels=LEVELS), run=Run())
    few, many = visits(300, seed=6), visits(1250, seed=7)
    files = [write_parquet(tmp_path / f"{name}.parquet", rows) for name, rows in (("few", few), ("many", many))]
    manifest, limit = tmp_path / "out.parquet.manifest.json", Options(max_suppression="20%")
    with pytest.raises(Infeasible, match="remain possible for"):
        apply(manifest, files[0], tmp_path / "few.out.parquet", options=limit, run=Run())
    apply(manifest, files[1], tmp_path / "many.out.parquet", options=limit, run=Run())
    assert min(possible(many, read_rows(tmp_path / "many.out.parquet")).values()) >= 10


def test_a_value_that_varies_is_judged_in_each_class(tmp_path: Path) -> None:
    rows = visits(500)
    source = write_parquet(tmp_path / "in.parquet", rows)
    given = Options(qi=["ward", "month"], sensitive=["mood"], entity="patient", require=["distinct-l=2"], levels=LEVELS)
    document = anonymize(source, tmp_path / "out.parquet", options=given, run=Run())
    assert "possible_values" not in document["persons"]


def test_missing_values_are_not_possible_values(tmp_path: Path) -> None:
    rows = visits(800, missing=0.02)
    source = write_parquet(tmp_path / "in.parquet", rows)
    document = anonymize(source, tmp_path / "out.parquet", options=options(), run=Run())
    left = possible(rows, read_rows(tmp_path / "out.parquet"))
    assert document["persons"]["possible_values"]["condition"]["achieved"] == min(left.values()) >= 10


def test_persons_in_one_class_are_judged_by_it(tmp_path: Path) -> None:
    rows = [row | {"ward": "ab"[int(row["patient"][1:]) % 2], "month": 1} for row in visits(300)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    document = anonymize(source, tmp_path / "out.parquet", options=options(), run=Run())
    assert document["persons"]["possible_values"]["condition"]["persons"] == 0


def test_check_intersects_the_classes_of_a_file_with_its_persons(tmp_path: Path, cli: Cli) -> None:
    rows = visits(500)
    source = write_parquet(tmp_path / "in.parquet", rows)
    words = ["check", source, "--qi", "ward,month", "--sensitive", "condition,mood", "--entity", "patient"]
    remaining = possible(rows, rows)
    below = sum(values < 5 for values in remaining.values())
    assert below > 50
    run = cli(*words, "--require", "distinct-l=5@condition", code=1)
    assert f"fewer than 5 values of 'condition' remain possible for {below} of {len(remaining)} persons" in run.err
    assert cli(*words, "--require", "distinct-l=5@condition", "--set", "accept=possible-values@condition").code == 0
    assert cli(*words, "--require", "distinct-l=2@mood").code == 0, "it varies"


# delta-presence with a lower bound: it bounds every person of the population, also those whose class has no released record


@pytest.fixture
def people(tmp_path: Path) -> str:
    return str(write_parquet(tmp_path / "people.parquet", [{"town": town} for town in ("a", "a", "b", "b")]))


def sample(folder: Path, towns: str) -> str:
    return str(write_parquet(folder / f"{towns}.parquet", [{"town": town} for town in towns]))


BETWEEN = ("--qi", "town", "--k", "1", "--require", "delta-presence=0.2,0.6")


def test_a_person_whose_class_the_file_lacks_has_presence_0(tmp_path: Path, people: str, cli: Cli) -> None:
    done = cli("check", sample(tmp_path, "a"), *BETWEEN[:2], *BETWEEN[4:], "--population", people, "--json", code=1)
    [low] = [entry for entry in done.manifest["privacy"] if entry.get("bound") == "low"]
    assert (low["achieved"], low["failing_classes"], low["failing_rows"]) == (0, 1, 0)
    assert cli("check", sample(tmp_path, "ab"), *BETWEEN[:2], *BETWEEN[4:], "--population", people).code == 0


def test_a_search_merges_the_classes_that_the_sample_lacks(tmp_path: Path, people: str, cli: Cli) -> None:
    out = tmp_path / "out.csv"
    cli("anonymize", sample(tmp_path, "a"), *BETWEEN, "--population", people, "-o", str(out), "--json", code=0)
    assert duckdb.connect().execute(f"select town, count(*) from '{out}' group by all").fetchall() == [("*", 1)], (
        "1 of 4 persons"
    )
    arguments = (*BETWEEN, "--population", people, "-o", str(out), "--levels", "town=0", "--overwrite")
    assert "1 classes of the population without a record" in cli("anonymize", sample(tmp_path, "a"), *arguments, code=1).err


def test_nothing_is_suppressed_under_a_lower_bound(tmp_path: Path, people: str, cli: Cli) -> None:
    """`b` alone exceeds the upper bound; without its records, persons of `b` would have presence 0."""
    out = tmp_path / "out.csv"
    arguments = ("anonymize", sample(tmp_path, "abb"), *BETWEEN[:4], "--population", people, "-o", str(out), "--overwrite")
    more = ("--max-suppression", "100%")
    assert cli(*arguments, "--require", "delta-presence=0,0.6", "--levels", "town=0", *more).code == 0
    assert Counter(duckdb.connect().execute(f"select town from '{out}'").fetchall()) == {("a",): 1}
    assert cli(*arguments, "--require", "delta-presence=0.2,0.6", "--levels", "town=0", *more).code == 1


@pytest.mark.parametrize(
    "refused", [("--algorithm", "local"), ("--algorithm", "mondrian"), ("--set", "suppression.style=star")]
)
def test_what_cannot_show_every_person_is_refused(tmp_path: Path, people: str, cli: Cli, refused: tuple[str, ...]) -> None:
    done = cli(
        "anonymize", sample(tmp_path, "ab"), *BETWEEN, "--population", people, "-o", str(tmp_path / "o.csv"), *refused, code=2
    )
    assert "delta-presence with a lower bound" in done.err
    assert "Traceback" not in done.err
