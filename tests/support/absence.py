"""Programs and data that tests need and that may be absent."""

import os
from typing import NoReturn

import pytest


def absent(what: str) -> NoReturn:
    """Skip the test because something is absent; fail instead where `CI` is set."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)
