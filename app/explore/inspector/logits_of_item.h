// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/measures/laplace_bridge.h"

namespace dubito {

/// The Gaussian over the logits of one item of a run.
struct LogitsOfItem {
  std::string name;                      ///< "#17 of MNIST test"
  std::vector<std::string> class_names;  ///< [K]
  LogitGaussian gaussian;
  /// The run stores variances alone, and what computed it is not open: covariances count as 0.
  bool has_only_variances = false;
};

/// Whether the run has Gaussians over logits.
[[nodiscard]] inline bool hasLogitGaussians(const Analysis& analysis, ItemRef item) {
  return analysis.partOf(item).run->logit_mean.has_value();
}

/// The Gaussian of an item for which hasLogitGaussians(): by the posterior of the run if its model,
/// posterior and dataset are open, else from the stored variances. Errors of itemGaussian().
/// Blocking; call it on the compute thread.
[[nodiscard]] Expected<LogitsOfItem> logitsOfItem(const Analysis& analysis, ItemRef item,
                                                  RunContext& context);

/// The `count` classes with the largest mean logits, in descending order.
[[nodiscard]] std::vector<std::size_t> likeliestClasses(const LogitGaussian& gaussian,
                                                        std::size_t count);
/// The Gaussian of some of the logits.
[[nodiscard]] LogitGaussian marginalOf(const LogitGaussian& gaussian,
                                       const std::vector<std::size_t>& classes);

}  // namespace dubito
