# SPDX-License-Identifier: Apache-2.0
"""Reads the JSON of the benchmarks: one measurement per matrix, value type and contender."""
import dataclasses
import json
import math
import pathlib
import sys

YARDSTICK = "empty_kernel"  # computes nothing
PEERS = ("blas", "cub", "cusparse", "eigen", "graphblas", "openmp", "peer_", "rocblas", "rocprim", "rocsparse")


@dataclasses.dataclass(frozen=True)
class Measurement:
    matrix: str
    type: str
    contender: str   # a schedule or a peer, "merge_path", "group_mapped:8", "cusparse_csr_alg1"
    once: bool       # whether the preparation is inside the time
    seconds: float   # median
    samples: int
    nonzeros: int
    rows: int

    @property
    def is_peer(self):
        return self.contender.startswith(PEERS)

    @property
    def family(self):
        """The contender without its parameter; all peers are one family."""
        return "best peer" if self.is_peer else self.contender.split(":")[0]

    @property
    def problem(self):
        return self.matrix, self.type


UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def name_parts(run):
    """The parts of a benchmark's name: the program's, those of the problem, the contender."""
    parts = run["name"].split("/")
    while parts and (parts[-1] == "manual_time" or parts[-1].startswith(("iterations:", "repeats:"))):
        parts.pop()
    return parts


def load(path, program, *members):
    """The JSON at a path. Ends the program where that is no result of this one, which has such a list."""
    try:
        document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        sys.exit(f"{path} is no result of {program}: {problem}")
    if (not isinstance(document, dict) or "context" not in document
            or not any(isinstance(document.get(member), list) for member in members)):
        sys.exit(f"{path} is no result of {program}: it has no list of " + " or ".join(f'"{m}"' for m in members))
    return document


def read(paths):
    """(contexts, measurements, failures) of all files; a failure is (name, message). What several
    files measured counts once: the later file replaces the earlier."""
    contexts, found, failures = [], {}, []
    for path in paths:
        document = load(path, "bench_spmv", "benchmarks")
        contexts.append(document["context"])
        for run in document["benchmarks"]:
            # A matrix's name may hold slashes, so the parts are counted from both ends.
            parts = name_parts(run)
            if parts[:1] != ["spmv"]:
                sys.exit(f"{path} is no result of bench_spmv: it has the times of {run['name']}")
            if len(parts) < 4 or run.get("run_type") == "aggregate":
                continue
            if run.get("error_occurred"):
                failures.append((run["name"], run.get("error_message", "")))
                continue
            contender, _, once = parts[-1].partition(",")
            if contender == YARDSTICK:
                continue
            m = Measurement("/".join(parts[1:-2]), parts[-2], contender, once == "once",
                            run["real_time"] * UNITS[run["time_unit"]], int(run["samples"]),
                            int(run["nonzeros"]), int(run["rows"]))
            found[m.problem, m.contender, m.once] = m
    return contexts, list(found.values()), failures


def problems(measurements):
    """{(matrix, type): [measurements]}, by growing number of nonzeros."""
    out = {}
    for m in sorted(measurements, key=lambda m: (m.nonzeros, m.problem)):
        out.setdefault(m.problem, []).append(m)
    return out


def best(measurements):
    """The fastest, or None when there is none."""
    return min(measurements, key=lambda m: m.seconds, default=None)


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def band(nonzeros):
    """The power of ten that a matrix belongs to, as text: "10^4 to 10^5"."""
    low = len(str(max(nonzeros, 1))) - 1
    return f"10^{low} to 10^{low + 1}"
