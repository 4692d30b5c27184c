"""The paths of a release and of its companion files, checked before the run starts."""

from pathlib import Path

from duckanon.dataset import destination
from duckanon.dataset.destination import STANDARD_OUTPUT, Destination
from duckanon.dataset.location import STANDARD_INPUT
from duckanon.errors import JobError, OutputError
from duckanon.job.prepare import Prepared, Run, check_unread
from duckanon.release import manifest

JOB_ENDING = ".job.yaml"
RECODING_ENDING = ".recoding"
RECODING_JOB = "job.yaml"
"""The job in the folder of a saved recoding."""


def place(prepared: Prepared, output: Path | str | None, run: Run) -> Destination:
    """The destination of the release: the argument, the path in the job, or a file beside the input; raises `JobError` or `OutputError` if it cannot be written."""
    target = intended_place(prepared, output, has_parts=run.settings.is_cluster)
    if target.path is None:
        if run.standard_output is None:
            raise JobError(
                "the release cannot be written to standard output, because --json or the calling program uses it; name a file with -o"
            )
        return target
    if not target.path.name:
        name = str(output) if output is not None else prepared.job.output.path
        raise JobError(f"output {name!r} has no file name; name a file, or a folder that does not exist")
    check_unread(prepared, target.path, f"output {target.name!r}")
    if run.key_file is not None and {run.key_file.resolve(), *run.key_file.resolve().parents}.intersection(
        path.resolve() for path in companions(target.path)
    ):
        raise OutputError(
            f"key file {str(run.key_file)!r} has the path of the release or of one of its companion files; name another output"
        )
    manifest_path = manifest.path_for(target.path)
    _check_databases(run, target.path, prepared)
    if not run.dry_run:
        is_fragile = target.path.is_dir() or target.form.table is not None
        is_ours = run.overwrite and is_fragile and manifest.describes(manifest_path, target.path)
        destination.check(target, overwrite=run.overwrite, is_ours=is_ours)
        is_guessed = not prepared.job.of_role("quasi-identifier")
        _check_companions(target.path, may_replace_job=run.overwrite or not is_guessed)
    return target


def intended_place(prepared: Prepared, output: Path | str | None, *, has_parts: bool = False) -> Destination:
    """The destination of the release, not checked; a cluster writes it in parts."""
    partition_by = prepared.job.output.partition_by

    def named(name: str) -> Destination:
        return destination.destination(name, partition_by, has_parts=has_parts, ending=prepared.source.ending)

    if output is not None:
        return named(str(output))
    planned, source = prepared.job.output.path, prepared.source
    if planned is not None:
        return named(planned if planned == STANDARD_OUTPUT else str(prepared.base / planned))
    if source.name == STANDARD_INPUT:
        return named(STANDARD_OUTPUT)
    if source.is_handed:
        raise JobError(f"the release of {source.name} has no default path; name a file")
    if source.stem is None:
        raise JobError(f"the release of {source.name!r} has no default path; name a file with -o")
    ending = ".parquet" if partition_by or has_parts else source.ending
    return named(str(source.path.with_name(f"{source.stem}.anonymized{ending}")))


def companions(output: Path) -> list[Path]:
    """The paths of a release and of its companion files."""
    return [destination.beside(output, ending) for ending in ("", manifest.ENDING, RECODING_ENDING, JOB_ENDING)]


def _check_databases(run: Run, output: Path, prepared: Prepared) -> None:
    """Raise `OutputError` if workspace or register has the path of the release, of a companion file, of an input, or of the other."""
    taken = {path.resolve() for path in companions(output)}
    named = {"workspace": run.settings.workspace, "register": run.register}
    databases = {what: path for what, path in named.items() if path is not None}
    for what, path in databases.items():
        if path.resolve() in taken or output.resolve() in path.resolve().parents or prepared.read_as(path):
            raise OutputError(
                f"{what} {str(path)!r} has the path of the release, of one of its companion files, or of an input; name another file"
            )
    if len({path.resolve() for path in databases.values()}) < len(databases):
        raise OutputError(f"workspace and register have the same path {str(run.register)!r}; name another file for one of them")


def _check_companions(path: Path, *, may_replace_job: bool) -> None:
    _, manifest_path, saved_recoding, job_file = companions(path)
    if manifest_path.is_dir():
        raise OutputError(
            f"the path of the manifest, {str(manifest_path)!r}, is a folder; move it away, or name another output"
        )
    if saved_recoding.exists() and not (saved_recoding / RECODING_JOB).is_file():
        raise OutputError(
            f"the path of the saved recoding, {str(saved_recoding)!r}, exists and is not a saved recoding; move it away, or name another output"
        )
    if job_file.exists() and not may_replace_job:
        raise OutputError(
            f"job file {str(job_file)!r} of an earlier run exists; use it with --job, replace it with --overwrite, or name another output"
        )
