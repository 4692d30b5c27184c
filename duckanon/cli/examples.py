"""The examples at the end of each help text, in the order of a first session."""

from collections.abc import Sequence

import typer

_MANIFEST = "adult.anonymized.parquet.manifest.json"

EXAMPLES: dict[str, Sequence[str]] = {
    "demo": ("duckanon demo", "duckanon demo --rows 1000000 -o people.csv"),
    "profile": (
        "duckanon profile adult.parquet",
        "duckanon profile adult.parquet --write-job job.yaml",
        "duckanon profile adult.parquet --hipaa",
    ),
    "job validate": ("duckanon job validate job.yaml",),
    "job schema": ("duckanon job schema > job.schema.json",),
    "hierarchy list": ("duckanon hierarchy list",),
    "hierarchy show": ("duckanon hierarchy show adult/five-year/age --data adult.parquet",),
    "hierarchy suggest": (
        "duckanon hierarchy suggest adult.parquet --column hours-per-week",
        "duckanon hierarchy suggest adult.parquet --column age -o age.yaml",
    ),
    "hierarchy check": ("duckanon hierarchy check age.yaml --data adult.parquet", "duckanon hierarchy check adult/five-year"),
    "hierarchy build": ("duckanon hierarchy build age.yaml --data adult.parquet -o age.csv",),
    "hierarchy convert": ("duckanon hierarchy convert age.csv age-tree.yaml",),
    "anonymize": (
        "duckanon anonymize adult.parquet --qi age,sex,race,marital-status --sensitive income --k 10 --max-suppression 1%",
        "duckanon anonymize adult.parquet --job job.yaml -o people.parquet --report people.html",
        "duckanon anonymize adult.parquet --qi age,sex --sensitive income --require distinct-l=2 --hierarchies adult/five-year -o two.csv",
        "duckanon anonymize adult.parquet --qi age,sex --hierarchies age=age.yaml --hierarchies adult/five-year --levels age=1,sex=0 --workspace work.duckdb -o leveled.parquet",
        "duckanon anonymize adult.parquet --qi age,sex --sensitive income --register releases.duckdb -o registered.parquet",
    ),
    "studio": (
        "duckanon studio adult.parquet",
        "duckanon studio adult.parquet --job job.yaml --no-browser",
    ),
    "register list": ("duckanon register list releases.duckdb",),
    "register compare": ("duckanon register compare releases.duckdb",),
    "register forget": ("duckanon register forget releases.duckdb 1",),
    "check": (
        "duckanon check adult.anonymized.parquet --qi age,sex --sensitive income --require k=5 --require t=0.9",
        f"duckanon check adult.anonymized.parquet --manifest {_MANIFEST}",
    ),
    "risk": (
        "duckanon risk adult.anonymized.parquet --qi age,race,sex,marital-status --max-risk 0.2",
        "duckanon risk adult.parquet --qi age,sex,race,marital-status --set population-size=300000000",
    ),
    "explain": (f"duckanon explain {_MANIFEST}", f"duckanon explain {_MANIFEST} --row 17"),
    "report": (f"duckanon report {_MANIFEST}", f"duckanon report {_MANIFEST} --public-report public.html"),
    "attest": (f"duckanon attest {_MANIFEST} --key ed25519.pem",),
    "apply": (f"duckanon apply {_MANIFEST} adult.parquet -o again.parquet",),
    "compare": (
        "duckanon compare adult.parquet --qi age,sex,race --hierarchies adult/five-year --algorithms optimal,mondrian --k 2,5,10 --max-suppression 0,1%",
    ),
    "sql list": ("duckanon sql list",),
    "sql show": ("duckanon sql show release/recoded",),
    "sql release": (
        f"duckanon sql release {_MANIFEST} --dialect snowflake --table people_2027",
        f"duckanon sql release {_MANIFEST} --as dbt --table hr.people --released people_released -o dbt",
    ),
}
"""Examples by command; each example uses files that earlier examples write."""

_ENDS = (
    "Exit codes: 0 done, and the guarantee holds; 1 infeasible, not verified, a required model does not hold, or a warning with --strict; 2 options, job or hierarchy "
    "are wrong; 3 input, output or engine failed; 130 interrupted.",
    "Data goes to standard output, everything else to standard error. Environment: DUCKANON_KEY (key of pseudonyms), TMPDIR, NO_COLOR.",
    "First steps: duckanon demo && duckanon anonymize adult.parquet",
)


def show_in(app: typer.Typer) -> None:
    """Add examples and exit codes to the help of the application and its commands."""
    app.info.epilog = _paragraphs(_ENDS)
    for words, command in _commands(app):
        command.epilog = _paragraphs(("Examples:", *(f"$ {line}" for line in EXAMPLES[words])))


def _commands(app: typer.Typer, above: str = "") -> list[tuple[str, typer.models.CommandInfo]]:
    commands = [(f"{above}{command.name}", command) for command in app.registered_commands]
    for group in app.registered_groups:
        if group.typer_instance is not None:
            commands += _commands(group.typer_instance, f"{above}{group.name or group.typer_instance.info.name} ")
    return commands


def _paragraphs(lines: Sequence[str]) -> str:
    return "\n\n".join(lines)
