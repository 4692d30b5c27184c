"""Presets of what is promised, after thresholds that practice uses. They are conventions, no safe harbours.

| policy | k | l | where such thresholds are met |
| --- | --- | --- | --- |
| internal | 5 | | files for known recipients; the k of the CDC's public file without geography |
| research | 12 | | a highest risk of 0.09 (European Medicines Agency, Health Canada), which 1/11 = 0.0909 exceeds; cells of 11 and more (CMS) |
| public | 20 | 2 | a highest risk of 0.05 (public use files of hospital data), and no class that shares one sensitive value |
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """The least that a policy asks of every class: rows, and distinct values of each sensitive column."""

    k: int
    l: int | None = None  # noqa: E741


PRESETS = {"internal": Preset(k=5), "research": Preset(k=12), "public": Preset(k=20, l=2)}
