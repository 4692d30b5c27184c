"""Screenshots of the studio: requirements with their consequences, and the lattice."""

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCREENSHOTS = {"studio-requirements": "Requirements", "studio-lattice": "Lattice"}
"""The screenshots, and the section that each shows."""

_WIDTH, _HEIGHT = 1200, 1000
_OPTIONS = "--qi age,sex,race,marital-status,education --hierarchies adult/five-year --max-suppression 1% --no-browser"


def shoot(browser: "Browser", folder: Path) -> dict[str, bytes]:
    """The screenshots as PNG files, of `adult.parquet` in the folder."""
    command = [sys.executable, "-m", "duckanon", "studio", "adult.parquet", *_OPTIONS.split()]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as studio:
        address = next(match[0] for line in studio.stderr or () if (match := re.search(r"http://\S+", line)))
        page = browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT})
        page.goto(address)
        page.get_by_role("tab", name="Requirements").click(timeout=60_000)
        page.wait_for_timeout(10_000)
        shots = {}
        for name, section in SCREENSHOTS.items():
            page.get_by_role("tab", name=section).click()
            page.wait_for_timeout(3_000)
            shots[name] = page.screenshot()
        page.close()
        studio.wait(60)
    return shots
