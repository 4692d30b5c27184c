"""Hierarchies with faults."""

from pathlib import Path
from typing import Any

from duckanon.hierarchy import inspection

SECONDS = 20
"""Far more than any refusal needs."""


Fault = dict[str, Any]


def faults(hierarchy: Path, data: Path, *, column: str = "c", missing: tuple[str, ...] = ()) -> list[Fault]:
    """What `check` finds in one hierarchy on one column of some data."""
    document = inspection.check([str(hierarchy)], inspection.Data(str(data), column, missing))
    [checked] = document["hierarchies"]
    listed: list[Fault] = checked["faults"]
    assert checked["passed"] == document["passed"] == (not any(fault["severity"] == "error" for fault in listed))
    return listed


def of(listed: list[Fault], severity: str) -> list[str]:
    return [fault["message"] for fault in listed if fault["severity"] == severity]


def the(listed: list[Fault], phrase: str) -> Fault:
    """The one fault whose message holds a phrase."""
    [fault] = [fault for fault in listed if phrase in fault["message"]]
    return fault


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# --- what costs too much

COSTLY: dict[str, tuple[str, str, str]] = {
    "10,000 columns": ("h.csv", ";".join(f"v{n}" for n in range(10_001)), "more than 100 levels"),
    "10,000 levels": (
        "h.yaml",
        "kind: levels\nlevels:\n" + "".join(f"  - {{L{n + 1}: [L{n}]}}\n" for n in range(10_000)),
        "levels: has more than 101 entries",
    ),
    "a chain of 10,000 pairs": ("h.csv", "".join(f"n{n},n{n + 1}\n" for n in range(10_000)), "more than 100 levels"),
    "YAML 10,000 deep": (
        "h.yaml",
        "kind: tree\ntree: " + "".join(f"{{n{n}: " for n in range(10_000)) + "x" + "}" * 10_000,
        "nested more than 200 levels deep",
    ),
    "lists 10,000 deep": ("h.yaml", "kind: levels\nlevels: " + "[" * 10_000 + "]" * 10_000, "nested more than 200 levels deep"),
    "a bomb": (
        "h.yaml",
        "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + "".join(
            f"{first}: &{first} [{', '.join([f'*{other}'] * 9)}]\n" for other, first in zip("abcdefgh", "bcdefghi", strict=True)
        )
        + "kind: levels\nlevels: *i\n",
        "aliases",
    ),
    "2 MiB of YAML": ("h.yaml", "kind: flat\n" + "# a long remark\n" * (1 << 17), "larger than 1 MiB"),
    "10,000 groups of groups": (
        "h.yaml",
        "kind: intervals\nintervals: [[0, 1]]\ngroups:\n" + "  - [2]\n" * 10_000,
        "groups: has more than 98 entries",
    ),
    "10,000 characters": ("h.yaml", "kind: redaction\nlength: 10000\n", "needs 10,000 levels, more than 100"),
}
