"""The account of a run as it may be published: nothing in it is an input's value, or a count of fewer than k rows.

What the release itself shows is exact: anyone can count it. What only the input shows is left out, or rounded so coarsely that
no difference to the release tells of fewer than k rows (the differencing attack on totals and suppressed rows).
"""

from collections.abc import Mapping
from math import floor, log10
from typing import Any

_LEAST = 5
"""Counts below it are withheld, whatever the k of the release is."""

_WITHHELD = ("lattice", "partitions", "hierarchies", "comparison", "job", "command")
_KEPT_OF_MANIFEST = ("duckanon", "status", "policy", "roles", "columns", "about")
_JUDGED_IN_FILE = ("k-anonymity", "l-diversity", "t-closeness", "alpha-k-anonymity", "average-risk", "highest-risk")
_SAFE_METRICS = ("loss", "granularity", "precision", "average_class_size")
"""The others are sums in which suppressed rows could be counted."""


def published(account: Mapping[str, Any]) -> dict[str, Any]:
    """A new account with what may be said, and nothing else; counts and shares that are withheld are None."""
    told = account["manifest"]
    asked = [one["required"] for one in told["privacy"] if one["model"] == "k-anonymity"]
    least = max(_LEAST, *(int(k) for k in asked))
    coarse = _Coarse(least, told["rows"]["read"])
    useful = account["utility"]
    return {
        **dict.fromkeys(_WITHHELD),
        "public": {"k": least},
        "made": account["made"],
        "manifest": _manifest(told, least, coarse),
        "verification": account["verification"] | {"classes": _count(account["verification"]["classes"], least)},
        "columns": [{key: one[key] for key in ("name", "role", "action")} for one in account["columns"]],
        "missing": account["missing"],
        "attackers": account["attackers"] | {"population": None},
        "risk": {
            "threshold": account["risk"]["threshold"],
            "before": None,
            "after": _risk(account["risk"]["after"], least),
            "attributes": [],
            "population_uniques": None,
        },
        "utility": {
            "loss": [one | {"loss": coarse.share(one["loss"])} for one in useful["loss"]],
            "metrics": [
                one | {"value": coarse.share(one["value"]) if one["value"] <= 1 else rounded(one["value"])}
                for one in useful["metrics"]
                if one["name"] in _SAFE_METRICS
            ],
            "subgroups": [],
            "distributions": [],
            "associations": [one | {key: rounded(one[key]) for key in ("before", "after")} for one in useful["associations"]],
            "queries": {"asked": useful["queries"]["asked"], "most": None}
            | {key: rounded(useful["queries"][key]) for key in ("quarter", "median", "three_quarters")},
        },
        "runners_up": [],
        "alternatives": [],
        "not_covered": account["not_covered"],
    }


class _Coarse:
    """Figures of the input so rounded that `least` rows more or fewer would not be seen."""

    def __init__(self, least: int, rows: int) -> None:
        self._least, self._rows = least, max(1, rows)

    def count(self, number: int) -> int | None:
        """To two digits, or coarser; one below the least is withheld, and so is 0, which would tell as much."""
        if number < self._least:
            return None
        step = max(2 * self._least, 10 ** (floor(log10(number)) - 1))
        return int(max(step, round(number / step) * step))

    def share(self, share: float) -> float:
        """To hundredths, or to steps that stand for so many rows."""
        step = max(0.01, 2 * self._least / self._rows)
        return min(1.0, round(round(share / step) * step, 4))


def _manifest(told: Mapping[str, Any], least: int, coarse: _Coarse) -> dict[str, Any]:
    rows, recoding = told["rows"], told["recoding"]
    objective = {"name": recoding["objective"]["name"], "aggregate": recoding["objective"]["aggregate"]}
    return {
        **{key: told[key] for key in _KEPT_OF_MANIFEST if key in told},
        "rows": {**{key: coarse.count(rows[key]) for key in ("read", "missing", "suppressed")}, "released": rows["released"]},
        "classes": told["classes"] | {"count": _count(told["classes"]["count"], least)},
        "recoding": {
            "algorithm": recoding["algorithm"],
            **({"levels": recoding["levels"]} if "levels" in recoding else {}),
            "objective": {**objective, "value": None, "bound": None, "gap": None, "proven": recoding["objective"]["proven"]},
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
    """Of the release; the figures of persons and of a population are not those of the file, and are rounded."""
    bins = [one | {"classes": _count(one["classes"], least), "rows": _count(one["rows"], least)} for one in found["sizes"]]
    attackers = {name: {key: rounded(value) for key, value in found[name].items()} for name in ("prosecutor", "journalist")}
    return {
        **attackers,
        "of": found["of"],
        "rows": found["rows"],
        "marketer": rounded(found["marketer"]),
        "classes": _count(found["classes"], least),
        "uniques": None if found["uniques"] else 0,
        "sizes": bins,
    }


def _count(number: int, least: int) -> int | None:
    """A count that the release shows too."""
    return number if number >= least or number == 0 else None


def rounded(number: float | None) -> float | None:
    """To two significant digits."""
    if not number:
        return number
    return round(number, 1 - floor(log10(abs(number))))
