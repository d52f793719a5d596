// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/labs/experiment_runner.h"
#include "core/labs/dropout_rate/dropout_rate_lab.h"

namespace dubito {

/// What RateRunner plays. A unit of work is one step of every run and grid point.
struct RateExperiment {
  using Options = DropoutRateOptions;
  using Lab = DropoutRateLab;
  using Picture = DropoutRatePicture;
  static constexpr bool kKeepsPicture = false;

  [[nodiscard]] static Status advance(Lab& lab, const SlicePace& pace, UnitPacer& pacer,
                                      RunContext& context) {
    return advancePaced(lab, pace, pacer, context);
  }
  [[nodiscard]] static Picture picture(const Lab& lab, RunContext& context) {
    return lab.picture(context);
  }
  [[nodiscard]] static bool isComplete(const Picture& picture) {
    return picture.done >= picture.total;
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
