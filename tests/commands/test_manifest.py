"""The manifest as a typed document: its keys, its JSON Schema, and manifests of another version or edited by hand."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import duckanon
from docs import generate
from docs.manifest_page import schema
from duckanon.checks.file import check
from duckanon.errors import JobError
from duckanon.release import manifest
from duckanon.release.manifest import dumps, with_checksum
from duckanon.release.manifest_model.document import Manifest, PublicManifest, ReleaseManifest, Requirements
from duckanon.release.manifest_model.files import READING
from duckanon.workflows.demo import demo
from duckanon.workflows.explain import explain
from duckanon.workflows.report import report
from tests.support.command_line import Cli
from tests.support.rows import write_parquet
from tests.support.settings import keywords_of

HERE = Path(__file__).parent
OLD = sorted((HERE / "releases_of_0_1_0").glob("*.manifest.json"))
"""Manifests that version 0.1.0 wrote."""
ROWS = [{"age": 20 + number % 12, "sex": "FM"[number % 2], "job": "abcd"[number * 7 % 11 % 4]} for number in range(240)]
OPTIONS: dict[str, Any] = {
    "qi": ["age", "sex"],
    "hierarchies": {"age": {"kind": "intervals", "widths": [3, 6]}, "sex": {"kind": "flat"}},
    "sensitive": ["job"],
    "k": 4,
    "max_suppression": "60%",
}


RUNS: dict[str, dict[str, Any]] = {
    "detected roles": {"missing": ["?"], "missing_policy": "drop"},
    "mondrian": {
        "qi": "age,sex",
        "algorithm": "mondrian",
        "sensitive": "occupation",
        "require": ["entropy-l=2", "alpha-k=0.9,5"],
    },
    "local": {"qi": "age,sex", "algorithm": "local", "microaggregate": {"hours-per-week": "median"}, "keep": "hours-per-week"},
    "persons": {
        "qi": "age,sex",
        "policy": "internal",
        "entity": "fnlwgt",
        "max_nodes": 3,
        "set": {"columns.occupation": {"role": "identifying", "mask": {"last": 1}}},
    },
    "pseudonyms": {"qi": "age,sex", "pseudonym": "fnlwgt", "release": "spring", "linkable": True, "key_file": "key"},
    "masked records": {"qi": "age,sex", "suppress": "star", "max_suppression": "90%", "levels": {"age": 0, "sex": 0}, "k": 9},
    "own k": {"qi": "age,sex", "k_column": "education-num", "max_suppression": "40%", "protect": "income", "keep": "income"},
    "population": {"qi": "age,sex", "population": "population.parquet", "require": ["k-map=6", "delta-presence=0,1"]},
    "population size": {
        "qi": "age,sex",
        "population_size": 100_000,
        "decide_on": "qi",
        "sensitive": "occupation",
        "require": "t=0.9",
    },
    "ranges": {"qi": "age,sex", "ranges": "bounds", "levels": {"age": 1, "sex": 0}},
    "infeasible": {"qi": "age,sex", "k": 1_001},
}
"""Options of runs whose manifests differ in their keys."""


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of people, a population, and a key."""
    folder = tmp_path_factory.mktemp("people")
    demo(folder / "people.parquet", 400)
    demo(folder / "population.parquet", 800)
    (folder / "key").write_text("0123456789abcdef" * 4)
    (folder / "key").chmod(0o600)
    return folder


def assert_valid(document: Any, model: type[Manifest | PublicManifest] = Manifest) -> None:
    """A document has the keys of its JSON Schema, in the order of its model."""
    assert dumps(model.model_validate(json.loads(dumps(document))).document()) == dumps(document)
    validator = pytest.importorskip("jsonschema").Draft202012Validator(schema(model, "manifest"))
    assert [error.message for error in validator.iter_errors(json.loads(dumps(document)))] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_the_schema_validates_the_manifest_of_every_kind_of_run(
    name: str, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(people)
    try:
        manifest = duckanon.anonymize("people.parquet", tmp_path / "out.parquet", **keywords_of(**RUNS[name])).manifest
    except duckanon.Infeasible as failure:
        manifest = failure.manifest or {}
    assert manifest["status"] == ("infeasible" if name == "infeasible" else "released")
    assert_valid(manifest)


def test_the_schema_validates_a_public_manifest_and_that_of_new_rows(people: Path, tmp_path: Path) -> None:
    source, public = people / "people.parquet", tmp_path / "public.json"
    made = duckanon.anonymize(
        source, tmp_path / "out.parquet", qi="age,sex", algorithm="mondrian", set={"output.public-manifest": public}
    )
    assert_valid(json.loads(public.read_text(encoding="utf-8")), PublicManifest)
    assert_valid(duckanon.apply(made.manifest_path, source, tmp_path / "again.parquet", max_suppression="50%").manifest)


def as_now(path: Path) -> dict[str, Any]:
    """A manifest of version 0.1 under the names that keys have now."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    document |= {"saved_recoding": document.pop("frozen"), "checksum": document.pop("seal")}
    document["roles"] = {"guessed": "detected"}.get(document["roles"], document["roles"])
    for side in ("before", "after"):
        document["risk"][side]["unit"] = document["risk"][side].pop("of")
    if "persons" in document:
        document["persons"]["unit"] = document["persons"].pop("counted")
    return document


def test_a_schema_refuses_other_keys_and_null_where_a_key_is_left_out() -> None:
    validator = pytest.importorskip("jsonschema").Draft202012Validator(json.loads(generate.PAGES["manifest.schema.json"]()))
    document = as_now(OLD[0])
    assert validator.is_valid(document)
    changes: tuple[dict[str, Any], ...] = (
        {"strange": 1},
        {"policy": None},
        {"rows": {}},
        {"status": "done"},
        {"warnings": "x"},
    )
    for change in changes:
        assert not validator.is_valid(document | change), change


def test_a_key_that_no_model_has_cannot_be_composed() -> None:
    document = as_now(OLD[0])
    with pytest.raises(ValueError, match="strange"):
        Manifest.model_validate(document | {"strange": 1})
    with pytest.raises(ValueError, match="strange"):
        Manifest.model_validate(document | {"rows": document["rows"] | {"strange": 1}})


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release."""
    folder = tmp_path_factory.mktemp("made")
    duckanon.anonymize(write_parquet(folder / "in.parquet", ROWS), folder / "out.parquet", **OPTIONS)
    return folder


@pytest.fixture
def released(made: Path, tmp_path: Path) -> Path:
    """The manifest of a release, beside all that belongs to it."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "out.parquet.manifest.json"


def used(path: Path) -> None:
    """Every command that reads a manifest."""
    explain(path)
    report(path, path.with_name("report.html"), run=duckanon.Run(overwrite=True))
    duckanon.apply(path, path.with_name("in.parquet"), path.with_name("again.parquet"), overwrite=True)
    assert check(path.with_name("out.parquet"), manifest=path)["manifest"]["is_same_file"]


def rewritten(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a manifest and write a valid checksum, which anybody can compute."""
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(dumps(with_checksum(document)), encoding="utf-8")


def _of_a_later_version(document: dict[str, Any]) -> None:
    document["duckanon"] = "9.9.9"
    document["later"] = {"a": [1]}
    for part in (
        "rows",
        "classes",
        "recoding",
        "suppression",
        "risk",
        "metrics",
        "input",
        "written",
        "output",
        "saved_recoding",
    ):
        document[part]["later"] = {"a": [1]}
    document["recoding"]["objective"]["later"] = document["privacy"][0]["later"] = "x"


def _of_0_1_0(document: dict[str, Any]) -> None:
    """Without the keys that version 0.1.0 did not write."""
    for key in ("persons", "written"):
        del document[key]
    for key in ("removed_values", "subgroups"):
        del document["suppression"][key]
    for entry in document["privacy"]:
        entry.pop("reference", None)


@pytest.mark.slow
@pytest.mark.parametrize("change", [_of_a_later_version, _of_0_1_0])
def test_manifests_of_other_versions_are_used(change: Callable[[dict[str, Any]], object], released: Path) -> None:
    rewritten(released, change)
    used(released)


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_manifests_that_0_1_0_wrote_are_read_whole(path: Path) -> None:
    document = as_now(path)
    assert manifest.read(path, ReleaseManifest).document() == document
    assert manifest.read(path, Requirements).output.sha256 == document["output"]["sha256"]


FAULTS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "rows.read: is missing": (lambda document: document["rows"].pop("read"), "explain"),
    "rows.released: needs a whole number; got 'many'": (
        lambda document: document["rows"].update(released="many"),
        "explain check",
    ),
    "privacy.0.required: needs a whole number; got 'x'": (
        lambda document: document["privacy"][0].update(required="x"),
        "explain check",
    ),
    "recoding.levels: is missing": (lambda document: document["recoding"].pop("levels"), "explain"),
    "recoding.levels.age: needs a whole number; got '1.5'": (
        lambda document: document["recoding"]["levels"].update(age=1.5),
        "explain",
    ),
    "columns: needs keys and values": (lambda document: document.update(columns=[1]), "explain check"),
    "output.sha256: is missing": (lambda document: document["output"].pop("sha256"), "explain check apply"),
    "output.path: '/' has no file name": (lambda document: document["output"].update(path="/"), "explain check apply"),
    "saved_recoding: is missing": (lambda document: document.pop("saved_recoding"), "explain apply"),
    "its status is 'infeasible'": (lambda document: document.update(status="infeasible"), "explain check"),
}
"""What is said of a manifest that was changed, and which commands say it."""


@pytest.mark.parametrize("message", FAULTS)
def test_a_key_that_is_missing_or_wrong_is_named_with_its_file(message: str, released: Path, cli: Cli) -> None:
    change, commands = FAULTS[message]
    rewritten(released, change)
    arguments: dict[str, list[Any]] = {
        "explain": [released],
        "check": [released.with_name("out.parquet"), "--manifest", released],
        "apply": [released, released.with_name("in.parquet"), "-o", "again.parquet"],
    }
    for command in commands.split():
        done = cli(command, *arguments[command])
        assert (done.code, len(done.err.splitlines())) == (2, 1), done.err
        assert f"{str(released)!r} is not the manifest of a release ({message}" in done.err


def test_a_manifest_nested_without_end_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.manifest.json").write_text("[" * 100_000)
    with pytest.raises(JobError, match="it is not JSON"):
        manifest.read(tmp_path / "x.manifest.json", ReleaseManifest)


def test_a_folder_is_no_manifest_for_another_reason(tmp_path: Path) -> None:
    (tmp_path / "x.manifest.json").mkdir()
    with pytest.raises(JobError, match="it cannot be read: Is a directory"):
        manifest.read(tmp_path / "x.manifest.json", ReleaseManifest)


def test_what_users_get_is_a_plain_dictionary(released: Path) -> None:
    source = released.with_name("in.parquet")
    made = duckanon.anonymize(source, released.with_name("other.parquet"), **OPTIONS)
    assert type(made.manifest) is dict
    assert type(made.manifest["rows"]) is dict
    assert made.manifest == json.loads(made.manifest_path.read_text(encoding="utf-8"))
    with pytest.raises(duckanon.Infeasible) as failure:
        duckanon.anonymize(source, **OPTIONS | {"k": 300})
    assert type(failure.value.manifest) is dict


def test_keys_of_other_packages_stay_beside_those_of_their_kind() -> None:
    check: dict[str, Any] = {"model": "balance", "column": "job", "kind": "strict", "required": 2, "slack": 0.5}
    check |= {"of": "person", "achieved": 1.5, "passed": True}
    document = as_now(OLD[0]) | {"privacy": [check]}
    for context in (None, READING):
        assert list(Manifest.model_validate(document, context=context).document()["privacy"][0].items()) == list(check.items())


def test_a_run_that_is_refused_after_its_search_completes_its_workspace(tmp_path: Path) -> None:
    """Its manifest has no risk yet, and the workspace no `risk_summary`."""
    towns = [{"town": "abcd"[number % 4], "shop": "pq"[number // 4 % 2]} for number in range(200)]
    columns = {"town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}, "shop": {"role": "insensitive"}}
    job = {"columns": columns, "recoding": {"levels": {"town": 1}}}
    made = duckanon.anonymize(write_parquet(tmp_path / "in.parquet", towns), tmp_path / "out.parquet", job=job)
    new = write_parquet(tmp_path / "new.parquet", [{**row, "shop": "pqrs"["abcd".index(row["town"])]} for row in towns])
    workspace = tmp_path / "work.duckdb"
    with pytest.raises(duckanon.Infeasible, match="search again") as failure:
        duckanon.apply(made.manifest_path, new, tmp_path / "again.parquet", workspace=workspace)
    assert failure.value.manifest is not None
    assert "risk" not in failure.value.manifest
    with duckdb.connect(workspace, read_only=True) as database:
        assert database.execute("select model, required from duckanon.privacy_checks").fetchall() == [("k-anonymity", 5)]
