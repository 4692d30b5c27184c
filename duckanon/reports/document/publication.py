"""The account and the manifest of a run as they may be published: what the release shows, what was promised, and nothing that only the input tells.

Anyone can count what is in the release. A figure of the input, however rounded, can be held against that (the differencing attack):
losses, totals, and what is measured against the whole table tell how many rows are missing. So none of them is said.
"""

from collections.abc import Mapping
from typing import Any

from duckanon.privacy.registry import MODELS, tag
from duckanon.release.manifest import sealed
from duckanon.release.manifest_model.part import READING
from duckanon.release.manifest_model.public import PublicManifest, PublicWritten

_LEAST = 5
"""Counts below it are withheld, whatever the k of the release is."""

_WITHHELD = ("lattice", "partitions", "hierarchies", "comparison", "job", "command")
_KEPT_OF_MANIFEST = ("duckanon", "status", "policy", "roles", "columns", "about")
_NOT_RELEASED = ("identifying", "dropped")


def public_manifest(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest of a release as it may be published: what the release shows, and what was required of it.

    Only the keys of `PublicManifest` stand in it, so that a new key of the manifest is not published by accident. Counts below k are null.
    """
    least = least_count(manifest)
    treated = manifest.get("identifiers", {})
    released = {name: role for name, role in manifest["columns"].items() if name in treated or role not in _NOT_RELEASED}
    classes = {key: _count(manifest["classes"][key], least) for key in ("count", "smallest", "largest")}
    is_whole = classes["count"] is not None and classes["smallest"] is not None
    public = {
        **manifest,
        "columns": released,
        "rows": {"released": _count(manifest["rows"]["released"], least)},
        "classes": classes | {"average": manifest["classes"]["average"] if is_whole else None},
        "privacy": [_in_file(check) for check in manifest["privacy"]],
        "output": manifest["output"] | {"path": manifest["output"]["path"].rpartition("/")[2]},
        **_written(manifest, least),
    }
    return sealed(PublicManifest.model_validate(public, context=READING).document())


def least_count(manifest: Mapping[str, Any]) -> int:
    """The least count that is published: k, and at least five."""
    return max([_LEAST, *(int(check["required"]) for check in manifest["privacy"] if check["model"] == "k-anonymity")])


def _in_file(check: Mapping[str, Any]) -> dict[str, Any]:
    """A check without what it achieves where that compares the release with the input."""
    model = MODELS.get(str(tag(check)))
    # what the classes of the file alone show
    is_shown = check["model"] == "k-anonymity" if model is None else not (model.NEEDS_WHOLE or model.MEASURES)
    is_shown &= check.get("of") in (None, "rows")
    return {key: value for key, value in check.items() if is_shown or key != "achieved"}


def published(account: Mapping[str, Any]) -> dict[str, Any]:
    """A new account with what may be said, and nothing else; what is withheld is None or left out."""
    manifest = account["manifest"]
    least = least_count(manifest)
    counts_rows = account["attackers"]["entity"] is None and account["attackers"]["population"] is None
    useful = account["utility"]
    return {
        **dict.fromkeys(_WITHHELD),
        "public": {"k": least},
        "made": account["made"],
        "manifest": _manifest(manifest, least),
        "verification": account["verification"] | {"classes": _count(account["verification"]["classes"], least)},
        "columns": [{key: row[key] for key in ("name", "role", "action")} for row in account["columns"]],
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
            "metrics": [row for row in useful["metrics"] if row["name"] == "average_class_size"],
            "subgroups": [],
            "distributions": [],
            "associations": [{key: row[key] for key in ("first", "second", "after")} for row in useful["associations"]],
            "queries": None,
        },
        "runners_up": [],
        "alternatives": [],
        "not_covered": account["not_covered"],
    }


def _manifest(manifest: Mapping[str, Any], least: int) -> dict[str, Any]:
    recoding = manifest["recoding"]
    return {
        **{key: manifest[key] for key in _KEPT_OF_MANIFEST if key in manifest},
        "rows": {"released": manifest["rows"]["released"]},
        "classes": manifest["classes"] | {"count": _count(manifest["classes"]["count"], least)},
        "recoding": {
            "algorithm": recoding["algorithm"],
            **({"levels": recoding["levels"]} if "levels" in recoding else {}),
            "objective": {key: recoding["objective"][key] for key in ("name", "aggregate", "proven")},
        },
        "suppression": {"style": manifest["suppression"]["style"]},
        "privacy": [_in_file(check) for check in manifest["privacy"]],
        **_written(manifest, least),
        "warnings": None,
        "output": {"path": manifest["output"]["path"].rpartition("/")[2], "sha256": manifest["output"]["sha256"]},
        "input": None,
    }


def _written(manifest: Mapping[str, Any], least: int) -> dict[str, Any]:
    """What the columns of the file come to together; manifests of earlier versions do not say it."""
    if (written := manifest.get("written")) is None:
        return {}
    shown = {key: written[key] for key in PublicWritten.model_fields}
    return {"written": shown | {"unique_records": _count(written["unique_records"], least)}}


def _risk(figures: Mapping[str, Any], least: int) -> dict[str, Any]:
    bins = [
        size_bin | {"classes": _count(size_bin["classes"], least), "rows": _count(size_bin["rows"], least)}
        for size_bin in figures["sizes"]
    ]
    classes, uniques = _count(figures["classes"], least), None if figures["uniques"] else 0
    return {**figures, "classes": classes, "uniques": uniques, "sizes": bins}


def _count(number: int, least: int) -> int | None:
    """A count that the release shows too."""
    return number if number >= least or number == 0 else None
