"""The committed SQL of fixed runs: a change to a template shows as a change of the SQL that runs.

`snapshots/k-anonymity/` holds the statements of the k-only job. The folder of any other job holds those whose text differs from
the job that it is compared with. `relations.txt` names that job, and the statements that are added (+) and absent (-).
"""

import difflib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from duckanon.engine import resources, templates
from duckanon.engine.protocol import Settings
from duckanon.engine.templates import Statement
from duckanon.job import prepare
from duckanon.job.options import Options, Run
from duckanon.privacy import registry
from duckanon.search import sample
from duckanon.workflows import preview
from tests.support.rows import write_parquet, write_table
from tests.support.runs import anonymize

SNAPSHOTS = Path(__file__).parent / "snapshots"
LIST = "relations.txt"
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
"""The content of the k-only job."""


@dataclass(frozen=True)
class Job:
    """The k-only job with options, and the job that its statements are compared with."""

    options: Options
    base: str | None = "k-anonymity"
    has_workspace: bool = False


def protected(model: str, base: str = "l-diversity-distinct", **options: Any) -> Job:
    """A job with one more privacy model, as `--require` takes it."""
    return Job(Options(require=[model], **options), base)


JOBS = {
    "k-anonymity": Job(Options(), base=None),
    "k-column": Job(Options(k_column="least")),
    "persons": Job(Options(entity="person")),
    "protect": Job(Options(protect=["illness", "sex"])),
    "highest-risk": protected("highest-risk=0.4", "k-anonymity"),
    "average-risk": protected("average-risk=0.4", "k-anonymity"),
    "k-map": protected("k-map=4", "k-anonymity", population="population.parquet"),
    "delta-presence": protected("delta-presence=0.1,0.9", "k-map", population="population.parquet"),
    "l-diversity-distinct": protected("distinct-l=2", "k-anonymity"),
    # floating point cannot tell whether three different values satisfy it
    "l-diversity-entropy": protected("entropy-l=2.999999999"),
    "l-diversity-recursive": protected("recursive-cl=3,2"),
    "alpha-k-anonymity": protected("alpha-k=0.5,2"),
    "t-closeness-equal": protected("t=0.4"),
    "t-closeness-ordered": protected("t-ordered=0.4"),
    "t-closeness-hierarchical": protected("t-hierarchical=0.4"),
    "beta-likeness-basic": protected("beta=2"),
    "beta-likeness-enhanced": protected("enhanced-beta=2"),
    "delta-disclosure": protected("delta=2"),
    "delta-disclosure-present": protected("delta-present=1.5"),
    "mondrian": Job(Options(algorithm="mondrian"), has_workspace=True),
    "mondrian-l-diversity": protected("distinct-l=2", "mondrian", algorithm="mondrian"),
    "local": Job(Options(algorithm="local", max_suppression=0), has_workspace=True),
    "local-l-diversity": protected("distinct-l=2", "local", algorithm="local", max_suppression=0),
    "masked-records": Job(Options(suppress="star")),
    "sample": Job(Options(others="keep", keep=["person"])),
    "sample-named": Job(Options(qi=["sex"])),
    "detected-roles": Job(Options(k=3, time_limit=600)),
    "preview": Job(Options(levels={"age": 1, "sex": 0, "town": 2}), has_workspace=True),
}
"""The jobs by the names of their folders; a name that begins with `sample` stands for an input of which a sample is taken."""

SAMPLED_ROWS = 8
"""The size of that sample; the input has more rows."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The inputs and hierarchies: whole numbers in intervals, a value table, a tree."""
    folder = tmp_path_factory.mktemp("jobs")
    rows = [
        {
            "name": f"name {number}",
            "person": number,
            "least": 3,
            "age": 41 + number % 3 + 5 * (number // 6) if number < 12 else 62,
            "sex": ("Female", "Male")[number // 3 % 2],
            "town": "Jena" if number in (4, 7) else "Bonn",
            "illness": ("flu", "gout", "none")[number % 3],
            "pay": number * 7 % 5 + 0.5,
        }
        for number in range(13)
    ]
    write_parquet(folder / "people.parquet", rows)
    write_parquet(folder / "population.parquet", rows * 2)
    (folder / "ages.yaml").write_text("kind: intervals\nwidths: [5, 10]\norigin: 1\n", encoding="utf-8")
    write_table(folder / "sexes.csv", [("Female", "*"), ("Male", "*")])
    (folder / "towns.yaml").write_text("kind: tree\nfile: towns.csv\n", encoding="utf-8")
    write_table(folder / "towns.csv", [("Bonn", "west"), ("Jena", "east"), ("west", "all"), ("east", "all")])
    return folder


@pytest.fixture(scope="module")
def statements_of(folder: Path) -> Callable[[str], dict[str, str]]:
    """The statements of a job by its name; each job runs once."""
    return cache(lambda name: named(rendered(name, folder)))


def rendered(name: str, folder: Path) -> list[Statement]:
    """The statements of a job in the order of rendering."""
    file, outputs, job = folder / f"{name}.yaml", folder / name, JOBS[name]
    file.write_text(json.dumps({"source": K_ONLY["source"]} if name == "detected-roles" else K_ONLY), encoding="utf-8")
    outputs.mkdir()
    settings = Settings(threads=1, workspace=outputs / "work.duckdb" if job.has_workspace else None)
    statements: list[Statement] = []

    def record(*content: Any) -> Statement:
        statements.append(Statement(*content))
        return statements[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(templates, "Statement", record)
        if name.startswith("sample"):
            patch.setattr(sample, "_MOST_ROWS", SAMPLED_ROWS)
        patch.chdir(folder)
        output, run = outputs / "people.anonymized.parquet", Run(settings=settings)
        if name == "preview":
            preview.statements(prepare.prepare(None, file, job.options, run), output, run)
        else:
            anonymize(None, output, job=file, options=job.options, run=run)
    return statements


def named(statements: Iterable[Statement]) -> dict[str, str]:
    """Names and texts: for each relation the first statement, and the first of any other template or other building blocks.

    The name is the relation. Another template is appended to it; a statement of other building blocks gets a number.
    """
    templates_of: dict[str, str] = {}
    texts: dict[str, dict[tuple[str, ...], str]] = {}
    for statement in statements:
        name, template = statement.relation, statement.template
        if templates_of.setdefault(name, template) != template:
            name += f".{template.rpartition('/')[2]}"
        blocks = tuple(re.findall("^-- one row: .*", statement.sql, flags=re.MULTILINE))
        texts.setdefault(name, {}).setdefault(blocks, portable(statement.sql))
    return {
        name if number == 1 else f"{name}.{number}": text
        for name, variants in texts.items()
        for number, text in enumerate(variants.values(), start=1)
    }


def portable(sql: str) -> str:
    """The text with `<path>` for the folder of each absolute path, ending in one line break."""
    return re.sub(r"'/(?:[^'\n]|'')*/", "'<path>/", sql).rstrip("\n") + "\n"


def files_of(name: str, statements_of: Callable[[str], dict[str, str]]) -> dict[str, str]:
    """The files of a job's folder: names and texts."""
    texts, base = statements_of(name), JOBS[name].base
    if base is None:
        known, lines = {}, list(texts)
    else:
        known = statements_of(base)
        added, absent = sorted(texts.keys() - known), sorted(known.keys() - texts)
        lines = [f"compared with {base}", *(f"+ {key}" for key in added), *(f"- {key}" for key in absent)]
    differing = {f"{key}.sql": text for key, text in texts.items() if known.get(key) != text}
    return {LIST: "".join(f"{line}\n" for line in lines)} | differing


@pytest.mark.parametrize("name", JOBS)
def test_the_sql_is_what_was_committed(name: str, statements_of: Callable[[str], dict[str, str]]) -> None:
    files, folder = files_of(name, statements_of), SNAPSHOTS / name
    if os.environ.get(UPDATE):
        update(folder, files)
    committed = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*")}
    differing = sorted(file for file in committed | files if committed.get(file) != files.get(file))
    difference = ""
    for file in differing:
        before, after = (texts.get(file, "").splitlines(keepends=True) for texts in (committed, files))
        difference += "".join(difflib.unified_diff(before, after, f"committed {name}/{file}", f"rendered {name}/{file}"))
    assert not differing, f"{UPDATING}\n{difference}"


def update(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files of a job, and remove others from its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8", newline="\n")


def test_each_folder_belongs_to_a_job() -> None:
    assert {path.name for path in SNAPSHOTS.iterdir()} == set(JOBS)


def test_each_privacy_model_has_a_job() -> None:
    required = [registry.written(text) for job in JOBS.values() for text in job.options.require]
    assert {registry.tag(model) for model in required} == set(registry.MODELS)
    included = {registry.MODELS[str(registry.tag(model))].model_validate(model).template for model in required}
    folder = resources.folder("sql")
    assert included >= {path.relative_to(folder).as_posix() for path in folder.glob("privacy/models/*.sql")}
