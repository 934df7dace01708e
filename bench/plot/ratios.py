# SPDX-License-Identifier: Apache-2.0
"""Writes, as Markdown, how many times faster the library is than its best peer."""
import math

from results import band, best, geometric_mean, problems


def _ratio(ours, theirs):
    return theirs.seconds / ours.seconds


def _microseconds(m):
    return f"{m.seconds * 1e6:.4g}" if m else "–"


def _pairs(measurements, once):
    """(best of ours, best peer) of every problem that both solved."""
    for group in problems([m for m in measurements if m.once == once]).values():
        ours = best([m for m in group if not m.is_peer])
        theirs = best([m for m in group if m.is_peer])
        if ours:
            yield ours, theirs


def _per_matrix(pairs):
    yield "| matrix | type | nonzeros | best schedule | µs | best peer | µs | times faster |"
    yield "|---|---|--:|---|--:|---|--:|--:|"
    for ours, theirs in pairs:
        ratio = f"{_ratio(ours, theirs):.2f}" if theirs else "–"
        yield (f"| {ours.matrix} | {ours.type} | {ours.nonzeros} | {ours.contender} | {_microseconds(ours)} "
               f"| {theirs.contender if theirs else '–'} | {_microseconds(theirs)} | {ratio} |")


def _bands(pairs):
    compared = [(o, t) for o, t in pairs if t]
    groups = {}
    for ours, theirs in compared:
        groups.setdefault((ours.type, band(ours.nonzeros)), []).append(_ratio(ours, theirs))
    for kind in sorted({o.type for o, _ in compared}):
        groups[kind, "all"] = [_ratio(o, t) for o, t in compared if o.type == kind]
    yield "| type | nonzeros | matrices | geometric mean | least | most | losses |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for (kind, name), ratios in sorted(groups.items()):
        yield (f"| {kind} | {name} | {len(ratios)} | {geometric_mean(ratios):.2f} | {min(ratios):.2f} "
               f"| {max(ratios):.2f} | {sum(r < 1 for r in ratios)} |")


def _losses(pairs):
    lost = sorted(((_ratio(o, t), o, t) for o, t in pairs if t and _ratio(o, t) < 1),
                  key=lambda entry: entry[0])
    if not lost:
        yield "None."
    for ratio, ours, theirs in lost:
        yield (f"- {ours.matrix}, {ours.type}, {ours.nonzeros} nonzeros: {ratio:.2f} "
               f"({ours.contender} {_microseconds(ours)} µs, {theirs.contender} {_microseconds(theirs)} µs)")


def _per_schedule(measurements):
    """Every schedule alone: its mean against the best peer and against the best of all."""
    to_peer, to_best, wins = {}, {}, {}
    for group in problems([m for m in measurements if not m.once]).values():
        peer = best([m for m in group if m.is_peer])
        winner = best(group)
        for m in group:
            to_best.setdefault((m.type, m.contender), []).append(_ratio(m, winner))
            wins[m.type, m.contender] = wins.get((m.type, m.contender), 0) + (m is winner)
            if peer:
                to_peer.setdefault((m.type, m.contender), []).append(_ratio(m, peer))
    yield "| type | contender | matrices | against the best peer | against the best of all | worst | wins |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for key, ratios in sorted(to_best.items(), key=lambda e: (e[0][0], -geometric_mean(e[1]))):
        peer = geometric_mean(to_peer.get(key, []))
        shown = "–" if math.isnan(peer) else f"{peer:.2f}"
        yield (f"| {key[0]} | {key[1]} | {len(ratios)} | {shown} | {geometric_mean(ratios):.2f} "
               f"| {min(ratios):.2f} | {wins[key]} |")


def write(contexts, measurements, failures):
    """The whole page. Ratios above one say that the library is faster."""
    lines = ["# SpMV", ""]
    for context in contexts:
        # "date" and "caches" are Google Benchmark's own; the rest is what bench/ added.
        facts = [f"{key} {context[key]}" for key in
                 ("machine", "backend", "driver", "runtime", "threads", "copy_gb_per_s", "commit") if key in context]
        lines.append("- " + ", ".join(facts))
    planned = list(_pairs(measurements, once=False))
    lines += ["", "## Best schedule against best peer", "", *_per_matrix(planned)]
    lines += ["", "## By nonzeros", "", *_bands(planned)]
    lines += ["", "## Losses", "", *_losses(planned)]
    lines += ["", "## Each contender", "", *_per_schedule(measurements)]
    unplanned = list(_pairs(measurements, once=True))
    if unplanned:
        lines += ["", "## With the preparation inside the time", "", *_per_matrix(unplanned)]
    if failures:
        lines += ["", "## Failures", ""] + [f"- {name}: {message}" for name, message in failures]
    return "\n".join(lines) + "\n"
