// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/options.h"

namespace dubito {

/// How the learning rate changes in the course of a training.
struct ScheduleOptions {
  /// "cosine", "constant", "step" (a tenth after half and again after three quarters of the steps)
  /// or "one-cycle" (up and down again; Smith 2018).
  std::string schedule = "cosine";
  /// Share of the steps in which the rate rises linearly, before the schedule begins.
  double warm_up = 0.0;

  [[nodiscard]] std::vector<Field> fields();
};

/// Factor of the learning rate in step `step`, from 0, of `steps`; theory, section 15.
[[nodiscard]] double rateFactor(const ScheduleOptions& options, std::int64_t step,
                                std::int64_t steps);

/// Half a cosine from 1 to 0: the factor in step `step` of `steps`.
[[nodiscard]] double cosineFactor(std::int64_t step, std::int64_t steps);

}  // namespace dubito
