"""The package: its files, its imports and its metadata."""

import ast
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import Any

import pytest
import yaml

import duckanon
from tests.support.absence import absent
from tests.support.paths import ROOT

PACKAGE = ROOT / "duckanon"


MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in PACKAGE.rglob("*.py")
}


def listed(*places: str) -> set[str]:
    """The files that git knows there; skips outside a checkout, fails there in CI."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *places], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if listed.returncode != 0 or not listed.stdout:
        absent(f"{str(ROOT)!r} is no git checkout, so there is no list to compare with what is shipped")
    return set(listed.stdout.strip("\0").split("\0"))


@pytest.fixture(scope="module")
def tracked() -> set[str]:
    """What a wheel holds."""
    return listed("duckanon", "sql", "hierarchies")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    """What pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_wheel_holds_what_git_knows(tracked: set[str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    build = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert build.returncode == 0, build.stdout + build.stderr
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        empty = [name for name in names if not archive.getinfo(name).file_size]
    metadata = f"{'-'.join(wheel.name.split('-')[:2])}.dist-info/"
    expected = {name if name.startswith("duckanon/") else f"duckanon/{name}" for name in tracked}
    assert {name for name in names if not name.startswith(metadata)} == expected
    assert {name.removeprefix(metadata) for name in names if name.startswith(metadata)} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "entry_points.txt",
        "licenses/LICENSE",
    }
    assert len(names) == len(set(names))
    assert empty == []


def test_the_source_distribution_holds_what_git_knows_and_builds_the_same_wheel(
    project: dict[str, Any], tmp_path: Path
) -> None:
    shipped = [*project["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"], "LICENSE", "README.md", "pyproject.toml"]
    known = listed(*shipped)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    build = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert build.returncode == 0, build.stdout + build.stderr
    [archive] = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert names - {"PKG-INFO", ".gitignore"} == known
    # `build` makes the wheel out of the source distribution
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened_wheel:
        in_wheel = {name for name in opened_wheel.namelist() if ".dist-info/" not in name}
    assert in_wheel == {
        name if name.startswith("duckanon/") else f"duckanon/{name}" for name in listed("duckanon", "sql", "hierarchies")
    }


def test_the_version_is_in_the_metadata_and_in_the_changelog() -> None:
    newest = re.search(r"^## \[(.+?)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest[1] == duckanon.__version__ == version("duckanon")


def test_the_citation_names_the_version_and_the_day_of_the_changelog(project: dict[str, Any]) -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation), "a key that version 1.2.0 of the format requires"
    assert (citation["cff-version"], citation["type"], citation["title"]) == ("1.2.0", "software", project["project"]["name"])
    assert citation["authors"]
    assert all(author.get("name") for author in citation["authors"])
    assert citation["license"] == project["project"]["license"]
    assert citation["version"] == duckanon.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{citation['version']}] - {citation['date-released']}\n" in changelog


def test_the_command_is_the_one_that_is_tested_here(project: dict[str, Any]) -> None:
    assert project["project"]["scripts"] == {"duckanon": "duckanon.cli:main"}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_everything_public_has_a_docstring(module: str) -> None:
    """A module, its classes and its functions; a method or an attribute may explain itself."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    named = [node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)]
    silent = [node.name for node in named if not node.name.startswith("_") and not ast.get_docstring(node)]
    assert silent == []
    assert ast.get_docstring(tree)


def test_every_module_that_pyproject_names_exists(project: dict[str, Any]) -> None:
    named = {entry.partition(":")[0] for entry in project["project"]["scripts"].values()}
    named |= set(project["tool"]["importlinter"]["root_packages"])
    named |= {package for package in project["tool"]["mypy"]["packages"] if package not in ("tests", "docs")}
    for contract in project["tool"]["importlinter"]["contracts"]:
        named |= set(contract.get("containers", ())) | set(contract.get("source_modules", ()))
        for container in contract.get("containers", ()):
            siblings = [name for layer in contract["layers"] for name in re.split(r"[|:]", layer)]
            named |= {f"{container}.{name.strip()}" for name in [*siblings, *contract.get("exhaustive_ignores", ())]}
    assert named - set(MODULES) == set()
    paths = [project["tool"]["hatch"]["version"]["path"], *project["tool"]["ruff"]["lint"]["per-file-ignores"]]
    assert [path for path in paths if not list(ROOT.glob(path))] == []


def test_only_the_engine_is_free_to_know_a_driver(project: dict[str, Any]) -> None:
    contracts = project["tool"]["importlinter"]["contracts"]
    [guard] = [contract for contract in contracts if contract["type"] == "forbidden"]
    assert (guard["source_modules"], guard["ignore_imports"]) == (["duckanon"], ["duckanon.engine.** -> duckdb"])


def test_the_package_has_few_root_modules_and_layers(project: dict[str, Any]) -> None:
    assert len([name for name in MODULES if (PACKAGE / name.removeprefix("duckanon.")).with_suffix(".py").is_file()]) <= 10
    [layers] = [contract["layers"] for contract in project["tool"]["importlinter"]["contracts"] if contract["type"] == "layers"]
    assert len(layers) <= 14
    assert len(PACKAGES & {name.strip() for layer in layers for name in layer.split("|")}) == len(PACKAGES)


PACKAGES = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


def test_no_public_class_name_occurs_twice() -> None:
    names = Counter(
        node.name
        for path in MODULES.values()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_identifiers_name_what_they_hold() -> None:
    """A name that fits every value does not describe this value."""
    vague = {"told", "found", "asked", "one", "said"}
    paths = [path for folder in ("duckanon", "tests", "benchmarks", "docs") for path in (ROOT / folder).rglob("*.py")]
    named = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in paths
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for attribute in ("id", "arg", "attr", "name", "asname")
        if isinstance(name := getattr(node, attribute, None), str) and name.strip("_") in vague
    }
    assert named | {f"{path.relative_to(ROOT)}: a module" for path in paths if path.stem.strip("_") in vague} == set()


def test_only_the_search_knows_the_classes_of_its_results() -> None:
    """Others ask a result for what it has: `full_domain`, `regions`."""
    asking = [
        name
        for name, path in MODULES.items()
        if not name.startswith("duckanon.search.")
        and re.search(
            r"isinstance\([^)]*\b(FullDomainResult|RegionResult|MondrianResult|LocalResult)\b", path.read_text(encoding="utf-8")
        )
    ]
    assert asking == []


def test_every_library_that_is_imported_is_a_declared_dependency(project: dict[str, Any]) -> None:
    extras = project["project"]["optional-dependencies"].values()
    requirements = [*project["project"]["dependencies"], *(requirement for extra in extras for requirement in extra)]
    declared = {_distribution(requirement) for requirement in requirements}
    owners = packages_distributions()
    imported = {root for path in MODULES.values() for root in _imported(path)} - sys.stdlib_module_names - {"duckanon"}
    undeclared = {root for root in imported if not {_distribution(owner) for owner in owners.get(root, [root])} & declared}
    assert undeclared == set()
    needed = {_distribution(owner) for root in imported for owner in owners.get(root, [root])}
    assert declared - needed == BOUND_FOR_OTHERS | IMPORTED_BY_NAME | {"duckanon"}


BOUND_FOR_OTHERS = {"pandas"}
"""What is declared for its version only: pyspark needs it and does not know the newest one."""
IMPORTED_BY_NAME = {"cryptography", "pyreadstat", "python-calamine", "securesystemslib"}
"""The packages of the extras `formats` and `attest`, imported when they are needed."""


def _imported(path: Path) -> Iterator[str]:
    """The top-level packages that a module imports, anywhere in it but for its types alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for block in [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]:
        tree.body.remove(block)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _distribution(requirement: str) -> str:
    """A distribution's normalized name."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].replace("_", "-").lower()


def test_every_public_name_resolves() -> None:
    assert sorted(duckanon.__all__) == duckanon.__all__
    assert all(getattr(duckanon, name) is not None for name in duckanon.__all__)
    modules = {path.stem for path in (ROOT / "duckanon").glob("*.py")} | {
        path.parent.name for path in (ROOT / "duckanon").glob("*/__init__.py")
    }
    assert modules.isdisjoint(duckanon.__all__), "a module of that name would stand in its place once it is imported"
    with pytest.raises(AttributeError, match="nonsense"):
        duckanon.nonsense  # type: ignore[attr-defined]  # noqa: B018
