// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// Features and classes of items.
struct LabelledFeatures {
  Array<float> features;             ///< [N, Q]
  std::vector<std::int64_t> labels;  ///< [N] in [0, classes)

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(labels.size()); }
};

/// A linear layer: logits = weight h + bias.
struct LinearHead {
  Array<double> weight;      ///< [K, Q]
  std::vector<double> bias;  ///< [K]; empty: none
};

struct SoftmaxRegressionOptions {
  std::int64_t classes = 2;  ///< K
  bool has_bias = true;
  double l2 = 1e-3;
  std::int64_t max_iterations = 200;
  double tolerance = 1e-6;     ///< largest element of the gradient
  std::int64_t patience = 10;  ///< iterations without a lower validation loss before stopping
};

/// Mean cross entropy in nats, without the penalty, and share of right predictions.
struct HeadQuality {
  double loss = 0.0;
  double accuracy = 0.0;
};

struct SoftmaxRegression {
  LinearHead head;
  std::int64_t iterations = 0;
  bool converged = false;  ///< the gradient is below the tolerance
  HeadQuality train;
  std::optional<HeadQuality> validation;
};

/// Stage of the progress of fitSoftmaxRegression.
inline constexpr const char* kTrainingHeadStage = "training the head";

/// Minimises mean cross entropy + l2 / 2 (||W||^2 + ||b||^2) in double precision over all items at
/// once, from zero, on the context's device. With validation items, the result is the iteration
/// with the lowest validation loss. The bias is penalised like the weights, so that classes without
/// items keep some probability; the penalty is the Gaussian prior of precision N l2 over the
/// weights. Stops early with the weights so far; kCancelled. Throws std::invalid_argument if
/// shapes or labels do not fit.
[[nodiscard]] Expected<SoftmaxRegression> fitSoftmaxRegression(
    const LabelledFeatures& items, const LabelledFeatures& validation,
    const SoftmaxRegressionOptions& options, RunContext& context);

}  // namespace dubito
