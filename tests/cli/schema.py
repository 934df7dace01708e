# SPDX-License-Identifier: Apache-2.0
"""schema.py FILE: fails unless FILE is what `loops spmv --json` promises."""
import json
import math
import sys

run = json.load(open(sys.argv[1], encoding="utf-8"))


def members(thing, **types):
    for name, kind in types.items():
        assert name in thing, f"{name} is missing in {list(thing)}"
        assert isinstance(thing[name], kind), f"{name} is {thing[name]!r}"


number = (int, float)
members(run, format_version=int, command=str, commit=str, machine=dict, options=dict, aliases=dict, matrices=list)
members(run["machine"], cpu=str, device=str, details=str, copy_gigabytes_per_second=number)
members(run["options"], format=str, index_bits=int, alpha=number, beta=number, repeat=int, cold=bool, timed=bool)
copy = run["machine"]["copy_gigabytes_per_second"]
assert run["matrices"], "no matrices"
for matrix in run["matrices"]:
    members(matrix, name=str, source=str)
    if "error" in matrix:
        continue
    members(matrix, rows=int, cols=int, nonzeros=int, type=str, bytes=number, results=list)
    assert matrix["results"], "no results"
    for result in matrix["results"]:
        members(result, schedule=str, seconds=number, seconds_min=number, seconds_max=number, plan_seconds=number,
                plan_bytes=int, gigabytes_per_second=number, fraction_of_copy=number, imbalance=number,
                correct=bool, repeatable=bool, worst_error_over_bound=number, worst_row=int, shares=list)
        assert result["seconds_min"] <= result["seconds"] <= result["seconds_max"]
        assert result["imbalance"] > 0.999
        rate = matrix["bytes"] / result["seconds"] * 1e-9 if result["seconds"] > 0 else 0
        assert math.isclose(rate, result["gigabytes_per_second"], rel_tol=1e-6)
        if copy > 0:
            assert math.isclose(rate / copy, result["fraction_of_copy"], rel_tol=1e-6)
        assert result["correct"] == (result["worst_error_over_bound"] <= 1)
print("matrices", len(run["matrices"]), "results", sum(len(m.get("results", [])) for m in run["matrices"]))
