"""The manifest: the document of a run, in a file beside the output."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from duckanon.dataset.destination import beside, file_sha256
from duckanon.errors import InputError, JobError
from duckanon.release.manifest_model.document import Manifest, ReleaseManifest, Requirements
from duckanon.release.manifest_model.figures import TAGS
from duckanon.release.manifest_model.files import READING, VERSION, OutputFile, Part, ReleaseReference
from duckanon.yaml_file import described

P = TypeVar("P", bound=Part)
Released = TypeVar("Released", ReleaseManifest, Requirements)

ENDING = ".manifest.json"
CHECKSUMS = ("checksum", "seal")
"""The key of the SHA-256 of all other keys of a manifest, and its name in version 0.2."""
_NO_KEYS = {*TAGS.values(), "int", "float"}
"""Parts of the location of a validation error that are not keys of the document."""


def path_for(output: Path) -> Path:
    """The path of the manifest of an output."""
    return beside(output, ENDING)


def located(path: object) -> Path:
    """The path of a manifest; raises `JobError` if the argument is not a path."""
    if not isinstance(path, str | Path):
        raise JobError(f"a manifest must be given as a path (str or Path), not as {type(path).__name__}")
    return Path(path)


def dumps(document: Any) -> str:
    """A document as indented JSON. A figure that is not finite is null: JSON has no such number."""
    plain = json.loads(json.dumps(document, default=str), parse_constant=lambda _: None)
    return json.dumps(plain, indent=2, ensure_ascii=False)


def with_checksum(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its checksum, which detects accidental changes only: anyone can compute a new one."""
    return {**document, "checksum": checksum(document)}


def of_release(manifest: Manifest) -> ReleaseManifest:
    """The manifest of a released file, with its checksum."""
    return ReleaseManifest.model_validate(manifest.parts() | {"checksum": checksum(manifest.document())})


def checksum(document: Mapping[str, Any]) -> str:
    """The SHA-256 of all keys of a document except the checksum."""
    content = {key: value for key, value in json.loads(dumps(document)).items() if key not in CHECKSUMS}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def parse(path: Path, model: type[P]) -> P:
    """Read the keys of a model from a manifest of any version; raises `JobError` if a key is missing."""
    return _validated(path, _content(path), model)


def read(path: Path, model: type[Released]) -> Released:
    """Read the manifest of a release; raises `JobError` if the file is not one, or was changed after it was written."""
    content = _content(path)
    manifest = _validated(path, content, model)
    if manifest.status != "released":
        raise _no_manifest(path, f"its status is {manifest.status!r}")
    if manifest.checksum != checksum(content):
        raise JobError(
            f"manifest {str(path)!r} was changed after it was written; restore the original file, or run the job again"
        )
    return manifest


def _content(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise JobError(f"no such manifest: {str(path)!r}; it is in the folder of the release, as OUTPUT{ENDING}") from error
    except OSError as error:
        raise _no_manifest(path, f"it cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise _no_manifest(path, "it is not JSON") from error
    if not isinstance(content, dict):
        raise _no_manifest(path, "it is not a JSON object")
    return content


def _validated(path: Path, content: Mapping[str, Any], model: type[P]) -> P:
    version = content.get("version", VERSION)
    if not isinstance(version, int) or version > VERSION:
        raise JobError(
            f"manifest {str(path)!r} has format version {version!r}, and this duckanon reads versions up to {VERSION}; install a newer duckanon"
        )
    try:
        return model.model_validate(content, context=READING)
    except ValidationError as error:
        fault = error.errors()[0]
        key = ".".join(str(part) for part in fault["loc"] if part not in _NO_KEYS)
        raise _no_manifest(path, f"{key}: {described(fault)}") from error


def _no_manifest(path: Path, why: str) -> JobError:
    return JobError(f"{str(path)!r} is not the manifest of a release ({why}); give the path of OUTPUT{ENDING}")


def released_file(path: Path, output: OutputFile) -> Path:
    """The release in the folder of its manifest; raises `InputError` if the file is missing or was changed."""
    release = path.with_name(output.file.name)
    if not release.exists():
        raise InputError(f"the release {str(release)!r} of {str(path)!r} does not exist; move it to the folder of its manifest")
    if file_sha256(release) != output.sha256:
        raise InputError(
            f"{str(release)!r} was changed after it was written: its SHA-256 differs from the manifest; run the job again"
        )
    return release


def describes(path: Path, output: Path) -> bool:
    """Whether a file is the manifest of this output, and the output is unchanged since it was written."""
    try:
        recorded = parse(path, ReleaseReference).output
        return recorded.file.name == output.name and file_sha256(output) == recorded.sha256
    except (OSError, JobError):
        return False
