"""`duckanon risk`."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from duckanon.choices import Attacker
from duckanon.cli import output, parameters
from duckanon.cli.output import Format
from duckanon.cli.parameters import MACHINE, same, takes
from duckanon.errors import ExitCode
from duckanon.formatting import figure, percent
from duckanon.job.options import Options, Run, names
from duckanon.reports import risk_lines


@takes(
    {
        "qi": "Quasi-identifiers: the columns that an adversary knows.",
        **same("adversary", "any"),
        **same("max_risk", "attacker", "sets"),
        "population": {"help": "The table from which INPUT was taken, for the journalist risk.", "is_common": True},
        "entity": "Column that identifies persons: count persons instead of rows. `none` counts rows.",
        **same("job", "set", "format", "json", "quiet"),
        **MACHINE,
    }
)
def risk(
    source: parameters.Input = None,
    max_risk: Annotated[
        float | None, typer.Option(metavar="0.09", help="Exit code 1 if the risk of a record is higher.")
    ] = None,
    attacker: Annotated[
        Attacker | None,
        typer.Option(
            metavar="NAME",
            help="Adversary model: prosecutor (default), journalist or marketer. With --population the default is journalist. "
            "The prosecutor knows that a person is in the file; the journalist knows that a person is in the population; "
            "the marketer wants to re-identify as many persons as possible.",
        ),
    ] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--sets", metavar="A,B,C", help="Also measure these columns together; repeatable.")
    ] = None,
    job: parameters.Job = None,
    format: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.table,
    json: parameters.Json = False,
    quiet: parameters.QuietResult = False,
    *,
    options: Options,
    run: Run,
) -> None:
    """Measure the re-identification risk of the records of a file by their quasi-identifiers; the file is not changed.

    The risk of a record is 1 / the number of rows that share its quasi-identifier values. NULL is a value like any other.
    """
    from duckanon.checks import risk as check_risk

    document = check_risk.risk(
        source,
        job=job,
        options=options,
        run=run,
        sets=[names(text) for text in sets or ()],
        max_risk=max_risk,
        attacker=attacker,
        observer=output.ConsoleObserver(quiet=quiet),
    )
    chosen = Format.json if json else format
    if not quiet or max_risk is None or chosen is not Format.table:
        output.data(_printed(document, chosen))
    if document["status"] == "exceeded":
        held = document["held"]
        output.error(
            f"the {held['attacker']} risk of {document['source']!r} is {figure(held['risk'], beside=held['at_most'])}, above {held['at_most']:g}; "
            "anonymize it (duckanon anonymize), or drop a column from the file"
        )
        raise typer.Exit(ExitCode.NOT_MET)


def _printed(document: Mapping[str, Any], format: Format) -> str:
    if format is Format.json:
        return output.json(document)
    heads, rows = _attackers(document["risk"])
    if format is Format.csv:
        return output.csv(heads, rows)
    shown = [[row[0], *map(_risk, row[1:3]), *map(_share, row[3:])] for row in rows]
    parts = [output.table(heads, shown, right=set(range(1, len(heads)))), "", *map(output.printable, _lines(document))]
    parts += ["", _adversaries(document)] if "adversaries" in document else []
    parts += ["", _attributes(document), "", _sets(document)]
    if document["population"] is not None:
        parts += ["", *_population(document["population"])]
    return "\n".join(parts)


def _attackers(figures: Mapping[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """The risks of each adversary model, and the share of the rows above each threshold."""
    thresholds = list(figures["prosecutor"]["at_risk"])
    heads = ["adversary model", "highest risk", "average risk", *(f"rows above {threshold}" for threshold in thresholds)]
    rows = [
        [name, risk["highest"], risk["average"], *risk["at_risk"].values()]
        for name in ("prosecutor", "journalist")
        for risk in [figures[name]]
    ]
    return heads, [*rows, ["marketer", None, figures["marketer"], *[None] * len(thresholds)]]


def _adversaries(document: Mapping[str, Any]) -> str:
    heads = ["adversary", "knows", "highest risk", "average risk", "uniques"]
    rows = [
        [
            name,
            ", ".join(seen["columns"]),
            figure(seen["prosecutor"]["highest"]),
            figure(seen["prosecutor"]["average"]),
            f"{seen['uniques']:,}",
        ]
        for name, seen in document["adversaries"].items()
    ]
    return output.table(heads, rows, right={2, 3, 4})


def _lines(document: Mapping[str, Any]) -> list[str]:
    figures, hidden = document["risk"], document["suppressed"]
    rows = document["rows"] - hidden
    sizes = ", ".join(f"{_range(size)}: {size['classes']:,}" for size in figures["sizes"])
    lines = [
        f"{rows:,} rows in {figures['classes']:,} classes; {figures['uniques']:,} of them have size 1, counting {figures['unit']}",
        f"classes by size: {sizes}",
        *risk_lines.of_persons(figures),
    ]
    if hidden:
        lines.append(
            f"{hidden:,} more rows are suppressed (* in every quasi-identifier): they match any record, and count as no class"
        )
    if document["singled_out"] is not None:
        lines += risk_lines.of_singled_out(document["singled_out"])
    if (few := document.get("any_columns")) is not None:
        lines.append(
            f"by any {few['columns']} columns ({few['sets']:,} sets): highest risk {figure(few['highest'])}, {few['uniques']:,} records singled out"
        )
    wildcards = document["wildcards"]
    if wildcards is not None and "not_measured" in wildcards:
        lines.append(f"with * read as any value: not measured, because {wildcards['not_measured']}")
    elif wildcards is not None:
        lines.append(
            f"with * read as any value: every record matches at least {wildcards['smallest']:,} rows; {wildcards['uniques']:,} records may be unique"
        )
    if document["nulls"]:
        lines.append(
            "NULL counts as a value: " + ", ".join(f"{name} {count:,} rows" for name, count in document["nulls"].items())
        )
    return lines


def _range(size: Mapping[str, int]) -> str:
    return f"{size['from']:,}" if size["from"] == size["to"] else f"{size['from']:,}-{size['to']:,}"


def _attributes(document: Mapping[str, Any]) -> str:
    heads = ["column", "distinction", "separation", "uniques without it", "contribution"]
    rows = [
        [
            attribute["column"],
            figure(attribute["distinction"]),
            figure(attribute["separation"]),
            f"{attribute['uniques_without']:,}",
            "" if attribute["contribution"] is None else f"{attribute['contribution']:.1%}",
        ]
        for attribute in document["attributes"]
    ]
    return output.table(heads, rows, right={1, 2, 3, 4})


def _sets(document: Mapping[str, Any]) -> str:
    """The requested sets, and the ten pairs with the highest distinction."""
    pairs = sorted(document["pairs"], key=lambda subset: -subset["distinction"])[:10]
    rows = [
        [", ".join(subset["columns"]), figure(subset["distinction"]), figure(subset["separation"]), f"{subset['uniques']:,}"]
        for subset in [*document["sets"], *pairs]
    ]
    return output.table(["columns together", "distinction", "separation", "uniques"], rows, right={1, 2, 3}) if rows else ""


def _population(population: Mapping[str, Any]) -> Sequence[str]:
    lines = [
        f"estimated population uniques (population {population['population']:,}, sampling fraction {figure(100 * population['sample_fraction'])}%):"
    ]
    for estimate in population["estimates"]:
        result = (
            f"{estimate['uniques']:,.0f} records ({figure(100 * estimate['share'])}%)"
            if estimate["failed"] is None
            else f"no estimate: {estimate['failed']}"
        )
        lines.append(f"  {estimate['model']}: {result}")
    return [*lines, f"  recommended model at this sampling fraction (Dankar et al. 2012): {population['model'] or 'none'}"]


def _risk(risk: float | None) -> str:
    return "" if risk is None else figure(risk)


def _share(share: float | None) -> str:
    return "" if share is None else percent(share)
