"""Releases that were made before of what seems to be the same input, by another recoding: both together can be intersected."""

import math
import os
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from duckanon.dataset.location import STANDARD_INPUT
from duckanon.errors import JobError
from duckanon.release import manifest
from duckanon.release.manifest_model.document import Manifest, ReleaseManifest
from duckanon.release.manifest_model.recoding import FullDomainRecoding

_MOST_ENTRIES = 20_000
_MOST_MANIFESTS = 300
_MOST_BYTES = 16 * 2**20
_EQUAL = 1e-6


def releases_beside(output: Path, fingerprint: str) -> dict[str, ReleaseManifest]:
    """The manifests beside an output, but for its own, of inputs with the columns, types and number of rows that a fingerprint tells.

    By their names. Of large folders the first ones only are read, and what cannot be read is none.
    """
    own = manifest.path_for(output).absolute()
    found = {}
    for path in _manifests(own.parent):
        with suppress(JobError):
            one = manifest.parse(path, ReleaseManifest)
            if path.name != own.name and one.status == "released" and one.input.fingerprint == fingerprint:
                found[path.name] = one
    return found


def caution(beside: Mapping[str, ReleaseManifest], new: Manifest, *, is_applied: bool = False) -> str | None:
    """One line where some of them are of the same input and recoded in another way than the `new` one.

    An input of another file name is another one where its classes before are known to differ. Where a recoding `is_applied`, those that
    look like it are taken for its own: what they lose of other data says nothing.
    """
    found = [
        name
        for name, one in beside.items()
        if _is_same_input(one, new) and not _is_same_recoding(one, new, is_applied=is_applied)
    ]
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


def _is_same_input(one: Manifest, other: Manifest) -> bool:
    if Path(one.input.name).name == Path(other.input.name).name != STANDARD_INPUT:
        return True
    before, other_before = _before(one), _before(other)
    return before[:-1] != other_before[:-1] or before == other_before


def _before(one: Manifest) -> tuple[Any, ...]:
    """What the classes before depend on beside the rows; and at the end those classes."""
    before = one.risk.before if one.risk is not None else None
    figures = () if before is None else (before.levels, before.of, before.sizes)
    return _quasi_identifiers(one), one.rows.missing, *figures


def _quasi_identifiers(one: Manifest) -> list[str]:
    return sorted(name for name, role in one.columns.items() if role == "quasi-identifier")


def _is_same_recoding(one: Manifest, other: Manifest, *, is_applied: bool) -> bool:
    """By the levels; levels that are the same under one promise lose the same, unless the hierarchies differ. Regions go by their losses."""
    levels, other_levels = _levels(one), _levels(other)
    if _quasi_identifiers(one) != _quasi_identifiers(other) or levels != other_levels:
        return False
    if is_applied:
        return type(one.recoding) is type(other.recoding)
    if levels is not None and _asked(one) != _asked(other):
        return True
    return _are_equal(one.metrics.document(), other.metrics.document())


def _levels(one: Manifest) -> dict[str, int] | None:
    return one.recoding.levels if isinstance(one.recoding, FullDomainRecoding) else None


def _asked(one: Manifest) -> tuple[Any, ...]:
    checks = [(check.model, check.column, check.required) for check in one.privacy]
    return checks, one.suppression.limit, one.suppression.style


def _are_equal(one: Any, other: Any) -> bool:
    """Documents that agree but for the last digits of their numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_are_equal(value, other[key]) for key, value in one.items())
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=_EQUAL, abs_tol=_EQUAL)
    return bool(one == other)
