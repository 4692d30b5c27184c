"""The layout of the tests: folders, imports, and a marker for every folder."""

import ast
import tomllib
from pathlib import Path

import pytest

from tests.support.paths import ROOT

TESTS = ROOT / "tests"
MODULES = sorted(TESTS.rglob("test_*.py"))
UNITS = [path for path in MODULES if path.is_relative_to(TESTS / "unit") and path.name != "test_snapshots.py"]
"""Snapshots are those of all templates."""


def imported(path: Path) -> list[str]:
    """The modules that a module imports, anywhere in it."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    members = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return names + [f"{node.module}.{alias.name}" for node in members for alias in node.names]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_no_test_module_imports_another(path: Path) -> None:
    parts = [name.split(".") for name in imported(path) if name.startswith("tests.")]
    assert [name for name in parts if any(part.startswith("test_") for part in name)] == []
    others = {path.name for path in TESTS.iterdir() if path.is_dir()} - {"support", path.relative_to(TESTS).parts[0]}
    assert [name for name in parts if name[1] in others] == []


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.relative_to(TESTS).as_posix())
def test_a_unit_test_has_the_name_of_its_module(path: Path) -> None:
    module = ROOT / "duckanon" / path.relative_to(TESTS / "unit").parent / path.stem.removeprefix("test_")
    assert module.is_dir() or module.with_suffix(".py").is_file()


def test_every_folder_has_its_marker() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    markers = {line.partition(":")[0] for line in project["tool"]["pytest"]["ini_options"]["markers"]}
    assert markers == {path.relative_to(TESTS).parts[0] for path in MODULES} | {"slow", "thorough"}


def test_what_make_check_installs_is_locked_as_all_is() -> None:
    """The lock of `make check` is a part of the whole lock, version by version and hash by hash."""
    # fewer packages need fewer markers: the condition of a package depends on those that need it
    part, whole = (
        {line.rstrip(" \\").partition(" ;")[0] for line in (ROOT / name).read_text(encoding="utf-8").splitlines()}
        for name in (".ci/check/requirements.txt", "requirements.lock")
    )
    assert part <= whole
