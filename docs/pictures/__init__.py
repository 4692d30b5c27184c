"""The pictures of the documentation, drawn from real runs on made-up data: `python -m docs.pictures` writes `docs/images/`."""

from collections.abc import Callable
from pathlib import Path

from docs.pictures import charts, runs, structures
from docs.pictures.terminal import Query, Terminal

IMAGES = Path(__file__).parent.parent / "images"

_PATIENTS = "patients.anonymized.csv"
_ADULT = "adult.anonymized.parquet"

DRAWINGS: dict[str, Callable[[Path], str]] = {
    "anonymize": Terminal(
        "A run of duckanon anonymize",
        "The summary of a run: two warnings, the detected roles, k-anonymity 5 with PASS, the risk before and after, and the files.",
        "duckanon anonymize adult.parquet",
    ).draw,
    "anonymize-help": Terminal(
        "The help of duckanon anonymize",
        "The common options of the command in a table, and two examples.",
        "duckanon anonymize --help",
    ).draw,
    "profile": Terminal(
        "A run of duckanon profile",
        "A table of columns with type, distinct values, and a role for each; below it the reason of each role.",
        "duckanon profile patients.csv",
        width=104,
    ).draw,
    "check-pass": Terminal(
        "A check that passes",
        "The achieved and the required k of a file, the sizes of its classes, its risk, and PASS in the last line.",
        f"duckanon check {_ADULT} --manifest {_ADULT}.manifest.json",
    ).draw,
    "check-fail": Terminal(
        "A check that fails",
        "A file satisfies k-anonymity and does not satisfy t-closeness; the output ends with FAIL and an error.",
        f"duckanon check {_PATIENTS} --qi age,sex,postcode --sensitive diagnosis \\\n    --require k=5 --require t=0.4",
        code=1,
    ).draw,
    "risk": Terminal(
        "A run of duckanon risk",
        "The risk of three attackers, the records in classes of each size, and what each column and each pair of columns adds.",
        "duckanon risk patients.csv --qi age,sex,postcode",
        width=112,
    ).draw,
    "explain": Terminal(
        "A run of duckanon explain",
        "What each column costs, why classes were suppressed, and which generalization levels came next and why they were not chosen.",
        f"duckanon explain {_PATIENTS}.manifest.json",
        blocks=4,
    ).draw,
    "hierarchy-show": Terminal(
        "A hierarchy in the terminal",
        "The values of education with their labels on four levels, the size and the loss of each level, and its largest groups.",
        "duckanon hierarchy show adult/life-stages/education --data adult.parquet --rows 6",
    ).draw,
    "workspace-relations": Query(
        "The relations of a workspace",
        "A query in Python prints the relations of a run in reading order, each with its folder, what one row is, and its rows.",
        "from duckanon.relations where folder <> 'log'",  # the number of statements changes with every change of speed
        rows=26,
        workspace=runs.FOUR,
    ).draw,
    "workspace-lattice": Query(
        "The visited nodes in a workspace",
        "A query in Python prints the levels, the suppressed rows, the loss and the verdict of each node that the search visited.",
        'select age, sex, race, "marital-status", _suppressed, round(_loss, 3) as loss,\n  _verdict, _chosen\n'
        "from duckanon.lattice\norder by _visit",
        workspace=runs.SEARCH,
    ).draw,
    "lattice": structures.lattice,
    "hierarchy": structures.hierarchy,
    "regions": structures.regions,
    "before-after": structures.before_after,
    "loss-by-k": charts.loss_by_k,
    "class-sizes": charts.class_sizes,
    "risk-curve": charts.risk_curve,
    "sensitive-distribution": charts.sensitive,
}
"""What draws each SVG file, from a folder that `runs.make` has filled. The terminals come first: the checks read what they write."""
