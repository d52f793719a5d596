// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// How a study trains the last layer again on labels of the target.
struct RetrainingOptions {
  /// Strength of the L2 penalty of weights and bias, per item.
  double l2 = 1e-3;
  std::vector<std::string> rows = {};  ///< StudyRow::name()

  /// Those of a JSON object besides "rows".
  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

}  // namespace dubito
