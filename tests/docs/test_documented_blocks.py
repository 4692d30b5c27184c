"""Every code block of README and documentation does what its page says."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.support.documented.blocks import Block, blocks, misuses
from tests.support.documented.made import lay
from tests.support.documented.reader import Reader
from tests.support.paths import ROOT

GENERATED = {"commands", "job", "errors"}
"""Pages of docs/reference that are written by the code itself."""

PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in [
        *(
            ROOT / name
            for name in (
                "README.md",
                "CONTRIBUTING.md",
                "SECURITY.md",
                "data/README.md",
                "sql/README.md",
                "tests/README.md",
                "tests/trust/README.md",
                "benchmarks/README.md",
            )
        ),
        *(ROOT / "docs").rglob("*.md"),
    ]
    if not (path.parent.name == "reference" and path.stem in GENERATED)
)

NOT_RUN = {
    "installs packages": 3,
    "runs the tests themselves": 1,
    "a step of a release": 3,
    "needs a cluster": 1,
    "a drawing": 1,
    "a part of a statement": 2,
    "figures of a long run": 3,
}
"""Why a block may stay undone, and how many do."""

WRONG = {
    "an option that is not known": (
        "<!-- not run: needs a cluster -->\n```sh\nduckanon anonymize a.parquet --qi a --engin duckdb\n```",
        "No such option: --engin",
    ),
    "a command that is not known": (
        "<!-- not run: needs a cluster -->\n```console\n$ a | (cd b && duckanon anonymise b)\n```",
        "No such command 'anonymise'",
    ),
    "the same behind a command that is known": (
        "```yaml\nstages: [x]\nx: {script: [duckanon demo, duckanon check x --requires k=5]}\n```",
        "No such option: --requires",
    ),
    "a language that is not known": ("```\nduckanon demo\n```", "of no language is never run"),
    "a command that fails": ("```sh\nduckanon check nothing.parquet --qi a\n```", "ended with 3"),
    "another exit code": ("```sh\nduckanon demo --rows 0   # exit code 1\n```", "ended with 2"),
    "another output": ("```console\n$ duckanon demo --rows 5\nadult.parquet: 6 synthetic persons; ...\n```", "in place of:"),
    "a hierarchy": ("```yaml\nkind: intervals\nwidth: 5\n```", "unknown key 'width'"),
    "a job": ("```yaml\nprivacy: [{model: k-anonymity}]\n```", r"privacy\.0: requires nothing"),
    "another document": ("```yaml\nprivcy: []\n```", "of no known kind"),
    "a table": ("```csv\na;b\nc\n```", r"rows of \[1, 2\] cells"),
    "a statement": ("```sql\nfrom nothing\n```", "nothing does not exist"),
    "a program": ("```python\nraise KeyError('3 of a program')\n```", "3 of a program"),
    "a session": ("```python\n>>> 1 + 1\n3\n```", "Expected:"),
    "a document of JSON": ('```json\n{"a": }\n```', "Expecting value"),
    "a block that stands in a list": ("- so:\n\n  ```sh\n  duckanon demo\n  ```", "begins at the margin"),
    "a block with a title": ("```sh title=demo\nduckanon demo\n```", "begins at the margin"),
    "a block of a directive": ("```{code-block} sh\nduckanon demo\n```", "is never run"),
    "a mark that stands elsewhere": ("<!-- not run: a drawing -->\n\n```text\n```", "directly before its block"),
}


def _read(page: str, text: str, folder: Path) -> None:
    listed = list(blocks(page, text))
    run = [block.text for block in listed if "not run" not in block.marks]
    reader = Reader(folder, lambda new: lay(new, run))
    for block in listed:
        reader.read(block)


def _blocks(page: str) -> list[Block]:
    return list(blocks(page, (ROOT / page).read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_says(page: str, tmp_path: Path) -> None:
    _read(page, (ROOT / page).read_text(encoding="utf-8"), tmp_path)


def test_few_blocks_are_not_run() -> None:
    reasons = Counter(block.marks["not run"] for page in PAGES for block in _blocks(page) if "not run" in block.marks)
    assert reasons <= Counter(NOT_RUN), reasons - Counter(NOT_RUN)


@pytest.mark.parametrize("page", PAGES)
def test_commands_within_sentences_exist(page: str) -> None:
    """With their options; a sentence need not say what they are about. The changelog also names what was removed."""
    spans = re.findall(r"(?<!`)`(duckanon [^`\n]+)`", (ROOT / page).read_text(encoding="utf-8"))
    wrong = [misuse for span in spans for misuse in misuses(span) if "Missing argument" not in misuse]
    assert not wrong


@pytest.mark.parametrize("wrong", WRONG)
def test_a_page_that_is_wrong_is_found(wrong: str, tmp_path: Path) -> None:
    text, phrase = WRONG[wrong]
    with pytest.raises(Exception, match=phrase):
        _read("page.md", text, tmp_path)
