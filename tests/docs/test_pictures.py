"""The pictures of the documentation: one script makes them, pages show them, and each has words for readers who do not see it."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from docs.pictures import DRAWINGS, IMAGES, report, studio
from tests.support.pages import PAGES

FILES = {f"{name}.svg" for name in DRAWINGS} | {f"{name}.png" for name in (*report.SCREENSHOTS, *studio.SCREENSHOTS)}

_BLOCK = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
_IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
_SVG = "{http://www.w3.org/2000/svg}"
_MOST_BYTES = 100_000


def images(page: Path) -> list[tuple[str, Path]]:
    """The images that a page shows, each with its alternative text."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    return [(words, (page.parent / place).resolve()) for words, place in _IMAGE.findall(text)]


def test_every_image_of_a_page_exists_and_has_alternative_text() -> None:
    shown = [(page.name, words, path) for page in PAGES for words, path in images(page)]
    assert [(page, path.name) for page, _, path in shown if not path.is_file()] == []
    assert [(page, path.name) for page, words, path in shown if len(words.split()) < 5] == []


def test_the_folder_holds_what_the_script_makes() -> None:
    assert {path.name for path in IMAGES.iterdir()} == FILES


def test_a_page_shows_every_picture() -> None:
    shown = {path for page in PAGES for _, path in images(page)}
    assert sorted(name for name in FILES if (IMAGES / name).resolve() not in shown) == []


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_picture_is_small(name: str) -> None:
    assert (IMAGES / name).stat().st_size < _MOST_BYTES


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_has_a_title_a_description_and_text(name: str) -> None:
    drawing = ElementTree.parse(IMAGES / f"{name}.svg").getroot()
    assert drawing.get("role") == "img"
    assert drawing.get("aria-labelledby") == "title desc"
    assert {part.get("id") for part in drawing if part.get("id")} == {"title", "desc"}
    assert all(len((drawing.findtext(f"{_SVG}{part}") or "").split()) > 2 for part in ("title", "desc"))
    assert drawing.find(f"{_SVG}text") is not None
