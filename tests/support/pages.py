"""The pages of the documentation."""

from tests.support.paths import ROOT

DOCS = ROOT / "docs"
OUTSIDE = [
    ROOT / name
    for name in (
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "data/README.md",
        "sql/README.md",
        "tests/README.md",
        "tests/trust/README.md",
    )
]
PAGES = sorted([*DOCS.rglob("*.md"), *(ROOT / "benchmarks").glob("*.md"), *OUTSIDE])
