"""The documents beside a release: what the manifest and the public report disclose about suppressed persons."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd  # type: ignore[import-untyped,unused-ignore]
import pytest

from duckanon.job.options import Options
from duckanon.job.prepare import Run
from tests.support.runs import anonymize
from tests.support.tables_of_trust import RecordRow
from tests.trust.attacks.people import COLUMNS, JOB, OLDEST, SECRET_ZIP, SECRETS, K, Row, bands, patients, read, write

NUMBER = 4_013
"""Of people: a figure that stands in no document by accident."""

PAY = 918_273.5
"""Of the one whom every k suppresses."""

LEVELS = Options(levels={"age": 2, "sex": 0, "zip": 2})
Publish = Callable[[Path, list[Row]], str]


def rows() -> list[Row]:
    return [row | {"pay": PAY if row["age"] == OLDEST else float(row["reading"] % 5_000)} for row in patients(NUMBER)]


def with_neighbours(people: list[Row], number: int) -> list[Row]:
    """The same people, and so many who live where the one does whom every k suppresses; the release is the same."""
    (secret,) = (row for row in people if row["zip"] == SECRET_ZIP)
    return [*people, *(secret | {"person": -n - 1, "name": f"Neighbour {n}", "reading": -n - 1} for n in range(number))]


def words(html: str) -> str:
    """What a page says: its text, and the data of its charts, without scripts and styles."""
    data = re.findall(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', html, re.DOTALL)
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return re.sub(r"<[^>]+>", " ", text) + " ".join(data)


def figures(text: str) -> set[str]:
    """Every number that a text says."""
    return {figure.replace(",", "") for figure in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}


def naive_report(folder: Path, people: list[Row]) -> str:
    """What `DataFrame.describe` and `value_counts` say of the input, as a page beside the release."""
    frame, shown = pd.DataFrame(people), bands(people)
    pages = [
        frame.describe(include="all").to_html(float_format="{:.1f}".format),
        *(frame[name].value_counts().to_frame().to_html() for name in ("zip", "illness")),
    ]
    page = f"<p>{len(people)} rows read, {len(people) - len(shown)} suppressed</p>" + "".join(pages)
    (folder / "naive.html").write_text(page)
    return page


def our_report(folder: Path, people: list[Row]) -> str:
    source = write(folder / "people.parquet", people)
    columns = COLUMNS | {"pay": {"role": "insensitive"}}
    run = Run(public_report=folder / "public.html", report=folder / "internal.html", overwrite=True)
    anonymize(source, folder / "ours.parquet", job=JOB | {"columns": columns}, options=LEVELS, run=run)
    return (folder / "public.html").read_text(encoding="utf-8")


def told_by(page: str, people: list[Row], released: list[Row]) -> set[str]:
    """What a page shows of the input and the release does not: people, totals, extremes, and rare values with their counts."""
    text, collected = words(page), set[str]()
    collected |= {row["name"] for row in people} & set(re.findall(r"Person \d+", text))
    collected |= {value for value in {*SECRETS, *(row["zip"] for row in people)} if value in text}
    numbers = figures(text)
    if str(len(people)) in numbers:
        collected.add("rows of the input")
    if numbers & {str(PAY), str(int(PAY))}:
        collected.add("greatest pay")
    if collected and str(len(people) - len(released)) in numbers:
        collected.add("rows suppressed")
    return collected


def test_the_public_report_tells_nothing_of_the_input(tmp_path: Path, record_row: RecordRow) -> None:
    """Naive: a profile of the input (`describe`, `value_counts`) is published with the release."""
    people = rows()
    naive, ours = naive_report(tmp_path, people), our_report(tmp_path, people)
    released = read(tmp_path / "ours.parquet")
    before, after = told_by(naive, people, bands(people)), told_by(ours, people, released)
    internal = told_by((tmp_path / "internal.html").read_text(encoding="utf-8"), people, released)
    assert {"rows of the input", "greatest pay", "rows suppressed", SECRET_ZIP} <= before
    assert SECRET_ZIP in internal, "the attack reads our pages, and finds what the internal one holds"
    assert after == set()
    record_row("attacks", channel="public report", naive=f"{len(before)} facts of the input", ours=f"{len(after)}")


def test_no_count_below_k_stands_in_the_public_report(tmp_path: Path, record_row: RecordRow) -> None:
    """Naive: sizes of the classes of the input, by size. Attack: read the number of people who are alone or nearly so."""
    people = rows()
    shown = pd.DataFrame(bands(people, k=1))
    sizes = shown.groupby(["age", "sex", "zip"]).size().value_counts()
    naive = "".join(f"<p>size {size}: {count} classes</p>" for size, count in sizes.items())
    ours = our_report(tmp_path, people)
    data = re.findall(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', ours, re.DOTALL)
    before = below_k(naive, [])
    after = below_k(words(ours), [json.loads(text) for text in data])
    internal = (tmp_path / "internal.html").read_text(encoding="utf-8")
    assert before
    assert below_k(words(internal), [])
    assert not after
    record_row("attacks", channel="class sizes in a report", naive=f"{len(before)} counts below k", ours=f"{len(after)}")


def below_k(text: str, documents: list[Any]) -> list[str]:
    """What a text or a chart says of classes of fewer than k rows, or of fewer than k rows or classes of a size."""
    below = [
        f"{size}: {count}"
        for size, count in re.findall(r"size (\d+): (\d+) classes", text)
        if int(size) < K or 0 < int(count) < K
    ]
    # a table of ours: sizes from, to, classes, rows
    for low, high, classes, count in re.findall(r"(?m)(\d+)(?:\s*(?:to|-|\u2013)\s*(\d+))?\s+(\d+)\s+(\d+)(?=\s)", text):
        if int(low) < K and int(classes) > 0 and int(low) * int(classes) <= int(count) <= int(high or low) * int(classes):
            below.append(f"{low}-{high}: {classes}")
    for document in documents:
        below += sizes_in(document)
    return below


def sizes_in(document: Any) -> list[str]:
    """Bars about few rows: any record with the counts of classes or rows, wherever it stands in a chart."""
    if isinstance(document, list):
        return [size for part in document for size in sizes_in(part)]
    if not isinstance(document, dict):
        return []
    counts = [value for key, value in document.items() if key in ("classes", "rows", "count") and isinstance(value, int)]
    here = [str(document)] if any(0 < count < K for count in counts) else []
    return here + [size for part in document.values() for size in sizes_in(part)]


@pytest.mark.parametrize("neighbours", [3])
def test_publications_do_not_tell_how_many_were_suppressed(tmp_path: Path, neighbours: int, record_row: RecordRow) -> None:
    """Naive: the report says how many rows were left out. Attack: one person lives there, or more? The publications differ, or not."""
    people = rows()
    before, after = (told_apart(tmp_path, publish, people, neighbours) for publish in (naive_publication, our_publication))
    assert before
    assert not after
    record_row(
        "attacks",
        channel=f"suppressed rows, {neighbours} more",
        naive="distinguished" if before else "not distinguished",
        ours="distinguished" if after else "not distinguished",
    )


def naive_publication(folder: Path, people: list[Row]) -> str:
    shown = read(write(folder / "naive.parquet", bands(people)))
    line = f"{len(shown)} rows released, {1 - len(shown) / len(people):.4%} suppressed"
    return line + repr(sorted(map(repr, shown)))


def our_publication(folder: Path, people: list[Row]) -> str:
    """The report without what differs from run to run (the hash of shuffled rows, the time), and the rows in an order."""
    page = re.sub(r"[0-9a-f]{64}|[0-9a-f]{16}", "", our_report(folder, people))
    page = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?", "", page)
    return page + repr(sorted(map(repr, read(folder / "ours.parquet"))))


def told_apart(folder: Path, publish: Publish, people: list[Row], neighbours: int) -> bool:
    return publish(folder, people) != publish(folder, with_neighbours(people, neighbours))


def test_the_rare_group_of_a_town_is_not_recovered_by_differencing(tmp_path: Path, record_row: RecordRow) -> None:
    """Naive: a page shows the rows read of each town; minus those released, it is the number of people who were suppressed.

    Of ours only what is published is read: the release and the public report. Who has the whole count from elsewhere needs neither.
    """
    people = rows()
    towns = pd.DataFrame(bands(people, k=1))["zip"].value_counts()
    naive = "".join(f"<tr><td>{town}</td><td>{count}</td></tr>" for town, count in towns.items())
    before = rare_group(naive, bands(people), "QXZ**")
    after = rare_group(our_report(tmp_path, people), read(tmp_path / "ours.parquet"), "QXZ**")
    assert before == 1
    assert after is None
    record_row(
        "attacks",
        channel="differencing with totals",
        naive=f"{before} person in the rare group",
        ours="no total to subtract from",
    )


def rare_group(page: str, released: list[Row], town: str) -> int | None:
    """The people of a town whom a page counts and the release does not show."""
    match = re.search(rf"{re.escape(town)}\s+(\d+)", words(page))
    return None if match is None else int(match[1]) - sum(row["zip"] == town for row in released)


@pytest.mark.parametrize("algorithm", ["optimal", "local", "mondrian"])
def test_the_manifest_tells_no_value_of_a_suppressed_row(tmp_path: Path, algorithm: str, record_row: RecordRow) -> None:
    """Naive: a log of the run as JSON, with a profile of the columns and the rows that were left out, for the record."""
    people = rows()
    kept = {row["reading"] for row in bands(people)}
    profile = json.loads(pd.DataFrame(people).drop(columns=["day"]).describe(include="all").to_json())
    left_out = [row for row in people if row["reading"] not in kept]
    naive = json.dumps({"profile": profile, "suppressed": left_out}, default=str)
    source = write(tmp_path / "people.parquet", people)
    columns = COLUMNS | {name: {"role": "identifying"} for name in ("person", "name")} | {"pay": {"role": "insensitive"}}
    options = Options(algorithm=algorithm, k=40 if algorithm == "local" else None)
    anonymize(source, tmp_path / "ours.parquet", job=JOB | {"columns": columns}, options=options)
    ours = (tmp_path / "ours.parquet.manifest.json").read_text(encoding="utf-8")
    before, after = (values_in(text, people) for text in (naive, ours))
    assert {SECRET_ZIP, str(PAY)} <= before
    assert after == set()
    record_row("attacks", channel=f"manifest, {algorithm}", naive=f"{len(before)} values of people", ours=f"{len(after)}")


def values_in(text: str, people: list[Row]) -> set[str]:
    """Names, numbers of persons, codes, readings and the greatest pay that a text holds."""
    held = {str(row[name]) for row in people for name in ("person", "name", "zip", "reading")} | {*SECRETS, str(PAY)}
    tokens = set(re.findall(r'(?<=")[^"]*(?=")|(?<![\w.])\d+(?:\.\d+)?(?![\w.])', text))
    return held & tokens | {secret for secret in SECRETS if secret in text}


def test_what_is_detected_is_reported_without_values(tmp_path: Path, record_row: RecordRow) -> None:
    """Naive: the profile that a role was guessed from names the commonest value and the greatest of each column.

    Ours guesses the roles, and leaves the manifest and a job file, which name columns, reasons and labels that k released rows show.
    """
    people = rows()
    naive = pd.DataFrame(people).drop(columns=["day"]).describe(include="all").to_json()
    source = write(tmp_path / "people.parquet", people)
    anonymize(source, tmp_path / "ours.parquet")
    ours = "".join(
        (tmp_path / f"ours.parquet.{ending}").read_text(encoding="utf-8") for ending in ("manifest.json", "job.yaml")
    )
    shown = Counter(str(value) for row in read(tmp_path / "ours.parquet") for value in row.values())
    before, after = values_in(naive, people), {value for value in values_in(ours, people) if shown[value] < K}
    assert before
    assert after == set()
    record_row("attacks", channel="guessed roles", naive=f"{len(before)} values of people", ours=f"{len(after)}")
