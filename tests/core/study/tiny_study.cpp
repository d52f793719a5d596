// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/study/tiny_study.h"

namespace dubito::test {

nlohmann::json tinyStudy() {
  return nlohmann::json::parse(R"({
  "name": "Blobs that move",
  "source": "synthetic:blobs?blobs=4&n=300&seed=1",
  "validation": "synthetic:blobs?blobs=4&n=120&seed=2",
  "adaptation": "synthetic:blobs?blobs=4&n=80&seed=3&corrupt=noise:1",
  "targets": [
    {"name": "clean", "data": "synthetic:blobs?blobs=4&n=150&seed=4", "shift": "noise",
     "severity": 0},
    {"name": "noise 1", "data": "synthetic:blobs?blobs=4&n=150&seed=5&corrupt=noise:1",
     "shift": "noise", "severity": 1}
  ],
  "ood": [{"name": "moons", "data": "synthetic:moons?n=100&seed=6"}],
  "networks": [
    {"name": "plain", "train": {"architecture": "mlp", "epochs": 2, "width": 0.1, "drop_rate": 0}},
    {"name": "fixed", "train": {"architecture": "mlp", "epochs": 2, "width": 0.1, "drop_rate": 0.3}}
  ],
  "methods": [
    {"name": "map", "network": "all", "method": "map"},
    {"name": "temperature", "network": "all", "method": "temperature"},
    {"name": "target temperature", "network": "plain", "method": "temperature",
     "fit_on": "adaptation"},
    {"name": "dropout", "network": "fixed", "method": "mc-dropout", "options": {"draws": 5}},
    {"name": "ensemble", "network": "plain", "method": "map", "members": 2},
    {"name": "laplace", "network": "plain", "method": "laplace", "grid": {"tau": [0.1, 10]},
     "select": "nll"}
  ],
  "seeds": [1, 2],
  "score": {"misclassified": "confidence", "ood": "entropy"},
  "baseline": "plain/map",
  "replicates": 200,
  "labelling": {"targets": [0.5, 0.95]},
  "retraining": {"rows": ["plain/map"]}
})");
}

}  // namespace dubito::test
