"""Whole runs on large files against DuckDB's own copy of the same file, in turn, each in a fresh process.

    python benchmarks/scale.py --folder /somewhere/with/room            all cases
    python benchmarks/scale.py --folder ... --cases four nine --runs 5  some of them

Files are made once in the folder and found there again. Ratios are medians of the quotients turn by turn, seconds medians, memory
the most; `search` and the nodes are those of the last run.
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Template
from runs import DUCKANON, combinations, copied, heading, in_turn, line, machine, manifest, middle, ratio

INPUTS = Path(__file__).parent / "inputs"

FLAT = {"kind": "flat"}
FOUR: dict[str, Any] = {name: f"adult/five-year/{name}" for name in ("age", "sex", "race", "marital-status")}
NINE: dict[str, Any] = {
    "age": {"kind": "intervals", "widths": [5, 10, 20]},
    "sex": FLAT,
    "race": FLAT,
    "marital-status": "adult/five-year/marital-status",
    "education": {
        "kind": "levels",
        "levels": [
            {
                "Primary": ["Preschool", "1st-4th", "5th-6th", "7th-8th"],
                "High school": ["9th", "10th", "11th", "12th", "HS-grad"],
                "Some college": ["Some-college", "Assoc-voc", "Assoc-acdm"],
                "Degree": ["Bachelors", "Masters", "Prof-school", "Doctorate"],
            },
            {"School": ["Primary", "High school"], "College": ["Some college", "Degree"]},
            "*",
        ],
    },
    "native-country": {
        "kind": "levels",
        "levels": [
            {
                "Americas": "United-States, Mexico, Canada, Puerto-Rico, El-Salvador, Cuba, Jamaica, Guatemala, Columbia, Haiti, Dominican-Republic",
                "Europe": "Germany, England, Italy, Poland, Portugal, France, Greece",
                "Asia": "Philippines, India, China, Vietnam, South, Japan, Taiwan, Iran",
                "Unknown": ["?"],
            },
            "*",
        ],
    },
    "workclass": {
        "kind": "levels",
        "levels": [
            {
                "Employed": ["Private", "Without-pay", "?"],
                "Self-employed": ["Self-emp-not-inc", "Self-emp-inc"],
                "Government": ["Local-gov", "State-gov", "Federal-gov"],
            },
            "*",
        ],
    },
    "occupation": {
        "kind": "levels",
        "levels": [
            {
                "Office": "Prof-specialty, Exec-managerial, Sales, Adm-clerical, Tech-support",
                "Crafts": "Craft-repair, Machine-op-inspct, Transport-moving, Handlers-cleaners, Farming-fishing",
                "Services": ["Other-service", "Protective-serv", "Priv-house-serv", "Armed-Forces", "?"],
            },
            "*",
        ],
    },
    "income": FLAT,
}
CASES_OF_A_DISEASE: dict[str, Any] = {
    "case_month": {"kind": "order", "groups": [[3], [4]], "function": "bounds"},
    "res_state": {
        "kind": "levels",
        "levels": [
            {
                "West": ["CA", "WA", "AZ", "CO", "OR", "UT", "NV", "NM", "ID", "HI", "MT", "AK", "WY"],
                "South": "TX, FL, GA, NC, VA, TN, MD, SC, AL, LA, KY, OK, AR, MS, WV, DE, DC",
                "Northeast": ["NY", "PA", "NJ", "MA", "CT", "NH", "ME", "RI", "VT"],
                "Midwest": ["IL", "OH", "MI", "IN", "MO", "WI", "MN", "KS", "NE", "SD", "ND"],
                "Territories": ["PR", "GU"],
            },
            "*",
        ],
    },
    "county_fips_code": FLAT,
    "age_group": {
        "kind": "levels",
        "levels": [
            {
                "under 50": ["0 - 17 years", "18 to 49 years"],
                "50 and over": ["50 to 64 years", "65+ years"],
                "unknown": ["Missing"],
            },
            "*",
        ],
    },
    **dict.fromkeys(("sex", "race", "ethnicity", "death_yn"), FLAT),
}
LINKED = [["res_state", "state_fips_code"], ["county_fips_code", "res_county"]]
"""The name of a state says its code, and the code of a county its name; several states have a county of one name."""


@dataclass(frozen=True)
class Case:
    """A file, and what is asked of it."""

    title: str
    input: str
    rows: int
    quasi_identifiers: Mapping[str, Any]
    k: int = 5
    limit: str = "1%"
    flags: Sequence[str] = ()
    job: Mapping[str, Any] = field(default_factory=dict)
    ways: Sequence[str] = ("output.shuffle=false", "output.shuffle=true")


CASES = {
    "four": Case("people", "demo", 20_000_000, FOUR),
    "nine": Case("people", "demo", 20_000_000, NINE),
    "cdc": Case(
        "cases of a disease, `--memory-limit 4GB`",
        "cases",
        106_085_262,
        CASES_OF_A_DISEASE,
        k=11,
        limit="5%",
        flags=("--memory-limit", "4GB"),
        job={"linked": LINKED},
    ),
    "1m": Case("people", "demo", 1_000_000, FOUR, ways=["output.shuffle=true"]),
    "10m": Case("people", "demo", 10_000_000, FOUR, ways=["output.shuffle=true"]),
    "100m": Case("people", "demo", 100_000_000, FOUR, flags=("--memory-limit", "8GB"), ways=["output.shuffle=true"]),
}


def made(case: Case, folder: Path) -> Path:
    """The case's file, made where it is not there."""
    import duckdb

    path = folder / f"{case.input}-{case.rows}.parquet"
    if not path.exists():
        draft = path.with_suffix(".part")
        if case.input == "demo":
            subprocess.run([*DUCKANON, "demo", "--rows", str(case.rows), "-o", path, "-q"], check=True)
        else:
            sql = Template((INPUTS / f"{case.input}.sql").read_text()).render(rows=case.rows)
            duckdb.execute(f"copy ({sql}) to '{draft}' (format parquet)")
            draft.rename(path)
    return path


def measure(case: Case, source: Path, folder: Path, runs: int, threads: int) -> None:
    """A line a way of writing, and one for the copy."""
    job, output = folder / "job.json", folder / "released.parquet"
    columns = {name: {"role": "quasi-identifier", "hierarchy": hierarchy} for name, hierarchy in case.quasi_identifiers.items()}
    job.write_text(json.dumps({"columns": columns, "others": "keep", **case.job}))
    command = [*DUCKANON, "anonymize", source, "--job", job, "-o", output, "--overwrite", "-q", "--threads", str(threads)]
    command += ["--temp-directory", folder, "--k", str(case.k), "--max-suppression", case.limit, *case.flags]
    commands: dict[str, Sequence[str | Path]] = {way: [*command, "--set", way] for way in case.ways}
    done = in_turn({"copy": copied(source, folder / "copy.parquet", threads), **commands}, runs)
    about = manifest(output)
    distinct = combinations(source, list(case.quasi_identifiers))
    plain = done["copy"]
    for way in case.ways:
        line(
            f"{case.title}, {'in order' if way == 'output.shuffle=false' else 'shuffled'}",
            f"{case.rows:,}",
            f"{len(case.quasi_identifiers)}",
            f"{distinct:,}",
            f"{about['recoding']['visited']:,} of {about['recoding']['lattice']:,}",
            f"{about['seconds']['search']:.2f}",
            f"{middle(done[way]):.1f}",
            f"{middle(done[way], lambda run: run.cpu):.1f}",
            f"{max(run.peak for run in done[way]) / 1024:.1f}",
            f"{middle(plain):.1f}",
            f"{ratio(done[way], plain):.2f}",
        )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where files are made and kept; a temporary one unless given")
    arguments = parser.parse_args()
    print(f"{machine()}; medians of {arguments.runs} runs\n")
    heading(
        *("case", "rows", "quasi-identifiers", "combinations", "nodes checked", "search s"),
        *("whole s", "CPU s", "peak GB", "copy s", "ratio"),
    )
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        for name in arguments.cases:
            case = CASES[name]
            source = made(case, arguments.folder or Path(scratch))
            measure(case, source, Path(scratch), arguments.runs, arguments.threads)


if __name__ == "__main__":
    main()
