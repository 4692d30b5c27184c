"""`register`: list the registered releases, show how they were compared, and forget one."""

from pathlib import Path
from typing import Any

from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.settings import Settings
from duckanon.release.register import Registered, open_register


def listed(path: Path) -> list[dict[str, Any]]:
    """The registered releases: number, time, release, input, rows, k, what is counted, quasi-identifiers and levels."""
    with DuckDBEngine(Settings()) as engine, open_register(engine, path, must_exist=True) as register:
        return [_described(release) for release in register.releases]


def compared(path: Path) -> list[dict[str, Any]]:
    """For each registered release, the earlier ones with which it was compared when it was registered.

    Each row has both names, the k of both, and the smallest intersection of two classes, which is at least k; null if the
    releases have no record in common.
    """
    with DuckDBEngine(Settings()) as engine, open_register(engine, path, must_exist=True) as register:
        by_number = {release.number: release for release in register.releases}
        return [
            {
                "number": release.number,
                "release": release.name,
                "earlier_number": number,
                "earlier": by_number[number].name if number in by_number else None,
                "k": min(release.k, by_number[number].k) if number in by_number else release.k,
                "counted": "rows" if release.entity is None else "persons",
                "smallest": smallest,
            }
            for release in register.releases
            for number, smallest in register.smallest_intersections(release.number).items()
        ]


def forget(path: Path, name: str) -> dict[str, Any]:
    """Delete a release, by its number or the name of its file, from the register; returns what it was."""
    with DuckDBEngine(Settings()) as engine, open_register(engine, path, must_exist=True) as register:
        release = register.release(name)
        register.forget(release.number)
        return _described(release)


def _described(release: Registered) -> dict[str, Any]:
    recoding = release.manifest.recoding.document()
    return {
        "number": release.number,
        "registered": release.registered,
        "release": release.name,
        "manifest": str(release.path),
        "input": release.source,
        "rows": release.manifest.rows.released,
        "k": release.k,
        "counted": "rows" if release.entity is None else "persons",
        "quasi_identifiers": list(release.quasi_identifiers),
        "levels": recoding.get("levels"),
    }
