// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/labs/dropout_rate/dropout_rate_lab.h"
#include "widgets/curve_plot.h"

namespace dubito {

/// A remedy against starts that end at 0 or 1, as a change of the options.
struct RateRemedy {
  const char* name = nullptr;         ///< "Keep p in [0.05, 0.95]"
  const char* explanation = nullptr;  ///< one sentence for a student
  double margin = 0.0;
  double rate_step_factor = 1.0;  ///< of the default step size
  bool baseline = false;

  void apply(DropoutRateOptions& options) const;
  /// Whether `options` are those of this remedy.
  [[nodiscard]] bool isIn(const DropoutRateOptions& options) const;
};
/// None first.
[[nodiscard]] const std::vector<RateRemedy>& rateRemedies();

/// The ELBO against p: the grid with the error of its estimates, its closed form, and each run as a
/// point where it is now.
[[nodiscard]] CurvePlotValue rateElboPlot(const DropoutRatePicture& picture);
/// p of every run against the step.
[[nodiscard]] CurvePlotValue rateTrajectoryPlot(const DropoutRatePicture& picture);
/// The ELBO of every run against the step. The axis leaves out the first, very low values.
[[nodiscard]] CurvePlotValue rateElboTracePlot(const DropoutRatePicture& picture);

/// "Of 9 starts: 2 at 0, 1 at 1, 6 between (p = 0.48 to 0.56). Largest ELBO of the grid: 75.9 nats
/// at p = 0.50."
[[nodiscard]] QString rateSentence(const DropoutRatePicture& picture);
/// Step, and what the lines and points are.
[[nodiscard]] QString rateCaption(const DropoutRatePicture& picture,
                                  const DropoutRateOptions& options);

}  // namespace dubito
