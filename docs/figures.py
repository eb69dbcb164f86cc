#!/usr/bin/env python3
"""Replaces the tables of the documents by what the benchmarks print.

    docs/figures.py                  all of them; about half an hour on two quiet cores
    docs/figures.py flock reload     those of some benchmarks

A table stands between `<!-- bench: NAME ARGUMENTS -->` and `<!-- end -->`. Each run replaces it by the standard output of
`cargo bench --bench NAME -- ARGUMENTS`, without headings.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = ["docs/performance.md", "docs/reliability.md"]
BLOCK = re.compile(r"(<!-- bench: (\S+)(?: ([^\n]+))? -->\n).*?(<!-- end -->)", re.DOTALL)


def output(name, arguments):
    command = ["cargo", "bench", "--quiet", "--bench", name, "--", *arguments.split()]
    print("$", " ".join(command), flush=True)
    run = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    lines = [line.rstrip() for line in run.stdout.splitlines() if not line.startswith("#")]
    text = "\n".join(lines).strip()
    return re.sub(r"\n{3,}", "\n\n", text) + "\n"


def main(chosen):
    known = set()
    for document in DOCUMENTS:
        path = ROOT / document
        for block in BLOCK.finditer(path.read_text()):
            known.add(block[2])
            if chosen and block[2] not in chosen:
                continue
            made = block[1] + output(block[2], block[3] or "") + block[4]
            # One table at a time, so that an interrupted run keeps the finished ones.
            path.write_text(path.read_text().replace(block[0], made))
    if not known:
        sys.exit(f"no table has a marker in {', '.join(DOCUMENTS)}")
    unknown = set(chosen) - known
    if unknown:
        sys.exit(f"no table of {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")


if __name__ == "__main__":
    main(sys.argv[1:])
