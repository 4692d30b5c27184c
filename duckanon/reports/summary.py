"""The summary of a run as text, and the phrases that it shares with other documents."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duckanon.formatting import aligned, check_name, figure, first_of, in_rows, malformed, percent
from duckanon.job import accepted
from duckanon.reports.risk_lines import risk_lines

if TYPE_CHECKING:
    from duckanon.job.options import Run
    from duckanon.release.manifest_model.document import Manifest
    from duckanon.release.manifest_model.files import DriftReport, PersonCounts, ProtectedColumn, TreatedIdentifier

_NUMBER = r"-?[0-9.]+(e[+-]?[0-9]+)?"
_RANGE = re.compile(rf"\[{_NUMBER}, {_NUMBER}[)\]]|[<>]=? ?{_NUMBER}")


def summary(manifest: "Manifest") -> list[str]:
    """The lines of a summary: the roles of the columns, the privacy requirements, the figures before and after."""
    return [*_roles(manifest), "", *_guarantee(manifest), "", *_figures(manifest), *_remarks(manifest)]


def files(manifest: "Manifest", run: "Run", public_manifest: Path | None = None) -> list[str]:
    """The files of a run, whether each may be shared, and the next command."""
    if manifest.output is None:
        return ["dry run: nothing is written"] if manifest.status == "dry-run" else []
    # imported here, because --help does not need it
    from duckanon.release.manifest import path_for

    output, described = manifest.output.file, path_for(manifest.output.file)
    rows = [(manifest.output.path, "share this")]
    if manifest.saved_recoding is not None:
        rows += [(str(described), "internal: duckanon explain, report, apply, check")]
        rows += [(f"{output.with_name(manifest.saved_recoding.path)}/", "internal: duckanon apply; contains original values")]
    if manifest.job is not None:
        rows += [(str(output.with_name(manifest.job)), "internal: the detected roles; edit them, then run with --job")]
    rows += [
        (str(path), sharing)
        for path, sharing in (
            (run.report, "internal"),
            (run.public_report, "share this"),
            (public_manifest, "share this"),
            (run.settings.workspace, "internal: contains original values"),
        )
        if path is not None
    ]
    following = (
        [f"next: duckanon report {shlex.quote(str(described))}"]
        if manifest.saved_recoding is not None and not run.report
        else []
    )
    return ["", *aligned(rows), *following]


def _roles(manifest: "Manifest") -> list[str]:
    head = "Roles"
    if manifest.roles == "detected":
        output = manifest.output
        edited = f"edit {output.file.with_name(manifest.job)}, " if output is not None and manifest.job is not None else ""
        head += f" (detected; {edited}-v shows why)"
    columns: dict[str, list[str]] = {}
    for name, role in manifest.columns.items():
        columns.setdefault(_ROLES.get(role, role), []).append(name)
    rows = [("  quasi-identifiers", "; ".join(_generalized(manifest, columns.get("quasi-identifiers", ()))))]
    if manifest.risk is not None and manifest.risk.adversaries:
        rows += [(f"  {name} knows", ", ".join(seen.columns)) for name, seen in manifest.risk.adversaries.items()]
    if manifest.determined:
        known = [f"{name} from {' or '.join(map(' and '.join, sets))}" for name, sets in manifest.determined.items()]
        rows.append(("  adversaries know", first_of(known)))
    rows += [(f"  {title}", first_of(columns[title])) for title in ("sensitive", "retained") if title in columns]
    treated = manifest.identifiers or {}
    if treated:
        rows.append(("  direct identifiers", ", ".join(f"{name} ({entry.treatment})" for name, entry in treated.items())))
    if dropped := [name for name in columns.get("dropped", ()) if name not in treated]:
        rows.append(("  dropped", first_of(dropped)))
    if (persons := _persons(manifest.persons)) is not None:
        rows.append(("  persons", persons))
    if manifest.nulls:
        judged = {check.document().get("column") for check in manifest.privacy}
        both = [
            name
            for name in manifest.nulls
            if name in judged and not accepted.accepts(manifest.accepted or [], "missing-values", name)
        ]
        counts = ", ".join(f"{name} {in_rows(count)}" for name, count in manifest.nulls.items())
        without = f"; models of {', '.join(both)} are judged without it too" if both else ""
        rows.append(("  NULL", f"counts as a value: {counts}{without}"))
    return [head, *aligned(rows)]


_ROLES = {"quasi-identifier": "quasi-identifiers", "insensitive": "retained", "kept": "retained", "identifying": "dropped"}


_MOST_LABELLED = 6


def _generalized(manifest: "Manifest", names: Sequence[str]) -> Iterator[str]:
    """The quasi-identifiers with the labels that most released records have, and those whose values did not change.

    The labels of the first are shown, so that many columns fit on a screen.
    """
    recoding = manifest.recoding.document()
    shown = (manifest.written and manifest.written.labels) or {}
    ranges = manifest.ranges or {}
    unchanged = []
    for name in names:
        level = recoding.get("levels", {}).get(name)
        if level == 0 and name not in shown:
            unchanged.append(name)
        elif name in shown and names.index(name) >= _MOST_LABELLED:
            yield name
        elif name in shown:
            labels = shown[name]
            columns = f" as {' and '.join(ranges[name].columns)}" if name in ranges else ""
            yield f"{name} → {', '.join(labels[:2])}{', ...' if len(labels) > 2 else ''}{columns}"
        else:
            yield name if level is None else f"{name} → level {level}"
    if unchanged:
        yield f"{', '.join(unchanged)} unchanged"


def _guarantee(manifest: "Manifest") -> list[str]:
    """One line for each required privacy model."""
    verified = "verified on the output file" if manifest.status == "released" else "not verified: nothing is written"
    rows = []
    for check in (check.document() for check in manifest.privacy):
        verdict = "PASS" if check["passed"] else "FAIL"
        rows.append(
            (
                f"  {_model(check)}",
                verdict,
                f"achieved {figure(check['achieved'], beside=check['required'])}{_counting(check)}{references(check)}",
            )
        )
    return [f"Privacy requirements ({verified})", *aligned(rows)]


def _model(check: Mapping[str, Any]) -> str:
    """A privacy model with its required value, for example `distinct l-diversity 2 of occupation`."""
    if check["model"] == "k-anonymity" and check["column"] is not None:
        return f"each record's own k in {check['column']}, at most {check['required']}{adversary(check)}"
    extra = "".join(f", {name} = {check[name]:g}" for name in ("l", "k") if name in check)
    column = f" of {check['column']}" if check["column"] is not None else ""
    return f"{check_name(check)} {check['required']:,.9g}{extra}{column}{adversary(check)}"


def adversary(check: Mapping[str, Any]) -> str:
    """The adversary whose classes a check judges; nothing if these are the classes of all quasi-identifiers."""
    return f" for {check['adversary']}" if check.get("adversary") else ""


def _counting(check: Mapping[str, Any]) -> str:
    return f", counted by {check['of']}" if check.get("of", "rows") != "rows" else ""


def _figures(manifest: "Manifest") -> list[str]:
    """The figures before and after."""
    rows, classes, limit = manifest.rows, manifest.classes, manifest.suppression
    lines = [("", "before", "after", "")]
    if manifest.risk is not None and manifest.risk.after is not None:
        before, after = manifest.risk.before, manifest.risk.after
        if before.levels:
            at_levels = first_of([f"{name} at level {level}" for name, level in before.levels.items()])
            lines = [("", f"before ({at_levels})", "after", "")]
        lines += risk_lines(manifest.risk, before, after)
    share = rows.suppressed / max(1, rows.read - rows.missing)
    allowed = limit.limit if limit.limit.endswith("%") else f"{limit.rows:,} records"
    missing = f"; {malformed(rows.malformed)} left out" if rows.malformed else ""
    missing += f"; {rows.missing:,} dropped for missing values" if rows.missing else ""
    suppressed = f"{rows.suppressed:,} suppressed ({percent(share)}, limit {allowed}){missing}"
    lines.append(("  records", f"{rows.read:,}", f"{rows.released:,}", suppressed))
    sizes = f"smallest {classes.smallest:,}, average {classes.average:,.1f}"
    lines.append(("  equivalence classes", "", f"{classes.count:,}", sizes))
    if (written := manifest.written) is not None and written.columns > list(manifest.columns.values()).count(
        "quasi-identifier"
    ):
        lines.append(("  unique over all released columns", "", f"{written.unique_records:,}", ""))
    how, headline = search(manifest.recoding.document()), manifest.metrics.loss
    if manifest.metrics.loss_with_dropped is not None:
        headline, own = manifest.metrics.loss_with_dropped, percent(headline)
        how = f"with {dropped(manifest.lost_columns or ())}; {own} of the quasi-identifiers, {how}"
    lines.append(("  information loss", "", percent(headline), how))
    return aligned(lines, right=(1, 2))


def dropped(columns: Sequence[str]) -> str:
    """The number of dropped columns that a loss counts."""
    return f"{len(columns):,} dropped column{'' if len(columns) == 1 else 's'}"


def _remarks(manifest: "Manifest") -> list[str]:
    """Lines that only some runs have."""
    rows = {
        **_passes(manifest.recoding.document()),
        **_drift(manifest.drift),
        "protected": "; ".join(_protected(manifest.suppression.protected or {})),
        "linked rows": "; ".join(_linked(manifest.identifiers or {})),
        "possible values": "; ".join(_possible(manifest.persons)),
        "alternative": alternative(manifest.alternative.document()) if manifest.alternative is not None else "",
        "accepted": "; ".join(map(accepted.described, manifest.accepted or [])),
        "text": _ranges(manifest),
    }
    lines = aligned([(f"  {name}", text) for name, text in rows.items() if text])
    return ["", *lines] if lines else []


def _ranges(manifest: "Manifest") -> str:
    """The columns of numbers that became text, because they show ranges, and the option that writes numbers."""
    labels = (manifest.written and manifest.written.labels) or {}
    names = [
        name for name, shown in labels.items() if name not in (manifest.ranges or {}) and any(map(_RANGE.fullmatch, shown))
    ]
    return f"ranges of {first_of(names)}; --ranges bounds or --ranges midpoint writes numbers" if names else ""


def alternative(few: Mapping[str, Any]) -> str:
    """What `--any` would lose, and what it would not protect; keys of `manifest.alternative`."""
    size = few["any_columns"]
    instead = f" instead of {percent(few['loss_of_all'])}" if few["loss_of_all"] < 1 else ""
    return (
        f"--any {size} would lose {percent(few['loss'])} of the information{instead}, but k would hold only for adversaries who know {size} "
        f"quasi-identifiers: {in_rows(few['unique_records'])} would be unique over all of them"
    )


def _passes(recoding: Mapping[str, Any]) -> dict[str, str]:
    """The regions that are recoded separately."""
    if "partitions" in recoding:
        return {"partitions": f"{recoding['partitions']:,}, cut in {recoding['rounds']:,} rounds"}
    if "passes" in recoding:
        first, *more = recoding["passes"]
        others = f"; {len(more):,} more passes for the other rows" if more else ""
        return {"passes": f"{levels(first['levels'])} for {first['rows']:,} rows{others}"}
    return {}


def levels(levels: Mapping[str, int]) -> str:
    """A node as text, for example `age 1, sex 0`."""
    return ", ".join(f"{name} {level}" for name, level in levels.items())


def search(recoding: Mapping[str, Any]) -> str:
    """How the recoding was found."""
    if recoding["algorithm"] == "levels":
        return "at the given levels, without a search"
    if "levels" not in recoding:
        stopped = f", stopped by the {recoding['stopped']}" if "stopped" in recoding else ""
        return f"by {recoding['algorithm']}{stopped}"
    return f"{_proof(recoding)}; {recoding['visited']:,} of {recoding['lattice']:,} nodes visited"


def model_name(check: Mapping[str, Any], *, with_column: bool = True) -> str:
    """A privacy model with its parameters and its column, for example `recursive l-diversity (l = 3) of disease`."""
    parameters = ", ".join(f"{name} = {check[name]:g}" for name in ("l", "k") if name in check)
    of = f" of {check['column']}" if with_column and check["column"] else ""
    return f"{check_name(check)}{f' ({parameters})' if parameters else ''}{of}{adversary(check)}"


def _persons(persons: "PersonCounts | None") -> str | None:
    """The number of persons and their column; None if no column identifies persons."""
    if persons is None or persons.chosen is None:
        return None
    if persons.unit == "rows":
        return "not counted: --entity none counts rows"
    detected = " (detected; --entity none counts rows)" if persons.chosen == "detected" else ""
    return f"{persons.persons:,}, counted by {' and '.join(persons.columns or [str(persons.column)])}{detected}"


def _linked(identifiers: "Mapping[str, TreatedIdentifier]") -> Iterator[str]:
    """Yield the number of persons with as many rows in the same equivalence classes, if pseudonyms link the rows of a person."""
    for name, identifier in identifiers.items():
        if (linked := identifier.linked) is None:
            continue
        few = f"; {linked.persons_below:,} of {linked.persons:,} share this with fewer than {linked.required:,}, accepted with linkable"
        shared = f"{name}: at least {linked.achieved:,} pseudonyms have as many rows in the same equivalence classes"
        yield shared + (few if linked.persons_below else "")


def _possible(persons: "PersonCounts | None") -> Iterator[str]:
    """Yield the sensitive values that remain possible for persons in several equivalence classes."""
    for name, possible in ((None if persons is None else persons.possible_values) or {}).items():
        if possible.persons:
            few = f"; fewer than {possible.required:,} for {possible.persons_below:,} persons, accepted"
            values = f"{name}: at least {possible.achieved:,} for each of {possible.persons:,} persons in several equivalence classes"
            yield values + (few if possible.persons_below else "")


def references(check: Mapping[str, Any]) -> str:
    """The distribution that a figure is compared with, and the figure compared with the distribution in the file if it is known."""
    if "reference" not in check:
        return ""
    if check["reference"] == "file":
        return ", compared with the distribution in this file"
    own = (
        f"; {figure(check['achieved_in_file'])} compared with the distribution in the file"
        if "achieved_in_file" in check
        else ""
    )
    return f", compared with the distribution in the source{own}"


def _protected(protected: "Mapping[str, ProtectedColumn]") -> Iterator[str]:
    """Yield the suppression of the values of each protected column."""
    for name, losses in protected.items():
        highest, allowed = 100 * losses.highest, 100 * losses.allowed
        yield f"{name}: at most {figure(highest, beside=allowed)}% of the rows with a value, {allowed:,.9g}% allowed"


def _proof(recoding: Mapping[str, Any]) -> str:
    """Whether the node is proven optimal, or its bound and gap."""
    objective = recoding["objective"]
    if objective["proven"]:
        return "proven optimal"
    if "decided_on" in recoding:
        return f"decided on the {recoding['decided_on']}"
    limit = f", stopped by the {recoding['stopped']}" if "stopped" in recoding else ""
    if recoding["algorithm"] == "optimal":
        return f"best found{limit}, lower bound {figure(objective['bound'])}, gap {objective['gap']:.1%}"
    return f"not proven optimal{limit}"


def _drift(drift: "DriftReport | None") -> dict[str, str]:
    if drift is None:
        return {}
    new = ", ".join(f"{name} {counts.values:,} in {counts.rows:,} rows" for name, counts in drift.new_values.items())
    outside = drift.rows_outside
    return {
        "new values": new or "none outside the hierarchies",
        **({"left out": f"{in_rows(outside)} that the recoding does not cover"} if outside else {}),
        "failing classes": f"{drift.classes_below:,} with {drift.rows_below:,} rows",
    }
