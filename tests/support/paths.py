"""Where the checkout lies, and the reference data beside it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
FIXTURES = ROOT / "tests" / "support" / "fixtures"
