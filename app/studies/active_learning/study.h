// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/studies/active_learning/curve.h"
#include "app/studies/active_learning/options.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito::study {

/// An active learning experiment: one learning curve per acquisition and seed.
struct ActiveLearning {
  std::string train;
  std::string test;
  std::string folder;  ///< of the curves
  ActiveLearningOptions options;
  std::vector<std::string> by = {"bald", "variation-ratio", "entropy", "margin", "random"};
  std::int64_t labels = 500;  ///< at the end of each curve, or fewer if rounds do not fit
  std::int64_t seeds = 3;     ///< 0, 1, ...

  [[nodiscard]] Status check() const;
};

/// A curve that was finished.
struct FinishedCurve {
  std::string by;
  std::uint64_t seed = 0;
  double error = 0.0;            ///< at its end
  std::int64_t points_left = 0;  ///< of this process, all curves together
  double seconds_left = 0.0;
};

/// Computes what is missing in the folder, the first seed of all acquisitions first, saving every
/// round. The processes of context.ranks share the curves. kCancelled, with the way to continue.
[[nodiscard]] Status computeCurves(const ActiveLearning& experiment,
                                   const std::function<void(const FinishedCurve&)>& on_finished,
                                   RunContext& context);

/// The curves in the folder, finished or not, in the order of computeCurves.
[[nodiscard]] Expected<std::vector<Curve>> readCurves(const ActiveLearning& experiment,
                                                      const RunContext& context);

}  // namespace dubito::study
