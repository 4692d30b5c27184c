"""Writes the pictures. `--screenshots` takes those of the report too, for which it needs Chromium."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.pictures import DRAWINGS, IMAGES, report, runs


def main(*, with_screenshots: bool) -> None:
    """Write every drawing to `docs/images/`; the screenshots that cannot be taken stay as they are."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        runs.make(folder)
        for picture, draw in DRAWINGS.items():
            (IMAGES / f"{picture}.svg").write_text(draw(folder), encoding="utf-8", newline="\n")
        if with_screenshots and (reason := report.shoot(folder, IMAGES)):
            sys.stderr.write(f"docs.pictures: the screenshots of the report are not taken again: {reason}\n")


main(with_screenshots="--screenshots" in sys.argv[1:])
