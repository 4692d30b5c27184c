"""`duckanon attest`."""

from pathlib import Path
from typing import Annotated

import typer

from duckanon.cli import output, shared
from duckanon.cli.parameters import takes
from duckanon.job.options import Run


@takes({"overwrite": "Replace an existing attestation."})
def attest(
    manifest: shared.Manifest,
    key: Annotated[
        Path,
        typer.Option(metavar="FILE.pem", help="Ed25519 private key that signs (PEM, mode 0600).", show_default=False),
    ],
    target: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.json",
            help="File of the attestation; default: OUTPUT.attestation.json beside the release.",
            show_default=False,
        ),
    ] = None,
    *,
    run: Run,
) -> None:
    """Sign an attestation of a release, which `duckanon check` verifies without the source and without the manifest.

    It has the requirements, the result and the policy in an in-toto statement (DSSE envelope), and nothing that a public manifest does not have.
    """
    from duckanon.workflows import attest as attest_workflow

    written = attest_workflow.attest(manifest, key, target, overwrite=run.overwrite)
    output.ConsoleObserver().note(f"{written}: share, with the release and the public key")
