// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/labs/experiment_runner.h"
#include "core/labs/dropout_rate/dropout_rate_lab.h"

namespace dubito {

/// What RateRunner plays. A unit of work is one step of every run and grid point.
struct RateExperiment : PacedExperiment<DropoutRateLab, DropoutRatePicture> {
  using Options = DropoutRateOptions;

  [[nodiscard]] static Picture picture(const Lab& lab, RunContext& context) {
    return lab.picture(context);
  }
};

/// Plays the laboratory "Dropout rate".
class RateRunner : public ExperimentRunner<RateExperiment> {
  Q_OBJECT
 public:
  RateRunner(WorkerThread& worker, int threads, QObject* parent = nullptr)
      : ExperimentRunner(worker, threads, playbackSpeeds(), parent) {}

 protected:
  [[nodiscard]] Start starter() const override {
    return [options = options(), seed = seed()](RunContext& /*context*/) {
      return Expected<std::shared_ptr<Lab>>(DropoutRateLab::start(options, seed));
    };
  }
};

}  // namespace dubito
