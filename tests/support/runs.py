"""Runs of `anonymize` and `apply` that give the manifest of the command line, where the library gives a release."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duckanon.job import prepare
from duckanon.job.options import Options, Run
from duckanon.observers import Observer
from duckanon.release import saved_recoding
from duckanon.workflows.anonymize import carry_out


def anonymize(
    source: Path | str | None = None,
    output: Path | str | None = None,
    *,
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Carry out a job; gives the manifest."""
    run = run or Run()
    return carry_out(prepare.prepare(source, job, options or Options(), run), output, run, observer).manifest.document()


def apply(
    manifest_path: Path | str,
    source: Path | str,
    output: Path | str | None = None,
    *,
    options: Options | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Apply the saved recoding of a release to other data; gives the manifest."""
    run = run or Run()
    prepared = saved_recoding.prepared(source, Path(manifest_path), options or Options(), run)
    return carry_out(prepared, output, run, observer).manifest.document()
