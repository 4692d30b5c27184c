"""Command lines of every command, made of the options that each really has."""

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from tests.support.command_tree import ALL
from tests.trust.fuzz.names import PLANTED

_NUMBERS = ("0", "1", "2", "3", "5", "-1", "0.5", "1e3", "nan", "inf", "²", "9" * 30, "", "many")
_COLUMNS = ("age", "sex", "age,sex", "age,sex,zip", "job", "name", "pay", "sexx", "age,age", "", ",", '"', PLANTED, "AGE")
_SOURCES = (
    "people.parquet",
    "people.csv",
    "people.duckdb::people",
    "people.*",
    ".",
    "nobody.parquet",
    "out.parquet",
    "-",
    "a\x1bb",
    PLANTED,
)
_MADE = (
    "made.csv",
    "made.parquet",
    "made.yaml",
    "made.html",
    "made.txt",
    "people.parquet",
    "nowhere/made.csv",
    ".",
    "",
    PLANTED,
)
_MANIFESTS = ("out.parquet.manifest.json", "out.parquet.manifest.json", "people.parquet", "bad.json", ".", "nobody", PLANTED)
_SPECS = (
    "age.yaml",
    "sex.csv",
    "zip.csv",
    "adult/five-year/age",
    "adult/five-year",
    "adult/none",
    ".",
    "bad.yaml",
    "people.parquet",
    "",
)
_REGISTERS = (
    "releases.duckdb",
    "releases.duckdb",
    "new.duckdb",
    "people.duckdb",
    "people.parquet",
    ".",
    "nobody/r.duckdb",
    PLANTED,
)
_JOBS = ("job.yaml", "job.yaml", "bad.yaml", "people.parquet", "nobody.yaml", ".")

_SAID: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(
        [
            "--qi",
            "--sensitive",
            "--identifying",
            "--pseudonym",
            "--keep",
            "--columns",
            "--column",
            "--sets",
        ],
        _COLUMNS,
    ),
    **dict.fromkeys(["--entity"], ("k", "name", "age", "nobody", "")),
    **dict.fromkeys(["--input", "--data", "--population", "--like"], _SOURCES),
    **dict.fromkeys(
        [
            "--output",
            "--write-job",
            "--report",
            "--public-report",
            "--public-manifest",
            "--workspace",
            "--lookups",
            "--comparison",
        ],
        _MADE,
    ),
    "--job": _JOBS,
    "--hierarchies": (
        "adult/five-year",
        "age=age.yaml",
        "sex=sex.csv",
        "zip=zip.csv",
        ".",
        "age=bad.yaml",
        "age=",
        "=x",
        PLANTED,
    ),
    "--require": (
        *("k=2", "k=5", "distinct-l=2@job", "entropy-l=1.5@job", "t=0.5@job", "t-ordered=0.5@pay", "t-hierarchical=0.5@job"),
        *("recursive-cl=4,2@job", "alpha-k=0.9,2@job", "beta=9@job", "enhanced-beta=9@job", "delta=3@job", "k-map=1"),
        *("delta-presence=0,1", "average-risk=0.9", "highest-risk=0.9", "k", "k=", "=2", "l=3", "t=nan@job", PLANTED),
    ),
    "--max-suppression": ("0", "20", "5%", "0.5", "100%", "101%", "-1", "nan", "lots", "1,2", "0,5%"),
    "--algorithms": ("optimal,greedy", "mondrian", "local,balanced", "samarati", "none", ",", ""),
    "--engine": ("duckdb", "spork", ""),
    "--memory-limit": ("1GB", "lots", "-1", "", "1"),
    "--temp-directory": (".", "nowhere", "people.parquet"),
    "--threads": ("1", "2", "0", "-1", "x"),
    "--rows": ("1", "5", "0", "-1", "x", "40"),
    "--row": ("1", "5", "40", "41", "0", "-1", "9" * 25),
    "--class": ("age=*", "sex=F", "age=[30, 35)", "sex", "=", "nobody=1", PLANTED),
    "--dialect": ("duckdb", "spark", "snowflake", "bigquery", "postgres", "trino", "oracle", ""),
    "--table": ("people", "a.b", "", PLANTED, '"; drop table x; --', "a.b.c.d.e"),
    "--released": ("people", "input", "", PLANTED),
    "--levels": ("age=1,sex=0", "age=1", "age=99", "age", "nobody=1", "", PLANTED),
    "--set": (
        *(
            "columns.age.max-loss=0.9",
            "output.shuffle=false",
            "columns.age.cut=order",
            "accept=key",
            "columns.name.mask.last=2",
        ),
        *(
            "output.partition-by=[job]",
            "names=[a, b]",
            "privacy=[{model: k-anonymity, k-column: k}]",
            "columns.nobody.weight=1",
        ),
        *("columns.age.max-loss=2", "columns=5", "privacy=5", "output=[", "=2", "x", "k=2", '"age"=1', "policy.x=1", PLANTED),
    ),
    "--protect": ("job", "age", "name", "nobody", "", PLANTED),
    "--microaggregate": (
        "pay=mean",
        "job=mode",
        "age=interval",
        "pay=mean:1",
        "pay=mean:-1",
        "pay=mean:99999",
        "pay",
        "nobody=set",
    ),
    "--shift": ("born=30", "born=36500", "born=0", "born", "age=3", "born=nan", "=3", "nobody=3", PLANTED),
    "--release": ("spring", "autumn", "", "{{ 7*7 }}", "x" * 300, PLANTED),
    "--key-file": ("the.key", "the.key", "short.key", "empty.key", "nobody.key", "people.parquet", ".", "", PLANTED),
    "--missing": ("?", "", "1", "F", PLANTED),
    "--register": _REGISTERS,
}
_ARGUMENTS: Mapping[str, Sequence[str]] = {
    "anonymize source": _SOURCES,
    "manifest": _MANIFESTS,
    "source": _SOURCES,
    "spec": _SPECS,
    "specs": _SPECS,
    "target": _MADE,
    "path": _JOBS,
    "name": ("release/recoded", "nothing", "../../etc/passwd", "", PLANTED),
    "convert source": _SPECS,
    "register": _REGISTERS,
    "release": ("1", "out.parquet", "99", "", PLANTED),
    "kind": ("visits", "adult", "survey", "visit", "", PLANTED),
}


@st.composite
def lines(draw: st.DrawFn) -> list[str]:
    """Arguments for one command: its own options with right and wrong values, seldom one that it has not."""
    command = draw(st.sampled_from(ALL))
    arguments = list(command.words)
    options = [entry for entry in command.parameters if entry.opts[0].startswith("-") and "--engine" not in entry.opts]
    for parameter in command.parameters:
        if not parameter.opts[0].startswith("-") and draw(st.integers(0, 19)):
            values = _ARGUMENTS.get(f"{command.words[-1]} {parameter.name}", _ARGUMENTS[parameter.name])
            # the first is the one that works
            arguments.append(draw(st.one_of(st.just(values[0]), st.just(values[0]), st.sampled_from(values))))
    usual = [option for option in options if option.opts[-1] in ("--qi", "--hierarchies", "--data", "--output")]
    chosen = draw(st.lists(st.sampled_from(options), max_size=4)) if options else []
    for parameter in [*(entry for entry in usual if draw(st.booleans())), *chosen]:
        flag = draw(st.sampled_from([*parameter.opts, *parameter.secondary_opts]))
        arguments.append(flag)
        if not parameter.is_flag:
            words = next((_SAID[known] for known in parameter.opts if known in _SAID), _NUMBERS)
            right = words[: max(1, len(words) // 2)]
            arguments.append(draw(st.one_of(st.sampled_from(right), st.sampled_from(right), st.sampled_from(words))))
    if draw(st.integers(0, 29)) == 0:
        arguments.append(draw(st.sampled_from(["--nothing", "-x", "--", "--help", "more", "\u202e", "-h"])))
    return arguments
