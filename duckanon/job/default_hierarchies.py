"""Default hierarchies: a bundled hierarchy that matches name and values of the quasi-identifier, or a suggested one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from duckanon.dataset import values
from duckanon.engine.protocol import Column, Engine
from duckanon.formatting import first_of
from duckanon.hierarchy import sets
from duckanon.hierarchy.checks import covers
from duckanon.hierarchy.spec import checked, load
from duckanon.hierarchy.suggest import suggest
from duckanon.job.model import Job
from duckanon.job.quasi_identifiers import lacking
from duckanon.job.resolve import missing_rule
from duckanon.observers import Observer


def with_hierarchies(
    engine: Engine, job: Job, columns: Sequence[Column], hierarchies: Sequence[str], base: Path, observer: Observer
) -> Job:
    """The job with a hierarchy for each quasi-identifier; notes each default. Scans the rows if a quasi-identifier has no hierarchy."""
    names = lacking(job, columns, hierarchies, base)
    chosen = [column for column in columns if column.name in names and not (column.is_nested or column.type == "BLOB")]
    if not chosen:
        return job
    bundled = sets.bundled_for(names)
    values.read_values(engine, chosen, missing_rule(job))
    assigned: dict[str, Any] = {}
    matching: dict[str, str] = {}
    suggested: dict[str, str] = {}
    for column in chosen:
        name, named = column.name, bundled[column.name]
        files = {reference: sets.find_file(reference, Path()) for reference in named}
        fitting = next((reference for reference, file in files.items() if covers(engine, column, load(file))), None)
        if fitting is not None:
            matching[name] = assigned[name] = fitting
        else:
            suggestion = suggest(engine, column)
            suggested[name] = suggestion.reason + (f" ({named[0]} does not cover its values)" if named else "")
            assigned[name] = checked(suggestion.content)
            if column.unread is not None:
                observer.warn(f"{name!r} {column.unread}")
        engine.drop(f"values_{name}")
    if matching:
        which = "matches its name and values" if len(matching) == 1 else "match their names and values"
        files_used = first_of(list(matching.values()))
        observer.note(f"no hierarchy given for {first_of(list(matching))}: duckanon uses {files_used}, which {which}")
    if len(suggested) == 1:
        [(name, reason)] = suggested.items()
        observer.note(f"no hierarchy given for {name}: duckanon suggests one, {reason}")
    elif suggested:
        observer.note(f"no hierarchy given for {first_of(list(suggested))}: duckanon suggests one for each; -v shows why")
        for name, reason in suggested.items():
            observer.note(f"  {name}: {reason}", is_detail=True)
    plans = {name: job.columns[name].model_copy(update={"hierarchy": hierarchy}) for name, hierarchy in assigned.items()}
    return job.model_copy(update={"columns": {**job.columns, **plans}})
