"""What pyCANON measures: `python canon.py FILE COLUMN,COLUMN,... SENSITIVE`, in an environment that has it; prints a line of JSON."""

import json
import sys
from importlib import import_module
from typing import Any


def main() -> None:
    """Prints the figures of the eight measures that have a single value."""
    anonymity: Any = import_module("pycanon.anonymity")
    read: Any = import_module("pycanon.anonymity.utils.aux_functions").read_file
    path, columns, sensitive = sys.argv[1], sys.argv[2].split(","), [sys.argv[3]]
    table = read(path)
    alpha, k = anonymity.alpha_k_anonymity(table, columns, sensitive)
    measured = {
        "k-anonymity": k,
        "alpha-k-anonymity": alpha,
        "distinct l-diversity": anonymity.l_diversity(table, columns, sensitive),
        "entropy l-diversity": anonymity.entropy_l_diversity(table, columns, sensitive),
        "basic beta-likeness": anonymity.basic_beta_likeness(table, columns, sensitive),
        "enhanced beta-likeness": anonymity.enhanced_beta_likeness(table, columns, sensitive),
        "delta-disclosure": anonymity.delta_disclosure(table, columns, sensitive),
        "t-closeness": anonymity.t_closeness(table, columns, sensitive),
    }
    print(json.dumps(measured, default=float))


if __name__ == "__main__":
    main()
