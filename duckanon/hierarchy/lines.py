"""Find the line of a hierarchy file that a fault is about."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from duckanon import yaml_file
from duckanon.errors import HierarchyError
from duckanon.hierarchy.base import Functional, Spec
from duckanon.hierarchy.kinds.levels import Levels
from duckanon.hierarchy.kinds.redaction import Redaction
from duckanon.hierarchy.listed import ListedHierarchy
from duckanon.hierarchy.lookup import HierarchyFault
from duckanon.hierarchy.spec import YAML
from duckanon.hierarchy.table_file import lines_of


def located(faults: Sequence[HierarchyFault], spec: Spec, file: Path | None, column: str) -> list[HierarchyFault]:
    """The faults, each with the line of its value, or of the nearest spelling, if the file is text."""
    listing = spec.file if isinstance(spec, ListedHierarchy) and spec.file is not None else None
    try:
        if listing is not None and listing.suffix.casefold() != ".parquet":
            wanted = {text for fault in faults for text in (fault.value, fault.nearest) if text is not None}
            numbers = lines_of(listing, column, wanted)
            return [_at(fault, numbers) for fault in faults]
        if isinstance(spec, Functional | Redaction):
            return list(faults)
        if listing is None and file is not None and file.suffix.casefold() in YAML:
            content = yaml_file.read(file, "hierarchy", HierarchyError, as_text=True)
            return [_at(fault, _lines(content, _place(fault, spec), isinstance(spec, Levels))) for fault in faults]
    except (HierarchyError, OSError, csv.Error):
        # the file was deleted after it was read, or has a cell too long for Python's reader; report the faults without lines
        return list(faults)
    return list(faults)


def _place(fault: HierarchyFault, spec: Spec) -> tuple[str, ...]:
    """The part of a YAML file that a fault is about."""
    if not isinstance(spec, Levels) or fault.level is None:
        return ()
    return ("levels", str(fault.level if spec.lists_values else max(0, fault.level - 1)))


def _lines(content: yaml_file.YamlFile, place: tuple[str, ...], is_parted: bool) -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {}
    for text, line in content.texts(place):
        for part in text.split(",") if is_parted else [text]:
            numbers.setdefault(part.strip(), []).append(line)
    return numbers


def _at(fault: HierarchyFault, lines: dict[str, list[int]]) -> HierarchyFault:
    for text in (fault.value, fault.nearest):
        if text is not None and text in lines:
            return replace(fault, line=lines[text][-1])
    return fault
