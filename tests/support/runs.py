"""Runs of `anonymize` and `apply` that give the manifest of the command line, where the library gives a release."""

from collections.abc import Mapping
from dataclasses import fields, replace
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
    **keywords: Any,
) -> dict[str, Any]:
    """Carry out a job; gives the manifest. The keywords are fields of `Options` and `Run`."""
    options, run = _given(options, run, keywords)
    return carry_out(prepare.prepare(source, job, options, run), output, run, observer).manifest.document()


def apply(
    manifest_path: Path | str,
    source: Path | str,
    output: Path | str | None = None,
    *,
    options: Options | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
    **keywords: Any,
) -> dict[str, Any]:
    """Apply the saved recoding of a release to other data; gives the manifest. The keywords are fields of `Options` and `Run`."""
    options, run = _given(options, run, keywords)
    prepared = saved_recoding.prepared(source, Path(manifest_path), options, run)
    return carry_out(prepared, output, run, observer).manifest.document()


def _given(options: Options | None, run: Run | None, keywords: Mapping[str, Any]) -> tuple[Options, Run]:
    """Options and run with the fields that the keywords name."""
    of_run = {field.name for field in fields(Run)} & keywords.keys()
    others = {name: value for name, value in keywords.items() if name not in of_run}
    return replace(options or Options(), **others), replace(run or Run(), **{name: keywords[name] for name in of_run})
