"""The hierarchy of each column, from the job or from `--hierarchies`."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from duckanon.engine.protocol import Column
from duckanon.errors import JobError
from duckanon.hierarchy import sets
from duckanon.hierarchy.base import ListedHierarchy, Spec
from duckanon.hierarchy.spec import load
from duckanon.job import file as job_file
from duckanon.job.column import ColumnPlan


class Reference(NamedTuple):
    """A hierarchy with its label, its content and its file, if any."""

    label: str
    spec: Spec
    file: Path | None = None

    @classmethod
    def of(cls, label: str, file: Path) -> "Reference":
        return cls(label, load(file), file)


def parted(text: str, names: Iterable[str]) -> tuple[str, str] | None:
    """Column and file of `COLUMN=FILE`, where the longest matching name is the column; None for a set."""
    known = max((name for name in names if text.startswith(f"{name}=")), key=len, default=None)
    if known is not None:
        return known, text[len(known) + 1 :]
    column, equals, file = text.partition("=")
    return (column, file) if equals else None


def references(
    declared: Mapping[str, ColumnPlan], hierarchies: Sequence[str], base: Path, sensitive: Collection[str] = ()
) -> dict[str, Reference]:
    """The hierarchy of each declared column: the last match of `--hierarchies`, else that of the job. Skips `COLUMN=FILE` of sensitive columns."""
    resolved: dict[str, Reference] = {}
    for name, plan in declared.items():
        match plan.hierarchy:
            case None:
                continue
            case str():
                resolved[name] = Reference.of(plan.hierarchy, sets.find_file(plan.hierarchy, base))
            case ListedHierarchy() as listed if listed.file is not None:
                found_file = job_file.resolved(str(listed.file), base)
                resolved[name] = Reference(str(listed.file), listed.model_copy(update={"file": found_file}))
            case spec:
                resolved[name] = Reference(f"{spec.kind} of the job", spec)
    parts = {text: parted(text, (*declared, *sensitive)) for text in hierarchies}
    chosen = {part[0] for part in parts.values() if part is not None}
    for text in hierarchies:
        if (part := parts[text]) is not None:
            column, file = part
            if column in sensitive:
                continue
            if column not in declared:
                raise JobError(
                    f"--hierarchies {text!r} is for {column!r}, which is not a quasi-identifier; the quasi-identifiers are {', '.join(declared)}"
                )
            resolved[column] = Reference.of(file, sets.find_file(file, Path()))
            continue
        found_set = sets.find_set(text, Path())
        for name in declared:
            if name in chosen and len(found_set.files_for(name)) > 1:
                # its own `COLUMN=FILE` decides, before or after the set
                continue
            if (path := found_set.file_for(name)) is not None:
                resolved[name] = Reference.of(f"{text.rstrip('/')}/{name}", path)
    return resolved


def given_hierarchies(columns: Sequence[Column], hierarchies: Sequence[str]) -> list[str]:
    """The input columns that get a hierarchy from `--hierarchies`, by name or from a set."""
    names = [column.name for column in columns]
    parts_by_text = {text: parted(text, names) for text in hierarchies}
    named = {parts[0] for parts in parts_by_text.values() if parts is not None}
    folders = [sets.find_set(text, Path()) for text, parts in parts_by_text.items() if parts is None]
    return [
        column.name
        for column in columns
        if column.name in named or any(folder.file_for(column.name) is not None for folder in folders)
    ]
