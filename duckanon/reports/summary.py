"""The summary of a run as text, and the phrases that it shares with other documents."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duckanon.formatting import aligned, check_name, figure, first_of, in_rows, malformed, percent, shortened
from duckanon.job import accepted
from duckanon.reports.risk_lines import risk_lines

if TYPE_CHECKING:
    from duckanon.job.options import Run
    from duckanon.release.manifest_model.document import Manifest
    from duckanon.release.manifest_model.files import DriftReport, PersonCounts, ProtectedColumn, TreatedIdentifier

_NUMBER = r"-?[0-9.]+(e[+-]?[0-9]+)?"
_RANGE = re.compile(rf"\[{_NUMBER}, {_NUMBER}[)\]]|[<>]=? ?{_NUMBER}")


def summary(manifest: "Manifest", *, is_brief: bool = False) -> list[str]:
    """The lines of a summary: the roles of the columns, the privacy requirements, the figures before and after.

    A brief summary cuts lists, and has only the figures that a decision needs.
    """
    between = [] if is_brief else [""]
    # the only requirement of a brief summary is the head of the figures
    guarantee = _guarantee(manifest) if not is_brief or len(manifest.privacy) > 1 else []
    lines = [*_roles(manifest, is_brief=is_brief), *between, *guarantee, *between, *_figures(manifest, is_brief=is_brief)]
    return [*lines, *_remarks(manifest, is_brief=is_brief)]


def files(manifest: "Manifest", run: "Run", public_manifest: Path | None = None, *, is_brief: bool = False) -> list[str]:
    """The files of a run, whether each may be shared, and the next command; a brief list has the internal ones in one line."""
    if manifest.output is None:
        return ["dry run: nothing is written"] if manifest.status == "dry-run" else []
    # imported here, because --help does not need it
    from duckanon.release.manifest import path_for

    output, described = manifest.output.file, path_for(manifest.output.file)
    internal = []
    if manifest.saved_recoding is not None:
        internal += [(str(described), "internal: duckanon explain, report, apply, check")]
        saved = f"{output.with_name(manifest.saved_recoding.path)}/"
        internal += [(saved, "internal: duckanon apply; contains original values")]
    if manifest.job is not None:
        internal += [(str(output.with_name(manifest.job)), "internal: the detected roles; edit them, then run with --job")]
    rows = [(manifest.output.path, "share this"), *internal]
    if is_brief and internal:
        rows = [
            (manifest.output.path, f"share this; internal: {', '.join(path.removeprefix(str(output)) for path, _ in internal)}")
        ]
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
    return [*([] if is_brief else [""]), *aligned(rows), *following]


def _roles(manifest: "Manifest", *, is_brief: bool) -> list[str]:
    head = "Roles"
    if manifest.roles == "detected":
        output = manifest.output
        edited = f"edit {output.file.with_name(manifest.job)}, " if output is not None and manifest.job is not None else ""
        head += f" (detected; {edited}-v shows why)"
    columns: dict[str, list[str]] = {}
    for name, role in manifest.columns.items():
        columns.setdefault(_ROLES.get(role, role), []).append(name)
    listed = shortened if is_brief else first_of
    names = columns.get("quasi-identifiers", [])
    rows = [("  quasi-identifiers", _generalized(manifest, names, is_brief=is_brief))]
    if manifest.risk is not None and manifest.risk.adversaries:
        rows += [(f"  {name} knows", ", ".join(seen.columns)) for name, seen in manifest.risk.adversaries.items()]
    if manifest.determined:
        known = [f"{name} from {' or '.join(map(' and '.join, sets))}" for name, sets in manifest.determined.items()]
        rows.append(("  adversaries know", listed(known)))
    rows += [(f"  {title}", listed(columns[title])) for title in ("sensitive", "retained") if title in columns]
    treated = manifest.identifiers or {}
    if treated:
        rows.append(("  direct identifiers", ", ".join(f"{name} ({entry.treatment})" for name, entry in treated.items())))
    if dropped := [name for name in columns.get("dropped", ()) if name not in treated]:
        rows.append(("  dropped", listed(dropped)))
    if (persons := _persons(manifest.persons, is_brief=is_brief)) is not None:
        rows.append(("  persons", persons))
    if manifest.nulls:
        judged = {check.document().get("column") for check in manifest.privacy}
        both = [
            name
            for name in manifest.nulls
            if name in judged and not accepted.accepts(manifest.accepted or [], "missing-values", name)
        ]
        counts = listed([name if is_brief else f"{name} {in_rows(count)}" for name, count in manifest.nulls.items()])
        without = f"; models of {listed(both)} are judged without it too" if both else ""
        rows.append(("  NULL", f"counts as a value: {counts}{without}"))
    return [head, *aligned(rows)]


_ROLES = {"quasi-identifier": "quasi-identifiers", "insensitive": "retained", "kept": "retained", "identifying": "dropped"}


_MOST_LABELLED = 6
_MOST_CHARACTERS = 165
"""The characters of the quasi-identifiers in a brief summary, which are three lines of a terminal."""


def _generalized(manifest: "Manifest", names: Sequence[str], *, is_brief: bool) -> str:
    """The quasi-identifiers with the labels that most released records have, and those whose values did not change.

    The labels of the first are shown, so that many columns fit on a screen; in a brief summary as far as there is space for all names.
    """
    labels = {name: _labels(manifest, name) for name in names}
    unchanged = [name for name in names if labels[name] == _UNCHANGED]
    rest = [f"{shortened(unchanged) if is_brief else ', '.join(unchanged)} unchanged"] if unchanged else []
    changed = [name for name in names if labels[name] != _UNCHANGED]
    items = [*changed]
    for number, name in enumerate(changed):
        longer = [*items[:number], f"{name}{labels[name]}", *items[number + 1 :]]
        is_long = len("; ".join([*longer, *rest])) > _MOST_CHARACTERS
        if is_long if is_brief else names.index(name) >= _MOST_LABELLED and " → level " not in labels[name]:
            continue
        items = longer
    return "; ".join([*([shortened(items, _MOST_CHARACTERS, "; ") if is_brief else "; ".join(items)] if items else []), *rest])


_UNCHANGED = " unchanged"


def _labels(manifest: "Manifest", name: str) -> str:
    """The labels of a quasi-identifier that most released records have, or its level."""
    level = manifest.recoding.document().get("levels", {}).get(name)
    shown = (manifest.written and manifest.written.labels) or {}
    ranges = manifest.ranges or {}
    if name in shown:
        columns = f" as {' and '.join(ranges[name].columns)}" if name in ranges else ""
        return f" → {', '.join(shown[name][:2])}{', ...' if len(shown[name]) > 2 else ''}{columns}"
    return _UNCHANGED if level == 0 else "" if level is None else f" → level {level}"


def _guarantee(manifest: "Manifest") -> list[str]:
    """One line for each required privacy model."""
    rows = [
        (f"  {_model(check)}", _verdict(check), f"{_achieved(check)}{_counting(check)}{references(check)}")
        for check in (check.document() for check in manifest.privacy)
    ]
    return [f"Privacy requirements ({_verified(manifest)})", *aligned(rows)]


def _verified(manifest: "Manifest") -> str:
    return "verified on the output file" if manifest.status == "released" else "not verified: nothing is written"


def _verdict(check: Mapping[str, Any]) -> str:
    return "PASS" if check["passed"] else "FAIL"


def _achieved(check: Mapping[str, Any]) -> str:
    return f"achieved {figure(check['achieved'], beside=check['required'])}"


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


def _figures(manifest: "Manifest", *, is_brief: bool) -> list[str]:
    """The figures before and after; a brief summary has no averages and no sizes of classes."""
    rows, classes, limit = manifest.rows, manifest.classes, manifest.suppression
    first, last = "", ""
    if is_brief and len(manifest.privacy) == 1:
        [check] = (check.document() for check in manifest.privacy)
        first, last = f"{_model(check)}  {_verdict(check)}  {_achieved(check)}", f"{_verified(manifest)}{references(check)}"
    lines = [(first, "before", "after", last)]
    if manifest.risk is not None and manifest.risk.after is not None:
        before, after = manifest.risk.before, manifest.risk.after
        if before.levels:
            at_levels = first_of([f"{name} at level {level}" for name, level in before.levels.items()])
            lines = [(first, f"before ({at_levels})", "after", last)]
        lines += risk_lines(manifest.risk, before, after, person="person" if is_brief else None)
    share = rows.suppressed / max(1, rows.read - rows.missing)
    allowed = limit.limit if limit.limit.endswith("%") else f"{limit.rows:,} records"
    missing = f"; {malformed(rows.malformed)} left out" if rows.malformed else ""
    missing += f"; {rows.missing:,} dropped for missing values" if rows.missing else ""
    suppressed = f"{rows.suppressed:,} suppressed ({percent(share)}, limit {allowed}){missing}"
    lines.append(("  records", f"{rows.read:,}", f"{rows.released:,}", suppressed))
    sizes = f"smallest {classes.smallest:,}, average {classes.average:,.1f}"
    if is_brief:
        lines = [line for line in lines if not line[0].startswith(_DETAILS)]
    else:
        lines.append(("  equivalence classes", "", f"{classes.count:,}", sizes))
    if (written := manifest.written) is not None and written.columns > list(manifest.columns.values()).count(
        "quasi-identifier"
    ):
        lines.append(("  unique over all released columns", "", f"{written.unique_records:,}", ""))
    how, headline = search(manifest.recoding.document()), manifest.metrics.loss
    if is_brief:
        how = f"by {manifest.recoding.document()['algorithm']}"
    if manifest.metrics.loss_with_dropped is not None:
        headline, own = manifest.metrics.loss_with_dropped, percent(headline)
        how = (
            f"{own} without {dropped(manifest.lost_columns or ())}"
            if is_brief
            else (f"with {dropped(manifest.lost_columns or ())}; {own} of the quasi-identifiers, {how}")
        )
    lines.append(("  information loss", "", percent(headline), how))
    return aligned(lines, right=(1, 2))


_DETAILS = ("  average ", "  largest share ")
"""The beginning of the figures that a brief summary leaves out."""


def dropped(columns: Sequence[str]) -> str:
    """The number of dropped columns that a loss counts."""
    return f"{len(columns):,} dropped column{'' if len(columns) == 1 else 's'}"


def _remarks(manifest: "Manifest", *, is_brief: bool) -> list[str]:
    """Lines that only some runs have."""
    rows = {
        **({} if is_brief else _passes(manifest.recoding.document())),
        **_drift(manifest.drift),
        "protected": "; ".join(_protected(manifest.suppression.protected or {})),
        "linked rows": "; ".join(_linked(manifest.identifiers or {})),
        "possible values": "; ".join(_possible(manifest.persons)),
        "accepted": "; ".join(map(accepted.described, manifest.accepted or [])),
        "text": _ranges(manifest, is_brief=is_brief),
    }
    lines = aligned([(f"  {name}", text) for name, text in rows.items() if text])
    return ["", *lines] if lines and not is_brief else lines


def _ranges(manifest: "Manifest", *, is_brief: bool) -> str:
    """The columns of numbers that became text, because they show ranges, and the option that writes numbers."""
    labels = (manifest.written and manifest.written.labels) or {}
    names = [
        name for name, shown in labels.items() if name not in (manifest.ranges or {}) and any(map(_RANGE.fullmatch, shown))
    ]
    listed = shortened(names, 12) if is_brief else first_of(names)
    return f"ranges of {listed}; --ranges bounds or midpoint writes numbers" if names else ""


def alternatives(manifest: "Manifest", command: str = "") -> list[str]:
    """One line for what each other choice would give, with the options to add to `command`."""
    before = f"or {command}" if command else "or add"
    return [
        f"{before} {other['options']}  →  {_given(other)}"
        for other in (each.document() for each in manifest.alternatives or ())
    ]


def alternative(other: Mapping[str, Any]) -> str:
    """What other options would give, for a message; keys of an entry of `manifest.alternatives`."""
    return f"{other['options']} would give {_given(other)}"


def _given(other: Mapping[str, Any]) -> str:
    """The loss and the suppression of an alternative, and how it differs otherwise."""
    at_most = "" if other.get("exact", True) else "at most "
    instead = f" instead of {percent(other['loss_of_release'])}" if other["loss_of_release"] < 1 else ""
    parts = [f"loss {at_most}{percent(other['loss'])}{instead}"]
    if other.get("suppressed") is not None and not at_most:
        parts.append(f"{other['suppressed']:,} suppressed")
    if lost := other.get("lost_columns"):
        parts.append(f"{len(lost):,} column{'' if len(lost) == 1 else 's'} lost")
    if (size := other.get("any_columns")) is not None:
        parts.append(
            f"but k only for adversaries who know {size} quasi-identifiers: {in_rows(other['unique_records'])} unique over all of them"
        )
    elif "--k" in other["options"]:
        parts.append("a lower risk")
    elif "optimal" in other["options"]:
        parts.append("equal labels")
    return ", ".join(parts)


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


def _persons(persons: "PersonCounts | None", *, is_brief: bool) -> str | None:
    """The number of persons and their column; None if no column identifies persons."""
    if persons is None or persons.chosen is None:
        return None
    if persons.unit == "rows":
        return "not counted: --entity none counts rows"
    detected = " (detected; --entity none counts rows)" if persons.chosen == "detected" and not is_brief else ""
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
