"""Screenshots of the first page of a report, on a light and on a dark screen, and of the studio: `python -m docs.pictures --screenshots`."""

import shutil
import struct
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from docs.pictures import runs, studio

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCREENSHOTS: dict[str, Literal["light", "dark"]] = {"report-light": "light", "report-dark": "dark"}
"""The screenshots, and the colours that the reader's screen asks for."""

_WIDTH, _HEIGHT = 1200, 900
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

_INDEXED = """async (png) => {
  const image = new Image();
  image.src = "data:image/png;base64," + png;
  await image.decode();
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) || 0) + 1);
  const channels = (colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
  const colours = [...counts.keys()].sort((one, other) => counts.get(other) - counts.get(one));
  const palette = colours.slice(0, 256).map(channels);
  const places = new Map(colours.map((colour, number) => {
    if (number < 256) return [colour, number];
    const distances = palette.map((one) => Math.hypot(...channels(colour).map((value, at) => value - one[at])));
    return [colour, distances.indexOf(Math.min(...distances))];
  }));
  let indices = "";
  for (const pixel of pixels) indices += String.fromCharCode(places.get(pixel));
  return [image.width, palette.flat(), btoa(indices)];
}"""
"""The pixels of an image as indices of its 256 most frequent colours, which take a third of the bytes."""


def shoot(folder: Path, images: Path) -> str:
    """Write the screenshots, of the release with t-closeness; the reason if they cannot be taken, else nothing."""
    chromium = next(filter(None, map(shutil.which, _NAMES)), None)
    if chromium is None:
        return "no Chromium is installed"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return "playwright is not installed"
    runs.run(folder / runs.CLOSE, "duckanon report patients.anonymized.csv.manifest.json -o report.html")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=_ARGUMENTS)
        for name, scheme in SCREENSHOTS.items():
            page = browser.new_context(color_scheme=scheme, viewport={"width": _WIDTH, "height": _HEIGHT}).new_page()
            page.goto((folder / runs.CLOSE / "report.html").as_uri())
            page.wait_for_selector("html[data-charts=drawn]", timeout=120_000)
            _write(images / f"{name}.png", page.screenshot(), page)
        blank = browser.new_page()
        for name, shot in studio.shoot(browser, folder).items():
            _write(images / f"{name}.png", shot, blank)
        browser.close()
    return ""


def _write(path: Path, shot: bytes, page: "Page") -> None:
    """Write a screenshot with fewer colours, which the browser of a page chooses."""
    width, palette, indices = page.evaluate(_INDEXED, b64encode(shot).decode())
    path.write_bytes(_png(width, bytes(palette), b64decode(indices)))


def _png(width: int, palette: bytes, indices: bytes) -> bytes:
    """A PNG file of at most 256 colours."""
    rows = [b"\0" + indices[start : start + width] for start in range(0, len(indices), width)]
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )
