"""The manifest: the document of a run that stands beside its output."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duckanon.destination import TABLE_MARK, beside, settle

Manifest = dict[str, Any]

ENDING = ".manifest.json"


def path_for(output: Path) -> Path:
    """Where the manifest of an output lies."""
    return beside(output, ENDING)


def dumps(manifest: Mapping[str, Any]) -> str:
    """The document as JSON text."""
    return json.dumps(manifest, indent=2, ensure_ascii=False, default=str)


def output_of(manifest: Manifest) -> Path:
    """The file or folder of the release that a manifest tells of; raises `KeyError` or `TypeError` where it tells of none."""
    return Path(str(manifest["output"]["path"]).partition(TABLE_MARK)[0])


def tells_of(path: Path, output: Path) -> bool:
    """Whether a file is the manifest of a release, and the release is still what it was written as."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return output_of(document).name == output.name and settle(output) == document["output"]["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
