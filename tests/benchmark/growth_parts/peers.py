# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the data of growth.py and runs the peers: what one would write without Dubito.

Reads one JSON object per line and answers with one. Every task runs in a child, so that its memory is its own and libraries
are imported once; the clock begins after the imports. One thread.
"""
import json
import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402  after the number of threads
import torch  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import watch  # noqa: E402

try:
    from sklearn import metrics as sk
except ImportError:
    sk = None
try:
    from laplace import Laplace, curvature
except Exception:  # noqa: BLE001  laplace-torch fails in many ways if versions do not fit
    Laplace = None

BATCH = 500
INPUTS = 8
SEED = 1


def network(task):
    torch.manual_seed(SEED)
    nn = torch.nn
    return nn.Sequential(nn.Linear(INPUTS, task["D"]), nn.ReLU(), nn.Dropout(0.5), nn.Linear(task["D"], task["K"])).eval()


def make_network(task):
    metadata = {"input_size": [INPUTS], "output": "logits", "scale": 1, "mean": [0], "std": [1]}
    torch.jit.save(torch.jit.script(network(task)), task["to"], _extra_files={"metadata.json": json.dumps(metadata)})


def make_items(task):
    random = np.random.default_rng(SEED)
    np.savez(task["to"], x=random.standard_normal((task["N"], INPUTS), dtype=np.float32),
             y=random.integers(task["K"], size=task["N"]))


def make_predictions(task):
    """Of a good network; a tenth of the labels is wrong."""
    random = np.random.default_rng(SEED)
    items, classes = task["N"], task["K"]
    truth = random.integers(classes, size=items)
    probs = random.standard_normal((items, classes), dtype=np.float32)
    probs *= 2
    probs[np.arange(items), truth] += 3 + np.log(classes)
    np.exp(probs, out=probs)
    probs /= probs.sum(axis=1, keepdims=True)
    labels = np.where(random.random(items) < 0.1, random.integers(classes, size=items), truth)
    np.savez(task["to"], probs=probs, labels=labels)


def entropy(probs, dim):
    return -(probs * probs.clamp_min(1e-30).log()).sum(dim)


def predict(task):
    """Full passes with dropout switched on, then tensor expressions."""
    loaded = network(task).train()
    x = torch.from_numpy(np.load(task["items"])["x"])
    parts = []
    with torch.no_grad():
        for batch in x.split(BATCH):
            probs = torch.stack([loaded(batch).softmax(1) for _ in range(task["T"])])
            mean = probs.mean(0)
            total, expected = entropy(mean, 1), entropy(probs, 2).mean(0)
            parts.append((mean, mean.max(1).values, total, expected, total - expected, probs.var(0, correction=0).sum(1)))
    names = ("probs", "confidence", "entropy", "expected_entropy", "mutual_information", "variance")
    np.savez(task["out"], **{name: torch.cat(part).numpy() for name, part in zip(names, zip(*parts))})


def evaluate(task):
    data = np.load(task["predictions"])
    probs, labels = data["probs"], data["labels"]
    confidence, predicted = probs.max(axis=1), probs.argmax(axis=1)
    correct = predicted == labels
    nll = -np.log(np.maximum(probs[np.arange(len(labels)), labels], 1e-30)).mean()
    brier = ((probs ** 2).sum(axis=1) - 2 * probs[np.arange(len(labels)), labels] + 1).mean()
    bins = np.minimum((confidence * 15).astype(int), 14)
    count, right, sure = (np.bincount(bins, weights=of, minlength=15) for of in (None, correct, confidence))
    ece = np.abs(right - sure).sum() / count.sum()
    found = [correct.mean(), nll, brier, ece]
    for score in (confidence, (probs * np.log(np.maximum(probs, 1e-30))).sum(axis=1)):
        order = np.argsort(-score)
        risk = np.cumsum(~correct[order]) / np.arange(1, len(order) + 1)
        found += [sk.roc_auc_score(correct, score), sk.average_precision_score(correct, score), risk.mean()]
    return found


def queue_entropy(task):
    data = np.load(task["predictions"])
    order = entropy(torch.from_numpy(data["probs"]), 1).argsort(descending=True)
    return order[:20].tolist()


def queue_label_errors(task):
    """Confident learning: of every pair of classes as many items as the joint counts, those of the largest margin."""
    data = np.load(task["predictions"])
    probs, labels = data["probs"], data["labels"]
    rows = np.arange(len(labels))
    given = probs[rows, labels]
    counts = np.bincount(labels, minlength=probs.shape[1])
    thresholds = np.bincount(labels, weights=given, minlength=probs.shape[1]) / np.maximum(counts, 1)
    confident = np.where(probs >= thresholds.astype(np.float32), probs, -1).argmax(axis=1)
    margin = probs.max(axis=1) - given
    pair = labels * probs.shape[1] + confident
    order = np.lexsort((-margin, pair))
    suspected = order[(confident != labels)[order]]
    return suspected[np.argsort(-margin[suspected])][:20].tolist()


class Batches:
    """laplace-torch needs a dataset to know how many items there are."""

    def __init__(self, path):
        data = np.load(path)
        self.dataset = range(len(data["y"]))
        self.batches = list(zip(torch.from_numpy(data["x"]).split(BATCH), torch.from_numpy(data["y"]).split(BATCH)))

    def __iter__(self):
        return iter(self.batches)

    def __len__(self):
        return len(self.batches)


def posterior_of(task, path):
    posterior = Laplace(network(task), "classification", subset_of_weights="last_layer",
                        hessian_structure=task["structure"], prior_precision=1.0,
                        backend=curvature.AsdlGGN if task["structure"] == "kron" else curvature.CurvlinopsGGN)
    posterior.fit(Batches(path))
    return posterior


def laplace_fit(task):
    posterior = posterior_of(task, task["items"])
    if task["structure"] == "full":
        posterior.posterior_scale


def laplace_predict(task):
    posterior = posterior_of(task, task["fit"])
    begin = time.process_time()
    link = {"link_approx": "probit"} if task["link"] == "probit" else {"link_approx": "mc", "n_samples": task["T"]}
    parts = [posterior(batch, pred_type="glm", **link) for batch, _ in Batches(task["items"])]
    np.savez(task["out"], probs=torch.cat(parts).detach().numpy())
    return {"seconds": time.process_time() - begin}


DATA = {"network": make_network, "items": make_items, "predictions": make_predictions}
PEERS = {"predict": predict, "evaluate": evaluate if sk else None, "queue-entropy": queue_entropy,
         "queue-label-errors": queue_label_errors, "laplace-fit": laplace_fit if Laplace else None,
         "laplace-predict": laplace_predict if Laplace else None}


def in_child(work, task, write):
    watch.limit(task["seconds"])
    torch.set_num_threads(1)
    begin = time.process_time()
    try:
        found = work(task)
        answer = {"seconds": time.process_time() - begin, "peak_mb": watch.status_kb("self", "VmHWM") / 1024}
        if isinstance(found, dict):
            answer.update(found)
    except (MemoryError, RuntimeError) as error:
        low = "allocate" in str(error) or isinstance(error, MemoryError)
        answer = {"left_out": "memory"} if low else {"error": repr(error)}
    except Exception as error:  # noqa: BLE001  growth.py stops with it
        answer = {"error": repr(error)}
    os.write(write, json.dumps(answer).encode())
    os._exit(0)


def answer_to(task):
    """The answer of a child that does the task; every library of a peer may fail in its own way."""
    work = (DATA if task["do"] in DATA else PEERS)[task["do"]]
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        in_child(work, task, write)
    os.close(write)
    try:
        watch.watched(pid, task["seconds"], task["memory_mb"])
        text = os.read(read, 1 << 16)
        return json.loads(text) if text else {"left_out": "memory"}
    except watch.LeftOut as reason:
        return {"left_out": str(reason)}
    finally:
        os.close(read)


def version_of(package):
    from importlib.metadata import PackageNotFoundError, version
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def main():
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    named = {"torch": torch.__version__.split("+")[0], "numpy": np.__version__,
             "scikit-learn": sk and version_of("scikit-learn"), "laplace-torch": Laplace and version_of("laplace-torch")}
    answers.write(json.dumps({"versions": named, "peers": [name for name, peer in PEERS.items() if peer]}) + "\n")
    for line in sys.stdin:
        answers.write(json.dumps(answer_to(json.loads(line))) + "\n")


if __name__ == "__main__":
    main()
