// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/analysis/sample_analysis.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>

#include "core/data/sources/numbered_dataset.h"
#include "core/io/run_summary.h"
#include "core/measures/draw_measures.h"

namespace dubito::test {
namespace {

constexpr std::int64_t kClasses = 3;
constexpr std::int64_t kDraws = 8;

class PictureDataset : public NumberedDataset {
 public:
  PictureDataset(std::string name, std::vector<std::int64_t> labels,
                 std::vector<Attribute> attributes)
      : NumberedDataset({}, std::move(labels)), attributes_(std::move(attributes)) {
    mutableInfo().name = std::move(name);
  }
  [[nodiscard]] std::span<const Attribute> attributes() const override { return attributes_; }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    Array<std::uint8_t> pixels = Array<std::uint8_t>::zeros({8, 8, 1});
    pixels.mutableData()[index % 64] = 255;
    return Sample(Image8{pixels});
  }

 private:
  std::vector<Attribute> attributes_;
};

Attribute column(const std::string& name, std::int64_t items,
                 const std::function<std::string(std::int64_t)>& cell) {
  AttributeBuilder builder(name);
  for (std::int64_t i = 0; i < items; ++i) {
    builder.add(cell(i));
  }
  return std::move(builder).finish();
}

/// Draws around the true class where `skill` is large, anywhere where it is 0.
AnalysisPart samplePart(const std::string& name, std::int64_t items, bool labelled, double skill,
                        std::int64_t draws, std::vector<Attribute> attributes = {}) {
  std::mt19937 random(static_cast<unsigned>(items));
  std::normal_distribution<double> normal;
  std::vector<std::int64_t> labels;
  Array<float> samples = Array<float>::zeros({draws, items, kClasses});
  for (std::int64_t i = 0; i < items; ++i) {
    const std::int64_t label = i % kClasses;
    labels.push_back(labelled ? label : -1);
    std::vector<double> centre(kClasses);
    for (std::int64_t k = 0; k < kClasses; ++k) {
      centre[static_cast<std::size_t>(k)] = normal(random) + (k == label ? skill : 0.0);
    }
    for (std::int64_t t = 0; t < draws; ++t) {
      double sum = 0.0;
      std::vector<double> weights(kClasses);
      for (std::size_t k = 0; k < weights.size(); ++k) {
        weights[k] = std::exp(centre[k] + 0.7 * normal(random));
        sum += weights[k];
      }
      for (std::int64_t k = 0; k < kClasses; ++k) {
        samples.mutableRow(t)[static_cast<std::size_t>(i * kClasses + k)] =
            static_cast<float>(weights[static_cast<std::size_t>(k)] / sum);
      }
    }
  }
  const RunContext context;
  const PredictiveSummary summary = summariseDraws(samples, context);
  Run run;
  run.probs = summary.mean_probs;
  run.entropy = summary.entropy;
  if (draws > 1) {
    run.expected_entropy = summary.expected_entropy;
    run.mutual_information = summary.mutual_information;
    run.samples = samples;
  }
  run.labels = Array<std::int64_t>::fromVector(labels);
  std::vector<std::int64_t> ids(labels.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = static_cast<std::int64_t>(i);
  }
  run.ids = Array<std::int64_t>::fromVector(ids);
  fillFromProbs(run, context);
  run.meta.method = draws > 1 ? "mc-dropout" : "map";
  run.meta.dataset_name = name;
  run.meta.class_names = {"ant", "bee", "cat"};
  run.meta.device = "cpu";
  return makePart(name, std::make_shared<const Run>(std::move(run)),
                  std::make_shared<const PictureDataset>(name, labels, std::move(attributes)),
                  context);
}

AnalysisPtr analysed(std::vector<AnalysisPart> parts) {
  RunContext context;
  const Expected<AnalysisPtr> analysis =
      analyse(std::move(parts), nullptr, std::nullopt, EvaluationOptions{}, context);
  if (!analysis) {
    throw std::runtime_error(analysis.error().message);
  }
  return *analysis;
}

}  // namespace

AnalysisPtr sampleAnalysis(std::int64_t items, std::int64_t ood) {
  std::vector<AnalysisPart> parts{samplePart("insects", items, true, 2.0, kDraws)};
  if (ood > 0) {
    parts.push_back(samplePart("noise", ood, false, 0.0, kDraws));
  }
  return analysed(std::move(parts));
}

AnalysisPtr sampleAnalysisWithoutDraws() {
  return analysed({samplePart("insects", 60, true, 2.0, 1)});
}

AnalysisPtr sampleAnalysisWithAttributes() {
  constexpr std::int64_t kItems = 60;
  constexpr std::int64_t kOodItems = 20;
  const Attribute camera = column("camera", kItems, [](std::int64_t i) {
    return std::string(i % 3 == 0 ? "south" : i % 3 == 1 ? "north" : "");
  });
  const Attribute hour = column("hour", kItems, [](std::int64_t i) {
    return i == 5 ? std::string() : std::to_string(i % 24);
  });
  const Attribute late = column("hour", kOodItems, [](std::int64_t) { return std::string("30"); });
  return analysed({samplePart("insects", kItems, true, 2.0, kDraws, {camera, hour}),
                   samplePart("noise", kOodItems, false, 0.0, kDraws, {late})});
}

std::shared_ptr<const Run> tenClassRun(std::int64_t items) {
  constexpr std::int64_t kTen = 10;
  std::mt19937 random(7);
  std::uniform_real_distribution<float> confidence(0.3F, 1.0F);
  Run run;
  Array<float> probs = Array<float>::zeros({items, kTen});
  std::vector<std::int64_t> labels;
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < items; ++i) {
    const std::int64_t predicted = (i / 7) % kTen;
    const float top = confidence(random);
    std::ranges::fill(probs.mutableRow(i), (1.0F - top) / static_cast<float>(kTen - 1));
    probs.mutableRow(i)[static_cast<std::size_t>(predicted)] = top;
    labels.push_back(i % 5 == 0 ? (predicted + 1) % kTen : predicted);
    ids.push_back(i);
  }
  run.probs = probs;
  run.labels = Array<std::int64_t>::fromVector(labels);
  run.ids = Array<std::int64_t>::fromVector(ids);
  fillFromProbs(run, RunContext());
  run.meta.method = "predictions";
  return std::make_shared<const Run>(std::move(run));
}

SelectionBasis basisOf(const Analysis& analysis, const RunContext& context) {
  const auto reliability =
      std::make_shared<const Reliability>(Reliability{{}, analysis.overview.reliability});
  return {selectionColumns(analysis, context).value(),
          judgedItems(analysis, reliability, context).value(),
          rankingsOf(analysis, context).value(), nullptr};
}

std::vector<ItemRef> listed(const ItemRefs& items) {
  const auto all = items.all();
  return {all.begin(), all.end()};
}

}  // namespace dubito::test
