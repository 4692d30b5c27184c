"""The pre-commit hook `duckanon-check`: `duckanon check` for each file that a commit adds or changes."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from duckanon.cli import output
from duckanon.errors import ExitCode


def main(arguments: Sequence[str]) -> int:
    """Check each file by the job file, or by the manifest beside it; return the highest exit code."""
    parser = argparse.ArgumentParser(prog="duckanon-check", allow_abbrev=False)
    parser.add_argument("--job", help="job file with roles and requirements; default: FILE.manifest.json")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args(arguments)
    return max((_check(file, options.job) for file in options.files), default=0)


def _check(file: str, job: str | None) -> int:
    manifest = f"{file}.manifest.json"
    if job is None and not Path(manifest).exists():
        output.error(f"{file!r} has no requirements: {manifest!r} does not exist; give the hook `args: [--job, privacy.yaml]`")
        return ExitCode.USAGE
    requirements = ["--job", job] if job is not None else ["--manifest", manifest]
    command = [sys.executable, "-m", "duckanon", "check", "--quiet", *requirements, "--", file]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
