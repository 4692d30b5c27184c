"""The tasks of docs/how-to/pipelines.md: Dagster's asset in Dagster, Airflow's task with a stand-in for `airflow.sdk`."""

import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from duckanon.errors import Infeasible
from tests.support.demo import Demo
from tests.support.environments import PEERS, programs
from tests.support.paths import ROOT

PROGRAMS: dict[str, str] = {
    "dagster" if "dagster" in text else "airflow": text
    for text in re.findall(
        r"^```python\n(.*?)^```$",
        (ROOT / "docs/how-to/pipelines.md").read_text(encoding="utf-8"),
        flags=re.MULTILINE | re.DOTALL,
    )
}
MATERIALIZE = """
import json, runpy, sys

sys.path += sys.argv[1:]  # what duckanon needs, after Dagster's own versions
from dagster import materialize

result = materialize([runpy.run_path("task.py")["people_release"]], raise_on_error=False)
events = result.get_asset_materialization_events()
metadata = {name: value.value for event in events for name, value in event.materialization.metadata.items()}
failures = [event.event_specific_data.error.to_string() for event in result.all_events if event.is_step_failure]
print(json.dumps({"success": result.success, "metadata": metadata, "failures": failures}))
"""


@pytest.fixture
def people(tmp_path: Path, demo: Demo) -> Path:
    demo(tmp_path / "people.parquet", 5_000)
    return tmp_path


def public(folder: Path) -> Any:
    return json.loads((folder / "public.json").read_text())


def run_in_dagster(folder: Path, text: str) -> dict[str, Any]:
    (folder / "task.py").write_text(text)
    paths = [str(ROOT), sysconfig.get_paths()["purelib"], sysconfig.get_paths()["platlib"]]
    ran = subprocess.run(
        [programs(PEERS / "dagster.txt") / "python", "-c", MATERIALIZE, *paths],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"DAGSTER_DISABLE_TELEMETRY": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    outcome: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return outcome


@pytest.mark.slow
def test_dagster_materializes_the_release_with_its_public_manifest(people: Path) -> None:
    outcome = run_in_dagster(people, PROGRAMS["dagster"])
    assert outcome["success"], outcome["failures"]
    assert outcome["metadata"] == public(people)
    assert (people / "release.parquet").exists()


@pytest.mark.slow
def test_a_release_that_cannot_be_made_fails_the_asset(people: Path) -> None:
    outcome = run_in_dagster(people, PROGRAMS["dagster"].replace("k=11", "k=5_001"))
    assert not outcome["success"]
    assert "Infeasible" in outcome["failures"][0]
    assert not (people / "release.parquet").exists()


def run_in_airflow(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Run the program with decorators that call what they decorate; gives the results of its tasks."""
    results: list[Any] = []

    def dag(**options: Any) -> Callable[[Callable[[], None]], Callable[[], None]]:
        assert set(options) == {"schedule"}
        return lambda function: function

    def task(function: Callable[[], Any]) -> Callable[[], None]:
        return lambda: results.append(function())

    airflow, sdk = ModuleType("airflow"), ModuleType("airflow.sdk")
    vars(sdk).update(dag=dag, task=task)
    monkeypatch.setitem(sys.modules, "airflow", airflow)
    monkeypatch.setitem(sys.modules, "airflow.sdk", sdk)
    monkeypatch.chdir(folder)
    exec(compile(text, "pipelines.md", "exec"), {"__name__": "releases"})
    return results


def test_airflow_runs_the_release_and_stores_its_public_manifest(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [result] = run_in_airflow(people, PROGRAMS["airflow"], monkeypatch)
    assert result == public(people)
    assert (people / "release.parquet").exists()


def test_a_release_that_cannot_be_made_fails_the_task(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Infeasible):
        run_in_airflow(people, PROGRAMS["airflow"].replace("k=11", "k=5_001"), monkeypatch)
    assert not (people / "release.parquet").exists()
