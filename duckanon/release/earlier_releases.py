"""Releases that were made before of what seems to be the same input, by another recoding: both together can be intersected."""

import json
import math
import os
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from duckanon.dataset.location import STANDARD_INPUT
from duckanon.release import manifest
from duckanon.release.manifest import Manifest

_MOST_ENTRIES = 20_000
_MOST_MANIFESTS = 300
_MOST_BYTES = 16 * 2**20
_EQUAL = 1e-6
_REGIONS = {"partitions", "passes"}


def releases_beside(output: Path, fingerprint: str) -> dict[str, Manifest]:
    """The manifests beside an output, but for its own, of inputs with the columns, types and number of rows that a fingerprint tells.

    By their names. Of large folders the first ones only are read, and what cannot be read is none.
    """
    own = manifest.path_for(output).absolute()
    read = {path.name: _read(path) for path in _manifests(own.parent) if path.name != own.name}
    return {name: told for name, told in read.items() if told is not None and told["input"]["fingerprint"] == fingerprint}


def caution(beside: Mapping[str, Manifest], told: Mapping[str, Any], *, is_applied: bool = False) -> str | None:
    """One line where some of them are of the same input and recoded in another way than `told`.

    An input of another file name is another one where its classes before are known to differ. Where a saved recoding `is_applied`, those that
    look like it are taken for its own: what they lose of other data says nothing.
    """
    found = [name for name, one in beside.items() if _differs(one, told, is_applied=is_applied)]
    if not found:
        return None
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return (
        f"an earlier release of the same input is recoded in another way ({found[0]!r}{more}): whoever has both can intersect them; "
        f"release by its recoding (duckanon apply), or withdraw one of the two"
    )


def _manifests(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [
                entry.name
                for entry in islice(entries, _MOST_ENTRIES)
                if entry.name.endswith(manifest.ENDING) and entry.is_file() and entry.stat().st_size <= _MOST_BYTES
            ]
    except OSError:
        return []
    return [folder / name for name in sorted(names)[:_MOST_MANIFESTS]]


def _read(path: Path) -> Manifest | None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        is_one = document["status"] == "released" and bool(document["input"]["fingerprint"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return dict(document) if is_one else None


def _differs(one: Manifest, other: Mapping[str, Any], *, is_applied: bool) -> bool:
    """Whether it tells of another recoding of the same input; one of another version that does not say so tells of none."""
    try:
        return _is_same_input(one, other) and not _is_same_recoding(one, other, is_applied=is_applied)
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def _is_same_input(one: Manifest, other: Mapping[str, Any]) -> bool:
    names = [Path(str(document["input"]["name"])).name for document in (one, other)]
    if names[0] == names[1] != STANDARD_INPUT:
        return True
    before = [_before(document) for document in (one, other)]
    return bool(before[0][0] != before[1][0] or before[0][1] == before[1][1])


def _before(document: Mapping[str, Any]) -> tuple[Any, Any]:
    """What the classes before depend on beside the rows; and those classes."""
    figures = document["risk"]["before"]
    asked = [sorted(_quasi_identifiers(document)), figures.get("levels"), figures["of"], document["rows"]["missing"]]
    return asked, json.loads(json.dumps(figures["sizes"]))


def _quasi_identifiers(document: Mapping[str, Any]) -> list[str]:
    return [name for name, role in document["columns"].items() if role == "quasi-identifier"]


def _is_same_recoding(one: Manifest, other: Mapping[str, Any], *, is_applied: bool) -> bool:
    """By the levels; levels that are the same under one promise lose the same, unless the hierarchies differ. Regions go by their losses."""
    levels = [document["recoding"].get("levels") for document in (one, other)]
    if sorted(_quasi_identifiers(one)) != sorted(_quasi_identifiers(other)) or levels[0] != levels[1]:
        return False
    if is_applied:
        return bool(one["recoding"].keys() & _REGIONS == other["recoding"].keys() & _REGIONS)
    if levels[0] is not None and _asked(one) != _asked(other):
        return True
    return _are_equal(one["metrics"], json.loads(json.dumps(other["metrics"])))


def _asked(document: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    limits = document["suppression"]
    asked = [(check["model"], check.get("column"), check.get("required")) for check in document["privacy"]]
    return [*asked, (limits["limit"], limits["style"])]


def _are_equal(one: Any, other: Any) -> bool:
    """Documents that agree but for the last digits of their numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_are_equal(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_are_equal, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=_EQUAL, abs_tol=_EQUAL)
    return bool(one == other)
