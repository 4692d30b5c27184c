"""`sql release --as dbt`: the project is built and tested with dbt-core and dbt-duckdb, and releases what `apply` releases."""

import errno
import json
import os
import re
import stat
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from duckanon.engine.journal import Move
from duckanon.engine.templates import ident, literal
from duckanon.errors import JobError, OutputError
from duckanon.export.dbt import export_dbt
from duckanon.export.statements import DIALECTS
from duckanon.job.options import Options, Run
from tests.support.command_line import Cli
from tests.support.environments import PEERS, programs
from tests.support.rows import write_parquet, write_table
from tests.support.runs import anonymize, apply

PROFILE = {"releases": {"target": "dev", "outputs": {"dev": {"type": "duckdb", "path": "warehouse.duckdb"}}}}
Dbt = Callable[..., dict[str, str]]
QI = {"role": "quasi-identifier"}


@pytest.fixture(scope="session")
def dbt() -> Dbt:
    """Runs dbt in a project; gives the status of each node by its name."""
    program = programs(PEERS / "dbt.txt") / "dbt"

    def run(project: Path, command: str = "build") -> dict[str, str]:
        environment = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_PROFILES_DIR": str(project)}
        ran = subprocess.run(
            [program, "--no-use-colors", "--warn-error", command],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        results = project / "target" / "run_results.json"
        assert results.exists(), ran.stdout + ran.stderr
        statuses = {
            result["unique_id"].split(".")[2]: result["status"] for result in json.loads(results.read_text())["results"]
        }
        results.unlink()
        assert ran.returncode == (0 if set(statuses.values()) <= {"success", "pass"} else 1), ran.stdout
        return statuses

    return run


def people(count: int = 600) -> list[dict[str, Any]]:
    towns = ["Bonn", "Ulm", "Jena"]
    return [
        {"age": 20 + number * 20 // count, "town": towns[number % 3], "sex": "fm"[number % 2], "hours": number % 7}
        for number in range(count)
    ]


def job(folder: Path, **more: Any) -> dict[str, Any]:
    towns = write_table(folder / "towns.csv", [["Bonn", "west", "*"], ["Ulm", "south", "*"], ["Jena", "east", "*"]])
    columns: dict[str, Any] = {
        "age": {**QI, "hierarchy": {"kind": "intervals", "widths": [5, 10]}},
        "town": {**QI, "hierarchy": str(towns)},
        "sex": QI,
        "hours": {"role": "insensitive"},
    }
    content: dict[str, Any] = {
        "columns": columns,
        "recoding": {"levels": {"age": 1, "town": 1, "sex": 0}},
        "privacy": [{"model": "k-anonymity", "k": 10}],
        "suppression": {"limit": "2%"},
    }
    return content | more


def release(folder: Path, content: Mapping[str, Any], rows: Sequence[dict[str, Any]]) -> Path:
    write_parquet(folder / "people.parquet", rows)
    anonymize(folder / "people.parquet", folder / "out.parquet", job=content)
    return folder / "out.parquet.manifest.json"


def project_of(manifest: Path, new: Sequence[dict[str, Any]] | None = None, **more: Any) -> Path:
    """The project of a release, with a warehouse that has the input, or new rows of the same columns."""
    folder = manifest.parent / "dbt"
    export_dbt(manifest, folder, table="hr.people", released="people_released", **more)
    (folder / "profiles.yml").write_text(yaml.safe_dump(PROFILE))
    if new is not None:
        write_parquet(manifest.parent / "new.parquet", new)
    fill(folder, manifest.parent / ("people.parquet" if new is None else "new.parquet"))
    return folder


def fill(project: Path, table: Path) -> None:
    execute(project, "create schema if not exists hr")
    execute(project, f"create or replace table hr.people as from {literal(str(table))}")


def execute(project: Path, statement: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(project / "warehouse.duckdb") as connection:
        return connection.execute(statement).fetchall()


def rows_of(relation: str, project: Path) -> Counter[tuple[str, ...]]:
    """The rows of a relation as a multiset, with their columns sorted by name."""
    with duckdb.connect(project / "warehouse.duckdb") as connection:
        names = sorted(name for name, *_ in connection.execute(f"describe from {relation}").fetchall())
        cursor = connection.execute(f"select {', '.join(map(ident, names))} from {relation}")
        return Counter((str(names), *map(repr, row)) for row in cursor.fetchall())


def applied(manifest: Path, source: str) -> str:
    """What `apply` releases, as a relation."""
    target = manifest.parent / "applied.parquet"
    apply(manifest, manifest.parent / source, target, options=Options(max_suppression="100%"), run=Run(overwrite=True))
    return f"read_parquet({literal(str(target))})"


RELEASES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "drop": job,
    "star": lambda folder: job(folder, suppression={"limit": "2%", "style": "star"}),
    "no seeds": lambda folder: job(folder, columns={"age": job(folder)["columns"]["age"]}, recoding={"levels": {"age": 1}}),
    "sensitive": lambda folder: job(
        folder,
        columns={**job(folder)["columns"], "hours": {"role": "sensitive"}},
        privacy=[{"model": "k-anonymity", "k": 10}, {"model": "l-diversity", "l": 3}],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RELEASES)
def test_the_project_releases_what_apply_releases(name: str, tmp_path: Path, dbt: Dbt) -> None:
    new = [
        *people(590),
        *people(4),
        {"age": 90, "town": "Ulm", "sex": "f", "hours": 1},
        {"age": 30, "town": "Rom", "sex": "f", "hours": 1},
    ]
    manifest = release(tmp_path, RELEASES[name](tmp_path), people())
    project = project_of(manifest, new)
    statuses = dbt(project)
    assert {"people_released_satisfies_privacy", "people_released_leaves_few_rows_out", "people_published"} <= set(statuses)
    assert set(statuses.values()) == {"success", "pass"}
    assert any("lookup" in node for node in statuses) == (name != "no seeds")
    expected = rows_of(applied(manifest, "new.parquet"), project)
    assert rows_of("people_published", project) == rows_of("people_released", project) == expected
    ages = execute(project, "select age from people_published limit 5")
    assert len(set(ages)) > 1, "the order of the source, in which ages of one class stand together, is released"


@pytest.mark.slow
def test_a_class_below_k_fails_the_build_and_the_published_table_stays(tmp_path: Path, dbt: Dbt) -> None:
    manifest = release(tmp_path, job(tmp_path), people())
    project = project_of(manifest)
    dbt(project)
    published = rows_of("people_published", project)

    # a class that becomes too small is left out, and the release still holds
    write_parquet(tmp_path / "new.parquet", [*people(), {"age": 77, "town": "Ulm", "sex": "f", "hours": 1}])
    fill(project, tmp_path / "new.parquet")
    assert set(dbt(project).values()) == {"success", "pass"}
    assert rows_of("people_published", project) == published

    # a row of a class of its own in the released table
    row = "'[75, 80)' as age, 'south' as town, 'f' as sex, 1 as hours"
    execute(project, f"insert into people_released by name select {row}")
    statuses = dbt(project, "test")
    assert {name for name, status in statuses.items() if status == "fail"} == {"people_released_satisfies_privacy"}

    # a model that releases what it should not
    model = project / "models" / "people_released.sql"
    assert model.read_text().count("_rows < 10 as") == 1
    model.write_text(model.read_text().replace("_rows < 10 as", "_rows < 1 as"))
    statuses = dbt(project)
    assert statuses["people_released_satisfies_privacy"] == "fail"
    assert statuses["people_published"] == "skipped"
    assert rows_of("people_published", project) == published


@pytest.mark.slow
def test_too_many_new_values_fail_the_build_and_the_published_table_stays(tmp_path: Path, dbt: Dbt) -> None:
    manifest = release(tmp_path, job(tmp_path), people(490))
    project = project_of(manifest)
    assert dbt(project)["people_published"] == "success"
    published = rows_of("people_published", project)
    for strangers, status in ((10, "pass"), (11, "fail")):  # the limit is 2% of 500 and 501 rows
        stranger = {"age": 30, "town": "Rom", "sex": "f", "hours": 1}
        write_parquet(tmp_path / "new.parquet", [*people(490), *[stranger] * strangers])
        fill(project, tmp_path / "new.parquet")
        statuses = dbt(project)
        assert statuses["people_released_leaves_few_rows_out"] == status
        assert statuses["people_published"] == ("success" if status == "pass" else "skipped")
    assert rows_of("people_published", project) == published


@pytest.mark.slow
def test_a_damaged_seed_fails_the_build(tmp_path: Path, dbt: Dbt) -> None:
    project = project_of(release(tmp_path, job(tmp_path), people()))
    seed = project / "seeds" / "people_released_lookup_2.csv"
    seed.write_text(seed.read_text() + '"Ulm","north"\n')
    statuses = dbt(project)
    assert statuses["unique_people_released_lookup_2_value"] == "fail"
    assert statuses["people_released"] == "skipped"


HOSTILE = [
    "",
    "007",
    "7",
    "1e3",
    "null",
    "NULL",
    "None",
    "NA",
    "true",
    "2020-01-01",
    " lead",
    "trail ",
    "two\nlines",
    "carriage\rreturn",
    "both\r\nof them",
    "tab\tin",
    "it's",
    'a "quoted" word',
    "back\\slash",
    "comma, semicolon; pipe|",
    "#comment",
    "{{ env_var('HOME') }}",
    "{% endraw %}{{ 1 / 0 }}",
    "{# gone #}",
    "}} %} #}",
    "{{ '{' }}",
    "😀 é ß",
    "%s %(name)s $1 ? :x",
    "-- ; drop table people",
    "/* open",
]
NAMES = ["{{ x }}", 'se"x', "line\nbreak", "größe 😀", "{% if %}", "o'brien"]


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("missing", [{}, {"policy": "top", "tokens": ["", "{{ missing }}", None]}])
def test_hostile_names_and_values_build(level: int, missing: dict[str, Any], tmp_path: Path, dbt: Dbt) -> None:
    """The values are quasi-identifiers as they are or as labels, in columns whose names dbt could read as its own."""
    values = [*HOSTILE, None, "{{ missing }}"]
    rows = [dict.fromkeys(NAMES, value) | {"plain": number % 2} for number, value in enumerate(values) for _ in range(6)]
    labels = [[value, f"label of {value}", "*"] for value in values if value is not None]
    write_table(tmp_path / "hostile.csv", labels)
    columns: dict[str, Any] = {name: {**QI, "hierarchy": {"kind": "table", "rows": labels}} for name in NAMES[:4]}
    columns |= {NAMES[4]: {"role": "sensitive"}, NAMES[5]: {"role": "insensitive"}, "plain": {"role": "insensitive"}}
    content = {
        "columns": columns,
        "recoding": {"levels": dict.fromkeys(NAMES[:4], level)},
        "privacy": [{"model": "k-anonymity", "k": 6}],
        **({"missing": missing} if missing else {}),
    }
    manifest = release(tmp_path, content, rows)
    project = project_of(manifest, [*rows, dict.fromkeys(NAMES, "new") | {"plain": 1}])
    statuses = dbt(project)
    assert set(statuses.values()) == {"success", "pass"}
    assert len([node for node in statuses if "lookup" in node]) >= 4
    expected = rows_of(applied(manifest, "new.parquet"), project)
    assert expected.total() == len(rows)
    assert rows_of("people_published", project) == expected


@pytest.mark.slow
def test_values_of_other_types_are_read_from_seeds(tmp_path: Path, dbt: Dbt) -> None:
    rows = [
        {
            "whole": number % 3,
            "real": [0.5, float("nan"), float("inf")][number % 3],
            "day": f"2020-01-0{number % 3 + 1}",
            "is": number % 3 == 1,
            "price": f"{number % 3}.50",
        }
        for number in range(60)
    ]
    write_parquet(tmp_path / "texts.parquet", rows)
    typed = f"""select whole::utinyint as whole, real, day::timestamp as day, "is", price::decimal(9, 2) as price
        from {literal(str(tmp_path / "texts.parquet"))}"""
    duckdb.execute(f"copy ({typed}) to {literal(str(tmp_path / 'people.parquet'))}")
    listings = {
        "whole": [["0", "low"], ["1", "low"], ["2", "high"]],
        "real": [["0.5", "known"], ["nan", "unknown"], ["inf", "known"]],
        "day": [["2020-01-01 00:00:00", "first"], ["2020-01-02 00:00:00", "later"], ["2020-01-03 00:00:00", "later"]],
        "is": [["true", "yes"], ["false", "no"]],
        "price": [["0.50", "cheap"], ["1.50", "cheap"], ["2.50", "dear"]],
    }
    columns = {
        name: {**QI, "hierarchy": {"kind": "table", "rows": [[*line, "*"] for line in lines]}}
        for name, lines in listings.items()
    }
    content = {
        "columns": columns,
        "recoding": {"levels": {"whole": 1, "real": 1, "day": 0, "is": 0, "price": 1}},
        "privacy": [{"model": "k-anonymity", "k": 5}],
    }
    anonymize(tmp_path / "people.parquet", tmp_path / "out.parquet", job=content)
    manifest = tmp_path / "out.parquet.manifest.json"
    project = project_of(manifest)
    statuses = dbt(project)
    assert set(statuses.values()) == {"success", "pass"}
    assert len([node for node in statuses if "lookup" in node]) > len(listings)
    expected = rows_of(applied(manifest, "people.parquet"), project)
    assert expected.total() == len(rows)
    assert rows_of("people_published", project) == expected


def test_every_dialect_has_a_project(tmp_path: Path) -> None:
    hours = {"kind": "table", "rows": [[str(number), "few" if number < 3 else "many", "*"] for number in range(7)]}
    columns = {**job(tmp_path)["columns"], "hours": {**QI, "hierarchy": hours}}
    levels = {"age": 2, "town": 1, "sex": 0, "hours": 1}
    manifest = release(tmp_path, job(tmp_path, columns=columns, recoding={"levels": levels}), people())
    for dialect in DIALECTS:
        written = export_dbt(manifest, tmp_path / dialect, dialect=dialect, table="hr.people", released="people_released")
        texts = {str(path.relative_to(tmp_path / dialect)): path.read_text() for path in written}
        assert all("duckanon_" not in text for text in texts.values())
        model = texts["models/people_released.sql"].casefold()
        assert "{{ source('hr', 'people') }}" in model
        assert "{{ ref('people_released_lookup_2') }}" in model
        assert len(re.findall(r"cast\(value as (bigint|int64)\) as value", model)) == 1
        assert re.search(r"order by\s+rand(om)?\(\)", model)
        assert all(isinstance(yaml.safe_load(text), dict) for name, text in texts.items() if name.endswith(".yml"))


def test_the_command_writes_private_files_and_names_them(tmp_path: Path, cli: Cli) -> None:
    manifest = release(tmp_path, job(tmp_path), people())
    run = cli(
        "sql release",
        manifest,
        "--as dbt --table hr.people --released people_released",
        "-o",
        tmp_path / "dbt",
        code=0,
    )
    files = sorted(path for path in (tmp_path / "dbt").rglob("*") if path.is_file())
    assert sorted(run.out.splitlines()) == [str(path) for path in files]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    folders = [tmp_path / "dbt", *(path for path in (tmp_path / "dbt").rglob("*") if path.is_dir())]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}


def test_a_folder_with_files_is_kept_and_only_the_files_of_the_model_are_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "dbt"
    manifest = release(tmp_path, job(tmp_path), people())
    export_dbt(manifest, folder, table="hr.people", released="people_released")
    own = {
        "dbt_project.yml": "name: mine",
        "models/sources.yml": "sources: []",
        "models/other.sql": "select 1",
        "profiles.yml": "x: 1",
    }
    for name, text in own.items():
        (folder / name).write_text(text)
    (folder / "models" / "people_released.sql").write_text("changed")
    with pytest.raises(OutputError, match=r"is not empty; give --overwrite"):
        export_dbt(manifest, folder, table="hr.people", released="people_released")
    assert (folder / "models" / "people_released.sql").read_text() == "changed"
    narrower = job(tmp_path, columns={"age": job(tmp_path)["columns"]["age"]}, recoding={"levels": {"age": 1}})
    anonymize(tmp_path / "people.parquet", tmp_path / "narrow.parquet", job=narrower)
    export_dbt(tmp_path / "narrow.parquet.manifest.json", folder, table="hr.people", released="people_released", overwrite=True)
    assert {name: (folder / name).read_text() for name in own} == own
    assert "select" in (folder / "models" / "people_released.sql").read_text()
    assert list((folder / "seeds").iterdir()) == []


def test_a_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = release(tmp_path, job(tmp_path), people())
    before = sorted(tmp_path.rglob("*"))
    made: list[Path] = []
    make = Move.make

    def full(move: Move) -> None:
        made.append(move.final)
        if len(made) == 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        make(move)

    monkeypatch.setattr(Move, "make", full)
    with pytest.raises(OutputError, match="No space left on device"):
        export_dbt(manifest, tmp_path / "dbt", table="hr.people", released="people_released")
    assert len(made) == 4
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("more", "phrase"),
    [
        ({"table": "people"}, r"--table 'people' is not a table with its schema, which a dbt source needs; write schema\.name"),
        ({"table": "a.b.c.d"}, "is not a table with its schema"),
        ({"table": 'hr."a{b"'}, "has a quote, brace or backslash"),
        ({"released": "hr.people"}, "--released 'hr.people' is not a name for a dbt model"),
        ({"released": "a b"}, "is not a name for a dbt model"),
        ({"dialect": "sparc"}, "--dialect 'sparc' is unknown; did you mean 'spark'"),
    ],
)
def test_what_dbt_cannot_name_is_refused(more: dict[str, Any], phrase: str, tmp_path: Path) -> None:
    manifest = release(tmp_path, job(tmp_path), people())
    with pytest.raises(JobError, match=phrase):
        export_dbt(manifest, tmp_path / "dbt", **{"table": "hr.people", "released": "people_released", **more})
    assert not (tmp_path / "dbt").exists()


def test_local_recoding_and_masked_columns_are_refused_as_for_sql(tmp_path: Path) -> None:
    content = job(tmp_path)
    local = {**content, "recoding": {"algorithm": "local"}}
    masked = job(tmp_path, columns={**content["columns"], "name": {"role": "identifying", "mask": {"first": 1}}})
    for number, (refused, phrase) in enumerate(
        ((local, "uses local recoding"), (masked, "is pseudonymized, masked or shifted"))
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        manifest = release(folder, refused, [{**row, "name": f"{number:03}"} for number, row in enumerate(people())])
        with pytest.raises(JobError, match=phrase):
            export_dbt(manifest, folder / "dbt", table="hr.people", released="people_released")


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (["--as", "dbt"], "--as dbt writes a folder; name it with -o"),
        (["--as", "dbt", "-o", "dbt", "--lookups", "x"], "omit --lookups"),
        (["-o", "dbt"], "-o needs --as dbt"),
        (["--overwrite"], "--overwrite needs --as dbt"),
    ],
)
def test_options_that_contradict_each_other_are_refused(arguments: list[str], phrase: str, tmp_path: Path, cli: Cli) -> None:
    assert phrase in cli("sql", "release", tmp_path / "x.manifest.json", *arguments, code=2).err
