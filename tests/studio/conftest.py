"""A studio on a small table of persons."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.support.studio import LocalStudio

Open = Callable[..., LocalStudio]
"""Opens a studio on a file, with what `LocalStudio` takes; it is closed at the end of the test."""

ROWS = [
    f"{20 + number % 30},{'FM'[number % 2]},{10115 + number % 4},{['flu', 'gout', 'none'][number % 3]}" for number in range(240)
]


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A CSV file of 240 persons in the working folder: age, sex, zip and disease."""
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["age,sex,zip,disease", *ROWS]) + "\n")
    monkeypatch.chdir(tmp_path)
    return path


@pytest.fixture
def open_studio() -> Iterator[Open]:
    """Opens studios whose client has used the token."""
    with ExitStack() as opened:

        def open_one(source: Path | str, **options: Any) -> LocalStudio:
            return opened.enter_context(LocalStudio(Path(source), **options)).enter()

        yield open_one


@pytest.fixture
def studio(people: Path, open_studio: Open) -> LocalStudio:
    """A studio on the persons."""
    return open_studio(people.name)
