"""Sign an attestation of a release."""

from pathlib import Path

from duckanon.engine.staging import StagedFiles
from duckanon.errors import JobError, OutputError
from duckanon.job.earlier_versions import ASSUMED_ANY
from duckanon.release import attestation, manifest, saved_recoding
from duckanon.release.manifest_model.document import ReleaseManifest
from duckanon.release.placement import companions
from duckanon.reports.files import check_place
from duckanon.reports.publication import public_manifest


def attest(manifest_path: Path | str, key: Path | str, output: Path | str | None = None, *, overwrite: bool = False) -> Path:
    """Write a signed attestation of a release: what was required, and that the file was verified. Returns its path.

    `key` is an Ed25519 private key in PEM, which only its owner can read. Without a name the attestation is
    OUTPUT.attestation.json beside the release. Raises `JobError` or `InputError` if the manifest or the release was changed, or
    the policy of the release has expired. Needs `pip install 'duckanon[attest]'`.
    """
    path, key = manifest.located(manifest_path), Path(key)
    released = manifest.read(path, ReleaseManifest)
    release = manifest.released_file(path, released.output)
    if saved_recoding.assumes_any(released, path):
        raise JobError(ASSUMED_ANY.partition(", or accept")[0])
    if released.policy_file is not None and (expiry := released.policy_file.expiry) is not None:
        raise JobError(expiry)
    target = attestation.path_for(released, path) if output is None else Path(output)
    taken = {file.resolve() for file in (*companions(release), path, key)}
    if taken & {target.resolve(), *target.resolve().parents}:
        raise OutputError(f"attestation {str(target)!r} is a file of the release or the key; name another file")
    check_place(target, overwrite=overwrite)
    about = attestation.statement(released, public_manifest(released.document()), path.read_bytes())
    envelope = attestation.signed(about, key)
    with StagedFiles() as staged:
        staged.write(target, manifest.dumps(envelope) + "\n", overwrite=overwrite)
        staged.publish()
    return target
