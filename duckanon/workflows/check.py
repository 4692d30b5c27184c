"""Measure the privacy models of a file, and compare them with the requirements."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from duckanon.dataset.location import Source
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.errors import JobError
from duckanon.job import accepted, prepare
from duckanon.job import policy as policies
from duckanon.job.earlier_versions import ASSUMED_ANY
from duckanon.job.options import Options, Run
from duckanon.observers import Observer, Silent
from duckanon.workflows import attested as attested_files
from duckanon.workflows import file_columns, policy_checks
from duckanon.workflows.conformance import required_by
from duckanon.workflows.measured_file import MeasuredFile


def check(
    source: Path | str | Source | None = None,
    *,
    job: Path | Mapping[str, Any] | None = None,
    options: Options | None = None,
    run: Run | None = None,
    manifest: Path | None = None,
    attestation: Path | None = None,
    public_key: Path | None = None,
    show_values: bool = False,
    observer: Observer | None = None,
) -> dict[str, Any]:
    """Measure a file under every privacy model; the file is not changed.

    Returns a document with `status` (`measured`, `holds` or `violated`), `rows`, `nulls`, `classes`, `risk` and:

    - `privacy`: for each model the figure with the suppressed rows as a class and without them; for a required model whether
      it holds. `reference` says whether classes are compared with the distribution in the `source`, which a saved recoding
      contains, or in the `file`.
    - `homogeneous`: classes with only one sensitive value.
    - `smallest_classes`: with their values only if `show_values`.
    - `all_columns`: the classes of all columns of the file together.

    NULL is a value like any other.

    `manifest` is the manifest of the file. It gives the columns and the required models. The document then says under
    `manifest` whether the file is the one of the manifest; if it is not, `status` is `differs`.

    `attestation` and `public_key` replace the manifest: the document has the statement under `attestation`. Raises `AttestationError`
    if the key did not sign it, if the file is another one, or if its policy has expired or is not the given one.

    With a job or a policy, `columns` says whether the file has columns that are not released; of a manifest or an attestation, the file is
    unchanged. Warns of columns whose values look like direct identifiers.

    If persons are counted, `persons` says whether enough sensitive values of the required models remain possible for persons with rows in
    several classes. With a required k, warns of columns that link the rows of persons.

    A policy adds its models to the required ones. The document then says under `policy` whether it applies today, and whether
    the file has a forbidden column; with a manifest also whether the suppression limit is too large.
    """
    run, observer = run or Run(), observer or Silent()
    options = options or Options()
    if (attestation is None) != (public_key is None):
        raise JobError("--attestation and --public-key belong together; give both, or leave both out")
    if manifest is not None and attestation is not None:
        raise JobError("--manifest and --attestation both give the columns and models to check; leave out one of them")
    if (manifest or attestation) is not None and (
        job is not None or not set(options.set) <= {"accept", "names"} or replace(options, policy=None, set={}) != Options()
    ):
        option, file = ("--manifest", "manifest") if manifest is not None else ("--attestation", "attestation")
        raise JobError(
            f"{option} gives the columns and models to check; leave out the other options and the job, or the {file}"
        )
    attested = None if attestation is None or public_key is None else attested_files.read(attestation, public_key)
    conformance = attested.conformance if attested is not None else None if manifest is None else required_by(manifest)
    policy = None if options.policy is None else policies.load(options.policy)
    if conformance is not None:
        job = conformance.job if policy is None else policy_checks.stricter(conformance.job, policy)
        options = replace(options, set={**options.set, "accept": [*conformance.job["accept"], *options.accepted]})
    is_assumed = conformance is not None and conformance.is_assumed and not accepted.accepts(options.accepted, "assumed-any")
    if is_assumed and isinstance(job, Mapping):
        job = {**job, "any": None}
    prepared = prepare.prepare(source, job, options, run)
    if attested is not None:
        attested.refuse_other(prepared.source, policy)
    distributions = None if conformance is None else conformance.distributions
    with DuckDBEngine(run.settings, observer) as engine:
        counted = MeasuredFile(
            engine,
            prepared,
            observer,
            show_values=show_values,
            counts_suppressed=conformance is not None,
            distributions=distributions,
        )
        document = counted.document()
        for line in counted.links():
            observer.warn(line)
        if conformance is None and (job is not None or prepared.job.policy is not None):
            columns = file_columns.check(prepared.job, counted.columns, options)
            document |= {"columns": columns} | ({} if columns["passed"] else {"status": "violated"})
        if conformance is not None or job is not None or prepared.job.policy is not None:
            for line in file_columns.direct_identifiers(engine, prepared.job, counted.columns):
                observer.warn(line)
    if is_assumed:
        (observer.warn if document["status"] == "violated" else observer.note)(ASSUMED_ANY)
    if conformance is not None and conformance.persons is not None and (caution := conformance.persons.caution) is not None:
        (observer.note if conformance.persons.column is None else observer.warn)(f"{caution}: release the data again")
    if prepared.job.policy is not None:
        requirements = None if conformance is None else conformance.requirements
        document = policy_checks.compared(
            document, prepared.job.policy, [column.name for column in counted.columns], requirements
        )
    if conformance is None:
        return document
    unjudged = [*conformance.unjudged, *counted.unjudged]
    if attested is not None:
        return document | {"attestation": attested.document(unjudged)}
    compared = replace(conformance, unjudged=unjudged).compared(prepared.source, document["rows"]["read"])
    return document | {"manifest": compared} | ({} if compared["is_same_file"] else {"status": "differs"})
