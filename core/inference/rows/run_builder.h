// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/inference/options/run_shape.h"
#include "core/io/run.h"
#include "core/kernels/honesty.h"
#include "core/kernels/predictive_summary.h"
#include "core/laplace/link.h"

namespace dubito {

/// Collects the items of a run, batch by batch.
class RunBuilder {
 public:
  /// Allocates memory for `items` items.
  RunBuilder(std::int64_t items, const RunShape& shape);

  void addItem(std::int64_t id, std::int64_t label);
  /// Computes the measures of the next B items from the raw logits of their draws, and stores the
  /// softmax of every draw if samples are kept. Items with a NaN or plus-infinite logit get a NaN
  /// entropy. Pass the result to addSummary. After kCancelled, the partial results are meaningless.
  /// Throws std::length_error if there are more items than reserved in the constructor.
  [[nodiscard]] Expected<PredictiveSummary> summarise(const DrawRows& logits,
                                                      const RunContext& context);
  /// Adds the measures of the next B items, and their raw rows [B, K] if logits are stored.
  void addSummary(const PredictiveSummary& summary, std::span<const float> logits = {});
  /// Adds the next B items from their probabilities [T, B, K]. If cancelled, nothing is added.
  /// Throws std::length_error as summarise.
  [[nodiscard]] Status addDraws(const Array<float>& probs, const RunContext& context);

  /// Adds the next B items from the means and variances [B, K] of their logits and the predictions
  /// `linked` computed from them.
  void addGaussians(const Array<float>& logit_mean, const Array<float>& logit_variance,
                    const LinkedPredictions& linked);
  /// Adds the honesty gauge of the items added last.
  void addGauge(const HonestyGauge& gauge);

  [[nodiscard]] std::int64_t itemCount() const { return static_cast<std::int64_t>(ids_.size()); }
  [[nodiscard]] Run finish() &&;

 private:
  void addMean(std::span<const double> mean);
  /// Where to write the draws of the next `items` items. Throws std::length_error as summarise.
  [[nodiscard]] std::vector<float*> drawDestinations(std::int64_t items);

  std::int64_t capacity_ = 0;
  RunShape shape_;
  std::int64_t done_ = 0;
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
  std::vector<float> probs_;
  std::vector<float> logits_;
  std::vector<std::int64_t> predictions_;
  std::vector<double> log_rest_;
  std::vector<double> entropy_;
  std::vector<double> expected_entropy_;
  std::vector<double> mutual_information_;
  std::vector<double> variation_ratio_;
  std::vector<double> variance_;
  std::vector<float> logit_mean_;
  std::vector<float> logit_var_;
  std::vector<double> alpha_;
  std::vector<double> gauge_bridge_;
  std::vector<double> gauge_probit_;
  std::vector<double> gauge_divergence_;
  Array<float> samples_;
};

}  // namespace dubito
