// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

#include "app/labs/experiment_runner.h"
#include "core/labs/simplex/sample_worth.h"

namespace dubito {

/// The comparison of samples with closed forms so far.
struct WorthPicture {
  SampleWorthResult result;
  SampleWorthTimes times;
  std::int64_t done = 0;  ///< units of work
  std::int64_t total = 0;
};

/// What WorthRunner plays.
struct WorthExperiment : PacedExperiment<SampleWorth, WorthPicture> {
  using Options = SampleWorthOptions;

  [[nodiscard]] static Picture picture(const Lab& lab, RunContext& /*context*/) {
    return {lab.result(), lab.times(), lab.done(), lab.total()};
  }
};

/// Plays the laboratory "What a bridge is worth".
class WorthRunner : public ExperimentRunner<WorthExperiment> {
  Q_OBJECT
 public:
  WorthRunner(WorkerThread& worker, int threads, QObject* parent = nullptr)
      : ExperimentRunner(worker, threads, playbackSpeeds(), parent) {}

  /// Starts again with another Gaussian.
  void setGaussian(LogitGaussian gaussian) {
    gaussian_ = std::move(gaussian);
    restart();
  }
  [[nodiscard]] const LogitGaussian& gaussian() const { return gaussian_; }

 protected:
  [[nodiscard]] Start starter() const override {
    return [gaussian = gaussian_, options = options(), seed = seed()](RunContext& /*context*/) {
      return Expected<std::shared_ptr<Lab>>(SampleWorth::start(gaussian, options, seed));
    };
  }
  /// Without samples there is nothing to show, so a paused run does not start.
  [[nodiscard]] bool hasStarted() const override { return true; }
  [[nodiscard]] bool isReady() const override { return !gaussian_.mean.empty(); }

 private:
  LogitGaussian gaussian_;
};

}  // namespace dubito
