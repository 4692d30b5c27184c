"""The GitHub Action and the pre-commit hooks: their commands run, and detect what they should."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.absence import absent
from tests.support.paths import ROOT
from tests.support.rows import write_parquet
from tests.support.runs import anonymize

ACTION = yaml.safe_load((ROOT / "integrations/github-action/action.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
JOB = {"columns": {"age": {"role": "quasi-identifier"}}, "privacy": [{"model": "k-anonymity", "k": 5}]}
PIP = f"""#!{sys.executable}
import json, os, pathlib, sys
if sys.argv[1:4] == ["-m", "pip", "install"]:
    pathlib.Path("installed.json").write_text(json.dumps(sys.argv[4:]))
else:
    os.execv({sys.executable!r}, sys.argv)
"""
"""Python, with a `pip install` that only notes its arguments."""
_INPUT = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")


def lay(folder: Path) -> None:
    """Releases that hold and fail, a job file, and a manifest."""
    write_parquet(folder / "people.parquet", [{"age": number % 10} for number in range(100)])
    anonymize(folder / "people.parquet", folder / "held.anonymized.parquet", job={**JOB, "recoding": {"levels": {"age": 0}}})
    write_parquet(folder / "failing.anonymized.parquet", [{"age": number} for number in range(3)])
    (folder / "privacy.yaml").write_text(json.dumps({"version": 1, **JOB}))


def environment(folder: Path, **more: str) -> dict[str, str]:
    paths = [str(folder / "programs"), str(Path(sys.executable).parent), os.environ["PATH"]]
    return {**os.environ, "PATH": os.pathsep.join(paths), "PYTHONPATH": str(ROOT), **more}


def act(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the steps of the action as GitHub does, up to the first that fails."""
    (folder / "programs").mkdir(exist_ok=True)
    (folder / "programs" / "python").write_text(PIP)
    (folder / "programs" / "python").chmod(0o755)
    given = {name: str(declared.get("default", "")) for name, declared in ACTION["inputs"].items()}
    given |= {name.replace("_", "-"): value for name, value in inputs.items()}
    assert set(given) == set(ACTION["inputs"])
    for step in ACTION["runs"]["steps"]:
        variables = {name: _INPUT.sub(lambda match: given[match[1]], text) for name, text in step["env"].items()}
        (folder / "step.sh").write_text(step["run"])
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "step.sh"],
            cwd=folder,
            env=environment(folder, **variables),
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode:
            break
    return ran


def test_no_input_stands_in_a_script() -> None:
    """GitHub replaces expressions before bash reads a script, so that an input could be a command there."""
    assert ACTION["runs"]["using"] == "composite"
    used: set[str] = set()
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
        used |= {match for text in step["env"].values() for match in _INPUT.findall(text)}
    assert used == set(ACTION["inputs"])
    assert all(declared["description"] for declared in ACTION["inputs"].values())


CASES: dict[str, tuple[dict[str, str], int, str]] = {
    "a job": ({"file": "held.anonymized.parquet", "job": "privacy.yaml"}, 0, "::notice"),
    "a manifest": (
        {"file": "held.anonymized.parquet", "manifest": "held.anonymized.parquet.manifest.json"},
        0,
        "::notice",
    ),
    "requirements": (
        {"file": "held.anonymized.parquet", "quasi_identifiers": "age", "requirements": "k=5\nhighest-risk=0.2\n"},
        0,
        "::notice",
    ),
    "a requirement that fails": (
        {"file": "held.anonymized.parquet", "quasi_identifiers": "age", "requirements": "k=5\nk=11\n"},
        1,
        "::error",
    ),
    "a job that fails": ({"file": "failing.anonymized.parquet", "job": "privacy.yaml"}, 1, "::error"),
    "the manifest of another file": (
        {"file": "failing.anonymized.parquet", "manifest": "held.anonymized.parquet.manifest.json"},
        1,
        "::error",
    ),
    "another format": ({"file": "held.anonymized.parquet", "job": "privacy.yaml", "format": "json"}, 0, '"holds"'),
    "no file": ({"file": "absent.parquet", "job": "privacy.yaml"}, 3, ""),
    "an option in place of a file": ({"file": "--help", "job": "privacy.yaml"}, 3, ""),
}


@pytest.mark.parametrize("name", CASES)
def test_the_action_fails_where_the_check_fails(name: str, tmp_path: Path) -> None:
    inputs, code, phrase = CASES[name]
    lay(tmp_path)
    ran = act(tmp_path, **inputs)
    assert (ran.returncode, phrase in ran.stdout) == (code, True), ran.stdout + ran.stderr
    assert json.loads((tmp_path / "installed.json").read_text()) == ["--quiet", "duckanon"]


def test_the_action_writes_its_result_to_a_file(tmp_path: Path) -> None:
    lay(tmp_path)
    ran = act(tmp_path, file="failing.anonymized.parquet", job="privacy.yaml", format="sarif", output="results.sarif")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert json.loads((tmp_path / "results.sarif").read_text())["version"] == "2.1.0"


@pytest.mark.parametrize("name", [name for name in ACTION["inputs"] if name != "output"])
def test_an_input_is_never_a_command(name: str, tmp_path: Path) -> None:
    lay(tmp_path)
    hostile = '"; touch pwned; " $(touch pwned) `touch pwned`\ntouch pwned\n\' ; touch pwned #'
    act(tmp_path, **{"file": "held.anonymized.parquet", "job": "privacy.yaml", name.replace("-", "_"): hostile})
    assert not (tmp_path / "pwned").exists()
    expected = f"duckanon=={hostile}" if name == "version" else "duckanon"
    assert json.loads((tmp_path / "installed.json").read_text()) == ["--quiet", expected]


def test_the_workflow_of_the_guide_gives_inputs_that_the_action_has() -> None:
    page = (ROOT / "docs/how-to/ci-gate.md").read_text(encoding="utf-8")
    [text] = re.findall(r"^```yaml\n(on:.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    *_, step = yaml.safe_load(text)["jobs"]["privacy"]["steps"]
    assert step["uses"].partition("@")[0].endswith("/duckanon/integrations/github-action")
    assert {"file"} <= set(step["with"]) <= set(ACTION["inputs"])
    [text] = re.findall(r"^```yaml\n(repos:.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    [repository] = yaml.safe_load(text)["repos"]
    assert {hook["id"] for hook in repository["hooks"]} == {hook["id"] for hook in HOOKS}


@pytest.fixture(scope="session")
def pre_commit() -> Path:
    """The program, beside this Python."""
    program = Path(sys.executable).with_name("pre-commit")
    if not program.exists():
        absent("pre-commit is not installed")
    return program


def git(folder: Path, *arguments: str) -> None:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with releases, of which none is added yet."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    lay(folder)
    return folder


def commit(pre_commit: Path, repository: Path, *files: str, **hook: Any) -> subprocess.CompletedProcess[str]:
    """Run the hooks for added files; `duckanon-check` in this environment in place of one that pre-commit installs."""
    hooks = [{**declared, **({"language": "system"} if declared["language"] == "python" else {})} for declared in HOOKS]
    hooks[0] |= hook
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": hooks}]}))
    git(repository, "add", ".pre-commit-config.yaml", *files)
    return run(pre_commit, repository, "run")


def run(pre_commit: Path, folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    variables = environment(folder, PRE_COMMIT_HOME=str(folder.parent / "home"), **more)
    return subprocess.run([pre_commit, *arguments], cwd=folder, env=variables, capture_output=True, text=True, check=False)


def test_the_hooks_are_valid(pre_commit: Path, repository: Path) -> None:
    ran = run(pre_commit, repository, "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml"))
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_hook_checks_added_releases_by_their_manifests(pre_commit: Path, repository: Path) -> None:
    held = commit(pre_commit, repository, "held.anonymized.parquet")
    assert held.returncode == 0, held.stdout
    assert "no requirements" not in held.stdout
    without = commit(pre_commit, repository, "failing.anonymized.parquet")
    assert without.returncode == 1
    assert "'failing.anonymized.parquet' has no requirements" in without.stdout


def test_the_hook_checks_added_releases_by_a_job(pre_commit: Path, repository: Path) -> None:
    options = {"args": ["--job", "privacy.yaml"], "files": r"\.parquet$"}
    (repository / "$(touch pwned) '.parquet").write_bytes((repository / "held.anonymized.parquet").read_bytes())
    assert commit(pre_commit, repository, "held.anonymized.parquet", "$(touch pwned) '.parquet", **options).returncode == 0
    assert not (repository / "pwned").exists()
    failing = commit(pre_commit, repository, "failing.anonymized.parquet", **options)
    assert failing.returncode == 1
    assert "'failing.anonymized.parquet' does not satisfy" in failing.stdout


INTERNAL = (
    "out.parquet.manifest.json",
    "data/out.parquet.recoding/job.yaml",
    "out.parquet.job.yaml",
    "duckanon.key",
    "ed25519.pem",
    "releases.duckdb",
    "work.duckdb",
    "work.duckdb.wal",
)


@pytest.mark.parametrize("name", INTERNAL)
def test_the_hook_refuses_internal_files(name: str, pre_commit: Path, repository: Path) -> None:
    (repository / name).parent.mkdir(parents=True, exist_ok=True)
    (repository / name).write_text("secret")
    ran = commit(pre_commit, repository, "-f", name)
    assert ran.returncode == 1
    assert "internal files contain original values or keys" in ran.stdout
    assert name in ran.stdout
    assert "secret" not in ran.stdout


def test_the_hook_lets_other_files_pass(pre_commit: Path, repository: Path) -> None:
    for name in ("privacy.yaml", "public.json", "readme.md", "data.csv", "ed25519.pub.pem"):
        (repository / name).write_text("x")
    ran = commit(pre_commit, repository, "privacy.yaml", "public.json", "readme.md", "data.csv", "ed25519.pub.pem")
    assert ran.returncode == 0, ran.stdout


def test_pre_commit_takes_the_hooks_from_this_repository(pre_commit: Path, repository: Path) -> None:
    if subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, check=False).returncode:
        absent(f"{str(ROOT)!r} is no git checkout, which pre-commit could clone")
    hook = ["try-repo", str(ROOT), "duckanon-internal-files", "--ref", "HEAD"]
    git(repository, "add", "held.anonymized.parquet.manifest.json")
    refused = run(pre_commit, repository, *hook)
    assert refused.returncode == 1, refused.stderr
    assert "held.anonymized.parquet.manifest.json" in refused.stdout
