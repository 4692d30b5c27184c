"""Random releases of random tables: the register isolates the same records as a restatement in plain Python."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import duckanon
from duckanon.errors import Infeasible
from duckanon.workflows import registration
from tests.support.oracles.registered import few_left, few_persons, few_together
from tests.support.rows import read_rows, write_parquet
from tests.support.settings import keywords_of

NAMES = ("age", "town", "job")
HIERARCHIES: dict[str, Any] = {
    "age": {"kind": "intervals", "widths": [4, 8, 16]},
    "town": [["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]],
    "job": {"kind": "flat"},
}
STYLES = ("drop", "star")


def _table(random: Random, folder: Path) -> tuple[Path, dict[str, str]]:
    """A random table of 60 to 150 records, some without a value, and the person of each record."""
    rows: list[dict[str, Any]] = [
        {
            # a text: the groups of a number could disclose an age by chance, and the run would be refused for that
            "id": f"r{number}",
            "age": random.choice([None, *range(20, 40)]) if random.random() < 0.1 else random.randrange(20, 40),
            "town": random.choice("abcd"),
            "job": random.choice("xyz"),
            "person": f"p{random.randrange(60)}",
        }
        for number in random.sample(range(10**6), random.randrange(60, 150))
    ]
    return write_parquet(folder / "table.parquet", rows), {row["id"]: row["person"] for row in rows}


def _options(random: Random, *, by_person: bool) -> dict[str, Any]:
    """A release with random levels, or by local recoding, of all or of two quasi-identifiers."""
    names = random.choice([NAMES, NAMES, NAMES[:2], NAMES[1:]])
    recoding: dict[str, Any] = random.choice(
        [{"algorithm": "local"}, {"algorithm": "mondrian"}, *[{"levels": {name: random.randrange(2) for name in names}}] * 4]
    )
    style = random.choice(STYLES) if "levels" in recoding and not by_person else "drop"
    return {
        "qi": list(names),
        "hierarchies": {name: HIERARCHIES[name] for name in names},
        "k": random.choice([2, 3, 3, 5]),
        "entity": "person" if by_person else "none",
        "keep": ["id"],
        "max_suppression": "100%",
        "suppress": style,
        "overwrite": True,
        **recoding,
    }


def _classes(path: Path, options: dict[str, Any]) -> dict[str, Any]:
    """The class of each shown record; masked records are in none."""
    rows = [(row["id"], tuple(row[name] for name in options["qi"])) for row in read_rows(path)]
    return {number: label for number, label in rows if options["suppress"] == "drop" or set(label) != {"*"}}


def _counts(message: str) -> tuple[int, int]:
    shared, left = (re.search(rf"([\d,]+) \w+ {what}", message) for what in ("share their classes", "are left"))
    return (0 if shared is None else int(shared[1].replace(",", "")), 0 if left is None else int(left[1].replace(",", "")))


@pytest.mark.parametrize("by_person", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_a_refusal_counts_what_a_restatement_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, *, by_person: bool
) -> None:
    # what helps against a refusal is tried with many more releases
    monkeypatch.setattr(registration, "_cures", lambda *_: iter(()))
    random = Random(seed)
    source, person_of = _table(random, tmp_path)
    register, made, ks = tmp_path / "releases.duckdb", [], []
    for number in range(4):
        options, message = _options(random, by_person=by_person), ""
        try:
            duckanon.anonymize(source, tmp_path / f"{number}.parquet", **keywords_of(**options))
        except Infeasible:
            continue
        made.append(_classes(tmp_path / f"{number}.parquet", options))
        ks.append(options["k"])
        try:
            duckanon.anonymize(source, tmp_path / "registered.parquet", register=register, **keywords_of(**options))
        except Infeasible as refusal:
            message = str(refusal)
        few = few_persons(made, person_of, *ks) if by_person else few_together(made, *ks)
        shared, left = _counts(message)
        assert shared == len(few)
        if not by_person:
            assert left == sum(few_left(earlier, made[-1], min(k, ks[-1])) for earlier, k in zip(made[:-1], ks, strict=False))
        if message:
            made.pop()
            ks.pop()
