"""What the classes of a release disclose: equal sensitive values, masked records, associated columns, two releases."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from duckanon.errors import DuckanonError
from duckanon.job.options import Options
from tests.support.command_line import Cli
from tests.support.runs import anonymize
from tests.support.tables_of_trust import RecordRow
from tests.trust.attacks.people import (
    COLUMNS,
    JOB,
    QI,
    SECRET_ILLNESS,
    SECRET_NAME,
    K,
    Row,
    bands,
    candidates,
    class_of,
    fits,
    patients,
    percent,
    read,
    write,
)

RARE = "a rare illness"
BY_AGE = ("asthma", "flu", "diabetes", "cancer", "dementia")


@pytest.fixture(scope="module")
def people() -> list[Row]:
    return patients()


@pytest.fixture(scope="module")
def alike() -> list[Row]:
    """People whose illness goes by age: all of the oldest have the same, and few of the others another."""
    rows, choice = patients(), Random(2)
    for row in rows:
        usual = BY_AGE[min(row["age"] // 15, 4)]
        row["illness"] = usual if row["age"] >= 60 or choice.random() < 0.97 else choice.choice(BY_AGE)
    return rows


def illnesses(shown: Sequence[Row]) -> dict[tuple[Any, ...], Counter[str]]:
    """The illnesses in each class."""
    collected: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    for row in shown:
        collected[class_of(row)][row["illness"]] += 1
    return collected


def known_for_sure(shown: Sequence[Row], people: Sequence[Row]) -> float:
    """The share of people whose class shows a single illness, which is theirs."""
    by_class = illnesses(shown)
    hits = 0
    for labels, numbers in candidates(shown, people).items():
        if len(by_class[labels]) == 1:
            (only,) = by_class[labels]
            hits += sum(people[number]["illness"] == only for number in numbers)
    return hits / len(people)


def gain(shown: Sequence[Row], people: Sequence[Row]) -> float:
    """By how much the most that is learned of anybody's illness exceeds what is known of everybody's."""
    whole = Counter(row["illness"] for row in people)
    return max(
        count / sum(here.values()) - whole[illness] / len(people)
        for here in illnesses(shown).values()
        for illness, count in here.items()
    )


def test_a_class_of_one_illness_tells_it(tmp_path: Path, alike: list[Row], record_row: RecordRow) -> None:
    """Naive: k = 5 and nothing else. We warn of that, and keep what is asked for with `--require distinct-l=2`."""
    source, naive = write(tmp_path / "people.parquet", alike), bands(alike)
    options = Options(require=["distinct-l=2@illness"])
    anonymize(source, tmp_path / "ours.parquet", job=JOB, options=options)
    before, after = (known_for_sure(shown, alike) for shown in (naive, read(tmp_path / "ours.parquet")))
    assert before > 0.1
    assert after == 0
    alone = anonymize(source, tmp_path / "alone.parquet", job=JOB)
    assert any("does not protect the sensitive illness" in warning for warning in alone["warnings"])
    record_row(
        "attacks", channel="classes of one illness", naive=percent(before, "illnesses known"), ours=percent(after, "illnesses")
    )


def test_a_class_with_other_shares_tells_what_is_likely(tmp_path: Path, alike: list[Row], record_row: RecordRow) -> None:
    """Naive: two illnesses in every class are asked for, and one of them has nearly all of its rows."""
    naive = diverse(bands(alike))
    source = write(tmp_path / "people.parquet", alike)
    options = Options(require=["t=0.2@illness"], max_suppression="20%")
    anonymize(source, tmp_path / "ours.parquet", job=JOB, options=options)
    before, after = (gain(shown, alike) for shown in (naive, read(tmp_path / "ours.parquet")))
    assert before > 0.5
    assert after <= 0.2 + 1e-9
    record_row("attacks", channel="classes of other shares", naive=f"{before:.0%} surer of an illness", ours=f"{after:.0%}")


def diverse(shown: Sequence[Row]) -> list[Row]:
    """The rows whose class has two illnesses."""
    by_class = illnesses(shown)
    return [row for row in shown if len(by_class[class_of(row)]) > 1]


def test_a_mark_of_suppression_tells_who_is_rare(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: rare illnesses are blanked, and the file distinguishes blanked cells (NULL) from missing ones (`unknown`)."""
    choice, rows = Random(3), [dict(row) for row in people]
    for row in rows:
        drawn = choice.random()
        row["illness"] = RARE if drawn < 0.01 else None if drawn < 0.05 else row["illness"]
    marks = {None: "unknown", RARE: None, SECRET_ILLNESS: None}
    naive = [row | {"illness": marks.get(row["illness"], row["illness"])} for row in bands(rows)]
    anonymize(write(tmp_path / "people.parquet", rows), tmp_path / "ours.parquet", job=JOB)
    truth = {row["reading"]: row["illness"] for row in rows}
    before, after = (rare_told(shown, truth) for shown in (naive, read(tmp_path / "ours.parquet")))
    assert before == 1
    assert after == 0
    record_row(
        "attacks", channel="NULL as a mark", naive=percent(before, "blanks: rare illness"), ours=percent(after, "blanks")
    )


def rare_told(shown: Sequence[Row], truth: dict[int, str | None]) -> float:
    """The share of blank cells behind which a rare illness stands."""
    blanks = [row for row in shown if row["illness"] is None]
    return sum(truth[row["reading"]] in (RARE, SECRET_ILLNESS) for row in blanks) / len(blanks)


def test_a_starred_row_is_linked_to_who_fits_nowhere_else(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: the only unique row gets stars, and stays. The person who fits no other class is that of the row."""
    counts = Counter(row["zip"] for row in bands(people, k=1))
    naive = [row | ({} if counts[row["zip"]] >= K else dict.fromkeys(QI, "*")) for row in bands(people, k=1)]
    sizes = Counter(class_of(row) for row in naive)
    naive = [row for row in naive if sizes[class_of(row)] >= K or class_of(row) == ("*",) * 3]
    source = write(tmp_path / "people.parquet", people)
    options = Options(set={"suppression.style": "star"}, levels={"age": 3, "sex": 1, "zip": 0})
    anonymize(source, tmp_path / "ours.parquet", job=JOB, options=options)
    before, after = (behind_the_stars(shown, people) for shown in (naive, read(tmp_path / "ours.parquet")))
    assert before == 1
    assert after <= 1 / K
    record_row("attacks", channel="stars", naive=percent(before, "sure who it is"), ours=percent(after, f"sure (k = {K})"))


def behind_the_stars(shown: Sequence[Row], people: Sequence[Row]) -> float:
    """How certain it is that a masked row is that of the person who lives elsewhere.

    The candidates are those who fit no class without stars, and at least as many as the masked rows.
    """
    starred = sum(not "".join(class_of(row)).strip("*") for row in shown)
    plain = {class_of(row) for row in shown if "".join(class_of(row)).strip("*")}
    outside = [
        row
        for row in people
        if not any(all(fits(label, row[name]) for label, name in zip(entry, QI, strict=True)) for entry in plain)
    ]
    assert any(row["name"] == SECRET_NAME for row in outside)
    return 1 / max(starred, len(outside))


@pytest.mark.parametrize("way", ["--others keep", "--keep"])
def test_a_column_that_goes_with_a_generalized_one_tells_it(
    cli: Cli, tmp_path: Path, people: list[Row], way: str, record_row: RecordRow
) -> None:
    """Naive: ages are shown by decade, and the year of birth stays, since nobody thought of it."""
    rows = [row | {"cohort": 2024 - row["age"]} for row in people]
    for row in rows:
        for name in ("person", "name", "hospital", "day"):
            del row[name]
    naive = [shown | {"cohort": row["cohort"]} for shown, row in zip(bands(rows, k=1), rows, strict=True)]
    write(tmp_path / "people.parquet", rows)
    (tmp_path / "job.json").write_text(json.dumps(JOB))
    more = ["--others", "keep"] if way == "--others keep" else [way, "cohort"]
    run = cli("anonymize", "people.parquet", "--job", "job.json", *more, "--levels", "age=2,sex=0,zip=2", "-o", "ours.parquet")
    truth = {row["reading"]: row["age"] for row in rows}
    before = ages_told(naive, truth)
    assert before == 1
    if way == "--keep":
        assert run.code == 2, run.err
        assert "'cohort'" in run.err
        assert not (tmp_path / "ours.parquet").exists()
        outcome = "refused"
    else:
        assert run.code == 0, run.err
        after = ages_told(read(tmp_path / "ours.parquet"), truth)
        assert after < 0.2
        assert "cohort" in run.err
        outcome = percent(after, "ages, and a warning")
    record_row("attacks", channel=f"linked columns, {way}", naive=percent(before, "ages shown"), ours=outcome)


def test_a_declared_sensitive_column_that_goes_with_another_is_reported(tmp_path: Path, people: list[Row]) -> None:
    """It is released, as declared, and the attack succeeds: what we owe is the warning."""
    rows = [row | {"cohort": 2024 - row["age"]} for row in people]
    job = JOB | {"columns": COLUMNS | {"cohort": {"role": "sensitive"}}}
    options = Options(levels={"age": 2, "sex": 0, "zip": 2})
    document = anonymize(write(tmp_path / "people.parquet", rows), tmp_path / "ours.parquet", job=job, options=options)
    assert ages_told(read(tmp_path / "ours.parquet"), {row["reading"]: row["age"] for row in rows}) == 1
    assert any("'cohort' discloses 'age'" in warning for warning in document["warnings"])


def ages_told(shown: Sequence[Row], truth: dict[int, int]) -> float:
    """The share of rows whose age is told, by a year where there is one, or else as the middle of their label."""
    hits = 0
    for row in shown:
        label = row["age"].strip("[)").split(", ")
        guess = 2024 - row["cohort"] if "cohort" in row else (int(label[0]) + int(label[1])) // 2
        hits += guess == truth[row["reading"]]
    return hits / len(shown)


@pytest.mark.parametrize("level", [1, 3])
def test_a_copy_of_a_code_tells_it_whatever_its_level(
    tmp_path: Path, people: list[Row], level: int, record_row: RecordRow
) -> None:
    """Naive: three digits of the ZIP code are shown, and the number of the district, which is the code by another name.

    Nearly all codes begin alike, so that the levels above two digits part nothing: what is foretold is a level further down.
    """
    rows = [row | {"district": f"district {row['zip']}"} for row in people]
    naive = [shown | {"district": row["district"]} for shown, row in zip(bands(rows, k=1), rows, strict=True)]
    source, truth = write(tmp_path / "people.parquet", rows), {row["reading"]: row["zip"] for row in rows}
    options = Options(others="keep", levels={"age": 2, "sex": 0, "zip": level})
    job = JOB | {"columns": COLUMNS | {name: {"role": "identifying"} for name in ("person", "name")}}
    anonymize(source, tmp_path / "ours.parquet", job=job, options=options)
    before, after = (codes_told(shown, truth) for shown in (naive, read(tmp_path / "ours.parquet")))
    assert before == 1
    assert after < 0.05
    with pytest.raises(DuckanonError, match="'district' discloses 'zip'"):
        anonymize(source, tmp_path / "kept.parquet", job=job, options=Options(keep=["district"], levels=options.levels))
    record_row(
        "attacks",
        channel=f"a copy of a code, level {level}",
        naive=percent(before, "ZIP codes shown"),
        ours=percent(after, "ZIP codes"),
    )


def codes_told(shown: Sequence[Row], truth: dict[int, str]) -> float:
    """The share of rows whose ZIP code ends a value of another column, or else is guessed to be the commonest one."""
    common = Counter(truth.values()).most_common(1)[0][0]
    codes = [(truth[row["reading"]], str(row.get("district", common)).rpartition(" ")[2]) for row in shown]
    return sum(code == guess for code, guess in codes) / len(codes)


def test_two_releases_of_the_same_people_intersect(cli: Cli, tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: ages finer for one recipient, ZIP codes finer for the next, each 5-anonymous; `reading` joins their rows."""
    first = bands(people)
    stages = [("young", "grown", "old")[min(row["age"] // 35, 2)] for row in people]
    other = [
        row | {"age": stage, "zip": person["zip"]}
        for row, stage, person in zip(bands(people, k=1), stages, people, strict=True)
    ]
    sizes = Counter(class_of(row) for row in other)
    other = [row for row in other if sizes[class_of(row)] >= K]
    write(tmp_path / "people.parquet", people)
    (tmp_path / "job.json").write_text(json.dumps(JOB))
    for command in (
        ["anonymize", "people.parquet", "--job", "job.json", "-o", "first.parquet"],
        ["apply", "first.parquet.manifest.json", "people.parquet", "-o", "second.parquet"],
    ):
        cli(*command, code=0)
    before = below_k(first, other)
    after = below_k(read(tmp_path / "first.parquet"), read(tmp_path / "second.parquet"))
    assert before > 0.1
    assert after == 0
    record_row(
        "attacks",
        channel="two releases",
        naive=percent(before, "rows below k when joined"),
        ours=percent(after, "rows (apply)"),
    )


def below_k(first: Sequence[Row], other: Sequence[Row]) -> float:
    """The share of rows that share what both releases show of them with fewer than k - 1 others."""
    second = {row["reading"]: class_of(row) for row in other}
    joined = [(class_of(row), second.get(row["reading"])) for row in first]
    sizes = Counter(joined)
    return sum(sizes[both] < K for both in joined) / len(joined)


def test_a_shown_class_below_k_is_never_released(tmp_path: Path, people: list[Row], record_row: RecordRow) -> None:
    """Naive: `groupby(...).filter(len >= 5)` in pandas leaves out nothing of a class with a missing value, and keeps its one row.

    The attack looks for rows that are alone, missing values being a value that may be known of somebody.
    """
    import pandas as pd  # type: ignore[import-untyped,unused-ignore]

    rows = [dict(row) for row in people]
    rows[17]["zip"] = None
    rows[17]["age"] = 21
    frame = pd.DataFrame(bands([row | {"zip": row["zip"] or "?????"} for row in rows], k=1)).replace({"zip": {"???**": None}})
    sizes = frame.groupby(list(QI), dropna=True)["reading"].transform("size")
    naive: list[Row] = frame[~(sizes < K)].to_dict("records")
    anonymize(write(tmp_path / "people.parquet", rows), tmp_path / "ours.parquet", job={**JOB, "columns": COLUMNS})
    before, after = (alone(shown) for shown in (naive, read(tmp_path / "ours.parquet")))
    assert before > 0
    assert after == 0
    record_row("attacks", channel="missing values", naive=f"{before} rows below k", ours=f"{after}")


def alone(shown: Sequence[Row]) -> int:
    """The rows in classes below k."""
    sizes = Counter(class_of(row) for row in shown)
    return sum(size for size in sizes.values() if size < K)


def test_refusals_are_of_one_kind(tmp_path: Path, people: list[Row]) -> None:
    """A column that discloses another is refused by the library as on the command line."""
    rows = [row | {"cohort": 2024 - row["age"]} for row in people]
    source = write(tmp_path / "people.parquet", rows)
    with pytest.raises(DuckanonError, match="cohort"):
        anonymize(
            source, tmp_path / "o.parquet", job=JOB, options=Options(keep=["cohort"], levels={"age": 2, "sex": 0, "zip": 2})
        )
