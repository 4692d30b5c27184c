"""The frozen recoding of a release: a job that decides nothing any more, beside the hierarchies that it needs.

`OUTPUT.recoding/` holds `job.yaml`, with the node fixed, and a value table for each hierarchy that
is not given by a rule. It holds original values: it is for those who hold the input.
"""

import json
from itertools import count
from pathlib import Path
from typing import Any

from duckanon import destination, job_file, manifest
from duckanon.combinations import QuasiIdentifier
from duckanon.counting import Counted
from duckanon.deciding import Decided
from duckanon.engine.protocol import Engine, Form
from duckanon.errors import JobError
from duckanon.hierarchy.spec import AnySpec, content_of, shared_content
from duckanon.job import ColumnPlan
from duckanon.preparation import RECODING_ENDING, RECODING_JOB
from duckanon.templates import render

_OWNER_ONLY = 0o700


def write(engine: Engine, folder: Path, counted: Counted, decided: Decided) -> str:
    """Writes a frozen recoding to a new folder; gives its SHA-256."""
    folder.mkdir(mode=_OWNER_ONLY)
    columns: dict[str, Any] = {}
    numbers = count(1)
    for attribute, qi in zip(counted.attributes, counted.plan.quasi_identifiers, strict=True):
        file = folder / f"hierarchy_{next(numbers)}.parquet"
        hierarchy = _hierarchy(engine, file, qi, attribute.height, attribute.rule)
        columns[qi.name] = {"role": "quasi-identifier", "hierarchy": hierarchy}
        if qi.weight != 1:
            columns[qi.name]["weight"] = float(qi.weight)
    for one in counted.distributions:
        columns[one.name] = {"role": "sensitive"}
        if one.sensitive.order:
            columns[one.name]["order"] = list(one.sensitive.order)
        if one.sensitive.hierarchy is not None:
            file = folder / f"hierarchy_{next(numbers)}.parquet"
            columns[one.name]["hierarchy"] = _hierarchy(engine, file, one.sensitive.hierarchy, one.height, None)
    for column in counted.plan.released:
        role = counted.plan.roles[column.name]
        columns.setdefault(column.name, {"role": "insensitive" if role == "kept" else role})
    for name, plan in counted.job.columns.items():
        if name in columns:
            columns[name] |= _shown(plan)
    job = job_file.content(counted.job)
    recoding = {**job.get("recoding", {}), **decided.content(folder)}
    output = {key: value for key, value in job.get("output", {}).items() if key != "path"}
    job |= {"columns": columns, "others": "drop", "recoding": recoding, "output": output}
    job["linked"] = [kept for group in job.get("linked", []) if len(kept := [name for name in group if name in columns]) > 1]
    for key in ("source", "names", "population", *([] if job["linked"] else ["linked"]), *([] if output else ["output"])):
        job.pop(key, None)
    (folder / RECODING_JOB).write_text(job_file.dumps(job), encoding="utf-8")
    return destination.settle(folder)


def _shown(plan: ColumnPlan) -> dict[str, Any]:
    """How mondrian cuts a column, and what its classes show."""
    said = plan.model_dump(by_alias=True, exclude_none=True, include={"cut", "order", "microaggregate", "round"})
    return dict(said)


def _hierarchy(engine: Engine, file: Path, qi: QuasiIdentifier, height: int, rule: AnySpec | None) -> dict[str, Any]:
    """A hierarchy as the frozen job says it: its rule, or a value table that is written beside the job."""
    if rule is not None:
        return content_of(rule)
    table = render("hierarchy/frozen_table", column=qi.name, height=height)
    engine.write(table, file, Form("parquet"), stage="freezing the recoding")
    return {"kind": "table", "file": file.name, **shared_content(qi.hierarchy)}


def find(path: Path) -> Path:
    """The job of the frozen recoding that a manifest names; raises `JobError` where it is not as it was."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        frozen, output = document["frozen"], manifest.output_of(document)
    except FileNotFoundError as error:
        raise JobError(f"no such manifest: {str(path)!r}; it lies beside the release, as OUTPUT{manifest.ENDING}") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise JobError(
            f"{str(path)!r} is no manifest of a release with a frozen recoding; name OUTPUT{manifest.ENDING}"
        ) from error
    folder = path.with_name(f"{output.name}{RECODING_ENDING}")
    if not (folder / RECODING_JOB).is_file():
        raise JobError(f"the frozen recoding {str(folder)!r} of {str(path)!r} is not there; it belongs beside the manifest")
    if destination.settle(folder) != frozen["sha256"]:
        raise JobError(
            f"the frozen recoding {str(folder)!r} is not the one that {str(path)!r} was written with; bring that one back"
        )
    return folder / RECODING_JOB
