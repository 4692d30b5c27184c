"""The workspace: any DuckDB client reads the relations of a run."""

from pathlib import Path

import duckdb
import pytest

from duckanon.engine.catalog import CATALOG, COLUMN
from duckanon.engine.protocol import Settings
from duckanon.errors import DuckanonError, Infeasible
from duckanon.job.options import Options
from duckanon.job.prepare import Run
from tests.support.command_line import Cli, refused
from tests.support.demo import Demo
from tests.support.rows import write_parquet
from tests.support.runs import anonymize, apply

QI = ("age", "sex", "race", "marital-status")


@pytest.fixture
def workspace(tmp_path: Path, demo: Demo) -> Path:
    demo(tmp_path / "adult.parquet", 5_000)
    options, settings = Options(qi=["age", "sex", "race", "marital-status"]), Settings(workspace=tmp_path / "work.duckdb")
    anonymize(tmp_path / "adult.parquet", options=options, settings=settings)
    return tmp_path / "work.duckdb"


def test_the_index_names_every_relation_with_its_comment(workspace: Path) -> None:
    with duckdb.connect(str(workspace), read_only=True) as connection:
        index = connection.execute("select relation, one_row_per, rows from duckanon.relations order by number").fetchall()
        comments = dict(
            connection.execute(
                "select table_name, comment from duckdb_tables() where schema_name = 'duckanon' "
                "union all select view_name, comment from duckdb_views() where schema_name = 'duckanon'"
            ).fetchall()
        )
        expected = []
        # which only a CSV input, recoding by regions, text without direct identifiers, micro-aggregation, applying a saved recoding, protecting values, counting persons (also for adversaries), a population, a register and sensitive models make
        others: tuple[str, ...] = (
            "source_file",
            f"outside_{COLUMN}",
            f"protected_{COLUMN}",
            f"ranges_{COLUMN}",
            "written_rows",
            "combination_entities",
            "members",
            "expected_members",
            "population",
            "expected_population",
            "entropy_comparisons",
            "aggregates",
            "isolated",
            f"isolated_{COLUMN}",
            f"replaced_texts_{COLUMN}",
        )
        others += tuple(
            f"{stem}_{COLUMN}"
            for stem in ("sensitive", "value_entities", "distribution", "reference", "written_histogram", "expected_histogram")
        )
        for relation in CATALOG:
            if relation.kept and relation.name not in others and relation.folder not in ("mondrian", "local_recoding"):
                expected += [relation.named(name) for name in QI] if COLUMN in relation.name else [relation.name]
        assert [name for name, _, _ in index] == expected
        assert set(comments) == set(expected)
        for name, sentence, rows in index:
            assert comments[name] == f"one row per {sentence}"
            assert connection.execute(f'select count(*) from duckanon."{name}"').fetchone() == (rows,)


@pytest.mark.parametrize("options", [Options(k=5), Options(k=5, algorithm="optimal", max_suppression="10%")])
def test_a_workspace_explains_each_class_and_is_small(options: Options, tmp_path: Path, demo: Demo) -> None:
    """About 28 KB of CSV."""
    demo(tmp_path / "adult.csv", 260)
    kept = Settings(workspace=tmp_path / "work.duckdb")
    manifest = anonymize(tmp_path / "adult.csv", options=options, settings=kept)
    assert (tmp_path / "work.duckdb").stat().st_size < 5_000_000
    with duckdb.connect(str(tmp_path / "work.duckdb"), read_only=True) as connection:
        classes = connection.execute(
            "select _verdict, count(*), sum(_rows), min(_rows), count(_reason) from duckanon.classes_explained group by all"
        ).fetchall()
        names = [name for name, *_ in connection.execute("describe duckanon.classes_explained").fetchall()]
    explained = {verdict: figures for verdict, *figures in classes}
    assert explained["released"] == [
        manifest["classes"]["count"],
        manifest["rows"]["released"],
        manifest["classes"]["smallest"],
        0,
    ]
    suppressed = explained.get("suppressed", [0, 0, 0, 0])
    assert (suppressed[1], suppressed[3]) == (manifest["rows"]["suppressed"], suppressed[0])
    assert names == [*manifest["metrics"]["loss_by_attribute"], "_rows", "_verdict", "_reason"]


def test_steps_hold_the_sql_that_ran(workspace: Path) -> None:
    with duckdb.connect(str(workspace), read_only=True) as connection:
        steps = connection.execute(
            "select number, relation, template, sql, seconds, rows from duckanon.steps order by number"
        ).fetchall()
    assert [step[0] for step in steps] == list(range(1, len(steps) + 1))
    assert all(sql and seconds >= 0 for _, _, _, sql, seconds, _ in steps)
    ran = {template for _, _, template, *_ in steps}
    assert {"dataset/counts", "lattice/combinations", "lattice/node", "release/shuffled", "release/written_classes"} <= ran


def test_a_csv_input_is_parsed_once_and_its_workspace_reads_it(tmp_path: Path) -> None:
    """The private copy is gone, so the view `source` reads the file."""
    source = tmp_path / "people.csv"
    source.write_text("age,town\n" + "3,Bonn\n4,\n" * 10, encoding="utf-8")
    kept = Settings(workspace=tmp_path / "work.duckdb")
    anonymize(source, tmp_path / "out.parquet", k=2, qi=["age", "town"], settings=kept)
    with duckdb.connect(str(tmp_path / "work.duckdb"), read_only=True) as connection:
        parsed = "select template from duckanon.steps where contains(sql, 'read_csv(') and not starts_with(sql, 'create or replace view')"
        assert connection.execute(parsed).fetchall() == [("dataset/input_cells",)]
        rows = connection.execute("select * from duckanon.source order by all").fetchall()
    assert rows == [(3, "Bonn")] * 10 + [(4, None)] * 10


def test_a_second_run_replaces_the_relations(workspace: Path) -> None:
    source = workspace.with_name("adult.parquet")
    anonymize(source, k=50, overwrite=True, settings=Settings(workspace=workspace))
    with duckdb.connect(str(workspace), read_only=True) as connection:
        assert connection.execute("select required from duckanon.privacy_checks").fetchall() == [(50.0,)]


def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path, demo: Demo) -> None:
    demo(tmp_path / "adult.parquet", 1_000)
    (tmp_path / "notes.txt").write_text("mine" * 100)
    with pytest.raises(DuckanonError, match=r"notes\.txt"):
        anonymize(tmp_path / "adult.parquet", settings=Settings(workspace=tmp_path / "notes.txt"))
    assert (tmp_path / "notes.txt").read_text() == "mine" * 100
    assert not (tmp_path / "adult.anonymized.parquet").exists()


def test_a_dry_run_writes_nothing(tmp_path: Path, cli: Cli, demo: Demo) -> None:
    demo(tmp_path / "adult.parquet", 1_000)
    before = sorted(tmp_path.iterdir())
    assert cli("anonymize", "adult.parquet", "--dry-run", "--json", "-q").manifest["status"] == "dry-run"
    assert sorted(tmp_path.iterdir()) == before


def test_the_demo_is_the_same_for_the_same_number_of_rows(tmp_path: Path, cli: Cli) -> None:
    assert cli("demo", "--rows", "2000", "-o", "one.csv").code == 0
    assert cli("demo", "--rows", "2000", "-o", "two.csv").code == 0
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    assert cli("demo", "--rows", "2000", "-o", "two.csv").code == 3
    assert cli("demo", "--rows", "0").code == 2


def test_a_run_that_fails_leaves_the_old_workspace(workspace: Path, cli: Cli) -> None:
    before = workspace.read_bytes()
    assert cli("anonymize", "adult.parquet", "--qi", "nope", "--workspace", workspace, "-o", "new.parquet").code == 2
    assert workspace.read_bytes() == before
    assert not list(workspace.parent.glob(".*"))


def test_somebody_elses_database_is_left_alone(tmp_path: Path, cli: Cli, demo: Demo) -> None:
    demo(tmp_path / "adult.parquet", 1_000)
    with duckdb.connect(str(tmp_path / "mine.duckdb")) as connection:
        connection.execute("create table precious as select 1 as a")
    assert "is not a duckanon workspace" in cli("anonymize", "adult.parquet", "--workspace", "mine.duckdb", code=3).err
    with duckdb.connect(str(tmp_path / "mine.duckdb"), read_only=True) as connection:
        assert connection.execute("from precious").fetchall() == [(1,)]


@pytest.mark.parametrize("place", [".", "folder"])
def test_a_folder_is_no_workspace(tmp_path: Path, cli: Cli, demo: Demo, place: str) -> None:
    demo(tmp_path / "adult.parquet", 500)
    (tmp_path / "folder").mkdir()
    refused(
        cli("anonymize", "adult.parquet", "--qi", "sex", "--workspace", place),
        3,
        f"workspace '{place}' is a folder",
        "name a file in it",
    )


def test_a_count_of_suppressed_rows_is_distinguished_from_a_lower_bound(tmp_path: Path, demo: Demo) -> None:
    """Under l-diversity, against a GROUP BY of the labels of each node."""
    demo(tmp_path / "adult.parquet", 1_000)
    options = Options(qi=["sex", "race"], sensitive=["occupation"], require=["distinct-l=9"], k=20, max_suppression="1%")
    anonymize(tmp_path / "adult.parquet", options=options, settings=Settings(workspace=tmp_path / "work.duckdb"))
    with duckdb.connect(str(tmp_path / "work.duckdb"), read_only=True) as work:
        work.execute(f"create temp view people as from '{tmp_path / 'adult.parquet'}'")
        counted = set()
        for sex, race, count, is_counted in work.execute(
            "select sex, race, _suppressed, _counted from duckanon.lattice"
        ).fetchall():
            [(suppressed,)] = work.execute(
                f"""
                with classes as (
                    select count(*) as n, count(distinct occupation) as l
                    from people
                    join duckanon.hierarchy_sex as s on s.value = people.sex
                    join duckanon.hierarchy_race as r on r.value = people.race
                    group by s.level_{sex}, r.level_{race}
                )
                select coalesce(sum(n) filter (where n < 20 or l < 9), 0) from classes
                """
            ).fetchall()
            assert count == suppressed if is_counted else count <= suppressed
            counted.add(is_counted)
    assert counted == {True, False}


def test_an_application_that_is_refused_for_a_retained_column_completes_its_workspace(tmp_path: Path) -> None:
    """It is refused before a risk is known; the workspace has what was decided until then."""
    towns = [{"town": "abcd"[number % 4], "shop": "pq"[number // 4 % 2]} for number in range(200)]
    columns = {"town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}, "shop": {"role": "insensitive"}}
    job = {"columns": columns, "recoding": {"levels": {"town": 1}}}
    anonymize(write_parquet(tmp_path / "in.parquet", towns), tmp_path / "out.parquet", job=job)
    new = write_parquet(tmp_path / "new.parquet", [{**row, "shop": "pqrs"["abcd".index(row["town"])]} for row in towns])
    run = Run(settings=Settings(workspace=tmp_path / "work.duckdb"))
    with pytest.raises(Infeasible, match="search again"):
        apply(tmp_path / "out.parquet.manifest.json", new, tmp_path / "again.parquet", run=run)
    with duckdb.connect(str(tmp_path / "work.duckdb"), read_only=True) as work:
        assert work.execute("select model, required from duckanon.privacy_checks").fetchall() == [("k-anonymity", 5)]
