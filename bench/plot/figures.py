# SPDX-License-Identifier: Apache-2.0
"""Draws time against nonzeros and performance profiles."""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from results import best, problems

OURS = "#1b6ca8"
THEIRS = "#b0b0b0"


def _families(measurements, kind):
    """{family: {problem: fastest measurement}} of the planned runs of one value type."""
    out = {}
    for problem, group in problems([m for m in measurements if m.type == kind and not m.once]).items():
        for family in {m.family for m in group}:
            out.setdefault(family, {})[problem] = best([m for m in group if m.family == family])
    return out


def time_against_nonzeros(measurements, kind):
    """One panel per schedule (its best parameter), the best peer behind it in grey."""
    families = _families(measurements, kind)
    peer = families.pop("best peer", {})
    names = sorted(families)
    columns = min(4, max(1, len(names)))
    rows = -(-len(names) // columns)
    figure, panels = plt.subplots(rows, columns, figsize=(3.2 * columns, 2.8 * rows), sharex=True,
                                  sharey=True, squeeze=False, layout="constrained")
    for panel in panels.flat[len(names):]:
        panel.set_visible(False)
    for name, panel in zip(names, panels.flat):
        for points, colour, label in ((peer, THEIRS, "best peer"), (families[name], OURS, name)):
            panel.scatter([m.nonzeros for m in points.values()], [m.seconds * 1e6 for m in points.values()],
                          s=14, color=colour, label=label, linewidths=0)
        panel.set(xscale="log", yscale="log", title=name)
        panel.grid(True, which="major", linewidth=0.4, color="#e0e0e0")
        panel.set_axisbelow(True)
    if peer:
        panels.flat[0].legend(frameon=False, fontsize="small")
    figure.supxlabel("nonzeros")
    figure.supylabel("median time, µs")
    figure.suptitle(f"SpMV, {kind}: time against nonzeros")
    return figure


def performance_profile(measurements, kind):
    """For every schedule: the share of matrices on which it takes at most tau times the least time."""
    families = _families(measurements, kind)
    everything = sorted({problem for points in families.values() for problem in points})
    least = {p: min(points[p].seconds for points in families.values() if p in points) for p in everything}
    most = 10.0
    curves = []
    for name, points in families.items():
        ratios = sorted(points[p].seconds / least[p] for p in everything if p in points)
        x, y = [1.0], [0.0]
        for i, ratio in enumerate(ratios, 1):
            x += [max(ratio, 1.0)] * 2
            y += [y[-1], i / len(everything)]
        x.append(max(most, x[-1]))
        y.append(y[-1])
        area = sum((min(x[i + 1], most) - min(x[i], most)) * y[i] for i in range(len(x) - 1))
        curves.append((area, name, x, y))
    curves.sort(reverse=True)
    figure, panel = plt.subplots(figsize=(8, 5), layout="constrained")
    colours = plt.get_cmap("tab10").colors
    for i, (_, name, x, y) in enumerate(curves):
        peer = name == "best peer"
        panel.plot(x, y, label=name, color="black" if peer else colours[i % 10],
                   linestyle=("--" if peer else ("-", "-.", ":")[i // 10 % 3]), linewidth=1.6)
    panel.set(xscale="log", xlim=(1, most), ylim=(0, 1.02), xlabel="times the least time of all",
              ylabel="share of matrices", title=f"SpMV, {kind}: performance profile, {len(everything)} matrices")
    ticks = [1, 1.5, 2, 3, 5, 10]
    panel.set_xticks(ticks, [str(t) for t in ticks])
    panel.minorticks_off()
    panel.grid(True, linewidth=0.4, color="#e0e0e0")
    panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return figure


def save_all(measurements, folder, formats):
    """Every figure for every value type; returns the files."""
    files = []
    for kind in sorted({m.type for m in measurements}):
        for name, draw in (("time", time_against_nonzeros), ("profile", performance_profile)):
            figure = draw(measurements, kind)
            for suffix in formats:
                path = folder / f"spmv_{name}_{kind}.{suffix}"
                # Without a date in it, the same results give the same file.
                figure.savefig(path, dpi=150, metadata={"Date": None} if suffix == "svg" else None)
                files.append(path)
            plt.close(figure)
    return files
