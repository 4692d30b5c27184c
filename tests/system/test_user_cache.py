"""The user's cache folder: what another account could have planted there is never run."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jinja2.bccache import bc_magic

from tests.support.command_line import run_process
from tests.support.rows import write_parquet


class Planted:
    """An object that creates a file where it is read."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (str(self.mark), "w")


def symlink(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to("elsewhere")


WAYS: dict[str, Callable[[Path], object]] = {
    "mode 0755": lambda folder: folder.chmod(0o755),
    "mode 0777": lambda folder: folder.chmod(0o777),
    "a symbolic link": symlink,
    "a folder above that everybody can write to": lambda folder: folder.parent.chmod(0o777),
    "another account": lambda folder: os.chown(folder, 12345, -1),
}


@pytest.mark.parametrize("way", [None, *WAYS])
def test_planted_bytecode_is_not_run(tmp_path: Path, way: str | None) -> None:
    """The attack succeeds on a private folder (None), where only the account itself can plant something."""
    if way == "another account" and os.geteuid() != 0:
        pytest.skip("only root can give a folder to another account")
    write_parquet(tmp_path / "in.parquet", [{"age": 20 + number % 2} for number in range(20)])
    arguments = ("anonymize", "in.parquet", "--qi", "age", "-o", "out.parquet", "-q", "--overwrite")
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert run_process(tmp_path, *arguments, environment=environment).code == 0
    folder = tmp_path / "cache" / "duckanon"
    compiled = list(folder.glob("__jinja2_*.cache"))
    assert len(compiled) > 20
    for file in compiled:
        file.write_bytes(bc_magic + pickle.dumps(Planted(tmp_path / "mark")))
    if way is not None:
        WAYS[way](folder)
    run_process(tmp_path, *arguments, environment=environment, code=0)
    assert (tmp_path / "mark").exists() == (way is None)


@pytest.mark.parametrize("way", [None, *WAYS])
def test_a_planted_script_is_in_no_report(tmp_path: Path, way: str | None) -> None:
    """The same for the bundle of the Vega libraries."""
    if way == "another account" and os.geteuid() != 0:
        pytest.skip("only root can give a folder to another account")
    write_parquet(tmp_path / "in.parquet", [{"age": 20 + number % 2} for number in range(20)])
    arguments = ("anonymize", "in.parquet", "--qi", "age", "-o", "out.parquet", "--report", "page.html", "-q", "--overwrite")
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert run_process(tmp_path, *arguments, environment=environment).code == 0
    folder = tmp_path / "cache" / "duckanon"
    [script] = folder.glob("vega-*")
    size = (tmp_path / "page.html").stat().st_size
    assert script.stat().st_size > size / 2
    script.write_text("planted()")
    if way is not None:
        WAYS[way](folder)
    run_process(tmp_path, *arguments, environment=environment, code=0)
    page = tmp_path / "page.html"
    assert ("planted()" in page.read_text()) == (way is None)
    assert (page.stat().st_size > size / 2) == (way is not None)
