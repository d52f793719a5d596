#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times Dubito against straightforward implementations, and keeps the section Speed of docs/measurements.md.

    tests/benchmark/run_benchmarks.py [--build DIR] [--repetitions N]   run everything, write JSON and tables
    tests/benchmark/run_benchmarks.py --laplace-torch PYTHON [--rounds N]   only what laplace_torch.py times, in turns with it
    tests/benchmark/run_benchmarks.py --torch-compile PYTHON [--rounds N]   only what compiled_measures.py times, in turns with it
    tests/benchmark/run_benchmarks.py --evaluate-peers PYTHON [--rounds N]   only what evaluate_peers.py times, in turns with it
    tests/benchmark/run_benchmarks.py --write         write the tables from the JSON
    tests/benchmark/run_benchmarks.py --check         fail if the tables, or the figures of the overview, differ from the JSON

The times are in resources/benchmarks/cpu.json, the tables in docs/measurements/speed.json; resources/measurements.py renders
the page.
"""
import argparse
import datetime
import json
import math
import os
import platform
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "resources"))
import measurements  # noqa: E402  the folder is known only now

SECTION = ROOT / "docs" / "measurements" / "speed.json"
OVERVIEW = ROOT / "docs" / "measurements" / "glance.json"
FIGURES = ROOT / "resources" / "benchmarks" / "cpu.json"

PASSES = "the network's forward passes alone"

# name, what is timed, what it is compared with, goal. Goals: a ratio, or milliseconds.
COMPARED = [
    ("predict_1000", "`predict` from items to run, mc-dropout, 50 draws of 1 000 items over 1 000 classes (dropout on 8 inputs, "
     "one linear layer), one thread", "50 full passes, then tensor expressions in double", None),
    ("summary", "the measures alone, from logits [20, 10 000, 10], one thread: mean, H, E[H], MI, confidence, variance, "
     "variation ratio", "tensor expressions, without the last two", 15),
    ("metrics", "`evaluate`, 1e6 x 10, two threads: ECE, NLL, Brier, AUROC, AP, AURC, FPR95 and more "
     "(by confidence and by entropy)", "tensor expressions, the first seven by confidence", None),
    ("dropout", "keyed dropout of [5 000, 500], one thread", "torch's own dropout, not keyed", None),
    ("dropout_units", "the same with a rate per unit", "torch's bernoulli, times x, divided by the rates to keep, not keyed",
     None),
    ("mc_dropout_head", "mc-dropout, 50 draws of 10 000 images, LeNet with dropout before the head, two threads",
     "50 full passes", 25),
    ("mc_dropout_demo", "the same with the demo's network", "50 full passes", 5),
    ("backbone_features", "features of 10 000 images for a new head, LeNet, two threads", PASSES, 0.95),
    ("laplace_fit", "last-layer Laplace fit (kron) to 10 000 images, LeNet, two threads", PASSES, 0.83),
    ("laplace_predict", "predicting 10 000 images from it, link probit", PASSES, 0.77),
    ("laplace_bridge", "the same, link bridge-centred", PASSES, 0.77),
]
# The same with a number of classes.
BY_CLASSES = [(f"bridge_{classes}", "Laplace Bridge: log α", classes, 2) for classes in (3, 10, 100, 1000)] + [
    (f"logit_normal_{classes}", "1 000 keyed draws: mean, H, E[H], MI, confidence", classes, goal)
    for classes, goal in ((3, None), (10, 8), (100, 8), (1000, 4))
]
ALONE = [
    ("laplace_all_fit", "all-layer Laplace fit (kron, exact expectation over 10 classes) to 10 000 images, LeNet, two "
     "threads (laplace-torch 0.3: 19 s)", 9500),
    ("laplace_large_fit", "last-layer Laplace fit (kron) to 2 000 items of 2 048 features and 1 000 classes (laplace-torch "
     "0.3: 127 s)", 15000),
    ("laplace_large_predict", "predicting 1 000 items from it, link probit (laplace-torch 0.3 asks for 1 TB)", 5000),
    ("head_training", "head of two layers with concrete dropout trained on 10 000 x 512 features until its validation loss "
     "no longer falls, two threads", 10000),
    ("open_run", "opening a run of 1e6 x 10", 50),
    ("review_queue", "ordering 1e6 x 10 items for review by margin, two threads", 300),
    ("review_errors", "the same by suspected label errors", 300),
    ("open_folder", "opening a folder of 100 000 images", 2000),
    ("decide_durably", "one decision until it is on the disk, in a label store of 100 000", 20),
    ("decide_many", "100 000 decisions of one step", 5000),
    ("open_labels", "opening a label store of 100 000 decisions and reading all labels", 1000),
    ("cli_help", "`dubito-cli --help`", 100),
    ("window", "start of the window to its first paint", 1000),
]
# What laplace_torch.py times: its group, what it is called in the table, which of our timings stands against it.
IN_TURNS = [
    ("forward", "forward passes alone", ("laplace_fit", "baseline")),
    ("laplace_fit", "last-layer fit (kron)", ("laplace_fit", "ours")),
    ("laplace_predict", "predicting from it, link probit", ("laplace_predict", "ours")),
    ("laplace_all_fit", "all-layer fit (kron)", ("laplace_all_fit", "ours")),
]
SCALED = ("The full passes were timed on one pass of 1 000 images, times 500; the variant that runs all before the "
          "dropout once on 1 000 images, times 10. ")
SCALED_DRAWS = "Draws from Gaussians were timed on every 10th item at K = 100, on every 100th at K = 1000. "
EVERYTHING = [row[0] for row in COMPARED + BY_CLASSES + ALONE]


def fail(message):
    sys.exit("run_benchmarks.py: " + message)


def run_timings(program, repetitions, groups):
    """Seconds by benchmark name: the minimum over repetitions, scaled where only a part was run."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        command = [program, f"--benchmark_out={out}", "--benchmark_out_format=json",
                   f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.2",
                   "--benchmark_enable_random_interleaving=true",
                   f"--benchmark_filter=^({'|'.join(groups)})/"]
        if subprocess.run(command).returncode != 0:
            fail(f"{program} failed")
        # Empty where no group of this program was asked for.
        report = json.loads(out.read_text() or '{"benchmarks": [], "context": {}}')
    milliseconds = {}
    for entry in report["benchmarks"]:
        if entry["run_type"] != "iteration":
            continue
        assert entry["time_unit"] == "ms"
        group, role = entry["name"].split("/")[:2]
        value = entry["real_time"] * entry.get("scale", 1.0)
        key = (group, role)
        milliseconds[key] = min(value, milliseconds.get(key, value))
    return milliseconds, report["context"]


def time_command(command, repetitions):
    best = None
    for _ in range(repetitions):
        begin = time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False)
        elapsed = 1e3 * (time.perf_counter() - begin)
        if done.returncode != 0:
            fail(f"{' '.join(map(str, command))} failed")
        best = elapsed if best is None else min(best, elapsed)
    return best


def start_of_window(program, repetitions):
    """The least milliseconds to the first paint; the window stays open, so that it is ended from here."""
    best = None
    for _ in range(repetitions):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": folder, "XDG_CONFIG_HOME": folder}
            window = subprocess.Popen([program, "--print-startup-time"], stderr=subprocess.PIPE, text=True, env=environment)
            patience = threading.Timer(60, window.kill)
            patience.start()
            for line in window.stderr:
                found = re.search(r"first paint ([0-9.]+) s", line)
                if found:
                    best = min(best or math.inf, 1000 * float(found.group(1)))
                    break
            patience.cancel()
            window.kill()
            window.wait()
    if best is None:
        fail("the window did not say when it was painted first; see: dubito --print-startup-time")
    return best


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def measure(build, repetitions, groups):
    program = build / "bin" / "dubito_benchmarks"
    if not program.exists():
        fail(f"{program} is not there; build it with cmake --build --preset release --target dubito_benchmarks "
             "dubito dubito-cli (needs libbenchmark-dev)")
    times, context = run_timings(program, repetitions, groups)
    figures = []
    for name, _, _, _ in COMPARED + BY_CLASSES:
        if name not in groups:
            continue
        figure = {"name": name, "ms": times[name, "ours"], "baseline_ms": times[name, "baseline"]}
        figure["ratio"] = figure["baseline_ms"] / figure["ms"]
        if (name, "prefix_once") in times:
            figure["prefix_once_ms"] = times[name, "prefix_once"]
        if (name, "passes") in times:
            figure["passes_ms"] = times[name, "passes"]
        figures.append(figure)
    for name, _, _ in ALONE:
        if (name, "ours") in times:
            figures.append({"name": name, "ms": times[name, "ours"]})
    if "cli_help" in groups:
        figures.append({"name": "cli_help",
                        "ms": time_command([build / "bin" / "dubito-cli", "--help"], repetitions)})
    window = build / "bin" / "dubito"
    if "window" in groups and window.exists():
        figures.append({"name": "window", "ms": start_of_window(window, repetitions)})
    return {
        "date": datetime.date.today().isoformat(),
        "machine": {"processor": processor(), "cores": os.cpu_count(),
                    "system": f"{platform.system()} {platform.release()}"},
        "versions": {"torch": context.get("torch", "unknown")},
        "load_at_start": context["load_avg"][0] if context.get("load_avg") else None,
        "repetitions": repetitions,
        "gpu": None,
        "figures": figures,
    }


def compared_with_laplace_torch(build, python, rounds):
    """The least of so many rounds, each of ours and then of theirs: on a busy machine both meet the same."""
    theirs = Path(__file__).with_name("laplace_torch.py")
    ours_ms, theirs_ms = {}, {}
    for _ in range(rounds):
        times, context = run_timings(build / "bin" / "dubito_benchmarks", 1, [row[0] for row in IN_TURNS[1:]])
        done = subprocess.run([python, theirs], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if done.returncode != 0:
            fail(f"{python} {theirs} failed; its head says what it needs")
        for key, value in json.loads(done.stdout)["milliseconds"].items():
            theirs_ms[key] = min(value, theirs_ms.get(key, value))
        for group, _, key in IN_TURNS:
            ours_ms[group] = min(times[key], ours_ms.get(group, times[key]))
    return {
        "date": datetime.date.today().isoformat(), "processor": processor(), "cores": os.cpu_count(), "rounds": rounds,
        "load": context["load_avg"][0] if context.get("load_avg") else None,
        "figures": [{"name": group, "ms": ours_ms[group],
                     "theirs_ms": {key.partition("/")[2]: value for key, value in theirs_ms.items()
                                   if key.split("/")[0] == group}} for group, _, _ in IN_TURNS],
    }


def compared_with_torch_compile(build, python, rounds):
    """The measures alone and the same compiled by torch.compile, each the least of rounds in turns."""
    theirs = Path(__file__).with_name("compiled_measures.py")
    ours_ms = theirs_ms = math.inf
    for _ in range(rounds):
        times, context = run_timings(build / "bin" / "dubito_benchmarks", 1, ["summary"])
        ours_ms = min(ours_ms, times["summary", "ours"])
        done = subprocess.run([python, theirs], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if done.returncode != 0:
            fail(f"{python} {theirs} failed; its head says what it needs")
        answer = json.loads(done.stdout)
        theirs_ms = min(theirs_ms, answer["milliseconds"]["compiled"])
    return {"date": datetime.date.today().isoformat(), "processor": processor(), "cores": os.cpu_count(), "rounds": rounds,
            "load": context["load_avg"][0] if context.get("load_avg") else None, "torch": answer["torch"],
            "ms": ours_ms, "theirs_ms": theirs_ms}


def flat_metrics(path):
    """The values of a file of `evaluate --json` by the names of evaluate_peers.py."""
    metrics = json.loads(path.read_text())
    found = {name: metrics[name] for name in ("accuracy", "nll", "brier", "ece")}
    keys = {"auroc": "auroc", "ap": "aupr", "aurc": "aurc", "fpr95": "fpr95"}
    for score in ("confidence", "entropy"):
        found |= {f"{name} by {score}": metrics["misclassified"][score][key] for name, key in keys.items()}
    return found


def check_agreement(ours, theirs, peer):
    """Peers compute in float32 in part, and torchmetrics has other bins for confidences at their edges."""
    for name, value in theirs.items():
        tolerance = 1e-3 if name == "ece" else 1e-4
        if abs(value - ours[name]) > tolerance:
            fail(f"{name} is {ours[name]}, but {value} by {peer}")


def compared_with_evaluate_peers(build, python, rounds):
    """The whole process `dubito-cli evaluate`, and each peer after its imports, in turns."""
    peers = Path(__file__).with_name("evaluate_peers.py")
    ours_ms, theirs_ms = math.inf, {}
    with tempfile.TemporaryDirectory() as folder:
        predictions, metrics = Path(folder) / "predictions.npz", Path(folder) / "metrics.json"
        if subprocess.run([python, peers, predictions, "--make", "1000000", "10"]).returncode != 0:
            fail(f"{python} {peers} failed; its head says what it needs")
        load = os.getloadavg()[0]
        for _ in range(rounds):
            ours_ms = min(ours_ms, time_command([build / "bin" / "dubito-cli", "evaluate", predictions, "--json", metrics,
                                                 "--threads", "2"], 3))
            done = subprocess.run([python, peers, predictions], stdout=subprocess.PIPE, text=True)
            if done.returncode != 0:
                fail(f"{python} {peers} failed; its head says what it needs")
            for peer, answer in json.loads(done.stdout).items():
                check_agreement(flat_metrics(metrics), answer["values"], peer)
                theirs_ms[peer] = min(answer["milliseconds"], theirs_ms.get(peer, math.inf))
    return {"date": datetime.date.today().isoformat(), "processor": processor(), "cores": os.cpu_count(), "rounds": rounds,
            "load": load, "ms": ours_ms, "theirs_ms": theirs_ms}


def in_words(milliseconds):
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.3g} s"
    return f"{milliseconds:.3g} ms"


def number(value, digits=".3g"):
    return measurements.Number(format(value, digits))


def wanted_ratio(goal):
    return measurements.Number(goal) if goal else None


def compared_tables(data):
    by_name = {figure["name"]: figure for figure in data["figures"]}
    rows = []
    for name, what, baseline, goal in COMPARED:
        if name not in by_name:
            continue
        figure = by_name[name]
        rows.append([what, in_words(figure["ms"]), baseline, in_words(figure["baseline_ms"]), number(figure["ratio"]),
                     wanted_ratio(goal)])
        if "prefix_once_ms" in figure:
            rows.append([None, None, "all before the dropout once, then torch's own dropout", in_words(figure["prefix_once_ms"]),
                         number(figure["prefix_once_ms"] / figure["ms"]), None])
        if "passes_ms" in figure:
            rows.append([None, None, "the same passes alone, without measures", in_words(figure["passes_ms"]), None, None])
    tables = [{"name": "compared", "columns": columns("what", "Dubito", "compared with", "takes", "times faster", "wanted"),
               "rows": rows, "notes": [SCALED.strip()] if "mc_dropout_head" in by_name else []}]
    rows = [[what, measurements.Number(classes), in_words(by_name[name]["ms"]), in_words(by_name[name]["baseline_ms"]),
             number(by_name[name]["ratio"]), wanted_ratio(goal)]
            for name, what, classes, goal in BY_CLASSES if name in by_name]
    if rows:
        tables.append({
            "name": "classes", "title": "10 000 diagonal Gaussians over K logits",
            "text": ["Two threads. Tensor expressions compute α, which overflows at gaps over 88, and of the draws the mean alone."],
            "page": {"where": {"K": [measurements.Number(10), measurements.Number(1000)]}},
            "columns": columns("what", "K", "Dubito", "tensor expressions", "times faster", "wanted"), "rows": rows,
            "notes": [SCALED_DRAWS.strip()] if "logit_normal_1000" in by_name else []})
    return tables


def columns(*names):
    return [{"name": name} for name in names]


def table_alone(data):
    by_name = {figure["name"]: figure for figure in data["figures"]}
    return {"name": "alone", "title": "Without a comparison in the same run", "columns": columns("what", "takes", "wanted"),
            "rows": [[what, in_words(by_name[name]["ms"]), f"below {in_words(goal)}"]
                     for name, what, goal in ALONE if name in by_name]}


def busy_words(load):
    return f"; {load:.0f} programs were running, so that only ratios count" if load and load > 2.5 else ""


def table_of_turns(data):
    words = {group: what for group, what, _ in IN_TURNS}
    rows = [[words[figure["name"]], in_words(figure["ms"]), in_words(theirs) + (f", {backend}" if backend else ""),
             number(theirs / figure["ms"])]
            for figure in data["figures"] for backend, theirs in figure["theirs_ms"].items()]
    return {"name": "laplace-torch", "title": "Laplace, in turns with laplace-torch 0.3",
            "text": [f"10 000 images, LeNet, two threads; least of {data['rounds']} round(s) of ours and then theirs."],
            "command": "tests/benchmark/run_benchmarks.py --laplace-torch PYTHON",
            "machine": f"{data['processor']}, {data['cores']} cores{busy_words(data['load'])}", "date": data["date"],
            "columns": columns("what", "Dubito", "laplace-torch 0.3", "times faster"), "rows": rows}


def table_of_compiled(data):
    what = next(what for name, what, _, _ in COMPARED if name == "summary")
    return {"name": "torch-compile", "title": "The measures, in turns with torch.compile",
            "text": [f"The same tensor expressions, after their compilation; least of {data['rounds']} round(s) of ours and then "
                     "theirs."],
            "command": "tests/benchmark/run_benchmarks.py --torch-compile PYTHON",
            "machine": f"{data['processor']}, {data['cores']} cores{busy_words(data['load'])}", "date": data["date"],
            "version": f"torch {data['torch']}", "columns": columns("what", "Dubito", "torch.compile", "times faster", "wanted"),
            "rows": [[what, in_words(data["ms"]), in_words(data["theirs_ms"]), number(data["theirs_ms"] / data["ms"]),
                      wanted_ratio(1.5)]]}


def table_of_evaluate(data):
    goals = {"NumPy with scikit-learn": 13, "torchmetrics": 3}
    return {"name": "evaluate-peers", "title": "Metrics of a file of 1 000 000 x 10 predictions, in turns with other programs",
            "text": [f"Two threads; least of {data['rounds']} round(s) of ours and then theirs. Ours is the whole process, which "
                     "computes [more metrics](formats.md); theirs begin after their imports: accuracy, NLL, Brier, ECE, and by "
                     "confidence and by entropy AUROC and AP, with scikit-learn also AURC and FPR95."],
            "command": "tests/benchmark/run_benchmarks.py --evaluate-peers PYTHON",
            "machine": f"{data['processor']}, {data['cores']} cores{busy_words(data['load'])}", "date": data["date"],
            "columns": columns("compared with", "takes", "`dubito-cli evaluate`", "times faster", "wanted"),
            "rows": [[peer, in_words(theirs), in_words(data["ms"]), number(theirs / data["ms"]), wanted_ratio(goals[peer])]
                     for peer, theirs in data["theirs_ms"].items()]}


def section(kept, data):
    """The group of docs/measurements that these figures give; texts are those of `kept`."""
    load = data["load_at_start"]
    busy = f" (busy: {load:.1f} programs were running at the start)" if load and load > 0.7 else ""
    machine = data["machine"]
    gpu = data["gpu"] or "no GPU"
    tables = compared_tables(data) + [table_alone(data)]
    if "laplace_torch" in data:
        tables.append(table_of_turns(data["laplace_torch"]))
    if "torch_compile" in data:
        tables.append(table_of_compiled(data["torch_compile"]))
    if "evaluate_peers" in data:
        tables.append(table_of_evaluate(data["evaluate_peers"]))
    return {**kept, "machine": f"{machine['processor']}, {machine['cores']} cores{busy}, {gpu}", "date": data["date"],
            "version": f"torch {data['versions']['torch']}, least of {data['repetitions']} repetition(s)", "tables": tables}


def stale_figures(data):
    """The figures that the overview of docs/measurements should repeat and does not."""
    head = next(figure for figure in data["figures"] if figure["name"] == "mc_dropout_head")
    pairs = [(head["ms"], head["baseline_ms"])]
    for figure in data.get("laplace_torch", {}).get("figures", []):
        if figure["name"] == "laplace_predict":
            pairs.append((figure["ms"], min(figure["theirs_ms"].values())))
    wanted = [f"{in_words(ours)} instead of {in_words(theirs)}" for ours, theirs in pairs]
    text = OVERVIEW.read_text(encoding="utf-8")
    return [words for words in wanted if words not in text]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--repetitions", type=int, default=7, help="the least time of so many counts")
    parser.add_argument("--only", nargs="+", choices=EVERYTHING, help="these figures alone")
    parser.add_argument("--laplace-torch", metavar="PYTHON", help="a Python that has laplace-torch; see laplace_torch.py")
    parser.add_argument("--torch-compile", metavar="PYTHON", help="a Python that has torch; see compiled_measures.py")
    parser.add_argument("--evaluate-peers", metavar="PYTHON",
                        help="a Python that has scikit-learn and torchmetrics; see evaluate_peers.py")
    parser.add_argument("--rounds", type=int, default=2, help="of the comparisons in turns")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.laplace_torch:
        data = json.loads(FIGURES.read_text())
        data["laplace_torch"] = compared_with_laplace_torch(arguments.build, arguments.laplace_torch, arguments.rounds)
        FIGURES.write_text(json.dumps(data, indent=2) + "\n")
    elif arguments.torch_compile:
        data = json.loads(FIGURES.read_text())
        data["torch_compile"] = compared_with_torch_compile(arguments.build, arguments.torch_compile, arguments.rounds)
        FIGURES.write_text(json.dumps(data, indent=2) + "\n")
    elif arguments.evaluate_peers:
        data = json.loads(FIGURES.read_text())
        data["evaluate_peers"] = compared_with_evaluate_peers(arguments.build, arguments.evaluate_peers, arguments.rounds)
        FIGURES.write_text(json.dumps(data, indent=2) + "\n")
    elif not arguments.check and not arguments.write:
        data = measure(arguments.build, arguments.repetitions, arguments.only or EVERYTHING)
        FIGURES.parent.mkdir(parents=True, exist_ok=True)
        kept = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
        for other, option in (("laplace_torch", "--laplace-torch"), ("torch_compile", "--torch-compile"),
                              ("evaluate_peers", "--evaluate-peers")):
            if other in kept:
                data[other] = kept[other]
            print(f"run_benchmarks.py: not measured again: what {option} PYTHON measures", file=sys.stderr)
        FIGURES.write_text(json.dumps(data, indent=2) + "\n")
    data = json.loads(FIGURES.read_text())
    kept = measurements.load(SECTION)
    expected = measurements.dump(section(kept, data)) + "\n"
    if arguments.check:
        if SECTION.read_text(encoding="utf-8") != expected:
            fail(f"{SECTION.relative_to(ROOT)} differs from resources/benchmarks/cpu.json; run it with --write")
        if stale := stale_figures(data):
            fail(f"{OVERVIEW.relative_to(ROOT)} should say: {'; '.join(stale)}")
    else:
        SECTION.write_text(expected, encoding="utf-8")
        measurements.Measurements().write()
        for table in section(kept, data)["tables"]:
            print("\n".join(measurements.table_lines(*measurements.selected(table))) + "\n")


if __name__ == "__main__":
    main()
