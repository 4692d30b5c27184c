"""The manifest: the document of a run that stands beside its output."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duckanon.dataset.destination import TABLE_MARK, beside, settle
from duckanon.errors import InputError, JobError

Manifest = dict[str, Any]

ENDING = ".manifest.json"
SEAL = "seal"
"""The key of the SHA-256 of all else that a manifest says."""


def path_for(output: Path) -> Path:
    """Where the manifest of an output lies."""
    return beside(output, ENDING)


def located(path: object) -> Path:
    """The file of a manifest by its path; raises `JobError` for what is none."""
    if not isinstance(path, str | Path):
        raise JobError(f"a manifest is named by its path, and what was given is {type(path).__name__}")
    return Path(path)


def dumps(document: Any) -> str:
    """A document as JSON text, for people too."""
    return json.dumps(document, indent=2, ensure_ascii=False, default=str)


def sealed(manifest: Manifest) -> Manifest:
    """The document with its seal, by which a change of it is seen; whoever knows that can seal it anew."""
    return manifest | {SEAL: _seal(json.loads(dumps(manifest)))}


def _seal(document: Mapping[str, Any]) -> str:
    said = {key: value for key, value in document.items() if key != SEAL}
    return hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def read(path: Path) -> Manifest:
    """The manifest of a release as it was written; raises `JobError` for what is none, or was changed since."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        is_one = isinstance(document, dict) and document["status"] == "released" and bool(output_of(document).name)
    except FileNotFoundError as error:
        raise JobError(f"no such manifest: {str(path)!r}; it lies beside the release, as OUTPUT{ENDING}") from error
    except (OSError, ValueError, KeyError, TypeError):
        is_one = False
    if not is_one:
        raise JobError(f"{str(path)!r} is no manifest of a release; name OUTPUT{ENDING}")
    if document.get(SEAL) != _seal(document):
        raise JobError(
            f"manifest {str(path)!r} was changed after it was written; bring back the one of the run, or run it again"
        )
    return dict(document)


def released_file(path: Path, document: Manifest) -> Path:
    """The release beside its manifest; raises `InputError` where it is not there, or is not what was written."""
    output = path.with_name(output_of(document).name)
    if not output.exists():
        raise InputError(f"the release {str(output)!r} of {str(path)!r} is not there; it belongs beside its manifest")
    if settle(output) != document["output"]["sha256"]:
        raise InputError(f"{str(output)!r} changed since it was written: its SHA-256 is not the manifest's; run the job again")
    return output


def output_of(manifest: Mapping[str, Any]) -> Path:
    """The file or folder of the release that a manifest tells of; raises `KeyError` or `TypeError` where it tells of none."""
    return Path(str(manifest["output"]["path"]).partition(TABLE_MARK)[0])


def tells_of(path: Path, output: Path) -> bool:
    """Whether a file is the manifest of a release, and the release is still what it was written as."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return output_of(document).name == output.name and settle(output) == document["output"]["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
