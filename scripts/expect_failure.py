#!/usr/bin/env python3
"""Holds that a source does not compile, and that the compiler says why.

  scripts/expect_failure.py SOURCE -- COMPILER FLAG…

Every line `// expect: REGEX` of SOURCE must match what the compiler prints.
"""
import re
import subprocess
import sys


def main(source, *command):
    with open(source, encoding="utf-8") as file:
        expected = re.findall(r"^// expect: (.+)$", file.read(), re.M)
    if not expected:
        sys.exit(f"{source}: has no line '// expect: REGEX'")
    done = subprocess.run([*command, "-fsyntax-only", source], capture_output=True, text=True)
    if done.returncode == 0:
        sys.exit(f"{source}: compiles, and must not")
    missing = [pattern for pattern in expected if not re.search(pattern, done.stderr)]
    if missing:
        sys.exit(done.stderr + "\n" + "\n".join(f"{source}: the compiler does not say: {m}" for m in missing))


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[2] != "--":
        sys.exit(__doc__)
    main(sys.argv[1], *sys.argv[3:])
