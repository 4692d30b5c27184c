"""The verdict of `duckanon check`, and its result for CI systems: GitHub workflow commands, SARIF 2.1.0, JUnit XML.

The formats for CI contain models, columns, figures and the file, never a value of a record.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from duckanon import __version__
from duckanon.cli import output
from duckanon.formatting import check_name, figure
from duckanon.reports import summary

Document = Mapping[str, Any]
"""What `duckanon.check` returns."""


class CheckFormat(StrEnum):
    """Output formats of `duckanon check`."""

    table = "table"
    csv = "csv"
    json = "json"
    github = "github"
    sarif = "sarif"
    junit = "junit"


@dataclass(frozen=True)
class _Requirement:
    """A required privacy model, or a requirement of the policy, or that the file is that of the manifest."""

    rule: str
    """The model without its column, as an identifier."""
    description: str
    name: str
    message: str
    is_met: bool


def rules(document: Document) -> list[Mapping[str, Any]]:
    """The checks besides the models: of persons with several rows, of the columns, and of the policy."""
    return [
        *([document["persons"]] if "persons" in document else []),
        *([document["columns"]] if "columns" in document else []),
        *(document["policy"]["checks"] if "policy" in document else []),
    ]


def verdict(document: Document) -> list[str]:
    """One line, `PASS` or `FAIL (failing of required)`; empty if nothing is required."""
    requirements = _requirements(document)
    failing = sum(not requirement.is_met for requirement in requirements)
    if not requirements:
        return []
    return [f"FAIL ({failing:,} of {len(requirements):,})" if failing else "PASS"]


def github(document: Document) -> str:
    """Workflow commands: an error for each requirement that fails, else one notice."""
    source, requirements = output.printable(document["source"]), _requirements(document)
    lines = [
        _command("error", source, f"{requirement.name}: {requirement.message}")
        for requirement in requirements
        if not requirement.is_met
    ]
    passed = f"{len(requirements):,} of {len(requirements):,} privacy requirements pass"
    return "\n".join(lines or [_command("notice", source, passed if requirements else "no privacy model is required")])


def _command(kind: str, file: str, message: str) -> str:
    """A workflow command of printable texts; in properties GitHub also decodes `:` and `,`."""
    place = file.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} file={place},title={output.PROGRAM} check::{message.replace('%', '%25')}"


def sarif(document: Document) -> str:
    """SARIF 2.1.0: a rule for each required model, a result for each requirement that fails."""
    requirements = _requirements(document)
    rules = {requirement.rule: requirement.description for requirement in requirements}
    location = {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(PurePath(document["source"]).as_posix(), errors="surrogateescape")},
            "region": {"startLine": 1},
        }
    }
    results = [
        {
            "ruleId": requirement.rule,
            "ruleIndex": list(rules).index(requirement.rule),
            "level": "error",
            "message": {"text": f"{requirement.name}: {requirement.message}"},
            "locations": [location],
        }
        for requirement in requirements
        if not requirement.is_met
    ]
    driver = {
        "name": output.PROGRAM,
        "version": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": description}} for rule, description in rules.items()],
    }
    return output.json(
        {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{"tool": {"driver": driver}, "results": results}],
        }
    )


def junit(document: Document) -> str:
    """JUnit XML: a test case for each requirement."""
    requirements = _requirements(document)
    failing = sum(not requirement.is_met for requirement in requirements)
    counts = {"tests": str(len(requirements)), "failures": str(failing), "errors": "0", "skipped": "0"}
    suites = ElementTree.Element("testsuites", {"name": f"{output.PROGRAM} check", **counts})
    suite = ElementTree.SubElement(suites, "testsuite", {"name": output.printable(document["source"]), **counts})
    for requirement in requirements:
        case = ElementTree.SubElement(suite, "testcase", classname=f"{output.PROGRAM}.check", name=requirement.name)
        if not requirement.is_met:
            failure = ElementTree.SubElement(case, "failure", type=requirement.rule, message=requirement.message)
            failure.text = f"{requirement.name}: {requirement.message}"
    ElementTree.indent(suites)
    text: bytes = ElementTree.tostring(suites, encoding="us-ascii", xml_declaration=True)
    return text.decode()


WRITERS: Mapping[CheckFormat, Callable[[Document], str]] = {
    CheckFormat.github: github,
    CheckFormat.sarif: sarif,
    CheckFormat.junit: junit,
}
"""The formats of CI systems."""


def _requirements(document: Document) -> Sequence[_Requirement]:
    requirements = [_of_model(check) for check in document["privacy"] if "required" in check]
    for check in rules(document):
        if check["passed"] is not None:
            rule, message = check["rule"], output.printable(check["message"])
            requirements.append(_Requirement(rule, f"The job or the policy: {rule}", rule, message, check["passed"]))
    if "attestation" in document:
        message = output.printable(
            f"signed, and the SHA-256 of the file matches the attestation of {document['attestation']['release']!r}"
        )
        requirements.append(_Requirement("attestation", "The attestation of the file", "attestation", message, is_met=True))
    if "manifest" in document:
        compared = document["manifest"]
        is_same = compared["is_same_file"]
        relation = "matches" if is_same else "differs from"
        message = output.printable(f"the SHA-256 of the file {relation} the manifest of {compared['release']!r}")
        requirements.append(_Requirement("same-file", "The file of the manifest", "file of the manifest", message, is_same))
    return requirements


def _of_model(check: Mapping[str, Any]) -> _Requirement:
    kind = check_name(check)
    figures = f"achieved {figure(check['achieved'], beside=check['required'])}, required {check['required']:,.9g}"
    if check.get("failing_rows"):
        figures += f"; {check['failing_classes']:,} classes with {check['failing_rows']:,} rows fail"
    if check.get("reference") == "file":
        figures += "; compared with the distribution in this file"
    name = output.printable(summary.model_name(check))
    return _Requirement(kind.replace(" ", "-"), kind, name, figures, bool(check["passed"]))
