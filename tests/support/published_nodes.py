"""Dry runs on the prepared Adult file, and what a manifest says of the chosen node."""

from typing import Any

QI = ("age", "education", "marital-status", "race")


def chosen(manifest: dict[str, Any]) -> tuple[int, ...]:
    return tuple(manifest["recoding"]["levels"].values())


def ties(manifest: dict[str, Any]) -> set[tuple[int, ...]]:
    return {tuple(tie.values()) for tie in manifest["recoding"]["ties"]}
