"""The account of a run as it may be published: what the release shows, what was promised, and nothing that only the input tells.

Anyone can count what is in the release. A figure of the input, however rounded, can be held against that (the differencing attack):
losses, totals, and what is measured against the whole table tell how many rows are missing. So none of them is said.
"""

from collections.abc import Mapping
from typing import Any

_LEAST = 5
"""Counts below it are withheld, whatever the k of the release is."""

_WITHHELD = ("lattice", "partitions", "hierarchies", "comparison", "job", "command")
_KEPT_OF_MANIFEST = ("duckanon", "status", "policy", "roles", "columns", "about")
_JUDGED_IN_FILE = ("k-anonymity", "l-diversity", "alpha-k-anonymity", "average-risk", "highest-risk")
"""Models that tell what they achieve by the classes of the file alone."""


def published(account: Mapping[str, Any]) -> dict[str, Any]:
    """A new account with what may be said, and nothing else; what is withheld is None or left out."""
    told = account["manifest"]
    asked = [one["required"] for one in told["privacy"] if one["model"] == "k-anonymity"]
    least = max(_LEAST, *(int(k) for k in asked))
    counts_rows = account["attackers"]["entity"] is None and account["attackers"]["population"] is None
    useful = account["utility"]
    return {
        **dict.fromkeys(_WITHHELD),
        "public": {"k": least},
        "made": account["made"],
        "manifest": _manifest(told, least),
        "verification": account["verification"] | {"classes": _count(account["verification"]["classes"], least)},
        "columns": [{key: one[key] for key in ("name", "role", "action")} for one in account["columns"]],
        "missing": account["missing"],
        "attackers": account["attackers"] | {"population": None},
        "risk": {
            "threshold": account["risk"]["threshold"],
            "before": None,
            "after": _risk(account["risk"]["after"], least) if counts_rows else None,
            "attributes": [],
            "population_uniques": None,
        },
        "utility": {
            "loss": [],
            "metrics": [one for one in useful["metrics"] if one["name"] == "average_class_size"],
            "subgroups": [],
            "distributions": [],
            "associations": [{key: one[key] for key in ("first", "second", "after")} for one in useful["associations"]],
            "queries": None,
        },
        "runners_up": [],
        "alternatives": [],
        "not_covered": account["not_covered"],
    }


def _manifest(told: Mapping[str, Any], least: int) -> dict[str, Any]:
    recoding = told["recoding"]
    return {
        **{key: told[key] for key in _KEPT_OF_MANIFEST if key in told},
        "rows": {"released": told["rows"]["released"]},
        "classes": told["classes"] | {"count": _count(told["classes"]["count"], least)},
        "recoding": {
            "algorithm": recoding["algorithm"],
            **({"levels": recoding["levels"]} if "levels" in recoding else {}),
            "objective": {key: recoding["objective"][key] for key in ("name", "aggregate", "proven")},
        },
        "suppression": {"style": told["suppression"]["style"]},
        "privacy": [
            one
            if one["model"] in _JUDGED_IN_FILE and one.get("of") in (None, "rows")
            else {key: value for key, value in one.items() if key != "achieved"}
            for one in told["privacy"]
        ],
        "warnings": [],
        "output": {"path": told["output"]["path"].rpartition("/")[2], "sha256": told["output"]["sha256"]},
        "input": None,
    }


def _risk(found: Mapping[str, Any], least: int) -> dict[str, Any]:
    bins = [one | {"classes": _count(one["classes"], least), "rows": _count(one["rows"], least)} for one in found["sizes"]]
    classes, uniques = _count(found["classes"], least), None if found["uniques"] else 0
    return {**found, "classes": classes, "uniques": uniques, "sizes": bins}


def _count(number: int, least: int) -> int | None:
    """A count that the release shows too."""
    return number if number >= least or number == 0 else None
