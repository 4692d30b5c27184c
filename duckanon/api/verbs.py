"""The commands as functions. Each takes the path of a file, or a table of another program; keyword arguments become `Options` and `Run`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypedDict, Unpack, get_args

from duckanon.api import hierarchies
from duckanon.api.keywords import Keywords
from duckanon.api.released import Release, RunContext
from duckanon.api.sources import handed
from duckanon.checks import file as check_file
from duckanon.checks import risk as check_risk
from duckanon.choices import Algorithm, Attacker
from duckanon.dataset.location import Source
from duckanon.engine.scratch import Scratch
from duckanon.errors import JobError, did_you_mean
from duckanon.job import keys, prepare
from duckanon.job.options import Options, Run, joined, names
from duckanon.observers import Caution, Observer, Raising
from duckanon.option import Option, declared, origins, require_type, values_of
from duckanon.release import saved_recoding
from duckanon.release.manifest import located
from duckanon.workflows import anonymize as anonymize_workflow
from duckanon.workflows import compare as compare_workflow
from duckanon.workflows import profile as profile_workflow

JobLike = str | Path | Mapping[str, Any]


def anonymize(
    source: Any = None,
    output: Path | str | None = None,
    *,
    job: JobLike | None = None,
    table: str | None = None,
    options: Options | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
    **keywords: Unpack[Keywords],
) -> Release:
    """Anonymize `source` and return the verified release; the keywords are the options of the command line.

    `source` is a path, a DuckDB relation or connection (then `table` names one of its tables), or a table of pandas, Polars,
    Arrow or Spark. A table is copied to a private file for as long as the release is used. If neither `output` nor the job has
    a path, the release is a private file too. Raises `Infeasible` if no recoding satisfies the requirements within the limits,
    `VerificationFailed` if the written file does not satisfy them, and another `DuckanonError` for faults of the job, the input
    or the output.
    """
    return _released(source, table, output, _job(job), options, run, observer, keywords)


def apply(
    manifest: Path | str | Release,
    source: Any,
    output: Path | str | None = None,
    *,
    table: str | None = None,
    options: Options | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
    **keywords: Unpack[Keywords],
) -> Release:
    """Release other data by the saved recoding of an earlier release, named by its manifest; raises the errors of `anonymize`.

    Levels and hierarchies are the same. Rows with a value that the recoding does not cover are left out, and classes that fail
    the requirements are suppressed; both are reported as `drift`.
    """
    path = manifest.manifest_path if isinstance(manifest, Release) else located(manifest)
    return _released(source, table, output, None, options, run, observer, keywords, applied=path)


def check(
    source: Any = None,
    *,
    job: JobLike | None = None,
    table: str | None = None,
    options: Options | None = None,
    run: Run | None = None,
    manifest: Path | str | None = None,
    attestation: Path | str | None = None,
    public_key: Path | str | None = None,
    show_values: bool = False,
    observer: Observer | None = None,
    **keywords: Unpack[Keywords],
) -> dict[str, Any]:
    """Measure a table under every privacy model; see `duckanon.checks.file.check` for the document."""
    require_type("show_values", show_values, bool, "True or False")
    for name, file in (("attestation", attestation), ("public_key", public_key)):
        require_type(name, file, (str, Path), "a path")
    with _arguments(source, job, table, options, run, observer, keywords) as arguments:
        return check_file.check(
            **arguments,
            manifest=None if manifest is None else located(manifest),
            attestation=None if attestation is None else Path(attestation),
            public_key=None if public_key is None else Path(public_key),
            show_values=show_values,
        )


def risk(
    source: Any = None,
    *,
    job: JobLike | None = None,
    table: str | None = None,
    options: Options | None = None,
    run: Run | None = None,
    sets: Sequence[str | Sequence[str]] = (),
    max_risk: float | None = None,
    attacker: Attacker | None = None,
    observer: Observer | None = None,
    **keywords: Unpack[Keywords],
) -> dict[str, Any]:
    """Measure the re-identification risk of a table; see `duckanon.checks.risk.risk` for the document."""
    require_type("max_risk", max_risk, (float, Real), "a number")
    if attacker is not None and attacker not in get_args(Attacker):
        raise JobError(f"attacker {attacker!r} is unknown{did_you_mean(str(attacker), get_args(Attacker))}")
    with _arguments(source, job, table, options, run, observer, keywords) as arguments:
        parted = [names(each) if isinstance(each, str) else each for each in sets]
        return check_risk.risk(**arguments, sets=parted, max_risk=max_risk, attacker=attacker)


def profile(
    source: Any = None,
    *,
    job: JobLike | None = None,
    table: str | None = None,
    options: Options | None = None,
    run: Run | None = None,
    write_job: Path | str | None = None,
    observer: Observer | None = None,
    **keywords: Unpack[Keywords],
) -> dict[str, Any]:
    """Profile the columns of a table and propose their roles; see `duckanon.workflows.profile.profile` for the document."""
    require_type("write_job", write_job, (str, Path), "a path")
    with _arguments(source, job, table, options, run, observer, keywords) as arguments:
        file = None if write_job is None else Path(write_job)
        return profile_workflow.profile(**arguments, write_job=file)


def compare(  # type: ignore[misc]  # it takes several values of k and of the limit, which `Keywords` has once
    source: Any = None,
    *,
    algorithms: str | Sequence[Algorithm] = ("optimal",),
    k: int | Sequence[int] = (),
    max_suppression: str | float | Sequence[str | float] = (),
    job: JobLike | None = None,
    table: str | None = None,
    options: Options | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
    ks: Sequence[int] = (),
    limits: Sequence[str] = (),
    **keywords: Unpack[Keywords],
) -> dict[str, Any]:
    """Compare every algorithm with every k and every limit on one table; see `duckanon.workflows.compare.compare` for the document."""
    observer = observer or Raising()
    ks = _renamed("ks", ks, "k", _listed(k), observer)
    given = names(max_suppression) if isinstance(max_suppression, str) else _listed(max_suppression)
    limits = _renamed("limits", limits, "max_suppression", [str(limit) for limit in given], observer)
    algorithms = names(algorithms) if isinstance(algorithms, str) else algorithms
    if not isinstance(algorithms, Sequence):
        raise JobError(f"algorithms needs a list, not {type(algorithms).__name__}")
    for each in ks:
        require_type("each k", each, Integral, "a whole number")
    with _arguments(source, job, table, options, run, observer, keywords) as arguments:
        report = arguments["run"].report
        return compare_workflow.compare(**arguments, algorithms=algorithms, ks=ks, limits=limits, report=report)


def _renamed(earlier: str, given: Any, name: str, value: Any, observer: Observer) -> Any:
    """The value of an argument, or that of its name in version 0.2, which gets a warning."""
    if given == ():
        return value
    observer.warn(Caution("deprecated", f"the argument {earlier!r} is deprecated; its name is {name!r}, as that of the option"))
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise JobError(f"{earlier} needs a list, not {type(given).__name__}")
    return given


def _listed(given: Any) -> Sequence[Any]:
    """Several values as given, and a single one as a list."""
    if given is None or (isinstance(given, Sequence) and not isinstance(given, str)):
        return given or ()
    return [given]


def _released(
    table_or_path: Any,
    table: str | None,
    output: Path | str | None,
    job: Path | Mapping[str, Any] | None,
    given: Options | None,
    run: Run | None,
    observer: Observer | None,
    keywords: Mapping[str, Any],
    *,
    applied: Path | None = None,
) -> Release:
    scratch = _scratch(run, keywords)
    with ExitStack() as failed:
        failed.callback(scratch.close)
        options, run = split_arguments(keywords, given, run, scratch)
        source = handed(table_or_path, table, scratch)
        require_type("output", output, (str, Path), "a path")
        prepared = (
            prepare.prepare(source, job, options, run)
            if applied is None
            else saved_recoding.prepared(source, applied, options, run)
        )
        if output is None and prepared.job.output.path is None:
            is_folder = bool(prepared.job.output.partition_by) or run.settings.is_cluster
            output = scratch.path / ("release" if is_folder else "release.parquet")
        outcome = anonymize_workflow.carry_out(prepared, output, run, observer or Raising())
        kept = replace(prepared, source=prepared.source.anywhere())
        failed.pop_all()
        return Release(outcome.manifest, outcome.place, RunContext(kept, run, outcome.columns, outcome.steps, scratch))


def _scratch(run: Run | None, keywords: Mapping[str, Any]) -> Scratch:
    """A private folder for copied tables, in the temporary directory of the run."""
    require_type("temp_directory", keywords.get("temp_directory"), (str, Path), "a path")
    root = keywords.get("temp_directory") or (run.settings.temp_directory if isinstance(run, Run) else None)
    return Scratch(None if root is None else Path(root))


class _Arguments(TypedDict):
    """The arguments of every workflow that measures."""

    source: Path | str | Source | None
    job: Path | Mapping[str, Any] | None
    options: Options
    run: Run
    observer: Observer | None


@contextmanager
def _arguments(
    source: Any,
    job: JobLike | None,
    table: str | None,
    options: Options | None,
    run: Run | None,
    observer: Observer | None,
    keywords: Mapping[str, Any],
) -> Iterator[_Arguments]:
    scratch = _scratch(run, keywords)
    try:
        options, run = split_arguments(keywords, options, run, scratch)
        yield {
            "source": handed(source, table, scratch),
            "job": _job(job),
            "options": options,
            "run": run,
            "observer": observer or Raising(),
        }
    finally:
        scratch.close()


def _job(job: JobLike | None) -> Path | Mapping[str, Any] | None:
    if not (job is None or isinstance(job, str | Path | Mapping)):
        raise JobError(f"a job is a file or a mapping, not {type(job).__name__}")
    return Path(job) if isinstance(job, str) else job


_KINDS: Mapping[frozenset[Any], tuple[tuple[type, ...], str]] = {
    frozenset({str, Sequence}): ((str, Iterable), "a text or a list"),
    frozenset({str, Sequence, Mapping}): ((str, Iterable), "a text, a list, or a mapping by column"),
    frozenset({str, Path, Sequence, Mapping}): ((str, Path, Iterable), "a file, a list, or a mapping by column"),
    frozenset({Mapping}): ((Mapping,), "a mapping by column"),
    frozenset({int}): ((Integral,), "a whole number"),
    frozenset({bool}): ((bool,), "True or False"),
    frozenset({str, Path}): ((str, Path), "a path"),
    frozenset({str}): ((str,), "a text"),
}
"""The types that a keyword accepts, and their name in a message. Fractions, limits and fixed values are checked with the job."""


def split_arguments(
    keywords: Mapping[str, Any], given: Options | None, run: Run | None, scratch: Scratch
) -> tuple[Options, Run]:
    """Options and run settings; keywords override `given` and `run`. Raises `JobError` for an unknown keyword.

    Hierarchies that are not files are written to files in `scratch`.
    """
    require_type("options", given, Options, "duckanon.Options")
    require_type("run", run, Run, "duckanon.Run")
    given, run = given or Options(), run or Run()
    known = declared(type(given), type(run), type(run.settings))
    if unknown := next((name for name in keywords if name not in known), None):
        replacement = did_you_mean(unknown, known)
        if (setting := keys.former(unknown.replace("_", "-"), [name.replace("_", "-") for name in known])) is not None:
            replacement = f"; it is now a key of the job: set={dict(keys.parsed_setting(setting))}"
        raise JobError(
            f"no such argument: {unknown!r}{replacement}; arguments are named like the options of the command line, with _ for -"
        )
    for name, value in keywords.items():
        kinds = origins(known[name].keyword)
        if needed := _KINDS.get(frozenset(kinds)):
            require_type(name, value, *needed)
            if isinstance(value, Mapping) and Mapping not in kinds:
                raise JobError(f"{name} needs {needed[1]}, not {type(value).__name__}")
    values = {name: _converted(known[name], value, scratch) for name, value in keywords.items()}
    settings = replace(run.settings, **values_of(type(run.settings), values))
    return replace(given, **values_of(type(given), values)), replace(run, settings=settings, **values_of(type(run), values))


def _converted(option: Option, value: Any, scratch: Scratch) -> Any:
    """The field value of a keyword: a text as a list or path, a mapping as items, None as the default."""
    if value is None:
        return option.default
    if isinstance(value, Mapping) and option.name == "hierarchies":
        return tuple(hierarchies.files(value, scratch))
    if isinstance(value, Mapping) and option.name == "adversary":
        return tuple(f"{name}={columns if isinstance(columns, str) else joined(columns)}" for name, columns in value.items())
    if option.kind is Sequence and isinstance(value, str) and option.parse is not None:
        return tuple(option.parse(value))
    if option.kind is Sequence:
        return (str(value),) if isinstance(value, str | Path) else tuple(_item(option, item) for item in value)
    if option.kind is Path:
        return Path(value)
    return str(value) if isinstance(value, Path) else value


def _item(option: Option, item: Any) -> Any:
    """An item of a list; raises `JobError` if it is not a text."""
    if item is None and option.name == "missing":
        return None
    require_type(f"each of {option.name}", item, (str, Path) if Path in origins(option.keyword) else str, "a text")
    if item is None:
        raise JobError(f"each of {option.name} needs a text, not None")
    return str(item)
