"""The account of a run as it may be published: nothing in it is an input's value, or a count of fewer than k rows.

What the release itself shows is exact: anyone can count it. What only the input shows is left out, or rounded so that no
difference to the release tells who is missing (the differencing attack on totals and suppressed rows).
"""

from collections.abc import Mapping
from math import floor, log10
from typing import Any

_LEAST = 5
"""Counts below it are withheld, whatever the k of the release is."""

_WITHHELD = ("lattice", "partitions", "hierarchies", "comparison", "job", "command")
_KEPT_OF_MANIFEST = ("duckanon", "status", "policy", "roles", "columns", "about")
_JUDGED_IN_FILE = ("k-anonymity", "l-diversity", "t-closeness", "alpha-k-anonymity", "average-risk", "highest-risk")


def published(account: Mapping[str, Any]) -> dict[str, Any]:
    """A new account; counts and shares that are withheld are None."""
    told = account["manifest"]
    asked = [one["required"] for one in told["privacy"] if one["model"] == "k-anonymity"]
    least = max(_LEAST, *(int(k) for k in asked))
    useful = account["utility"]
    return {
        **account,
        **dict.fromkeys(_WITHHELD),
        "public": {"k": least},
        "manifest": _manifest(told, least),
        "verification": account["verification"] | {"classes": _count(account["verification"]["classes"], least)},
        "columns": [
            {"name": one["name"], "role": one["role"], "action": one["action"], "type": None, "reason": None}
            | dict.fromkeys(("distinct", "distinction", "separation"))
            for one in account["columns"]
        ],
        "attackers": account["attackers"] | {"population": None},
        "risk": {
            "threshold": account["risk"]["threshold"],
            "before": None,
            "after": _risk(account["risk"]["after"], least),
            "attributes": [],
            "population_uniques": None,
        },
        "utility": {
            "loss": [one | {"loss": rounded(one["loss"])} for one in useful["loss"]],
            "metrics": [one | {"value": rounded(one["value"])} for one in useful["metrics"]],
            "subgroups": [],
            "distributions": [],
            "associations": [one | {key: rounded(one[key]) for key in ("before", "after")} for one in useful["associations"]],
            "queries": {key: rounded(value) if key != "asked" else value for key, value in useful["queries"].items()},
        },
        "runners_up": [],
        "alternatives": [],
    }


def _manifest(told: Mapping[str, Any], least: int) -> dict[str, Any]:
    rows, recoding = told["rows"], told["recoding"]
    return {
        **{key: told[key] for key in _KEPT_OF_MANIFEST if key in told},
        "rows": {
            **{key: _about(rows[key], least) for key in ("read", "missing", "suppressed")},
            "released": rows["released"],
        },
        "classes": told["classes"] | {"count": _count(told["classes"]["count"], least)},
        "recoding": {
            "algorithm": recoding["algorithm"],
            **({"levels": recoding["levels"]} if "levels" in recoding else {}),
            "objective": {"name": recoding["objective"]["name"], "aggregate": recoding["objective"]["aggregate"]}
            | {"value": rounded(recoding["objective"]["value"]), "bound": None, "gap": None}
            | {"proven": recoding["objective"]["proven"]},
        },
        "suppression": {"limit": told["suppression"]["limit"], "rows": None, "style": told["suppression"]["style"]},
        "privacy": [
            one if one["model"] in _JUDGED_IN_FILE and one.get("of") in (None, "rows") else one | {"achieved": None}
            for one in told["privacy"]
        ],
        "warnings": [],
        "output": {"path": told["output"]["path"].rpartition("/")[2], "sha256": told["output"]["sha256"]},
        "input": None,
    }


def _risk(found: Mapping[str, Any], least: int) -> dict[str, Any]:
    """Of the release: where persons or a population were counted, its figures are not those of the file, and are rounded."""
    bins = [one | {"classes": _count(one["classes"], least), "rows": _count(one["rows"], least)} for one in found["sizes"]]
    attackers = {name: {key: rounded(value) for key, value in found[name].items()} for name in ("prosecutor", "journalist")}
    return {
        **found,
        **attackers,
        "marketer": rounded(found["marketer"]),
        "classes": _count(found["classes"], least),
        "uniques": None if found["uniques"] else 0,
        "sizes": bins,
    }


def _count(number: int, least: int) -> int | None:
    """A count that the release shows too."""
    return number if number >= least or number == 0 else None


def _about(number: int, least: int) -> int | None:
    """A count that only the input shows, to two digits; one below the least is withheld, and so is 0, which would tell as much."""
    return None if number < least else int(rounded(number) or 0)


def rounded(number: float | None) -> float | None:
    """To two significant digits."""
    if not number:
        return number
    return round(number, 1 - floor(log10(abs(number))))
