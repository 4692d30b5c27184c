"""Releases that reports are made of."""

from pathlib import Path
from typing import Any

import pytest

from duckanon.job.prepare import Run
from duckanon.reports import document
from tests.support.rows import write_parquet
from tests.support.runs import anonymize

HEBREW = "\u05e9\u05dd"
ODD_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", f"{HEBREW} (1)", "\u202egender", "x" * 500, "disease"]
"""Properties of JavaScript objects, a name that runs from right to left, one with a mark of direction, and a long one."""

HOSTILE = ("<script>document.title='pwned'</script>", 'a"b', "it's", "\U0001f600 & </td>", "x" * 10_000)


def without_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the figures of other requirements out of reports: a dozen searches for each page, which the tests of `explain` prove."""
    monkeypatch.setattr(document, "_PATIENCE", -1.0)


def odd_rows(count: int) -> list[tuple[str, ...]]:
    """Rows of the columns `ODD_NAMES`, with such values too."""
    towns = ("north", "__proto__", "\u202eabc\u202c", f"{HEBREW} 12 (a)", "w" * 500)
    rows: list[tuple[str, ...]] = []
    for number in range(count):
        place = (number * 7919) % 1009
        person = (
            str(20 + place % 40),
            "fm"[place % 2],
            towns[place % 5],
            "abc"[place % 3],
            (HEBREW, "tel aviv")[place // 5 % 2],
        )
        rows.append(
            (*person, "uv"[place // 7 % 2], ("p" * 500, "r")[place // 11 % 2], ("flu", "constructor", "toString")[number % 3])
        )
    return rows


def hostile_release(folder: Path) -> Path:
    """Release hostile columns and values into a folder, with both reports."""
    rows = [{HOSTILE[0]: HOSTILE[number % 4], "it's": number % 6, "s": HOSTILE[number % 3]} for number in range(60)]
    rows += [{HOSTILE[0]: HOSTILE[4], "it's": 918273, "s": "one of a kind"}]
    write_parquet(folder / "rows.parquet", rows)
    about = {
        "purpose": HOSTILE[0],
        "controller": HOSTILE[1],
        "recipient": "{{ 7 * 7 }}",
        "review": "2027-11-01",
        "x": "</script>",
    }
    job = {
        "columns": {
            HOSTILE[0]: {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
            "it's": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
            "s": {"role": "sensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "suppression": {"limit": 3},
        "about": about,
    }
    run = Run(report=folder / "internal.html", public_report=folder / "public.html")
    anonymize(folder / "rows.parquet", folder / "out.parquet", job=job, run=run)
    return folder


def run_small(folder: Path, output: str = "out.parquet", **run: Any) -> dict[str, Any]:
    job = {"columns": {"a": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}}
    return anonymize(folder / "rows.parquet", folder / output, job=job, **run)
