"""Report and manifest for publication: figures of the release and requirements, no figures of the input.

Anyone can count the records of the release. The difference to a figure of the input, even a rounded one, discloses the suppressed rows
(differencing attack). So losses, totals and comparisons with the whole table are left out.
"""

from collections.abc import Mapping
from typing import Any

from duckanon.privacy.registry import MODELS, tag
from duckanon.release.manifest import with_checksum
from duckanon.release.manifest_model.document import Conditions, Head, PublicManifest, PublicWritten
from duckanon.release.manifest_model.files import READING

_LEAST = 5
"""Counts below this number are withheld, even if k is smaller."""

_WITHHELD = ("lattice", "partitions", "hierarchies", "comparison", "job", "command", "examples")
_KEPT_OF_MANIFEST = (*Head.model_fields, *(key for key in Conditions.model_fields if key != "microaggregation"))
_NOT_RELEASED = ("identifying", "dropped")


def public_manifest(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest for publication: figures of the release, and requirements.

    It has the keys of `PublicManifest` only, so that a new key is not published by accident. Counts below k are null.
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
    return with_checksum(PublicManifest.model_validate(public, context=READING).document())


def least_count(manifest: Mapping[str, Any]) -> int:
    """The least count that is published: k, and at least five."""
    return max([_LEAST, *(int(check["required"]) for check in manifest["privacy"] if check["model"] == "k-anonymity")])


def _in_file(check: Mapping[str, Any]) -> dict[str, Any]:
    """A check, without the achieved value if it compares the release with the input."""
    model = MODELS.get(str(tag(check)))
    # figures that anyone can compute from the file
    is_shown = check["model"] == "k-anonymity" if model is None else not (model.NEEDS_WHOLE or model.MEASURES)
    is_shown &= check.get("of") in (None, "rows")
    return {key: value for key, value in check.items() if is_shown or key != "achieved"}


def published(document: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a report for publication; withheld parts are None or left out."""
    manifest = document["manifest"]
    least = least_count(manifest)
    counts_rows = document["attackers"]["entity"] is None and document["attackers"]["population"] is None
    useful = document["utility"]
    return {
        **dict.fromkeys(_WITHHELD),
        "public": {"k": least},
        "made": document["made"],
        "manifest": _manifest(manifest, least),
        "verification": document["verification"]
        | {"classes": _count(document["verification"]["classes"], least), "has_warnings": bool(manifest["warnings"])},
        "columns": [{key: row[key] for key in ("name", "role", "action")} for row in document["columns"]],
        "sensitive_columns": [],
        "unique_records": {"before": None, "after": _count(document["unique_records"]["after"], least)},
        "missing": document["missing"],
        "attackers": document["attackers"] | {"population": None},
        "risk": {
            "threshold": document["risk"]["threshold"],
            "before": None,
            "after": _risk(document["risk"]["after"], least) if counts_rows else None,
            **(_by_known_columns(document["risk"], least) if counts_rows else {}),
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
        "study": None,
        "runners_up": [],
        "alternatives": [],
        "risk_and_loss": [],
        "not_covered": document["not_covered"],
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
    """Figures over all columns of the file; manifests of earlier versions do not have them."""
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


def _by_known_columns(risk: Mapping[str, Any], least: int) -> dict[str, Any]:
    """The risk by the columns that each adversary knows, which anyone can compute from the file."""
    published: dict[str, Any] = {
        "adversaries": {
            name: {
                "columns": seen["columns"],
                "threshold": seen["threshold"],
                "before": {},
                "after": _risk(seen["after"], least),
            }
            for name, seen in (risk.get("adversaries") or {}).items()
        }
    }
    if few := risk.get("any_columns"):
        uniques = None if few["after"]["uniques"] else 0
        published["any_columns"] = few | {"before": {}, "after": few["after"] | {"uniques": uniques}}
    return published


def _count(number: int | None, least: int) -> int | None:
    """A count, or None if it is below the least count."""
    return number if number is not None and (number >= least or number == 0) else None
