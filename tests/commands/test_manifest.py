"""The manifest as a typed document: its keys, its JSON Schema, and manifests of another version or edited by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import duckanon
from docs import generate
from docs.manifest_page import schema
from duckanon.errors import JobError
from duckanon.release import manifest
from duckanon.release.manifest import dumps, sealed
from duckanon.release.manifest_model.document import Manifest, ReleaseManifest
from duckanon.release.manifest_model.part import READING
from duckanon.release.manifest_model.public import PublicManifest, Requirements
from duckanon.workflows.check import check
from duckanon.workflows.explain import explain
from duckanon.workflows.report import report
from tests.commands.manifest_runs import KINDS, keys_of, manifest_of
from tests.support.command_line import Cli
from tests.support.rows import write_parquet

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


@pytest.mark.parametrize("kind", KINDS)
def test_keys_and_their_order_are_those_of_the_untyped_manifest(kind: str, tmp_path: Path) -> None:
    """Compared with keys that were recorded before the manifest had models; a new key belongs into the record."""
    document = json.loads(dumps(manifest_of(kind, tmp_path)))
    recorded = (HERE / "manifest_keys.txt").read_text(encoding="utf-8").splitlines()
    assert [f"{kind}: {key}" for key in keys_of(document)] == [line for line in recorded if line.startswith(f"{kind}: ")]
    model: type[Manifest | PublicManifest] = PublicManifest if kind == "public" else Manifest
    assert dumps(model.model_validate(document).document()) == dumps(document)
    validator = pytest.importorskip("jsonschema").Draft202012Validator(schema(model, "manifest"))
    assert [error.message for error in validator.iter_errors(document)] == []


def test_a_schema_refuses_other_keys_and_null_where_a_key_is_left_out() -> None:
    validator = pytest.importorskip("jsonschema").Draft202012Validator(json.loads(generate.PAGES["manifest.schema.json"]()))
    document = json.loads(OLD[0].read_text(encoding="utf-8"))
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
    document = json.loads(OLD[0].read_text(encoding="utf-8"))
    with pytest.raises(ValueError, match="strange"):
        Manifest.model_validate(document | {"strange": 1})
    with pytest.raises(ValueError, match="strange"):
        Manifest.model_validate(document | {"rows": document["rows"] | {"strange": 1}})


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """The manifest of a release, beside all that belongs to it."""
    source = write_parquet(tmp_path / "in.parquet", ROWS)
    return duckanon.anonymize(source, tmp_path / "out.parquet", **OPTIONS).manifest_path


def used(path: Path) -> None:
    """Every command that reads a manifest."""
    explain(path)
    report(path, path.with_name("report.html"), run=duckanon.Run(overwrite=True))
    duckanon.apply(path, path.with_name("in.parquet"), path.with_name("again.parquet"), overwrite=True)
    assert check(path.with_name("out.parquet"), manifest=path)["manifest"]["is_same_file"]


def rewritten(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Changes a manifest as somebody would who can seal it anew."""
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(dumps(sealed(document)), encoding="utf-8")


def _of_a_later_version(document: dict[str, Any]) -> None:
    document["duckanon"] = "9.9.9"
    document["later"] = {"a": [1]}
    for part in ("rows", "classes", "recoding", "suppression", "risk", "metrics", "input", "written", "output", "frozen"):
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
    document = json.loads(path.read_text(encoding="utf-8"))
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
    "frozen: is missing": (lambda document: document.pop("frozen"), "explain apply"),
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
    document = json.loads(OLD[0].read_text(encoding="utf-8")) | {"privacy": [check]}
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
