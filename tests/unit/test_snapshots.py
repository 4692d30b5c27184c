"""The committed SQL of three runs: a change to a template shows as a change of the SQL that runs.

A folder of `snapshots/` holds the statements of a job, from the combinations to the verification. The other two leave out those
that are as in `k-anonymity`.
"""

import difflib
import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from duckanon.engine import templates
from duckanon.engine.protocol import Settings
from duckanon.engine.templates import Statement
from duckanon.job.options import Options, Run
from tests.support.rows import write_parquet, write_table
from tests.support.runs import anonymize

SNAPSHOTS = Path(__file__).parent / "snapshots"
UPDATE = "UPDATE_SNAPSHOTS"
UPDATING = (
    f"if the change is intended, run `make snapshots` ({UPDATE}=1 pytest tests/unit/test_snapshots.py), and read the diff:"
)

K_ONLY = {
    "source": "people.parquet",
    "missing": {"tokens": ["?", None], "policy": "top"},
    "columns": {
        "name": {"role": "identifying"},
        "age": {"role": "quasi-identifier", "hierarchy": "ages.yaml"},
        "sex": {"role": "quasi-identifier", "hierarchy": "sexes.csv", "domain": "data"},
        "town": {"role": "quasi-identifier", "hierarchy": "towns.yaml", "min-level": 1},
        "illness": {"role": "sensitive", "order": ["none", "flu", "gout"], "hierarchy": {"kind": "flat"}},
        "pay": {"role": "insensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}],
    "suppression": {"limit": "1"},
}
"""The content of the job file."""

JOBS = {
    "k-anonymity": Options(),
    "mondrian-l-diversity": Options(algorithm="mondrian", require=["distinct-l=2"]),
    "persons": Options(entity="person"),
}
"""The options of each job by the name of its folder."""

FOLDERS = {"lattice", "mondrian", "metrics", "privacy", "release"}
"""The folders of templates whose statements are committed: reading the input and checking hierarchies is tested by outcome."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The inputs and hierarchies: whole numbers in intervals, a value table, a tree."""
    folder = tmp_path_factory.mktemp("jobs")
    rows = [
        {
            "name": f"name {number}",
            "person": number,
            "age": 41 + number % 3 + 5 * (number // 6) if number < 12 else 62,
            "sex": ("Female", "Male")[number // 3 % 2],
            "town": "Jena" if number in (4, 7) else "Bonn",
            "illness": ("flu", "gout", "none")[number % 3],
            "pay": number * 7 % 5 + 0.5,
        }
        for number in range(13)
    ]
    write_parquet(folder / "people.parquet", rows)
    (folder / "ages.yaml").write_text("kind: intervals\nwidths: [5, 10]\norigin: 1\n", encoding="utf-8")
    write_table(folder / "sexes.csv", [("Female", "*"), ("Male", "*")])
    (folder / "towns.yaml").write_text("kind: tree\nfile: towns.csv\n", encoding="utf-8")
    write_table(folder / "towns.csv", [("Bonn", "west"), ("Jena", "east"), ("west", "all"), ("east", "all")])
    (folder / "job.yaml").write_text(json.dumps(K_ONLY), encoding="utf-8")
    return folder


@cache
def statements(name: str, folder: Path) -> dict[str, str]:
    """The statements of a job: for each relation the first of each template, with `<path>` for the folder of absolute paths."""
    outputs = folder / name
    outputs.mkdir()
    texts: dict[str, str] = {}
    templates_of: dict[str, str] = {}

    def record(*content: Any) -> Statement:
        statement = Statement(*content)
        section, _, template = statement.template.partition("/")
        if section in FOLDERS:
            name = statement.relation
            if templates_of.setdefault(name, template) != template:
                name += f".{template.rpartition('/')[2]}"
            texts.setdefault(f"{name}.sql", re.sub(r"'/(?:[^'\n]|'')*/", "'<path>/", statement.sql).rstrip("\n") + "\n")
        return statement

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(templates, "Statement", record)
        patch.chdir(folder)
        run = Run(settings=Settings(threads=1))
        anonymize(None, outputs / "people.anonymized.parquet", job=folder / "job.yaml", options=JOBS[name], run=run)
    return texts


@pytest.mark.parametrize("name", JOBS)
def test_the_sql_is_what_was_committed(name: str, folder: Path) -> None:
    first = {} if name == "k-anonymity" else statements("k-anonymity", folder)
    rendered = {file: text for file, text in statements(name, folder).items() if first.get(file) != text}
    if os.environ.get(UPDATE):
        (SNAPSHOTS / name).mkdir(parents=True, exist_ok=True)
        for path in (SNAPSHOTS / name).iterdir():
            path.unlink()
        for file, text in rendered.items():
            (SNAPSHOTS / name / file).write_text(text, encoding="utf-8", newline="\n")
    committed = {path.name: path.read_text(encoding="utf-8") for path in (SNAPSHOTS / name).iterdir()}
    difference = ""
    for file in sorted(committed.keys() | rendered):
        before, after = (texts.get(file, "").splitlines(keepends=True) for texts in (committed, rendered))
        difference += "".join(difflib.unified_diff(before, after, f"committed {name}/{file}", f"rendered {name}/{file}"))
    assert not difference, f"{UPDATING}\n{difference}"


def test_each_folder_belongs_to_a_job() -> None:
    assert {path.name for path in SNAPSHOTS.iterdir()} == set(JOBS)
