// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/decisions/selection.h"

namespace dubito {

/// How a study lets its methods label target items.
struct LabellingOptions {
  /// Shares of right labels that are guaranteed.
  std::vector<double> targets = {0.95, 0.99};
  /// Rule and probability of missing the target; its own target is not used.
  SelectionOptions selection = {.target = 0.95, .delta = 0.1, .rule = "sgr"};
  /// Key of a Measure; items with a low uncertainty are labelled.
  std::string measure = "confidence";

  /// Those of a JSON object besides "targets".
  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

}  // namespace dubito
