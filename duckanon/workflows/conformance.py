"""The requirements of a manifest that can be checked with its file alone, for a recipient who has only both."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from duckanon.dataset.destination import file_sha256
from duckanon.dataset.location import Source
from duckanon.errors import JobError
from duckanon.job import accepted, file
from duckanon.job.model import ROWS
from duckanon.privacy.registry import MODELS, tag
from duckanon.release import manifest, saved_recoding
from duckanon.release.manifest_model.document import Requirements
from duckanon.release.manifest_model.files import CountedReference, PersonCounts
from duckanon.release.placement import RECODING_JOB
from duckanon.reports.summary import check_name


@dataclass(frozen=True)
class RequiredByManifest:
    """A manifest, and the requirements that its file can be checked for."""

    requirements: Requirements
    job: Mapping[str, Any]
    """A job with the models that the file alone can be checked for. It counts rows: the file does not identify persons."""
    unjudged: list[str]
    """Models that need information that is not in the file: suppressed rows, persons, a population, a hierarchy, values behind figures."""
    is_assumed: bool
    """Whether version 0.2 assumed the `any` of the release."""
    distributions: Path | None
    """The file of the distributions in the source, if the saved recoding has it."""
    persons: PersonCounts | None = None
    """What the release counted; an attestation and a public manifest do not say it."""

    def compared(self, source: Source, rows: int) -> dict[str, Any]:
        """Compare a file with the file of the manifest or the attestation."""
        sha256, output = file_sha256(source.path), self.requirements.output
        return {
            "release": Path(output.path).name,
            "is_same_file": sha256 == output.sha256,
            "sha256": sha256,
            "rows": {"promised": self.requirements.rows.released, "read": rows},  # codespell:ignore promised
            "unjudged": self.unjudged,
        }


def required_by(path: Path) -> RequiredByManifest:
    """The requirements of a manifest; raises `JobError` if the file is not a manifest or was changed.

    Orders, hierarchies and the distributions in the source come from the saved recoding, if it is beside the manifest.
    """
    requirements = manifest.read(path, Requirements)
    is_assumed, persons = saved_recoding.assumes_any(requirements, path), manifest.parse(path, CountedReference).persons
    return replace(required(requirements, _saved(path)), is_assumed=is_assumed, persons=persons)


def required(requirements: Requirements, folder: Path | None = None) -> RequiredByManifest:
    """The requirements of a manifest or an attestation; `folder` is the saved recoding, if it is known."""
    saved = {} if folder is None else _columns(folder)
    roles = ("quasi-identifier", "sensitive")
    ranges = requirements.ranges or {}
    written_as = {name: ranges[name].columns if name in ranges else [name] for name in requirements.columns}
    roles_by_name: dict[str, Any] = {
        written: {"role": role} for name, role in requirements.columns.items() if role in roles for written in written_as[name]
    }
    for name, column in saved.items():
        if roles_by_name.get(name, {}).get("role") == "sensitive":
            roles_by_name[name] |= {key: column[key] for key in ("order", "hierarchy") if key in column}
    judged, unjudged = [], []
    adversaries: dict[str, Any] = {
        name: {"columns": [written for column in known for written in written_as[column]], "k": 1, "privacy": []}
        for name, known in (requirements.adversaries or {}).items()
    }
    for check in (model.document() for model in requirements.privacy):
        content = _content(check, knows_source=folder is not None)
        if requirements.any_columns is not None and any(len(written) > 1 for written in written_as.values()):
            content = None  # a set of columns of the file is another than a set of quasi-identifiers
        if check["column"] in (requirements.microaggregation or {}):
            content = None  # the file shows a figure of each class; the model holds for the values behind it
        if content is not None and check.get("adversary") in adversaries:
            adversary = adversaries[check["adversary"]]
            adversary |= (
                {"k": content["k"]} if content["model"] == "k-anonymity" else {"privacy": [*adversary["privacy"], content]}
            )
        elif content is not None:
            judged.append(content)
        if content is None or _counts_persons(check):
            unjudged.append(model_text(check))
    distributions = None if folder is None else folder / saved_recoding.DISTRIBUTIONS
    return RequiredByManifest(
        requirements,
        {
            "columns": roles_by_name,
            "privacy": judged,
            "entity": ROWS,
            "adversaries": adversaries,
            "any": requirements.any_columns,
            "accept": [text for text in requirements.accepted or [] if accepted.parsed(text)[0] == "missing-values"],
            "determined": {
                written: [[part for column in known for part in written_as[column]] for known in sets]
                for name, sets in (requirements.determined or {}).items()
                for written in written_as.get(name, ())
            },
        },
        unjudged,
        saved_recoding.assumes_any(requirements),
        distributions,
    )


def _saved(manifest: Path) -> Path | None:
    """The folder of the saved recoding of a manifest; None if it is missing, was changed or has no distributions."""
    try:
        folder = saved_recoding.find(manifest).parent
    except JobError:
        return None
    return folder if (folder / saved_recoding.DISTRIBUTIONS).is_file() else None


def _columns(folder: Path) -> dict[str, Any]:
    """The columns of a saved recoding, with absolute paths of their hierarchy files."""
    columns: dict[str, Any] = file.read(folder / RECODING_JOB)["columns"]
    for column in columns.values():
        hierarchy = column.get("hierarchy")
        if isinstance(hierarchy, dict) and "file" in hierarchy:
            column["hierarchy"] = hierarchy | {"file": str((folder / hierarchy["file"]).absolute())}
    return columns


def model_text(check: Mapping[str, Any]) -> str:
    """The name of a model in a document, with its variants."""
    return " ".join([check_name(check), *([f"counted by {check['of']}"] if _counts_persons(check) else [])])


def _counts_persons(check: Mapping[str, Any]) -> bool:
    return bool(check.get("of", "rows") != "rows")


def _content(check: Mapping[str, Any], *, knows_source: bool) -> dict[str, Any] | None:
    """The model of a job for a model of a manifest; None if a file alone cannot be checked for it.

    If the manifest counts persons, k rows are necessary but not sufficient: every person has at least one row.
    """
    if check["model"] == "k-anonymity":
        return {"model": "k-anonymity", "k": check["required"]} if check["column"] is None else None
    model = MODELS.get(tag(check) or "")
    if model is None or (model.NEEDS_WHOLE and not knows_source) or model.MEASURES or "of" in check:
        return None
    numbers = {name: check["required"] if place == 0 else check[name] for place, name in enumerate(model.PARAMETERS)}
    column = {} if check["column"] is None else {"column": check["column"]}
    return {"model": check["model"], **{name: check[name] for name in model.VARIETY}, **numbers, **column}
