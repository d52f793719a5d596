#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests and times the program on a GPU; started by check.sh, which finds the libraries.

Writes gpu.json (all figures), gpu.md (the same as tables) and log into the output folder, anew after every step, so that
what was measured is there even if the machine goes away.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import statistics
import sys
import tempfile
import time

import report
from steps import Failed, Steps

PACK = pathlib.Path(__file__).resolve().parent
BIN = PACK / "bin"
TESTS = ["kernels_test", "device_batches_test", "laplace_test", "models_test", "predict_test", "train_test"]
FILES = {"lenet": "lenet-mnist.pt", "resnet50": "resnet50.pt"}
TRAINING_BATCH = 128  # the default of `train`
SECONDS = {False: 295, True: 175}  # on a card, by --quick; a minute of three or five is soon lost
PATIENCE = 3  # a processor may be slow and shared, and nobody lent it by the minute: its limits only end what hangs


class Check:
    """The steps of the check, in order, and what they found."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.on_card = arguments.device != "cpu"
        self.quick = arguments.quick
        self.out = pathlib.Path(arguments.output)
        self.out.mkdir(parents=True, exist_ok=True)
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="gpu-check-"))
        environment = dict(os.environ)
        if self.on_card:
            environment["DUBITO_REQUIRE_CUDA"] = "1"
        self.steps = Steps(self.out / "log", SECONDS[self.quick], environment, 1 if self.on_card else PATIENCE)
        self.found = {"device": arguments.device, "quick": self.quick, "date": time.strftime("%Y-%m-%d")}

    def run(self):
        begin = time.monotonic()
        make_networks = [sys.executable, PACK / "make_networks.py", self.work, "--samples", PACK / "datasets/samples"]
        steps = [
            ("networks", lambda: self.steps.run([*make_networks, *(["--resnet-images", 512] if self.on_card else ["--small"])], 60)),
            ("kernels", self.kernels),
            ("predict", self.predict),
            ("plain torch", self.plain_torch),
            ("training", self.training),
            ("laboratories", self.laboratories),
            ("compute-sanitizer", self.sanitizers),
            ("tests", self.tests),
        ]
        for name, work in steps:
            result = self.steps.step(name, work)
            # A step that failed has left what it found so far.
            if result is not None and name != "networks":
                self.found[name] = result
            self.found["steps"] = self.steps.ended
            self.found["seconds"] = round(time.monotonic() - begin, 1)
            self.write()
        shutil.rmtree(self.work, ignore_errors=True)
        failed = [step["step"] for step in self.steps.ended if "failed" in step]
        self.steps.say(f"{'FAILED: ' + ', '.join(failed) if failed else 'all steps done'}, {self.found['seconds']} s")
        return 1 if failed else 0

    def write(self):
        (self.out / "gpu.json").write_text(json.dumps(self.found, indent=1) + "\n", encoding="utf-8")
        (self.out / "gpu.md").write_text(report.page(self.found), encoding="utf-8")

    # A program that failed may have written its file; what it has is kept, and the step still counts as failed.
    def measured(self, command, path, limit):
        path.unlink(missing_ok=True)
        failure = None
        try:
            self.steps.run(command, limit)
        except Failed as error:
            failure = error
        found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if failure:
            found["failed"] = str(failure)
        return found

    def kernels(self):
        sizes = "modest" if not self.on_card else "large" if self.quick else "extreme"
        found = self.measured([BIN / "dubito_kernel_benchmark", "--device", "cuda" if self.on_card else "cpu", "--sizes",
                               sizes, "-o", self.work / "kernels.json"], self.work / "kernels.json",
                              45 if self.quick else 110)
        self.found["kernels"] = found
        if "failed" in found:
            raise Failed(found["failed"])
        return found

    def predict(self):
        found = {}
        for name, items, few, fit, batches, draws in self.predicted_networks():
            path = self.work / f"predict-{name}.json"
            found[name] = self.measured(
                [BIN / "dubito_device_benchmark", self.work / FILES[name], items, few, "--fit", fit, "--device",
                 self.arguments.device, "--draws", draws, "--batch", batches[0], "--other-batch", batches[1], "--rounds",
                 3 if self.on_card else 2, "-o", path,
                 *(["--member", self.work / "lenet-member.pt"] if name == "lenet" else [])], path,
                40 if self.quick else 60)
            self.found["predict"] = found
            self.write()
        failures = [f"{name}: {row['failed']}" for name, row in found.items() if "failed" in row]
        if failures:
            raise Failed("; ".join(failures))
        return found

    def predicted_networks(self):
        digits = f"idx:{self.work}/digits-images-idx3-ubyte.gz"
        images = f"npz:{self.work}/images.npz"
        if self.on_card:
            return [("lenet", digits, f"{digits}?items=0:64", f"{digits}?items=0:5000&role=train", (500, 170), 50),
                    ("resnet50", images, f"{images}?items=0:8", f"{images}?items=0:256&role=train", (128, 50), 50)]
        return [("lenet", f"{digits}?items=0:1000", f"{digits}?items=0:64", f"{digits}?items=0:500&role=train",
                 (500, 170), 10),
                ("resnet50", f"{images}?items=0:4", f"{images}?items=0:2", f"{images}?items=4:8&role=train", (2, 4), 4)]

    def plain_torch(self):
        path = self.work / "plain.json"
        found = self.measured([sys.executable, PACK / "plain_torch.py", "--device", self.arguments.device, "--data",
                               self.work, "--output", path, "--quick"], path, 60)
        self.found["plain torch"] = found
        if "failed" in found:
            raise Failed(found["failed"])
        return found

    def tests(self):
        # In a quick check without a card, the tests of cards are skipped anyhow, and the others run elsewhere.
        some = ["--gtest_filter=*Cuda*"] if self.quick and not self.on_card else []
        with concurrent.futures.ThreadPoolExecutor(max_workers=4 if self.on_card else 1) as pool:
            rows = list(pool.map(lambda name: self.test(name, some if name != "kernels_test" else []), TESTS))
        self.found["tests"] = rows
        failures = [f"{row['program']} ({row['failed']})" for row in rows if row["failed"]]
        if failures:
            raise Failed("; ".join(failures))
        return rows

    def test(self, program, arguments):
        begin = time.monotonic()
        failed = ""
        try:
            out = self.steps.run([BIN / program, "--gtest_brief=0", "--gtest_color=no", *arguments],
                                 60 if self.quick else 100)
        except Failed as error:
            out = getattr(error, "out", "")
            failed = str(error)

        def number(pattern):
            found = re.findall(pattern, out)
            return int(found[-1]) if found else 0

        names = sorted(set(re.findall(r"\[  FAILED  \] ([\w/]+\.[\w/]+)", out)))
        return {"program": program, "passed": number(r"\[  PASSED  \] (\d+) test"),
                "skipped": number(r"\[  SKIPPED \] (\d+) test"), "failed": ", ".join(names) or failed,
                "seconds": round(time.monotonic() - begin, 1)}

    def sanitizers(self):
        if not self.on_card:
            return [{"tool": tool, "result": "needs a card"} for tool in ("memcheck", "racecheck")]
        program = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
        if not pathlib.Path(program).exists():
            return [{"tool": tool, "result": "compute-sanitizer is not installed"} for tool in ("memcheck", "racecheck")]
        rows = []
        small = [BIN / "dubito_kernel_benchmark", "--sizes", "small", "--without-host"]
        kernel_tests = [BIN / "kernels_test", "--gtest_filter=KeyedDropoutCuda*:PredictiveSummaryCuda*"]
        runs = [("memcheck", small), ("racecheck", small), ("initcheck", small)]
        for tool, command in runs if self.quick else [*runs, ("memcheck", kernel_tests)]:
            try:
                out = self.steps.run([program, "--tool", tool, "--error-exitcode", "9", *command], 25 if self.quick else 45)
                result = (re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (.*)", out) or ["no summary"])[-1]
                failed = False
            except Failed as error:
                lines = re.findall(r"========= (.*)", getattr(error, "out", ""))
                result = f"{error}; {' / '.join(lines[:3])}"
                failed = True
            rows.append({"tool": tool, "program": pathlib.Path(command[0]).name, "result": result[:400], "failed": failed})
            self.found["compute-sanitizer"] = rows
        failures = [f"{row['tool']}: {row['result']}" for row in rows if row["failed"]]
        if failures:
            raise Failed("; ".join(failures))
        return rows

    def training(self):
        epochs = 4 if self.on_card else 2
        items = f"idx:{self.work}/digits-images-idx3-ubyte.gz?role=train" + ("" if self.on_card else "&items=0:400")
        common = [items, "--device", self.arguments.device, "--epochs", epochs, "--seed", 1, "--json", "-o",
                  self.work / "trained.pt"]
        train = [BIN / "dubito-cli-networks", "train"]
        rows = []
        for name, command in [("lenet", [*train, "lenet", *common]), ("resnet", [*train, "resnet", *common]),
                              ("head", [*train, "head", *common, "--dropout", "fixed", "--backbone",
                                        PACK / "datasets/samples/lenet-mnist.pt", "--feature-cache-mb", 0])]:
            said = json.loads(self.steps.run(command, 40))
            steps = -(-said["items"] // TRAINING_BATCH)
            # The first epoch loads kernels.
            seconds = (statistics.median(epoch["seconds"] for epoch in said["epochs"][1:]) if name != "head" else
                       said["seconds"]["training"] / epochs)
            rows.append({"name": name, "items": said["items"], "steps": steps, "seconds": seconds})
            self.found["training"] = rows
        return rows

    def laboratories(self):
        """Those that use torch. They run on the processor wherever they are."""
        lab = [BIN / "dubito-cli-networks", "lab"]
        digits = f"idx:{PACK}/datasets/samples/mnist-2000-images-idx3-ubyte.gz"
        rows = []
        for name, command in [
                ("rotation", ["rotation", "--model", PACK / "datasets/samples/lenet-mnist.pt", "--data", digits, "--item", "2",
                              "--device", self.arguments.device, "--json", "-"]),
                ("classification", ["classification", "--method", "laplace-kron", "--data", "moons", "--json", "-"])]:
            begin = time.monotonic()
            self.steps.run([*lab, *command], 30)
            rows.append({"name": name, "seconds": round(time.monotonic() - begin, 2)})
        return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="at most 3 minutes on a card instead of 5")
    parser.add_argument("--device", default="cuda:0", help="cuda:0, or cpu to try the pack out")
    parser.add_argument("-o", "--output", default=os.environ.get("OUT", "gpu-check"), help="folder of the results")
    arguments = parser.parse_args()
    return Check(arguments).run()


if __name__ == "__main__":
    sys.exit(main())
