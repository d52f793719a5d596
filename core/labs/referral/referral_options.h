// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// Costs of a system that predicts or refers an item to an expert. Costs have any common unit.
struct ReferralOptions {
  /// Comma-separated keys of measures; empty: those of evaluations.
  std::string measures;
  double look_cost = 1.0;    ///< of an expert who looks at one item
  double error_cost = 10.0;  ///< of one wrong prediction
  /// Costs of a wrong prediction of the positive class and of a missed positive item, for two
  /// classes; both or neither are given, and they replace `error_cost`.
  std::optional<double> false_positive_cost = std::nullopt;
  std::optional<double> false_negative_cost = std::nullopt;
  std::int64_t positive_class = 1;  ///< for two classes
  double expert_error_rate = 0.0;   ///< probability that the expert is wrong, in [0, 1]
  /// Shares of the items, in percent, after whose referral a ROC curve is drawn.
  std::vector<std::int64_t> roc_percents = {0, 10, 20, 30, 40, 50};

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  [[nodiscard]] bool hasSeparateCosts() const {
    return false_positive_cost.has_value() && false_negative_cost.has_value();
  }
};

}  // namespace dubito
