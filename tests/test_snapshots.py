"""The SQL of one fixed job, as it is committed: a change to a template shows as a change to what is run."""

import difflib
import os
from pathlib import Path

import pytest

from duckanon import preview
from duckanon.engine.protocol import Settings
from duckanon.preparation import Run
from duckanon.templates import Statement
from tests.conftest import write_parquet, write_table

SNAPSHOTS = Path(__file__).parent / "snapshots"
UPDATE = "UPDATE_SNAPSHOTS"
HOW = f"if the change is meant, run `{UPDATE}=1 pytest tests/test_snapshots.py`, and read the diff before you commit"

RELATIONS = (
    "source records distinct_values values_age values_sex values_town "
    "lookup_age hierarchy_age labels_age levels_age "
    "listed_sex lookup_sex hierarchy_sex labels_sex levels_sex "
    "listed_town lookup_town hierarchy_town labels_town levels_town "
    "counts combinations node failing_labels "
    "recoding_age recoding_sex recoding_town verdicts classes suppressed "
    "texts_illness recoded release written_groups written_classes expected_classes class_differences failing_classes"
)


@pytest.fixture(scope="module")
def statements(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Relation and text: whole numbers in intervals, a value table, a tree, and two columns that are kept."""
    folder = tmp_path_factory.mktemp("job")
    ages = folder / "ages.yaml"
    ages.write_text("kind: intervals\nwidths: [5, 10]\norigin: 1\n", encoding="utf-8")
    sexes = write_table(folder / "sexes.csv", [("Female", "*"), ("Male", "*")])
    towns = folder / "towns.yaml"
    towns.write_text("kind: tree\nfile: towns.csv\n", encoding="utf-8")
    write_table(folder / "towns.csv", [("Bonn", "west"), ("Jena", "east"), ("west", "all"), ("east", "all")])
    row = {"name": "Ann", "age": 41, "sex": "Female", "town": "Bonn", "illness": "flu", "pay": 1.5}
    job = {
        "source": write_parquet(folder / "people.parquet", [row]),
        "missing": {"tokens": ["?", None], "policy": "top"},
        "columns": {
            "name": {"role": "identifying"},
            "age": {"role": "quasi-identifier", "hierarchy": str(ages)},
            "sex": {"role": "quasi-identifier", "hierarchy": str(sexes), "domain": "data"},
            "town": {"role": "quasi-identifier", "hierarchy": str(towns), "min-level": 1},
            "illness": {"role": "sensitive"},
            "pay": {"role": "insensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "recoding": {"levels": {"age": 1, "sex": 0, "town": 2}},
    }
    found: dict[str, str] = {}
    keeping = Run(settings=Settings(workspace=folder / "work.duckdb"))
    for statement in preview.statements(job=job, run=keeping):
        # `distinct_values` is made twice: of quasi-identifiers, which is committed, and of texts that are kept
        found.setdefault(statement.relation, _portable(statement, folder))
    return found


def test_the_job_renders_these_statements(statements: dict[str, str]) -> None:
    assert " ".join(statements) == RELATIONS


@pytest.mark.parametrize("relation", RELATIONS.split())
def test_the_sql_is_what_was_committed(relation: str, statements: dict[str, str]) -> None:
    path = SNAPSHOTS / f"{relation}.sql"
    if os.environ.get(UPDATE):
        SNAPSHOTS.mkdir(exist_ok=True)
        path.write_text(statements[relation], encoding="utf-8", newline="\n")
    assert path.is_file(), f"no snapshot {path.name}; {HOW}"
    committed = path.read_text(encoding="utf-8").splitlines(keepends=True)
    rendered = statements[relation].splitlines(keepends=True)
    difference = "".join(difflib.unified_diff(committed, rendered, f"committed {path.name}", "rendered"))
    assert not difference, f"{HOW}\n{difference}"


def test_no_snapshot_is_left_over() -> None:
    stale = {path.stem for path in SNAPSHOTS.iterdir()} - set(RELATIONS.split())
    if os.environ.get(UPDATE):
        for name in stale:
            (SNAPSHOTS / f"{name}.sql").unlink()
        stale = set()
    assert not stale, f"snapshots of relations that the job does not render: {sorted(stale)}; {HOW}"


def _portable(statement: Statement, folder: Path) -> str:
    """The text without this machine's paths, ending in one line break."""
    return statement.sql.replace(str(folder), "<path>").rstrip("\n") + "\n"
