#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the results of bench_gemm as Stream-K's paper does: utilisation against arithmetic intensity, speed-ups.

  bench/plot/gemm.py RESULTS.json... [--out FOLDER] [--format svg --format png]

`loops tune gemm RESULTS.json` writes the table.
"""
import argparse
import pathlib
import sys

import results

BYTES = {"bf16": (2, 2), "f16": (2, 2), "e4m3": (1, 2), "i8": (1, 4), "tf32": (4, 4), "f32": (4, 4), "f64": (8, 8)}
OURS = "#1b6ca8"
THEIRS = "#b0b0b0"
ORACLE = "#e08a1e"


class Product:
    """One product: sizes, and the times that were measured, in seconds."""

    def __init__(self, line):
        self.m, self.n, self.k, self.batch = line["m"], line["n"], line["k"], line.get("batch", 1)
        self.type, self.layouts = line["type"], line["layouts"]
        ours = line["ours"]
        self.chosen = ours[0][2] * 1e-6 if ours else None
        self.best = min(lap[2] for lap in ours) * 1e-6 if ours else None
        parallel = [lap[2] for lap in ours if lap[1] == 0]
        self.parallel = min(parallel) * 1e-6 if parallel else None
        peers = [lap[1] for lap in line["peers"]]
        self.peer = peers[0] * 1e-6 if peers else None
        self.best_peer = min(peers) * 1e-6 if peers else None

    @property
    def flops(self):
        return 2.0 * self.m * self.n * self.k * self.batch

    @property
    def intensity(self):
        """Operations per byte of A, B and C, each moved once."""
        operand, result = BYTES[self.type]
        moved = operand * (self.m + self.n) * self.k + result * self.m * self.n
        return self.flops / (self.batch * moved)


def read(paths):
    """(contexts, products); what several files measured counts once: the last."""
    contexts, found = [], {}
    for path in paths:
        document = results.load(path, "bench_gemm", "products")
        contexts.append(document["context"])
        for line in document["products"]:
            p = Product(line)
            found[p.m, p.n, p.k, p.batch, p.type, p.layouts] = p
    return contexts, list(found.values())


def utilisation(plt, products, title):
    """The paper's landscape: share of the best rate that anybody reached, against intensity."""
    peak = max(p.flops / t for p in products for t in (p.best, p.best_peer) if t)
    sides = [("chosen by the library", lambda p: p.chosen, OURS), ("peer's first choice", lambda p: p.peer, THEIRS)]
    figure, panels = plt.subplots(1, 2, figsize=(10, 4), sharex=True, sharey=True, layout="constrained")
    for panel, (name, time, colour) in zip(panels, sides):
        points = [(p.intensity, 100 * p.flops / time(p) / peak) for p in products if time(p)]
        panel.scatter([x for x, _ in points], [y for _, y in points], s=7, linewidths=0, color=colour, alpha=0.7)
        panel.set(title=name, xscale="log", ylim=(0, 105))
        panel.grid(True, linewidth=0.4, color="#e0e0e0")
        panel.set_axisbelow(True)
    figure.supxlabel("operations per byte")
    figure.supylabel(f"% of {peak * 1e-12:.0f} TFLOP/s, the most that was reached")
    figure.suptitle(title)
    return figure


def speedups(plt, products, title):
    """Distribution of speed-ups over the peer, over intensity and as cumulative shares."""
    pairs = [("chosen / first", lambda p: (p.peer, p.chosen), OURS), ("chosen / its best", lambda p: (p.best_peer, p.chosen), THEIRS),
             ("our best / first", lambda p: (p.peer, p.best), ORACLE)]
    figure, (over, shares) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for name, times, colour in pairs:
        ratios = sorted((a / b, p.intensity) for p in products for a, b in [times(p)] if a and b)
        if not ratios:
            continue
        values = [r for r, _ in ratios]
        label = f"{name}: {results.geometric_mean(values):.3f}"
        shares.step(values, [i / len(values) for i in range(1, len(values) + 1)], where="post", color=colour, label=label)
        if name == "chosen / first":
            over.scatter([x for _, x in ratios], values, s=7, linewidths=0, color=colour, alpha=0.7)
    over.axhline(1, color="black", linewidth=0.8)
    over.set(xscale="log", yscale="log", xlabel="operations per byte", ylabel="times faster than the peer's first choice")
    shares.axvline(1, color="black", linewidth=0.8)
    shares.set(xscale="log", ylim=(0, 1), xlabel="times faster (geometric mean in the legend)", ylabel="share of products")
    shares.legend(frameon=False, fontsize="small")
    for panel in (over, shares):
        panel.grid(True, which="both", linewidth=0.3, color="#e8e8e8")
        panel.set_axisbelow(True)
    figure.suptitle(title)
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", help="JSON of bench_gemm")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), help="folder (.)")
    parser.add_argument("--format", action="append", choices=("svg", "png", "pdf"), help="svg; may be repeated")
    arguments = parser.parse_args()
    contexts, products = read(arguments.results)
    products = [p for p in products if p.best]
    if not products:
        sys.exit("gemm.py: no product in " + ", ".join(arguments.results))
    try:
        import matplotlib
    except ImportError:
        sys.exit("gemm.py: figures need matplotlib (Debian, Ubuntu: python3-matplotlib)")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    arguments.out.mkdir(parents=True, exist_ok=True)
    for kind in sorted({(p.type, p.layouts) for p in products}):
        group = [p for p in products if (p.type, p.layouts) == kind]
        title = f"{contexts[-1].get('machine', '')}, {kind[0]} {kind[1]}, {len(group)} products"
        for name, draw in (("utilisation", utilisation), ("speedup", speedups)):
            figure = draw(plt, group, title)
            for suffix in arguments.format or ["svg"]:
                path = arguments.out / f"gemm_{name}_{kind[0]}_{kind[1]}.{suffix}"
                # Without a date in it, the same results give the same file.
                figure.savefig(path, dpi=150, metadata={"Date": None} if suffix == "svg" else None)
                print(path)
            plt.close(figure)


if __name__ == "__main__":
    main()
