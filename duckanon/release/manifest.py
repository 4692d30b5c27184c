"""The manifest: the document of a run that stands beside its output."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from duckanon.dataset.destination import beside, settle
from duckanon.errors import InputError, JobError
from duckanon.release.manifest_model.document import Manifest, ReleaseManifest
from duckanon.release.manifest_model.files import OutputFile, ReleaseReference
from duckanon.release.manifest_model.part import READING, Part
from duckanon.release.manifest_model.public import Requirements
from duckanon.release.manifest_model.recoding import TAGS
from duckanon.validation import described

P = TypeVar("P", bound=Part)
Sealed = TypeVar("Sealed", ReleaseManifest, Requirements)

ENDING = ".manifest.json"
SEAL = "seal"
"""The key of the SHA-256 of all else that a manifest says."""
_NO_KEYS = {*TAGS.values(), "int", "float"}
"""Parts of the place of a fault that the document does not have."""


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


def sealed(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its seal, by which a change of it is seen; whoever knows that can seal it anew."""
    return {**document, SEAL: seal(document)}


def sealed_release(manifest: Manifest) -> ReleaseManifest:
    """The manifest of a release in a file, with its seal."""
    return ReleaseManifest.model_validate(manifest.parts() | {SEAL: seal(manifest.document())})


def seal(document: Mapping[str, Any]) -> str:
    """The SHA-256 of all that a document says beside its seal."""
    content = {key: value for key, value in json.loads(dumps(document)).items() if key != SEAL}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def parse(path: Path, model: type[P]) -> P:
    """The keys of a manifest that a model has, whichever version wrote it; raises `JobError` where they are not there."""
    return _validated(path, _content(path), model)


def read(path: Path, model: type[Sealed]) -> Sealed:
    """The manifest of a release; raises `JobError` for what is none, or was changed since it was written."""
    content = _content(path)
    manifest = _validated(path, content, model)
    if manifest.status != "released":
        raise _no_manifest(path, f"its status is {manifest.status!r}")
    if manifest.seal != seal(content):
        raise JobError(
            f"manifest {str(path)!r} was changed after it was written; bring back the one of the run, or run it again"
        )
    return manifest


def _content(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise JobError(f"no such manifest: {str(path)!r}; it lies beside the release, as OUTPUT{ENDING}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise _no_manifest(path, "it is not JSON") from error
    if not isinstance(content, dict):
        raise _no_manifest(path, "it is not a mapping")
    return content


def _validated(path: Path, content: Mapping[str, Any], model: type[P]) -> P:
    try:
        return model.model_validate(content, context=READING)
    except ValidationError as error:
        fault = error.errors()[0]
        key = ".".join(str(part) for part in fault["loc"] if part not in _NO_KEYS)
        raise _no_manifest(path, f"{key}: {described(fault)}") from error


def _no_manifest(path: Path, why: str) -> JobError:
    return JobError(f"{str(path)!r} is no manifest of a release ({why}); name OUTPUT{ENDING}")


def released_file(path: Path, output: OutputFile) -> Path:
    """The release beside its manifest; raises `InputError` where it is not there, or is not what was written."""
    release = path.with_name(output.file.name)
    if not release.exists():
        raise InputError(f"the release {str(release)!r} of {str(path)!r} is not there; it belongs beside its manifest")
    if settle(release) != output.sha256:
        raise InputError(f"{str(release)!r} changed since it was written: its SHA-256 is not the manifest's; run the job again")
    return release


def tells_of(path: Path, output: Path) -> bool:
    """Whether a file is the manifest of a release, and the release is still what it was written as."""
    try:
        recorded = parse(path, ReleaseReference).output
        return recorded.file.name == output.name and settle(output) == recorded.sha256
    except (OSError, JobError):
        return False
