"""Documents of runs, with made-up figures, that the report page is drawn from in tests."""

from collections.abc import Iterator
from itertools import cycle, product
from typing import Any

_TOPS = {"age": 4, "sex": 1, "race": 1, "marital-status": 2}
_SIZES = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 10), (11, 20), (21, 50), (51, 100), (101, 1000)]
_ROLES = {
    "age": ("BIGINT", "quasi-identifier", 72),
    "sex": ("VARCHAR", "quasi-identifier", 2),
    "race": ("VARCHAR", "quasi-identifier", 5),
    "marital-status": ("VARCHAR", "quasi-identifier", 7),
    "occupation": ("VARCHAR", "sensitive", 14),
    "income": ("VARCHAR", "sensitive", 2),
    "hours-per-week": ("BIGINT", "insensitive", 94),
    "fnlwgt": ("BIGINT", "dropped", 20_263),
    "name": ("VARCHAR", "identifying", 30_162),
}
_ACTIONS = {
    "age": "generalized to level 1 of 4",
    "sex": "released as it is",
    "race": "generalized to level 1 of 1",
    "marital-status": "generalized to level 1 of 2",
    "fnlwgt": "dropped",
    "name": "dropped",
}


def nodes(tops: dict[str, int]) -> list[dict[str, Any]]:
    """Every node of a lattice, with a verdict that follows from its height."""
    made: list[dict[str, Any]] = []
    top = sum(tops.values())
    for levels in product(*(range(most + 1) for most in tops.values())):
        height = sum(levels)
        share = height / top
        visited = (height + levels[0]) % 3 != 0 or 0.3 < share < 0.6
        verdict = ("satisfies" if share > 0.45 else "fails") if visited else "not decided"
        made.append(
            {
                "levels": list(levels),
                "height": height,
                "verdict": verdict,
                "suppressed": round(3_000 * (1 - share) ** 3) if visited else None,
                "classes": round(1_700 * (1 - share)) + 1 if visited else None,
                "loss": round(share * 0.9 + 0.01 * levels[0], 4) if verdict == "satisfies" else None,
                "at_least": round(share * 0.8, 4),
                "chosen": False,
            }
        )
    return made


def lattice(tops: dict[str, int] | None = None, *, most: int = 2_000) -> dict[str, Any]:
    """A lattice whose lowest satisfying node is chosen, of which at most so many nodes are drawn."""
    tops = tops or _TOPS
    made = nodes(tops)
    chosen = min((node for node in made if node["verdict"] == "satisfies"), key=lambda node: node["loss"])
    chosen["chosen"] = True
    counted = [
        {
            "height": height,
            **{
                key: sum(node["height"] == height and node["verdict"] == key.replace("_", " ") for node in made)
                for key in ("satisfies", "fails", "not_decided")
            },
        }
        for height in range(sum(tops.values()) + 1)
    ]
    drawn = made[:most] if chosen in made[:most] else [chosen, *made[: most - 1]]
    return {
        "columns": list(tops),
        "size": len(made),
        "visited": sum(node["verdict"] != "not decided" for node in made),
        "drawn": "all" if len(drawn) == len(made) else "some",
        "nodes": drawn,
        "heights": counted,
    }


def _risk(*, after: bool) -> dict[str, Any]:
    classes = [0, 0, 0, 0, 14, 31, 25, 28, 12, 10] if after else [543, 214, 120, 96, 71, 210, 190, 166, 50, 30]
    middles = [1, 2, 3, 4, 5, 8, 15, 34, 74, 900 if after else 230]
    sizes = [
        {"from": first, "to": last, "classes": count, "rows": count * middle}
        for (first, last), count, middle in zip(_SIZES, classes, middles, strict=True)
    ]
    rows = 30_155 if after else 30_162
    sizes[-1]["rows"] += rows - sum(size["rows"] for size in sizes)
    return {
        "rows": rows,
        "classes": sum(classes),
        "uniques": classes[0],
        "prosecutor": {
            "highest": 0.2 if after else 1.0,
            "average": 0.004 if after else 0.056,
            "at_risk": 0.0 if after else 0.0569,
        },
        "journalist": {"highest": 0.01, "average": 0.0002, "at_risk": 0.0} if after else None,
        "marketer": 0.004 if after else 0.056,
        "sizes": [size for size in sizes if size["classes"]],
    }


def _utility() -> dict[str, Any]:
    ages = [f"{low}-{low + 4}" for low in range(15, 90, 5)]
    counts = [850, 3_620, 4_100, 4_300, 4_190, 3_920, 3_110, 2_380, 1_640, 1_010, 540, 310, 120, 61, 11]
    return {
        "loss": [{"column": name, "loss": loss} for name, loss in zip(_TOPS, (0.069, 0.001, 1.0, 0.402), strict=True)],
        "metrics": [
            {"name": "loss", "value": 0.3681, "means": "Share of the hierarchies' leaves that a label covers: 0 keeps all."},
            {"name": "granularity", "value": 0.6319, "means": "1 less the loss."},
            {"name": "discernibility", "value": 14_503_221, "means": "Sum of the squares of the class sizes; less is better."},
            {"name": "average class size", "value": 251.29, "means": "Released rows by classes."},
        ],
        "subgroups": [
            {"column": "age", "value": "85-89", "rows": 11, "suppressed": 2, "share": 2 / 11},
            {"column": "marital-status", "value": "Married-AF-spouse", "rows": 21, "suppressed": 1, "share": 1 / 21},
            {"column": "race", "value": "Other", "rows": 231, "suppressed": 4, "share": 4 / 231},
        ],
        "distributions": [
            {
                "column": "age",
                "kind": "number",
                "more": 0,
                "bars": [{"label": label, "before": n, "after": n - n // 90} for label, n in zip(ages, counts, strict=True)],
            },
            {
                "column": "marital-status",
                "kind": "text",
                "more": 2,
                "bars": [
                    {"label": "spouse present", "before": 14_086, "after": 14_080},
                    {"label": "never married", "before": 9_726, "after": 9_725},
                    {"label": "spouse not present or separated", "before": 6_350, "after": 6_350},
                ],
            },
            {
                "column": "sex",
                "kind": "text",
                "more": 0,
                "bars": [
                    {"label": "Male", "before": 20_380, "after": 20_377},
                    {"label": "Female", "before": 9_782, "after": 9_778},
                ],
            },
        ],
        "associations": [
            {"first": "age", "second": "marital-status", "before": 0.44, "after": 0.41},
            {"first": "sex", "second": "marital-status", "before": 0.46, "after": 0.45},
            {"first": "sex", "second": "occupation", "before": 0.43, "after": 0.43},
            {"first": "race", "second": "occupation", "before": 0.08, "after": 0.0},
        ],
        "queries": {"asked": 1_000, "median": 0.021, "quarter": 0.008, "three_quarters": 0.06, "most": 0.41},
    }


def _manifest() -> dict[str, Any]:
    return {
        "duckanon": "0.1.0",
        "status": "released",
        "rows": {"read": 32_561, "missing": 2_399, "suppressed": 7, "released": 30_155},
        "classes": {"count": 120, "smallest": 5, "average": 251.29, "largest": 2_904},
        "recoding": {
            "algorithm": "optimal",
            "levels": {"age": 1, "sex": 0, "race": 1, "marital-status": 1},
            "lattice": 60,
            "visited": 48,
            "objective": {"name": "loss", "aggregate": "mean", "value": 0.3681, "bound": 0.3681, "gap": 0.0, "proven": True},
            "ties": [],
        },
        "suppression": {"limit": "1%", "rows": 301, "style": "drop"},
        "privacy": [
            {"model": "k-anonymity", "column": None, "required": 5, "achieved": 5, "passed": True},
            {
                "model": "l-diversity",
                "variant": "distinct",
                "column": "occupation",
                "required": 2,
                "achieved": 3,
                "passed": True,
            },
        ],
        "metrics": {"loss": 0.3681},
        "roles": "declared",
        "columns": {name: role for name, (_, role, _) in _ROLES.items()},
        "reasons": {},
        "policy": "internal",
        "warnings": ["hours-per-week is released as it is, and may be known to others"],
        "about": {
            "title": "Adult, for a course on methods",
            "purpose": "Teaching: students fit models of income.",
            "controller": "The department of statistics",
            "recipient": "Students of the course, about 40 persons",
            "review": "2027-11-22",
            "legal basis": "Consent",
        },
        "seconds": {"total": 0.61},
        "output": {
            "path": "adult.anonymized.parquet",
            "sha256": "2fead0b22811e587a4ab017e4f6ac974418470297163525448ea011eba2b7d6c",
        },
        "input": {"name": "adult.parquet", "rows": 32_561, "columns": 15, "fingerprint": "9c1e03bb2894e0e1da3d789f129140da"},
    }


def adult() -> dict[str, Any]:
    """A run that released, with a lattice, and everything that was measured of it."""
    return {
        "public": None,
        "made": "2026-11-22",
        "manifest": _manifest(),
        "verification": {"passed": True, "rows": 30_155, "classes": 120},
        "examples": {
            "columns": ["age", "sex", "occupation"],
            "rows": [
                {"before": ["17", "Male", "Sales"], "after": ["15-19", "Male", "Sales"]},
                {"before": ["43", None, "?"], "after": ["40-44", "*", "?"]},
            ],
        },
        "sensitive_columns": [
            {
                "column": "occupation",
                "records": 6,
                "distance": 0.61,
                "largest_share": {"before": 1.0, "after": 0.667},
                "values": [
                    {"value": "Sales", "share": 0.12, "worst": 0.667},
                    {"value": "Craft-repair", "share": 0.14, "worst": 0.333},
                    {"value": "Tech-support", "share": 0.03, "worst": 0.0},
                ],
                "more": 11,
            }
        ],
        "unique_records": {"before": 17_488, "after": 11_641},
        "risk_and_loss": [
            {"k": 5, "risk": 0.2, "loss": 0.3681, "released": True},
            {"k": 2, "risk": 0.5, "loss": 0.21, "released": False},
            {"k": 50, "risk": 0.018, "loss": 0.61, "released": False},
        ],
        "columns": [
            {
                "name": name,
                "type": type,
                "role": role,
                "reason": "declared in the job" if role != "dropped" else "not named in the job, so not released",
                "action": _ACTIONS.get(name, "released as it is"),
                "distinct": distinct,
                "distinction": distinct / 30_162,
                "separation": 1 - 1 / distinct,
            }
            for name, (type, role, distinct) in _ROLES.items()
        ],
        "attackers": {"knows": list(_TOPS), "entity": None, "population": "registry.parquet"},
        "risk": {
            "threshold": 0.2,
            "before": _risk(after=False),
            "after": _risk(after=True),
            "attributes": [
                {"column": "age", "uniques_without": 2, "contribution": 0.98},
                {"column": "marital-status", "uniques_without": 211, "contribution": 0.71},
                {"column": "race", "uniques_without": 274, "contribution": 0.14},
                {"column": "sex", "uniques_without": 388, "contribution": 0.04},
            ],
            "population_uniques": {
                "population": 318_857_056,
                "sample_fraction": 0.0001,
                "model": "pitman",
                "estimates": [
                    {"model": "pitman", "uniques": 7_225.3, "share": 2.3e-05, "failed": None},
                    {"model": "snb", "uniques": None, "share": None, "failed": "the estimate did not converge"},
                ],
            },
        },
        "utility": _utility(),
        "lattice": lattice(),
        "partitions": None,
        "alternatives": [
            {
                "change": "k = 4 instead of 5",
                "option": "--k 4",
                "feasible": True,
                "loss": 0.351,
                "suppressed": 12,
                "levels": "age 1, sex 0, race 0, marital-status 1",
            },
            {
                "change": "no suppression",
                "option": "--max-suppression 0",
                "feasible": False,
                "loss": None,
                "suppressed": None,
                "levels": None,
            },
        ],
        "runners_up": [
            {"levels": "age 2, sex 0, race 1, marital-status 1", "loss": 0.3771, "suppressed": 3, "why": "loses 0.009 more"}
        ],
        "hierarchies": [
            {
                "column": "age",
                "released": 1,
                "levels": [
                    {"level": 0, "groups": 72, "examples": ["17", "18", "19"]},
                    {"level": 1, "groups": 15, "examples": ["15-19", "20-24"]},
                    {"level": 2, "groups": 8, "examples": ["10-19", "20-29"]},
                    {"level": 3, "groups": 4, "examples": ["0-19", "20-39"]},
                    {"level": 4, "groups": 1, "examples": ["*"]},
                ],
                "branches": [
                    ["*", "0-19", "10-19", "15-19", "17"],
                    ["*", "0-19", "10-19", "15-19", "18"],
                    ["*", "20-39", "20-29", "20-24", "20"],
                    ["*", "20-39", "20-29", "25-29", "25"],
                ],
            },
            {
                "column": "marital-status",
                "released": 1,
                "levels": [
                    {"level": 0, "groups": 7, "examples": ["Divorced", "Married-AF-spouse"]},
                    {"level": 1, "groups": 3, "examples": ["spouse present"]},
                    {"level": 2, "groups": 1, "examples": ["*"]},
                ],
            },
            {
                "column": "sex",
                "released": 0,
                "levels": [{"level": 0, "groups": 2, "examples": ["Male"]}, {"level": 1, "groups": 1, "examples": ["*"]}],
                "branches": [["*", "Female"], ["*", "Male"]],
            },
        ],
        "comparison": comparison(),
        "not_covered": [{"what": "hours-per-week", "why": "It is released as it is; 3 of its values occur once."}],
        "job": "input: adult.parquet\ncolumns:\n  age: {role: quasi-identifier, hierarchy: adult/age}\nprivacy:\n  - {model: k-anonymity, k: 5}\n",
        "command": "duckanon anonymize adult.parquet --job adult.job.yaml",
    }


def comparison() -> dict[str, Any]:
    """Two algorithms, four k each, and a case that no recoding satisfies."""
    runs = [
        _case(algorithm, number, k, loss)
        for algorithm, worse in (("optimal", 0.0), ("greedy", 0.04))
        for number, (k, loss) in enumerate([(2, 0.21 + worse), (5, 0.3 + worse), (10, 0.37 + worse), (50, 0.52 + worse)])
    ]
    runs.append(
        runs[0] | {"k": 40_000, "status": "infeasible", "on_front": False, "levels": None, "height": None, "partitions": 3}
    )
    return {
        "duckanon": "0.1.0",
        "source": "adult.parquet",
        "rows": 30_162,
        "combinations": 1_690,
        "lattice": 60,
        "columns": list(_TOPS),
        "runs": runs,
    }


def _case(algorithm: str, number: int, k: int, loss: float) -> dict[str, Any]:
    return {
        "algorithm": algorithm,
        "k": k,
        "limit": "1%",
        "status": "found",
        "levels": {name: min(most, number) for name, most in _TOPS.items()},
        "height": number,
        "suppressed": 7,
        "classes": 120,
        "smallest": k,
        "risk": 1 / k,
        "average_risk": 0.004,
        "loss": loss,
        "loss_by_attribute": dict.fromkeys(_TOPS, loss),
        "loss_sum": 4 * loss,
        "precision": 1 - loss,
        "distortion": None,
        "discernibility": 14_503_221,
        "entropy": 3_021.5,
        "objective": {
            "name": "loss",
            "aggregate": "mean",
            "value": loss,
            "bound": loss,
            "gap": 0.0,
            "proven": algorithm == "optimal",
        },
        "visited": 41,
        "seconds": 0.02 * (number + 1),
        "on_front": algorithm == "optimal",
    }


def wide_lattice() -> dict[str, Any]:
    """Adult with a lattice of 3,000 nodes, of which 2,000 are drawn."""
    tops = {"age": 5, "sex": 1, "race": 1, "marital-status": 4, "workclass": 4, "education": 4}
    return adult() | {"lattice": lattice(tops)}


def mondrian() -> dict[str, Any]:
    """Adult cut into 256 regions, one after the other halved along the next column."""
    document = adult()
    document["manifest"]["recoding"] = {
        "algorithm": "mondrian",
        "partitions": 256,
        "rounds": 8,
        "lattice": None,
        "visited": None,
        "objective": {"name": "loss", "aggregate": "mean", "value": 0.21, "bound": None, "gap": None, "proven": False},
    }
    tree: list[dict[str, Any]] = []
    for depth in range(9):
        for place in range(2**depth):
            number = 2**depth + place
            column = list(_TOPS)[(depth - 1) % 4] if depth else None
            tree.append(
                {
                    "number": number,
                    "parent": number // 2 or None,
                    "depth": depth,
                    "column": column,
                    "label": f"age {17 + place % 60}-{18 + place % 60 + 9 - depth}",
                    "rows": 30_162 // 2**depth,
                    "from": place / 2**depth,
                    "to": (place + 1) / 2**depth,
                }
            )
    return document | {
        "lattice": None,
        "partitions": {"count": 256, "rounds": 8, "drawn": "all", "nodes": tree},
        "runners_up": [],
    }


def published() -> dict[str, Any]:
    """The variant for publication: small counts withheld, and parts left out."""
    document = adult()
    document["public"] = {"k": 5}
    document["manifest"] |= {"output": None, "warnings": []}
    document["manifest"]["input"] |= {"fingerprint": None}
    document["manifest"]["rows"]["suppressed"] = None
    document["utility"]["subgroups"][0] |= {"suppressed": None, "share": None}
    document["risk"]["population_uniques"] = None
    document["risk"]["before"]["sizes"][0]["rows"] = None
    return document | {"lattice": None, "alternatives": None, "hierarchies": None, "job": None, "command": None}


def bare() -> dict[str, Any]:
    """A document in which next to everything is missing."""
    return {"public": None, "made": "2026-11-22", "manifest": {"status": "dry-run"}, "verification": None, "columns": []}


HOSTILE = [
    "<script>document.title='pwned'</script>",
    "</script><script>document.title='pwned'</script>",
    "\" onmouseover=\"document.title='pwned'\" x='",
    "<img src=x onerror=document.title='pwned'>",
    "{{ 7*7 }}{% raw %}${7*7}",
    "datum.constructor.constructor(\"document.title='pwned'\")()",
    "back\\slash 'quotes' [a].b\u2028\u2029\u202eoverride\ufeff",
    "\x00\x07\x1b[31m\r\nline\tcolumn\x7f\x85",
    "👩🏽‍🔬 emoji \ud800 alone",
    "<!-- <script> ]]> &lt;b&gt; --",
    "javascript:document.title='pwned'",
    "é" * 10_000,
]


def hostile() -> dict[str, Any]:
    """Adult with every text that comes from data or users replaced by one that wants to be run; keys of `about`, too."""
    document: dict[str, Any] = _replaced(adult() | {"partitions": mondrian()["partitions"]}, cycle(HOSTILE))
    document["manifest"]["about"] = {text: text for text in HOSTILE} | {"purpose": HOSTILE[0]}
    return document


_OURS = {"verdict", "kind", "drawn", "status", "role", "model"}
"""Keys whose texts the program chooses."""


def _replaced(value: Any, texts: Iterator[str], key: str = "") -> Any:
    match value:
        case dict():
            return {name: _replaced(entry, texts, name) for name, entry in value.items()}
        case list():
            return [_replaced(entry, texts, key) for entry in value]
        case str() if key not in _OURS:
            return next(texts)
        case _:
            return value
