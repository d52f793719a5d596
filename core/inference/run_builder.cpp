// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/run_builder.h"

#include <algorithm>
#include <stdexcept>

#include "core/kernels/predictive_summary.h"
#include "core/measures/measures.h"
#include "core/measures/predictive_summary.h"

namespace dubito {

RunBuilder::RunBuilder(std::int64_t items, std::int64_t classes, std::int64_t draws,
                       bool keep_samples, bool keep_logits)
    : capacity_(items),
      classes_(classes),
      draws_(draws),
      keep_samples_(keep_samples),
      keep_logits_(keep_logits) {
  if (keep_samples_) {
    samples_ = Array<float>::zeros({draws, items, classes});
  }
}

std::int64_t RunBuilder::bytesPerItem(std::int64_t classes, std::int64_t draws, bool keep_samples,
                                      bool keep_logits) {
  constexpr std::int64_t kFloat = sizeof(float);
  constexpr std::int64_t kWide = sizeof(double);
  // id, label, prediction, confidence, entropy; with draws its two parts as well
  const std::int64_t columns = draws > 0 ? 7 : 5;
  const std::int64_t rows = 1 + (keep_samples ? draws : 0) + (keep_logits ? 1 : 0);
  return columns * kWide + rows * classes * kFloat;
}

void RunBuilder::addItem(std::int64_t id, std::int64_t label) {
  ids_.push_back(id);
  labels_.push_back(label);
}

void RunBuilder::addMean(std::span<const double> mean) {
  std::transform(mean.begin(), mean.end(), std::back_inserter(probs_),
                 [](double prob) { return static_cast<float>(prob); });
}

void RunBuilder::addPoint(const Array<double>& probs, std::span<const float> logits,
                          const RunContext& context) {
  const PredictiveSummary summary = summariseDraws(probs, context);
  addMean(summary.mean_probs.values());
  const auto entropy = summary.entropy.values();
  entropy_.insert(entropy_.end(), entropy.begin(), entropy.end());
  if (keep_logits_) {
    logits_.insert(logits_.end(), logits.begin(), logits.end());
  }
  done_ += probs.extent(1);
}

void RunBuilder::addDraws(const Array<float>& probs, const RunContext& context) {
  if (done_ + probs.extent(1) > capacity_) {
    throw std::length_error("RunBuilder: more items than there was to be room for");
  }
  const PredictiveSummary summary = summariseProbs(probs, context);
  addMean(summary.mean_probs.values());
  const auto append = [](std::vector<double>& to, const Array<double>& from) {
    to.insert(to.end(), from.values().begin(), from.values().end());
  };
  append(entropy_, summary.entropy);
  append(expected_entropy_, summary.expected_entropy);
  append(mutual_information_, summary.mutual_information);
  if (keep_samples_) {
    for (std::int64_t t = 0; t < draws_; ++t) {
      const auto from = probs.row(t);
      std::copy(from.begin(), from.end(),
                samples_.mutableData() + (t * capacity_ + done_) * classes_);
    }
  }
  done_ += probs.extent(1);
}

Run RunBuilder::finish() && {
  Run run;
  const std::int64_t items = itemCount();
  std::vector<std::int64_t> predictions;
  std::vector<double> confidence;
  for (std::int64_t i = 0; i < items; ++i) {
    const std::span<const float> row(probs_.data() + i * classes_,
                                     static_cast<std::size_t>(classes_));
    predictions.push_back(argmax(row));
    confidence.push_back(double{row[static_cast<std::size_t>(predictions.back())]});
  }
  run.predictions = Array<std::int64_t>::fromVector(std::move(predictions));
  run.confidence = Array<double>::fromVector(std::move(confidence));
  run.probs = Array<float>::fromVector({items, classes_}, std::move(probs_));
  run.ids = Array<std::int64_t>::fromVector(std::move(ids_));
  run.labels = Array<std::int64_t>::fromVector(std::move(labels_));
  run.entropy = Array<double>::fromVector(std::move(entropy_));
  if (draws_ > 0) {
    run.expected_entropy = Array<double>::fromVector(std::move(expected_entropy_));
    run.mutual_information = Array<double>::fromVector(std::move(mutual_information_));
  }
  if (keep_logits_) {
    run.logits = Array<float>::fromVector({items, classes_}, std::move(logits_));
  }
  if (keep_samples_) {
    if (items < capacity_) {
      // Items that could not be used left a gap at the end of every draw.
      for (std::int64_t t = 1; t < draws_; ++t) {
        const float* const from = samples_.data() + t * capacity_ * classes_;
        std::copy(from, from + items * classes_, samples_.mutableData() + t * items * classes_);
      }
      samples_ = samples_.reshaped({draws_ * capacity_, classes_})
                     .slice(0, draws_ * items)
                     .reshaped({draws_, items, classes_});
    }
    run.samples = samples_;
  }
  return run;
}

}  // namespace dubito
