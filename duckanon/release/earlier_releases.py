"""Earlier releases of the same input with another recoding. Two such releases together allow an intersection attack."""

import math
import os
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from duckanon.dataset.location import STANDARD_INPUT
from duckanon.errors import JobError
from duckanon.observers import Caution
from duckanon.release import manifest
from duckanon.release.manifest_model.document import Manifest, ReleaseManifest
from duckanon.release.manifest_model.figures import FullDomainRecoding

_MOST_ENTRIES = 20_000
_MOST_MANIFESTS = 300
_MOST_BYTES = 16 * 2**20
_EQUAL = 1e-6


def releases_beside(output: Path, fingerprint: str) -> dict[str, ReleaseManifest]:
    """By file name, the other manifests in the folder of an output whose input has this fingerprint (columns, types, number of rows).

    In a large folder only the first files are read. Files that are not manifests are ignored.
    """
    own = manifest.path_for(output).absolute()
    releases = {}
    for path in _manifests(own.parent):
        with suppress(JobError):
            release = manifest.parse(path, ReleaseManifest)
            if path.name != own.name and release.status == "released" and release.input.fingerprint == fingerprint:
                releases[path.name] = release
    return releases


def caution(beside: Mapping[str, ReleaseManifest], new: Manifest, *, is_applied: bool = False) -> Caution | None:
    """A warning if some of these releases have the same input as the `new` one and another recoding.

    If a saved recoding `is_applied`, a release with the same levels, or with the same kind of local recoding, counts as made by it.
    """
    names = [
        name
        for name, release in beside.items()
        if _is_same_input(release, new) and not _is_same_recoding(release, new, is_applied=is_applied)
    ]
    if not names:
        return None
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return Caution(
        "linked-releases",
        f"an earlier release of the same input has another recoding ({names[0]!r}{more}); both releases together allow an intersection attack; "
        f"use the recoding of the earlier release (duckanon apply), or withdraw one of the two releases",
    )


def _manifests(folder: Path) -> list[Path]:
    names: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        files = [entry for entry in islice(entries, _MOST_ENTRIES) if entry.name.endswith(manifest.ENDING) and entry.is_file()]
        names = sorted(entry.name for entry in files if entry.stat().st_size <= _MOST_BYTES)
    return [folder / name for name in names[:_MOST_MANIFESTS]]


def _is_same_input(release: Manifest, new: Manifest) -> bool:
    """Whether both have the same input: the file names are equal, or the class sizes of the inputs are equal or cannot be compared."""
    if Path(release.input.name).name == Path(new.input.name).name != STANDARD_INPUT or release.risk is None or new.risk is None:
        return True
    before, new_before = release.risk.before, new.risk.before
    basis = (_quasi_identifiers(release), release.rows.missing, before.levels, before.unit)
    new_basis = (_quasi_identifiers(new), new.rows.missing, new_before.levels, new_before.unit)
    return basis != new_basis or before.sizes == new_before.sizes


def _quasi_identifiers(release: Manifest) -> list[str]:
    return sorted(name for name, role in release.columns.items() if role == "quasi-identifier")


def _is_same_recoding(release: Manifest, new: Manifest, *, is_applied: bool) -> bool:
    """Compare the levels. With equal levels and equal requirements the metrics differ only if the hierarchies differ. Local recodings are compared by their metrics."""
    levels, new_levels = (
        each.recoding.levels if isinstance(each.recoding, FullDomainRecoding) else None for each in (release, new)
    )
    if _quasi_identifiers(release) != _quasi_identifiers(new) or levels != new_levels:
        return False
    if is_applied:
        return type(release.recoding) is type(new.recoding)
    return (levels is not None and _requested(release) != _requested(new)) or _are_equal(
        _of_quasi_identifiers(release), _of_quasi_identifiers(new)
    )


def _of_quasi_identifiers(release: Manifest) -> dict[str, Any]:
    """The metrics without those of dropped columns, which no recoding changes."""
    return {key: value for key, value in release.metrics.document().items() if key != "loss_with_dropped"}


def _requested(release: Manifest) -> tuple[Any, ...]:
    checks = [(check.model, check.column, check.required) for check in release.privacy]
    return checks, release.suppression.limit, release.suppression.style


def _are_equal(value: Any, other: Any) -> bool:
    """Whether metrics are equal except for the last digits."""
    if isinstance(value, dict) and isinstance(other, dict):
        return value.keys() == other.keys() and all(_are_equal(value[key], other[key]) for key in value)
    if isinstance(value, int | float) and isinstance(other, int | float):
        return math.isclose(value, other, rel_tol=_EQUAL, abs_tol=_EQUAL)
    return bool(value == other)
