"""Presets of privacy requirements, after thresholds in common use. They are conventions and do not guarantee compliance.

| policy | k | l | use of such thresholds |
| --- | --- | --- | --- |
| internal | 5 | | files for known recipients; the k of the CDC's public file without geography |
| research | 12 | | a highest risk of 0.09 (European Medicines Agency, Health Canada), which 1/11 = 0.0909 exceeds; cells of 11 and more (CMS) |
| public | 20 | 2 | a highest risk of 0.05 (public use files of hospital data), and no class that shares one sensitive value |
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """The minimum for every class: rows, and distinct values of each sensitive column."""

    k: int
    l: int | None = None  # noqa: E741


PRESETS = {"internal": Preset(k=5), "research": Preset(k=12), "public": Preset(k=20, l=2)}
