#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the compiler gives each CUDA kernel: registers, spills, stack and shared memory.

    resources/gpu/kernel_resources.py [--architecture sm_90] [--nvcc PROGRAM] [--write]

--write keeps the table in docs/gpu.md. Fails if a kernel spills registers to memory.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

from report import PAGE, ROOT, table

KERNELS = ROOT / "core" / "kernels" / "cuda"
BEGIN = "<!-- kernel resources: begin -->"
END = "<!-- kernel resources: end -->"


def find_nvcc(given):
    wheels = sorted(pathlib.Path.home().glob(".cache/dubito/torch-*/lib/python3*/site-packages/nvidia/cu13/bin/nvcc"))
    found = given or shutil.which("nvcc") or (str(wheels[0]) if wheels else None)
    if not found:
        sys.exit("nvcc was not found; give it with --nvcc")
    return found


def demangled(names):
    text = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    # Names alone: namespaces and arguments are the same for all.
    return [re.sub(r"^void |\(anonymous namespace\)::|dubito::|\(int\)", "", line).split("(")[0]
            for line in text.splitlines()]


def resources(nvcc, source, architecture):
    """(kernel, registers, spilled bytes, stack bytes, static shared bytes) of each kernel of a file."""
    said = subprocess.run([nvcc, "-std=c++17", f"-arch={architecture}", "-O3", "-Xptxas", "-v", "-I", ROOT, "-cubin", "-o",
                           "/dev/null", source], capture_output=True, text=True, check=True).stderr
    rows = []
    for block in said.split("Compiling entry function '")[1:]:
        registers = int(re.search(r"Used (\d+) registers", block).group(1))
        stack, stores, loads = map(int, re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads",
                                                  block).groups())
        shared = re.search(r"(\d+) bytes smem", block)
        rows.append([block.split("'")[0], registers, stores + loads, stack, int(shared.group(1)) if shared else 0])
    for row, name in zip(rows, demangled([row[0] for row in rows])):
        row[0] = f"`{name}`"
    return sorted(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--architecture", default="sm_90")
    parser.add_argument("--nvcc")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/gpu.md")
    arguments = parser.parse_args()
    nvcc = find_nvcc(arguments.nvcc)
    rows = []
    for source in sorted(KERNELS.glob("*.cu")):
        rows += [[f"`{source.name}`", *row] for row in resources(nvcc, source, arguments.architecture)]
    text = table(["file", "kernel", "registers", "spilled bytes", "stack bytes", "static shared bytes"], rows)
    print(text)
    if arguments.write:
        page = PAGE.read_text(encoding="utf-8")
        head, rest = page.split(BEGIN)
        PAGE.write_text(f"{head}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")
    return 1 if any(row[3] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
