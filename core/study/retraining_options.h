// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/train/fine_tuning/fine_tuning_options.h"

namespace dubito {

/// How a study trains a network again on labels of the target.
struct RetrainingOptions {
  /// "last": the last layer anew; "all": all layers further.
  std::string layers = "last";
  /// Strength of the L2 penalty of weights and bias of the last layer, per item.
  double l2 = 1e-3;
  /// Of all layers.
  FineTuningOptions fine_tuning = {};
  /// Most labels to train on; of the automatic ones, the surest. Empty: no limit.
  std::optional<std::int64_t> budget = {};
  std::vector<std::string> rows = {};  ///< StudyRow::name()

  /// Those of a JSON object besides "rows".
  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
  /// The options that have an effect, for keys of results: those of the last layer have the key
  /// that they had before there were others.
  [[nodiscard]] nlohmann::json effective() const;
};

}  // namespace dubito
