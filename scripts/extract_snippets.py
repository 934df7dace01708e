#!/usr/bin/env python3
"""Takes the C++ out of Markdown, so that the build compiles what the documentation shows.

  scripts/extract_snippets.py OUT FRAMES FILE.md…

A block

    ```cpp
    // snippet: name

becomes OUT/name.cpp. Where FRAMES/name.cpp exists, the block replaces its line `// @snippet`: a
frame holds what the reader need not see. Prints the paths written, one per line, for CMake.
"""
import os
import re
import sys

FENCE = re.compile(r"^(\s*)```+\s*(\S*)\s*$")
NAME = re.compile(r"^\s*//\s*snippet:\s*([a-z0-9_]+)\s*$")
FRAME_MARK = re.compile(r"^\s*//\s*@snippet\s*$", re.M)


def blocks(path):
    """Yields (name, line number, code) of every named C++ block."""
    lines, start, language, indent = [], None, "", 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            fence = FENCE.match(line)
            if fence and start is None:
                lines, start, language, indent = [], number + 1, fence.group(2), len(fence.group(1))
            elif fence:
                name = NAME.match(lines[0]) if lines and language == "cpp" else None
                if name:
                    yield name.group(1), start, "".join(lines)
                start = None
            elif start is not None:
                lines.append(line[indent:] if line[:indent].isspace() else line)
    if start is not None:
        sys.exit(f"{path}:{start - 1}: this code block is never closed")


def write_if_changed(path, text):
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except OSError:
        pass
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(out, frames, *pages):
    os.makedirs(out, exist_ok=True)
    seen = {}
    for page in pages:
        for name, line, code in blocks(page):
            if name in seen:
                sys.exit(f"{page}:{line}: snippet '{name}' is already in {seen[name]}")
            seen[name] = f"{page}:{line}"
            code = f'#line {line} "{page}"\n{code}'
            frame_path = os.path.join(frames, name + ".cpp")
            if os.path.exists(frame_path):
                with open(frame_path, encoding="utf-8") as file:
                    frame = file.read()
                if len(FRAME_MARK.findall(frame)) != 1:
                    sys.exit(f"{frame_path}: needs exactly one line '// @snippet'")
                at = FRAME_MARK.search(frame)
                rest = frame.count("\n", 0, at.end()) + 2
                code = (f'#line 1 "{frame_path}"\n' + frame[:at.start()] + code +
                        f'#line {rest} "{frame_path}"' + frame[at.end():])
            path = os.path.join(out, name + ".cpp")
            write_if_changed(path, code)
            print(path)
    for stale in set(os.listdir(out)) - {name + ".cpp" for name in seen}:
        os.remove(os.path.join(out, stale))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
