"""Protected columns: what each value loses, against counts in plain Python, for every search; refusals, advice, and the recount of the result."""

import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from duckanon.errors import Infeasible, JobError, VerificationFailed
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from duckanon.search.protected_values import Protection
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply
from tests.support.settings import options_of

TOWNS = {f"t{number}": f"g{number % 3}" for number in range(9)}
AGES = {f"a{number}": f"d{number // 4}" for number in range(8)}
LEVELS = {"town": (TOWNS, "*"), "age": (AGES, "*")}
COLUMNS = {
    name: {"role": "quasi-identifier", "hierarchy": {"kind": "table", "rows": [[v, g, top] for v, g in groups.items()]}}
    for name, (groups, top) in LEVELS.items()
} | {"event": {"role": "sensitive"}}
NODES = list(itertools.product(range(3), range(3)))
ALGORITHMS = ("optimal", "samarati", "bidirectional", "greedy", "balanced", "local", "mondrian")


def table(seed: int, rows: int = 160) -> list[dict[str, Any]]:
    """Rows of which a rare event stands in rare towns more often."""
    draw = random.Random(seed)
    collected = []
    for number in range(rows):
        town = draw.choice(list(TOWNS)[:3] * 6 + list(TOWNS))
        event = draw.choice(["dead", None]) if town > "t2" and draw.random() < 0.5 else draw.choice(["alive"] * 30 + ["dead"])
        collected.append({"row": number, "town": town, "age": draw.choice(list(AGES)), "event": event})
    return collected


def label(column: str, value: str, level: int) -> str:
    groups, top = LEVELS[column]
    return (value, groups[value], top)[level]


def lost_at(rows: Sequence[Mapping[str, Any]], node: tuple[int, int], k: int, values: int) -> set[int]:
    """The rows of classes with fewer than k rows, or fewer events than values."""
    classes: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        classes.setdefault((label("town", row["town"], node[0]), label("age", row["age"], node[1])), []).append(row)
    failing = [group for group in classes.values() if len(group) < k or len({row["event"] for row in group}) < values]
    return {row["row"] for entry in failing for row in entry}


def keeps(rows: Sequence[Mapping[str, Any]], lost: set[int], column: str, share: Fraction) -> bool:
    """Whether each value loses at most its share, rounded down, and all rows together do too."""
    values = Counter(row[column] for row in rows)
    gone = Counter(row[column] for row in rows if row["row"] in lost)
    is_all = len(lost) <= share * len(rows) // 1 and len(lost) < len(rows)
    return is_all and all(gone[value] <= share * count // 1 for value, count in values.items())


def options(column: str, share: Fraction, events: int, **more: Any) -> Options:
    require = [f"distinct-l={events}@event"] if events > 1 else []
    return options_of(k=4, require=require, keep=["row"], protect=[column], max_suppression=str(float(share)), **more)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "column", "share", "events"),
    [(1, "event", "0.25", 1), (2, "event", "0.5", 1), (3, "town", "0.25", 1), (4, "event", "0.5", 2), (5, "age", "0.125", 1)],
)
def test_optimal_equals_brute_force(tmp_path: Path, seed: int, column: str, share: str, events: int) -> None:
    """Every node is judged as counted by hand, and the search finds the best of those that satisfy, which the limit of all rows alone does not."""
    rows, allowed = table(seed), Fraction(share)
    source = write_parquet(tmp_path / "in.parquet", rows)
    losses = {}
    for node in NODES:
        chosen = options(column, allowed, events, levels=dict(zip(LEVELS, node, strict=True)))
        try:
            result = anonymize(source, job={"columns": COLUMNS}, options=chosen, run=Run(dry_run=True))
        except Infeasible:
            assert not keeps(rows, lost_at(rows, node, 4, events), column, allowed)
            continue
        assert keeps(rows, lost_at(rows, node, 4, events), column, allowed)
        losses[node] = result["metrics"]["loss"]
    assert any(
        len(lost) <= allowed * len(rows) for node in NODES if node not in losses for lost in [lost_at(rows, node, 4, events)]
    )
    for algorithm in ("optimal", "samarati", "bidirectional"):
        result = anonymize(
            source,
            job={"columns": COLUMNS},
            options=options(column, allowed, events, algorithm=algorithm),
            run=Run(dry_run=True),
        )
        actual = tuple(result["recoding"]["levels"].values())
        assert actual in losses
        if algorithm == "optimal":
            assert losses[actual] == min(losses.values())
        if algorithm == "samarati" and events == 1:
            assert sum(actual) == min(map(sum, losses))


@pytest.mark.parametrize("algorithm", ["star", *ALGORITHMS, "persons"])
def test_no_value_of_a_protected_column_loses_more_than_its_share(tmp_path: Path, algorithm: str) -> None:
    rows = [{**row, "house": row["row"] // 2} for row in table(7)]
    source = write_parquet(tmp_path / "in.parquet", rows)
    more = {"algorithm": algorithm} if algorithm in ALGORITHMS else {}
    more |= {"suppress": "star"} if algorithm == "star" else {"entity": "house"} if algorithm == "persons" else {}
    chosen = options("event", Fraction(1, 4), 1, **more)
    result = anonymize(source, tmp_path / "out.parquet", job={"columns": COLUMNS}, options=chosen)
    released = read_rows(tmp_path / "out.parquet")
    shown = {row["row"] for row in released if algorithm != "star" or (row["town"], row["age"]) != ("*", "*")}
    lost = {row["row"] for row in rows} - shown if result["rows"]["suppressed"] else set()
    assert len(lost) == result["rows"]["suppressed"]
    assert keeps(rows, lost, "event", Fraction(1, 4))
    values = Counter(row["event"] for row in rows)
    gone = Counter(row["event"] for row in rows if row["row"] in lost)
    highest = max(gone[value] / count for value, count in values.items())
    assert result["suppression"]["protected"] == {"event": {"values": 3, "allowed": 0.25, "highest": pytest.approx(highest)}}


DEATHS = [
    *({"town": "a", "event": "alive", "note": number} for number in range(60)),
    *({"town": f"b{number}", "event": "dead", "note": number} for number in range(3)),
]
FLAT = {"town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}, "event": {"role": "sensitive"}}


ANONYMIZE = (
    *("anonymize", "in.parquet", "-o", "out.parquet", "--qi", "town", "--keep", "event"),
    *("--hierarchies", "town=town.yaml", "--k", "3"),
)


def test_a_protected_event_stays_in_the_release(cli: Cli, tmp_path: Path) -> None:
    """The warning of a removed value names the option, and with this option the release has the value."""
    write_parquet(tmp_path / "in.parquet", DEATHS)
    (tmp_path / "town.yaml").write_text("kind: flat\n")
    common = (*ANONYMIZE, "--overwrite")
    warned = cli(*common)
    assert "limit what each value may lose with --protect COLUMN" in warned.err
    assert {row["event"] for row in read_rows(tmp_path / "out.parquet")} == {"alive"}
    protected = cli(*common, "--protect", "event", code=0)
    assert "is suppressed" not in protected.err
    assert "protected event: at most 0% of the rows with a value, 5% allowed" in " ".join(protected.err.split())
    assert {row["event"] for row in read_rows(tmp_path / "out.parquet")} == {"alive", "dead"}


@pytest.mark.parametrize("more", [["--levels", "town=0"], ["--levels", "town=0", "--max-suppression", "4"]])
def test_where_a_value_would_lose_too_much_the_message_says_what_helps(cli: Cli, tmp_path: Path, more: list[str]) -> None:
    write_parquet(tmp_path / "in.parquet", [*DEATHS, *DEATHS[:1], {"town": "a", "event": "dead", "note": 1}])
    (tmp_path / "town.yaml").write_text("kind: flat\n")
    refused = cli(*ANONYMIZE, *more, "--protect", "event", code=1)
    [line] = [line for line in refused.err.splitlines() if "error" in line]
    assert "suppresses 3 of the 4 rows with one value of 'event'" in line
    assert "dead" not in line
    raised = re.search(r"raise (--max-suppression) to (\S+) \(", line)
    assert raised is not None
    assert "leave --protect out" in line
    cli(*ANONYMIZE, *more, "--protect", "event", *raised.groups(), code=0)
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    assert manifest["suppression"]["protected"]["event"]["highest"] == 0.75
    cli(*ANONYMIZE, *more, "--overwrite", code=0)


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("nobody", "--protect names 'nobody', which is not released"),
        ("evnt", "did you mean 'event'"),
        ("note", "--protect names 'note', which is not released"),
    ],
)
def test_only_released_columns_are_protected(cli: Cli, tmp_path: Path, named: str, message: str) -> None:
    write_parquet(tmp_path / "in.parquet", DEATHS)
    assert message in cli("anonymize", "in.parquet", "--qi", "town", "--keep", "event", "--protect", named, code=2).err


def test_a_protected_sensitive_column_does_not_decide_where_sensitive_values_must_not(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", DEATHS)
    with pytest.raises(JobError, match="decide-on=qi excludes sensitive values; leave one out"):
        anonymize(source, job={"columns": FLAT, "protect": ["event"], "decide-on": "qi"}, options=Options(k=3))


def test_a_saved_recoding_protects_new_rows_too(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", [*DEATHS[:60], *({**row, "town": "b"} for row in DEATHS[60:])])
    job = {"columns": FLAT, "protect": ["event"]}
    first = anonymize(source, tmp_path / "out.parquet", job=job, options=Options(k=3))
    assert first["recoding"]["levels"] == {"town": 0}
    again = apply(tmp_path / "out.parquet.manifest.json", source, tmp_path / "again.parquet")
    assert again["suppression"]["protected"]["event"]["highest"] == 0
    rarer = write_parquet(tmp_path / "rarer.parquet", [*DEATHS[:60], {**DEATHS[60], "town": "b"}])
    with pytest.raises(Infeasible, match=r"the saved recoding .* suppresses 1 of the 1 rows with one value of 'event'"):
        apply(tmp_path / "out.parquet.manifest.json", rarer, tmp_path / "rarer_out.parquet")


def test_a_search_that_forgets_the_protection_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is counted again from the rows, not from what the search counted."""
    source = write_parquet(tmp_path / "in.parquet", DEATHS)
    monkeypatch.setattr(Protection, "allows", lambda *_: True)
    with pytest.raises(
        VerificationFailed, match=r"a value of the protected column 'event' loses 100% of its rows, but only 5% is allowed"
    ):
        anonymize(source, tmp_path / "out.parquet", job={"columns": FLAT, "protect": ["event"]}, options=Options(k=3))
    assert not (tmp_path / "out.parquet").exists()
