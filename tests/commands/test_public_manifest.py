"""The public manifest and the modes of files: what may be published, and what only its owner may read."""

import json
from pathlib import Path
from stat import S_IMODE
from typing import Any

import duckdb
import pytest

from duckanon.errors import JobError, OutputError
from duckanon.job.options import Options
from duckanon.reports.publication import public_manifest
from duckanon.workflows.report import report
from tests.support.command_line import Cli, refused
from tests.support.rows import write_parquet, write_table
from tests.support.runs import anonymize

ALLOWED = {
    "duckanon",
    "version",
    "status",
    "policy",
    "policy_file.name",
    "policy_file.sha256",
    "policy_file.expires",
    "roles",
    "about",
    "columns.*",
    "microaggregation.*",
    "rows.released",
    *(f"classes.{key}" for key in ("count", "smallest", "average", "largest")),
    "recoding.algorithm",
    "recoding.levels.*",
    "recoding.objective.name",
    "recoding.objective.aggregate",
    "suppression.style",
    *(f"privacy.{key}" for key in ("model", "column", "variant", "distance", "values", "bound", "required", "passed")),
    *(f"privacy.{key}" for key in ("l", "k", "of", "achieved")),
    *(f"written.{key}" for key in ("columns", "unique_records", "constant_columns")),
    "output.path",
    "output.sha256",
    "checksum",
}
"""What may stand in a public manifest; `*` is the name of a column of the release."""


def keys_of(document: Any, released: set[str], prefix: str = "") -> set[str]:
    if isinstance(document, list):
        return {key for part in document for key in keys_of(part, released, prefix)}
    if not isinstance(document, dict):
        return {prefix.removesuffix(".")}
    if not document:
        return {prefix.removesuffix(".")}
    collected = set[str]()
    for key, value in document.items():
        collected |= keys_of(value, released, f"{prefix}{'*' if key in released and prefix else key}.")
    return collected


def people(lost: list[tuple[str, str]]) -> list[dict[str, Any]]:
    kept = [(str(number % 5), "xy"[number % 2]) for number in range(100)]
    return [
        {"a": a, "b": b, "s": f"s{place % 3}", "n": place % 7, "secret": f"person {place}"}
        for place, (a, b) in enumerate(kept + lost)
    ]


def job(folder: Path, **more: Any) -> dict[str, Any]:
    tree = write_table(folder / "a.csv", [(str(value), "even" if value % 2 == 0 else "odd", "*") for value in range(10)])
    columns = {
        "a": {"role": "quasi-identifier", "hierarchy": str(tree)},
        "b": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
        "s": {"role": "sensitive"},
        "n": {"role": "insensitive", "microaggregate": "median"},
    }
    privacy = [
        {"model": "k-anonymity", "k": 8},
        {"model": "t-closeness", "distance": "equal", "t": 0.9, "column": "s"},
        {"model": "l-diversity", "l": 2, "column": "s"},
    ]
    return {
        "columns": columns,
        "privacy": privacy,
        "suppression": {"limit": "10%"},
        "recoding": {"levels": {"a": 0, "b": 0}},
        "policy": "internal",
        **more,
    }


@pytest.mark.parametrize(
    "way",
    [
        {},
        {"suppression": {"limit": "50%"}, "recoding": {"algorithm": "local"}},
        {"recoding": {"algorithm": "mondrian"}},
        {"missing": {"policy": "drop"}},
        {
            "columns": {"a": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}, "b": {"role": "quasi-identifier"}},
            "privacy": [],
        },
    ],
)
def test_only_what_is_listed_stands_in_a_public_manifest(tmp_path: Path, way: dict[str, Any]) -> None:
    source = write_parquet(tmp_path / "in.parquet", people([("9", "y")]))
    place = tmp_path / "public.json"
    result = anonymize(
        source, tmp_path / "out.parquet", job=job(tmp_path, **way), set={"output.public-manifest": place}, overwrite=True
    )
    public = json.loads(place.read_text(encoding="utf-8"))
    released = {column[0] for column in duckdb.execute(f"describe from '{tmp_path / 'out.parquet'}'").fetchall()}
    assert keys_of(public, released) <= ALLOWED
    assert set(public["columns"]) == released
    assert "secret" not in place.read_text(encoding="utf-8"), "a column that was dropped"
    assert {check["model"]: "achieved" in check for check in public["privacy"]}.get("t-closeness") in (None, False)
    strange = result | {
        "strange": 1,
        "rows": {**result["rows"], "strange": 1},
        "recoding": {**result["recoding"], "strange": 1},
    }
    assert "strange" not in json.dumps(public_manifest(strange)), "a key that is new"


@pytest.mark.parametrize("way", [{}, {"recoding": {"algorithm": "local"}}, {"missing": {"policy": "drop"}}])
def test_the_public_manifest_is_the_same_whatever_was_suppressed(tmp_path: Path, way: dict[str, Any]) -> None:
    """The attack of the public report: inputs that differ only in rows that are not released."""
    seen = []
    for number, lost in enumerate([[("9", "y")], [("9", "y"), ("8", "y"), ("7", "x")], [("6", "x")] * 3 + [("9", "y")] * 4]):
        rows = people(lost)
        if "missing" in way:
            rows += [{**rows[0], "a": None}] * number
        source = write_parquet(tmp_path / "in.parquet", rows)
        place = tmp_path / "public.json"
        result = anonymize(
            source, tmp_path / "out.parquet", job=job(tmp_path, **way), set={"output.public-manifest": place}, overwrite=True
        )
        assert (result["rows"]["released"], result["rows"]["suppressed"]) == (100, len(lost))
        public = json.loads(place.read_text(encoding="utf-8"))
        del public["output"]["sha256"], public["checksum"]  # of rows in random order
        seen.append(public)
    assert seen[0] == seen[1] == seen[2]


def test_counts_below_five_are_withheld_from_a_public_manifest(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", [{"a": number // 3, "b": "x"} for number in range(9)])
    columns = {"a": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}}
    options = Options(k=1, levels={"a": 0}, set={"output.public-manifest": tmp_path / "public.json"})
    result = anonymize(source, tmp_path / "out.parquet", job={"columns": columns}, options=options)
    assert result["classes"] == {"count": 3, "smallest": 3, "average": 3.0, "largest": 3}
    public = json.loads((tmp_path / "public.json").read_text())
    assert public["classes"] == dict.fromkeys(("count", "smallest", "average", "largest"))
    assert public["rows"] == {"released": 9}


def test_a_public_manifest_goes_with_the_file_and_can_be_checked(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", people([("9", "y")]))
    (tmp_path / "job.yaml").write_text(json.dumps(job(tmp_path)))
    cli("anonymize in.parquet --job job.yaml -o out.parquet --set output.public-manifest=public.json", code=0)
    cli("check", "out.parquet", "--manifest", "public.json", "--json", code=0)
    cli("report", "out.parquet.manifest.json", "--public-manifest", "again.json", code=0)
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "public.json").read_bytes()
    assert not list(tmp_path.glob("*.html"))


def test_a_run_says_which_files_may_be_shared_and_closes_the_others(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", [{"age": 20 + number % 3, "sex": "fm"[number % 2]} for number in range(60)])
    pages = ("--report", "in.html", "--public-report", "out.html", "--set", "output.public-manifest=public.json")
    run = cli("anonymize", "in.parquet", "-o", "out.parquet", *pages, "--workspace", "work.duckdb", "-v", code=0)
    sharing = {
        line.split()[0]: line.split()[1] for line in run.err.splitlines() if " share this" in line or " internal" in line
    }
    shared = {"out.parquet", "out.html", "public.json"}
    internal = {"out.parquet.manifest.json", "out.parquet.recoding/", "out.parquet.job.yaml", "in.html", "work.duckdb"}
    assert {name for name, who in sharing.items() if who == "share"} == shared
    assert {name for name, who in sharing.items() if who.startswith("internal")} == internal
    modes = {name.strip("/"): S_IMODE((tmp_path / name).stat().st_mode) for name in shared | internal}
    assert {name for name, mode in modes.items() if mode & 0o077 == 0} == {name.strip("/") for name in internal}
    assert modes.pop("out.parquet.recoding") == 0o700
    assert {modes[name] for name in modes if name not in shared} == {0o600}
    inside = (tmp_path / "out.parquet.recoding").iterdir()
    assert {S_IMODE(file.stat().st_mode) for file in inside} == {0o600}


def test_a_public_manifest_takes_no_other_files_place(tmp_path: Path, cli: Cli) -> None:
    source = write_parquet(tmp_path / "in.parquet", people([]))
    before = source.read_bytes()
    for place in (source, tmp_path / "out.parquet", tmp_path / "out.parquet.manifest.json"):
        with pytest.raises(OutputError):
            anonymize(source, tmp_path / "out.parquet", job=job(tmp_path), set={"output.public-manifest": place})
    same = tmp_path / "same"
    with pytest.raises(OutputError, match="two documents have the same path"):
        anonymize(source, tmp_path / "out.parquet", job=job(tmp_path), set={"output.public-manifest": same}, public_report=same)
    with pytest.raises(JobError, match="a public manifest cannot be written to standard output"):
        anonymize(source, tmp_path / "out.parquet", job=job(tmp_path), set={"output.public-manifest": "-"})
    run = cli("anonymize", "in.parquet", "--qi", "a", "-o", "-", "--set", "output.public-manifest=public.json", "-q")
    refused(run, 2, "public manifest", "-o")
    assert source.read_bytes() == before
    with pytest.raises(JobError, match="no such manifest"):
        report(tmp_path / "out.parquet.manifest.json", public_manifest=tmp_path / "public.json")
