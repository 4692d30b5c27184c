"""What a manifest promises of a file, as far as the file alone can be held to it: for whoever gets both from elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon.dataset.destination import settle
from duckanon.dataset.location import Source
from duckanon.errors import JobError
from duckanon.job import file
from duckanon.job.model import ROWS
from duckanon.privacy.registry import MODELS, tag
from duckanon.release import manifest, saved_recoding
from duckanon.release.manifest_model.public import Requirements
from duckanon.release.placement import RECODING_JOB


@dataclass(frozen=True)
class Promised:
    """A manifest, and what can be asked of its file."""

    requirements: Requirements
    job: Mapping[str, Any]
    """With the models that the file alone can be held to, by rows: it does not hold the persons."""
    unjudged: list[str]
    """Models that need what a file does not tell: the rows that are not in it, persons, a population, a hierarchy."""
    distributions: Path | None
    """The file of the distributions in the source, where the saved recoding has it."""

    def compared(self, source: Source, rows: int) -> dict[str, Any]:
        """Whether this is the file that the manifest tells of."""
        sha256, output = settle(source.path), self.requirements.output
        return {
            "release": Path(output.path).name,
            "is_same_file": sha256 == output.sha256,
            "sha256": sha256,
            "rows": {"promised": self.requirements.rows.released, "read": rows},
            "unjudged": self.unjudged,
        }


def promised(path: Path) -> Promised:
    """What a manifest promises; raises `JobError` for what is no manifest, or was changed.

    Orders and hierarchies that classes are compared by, and the distributions in the source, are those of the saved recoding, where
    it lies beside the manifest.
    """
    folder = _saved(path)
    saved = {} if folder is None else _columns(folder)
    requirements = manifest.read(path, Requirements)
    roles = ("quasi-identifier", "sensitive")
    parted: dict[str, Any] = {name: {"role": role} for name, role in requirements.columns.items() if role in roles}
    for name, column in saved.items():
        if parted.get(name, {}).get("role") == "sensitive":
            parted[name] |= {key: column[key] for key in ("order", "hierarchy") if key in column}
    judged, unjudged = [], []
    for check in (model.document() for model in requirements.privacy):
        content = _content(check, knows_source=folder is not None)
        if content is not None:
            judged.append(content)
        if content is None or _counts_persons(check):
            unjudged.append(called(check))
    distributions = None if folder is None else folder / saved_recoding.DISTRIBUTIONS
    return Promised(requirements, {"columns": parted, "privacy": judged, "entity": ROWS}, unjudged, distributions)


def _saved(manifest: Path) -> Path | None:
    """The folder of the recoding that a manifest names, where it lies beside it as it was written and has distributions."""
    try:
        folder = saved_recoding.find(manifest).parent
    except JobError:
        return None
    return folder if (folder / saved_recoding.DISTRIBUTIONS).is_file() else None


def _columns(folder: Path) -> dict[str, Any]:
    """The columns of a saved recoding, the files of their hierarchies by their whole paths."""
    columns: dict[str, Any] = file.read(folder / RECODING_JOB)["columns"]
    for column in columns.values():
        hierarchy = column.get("hierarchy")
        if isinstance(hierarchy, dict) and "file" in hierarchy:
            column["hierarchy"] = hierarchy | {"file": str((folder / hierarchy["file"]).absolute())}
    return columns


def called(check: Mapping[str, Any]) -> str:
    """A model of a document with what tells it apart."""
    words = [str(check[key]) for key in ("variant", "distance", "values", "bound", "model") if key in check]
    return " ".join([*words, *(["of persons"] if _counts_persons(check) else [])])


def _counts_persons(check: Mapping[str, Any]) -> bool:
    return bool(check.get("of", "rows") != "rows")


def _content(check: Mapping[str, Any], *, knows_source: bool) -> dict[str, Any] | None:
    """A model of a job that asks for what a manifest says was asked for; None where a file cannot be held to it.

    Where persons were counted there are at least as many rows: fewer than k break the promise, and as many do not prove it.
    """
    if check["model"] == "k-anonymity":
        return {"model": "k-anonymity", "k": check["required"]} if check["column"] is None else None
    model = MODELS.get(tag(check) or "")
    if model is None or (model.NEEDS_WHOLE and not knows_source) or model.MEASURES or "of" in check:
        return None
    numbers = {name: check["required"] if place == 0 else check[name] for place, name in enumerate(model.PARAMETERS)}
    column = {} if check["column"] is None else {"column": check["column"]}
    return {"model": check["model"], **{name: check[name] for name in model.VARIETY}, **numbers, **column}
