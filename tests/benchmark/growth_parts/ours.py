# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs Dubito's programs, and asks the process of the peers for data and for their times."""
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from . import watch

LAST_WINDOW_STEP = "brush a histogram, mouse down: event to the last of six plots"


class Failed(Exception):
    """A program failed; the text has its messages."""


class Peers:
    """The process of peers.py."""

    def __init__(self, python, seconds, memory_mb):
        self.bounds = {"seconds": seconds, "memory_mb": memory_mb}
        self.process = subprocess.Popen([python, Path(__file__).with_name("peers.py")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        if not first:
            sys.exit(f"growth.py: {python} needs torch and numpy; name another Python with --python")
        known = json.loads(first)
        self.versions, self.names = known["versions"], known["peers"]

    def run(self, **task):
        self.process.stdin.write(json.dumps({**self.bounds, **task}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "left_out" in answer:
            raise watch.LeftOut(answer["left_out"])
        if "error" in answer:
            raise Failed(answer["error"])
        return answer["seconds"], answer["peak_mb"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Programs:
    """Dubito's programs on files in a scratch folder, which are made when they are needed."""

    def __init__(self, build, scratch, peers, seconds, memory_mb):
        self.bin, self.scratch, self.peers = build / "bin", scratch, peers
        self.seconds, self.memory_mb = seconds, memory_mb

    def file(self, kind, ending=".npz", **sizes):
        path = self.scratch / ("-".join([kind] + [f"{name}{size}" for name, size in sizes.items()]) + ending)
        if not path.exists():
            try:
                self.peers.run(do=kind, to=str(path), **sizes)
            except watch.LeftOut:
                path.unlink(missing_ok=True)
                raise
        return str(path)

    def forget_large_files(self, above_mb=30):
        for path in self.scratch.iterdir():
            if path.is_file() and path.stat().st_size > above_mb << 20:
                path.unlink()

    def timed(self, arguments, threads=1, by_thread=None):
        """Seconds of the processor and peak in MB of the command line."""
        log = self.scratch / "log.txt"
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "PASSIVE"}
        with log.open("w") as messages:
            child = subprocess.Popen([self.bin / "dubito-cli", *map(str, arguments)], stdout=messages, stderr=messages,
                                     env=environment, preexec_fn=lambda: watch.limit(self.seconds, threads))
        status, seconds, peak = watch.watched(child.pid, self.seconds, self.memory_mb, by_thread)
        child.returncode = status
        if status != 0:
            text = log.read_text()
            if "memory" in text:  # it says itself that it would need too much
                raise watch.LeftOut("memory")
            raise Failed(f"dubito-cli {' '.join(map(str, arguments))}\n{text}")
        return seconds, peak

    def laplace(self, sizes, settings, posterior, threads):
        return ["laplace", self.file("network", ".pt", D=sizes["D"], K=sizes["K"]), "--fit",
                "npz:" + self.file("items", N=sizes["N"], K=sizes["K"]), "--posterior", posterior, "--structure",
                settings["structure"], "--tau", 1, "--threads", threads]

    def posterior(self, sizes, settings):
        path = self.scratch / f"posterior-{settings['structure']}-D{sizes['D']}-K{sizes['K']}.npz"
        if not path.exists():
            self.timed(self.laplace({**sizes, "N": 1_000}, settings, path, 1))
        return path

    def command(self, action, sizes, threads=1):
        do, settings = action.do, action.settings
        if do == "evaluate":
            return ["evaluate", self.file("predictions", **probabilities(sizes)), "--json", self.scratch / "metrics.json",
                    "--threads", threads]
        if do.startswith("queue"):
            return ["review", "queue", self.file("predictions", **probabilities(sizes)), "--by",
                    do.removeprefix("queue-"), "--limit", 20, "--threads", threads]
        if do == "laplace-fit":
            new = self.scratch / "new-posterior.npz"
            new.unlink(missing_ok=True)
            return self.laplace(sizes, settings, new, threads)
        words = ["predict", self.file("network", ".pt", D=sizes["D"], K=sizes["K"]),
                 "npz:" + self.file("items", N=sizes["N"], K=sizes["K"]), "-o", self.scratch / "run.npz",
                 "--threads", threads]
        if do == "predict":
            return words + ["--method", "mc-dropout", "--draws", sizes["T"], "--keep-samples-mb", 0]
        return words + ["--method", "laplace", "--structure", settings["structure"], "--posterior",
                        self.posterior(sizes, settings), "--tau", 1, "--link", settings["link"], "--gauge", 0,
                        "--allow-same-split"] + (["--samples", sizes["T"]] if "T" in sizes else [])

    def ours(self, action, sizes):
        return self.timed(self.command(action, sizes))

    def theirs(self, action, sizes):
        files = {"out": str(self.scratch / "theirs.npz")}
        if "D" in sizes:
            files["items"] = self.file("items", N=sizes["N"], K=sizes["K"])
            files["fit"] = self.file("items", N=1_000, K=sizes["K"])
        else:
            files["predictions"] = self.file("predictions", **probabilities(sizes))
        return self.peers.run(do=action.do, **action.settings, **sizes, **files)

    def window(self, sizes, steps):
        """{step: (seconds, MB)}: time on the clock and anonymous memory; the program is ended after the last step needed."""
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "OMP_WAIT_POLICY": "PASSIVE"}
        program = subprocess.Popen([self.bin / "dubito_window_benchmark", "--items", str(sizes["N"]), "--classes",
                                    str(sizes["K"]), "--steps", str(steps)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, env=environment,
                                   preexec_fn=lambda: watch.limit(self.seconds))
        found, begin = {}, time.monotonic()
        for line in program.stderr:
            if not line.startswith("{"):
                continue
            step = json.loads(line)
            milliseconds = step.get("ms", step.get("median_ms"))
            if milliseconds is not None:
                found[step["name"]] = (milliseconds / 1000, step["anonymous_mb"])
            if step["name"] == LAST_WINDOW_STEP or time.monotonic() - begin > watch.WALL_FACTOR * self.seconds:
                break
        program.kill()
        program.wait()
        if LAST_WINDOW_STEP not in found:
            raise watch.LeftOut("time")
        return found


def probabilities(sizes):
    return {"N": sizes["N"], "K": sizes["K"]}
