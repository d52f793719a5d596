// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Collects the items of a run, batch by batch.
class RunBuilder {
 public:
  /// Room for `items` items of `classes` classes, with `draws` samples each where they are kept.
  RunBuilder(std::int64_t items, std::int64_t classes, std::int64_t draws, bool keep_samples,
             bool keep_logits);

  void addItem(std::int64_t id, std::int64_t label);
  /// Probabilities [1, B, K] and raw rows [B, K] of the next B items.
  void addPoint(const Array<double>& probs, std::span<const float> logits,
                const RunContext& context);
  /// Probabilities [T, B, K] of the next B items. Throws std::length_error where there is no room.
  void addDraws(const Array<float>& probs, const RunContext& context);

  [[nodiscard]] std::int64_t itemCount() const { return static_cast<std::int64_t>(ids_.size()); }
  [[nodiscard]] Run finish() &&;

  /// Bytes that one item takes in the arrays of such a run.
  [[nodiscard]] static std::int64_t bytesPerItem(std::int64_t classes, std::int64_t draws,
                                                 bool keep_samples, bool keep_logits);

 private:
  void addMean(std::span<const double> mean);

  std::int64_t capacity_ = 0;
  std::int64_t classes_ = 0;
  std::int64_t draws_ = 0;
  std::int64_t done_ = 0;
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
  std::vector<float> probs_;
  std::vector<float> logits_;
  std::vector<double> entropy_;
  std::vector<double> expected_entropy_;
  std::vector<double> mutual_information_;
  bool keep_samples_ = false;
  bool keep_logits_ = false;
  Array<float> samples_;
};

}  // namespace dubito
