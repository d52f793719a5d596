#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of the figures of a GPU check.

    resources/gpu/report.py --take DIR/gpu.json   keep these figures in resources/benchmarks/gpu.json, write docs/gpu.md
    resources/gpu/report.py --check               fail where docs/gpu.md differs from the kept figures
"""
import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIGURES = ROOT / "resources" / "benchmarks" / "gpu.json"
PAGE = ROOT / "docs" / "gpu.md"
BEGIN = "<!-- gpu figures: begin -->"
END = "<!-- gpu figures: end -->"
WANTED_SHARE = 0.7  # of the copy bandwidth, for kernels that only move bytes
IN_CACHE = 4  # shapes below so many caches are not compared with the bandwidth of the memory


def number(value, unit=""):
    """Three significant digits."""
    if value is None:
        return ""
    text = f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}".replace(",", " ")
    return f"{text} {unit}".strip()


def size(value):
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value and value >= factor:
            return number(value / factor, unit)
    return "" if value is None else number(value, "B")


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"]
    return "\n".join(lines + ["| " + " | ".join(str(cell).replace("|", "/") for cell in row) + " |" for row in rows])


def card_table(found):
    kernels = found.get("kernels") or {}
    card = kernels.get("card")
    if not card:
        return "No card: everything ran on the processor."
    driver = ((found.get("plain torch") or {}).get("card") or {}).get("driver", "")
    return table(
        ["card", "driver", "multiprocessors", "memory", "L2 cache", "copy (read + written)", "upload, pinned",
         "float32 multiply-add", "threads of the host"],
        [[card["name"], driver, card["multiprocessors"], size(card["memory_bytes"]), size(card["l2_bytes"]),
          number(card["copy_gb_per_s"], "GB/s"), number(card["upload_gb_per_s"], "GB/s"),
          number(card["float32_tflops"], "TFLOP/s"), kernels.get("threads", "")]])


def share_text(row, card):
    if not card or "gb_per_s" not in row:
        return ""
    share = row["gb_per_s"] / card["copy_gb_per_s"]
    text = f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"
    if row["bound"] != "bytes":
        return f"{text} (bound by {row['bound']})"
    if row["bytes"] < IN_CACHE * card["l2_bytes"]:
        return f"{text} (fits into the cache)"
    return text if share >= WANTED_SHARE else f"{text} (70 % wanted)"


def verdict(row):
    if "error" in row:
        return row["error"]
    if row.get("difference", 0.0) > 1.0:
        return "differs from the processor"
    if not row.get("repeats", True):
        return "does not repeat"
    return "equal" if "difference" in row else ""


def kernel_table(found):
    kernels = found.get("kernels") or {}
    rows = []
    for row in kernels.get("kernels", []):
        speedup = row["host_ms"] / row["ms"] if "ms" in row and "host_ms" in row else None
        rows.append([row["kernel"], row["shape"], size(row.get("bytes")), number(row.get("ms"), "ms"),
                     number(row.get("gb_per_s"), "GB/s"), share_text(row, kernels.get("card")),
                     number(row.get("host_ms"), "ms"), number(speedup, "x"), verdict(row)])
    return table(["kernel", "shape", "bytes", "time", "rate", "share of the copy", "processor", "ratio", "result"], rows)


def plain_rows(found, network, name):
    """The best of plain torch's rows of a name, over its batch sizes."""
    rows = [row for row in (found.get("plain torch") or {}).get("rows", [])
            if row["name"] == f"{name}/{network}" and "items_per_s" in row]
    return max(rows, key=lambda row: row["items_per_s"], default=None)


PLAIN_NAMES = {"map": ["map"], "mc-dropout": ["mc-dropout", "mc-dropout-suffix", "mc-dropout-joined"],
               "laplace fit": ["laplace-fit"], "laplace": ["laplace-predict"], "laplace, no gauge": ["laplace-predict"], "ensemble": ["ensemble"]}


def comparison_text(of):
    if not of:
        return ""
    text = "same bits" if of["same_bits"] else f"{of['largest_difference']:.1g}"
    if of["same_masks"] is not None:
        text += ", masks equal" if of["same_masks"] else ", MASKS DIFFER"
    return text


def predict_table(found):
    rows = []
    for network, measured in (found.get("predict") or {}).items():
        for row in measured.get("rows", []):
            if "error" in row:
                rows.append([network, row["name"], row["error"]] + [""] * 7)
                continue
            plain = [(name, plain_rows(found, network, name)) for name in PLAIN_NAMES[row["name"]]]
            compared = "; ".join(f"{name} {number(of['items_per_s'])}" for name, of in plain if of)
            estimate = row.get("estimated_device_bytes")
            peak = row.get("peak_device_bytes")
            rows.append([network, row["name"], row["items"], number(row["first_seconds"], "s"), number(row["items_per_s"]),
                         compared, size(peak) if peak else "", size(estimate) if estimate else "",
                         comparison_text(row.get("other_batch")), comparison_text(row.get("processor"))])
    return table(["network", "method", "items", "first time", "items/s", "plain torch, items/s", "peak on the card",
                  "estimate", "other batch size", "processor"], rows)


def tests_table(found):
    rows = [[row["program"], row["passed"], row["skipped"], row["failed"] or "none", number(row["seconds"], "s")]
            for row in found.get("tests") or []]
    return table(["tests", "passed", "skipped", "failed", "time"], rows)


def sanitizer_table(found):
    return table(["compute-sanitizer", "program", "result"],
                 [[row["tool"], row.get("program", ""), row["result"]] for row in found.get("compute-sanitizer") or []])


def training_table(found):
    plain = {row["name"]: row for row in (found.get("plain torch") or {}).get("rows", []) if "steps_per_s" in row}
    rows = []
    for row in found.get("training") or []:
        compared = plain.get({"lenet": "train/lenet", "resnet": "train/resnet", "head": "train-head/lenet"}[row["name"]])
        rate = row["steps"] / row["seconds"]
        rows.append([row["name"], row["steps"], number(row["seconds"], "s"), number(rate),
                     number(compared["steps_per_s"]) if compared else ""])
    return table(["training", "steps of an epoch", "time of an epoch", "steps/s", "plain torch, steps/s"], rows)


def laboratories_table(found):
    return table(["laboratory", "time"], [[row["name"], number(row["seconds"], "s")]
                                          for row in found.get("laboratories") or []])


def steps_table(found):
    return table(["step", "time", "result"],
                 [[step["step"], number(step["seconds"], "s"), step.get("failed", "done")] for step in found["steps"]])


PARTS = [("Kernels", kernel_table), ("Prediction", predict_table), ("Training", training_table),
         ("Laboratories that use torch", laboratories_table), ("Tests", tests_table),
         ("Memory and races", sanitizer_table), ("Steps", steps_table)]


def body(found):
    """The figures as Markdown, below headings of the third level."""
    texts = [card_table(found)]
    texts += [f"### {title}\n\n{make(found)}" for title, make in PARTS]
    return "\n\n".join(texts) + "\n"


def page(found):
    kind = "quick " if found["quick"] else ""
    return f"# GPU check\n\nA {kind}check of {found['date']}, {found.get('seconds', 0)} s.\n\n{body(found)}"


def filled(text):
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    figures = body(json.loads(FIGURES.read_text(encoding="utf-8"))) if FIGURES.exists() else "Not yet measured.\n"
    return f"{head}{BEGIN}\n\n{figures}\n{END}{tail}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--take", metavar="JSON", help="keep these figures")
    which.add_argument("--check", action="store_true", help="fail where docs/gpu.md differs from the kept figures")
    arguments = parser.parse_args()
    if arguments.take:
        found = json.loads(pathlib.Path(arguments.take).read_text(encoding="utf-8"))
        FIGURES.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        return 0
    text = PAGE.read_text(encoding="utf-8")
    if text != filled(text):
        print("docs/gpu.md differs from resources/benchmarks/gpu.json; run resources/gpu/report.py --take with that file")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
