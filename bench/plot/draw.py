#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the results of bench_spmv, and compares the library with its peers in a table.

  bench/plot/draw.py RESULTS.json... [--out FOLDER] [--format svg --format png] [--table-only]
"""
import argparse
import pathlib
import sys

import ratios
import results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", help="JSON of bench_spmv; later files replace earlier ones")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."), help="folder (.)")
    parser.add_argument("--format", action="append", choices=("svg", "png", "pdf"), help="svg; may be repeated")
    parser.add_argument("--table-only", action="store_true", help="the table alone, which needs no matplotlib")
    arguments = parser.parse_args()

    contexts, measurements, failures = results.read(arguments.results)
    if not measurements:
        sys.exit("draw.py: no measurement in " + ", ".join(arguments.results))
    arguments.out.mkdir(parents=True, exist_ok=True)
    table = arguments.out / "spmv.md"
    table.write_text(ratios.write(contexts, measurements, failures), encoding="utf-8")
    print(table)
    if arguments.table_only:
        return
    try:
        import figures
    except ImportError:
        sys.exit("draw.py: figures need matplotlib (Debian, Ubuntu: python3-matplotlib); --table-only does not")
    for path in figures.save_all(measurements, arguments.out, arguments.format or ["svg"]):
        print(path)


if __name__ == "__main__":
    main()
