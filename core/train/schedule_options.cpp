// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/schedule_options.h"

#include <cmath>
#include <numbers>

namespace dubito {
namespace {

constexpr double kStepFactor = 0.1;
// Smith (2018); the numbers are those of torch's OneCycleLR.
constexpr double kOneCycleStart = 1.0 / 25.0;
constexpr double kOneCycleRise = 0.3;

/// Falls from 1 at `part` 0 to 0 at 1.
double halfCosine(double part) {
  return 0.5 * (1.0 + std::cos(std::numbers::pi * part));
}

double factorAt(const std::string& schedule, double part) {
  if (schedule == "constant") {
    return 1.0;
  }
  if (schedule == "step") {
    return part < 0.5 ? 1.0 : part < 0.75 ? kStepFactor : kStepFactor * kStepFactor;
  }
  if (schedule == "one-cycle") {
    return part < kOneCycleRise ? 1.0 - (1.0 - kOneCycleStart) * halfCosine(part / kOneCycleRise)
                                : halfCosine((part - kOneCycleRise) / (1.0 - kOneCycleRise));
  }
  return halfCosine(part);
}

double share(std::int64_t step, std::int64_t steps) {
  return static_cast<double>(step) / static_cast<double>(steps);
}

}  // namespace

std::vector<Field> ScheduleOptions::fields() {
  return {
      {{.name = "schedule",
        .label = "Schedule",
        .help = "course of the learning rate",
        .choices = {"cosine", "constant", "step", "one-cycle"},
        .advanced = true},
       &schedule},
      {{.name = "warm_up",
        .label = "Warm-up",
        .help = "share of the steps in which the learning rate rises at the start",
        .min = 0,
        .max = 0.9,
        .unmet_requirement =
            allUnless(schedule != "one-cycle", {setting("schedule", "cosine, constant or step")}),
        .advanced = true},
       &warm_up},
  };
}

double rateFactor(const ScheduleOptions& options, std::int64_t step, std::int64_t steps) {
  if (options.schedule == "one-cycle") {
    return factorAt(options.schedule, share(step, steps));
  }
  const auto rising =
      static_cast<std::int64_t>(std::llround(options.warm_up * static_cast<double>(steps)));
  if (step < rising) {
    return share(step + 1, rising);
  }
  return factorAt(options.schedule, share(step - rising, steps - rising));
}

double cosineFactor(std::int64_t step, std::int64_t steps) {
  return halfCosine(share(step, steps));
}

}  // namespace dubito
