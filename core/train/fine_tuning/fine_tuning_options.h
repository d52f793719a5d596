// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"

namespace dubito {

/// How all layers of a trained network are trained further. The seed comes from the RunContext.
struct FineTuningOptions {
  std::int64_t epochs = 10;
  std::int64_t batch = 128;
  /// Initial rate of SGD with Nesterov momentum, which decays along half a cosine.
  double learning_rate = 0.01;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

}  // namespace dubito
