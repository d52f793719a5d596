// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/kernels/honesty.h"
#include "core/kernels/predictive_summary.h"
#include "core/laplace/link.h"
#include "core/runs/run_shape.h"

namespace dubito {

/// Collects the items of a run, batch by batch. Functions that add items throw std::length_error
/// if there are more than the constructor reserved.
class RunBuilder {
 public:
  /// Allocates memory for `items` items.
  RunBuilder(std::int64_t items, const RunShape& shape);

  void addItem(std::int64_t id, std::int64_t label);
  /// Adds the ids and labels of the items [begin, end) of `run`.
  void addItemsOf(const Run& run, std::int64_t begin, std::int64_t end);
  /// Computes the measures of the next B items from the raw logits of their draws, and stores the
  /// softmax of every draw if samples are kept. Items with a NaN or plus-infinite logit get a NaN
  /// entropy. Pass the result to addSummary. After kCancelled, the partial results are meaningless.
  [[nodiscard]] Expected<PredictiveSummary> summarise(const DrawRows& logits,
                                                      const RunContext& context);
  /// Adds the measures of the next B items, and their raw rows [B, K] if logits are stored.
  void addSummary(const PredictiveSummary& summary, std::span<const float> logits = {});
  /// Adds the next B items from their probabilities [T, B, K]. If cancelled, nothing is added.
  [[nodiscard]] Status addDraws(const Array<float>& probs, const RunContext& context);

  /// Adds the next B items from the means and variances [B, K] of their logits, which are stored if
  /// the shape has them, and the predictions `linked` computed from them.
  void addGaussians(const Array<float>& logit_mean, const Array<float>& logit_variance,
                    const LinkedPredictions& linked);
  /// Adds the honesty gauge of the items added last.
  void addGauge(const HonestyGauge& gauge);

  [[nodiscard]] std::int64_t itemCount() const { return items_; }
  /// Throws std::logic_error if not all items have id, predictions and, if the shape has it, gauge.
  [[nodiscard]] Run finish() &&;

 private:
  /// Where to write the draws of the next `items` items.
  [[nodiscard]] std::vector<float*> drawDestinations(std::int64_t items);
  /// Adds to run_ what all kinds of predictions have, and returns the row of the first item.
  std::int64_t addRows(const Array<double>& probs, const Array<std::int64_t>& predictions,
                       const Array<double>& log_rest, const Array<double>& entropy);
  void requireRoomFor(std::int64_t items) const;

  std::int64_t capacity_ = 0;
  RunShape shape_;
  Run run_;                     ///< of `capacity_` items
  std::int64_t items_ = 0;      ///< with id and label
  std::int64_t predicted_ = 0;  ///< with predictions
  std::int64_t gauged_ = 0;
};

}  // namespace dubito
