// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/metrics/test_runs.h"

#include <numeric>
#include <random>

#include "core/measures/draw_measures.h"
#include "core/measures/measures.h"

namespace dubito::test {

Run runOf(const Array<float>& probs, std::vector<std::int64_t> labels,
          const std::string& dataset_name) {
  const std::int64_t n = probs.extent(0);
  Run run;
  run.probs = probs;
  run.meta.dataset_name = dataset_name;
  run.meta.method = "map";
  std::vector<std::int64_t> ids(static_cast<std::size_t>(n));
  std::iota(ids.begin(), ids.end(), std::int64_t{100});
  std::vector<std::int64_t> predictions;
  std::vector<double> confidence;
  for (std::int64_t i = 0; i < n; ++i) {
    predictions.push_back(argmax(probs.row(i)));
    confidence.push_back(confidenceOf(probs.row(i)));
  }
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  run.labels = Array<std::int64_t>::fromVector(std::move(labels));
  run.predictions = Array<std::int64_t>::fromVector(std::move(predictions));
  run.confidence = Array<double>::fromVector(std::move(confidence));
  return run;
}

Run randomRun(std::int64_t items, std::int64_t classes, double scale, unsigned seed, bool labelled,
              bool with_draws) {
  constexpr std::int64_t kDraws = 4;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, 1.0);
  Array<float> draws = Array<float>::zeros({kDraws, items, classes});
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < items; ++i) {
    std::vector<double> logits(static_cast<std::size_t>(classes));
    for (double& logit : logits) {
      logit = scale * normal(random);
    }
    const std::vector<double> probs = softmax(logits);
    std::discrete_distribution<std::int64_t> label(probs.begin(), probs.end());
    labels.push_back(labelled ? label(random) : -1);
    for (std::int64_t t = 0; t < kDraws; ++t) {
      std::vector<double> noisy = logits;
      for (double& logit : noisy) {
        logit += 0.5 * normal(random);
      }
      const std::vector<double> row = softmax(noisy);
      std::copy(row.begin(), row.end(), draws.mutableData() + (t * items + i) * classes);
    }
  }
  const PredictiveSummary summary = summariseDraws(draws, RunContext());
  const std::span<const double> mean = summary.mean_probs.values();
  Run run = runOf(
      Array<float>::fromVector({items, classes}, std::vector<float>(mean.begin(), mean.end())),
      std::move(labels), "");
  if (with_draws) {
    run.meta.method = "mc-dropout";
    run.entropy = summary.entropy;
    run.expected_entropy = summary.expected_entropy;
    run.mutual_information = summary.mutual_information;
  }
  return run;
}

Run confidenceOnly(Run run) {
  run.probs.reset();
  run.entropy.reset();
  run.expected_entropy.reset();
  run.mutual_information.reset();
  run.logits.reset();
  return run;
}

}  // namespace dubito::test
