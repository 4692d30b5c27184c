"""What a manifest says, in words: the lines of a summary, and the phrases that other documents share with it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duckanon.formatting import figure, in_rows

if TYPE_CHECKING:
    from duckanon.release.manifest_model.document import Manifest
    from duckanon.release.manifest_model.figures import RiskSummary
    from duckanon.release.manifest_model.rows import DriftReport, PersonCounts, ProtectedColumn, TreatedIdentifier


def summary(manifest: "Manifest") -> dict[str, str]:
    """A run's manifest as lines for a reader, by what they tell of."""
    rows, classes, limit = manifest.rows, manifest.classes, manifest.suppression
    objective, recoding = manifest.recoding.objective, manifest.recoding.document()
    losses = ", ".join(f"{name} {loss:.3f}" for name, loss in manifest.metrics.loss_by_attribute.items())
    share = rows.suppressed / max(1, rows.read - rows.missing)
    kind = f"{objective.name} ({objective.aggregate})" if objective.aggregate else objective.name
    lines = {
        "rows": f"{rows.read:,} read, {rows.missing:,} dropped as missing, {rows.released:,} released",
        **_nulls(manifest.nulls),
        **_persons(manifest.persons),
        "suppressed": f"{rows.suppressed:,} rows ({share:.2%}); the limit is {limit.limit}"
        + (f", {limit.rows:,} rows" if limit.limit != str(limit.rows) else " rows"),
        **_protected(limit.protected or {}),
        **_recoded(recoding),
        **_drift(manifest.drift),
        "classes": f"{classes.count:,}, the smallest of {classes.smallest:,} rows, {classes.average:,.1f} on average",
        **_checks([check.document() for check in manifest.privacy]),
        **_linked(manifest.identifiers or {}),
        **_risk(manifest.risk),
        **_unique(manifest),
        kind: f"{objective.value:.6g}, {search(recoding)}",
        "loss by column": losses,
        "seconds": ", ".join(f"{part} {value:.2f}" for part, value in manifest.seconds.document().items()),
    }
    if manifest.status == "dry-run":
        lines["released"] = "nothing: this was a dry run"
    if manifest.output is None:
        return lines
    # what it takes is loaded by then, and not by a command line that only wants help
    from duckanon.release.manifest import path_for

    output = manifest.output.file
    lines["released"] = f"{manifest.output.path} (share), verified as read back"
    if manifest.job is not None:
        lines["job"] = (
            f"{output.with_name(manifest.job)} (internal) says the roles that were guessed; look at it, correct it, run it with --job"
        )
    if manifest.frozen is not None:
        lines["manifest"] = f"{path_for(output)} (internal), for duckanon explain, report, apply and check"
        lines["recoding"] = (
            f"frozen in {output.with_name(manifest.frozen.path)}/ (internal), for duckanon apply; it holds original values"
        )
    return lines


def files_of(
    report: Path | None, public_report: Path | None, public_manifest: Path | None, workspace: Path | None
) -> dict[str, str]:
    """Lines about the further files of a run: whether each may be shared, or is internal."""
    files = {
        "report": (report, "internal"),
        "public report": (public_report, "share"),
        "public manifest": (public_manifest, "share"),
        "workspace": (workspace, "internal"),
    }
    return {name: f"{path} ({who})" for name, (path, who) in files.items() if path is not None}


def _recoded(recoding: Mapping[str, Any]) -> dict[str, str]:
    """The levels of every row, or the regions that are recoded apart."""
    if "partitions" in recoding:
        return {"partitions": f"{recoding['partitions']:,}, cut in {recoding['rounds']:,} rounds"}
    if "passes" in recoding:
        first, *more = recoding["passes"]
        others = f"; {len(more):,} more passes released the rest" if more else ""
        return {"passes": f"{levels(first['levels'])} for {first['rows']:,} rows{others}"}
    return {"levels": levels(recoding["levels"])}


def levels(levels: Mapping[str, int]) -> str:
    """A node as people read it."""
    return ", ".join(f"{name} {level}" for name, level in levels.items())


def search(recoding: Mapping[str, Any]) -> str:
    """How the recoding was found."""
    if recoding["algorithm"] == "levels":
        return "at the levels given, not searched"
    if "levels" not in recoding:
        stopped = f", stopped by the {recoding['stopped']}" if "stopped" in recoding else ""
        return f"by {recoding['algorithm']}{stopped}"
    return f"{_proof(recoding)}; {recoding['visited']:,} of {recoding['lattice']:,} nodes visited"


def check_name(check: Mapping[str, Any]) -> str:
    """A privacy model as a heading: its name, and what tells it apart."""
    variety = [check[key] for key in ("variant", "distance", "values", "bound") if key in check and check[key] != "all"]
    return " ".join([*variety, check["model"]])


def _persons(persons: "PersonCounts | None") -> dict[str, str]:
    """What classes count, where a column identifies persons or the user said that rows are counted."""
    if persons is None or persons.chosen is None:
        return {}
    if persons.counted == "rows":
        return {"persons": "not counted: --entity none counts rows"}
    detected = "; detected, --entity none counts rows" if persons.chosen == "detected" else ""
    return {"persons": f"{persons.persons:,}, counted in every class by {persons.column}{detected}"}


def _linked(identifiers: "Mapping[str, TreatedIdentifier]") -> dict[str, str]:
    """How many persons share a set of classes, where pseudonyms link a person's rows."""
    lines = [
        f"{name}: at least {linked.achieved:,} pseudonyms share each set of equivalence classes"
        + (
            f"; {linked.persons_below:,} of {linked.persons:,} share theirs with fewer than {linked.required:,}, accepted with --linkable"
            if linked.persons_below
            else ""
        )
        for name, identifier in identifiers.items()
        if (linked := identifier.linked) is not None
    ]
    return {"linked rows": "; ".join(lines)} if lines else {}


def _nulls(nulls: Mapping[str, int] | None) -> dict[str, str]:
    if not nulls:
        return {}
    return {"NULL": "a value of its own; " + ", ".join(f"{name} {rows:,} rows" for name, rows in nulls.items())}


def _checks(checks: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """A line a model; where one is asked of several columns, or twice, they share it."""
    by_name: dict[str, list[str]] = {}
    for check in checks:
        by_name.setdefault(check_name(check), []).append(_check(check))
    return {name: "; ".join(lines) for name, lines in by_name.items()}


def _check(check: Mapping[str, Any]) -> str:
    if check["model"] == "k-anonymity" and check["column"] is not None:
        return (
            f"each record's own {check['column']}, {check['required']} at the most; the smallest class has {check['achieved']}"
        )
    of = f" persons ({check['of']})" if "of" in check and check["column"] is None else ""
    counting = f", counting persons ({check['of']})" if "of" in check and check["column"] is not None else ""
    extra = "".join(f" with {name} = {check[name]:g}" for name in ("l", "k") if name in check)
    about = f"{check['column']}: " if check["column"] is not None else ""
    return f"{about}{check['required']:,.9g}{of}{extra} asked for, {figure(check['achieved'])} achieved{counting}{references(check)}"


def references(check: Mapping[str, Any]) -> str:
    """The distribution that a figure compares with, and the figure by the other one where that is known."""
    if "reference" not in check:
        return ""
    if check["reference"] == "file":
        return ", compared with the distribution in this file"
    own = f"; {figure(check['achieved_in_file'])} compared with that in the file" if "achieved_in_file" in check else ""
    return f", compared with the distribution in the source, which counts{own}"


def _risk(risk: "RiskSummary | None") -> dict[str, str]:
    """What the prosecutor risks to find, before and after."""
    if risk is None or risk.after is None:
        return {}
    before, after = risk.before, risk.after
    return {
        "risk": f"highest {before.prosecutor.highest:.3g}, now {after.prosecutor.highest:.3g}; "
        f"average {before.prosecutor.average:.3g}, now {after.prosecutor.average:.3g}; "
        f"unique records {before.uniques:,}, now {after.uniques:,}"
    }


def _protected(protected: "Mapping[str, ProtectedColumn]") -> dict[str, str]:
    """What the values of protected columns lose."""
    lines = [
        f"{name}: at most {losses.highest:.2%} of the rows with a value, {losses.allowed:.2%} allowed"
        for name, losses in protected.items()
    ]
    return {"protected": "; ".join(lines)} if lines else {}


def _unique(manifest: "Manifest") -> dict[str, str]:
    """How many released records are unique over all columns, if the release has more columns than the quasi-identifiers."""
    written, roles = manifest.written, manifest.columns
    if written is None or written.columns == sum(role == "quasi-identifier" for role in roles.values()):
        return {}
    unique, rows = written.unique_records, manifest.rows.released
    return {
        "unique records": f"{unique:,} of {rows:,} ({unique / rows:.1%}) over all released columns, not the quasi-identifiers alone"
    }


def _proof(recoding: Mapping[str, Any]) -> str:
    """What is known of the node's objective."""
    objective = recoding["objective"]
    if objective["proven"]:
        return "proven optimal"
    if "decided_on" in recoding:
        return f"decided on the {recoding['decided_on']}"
    limit = f", stopped by the {recoding['stopped']}" if "stopped" in recoding else ""
    if recoding["algorithm"] == "optimal":
        return f"best found{limit}, lower bound {objective['bound']:.6g}, gap {objective['gap']:.1%}"
    return f"not proven optimal{limit}"


def _drift(drift: "DriftReport | None") -> dict[str, str]:
    if drift is None:
        return {}
    new = ", ".join(f"{name} {counts.values:,} in {counts.rows:,} rows" for name, counts in drift.new_values.items())
    outside = drift.rows_outside
    return {
        "new values": new or "none outside the hierarchies",
        **({"left out": f"{in_rows(outside)} that the recoding does not cover"} if outside else {}),
        "classes below": f"{drift.classes_below:,} with {drift.rows_below:,} rows",
    }
