// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/review_runs.h"

#include <cmath>
#include <random>
#include <stdexcept>
#include <utility>

#include "core/data/sources/numbered_dataset.h"
#include "core/io/run_summary.h"

namespace dubito::test {
namespace {

constexpr std::int64_t kReviewClasses = 3;

class NumberedPictures : public NumberedDataset {
 public:
  NumberedPictures(const std::string& name, std::vector<std::int64_t> labels)
      : NumberedDataset({}, std::move(labels)) {
    mutableInfo().name = name;
  }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    Array<std::uint8_t> pixels = Array<std::uint8_t>::zeros({8, 8, 1});
    pixels.mutableData()[index % 64] = 255;
    return Sample(Image8{pixels});
  }
};

}  // namespace

AnalysisPtr reviewRun(const ReviewRun& options) {
  std::mt19937_64 random(options.seed);
  std::normal_distribution<double> normal;
  std::vector<float> probs;
  std::vector<std::int64_t> labels;
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < options.items; ++i) {
    std::vector<double> weights(kReviewClasses);
    double sum = 0.0;
    for (double& weight : weights) {
      weight = std::exp(options.skill * normal(random));
      sum += weight;
    }
    for (const double weight : weights) {
      probs.push_back(static_cast<float>(weight / sum));
    }
    std::discrete_distribution<std::int64_t> label(weights.begin(), weights.end());
    const std::int64_t drawn = label(random);
    labels.push_back(options.labelled ? drawn : -1);
    ids.push_back(i);
  }
  const RunContext context;
  Run run;
  run.probs = Array<float>::fromVector({options.items, kReviewClasses}, std::move(probs));
  run.labels = Array<std::int64_t>::fromVector(labels);
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  fillFromProbs(run, context);
  run.meta.method = options.method;
  run.meta.model_name = "net";
  run.meta.role = options.role;
  run.meta.dataset_name = options.name;
  run.meta.class_names = {"ant", "bee", "cat"};
  RunContext evaluation;
  auto analysis =
      analyse({makePart(options.name, std::make_shared<const Run>(std::move(run)),
                        std::make_shared<const NumberedPictures>(options.name, labels), context)},
              nullptr, std::nullopt, {}, evaluation);
  if (!analysis) {
    throw std::runtime_error(analysis.error().message);
  }
  return *std::move(analysis);
}

}  // namespace dubito::test
