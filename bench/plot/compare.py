#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says, as Markdown, which contenders are slower in the second of two results than in the first.

  bench/plot/compare.py BEFORE.json AFTER.json [--slower 1.1] [--mean 1.03] [--absolute]

Two runs on one machine differ by a few percent in everything, so that a contender's time is divided by that of
the best peer in the same run, where both have one. Ends with 1 where the geometric mean of a contender is slower
than --mean allows. Takes what any bench_* writes.
"""
import argparse
import collections
import sys

import results


def gemm_times(document):
    """{(problem, contender): µs} of bench_gemm: plans that choose, what was chosen, and peers."""
    out = {}
    for line in document["products"]:
        problem = "{type}/{layouts}/{m}x{n}x{k}x{batch}".format(**{"batch": 1, **line})
        for name, us, *_ in line["peers"]:
            out[problem, name] = us
        for name in ("automatic", "measured", "measured_menu"):
            if line.get(name):
                out[problem, name] = line[name][0]
        if line["ours"]:
            out[problem, "chosen in one launch"] = line["ours"][0][2]
    return out


def other_times(document):
    """{(problem, contender): µs} of all others: the contender is the last part of a name."""
    out = {}
    for run in document["benchmarks"]:
        parts = results.name_parts(run)
        if len(parts) < 3 or run.get("error_occurred") or run.get("run_type") == "aggregate" or not run["real_time"]:
            continue
        out["/".join(parts[1:-1]), parts[-1]] = run["real_time"] * results.UNITS[run["time_unit"]] * 1e6
    return out


def times(path):
    document = results.load(path, "bench_*", "benchmarks", "products")
    return gemm_times(document) if "products" in document else other_times(document)


def is_peer(contender):
    return contender.startswith(results.PEERS)


def yardsticks(found, shared):
    """{problem: time of the fastest of the peers that both runs have}."""
    out = {}
    for problem, contender in shared:
        if is_peer(contender):
            out[problem] = min(out.get(problem, float("inf")), found[problem, contender])
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--slower", type=float, default=1.1, help="a problem is listed from here on (1.1)")
    parser.add_argument("--mean", type=float, default=1.03, help="the most of a contender's geometric mean (1.03)")
    parser.add_argument("--absolute", action="store_true", help="times as they are, not beside a peer's")
    arguments = parser.parse_args()

    before, after = times(arguments.before), times(arguments.after)
    shared = [key for key in before if key in after]
    if not shared:
        sys.exit(f"compare.py: {arguments.before} and {arguments.after} have no time in common")
    unit_before = {} if arguments.absolute else yardsticks(before, shared)
    unit_after = {} if arguments.absolute else yardsticks(after, shared)

    rows = collections.defaultdict(list)
    for problem, contender in shared:
        if contender == results.YARDSTICK or (is_peer(contender) and not arguments.absolute):
            continue
        was, now = before[problem, contender], after[problem, contender]
        drift = unit_after.get(problem, 1) / unit_before.get(problem, 1)
        rows[contender].append((now / was / drift, problem, was, now, drift))

    slower = []
    print("| contender | problems | after / before | least | most | slower |\n|---|--:|--:|--:|--:|--:|")
    for contender, all_of_it in sorted(rows.items()):
        ratios = [row[0] for row in all_of_it]
        mean = results.geometric_mean(ratios)
        if mean > arguments.mean and not is_peer(contender):
            slower.append(contender)
        print(f"| {contender} | {len(ratios)} | {mean:.3f} | {min(ratios):.2f} | {max(ratios):.2f} "
              f"| {sum(ratio >= arguments.slower for ratio in ratios)} |")
    listed = sorted(((*row, contender) for contender, all_of_it in rows.items() for row in all_of_it
                     if row[0] >= arguments.slower), reverse=True)
    print(f"\n{len(listed)} slower by {arguments.slower:g} or more." if listed else "\nNone is slower.")
    for ratio, problem, was, now, drift, contender in listed:
        print(f"- {ratio:.2f} {contender}, {problem}: {was:.4g} µs before, {now:.4g} after; peers took {drift:.2f}")
    sys.stdout.flush()
    if slower:
        sys.exit("compare.py: slower in the mean: " + ", ".join(slower))


if __name__ == "__main__":
    main()
