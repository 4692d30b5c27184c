"""The content of the manifest, which `--json` prints too."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from duckanon import __version__
from duckanon.hierarchy.attributes import QuasiIdentifier
from duckanon.metrics.figures import Figures
from duckanon.observers import Caution
from duckanon.release.manifest_model.document import Manifest
from duckanon.release.manifest_model.figures import PrivacyCheck
from duckanon.release.manifest_model.files import VERSION, ClassSizes, InputFile, LinkedPersons, PossibleValueCounts
from duckanon.release.suppressed_values import Losses
from duckanon.release.verify import Totals
from duckanon.release.written_columns import lost_columns, with_dropped
from duckanon.search.count import Counted
from duckanon.search.possible_values import PossibleValues
from duckanon.search.result import SearchResult


def compose(
    status: str,
    source: str,
    counted: Counted,
    decided: SearchResult,
    seconds: Mapping[str, float],
    warnings: Sequence[Caution],
    risk: Mapping[str, Any] | None = None,
    withheld: Mapping[str, Any] | None = None,
    losses: Losses | None = None,
) -> Manifest:
    """The manifest of a run that has a recoding; `output` is added after the file is written."""
    figures, job = decided.figures, counted.job
    aggregated = {name: plan.microaggregate for name, plan in job.columns.items() if plan.microaggregate is not None}
    holds = status in ("released", "dry-run")
    outside = counted.outside
    known = counted.plan.requirement.adversaries
    names = [qi.name for qi in counted.plan.quasi_identifiers]
    adversaries = {name: [column for column in names if column in plan.columns] for name, plan in job.adversaries.items()}
    sizes = [adversary.any_of for adversary in known if adversary.any_of is not None]
    treated = {name: treatment.document(job.release) for name, treatment in counted.plan.treatments.items()}
    treated |= {name: texts.document() for name, texts in counted.replaced.items()}
    content: dict[str, Any] = {
        "duckanon": __version__,
        "version": VERSION,
        "status": status,
        "rows": {
            "read": counted.read,
            **({"malformed": counted.malformed} if counted.malformed else {}),
            "missing": counted.read - counted.rows - outside,
            "suppressed": figures.suppressed + outside,
            "released": (figures.rows if job.keep_suppressed_rows else figures.released) if holds else 0,
        },
        **({"nulls": dict(counted.nulls)} if counted.nulls else {}),
        "classes": class_sizes(figures, keep_suppressed_rows=job.keep_suppressed_rows),
        "recoding": decided.document(),
        "suppression": {
            "limit": job.suppression.limit,
            "rows": decided.limit + outside,
            "style": job.suppression.style,
            **({} if losses is None else losses.document()),
        },
        **({"alternatives": [dict(each) for each in counted.alternatives]} if counted.alternatives else {}),
        **({"policy": job.policy.name, "policy_file": job.policy.document()} if job.policy is not None else {}),
        **({"adversaries": adversaries} if adversaries else {}),
        **({"any_columns": sizes[0], "any_chosen": "declared"} if sizes else {}),
        **({"determined": job.determined} if known and job.determined else {}),
        **({"accepted": job.accepted} if job.accepted else {}),
        "privacy": decided.achieved().checks(holds=holds),
        **({"risk": dict(risk)} if risk else {}),
        "metrics": _metrics(counted, decided, holds=holds),
        **({"lost_columns": lost_columns(counted)} if holds else {}),
        **({"microaggregation": aggregated} if aggregated else {}),
        **({"withheld": dict(withheld)} if withheld else {}),
        **({"identifiers": treated} if treated else {}),
        "persons": counted.persons.document(),
        "roles": "detected" if counted.proposal else "declared",
        "columns": dict(counted.plan.roles),
        "hierarchies": {qi.name: _called(qi) for qi in counted.plan.quasi_identifiers},
        **({"reasons": reasons(counted)} if counted.proposal else {}),
        **({"drift": _drift(counted, decided)} if counted.drift else {}),
        "warnings": [str(line) for line in warnings],
        "warning_codes": [line.code for line in warnings],
        "about": dict(job.about),
        "seconds": {name: round(value, 6) for name, value in seconds.items()},
        "input": input_of(source, counted),
    }
    return Manifest.model_validate(content)


def _metrics(counted: Counted, decided: SearchResult, *, holds: bool) -> dict[str, Any]:
    """All metrics; if there is a release, the loss with dropped columns too."""
    metrics, outside = decided.metrics(), counted.outside
    suppressed = 0.0 if counted.job.keep_suppressed_rows else (decided.figures.suppressed + outside) / (counted.rows + outside)
    return metrics | (with_dropped(counted, metrics["loss_by_attribute"], suppressed) if holds else {})


def _called(qi: QuasiIdentifier) -> str:
    """The name of a hierarchy, without local folders, and its source if the hierarchy declares one."""
    name = Path(qi.hierarchy_name).name if Path(qi.hierarchy_name).is_absolute() else qi.hierarchy_name
    return f"{name} ({' '.join(qi.hierarchy.source.split())})" if qi.hierarchy.source else name


def input_of(name: str, counted: Counted) -> InputFile:
    """The name of the input, and a fingerprint of its columns, their engine-independent types and the number of rows. The fingerprint discloses no value."""
    schema = [[column.name, column.wide_type] for column in counted.columns]
    content = json.dumps([schema, counted.read], separators=(",", ":"))
    fingerprint = hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()
    return InputFile(name=name, rows=counted.read, columns=len(schema), fingerprint=fingerprint)


def class_sizes(figures: Figures, *, keep_suppressed_rows: bool) -> ClassSizes:
    """The equivalence classes of the release; masked records form one class."""
    count, rows = figures.released_classes, figures.released
    smallest, largest = figures.released_smallest, figures.released_largest
    if keep_suppressed_rows and figures.suppressed:
        smallest = min(smallest or figures.suppressed, figures.suppressed)
        count, rows, largest = count + 1, figures.rows, max(largest, figures.suppressed)
    return ClassSizes(count=count, smallest=smallest, average=rows / count if count else 0.0, largest=largest)


def with_totals(manifest: Manifest, totals: Totals) -> Manifest:
    """The manifest with the figures that the verification counted in the file, instead of those of the search."""
    average = totals.rows / totals.classes
    return manifest.having(
        rows=manifest.rows.having(released=totals.rows),
        classes=ClassSizes(count=totals.classes, smallest=totals.smallest, average=average, largest=totals.largest),
        privacy=_measured(manifest.privacy, totals),
    )


def with_linkages(manifest: Manifest, linked: Mapping[str, LinkedPersons]) -> Manifest:
    """The manifest with the linkage of rows by each column of pseudonyms; `linkable` accepted values below k."""
    treated = {
        name: identifier.having(linked=linked[name]) if name in linked else identifier
        for name, identifier in (manifest.identifiers or {}).items()
    }
    return manifest.having(identifiers=treated) if linked else manifest


def with_possible(manifest: Manifest, possible: PossibleValues | None) -> Manifest:
    """The manifest with the sensitive values that remain possible for persons in several equivalence classes."""
    if possible is None or manifest.persons is None:
        return manifest
    counts = {
        each.column.name: PossibleValueCounts(
            persons=each.persons, required=each.column.least, achieved=each.achieved, persons_below=each.persons_below
        )
        for each in possible.columns
    }
    return manifest.having(persons=manifest.persons.having(possible_values=counts))


def _measured(checks: Sequence[PrivacyCheck], totals: Totals) -> list[PrivacyCheck]:
    """The checks with the values that the written file achieves, if the file is enough to compute them; also compared with its own distribution."""
    in_file = {_required(check): check["achieved"] for check in totals.achieved.checks(holds=True)}
    by_file = () if totals.by_file is None else totals.by_file.checks(holds=True)
    own = {_required(check): check["achieved"] for check in by_file}
    measured = []
    for check in checks:
        required = _required(check.document())
        more = {"achieved_in_file": own[required]} if check.reference and required in own else {}
        measured.append(check.having(achieved=in_file.get(required, check.achieved), **more))
    return measured


def _required(check: Mapping[str, Any]) -> frozenset[tuple[str, Any]]:
    """The items of a check that identify it within a run."""
    return frozenset(item for item in check.items() if item[0] not in ("achieved", "passed"))


def reasons(counted: Counted) -> dict[str, str]:
    """The reason for the role of each column, if roles are detected."""
    if counted.proposal is None:
        return {}
    return {column.name: counted.dropped_since.get(column.name, column.reason) for column in counted.proposal.columns}


def _drift(counted: Counted, decided: SearchResult) -> dict[str, Any]:
    """The values and records of new data that the saved recoding does not cover."""
    figures = decided.figures
    return {
        "rows_outside": decided.unplaced + counted.outside - counted.isolated,
        "new_values": counted.drift.values if counted.drift else {},
        "classes_below": figures.failing_classes,
        "rows_below": figures.suppressed - decided.unplaced,
    }
