"""Random tables, released with random options, and an adversary who knows what follows from the quasi-identifiers, and persons' rows.

Each release that is verified holds the required k and l against her, or a warning, or an accepted case, names the columns.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

import duckanon
from duckanon.errors import DuckanonError
from tests.support import levels
from tests.support.oracles.knowledge import Attacked, Violation, violations
from tests.support.rows import read_rows, write_parquet
from tests.support.settings import keywords_of

Row = dict[str, Any]
PERSONS = ("patient", "pid", "member", "badge_id", "iban", "case_id", "device_id", "bewohner", "uuid", "student")
HIERARCHIES: dict[str, dict[str, Any]] = {
    "zip": {"kind": "redaction"},
    "age": {"kind": "intervals", "widths": [5, 10, 20]},
    "job": {"kind": "flat"},
    "sex": {"kind": "flat"},
    "ward": {"kind": "flat"},
    "month": {"kind": "intervals", "widths": [2, 6]},
    "birth": {"kind": "dates", "units": ["month", "year", "decade"]},
    "county": {"kind": "flat"},
}


@dataclass(frozen=True)
class Case:
    """A table and the options of its release."""

    rows: list[Row]
    person: str
    options: dict[str, Any]


OWN = ("county", "parish", "almost", "generation", "year", "reference", "band", "colour", "token", "household")
"""Columns with one value for each person; some of them follow from others."""
FROM = {
    "county": ("zip",),
    "parish": ("zip",),
    "almost": ("zip",),
    "generation": ("age",),
    "year": ("birth",),
    "reference": ("birth",),
    "band": ("sex", "age"),
}
"""The columns from which they follow."""
OF_ROWS = ("ward", "month", "score", "invoice")


def case(number: int) -> Case:
    """The table of a number: persons with one or several rows, columns that others determine, keys, and a sensitive column."""
    random = Random(number)
    count, several, varies = random.randrange(120, 260), random.random() < 0.6, random.random() < 0.5
    person = random.choice(PERSONS)
    own, of_rows = random.sample(OWN, random.randrange(3, 7)), random.sample(OF_ROWS, random.randrange(2, 5))
    zips = {f"1{random.randrange(10000):04}": f"county {random.randrange(5)}" for _ in range(random.choice((12, 30, 60)))}
    conditions, missing = random.choice((3, 6, 12)), random.choice((0, 0, 0.15))
    rows: list[Row] = []
    for index in range(count):
        about = _person(random, zips, index)
        fixed = {name: about[name] for name in ("zip", "age", "sex", "job", "birth", *own)}
        condition = random.randrange(conditions)
        for _ in range(random.choice((1, 2, 3, 4)) if several else 1):
            visit = _visit(random, len(rows))
            row = (
                {person: f"{'KLMN'[index % 4]}-{7919 * (index + 3) % 100003:05}"}
                | fixed
                | {name: visit[name] for name in of_rows}
            )
            value = random.randrange(conditions) if varies else condition
            rows.append(row | {"condition": None if random.random() < missing else f"condition {value}"})
    pool = [name for name in HIERARCHIES if name in rows[0]]
    names = random.sample(pool, min(len(pool), random.choice((2, 2, 3, 3, 4))))
    options: dict[str, Any] = {"qi": names, "k": random.choice((2, 3, 5, 8, 12)), "max_suppression": "40%"}
    options["hierarchies"] = {name: HIERARCHIES[name] for name in names}
    options["algorithm"] = random.choice(("optimal", "optimal", "mondrian", "local"))
    options |= _requirement(random, names)
    others = [name for name in rows[0] if name not in (*names, person, "condition")]
    following = [name for name in others if set(FROM.get(name, ("",))) <= {*names}]
    chosen = random.choice((1, 2, 3))
    options["keep"] = random.sample(following, 1) if following and random.random() < 0.6 else []
    options["keep"] += random.sample(sorted({*others} - {*options["keep"]}), chosen - len(options["keep"]))
    if not options.get("require") and random.random() < 0.5:
        options["keep"].append("condition")
    way = random.random() if several else 1
    if way < 0.55:
        options |= {"entity": person} | ({"pseudonym": [person]} if way > 0.4 else {})
    if several and random.random() < 0.3:
        options["suppress_isolated"] = True
    return Case(rows, person, options)


def _person(random: Random, zips: Mapping[str, str], index: int) -> Row:
    code, age, sex, birth = random.choice(list(zips)), random.randrange(18, 90), random.choice("fm"), random.randrange(22000)
    day = date(1940, 1, 1) + timedelta(birth)
    return {
        "zip": code,
        "age": age,
        "sex": sex,
        "job": random.choice("abcdef"),
        "birth": day,
        "county": zips[code],
        "parish": f"p{int(code) % 7}",
        "almost": zips[code] if random.random() < 0.97 else "elsewhere",
        "generation": f"g{age // 12}",
        "year": day.year,
        "reference": f"P{day.year}-{random.randrange(10**6):06}",
        "band": f"{sex}{age // 20}",
        "colour": random.choice(("red", "green", "blue", "grey")),
        "token": f"t{index * 7919 % 100003:06}",
        "household": f"h{index // 3}",
    }


def _visit(random: Random, index: int) -> Row:
    ward, month, score = random.choice("NESW"), random.randrange(1, 13), random.randrange(1, 30)
    return {"ward": ward, "month": month, "score": score, "invoice": f"i{index * 104729 % 1000003:07}"}


def _requirement(random: Random, names: list[str]) -> dict[str, Any]:
    """A model of the sensitive column, or adversaries, or neither."""
    way = random.random()
    if way < 0.45:
        model = random.choice(("distinct-l=2", "distinct-l=3", "entropy-l=2", "t=0.5"))
        return {"sensitive": ["condition"], "require": [model]}
    if way < 0.6 and len(names) > 2:
        return {"any": 2}
    if way < 0.7 and len(names) > 2:
        return {"adversary": {"first": names[:2], "second": names[1:]}}
    return {}


@dataclass(frozen=True)
class Outcome:
    """What became of a case."""

    refusal: str | None
    violating: tuple[Violation, ...] = ()
    """The violations that no warning and no accepted case states."""
    stated: tuple[Violation, ...] = ()


def outcome(number: int, folder: Path) -> Outcome:
    """Release the table of a number, and attack it."""
    table = case(number)
    source, output = write_parquet(folder / f"{number}.parquet", table.rows), folder / f"{number}.out.parquet"
    options: dict[str, Any] = {"shuffle": False, "overwrite": True, "release": "r", "key_file": _key(folder), **table.options}
    if not table.options.get("pseudonym"):
        options = {name: value for name, value in options.items() if name not in ("release", "key_file")}
    while True:
        try:
            manifest = duckanon.anonymize(source, output, **keywords_of(**options)).manifest
            break
        except DuckanonError as error:
            # the owner drops the retained column that a refusal names
            named = [name for name in options["keep"] if repr(name) in str(error)]
            if not named:
                return Outcome(str(error))
            options["keep"] = [name for name in options["keep"] if name not in named]
    violating = list(violations(attacked(table, read_rows(output))))
    stated = [each for each in violating if _is_stated(each, table, manifest)]
    return Outcome(None, tuple(each for each in violating if each not in stated), tuple(stated))


def attacked(table: Case, release: list[Row]) -> Attacked:
    """The release, with what its options require."""
    options, names = table.options, [name for name in table.options["qi"] if release and name in release[0]]
    known: list[tuple[list[str], int]] = [(names, options["k"])]
    if "any" in options:
        known = [([first, second], options["k"]) for first in names for second in names if first < second]
    if "adversary" in options:
        known = [([name for name in each if name in names], options["k"]) for each in options["adversary"].values()]
    required = {"distinct-l=3": 3}.get((options.get("require") or [""])[0], 2)
    sensitive = {"condition": required} if options.get("require") else {}
    return Attacked(table.rows, release, table.person, names, known, sensitive, options.get("pseudonym", ()))


def _is_stated(violation: Violation, table: Case, manifest: Mapping[str, Any]) -> bool:
    """Whether a warning, or an accepted case, names each column of a violation.

    Where rows are counted, a warning that names the column of persons also states that the classes, and links, of persons are not judged.
    """
    texts = [*manifest["warnings"], *manifest.get("accepted", ())]

    def are_named(*names: str) -> bool:
        return all(any(repr(name) in text or f"@{name}" in text for text in texts) for name in names)

    counts_rows = manifest["persons"]["unit"] == "rows"
    of_persons = violation.mechanism in ("class", "linked")
    return (bool(violation.columns) and are_named(*violation.columns)) or (
        of_persons and counts_rows and are_named(table.person)
    )


def _key(folder: Path) -> Path:
    path = folder / "key"
    if not path.exists():
        path.write_text("0123456789abcdef" * 4, encoding="utf-8")
        path.chmod(0o600)
    return path


SIZE = 40
"""Tables of a part; below level `prove`, of the only part, four more than the examples of a property."""


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.thorough) for part in range(1, 13))])
def test_a_verified_release_holds_against_an_adversary_who_knows_what_follows(part: int, tmp_path: Path) -> None:
    size = min(SIZE, levels.current().examples + 4)
    outcomes = {number: outcome(number, tmp_path) for number in range(part * SIZE, part * SIZE + size)}
    assert {number: each.violating for number, each in outcomes.items() if each.violating} == {}
    assert sum(each.refusal is None for each in outcomes.values()) >= size / 4
