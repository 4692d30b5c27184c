"""Asks for known vulnerabilities of every locked package, and lists the licences of those that are installed.

    python .ci/audit/audit.py PYTHON-OF-THE-PROJECT

Ends with 1 where there is a vulnerability. Where the advisories cannot be asked, it says of how many packages, and that is no fault
of the packages.
"""

import json
import subprocess
import sys
from pathlib import Path

LOCK = Path(__file__).resolve().parents[2] / "requirements.lock"


def main(project: str) -> int:
    found, asked = advisories()
    print(f"asked about {asked[0]} of {asked[1]} locked packages: {len(found)} have known vulnerabilities")
    for line in found:
        print(f"  {line}")
    listed = subprocess.run(
        ["pip-licenses", f"--python={project}", "--order=license"], capture_output=True, text=True, check=True
    )
    print(listed.stdout)
    return 1 if found else 0


def advisories() -> tuple[list[str], tuple[int, int]]:
    """What is known, a line each; and of how many packages of how many the advisories were asked."""
    names = sum("==" in line and not line.startswith((" ", "#")) for line in LOCK.read_text(encoding="utf-8").splitlines())
    asked = subprocess.run(
        [
            "pip-audit",
            "--requirement",
            LOCK,
            "--require-hashes",
            "--disable-pip",
            "--format",
            "json",
            "--progress-spinner",
            "off",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        packages = json.loads(asked.stdout)["dependencies"]
    except ValueError:
        print(asked.stderr.strip().splitlines()[-1] if asked.stderr.strip() else "pip-audit said nothing")
        return [], (0, names)
    known = [package for package in packages if "skip_reason" not in package]
    lines = [
        f"{package['name']} {package['version']}: {one['id']}, mended in {', '.join(one['fix_versions']) or 'no version'}"
        for package in known
        for one in package["vulns"]
    ]
    return lines, (len(known), len(packages))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
